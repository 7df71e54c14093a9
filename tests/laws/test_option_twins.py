"""The fast generator against the slow one under any combination of options, asked for by a game or not.

The slow one (core/explore.pyx) goes through every order of the moves; what it is checked against itself is in
test_variant_twins.py.  Positions are set-ups of the naive enumerators.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from ledger import Ledger

import bgcore as bg
from bgcore.core import explore
from bgcore.rules import OPTIONS
from naive import variants as nv

BOARDS = {
    ("contrary", "hit", 2): nv.game("portes"),
    ("contrary", "none", 1): nv.game("gul_bar", "julbahar"),
    ("contrary", "pin", 2): nv.game("plakoto"),
    ("parallel", "hit", 2): nv.game("jacquet", "moulidars"),
    ("parallel", "none", 1): nv.game("fevga"),
}
"""Geometry, contact and block_at, and a game whose set-ups have them."""

OF_PLAYS = (
    "doubles",
    "larger_die",
    "runner",
    "head_limit",
    "head_first_turn",
    "prime_check",
    "start_quarter_cap",
    "start_quarter_made",
    "hit_and_run_home",
    "entry_cap_per_point",
    "entry_forbid_own",
    "entry_all_first",
    "entry_bar_loss",
    "mother",
    "bear_off",
    "bear_off_while_pinned",
)
"""The options that decide which plays are legal."""


def some_rules(rng: random.Random) -> tuple[bg.Rules, nv.Game]:
    """A rule set with one to five options drawn, and prime rules in half of them."""
    (geometry, contact, block_at), game = rng.choice(list(BOARDS.items()))
    options: dict[str, Any] = {name: rng.choice(OPTIONS[name]) for name in rng.sample(OF_PLAYS, rng.randint(1, 5))}
    if rng.random() < 0.5:
        options["prime_rules"] = set(rng.sample(sorted(OPTIONS["prime_rules"]), rng.randint(1, 2)))
    board: dict[str, Any] = {"geometry": geometry, "contact": contact, "block_at": block_at}
    return bg.Rules("drawn", start=dict(game.start), **board, **options), game


def contexts(rules: bg.Rules, roll: tuple[int, int]) -> tuple[int, ...]:
    """What `context` may be."""
    if rules.contact == "hit" and rules.runner != "none":
        return (0, 1)
    return (0, 1, 2, 3, 4) if rules.doubles == "cascade" and roll[0] == roll[1] else (0,)


def compare(seed: str, times: int) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        rules, game = some_rules(rng)
        for at in nv.set_up_positions(game, rng.getrandbits(32), 10):
            own, opp, *pinned = at.board
            position = bg.Position.from_counts([list(own), list(opp)], np.array([list(side) for side in pinned], bool))
            if rules.validate(position) or rules.outcome(position) is not None:
                continue
            for roll in rng.sample(bg.dice.ROLLS, 6):
                context = rng.choice(contexts(rules, roll))
                plays = rules.legal_plays(position, roll, context=context)
                fast = {tuple(play.result.packed.tolist()) for play in plays}
                words = tuple(position.packed.tolist())
                slow = {after for after, _ in explore.slow_plays(words, *roll, rules.core(), context)}
                assert fast == slow, (rules, position, roll, context)
                assert len(fast) == len(plays), (rules, position, roll, context)
                assert rules.count_plays(position, roll, context=context) == len(plays)


@pytest.mark.parametrize("seed", range(4))
def test_any_options(seed: int) -> None:
    compare(f"quick {seed}", 60)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_any_options_many(seed: int, ledger: Ledger) -> None:
    if f"options {seed}" in ledger:
        pytest.skip("has passed with this code in an earlier run (BGCORE_LEDGER)")
    compare(f"long {seed}", 2000)
    ledger.add(f"options {seed}")
