"""bgcore show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types

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


PENDING = "XGID=-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("start", {}),
        (XGID, {"dice": (3, 1), "cube": 1, "score": (0, 0), "length": 0}),
        (
            PENDING + ":1:-1:-1:00:2:3:0:5:10",
            {"cube": 2, "cube_owner": "own", "score": (3, 2), "length": 5},
        ),
        (PENDING + ":1:1:-1:00:2:3:0:5:10", {"cube": 2, "cube_owner": "opp", "score": (3, 2), "length": 5}),
        (PENDING + ":1:1:1:D:2:3:0:5:10", {"cube": 4, "offered": "opp", "score": (2, 3), "length": 5}),
        (PENDING + ":0:0:1:B:2:3:2:0:10", {"cube": 4, "offered": "own", "score": (2, 3), "length": 0}),
        (PENDING + ":0:0:1:R:2:3:2:0:10", {"cube": 8, "offered": "opp", "score": (2, 3), "length": 0}),
        (PENDING + ":0:0:1:00:4:3:1:5:10", {"score": (4, 3), "length": 5, "crawford": True}),
        (PENDING + ":0:0:1:00:4:3:0:0:0", {"score": (4, 3), "length": 0}),
    ],
)
def test_a_picture_shows_what_the_text_says(cli, tmp_path, text, options):
    file = tmp_path / "board.svg"
    result = cli("show", text, "--svg", str(file))
    assert result.exit_code == 0
    assert result.stdout == cli("show", text).stdout
    assert file.read_text() == bg.draw.svg(bg.Position.initial(), **options) + "\n"


def test_a_picture_of_another_game(cli, tmp_path):
    file = tmp_path / "board.svg"
    assert cli("show", "fevga", "--svg", str(file)).exit_code == 0
    assert file.read_text() == bg.draw.svg(bg.FEVGA.start, rules=bg.FEVGA) + "\n"


def test_a_png(cli, tmp_path, monkeypatch):
    module = types.ModuleType("resvg_py")
    module.svg_to_bytes = lambda svg_string, width, skip_system_fonts: f"{width} {svg_string}".encode()
    monkeypatch.setitem(sys.modules, "resvg_py", module)
    file = tmp_path / "board.png"
    assert cli("show", "start", "--png", str(file)).exit_code == 0
    assert file.read_text() == "960 " + bg.draw.svg(bg.Position.initial(), size=960)


def test_a_png_without_resvg(cli, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = cli("show", "start", "--png", str(tmp_path / "board.png"))
    assert result.exit_code == 1
    assert 'pip install "bgcore[png]"' in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.subprocess
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX's; colours are decided the same way")
@pytest.mark.parametrize(
    ("settings", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_gets_colours_unless_it_asked_for_none(settings, coloured):
    import pty

    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    main, other = pty.openpty()
    command = [sys.executable, "-m", "bgcore", "show", "start"]
    with subprocess.Popen(command, stdout=other, env=environment | {"TERM": "xterm"} | settings) as process:
        os.close(other)
        output = b""
        try:
            while piece := os.read(main, 4096):
                output += piece
        except OSError:  # Linux says EIO at the end
            pass
        assert process.wait() == 0
    os.close(main)
    assert (b"\x1b[" in output) is coloured
    plain = re.sub(rb"\x1b\[[0-9;]*m", b"", output).decode().replace("\r\n", "\n")
    assert plain.startswith(str(bg.Position.initial()) + "\n\n")
