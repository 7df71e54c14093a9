"""What every test may use: hypothesis profiles, the folder of real sample files, what long tests have done.

And how many tests were left out, which pytest says without xdist only.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from ledger import Ledger, fingerprint

import bgcore

# Chosen by BGCORE_HYPOTHESIS.  No deadlines: CI machines are shared, and speed is measured in benchmarks/ only.
PROFILES = {"dev": 50, "ci": 200, "arm64": 10, "long": 1000}
for _name, _examples in PROFILES.items():
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
        derandomize=_name == "ci",
    )
settings.load_profile(os.environ.get("BGCORE_HYPOTHESIS", "dev"))


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of real files that BGCORE_SAMPLES names; tests that need it are skipped where it is not set."""
    folder = os.environ.get("BGCORE_SAMPLES")
    if not folder:
        pytest.skip("BGCORE_SAMPLES is not set: no folder of sample files")
    path = Path(folder)
    assert path.is_dir(), f"BGCORE_SAMPLES names {folder}, which is no folder"
    return path


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of the source tree that these tests stand in."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def ledger(request: pytest.FixtureRequest, repo: Path) -> Ledger:
    """What of the module's long tests has passed with this very code; kept in the folder that BGCORE_LEDGER names."""
    folder = os.environ.get("BGCORE_LEDGER")
    if not folder:
        return Ledger(None)
    package = Path(bgcore.__file__).parent
    files = [file for file in package.rglob("*") if file.suffix in (".so", ".pyd", ".py")]
    files += [*(repo / "tests" / "naive").rglob("*.py"), request.path]
    return Ledger(Path(folder) / f"{request.path.stem}-{fingerprint(files, bgcore.cpu_info()['path'])}.txt")


LEFT_OUT = pytest.StashKey[int]()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """In a worker: count what -m and -k leave out."""
    config = items[0].config
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = config.workeroutput.get("left_out", 0) + len(items)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker has seen all tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many."""
    if count := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"left out by -m and -k: {count} tests")
