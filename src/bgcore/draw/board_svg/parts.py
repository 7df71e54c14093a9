"""The parts of a picture as SVG: the empty board, checkers, dice, cube, what stands beside them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias
from xml.sax.saxutils import escape

from bgcore.draw.board_svg.arrows import arrow
from bgcore.draw.board_svg.glyphs import HEIGHT, line
from bgcore.draw.board_svg.layout import (
    BAR_X,
    CUBE,
    FIELD,
    HALF,
    LEFT_TABLE,
    PANELS,
    POINT,
    RADIUS,
    RIGHT_TABLE,
    TABLE,
    WIDTH,
    Board,
    Place,
)
from bgcore.draw.board_svg.themes import Theme

__all__ = [
    "EDGE",
    "ROW",
    "STRIP",
    "Stack",
    "arrows",
    "borne_off",
    "caption",
    "checkers",
    "counts",
    "cube",
    "dice",
    "empty_board",
    "numbers",
    "slabs",
    "strip",
]

Stack: TypeAlias = tuple[list[Place], int]
"""The places of the checkers that are drawn, and the count to write on the last of them, or 0."""

ROW = 30  # height of a row of point numbers
STRIP = 38  # height of the line of a player, and of the caption
EDGE = 10  # what stands in place of a row of numbers where there is none
LONGEST_NAME = 60
SCORE = 130  # the room for a score between a name and a pip count

TIP = 192  # length of a point
PEN = 'fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
DIE = 40
PIPS = {  # in which of nine places there are pips, row by row
    1: (4,),
    2: (2, 6),
    3: (2, 4, 6),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}


def written(text: str, x: float, y: float, scale: float = 1.0, anchor: float = 0.5) -> str:
    """A line of our own glyphs around y; ``anchor`` 0 begins at x, 0.5 is centred there, 1 ends there."""
    path, width = line(text)
    left, top = x - anchor * width * scale, y - scale * HEIGHT / 2
    stretch = "" if scale == 1 else f" scale({scale:.3g})"
    return f'<path transform="translate({left:.5g} {top:.5g}){stretch}" d="{path}"/>'


@lru_cache(maxsize=64)
def empty_board(theme: Theme, top: int, height: int, even_right: bool) -> str:
    """Frame, tables, points and trays; the frame reaches from y = ``top`` down ``height``.

    ``even_right``: which of the two colours the point at the lower right has.
    """
    down, up = [], []  # points whose colour is that of the lower right, and the others
    for table in (LEFT_TABLE, RIGHT_TABLE):
        for column in range(6):
            x = table + POINT * column
            above = f"M{x + 1} 0h{POINT - 2}l-{POINT / 2 - 1:g} {TIP}z"
            below = f"M{x + 1} {FIELD}h{POINT - 2}l-{POINT / 2 - 1:g}-{TIP}z"
            down.append(below if column % 2 else above)
            up.append(above if column % 2 else below)
    first, second = (theme.even, theme.odd) if even_right else (theme.odd, theme.even)
    tables = "".join(f'<rect x="{x}" y="0" width="{TABLE}" height="{FIELD}"/>' for x in (LEFT_TABLE, RIGHT_TABLE))
    trays = "".join(f'<rect x="{x - 22}" y="0" width="44" height="{FIELD}" rx="3"/>' for x in PANELS)
    outline = f'stroke="{theme.edge}" stroke-width="2"'
    return (
        f'<rect x="1" y="{top + 1}" width="{WIDTH - 2}" height="{height - 2}" rx="10" fill="{theme.frame}" {outline}/>'
        f'<g fill="{theme.field}" {outline}>{tables}</g>'
        f'<g fill="{theme.edge}" fill-opacity=".22" stroke="{theme.edge}" stroke-width="1.5">{trays}</g>'
        f'<path class="points" fill="{first}" stroke="{theme.edge}" stroke-width=".7" d="{"".join(down)}"/>'
        f'<path class="points" fill="{second}" stroke="{theme.edge}" stroke-width=".7" d="{"".join(up)}"/>'
        f'<path d="M{BAR_X} 0v{FIELD}" stroke="{theme.edge}" stroke-width="1.5"/>'
    )


@lru_cache(maxsize=64)
def numbers(board: Board, seen_by: int, colour: str) -> str:
    """The numbers of the points, as the side at the bottom (0) or at the top (1) counts them."""
    drawn = [
        written(
            str(board.point_of(seen_by, point)), board.columns[point], -ROW / 2 if point > 12 else FIELD + ROW / 2, 0.95
        )
        for point in range(1, 25)
    ]
    return f'<g class="numbers" stroke="{colour}" {PEN}>{"".join(drawn)}</g>'


def checkers(theme: Theme, light: bool, stacks: Iterable[Stack]) -> str:
    """Checkers of one side."""
    fill, edge, ink = _colours(theme, light)
    discs, rings = [], []
    for places, count in stacks:
        for x, y in places:
            discs.append(f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}"/>')
            rings.append(f"M{x - 12:g} {y:g}a12 12 0 1 0 24 0a12 12 0 1 0-24 0")
        if count:
            rings.pop()
    return (
        f'<g class="{_side(light)} checkers" fill="{fill}" stroke="{edge}" stroke-width="1.4">{"".join(discs)}</g>'
        f'<path d="{"".join(rings)}" fill="none" stroke="{ink}" stroke-opacity=".28" stroke-width="1.6"/>'
    )


def slabs(theme: Theme, light: bool, places: Iterable[Place]) -> str:
    """Checkers of one side that are borne off, seen from their edges."""
    drawn = "".join(f'<rect x="{x - 18:g}" y="{y - 4.5:g}" width="36" height="9" rx="2"/>' for x, y in places)
    fill = theme.light if light else theme.dark
    return f'<g class="{_side(light)} off" fill="{fill}" stroke="{theme.text}" stroke-width=".8">{drawn}</g>'


def counts(theme: Theme, light: bool, stacks: Iterable[Stack]) -> str:
    """The counts of the stacks of one side, each on its last checker."""
    drawn = "".join(written(str(count), *places[-1], 0.95) for places, count in stacks if count)
    return f'<g class="counts" stroke="{_colours(theme, light)[2]}" {PEN}>{drawn}</g>' if drawn else ""


def borne_off(theme: Theme, side: int, last: Place, count: int) -> str:
    """How many checkers lie in a tray, beyond the last of them."""
    x, y = last
    y += 17 if side else -17
    return f'<g class="counts" stroke="{theme.text}" {PEN}>{written(str(count), x, y, 0.8)}</g>'


def dice(theme: Theme, light: bool, roll: tuple[int, int], side: int) -> str:
    """Two dice in the colour of their player, at his right hand."""
    fill, edge, ink = _colours(theme, light)
    middle = (LEFT_TABLE if side else RIGHT_TABLE) + TABLE / 2
    faces, spots = [], []
    for die, x in zip(roll, (middle - 27, middle + 27), strict=True):
        faces.append(f'<rect x="{x - 20:g}" y="{HALF - 20}" width="{DIE}" height="{DIE}" rx="8"/>')
        for place in PIPS[die]:
            row, column = divmod(place, 3)
            spots.append(f'<circle cx="{x + 11 * (column - 1):g}" cy="{HALF + 11 * (row - 1)}" r="4.4"/>')
    return (
        f'<g class="dice" fill="{fill}" stroke="{edge}" stroke-width="1.4">{"".join(faces)}</g>'
        f'<g class="spots" fill="{ink}">{"".join(spots)}</g>'
    )


def cube(theme: Theme, value: int, place: Place) -> str:
    """The doubling cube; a cube that nobody has turned shows 64."""
    x, y = place
    if value < 1 << 14:
        text = str(64 if value == 1 else value)
        width = line(text)[1]
        across = min(1.1, (CUBE - 9) / width)
        up = max(across, 0.95) if width > 50 else across  # four digits are narrow, not small
        path = line(text)[0]
        face = (
            f'<path transform="translate({x - across * width / 2:.5g} {y - up * HEIGHT / 2:.5g}) '
            f'scale({across:.3g} {up:.3g})" d="{path}"/>'
        )
    else:
        face = written("2", x - 9.5, y + 3, 0.9) + written(str(value.bit_length() - 1), x + 7.5, y - 8, 0.58)
    return (
        f'<rect class="cube" x="{x - CUBE / 2:g}" y="{y - CUBE / 2:g}" width="{CUBE}" height="{CUBE}" rx="6" '
        f'fill="{theme.cube}" stroke="{theme.cube_text}" stroke-width="1.5"/>'
        f'<g class="value" stroke="{theme.cube_text}" {PEN}>{face}</g>'
    )


def strip(
    theme: Theme, light: bool, y: float, *, name: str | None, score: str | None, pips: int | None, marked: bool
) -> str:
    """What is known of a player, in one line around y: whether he is to act, his colour, name, score and pips."""
    fill = theme.light if light else theme.dark
    drawn = []
    if marked:
        drawn.append(f'<path class="turn" fill="{theme.text}" d="M10 {y - 9:g}l14 9l-14 9z"/>')
    drawn.append(
        f'<circle class="side" cx="41" cy="{y:g}" r="11" fill="{fill}" stroke="{theme.text}" stroke-width="1.4"/>'
    )
    if name is not None:
        # An inner svg cuts off what is too long, without an id that another picture on the same page could have too.
        drawn.append(
            f'<svg x="{LEFT_TABLE}" y="{y - 19:g}" width="290" height="38"><text y="27" font-family="sans-serif" '
            f'font-size="23" fill="{theme.text}">{_name(name)}</text></svg>'
        )
    words = []
    if score is not None:
        words.append(written(score, 430, y, min(1.0, SCORE / line(score)[1])))
    if pips is not None:
        words.append(written("PIPS", WIDTH - 12, y + 3, 0.7, 1))
        words.append(written(str(pips), WIDTH - 56, y, 1.0, 1))
    if words:
        drawn.append(f'<g class="facts" stroke="{theme.text}" {PEN}>{"".join(words)}</g>')
    return "".join(drawn)


def caption(theme: Theme, text: str, y: float) -> str:
    """A line of words around y, in the middle."""
    return f'<g class="caption" stroke="{theme.text}" {PEN}>{written(text, WIDTH / 2, y, 0.9)}</g>'


def arrows(theme: Theme, journeys: Iterable[tuple[Place, Place]]) -> str:
    """An arrow for each journey."""
    paths = [arrow(begin, end) for begin, end in journeys]
    shafts = "".join(shaft for shaft, _ in paths)
    heads = "".join(head for _, head in paths)
    return (
        f'<g class="arrows" opacity=".9" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{shafts}" fill="none" stroke="#fff" stroke-width="9"/>'
        f'<path d="{heads}" stroke="#fff" stroke-width="2.5"/>'
        f'<path d="{shafts}" fill="none" stroke="{theme.arrow}" stroke-width="6"/>'
        f'<path d="{heads}" fill="{theme.arrow}"/></g>'
    )


def _side(light: bool) -> str:
    return "light" if light else "dark"


def _colours(theme: Theme, light: bool) -> tuple[str, str, str]:
    """Fill, outline and ink of a side."""
    return (
        (theme.light, theme.light_edge, theme.light_text) if light else (theme.dark, theme.dark_edge, theme.dark_text)
    )


def _name(name: str) -> str:
    """A name as XML text: markup escaped, characters that XML cannot hold replaced, blanks in place of line ends."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        name = name[: LONGEST_NAME - 1] + "…"
    return escape("".join(c if _is_xml(c) else "\N{REPLACEMENT CHARACTER}" for c in name), {'"': "&quot;"})


def _is_xml(character: str) -> bool:
    code = ord(character)
    control = code < 0x20 or 0x7F <= code <= 0x9F
    return not control and not 0xD800 <= code <= 0xDFFF and code not in (0xFFFE, 0xFFFF)
