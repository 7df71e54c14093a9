"""Conduct: the options of variants.md §13 and its examples TC-1 to TC-10, each both ways."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import bgcore as bg
from bgcore.match.actions import (
    Accept,
    Decline,
    Double,
    Drop,
    Forfeit,
    MakePlay,
    OpeningRoll,
    Pass,
    Resign,
    Roll,
    Ruling,
    Take,
)
from bgcore.match.clock import US, ClockRules
from bgcore.match.conduct import DIGITAL, FLAG, LATE, TAVLI, TOURNAMENT, ConductRules, Throw, VerdictKind, void_offer
from bgcore.match.entries import Reroll
from bgcore.match.state import MatchState
from bgcore.match.turn import Turn, moved

VALID, COCKED, MAY_DEMAND = VerdictKind.VALID, VerdictKind.COCKED, VerdictKind.MAY_DEMAND
GOOD = Throw((6, 4))
LEFT = GOOD._replace(right_side=(True, False))
ON_CHECKER = GOOD._replace(on_checker=(False, True))
LEANING = GOOD._replace(flat=(True, False))
CARELESS = GOOD._replace(shaken=False)


def opened(length: int = 5, **options: Any) -> MatchState:
    """Player 0 has opened with 3-1 and made his 5 point; player 1 is to roll."""
    return MatchState.new(length, **options).apply(OpeningRoll(3, 1)).apply(MakePlay("8/5 6/5"))


# ---- throws


@pytest.mark.parametrize(
    ("options", "throw", "kind"),
    [
        ({}, GOOD, VALID),
        ({}, LEANING, COCKED),  # TC-7
        ({"on_checker": "valid"}, LEANING, COCKED),
        ({}, ON_CHECKER, COCKED),
        ({"on_checker": "valid"}, ON_CHECKER, VALID),
        ({}, LEFT, COCKED),
        ({"wrong_side": "opponent_may_demand"}, LEFT, MAY_DEMAND),
        ({"wrong_side": "opponent_may_demand"}, LEFT._replace(flat=(False, True)), COCKED),
        ({}, GOOD._replace(on_board=(False, True)), COCKED),
        ({"equipment": "server"}, GOOD._replace(on_board=(False, True)), VALID),
    ],
)
def test_where_dice_fall(options: dict[str, Any], throw: Throw, kind: VerdictKind) -> None:
    verdict = ConductRules(**options).judge(throw)
    assert verdict.kind is kind
    assert not verdict.warning
    assert bool(verdict.reason) == (kind is not VALID)


@pytest.mark.parametrize(
    ("equipment", "changes", "says"),
    [
        ("cup_or_box", {"shaken": False}, "not shaken"),
        ("cup_or_box", {"together": False}, "not thrown together"),
        ("cup_or_box", {"by": "hand"}, "hand, not cup or baffle box"),
        ("cup_or_box", {"by": "baffle_box"}, ""),
        ("baffle_box", {"by": "cup"}, "cup, not baffle box"),
        ("cup", {"by": "cup"}, ""),
        ("hand", {"by": "hand"}, ""),
    ],
)
def test_careless_throws(equipment: Any, changes: dict[str, Any], says: str) -> None:
    """A warning at first; from then on the opponent may demand another throw."""
    rules, throw = ConductRules(equipment=equipment), GOOD._replace(**changes)
    first, second = rules.judge(throw), rules.judge(throw, warned=True)
    assert (first.kind, first.warning, says in first.reason) == (VALID, bool(says), True)
    assert (second.kind, second.warning, says in second.reason) == (MAY_DEMAND if says else VALID, False, True)
    assert replace(rules, careless="ignore").judge(throw, warned=True) == (VALID, "", False)


def test_careless_and_on_the_wrong_side() -> None:
    rules = ConductRules(wrong_side="opponent_may_demand")
    verdict = rules.judge(LEFT._replace(shaken=False))
    assert (verdict.kind, verdict.reason, verdict.warning) == (MAY_DEMAND, "a die lies on the wrong side", True)


def test_cocked_dice_are_both_thrown_again() -> None:
    turn = Turn.begin(TOURNAMENT, opened()).throw(LEANING)
    assert turn.phase == "throw"
    assert turn.log == (Reroll((6, 4), 1, "a die does not lie flat"),)
    turn = turn.throw(Throw((2, 5)))
    assert (turn.phase, turn.log[1:]) == ("play", (Roll(2, 5),))
    assert turn.state.dice == (5, 2)


@pytest.mark.parametrize("demands", [True, False])
def test_thrown_on_the_wrong_side(demands: bool) -> None:
    turn = Turn.begin(ConductRules(wrong_side="opponent_may_demand"), opened()).throw(LEFT)
    assert turn.phase == "demand"
    with pytest.raises(bg.RuleError, match="phase 'demand'"):
        turn.move(24, 18)
    if demands:
        turn = turn.demand()
        assert turn.log == (Reroll((6, 4), 1, "demanded: a die lies on the wrong side"),)
        turn = turn.throw(Throw((3, 3)))
        assert turn.state.dice == (3, 3)
    else:
        turn = turn.waive()
        assert (turn.phase, turn.log, turn.state.dice) == ("play", (Roll(6, 4),), (6, 4))
    for call in (turn.demand, turn.waive):
        with pytest.raises(bg.RuleError, match="not time to"):
            call()


def test_careless_twice() -> None:
    """A warning that is handed on from turn to turn, then a re-roll on demand; the other player has his own."""
    turn = Turn.begin(TOURNAMENT, opened()).throw(CARELESS)
    assert (turn.phase, turn.warned) == ("play", (False, True))
    turn = turn.move(24, 18).move(13, 9).complete("lift_dice")
    theirs = Turn.begin(TOURNAMENT, turn.state, warned=turn.warned).throw(Throw((6, 5), shaken=False))
    assert (theirs.phase, theirs.warned) == ("play", (True, True))
    theirs = theirs.move(24, 18).move(18, 13).complete("lift_dice")
    mine = Turn.begin(TOURNAMENT, theirs.state, warned=theirs.warned).throw(CARELESS)
    assert mine.phase == "demand"
    assert mine.demand().throw(CARELESS).phase == "demand"  # and again
    assert mine.waive().phase == "play"


# ---- plays


def test_a_play_changes_freely_until_the_dice_are_lifted_and_never_after() -> None:
    turn = Turn.begin(TOURNAMENT, opened()).throw(GOOD)
    turn = turn.move(24, 14).take_back().move(24, 18).move(13, 9)
    assert turn.position.counts[0, 9] == turn.position.counts[0, 18] == 1
    assert turn.log == (Roll(6, 4),)
    turn = turn.take_back().take_back().move(24, 20).move(20, 14)
    assert len(turn.moves) == 2
    done = turn.complete("lift_dice")
    assert done.phase == "over"
    assert str(done.log[1]) == str(MakePlay(opened().apply(Roll(6, 4)).rules.check(
        opened().position, (6, 4), "24/14")))  # fmt: skip
    assert done.state == opened().apply(Roll(6, 4)).apply(MakePlay("24/14"))
    for call in (done.take_back, lambda: done.move(24, 23), lambda: done.complete("lift_dice"), lambda: done.notice(0)):
        with pytest.raises(bg.RuleError):
            call()


def test_nothing_to_take_back() -> None:
    with pytest.raises(bg.RuleError, match="none was made"):
        Turn.begin(TOURNAMENT, opened()).throw(GOOD).take_back()


def test_touch_move() -> None:
    turn = Turn.begin(ConductRules(touch_move=True), opened()).throw(GOOD).move(24, 18)
    with pytest.raises(bg.RuleError, match="touch_move"):
        turn.take_back()
    assert turn.move(13, 9).complete("lift_dice").phase == "over"


@pytest.mark.parametrize(
    ("rules", "by"),
    [
        (TOURNAMENT, "lift_dice"), (ConductRules(clock=US), "press_clock"), (DIGITAL, "confirm"),
        (ConductRules(completion="announce"), "announce"),
        (ConductRules(clock=US, completion="lift_dice"), "lift_dice"),
    ],
)  # fmt: skip
def test_what_completes_a_play(rules: ConductRules, by: Any) -> None:
    turn = Turn.begin(rules, opened()).throw(GOOD).move(24, 18).move(18, 14)
    for other in ("lift_dice", "press_clock", "confirm", "announce"):
        if other != by:
            with pytest.raises(bg.RuleError, match=f"completed by {by}, not by {other}"):
                turn.complete(other)  # type: ignore[arg-type]
    assert turn.complete(by).phase == "over"


def test_a_turn_without_a_play() -> None:
    closed = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
    counts = [[0] * 26, [0] * 26]
    for point, n in closed.items():
        counts[1][point] = n
    counts[0][25], counts[0][6] = 1, 14
    start = opened().apply(Ruling("set up", bg.Position.from_counts(counts), 1))
    turn = Turn.begin(TOURNAMENT, start).throw(GOOD).complete("lift_dice")
    assert turn.log == (Roll(6, 4), Pass())


def illegal(conduct: ConductRules) -> Turn:
    """Player 1 has moved 24/18 and then 13/10 with 6-4, and completed that."""
    return Turn.begin(conduct, opened()).throw(GOOD).move(24, 18).move(13, 10).complete("lift_dice")


def test_an_illegal_play_noticed_in_time() -> None:
    """TC-6: restored, and the same dice are played again.  Whoever notices it, the player himself included."""
    for noticed_by in (0, 1):
        turn = illegal(TOURNAMENT)
        assert (turn.phase, turn.log) == ("illegal", (Roll(6, 4),))
        assert turn.position.counts[0, 10] == 1
        turn = turn.notice(noticed_by)  # type: ignore[arg-type]
        assert (turn.phase, turn.moves, turn.log) == ("play", (), (Roll(6, 4),))
        assert turn.position == opened().position
        done = turn.move(24, 18).move(13, 9).complete("lift_dice")
        assert done.state == opened().apply(Roll(6, 4)).apply(MakePlay("24/18 13/9"))


@pytest.mark.parametrize("what", ["rolls", "doubles"])
def test_an_illegal_play_noticed_too_late(what: str) -> None:
    """TC-6: after the opponent's valid roll or double it stands."""
    turn = illegal(TOURNAMENT)
    lying = turn.position
    turn = turn.opponent_rolls(Throw((2, 2))) if what == "rolls" else turn.opponent_doubles()
    roll, ruling, after = turn.log
    assert roll == Roll(6, 4)
    assert isinstance(ruling, Ruling)
    assert (ruling.position, ruling.on_roll) == (lying.flipped(), 0)
    assert "illegal play stands" in ruling.reason
    assert after == (Roll(2, 2) if what == "rolls" else Double())
    assert turn.phase == "over"
    assert turn.state.position == lying.flipped()
    with pytest.raises(bg.RuleError, match="it stands"):
        turn.notice(0)


