"""Positions of other programs to packed words and back: the 2,000 of the corpus, again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from figures import Measure
from numpy.typing import NDArray
from positions import corpus

from bgcore import batch
from bgcore.elsewhere import bgsage, gnubg, openspiel, pgx, wildbg

TIMES = 100
PACKED = corpus().packed
ROLLS = np.random.default_rng(1).integers(1, 7, (len(PACKED), 2)).astype(np.uint8)
PLAYERS = np.random.default_rng(2).integers(0, 2, len(PACKED)).astype(np.uint8)


class Way(NamedTuple):
    """A converter there and back, and what each should do in a second."""

    there: Callable[[Any], NDArray[Any]]
    back: Callable[[Any], NDArray[np.uint64]]
    goal: float | None


WAYS = {
    "bgcore boards": Way(batch.to_boards, batch.from_boards, 5e6),
    "gnubg": Way(gnubg.to_boards, gnubg.from_boards, 5e6),
    "bgsage": Way(bgsage.to_boards, bgsage.from_boards, 5e6),
    "wildbg": Way(wildbg.to_boards, wildbg.from_boards, 5e6),
    "pgx": Way(lambda p: pgx.to_observations(p, ROLLS), lambda o: pgx.from_observations(o).packed, 5e6),
    "openspiel": Way(
        lambda p: openspiel.to_observations(p, PLAYERS, ROLLS),
        lambda o: openspiel.from_observations(o, PLAYERS).packed,
        None,  # 200 floats a position
    ),
}


def many(call: Callable[[Any], Any], values: NDArray[Any]) -> Callable[[], Any]:
    """The call, `TIMES` times in a row."""

    def run() -> Any:
        answer = None
        for _ in range(TIMES):
            answer = call(values)
        return answer

    return run


@pytest.mark.parametrize("name", WAYS)
def bench_to(measure: Measure, name: str) -> None:
    way = WAYS[name]
    answer = measure(f"to {name}", many(way.there, PACKED), work=TIMES * len(PACKED), unit="positions/s", goal=way.goal)
    assert (way.back(answer) == PACKED).all()


@pytest.mark.parametrize("name", WAYS)
def bench_from(measure: Measure, name: str) -> None:
    way = WAYS[name]
    values = way.there(PACKED)
    answer = measure(
        f"from {name}, {values.dtype}",
        many(way.back, values),
        work=TIMES * len(PACKED),
        unit="positions/s",
        goal=way.goal,
    )
    assert (answer == PACKED).all()
