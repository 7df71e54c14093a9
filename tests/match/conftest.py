"""What the tests of records share."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgcore.match.record import MatchRecord
from recorded import written_script


@pytest.fixture
def script(tmp_path: Path) -> MatchRecord:
    """A short record with a bit of everything, on disk."""
    return written_script(tmp_path / "script.jsonl")
