"""One position and roll at a time: the opening with 3-1, which has 16 plays."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from functools import partial

from figures import Measure

from bgcore import BACKGAMMON

CALLS = 20_000
START = BACKGAMMON.start
DICE = (3, 1)
PLAYS = 16


def many(call: Callable[[], object]) -> Callable[[], float]:
    """The call, `CALLS` times in a row."""
    return partial(timeit.Timer(call).timeit, CALLS)


def bench_count_plays(measure: Measure) -> None:
    count_plays = BACKGAMMON.count_plays
    label = "Rules.count_plays, opening 3-1"
    measure(label, many(lambda: count_plays(START, DICE)), work=CALLS, unit="us", goal=1.0)
    assert count_plays(START, DICE) == PLAYS


def bench_legal_plays(measure: Measure) -> None:
    legal_plays = BACKGAMMON.legal_plays
    label = "Rules.legal_plays, opening 3-1, 16 plays"
    measure(label, many(lambda: legal_plays(START, DICE)), work=CALLS, unit="us", goal=10.0)
    assert len(set(legal_plays(START, DICE))) == PLAYS


def bench_legal_plays_read(measure: Measure) -> None:
    legal_plays = BACKGAMMON.legal_plays

    def read() -> list[object]:
        return [(play.result, play.moves) for play in legal_plays(START, DICE)]

    measure("  the same, .result and .moves of each play read", many(read), work=CALLS, unit="us")
    assert len(read()) == PLAYS