def test_a_cocked_roll_of_the_opponent_settles_nothing() -> None:
    turn = illegal(TOURNAMENT)
    with pytest.raises(bg.RuleError, match="no roll"):
        turn.opponent_rolls(LEANING)
    assert turn.notice(0).phase == "play"


def test_under_legal_moves_nobody_lets_it_stand() -> None:
    with pytest.raises(bg.RuleError, match="must be corrected"):
        illegal(TOURNAMENT).let_stand()


@pytest.mark.parametrize("option", ["responsible_moves", "opponent_may_refuse"])
def test_an_illegal_play_refused_or_accepted(option: Any) -> None:
    turn = illegal(ConductRules(illegal_play=option))
    with pytest.raises(bg.RuleError, match="only player 0"):
        turn.notice(1)
    assert turn.notice(0).phase == "play"
    stands = turn.let_stand()
    assert stands.phase == "over"
    assert stands.state.position == turn.position.flipped()
    assert (stands.state.on_roll, stands.state.phase) == (0, "to_roll")
    with pytest.raises(bg.RuleError):
        stands.notice(0)
    assert isinstance(turn.opponent_rolls(Throw((2, 1))).log[1], Ruling)


def test_correctable_until_the_next_play_is_completed() -> None:
    """The US proposal of 2013: the opponent's roll is withdrawn."""
    turn = illegal(ConductRules(illegal_play="next_play")).opponent_rolls(Throw((2, 2)))
    assert turn.phase == "open"
    corrected = turn.notice(0)
    ruling = corrected.log[-1]
    assert isinstance(ruling, Ruling)
    assert (ruling.position, ruling.on_roll, ruling.dice) == (opened().position, 1, (6, 4))
    assert (corrected.phase, corrected.state.dice, corrected.state.on_roll) == ("play", (6, 4), 1)
    done = corrected.move(24, 18).move(18, 14).complete("lift_dice")
    assert done.state.position == opened().apply(Roll(6, 4)).apply(MakePlay("24/14")).position
    settled = turn.opponent_completes()
    assert settled.phase == "over"
    with pytest.raises(bg.RuleError, match="it stands"):
        settled.notice(0)
    with pytest.raises(bg.RuleError, match="only an illegal play"):
        settled.opponent_completes()


