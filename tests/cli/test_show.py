"""bgcore show."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import bgcore as bg
from bgcore.draw.board_text import board_text
from bgcore.formats.state_strings import write_state

DATA = Path(__file__).resolve().parent.parent / "data" / "matches"

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
    known = fields(result.stdout)
    assert known["State"].strip() == "money at 0-0, game 1: player 0 to play 3-1"
    assert (known["XGID"].strip(), known["X is"].strip()) == (XGID, "player 0")
    assert known["GNUBGID"].strip() == "4HPwATDgc/ABMA:cIkFAAAAAAAE"


@pytest.mark.parametrize(
    ("tail", "says"),
    [
        ("0:0:-1:00:2:4:1:5:10", "5-point match at 2-4, game 1, Crawford: player 1 to roll"),
        ("2:1:-1:00:2:3:0:5:10", "5-point match at 2-3, game 1, cube 4 of player 0: player 1 to roll"),
        ("0:0:1:D:2:3:0:5:10", "5-point match at 2-3, game 1: player 1 to answer a double to 2"),
        ("0:0:1:00:0:0:3:0:10", "money at 0-0, game 1: player 0 to roll"),
    ],
)
def test_an_xgid_tells_the_state(cli, tail, says):
    text = "XGID=-b----E-C---eE---c-e----B-:" + tail
    known = fields(cli("show", text).stdout)
    assert known["State"].strip() == says
    assert bg.MatchState.from_xgid(known["XGID"].strip()).position == bg.BACKGAMMON.start
    told = json.loads(cli("show", text, "--json").stdout)
    assert told["kind"] == "xgid"
    assert bg.MatchState.from_xgid(told["state"]["strings"]["xgid"]).xgid() == bg.MatchState.from_xgid(text).xgid()
    assert told["state"]["score"] == list(bg.MatchState.from_xgid(text).score)


STATE = bg.MatchState.from_xgid("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")


@pytest.mark.parametrize("kind", ["xgid", "gnubgid", "ogid", "fibs", "snowie"])
def test_every_string_of_a_state(cli, kind):
    """Each is printed in JSON, and what is printed shows the same."""
    text = write_state(STATE, kind, names=("Ann", "Bob"))
    told = json.loads(cli("show", text, "--json").stdout)
    assert (told["kind"], told["position_id"], told["pips"]) == (kind, STATE.position.gnubg_id, [111, 52])
    assert (told["state"]["cube"], told["state"]["dice"], told["state"]["length"]) == (2, [2, 1], 7)
    assert told["state"]["score"] == [3, 6]
    assert told["names"] == (["Ann", "Bob"] if kind in ("fibs", "snowie") else None)
    for of, again in told["state"]["strings"].items():
        assert bg.parse(again).kind == of
        assert bg.parse(again).position == STATE.position
    around = cli("show", f"Hello, what is right here? {text}")
    assert around.stdout == cli("show", text).stdout
    moves = cli("moves", text)
    assert moves.exit_code == 0
    assert moves.stdout.startswith("X to play 21")


def test_an_xgid_that_contradicts_itself(cli):
    odd = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:7:10"
    refused = cli("show", odd)
    assert refused.exit_code == 2
    assert "field 8" in refused.stderr
    result = cli("show", odd, "--lenient")
    assert result.exit_code == 0
    assert "Note         XGID field 8 (rules): 3 means nothing in a match" in result.stdout
    assert len(json.loads(cli("show", odd, "--lenient", "--json").stdout)["notes"]) == 2


def test_standard_input_and_files(cli, tmp_path):
    post = f"Should I double?\n\n{XGID}\n\nThanks"
    expected = cli("show", XGID).stdout
    assert cli("show", "-", input=post).stdout == expected
    file = tmp_path / "post.txt"
    file.write_bytes(b"\xff\xfe" + post.encode("utf-16-le"))
    assert cli("show", str(file)).stdout == expected
    file.write_text("nothing here")
    result = cli("show", str(file))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"bgcore: {file}: 'nothing here' is no position")
    file.write_bytes(b"a\0b" * 9)
    assert cli("show", str(file)).exit_code == 2
    assert cli("show", "-", input="").exit_code == 2


@pytest.mark.parametrize("name", ["xg.xg", "gnubg.mat", "sgf.sgf", "bgf.bgf"])
def test_a_match(cli, tmp_path, name):
    file = DATA / name
    match = bg.read_match(file)
    result = cli("show", str(file))
    assert result.exit_code == 0
    for game in match.games:
        assert f"Game {game.number:<3} at {game.score[0]}-{game.score[1]}" in result.stdout
    assert f"Score        {match.score[0]}-{match.score[1]}" in result.stdout
    told = json.loads(cli("show", str(file), "--json").stdout)
    assert (told["names"], told["length"], told["score"]) == (list(match.names), match.length, list(match.score))
    assert told["games"][0]["turns"] == len(match.games[0].turns)
    full = json.loads(cli("show", str(file), "--json", "--entries").stdout)
    plays = [turn["play"] for game in full["games"] for turn in game["turns"] if turn["action"] == "play"]
    assert plays == [
        str(t.play) for game in match.games for t in game.turns if t.action == "play" and t.play is not None
    ]
    assert bg.read_match(io.BytesIO(cli("show", str(file), "--entries").stdout.split("\n +13")[0].encode())).same_play(
        match
    )
    with file.open("rb") as opened:
        assert cli("show", "-", input=opened.read()).stdout == result.stdout
    third = match.games[0].turns[2]
    shown = cli("show", str(file), "--entry", "2", "--svg", str(tmp_path / "x.svg"))
    assert third.result is not None
    assert third.result.gnubg_id in shown.stdout
    assert str(third.play) in shown.stdout
    assert (tmp_path / "x.svg").read_text() == bg.draw.svg(third.result, rules=bg.BACKGAMMON) + "\n"
    assert cli("show", str(file), "--entry", "100000").exit_code == 2
    assert cli("show", str(file), "--rules", "portes").exit_code == 2


def test_a_match_behind_a_long_head(cli, tmp_path):
    file = tmp_path / "long.mat"
    file.write_bytes("".join(f'; [Tag{n} "\u00e9"]\n' for n in range(900)).encode() + (DATA / "gnubg.mat").read_bytes())
    assert cli("show", str(file)).stdout == cli("show", "-", input=file.read_bytes()).stdout
    assert "Game 1" in cli("show", str(file)).stdout


def test_a_match_with_oddities(cli, tmp_path):
    file = tmp_path / "odd.mat"
    file.write_text(
        " 5 point match\n\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/4 6/5      52: ????\n      Wins 1 point\n"
    )
    result = cli("show", str(file))
    assert result.exit_code == 0
    assert "Note         line 5: illegal play" in result.stdout
    assert "The position is not known." in result.stdout
    assert "illegal" in cli("show", str(file), "--entry", "0").stdout
    assert "(unknown)" in cli("show", str(file), "--entry", "1").stdout
    assert cli("show", str(file), "--svg", str(tmp_path / "x.svg")).exit_code == 2
    assert not (tmp_path / "x.svg").exists()


def test_a_record_as_json(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("play", "--bots", "--length", "1", "--seed", "1", "--record", "match.jsonl").exit_code == 0
    record = bg.MatchRecord.open("match.jsonl")
    told = json.loads(cli("show", "match.jsonl", "--json").stdout)
    assert (told["kind"], told["head"], told["entries"]) == ("record", record.head, len(record))
    assert len(json.loads(cli("show", "match.jsonl", "--json", "--entries").stdout)["entries"]) == len(record)
    assert cli("convert", "match.jsonl", "match.mat").exit_code == 0
    match = bg.read_match("match.mat")
    assert match.score == record.state.score
    assert cli("convert", "match.mat", "again.jsonl").exit_code == 0
    assert bg.read_match("again.jsonl").same_play(match)
    assert bg.read_match(io.BytesIO(cli("convert", "match.jsonl", "-", "--to", "txt").stdout_bytes)).same_play(match)


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
    "text",
    [
        "start",
        XGID,
        PENDING + ":1:-1:-1:00:2:3:0:5:10",
        PENDING + ":1:1:1:D:2:3:0:5:10",
        PENDING + ":0:0:1:B:2:3:2:0:10",
        PENDING + ":0:0:1:00:4:3:1:5:10",
        PENDING + ":0:0:1:00:4:3:0:0:0",
    ],
)
def test_a_picture_shows_what_the_text_says(cli, tmp_path, text):
    file = tmp_path / "board.svg"
    result = cli("show", text, "--svg", str(file))
    assert result.exit_code == 0
    assert result.stdout == cli("show", text).stdout
    shown = bg.Position.initial() if text == "start" else bg.parse(text).state
    assert file.read_text() == bg.draw.svg(shown) + "\n"


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
