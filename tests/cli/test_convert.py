"""bgcore convert and bgcore dataset."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from recorded_matches import check

import bgcore as bg
from naive import scribes

TOLD = scribes.story(53, length=9)
ODD = " 5 point match\n\n Game 1\n A : 0                   B : 0\n  1) 31: 8/4 6/5                  52: 24/22 13/8\n"


@pytest.fixture
def match_file(tmp_path: Path) -> Path:
    path = tmp_path / "match.sgf"
    path.write_bytes(scribes.FILES["sgf"](TOLD))
    return path


@pytest.fixture
def odd_file(tmp_path: Path) -> Path:
    path = tmp_path / "odd.mat"
    path.write_text(ODD)
    return path


def test_a_file(cli, match_file, tmp_path):
    result = cli("convert", str(match_file), str(tmp_path / "x.mat"))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{match_file}: not in the new file: analysis\n"
    check(bg.read_match(tmp_path / "x.mat"), TOLD)
    result = cli("convert", str(match_file), str(tmp_path / "y.mat"), "--to", "txt")
    assert result.exit_code == 0
    assert (tmp_path / "y.mat").read_bytes().startswith(b"\xef\xbb\xbf;")


def test_what_is_odd_is_told(cli, odd_file, tmp_path):
    result = cli("convert", str(odd_file), str(tmp_path / "x.sgf"))
    assert result.exit_code == 0
    assert f"{odd_file}: line 5: illegal play" in result.stdout
    result = cli("convert", str(odd_file), str(tmp_path / "y.sgf"), "--strict")
    assert result.exit_code == 2
    assert f"bgcore: {odd_file}: line 5: illegal play" in result.stderr
    assert not (tmp_path / "y.sgf").exists()


def test_json(cli, odd_file, tmp_path):
    result = cli("convert", str(odd_file), str(tmp_path / "x.sgf"), "--json")
    told = json.loads(result.stdout)
    assert (told["source"], told["error"], told["games"], told["turns"]) == (str(odd_file), "", 1, 2)
    assert "illegal play" in told["notes"][0]


def test_a_folder(cli, match_file, odd_file, tmp_path):
    (tmp_path / "out").mkdir()
    source = tmp_path / "in"
    source.mkdir()
    match_file.rename(source / "match.sgf")
    odd_file.rename(source / "odd.mat")
    result = cli("convert", str(source), str(tmp_path / "out"), "--to", "txt")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "2 of 2 files converted, 1 with notes"
    check(bg.read_match(tmp_path / "out" / "match.txt"), TOLD)
    (source / "broken.xg").write_bytes(b"RGMH")
    result = cli("convert", str(source), str(tmp_path / "out"))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "2 of 3 files converted, 1 with notes"
    assert f"not converted: {source / 'broken.xg'}: byte 4: the header is cut off" in result.stderr
    result = cli("convert", str(source), str(tmp_path / "out"), "--json")
    assert [bool(json.loads(line)["error"]) for line in result.stdout.splitlines()] == [True, False, False]
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}", "-"], "a folder is converted into a folder"),
        (["{file}", "-"], "say the format with --to"),
        (["{file}", "-", "--to", "mat", "--json"], "leave --json out"),
        (["{file}", "x.xg"], "match files are written as"),
        (["{file}", "x.mat", "--to", "xg"], "--to xg"),
        (["{folder}", "{folder}"], "would be replaced|no file in it"),
    ],
)
def test_what_is_refused(cli, odd_file, tmp_path, arguments, message):
    values = [argument.format(folder=tmp_path, file=odd_file) for argument in arguments]
    result = cli("convert", *values)
    assert result.exit_code == 2
    assert any(part in result.stderr for part in message.split("|"))


@pytest.mark.subprocess
def test_standard_input_and_output(match_file):
    command = [sys.executable, "-m", "bgcore", "convert", "-", "-", "--to", "mat"]
    result = subprocess.run(command, input=match_file.read_bytes(), capture_output=True, check=False)
    assert result.returncode == 0
    assert result.stdout == scribes_mat(match_file)
    assert b"not in the new file: analysis" in result.stderr
    result = subprocess.run(command, input=b"nonsense", capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"no match file that is known" in result.stderr


def scribes_mat(path: Path) -> bytes:
    from bgcore.formats.matches import written

    return written(bg.read_match(path), "mat")


def test_dataset(cli, match_file, tmp_path):
    pytest.importorskip("pyarrow", reason="the extra formats is not installed")
    result = cli("dataset", str(match_file), str(tmp_path / "x.parquet"))
    rows = sum(len(game.turns) for game in TOLD.games)
    assert result.exit_code == 0
    assert result.stdout == f"{rows} rows of 1 files in {tmp_path / 'x.parquet'}\n"
    (tmp_path / "broken.mat").write_text("nonsense")
    result = cli("dataset", str(tmp_path), str(tmp_path / "x.arrow"), "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["rows"], told["files"], len(told["failed"])) == (1, rows, 1, 1)


def test_dataset_refusals(cli, match_file, tmp_path):
    result = cli("dataset", str(match_file), str(tmp_path / "x.csv"))
    assert result.exit_code == 2
    assert "a data set is written as" in result.stderr
    result = cli("dataset", str(tmp_path / "nothing"), str(tmp_path / "x.parquet"))
    assert result.exit_code == 2
