"""Whether the audit sees what is wrong with dice, and leaves honest ones alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.dice import SeededDice
from bgcore.dice.audit import Audit, audit, chi_square_tail

N = 3600


def p_values(report: Audit) -> dict[str, float]:
    return {test.name: test.p for test in report.tests}


@pytest.mark.parametrize(
    ("x", "freedom", "p"),
    [  # critical values of any table of chi-square
        (3.841459, 1, 0.05), (6.634897, 1, 0.01), (10.82757, 1, 0.001), (5.991465, 2, 0.05), (11.0705, 5, 0.05),
        (20.51501, 5, 0.001), (31.41043, 20, 0.05), (45.31475, 20, 0.001), (10.85081, 20, 0.95), (124.3421, 100, 0.05),
    ],
)  # fmt: skip
def test_the_tail_of_chi_square(x: float, freedom: int, p: float) -> None:
    assert chi_square_tail(x, freedom) == pytest.approx(p, rel=1e-4)


def test_the_ends_of_the_tail() -> None:
    for freedom in (1, 2, 5, 20):
        assert chi_square_tail(0.0, freedom) == 1.0
        assert 0 <= chi_square_tail(5000.0, freedom) < 1e-300
    for x, freedom in ((-1.0, 1), (1.0, 0), (float("nan"), 1)):
        with pytest.raises(ValueError, match="chi-square"):
            chi_square_tail(x, freedom)


def test_counts() -> None:
    report = audit([(1, 1), (2, 1), (1, 2), (6, 6)])
    assert report.throws == 4
    assert report.faces == (4, 2, 0, 0, 0, 2)
    assert (report.rolls[0], report.rolls[1], report.rolls[20]) == (1, 2, 1)
    assert report.doubles == 2
    assert report.p == 1.0  # too few for any test
    assert all((test.freedom, test.p) == (0, 1.0) for test in report.tests)


def test_no_throws_at_all() -> None:
    report = audit([])
    assert (report.throws, report.doubles, report.p) == (0, 0, 1.0)


def test_honest_dice_have_even_p_values() -> None:
    """Each test's p-value over 300 seeds is spread evenly: a wrong formula or a dependence would bend it."""
    players = np.arange(N) % 2
    rows = [p_values(audit(SeededDice(seed).rolls(N), players=players)) for seed in range(300)]
    for name in rows[0]:
        tenths = np.bincount([min(int(row[name] * 10), 9) for row in rows], minlength=10)
        assert ((tenths - 30) ** 2 / 30).sum() < 33, (name, tenths)  # 9 degrees of freedom, p = 0.00013
    assert sum(row["faces"] < 0.01 for row in rows) < 12


def biased(chances: list[float]) -> np.ndarray:
    return np.random.default_rng(1).choice(6, (N, 2), p=chances) + 1


def test_a_loaded_die() -> None:
    report = audit(biased([0.14, 0.17, 0.17, 0.17, 0.17, 0.18]))
    assert p_values(report)["faces"] < 1e-3
    assert report.p < 0.01


def test_too_many_doubles() -> None:
    throws = SeededDice(2).rolls(N)
    throws[::10, 1] = throws[::10, 0]
    found = p_values(audit(throws))
    assert found["doubles"] < 1e-4
    assert found["rolls"] < 1e-4
    assert found["faces"] > 0.01


def test_openings_without_their_ties() -> None:
    throws = SeededDice(3).rolls(2 * N)
    assert p_values(audit(throws[throws[:, 0] != throws[:, 1]]))["doubles"] < 1e-12


def test_rolls_that_repeat() -> None:
    throws = SeededDice(4).rolls(N)
    throws[10::20] = throws[9::20]
    found = p_values(audit(throws))
    assert found["the same roll again"] < 1e-6
    assert found["faces"] > 0.01
    # the same throws, but never one after the other
    assert p_values(audit(throws, games=np.arange(N)))["the same roll again"] == 1.0


def test_doubles_that_call_for_doubles() -> None:
    throws = SeededDice(5).rolls(N)
    after = np.flatnonzero(throws[:-1, 0] == throws[:-1, 1]) + 1
    throws[after[::4], 1] = throws[after[::4], 0]
    assert p_values(audit(throws))["doubles after doubles"] < 1e-4


def test_high_after_high() -> None:
    throws = SeededDice(6).rolls(N)
    for i in range(1, N, 8):
        if (throws[i - 1].sum() > 7) != (throws[i].sum() > 7):
            throws[i] = 7 - throws[i]
    assert p_values(audit(throws))["totals above 7 after high and low ones"] < 1e-3


def test_dice_that_favour_a_player() -> None:
    throws = SeededDice(7).rolls(N)
    players = np.arange(N) % 2
    lucky = np.flatnonzero((players == 1) & (throws[:, 0] == 1))
    throws[lucky[::2], 0] = 6
    throws[np.flatnonzero((players == 0) & (throws[:, 0] == 6))[::2], 0] = 1
    found = p_values(audit(throws, players=players))
    assert found["totals of the two players"] < 1e-6
    assert p_values(audit(throws))["totals of the two players"] == 1.0


@pytest.mark.parametrize("throws", [[(0, 1)], [(1, 7)], [(1, 2, 3)], [1, 2], [(1.0, 2.0)], [("3", "1")]])
def test_throws_that_are_none(throws: Any) -> None:
    with pytest.raises(bg.RuleError):
        audit(throws)


def test_labels_of_another_length() -> None:
    with pytest.raises(bg.RuleError, match="players"):
        audit([(1, 2)], players=[0, 1])
    with pytest.raises(bg.RuleError, match="games"):
        audit([(1, 2)], games=[])
