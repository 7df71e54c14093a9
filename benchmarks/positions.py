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
from bgcore.match.random_game import ARRIVED

SEED = 20_240_229
GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden" / "corpus_2000.json"
Rows = NDArray[np.uint64]


@functools.cache
def random_games(n: int = 10_000, seed: int = SEED, rules: Rules = BACKGAMMON) -> Rows:
    """The first n positions of uniformly random games, one after the other, finished ones left out; uint64 (n, 4)."""
    return _played(n, seed, rules)[0]


def random_contexts(n: int = 10_000, seed: int = SEED, rules: Rules = BACKGAMMON) -> NDArray[np.int32] | None:
    """What `context` is in these positions, where it is the courier's flag; else None.  int32 (n,)."""
    return _played(n, seed, rules)[1] if _has_flag(rules) else None


def _has_flag(rules: Rules) -> bool:
    return rules.contact == "hit" and rules.runner != "none"


@functools.cache
def _played(n: int, seed: int, rules: Rules) -> tuple[Rows, NDArray[np.int32]]:
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = np.empty((n, 4), np.uint64)
    contexts = np.zeros(n, np.int32)
    plays = batch.PlayBatch()
    row = rules.start.packed
    flags = [0, 0]  # of the player on roll, and of the other
    for i in range(n):
        rows[i], contexts[i] = row, flags[0]
        batch.legal_plays(
            row[np.newaxis], generator.integers(1, 7, 2), rules, context=flags[:1], pass_results=True, out=plays
        )
        row = plays.results[generator.integers(len(plays.results))].copy()
        position = Position.from_packed(row)
        if _has_flag(rules) and position.counts[1, : ARRIVED[rules.runner] + 1].any():
            flags[0] = 1
        flags.reverse()
        if rules.outcome(position) is not None or (i % 1000 == 999 and _is_stuck(position, rules)):
            row, flags = rules.start.packed, [0, 0]
    rows.flags.writeable = contexts.flags.writeable = False
    return rows, contexts


def _is_stuck(position: Position, rules: Rules) -> bool:
    """Whether no roll lets either side move, as can be under some options."""
    sides = np.array([position.packed, position.flipped().packed])
    return not batch.count_plays(sides, rules=rules).any()


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
