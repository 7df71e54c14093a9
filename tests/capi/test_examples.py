"""The C API, by ``cimport`` and by the header: the examples are built against the installed package and compared with
the Python API."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import bgcore as bg

pytestmark = pytest.mark.subprocess


def built(source: Path, folder: Path, name: str) -> ModuleType:
    """Return the example, built far from the source tree; it fails, never skips, when it can't be built."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.so", "*.pyd", "build", "tally.c"))
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LD_PRELOAD")}
    environment["CFLAGS"] = "-O1"  # only to be quick
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    [path] = [p for p in folder.iterdir() if p.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tally(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return built(repo / "examples" / "cython", tmp_path_factory.mktemp("cython") / "example", "tally")


@pytest.fixture(scope="module")
def blots(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return built(repo / "examples" / "c", tmp_path_factory.mktemp("c") / "example", "blots")


@pytest.fixture(scope="module")
def packed() -> np.ndarray:
    """Positions of a game."""
    positions = [bg.Position.initial()]
    for step in range(60):
        plays = bg.BACKGAMMON.legal_plays(positions[-1], bg.dice.ROLLS[5 * step % 21])
        positions.append(plays[7 * step % len(plays)].result if plays else positions[-1].flipped())
    return np.array([position.packed for position in positions], dtype=np.uint64)


def test_cython_counts_what_the_python_api_counts(tally: ModuleType, packed: np.ndarray) -> None:
    plays, pips = tally.tally(packed)
    assert plays == int(bg.batch.count_plays(packed).sum())
    assert pips == sum(bg.Position.from_packed(row).pips[0] for row in packed)


def test_c_counts_what_the_python_api_counts(blots: ModuleType, packed: np.ndarray) -> None:
    points = [list(bg.Position.from_packed(row).counts[0, 1:25]) for row in packed]
    wanted = (sum(row.count(1) for row in points), sum(n > 1 for row in points for n in row))
    assert blots.count(packed) == wanted
    assert blots.count(packed[:0]) == (0, 0)


def test_c_checks_its_input(blots: ModuleType, packed: np.ndarray) -> None:
    for wrong in (packed.astype(np.float64), packed.ravel(), packed[:, :3].copy(), packed.astype(np.uint32)):
        with pytest.raises(ValueError, match=r"uint64, of shape \(n, 4\)"):
            blots.count(wrong)
    with pytest.raises(TypeError):
        blots.count([1])


def test_cython_checks_its_input(tally: ModuleType) -> None:
    with pytest.raises(ValueError, match="row 1 is not a position"):
        tally.tally(np.array([bg.Position.initial().packed, [0, 0, 0, 0]], dtype=np.uint64))
    with pytest.raises(ValueError, match="4 columns"):
        tally.tally(np.zeros((2, 3), dtype=np.uint64))


def test_the_versions_agree(tally: ModuleType, blots: ModuleType) -> None:
    header = Path(bg.get_include(), "bgcore.h").read_text(encoding="utf-8")
    found = re.search(r"^#define BG_API_VERSION (\d+)$", header, re.MULTILINE)
    assert found is not None
    assert int(found[1]) == tally.API_VERSION == blots.API_VERSION
