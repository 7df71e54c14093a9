"""bgcore moves."""

from __future__ import annotations

import json

import pytest

import bgcore as bg

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def position(**points: int) -> bg.Position:
    """Return a position: p6=2 is two own checkers on 6, q6=2 two of the opponent on his 6; the rest is off."""
    counts = [[0] * 26, [0] * 26]
    for name, n in points.items():
        counts["pq".index(name[0])][int(name[1:])] = n
    for side in counts:
        side[0] = 15 - sum(side)
    return bg.Position.from_counts(counts)


def test_every_play_in_the_order_of_the_library(cli):
    result = cli("moves", XGID)
    assert result.exit_code == 0
    header, *lines = result.stdout.splitlines()
    assert header == "X to play 31: 16 legal plays"
    plays = bg.BACKGAMMON.legal_plays(bg.Position.initial(), (3, 1))
    assert [line.split() for line in lines] == [[*str(play).split(), play.result.gnubg_id] for play in plays]


@pytest.mark.parametrize("dice", ["31", "13", "3-1", "1,3", "3 1"])
def test_dice_in_any_writing_and_before_those_of_the_xgid(cli, dice):
    assert cli("moves", XGID.replace(":31:", ":66:"), "--dice", dice).stdout == cli("moves", XGID).stdout


def test_other_games(cli):
    assert "7 legal plays" in cli("moves", "hypergammon", "--dice", "31").stdout


@pytest.mark.parametrize("name", bg.rules.names())
def test_every_result_can_be_asked_about(cli, name):
    rules = bg.rules.get(name)
    answer = json.loads(cli("moves", name, "--dice", "21", "--json").stdout)
    assert answer["count"] == rules.count_plays(rules.start, (2, 1)) > 0
    after = json.loads(cli("moves", answer["plays"][-1]["result"], "--rules", name, "--dice", "66", "--json").stdout)
    result = rules.legal_plays(rules.start, (2, 1))[-1].result
    assert [play["play"] for play in after["plays"]] == [str(play) for play in rules.legal_plays(result, (6, 6))]


def test_json(cli):
    answer = json.loads(cli("moves", "start", "--dice", "13", "--json").stdout)
    assert answer["position"] == "4HPwATDgc/ABMA"
    assert answer["rules"] == "backgammon"
    assert answer["dice"] == [3, 1]
    assert answer["count"] == len(answer["plays"]) == 16
    for play in answer["plays"]:
        legal = bg.BACKGAMMON.check(bg.Position.initial(), (3, 1), play["play"])
        assert legal.result.gnubg_id == play["result"]
        assert [(m["source"], m["target"], m["hit"]) for m in play["moves"]] == [m[:3] for m in legal.moves]


@pytest.mark.parametrize(
    ("board", "dice", "says"),
    [
        (position(p25=1, p1=14, q1=2, q3=2), "31", "X has a checker on the bar, and O holds point 22 and point 24"),
        (position(p25=2, p1=13, q6=2), "66", "X has 2 checkers on the bar, and O holds point 19"),
        (position(p24=1, q2=2, q4=2), "31", "no checker of X can move 3 or 1"),
        (position(q4=2), "31", "the game is over"),
    ],
)
def test_no_legal_play_is_explained(cli, board, dice, says):
    result = cli("moves", board.gnubg_id, "--dice", dice)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"no legal play with {dice}: ")
    assert says in result.stdout
    answer = json.loads(cli("moves", board.gnubg_id, "--dice", dice, "--json").stdout)
    assert answer["count"] == 0
    assert answer["plays"] == []


@pytest.mark.parametrize("text", ["8/5 6/5", "6/5 8/5", "8-5, 6-5"])
def test_a_legal_play(cli, text):
    result = cli("moves", "start", "--dice", "31", "--check", text)
    assert result.exit_code == 0
    assert result.stdout == "legal: 8/5 6/5, leads to sGfwATDgc/ABMA\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8/4 6/5", "the roll has only 2 moves in it"),
        ("24/23", "must be"),
        ("12/8", "no checker of yours on point 12"),
        ("pass", "must be"),
        ("", "must be"),
    ],
)
def test_an_illegal_play_is_explained_with_status_1(cli, text, says):
    result = cli("moves", "start", "--dice", "31", "--check", text)
    assert result.exit_code == 1
    assert result.stdout.startswith("illegal: ")
    assert says in result.stdout
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_a_pass_can_be_legal(cli):
    result = cli("moves", position(p25=2, p1=13, q6=2).gnubg_id, "--dice", "66", "--check", "pass")
    assert result.exit_code == 0
    assert result.stdout.startswith("legal: no play, the turn passes")


def test_verdicts_as_json(cli):
    good = json.loads(cli("moves", "start", "--dice", "31", "--check", "6/5 8/5", "--json").stdout)
    assert good["legal"] is True
    assert (good["asked"], good["play"], good["result"]) == ("6/5 8/5", "8/5 6/5", "sGfwATDgc/ABMA")
    result = cli("moves", "start", "--dice", "31", "--check", "24/23", "--json")
    assert result.exit_code == 1
    bad = json.loads(result.stdout)
    assert bad["legal"] is False
    assert bad["reason"] in bg.IllegalReason.__members__
    assert bad["message"]


def test_own_checkers_can_close_the_entry(cli):
    board = position(p25=2, p24=1, p19=1, p1=11, q8=2)
    result = cli("moves", board.gnubg_id, "--rules", "kirik_tavla:tawula", "--dice", "61")
    assert result.stdout == (
        "no legal play with 61: X has 2 checkers on the bar, and none can enter with 6 or 1, so the turn passes\n"
    )
