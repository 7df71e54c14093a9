"""Every game and preset, and some options, on positions of its own random games."""

from __future__ import annotations

import pytest
from figures import Measure
from positions import random_contexts, random_games

from bgcore import Rules, batch, rules

GAMES = 4_096


def games() -> dict[str, Rules]:
    """What is measured, by name."""
    found = {}
    for name in rules.names():
        if name not in ("nackgammon", "hypergammon"):
            for preset in (None, *rules.presets(name)):
                game = rules.get(name, preset)
                found[game.name] = game
    for name in ("fevga", "long_nardi", "jacquet"):
        found[f"{name}, primes step by step"] = rules.get(name).replace(prime_check="step")
    found["backgammon, either die"] = rules.get("backgammon").replace(larger_die=False)
    found["kirik_tavla, entry in any order"] = rules.get("kirik_tavla").replace(entry_all_first=False)
    return found


MEASURED = games()


@pytest.mark.parametrize("name", MEASURED)
def bench_legal_plays(measure: Measure, name: str) -> None:
    game = MEASURED[name]
    rows, context = random_games(4_000, rules=game), random_contexts(4_000, rules=game)
    plays = batch.PlayBatch()
    total = int(batch.count_plays(rows, rules=game, context=context).sum())
    found = measure(
        f"batch.legal_plays, {name}",
        lambda: batch.legal_plays(rows, rules=game, context=context, out=plays),
        work=total,
        unit="plays/s",
        goal=25e6,
    )
    assert len(found.results) == total


@pytest.mark.parametrize("name", MEASURED)
def bench_playouts(measure: Measure, name: str) -> None:
    game = MEASURED[name]
    start = game.start.packed[None]
    label = f"batch.playouts, {name}"
    found = measure(
        label, lambda: batch.playouts(start, GAMES, rules=game, seed=7), work=GAMES, unit="games/s", goal=10e3
    )
    assert int(found.counts.sum()) == GAMES
