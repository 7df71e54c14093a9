"""Bear-off tables: what building them costs, and looking them up.

Sizes are points x checkers.  Answers are checked: by what GNU Backgammon's own tool writes, or by published sums.
"""

from __future__ import annotations

from hashlib import md5
from pathlib import Path

import numpy as np
import pytest
from figures import Measure
from positions import Rows

import bgcore as bg
from bgcore.bearoff import OneSided
from bgcore.core import bearoff as core

LOOKUPS = 1_000_000


@pytest.fixture(scope="module")
def table() -> OneSided:
    """One-sided 6 x 15."""
    return bg.bearoff.one_sided()


@pytest.fixture(scope="module")
def races() -> Rows:
    """A million random pairs of 6 x 15."""
    ids = np.random.Generator(np.random.PCG64(1)).integers(1, 54264, 2 * LOOKUPS)
    counts = np.zeros((LOOKUPS, 2, 26), np.uint8)
    counts[:, :, 1:7] = bg.bearoff.unrank(ids, points=6).reshape(-1, 2, 6)
    counts[:, :, 0] = 15 - counts.sum(axis=2)
    return bg.batch.pack(counts)


def bench_rank(measure: Measure) -> None:
    counts = bg.bearoff.unrank(np.arange(54264), points=6)
    ids = measure("bearoff.rank, 6 x 15", lambda: bg.bearoff.rank(counts), work=54264, unit="positions/s")
    assert (ids == np.arange(54264)).all()


def bench_successors(measure: Measure) -> None:
    found = measure("successors of 6 x 15", lambda: core.successors(6, 15), work=1, unit="s", goal=0.1)
    assert len(found[1]) == 9_208_660


@pytest.mark.parametrize(("gammons", "goal"), [(False, 0.15), (True, 0.3)])
def bench_one_sided_6x15(measure: Measure, gammons: bool, goal: float) -> None:
    label = f"one-sided 6 x 15{', gammons' if gammons else ''}"
    found = measure(label, lambda: bg.bearoff.one_sided(gammons=gammons), work=1, unit="s", goal=goal)
    assert found.arrays()["mean"].sum() == pytest.approx(394310.933337929, abs=1e-9)


def bench_one_sided_10x15(measure: Measure) -> None:
    found = measure(
        "one-sided 10 x 15", lambda: bg.bearoff.one_sided(points=10, gammons=False), work=1, unit="s", goal=8
    )
    assert found.arrays()["mean"].sum() == pytest.approx(34411693.261518, abs=6e-7)


@pytest.mark.parametrize(
    ("points", "digest", "goal"),
    [(6, "3dc7b833c4670849cee00479a9e21b49", None), (10, "81b3898f06bbd08ee8295a839251a10a", 60)],
)
def bench_gnubg(measure: Measure, tmp_path: Path, points: int, digest: str, goal: float | None) -> None:
    path = tmp_path / "os.bd"
    measure(
        f"one-sided {points} x 15 as GNU Backgammon's file",
        lambda: bg.bearoff.one_sided(points=points, arithmetic="gnubg").export_bd(path),
        work=1,
        unit="s",
        goal=goal,
    )
    assert md5(path.read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("name", ["mean", "distribution", "race"])
def bench_lookup(measure: Measure, table: OneSided, races: Rows, name: str) -> None:
    look = getattr(table, name)
    found = measure(f"OneSided.{name}, 6 x 15", lambda: look(races), work=LOOKUPS, unit="positions/s")
    assert (found[::9973] == look(races[::9973])).all()


def bench_race_best(measure: Measure, table: OneSided, races: Rows) -> None:
    """Against one distribution, over the whole table."""
    opponent = table.distribution(races[:1])[0]
    found = measure("OneSided.race_best, 6 x 15", lambda: table.race_best(races, opponent), work=1, unit="s")
    assert (found >= 0).all()
