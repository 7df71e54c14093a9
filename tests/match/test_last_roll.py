"""A last roll for the player who did not begin: when it is due, its plays, and how the game has then ended."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.dice import SeededDice
from bgcore.match import last_roll
from bgcore.match.random_game import RandomGame, random_game
from naive import variants as nv

RULES = bg.LONG_NARDI.replace(draw="last_roll")
GAME = nv.long_nardi(draw="last_roll")
OFF = {0: 15}


def position(own: dict[int, int], opp: dict[int, int] = OFF) -> bg.Position:
    return bg.Position.from_counts([[side.get(slot, 0) for slot in range(26)] for side in (own, opp)])


def board(own: dict[int, int]) -> nv.Board:
    return nv.Board(nv.counts(own), nv.counts({}))


def left(rng: random.Random) -> dict[int, int]:
    """Some checkers of one side, home as a rule."""
    home = rng.random() < 0.8
    checkers = rng.choice([1, 2, 3, 4, 5, 15])
    points = [rng.randint(1, 6 if home else 24) for _ in range(checkers)]
    return {0: 15 - checkers} | {point: points.count(point) for point in points}


# ---- when


def test_only_the_one_who_did_not_begin_has_a_last_roll() -> None:
    race = position({0: 13, 1: 2})
    assert last_roll.is_due(RULES, race, opponent_began=True)
    assert not last_roll.is_due(RULES, race, opponent_began=False)
    assert not last_roll.is_due(bg.LONG_NARDI, race, opponent_began=True)
    assert last_roll.outcome(RULES, race, opponent_began=True) is None
    assert last_roll.outcome(RULES, race, opponent_began=False) == ("opp", 1, "single")
    assert last_roll.outcome(bg.LONG_NARDI, race, opponent_began=True) == ("opp", 1, "single")


def test_who_did_not_begin_wins_at_once() -> None:
    for opponent_began in (False, True):
        won = last_roll.outcome(RULES, position(OFF, {0: 13, 1: 2}), opponent_began=opponent_began)
        assert won == ("own", 1, "single")
    assert last_roll.outcome(RULES, RULES.start, opponent_began=True) is None
    assert not last_roll.is_due(RULES, RULES.start, opponent_began=True)


def test_other_ends_have_no_last_roll() -> None:
    """A mother pinned, too many on the bar: nobody has borne off."""
    plakoto = bg.PLAKOTO.replace(draw="last_roll")
    counts = [[0] * 26, [0] * 26]
    counts[0][24], counts[0][3], counts[1][1], counts[1][6] = 1, 14, 1, 14
    pinned = [[False] * 26, [False] * 26]
    pinned[0][24] = True
    assert not last_roll.is_due(plakoto, bg.Position.from_counts(counts, pinned), opponent_began=True)
    osmanli = bg.rules.get("kirik_tavla", "osmanli").replace(draw="last_roll")
    assert not last_roll.is_due(osmanli, position({25: 6, 6: 9}, {6: 15}), opponent_began=True)


# ---- what


@pytest.mark.parametrize(
    ("own", "dice", "plays", "ends"),
    [
        ({0: 13, 1: 2}, (2, 1), ["1/off(2)"], ["draw"]),
        ({0: 12, 1: 3}, (6, 5), ["1/off(2)"], ["single"]),
        ({0: 11, 6: 4}, (6, 6), ["6/off(4)"], ["draw"]),
        ({6: 15}, (6, 1), ["6/5 6/off"], ["single"]),  # one off saves the mars
        ({24: 1, 1: 14}, (2, 1), ["24/22 24/23", "24/21"], ["gammon"]),
    ],
)
def test_worked_examples(own: dict[int, int], dice: tuple[int, int], plays: list[str], ends: list[str]) -> None:
    at = position(own)
    found = last_roll.last_plays(RULES, at, dice)
    assert found
    kinds = {last_roll.after_last_roll(RULES, at, play).kind for play in found}
    assert set(ends) <= kinds
    if len(found) == 1:
        assert [str(play) for play in found] == plays[-1:]


def test_no_die_can_be_played() -> None:
    assert last_roll.after_last_roll(RULES, position({6: 15}), None) == ("opp", 2, "gammon")


def test_against_the_naive_enumerator() -> None:
    rng = random.Random(5)
    drawn = 0
    for _ in range(150):
        own = left(rng)
        at = position(own)
        for roll in rng.sample(bg.dice.ROLLS, 7):
            found = last_roll.last_plays(RULES, at, roll)
            finals = nv.finals(GAME, board({point: n for point, n in own.items() if point}), roll)
            ends = sorted((end.kind, end.points) for end in (nv.outcome(GAME, final) for final in finals) if end)
            assert len(ends) == len(finals)
            mine = [last_roll.after_last_roll(RULES, at, play) for play in found]
            assert sorted((end.kind, end.points) for end in mine) == ends
            assert all(end.winner == (None if end.kind == "draw" else "opp") for end in mine)
            drawn += sum(end.kind == "draw" for end in mine)
            results = {play.result.counts[1].tobytes() for play in found if play.moves and not is_draw(at, play)}
            assert results == {final.own for final in finals if final.own[0] < 15}
    assert drawn > 50


def is_draw(at: bg.Position, play: bg.Play) -> bool:
    return last_roll.after_last_roll(RULES, at, play).kind == "draw"


def test_a_drawing_play_has_no_result() -> None:
    (play,) = last_roll.last_plays(RULES, position({0: 13, 1: 2}), (2, 1))
    with pytest.raises(bg.RuleError):
        _ = play.result


def test_draw_points() -> None:
    rules = RULES.replace(draw_points=1)
    at = position({0: 14, 1: 1})
    assert last_roll.after_last_roll(rules, at, last_roll.last_plays(rules, at, (2, 1))[0]) == (None, 1, "draw")


def test_what_is_refused() -> None:
    with pytest.raises(bg.RuleError, match="no last roll"):
        last_roll.last_plays(RULES, RULES.start, (2, 1))
    with pytest.raises(bg.RuleError, match="no last roll"):
        last_roll.after_last_roll(RULES, RULES.start, None)
    with pytest.raises(bg.RuleError, match="no last roll"):
        last_roll.last_plays(bg.LONG_NARDI, position({0: 14, 1: 1}), (2, 1))
    with pytest.raises(bg.RuleError, match="a die shows"):
        last_roll.last_plays(RULES, position({0: 14, 1: 1}), (7, 1))
    with pytest.raises(bg.RuleError, match="context"):
        last_roll.last_plays(RULES, position({0: 14, 1: 1}), (2, 1), context=1)
    with pytest.raises(bg.InvalidPosition):
        last_roll.last_plays(RULES, position({0: 13, 1: 1}), (2, 1))
    with pytest.raises(bg.RuleError, match="cascade"):
        bg.GUL_BARA.replace(draw="last_roll").core()


# ---- whole games


def game(rules: bg.Rules, seed: int) -> RandomGame:
    return random_game(rules, SeededDice(seed), np.random.default_rng(seed))


def test_random_games() -> None:
    """With three checkers a side, so that some are drawn."""
    small: dict[str, Any] = {"start": {24: 3}, "checkers": 3, "head_limit": None, "head_first_turn": "none"}
    rules = RULES.replace(**small)
    kinds = []
    for seed in range(60):
        played = game(rules, seed)
        last = played.turns[-1]
        kinds.append((last.part, played.winner == played.opening.first, played.kind))
        assert (last.part == "last roll") == (
            played.winner in (None, played.opening.first) and last.player != played.opening.first
        )
        same = game(bg.LONG_NARDI.replace(**small), seed)
        assert played.turns[: len(same.turns)] == same.turns
    assert {("last roll", True, "single"), ("last roll", False, "draw"), ("roll", False, "single")} <= set(kinds)


def test_playouts_take_the_player_on_roll_for_the_one_who_began() -> None:
    both = position({0: 14, 1: 1}, {0: 14, 1: 1})
    assert bg.batch.playouts(both.packed[None], 100, rules=RULES, seed=1).counts[0].tolist() == [0] * 6 + [100]
    plain = bg.batch.playouts(both.packed[None], 100, rules=bg.LONG_NARDI, seed=1)
    assert plain.counts[0].tolist() == [100] + [0] * 6
    # Own bears off now, so that the opponent has one roll for two checkers on his 6.
    race = position({0: 14, 1: 1}, {0: 13, 6: 2})
    trials = 20_000
    played = bg.batch.playouts(race.packed[None], trials, rules=RULES, seed=2)
    assert played.plies[0] == 2 * trials
    expected = 0.0
    for a, b in ((a, b) for a in range(1, 7) for b in range(1, 7)):
        finals = nv.finals(GAME, board({6: 2}), (max(a, b), min(a, b)))
        expected += sum(final.own[0] == 15 for final in finals) / len(finals) / 36
    assert abs(played.counts[0, 6] / trials - expected) < 5 * (expected * (1 - expected) / trials) ** 0.5
    assert played.counts[0, 0] + played.counts[0, 6] == trials
    # The opponent, who did not begin, is first to bear off: no last roll.
    lost = position({6: 15}, {0: 14, 1: 1})
    ended = bg.batch.playouts(lost.packed[None], 100, rules=RULES, seed=3)
    assert ended.counts[0, 6] == 0
    assert ended.plies[0] == 200
