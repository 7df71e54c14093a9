"""Free memory, and refusing what doesn't fit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bgcore.bearoff import memory
from bgcore.errors import DatabaseError


def test_some_is_free() -> None:
    free = memory.free_memory()
    assert free is not None
    assert 2**20 < free < 2**50


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads Linux's files; CI runs on Linux")
def test_limit_of_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The smaller one of what the machine has left and what the limit leaves; what files fill can be given back."""
    monkeypatch.setattr(memory, "CGROUP", tmp_path)
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    (tmp_path / "meminfo").write_text("MemTotal:  9000 kB\nMemAvailable:    5000 kB\nHugePages_Total:       0\n")
    assert memory.free_memory() == 5000 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.stat").write_text("anon 1000\nfile 70000\nkernel 24\n")
    assert memory.free_memory() == 5000 * 1024
    (tmp_path / "memory.max").write_text("81024\n")
    assert memory.free_memory() == 80000
    (tmp_path / "memory.max").write_text("500\n")
    assert memory.free_memory() == 0
    with pytest.raises(DatabaseError, match=r"a table needs 2000 bytes \(2.0 kB\) of memory .* 0 bytes are free"):
        memory.require_memory(2000, "a table")
    (tmp_path / "meminfo").write_text("nothing of the kind\n")
    whole = memory.free_memory()
    assert whole is not None
    assert whole > 2**20


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (54321, "54.3 kB"),
        (2.5e6, "2.5 MB"),
        (23556653608, "23.6 GB"),
    ],
)
def test_bytes_for_people(count: int, text: str) -> None:
    assert memory.said_bytes(count) == text
