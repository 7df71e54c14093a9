"""The training example: it runs, and it learns."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import bgcore as bg


@pytest.fixture(scope="module")
def learn(repo: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn", repo / "examples" / "training" / "learn.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_gradients(learn: ModuleType) -> None:
    """A step of learning moves a value towards its target."""
    network = learn.Network(seed=1)
    network.second[:] = np.random.default_rng(1).normal(0, 0.1, learn.HIDDEN)
    packed = bg.BACKGAMMON.start.packed[None]
    before = float(network(packed)[0])
    for _ in range(20):
        network.learn(packed, np.array([2.0], np.float32))
    assert abs(2.0 - float(network(packed)[0])) < abs(2.0 - before) / 2


def test_it_runs(learn: ModuleType) -> None:
    network = learn.Network(seed=1)
    learn.train(network, 5, seed=1)
    assert -3 <= learn.against_random(network, games=20, turns=60) <= 3


@pytest.mark.long
def test_it_learns(learn: ModuleType) -> None:
    assert learn.main(2000) > 1
