"""Bearing off as its rules say it, in fractions: every order of the dice, every checker, every play.

A position is a tuple of the checkers on points 1, 2, ...; those elsewhere don't matter.  Nothing here knows a shortcut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

Counts = tuple[int, ...]
Distribution = dict[int, Fraction]

ROLLS = [(larger, smaller) for larger in range(1, 7) for smaller in range(1, larger + 1)]
WEIGHTS = [Fraction(1 if larger == smaller else 2, 36) for larger, smaller in ROLLS]


def positions(points: int, checkers: int) -> list[Counts]:
    """All of them, by GNU Backgammon's numbers: by checkers on 1 or higher, then on 2 or higher, and so on."""
    places = combinations_with_replacement(range(points + 1), checkers)  # of each checker; the last place is off
    every = [tuple(place.count(point) for point in range(points)) for place in places]
    return sorted(every, key=lambda counts: [sum(counts[p:]) for p in range(points)])


def moves(counts: Counts, die: int) -> Iterator[Counts]:
    """Every move of one checker with one die, from the highest point down."""
    home = not any(counts[6:])
    for place in reversed(range(len(counts))):
        if not counts[place]:
            continue
        point = place + 1
        if point > die:
            yield tuple(n - (i == place) + (i == place - die) for i, n in enumerate(counts))
        elif home and (point == die or not any(counts[point:])):
            yield tuple(n - (i == place) for i, n in enumerate(counts))


@cache
def ends(counts: Counts, dice: tuple[int, ...]) -> tuple[tuple[int, Counts], ...]:
    """Where the dice in this order lead, each with how many were played; the first one found of equals."""
    found: dict[tuple[int, Counts], None] = {}
    if dice:
        for after in moves(counts, dice[0]):
            for played, end in ends(after, dice[1:]):
                found[played + 1, end] = None
    return tuple(found) or ((0, counts),)


@cache
def plays(counts: Counts, larger: int, smaller: int) -> tuple[Counts, ...]:
    """The results of a roll, in the order found: as many dice as can be; of one, the larger.  () when all are off."""
    orders = [(larger,) * 4] if larger == smaller else [(larger, smaller), (smaller, larger)]
    found = [(played, order[0], end) for order in orders for played, end in ends(counts, order)]
    most = max(played for played, _, _ in found)
    if most == 0:
        return ()
    best = [(first, end) for played, first, end in found if played == most]
    if most == 1 and larger != smaller:
        best = [(first, end) for first, end in best if first == max(first for first, _ in best)]
    return tuple(dict.fromkeys(end for _, end in best))


def mean(distribution: Distribution) -> Fraction:
    """Expected rolls."""
    return sum((rolls * chance for rolls, chance in distribution.items()), Fraction(0))


def variance(distribution: Distribution) -> Fraction:
    """Of the rolls."""
    middle = mean(distribution)
    return sum(((rolls - middle) ** 2 * chance for rolls, chance in distribution.items()), Fraction(0))


def solve(points: int, checkers: int, done: Callable[[Counts], bool]) -> dict[Counts, Distribution]:
    """How many rolls it takes until `done`, playing for the fewest expected; the first of equal plays."""
    found: dict[Counts, Distribution] = {}
    means: dict[Counts, Fraction] = {}
    for counts in positions(points, checkers):
        distribution: Distribution = {0: Fraction(1)} if done(counts) else {}
        if not distribution:
            for weight, roll in zip(WEIGHTS, ROLLS, strict=True):
                for rolls, chance in found[min(plays(counts, *roll), key=means.__getitem__)].items():
                    distribution[rolls + 1] = distribution.get(rolls + 1, Fraction(0)) + weight * chance
        found[counts] = distribution
        means[counts] = mean(distribution)
    return found


def until_all_off(points: int, checkers: int) -> dict[Counts, Distribution]:
    """Rolls to bear off."""
    return solve(points, checkers, lambda counts: not any(counts))


def until_first_off(points: int) -> dict[Counts, Distribution]:
    """Rolls to bear off the first of fifteen."""
    return solve(points, 15, lambda counts: sum(counts) < 15)


def race(own: Distribution, opp: Distribution, lead: int = 0) -> Fraction:
    """The chance that opp needs at least as many rolls as own, and lead more."""
    return sum((a * b for i, a in own.items() for j, b in opp.items() if j >= i + lead), Fraction(0))


def best_race(counts: Counts, opp: Distribution) -> Fraction:
    """The winning chance of him who rolls first and plays best against fixed chances of the other's rolls."""

    @cache
    def chance(counts: Counts, used: int) -> Fraction:
        if not any(counts):
            return sum((p for rolls, p in opp.items() if rolls >= used), Fraction(0))
        if used >= max(opp):
            return Fraction(0)
        return sum(
            (
                weight * max(chance(after, used + 1) for after in plays(counts, *roll))
                for weight, roll in zip(WEIGHTS, ROLLS, strict=True)
            ),
            Fraction(0),
        )

    return chance(counts, 0)
