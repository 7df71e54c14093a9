"""Digits and capital letters as strokes of our own, so that a picture looks the same whatever fonts there are.

Each glyph is drawn with a pen of width 3 and round ends, between y = 0 and y = 20; a line of text becomes one path.
Whoever uses a path gives it `stroke-width`, `stroke-linecap` and `stroke-linejoin`.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["GLYPHS", "HEIGHT", "PEN", "line"]

HEIGHT = 20
PEN = 3
_GAP = 6  # between the middles of two pens
_SPACE = 9

# Width between the middles of the pens, then strokes: where each begins, and how it goes on, in relative commands only.
GLYPHS: dict[str, tuple[float, tuple[tuple[float, float, str], ...]]] = {
    "0": (11, ((0, 6, "a5.5 6 0 0 1 11 0v8a5.5 6 0 0 1-11 0z"),)),
    "1": (6, ((0, 4.5, "l6-4.5v20"),)),
    "2": (11, ((0, 5.5, "a5.5 5.5 0 0 1 11 0c0 3.2-1.8 5-4.4 7.5l-6.6 7h11"),)),
    "3": (11, ((0.5, 4, "c1-2.6 3-4 5-4a4.8 4.7 0 0 1 0 9.4h-1.5m1.5 0a5.3 5.3 0 0 1 0 10.6c-2.6 0-4.7-1.5-5.5-4.2"),)),
    "4": (12, ((9, 20, "v-20l-9 14h12"),)),
    "5": (11, ((10, 0, "h-8.5l-1 8.8c1.4-1.2 2.9-1.8 4.8-1.8a5.7 6.5 0 0 1 0 13c-2.5 0-4.4-1.2-5.3-3.6"),)),
    "6": (11, ((9.5, 0.3, "c-6 1.6-9.5 6.7-9.5 13.7a5.5 6 0 1 0 5.5-6c-3 0-5.5 2.4-5.5 6"),)),
    "7": (11, ((0, 0, "h11l-7 20"),)),
    "8": (11, ((5.5, 9.2, "a4.7 4.6 0 1 1 .01 0zm0 0a5.5 5.4 0 1 0 .01 0z"),)),
    "9": (11, ((1.5, 19.7, "c6-1.6 9.5-6.7 9.5-13.7a5.5 6 0 1 0-5.5 6c3 0 5.5-2.4 5.5-6"),)),
    "A": (14, ((0, 20, "l7-20l7 20m-11.6-7h9.2"),)),
    "B": (11, ((0, 0, "v20h6a5.1 5.2 0 0 0 0-10.4h-6m6 0a4.6 4.8 0 0 0 0-9.6h-6"),)),
    "C": (13, ((13, 4, "a7.4 10 0 1 0 0 12"),)),
    "D": (12, ((0, 0, "v20h4a8 10 0 0 0 0-20z"),)),
    "E": (10, ((10, 0, "h-10v20h10m-10-10.4h8.5"),)),
    "F": (10, ((10, 0, "h-10v20m0-10.4h8.5"),)),
    "H": (12, ((0, 0, "v20m0-10.4h12m0-9.6v20"),)),
    "I": (0, ((0, 0, "v20"),)),
    "J": (9, ((9, 0, "v14.5a4.5 5.5 0 0 1-9 0"),)),
    "M": (15, ((0, 20, "v-20l7.5 13l7.5-13v20"),)),
    "N": (12, ((0, 20, "v-20l12 20v-20"),)),
    "O": (14, ((0, 10, "a7 10 0 1 1 14 0a7 10 0 1 1-14 0z"),)),
    "P": (11, ((0, 20, "v-20h6a5.4 5.6 0 0 1 0 11.2h-6"),)),
    "R": (11, ((0, 20, "v-20h6a5.2 5.4 0 0 1 0 10.8h-6m5 0l6 9.2"),)),
    "S": (
        11,
        (
            (
                10.4,
                4,
                "c-.8-2.6-2.6-4-5-4c-3 0-5 1.9-5 4.7c0 6.6 10.6 3.4 10.6 10.2c0 3-2.2 5.1-5.4 5.1c-3 0-5-1.6-5.6-4.4",
            ),
        ),
    ),
    "T": (12, ((0, 0, "h12m-6 0v20"),)),
    "W": (18, ((0, 0, "l4.5 20l4.5-17l4.5 17l4.5-20"),)),
    "Y": (12, ((0, 0, "l6 10.5v9.5m0-9.5l6-10.5"),)),
    "-": (7, ((0, 11, "h7"),)),
    "/": (7, ((0, 21, "l7-22"),)),
    ",": (1, ((1, 19.6, "l-1 3.6"),)),
}


@lru_cache(maxsize=512)
def line(text: str) -> tuple[str, float]:
    """The path of a line of text that begins at (0, 0), and its width between the middles of the outermost pens.

    Parameters
    ----------
    text : str
        Of the characters of `GLYPHS` and blanks.

    Returns
    -------
    (str, float)
        For the ``d`` of a path, `HEIGHT` high; and how wide it is.
    """
    strokes = []
    x = 0.0
    width = 0.0
    for character in text:
        if character == " ":
            x += _SPACE
            continue
        width, drawn = GLYPHS[character]
        strokes += [f"M{x + left:g} {top:g}{rest}" for left, top, rest in drawn]
        x += width + _GAP
    return "".join(strokes), x - _GAP
