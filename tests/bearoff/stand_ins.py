"""Databases of the test's own, so that opening and keeping files is tested without the builders.

Run as a program it calls `bearoff.default()` in a process of its own, and says what it got.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bgcore import bearoff
from bgcore.bearoff import store
from bgcore.errors import DatabaseError


class Row(NamedTuple):
    """One row of a stand-in."""

    total: float
    shares: np.ndarray[Any, Any]
    missing: None = None


class StandIn:
    """Has what every kind of database has: size, arrays, save, export, rows."""

    kind = ""

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
        self.header, self.arrays = dict(header), dict(arrays)
        self.points, self.checkers = self.header["points"], self.header["checkers"]

    @classmethod
    def from_arrays(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> StandIn:
        if header.get("points", 0) < 1:
            raise DatabaseError("a table without points")
        return cls(header, arrays)

    def save(self, path: str | os.PathLike[str]) -> None:
        store.write(path, self.header, self.arrays)

    def export_bd(self, path: str | os.PathLike[str], *, lossy: bool = False) -> None:
        if not lossy:
            raise ValueError("it is exact, so say lossy=True")
        Path(path).write_bytes(b"exported")

    def __getitem__(self, position: object) -> Row:
        if self.header.get("empty") == "raises":
            raise KeyError(position)
        if self.header.get("empty"):
            return Row(np.nan, np.full(3, np.nan))
        return Row(1.25, np.array([0, 0.25, 0.75]))


class OneSided(StandIn):
    """In place of the real one."""

    kind = "one-sided"


class TwoSided(StandIn):
    """In place of the real one."""

    kind = "two-sided"


class Hypergammon(StandIn):
    """In place of the real one."""

    kind = "hypergammon"


CLASSES = (OneSided, TwoSided, Hypergammon)


def builder(cls: type[StandIn], seen: Callable[[dict[str, Any]], None]) -> Callable[..., StandIn]:
    """A builder that shows its arguments to ``seen``."""

    def build(**options: Any) -> StandIn:
        seen(options)
        progress, path = options.pop("progress", None), options.pop("path", None)
        if progress is not None:
            for done in range(5):
                progress(done, 4)
        header = {"kind": cls.kind, "points": 6, "checkers": 15} | {k: v for k, v in options.items() if k != "threads"}
        values = np.arange(60_000, dtype=np.uint16) * header["points"] + header["checkers"]
        table = cls.from_arrays(header, {"values": values})
        if path is not None:
            table.save(path)
        return table

    return build


def install(set_attribute: Callable[[object, str, object], None], seen: Callable[[str, dict[str, Any]], None]) -> None:
    """Put the stand-ins in the place of what the package builds and opens."""
    for cls in CLASSES:
        set_attribute(bearoff, cls.__name__, cls)
        name = cls.kind.replace("-", "_")
        set_attribute(bearoff, name, builder(cls, lambda options, name=name: seen(name, options)))  # type: ignore[misc]


def main(log: str, pause: float) -> None:
    """Call `default` and print what it gave; builds are logged."""

    def seen(name: str, options: dict[str, Any]) -> None:
        with open(log, "a") as file:
            file.write(f"{name} {os.getpid()}\n")
        time.sleep(pause)

    install(setattr, seen)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = bearoff.default()
    sums = [int(table.arrays["values"].sum(dtype=np.int64)) for table in (found.one_sided, found.two_sided)]
    print(*sums, *(str(warning.message).replace(" ", "_") for warning in caught))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
