"""How many rolls one side needs to bear off, and to bear off its first checker: tables, their look-up, races.

Both tables come from play that makes the expected number of rolls as small as can be, each for its own aim; on ties the
play that GNU Backgammon lists first.  So a race of two such sides is near to the truth, not the truth: a player who is
behind should take risks, one who is ahead avoid them.  Against the exact values of 6 x 6 (six points, six checkers) the
winning chance is off by 0.0016 in the root mean square and 0.0139 at most, of 6 x 10 by 0.0011 and 0.0140.  Take a
two-sided table where there is one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, NamedTuple, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import check_checkers, packed_rows
from bgcore.batch import pips
from bgcore.bearoff.memory import require
from bgcore.bearoff.ranking import check_points
from bgcore.core import bearoff as ranks
from bgcore.core import onesided as core
from bgcore.core import races
from bgcore.errors import DatabaseError
from bgcore.position import Position
from bgcore.threads import Progress, usable

__all__ = ["OneSided", "OneSidedRow", "one_sided"]

Arithmetic = Literal["exact", "gnubg"]

CHUNK = 1 << 14
"""Ids that are solved between two calls of progress."""
FEW = 100_000
"""Ids below which threads cost more than they bring."""
PIPS_A_ROLL = 49 / 6
"""The mean of a roll, doubles counted twice: what an expected roll is worth in the effective pip count."""
NO_RANK = np.uint64(2**64 - 1)
ONE = 65535


class OneSidedRow(NamedTuple):
    """What a table knows of one side."""

    distribution: NDArray[np.float32]
    """Chances to need 0, 1, ... rolls to bear off."""
    gammon_distribution: NDArray[np.float32] | None
    """Chances to need 0, 1, ... rolls to bear off the first checker; None if the table doesn't have them."""
    mean: float
    """Expected rolls."""
    variance: float
    """Of the rolls."""
    epc: float
    """Effective pip count."""
    wastage: float
    """Effective pip count less pip count."""


def one_sided(
    *,
    points: SupportsIndex = 6,
    checkers: int = 15,
    arithmetic: Arithmetic = "exact",
    gammons: bool | None = None,
    threads: SupportsIndex = 1,
    progress: Progress | None = None,
) -> OneSided:
    """Build the table of one side with at most so many checkers on so many points.

    Parameters
    ----------
    points : int
        1 to 24; 6 takes a twentieth of a second, 10 five seconds and 1.1 GB, each further point 2.4 times as much.
    checkers : int
        1 to 15.
    arithmetic : {"exact", "gnubg"}
        Double precision, stored in single; or 16 bits, rounded as GNU Backgammon does, for files equal to its own.
    gammons : bool, optional
        Also the rolls to the first checker off, which only a side with 15 checkers needs.  None: with 15 checkers.
    threads : int
        The result is the same for any number.
    progress : callable (done, total), optional
        Called now and then from the calling thread.

    Returns
    -------
    OneSided

    Raises
    ------
    DatabaseError
        It wouldn't fit into memory; the message says how many bytes are needed.  Nothing has been built then.
    TypeError, ValueError, InvalidPosition
        Another type or value of an argument.

    Examples
    --------
    >>> import bgcore as bg
    >>> table = bg.bearoff.one_sided(points=6, checkers=3)
    >>> position = bg.Position.from_board([0, 3] + 24 * [0])
    >>> round(table[position].mean, 6)
    1.833333
    """
    points, checkers = check_points(points), check_checkers(checkers)
    if arithmetic not in ("exact", "gnubg"):
        raise ValueError(f"arithmetic is 'exact' or 'gnubg', not {arithmetic!r}")
    if gammons is None:
        gammons = checkers == 15
    elif gammons and checkers < 15:
        raise ValueError(f"gammons need 15 checkers, not {checkers}: with one off no gammon is left")
    threads = usable(threads)
    name = f"a one-sided table of {points} x {checkers}"
    if ranks.count_positions(points, checkers) >= 2**32:
        raise DatabaseError(f"{name} has {ranks.count_positions(points, checkers)} positions; 2**32 are too many")
    require(bytes_to_build(points, checkers, arithmetic, gammons), name)
    build: core.ExactBuild | core.GnubgBuild
    if arithmetic == "exact":
        build = core.ExactBuild(points, checkers, gammons)
    else:
        build = core.GnubgBuild(points, checkers, gammons)
    _run(build, points, checkers, threads, progress)
    arrays: dict[str, NDArray[Any]] = {}
    for which, prefix in enumerate(PREFIXES[: 1 + gammons]):
        first, count, values = build.stored(which)
        arrays |= {prefix + "first": first, prefix + "count": count, prefix + "values": values}
        arrays[prefix + "start"] = _starts(count)
    if isinstance(build, core.ExactBuild):
        arrays |= {"mean": build.mean, "variance": build.variance}
    header = {"kind": "one-sided", "points": points, "checkers": checkers, "arithmetic": arithmetic, "gammons": gammons}
    return OneSided(header, arrays)


