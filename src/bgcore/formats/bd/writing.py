"""Writing files that GNU Backgammon reads: as its own tool would, byte for byte, given the same numbers."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from bgcore.errors import DatabaseError
from bgcore.files import pwrite, replacing
from bgcore.formats.bd.layout import (
    CHUNK,
    HEADER,
    HYPER_POINTS,
    MIDDLE_24,
    ONE,
    ONE_24,
    ROLLS,
    Values16,
    check_finished,
    check_moments,
    check_sums,
    chunks,
    count_positions,
    index_dtype,
)
from bgcore.threads import Progress

__all__ = [
    "quantise_distributions",
    "quantise_equities",
    "write_hypergammon",
    "write_normal",
    "write_one_sided",
    "write_two_sided",
]


def write_one_sided(
    path: str | os.PathLike[str],
    distributions: NDArray[np.uint16],
    gammon_distributions: NDArray[np.uint16] | None = None,
    *,
    points: int,
    checkers: int = 15,
    compressed: bool = True,
    progress: Progress | None = None,
) -> None:
    """Write a one-sided database, whole or not at all.

    Parameters
    ----------
    path : path
    distributions : (N, rolls) uint16
        How likely each number of rolls to bear off is, from 0 on; every row adds up to 65535; at most 32 columns.
    gammon_distributions : (N, rolls) uint16, optional
        The same of the rolls to the first checker off; without, the file has none.
    points, checkers : int
        N is binom(points + checkers, points).
    compressed : bool
        Leave out zeros at both ends of a distribution.
    progress : callable, optional
        Called with positions written and positions in all.

    Raises
    ------
    TypeError, ValueError
        Another dtype, shape or sum.
    DatabaseError
        More values than the index can count.
    OSError
        As when writing any file.
    """
    positions = count_positions(points, checkers)
    given = [distributions] if gammon_distributions is None else [distributions, gammon_distributions]
    for array in given:
        _check_array(array, np.uint16, positions, "(N, rolls)", array.ndim == 2 and array.shape[1] <= ROLLS)
    gammons = len(given) == 2
    header = f"gnubg-OS-{points:02}-{checkers:02}-{gammons:d}-{compressed:d}-0"
    with _replacing(path, header) as file:
        entry = index_dtype(gammons)
        at = HEADER
        values_at = HEADER + positions * entry.itemsize
        start = 0
        for first, last in chunks(positions, progress):
            block = np.zeros((last - first, len(given), ROLLS), "<u2")
            for which, array in enumerate(given):
                block[:, which, : array.shape[1]] = array[first:last]
            check_sums(block.sum(axis=2, dtype=np.int64), first, ValueError)
            if not compressed:
                at = _put(file, at, block)
                continue
            index, kept = _packed(block, start, entry)
            start += len(kept)
            if start >= 2**32:
                raise DatabaseError("the index of a compressed database counts less than 2**32 values")
            at = _put(file, at, index)
            values_at = _put(file, values_at, kept)


def write_normal(
    path: str | os.PathLike[str], moments: NDArray[np.floating[Any]], *, points: int, checkers: int = 15
) -> None:
    """Write a one-sided database of means and standard deviations, whole or not at all.

    Parameters
    ----------
    path : path
    moments : (N, 4) float
        As `BdNormal.moments`; written in single precision.
    points, checkers : int
        N is binom(points + checkers, points).

    Raises
    ------
    TypeError, ValueError
        Another dtype or shape; numbers that are negative or not finite.
    OSError
        As when writing any file.
    """
    positions = count_positions(points, checkers)
    _check_array(moments, np.floating, positions, "(N, 4)", moments.ndim == 2 and moments.shape[1] == 4)
    with _replacing(path, f"gnubg-OS-{points:02}-{checkers:02}-1-0-1") as file:
        at = HEADER
        for first, last in chunks(positions, None):
            check_moments(moments[first:last], ValueError)
            at = _put(file, at, moments[first:last].astype("<f4"))


def write_two_sided(
    path: str | os.PathLike[str],
    values: NDArray[np.uint16] | Iterable[NDArray[np.uint16]],
    *,
    points: int,
    checkers: int,
    cubeful: bool = True,
    progress: Progress | None = None,
) -> None:
    """Write a two-sided database, whole or not at all.

    Parameters
    ----------
    path : path
    values : (N, N, 4) or, if not cubeful, (N, N) uint16; or an iterable of blocks of its rows, in order
        Cubeless, cube owned, centred, opponent's, before this turn's cube action; `quantise_equities` makes them.
    points, checkers : int
        N is binom(points + checkers, points).
    cubeful : bool
    progress : callable, optional
        Called with rows written and rows in all.

    Raises
    ------
    TypeError, ValueError
        Another dtype, shape or number of rows; a finished game that is not won or lost.
    OSError
        As when writing any file.
    """
    positions = count_positions(points, checkers)
    row = (positions, 4) if cubeful else (positions,)
    with _replacing(path, f"gnubg-TS-{points:02}-{checkers:02}-{cubeful:d}") as file:
        at, first = HEADER, 0
        for block in _row_blocks(values):
            if block.dtype != np.uint16:
                raise TypeError(f"a two-sided database is of uint16, not {block.dtype}")
            if block.shape[1:] != row or first + len(block) > positions:
                raise ValueError(f"a two-sided database of {positions} rows of {row} has no row {first}, {block.shape}")
            check_finished(block.reshape(len(block), positions, -1), first, ValueError)
            at = _put(file, at, np.ascontiguousarray(block, "<u2"))
            first += len(block)
            if progress is not None:
                progress(first, positions)
        if first != positions:
            raise ValueError(f"a two-sided database of {positions} rows cannot end after {first}")


def write_hypergammon(
    path: str | os.PathLike[str],
    probabilities: NDArray[np.floating[Any]],
    equities: NDArray[np.floating[Any]],
    *,
    checkers: int,
    progress: Progress | None = None,
) -> None:
    """Write a hypergammon database, whole or not at all.

    Parameters
    ----------
    path : path
    probabilities : (N, N, 5) float
        As `BdHypergammon.probabilities`; NaN for pairs that are no position, likewise below.
    equities : (N, N, 4) float
        As `BdHypergammon.equities`.
    checkers : int
        1 to 3; N is binom(25 + checkers, 25).
    progress : callable, optional
        Called with rows written and rows in all.

    Raises
    ------
    TypeError, ValueError
        Another dtype or shape; a probability outside 0 to 1, an equity outside ±3.
    OSError
        As when writing any file.

    Notes
    -----
    Numbers are rounded to the nearest of 24 bits; GNU Backgammon's own tool truncates.  What was read is written back
    equal.
    """
    if not 1 <= checkers <= 3:
        raise ValueError(f"hypergammon is played with 1 to 3 checkers, not {checkers}")
    positions = math.comb(HYPER_POINTS + checkers, HYPER_POINTS)
    for array, width in ((probabilities, 5), (equities, 4)):
        fits = array.ndim == 3 and array.shape[1:] == (positions, width)
        _check_array(array, np.floating, positions, f"(N, N, {width})", fits)
    with _replacing(path, f"gnubg-H{checkers}") as file:
        at = HEADER
        for first, last in chunks(positions, progress, max(1, CHUNK // positions)):
            shares = np.concatenate([probabilities[first:last], equities[first:last] / 6.0 + 0.5], axis=2)
            empty = np.isnan(shares)
            if not ((shares > -1e-9) & (shares < 1 + 1e-9) | empty).all():
                raise ValueError(f"rows {first} to {last - 1}: a probability outside 0 to 1 or an equity outside ±3")
            codes = np.rint(np.where(empty, 0, shares).clip(0, 1) * ONE_24).astype("<u4")
            codes[empty] = 0
            codes[:, :, 5:][empty[:, :, 5:]] = MIDDLE_24
            octets = codes.view(np.uint8).reshape(*codes.shape, 4)[..., :3].reshape(*codes.shape[:2], 27)
            at = _put(file, at, np.concatenate([octets, np.zeros((*codes.shape[:2], 1), np.uint8)], axis=2))


def quantise_distributions(probabilities: NDArray[np.floating[Any]]) -> Values16:
    """Distributions as a file holds them: rounded, what is missing to 65535 added to the likeliest.

    Parameters
    ----------
    probabilities : (n, rolls) float
        Rows that add up to 1.

    Raises
    ------
    ValueError
        They don't, by more than one in a thousand.
    """
    shares = np.asarray(probabilities, np.float64)
    if shares.ndim != 2 or not (np.abs(shares.sum(axis=1) - 1) < 1e-3).all() or not (shares >= 0).all():
        raise ValueError("distributions are rows of probabilities that add up to 1")
    codes = np.rint(shares * ONE).astype(np.int64)
    rows = np.arange(len(codes))
    codes[rows, codes.argmax(axis=1)] += ONE - codes.sum(axis=1)
    return codes.astype(np.uint16)


def quantise_equities(equities: NDArray[np.floating[Any]]) -> Values16:
    """Equities from -1 to +1 as a two-sided file holds them, rounded to the nearest.

    Raises
    ------
    ValueError
        One is outside that or NaN.
    """
    array = np.asarray(equities, np.float64)
    if not (np.abs(array) < 1 + 1e-6).all():
        raise ValueError("a two-sided database holds equities from -1 to +1")
    return np.rint((array.clip(-1, 1) + 1) * (ONE / 2)).astype(np.uint16)


def _packed(block: Values16, start: int, entry: np.dtype[Any]) -> tuple[NDArray[Any], Values16]:
    """Index entries and values of distributions (n, 1 or 2, 32)."""
    there = block != 0
    firsts = there.argmax(axis=2)
    lasts = ROLLS - 1 - there[:, :, ::-1].argmax(axis=2)
    rolls = np.arange(ROLLS)
    kept = block[(rolls >= firsts[..., None]) & (rolls <= lasts[..., None])]
    counts = lasts - firsts + 1
    index = np.empty(len(block), entry)
    totals = counts.sum(axis=1)
    index["start"] = start + np.cumsum(totals) - totals
    index["count"], index["first"] = counts[:, 0], firsts[:, 0]
    if block.shape[1] == 2:
        index["gammon_count"], index["gammon_first"] = counts[:, 1], firsts[:, 1]
    return index, kept


def _check_array(array: NDArray[Any], kind: type[np.generic], positions: int, shape: str, fits: bool) -> None:
    if not np.issubdtype(array.dtype, kind):
        raise TypeError(f"an array must be of {kind.__name__}, not {array.dtype}")
    if not fits or len(array) != positions:
        raise ValueError(f"an array must have the shape {shape} with N = {positions}, not {array.shape}")


def _row_blocks(values: NDArray[np.uint16] | Iterable[NDArray[np.uint16]]) -> Iterable[NDArray[np.uint16]]:
    if not isinstance(values, np.ndarray):
        return values
    step = max(1, 16 * CHUNK // max(1, len(values)))
    return (values[first : first + step] for first in range(0, len(values), step))


@contextlib.contextmanager
def _replacing(path: str | os.PathLike[str], header: str) -> Iterator[BinaryIO]:
    """A new file that begins with a header."""
    with replacing(path) as file:
        pwrite(file.fileno(), f"{header:x<{HEADER - 1}}\n".encode(), 0)
        yield file


def _put(file: BinaryIO, at: int, array: NDArray[Any]) -> int:
    """Write an array; return where it ends."""
    pwrite(file.fileno(), np.ascontiguousarray(array).view(np.uint8).data.cast("B"), at)
    return at + array.nbytes
