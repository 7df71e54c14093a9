"""Gül Bar: what pays, when a match ends, and matches at random counted once more."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.dice import SeededDice
from bgcore.match.gul_bar import BONUSES, PREDICATES, Bonus, GulBar, Seen, closed_points
from bgcore.match.random_game import random_game
from bgcore.rules import FEVGA, KIRIK_TAVLA, PLAKOTO, PORTES, UZUN_TAVLA

Side = Mapping[int, int]
STUCK: Side = {25: 3, 13: 5, 8: 3, 6: 4}
CLOSED_HOME: Side = {8: 2, 6: 3, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}


def position(own: Side, opp: Side, own_pinned: tuple[int, ...] = (), opp_pinned: tuple[int, ...] = ()) -> bg.Position:
    rows = []
    for side in (own, opp):
        row = [side.get(point, 0) for point in range(26)]
        row[0] = 15 - sum(row[1:])
        rows.append(row)
    pinned = np.zeros((2, 26), bool)
    pinned[0, list(own_pinned)] = True
    pinned[1, list(opp_pinned)] = True
    return bg.Position.from_counts(rows, pinned if pinned.any() else None)


def earned(match: GulBar, own: Side, opp: Side, **pins: Any) -> tuple[int, int]:
    """What a turn of player 0 pays that has ended here, or rather passed."""
    return match.after_turn(0, position(own, opp, **pins), (6, 6)).scores


# ---- the end of a match


def test_gb_s5_the_bonus_ends_the_match_at_once() -> None:
    match = GulBar(scores=(27, 20))
    assert match.winner is None
    over = match.after_turn(1, position(STUCK, CLOSED_HOME), (6, 5))
    assert (over.scores, over.winner, over.first) == ((32, 20), 0, None)
    for further in (
        lambda: over.after_turn(0, UZUN_TAVLA.start, (2, 1)),
        lambda: over.after_game(0, position({}, {6: 7})),
    ):
        with pytest.raises(bg.RuleError, match="player 0 has won it 32-20"):
            further()


def test_or_only_when_the_game_is_over() -> None:
    match = GulBar(scores=(27, 20), match_end="game_end").after_turn(1, position(STUCK, CLOSED_HOME), (6, 5))
    assert (match.scores, match.winner) == ((32, 20), None)
    # the other one wins the game, and with it the match
    assert match.after_game(1, position({}, {6: 15})).winner == 1
    assert match.after_game(1, position({}, {6: 7})).winner == 0
    level = match.after_game(1, position({}, {6: 12}))
    assert (level.scores, level.winner) == ((32, 32), None)


def test_a_game_is_added_to_the_score() -> None:
    match = GulBar().after_game(0, position({}, {6: 7})).after_game(1, position({}, {6: 1}))
    assert (match.scores, match.games, match.winner) == ((7, 1), 2, None)
    assert GulBar(scores=(30, 3)).after_game(0, position({}, {6: 1})).winner == 0
    assert GulBar(scores=(29, 3)).after_game(0, position({}, {6: 1})).winner is None


def test_a_drawn_game_pays_nobody() -> None:
    drawn = position({24: 1, 6: 13, 1: 1}, {24: 1, 6: 13, 1: 1}, (24,), (24,))
    match = GulBar(base=PLAKOTO).after_game(None, drawn)
    assert (match.scores, match.games, match.first) == ((0, 0), 1, None)


def test_who_begins() -> None:
    assert GulBar().after_game(0, position({}, {6: 1})).first is None  # Uzun Tavla: the dice
    greek = bg.rules.get("portes", preset="greek")
    assert GulBar(base=greek).after_game(1, position({}, {6: 1})).first == 1
    assert GulBar(next_first="loser").after_game(1, position({}, {6: 1})).first == 0
    alternate = GulBar(next_first="alternate")
    assert alternate.after_game(1, position({}, {6: 1}), first=1).first == 0
    with pytest.raises(bg.RuleError, match="first="):
        alternate.after_game(1, position({}, {6: 1}))


# ---- the blockade


def test_a_blockade_pays_every_time() -> None:
    match = GulBar()
    for n in (1, 2, 3):
        match = match.after_turn(1, position(STUCK, CLOSED_HOME), (6, 5))
        assert match.scores == (5 * n, 0)


def test_other_points_and_none() -> None:
    assert GulBar(blockade=2).after_turn(0, position(STUCK, CLOSED_HOME), (6, 5)).scores == (0, 2)
    assert GulBar(blockade=0).after_turn(0, position(STUCK, CLOSED_HOME), (6, 5)).scores == (0, 0)


def test_same_dice_or_any_roll() -> None:
    """Five points are closed to the three on the bar, and the one who holds them has no 5 himself."""
    shut = position({25: 3, 13: 5, 6: 7}, {17: 5, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    assert UZUN_TAVLA.count_plays(shut, (5, 5)) == UZUN_TAVLA.count_plays(shut.flipped(), (5, 5)) == 0
    assert GulBar().after_turn(0, shut, (5, 5)).scores == (0, 0)
    assert GulBar(blocked_test="any_roll").after_turn(0, shut, (5, 5)).scores == (0, 5)


def test_a_turn_that_was_played_pays_nothing() -> None:
    start = UZUN_TAVLA.start
    for play in UZUN_TAVLA.legal_plays(start, (6, 5)):
        assert GulBar().after_turn(0, start, (6, 5), play.result).scores == (0, 0)


def test_a_finished_game_pays_no_blockade() -> None:
    assert GulBar().after_turn(0, position({}, {6: 3}), (6, 5)).scores == (0, 0)


# ---- further configurations

PAYING = GulBar(blockade=0, bonuses=(Bonus("six_prime", 1), Bonus("home_closed", 10), Bonus("all_home_first", 100)))
PRIME: Side = {12: 2, 11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 2: 3}


@pytest.mark.parametrize(
    ("own", "opp", "points"),
    [
        (PRIME, {24: 2, 1: 13}, 1),
        ({**PRIME, 12: 1, 2: 4}, {24: 2, 1: 13}, 0),  # a blot is no closed point
        ({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {25: 1, 6: 14}, 11),
        ({6: 3, 5: 3, 4: 3, 3: 2, 2: 2}, {25: 1, 6: 14}, 0),
        ({6: 5, 5: 5, 4: 5}, {25: 1, 24: 14}, 100),
        ({6: 5, 5: 5, 4: 5}, {25: 1, 24: 13, 6: 1}, 0),  # one of his is home
        ({6: 5, 5: 5, 4: 5}, {25: 1, 24: 13}, 0),  # or off
        ({7: 1, 5: 9, 4: 5}, {25: 1, 24: 14}, 0),
        ({6: 1}, {25: 1, 24: 14}, 100),
        ({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {25: 1, 10: 14}, 111),
    ],
)
def test_configurations(own: Side, opp: Side, points: int) -> None:
    assert earned(PAYING, own, opp) == (points, 0)
    # not at the opponent's turn
    assert PAYING.after_turn(1, position(opp, own), (6, 6)).scores[0] == 0


def test_nothing_is_paid_for_them_by_default() -> None:
    assert GulBar().bonuses == BONUSES
    assert [bonus.points for bonus in BONUSES] == [0, 0, 0]
    assert earned(GulBar(), {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {10: 15}) == (0, 0)


def test_a_prime_on_parallel_boards_wraps_on_the_own_path() -> None:
    fevga = GulBar(base=FEVGA, blockade=0, bonuses=(Bonus("six_prime", 1),))
    wrapped: Side = {24: 2, 23: 2, 22: 2, 3: 1, 2: 1, 1: 1, 10: 6}  # the opponent's 15 to 10
    assert earned(fevga, wrapped, {24: 15}) == (1, 0)
    assert earned(fevga, {**wrapped, 3: 0, 10: 7}, {24: 15}) == (0, 0)
    # own 15 to 10 are the opponent's 3, 2, 1, 24, 23, 22: six in a row for the mover, but not on the opponent's path
    assert earned(fevga, {15: 3, 14: 3, 13: 3, 12: 2, 11: 2, 10: 2}, {14: 15}) == (0, 0)
    # on contrary boards nothing wraps
    straight = GulBar(blockade=0, bonuses=(Bonus("six_prime", 1),))
    assert earned(straight, {24: 3, 23: 2, 22: 2, 3: 2, 2: 3, 1: 3}, {12: 15}) == (0, 0)


def test_pinned_checkers_and_closed_points() -> None:
    assert closed_points(PLAKOTO, position({24: 13, 6: 1, 5: 1}, {24: 14, 19: 1}, (), (19,))) == {24, 6}
    # one that lies pinned does not hold the point; it is the opponent's
    mine = position({24: 14, 19: 1}, {24: 13, 6: 1, 5: 1}, (19,), ())
    assert closed_points(PLAKOTO, mine) == {24}
    assert closed_points(FEVGA, position({24: 13, 6: 1, 5: 1}, {24: 15})) == {24, 6, 5}
    assert closed_points(UZUN_TAVLA, UZUN_TAVLA.start) == {24, 13, 8, 6}


def test_once_a_game_or_at_every_turn() -> None:
    closed: tuple[Side, Side] = (CLOSED_HOME, {25: 2, 12: 13})
    for once, expected in ((True, [3, 3, 6]), (False, [3, 6, 9])):
        match = GulBar(bonuses=(Bonus("home_closed", 3, once),))
        found = []
        for _ in range(2):
            match = match.after_turn(0, position(*closed), (2, 1))
            found.append(match.scores[0])
        # a new game
        match = match.after_game(1, position({}, {6: 1}))
        found.append(match.after_turn(0, position(*closed), (2, 1)).scores[0])
        assert found == expected


def test_each_player_can_earn_it_once() -> None:
    match = GulBar(bonuses=(Bonus("home_closed", 3),))
    for player in (0, 1, 0, 1):
        match = match.after_turn(player, position(CLOSED_HOME, {12: 15}), (2, 1))  # type: ignore[arg-type]
    assert match.scores == (3, 3)


def rolled_seven(rules: bg.Rules, seen: Seen) -> bool:
    return seen.mine and sum(seen.dice) == 7


def test_a_predicate_of_ones_own() -> None:
    match = GulBar(bonuses=(Bonus(rolled_seven, 2, once_per_game=False),))
    start, play = UZUN_TAVLA.start, UZUN_TAVLA.legal_plays(UZUN_TAVLA.start, (6, 1))[0]
    assert match.after_turn(0, start, (1, 6), play.result).scores == (2, 0)
    assert match.after_turn(1, start, (6, 1), play.result).scores == (0, 2)
    play = UZUN_TAVLA.legal_plays(start, (6, 2))[0]
    assert match.after_turn(0, start, (6, 2), play.result).scores == (0, 0)


def test_both_may_come_to_the_target_with_one_turn() -> None:
    bonuses = (Bonus("home_closed", 5),)
    stuck = position({25: 1, 6: 4, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, {6: 4, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 7: 1})
    assert UZUN_TAVLA.count_plays(stuck, (6, 5)) == 0
    match = GulBar(scores=(27, 27), bonuses=bonuses).after_turn(0, stuck, (6, 5))
    assert (match.scores, match.winner) == ((32, 32), None)  # the blockade for one, the closed home for the other
    assert GulBar(scores=(27, 28), bonuses=bonuses).after_turn(0, stuck, (6, 5)).winner == 1


# ---- what is refused


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: GulBar(target=0), "target"),
        (lambda: GulBar(match_end="never"), "match_end"),
        (lambda: GulBar(blocked_test="no"), "blocked_test"),
        (lambda: GulBar(blockade=-1), "blockade"),
        (lambda: GulBar(next_first="dice"), "next_first"),
        (lambda: Bonus("gammon"), "six_prime"),
        (lambda: Bonus("six_prime", -1), "0 points or more"),
        (lambda: Bonus("six_prime", 1.5), "0 points or more"),
        (lambda: GulBar().after_turn(2, UZUN_TAVLA.start, (2, 1)), "a player is 0 or 1"),
        (lambda: GulBar().after_turn(0, UZUN_TAVLA.start, (7, 1)), "a die shows"),
        (lambda: GulBar().after_turn(0, bg.HYPERGAMMON.start, (2, 1)), "checkers"),
        (lambda: GulBar().after_game(2, position({}, {6: 3})), "a player is 0 or 1"),
        (lambda: GulBar().after_game(0, UZUN_TAVLA.start), "not over"),
        (lambda: GulBar().after_game(0, position({6: 3}, {})), "won by opp"),
        (lambda: GulBar().after_game(None, position({}, {6: 3})), "won by own"),
    ],
)
def test_refused(make: Any, says: str) -> None:
    with pytest.raises(bg.BgcoreError, match=says):
        make()


@pytest.mark.parametrize("make", [lambda: GulBar(base="fevga"), lambda: GulBar(bonuses=("x",)), lambda: Bonus(3)])
def test_wrong_types(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


def test_a_match_is_a_frozen_value() -> None:
    match = GulBar(bonuses=(Bonus("home_closed", 3), Bonus(rolled_seven)))
    assert match == GulBar(bonuses=(Bonus("home_closed", 3), Bonus(rolled_seven)))
    named = GulBar(bonuses=(Bonus("home_closed", 3),)).after_turn(0, position(CLOSED_HOME, {12: 15}), (2, 1))
    assert pickle.loads(pickle.dumps(named)) == named
    assert hash(pickle.loads(pickle.dumps(named))) == hash(named)
    with pytest.raises(FrozenInstanceError):
        match.target = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        PREDICATES["new"] = rolled_seven  # type: ignore[index]


# ---- matches at random


@pytest.mark.parametrize("end", ["immediately", "game_end"])
@pytest.mark.parametrize("base", [UZUN_TAVLA, PORTES, KIRIK_TAVLA, PLAKOTO, FEVGA], ids=lambda rules: rules.name)
def test_random_matches(base: bg.Rules, end: Any) -> None:
    """Play until somebody has won, and count the points once more from the games."""
    dice, choices = SeededDice(4), np.random.default_rng(4)
    match = GulBar(base=base, match_end=end)
    sums = [0, 0]
    while match.winner is None:
        assert end == "game_end" or max(match.scores) < 31
        game = random_game(base, dice, choices, match.first)
        for turn in game.turns:
            result = None if turn.play is None else turn.play.result
            match = match.after_turn(turn.player, turn.position, turn.dice, result)
            if turn.play is None and base.legal_plays(turn.position.flipped(), turn.dice):
                sums[1 - turn.player] += 5
            assert match.scores == tuple(sums)
            if match.winner is not None:
                break
        else:
            last = game.turns[-1].after
            seen = last if game.winner == game.turns[-1].player else last.flipped()
            match = match.after_game(game.winner, seen, first=game.opening.first)
            if game.winner is not None:
                sums[game.winner] += int(seen.counts[1, 1:].sum())
        assert match.scores == tuple(sums)
    assert max(match.scores) >= 31
    assert match.scores[match.winner] == max(match.scores)
