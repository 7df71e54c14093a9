"""What has passed is remembered, for the same code only."""

from __future__ import annotations

from pathlib import Path

import pytest
from ledger import Ledger, fingerprint


def test_parts_outlive_the_run(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "parts.txt"
    first = Ledger(file)
    assert "fevga 1" not in first
    first.add("fevga 1")
    first.add("fevga 10")
    assert "fevga 1" in Ledger(file)
    assert "fevga 10" in Ledger(file)
    assert "fevga" not in Ledger(file)


def test_a_line_cut_short_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "parts.txt"
    file.write_text("fevga 1\nfevga 1", encoding="utf-8")
    assert "fevga 1" in Ledger(file)
    file.write_text("fevga 0\nfevga 1", encoding="utf-8")
    assert "fevga 1" not in Ledger(file)


def test_without_a_file_nothing_is_remembered() -> None:
    ledger = Ledger(None)
    ledger.add("fevga 1")
    assert "fevga 1" not in ledger


@pytest.mark.parametrize("change", ["content", "name", "word", "one more"])
def test_other_code_has_another_fingerprint(tmp_path: Path, change: str) -> None:
    files = [tmp_path / "a.py", tmp_path / "b.py"]
    for file in files:
        file.write_text(file.name, encoding="utf-8")
    before = fingerprint(files, "avx2")
    assert fingerprint(reversed(files), "avx2") == before
    words = ["avx2"]
    match change:
        case "content":
            files[1].write_text("b.pz", encoding="utf-8")
        case "name":
            files[1] = files[1].rename(tmp_path / "c.py")
        case "word":
            words = ["base"]
        case "one more":
            files.append(tmp_path / "d.py")
            files[2].write_text("", encoding="utf-8")
    assert fingerprint(files, *words) != before