def test_correcting_an_opening_play() -> None:
    """The dice that are played again are those of the opening throw."""
    start = MatchState.new(5).apply(OpeningRoll(3, 1))
    turn = Turn.begin(ConductRules(illegal_play="next_play"), start).move(8, 5).move(6, 4).complete("lift_dice")
    corrected = turn.opponent_rolls(Throw((6, 6))).notice(1)
    assert corrected.state.dice == (3, 1)
    assert corrected.move(8, 5).move(6, 5).complete("lift_dice").phase == "over"


def test_a_platform_rejects_what_is_illegal() -> None:
    turn = Turn.begin(DIGITAL, opened()).throw(GOOD)
    with pytest.raises(bg.IllegalPlay, match="24/19 leads to no legal play"):
        turn.move(24, 19)
    with pytest.raises(bg.IllegalPlay) as caught:
        turn.move(24, 18).complete("confirm")
    assert caught.value.reason is bg.IllegalReason.MUST_PLAY_MORE
    with pytest.raises(bg.IllegalPlay):
        turn.complete("confirm")
    assert turn.move(24, 18).move(13, 9).complete("confirm").phase == "over"


def test_what_can_be_no_position_can_not_be_completed() -> None:
    """Player 1's 20 is player 0's 5, where two of his checkers stand."""
    turn = Turn.begin(TOURNAMENT, opened()).throw(GOOD).move(24, 20).move(13, 7)
    with pytest.raises(bg.RuleError, match="SHARED_POINT"):
        turn.complete("lift_dice")
    assert turn.take_back().take_back().phase == "play"


