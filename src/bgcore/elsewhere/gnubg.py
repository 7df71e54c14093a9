"""Boards of GNU Backgammon's Python modules, gnubg and gnubg-nn: two sides of 25 numbers.

The first side is the opponent's, the second that of the player on roll.  Each has 24 points in that side's own
numbering, its ace point first, and then its bar.  Both modules, and GNU Backgammon's own ``TanBoard``, agree in this.

Lost in a list: the number of checkers that the game is played with, and so how many are borne off; ``checkers`` says it
again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import check_checkers
from bgcore.core import elsewhere as core
from bgcore.elsewhere._rows import Packed, Shape, check, in_row, packed_of, small
from bgcore.errors import InvalidPosition, InvalidReason
from bgcore.position import Position

__all__ = ["from_boards", "to_boards"]

SIDES = ("the opponent", "the player on roll")


def from_boards(boards: ArrayLike, checkers: int = 15) -> Packed:
    """Boards of gnubg or gnubg-nn to packed words.

    Parameters
    ----------
    boards : integers (..., 2, 25)
        Of any integer dtype, or lists or tuples as the modules give them.
    checkers : int
        Checkers a side plays with; what is not on the board is borne off.

    Returns
    -------
    uint64 (..., 4)

    Raises
    ------
    TypeError, ValueError
        No integers; another shape.
    InvalidPosition
        Wrong values; names the row.

    Examples
    --------
    >>> import bgcore as bg
    >>> side = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0]
    >>> bg.Position.from_packed(from_boards([side, side])) == bg.Position.initial()
    True
    """
    checkers = check_checkers(checkers)
    rows, lead = small(boards, "boards", (2, 25), low=0)
    out = np.empty((len(rows), 4), np.uint64)
    wrong = core.pack_sides(rows, checkers, out)
    if wrong is not None:
        raise _error(rows, checkers, lead, *wrong)
    return out.reshape(*lead, 4)


def to_boards(packed: ArrayLike | Position) -> NDArray[np.uint8]:
    """Packed words, or a Position, to boards of gnubg and gnubg-nn.

    Parameters
    ----------
    packed : uint64 (..., 4), or Position

    Returns
    -------
    uint8 (..., 2, 25)
        The modules want lists: ``.tolist()`` makes them.

    Raises
    ------
    InvalidPosition
        A point is shared or a checker pinned; names the row.
    """
    rows, lead = packed_of(packed)
    out = np.empty((len(rows), 2, 25), np.uint8)
    core.unpack_sides(check(rows, lead), out)
    return out.reshape(*lead, 2, 25)


def _error(rows: NDArray[np.int8], checkers: int, lead: Shape, row: int, status: int, place: int) -> InvalidPosition:
    """What is wrong in a row."""
    if status == core.READ_TOTAL:
        reason = InvalidReason.TOO_MANY_OWN if place else InvalidReason.TOO_MANY_OPP
        total = int(rows[row, place].sum())
        text = f"{SIDES[place]} has {total} checkers on the board, but plays with {checkers}"
    elif status == core.READ_SHARED:
        reason = InvalidReason.SHARED_POINT
        text = f"both sides hold the same point, [1][{place}] and [0][{23 - place}]"
    else:
        reason = InvalidReason.BOTH_OFF
        text = "neither side has a checker on the board or the bar"
    return InvalidPosition(in_row(row, lead) + text, reason=reason, row=row if lead else None)
