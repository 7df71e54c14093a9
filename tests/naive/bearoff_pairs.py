"""Two-sided bear-off by the textbook: one pair after the other, dictionaries, every play tried.

A position is a tuple of counts on points 1, 2, ...; a value is what the player on roll gets on average in units of the
cube: without a cube, owning it, with it centred, with the opponent owning it, before he decides whether to double.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

Side = tuple[int, ...]
Number = Fraction | float


def sides(points: int, checkers: int) -> list[Side]:
    """All ways to have at most so many checkers on the points, all borne off included."""
    return [side for side in product(range(checkers + 1), repeat=points) if sum(side) <= checkers]


def pips(side: Side) -> int:
    return sum((i + 1) * n for i, n in enumerate(side))


def one_move(side: Side, die: int) -> Iterator[Side]:
    """Every way to play one die when the opponent is out of the way."""
    rearmost = max((i + 1 for i, n in enumerate(side) if n), default=0)
    for i, n in enumerate(side):
        point = i + 1
        if not n:
            continue
        after = list(side)
        after[i] -= 1
        if die < point:
            after[i - die] += 1
        elif rearmost > 6 or (die > point and point != rearmost):
            continue
        yield tuple(after)


@cache
def results(side: Side, dice: tuple[int, ...]) -> frozenset[Side]:
    """Positions after all dice, in this order; a side that is off stays so."""
    if not dice or not sum(side):
        return frozenset([side])
    return frozenset(end for after in one_move(side, dice[0]) for end in results(after, dice[1:]))


def rolls() -> Iterator[tuple[int, int, int]]:
    for a in range(1, 7):
        for b in range(1, a + 1):
            yield a, b, 1 if a == b else 2


@cache
def plays(side: Side) -> tuple[tuple[int, frozenset[Side]], ...]:
    """For every roll its weight and what it can lead to."""
    return tuple(
        (weight, results(side, (a,) * 4) if a == b else results(side, (a, b)) | results(side, (b, a)))
        for a, b, weight in rolls()
    )


class Pairs:
    """Values of pairs, worked out when they are asked for."""

    def __init__(self, *, gammons: bool = False, jacoby: bool = False, number: type = float) -> None:
        self.gammons, self.jacoby, self.number = gammons, jacoby, number
        self.known: dict[tuple[Side, Side], tuple[Number, ...]] = {}
        self.known_gains: dict[tuple[Side, Side], tuple[Number, ...]] = {}
        self.known_chances: dict[tuple[Side, Side], tuple[Number, ...]] = {}

    def value(self, own: Side, opponent: Side) -> tuple[Number, ...]:
        if (own, opponent) not in self.known:
            totals = [self.number(0)] * 4
            for weight, ends in plays(own):
                best = map(max, zip(*[self.gain(end, opponent) for end in ends], strict=True))
                totals = [total + weight * value for total, value in zip(totals, best, strict=True)]
            self.known[own, opponent] = tuple(total / self.number(36) for total in totals)
        return self.known[own, opponent]

    def decided(self, own: Side, opponent: Side) -> tuple[Number, ...]:
        """The same after the best cube action of the player on roll."""
        cubeless, owned, centred, taken = self.value(own, opponent)
        double = min(2 * taken, self.number(1))
        return cubeless, max(owned, double), max(centred, double), taken

    def gain(self, after: Side, opponent: Side) -> tuple[Number, ...]:
        """What the player who has just played to ``after`` gets."""
        if (after, opponent) not in self.known_gains:
            if sum(after):
                cubeless, owned, centred, taken = self.decided(opponent, after)
                self.known_gains[after, opponent] = (-cubeless, -taken, -centred, -owned)
            else:
                points = self.number(2 if self.gammons and sum(opponent) == 15 else 1)
                self.known_gains[after, opponent] = (points, points, self.number(1) if self.jacoby else points, points)
        return self.known_gains[after, opponent]

    def chances(self, own: Side, opponent: Side) -> tuple[Number, ...]:
        """Win, gammon won, gammon lost, when both play best without a cube."""
        if (own, opponent) not in self.known_chances:
            totals = [self.number(0)] * 3
            for weight, ends in plays(own):
                end = max(ends, key=lambda end: self.gain(end, opponent)[0])
                if not sum(end):
                    gammon = self.number(1 if self.gammons and sum(opponent) == 15 else 0)
                    outcome: tuple[Number, ...] = (self.number(1), gammon, self.number(0))
                else:
                    win, gammon_won, gammon_lost = self.chances(opponent, end)
                    outcome = (1 - win, gammon_lost, gammon_won)
                totals = [total + weight * part for total, part in zip(totals, outcome, strict=True)]
            self.known_chances[own, opponent] = tuple(total / self.number(36) for total in totals)
        return self.known_chances[own, opponent]