@pytest.mark.parametrize(("source", "target"), [(25, 20), (26, 3), (0, 1), (24, 25), (12, 3), ("24", 3), (24, -1)])
def test_moves_that_nobody_can_make(source: Any, target: Any) -> None:
    with pytest.raises(bg.RuleError):
        Turn.begin(TOURNAMENT, opened()).throw(GOOD).move(source, target)


def test_moves_hit_and_pin_as_the_game_says() -> None:
    counts = [[0] * 26, [0] * 26]
    counts[0][13], counts[1][20], counts[0][1], counts[1][1] = 2, 1, 13, 14
    position = bg.Position.from_counts(counts)
    after, move = moved(bg.BACKGAMMON, position, 13, 5)
    assert move.hit
    assert (after.counts[1, 25], after.counts[1, 20]) == (1, 0)
    after, move = moved(bg.PLAKOTO, position, 13, 5)
    assert move.pin
    assert after.pinned[1, 20]
    again, _ = moved(bg.PLAKOTO, after, 5, 2)
    assert not again.pinned.any()
    with pytest.raises(bg.RuleError, match="free"):
        moved(bg.PLAKOTO, after.flipped(), 20, 3)
    after, move = moved(bg.FEVGA, position, 13, 8)  # the opponent's 20: contact, but nothing to hit with
    assert (move.hit, move.pin, after.counts[1, 20]) == (False, False, 1)


