"""Makes the position of a failure smaller: checkers are borne off as long as the engine still breaks the same rule."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from bgcore.conformance.cases import PlaysCase
from bgcore.conformance.doors import Door, EngineFault
from bgcore.conformance.failures import Failure
from bgcore.conformance.messages import game_rules
from bgcore.conformance.verdicts import failures_of
from bgcore.errors import BgcoreError
from bgcore.position import Position

__all__ = ["shrink"]


def shrink(failure: Failure, door: Door, *, context: int = 0, calls: int = 400, seconds: float = 5.0) -> Failure:
    """The same failure in a smaller position.

    Parameters
    ----------
    failure : Failure
        About plays.
    door : Door
        The engine, which is asked again.
    context : int
        Of the question that failed.
    calls, seconds : int, float
        How often and how long it may be asked.

    Returns
    -------
    Failure
        With `small`, if a smaller position was found; else the same.
    """
    if failure.position is None or failure.dice is None or failure.needs != "plays" or door.info.positions is not None:
        return failure
    best, until = failure, time.monotonic() + seconds
    found = True
    while found:
        found = False
        assert best.position is not None
        for position in _smaller(best.position):
            if calls <= 0 or time.monotonic() > until:
                break
            calls -= 1
            try:
                smaller = _still(failure, position, door, context)
            except EngineFault:
                if not door.is_ready:
                    door.restart()
                    calls -= 100
                continue
            if smaller is not None:
                best, found = smaller, True
                break
    return failure if best is failure else failure.with_small(best)


def _still(failure: Failure, position: Position, door: Door, context: int) -> Failure | None:
    rules = game_rules(failure.game)
    if rules.validate(position) or (rules.outcome(position) is not None) != (failure.rule == "game over"):
        return None
    assert failure.dice is not None
    case = PlaysCase(failure.group, position, failure.dice, failure.title, rules, context)
    known = dict(failure.candidates)
    for other in failures_of(case, door):
        # No explanation that the larger position rules out: that would be another mistake, or a weaker example.
        if (
            other.candidates
            and failure.rule in dict(other.candidates)
            and dict(other.candidates).keys() <= known.keys()
        ):
            return other.named(failure.rule)
        if not other.candidates and failure.rule == other.rule:
            return other
    return None


def _smaller(position: Position) -> Iterator[Position]:
    """The position with fewer checkers, whole stacks first; they count as borne off."""
    counts, pinned = position.counts, position.pinned
    places = [(side, point) for side in range(2) for point in range(25, 0, -1) if counts[side, point]]
    for number in (15, 4, 2, 1):
        for side, point in places:
            if (number < 15 and counts[side, point] <= number) or pinned[:, point].any():
                continue
            fewer = counts.copy()
            gone = min(number, int(counts[side, point]))
            fewer[side, point] -= gone
            fewer[side, 0] += gone
            try:
                yield Position.from_counts(fewer, pinned if np.any(pinned) else None)
            except BgcoreError:  # both sides off, or a pin without what holds it
                continue
