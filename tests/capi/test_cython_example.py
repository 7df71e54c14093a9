"""The C API by ``cimport``: examples/cython is built against the installed package and compared with the Python API."""

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


@pytest.fixture(scope="module")
def tally(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Return the example, built far from the source tree; it fails, never skips, when it can't be built."""
    folder = tmp_path_factory.mktemp("cython") / "example"
    shutil.copytree(repo / "examples" / "cython", folder, ignore=shutil.ignore_patterns("*.c", "*.so", "build"))
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LD_PRELOAD")}
    environment["CFLAGS"] = "-O1"  # only to be quick
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    [path] = [p for p in folder.iterdir() if p.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location("tally", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_counts_what_the_python_api_counts(tally: ModuleType) -> None:
    positions = [bg.Position.initial()]
    for step in range(60):
        plays = bg.BACKGAMMON.legal_plays(positions[-1], bg.dice.ROLLS[5 * step % 21])
        positions.append(plays[7 * step % len(plays)].result if plays else positions[-1].flipped())
    packed = np.array([position.packed for position in positions], dtype=np.uint64)
    plays, pips = tally.tally(packed)
    assert plays == int(bg.batch.count_plays(packed).sum())
    assert pips == sum(position.pips[0] for position in positions)


def test_it_checks_its_input(tally: ModuleType) -> None:
    with pytest.raises(ValueError, match="row 1 is not a position"):
        tally.tally(np.array([bg.Position.initial().packed, [0, 0, 0, 0]], dtype=np.uint64))
    with pytest.raises(ValueError, match="4 columns"):
        tally.tally(np.zeros((2, 3), dtype=np.uint64))


def test_the_versions_agree(tally: ModuleType) -> None:
    header = Path(bg.get_include(), "bgcore.h").read_text(encoding="utf-8")
    found = re.search(r"^#define BG_API_VERSION (\d+)$", header, re.MULTILINE)
    assert found is not None
    assert int(found[1]) == tally.API_VERSION
