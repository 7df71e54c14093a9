"""What every benchmark uses: the `measure` fixture, one core, and the table at the end."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import bgcore as bg

sys.path.insert(0, str(Path(__file__).resolve().parent))

from figures import ROUNDS, Measure, Results, table
from positions import pin_to_one_core, processor

ALL_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
RESULTS = pytest.StashKey[Results]()
CORE = pytest.StashKey[int | None]()


def pytest_configure(config: pytest.Config) -> None:
    """One core for everything."""
    config.stash[RESULTS] = Results()
    config.stash[CORE] = pin_to_one_core()


@pytest.fixture
def measure(benchmark: BenchmarkFixture, pytestconfig: pytest.Config) -> Measure:
    """Measure a call and put it into the table at the end."""
    return Measure(benchmark, pytestconfig.stash[RESULTS])


@pytest.fixture
def all_cores() -> Iterator[None]:
    """Let this benchmark use every core that the process was given."""
    if ALL_CORES is None:
        yield
        return
    if len(ALL_CORES) < 2:
        pytest.skip("only one core")
    os.sched_setaffinity(0, ALL_CORES)
    yield
    pin_to_one_core()


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the figures and the ratios between them."""
    results = config.stash[RESULTS]
    if not results.figures:
        return
    out = terminalreporter
    core = config.stash[CORE]
    where = "any core" if core is None else f"core {core}"
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    out.section("figures of bgcore")
    out.write_line(f"{processor()}, {where}{load}; path {bg.cpu_info()['path']}")
    out.write_line(f"Python {platform.python_version()}, numpy {np.__version__}; {ROUNDS} rounds of each in one run\n")
    for line in table(results):
        out.write_line(line)
