"""Options of a match, and `MatchState` as a value: frozen, hashed, pickled, printed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import bgcore as bg
from bgcore.errors import InvalidPosition, RuleError
from bgcore.match.actions import (
    Double,
    MakePlay,
    OpeningRoll,
    Resign,
    Roll,
)
from bgcore.match.cube import MatchOptions
from bgcore.match.state import MatchState, build, restore
from playing import begun, doubled, refused, through, won

new = bg.MatchState.new


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: new(-1), "a length from 1 on"),
        (lambda: new(2**31), "a length from 1 on"),
        (lambda: new(7, score=(7, 0)), "is over"),
        (lambda: new(7, score=(-1, 0)), "from 0 on"),
        (lambda: new(7, crawford_played=True), "somebody is one point away"),
        (lambda: new(7, murphy=1), "no option murphy"),
        (lambda: new(7, beavers=1), "option of money play"),
        (lambda: new(7, automatic_doubles=1), "option of money play"),
        (lambda: new(7, table_stakes=(1, 1)), "option of money play"),
        (lambda: new(0, dead_cube="forbid"), "option of matches"),
        (lambda: new(0, holland=True), "option of matches"),
        (lambda: new(0, beavers=-1), "0 to 30"),
        (lambda: new(0, beavers=True), "0 to 30"),
        (lambda: new(0, cube_limit=3), "power of 2"),
        (lambda: new(0, cube_limit=2**31), "power of 2"),
        (lambda: new(0, table_stakes=(1, 0)), "two numbers"),
        (lambda: new(7, dead_cube="no"), "'allow' or 'forbid'"),
        (lambda: new(0, raccoon_owner=1), "'receiver' or 'doubler'"),
        (lambda: new(7, crawford=1), "True or False"),
        (lambda: new(7, bg.BACKGAMMON.replace(block_at=1)), "does not play"),
    ],
)
def test_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        make()


def test_built_with_rolls_and_what_was_declined() -> None:
    def built(**more: object) -> MatchState:
        return build(
            bg.BACKGAMMON, 5, {"holland": True}, position=bg.Position.initial(), phase="to_roll", on_roll=0,
            score=(4, 2), **more,  # type: ignore[arg-type]
        )  # fmt: skip

    assert (built().rolls, built().declined) == ((0, 0), (0, 0))
    state = built(rolls=(2, 3), declined=(0, 2))
    assert (state.rolls, state.declined) == ((2, 3), (0, 2))
    assert Double() in state.actions()
    assert Double() not in built(rolls=(1, 3)).actions()
    for wrong in ({"rolls": (-1, 0)}, {"rolls": (1.0, 0)}, {"declined": (4, 0)}, {"declined": (0, True)}):
        with pytest.raises(RuleError, match="two"):
            built(**wrong)


def test_options_that_mean_nothing_make_no_difference() -> None:
    assert new(7, jacoby=True) == new(7, jacoby=False)
    assert new(0, crawford=True) == new(0, crawford=False)
    assert new(7, crawford=True) != new(7, crawford=False)
    assert new(0, jacoby=True) != new(0, jacoby=False)
    assert repr(new(0, beavers=2, jacoby=False).options) == "MatchOptions(jacoby=False, beavers=2)"
    assert eval(repr(new(7).options), {"MatchOptions": MatchOptions}) == new(7).options


def test_a_state_is_a_frozen_value() -> None:
    one, two = (doubled(new(7), by=0) for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != doubled(new(7), by=1)
    assert one != doubled(new(9), by=0)
    assert one != doubled(new(7, bg.NACKGAMMON), by=0)
    assert one != "state"
    assert len({one, two, one.apply(Roll(2, 1))}) == 2
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    for name in ("score", "cube", "rules", "anything"):
        with pytest.raises(AttributeError):
            setattr(one, name, None)
    with pytest.raises(TypeError):
        bg.MatchState()
    with pytest.raises(TypeError):
        bg.MatchState.__init__(one)


def test_a_state_that_was_never_made_does_nothing() -> None:
    hollow = bg.MatchState.__new__(bg.MatchState)
    assert hollow.actions() == ()
    assert hollow.legal_plays() == ()
    refused(hollow, Roll(2, 1), "match_over")


def test_repr_and_str() -> None:
    assert repr(new(7)) == "<MatchState 7-point match at 0-0, game 1: opening roll>"
    assert repr(begun(new(7)).apply(Double())) == (
        "<MatchState 7-point match at 0-0, game 1: player 0 to answer a double to 2>"
    )
    assert repr(won(new(1), 0)) == (
        "<MatchState 1-point match at 1-0, game 1: player 0 wins 1 by play, and the match goes to player 0>"
    )
    assert repr(begun(new(0)).apply(Resign(2, 0))) == (
        "<MatchState money at 0-0, game 1: player 1 to answer player 0's resignation at level 2>"
    )
    assert "X on roll" in str(begun(new(7)))


def hostile() -> list[tuple[Any, ...]]:
    """The arguments of a pickled state, wrong in every byte of its numbers."""
    function, pickled = through(new(7), OpeningRoll(3, 1)).__reduce__()
    version, rules, length, options, place, numbers, more, carried = pickled
    assert function is restore
    assert restore(*pickled[:-1]) == restore(*pickled)  # as pickled before anything was carried
    found = []
    for at in range(len(numbers)):
        for value in (1, 2, 7, 57, 127, 128, 255):
            changed = bytearray(numbers)
            changed[at] = value
            found.append((version, rules, length, options, place, bytes(changed), more))
    found += [
        (2, rules, length, options, place, numbers, more),
        (version, rules, length, options, place, numbers[:-1], more),
        (version, rules, 1, options, bg.HYPERGAMMON.start, numbers, more),
        (version, rules, length, options, place, numbers, (None, None, (3, 9, False, 0), None)),
        (version, rules, length, options, place, numbers, ("series", None, None, None)),
        *((version, rules, length, options, place, numbers, more, (*carried[:1], n)) for n in (31, -1, "8", 10**30)),
        (version, rules, length, options, place, numbers, more, (1, None)),
    ]
    return found


def test_a_changed_pickle_makes_a_state_or_an_error() -> None:
    made = 0
    for arguments in hostile():
        try:
            state = restore(*arguments)
        except (RuleError, InvalidPosition, TypeError):
            continue
        made += 1
        for action in state.actions():
            if isinstance(action, MakePlay):
                assert len(state.legal_plays()) == bg.BACKGAMMON.count_plays(state.position, state.dice)
                state.apply(state.legal_plays()[0])
    assert 0 < made < len(hostile())
