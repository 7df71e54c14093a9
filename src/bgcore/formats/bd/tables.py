"""What an open file is: its header, views of its numbers, and what they mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.errors import DatabaseError
from bgcore.formats.bd.layout import HYPER_POINTS, ONE, ONE_24, ROLLS, Values16, check_ids, check_moments

__all__ = ["Bd", "BdHypergammon", "BdNormal", "BdOneSided", "BdTwoSided"]


@dataclass(frozen=True, slots=True, eq=False)
class BdOneSided:
    """A one-sided database: for each position of one side, how likely each number of rolls is.

    Methods take ids of positions, integers of shape (n,).
    """

    points: int
    checkers: int
    gammons: bool
    """Whether there are distributions of the rolls to the first checker off as well."""
    index: NDArray[Any] | None
    """If compressed: (N,) of start (in values), count, first, and gammon_count, gammon_first if there are gammons."""
    values: Values16
    """If compressed: (m,), else (N, 1, 32) or, with gammons, (N, 2, 32); 65535 stands for 1."""

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return math.comb(self.points + self.checkers, self.points)

    @property
    def compressed(self) -> bool:
        """Whether zeros at both ends of a distribution are left out."""
        return self.index is not None

    def raw(self, ids: ArrayLike) -> Values16:
        """Distributions of the rolls to bear off, as in the file.

        Returns
        -------
        (n, 32) uint16
            65535 stands for 1; every row adds up to that.

        Raises
        ------
        IndexError
            An id of no position.
        DatabaseError
            The file is damaged there.
        """
        return self._raw(check_ids(ids, self.positions), 0)

    def raw_gammons(self, ids: ArrayLike) -> Values16:
        """Distributions of the rolls to the first checker off, as in the file; 0 rolls if one is off already.

        Raises
        ------
        DatabaseError
            The file has none, or is damaged there.
        IndexError
            An id of no position.
        """
        _require_gammons(self.gammons)
        return self._raw(check_ids(ids, self.positions), 1)

    def probabilities(self, ids: ArrayLike) -> NDArray[np.float64]:
        """As `raw`, as probabilities."""
        return self.raw(ids) / ONE

    def gammon_probabilities(self, ids: ArrayLike) -> NDArray[np.float64]:
        """As `raw_gammons`, as probabilities."""
        return self.raw_gammons(ids) / ONE

    def _raw(self, ids: NDArray[np.int64], which: int) -> Values16:
        if self.index is None:
            found: Values16 = self.values[ids, which]
        else:
            found = self._unpacked(self.index[ids], which)
        wrong = found.sum(axis=1, dtype=np.int64) != ONE
        if wrong.any():
            row = int(ids[wrong.argmax()])
            raise DatabaseError(f"the distribution of position {row} adds up to another number than {ONE}: damaged")
        return found

    def _unpacked(self, entries: NDArray[Any], which: int) -> Values16:
        starts = entries["start"].astype(np.int64)
        if which:
            starts += entries["count"]
        count = entries["gammon_count" if which else "count"].astype(np.int64)
        first = entries["gammon_first" if which else "first"].astype(np.int64)
        if len(entries) and ((first + count).max() > ROLLS or (starts + count).max() > len(self.values)):
            raise DatabaseError("an index entry points outside the file or beyond the last roll: damaged")
        found = np.zeros((len(entries), ROLLS), np.uint16)
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        rows = np.repeat(np.arange(len(entries)), count)
        found[rows, within + np.repeat(first, count)] = self.values[within + np.repeat(starts, count)]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class BdNormal:
    """A one-sided database that says of each distribution only its mean and standard deviation."""

    points: int
    checkers: int
    gammons: bool
    moments: NDArray[np.float32]
    """(N, 4): mean and standard deviation of the rolls to bear off, and of those to the first checker off."""

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return math.comb(self.points + self.checkers, self.points)

    def probabilities(self, ids: ArrayLike) -> NDArray[np.float64]:
        """The density of the normal distribution at 0 to 31 rolls: (n, 32).  Rows don't add up to 1.

        Raises
        ------
        IndexError
            An id of no position.
        """
        return self._density(check_ids(ids, self.positions), 0)

    def gammon_probabilities(self, ids: ArrayLike) -> NDArray[np.float64]:
        """The same of the rolls to the first checker off."""
        _require_gammons(self.gammons)
        return self._density(check_ids(ids, self.positions), 2)

    def _density(self, ids: NDArray[np.int64], which: int) -> NDArray[np.float64]:
        moments = self.moments[ids, which : which + 2].astype(np.float64)
        check_moments(moments)
        mean, deviation = moments[:, :1], moments[:, 1:]
        away = np.arange(ROLLS) - mean
        certain = deviation == 0
        scale = np.where(certain, 1.0, deviation)
        density = np.exp(-0.5 * (away / scale) ** 2) / (scale * math.sqrt(2 * math.pi))
        found: NDArray[np.float64] = np.where(certain, np.abs(away) < 0.5, density)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class BdTwoSided:
    """A two-sided database: equities of money games for each pair of positions, nobody doubling this turn."""

    points: int
    checkers: int
    cubeful: bool
    values: Values16
    """(N, N, 4): cubeless, cube owned, centred, opponent's; (N, N, 1) if not cubeful; the player on roll first."""

    @property
    def positions(self) -> int:
        """How many positions one side can have."""
        return math.comb(self.points + self.checkers, self.points)

    def equities(self, own: ArrayLike, opponent: ArrayLike) -> NDArray[np.float64]:
        """Equities of the player on roll, for the cube at 1.

        Returns
        -------
        (n, 4) float64
            Cubeless, cube owned, centred, opponent's; NaN for what the file has not.

        Raises
        ------
        IndexError
            An id of no position.
        """
        rows, columns = check_ids(own, self.positions), check_ids(opponent, self.positions)
        found = np.full((*np.broadcast_shapes(rows.shape, columns.shape), 4), np.nan)
        found[:, : self.values.shape[2]] = self.values[rows, columns] / (ONE / 2) - 1
        return found


