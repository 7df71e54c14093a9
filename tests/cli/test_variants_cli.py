"""Every sub-command for every game: bgcore show, moves, perft, playout with --rules."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import bgcore as bg
from bgcore.draw.board_text import board_text

GAMES = bg.rules.names()
RULES = [bg.rules.get(name) for name in GAMES]
PRESETS = [bg.rules.get(name, preset) for name in GAMES for preset in bg.rules.presets(name)]
DEPTH_2 = {
    "plakoto": 3_474,
    "fevga": 479,
    "long_nardi": 489,
    "jacquet": 441,
    "gul_bara": 2_768,
    "portes": 202_782,
    "kirik_tavla": 202_782,
}

every_game = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
every_rule_set = pytest.mark.parametrize("rules", [*RULES, *PRESETS], ids=lambda rules: rules.name)


def board_of(rules: bg.Rules, position: bg.Position) -> str:
    return board_text(position, geometry=rules.geometry, bar=rules.contact == "hit")


def words(position: bg.Position) -> str:
    return " ".join(f"{word:#x}" for word in position.packed.tolist())


def pinned_position() -> bg.Position:
    """Plakoto: X has a checker pinned on 12, O none."""
    counts = np.zeros((2, 26), int)
    counts[0, [24, 12]] = 14, 1
    counts[1, [24, 20, 13]] = 13, 1, 1
    pinned = np.zeros((2, 26), bool)
    pinned[0, 12] = True
    return bg.Position.from_counts(counts, pinned)


def mother_pinned() -> bg.Position:
    """Plakoto, over: O's last checker on his 24 is pinned, and X has none on his own."""
    counts = np.zeros((2, 26), int)
    counts[0, [1, 6]] = 1, 14
    counts[1, [24, 3]] = 1, 14
    pinned = np.zeros((2, 26), bool)
    pinned[1, 24] = True
    return bg.Position.from_counts(counts, pinned)


@every_rule_set
def test_show(cli, rules):
    result = cli("show", "start", "--rules", rules.name)
    assert result.exit_code == 0
    assert result.stderr == ""
    board, fields = result.stdout.split("\n\n")
    assert board == board_of(rules, rules.start)
    named = dict(line.split("  ", 1) for line in fields.splitlines())
    assert named["Game"].strip() == rules.name
    assert named["Packed"].strip() == words(rules.start)
    assert ("Position ID" in named) == (rules.geometry == "contrary" and rules.contact != "pin")
    assert named["Stage"].strip() == "contact"


@every_game
def test_the_name_of_a_game_is_its_start(cli, rules):
    assert cli("show", rules.name).stdout == cli("show", "start", "--rules", rules.name).stdout


@every_rule_set
@pytest.mark.parametrize("dice", ["21", "66"])
def test_moves(cli, rules, dice):
    roll = int(dice[0]), int(dice[1])
    plays = rules.legal_plays(rules.start, roll)
    result = cli("moves", "start", "--rules", rules.name, "--dice", dice)
    assert result.exit_code == 0
    header, *lines = result.stdout.splitlines()
    assert header == f"X to play {dice}: {len(plays)} legal play{'s' if len(plays) > 1 else ''}"
    assert [re.split(r"  +", line.strip())[0] for line in lines] == [str(play) for play in plays]


@every_rule_set
def test_what_moves_prints_can_be_given_again(cli, rules):
    answer = json.loads(cli("moves", "start", "--rules", rules.name, "--dice", "31", "--json").stdout)
    assert answer["rules"] == rules.name
    for play, legal in zip(answer["plays"], rules.legal_plays(rules.start, (3, 1)), strict=True):
        assert [tuple(move.values()) for move in play["moves"]] == list(legal.moves)
        shown = cli("show", play["result"], "--rules", rules.name)
        assert shown.exit_code == 0
        assert shown.stdout.startswith(board_of(rules, legal.result) + "\n\n")


def test_two_plays_of_plakoto(cli):
    result = cli("moves", "--rules", "plakoto", "start", "--dice", "21")
    assert result.stdout.splitlines()[0] == "X to play 21: 2 legal plays"


def test_pins(cli):
    text = words(pinned_position())
    shown = cli("show", text, "--rules", "plakoto").stdout
    assert shown.startswith(board_of(bg.PLAKOTO, pinned_position()))
    assert " x " in shown
    assert "1 legal play\n" in cli("moves", text, "--rules", "plakoto", "--dice", "66").stdout
    refused = cli("moves", text, "--rules", "plakoto", "--dice", "66", "--check", "24/12(2)")
    assert refused.exit_code == 1
    assert "pinned" in refused.stdout
    pins = json.loads(
        cli("moves", words(pinned_position().flipped()), "--rules", "plakoto", "--dice", "41", "--json").stdout
    )
    assert {move["pin"] for play in pins["plays"] for move in play["moves"]} <= {True, False}


def test_a_game_that_ends_on_the_board(cli):
    text = words(mother_pinned())
    assert bg.PLAKOTO.outcome(mother_pinned()) == ("own", 2, "mother")
    shown = cli("show", text, "--rules", "plakoto").stdout
    assert " Game over: X has pinned the mother\n" in shown
    assert "over: X has pinned the mother\n" in shown
    assert "the game is over" in cli("moves", text, "--rules", "plakoto", "--dice", "21").stdout


@pytest.mark.parametrize("name", ["plakoto", "fevga"])
def test_these_games_have_no_position_ids(cli, name):
    result = cli("show", "4HPwATDgc/ABMA", "--rules", name)
    assert result.exit_code == 2
    assert result.stdout == ""


@every_game
def test_perft(cli, rules):
    result = cli("perft", "2", "--rules", rules.name)
    assert result.exit_code == 0
    lines = bg.perft(rules.start, 2, rules)
    assert lines == DEPTH_2.get(rules.name, lines)
    assert result.stdout.startswith(f"{lines} lines of 2 plies from ")
    assert f"({rules.name})" in result.stdout


@every_rule_set
def test_playout(cli, rules):
    result = cli("playout", "--rules", rules.name, "--trials", "200", "--seed", "3")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert f"({rules.name}), seed 3\n" in result.stdout
    played = bg.batch.playouts(rules.start.packed[np.newaxis], 200, rules=rules, seed=3)
    assert f"{played.plies[0] / 200:.2f} rolls a game" in result.stdout
    counts = played.counts[0].tolist()
    for label, cells in (("X wins", counts[:3]), ("O wins", counts[3:6])):
        [line] = [line for line in result.stdout.splitlines() if line.startswith(label)]
        assert [int(n) for n in re.findall(r" (\d+) ", line)] == [*cells, sum(cells)]
    assert ("drawn" in result.stdout) == bool(counts[6])


def test_no_such_game(cli):
    result = cli("moves", "start", "--rules", "ludo", "--dice", "21")
    assert result.exit_code == 2
    assert "fevga" in result.stderr
