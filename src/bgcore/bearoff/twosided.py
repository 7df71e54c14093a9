"""Two-sided bear-off databases: exact equities of both sides' checkers, cubeless and cubeful.

The table of a size holds every pair of positions with at most so many checkers a side, all of them on so many points.
Equities are for the player on roll, in units of the cube, before his decision to double; `TwoSided.lookup` applies the
decision when asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from math import comb
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import packed_rows
from bgcore.core.pairs import PairTable
from bgcore.errors import DatabaseError
from bgcore.position import Position

__all__ = ["PairValues", "TwoSided"]

Arithmetic = Literal["exact", "gnubg"]
Header = Mapping[str, Any]

FINISHED = {-1: [np.nan] * 3, -2: [1, 0, 0], -3: [1, 1, 0], -4: [0, 0, 0], -5: [0, 0, 1]}
"""Chances where `PairTable.places` gives no pair: not in the table; won, with a gammon; lost, with a gammon."""


class PairValues(NamedTuple):
    """Equities of the player on roll, who does not double this turn; NaN where the table has no such column."""

    cubeless: float
    owned: float
    """The player on roll owns the cube."""
    centred: float
    opponents: float
    """The opponent owns the cube."""


class TwoSided:
    """A two-sided bear-off database.

    Made by `bgcore.bearoff.two_sided`, or opened by `bgcore.bearoff.open`.

    Attributes
    ----------
    points, checkers : int
        Its size: all checkers of a side on points 1 to ``points``, at most ``checkers`` of them.
    cubeless, cubeful : bool
        Which equities it holds.
    gammons, jacoby : bool
        Whether a side that has borne nothing off loses a gammon; whether it does so with a centred cube.
    arithmetic : str
        "exact", or "gnubg": with the rounding of GNU Backgammon's own files.
    dtype : numpy.dtype
        Of the stored equities: int16, uint16 (as in GNU Backgammon's files) or float64.
    """

    def __init__(self, header: Header, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._header = dict(header)
        self._arrays = dict(arrays)
        self.points = int(header["points"])
        self.checkers = int(header["checkers"])
        self.cubeless = bool(header["cubeless"])
        self.cubeful = bool(header["cubeful"])
        self.gammons = bool(header["gammons"])
        self.jacoby = bool(header["jacoby"])
        self.arithmetic = str(header["arithmetic"])
        values = self._arrays["values"]
        self.dtype = values.dtype
        self._table = PairTable(
            values.reshape(-1).view(np.uint8),
            self.points,
            self.checkers,
            values.dtype.name,
            int(header["one"]),
            self.cubeless,
            self.cubeful,
            self.gammons,
            self.jacoby,
            header["order"] == "tiles",
        )

    @classmethod
    def from_arrays(cls, header: Header, arrays: Mapping[str, NDArray[Any]]) -> TwoSided:
        """Take a table as it is stored: what `arrays` and the file's header hold.

        Raises
        ------
        DatabaseError
            They don't fit together.
        """
        try:
            if header["kind"] != "two-sided" or header["order"] not in ("pairs", "tiles"):
                raise ValueError(f"kind {header['kind']!r} in the order {header['order']!r}")
            values = arrays["values"]
            if values.dtype.name not in ("int16", "uint16", "float64") or not values.flags.c_contiguous:
                raise ValueError(f"values are {values.dtype}")
            chances = arrays.get("chances")
            table = cls(header, arrays)
            if chances is not None and (chances.dtype != np.float32 or chances.size != 3 * table.positions**2):
                raise ValueError(f"chances are {chances.dtype} {chances.shape}")
        except (KeyError, TypeError, ValueError) as error:
            raise DatabaseError(f"not a two-sided table: {error}") from None
        return table

    def arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Header and arrays as they are stored."""
        return dict(self._header), dict(self._arrays)

    @property
    def positions(self) -> int:
        """Positions of one side; ids are 0 (all off) to one less."""
        return comb(self.points + self.checkers, self.points)

    def lookup(self, packed: ArrayLike, *, decided: bool = False) -> NDArray[np.floating[Any]]:
        """Equities of many positions.

        Parameters
        ----------
        packed : uint64 (n, 4)
            Positions; the player on roll is the one to be judged.
        decided : bool
            Apply the best cube action this turn: the columns owned and centred become max(no double, min(2 x
            opponent's, 1)).  Otherwise nobody doubles this turn.

        Returns
        -------
        float32 (n, 4), float64 where the table is
            Cubeless, cube owned, cube centred, cube the opponent's, in units of the cube; NaN where the position is out
            of the table's range or the table has no such column.  A finished game has the value it was won or lost
            with.
        """
        rows = packed_rows(packed)
        out = np.empty((len(rows), 4), np.float64 if self.dtype == np.float64 else np.float32)
        self._table.lookup(rows, decided, out)
        return out

    def probabilities(self, packed: ArrayLike) -> NDArray[np.float32]:
        """Chances of the player on roll when both play best without a cube.

        Parameters
        ----------
        packed : uint64 (n, 4)

        Returns
        -------
        float32 (n, 3)
            Win (gammons included), gammon won, gammon lost; NaN out of range.

        Raises
        ------
        DatabaseError
            The table was built without ``probabilities=True``.
        """
        chances = self._arrays.get("chances")
        if chances is None:
            raise DatabaseError(f"{self!r} was built without probabilities=True")
        rows = packed_rows(packed)
        places = np.empty(len(rows), np.int64)
        self._table.places(rows, places)
        out = chances.reshape(-1, 3)[np.maximum(places, 0)]
        for place, row in FINISHED.items():
            out[places == place] = row
        return out

    def __getitem__(self, position: Position) -> PairValues:
        """Equities of one position, nobody doubling this turn; KeyError out of range."""
        row = self.lookup(position.packed[np.newaxis])[0]
        if np.isnan(row).all():
            raise KeyError(f"{position!r} is not in {self!r}")
        return PairValues(*map(float, row))

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, Position):
            return False
        return not np.isnan(self.lookup(position.packed[np.newaxis])).all()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file that `bgcore.bearoff.open` reads; whole or not at all."""
        from bgcore.bearoff.store import write

        write(path, self._header, self._arrays)

    def export_bd(self, path: str | os.PathLike[str], *, lossy: bool = False) -> None:
        """Write the table as GNU Backgammon's own tool would; whole or not at all.

        A table built with ``arithmetic="gnubg"`` gives the same bytes as that tool.

        Parameters
        ----------
        path : path
        lossy : bool
            Allow an exact table to be written, rounded to what the format holds.

        Raises
        ------
        ValueError
            An exact table without ``lossy=True``; gammons or a missing cubeless column, for which it has no place.
        """
        from bgcore.formats.bd import quantise_equities, write_two_sided

        if self.gammons:
            raise ValueError(f"{self!r} has gammons, and GNU Backgammon's files have none")
        if not self.cubeless:
            raise ValueError(f"{self!r} has no cubeless equities, which GNU Backgammon's files begin with")
        if self.arithmetic != "gnubg" and not lossy:
            raise ValueError(f"{self!r} is more exact than the format: lossy=True rounds it")
        n = self.positions
        values = self._arrays["values"]
        if self.dtype != np.uint16:
            blocks: Iterable[NDArray[np.uint16]] = (quantise_equities(row[np.newaxis]) for row in self._rows())
        else:
            blocks = (values[first : first + 64] for first in range(0, n, 64))
        if not self.cubeful:
            blocks = (block[..., 0] for block in blocks)
        write_two_sided(path, blocks, points=self.points, checkers=self.checkers, cubeful=self.cubeful)

    def _rows(self) -> Iterator[NDArray[np.float64]]:
        """Equities of each mover's id against all opponents' ids, (N, 4), games that are over included."""
        n = self.positions
        opponents = np.arange(1, n)
        row = np.ones((n, 4))
        yield row
        row[0] = -1
        for own in range(1, n):
            self._table.pairs(own, opponents, row[1:])
            yield row

    def __repr__(self) -> str:
        kinds = [name for name, there in (("cubeless", self.cubeless), ("cubeful", self.cubeful)) if there]
        more = "".join(
            f", {name}" for name, on in (("gammons", self.gammons), ("Jacoby", self.jacoby and self.gammons)) if on
        )
        return f"<TwoSided {self.points}x{self.checkers}: {' and '.join(kinds)}{more}, {self.dtype}, {self.arithmetic}>"
