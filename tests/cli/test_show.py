"""bgcore show."""

from __future__ import annotations

import numpy as np
import pytest

import bgcore as bg
from bgcore.draw.board_text import board_text

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def fields(output: str) -> dict[str, str]:
    """Return the lines below the board by their names."""
    return dict(line.split("  ", 1) for line in output.split("\n\n")[1].splitlines()) | {}


@pytest.mark.parametrize("text", ["start", "START", " start ", "backgammon", "4HPwATDgc/ABMA"])
def test_the_start(cli, text):
    result = cli("show", text)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith(str(bg.Position.initial()) + "\n\n")
    assert "4HPwATDgc/ABMA" in result.stdout
    assert "X 167, O 167" in result.stdout
    words = [int(word, 16) for word in fields(result.stdout)["Packed"].split()]
    assert bg.Position.from_packed(np.array(words, np.uint64)) == bg.Position.initial()


@pytest.mark.parametrize("arguments", [["nackgammon"], ["start", "--rules", "nackgammon"]])
def test_the_start_of_another_game(cli, arguments):
    result = cli("show", *arguments)
    assert result.exit_code == 0
    assert result.stdout.startswith(str(bg.NACKGAMMON.start))
    assert "nackgammon" in result.stdout


@pytest.mark.parametrize("text", ["portes:greek", "start"])
def test_a_preset(cli, text):
    result = cli("show", text, "--rules", "portes:greek")
    assert result.exit_code == 0
    assert fields(result.stdout)["Game"].strip() == "portes:greek"


@pytest.mark.parametrize("name", bg.rules.names())
def test_what_is_printed_of_a_game_can_be_read(cli, name):
    first = cli("show", name)
    assert first.exit_code == 0
    known = fields(first.stdout)
    assert ("Position ID" in known) == (name not in ("plakoto", "fevga", "gul_bara", "long_nardi", "jacquet"))
    for field in {"Packed", "Position ID"} & set(known):
        again = cli("show", known[field].strip(), "--rules", name)
        assert again.stdout == first.stdout


def test_three_checkers(cli):
    result = cli("show", bg.HYPERGAMMON.start.gnubg_id, "--rules", "hypergammon")
    assert result.exit_code == 0
    assert result.stdout.startswith(str(bg.HYPERGAMMON.start))


def test_an_xgid_shows_its_dice(cli):
    result = cli("show", XGID)
    assert result.stdout.startswith(board_text(bg.Position.initial(), dice=(3, 1)))
    assert "money play; cube 1, centred; X is its bottom player" in result.stdout


@pytest.mark.parametrize(
    ("tail", "says"),
    [
        ("1:-1:-1:00:2:4:1:5:10", "match to 5, X 4, O 2, Crawford game; cube 2, owned by X; X is its top player"),
        ("2:1:-1:00:2:3:0:5:10", "match to 5, X 3, O 2; cube 4, owned by O; X is its top player"),
        ("0:0:1:D:2:3:0:5:10", "match to 5, X 2, O 3; cube 1, centred; X has doubled; X is its bottom player"),
        ("0:0:1:00:0:0:3:0:10", "money play with Jacoby and beavers; cube 1, centred; X is its bottom player"),
    ],
)
def test_an_xgid_tells_the_score(cli, tail, says):
    assert says in cli("show", "XGID=-b----E-C---eE---c-e----B-:" + tail).stdout


@pytest.mark.parametrize(
    ("own", "opp", "says"),
    [
        ({24: 15}, {24: 15}, "contact"),
        ({1: 15}, {1: 15}, "race"),
        ({0: 15}, {0: 1, 1: 14}, "over: X has won a single game"),
        ({1: 15}, {0: 15}, "over: O has won a gammon"),
        ({0: 15}, {1: 14, 25: 1}, "over: X has won a backgammon"),
    ],
)
def test_the_stage_of_the_game(cli, own, opp, says):
    counts = np.zeros((2, 26), int)
    for side, points in enumerate((own, opp)):
        for point, n in points.items():
            counts[side, point] = n
    if own == opp == {24: 15}:
        assert bg.Position.from_counts(counts).is_contact
    result = cli("show", bg.Position.from_counts(counts).gnubg_id)
    assert f"{says}\n" in result.stdout
