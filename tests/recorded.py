"""Matches at random for the tests of records, from a seed: any action, and two bots that write a file."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

from bgcore.match.actions import (
    Accept,
    Action,
    Decline,
    Double,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Resign,
    Roll,
    Ruling,
    Take,
)
from bgcore.match.bots import EntryDice, RandomBot, next_entry
from bgcore.match.clock import US
from bgcore.match.conduct import ConductRules
from bgcore.match.gul_bar import GulBar
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState

SCRIPT: list[Action] = [
    OpeningRoll(4, 4), OpeningRoll(3, 1), MakePlay("8/5 6/5"), Double(), Take(), Roll(6, 4), MakePlay("24/14"),
    Roll(5, 2), MakePlay("13/8 13/11*"), Resign(2, 1), Decline(), Roll(1, 1), MakePlay("bar/24 8/7(2) 6/5"), Roll(6, 6),
    Resign(1, 0), Accept(), NextGame(), OpeningRoll(1, 6),
]  # fmt: skip
"""A match to 3 points with a bit of everything; line 18 of its record is the end of the first game."""

ENTRIES = 250
"""Of the record that `go_on` writes."""
SEED = 62


def written_script(path: Path) -> MatchRecord:
    """The record of SCRIPT."""
    record = MatchRecord.create(path, MatchState.new(3), match_id="script")
    for action in SCRIPT:
        record.append(action, sync=False)
    return record


def random_action(state: MatchState, rng: random.Random, *, rulings: bool = False) -> Action:
    """Something that may be done, cube actions and resignations more often than people would."""
    if rulings and rng.random() < 0.01 and not state.is_game_over and state.phase != "opening":
        if state.cube_in_play and rng.random() < 0.3:
            return Ruling("the cube was set wrong", cube=(1, None))
        if state.series is None and rng.random() < 0.5:
            return Forfeit(rng.randrange(2), "points", 1, "late arrival")  # type: ignore[arg-type]
        points = 3 if isinstance(state.series, GulBar) else None
        return Forfeit(rng.randrange(2), "game", points, "left the table")  # type: ignore[arg-type]
    actions = state.actions()
    weights = [1 if action.kind == "resign_offer" else 40 if index == 0 else 12 for index, action in enumerate(actions)]
    action = rng.choices(actions, weights)[0]
    if action == Roll():
        return Roll(rng.randint(1, 6), rng.randint(1, 6))
    if action == OpeningRoll():
        return OpeningRoll(rng.randint(1, 6), rng.randint(1, 6))
    if action == MakePlay():
        return MakePlay(rng.choice(state.legal_plays()))
    return action


def random_match(
    state: MatchState, seed: int, most: int = 400, **options: Any
) -> tuple[list[Action], list[MatchState]]:
    """Actions until the match is over or there are so many, and the states after each."""
    rng = random.Random(seed)
    actions: list[Action] = []
    states: list[MatchState] = []
    while not state.is_match_over and len(actions) < most:
        actions.append(random_action(state, rng, **options))
        state = state.apply(actions[-1])
        states.append(state)
    return actions, states


def go_on(path: str, sync: bool, pause: float, *, tell: bool = False) -> MatchRecord:
    """Play on from what is there, to so many entries; tell how many are written, each time `append` has returned."""
    if Path(path).exists():
        record = MatchRecord.open(path)
    else:
        record = MatchRecord.create(path, MatchState.new(7), match_id="m", conduct=ConductRules(clock=US), source="s")
    bot, dice = RandomBot(SEED), EntryDice(SEED)
    while len(record) < ENTRIES:
        entry = next_entry(record, (bot, bot), dice, bot.thinks)
        assert entry is not None
        record.append(entry, sync=sync)
        if tell:
            os.write(1, b"%d\n" % len(record))
        if pause:
            time.sleep(pause)
    return record
