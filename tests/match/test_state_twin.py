"""`MatchState` against a naive state machine of plain dicts: random actions, legal and illegal, in several games."""

from __future__ import annotations

import pickle
import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.errors import BgcoreError, IllegalPlay, RuleError
from bgcore.match.actions import (
    Accept,
    Action,
    Beaver,
    Decline,
    Double,
    Drop,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Pass,
    Raccoon,
    Resign,
    Roll,
    Ruling,
    Take,
    from_json,
)
from naive import match as naive
from naive import variants as nv


class Table(NamedTuple):
    """What is played: ours, and theirs."""

    rules: bg.Rules
    game: nv.Game
    length: int
    options: Mapping[str, Any] = MappingProxyType({})


BACKGAMMON = nv.Game("backgammon", "hitting", scoring=nv.Scoring(1, 2, 3), cube="on")
LOSER_FIRST = (bg.BACKGAMMON.replace(next_first="loser"), nv.Game(**vars(BACKGAMMON) | {"next_first": "loser"}))
PLAKOTO_CUBE = (bg.PLAKOTO.replace(cube=True, draw_points=1), nv.plakoto(cube="on", draw_points=1))

TABLES = {
    "money": Table(bg.BACKGAMMON, BACKGAMMON, 0),
    "money, beavers": Table(bg.BACKGAMMON, BACKGAMMON, 0, {"beavers": 3, "automatic_doubles": 2, "jacoby": False}),
    "money, doubler keeps": Table(
        bg.BACKGAMMON, BACKGAMMON, 0, {"beavers": 2, "raccoon_owner": "doubler", "cube_limit": 16}
    ),
    "money, table stakes": Table(bg.BACKGAMMON, BACKGAMMON, 0, {"table_stakes": (5, 9), "beavers": 1}),
    "1 point": Table(bg.BACKGAMMON, BACKGAMMON, 1),
    "2 points": Table(bg.BACKGAMMON, BACKGAMMON, 2),
    "5 points": Table(bg.BACKGAMMON, BACKGAMMON, 5),
    "7 points, Holland": Table(bg.BACKGAMMON, BACKGAMMON, 7, {"holland": True, "declined_for": "turn"}),
    "3 points, no dead cubes": Table(bg.BACKGAMMON, BACKGAMMON, 3, {"dead_cube": "forbid", "crawford": False}),
    "5 points, loser first": Table(*LOSER_FIRST, 5, {"cube_limit": 4}),
    "plakoto with a cube": Table(*PLAKOTO_CUBE, 5),
    "plakoto for money": Table(bg.PLAKOTO, nv.plakoto(), 0),
    "portes greek": Table(bg.rules.get("portes", preset="greek"), nv.portes("greek"), 3),
    "kirik osmanli": Table(bg.rules.get("kirik_tavla", preset="osmanli"), nv.kirik_tavla("osmanli"), 5),
    "fevga": Table(bg.FEVGA, nv.fevga(), 3),
    "gul bara": Table(bg.GUL_BARA.replace(cascade_from=1), nv.gul_bara(cascade_from=1), 5),
    "gul bara, start needed": Table(
        bg.GUL_BARA.replace(cascade_from=2, transfer_needs_start=True),
        nv.gul_bara(cascade_from=2, transfer_needs_start=True),
        5,
    ),
    "gioul": Table(bg.rules.get("gul_bara", preset="gioul"), nv.gul_bara("gioul"), 5),
    "jacquet versailles": Table(bg.rules.get("jacquet", preset="versailles"), nv.jacquet("versailles"), 3),
    "long nardi": Table(bg.LONG_NARDI, nv.long_nardi(), 0),
}
QUICK = ["money, beavers", "money, doubler keeps", "money, table stakes", "1 point", "2 points", "5 points",
         "7 points, Holland", "3 points, no dead cubes", "plakoto with a cube", "gul bara", "portes greek"]  # fmt: skip


def ours(board: nv.Board) -> bg.Position:
    counts = np.array([list(board.own), list(board.opp)])
    return bg.Position.from_counts(counts, np.array([list(board.own_pinned), list(board.opp_pinned)], bool))


def theirs(position: bg.Position) -> nv.Board:
    counts, pinned = position.counts.tolist(), position.pinned.tolist()
    return nv.Board(bytes(counts[0]), bytes(counts[1]), bytes(pinned[0]), bytes(pinned[1]))


def to_naive(action: Action) -> naive.Action:
    """The action as the naive machine takes it."""
    if isinstance(action, MakePlay):
        assert isinstance(action.play, bg.Play)
        return {"kind": "play", "board": theirs(action.play.result).swapped()}
    found = action.to_json()
    if isinstance(action, Ruling) and action.position is not None:
        found["position"] = theirs(action.position)
    return found


def named(action: Action) -> str:
    return f"resign_offer {action.level} {action.player}" if isinstance(action, Resign) else action.kind


