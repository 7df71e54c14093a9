"""One side's checkers to an id and back, without a search.

The numbering is GNU Backgammon's: with s_k checkers on the k highest of P points, the id is the sum of
C(s_k + k - 1, k) over k = 1 to P.  All off is 0; every move lowers the id; ids of at most C checkers are those below
C(P + C, P), for every C at once.
"""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import check_checkers, integers
from bgcore.core import bearoff as core
from bgcore.errors import InvalidPosition, InvalidReason

__all__ = ["MOST_POINTS", "check_points", "positions", "rank", "unrank"]

MOST_POINTS = 24


def check_points(points: SupportsIndex) -> int:
    """The number of points of a table: 1 to 24.

    Raises
    ------
    TypeError
        Not an integer.
    ValueError
        Outside 1 to 24.
    """
    if isinstance(points, bool | np.bool):
        raise TypeError("points must be an integer, not bool")
    number = operator.index(points)
    if not 1 <= number <= MOST_POINTS:
        raise ValueError(f"points must be 1 to {MOST_POINTS}, not {number}")
    return number


def positions(points: SupportsIndex, checkers: int = 15) -> int:
    """How many ids there are: placements of at most so many checkers on so many points, C(points + checkers, points).

    Examples
    --------
    >>> positions(6), positions(6, 6)
    (54264, 924)
    """
    return core.count_positions(check_points(points), check_checkers(checkers))


def rank(counts: ArrayLike) -> NDArray[np.uint64]:
    """The ids of one side's checkers.

    Parameters
    ----------
    counts : integers (n, points) or (points,)
        Checkers on points 1, 2, ... of 1 to 24 points; at most 15 in all.  Those elsewhere don't matter.

    Returns
    -------
    uint64 (n,), or a scalar for one row

    Raises
    ------
    TypeError
        Not integers.
    ValueError
        Another shape.
    InvalidPosition
        A negative count, or more than 15 checkers; the row is named.

    Examples
    --------
    >>> rank([[0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 15]])
    array([    0,     1, 54263], dtype=uint64)
    """
    array = integers(counts, "counts", ())
    if array.ndim not in (1, 2) or not 1 <= array.shape[-1] <= MOST_POINTS:
        raise ValueError(f"counts must have shape (n, points) with 1 to {MOST_POINTS} points, not {array.shape}")
    rows = array[np.newaxis] if array.ndim == 1 else array
    wrong = (rows < 0) | (rows > 15)
    if wrong.any():
        row, point = (int(i) for i in np.argwhere(wrong)[0])
        raise InvalidPosition(
            f"row {row}: {rows[row, point]} checkers on point {point + 1}; a point holds 0 to 15",
            reason=InvalidReason.TOO_MANY_OWN,
            row=row,
        )
    small = np.ascontiguousarray(rows, np.uint8)
    totals = small.sum(axis=1, dtype=np.int64)
    if totals.max(initial=0) > 15:
        row = int(np.argmax(totals > 15))
        raise InvalidPosition(
            f"row {row}: {totals[row]} checkers; a side has at most 15", reason=InvalidReason.TOO_MANY_OWN, row=row
        )
    out = np.empty(len(small), np.uint64)
    core.rank_rows(small, out)
    return out if array.ndim == 2 else out[0]


def unrank(ids: ArrayLike, *, points: SupportsIndex) -> NDArray[np.uint8]:
    """The checkers that ids stand for.

    Parameters
    ----------
    ids : integers (n,) or one
    points : int
        1 to 24.

    Returns
    -------
    uint8 (n, points), or (points,) for one id
        Checkers on points 1, 2, ...

    Raises
    ------
    TypeError
        Not integers.
    ValueError
        Another shape; points outside 1 to 24.
    InvalidPosition
        No id of at most 15 checkers on so many points; the row is named.

    Examples
    --------
    >>> unrank(637, points=6)
    array([1, 1, 1, 1, 1, 1], dtype=uint8)
    """
    points = check_points(points)
    array: NDArray[Any] = integers(ids, "ids", ())
    if array.ndim > 1:
        raise ValueError(f"ids must have shape (n,), not {array.shape}")
    rows = array[np.newaxis] if array.ndim == 0 else array
    end = core.count_positions(points, 15)
    wrong = (rows < 0) | (rows >= end)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidPosition(f"row {row}: ids on {points} points are 0 to {end - 1}, not {rows[row]}", row=row)
    out = np.empty((len(rows), points), np.uint8)
    core.unrank_rows(np.ascontiguousarray(rows, np.uint64), out)
    return out if array.ndim else out[0]
