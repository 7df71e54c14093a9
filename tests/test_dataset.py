"""Matches as columns, against the story they were made of; Arrow and Parquet where pyarrow is installed."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import dataset
from bgcore.errors import FormatError
from bgcore.match.transcript import Match
from naive import backgammon as naive
from naive import scribes, words

TOLD = scribes.story(53, length=9)
TURNS = [(number, place, turn) for number, game in enumerate(TOLD.games) for place, turn in enumerate(game.turns)]


def match_of(kind: str = "gnubg") -> Match:
    return bg.read_match(io.BytesIO(scribes.FILES[kind](TOLD)))


def packed(board: naive.Board) -> list[int]:
    """The words of a board, from their description."""
    own = [0, *[max(n, 0) for n in board[1:]]]
    opp = [0, *[max(-board[25 - p], 0) for p in range(1, 26)]]
    own[0], opp[0] = 15 - sum(own), 15 - sum(opp)
    return list(words.pack((own, opp)))


def test_columns_are_what_was_played() -> None:
    table = dataset.columns(match_of(), files=("x.mat",))
    assert list(table) == list(dataset.COLUMNS)
    for name, (kind, shape, _) in dataset.COLUMNS.items():
        assert table[name].dtype == kind
        assert table[name].shape == (len(TURNS), *shape)
    assert set(table["file"]) == {"x.mat"}
    cube, owner = 1, 0
    for row, (number, place, turn) in enumerate(TURNS):
        game = TOLD.games[number]
        cube, owner = (1, 0) if place == 0 else (cube, owner)
        cells = {name: values[row] for name, values in table.items()}
        assert (cells["game"], cells["turn"], cells["player"]) == (number, place, turn.player)
        assert cells["name"] == TOLD.names[turn.player]
        assert dataset.ACTIONS[cells["action"]] == turn.action
        assert cells["position"].tolist() == packed(turn.before)
        assert cells["score"].tolist() == [game.score[turn.player], game.score[1 - turn.player]]
        assert (cells["length"], cells["crawford"]) == (TOLD.length, game.crawford)
        won = 0 if game.winner is None else game.points if game.winner == turn.player else -game.points
        assert cells["points"] == won
        assert dataset.ENDINGS[cells["ending"]] == (game.how or "unfinished")
        assert cells["cube"] == cube
        assert cells["owner"] == (owner if turn.player == 0 else -owner)
        if turn.action == "play":
            assert sorted(cells["dice"].tolist()) == sorted(turn.dice)
            assert cells["result"].tolist() == packed(naive.flip(turn.after))
            moves = [tuple(move) for move in cells["moves"].tolist() if move[0] >= 0]
            assert len(moves) == len(turn.path)
            board = turn.before
            for source, target, hit in moves:
                assert hit == (target > 0 and board[target] == -1)
                board = naive.apply(board, (source, target))
            assert board == turn.after
        else:
            assert cells["dice"].tolist() == [0, 0]
            assert (cells["moves"] == -1).all()
            assert cells["result"].tolist() == [0, 0, 0, 0]
        if turn.action == "take":
            cube, owner = 2 * cube, 1 if turn.player == 0 else -1


def test_illegal_and_unknown_plays() -> None:
    rows = "  1) 31: 8/4 6/5                  52: ????\n  2) 64: 24/14\n"
    match = bg.read_match(io.BytesIO(f" 5 point match\n\n Game 1\n A : 0                   B : 0\n{rows}".encode()))
    table = dataset.columns(match)
    assert [dataset.LEGALITY[n] for n in table["legality"]] == ["illegal", "unknown", "unknown"]
    assert table["play"].tolist() == ["8/4 6/5", "????", "24/14"]
    assert table["position"].any(axis=1).tolist() == [True, True, False]
    assert table["result"].any(axis=1).tolist() == [True, False, False]


def test_several_matches_and_none() -> None:
    one = match_of()
    table = dataset.columns([one, match_of("xg_mat")], files=("a", "b"))
    assert len(table["turn"]) == 2 * len(TURNS)
    assert set(table["rating"][len(TURNS) :].tolist()) == {1720.0, 1650.0}  # Ann's and Bob's, whose numbers are swapped
    assert np.isnan(table["rating"][: len(TURNS)]).all()
    parts = dataset.concatenated(
        [dataset.columns(one, files=("a",)), dataset.columns(match_of("xg_mat"), files=("b",))]
    )
    for name, values in table.items():
        assert np.array_equal(values, parts[name], equal_nan=name == "rating")
    empty = dataset.columns(())
    assert {name: values.shape for name, values in empty.items()} == {
        name: (0, *shape) for name, (_, shape, _) in dataset.COLUMNS.items()
    }
    assert dataset.concatenated([])["position"].shape == (0, 4)


def test_columns_can_be_fed_to_the_batch_calls() -> None:
    table = dataset.columns(match_of())
    rolls = table["action"] == 0
    plays = bg.batch.legal_plays(table["position"][rolls], table["dice"][rolls], pass_results=True)
    for row, result in enumerate(table["result"][rolls]):
        segment = plays.results[plays.offsets[row] : plays.offsets[row + 1]]
        assert (segment == result).all(axis=1).any()


# ---- files ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "in"
    (root / "b").mkdir(parents=True)
    for number, kind in enumerate(("gnubg", "xg", "sgf", "bgf", "galaxy")):
        where = root / "b" if number % 2 else root
        (where / f"{number}{scribes.SUFFIXES.get(kind, '.mat')}").write_bytes(scribes.FILES[kind](TOLD))
    (root / "broken.sgf").write_text("nonsense")
    return root


def read_back(path: Path) -> Any:
    arrow = pytest.importorskip("pyarrow", reason="the extra formats is not installed")
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return parquet.read_table(path)
    return arrow.ipc.open_file(path).read_all()


@pytest.mark.parametrize("rows", [1, 100, 10**6])
@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
def test_a_folder_becomes_a_file(folder: Path, tmp_path: Path, suffix: str, rows: int) -> None:
    pytest.importorskip("pyarrow", reason="the extra formats is not installed")
    if rows == 1 and suffix != ".arrow":
        return
    path = tmp_path / f"x{suffix}"
    made = dataset.write(folder, path, rows=rows)
    assert (made.rows, made.files, len(made.failed)) == (5 * len(TURNS), 5, 1)
    assert "broken.sgf: no match file" in made.failed[0]
    assert any("analysis" in note for note in made.notes)
    table = read_back(path)
    assert table.num_rows == made.rows
    whole = dataset.columns(
        [bg.read_match(folder / name) for name in ("0.mat", "2.sgf", "4.txt", "b/1.xg", "b/3.bgf")],
        files=("0.mat", "2.sgf", "4.txt", "b/1.xg", "b/3.bgf"),
    )
    assert table.column("file").to_pylist() == whole["file"].tolist()
    assert table.column("play").to_pylist() == whole["play"].tolist()
    for name in ("position", "result", "moves", "dice", "score"):
        flat = np.array(table.column(name).to_pylist())
        assert np.array_equal(flat.reshape(whole[name].shape), whole[name])
    for name in ("turn", "cube", "owner", "points", "crawford"):
        assert table.column(name).to_pylist() == whole[name].tolist()


@pytest.mark.subprocess
def test_processes_give_the_same_file(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra formats is not installed")
    for number in range(12):
        (folder / f"more{number}.mat").write_bytes(scribes.FILES["gnubg"](TOLD))
    steps: list[tuple[int, int]] = []
    one = dataset.write(folder, tmp_path / "1.arrow", progress=lambda *step: steps.append(step))
    assert steps[-1] == (18, 18)
    assert dataset.write(folder, tmp_path / "2.arrow", workers=2) == one
    assert (tmp_path / "1.arrow").read_bytes() == (tmp_path / "2.arrow").read_bytes()


def test_what_cannot_be_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match=r"x\.csv: a data set is written as \.parquet, \.arrow, \.feather"):
        dataset.write(folder, tmp_path / "x.csv")
    with pytest.raises(ValueError, match="rows must be at least 1"):
        dataset.write(folder, tmp_path / "x.arrow", rows=0)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FormatError, match=r"pip install \"bgcore\[formats\]\""):
        dataset.write(folder, tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == [folder]