@dataclass(frozen=True, slots=True, eq=False)
class BdHypergammon:
    """A hypergammon database: chances and equities for each pair of positions of up to 1, 2 or 3 checkers.

    Ids count 25 points, the bar being the last.  Pairs that are no position hold chances of 0 and equities of 0.
    """

    checkers: int
    values: NDArray[np.uint8]
    """(N, N, 28): nine numbers of 3 bytes, and a zero."""

    @property
    def points(self) -> int:
        """How many points ids count: 25."""
        return HYPER_POINTS

    @property
    def positions(self) -> int:
        """How many positions one side can have."""
        return math.comb(HYPER_POINTS + self.checkers, HYPER_POINTS)

    def probabilities(self, own: ArrayLike, opponent: ArrayLike) -> NDArray[np.float64]:
        """Win, win gammon, win backgammon, lose gammon, lose backgammon: (n, 5), cumulative.

        Raises
        ------
        IndexError
            An id of no position.
        """
        return self._numbers(own, opponent, 0, 5) / ONE_24

    def equities(self, own: ArrayLike, opponent: ArrayLike) -> NDArray[np.float64]:
        """Cube owned, centred, centred with the Jacoby rule, opponent's, for the cube at 1: (n, 4).

        Raises
        ------
        IndexError
            An id of no position.
        """
        return (self._numbers(own, opponent, 5, 9) / ONE_24 - 0.5) * 6

    def _numbers(self, own: ArrayLike, opponent: ArrayLike, first: int, last: int) -> NDArray[np.int64]:
        rows = self.values[check_ids(own, self.positions), check_ids(opponent, self.positions)]
        octets = rows[:, 3 * first : 3 * last].reshape(len(rows), last - first, 3)
        numbers: NDArray[np.int64] = octets @ np.array([1, 2**8, 2**16])
        return numbers


def _require_gammons(gammons: bool) -> None:
    if not gammons:
        raise DatabaseError("this database has no distributions of gammons")


Bd = BdOneSided | BdNormal | BdTwoSided | BdHypergammon
