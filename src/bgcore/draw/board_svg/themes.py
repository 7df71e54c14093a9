"""Colours of a board."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from bgcore.errors import FormatError, RuleError

__all__ = ["THEMES", "Theme", "theme_of"]

# Names and hexadecimal colours only: what stands here goes into the picture as it is.
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z]{1,24}")


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a board, each a name of SVG or hexadecimal: ``ivory``, ``#fed``, ``#8b5a2b``, ``#0008``.

    Attributes
    ----------
    frame, field, edge : str
        What surrounds the board, where the points lie, and the line between the two.
    odd, even : str
        The points, by the number that the player at the bottom gives them.
    text : str
        Numbers and words on the frame.
    light, light_edge, light_text : str
        A light checker, its outline, and numbers on it; also the dice of that side.
    dark, dark_edge, dark_text : str
        The same of a dark one.
    cube, cube_text : str
        The doubling cube.
    arrow : str
        The arrows of a play.

    Raises
    ------
    FormatError
        No such colour; `field` names which.

    Examples
    --------
    >>> from dataclasses import replace
    >>> replace(THEMES["green"], light="gold").light
    'gold'
    """

    frame: str
    field: str
    edge: str
    odd: str
    even: str
    text: str
    light: str
    light_edge: str
    light_text: str
    dark: str
    dark_edge: str
    dark_text: str
    cube: str
    cube_text: str
    arrow: str

    def __post_init__(self) -> None:
        for each in fields(self):
            colour = getattr(self, each.name)
            if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
                raise FormatError(
                    f"theme colour {each.name}: {ascii(colour)[:60]} is no colour; write a name or #rrggbb",
                    field=each.name,
                )


THEMES: dict[str, Theme] = {
    "wood": Theme(
        frame="#5a3825",
        field="#e3c79a",
        edge="#3d2416",
        odd="#a5603a",
        even="#f4e4c3",
        text="#f6e7cd",
        light="#fdf8ec",
        light_edge="#6b5844",
        light_text="#33251b",
        dark="#33261f",
        dark_edge="#0f0a07",
        dark_text="#fdf3e0",
        cube="#fffdf6",
        cube_text="#33251b",
        arrow="#167a3e",
    ),
    "green": Theme(
        frame="#3a2c24",
        field="#2e7255",
        edge="#1f1712",
        odd="#8f2f2a",
        even="#dccb9d",
        text="#efe6d2",
        light="#fbf7ec",
        light_edge="#5c554a",
        light_text="#26221d",
        dark="#23272e",
        dark_edge="#000000",
        dark_text="#f4f1e8",
        cube="#fffdf6",
        cube_text="#26221d",
        arrow="#f2a516",
    ),
    "slate": Theme(
        frame="#262c38",
        field="#47536a",
        edge="#171b23",
        odd="#323c4f",
        even="#8593ab",
        text="#e2e7f0",
        light="#f3f5f8",
        light_edge="#4a5263",
        light_text="#232a36",
        dark="#b8352f",
        dark_edge="#5f1513",
        dark_text="#ffffff",
        cube="#ffffff",
        cube_text="#232a36",
        arrow="#ffc531",
    ),
    "print": Theme(
        frame="#ffffff",
        field="#ffffff",
        edge="#000000",
        odd="#b5b5b5",
        even="#e9e9e9",
        text="#000000",
        light="#ffffff",
        light_edge="#000000",
        light_text="#000000",
        dark="#1c1c1c",
        dark_edge="#000000",
        dark_text="#ffffff",
        cube="#ffffff",
        cube_text="#000000",
        arrow="#5c5c5c",
    ),
}
"""The themes that there are: "wood", the usual one; "green", a felted board; "slate"; "print", for black and white."""


def theme_of(theme: str | Theme) -> Theme:
    """A theme, or the one of that name.

    Raises
    ------
    RuleError
        There is none.
    """
    if isinstance(theme, Theme):
        return theme
    if not isinstance(theme, str):
        raise TypeError(f"theme is a name or a Theme, not {type(theme).__name__}")
    if theme not in THEMES:
        raise RuleError(f"there is no theme {ascii(theme)[:60]}; there are {', '.join(THEMES)}")
    return THEMES[theme]
