"""Two-sided bear-off databases: building and looking up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from figures import Measure

import bgcore as bg

LOOKUPS = 1 << 20


def rows_of(table: bg.bearoff.TwoSided) -> np.ndarray:
    """Random positions of a table, in no order."""
    ids = np.random.default_rng(1).integers(1, table.positions, (2, LOOKUPS), np.uint64)
    counts = np.zeros((LOOKUPS, 2, 26), np.uint8)
    for side in range(2):
        counts[:, side, 1 : table.points + 1] = bg.bearoff.unrank(ids[side], points=table.points)
        counts[:, side, 0] = 15 - counts[:, side].sum(1)
    return bg.batch.pack(counts)


def bench_build_6x6(measure: Measure) -> None:
    table = measure(
        "two-sided 6x6, all four equities", bg.bearoff.two_sided, work=924**2, unit="pairs/s", goal=924**2 / 0.1
    )
    position = bg.Position.from_gnubg_id("VQUAgKoCAAAAAA")
    assert np.abs(np.array(table[position]) - [0.401143, 0.636770, 0.602250, 0.351133]).max() < 7.5e-5


def bench_build_6x10(measure: Measure) -> None:
    table = measure(
        "two-sided 6x10, all four equities",
        lambda: bg.bearoff.two_sided(checkers=10),
        work=8008**2,
        unit="pairs/s",
        goal=8008**2 / 5,
    )
    values = table.arrays()[1]["values"][1:, 1:, 0]
    assert abs(values.sum(dtype=np.int64) / 32767 - 13746276.62) < 100


def bench_gnubg_file_6x10(measure: Measure, tmp_path: Path) -> None:
    path = tmp_path / "ts.bd"

    def build() -> None:
        bg.bearoff.two_sided(checkers=10, arithmetic="gnubg").export_bd(path)

    measure("two-sided 6x10 as GNU Backgammon's file, written", build, work=8008**2, unit="pairs/s", goal=8008**2 / 10)
    assert path.stat().st_size == 513_024_552


def bench_lookup_small(measure: Measure) -> None:
    table = bg.bearoff.two_sided()
    rows = rows_of(table)
    found = measure("look-up in 6x6", lambda: table.lookup(rows), work=LOOKUPS, unit="positions/s", goal=30e6)
    assert not np.isnan(found).any()


def bench_lookup_large(measure: Measure) -> None:
    table = bg.bearoff.two_sided(checkers=10)
    rows = rows_of(table)
    found = measure(
        "look-up in 6x10, 513 MB, no order", lambda: table.lookup(rows), work=LOOKUPS, unit="positions/s", goal=15e6
    )
    assert not np.isnan(found).any()