# ---- too early


def test_a_premature_roll_stands() -> None:
    """TC-8: the player goes on knowing it."""
    turn = Turn.begin(TOURNAMENT, opened()).throw(GOOD).move(24, 18).opponent_rolls(Throw((5, 5)))
    assert (turn.phase, turn.premature) == ("play", Throw((5, 5)))
    turn = turn.take_back().move(24, 14).complete("lift_dice")
    assert turn.log[2:] == (Roll(5, 5),)
    assert (turn.state.on_roll, turn.state.dice) == (0, (5, 5))
    with pytest.raises(bg.RuleError, match="begins the next one"):
        turn.opponent_rolls(Throw((1, 1)))
    done = Turn.begin(TOURNAMENT, opened()).throw(GOOD).move(24, 14).complete("lift_dice")
    with pytest.raises(bg.RuleError, match="begins the next one"):
        done.opponent_rolls(Throw((1, 1)))


def test_a_premature_roll_does_not_count() -> None:
    turn = Turn.begin(TAVLI, opened()).throw(GOOD._replace(by="hand")).opponent_rolls(Throw((5, 5), by="hand"))
    assert turn.premature is None
    assert turn.log[1:] == (Reroll((5, 5), 0, "premature roll"),)
    turn = turn.move(24, 14).complete("lift_dice")
    assert turn.state.phase == "to_roll"


@pytest.mark.parametrize("stands", [True, False])
def test_a_premature_roll_is_for_the_player_to_judge(stands: bool) -> None:
    rules = ConductRules(premature_roll="opponent_chooses")
    turn = Turn.begin(rules, opened()).throw(GOOD)
    with pytest.raises(bg.RuleError, match="stands="):
        turn.opponent_rolls(Throw((5, 5)))
    turn = turn.opponent_rolls(Throw((5, 5)), stands=stands).move(24, 14).complete("lift_dice")
    assert turn.state.dice == ((5, 5) if stands else None)
    with pytest.raises(bg.RuleError, match="stands="):
        Turn.begin(TOURNAMENT, opened()).throw(GOOD).opponent_rolls(Throw((5, 5)), stands=True)


def test_a_second_premature_roll() -> None:
    turn = Turn.begin(TOURNAMENT, opened()).throw(GOOD).opponent_rolls(Throw((5, 5)))
    with pytest.raises(bg.RuleError, match="already"):
        turn.opponent_rolls(Throw((6, 6)))
    with pytest.raises(bg.RuleError, match="already"):
        turn.opponent_doubles()


def test_a_premature_roll_when_the_play_ends_the_game() -> None:
    counts = [[0] * 26, [0] * 26]
    counts[0][0], counts[0][1], counts[1][1] = 14, 1, 15
    start = opened().apply(Ruling("set up", bg.Position.from_counts(counts), 1))
    turn = Turn.begin(TOURNAMENT, start).throw(GOOD).opponent_rolls(Throw((5, 5))).move(1, 0).complete("lift_dice")
    assert [entry.kind for entry in turn.log if not isinstance(entry, Reroll)] == ["roll", "play"]
    assert turn.state.is_game_over


@pytest.mark.parametrize("option", ["stands", "void"])
def test_the_cube_offered_too_early(option: Any) -> None:
    turn = Turn.begin(ConductRules(premature_cube=option), opened()).throw(GOOD).opponent_doubles()
    assert turn.doubled_early == (option == "stands")
    turn = turn.move(24, 14).complete("lift_dice")
    assert turn.log[2:] == ((Double(),) if option == "stands" else ())
    assert turn.state.phase == ("offered" if option == "stands" else "to_roll")
    says = "already" if option == "stands" else "belongs to the next one"
    with pytest.raises(bg.RuleError, match=says):
        turn.opponent_doubles()


