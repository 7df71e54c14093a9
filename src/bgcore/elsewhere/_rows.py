"""What all converters share: rows of any leading shape, and errors that name the row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import batch
from bgcore.arrays import integers, invalid_position, packed_rows
from bgcore.errors import InvalidPosition, InvalidReason, RuleError
from bgcore.position import Position, without_row
from bgcore.rules import BACKGAMMON

__all__ = ["FIFTEEN", "PLAIN", "Packed", "Shape", "check", "dice_of", "in_row", "named", "packed_of", "small"]

Packed: TypeAlias = NDArray[np.uint64]
Shape: TypeAlias = tuple[int, ...]

PLAIN = InvalidReason.SHARED_POINT | InvalidReason.PIN_UNUSED
"""What no program with backgammon's board can hold."""

FIFTEEN = PLAIN | InvalidReason.WRONG_TOTAL_OWN | InvalidReason.WRONG_TOTAL_OPP
"""What one that plays with fifteen checkers can't hold either."""


def in_row(row: int, lead: Shape) -> str:
    """How a message begins: a single position has no row; of more than one dimension it is counted in C order."""
    return f"row {row}: " if lead else ""


@contextmanager
def named(lead: Shape) -> Iterator[None]:
    """Errors of a single position don't name a row."""
    try:
        yield
    except InvalidPosition as error:
        if lead:
            raise
        raise without_row(error) from None


def small(values: ArrayLike, what: str, tail: Shape, low: int = -15) -> tuple[NDArray[np.int8], Shape]:
    """Integers (..., *tail) from `low` to 15 as C-contiguous int8 (n, *tail), and the leading shape.

    Raises
    ------
    TypeError, ValueError
        No integers; another shape.
    InvalidPosition
        A number that is no number of checkers.
    """
    array = integers(values, what, tail)
    lead = array.shape[: array.ndim - len(tail)]
    rows = array.reshape(-1, *tail)
    if rows.size and (rows.min() < low or rows.max() > 15):
        row, *place = (int(i) for i in np.argwhere((rows < low) | (rows > 15))[0])
        where = "".join(f"[{i}]" for i in place)
        raise InvalidPosition(
            f"{in_row(row, lead)}{rows[row][tuple(place)]} at {where}, where there are {low} to 15 checkers",
            row=row if lead else None,
        )
    return np.ascontiguousarray(rows, np.int8), lead


def packed_of(packed: ArrayLike | Position) -> tuple[Packed, Shape]:
    """Words (..., 4), or a Position, as words (n, 4) and the leading shape."""
    array = packed.packed if isinstance(packed, Position) else np.asarray(packed)
    if array.ndim == 0 or array.shape[-1] != 4:
        raise ValueError(f"packed must have shape (..., 4), not {array.shape}")
    return packed_rows(array.reshape(-1, 4)), array.shape[:-1]


def check(rows: Packed, lead: Shape, reasons: InvalidReason = PLAIN) -> Packed:
    """The rows, if they are positions in any game and none of the reasons against backgammon's board holds.

    Raises
    ------
    InvalidPosition
        Names the first row where one does.
    """
    always = InvalidReason.TOO_MANY_OWN | InvalidReason.TOO_MANY_OPP | InvalidReason.BOTH_OFF | InvalidReason.PIN_MASK
    found = batch.validate(rows, BACKGAMMON) & np.uint32(reasons | always)
    if found.any():
        row = int(np.argmax(found != 0))
        raise invalid_position(int(found[row]), row if lead else None)
    return rows


def dice_of(dice: Any, lead: Shape) -> NDArray[np.uint8]:
    """Dice (..., 2) of every row, or (2,) for all, as uint8 (n, 2); 0 is a die that is not there.

    Raises
    ------
    RuleError
        Something else than 0 to 6.
    """
    array = integers(dice, "dice", (2,))
    wrong = (array < 0) | (array > 6)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        row = int(np.ravel_multi_index(place[:-1], array.shape[:-1])) if array.ndim > 1 else 0
        raise RuleError(f"{in_row(row, lead)}a die shows 1 to 6, or is 0 where there is none; not {array[place]}")
    return np.ascontiguousarray(np.broadcast_to(array, (*lead, 2)), np.uint8).reshape(-1, 2)
