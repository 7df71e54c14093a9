"""Every game on positions of its own random games."""

from __future__ import annotations

import pytest
from figures import Measure
from positions import random_games

from bgcore import batch, rules

GAMES = 4_096
NAMES = [*(name for name in rules.names() if name not in ("nackgammon", "hypergammon"))]


@pytest.mark.parametrize("name", NAMES)
def bench_legal_plays(measure: Measure, name: str) -> None:
    game = rules.get(name)
    rows = random_games(4_000, rules=game)
    plays = batch.PlayBatch()
    total = int(batch.count_plays(rows, rules=game).sum())
    label = f"batch.legal_plays, {name}"
    found = measure(
        label, lambda: batch.legal_plays(rows, rules=game, out=plays), work=total, unit="plays/s", goal=25e6
    )
    assert len(found.results) == total


@pytest.mark.parametrize("name", NAMES)
def bench_playouts(measure: Measure, name: str) -> None:
    game = rules.get(name)
    start = game.start.packed[None]
    label = f"batch.playouts, {name}"
    found = measure(
        label, lambda: batch.playouts(start, GAMES, rules=game, seed=7), work=GAMES, unit="games/s", goal=10e3
    )
    assert int(found.counts.sum()) == GAMES
