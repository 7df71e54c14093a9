"""Opening files of GNU Backgammon."""

from __future__ import annotations

import math
import mmap
import os
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgcore.errors import DatabaseError
from bgcore.files import WHOLE, mapped, opened, pread
from bgcore.formats.bd.layout import (
    CHUNK,
    HEADER,
    HYPER_BYTES,
    HYPER_POINTS,
    MOST_CHECKERS,
    MOST_POINTS,
    ONE_24,
    ROLLS,
    check_finished,
    check_moments,
    check_sums,
    chunks,
    ends_of,
    index_dtype,
    numbers_of,
)
from bgcore.formats.bd.tables import Bd, BdHypergammon, BdNormal, BdOneSided, BdTwoSided
from bgcore.threads import Progress

__all__ = ["is_bd", "read"]

SLACK = 16
"""By how much numbers of 24 bits may be off, being truncated sums of single precision."""
_HEADER = re.compile(
    rb"gnubg-(?:OS-(?P<os>\d\d-\d\d)-(?P<flags>[01]-[01]-[01])x{19}|TS-(?P<ts>\d\d-\d\d)-(?P<cubeful>[01])x{23}"
    rb"|H(?P<hyper>[123])x{31})\n"
)


def is_bd(start: bytes) -> bool:
    """Whether a file that begins so means to be one of GNU Backgammon's."""
    return start.startswith(b"gnubg-")


def read(path: str | os.PathLike[str], *, verify: bool = False, progress: Progress | None = None) -> Bd:
    """Open a file of GNU Backgammon, mapped into memory.

    Parameters
    ----------
    path : path
    verify : bool
        Check the contents of a file of 64 MiB or more, too: index, sums, finished games, chances that nest.  Header and
        size are always checked, and smaller files whole.  The methods of a one-sided database check what they take.
    progress : callable, optional
        Called with positions checked and positions in all.

    Raises
    ------
    DatabaseError
        There is no such file, it is of another kind, cut off or damaged.
    """
    with opened(path) as (name, descriptor):
        size = os.fstat(descriptor).st_size
        header = pread(descriptor, HEADER, 0)
        match = _HEADER.fullmatch(header)
        if match is None:
            raise DatabaseError(f"{name} is no database of GNU Backgammon: its header is {header!a}")
        memory = mapped(name, descriptor, size)
    try:
        if match["hyper"]:
            return _read_hypergammon(memory, int(match["hyper"]), size, verify or size < WHOLE, progress)
        points, checkers = map(int, (match["os"] or match["ts"]).split(b"-"))
        if not (1 <= points <= MOST_POINTS and 1 <= checkers <= MOST_CHECKERS):
            raise DatabaseError(f"there are no {points} points and {checkers} checkers in GNU Backgammon's databases")
        if match["ts"]:
            cubeful = match["cubeful"] == b"1"
            return _read_two_sided(memory, points, checkers, cubeful, size, verify or size < WHOLE, progress)
        gammons, compressed, normal = (flag == b"1" for flag in match["flags"].split(b"-"))
        if normal and (compressed or not gammons):
            raise DatabaseError("the header says normal distributions that are compressed or without gammons")
        if normal:
            return _read_normal(memory, points, checkers, size, verify or size < WHOLE, progress)
        reader = _read_compressed if compressed else _read_full
        return reader(memory, points, checkers, gammons, size, verify or size < WHOLE, progress)
    except DatabaseError as error:
        raise DatabaseError(f"{name}: {error}") from None


def _read_full(
    memory: mmap.mmap, points: int, checkers: int, gammons: bool, size: int, whole: bool, progress: Progress | None
) -> BdOneSided:
    positions = math.comb(points + checkers, points)
    which = 1 + gammons
    _check_size(size, HEADER + positions * which * 2 * ROLLS)
    values = np.frombuffer(memory, "<u2", offset=HEADER).reshape(positions, which, ROLLS)
    for first, last in chunks(positions if whole else 0, progress):
        check_sums(values[first:last].sum(axis=2, dtype=np.int64), first)
    return BdOneSided(points, checkers, gammons, None, values)


