"""Positions to draw: made by hand, met in random games, and drawn by hypothesis."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from bgcore import batch
from bgcore.errors import InvalidReason
from bgcore.position import Position
from bgcore.rules import Rules

OFF, BAR = 0, 25
FACING = {  # the opponent's numbers of own 1 to 24
    "contrary": [*range(24, 0, -1)],
    "parallel": [*range(13, 25), *range(1, 13)],
}


class Side(NamedTuple):
    """One side in its own numbering: checkers of every slot, and the points where one is pinned."""

    counts: list[int]
    pinned: list[int]


def side(points: dict[int, int], *pinned: int) -> Side:
    return Side([points.get(slot, 0) for slot in range(26)], list(pinned))


def position_of(own: Side, opp: Side) -> Position:
    pinned = np.zeros((2, 26), np.bool_)
    for row, points in enumerate((own.pinned, opp.pinned)):
        pinned[row, points] = True
    return Position.from_counts(np.array([own.counts, opp.counts], np.uint8), pinned)


def random_positions(rules: Rules, games: int, seed: int) -> list[Position]:
    """The positions of random games."""
    generator = np.random.default_rng(seed)
    met = []
    for _ in range(games):
        position = rules.start
        while rules.outcome(position) is None:
            met.append(position)
            row = position.packed[np.newaxis]
            plays = batch.legal_plays(row, generator.integers(1, 7, 2), rules, pass_results=True).results
            position = Position.from_packed(plays[generator.integers(len(plays))])
        met.append(position)
    return met


@st.composite
def positions(draw: st.DrawFn, rules: Rules) -> Position:
    """Positions of a game: a side or none holds a point, tall stacks, pins where there are any."""
    facing = FACING[rules.geometry]
    places = [OFF, BAR] if rules.contact == "hit" else [OFF]
    holder = draw(st.lists(st.booleans(), min_size=24, max_size=24))
    both = []
    for mine in (True, False):
        points = [p if mine else facing[p - 1] for p in range(1, 25) if holder[p - 1] is mine]
        slots = draw(st.lists(st.sampled_from([*places, *points]), max_size=rules.checkers))
        if draw(st.booleans()):
            slots = slots[:1] * len(slots)  # one tall stack
        counts = [slots.count(slot) for slot in range(26)]
        counts[OFF] += rules.checkers - len(slots)
        both.append(Side(counts, []))
    if rules.contact == "pin":
        for point in draw(st.lists(st.sampled_from(range(1, 25)), max_size=6, unique=True)):
            for over, under, p, q in ((*both, point, facing[point - 1]), (*both[::-1], facing[point - 1], point)):
                if over.counts[p] and p not in over.pinned and under.counts[OFF] and not under.counts[q]:
                    under.counts[OFF] -= 1
                    under.counts[q] = 1
                    under.pinned.append(q)
    assume(any(any(side.counts[1:]) for side in both))
    position = position_of(*both)
    assume(rules.validate(position) in (0, InvalidReason.BAR_DEADLOCK))
    return position
