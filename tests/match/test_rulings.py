"""Rulings and forfeits: what changes a match from outside, and what of it is refused."""

from __future__ import annotations

import pytest

import bgcore as bg
from bgcore.errors import InvalidPosition
from bgcore.match.actions import (
    Double,
    Forfeit,
    OpeningRoll,
    Resign,
    Ruling,
)
from playing import LAST, LOSERS, begun, doubled, kinds, position, refused, through, won

new = bg.MatchState.new


def test_an_illegal_play_that_stands() -> None:
    state = through(new(7), OpeningRoll(3, 1))
    after = bg.Position.from_xgid("XGID=-b----F-B---eE---c-e----B-:0:0:1:00:0:0:0:7:10").flipped()
    stands = state.apply(Ruling("illegal play noticed too late, it stands", after, 1))
    assert (stands.position, stands.on_roll, stands.phase, stands.rolls) == (after, 1, "to_roll", (1, 0))
    corrected = stands.apply(Ruling("noticed in time, to be corrected", state.position, 0, (3, 1)))
    assert corrected == state


def test_a_void_offer_in_the_crawford_game() -> None:
    state = begun(new(5, score=(4, 2)), first=0)
    dropped = state.apply(Forfeit(0, "game", reason="dropped a double that was void"))
    assert dropped.score == (4, 3)
    again = dropped.apply(Ruling("offer in the Crawford game is void", state.position, 1))
    assert again == state
    assert again.score == (4, 2)


def test_a_ruling_takes_a_pending_offer_back() -> None:
    offer = begun(new(7)).apply(Double())
    back = offer.apply(Ruling("offered out of turn", cube=(1, None)))
    assert back == begun(new(7))
    offer = begun(new(7)).apply(Resign(1, 0))
    assert offer.apply(Ruling("misheard", cube=(1, None))) == begun(new(7))


def test_a_ruling_on_the_score() -> None:
    state = begun(new(5, score=(3, 3)))
    assert state.apply(Ruling("last game was a gammon", score=(3, 2))).score == (3, 2)
    crawford = state.apply(Ruling("last game was a gammon", score=(4, 2)))
    assert (crawford.is_crawford, crawford.cube_in_play) == (True, False)
    assert not crawford.apply(Ruling("no, it was not", score=(3, 3))).is_crawford
    refused(doubled(state, by=1), Ruling("last game was a gammon", score=(4, 2)), "crawford")
    both = doubled(state, by=1).apply(Ruling("last game was a gammon", score=(4, 2), cube=(1, None)))
    assert (both.is_crawford, both.cube) == (True, 1)
    assert "goes on" in refused(state, Ruling("?", score=(5, 2)), "ruling")
    over = won(new(5, score=(4, 0)), 0)
    assert over.winner == 0
    back = over.apply(Ruling("that was no win", score=(4, 0)))
    assert (back.winner, kinds(back)) == (None, ["next_game"])


def test_a_ruling_takes_a_game_up_again_that_was_over() -> None:
    before = begun(new(5, score=(4, 0), crawford_played=True), first=1)
    race = position(LAST, LOSERS["single"])
    over = before.apply(Ruling("set up for a test", position({}, LOSERS["gammon"]), 0))
    assert (over.winner, over.score, over.result) == (0, (6, 0), (0, 2, "gammon", "play"))
    again = over.apply(Ruling("the last checker was borne off with a wrong die", race, 0, (2, 1)))
    assert (again.score, again.winner, again.result, again.dice) == ((4, 0), None, None, (2, 1))
    with pytest.raises(InvalidPosition):
        over.apply(Ruling("nothing like this", bg.HYPERGAMMON.start, 0))
    refused(over, Ruling("too late", cube=(2, 0)), "ruling")
    refused(before, Ruling("?", position({}, LOSERS["gammon"]), 0, (2, 1)), "ruling")


def test_a_ruling_cannot_make_what_cannot_be() -> None:
    state = begun(new(5))
    refused(state, Ruling("?", cube=(2, None)), "automatic_doubles")
    refused(state, Ruling("?", cube=(1, 0)), "not_owner")
    refused(begun(new(5, score=(4, 0))), Ruling("?", cube=(2, 0)), "crawford")
    refused(begun(new(1)), Ruling("?", cube=(2, 0)), "one_point_match")
    refused(begun(new(5, bg.PLAKOTO)), Ruling("?", cube=(2, 0)), "no_cube")
    refused(begun(new(5, cube_limit=2)), Ruling("?", cube=(4, 0)), "cube_limit")


def test_forfeits() -> None:
    state = doubled(new(7), by=0)
    game = state.apply(Forfeit(0, "game", reason="flag"))
    assert (game.score, game.result) == ((0, 2), (1, 2, "single", "forfeit"))
    assert state.apply(Forfeit(0, "game", 5, "flag")).score == (0, 5)
    match = state.apply(Forfeit(0, "match", reason="flag"))
    assert (match.score, match.winner, match.result) == ((0, 0), 1, (1, 0, "single", "forfeit"))
    late = state.apply(Forfeit(1, "points", 2, "six minutes late"))
    assert (late.score, late.phase, late.cube) == ((2, 0), "to_roll", 2)
    too_late = state.apply(Forfeit(1, "points", 7, "half an hour late"))
    assert (too_late.score, too_late.winner, too_late.actions()) == ((7, 0), 0, ())
    between = won(new(7), 0)
    assert between.apply(Forfeit(0, "points", 1, "late")).score == (1, 1)
    refused(between, Forfeit(0, "game", reason="flag"), "not_due")
