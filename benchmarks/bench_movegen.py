"""Legal plays of many positions, counting them, and perft.

10,000 consecutive positions of uniformly random games x 21 rolls; beside them the 2,000 positions of the golden corpus,
whose counts other engines have confirmed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from figures import Beside, Measure
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


@pytest.fixture(scope="module")
def reused(rows: Rows) -> Callable[[], batch.PlayBatch]:
    """What the others are compared with: all plays, into arrays that are used again."""
    out = batch.PlayBatch()
    return lambda: batch.legal_plays(rows, out=out)


def checksum(results: Rows) -> list[int]:
    """Sums of words: the same for the same positions in any order."""
    words: list[int] = results.sum(axis=0, dtype=np.uint64).tolist()
    return words


def bench_reused(measure: Measure, reused: Callable[[], batch.PlayBatch], rows: Rows, plays: int) -> None:
    found = measure("batch.legal_plays, out= reused", reused, work=plays, unit="plays/s", goal=90e6)
    assert len(found.results) == plays
    assert checksum(found.results) == checksum(batch.legal_plays(rows, threads=2).results)


def bench_reused_corpus(measure: Measure, reused: Callable[[], batch.PlayBatch], plays: int) -> None:
    out = batch.PlayBatch()
    packed, counts = corpus().packed, corpus().counts
    measure(
        "  golden corpus",
        lambda: batch.legal_plays(packed, out=out),
        work=corpus().plays,
        unit="plays/s",
        beside=[Beside("legal_plays: golden corpus / random games", reused, plays)],
    )
    assert (np.diff(out.offsets).reshape(counts.shape) == counts).all()


def bench_shuffled(measure: Measure, reused: Callable[[], batch.PlayBatch], rows: Rows, plays: int) -> None:
    out = batch.PlayBatch()
    mixed = np.random.Generator(np.random.PCG64(1)).permutation(rows)
    measure(
        "  rows shuffled",
        lambda: batch.legal_plays(mixed, out=out),
        work=plays,
        unit="plays/s",
        goal=90e6,
        beside=[Beside("legal_plays: rows shuffled / in order", reused, plays)],
    )
    assert len(out.results) == plays
    assert checksum(out.results) == checksum(batch.legal_plays(rows).results)


def bench_moves(measure: Measure, reused: Callable[[], batch.PlayBatch], rows: Rows, plays: int) -> None:
    out = batch.PlayBatch()
    measure(
        "  moves=True",
        lambda: batch.legal_plays(rows, moves=True, out=out),
        work=plays,
        unit="plays/s",
        beside=[Beside("legal_plays: with moves / without", reused, plays)],
    )
    assert out.moves is not None
    assert len(out.moves) == plays


def bench_threads(
    measure: Measure, reused: Callable[[], batch.PlayBatch], rows: Rows, plays: int, all_cores: None
) -> None:
    out = batch.PlayBatch()
    measure(
        "  threads=2",
        lambda: batch.legal_plays(rows, threads=2, out=out),
        work=plays,
        unit="plays/s",
        beside=[Beside("legal_plays: threads=2 / one, wall clock", reused, plays, time.perf_counter, 1.8)],
    )
    alone = batch.legal_plays(rows)
    assert np.array_equal(out.results, alone.results)
    assert np.array_equal(out.offsets, alone.offsets)


def bench_fresh(measure: Measure, reused: Callable[[], batch.PlayBatch], rows: Rows, plays: int) -> None:
    def fill() -> None:
        np.empty((plays, 4), np.uint64).fill(1)

    found = measure(
        "batch.legal_plays, fresh arrays",
        lambda: batch.legal_plays(rows),
        work=plays,
        unit="plays/s",
        beside=[
            Beside("legal_plays: fresh arrays / out= reused", reused, plays, goal=0.5),
            Beside("legal_plays: fresh arrays / filling an equal np.empty", fill, plays),
        ],
    )
    assert len(found.results) == plays


def bench_fill(measure: Measure, plays: int) -> None:
    def fill() -> Rows:
        array = np.empty((plays, 4), np.uint64)
        array.fill(1)
        return array

    array = measure("  beside it: filling an equal np.empty", fill, work=plays, unit="rows/s")
    assert int(array.sum()) == 4 * plays


def bench_count(measure: Measure, reused: Callable[[], batch.PlayBatch], rows: Rows, plays: int) -> None:
    counts = measure(
        "batch.count_plays",
        lambda: batch.count_plays(rows),
        work=plays,
        unit="plays/s",
        beside=[Beside("count_plays / legal_plays", reused, plays, goal=1.0)],
    )
    assert int(counts.sum()) == plays


def bench_count_corpus(measure: Measure) -> None:
    packed = corpus().packed
    counts = measure("  golden corpus", lambda: batch.count_plays(packed), work=corpus().plays, unit="plays/s")
    assert (counts == corpus().counts).all()


def bench_perft_3(measure: Measure) -> None:
    lines = measure("perft 3 from the opening", lambda: perft(BACKGAMMON.start, 3), work=1, unit="s", goal=0.9)
    assert lines == PERFT_3


# ---- the same without AVX2 ----------------------------------------------------------------------------------------


class BasePath:
    """A process that was started with BGCORE_CPU=base."""

    def __init__(self) -> None:
        self.cpu = 0.0
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("other_process.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"BGCORE_CPU": "base"},
            text=True,
        )
        assert self._line() == "base"

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line, f"other_process.py ended with status {self.process.wait()}"
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


def bench_base(measure: Measure, base_path: BasePath, reused: Callable[[], batch.PlayBatch], plays: int) -> None:
    found = measure(
        "BGCORE_CPU=base: batch.legal_plays, out= reused",
        lambda: base_path("legal_plays"),
        work=plays,
        unit="plays/s",
        clock=lambda: base_path.cpu,
        beside=[Beside("legal_plays: BGCORE_CPU=base / path in use", reused, plays)],
    )
    assert found == plays


def bench_base_count(measure: Measure, base_path: BasePath, rows: Rows, plays: int) -> None:
    found = measure(
        "BGCORE_CPU=base: batch.count_plays",
        lambda: base_path("count_plays"),
        work=plays,
        unit="plays/s",
        clock=lambda: base_path.cpu,
        beside=[Beside("count_plays: BGCORE_CPU=base / path in use", lambda: batch.count_plays(rows), plays)],
    )
    assert found == plays
