"""Whether many throws look like those of honest dice.

Each test gives a p-value: how often honest dice would look at least as odd.  Out of many audits of honest dice one in
twenty shows a p-value below 0.05 in any one test, so `Audit.p` corrects for how many were made.  A test needs a few
hundred throws to see anything; dice that favour a player by knowing his position would need the positions too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.dice.rolls import ROLLS, WEIGHTS
from bgcore.errors import RuleError

__all__ = ["Audit", "Test", "audit", "chi_square_tail"]

FEWEST = 5
"""The smallest expected count with which a chi-square is trusted."""
LEAST_TOTALS = 20
"""Totals of each player from which on their mean is near enough to normal."""


@dataclass(frozen=True, slots=True)
class Test:
    """One test of an audit."""

    __test__ = False  # pytest, this is none of yours

    name: str
    """What was looked at."""
    statistic: float
    """Chi-square."""
    freedom: int
    """Degrees of freedom; 0 where there were too few throws."""
    p: float
    """How often honest dice would give as large a statistic; 1 where there were too few throws."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What the throws look like.

    Attributes
    ----------
    throws : int
    faces : tuple of 6 int
        How often each face came, of ``2 * throws`` dice.
    rolls : tuple of 21 int
        How often each roll came, in the order of `bgcore.dice.ROLLS`.
    tests : tuple of Test
    """

    throws: int
    faces: tuple[int, ...]
    rolls: tuple[int, ...]
    tests: tuple[Test, ...]

    @property
    def doubles(self) -> int:
        """How many throws were doubles."""
        return sum(count for count, roll in zip(self.rolls, ROLLS, strict=True) if roll[0] == roll[1])

    @property
    def p(self) -> float:
        """The smallest p-value times the number of tests made (Bonferroni), at most 1."""
        made = [test.p for test in self.tests if test.freedom]
        return min(1.0, min(made) * len(made)) if made else 1.0


def audit(throws: ArrayLike, *, players: ArrayLike | None = None, games: ArrayLike | None = None) -> Audit:
    """Look at throws in the order in which they came.

    Parameters
    ----------
    throws : (n, 2) integers
        Dice of 1 to 6, either die first.  Throws that were thrown again belong to them: leaving doubles out of
        opening throws would look like too few doubles.
    players : (n,) integers, optional
        Who threw: 0, 1, or -1 for both together (an opening throw).  Without it the two are not compared.
    games : (n,) integers, optional
        Any number that changes where one throw is not the next after the other, such as between two records.

    Returns
    -------
    Audit
        Tests of faces, rolls, doubles, of each throw against the one before (the same roll again, doubles after
        doubles, high totals after high ones), and of the players' totals.

    Raises
    ------
    RuleError
        A die outside 1 to 6, another shape.

    Notes
    -----
    Chi-square tests; a sample whose smallest expected count is below 5 is left out (0 degrees of freedom if nothing is
    left).

    Examples
    --------
    >>> from bgcore.dice import SeededDice
    >>> audit(SeededDice(1).rolls(3600)).p > 0.01
    True
    """
    pairs = _pairs(throws)
    n = len(pairs)
    who = np.full(n, -1) if players is None else _labels(players, n, "players")
    where = np.zeros(n, np.int64) if games is None else _labels(games, n, "games")
    faces = np.bincount(pairs.ravel(), minlength=7)[1:]
    larger, smaller = pairs.max(axis=1), pairs.min(axis=1)
    numbers = larger * (larger - 1) // 2 + smaller - 1  # place in ROLLS
    rolls = np.bincount(numbers, minlength=21)
    is_double, total = larger == smaller, larger + smaller
    # What follows a given throw is one of honest dice, whatever that throw was; so successors are counted by what they
    # follow, never as overlapping pairs, whose counts depend on each other.
    next_to = where[1:] == where[:-1]
    after_double, after_high = is_double[:-1][next_to], (total > 7)[:-1][next_to]
    doubles_next, high_next = is_double[1:][next_to], (total > 7)[1:][next_to]
    again = (numbers[1:] == numbers[:-1])[next_to]
    tests = (
        _test("faces", (faces, np.full(6, 1 / 6))),
        _test("rolls", (rolls, np.array(WEIGHTS) / 36)),
        _test("doubles", _marked(is_double, 1 / 6)),
        _test("the same roll again", _marked(again[after_double], 1 / 36), _marked(again[~after_double], 2 / 36)),
        _test("doubles after doubles", _marked(doubles_next[after_double], 1 / 6)),
        _test(
            "totals above 7 after high and low ones",
            _marked(high_next[after_high], 15 / 36),
            _marked(high_next[~after_high], 15 / 36),
        ),
        _between("totals of the two players", total[who == 0], total[who == 1]),
    )
    return Audit(n, tuple(faces.tolist()), tuple(rolls.tolist()), tests)


def chi_square_tail(x: float, freedom: int) -> float:
    """How often a chi-square variable with so many degrees of freedom is x or more.

    Parameters
    ----------
    x : float
        0 or more.
    freedom : int
        1 or more.

    Notes
    -----
    The incomplete gamma function at half-integers is a finite sum of positive terms: with z = x/2, it begins with
    erfc(sqrt z) or exp(-z) and gains z^a exp(-z) / Gamma(a + 1) for each step of a from 1/2 or 1 to freedom/2 (DLMF
    8.8.2).
    """
    if not (freedom >= 1 and x >= 0):
        raise ValueError(f"a chi-square needs x of 0 or more and 1 or more degrees of freedom, not {x} and {freedom}")
    z = x / 2
    a, tail = (0.5, math.erfc(math.sqrt(z))) if freedom % 2 else (1.0, math.exp(-z))
    while a < freedom / 2:
        tail += math.exp(a * math.log(z) - z - math.lgamma(a + 1)) if z else 0.0
        a += 1
    return min(tail, 1.0)


Counts = tuple[NDArray[np.integer], NDArray[np.floating]]


def _test(name: str, *samples: Counts) -> Test:
    """Counts of independent samples against their chances; samples that are too small are left out."""
    statistic, freedom = 0.0, 0
    for counts, chances in samples:
        expected = counts.sum() * chances
        if expected.min() >= FEWEST:
            statistic += float(((counts - expected) ** 2 / expected).sum())
            freedom += len(counts) - 1
    return Test(name, statistic, freedom, chi_square_tail(statistic, freedom) if freedom else 1.0)


def _marked(marks: NDArray[np.bool_], chance: float) -> Counts:
    """How many are marked and how many are not, with the chance of a mark."""
    marked = int(marks.sum())
    return np.array([marked, len(marks) - marked]), np.array([chance, 1 - chance])


def _between(name: str, zero: NDArray[np.integer], one: NDArray[np.integer]) -> Test:
    """Means of two samples of totals, whose variance is 35/6: the squared difference in its own variance."""
    if min(len(zero), len(one)) < LEAST_TOTALS:
        return Test(name, 0.0, 0, 1.0)
    difference = float(zero.mean() - one.mean())
    statistic = difference**2 / (35 / 6 * (1 / len(zero) + 1 / len(one)))
    return Test(name, statistic, 1, chi_square_tail(statistic, 1))


def _pairs(throws: ArrayLike) -> NDArray[np.int64]:
    """The throws, checked."""
    array = np.asarray(throws)
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise RuleError(f"throws are pairs of integers, (n, 2), not {array.dtype} {array.shape}")
    wrong = ~((array >= 1) & (array <= 6)).all(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        raise RuleError(f"a die shows 1 to 6; throw {row} is {array[row].tolist()}")
    return array.astype(np.int64)


def _labels(labels: ArrayLike, n: int, name: str) -> NDArray[np.int64]:
    """One integer a throw, checked."""
    array = np.asarray(labels, np.int64)
    if array.shape != (n,):
        raise RuleError(f"{name} gives one integer a throw, ({n},), not {array.shape}")
    return array
