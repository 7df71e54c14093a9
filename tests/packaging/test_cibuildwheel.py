"""The release wheels that ``[tool.cibuildwheel]`` asks for are exactly the listed ones; needs no container engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.subprocess
def test_printed_identifiers_equal_the_list(repo: Path) -> None:
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", "linux"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CIBW_")}
    result = subprocess.run([*command, str(repo)], capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    listed = (repo / "ci" / "cibuildwheel-identifiers.txt").read_text().split()
    assert sorted(result.stdout.split()) == sorted(listed)
