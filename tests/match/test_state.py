"""`MatchState`: the worked examples of cube and score, every rule that refuses, rulings and forfeits, the value."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import bgcore as bg
from bgcore.errors import IllegalPlay, IllegalReason, InvalidPosition, RuleError
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
)
from bgcore.match.cube import MatchOptions
from bgcore.match.state import restore
from playing import LAST, LOSERS, begun, doubled, position, won

new = bg.MatchState.new


def through(state: bg.MatchState, *actions: Action) -> bg.MatchState:
    for action in actions:
        state = state.apply(action)
    return state


def refused(state: bg.MatchState, action: Action, rule: str) -> str:
    with pytest.raises(RuleError) as caught:
        state.apply(action)
    assert caught.value.rule == rule
    return str(caught.value)


def kinds(state: bg.MatchState) -> list[str]:
    return [action.kind for action in state.actions() if not isinstance(action, Resign)]


# ---- the worked examples: CU-1 to CU-7


def test_cu_1_double_redouble_gammon_is_eight_points() -> None:
    state = doubled(new(25), by=0)
    assert (state.cube, state.cube_owner) == (2, 1)
    state = doubled(state, by=1)
    assert (state.cube, state.cube_owner) == (4, 0)
    state = won(state, 1, "gammon")
    assert state.score == (0, 8)
    assert state.result == (1, 8, "gammon", "play")


def test_cu_2_beaver_and_raccoon() -> None:
    a, b = 1, 0
    offer = begun(new(0, beavers=2), first=b).apply(Double())
    assert (offer.on_roll, offer.to_act, offer.pending, kinds(offer)) == (a, b, "double", ["take", "drop", "beaver"])
    beaver = offer.apply(Beaver())
    assert (beaver.cube, beaver.cube_owner, beaver.to_act, beaver.pending) == (2, b, a, "beaver")
    assert kinds(beaver) == ["take", "drop", "raccoon"]
    assert beaver.apply(Drop()).score == (2, 0)
    raccoon = beaver.apply(Raccoon())
    assert (raccoon.cube, raccoon.cube_owner, raccoon.to_act, raccoon.pending) == (4, b, b, "raccoon")
    assert kinds(raccoon) == ["take", "drop"]
    assert raccoon.apply(Drop()).score == (0, 4)
    taken = raccoon.apply(Take())
    assert (taken.cube, taken.cube_owner, taken.on_roll, taken.phase) == (8, b, a, "to_roll")
    taken = beaver.apply(Take())
    assert (taken.cube, taken.cube_owner, taken.on_roll) == (4, b, a)


def test_a_third_redouble_at_once_is_the_receivers_again() -> None:
    state = through(begun(new(0, beavers=3)), Double(), Beaver(), Raccoon())
    assert kinds(state) == ["take", "drop", "beaver"]
    state = state.apply(Beaver())
    assert (state.cube, state.cube_owner, state.redoubles, state.to_act) == (8, 0, 3, 1)
    assert state.apply(Take()).cube == 16
    assert state.apply(Drop()).score == (8, 0)
    assert "3 redoubles at once are agreed" in refused(state, Raccoon(), "beavers")


def test_the_doubler_may_keep_the_cube_after_a_raccoon_but_not_turn_it_again_this_turn() -> None:
    state = through(begun(new(0, beavers=2, raccoon_owner="doubler")), Double(), Beaver(), Raccoon())
    assert state.cube_owner == 1
    state = state.apply(Take())
    assert (state.cube, state.cube_owner, state.on_roll, kinds(state)) == (8, 1, 1, ["roll"])
    refused(state, Double(), "turned")
    for _ in range(2):
        state = state.apply(Roll(2, 1))
        state = state.apply(state.legal_plays()[0])
    assert kinds(state) == ["roll", "offer"]


def test_cu_3_automatic_doubles() -> None:
    state = through(new(0, automatic_doubles=1), OpeningRoll(3, 3))
    assert (state.cube, state.cube_owner, state.automatic_doubles, state.phase) == (2, None, 1, "opening")
    state = state.apply(OpeningRoll(5, 5))
    assert (state.cube, state.automatic_doubles) == (2, 1)
    state = won(state.apply(OpeningRoll(6, 5)), 0, "gammon")
    assert state.score == (2, 0)  # Jacoby: an automatic double does not turn the cube
    assert through(new(0), OpeningRoll(3, 3)).cube == 1


def test_cu_3_does_not_depend_on_anything_being_shown() -> None:
    """GNU Backgammon doubles inside a print statement, so that quiet sessions have no automatic doubles."""
    games = [through(new(0, automatic_doubles=3), *[OpeningRoll(tie, tie)] * 4) for tie in range(1, 7)]
    assert [(state.cube, state.automatic_doubles) for state in games] == [(8, 3)] * 6


def test_cu_4_crawford_then_the_cube_is_back_at_once() -> None:
    state = won(new(5, score=(3, 2)), 0)
    assert state.score == (4, 2)
    state = begun(state, first=0)
    assert (state.is_crawford, state.cube_in_play, kinds(state)) == (True, False, ["roll"])
    assert "Crawford" in refused(state, Double(), "crawford")
    state = won(state, 1)
    assert state.score == (4, 3)
    state = begun(state, first=0)
    assert (state.is_crawford, state.is_post_crawford, state.cube_in_play) == (False, True, True)
    assert kinds(state) == ["roll", "offer"]


def test_cu_5_the_leader_loses_a_gammon_in_the_crawford_game() -> None:
    state = won(new(7, score=(6, 2)), 1, "gammon")
    assert state.score == (6, 4)
    state = state.apply(NextGame())
    assert (state.is_crawford, state.is_post_crawford) == (False, True)


def test_cu_6_jacoby() -> None:
    money = new(0)
    assert begun(money).jacoby
    assert won(money, 0, "gammon").score == (1, 0)
    assert won(money, 0, "backgammon").score == (1, 0)
    assert won(doubled(money, by=0), 0, "gammon").score == (4, 0)
    assert won(doubled(money, by=0), 0, "backgammon").score == (6, 0)
    assert won(new(0, jacoby=False), 0, "gammon").score == (2, 0)
    assert won(new(7), 0, "gammon").score == (2, 0)


def test_cu_7_no_second_crawford_game_at_four_all() -> None:
    state = new(5, score=(4, 2))
    assert state.is_crawford
    state = won(state, 1)
    state = begun(state, first=0)
    assert (state.score, state.is_crawford, state.cube_in_play) == ((4, 3), False, True)
    state = won(state, 1)
    state = begun(state, first=0)
    assert (state.score, state.is_crawford, state.cube_in_play) == ((4, 4), False, True)
    assert kinds(state) == ["roll", "offer"]


@pytest.mark.parametrize("dead_cube", ["allow", "forbid"])
def test_a_dead_cube_at_four_all(dead_cube: str) -> None:
    state = begun(new(5, score=(4, 4), crawford_played=True, dead_cube=dead_cube))
    assert state.cube_in_play
    assert kinds(state) == (["roll", "offer"] if dead_cube == "allow" else ["roll"])
    if dead_cube == "allow":
        assert state.apply(Double()).pending == "double"
    else:
        refused(state, Double(), "dead_cube")


def test_a_cube_is_dead_for_who_has_enough_only() -> None:
    state = begun(new(5, score=(4, 1), crawford_played=True, dead_cube="forbid"), first=0)
    assert state.on_roll == 1
    assert kinds(state) == ["roll", "offer"]
    state = doubled(new(5, dead_cube="forbid"), by=0)
    state = through(won(state, 0, "gammon"), NextGame())  # 4-0
    assert state.score == (4, 0)
    state = through(begun(won(state, 1), first=1))  # Crawford game played, player 0 to roll at 4-1
    assert (state.on_roll, kinds(state)) == (0, ["roll"])


# ---- TC examples that concern the state


def test_tc_5_an_opening_tie_is_thrown_again() -> None:
    state = through(new(7), OpeningRoll(4, 4))
    assert (state.phase, state.on_roll, state.to_act) == ("opening", None, None)
    state = state.apply(OpeningRoll(6, 2))
    assert (state.on_roll, state.first, state.dice, state.rolls) == (0, 0, (6, 2), (1, 0))
    assert through(new(7), OpeningRoll(2, 6)).on_roll == 1


def test_tc_9_a_second_offer_before_the_other_has_redoubled() -> None:
    state = begun(new(0)).apply(Double())
    state = state.apply(Take())
    assert (state.cube, state.cube_owner) == (2, 0)
    refused(state, Double(), "not_owner")
    state = state.apply(Roll(2, 1))
    state = state.apply(state.legal_plays()[0])
    assert kinds(state) == ["roll", "offer"]  # the owner may
    state = state.apply(Roll(2, 1))
    state = state.apply(state.legal_plays()[0])
    assert "belongs to the opponent" in refused(state, Double(), "not_owner")


def test_tc_10_a_gammon_resigned_with_the_cube_at_two() -> None:
    offer = doubled(new(7), by=0).apply(Resign(2, 1))
    assert (offer.pending, offer.resigned, offer.to_act, offer.on_roll) == ("resignation", (2, 1), 0, 0)
    assert kinds(offer) == ["resign_accept", "resign_decline"]
    accepted = offer.apply(Accept())
    assert (accepted.score, accepted.result) == ((4, 0), (0, 4, "gammon", "resignation"))
    declined = offer.apply(Decline())
    assert (declined.declined, declined.pending, declined.phase) == ((0, 2), None, "to_roll")


# ---- resignations


def test_either_player_resigns_whenever_nothing_is_pending() -> None:
    states = [new(7), begun(new(7)), through(new(7), OpeningRoll(6, 5))]
    for state in states:
        for player in (0, 1):
            offer = state.apply(Resign(1, player))
            assert (offer.to_act, offer.phase, offer.dice) == (1 - player, state.phase, state.dice)
            assert offer.apply(Accept()).winner is None
            assert offer.apply(Accept()).result == (1 - player, 1, "single", "resignation")
            assert offer.apply(Decline()).actions()[0] == state.actions()[0]
            refused(offer, Resign(2, 1 - player), "not_due")
            refused(offer, Roll(2, 1), "not_due")
            assert offer.legal_plays() == ()
    offered = begun(new(7)).apply(Double())
    assert "answer a double" in refused(offered, Resign(1, 0), "not_due")


def test_after_a_declined_one_only_a_higher() -> None:
    state = through(begun(new(7)), Resign(2, 0), Decline())
    assert [a for a in state.actions() if isinstance(a, Resign)] == [
        Resign(3, 0), Resign(1, 1), Resign(2, 1), Resign(3, 1)
    ]  # fmt: skip
    refused(state, Resign(1, 0), "declined")
    refused(state, Resign(2, 0), "declined")
    assert state.apply(Resign(1, 1)).pending == "resignation"
    later = state.apply(Roll(2, 1))
    later = later.apply(later.legal_plays()[0])
    refused(later, Resign(2, 0), "declined")
    state = through(state, Resign(3, 0), Decline())
    refused(state, Resign(3, 0), "declined")
    assert through(won(state, 1), NextGame()).declined == (0, 0)


def test_or_until_the_next_turn() -> None:
    state = through(begun(new(7, declined_for="turn")), Resign(1, 0), Decline())
    refused(state, Resign(1, 0), "declined")
    state = state.apply(Roll(2, 1))
    refused(state, Resign(1, 0), "declined")
    state = state.apply(state.legal_plays()[0])
    assert state.apply(Resign(1, 0)).pending == "resignation"


def test_a_resigned_gammon_under_jacoby_with_the_cube_centred_pays_one() -> None:
    """GNU Backgammon calls it a single game and scores 2."""
    for level in (1, 2, 3):
        assert through(begun(new(0)), Resign(level, 0), Accept()).score == (0, 1)
        assert through(begun(new(0, jacoby=False)), Resign(level, 0), Accept()).score == (0, level)
        assert through(doubled(new(0), by=1), Resign(level, 0), Accept()).score == (0, 2 * level)


def test_no_third_level_where_a_game_has_no_triple() -> None:
    for rules in (bg.PLAKOTO, bg.FEVGA, bg.GUL_BARA, bg.rules.get("portes", preset="greek")):
        state = through(new(5, rules), OpeningRoll(2, 1))
        assert [a for a in state.actions() if isinstance(a, Resign)] == [Resign(n, p) for p in (0, 1) for n in (1, 2)]
        assert "level 1 to 2" in refused(state, Resign(3, 0), "no_triple")
        assert through(state, Resign(2, 1), Accept()).score == (2, 0)


# ---- what a drop pays, the end of a match, the next game


def test_a_drop_pays_the_value_before_the_double() -> None:
    state = begun(new(7), first=0).apply(Double()).apply(Drop())
    assert (state.score, state.result) == ((0, 1), (1, 1, "single", "drop"))
    state = doubled(new(7), by=0)
    state = through(state, Roll(2, 1))
    state = through(state, MakePlay(state.legal_plays()[0]), Double(), Drop())
    assert state.score == (0, 2)


@pytest.mark.parametrize("length", [1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 64, 1000])
def test_a_match_to_any_length(length: int) -> None:
    state, games, crawford = new(length), 0, []
    while not state.is_match_over:
        state = won(state, games % 2)
        games += 1
        if not state.is_match_over:
            state = state.apply(NextGame())
            if state.is_crawford:
                crawford.append(state.score)
    assert games == 2 * length - 1
    assert state.score == (length, length - 1)
    assert state.winner == 0
    assert crawford == ([] if length == 1 else [(length - 1, length - 2)])
    assert (state.actions(), state.to_act) == ((), None)


def test_a_match_to_one_point_has_neither_cube_nor_crawford_game() -> None:
    state = begun(new(1))
    assert (state.cube_in_play, state.is_crawford, kinds(state)) == (False, False, ["roll"])
    refused(state, Double(), "one_point_match")


def test_the_score_passes_the_length() -> None:
    state = won(new(3, score=(2, 0)), 0, "backgammon")
    assert (state.score, state.winner, state.is_match_over) == ((5, 0), 0, True)
    for action in (NextGame(), Roll(2, 1), Resign(1, 0), Forfeit(0, "match", reason="flag")):
        assert "player 0 has won it" in refused(state, action, "match_over")


def test_money_play_goes_on_and_on() -> None:
    state = new(0)
    for game in range(1, 6):
        assert state.game == game
        state = won(state, 1)
        assert state.score == (0, game)
        assert kinds(state) == ["next_game"]
        state = state.apply(NextGame())
        assert (state.phase, state.cube, state.position) == ("opening", 1, bg.BACKGAMMON.start)


def test_table_stakes() -> None:
    state = new(0, table_stakes=(5, 3), jacoby=False)
    state = won(state, 0, "gammon")
    assert (state.score, state.winner) == ((2, 0), None)
    state = won(state, 0, "backgammon")
    assert state.result == (0, 1, "backgammon", "play")
    assert (state.score, state.winner, state.actions()) == ((3, 0), 0, ())
    state = won(new(0, table_stakes=(5, 3), jacoby=False), 1, "backgammon")
    state = won(state, 0, "backgammon")  # what he has won can be lost again
    state = won(state, 0, "backgammon")
    assert (state.score, state.winner) == ((6, 3), 0)


def test_who_begins_the_next_game() -> None:
    def beginners(rule: str) -> list[int | None]:
        state, found = new(9, bg.BACKGAMMON.replace(next_first=rule)), []
        for winner in (1, 1, 0):
            state = begun(state, 0) if state.on_roll is None else state
            state = won(state, winner).apply(NextGame())
            found.append(state.on_roll)
        return found

    assert beginners("roll") == [None, None, None]
    assert beginners("winner") == [1, 1, 0]
    assert beginners("loser") == [0, 0, 1]
    assert beginners("alternate") == [1, 0, 1]


def test_who_begins_throws_both_dice_where_the_rules_say_so() -> None:
    state = through(new(5, bg.PLAKOTO), OpeningRoll(2, 5))
    assert (state.on_roll, state.phase, state.dice, state.rolls) == (1, "to_roll", None, (0, 0))
    state = state.apply(Roll(4, 4))
    assert (state.dice, state.rolls) == ((4, 4), (0, 1))


# ---- options of the cube


def test_the_limit_of_the_cube() -> None:
    state = doubled(doubled(new(0, cube_limit=4, beavers=2), by=0), by=1)
    assert state.cube == 4
    state = state.apply(Roll(2, 1))
    state = state.apply(state.legal_plays()[0])
    refused(state, Double(), "cube_limit")
    state = begun(new(0, cube_limit=4, beavers=3)).apply(Double())
    state = state.apply(Beaver())
    assert kinds(state) == ["take", "drop"]
    refused(state, Raccoon(), "cube_limit")
    assert through(new(0, cube_limit=2, automatic_doubles=9), *[OpeningRoll(1, 1)] * 5).cube == 2


def test_no_cube_goes_past_two_to_the_thirtieth() -> None:
    state = new(0)
    for turn in range(30):
        state = doubled(state, by=turn % 2)
    assert state.cube == 2**30
    state = state.apply(Roll(2, 1))
    state = state.apply(state.legal_plays()[0])
    refused(state, Double(), "cube_limit")
    assert won(state, 0, "backgammon").score == (3 * 2**30, 0)


def test_the_holland_rule() -> None:
    state = begun(new(5, score=(4, 2), crawford_played=True, holland=True), first=0)
    doubles = []
    for _ in range(5):
        doubles.append("offer" in kinds(state))
        state = state.apply(Roll(2, 1))
        state = state.apply(state.legal_plays()[0])
    assert state.rolls == (3, 3)
    assert doubles == [False, False, False, True, True]
    early = begun(new(5, score=(4, 2), crawford_played=True, holland=True))
    assert "rolled twice" in refused(early, Double(), "holland")
    assert "offer" in kinds(begun(new(5, holland=True)))


def test_games_without_a_cube() -> None:
    for rules in (bg.PORTES, bg.PLAKOTO, bg.FEVGA, bg.UZUN_TAVLA, bg.JACQUET):
        state = through(new(0, rules, automatic_doubles=2), OpeningRoll(3, 3))
        assert state.cube == 1
        state = begun(state)
        assert (state.cube_in_play, state.jacoby, kinds(state)[0]) == (False, False, "roll")
        refused(state, Double(), "no_cube")
    # Jacoby needs a cube: without one a gammon counts
    assert won(new(0, bg.UZUN_TAVLA), 0, "gammon").score == (2, 0)


def test_beavers_are_for_money_play() -> None:
    offer = begun(new(7)).apply(Double())
    assert "money play" in refused(offer, Beaver(), "money_only")
    offer = begun(new(0)).apply(Double())
    assert kinds(offer) == ["take", "drop"]
    refused(offer, Beaver(), "beavers")
    beaver = begun(new(0, beavers=2)).apply(Double())
    refused(beaver, Raccoon(), "not_due")
    refused(beaver.apply(Beaver()), Beaver(), "not_due")


# ---- turns


def test_a_turn_without_a_play() -> None:
    bar = position({25: 2, 6: 13}, {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
    state = through(begun(new(7)), Ruling("set up for a test", bar, 1), Roll(6, 5))
    assert (kinds(state), state.legal_plays()) == (["pass"], ())
    with pytest.raises(IllegalPlay):
        state.apply(MakePlay("13/8"))
    passed = state.apply(Pass())
    assert (passed.on_roll, passed.position, passed.phase) == (0, bar.flipped(), "to_roll")
    assert state.apply(MakePlay("Cannot Move")) == passed


def test_a_turn_with_a_play_is_not_passed() -> None:
    state = through(new(7), OpeningRoll(3, 1))
    assert "16 plays are legal" in refused(state, Pass(), "must_play")


def test_a_play_is_given_as_a_play_or_a_text() -> None:
    state = through(new(7), OpeningRoll(3, 1))
    play = bg.BACKGAMMON.check(state.position, (3, 1), "8/5 6/5")
    expected = state.apply(play)
    assert expected.position == play.result
    for spelling in (MakePlay(play), MakePlay("6/5 8/5"), MakePlay("8/5, 6/5"), MakePlay(bg.Play.parse("8/5 6/5"))):
        assert state.apply(spelling) == expected
    for merged in ("24/20", "24/21/20", "24/23/20"):
        assert state.apply(MakePlay(merged)) == state.apply(MakePlay("24/21 21/20"))


def test_an_illegal_play_says_why() -> None:
    state = through(new(7), OpeningRoll(3, 1))
    for text, reason in {
        "13/7": IllegalReason.DIE_NOT_ROLLED,
        "6/5": IllegalReason.MUST_PLAY_MORE,
        "24/18 6/5": IllegalReason.DIE_NOT_ROLLED,
        "7/4 6/5": IllegalReason.NOT_YOUR_CHECKER,
    }.items():
        with pytest.raises(IllegalPlay) as caught:
            state.apply(MakePlay(text))
        assert caught.value.reason is reason, text
    with pytest.raises(bg.FormatError):
        state.apply(MakePlay("eight five"))


def test_a_play_of_another_position_is_refused_though_its_moves_fit() -> None:
    state = through(new(7), OpeningRoll(2, 1))
    elsewhere = bg.BACKGAMMON.check(bg.NACKGAMMON.start, (2, 1), "13/11 6/5")
    with pytest.raises(IllegalPlay, match="made for another position"):
        state.apply(elsewhere)


def test_actions_that_stand_for_many_are_not_applied() -> None:
    assert "stands for any throw" in refused(new(7), OpeningRoll(), "no_dice")
    assert "stands for any roll" in refused(begun(new(7)), Roll(), "no_dice")
    assert "legal_plays" in refused(through(new(7), OpeningRoll(3, 1)), MakePlay(), "no_play")


def test_only_what_is_due() -> None:
    everything: list[Action] = [
        OpeningRoll(2, 1), Roll(2, 1), MakePlay("8/7"), Pass(), Double(), Take(), Drop(), Accept(), Decline(),
        NextGame(),
    ]  # fmt: skip
    states = {
        new(7): ({OpeningRoll}, "opening roll"),
        begun(new(7)): ({Roll, Double}, "player 1 is to roll"),
        begun(new(7)).apply(Double()): ({Take, Drop}, "player 0 has to answer a double"),
        begun(new(7)).apply(Resign(1, 0)): ({Accept, Decline}, "player 1 has to accept or decline"),
        won(new(7), 0): ({NextGame}, "NextGame sets up the next one"),
        through(new(7), OpeningRoll(3, 1)): ({MakePlay, Pass}, "player 0 is to make a play with 3-1"),
    }
    for state, (due, says) in states.items():
        for action in everything:
            if type(action) not in due:
                assert says in refused(state, action, "not_due"), (state, action)


def test_wrong_types() -> None:
    for wrong in (None, "roll", (3, 1), 5, Action.__new__(Action)):
        with pytest.raises(TypeError):
            new(7).apply(wrong)  # type: ignore[arg-type]


# ---- rulings and forfeits


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


# ---- options, and the value


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
    function, (version, rules, length, options, place, numbers, more) = through(new(7), OpeningRoll(3, 1)).__reduce__()
    assert function is restore
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
