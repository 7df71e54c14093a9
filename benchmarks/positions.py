"""The positions that benchmarks are run on, and the core they are run on."""

from __future__ import annotations

import functools
import json
import os
import platform
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgcore import BACKGAMMON, Position, Rules, batch
from bgcore.dice import ROLLS

SEED = 20_240_229
GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden" / "corpus_2000.json"
Rows = NDArray[np.uint64]


@functools.cache
def random_games(n: int = 10_000, seed: int = SEED, rules: Rules = BACKGAMMON) -> Rows:
    """The first n positions of uniformly random games, one after the other, finished ones left out; uint64 (n, 4)."""
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = np.empty((n, 4), np.uint64)
    plays = batch.PlayBatch()
    start = rules.start.packed
    row = start
    for i in range(n):
        rows[i] = row
        batch.legal_plays(row[np.newaxis], generator.integers(1, 7, 2), rules, pass_results=True, out=plays)
        row = plays.results[generator.integers(len(plays.results))].copy()
        if rules.outcome(Position.from_packed(row)) is not None:
            row = start
    rows.flags.writeable = False
    return rows


@dataclass(frozen=True, eq=False)
class Corpus:
    """Positions of which four other engines have said how many plays each roll has."""

    boards: NDArray[np.int8]  # (n, 26)
    packed: Rows  # (n, 4)
    counts: NDArray[np.int32]  # (n, 21)

    @property
    def plays(self) -> int:
        """How many plays all rolls of all positions have."""
        return int(self.counts.sum())


@functools.cache
def corpus() -> Corpus:
    """The 2,000 positions of tests/golden/corpus_2000.json."""
    with GOLDEN.open(encoding="utf-8") as file:
        read = json.load(file)
    assert [sorted(roll, reverse=True) for roll in read["rolls"]] == [list(roll) for roll in ROLLS]
    boards = np.array([position["board"] for position in read["positions"]], np.int8)
    counts = np.array([position["counts"] for position in read["positions"]], np.int32)
    return Corpus(boards, batch.from_boards(boards), counts)


def pin_to_one_core() -> int | None:
    """Keep this process on the last core it may use; the core's number, or None where that can't be done."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine() or "unknown"
