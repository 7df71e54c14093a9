"""bgcore bench: that it measures what it says; never how fast."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import bgcore as bg
from bgcore.cli import bench
from bgcore.conformance.sampling import random_games


def test_positions_follow_one_another():
    rows = random_games(400)
    assert rows.shape == (400, 4)
    assert not bg.batch.validate(rows).any()
    start = bg.BACKGAMMON.start.packed
    assert (rows[0] == start).all()
    starts = 0
    for before, after in itertools.pairwise(rows):
        results = bg.batch.legal_plays(before[np.newaxis], pass_results=True).results
        if not (results == after).all(axis=1).any():
            starts += 1
            assert (after == start).all()
            assert any(bg.Position.from_packed(row).is_over for row in results)
    assert starts >= 1


def test_positions_are_those_of_the_seed():
    assert (random_games(300) == random_games(500)[:300]).all()
    assert (random_games(300, seed=1) != random_games(300, seed=2)).any()
    assert not bg.batch.validate(random_games(300, bg.HYPERGAMMON), bg.HYPERGAMMON).any()


def test_every_figure_comes(cli, monkeypatch):
    monkeypatch.setattr(bench, "POSITIONS", 100)
    monkeypatch.setattr(bench, "RUNS", 1)
    monkeypatch.setattr(bench, "GAMES", 10)
    monkeypatch.setattr(bench, "CALLS", 10)
    result = cli("bench", "--threads", "2")
    assert result.exit_code == 0
    path = str(bg.cpu_info()["path"])
    assert f"path {path}, 2 threads" in result.stdout
    assert f"numpy {np.__version__}" in result.stdout
    words = ("million plays/s", "million rows/s", "million rolls/s", " s\n", "games/s", " us\n", "perft 3", "np.empty")
    assert all(word in result.stdout for word in words)
    assert max(map(len, result.stdout.splitlines())) <= 100


@pytest.mark.parametrize("system", ["Linux", "Darwin", "Windows", ""])
def test_the_processor_has_a_name_everywhere(monkeypatch, system):
    monkeypatch.setattr("platform.system", lambda: system)
    assert bench.processor()
