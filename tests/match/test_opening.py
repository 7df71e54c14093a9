"""Who begins: one die each, ties, the roll that is played first, and the games after the first."""

from __future__ import annotations

from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.dice import OPENING_ROLLS, ROLLS, SeededDice
from bgcore.match import opening
from bgcore.match.opening import NEXT_FIRST, Opening
from bgcore.rules.nardi import SHORT_NARDI
from bgcore.rules.plakoto import PLAKOTO
from bgcore.rules.portes import PORTES
from naive import variants as nv

die = st.integers(1, 6)
pairs = st.lists(st.tuples(die, die), min_size=1, max_size=8)


# ---- the worked examples


def test_po_7_the_winner_rolls_again_and_a_double_can_open() -> None:
    assert opening.first_of((4, 4)) is None
    assert opening.first_of((5, 2)) == 0
    assert opening.reroll([(4, 4), (5, 2), (6, 6)]) == Opening(0, (6, 6), ((4, 4), (5, 2)))


def test_po_7_as_portes_plays_by_default() -> None:
    assert opening.begin(PORTES, [(4, 4), (5, 2), (6, 6)]) == Opening(0, (5, 2), ((4, 4), (5, 2)))


def test_po_7_as_the_greek_preset_plays() -> None:
    greek = bg.rules.get("portes", preset="greek")
    assert opening.begin(greek, [(4, 4), (5, 2), (6, 6)]) == Opening(0, (6, 6), ((4, 4), (5, 2)))


def test_sn_4_ties_are_repeated_and_the_higher_die_plays_both() -> None:
    assert opening.first_of((3, 3)) is None
    assert opening.begin(SHORT_NARDI, [(3, 3), (6, 4)]) == Opening(0, (6, 4), ((3, 3), (6, 4)))
    for throw in product(range(1, 7), repeat=2):
        began = opening.begin(SHORT_NARDI, [throw, (6, 1)])
        assert began.roll in OPENING_ROLLS  # never a double


def test_tc_5_a_tie_is_one_reroll() -> None:
    began = opening.keep_dice([(4, 4), (6, 2)])
    assert (began.first, began.roll, began.ties) == (0, (6, 2), 1)


# ---- any dice


@given(pairs)
def test_keep_dice_takes_the_first_throw_that_differs(dice: list[tuple[int, int]]) -> None:
    ties = next((i for i, (a, b) in enumerate(dice) if a != b), None)
    if ties is None:
        with pytest.raises(bg.RuleError, match="one more pair"):
            opening.keep_dice(dice)
        return
    a, b = dice[ties]
    began = opening.keep_dice(dice)
    assert began == Opening(0 if a > b else 1, (max(a, b), min(a, b)), tuple(dice[: ties + 1]))
    assert began.ties == ties


@given(pairs)
def test_reroll_takes_one_pair_more(dice: list[tuple[int, int]]) -> None:
    ties = next((i for i, (a, b) in enumerate(dice) if a != b), len(dice))
    if ties + 1 >= len(dice):
        with pytest.raises(bg.RuleError, match="one more pair"):
            opening.reroll(dice)
        return
    began, kept = opening.reroll(dice), opening.keep_dice(dice)
    assert (began.first, began.throws) == (kept.first, kept.throws)
    assert began.roll == tuple(sorted(dice[ties + 1], reverse=True))


def test_no_more_dice_are_taken_than_needed() -> None:
    dice = iter([(1, 1), (2, 6), (3, 4), (5, 5)])
    assert opening.keep_dice(dice).first == 1
    assert next(dice) == (3, 4)
    dice = iter([(1, 1), (2, 6), (3, 4), (5, 5)])
    assert opening.reroll(dice).roll == (4, 3)
    assert next(dice) == (5, 5)
    dice = iter([(1, 1), (2, 6)])
    assert opening.settled(1, dice) == Opening(1, (1, 1))
    assert next(dice) == (2, 6)


@pytest.mark.parametrize("rules", [PORTES, PLAKOTO], ids=lambda rules: rules.name)
def test_a_known_starter_throws_both_dice(rules: bg.Rules) -> None:
    for first in (0, 1):
        assert opening.begin(rules, [(2, 2)], first) == Opening(first, (2, 2))
        assert opening.begin(rules, [(2, 5)], first).ties == 0