class Walk:
    """One random match, played by both machines."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.rng = random.Random(seed)
        self.setups = nv.set_up_positions(table.game, seed % 7, 6)
        self.stale: list[bg.Play] = []
        self.refused = self.done = 0
        self.begin()

    def begin(self) -> None:
        table, rng = self.table, self.rng
        score = (
            (rng.randrange(table.length), rng.randrange(table.length))
            if table.length and rng.random() < 0.6
            else (0, 0)
        )
        self.state = bg.MatchState.new(table.length, table.rules, score=score, **table.options)
        self.naive = naive.new(table.game, table.length, score, **table.options)
        self.compare()

    def dice(self) -> tuple[int, int]:
        return self.rng.randint(1, 6), self.rng.randint(1, 6)

    def legal(self) -> Action:
        """One of the actions that are listed, with dice or a play."""
        listed = list(self.state.actions())
        moves = [action for action in listed if not isinstance(action, Resign)]
        action = self.rng.choice(moves if moves and self.rng.random() < 0.93 else listed)
        if isinstance(action, Drop | Accept) and self.rng.random() < 0.5:
            action = moves[0] if isinstance(action, Drop) else Decline()
        if isinstance(action, OpeningRoll):
            return OpeningRoll(*self.dice())
        if isinstance(action, Roll):
            return Roll(*self.dice())
        if isinstance(action, MakePlay):
            plays = self.state.legal_plays()
            assert {theirs(play.result).swapped() for play in plays} == naive.finals(self.naive)
            play = self.rng.choice(plays)
            self.stale.append(play)
            return MakePlay(play)
        return action

    def board(self) -> nv.Board:
        """A position of the game, often one near its end."""
        return self.rng.choice(self.setups).board

    def anything(self) -> Action:
        """An action that may be legal or not."""
        rng = self.rng
        player = rng.randrange(2)
        choices: list[Action] = [
            OpeningRoll(*self.dice()), Roll(*self.dice()), Pass(), Double(), Take(), Drop(), Beaver(), Raccoon(),
            Accept(), Decline(), NextGame(), Resign(rng.randint(1, 3), player), Resign(rng.randint(1, 3), player),
        ]  # fmt: skip
        if self.stale:
            choices += 2 * [MakePlay(rng.choice(self.stale[-9:]))]
        if rng.random() < 0.3:
            top = self.table.length or 9
            score = (rng.randint(0, top), rng.randint(0, top))
            cube = (1 << rng.choice([0, 0, 0, 1, 2]), rng.choice([None, 0, 1]))
            choices += [
                Ruling("position", ours(self.board()), player, self.dice() if rng.random() < 0.5 else None),
                Ruling("all", ours(self.board()), player, score=score, cube=cube),
                Ruling("score", score=score),
                Ruling("cube", cube=cube),
                Forfeit(player, "points", rng.randint(1, 3), reason="late"),
                Forfeit(player, "game", rng.choice([None, 1, 4]), reason="flag"),
            ]
            if rng.random() < 0.1:
                choices.append(Forfeit(player, "match", rng.choice([None, 2]), reason="flag"))
        return rng.choice(choices)

    def step(self) -> None:
        if self.state.is_match_over and self.rng.random() < 0.5:
            self.begin()
        action = self.legal() if self.state.actions() and self.rng.random() < 0.75 else self.anything()
        before, packed = self.state, hash(self.state)
        expected: naive.State | str
        try:
            expected = naive.step(self.naive, to_naive(action))
        except naive.Refused as refused:
            expected = str(refused)
        after: bg.MatchState | BgcoreError
        try:
            after = before.apply(action)
        except BgcoreError as error:
            after = error
        assert isinstance(after, BgcoreError) == isinstance(expected, str), f"{before!r}: {action}: {after}, {expected}"
        if isinstance(expected, str):
            assert isinstance(after, IllegalPlay if expected == "illegal play" else RuleError), (action, after)
            if isinstance(after, RuleError) and expected not in ("cube", "score"):
                assert after.rule == expected, (before, action, after)
            self.refused += 1
        else:
            assert isinstance(after, bg.MatchState)
            if self.rng.random() < 0.2:  # what a record keeps of the action does the same
                assert before.apply(from_json(action.to_json())) == after
            self.state, self.naive = after, expected
            self.done += 1
        assert hash(before) == packed, "a state has changed"
        self.compare()

    def compare(self) -> None:
        state, other = self.state, self.naive
        assert state.phase == other["phase"], (state, other)
        assert state.position == ours(other["board"])
        seen = {
            "score": state.score,
            "on_roll": state.on_roll,
            "to_act": state.to_act,
            "dice": state.dice,
            "cube": state.cube,
            "owner": state.cube_owner,
            "pending": state.pending,
            "resigned": state.resigned,
            "declined": state.declined,
            "redoubles": state.redoubles,
            "crawford": state.is_crawford,
            "had_crawford": state.is_post_crawford,
            "match_winner": state.winner,
            "result": state.result and tuple(state.result),
            "number": state.game,
            "first": state.first,
            "rolls": state.rolls,
            "automatic": state.automatic_doubles,
        }
        expected = {name: other.get(name) for name in seen} | {
            "score": tuple(other["score"]),
            "to_act": naive.to_act(other),
            "pending": naive.pending(other),
            "declined": tuple(other["declined"]),
            "rolls": tuple(other["rolls"]),
        }
        assert seen == expected, repr(state)
        if state.phase == "to_play":
            assert state.context == naive.context(other)
        assert {named(action) for action in state.actions()} == naive.offers(other), repr(state)
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert hash(again) == hash(state)


@given(st.sampled_from(QUICK), st.integers(0, 10**6))
def test_both_machines_agree(name: str, seed: int) -> None:
    walk = Walk(TABLES[name], seed)
    for _ in range(30):
        walk.step()


@pytest.mark.parametrize("name", [name for name in TABLES if name not in QUICK])
def test_both_machines_agree_in_the_other_games(name: str) -> None:
    walk = Walk(TABLES[name], 1)
    for _ in range(60):
        walk.step()


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_both_machines_agree_for_long(name: str) -> None:
    """200,000 steps in all."""
    steps = 200_000 // len(TABLES)
    done = refused = 0
    for seed in range(10):
        walk = Walk(TABLES[name], 1000 + seed)
        for _ in range(steps // 10):
            walk.step()
        done, refused = done + walk.done, refused + walk.refused
    assert done > steps // 2
    assert refused > steps // 20
