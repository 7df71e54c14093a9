"""Legal plays of many positions, counting them, and perft.

10,000 consecutive positions of uniformly random games x 21 rolls; beside them the 2,000 positions of the golden corpus,
whose counts other engines have confirmed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from figures import Measure
from positions import Rows, corpus, random_games

from bgcore import BACKGAMMON, Position, batch, perft
from bgcore.dice import ROLLS

PERFT_3 = 116_154_993


@pytest.fixture(scope="module")
def rows() -> Rows:
    """10,000 positions of random games."""
    return random_games()


@pytest.fixture(scope="module")
def plays(rows: Rows) -> int:
    """How many plays they have; some of the counts compared with the scalar call."""
    counts = batch.count_plays(rows)
    for row in range(0, len(rows), 97):
        position = Position.from_packed(rows[row])
        assert counts[row].tolist() == [len(BACKGAMMON.legal_plays(position, roll)) for roll in ROLLS]
    return int(counts.sum())


def checksum(results: Rows) -> list[int]:
    """Sums of words: the same for the same positions in any order."""
    words: list[int] = results.sum(axis=0, dtype=np.uint64).tolist()
    return words


def bench_reused(measure: Measure, rows: Rows, plays: int) -> None:
    out = batch.PlayBatch()
    label = "batch.legal_plays, out= reused"
    measure("reused", label, lambda: batch.legal_plays(rows, out=out), work=plays, unit="plays/s", goal=90e6)
    assert len(out.results) == plays
    assert checksum(out.results) == checksum(batch.legal_plays(rows, threads=2).results)


def bench_reused_corpus(measure: Measure) -> None:
    out = batch.PlayBatch()
    rows, counts = corpus().packed, corpus().counts
    label = "batch.legal_plays, out= reused, corpus"
    measure("reused_corpus", label, lambda: batch.legal_plays(rows, out=out), work=corpus().plays, unit="plays/s")
    assert (np.diff(out.offsets).reshape(counts.shape) == counts).all()


def bench_shuffled(measure: Measure, rows: Rows, plays: int) -> None:
    out = batch.PlayBatch()
    mixed = np.random.Generator(np.random.PCG64(1)).permutation(rows)
    label = "batch.legal_plays, out= reused, rows shuffled"
    measure("shuffled", label, lambda: batch.legal_plays(mixed, out=out), work=plays, unit="plays/s", goal=90e6)
    assert len(out.results) == plays
    assert checksum(out.results) == checksum(batch.legal_plays(rows).results)


def bench_fresh(measure: Measure, rows: Rows, plays: int) -> None:
    found = measure(
        "fresh", "batch.legal_plays, fresh arrays", lambda: batch.legal_plays(rows), work=plays, unit="plays/s"
    )
    assert len(found.results) == plays


def bench_fill(measure: Measure, plays: int) -> None:
    def fill() -> Rows:
        array = np.empty((plays, 4), np.uint64)
        array.fill(1)
        return array

    array = measure("fill", "  beside it: filling an equal np.empty", fill, work=plays, unit="rows/s")
    assert int(array.sum()) == 4 * plays


def bench_moves(measure: Measure, rows: Rows, plays: int) -> None:
    out = batch.PlayBatch()
    label = "batch.legal_plays, out= reused, moves=True"
    measure("moves", label, lambda: batch.legal_plays(rows, moves=True, out=out), work=plays, unit="plays/s")
    assert out.moves is not None
    assert len(out.moves) == plays


def bench_threads(measure: Measure, rows: Rows, plays: int, all_cores: None) -> None:
    out = batch.PlayBatch()
    label = "batch.legal_plays, out= reused, threads=2"
    measure("threads", label, lambda: batch.legal_plays(rows, threads=2, out=out), work=plays, unit="plays/s")
    alone = batch.legal_plays(rows)
    assert np.array_equal(out.results, alone.results)
    assert np.array_equal(out.offsets, alone.offsets)


def bench_count(measure: Measure, rows: Rows, plays: int) -> None:
    counts = measure("count", "batch.count_plays", lambda: batch.count_plays(rows), work=plays, unit="plays/s")
    assert int(counts.sum()) == plays


def bench_count_corpus(measure: Measure) -> None:
    rows = corpus().packed
    label = "batch.count_plays, corpus"
    counts = measure("count_corpus", label, lambda: batch.count_plays(rows), work=corpus().plays, unit="plays/s")
    assert (counts == corpus().counts).all()


def bench_perft_3(measure: Measure) -> None:
    lines = measure("perft", "perft 3 from the opening", lambda: perft(BACKGAMMON.start, 3), work=1, unit="s", goal=0.9)
    assert lines == PERFT_3


# ---- the same without AVX2 ----------------------------------------------------------------------------------------


class BasePath:
    """A process that was started with BGCORE_CPU=base."""

    def __init__(self) -> None:
        self.cpu = 0.0
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("elsewhere.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"BGCORE_CPU": "base"},
            text=True,
        )
        assert self._line() == "base"

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line, f"{self.process.args} ended with status {self.process.wait()}"
        return line

    def __call__(self, word: str) -> int:
        assert self.process.stdin is not None
        print(word, file=self.process.stdin, flush=True)
        plays, seconds = self._line().split()
        self.cpu = float(seconds)
        return int(plays)


@pytest.fixture(scope="module")
def base_path() -> Iterator[BasePath]:
    """Another process, on the same core."""
    base = BasePath()
    yield base
    base.process.communicate()


def bench_base(measure: Measure, base_path: BasePath, plays: int) -> None:
    label = "BGCORE_CPU=base: legal_plays, out= reused"
    found = measure(
        "base", label, lambda: base_path("legal_plays"), work=plays, unit="plays/s", clock=lambda: base_path.cpu
    )
    assert found == plays


def bench_base_count(measure: Measure, base_path: BasePath, plays: int) -> None:
    label = "BGCORE_CPU=base: count_plays"
    found = measure(
        "base_count", label, lambda: base_path("count_plays"), work=plays, unit="plays/s", clock=lambda: base_path.cpu
    )
    assert found == plays
