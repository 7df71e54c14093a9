"""What the files have in common: numbers of the format, and checks of what is read or written."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.errors import DatabaseError
from bgcore.threads import Progress

ROLLS = 32
"""A distribution says how likely 0 to 31 rolls are."""
ONE = 65535
"""What stands for the probability 1, and for the equity +1."""
ONE_24 = 2**24 - 1
MIDDLE_24 = ONE_24 // 2  # GNU Backgammon truncates, so this stands for the equity 0
HEADER = 40
HYPER_POINTS, HYPER_BYTES = 25, 28
MOST_POINTS, MOST_CHECKERS = 23, 15
CHUNK = 2**16  # positions at a time

Values16 = NDArray[np.uint16]


def index_dtype(gammons: bool) -> np.dtype[Any]:
    """An entry of the index of a compressed one-sided database."""
    names = [("start", "<u4"), ("count", "u1"), ("first", "u1"), ("gammon_count", "u1"), ("gammon_first", "u1")]
    return np.dtype(names if gammons else names[:3])


def ends_of(index: NDArray[Any]) -> NDArray[np.int64]:
    """Where the values of entries end."""
    ends: NDArray[np.int64] = index["start"].astype(np.int64) + index["count"]
    if "gammon_count" in (index.dtype.names or ()):
        ends += index["gammon_count"]
    return ends


def check_sums(sums: NDArray[np.int64], first: int, error: type[Exception] = DatabaseError) -> None:
    """Distributions from position ``first`` on must add up to 1, (n, 1 or 2)."""
    wrong = (sums != ONE).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        raise error(f"the distributions of position {first + row} add up to {sums[row].tolist()}, not {ONE}")


def check_finished(values: Values16, first: int, error: type[Exception] = DatabaseError) -> None:
    """Rows from ``first`` on must say that who has no checker left has won."""
    lost = values[:, 0] if first else values[1:, 0]
    if lost.any() or (first == 0 and len(values) and (values[0] != ONE).any()):
        raise error(f"rows {first} to {first + len(values) - 1}: a finished game is not worth +1 or -1")


def numbers_of(entries: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The nine numbers of entries (n, 28) of a hypergammon database, 0 to 2**24 - 1."""
    numbers: NDArray[np.float64] = entries[:, :27].reshape(-1, 9, 3) @ np.array([1.0, 2.0**8, 2.0**16])
    return numbers


def check_moments(moments: NDArray[Any], error: type[Exception] = DatabaseError) -> None:
    """Means and standard deviations must be finite, and none below 0."""
    if not (np.isfinite(moments) & (moments >= 0)).all():
        raise error("a mean or standard deviation is negative or not finite")


def count_positions(points: int, checkers: int) -> int:
    """How many positions there are: binom(points + checkers, points)."""
    if not (1 <= points <= MOST_POINTS and 1 <= checkers <= MOST_CHECKERS):
        raise ValueError(f"GNU Backgammon reads 1 to {MOST_POINTS} points and 1 to {MOST_CHECKERS} checkers")
    return math.comb(points + checkers, points)


def check_ids(ids: ArrayLike, positions: int) -> NDArray[np.int64]:
    """Ids as int64 of shape (n,); 64 bits, since what is computed of them exceeds 32."""
    array = np.asarray(ids)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"ids must be integers, not {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"ids must have shape (n,), not {array.shape}")
    wrong = (array < 0) | (array >= positions)
    if wrong.any():
        raise IndexError(f"id {array[wrong.argmax()]} is of no position: they go from 0 to {positions - 1}")
    return array.astype(np.int64)


def chunks(total: int, progress: Progress | None, step: int = CHUNK) -> Iterator[tuple[int, int]]:
    """Ranges of at most ``step`` that make up ``total``; progress is told when each is done."""
    for first in range(0, total, step):
        last = min(total, first + step)
        yield first, last
        if progress is not None:
            progress(last, total)