def _read_compressed(
    memory: mmap.mmap, points: int, checkers: int, gammons: bool, size: int, whole: bool, progress: Progress | None
) -> BdOneSided:
    positions = math.comb(points + checkers, points)
    dtype = index_dtype(gammons)
    start = HEADER + positions * dtype.itemsize
    if size < start:
        raise DatabaseError(f"the file is cut off in its index: {size} bytes, where that alone needs {start}")
    if (size - start) % 2:
        raise DatabaseError(f"the file ends in the middle of a value, at byte {size}")
    index = np.frombuffer(memory, dtype, positions, HEADER)
    values = np.frombuffer(memory, "<u2", offset=start) if size > start else np.empty(0, "<u2")
    _check_index(index[-1:], positions - 1, int(index[-1]["start"]))
    end = int(ends_of(index[-1:])[0])
    if end != len(values):
        what = "cut off" if end > len(values) else "too long"
        raise DatabaseError(f"the file is {what}: {size} bytes where its index makes it {start + 2 * end}")
    expected = 0
    for first, last in chunks(positions if whole else 0, progress):
        part = index[first:last]
        expected = _check_index(part, first, expected)
        begin = int(part[0]["start"])
        counts = np.stack([part[name] for name in ("count", "gammon_count")[: 1 + gammons]], axis=1).astype(np.int64)
        edges = np.cumsum(counts) - counts.reshape(-1)
        sums = np.add.reduceat(values[begin:expected], edges, dtype=np.int64)
        check_sums(sums.reshape(counts.shape), first)
    return BdOneSided(points, checkers, gammons, index, values)


def _read_normal(
    memory: mmap.mmap, points: int, checkers: int, size: int, whole: bool, progress: Progress | None
) -> BdNormal:
    positions = math.comb(points + checkers, points)
    _check_size(size, HEADER + positions * 16)
    moments = np.frombuffer(memory, "<f4", offset=HEADER).reshape(positions, 4)
    for first, last in chunks(positions if whole else 0, progress):
        check_moments(moments[first:last])
    return BdNormal(points, checkers, moments)


def _read_two_sided(
    memory: mmap.mmap, points: int, checkers: int, cubeful: bool, size: int, whole: bool, progress: Progress | None
) -> BdTwoSided:
    positions = math.comb(points + checkers, points)
    each = 4 if cubeful else 1
    _check_size(size, HEADER + positions**2 * each * 2)
    values = np.frombuffer(memory, "<u2", offset=HEADER).reshape(positions, positions, each)
    step = max(1, CHUNK // positions)
    for first, last in chunks(positions if whole else 0, progress, step):
        check_finished(values[first:last], first)
    return BdTwoSided(points, checkers, cubeful, values)


def _read_hypergammon(
    memory: mmap.mmap, checkers: int, size: int, whole: bool, progress: Progress | None
) -> BdHypergammon:
    positions = math.comb(HYPER_POINTS + checkers, HYPER_POINTS)
    _check_size(size, HEADER + positions**2 * HYPER_BYTES)
    values = np.frombuffer(memory, np.uint8, offset=HEADER).reshape(positions, positions, HYPER_BYTES)
    step = max(1, CHUNK // positions)
    for first, last in chunks(positions if whole else 0, progress, step):
        entries = values[first:last].reshape(-1, HYPER_BYTES)
        win, gammon, backgammon, lose_gammon, lose_backgammon = numbers_of(entries)[:, :5].T
        nested = (win + SLACK >= gammon) & (gammon + SLACK >= backgammon)
        nested &= (win + lose_gammon <= ONE_24 + SLACK) & (lose_gammon + SLACK >= lose_backgammon)
        if entries[:, -1].any() or not nested.all():
            raise DatabaseError(
                f"rows {first} to {last - 1}: an entry is damaged, it doesn't end with a zero or gives a gammon a "
                "greater chance than the game"
            )
    return BdHypergammon(checkers, values)


def _check_index(index: NDArray[Any], first: int, expected: int) -> int:
    """Check entries of position ``first`` on, which must follow one another from ``expected`` on; return their end."""
    ends = ends_of(index)
    wrong = index["start"] != np.concatenate([[expected], ends[:-1]])
    for count, at in (("count", "first"), ("gammon_count", "gammon_first")):
        if count in (index.dtype.names or ()):
            wrong |= (index[count] == 0) | (index[at].astype(np.int64) + index[count] > ROLLS)
    if wrong.any():
        raise DatabaseError(f"the index entry of position {first + int(wrong.argmax())} is damaged")
    return int(ends[-1])


def _check_size(size: int, right: int) -> None:
    if size != right:
        what = "cut off" if size < right else "too long"
        raise DatabaseError(f"the file is {what}: {size} bytes where its header makes it {right}")