def test_seeded_dice_are_the_same_for_a_seed_and_fair() -> None:
    throws = list(islice(opening.thrown(SeededDice(3)), 7200))
    assert throws == list(islice(opening.thrown(SeededDice(3)), 7200))
    assert set(throws) == set(product(range(1, 7), repeat=2))  # not sorted: it matters who threw which
    firsts = [opening.first_of(throw) for throw in throws]
    for first, chance in ((None, 6 / 36), (0, 15 / 36), (1, 15 / 36)):
        assert firsts.count(first) / 7200 == pytest.approx(chance, abs=0.03)
    dice = opening.thrown(SeededDice(3))
    assert {opening.reroll(dice).roll for _ in range(2000)} == set(ROLLS)


@pytest.mark.parametrize("throw", [(0, 1), (1, 7), (-1, 3)])
def test_impossible_dice(throw: tuple[int, int]) -> None:
    for call in (
        lambda: opening.first_of(throw),
        lambda: opening.keep_dice([throw]),
        lambda: opening.reroll([(1, 2), throw]),
        lambda: opening.settled(0, [throw]),
    ):
        with pytest.raises(bg.RuleError, match="a die shows 1 to 6"):
            call()


@pytest.mark.parametrize("first", [2, -1, True, "0"])
def test_no_such_player(first: object) -> None:
    with pytest.raises(bg.RuleError, match="a player is 0 or 1"):
        opening.settled(first, [(1, 2)])  # type: ignore[arg-type]
    with pytest.raises(bg.RuleError, match="a player is 0 or 1"):
        opening.next_first("winner", winner=first, previous=0)  # type: ignore[arg-type]


# ---- the games after the first


@pytest.mark.parametrize("previous", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_next_first(winner: int, previous: int) -> None:
    found = [opening.next_first(rule, winner=winner, previous=previous) for rule in NEXT_FIRST]  # type: ignore[arg-type]
    assert found == [None, winner, 1 - winner, 1 - previous]


@pytest.mark.parametrize("previous", [0, 1])
def test_after_a_draw_the_dice_decide_unless_players_alternate(previous: int) -> None:
    found = [opening.next_first(rule, winner=None, previous=previous) for rule in NEXT_FIRST]  # type: ignore[arg-type]
    assert found == [None, None, None, 1 - previous]


def test_before_the_first_game_the_dice_decide() -> None:
    assert {opening.next_first(rule, winner=None, previous=None) for rule in NEXT_FIRST} == {None}


def test_no_such_rule() -> None:
    with pytest.raises(bg.RuleError, match="roll, winner, loser, alternate"):
        opening.next_first("dice", winner=0, previous=0)  # type: ignore[arg-type]


def test_every_rule_set_has_an_opening_and_a_next_first_that_exist() -> None:
    for name in bg.rules.names():
        rules = bg.rules.get(name)
        assert rules.next_first in NEXT_FIRST
        assert opening.begin(rules, [(2, 5), (6, 6)]).first == 1


# ---- Julbahar: the throw is played with the opponent's checkers


def test_the_higher_throw_and_the_higher_double_win() -> None:
    assert opening.opponents_checkers([(2, 4), (6, 1)]) == Opening(1, (6, 1), ((4, 2), (6, 1)), True)
    assert opening.opponents_checkers([(1, 1), (6, 5)]) == Opening(0, (1, 1), ((1, 1), (6, 5)), True)
    assert opening.opponents_checkers([(2, 2), (3, 3)]).first == 1
    tied = opening.opponents_checkers([(5, 2), (4, 3), (6, 6), (6, 6), (3, 1), (1, 2)])
    assert (tied.first, tied.roll, tied.ties) == (0, (3, 1), 2)


def test_every_pair_of_throws_against_the_naive_table() -> None:
    for mine, his in product(product(range(1, 7), repeat=2), repeat=2):
        winner = nv.julbahar_opening(mine, his)
        if winner is None:
            with pytest.raises(bg.RuleError, match="one more pair"):
                opening.opponents_checkers([mine, his])
            continue
        began = opening.opponents_checkers([mine, his])
        assert began.first == (0 if winner == "own" else 1)
        assert began.roll == tuple(sorted(mine if winner == "own" else his, reverse=True))
        assert (began.opponents, began.ties) == (True, 0)


def test_julbahar_begins_so() -> None:
    julbahar = bg.rules.get("julbahar")
    assert opening.begin(julbahar, [(2, 4), (6, 1)]) == opening.opponents_checkers([(2, 4), (6, 1)])
    assert opening.begin(julbahar, [(2, 4)], first=1) == Opening(1, (4, 2), (), True)
    assert not opening.begin(julbahar.replace(opening="reroll"), [(2, 4), (6, 1)]).opponents
