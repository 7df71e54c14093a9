"""Running the command: in this process for what it says, in another one for what a shell sees."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bgcore.cli.app import app

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


def invoke(*arguments: str, input: str | bytes | None = None) -> Result:
    """Run the command in this process; nothing but a SystemExit may come out of it."""
    result = CliRunner().invoke(
        app, list(arguments), input=input, prog_name="bgcore", env={"COLUMNS": "120", "NO_COLOR": "1"}
    )
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="session")
def cli() -> Run:
    """Run the command in this process."""
    return invoke


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Run the command in a process of its own."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"COLUMNS": "120"}
        command = [sys.executable, "-m", "bgcore", *arguments]
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            command, **({"cwd": tmp_path, "env": environment, "capture_output": True, "text": True} | options)
        )

    return run
