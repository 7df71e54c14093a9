"""``ci/layers.py`` passes on this tree and catches planted violations of every kind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.subprocess

CLEAN = {
    "errors.py": "import enum\n",
    "__init__.py": "from bgcore.rules import get\ndef __getattr__(name):\n    from bgcore import match\n",
    "core/__init__.py": "",
    "core/board.pyx": "cimport numpy\nfrom bgcore.core.bits cimport (\n    x,\n)\nfrom bgcore.errors import Wrong\n",
    "position.pyx": "from bgcore.core cimport board\ndef f():\n    from bgcore.formats import xgid\n",
    "position.pyi": "from bgcore.cli import anything\n",
    "play.py": "from bgcore.position import Position\n",
    "formats/__init__.py": "def f():\n    from bgcore.formats.mat import g\n",
    "formats/xgid.py": "from bgcore.position import Position\nfrom . import seats\n",
    "rules/__init__.py": "from ._base import Rules\nfrom bgcore.formats import xgid\n",
    "rules/_base.pyx": "from bgcore.play cimport Play\n",
    "batch.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from bgcore.rollout import run\n",
    "cli/__init__.py": "from bgcore.cli import show\nfrom bgcore import batch\n",
}

PLANTED = {
    "upwards": ("rules/plakoto.py", "import bgcore.batch\n", 1, "rules may not import batch"),
    "upwards, in a function": (
        "rules/x.py",
        "def f():\n    from bgcore import batch\n",
        2,
        "rules may not import batch",
    ),
    "later in its rank": ("position.pyx", "\nfrom bgcore.play cimport Play\n", 2, "position may not import play"),
    "cimport": ("core/board.pxd", "cimport bgcore.position\n", 1, "core may not import position"),
    "relative": ("core/board.py", "from ..dice import ROLLS\n", 1, "core may not import dice"),
    "lower tier at module level": ("position.py", "from bgcore.formats import xgid\n", 1, "inside a function only"),
    "lower tier looks up": ("formats/xgid.py", "from bgcore import rules\n", 1, "formats.xgid may not import rules"),
    "formats/__init__": ("formats/__init__.py", "from bgcore.formats import mat\n", 1, "imports nothing"),
    "cli": ("conformance/x.py", "def f():\n    from bgcore.cli import main\n", 2, "nobody imports cli"),
    "the package": ("batch.py", "from bgcore import legal_plays\n", 1, "nobody imports __init__"),
    "the package itself": ("batch.py", "import bgcore\n", 1, "nobody imports __init__"),
    "eager __init__": ("__init__.py", "from bgcore.bearoff import open\n", 1, "loaded lazily"),
    "else of TYPE_CHECKING": (
        "dice.py",
        "if TYPE_CHECKING:\n    import bgcore.batch\nelse:\n    import bgcore.batch\n",
        4,
        "dice may not import batch",
    ),
    "unknown room": ("helpers.py", "import os\n", 1, "in no row of the table"),
}


def run(repo: Path, src: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker on ``src``."""
    command = [sys.executable, str(repo / "ci" / "layers.py"), str(src)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def plant(root: Path, files: dict[str, str]) -> Path:
    """Write ``files`` under root/bgcore and return ``root``."""
    for name, text in files.items():
        path = root / "bgcore" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_this_tree_is_clean(repo: Path) -> None:
    result = run(repo, repo / "src")
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_clean_tree_passes(repo: Path, tmp_path: Path) -> None:
    result = run(repo, plant(tmp_path, CLEAN))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_violation_is_caught(repo: Path, tmp_path: Path, kind: str) -> None:
    name, text, line, message = PLANTED[kind]
    result = run(repo, plant(tmp_path, CLEAN | {name: text}))
    assert result.returncode == 1, result.stderr
    [said] = result.stdout.splitlines()
    assert f"{name}:{line}: " in said
    assert message in said
