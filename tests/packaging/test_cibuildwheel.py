"""The release wheels that ``[tool.cibuildwheel]`` asks for are exactly the listed ones; needs no container engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHONS = ["cp311", "cp312", "cp313", "cp314", "cp314t"]
MACHINES = {
    "linux": ["manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64", "musllinux_aarch64"],
    "macos": ["macosx_x86_64", "macosx_arm64"],
    "windows": ["win_amd64"],
}


@pytest.mark.subprocess
@pytest.mark.parametrize("system", MACHINES)
def test_printed_identifiers_are_those_we_want(repo: Path, system: str) -> None:
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", system]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CIBW_")}
    result = subprocess.run([*command, str(repo)], capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    wanted = {f"{python}-{machine}" for python in PYTHONS for machine in MACHINES[system]}
    assert set(result.stdout.split()) == wanted


def test_the_list_is_all_of_them(repo: Path) -> None:
    listed = (repo / "ci" / "cibuildwheel-identifiers.txt").read_text().split()
    assert listed == sorted(f"{python}-{one}" for python in PYTHONS for some in MACHINES.values() for one in some)
