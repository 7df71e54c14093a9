"""Random games to the end."""

from __future__ import annotations

from figures import Measure

from bgcore import BACKGAMMON, batch

GAMES = 20_480
SEED = 7


def bench_playouts(measure: Measure) -> None:
    start = BACKGAMMON.start.packed[None]
    label = "batch.playouts from the opening"
    found = measure(label, lambda: batch.playouts(start, GAMES, seed=SEED), work=GAMES, unit="games/s", goal=40e3)
    assert int(found.counts.sum()) == GAMES
    assert 80 < found.plies.sum() / GAMES < 110
