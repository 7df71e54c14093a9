"""Solving hypergammon, and looking positions up.

Three checkers, which take minutes, are measured by hand: docs/performance.md.
"""

from __future__ import annotations

import numpy as np
import pytest
from figures import Measure

from bgcore import bearoff, rules

ROWS = 1_000_000


@pytest.fixture(scope="module")
def table() -> bearoff.Hypergammon:
    return bearoff.hypergammon(checkers=2)


def bench_one_checker(measure: Measure) -> None:
    built = measure("hypergammon, 1 checker", lambda: bearoff.hypergammon(checkers=1), work=1, unit="s")
    start = rules.HYPERGAMMON.replace(checkers=1, start={24: 1}).start
    assert abs(built[start].owned - 0.5882763405) < 1e-8


def bench_two_checkers(measure: Measure) -> None:
    built = measure("hypergammon, 2 checkers", lambda: bearoff.hypergammon(checkers=2), work=1, unit="s", goal=1.0)
    start = rules.HYPERGAMMON.replace(checkers=2, start={24: 1, 23: 1}).start
    assert abs(built[start].owned - 0.327860348) < 1e-8


def bench_lookup(measure: Measure, table: bearoff.Hypergammon) -> None:
    slots = np.random.default_rng(7).integers(0, 26, (ROWS, 2, 2), np.uint64)
    ones = np.uint64(1) << np.where(slots < 16, 4 * slots, 4 * (slots - 16)).astype(np.uint64)
    low, high = np.where(slots < 16, ones, 0).sum(axis=2), np.where(slots < 16, 0, ones).sum(axis=2)
    packed = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1).astype(np.uint64)
    found = measure("hypergammon look-ups, random", lambda: table.lookup(packed), work=ROWS, unit="rows/s", goal=30e6)
    assert 0.8 < np.isfinite(found).all(axis=1).mean() < 0.9
    assert np.array_equal(found[:1000], table.lookup(packed[:1000]), equal_nan=True)
