"""StratifiedDice, ManualDice, and a source of one's own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.dice import ROLLS, Dice, ManualDice, SeededDice, StratifiedDice

ALL_THROWS = {(a, b) for a in range(1, 7) for b in range(1, 7)}


def test_a_throw_is_a_roll_in_the_order_thrown() -> None:
    one, two = SeededDice(5), SeededDice(5)
    throws = [one.throw() for _ in range(300)]
    assert [two.roll() for _ in range(300)] == [tuple(sorted(throw, reverse=True)) for throw in throws]
    assert set(throws) == ALL_THROWS


def test_a_source_of_ones_own() -> None:
    class Threes(Dice):
        def __init__(self) -> None:
            self.falls = iter([(3, 3), (1, 2), (6, 6), (2, 5)])

        def throw(self) -> tuple[int, int]:
            return next(self.falls)

    threes = Threes()
    assert threes.roll() == (3, 3)
    assert threes.roll() == (2, 1)
    assert threes.opening() == (5, 2)
    with pytest.raises(TypeError):
        Dice()  # type: ignore[abstract]


# ---- stratified


@pytest.mark.parametrize("block", [0, 1, 35, 36, 1000])
def test_every_block_covers_the_36_as_first_and_as_second_roll(block: int) -> None:
    first, second = StratifiedDice(3).rolls(block, 2).tolist()
    assert {tuple(throw) for throw in first} == ALL_THROWS
    assert {tuple(throw) for throw in second} == ALL_THROWS


@pytest.mark.parametrize("group", [0, 1, 7])
def test_36_blocks_cover_the_1296(group: int) -> None:
    dice = StratifiedDice(9)
    pairs = Counter(
        (tuple(first), tuple(second))
        for block in range(36 * group, 36 * group + 36)
        for first, second in zip(*dice.rolls(block, 2).tolist(), strict=True)
    )
    assert len(pairs) == 1296
    assert set(pairs.values()) == {1}


def test_later_plies_are_one_row_a_ply_of_the_blocks_own_stream() -> None:
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(11, spawn_key=(5,))))
    rows = [generator.integers(1, 7, (36, 2), dtype=np.uint8) for _ in range(8)]
    rolls = StratifiedDice(11).rolls(5, 8)
    assert rolls.shape == (8, 36, 2)
    assert rolls.dtype == np.uint8
    assert np.array_equal(rolls[2:], rows[2:])
    lazily = StratifiedDice(11).rows(5)
    assert all(np.array_equal(next(lazily), row) for row in rolls)


def test_strata_are_as_documented() -> None:
    """A second writing-out of the docstring."""
    seed, block = 2, 77
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(block // 36, 0))))
    b, c = generator.permutation(36).tolist(), generator.permutation(36).tolist()
    p = generator.permuted(np.array([list(range(36))] * 36), axis=1).tolist()
    first, second = StratifiedDice(seed).rolls(block, 2).tolist()
    for trial in range(36):
        f = p[block % 36][trial]
        s = b[(f + c[block % 36]) % 36]
        assert first[trial] == [f // 6 + 1, f % 6 + 1]
        assert second[trial] == [s // 6 + 1, s % 6 + 1]


def test_every_trial_alone_is_fair() -> None:
    """Over 3,600 seeds the first two throws of one trial, and the pair of them, come as often as they should."""
    firsts, seconds, same = Counter[tuple[int, ...]](), Counter[tuple[int, ...]](), 0
    n = 3600
    for seed in range(n):
        first, second = (tuple(throw) for throw in StratifiedDice(seed).rolls(3, 2)[:, 17].tolist())
        firsts[first] += 1
        seconds[second] += 1
        same += first == second
    for counts in (firsts, seconds):
        assert sum((counts[throw] - n / 36) ** 2 / (n / 36) for throw in ALL_THROWS) < 73  # 35 degrees of freedom
    assert abs(same - n / 36) < 4.5 * (n / 36 * 35 / 36) ** 0.5


def test_stratified_dice_are_their_seed() -> None:
    again = eval(repr(StratifiedDice(12)), {"StratifiedDice": StratifiedDice})
    assert np.array_equal(again.rolls(4, 5), StratifiedDice(12).rolls(4, 5))
    assert not np.array_equal(StratifiedDice(13).rolls(4, 5), StratifiedDice(12).rolls(4, 5))
    assert StratifiedDice(12).rolls(4, 0).shape == (0, 36, 2)


@pytest.mark.parametrize("seed", [True, 1.5, "7", -1, None])
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        StratifiedDice(seed)


@pytest.mark.parametrize("block", [-1, 1.5])
def test_blocks_that_are_none(block: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        StratifiedDice(1).rolls(block, 1)


# ---- manual


def test_manual_dice_fall_as_told() -> None:
    dice = ManualDice([(1, 6), np.array([2, 2])])
    assert len(dice) == 2
    assert repr(dice) == "ManualDice([(1, 6), (2, 2)])"
    assert dice.throw() == (1, 6)
    dice.add([3, 4])
    assert dice.roll() == (2, 2)
    assert dice.roll() == (4, 3)
    with pytest.raises(bg.RuleError, match="no throw is left"):
        dice.roll()
    assert ManualDice([(1, 6)]).opening() in ROLLS


@pytest.mark.parametrize("throw", [(0, 1), (1, 7), (1, 2, 3), (1,), "31", (1.0, 2), None])
def test_throws_that_are_none(throw: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        ManualDice([throw])