class OneSided:
    """How many rolls one side needs, for every placement of its checkers.

    Look-ups take packed rows, uint64 (n, 4), and answer for the player on roll, NaN where he is out of range: a checker
    on the bar or beyond the table's points, or more checkers on the board than the table has.  Checkers that are off
    aren't counted.

    Attributes
    ----------
    points, checkers : int
        What the table covers.
    arithmetic : str
        "exact" or "gnubg".
    gammons : bool
        Whether it has the rolls to the first checker off.
    rolls, gammon_rolls : int
        Columns of the distributions; entries under 2**-32 at their ends are not stored.

    Notes
    -----
    **Threads**: safe, nothing changes after construction.
    """

    points: int
    checkers: int
    arithmetic: str
    gammons: bool
    rolls: int
    gammon_rolls: int

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        header, arrays = _checked(header, arrays)
        self.points = header["points"]
        self.checkers = header["checkers"]
        self.arithmetic = header["arithmetic"]
        self.gammons = header["gammons"]
        self._arrays = arrays
        self._tables: list[races.Table] = []
        columns = [0, 0]
        for which, prefix in enumerate(PREFIXES[: 1 + self.gammons]):
            first, count, start, values = (arrays[prefix + name] for name in HALF)
            columns[which] = int((first.astype(np.int16) + count).max())
            self._tables.append(races.Table(first, count, start, values))
        self.rolls, self.gammon_rolls = columns

    def __repr__(self) -> str:
        return f"<OneSided: {self.points} x {self.checkers}, {self.arithmetic}{', gammons' if self.gammons else ''}>"

    def __getitem__(self, position: Position) -> OneSidedRow:
        """What the table knows of the player on roll; KeyError out of range."""
        if not isinstance(position, Position):
            raise TypeError(f"one position is looked up by a Position, not {type(position).__name__}")
        row = position.packed[np.newaxis]
        if np.isnan(self.mean(row)[0]):
            raise KeyError(f"{position!r} is not in {self!r}")
        gammons = self.gammon_distribution(row)[0] if self.gammons else None
        numbers = (
            float(column[0]) for column in (self.mean(row), self.variance(row), self.epc(row), self.wastage(row))
        )
        return OneSidedRow(self.distribution(row)[0], gammons, *numbers)

    def distribution(self, packed: ArrayLike) -> NDArray[np.float32]:
        """The chances to need 0, 1, ... rolls to bear off: float32 (n, rolls)."""
        return self._rows(0, self.rolls, packed)

    def gammon_distribution(self, packed: ArrayLike) -> NDArray[np.float32]:
        """The chances to need 0, 1, ... rolls to bear off the first checker: float32 (n, gammon_rolls).

        With fewer than 15 checkers on the board one is off: 0 rolls.

        Raises
        ------
        DatabaseError
            The table was built without.
        """
        if not self.gammons:
            raise DatabaseError(f"{self!r} has no distributions of the rolls to the first checker off")
        return self._rows(1, self.gammon_rolls, packed)

    def mean(self, packed: ArrayLike) -> NDArray[np.float64]:
        """Expected rolls to bear off: float64 (n,)."""
        return self._moments(packed)[0]

    def variance(self, packed: ArrayLike) -> NDArray[np.float64]:
        """Variance of the rolls to bear off: float64 (n,)."""
        return self._moments(packed)[1]

    def epc(self, packed: ArrayLike) -> NDArray[np.float64]:
        """Effective pip count, expected rolls x 49/6: float64 (n,)."""
        return self.mean(packed) * PIPS_A_ROLL

    def wastage(self, packed: ArrayLike) -> NDArray[np.float64]:
        """Effective pip count less pip count: float64 (n,)."""
        return self.epc(packed) - pips(packed)[:, 0]

    def race(self, packed: ArrayLike) -> NDArray[np.float32]:
        """The race of both sides, each in the table's range and playing for the fewest rolls of its own.

        Returns
        -------
        float32 (n, 3)
            Chances of the player on roll to win, to win a gammon and to lose a gammon.  NaN where a side is out of
            range or they can still meet; the gammons' also if the table has 15 checkers and was built without them.

        Notes
        -----
        Two sides that each hurry are near to the truth, not the truth.  Against the exact values of 6 x 6 (six points,
        six checkers) the winning chance is off by 0.0016 in the root mean square and by 0.0139 at most; a two-sided
        table has them.
        """
        rows = packed_rows(packed)
        out = np.empty((len(rows), 3), np.float32)
        gammons = self._tables[1] if self.gammons else None
        races.race_rows(self._tables[0], gammons, rows, self.points, self.checkers, out)
        if self.checkers < 15:
            out[:, 1:] = np.where(np.isnan(out[:, :1]), np.float32(np.nan), np.float32(0))
        return out

    def race_best(self, packed: ArrayLike, opponent: ArrayLike) -> NDArray[np.float64]:
        """The winning chances of play that is best against a given distribution of the opponent's rolls.

        Parameters
        ----------
        packed : uint64 (n, 4)
            Only the side of the player on roll is looked at.
        opponent : float (n, rolls) or (rolls,)
            The chances that the opponent needs exactly 0, 1, ... rolls, as `distribution` gives them for his side; one
            for all rows, or one a row.

        Returns
        -------
        float64 (n,)
            NaN where a row or its distribution is.

        Raises
        ------
        ValueError
            Another shape; chances that are negative or don't add up to 1.

        Notes
        -----
        A recursion over all ids up to the highest of the rows and over the opponent's rolls, once for each different
        distribution: up to a tenth of a second for one on 6 points.  What the opponent does doesn't depend on the
        player on roll; where both adapt, only a two-sided table is exact.
        """
        rows = packed_rows(packed)
        chances = np.asarray(opponent)
        if chances.dtype.kind != "f":
            raise TypeError(f"opponent must be float, not {chances.dtype}")
        if chances.ndim not in (1, 2) or chances.shape[-1] < 1 or (chances.ndim == 2 and len(chances) != len(rows)):
            raise ValueError(f"opponent must have shape (rolls,) or ({len(rows)}, rolls), not {chances.shape}")
        chances = np.atleast_2d(chances.astype(np.float64))
        known = ~np.isnan(chances).any(axis=1)
        wrong = known & ~((chances >= 0).all(axis=1) & (np.abs(chances.sum(axis=1) - 1) < 1e-3))
        if wrong.any():
            raise ValueError(f"row {int(np.argmax(wrong))}: the opponent's chances must be 0 or more and add up to 1")
        different, which = np.unique(chances, axis=0, return_inverse=True)
        which = np.broadcast_to(which.reshape(-1), len(rows))
        ids = self._ids(rows)
        out = np.full(len(rows), np.nan)
        for number, distribution in enumerate(different):
            chosen = which == number
            if not chosen.any() or np.isnan(distribution).any():
                continue
            needed = np.ascontiguousarray(np.cumsum(distribution[::-1])[::-1])
            found = np.empty(int(chosen.sum()))
            races.best_chances(ids[chosen], self.points, needed, found)
            out[chosen] = found
        return out

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The table as plain arrays, one entry an id: what `from_arrays` takes.

        Returns
        -------
        dict
            "first" and "count", uint8 (N,): the rolls of the first chance stored, and how many are; "start",
            uint32 (N,): where they begin in "values", float32 or uint16 (65535 stands for 1).  The same with
            ``gammon_`` before the name for the rolls to the first checker off, if there are.  "mean" and "variance",
            float64 (N,), of exact tables.
        """
        return dict(self._arrays)

    @classmethod
    def from_arrays(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """A table out of its header and arrays, as a file holds them.

        Parameters
        ----------
        header : mapping
            "points", "checkers", "arithmetic" and "gammons".
        arrays : mapping
            As `arrays` gives them.  Or, not trimmed, "distributions" and "gammon_distributions": uint16 (N, rolls).

        Raises
        ------
        DatabaseError
            They don't fit together.
        """
        return cls(header, arrays)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file that `bgcore.bearoff.open` reads, whole or not at all."""
        from bgcore.bearoff import store

        store.write(path, self.header(), self._arrays)

    def header(self) -> dict[str, Any]:
        """What a file says of the table beside its arrays."""
        return {
            "kind": "one-sided",
            "rules": "backgammon",
            "points": self.points,
            "checkers": self.checkers,
            "arithmetic": self.arithmetic,
            "gammons": self.gammons,
            "order": "sum over k of C(s_k + k - 1, k), s_k checkers on the k highest points",
        }

    def export_bd(
        self,
        path: str | os.PathLike[str],
        *,
        lossy: bool = False,
        compressed: bool = True,
        gammons: bool | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Write a one-sided ``.bd`` file of GNU Backgammon, whole or not at all.

        A table built with ``arithmetic="gnubg"`` gives the file that its own tool makes, byte for byte.

        Parameters
        ----------
        path : path
        lossy : bool
            Allow an exact table to be rounded to 16 bits and cut after 31 rolls.
        compressed : bool
            Leave out zeros at both ends, as GNU Backgammon does by default.
        gammons : bool, optional
            Write the rolls to the first checker off as well.  None: if the table has them.
        progress : callable (done, total), optional

        Raises
        ------
        DatabaseError
            An exact table without ``lossy=True``; gammons that it doesn't have.
        """
        from bgcore.formats import bd

        if self.arithmetic != "gnubg" and not lossy:
            raise DatabaseError(
                "an exact table is rounded in a .bd file, so say lossy=True; arithmetic='gnubg' builds one that is not"
            )
        if gammons is None:
            gammons = self.gammons
        elif gammons and not self.gammons:
            raise DatabaseError(f"{self!r} has no distributions of the rolls to the first checker off")
        halves = [self._dense(which, bd.ROLLS) for which in range(1 + gammons)]
        bd.write_one_sided(
            path,
            halves[0],
            halves[1] if gammons else None,
            points=self.points,
            checkers=self.checkers,
            compressed=compressed,
            progress=progress,
        )

    def _dense(self, which: int, rolls: int) -> NDArray[np.uint16]:
        """The distributions of all ids in 16 bits, (N, at most `rolls`)."""
        from bgcore.formats import bd

        columns = min(rolls, self.gammon_rolls if which else self.rolls)
        out = np.empty((len(self._arrays["first"]), columns), np.uint16)
        for begin in range(0, len(out), CHUNK):
            part = out[begin : begin + CHUNK]
            if self._arrays[PREFIXES[which] + "values"].dtype.kind == "u":
                races.raw_rows(self._tables[which], begin, part)
                continue
            ids = np.arange(begin, begin + len(part), dtype=np.uint64)
            chances = np.empty((len(part), self.gammon_rolls if which else self.rolls), np.float32)
            races.distribution_rows(self._tables[which], ids, chances)
            part[:] = bd.quantise_distributions(chances[:, :columns])
        return out

    def _ids(self, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
        ids = np.empty(len(rows), np.uint64)
        ranks.rank_sides(rows, 0, self.points, self.checkers, ids)
        return ids

    def _rows(self, which: int, columns: int, packed: ArrayLike) -> NDArray[np.float32]:
        rows = packed_rows(packed)
        out = np.empty((len(rows), columns), np.float32)
        races.distribution_rows(self._tables[which], self._ids(rows), out)
        return out

    def _moments(self, packed: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        ids = self._ids(packed_rows(packed))
        if "mean" in self._arrays:
            known = ids != NO_RANK
            safe = np.where(known, ids, 0)
            mean, variance = (np.where(known, self._arrays[name][safe], np.nan) for name in ("mean", "variance"))
        else:
            mean, variance = np.empty(len(ids)), np.empty(len(ids))
            races.moment_rows(self._tables[0], ids, mean, variance)
        return mean, variance


def bytes_to_build(points: int, checkers: int, arithmetic: Arithmetic, gammons: bool) -> int:
    """About how much memory a build takes at its peak, on the high side."""
    positions = ranks.count_positions(points, checkers)
    full = positions - ranks.count_positions(points, checkers - 1) if gammons else 0
    if arithmetic == "gnubg":
        return 144 * (positions + full)
    kept = 9 + 1.2 * points  # chances an id while building; what tables of 7 to 10 points hold, and some
    return round(positions * (98 + 8 * kept) + full * (98 + 8 * 8)) + 2**20


def _run(
    build: core.ExactBuild | core.GnubgBuild, points: int, checkers: int, threads: int, progress: Progress | None
) -> None:
    """Solve every id of a table."""
    end = ranks.count_positions(points, checkers)
    if threads == 1 or end < FEW:
        for begin in range(1, end, CHUNK):
            build.run(begin, min(begin + CHUNK, end))
            if progress is not None:
                progress(min(begin + CHUNK, end), end)
        return
    done = 1
    with ThreadPoolExecutor(threads) as pool:
        for wave in _waves(points, checkers):
            try:
                for (first, last), solved in [(block, pool.submit(build.run, *block)) for block in wave]:
                    solved.result()
                    done += last - first
                    if progress is not None:
                        progress(done, end)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _waves(points: int, checkers: int) -> list[list[tuple[int, int]]]:
    """All ids but 0 as lists of blocks (first, end); blocks of a list don't need one another, but all lists before.

    A block is the ids with equal numbers of checkers on points 1, 2 and 3 or higher, which are consecutive.  A move
    lowers some of these three numbers, or stays in the block; so blocks of an equal sum are apart.
    """
    waves: list[list[tuple[int, int]]] = [[] for _ in range(3 * checkers + 1)]
    first = 0
    for all_ in range(checkers + 1):
        for from_2 in range(all_ + 1):
            for from_3 in range(from_2 + 1):
                end = first + ranks.count_positions(points - 3, from_3)
                if first > 0:
                    waves[all_ + from_2 + from_3].append((first, end))
                first = end
    return waves


def _starts(count: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Where the values of each id begin, one behind the other."""
    ends = np.cumsum(count, dtype=np.uint64)
    if ends[-1] >= 2**32:
        raise DatabaseError(f"a table of {ends[-1]} chances; 2**32 are too many")
    return (ends - count).astype(np.uint32)


PREFIXES = ("", "gammon_")
HALF = ("first", "count", "start", "values")
MOST_COLUMNS = 255


def _checked(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Header and arrays in the form that OneSided keeps, after which no look-up can read beyond them."""
    points, checkers = header.get("points"), header.get("checkers")
    gammons, arithmetic = header.get("gammons"), header.get("arithmetic")
    if type(points) is not int or type(checkers) is not int or not (1 <= points <= 24 and 1 <= checkers <= 15):
        raise DatabaseError(f"a one-sided table has 1 to 24 points and 1 to 15 checkers, not {points} and {checkers}")
    if type(gammons) is not bool or arithmetic not in ("exact", "gnubg"):
        raise DatabaseError("a one-sided table says whether it has gammons, and 'exact' or 'gnubg' arithmetic")
    positions = ranks.count_positions(points, checkers)
    kept: dict[str, NDArray[Any]] = {}
    for prefix in PREFIXES[: 1 + gammons]:
        dense = arrays.get(prefix + "distributions")
        if dense is not None:
            if dense.dtype != np.uint16 or dense.ndim != 2 or not 1 <= dense.shape[1] <= MOST_COLUMNS:
                raise DatabaseError(f"{prefix}distributions must be uint16 (N, rolls), not {_said(dense)}")
            first, count, values = core.trimmed(np.require(dense, np.uint16, ["C", "A"]), 0)
            half: list[NDArray[Any]] = [first, count, _starts(count), values]
        else:
            missing = [prefix + name for name in HALF if prefix + name not in arrays]
            if missing:
                raise DatabaseError(f"a one-sided table needs the arrays {', '.join(missing)}")
            half = [arrays[prefix + name] for name in HALF]
        kept |= {prefix + name: array for name, array in zip(HALF, _checked_half(half, prefix, positions), strict=True)}
    for name in ("mean", "variance"):
        if arithmetic == "exact":
            kept[name] = _checked_array(arrays.get(name), name, "f8", positions)
    return {"points": points, "checkers": checkers, "arithmetic": arithmetic, "gammons": gammons}, kept


def _checked_half(half: list[NDArray[Any]], prefix: str, positions: int) -> list[NDArray[Any]]:
    first = _checked_array(half[0], prefix + "first", "u1", positions)
    count = _checked_array(half[1], prefix + "count", "u1", positions)
    start = _checked_array(half[2], prefix + "start", "u4", positions)
    kind = "f4" if half[3].dtype.kind == "f" else "u2"
    values = _checked_array(half[3], prefix + "values", kind, None)
    total = int(count.sum(dtype=np.int64))
    if not count.all() or int((first.astype(np.int16) + count).max()) > MOST_COLUMNS or total != len(values):
        raise DatabaseError(f"{prefix}count says {total} chances in {positions} rows, and there are {len(values)}")
    if start[0] != 0 or not (start[1:] == start[:-1] + count[:-1]).all():
        raise DatabaseError(f"{prefix}start does not follow from {prefix}count")
    return [first, count, start, values]


def _checked_array(array: NDArray[Any] | None, name: str, dtype: str, size: int | None) -> NDArray[Any]:
    if array is None:
        raise DatabaseError(f"a one-sided table needs the array {name}")
    wanted = np.dtype(dtype)
    if array.dtype.newbyteorder("=") != wanted or array.ndim != 1 or (size is not None and len(array) != size):
        rows = "" if size is None else f" ({size},)"
        raise DatabaseError(f"{name} must be {wanted.name}{rows}, not {_said(array)}")
    return np.require(array, wanted, ["C", "A"])


def _said(array: NDArray[Any]) -> str:
    return f"{array.dtype.name} {array.shape}"
