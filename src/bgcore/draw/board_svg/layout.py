"""Where everything is, in the units of a picture: a point is 40 wide, y grows downwards, the field begins at y = 0.

`Board` is the only place that knows where the two numberings meet; everything else asks it for coordinates.  Points
are asked for by the number that the player at the bottom gives them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

__all__ = [
    "BAR_X",
    "CUBE",
    "FIELD",
    "HALF",
    "LEFT_TABLE",
    "PANELS",
    "PIN_STEP",
    "POINT",
    "RADIUS",
    "RIGHT_TABLE",
    "ROWS",
    "TABLE",
    "WIDTH",
    "Board",
    "Place",
    "board_of",
]

WIDTH = 656
FIELD = 470
HALF = FIELD // 2
POINT = 40
TABLE = 6 * POINT
LEFT_TABLE = 64
BAR_X = LEFT_TABLE + TABLE + 24
RIGHT_TABLE = BAR_X + 24
PANELS = (32, WIDTH - 32)  # the middles of the trays at the left and at the right

RADIUS = 19
STEP = 39  # from a checker to the next one of its stack
ROWS = 5  # checkers drawn in a stack; a taller one shows its count
BASE = 20  # the first checker of a stack, from the edge
PIN_STEP = 20  # how far the checker that pins stands from the pinned one
BAR_BASE = 44  # the first checker on the bar, from the middle
SLAB = 11  # from a checker borne off, seen from its side, to the next one
CUBE = 42

_FACING = {
    "contrary": (0, *range(24, 0, -1)),
    "parallel": (0, *range(13, 25), *range(1, 13)),
}

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """The places of a board.  Sides are 0, at the bottom, and 1, at the top.

    Attributes
    ----------
    columns : tuple of 25 int
        The x of points 1 to 24 at these indices.
    trays : tuple of two int
        The x of the checkers that the side at the bottom and the one at the top have borne off.
    cubes : tuple of three tuples
        Where the cube lies: with the side at the bottom, at the top, centred.
    facing : tuple of 25 int
        At these indices, the number that the other side gives to a point of either.
    """

    columns: tuple[int, ...]
    trays: tuple[int, int]
    cubes: tuple[Place, Place, Place]
    facing: tuple[int, ...]

    def point_of(self, side: int, slot: int) -> int:
        """The number that the player at the bottom gives to a point of a side."""
        return self.facing[slot] if side else slot  # either geometry is its own inverse

    def stacked(self, point: int, index: int, shift: int = 0) -> Place:
        """The middle of a checker of a point: the first has index 0, those beyond the last row share its place."""
        away = BASE + shift + STEP * min(index, ROWS - 1)
        return self.columns[point], away if point > 12 else FIELD - away

    def barred(self, side: int, index: int) -> Place:
        """The middle of a checker on the bar, on the half of its side, from the middle of the board outwards."""
        away = BAR_BASE + STEP * min(index, ROWS - 1)
        return BAR_X, HALF - away if side else HALF + away

    def tray(self, side: int, index: int) -> Place:
        """The middle of a checker borne off, from the edge inwards."""
        away = 10 + SLAB * index
        return self.trays[side], away if side else FIELD - away


@lru_cache(maxsize=8)
def board_of(geometry: Literal["contrary", "parallel"], home: Literal["left", "right"]) -> Board:
    """The board on which the player at the bottom bears off at that end."""
    rightward = [LEFT_TABLE + POINT // 2 + POINT * column + (48 if column > 5 else 0) for column in range(12)]
    leftward = rightward[::-1]
    lower, upper = (leftward, rightward) if home == "right" else (rightward, leftward)
    near, far = PANELS[::-1] if home == "right" else PANELS
    contrary = geometry == "contrary"
    # In a parallel game the tray at the top is in the corner where its cube would lie.
    away = HALF - CUBE // 2 - 6 if contrary else 24
    return Board(
        columns=(0, *lower, *upper),
        trays=(near, near if contrary else far),
        cubes=((far, HALF + away), (far, HALF - away), (far, HALF)),
        facing=_FACING[geometry],
    )