@pytest.mark.parametrize("noticed", [True, False])
def test_a_premature_roll_before_an_illegal_play(noticed: bool) -> None:
    """The roll stands either way; if nobody notices, the play does as well."""
    turn = Turn.begin(TOURNAMENT, opened()).throw(GOOD).opponent_rolls(Throw((5, 5)))
    turn = turn.move(24, 18).move(13, 10).complete("lift_dice")
    assert turn.phase == "illegal"
    with pytest.raises(bg.RuleError, match="already"):
        turn.opponent_rolls(Throw((1, 1)))
    if noticed:
        done = turn.notice(0).move(24, 14).complete("lift_dice")
        assert [entry.kind for entry in done.log] == ["roll", "play", "roll"]  # type: ignore[union-attr]
    else:
        done = turn.opponent_completes()
        assert [entry.kind for entry in done.log] == ["roll", "ruling", "roll"]  # type: ignore[union-attr]
    assert (done.phase, done.state.dice, done.state.on_roll) == ("over", (5, 5), 0)


def test_an_early_double_before_an_illegal_play() -> None:
    turn = Turn.begin(ConductRules(illegal_play="responsible_moves"), opened()).throw(GOOD).opponent_doubles()
    turn = turn.move(24, 18).move(13, 10).complete("lift_dice")
    with pytest.raises(bg.RuleError, match="waits for an answer"):
        turn.opponent_rolls(Throw((1, 1)))
    stands = turn.let_stand()
    assert [entry.kind for entry in stands.log] == ["roll", "ruling", "offer"]  # type: ignore[union-attr]
    assert stands.state.pending == "double"


def test_an_early_double_that_is_not_allowed() -> None:
    """At the Crawford game the state refuses it."""
    start = MatchState.new(5, score=(4, 0)).apply(OpeningRoll(3, 1))
    turn = Turn.begin(TOURNAMENT, start).opponent_doubles().move(8, 5).move(6, 5)
    with pytest.raises(bg.RuleError, match="Crawford"):
        turn.complete("lift_dice")


def test_a_turn_begins_with_a_roll_or_a_play() -> None:
    for state in (MatchState.new(5), opened().apply(Double()), opened().apply(Resign(1, 0))):
        with pytest.raises(bg.RuleError, match="a turn begins"):
            Turn.begin(TOURNAMENT, state)


# ---- off the board


def test_a_flag() -> None:
    rules = ConductRules(clock=ClockRules(delay_ms=12_000))
    clock = rules.clock.start(5).start(0, at=0)  # type: ignore[union-attr]
    assert rules.judge_clock(clock, at=612_000) is None  # exactly nothing left
    assert rules.judge_clock(clock, at=612_001) == Forfeit(0, "match", None, FLAG)
    assert replace(rules, flag="lose_game").flag_forfeit(1) == Forfeit(1, "game", None, FLAG)
    assert replace(rules, flag="penalty_points", flag_points=2).flag_forfeit(1) == Forfeit(1, "points", 2, FLAG)


@pytest.mark.parametrize(
    ("minutes", "length", "costs"),
    [
        (4.99, 7, None), (5, 7, 1), (9.99, 7, 1), (10, 7, 2), (15, 7, 3), (20, 7, "match"),
        (5, 1, "match"), (10, 4, 2), (15, 5, "match"), (60, 0, 12),
    ],
)  # fmt: skip
def test_late_arrival(minutes: float, length: int, costs: int | str | None) -> None:
    """One point from five minutes on, one more for each further five; more than half of the length loses the match."""
    expected = None
    if costs is not None:
        expected = Forfeit(1, "match", None, LATE) if costs == "match" else Forfeit(1, "points", costs, LATE)  # type: ignore[arg-type]
    assert TOURNAMENT.late_arrival(1, int(minutes * 60_000), length) == expected


def test_late_arrival_by_other_rules() -> None:
    rules = ConductRules(late_after_ms=600_000, late_step_ms=60_000, late_points=2, late_loses=False)
    assert rules.late_arrival(0, 599_999, 3) is None
    assert rules.late_arrival(0, 660_000, 3) == Forfeit(0, "points", 4, LATE)
    assert MatchState.new(7).apply(Forfeit(0, "points", 1, LATE)).score == (0, 1)


