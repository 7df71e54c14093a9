"""Opening a database file, whatever it is: one of ours or one of GNU Backgammon's, told apart by what is in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bgcore.bearoff import store
from bgcore.errors import DatabaseError
from bgcore.files import opened, pread
from bgcore.formats import bd
from bgcore.threads import Progress

__all__ = ["describe", "open", "verify"]

CLASSES = {"one-sided": "OneSided", "two-sided": "TwoSided", "hypergammon": "Hypergammon"}
FIRST = ("kind", "rules", "points", "checkers")
"""What is said first of a file; the rest of a header is in the order of the alphabet."""
Contents = tuple[store.Header, dict[str, np.ndarray[Any, Any]]]
BUILT_BY = "bgcore bearoff build one-sided, two-sided or hypergammon builds one, as bearoff.one_sided().save(path) does"


def open(path: str | os.PathLike[str], *, verify: bool = False) -> Any:
    """Open a bear-off database, mapped into memory.

    Several processes that open a file share its memory.

    Parameters
    ----------
    path : path
        A file of ours or a ``.bd`` of GNU Backgammon, one-sided (not the normal form), two-sided or hypergammon.
    verify : bool
        Check every byte of a file of 64 MiB or more, too.  Header and size are always checked, smaller files whole.

    Returns
    -------
    OneSided, TwoSided or Hypergammon

    Raises
    ------
    DatabaseError
        There is no such file, it is of another kind, cut off or damaged; the message says which and, for a missing
        one, how to build it.
    """
    from bgcore import bearoff

    if _is_bd(path):
        contents: Callable[[], Contents] = partial(_from_bd, bd.read(path, verify=verify))
    else:
        contents = partial(_from_ours, store.read(path, verify=verify))
    try:
        header, arrays = contents()
        return getattr(bearoff, CLASSES[header["kind"]]).from_arrays(header, arrays)
    except DatabaseError as error:
        raise DatabaseError(f"{os.fspath(path)}: {error}") from None


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a database file says of itself.

    Returns
    -------
    dict
        "format", "kind", "points", "checkers" and what a kind adds; "arrays", their shapes and dtypes; "size" in bytes.

    Raises
    ------
    DatabaseError
        As `open`.
    """
    if _is_bd(path):
        table = bd.read(path)
        found: dict[str, Any] = {"format": "GNU Backgammon", "kind": KINDS[type(table)]}
        found |= {
            name: value for name in table.__slots__ if not isinstance(value := getattr(table, name), np.ndarray | None)
        }
        arrays = {name: value for name in table.__slots__ if isinstance(value := getattr(table, name), np.ndarray)}
    else:
        stored = store.read(path)
        first = {name: stored.header[name] for name in FIRST if name in stored.header}
        found, arrays = {"format": "bgcore"} | first | stored.header, stored.arrays
    found["arrays"] = {name: f"{array.shape} {_dtype_name(array)}" for name, array in arrays.items()}
    found["size"] = os.stat(path).st_size
    return found


def verify(path: str | os.PathLike[str], *, progress: Progress | None = None) -> None:
    """Check every byte of a database file.

    GNU Backgammon's files have no checksums: what is checked is the sums of distributions, the index, and what
    finished games are worth.

    Parameters
    ----------
    path : path
    progress : callable, optional
        Called with how much is done and how much there is.

    Raises
    ------
    DatabaseError
        As `open`; it names the first place that is damaged.
    """
    if _is_bd(path):
        bd.read(path, verify=True, progress=progress)
    else:
        store.verify(path, progress=progress)


KINDS = {
    bd.BdOneSided: "one-sided",
    bd.BdNormal: "one-sided, normal form",
    bd.BdTwoSided: "two-sided",
    bd.BdHypergammon: "hypergammon",
}


def _is_bd(path: str | os.PathLike[str]) -> bool:
    if not os.path.exists(path):
        raise DatabaseError(f"there is no file {os.fspath(path)}; {BUILT_BY}")
    with opened(path) as (_, descriptor):
        return bd.is_bd(pread(descriptor, 6, 0))


def _dtype_name(array: np.ndarray[Any, Any]) -> str:
    return "records" if array.dtype.names else array.dtype.name


def _from_ours(stored: store.Stored) -> Contents:
    """Header and arrays of a file of ours, if it is of a kind that there is."""
    if stored.header["kind"] not in CLASSES:
        raise DatabaseError(f"it holds {ascii(stored.header['kind'])[:60]}; this bgcore knows {', '.join(CLASSES)}")
    return stored.header, stored.arrays


def _from_bd(table: bd.Bd) -> Contents:
    """Header and arrays of a file of GNU Backgammon, as the classes take them."""
    header: store.Header = {
        "rules": "backgammon",
        "points": table.points,
        "checkers": table.checkers,
        "arithmetic": "gnubg",
    }
    if isinstance(table, bd.BdNormal):
        raise DatabaseError("a database in normal form has no distributions to look up: formats.bd.read reads it")
    if isinstance(table, bd.BdTwoSided):
        header |= {
            "kind": "two-sided",
            "cube": "money",
            "cubeless": True,
            "cubeful": table.cubeful,
            "gammons": False,
            "jacoby": False,
            "one": 32767,
            "order": "pairs",
            "columns": ["cubeless", "owned", "centred", "opponent's"] if table.cubeful else ["cubeless"],
        }
        return header, {"values": table.values}
    if isinstance(table, bd.BdHypergammon):
        header |= {"kind": "hypergammon", "rules": "hypergammon"}
        return header, {"values": table.values}
    header |= {"kind": "one-sided", "gammons": table.gammons}
    ids = np.arange(table.positions)
    arrays = {"distributions": table.raw(ids)}
    if table.gammons:
        arrays["gammon_distributions"] = table.raw_gammons(ids)
    return header, arrays
