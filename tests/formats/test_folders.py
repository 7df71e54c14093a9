"""Folders of match files: what is found, where it goes, what is told, in one process and in several."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from recorded_matches import check

import bgcore as bg
from bgcore.errors import FormatError
from bgcore.formats.folders import convert_files, match_files, over_files
from naive import scribes

TOLD = scribes.story(53, length=9)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of all kinds, some in a folder inside, one that is none, one that is not looked at."""
    root = tmp_path / "in"
    (root / "more").mkdir(parents=True)
    for place, (kind, scribe) in enumerate(scribes.FILES.items()):
        where = root / "more" if place % 2 else root
        (where / f"{kind}{scribes.SUFFIXES.get(kind, '.mat')}").write_bytes(scribe(TOLD))
    (root / "same.mat").write_bytes(scribes.FILES["gnubg"](TOLD))
    (root / "same.sgf").write_bytes(scribes.FILES["sgf"](TOLD))
    (root / "broken.mat").write_text("nonsense")
    (root / "README.md").write_text("nothing")
    return root


def test_match_files(folder: Path, tmp_path: Path) -> None:
    found = match_files(folder)
    assert found == sorted(found)
    assert len(found) == len(scribes.FILES) + 3
    assert match_files(folder / "same.mat") == [folder / "same.mat"]
    with pytest.raises(FormatError, match="no file or folder"):
        match_files(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"no file in it that ends in \.mat"):
        match_files(tmp_path / "empty")


@pytest.mark.parametrize("name", ["mat", "txt", "sgf"])
def test_a_folder_is_converted(folder: Path, tmp_path: Path, name: str) -> None:
    steps: list[tuple[int, int]] = []
    done = list(convert_files(folder, tmp_path / "out", format=name, progress=lambda *step: steps.append(step)))
    assert [one.source for one in done] == [str(path) for path in match_files(folder)]
    assert steps == [(i, len(done)) for i in range(1, len(done) + 1)]
    for one in done:
        if "broken" in one.source:
            assert "broken.mat: no match file" in one.error
            assert not Path(one.target).exists()
            continue
        assert one.error == ""
        assert Path(one.target).parent.relative_to(tmp_path / "out") == Path(one.source).parent.relative_to(folder)
        check(bg.read_match(one.target), TOLD)
        assert one.games == len(TOLD.games)
        assert one.turns == sum(len(game.turns) for game in TOLD.games)
    # Two that differ in their suffixes only keep both.
    assert {Path(one.target).name for one in done if "same" in one.source} == {f"same.mat.{name}", f"same.sgf.{name}"}


def test_strict_and_a_limit(folder: Path, tmp_path: Path) -> None:
    (folder / "odd.mat").write_text(" 5 point match\n\n Game 1\n A : 0     B : 0\n  1) 31: 8/4 6/5\n")
    done = {Path(one.source).name: one for one in convert_files(folder, tmp_path / "out", strict=True)}
    assert "illegal play" in done["odd.mat"].error
    done = {Path(one.source).name: one for one in convert_files(folder, tmp_path / "out")}
    assert "illegal play" in done["odd.mat"].notes[0]
    done = {Path(one.source).name: one for one in convert_files(folder, tmp_path / "out", max_bytes=10)}
    assert all("max_bytes" in one.error for one in done.values() if "broken" not in one.source)


def test_a_file_is_never_replaced_by_what_is_made_of_it(folder: Path) -> None:
    with pytest.raises(FormatError, match="would be replaced"):
        list(convert_files(folder, folder))
    with pytest.raises(FormatError, match="'xg' is not written"):
        list(convert_files(folder, folder, format="xg"))


def test_any_executor_gives_the_same(folder: Path, tmp_path: Path) -> None:
    alone = list(convert_files(folder, tmp_path / "out"))
    with ThreadPoolExecutor(3) as executor:
        assert list(convert_files(folder, tmp_path / "out", executor=executor)) == alone


@pytest.mark.subprocess
def test_processes_give_the_same(folder: Path, tmp_path: Path) -> None:
    alone = list(convert_files(folder, tmp_path / "out"))
    assert list(convert_files(folder, tmp_path / "out", workers=2)) == alone


def test_many_files_are_worked_on_in_order_and_not_all_at_once() -> None:
    started: list[int] = []

    def work(number: int) -> int:
        started.append(number)
        return -number

    with ThreadPoolExecutor(2) as executor:
        results = over_files(work, range(5000), executor=executor, workers=2)
        assert [next(results) for _ in range(10)] == [-n for n in range(10)]
        assert len(started) < 5000
        assert list(results) == [-n for n in range(10, 5000)]
    with pytest.raises(ValueError, match="workers"):
        list(over_files(work, range(3), workers=0))
