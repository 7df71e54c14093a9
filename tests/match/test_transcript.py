"""The values that match files are read into."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

import bgcore as bg
from bgcore.match.transcript import Game, GameEnd, Match, Note, Turn

START = bg.BACKGAMMON.start
FIRST = bg.BACKGAMMON.check(START, (3, 1), "8/5 6/5")
SECOND = bg.BACKGAMMON.check(FIRST.result, (5, 2), "13/8 24/22")
TURNS = (
    Turn(0, "play", (3, 1), FIRST, FIRST.result),
    Turn(1, "play", (5, 2), SECOND, SECOND.result),
    Turn(0, "double", cube=2),
    Turn(1, "take"),
    Turn(0, "play", (6, 4), None, None, "????"),
)
END = GameEnd(1, 2, "single", "resigned", 2)
GAME = Game(TURNS, END)
MATCH = Match(("Ann", "Bob"), 5, (GAME,))


def test_values_are_frozen_hashable_and_pickled() -> None:
    assert pickle.loads(pickle.dumps(MATCH)) == MATCH
    assert hash(MATCH) == hash(replace(MATCH))
    with pytest.raises(FrozenInstanceError):
        MATCH.length = 7  # type: ignore[misc]
    assert bg.Match is Match


def test_the_first_turn_of_either_player_sees_the_start_from_his_side() -> None:
    start = bg.BACKGAMMON.check(START, (6, 1), "13/7 8/7").result  # no longer the same for both
    game = Game((Turn(1, "play", (3, 1), None, None), Turn(0, "double", cube=2)), start=start)
    assert [step.position for step in game.steps()] == [start.flipped(), None]


def test_steps_follow_board_and_cube() -> None:
    steps = list(GAME.steps())
    last = SECOND.result
    assert [step.position for step in steps] == [START, FIRST.result, last, last.flipped(), last]
    assert [(step.cube, step.owner) for step in steps] == [(1, None)] * 4 + [(2, 1)]


@pytest.mark.parametrize(
    ("actions", "cube", "owner"),
    [
        ((0, "double", 1, "take"), 2, 1),
        ((0, "double", 1, "beaver"), 4, 1),  # rolling on accepts it
        ((0, "double", 1, "beaver", 0, "raccoon", 1, "take"), 8, 1),
        ((0, "double", 1, "beaver", 0, "take"), 4, 1),
    ],
)
def test_the_cube_behind_doubles_and_beavers(actions: tuple[object, ...], cube: int, owner: int) -> None:
    turns = [Turn(player, action) for player, action in zip(actions[::2], actions[1::2], strict=True)]  # type: ignore[arg-type]
    roll = Turn(0, "play", (3, 1), FIRST, FIRST.result)
    last = list(Game((*turns, roll, roll._replace(player=1))).steps())[-1]
    assert (last.cube, last.owner) == (cube, owner)


def test_illegal_and_unknown() -> None:
    assert [turn.is_unknown for turn in TURNS] == [False, False, False, False, True]
    assert Turn(0, "play", (3, 1), None, FIRST.result, "x").is_illegal
    assert not any(turn.is_illegal for turn in TURNS)
    assert GAME.result is None
    assert Game(TURNS[:2]).result == SECOND.result
    assert Game(TURNS[:1]).result == FIRST.result.flipped()
    assert Game().result == START


def test_score_and_winner() -> None:
    assert (MATCH.score, MATCH.winner) == ((0, 2), None)
    last = Game((), GameEnd(1, 4, "gammon", "played"), (0, 2))
    whole = replace(MATCH, games=(GAME, last))
    assert (whole.score, whole.winner) == ((0, 6), 1)
    assert replace(whole, length=0).winner is None
    assert Match().score == (0, 0)
    assert replace(MATCH, games=(Game(TURNS),)).score == (0, 0)


def test_same_play_looks_at_what_was_played_only() -> None:
    other = replace(
        MATCH, names=("x", "y"), date="2020-01-01", notes=(Note("odd"),), info=(("a", "b"),), format="sgf",
        games=(replace(GAME, number=7, comment="c", end=END._replace(points=3, kind="gammon", stated=None)),),
    )  # fmt: skip
    assert MATCH.same_play(other)
    turned = replace(GAME, turns=(TURNS[0]._replace(dice=(1, 3)), *TURNS[1:]))
    assert MATCH.same_play(replace(MATCH, games=(turned,)))
    without = replace(GAME, turns=TURNS[:-1])  # the last roll, answered by resigning
    assert MATCH.same_play(replace(MATCH, games=(without,)))
    assert not MATCH.same_play(replace(MATCH, games=(replace(without, end=None),)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"length": 7}, "length 5 and 7"),
        ({"games": ()}, "1 and 0 games"),
        ({"games": (replace(GAME, end=None),)}, "game 1 has 5 and 5 turns|game 1, turn 5"),
        ({"games": (replace(GAME, end=END._replace(winner=0)),)}, "game 1, turn 5"),
        ({"games": (replace(GAME, turns=TURNS[:-2]),)}, "game 1, turn 4|game 1"),
        ({"games": (replace(GAME, turns=(TURNS[0]._replace(dice=(3, 2)), *TURNS[1:])),)}, "game 1, turn 1"),
        ({"games": (replace(GAME, turns=(TURNS[0]._replace(player=1), *TURNS[1:])),)}, "game 1, turn 1"),
        ({"games": (replace(GAME, turns=(TURNS[0]._replace(result=START), *TURNS[1:])),)}, "game 1, turn 1"),
        ({"games": (replace(GAME, turns=(*TURNS[:3], Turn(1, "beaver"), TURNS[4])),)}, "game 1, turn 4"),
        ({"games": (replace(GAME, start=FIRST.result),)}, "game 1, turn 0"),
    ],
)
def test_differences(change: dict[str, object], said: str) -> None:
    found = MATCH.difference(replace(MATCH, **change))  # type: ignore[arg-type]
    assert any(found.startswith(one) for one in said.split("|")), found
    assert not MATCH.same_play(replace(MATCH, **change))  # type: ignore[arg-type]


def test_notes_say_where() -> None:
    assert str(Note("odd", line=3)) == "line 3: odd"
    assert str(Note("odd", offset=0)) == "byte 0: odd"
    assert str(Note("odd")) == "odd"
