"""Two-sided tables built into files: the same values, the same bytes after any number of kills."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import bgcore as bg
from bgcore.bearoff import twosided_build

BUILD = """
import sys, bgcore as bg
bg.bearoff.two_sided(points=6, checkers=int(sys.argv[2]), path=sys.argv[1], threads=2)
"""


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def build(path: Path, checkers: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", BUILD, str(path), str(checkers)])


@pytest.mark.parametrize(
    "options",
    [
        {"points": 6, "checkers": 5},
        {"points": 3, "checkers": 15, "jacoby": True},
        {"points": 6, "checkers": 4, "dtype": "float64"},
        {"points": 6, "checkers": 4, "cubeful": False},
    ],
)
def test_a_file_holds_what_a_table_in_memory_holds(
    options: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(twosided_build, "STREAMED_FROM", 0)
    inside = bg.bearoff.two_sided(**options)
    filed = bg.bearoff.two_sided(path=tmp_path / "table", **options)
    assert [entry.name for entry in tmp_path.iterdir() if not entry.name.endswith(".lock")] == ["table"]
    n = inside.positions
    rng = np.random.default_rng(5)
    counts = np.zeros((20_000, 2, 26), np.uint8)
    for side in range(2):
        counts[:, side, 1 : inside.points + 1] = bg.bearoff.unrank(
            rng.integers(1, n, len(counts), np.uint64), points=inside.points
        )
        counts[:, side, 0] = 15 - counts[:, side].sum(1)
    rows = bg.batch.pack(counts)
    for decided in (False, True):
        assert np.array_equal(inside.lookup(rows, decided=decided), filed.lookup(rows, decided=decided), equal_nan=True)
    opened = bg.bearoff.open(tmp_path / "table", verify=True)
    assert np.array_equal(opened.lookup(rows), filed.lookup(rows), equal_nan=True)
    assert repr(opened) == repr(inside)
    inside.save(tmp_path / "saved")
    assert np.array_equal(bg.bearoff.open(tmp_path / "saved").lookup(rows), filed.lookup(rows), equal_nan=True)


def test_what_cannot_be_streamed_is_saved_at_the_end(tmp_path: Path) -> None:
    table = bg.bearoff.two_sided(checkers=3, probabilities=True, path=tmp_path / "table")
    again = bg.bearoff.open(tmp_path / "table")
    position = bg.Position.from_gnubg_id("AQAAgAAAAAAAAA").packed[np.newaxis]
    assert again.probabilities(position).tolist() == table.probabilities(position).tolist() == [[0.75, 0, 0]]
    with pytest.raises(bg.errors.DatabaseError, match="probabilities=True"):
        bg.bearoff.two_sided(checkers=1).probabilities(position)


@pytest.mark.subprocess
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills with SIGKILL")
@pytest.mark.parametrize(("checkers", "kills"), [(7, 3), pytest.param(8, 20, marks=pytest.mark.long)])
def test_a_killed_build_is_continued(checkers: int, kills: int, tmp_path: Path) -> None:
    start = time.monotonic()
    assert build(tmp_path / "whole", checkers).wait() == 0
    whole = time.monotonic() - start
    moments = random.Random(checkers)
    path = tmp_path / "killed"
    for _ in range(kills):
        process = build(path, checkers)
        try:
            process.wait(whole * moments.uniform(0.2, 1))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        if path.exists():  # finished before the kill: its bytes are right, and the next one begins anew
            assert digest(path) == digest(tmp_path / "whole")
            path.unlink()
    assert build(path, checkers).wait() == 0
    assert digest(path) == digest(tmp_path / "whole")


def test_a_build_goes_on_where_its_journal_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken off in the middle from inside, so that something is left to continue whatever the speed."""
    monkeypatch.setattr(twosided_build, "STREAMED_FROM", 0)
    options = {"checkers": 5, "path": tmp_path / "table"}

    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Enough

    with pytest.raises(Enough):
        bg.bearoff.two_sided(progress=stop, **options)
    seen: list[int] = []
    bg.bearoff.two_sided(progress=lambda done, total: seen.append(done / total), **options)
    assert seen[0] > 0.2
    assert seen[-1] == 1
    bg.bearoff.two_sided(checkers=5, path=tmp_path / "whole")
    assert digest(tmp_path / "table") == digest(tmp_path / "whole")
