"""The command in this process, as tests/cli has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from bgcore.cli.app import app


@pytest.fixture
def cli() -> Callable[..., Result]:
    """Run the command."""

    def invoke(*arguments: object) -> Result:
        result = CliRunner().invoke(app, [str(a) for a in arguments], prog_name="bgcore", env={"COLUMNS": "120"})
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke
