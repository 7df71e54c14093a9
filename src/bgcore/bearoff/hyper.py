"""Hypergammon databases: the whole game with one, two or three checkers a side, looked up.

Equities are for the player on roll, in units of the cube, before his decision to double, as in two-sided bear-off
tables; `Hypergammon.lookup` applies the decision when asked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import packed_rows
from bgcore.core.hypergammon import Sides
from bgcore.errors import DatabaseError
from bgcore.position import Position

__all__ = ["Hypergammon", "HypergammonValues"]

Floats = NDArray[np.float64]
Header = Mapping[str, Any]

OWN = (("chances", np.float64, 5), ("equities", np.float64, 5))
GNUBG = (("values", np.uint8, 28),)
"""Arrays, and how many numbers they hold for a pair of ids."""

ONE_24 = 2**24 - 1
"""In GNU Backgammon's files: what a probability of 1 is."""


class HypergammonValues(NamedTuple):
    """Chances and equities of the player on roll, who does not double this turn."""

    win: float
    """Gammons and backgammons included."""
    win_gammon: float
    """Backgammons included."""
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float
    cubeless: float
    owned: float
    """The player on roll owns the cube."""
    centred: float
    centred_jacoby: float
    """The same when gammons count only once the cube has been turned."""
    opponents: float
    """The opponent owns the cube."""


