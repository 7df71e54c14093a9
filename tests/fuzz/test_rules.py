"""Any combination of options on positions of all kinds: refused, or plays that lead to positions of the same game."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import batch
from bgcore.rules import OPTIONS

Report = Callable[[str, int, int], None]

STARTS = ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 15}, {24: 1, 23: 1, 22: 1}, {12: 4, 20: 6}, {1: 2})


def any_rules(rng: random.Random) -> bg.Rules:
    """Some options changed; one time in two the geometry and contact belong together."""
    start = rng.choice(STARTS)
    options: dict[str, Any] = {}
    for option, values in OPTIONS.items():
        if rng.random() < 0.75:
            continue
        if option == "prime_rules":
            options[option] = rng.sample(sorted(values), rng.choice((1, 1, 2, 4)))
        elif option == "scoring":
            options[option] = rng.choice(((1, 2, 2), (1, 1, 1), (3, 2, 1)))
        elif option in ("entry_cap_per_point", "entry_bar_loss", "start_quarter_cap"):
            options[option] = rng.choice((None, 1, 2, 4, 6, 15))
        else:
            options[option] = rng.choice(values)
    if rng.random() < 0.5:
        options |= rng.choice(
            (
                {"geometry": "parallel", "block_at": 1, "contact": "none"},
                {"geometry": "contrary", "block_at": 2, "contact": "pin"},
                {"geometry": "contrary", "block_at": 2, "contact": "hit"},
            )
        )
    return bg.Rules("any", start=start, checkers=sum(start.values()), **options)


@cache
def shapes(checkers: int) -> np.ndarray:
    """Positions of any game with so many checkers a side: a few points each, shared now and then, some pinned."""
    rng = np.random.default_rng(81)
    counts = np.zeros((4000, 2, 26), np.uint8)
    marks = np.zeros(counts.shape, bool)
    for row, mark in zip(counts, marks, strict=True):
        parallel = rng.random() < 0.5
        for which, side in enumerate(row):
            there = row[0, (np.arange(26) + 12 - 1) % 24 + 1] if parallel else row[0, (25 - np.arange(26)) % 26]
            free = [s for s in range(1, 25) if not which or not there[s] or rng.random() < 0.05]
            points = rng.choice(free, rng.integers(1, min(10, len(free)) + 1))
            low = rng.choice([1, 1, 7])
            points = np.concatenate([points, [25] * int(rng.random() < 0.15), [0] * int(rng.random() < 0.3)])
            points = np.append(points, low) if low in free else points
            for slot in rng.choice(points, checkers):
                side[int(slot)] += 1
        if rng.random() < 0.4 and not parallel:  # a pinned checker of one side under the other
            which = int(rng.integers(0, 2))
            lone = [s for s in range(1, 25) if row[which, s] == 1 and row[1 - which, 25 - s]]
            mark[which, lone] = True
    counts = counts[(counts[:, :, 1:] > 0).any(axis=(1, 2))]
    marks = marks[: len(counts)] & (counts > 0)
    return batch.pack(counts, marks)


def play(rules: bg.Rules, rng: random.Random) -> int:
    """Play some rolls from the positions that the game knows; return how many those were."""
    pool = shapes(rules.checkers)
    packed = pool[batch.validate(pool, rules) == 0]
    packed = np.concatenate([packed[rng.randrange(20) :: 20], rules.start.packed[None]])
    assert not batch.validate(rules.start.packed[None], rules).any()
    dice = np.array([[rng.randint(1, 6) for _ in range(2)] for _ in packed])
    plays = batch.legal_plays(packed, dice, rules, moves=True)
    assert not batch.validate(plays.results, rules).any()
    assert np.array_equal(batch.count_plays(packed, dice, rules), np.diff(plays.offsets))
    again = batch.legal_plays(packed, dice[:, ::-1], rules, pass_results=True, threads=2)
    assert len(again.results) >= len(plays.results)
    both = np.column_stack([np.repeat(np.arange(len(packed)), np.diff(plays.offsets)).astype(np.uint64), plays.results])
    assert len(np.unique(both, axis=0)) == len(both)
    for i in rng.sample(range(len(packed)), min(3, len(packed))):
        position, roll = bg.Position.from_packed(packed[i]), tuple(dice[i].tolist())
        found = rules.legal_plays(position, roll)
        rows = slice(*plays.offsets[i : i + 2].tolist())
        assert [one.result.packed.tolist() for one in found] == plays.results[rows].tolist()
        assert [len(one) for one in found] == (plays.moves[rows, :, 0] >= 0).sum(axis=1).tolist()
        rules.outcome(position)
        rules.next_moves(position, roll)
        for one in rng.sample(found, min(2, len(found))):
            assert rules.check(position, roll, one) == one
            rules.outcome(one.result)
    if rng.random() < 0.1:
        assert bg.perft(bg.Position.from_packed(packed[0]), 1, rules) >= 1
    return len(packed)


def throw(n: int, seed: str, report_share: Report) -> None:
    rng = random.Random(seed)
    played = positions = 0
    for _ in range(n):
        rules = any_rules(rng)
        try:
            rules.core()
        except bg.RuleError as error:
            assert "bgcore does not play" in str(error)  # noqa: PT017
            continue
        played += 1
        try:
            positions += play(rules, rng)
        except Exception as error:
            raise AssertionError(f"{rules!r} (seed {seed!r})") from error
    report_share("rule sets", n, played)
    assert positions > 20 * played


@pytest.mark.slow
def test_rule_sets(report_share: Report) -> None:
    throw(60, "quick", report_share)


@pytest.mark.long
@pytest.mark.parametrize("shard", range(10))
def test_thousands_of_rule_sets(shard: int, report_share: Report) -> None:
    throw(600, f"long {shard}", report_share)