def test_an_offer_in_the_crawford_game() -> None:
    """Found while the game goes on, or after it was scored; found at once the state refuses it."""
    start = MatchState.new(5, score=(4, 2))
    with pytest.raises(bg.RuleError, match="Crawford"):
        start.apply(OpeningRoll(3, 1)).apply(MakePlay("8/5 6/5")).apply(Double())
    assert void_offer((4, 2)).cube == (1, None)
    # player 1 won a gammon with a cube of 2: 4 points written, 2 are his
    assert void_offer((4, 6), winner=1, points=4, cube=2).score == (4, 4)
    assert void_offer((4, 3), winner=1, points=1, cube=1).score == (4, 3)  # a drop cost what it would have
    over = start.apply(OpeningRoll(3, 1)).apply(Resign(2, 0)).apply(Accept())
    assert over.score == (4, 4)
    written = over.apply(Ruling("as it was written", score=(4, 6)))
    assert written.apply(void_offer((4, 6), winner=1, points=4, cube=2)).score == (4, 4)
    for points, cube in ((3, 2), (0, 1), (2, 0), (8, 2)):
        with pytest.raises(bg.RuleError, match="can't have paid"):
            void_offer((4, 6), winner=1, points=points, cube=cube)


# ---- the remaining examples, through the state


def test_tc_5_opening_ties() -> None:
    state = MatchState.new(5).apply(OpeningRoll(4, 4))
    assert (state.phase, state.cube) == ("opening", 1)
    state = state.apply(OpeningRoll(6, 2))
    assert (state.on_roll, state.dice) == (0, (6, 2))


def test_tc_9_a_second_offer_before_the_owner_has_redoubled() -> None:
    state = opened().apply(Double()).apply(Take())
    assert (state.cube, state.cube_owner) == (2, 0)
    state = state.apply(Roll(6, 4)).apply(MakePlay("24/14")).apply(Roll(2, 1)).apply(MakePlay("13/11 6/5"))
    with pytest.raises(bg.RuleError) as caught:
        state.apply(Double())
    assert caught.value.rule == "not_owner"


def test_tc_10_a_resignation() -> None:
    state = opened().apply(Double()).apply(Take()).apply(Resign(2, 1))
    assert state.apply(Accept()).score == (4, 0)
    declined = state.apply(Decline())
    assert (declined.phase, declined.declined) == ("to_roll", (0, 2))
    assert opened().apply(Double()).apply(Drop()).score == (0, 1)


# ---- the value


@pytest.mark.parametrize(
    "options",
    [
        {"equipment": "fist"}, {"on_checker": "maybe"}, {"wrong_side": "left"},
        {"careless": ""},
        {"premature_roll": None}, {"premature_cube": "x"},
        {"touch_move": 1}, {"completion": "shout"}, {"illegal_play": "ok"}, {"flag": "lose"},
        {"flag_points": 0}, {"late_points": 1.5}, {"late_after_ms": -1}, {"late_step_ms": 0}, {"late_loses": None},
        {"completion": "press_clock"},
    ],
)  # fmt: skip
def test_options_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(bg.RuleError):
        ConductRules(**options)


def test_a_clock_that_is_none() -> None:
    with pytest.raises(TypeError):
        ConductRules(clock="delay")  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", [TOURNAMENT, DIGITAL, TAVLI, ConductRules(clock=US, flag="lose_game")])
def test_rules_as_json(rules: ConductRules) -> None:
    assert ConductRules.from_json(rules.to_json()) == rules
    with pytest.raises(bg.FormatError):
        ConductRules.from_json(rules.to_json() | {"flag": "x"})
    with pytest.raises(bg.FormatError):
        ConductRules.from_json({"clock": {"kind": "sundial"}})
    with pytest.raises(bg.FormatError):
        ConductRules.from_json({"speed": 3})