class Hypergammon:
    """A hypergammon database: every position of one, two or three checkers a side.

    Made by `bgcore.bearoff.hypergammon`, or opened by `bgcore.bearoff.open`.

    Attributes
    ----------
    checkers : int
        Of a side: 1 to 3.
    points : int
        25: the ids of one side's checkers count the bar as a point above the others.
    arithmetic : str
        "exact", or "gnubg": read from a file of GNU Backgammon.
    """

    def __init__(self, header: Header, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._header = dict(header)
        self._arrays = dict(arrays)
        self.checkers = int(header["checkers"])
        self.points = int(header["points"])
        self.arithmetic = str(header["arithmetic"])
        self._sides = Sides(self.checkers)

    @classmethod
    def from_arrays(cls, header: Header, arrays: Mapping[str, NDArray[Any]]) -> Hypergammon:
        """Take a table as it is stored: what `arrays` and the file's header hold.

        Parameters
        ----------
        header : mapping
            "kind", "points", "checkers", "arithmetic", and whatever else is to be kept.
        arrays : mapping
            For the ids of the player on roll and of the opponent: "chances", float64 (N, N, 5), as `probabilities`
            gives them, and "equities", float64 (N, N, 5), cubeless, owned, centred, centred with the Jacoby rule, the
            opponent's; or "values", uint8 (N, N, 28), as in GNU Backgammon's files.

        Raises
        ------
        DatabaseError
            They don't fit together.
        """
        try:
            if header["kind"] != "hypergammon" or header["points"] != 25:
                raise ValueError(f"kind {header['kind']!r} of {header['points']!r} points")
            table = cls(header, arrays)
            n = table.positions
            for name, dtype, width in GNUBG if "values" in arrays else OWN:
                array = arrays[name]
                if array.dtype != dtype or array.shape != (n, n, width) or not array.flags.c_contiguous:
                    raise ValueError(f"{name} are {array.dtype} {array.shape}, not {np.dtype(dtype)} {(n, n, width)}")
        except (KeyError, TypeError, ValueError) as error:
            raise DatabaseError(f"not a hypergammon table: {error}") from None
        return table

    def arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Header and arrays as they are stored."""
        return dict(self._header), dict(self._arrays)

    @property
    def positions(self) -> int:
        """Positions of one side, N; ids are 0 (all off) to one less."""
        return self._sides.positions

    def lookup(self, packed: ArrayLike, *, decided: bool = False, jacoby: bool = False) -> Floats:
        """Equities of many positions.

        Parameters
        ----------
        packed : uint64 (n, 4)
            Positions; the player on roll is the one to be judged.
        decided : bool
            Apply the best cube action this turn: the columns owned and centred become max(no double, min(2 x
            opponent's, 1)).  Otherwise nobody doubles this turn.
        jacoby : bool
            With a centred cube gammons and backgammons count as single games.

        Returns
        -------
        float64 (n, 4)
            Cubeless, cube owned, cube centred, cube the opponent's, in units of the cube.  NaN for a row that is no
            position of the game: other than ``checkers`` checkers a side, those borne off included, a point held by
            both, neither side on the board.  A finished game has the value it was won or lost with.
        """
        rows = packed_rows(packed)
        out = np.empty((len(rows), 4))
        if "values" not in self._arrays:
            self._sides.equities(rows, self._arrays["equities"], jacoby, decided, out)
            return out
        chances, equities = self._decode(rows)
        out[:, 0] = _cubeless(chances)
        out[:, 1:] = equities[:, [0, 2 if jacoby else 1, 3]]
        if decided:
            out[:, 1:3] = np.maximum(out[:, 1:3], np.minimum(2 * out[:, 3:], 1))
        return out

    def probabilities(self, packed: ArrayLike) -> Floats:
        """Chances of the player on roll when both make the play of the best cubeless equity.

        Parameters
        ----------
        packed : uint64 (n, 4)

        Returns
        -------
        float64 (n, 5)
            Win, win gammon, win backgammon, lose gammon, lose backgammon, cumulative; NaN as in `lookup`.
        """
        rows = packed_rows(packed)
        if "values" in self._arrays:
            return self._decode(rows)[0]
        out = np.empty((len(rows), 5))
        self._sides.chances(rows, self._arrays["chances"], out)
        return out

    def _decode(self, rows: NDArray[np.uint64]) -> tuple[Floats, Floats]:
        """Chances and equities out of 24-bit numbers."""
        places = np.empty(len(rows), np.int64)
        self._sides.places(rows, places)
        octets = self._arrays["values"].reshape(-1, 28)[np.maximum(places, 0), :27].reshape(len(rows), 9, 3)
        shares = octets @ np.array([1, 2**8, 2**16]) / ONE_24
        shares[places < 0] = np.nan
        return np.ascontiguousarray(shares[:, :5]), (shares[:, 5:] - 0.5) * 6

    def __getitem__(self, position: Position) -> HypergammonValues:
        """Chances and equities of one position, nobody doubling this turn.

        Raises
        ------
        KeyError
            It is no position of the game.
        """
        row = position.packed[np.newaxis]
        chances = self.probabilities(row)[0]
        if np.isnan(chances[0]):
            raise KeyError(
                f"{position!r} is not in {self!r}: a side has {self.checkers} checkers, those borne off included"
            )
        equities, jacoby = self.lookup(row)[0], self.lookup(row, jacoby=True)[0, 2]
        return HypergammonValues(*map(float, (*chances, *equities[:3], jacoby, equities[3])))

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, Position):
            return False
        return not np.isnan(self.probabilities(position.packed[np.newaxis])).any()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file that `bgcore.bearoff.open` reads; whole or not at all."""
        from bgcore.bearoff.store import write

        write(path, self._header, self._arrays)

    def export_bd(self, path: str | os.PathLike[str], *, lossy: bool = False) -> None:
        """Write the table in the layout of GNU Backgammon's hypergammon files; whole or not at all.

        Parameters
        ----------
        path : path
        lossy : bool
            Allow an exact table to be written, rounded to 24 bits.

        Raises
        ------
        ValueError
            An exact table without ``lossy=True``.
        """
        from bgcore.formats.bd import write_hypergammon

        if self.arithmetic != "gnubg" and not lossy:
            raise ValueError(f"{self!r} is more exact than the format: lossy=True rounds it")
        if "values" in self._arrays:
            n = self.positions
            numbers = self._arrays["values"][..., :27].reshape(n, n, 9, 3) @ np.array([1, 2**8, 2**16]) / ONE_24
            chances, equities = np.ascontiguousarray(numbers[..., :5]), (numbers[..., 5:] - 0.5) * 6
        else:
            chances, equities = self._arrays["chances"], self._arrays["equities"][..., 1:]
        write_hypergammon(path, chances, equities, checkers=self.checkers)

    def __repr__(self) -> str:
        return f"<Hypergammon: {self.checkers} checker{'s'[: self.checkers > 1]} a side, {self.arithmetic}>"


def _cubeless(chances: Floats) -> Floats:
    """Equity without a cube."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances.T
    return np.asarray(2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon)
