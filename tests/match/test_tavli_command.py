"""bgcore tavli."""

from __future__ import annotations

import shlex

import pytest
from typer.testing import CliRunner, Result

from bgcore.cli import tavli as command
from bgcore.cli.app import app
from bgcore.match.tavli import best_of_three, play_random, points, tabla_match


def cli(*arguments: str) -> Result:
    """Run the command in this process."""
    result = CliRunner().invoke(app, list(arguments), prog_name="bgcore", env={"COLUMNS": "120", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ([], best_of_three()),
        (["--play-all"], best_of_three(play_all=True)),
        (["--points", "5"], points(5)),
        (["--bulgarian"], tabla_match()),
        (["--bulgarian", "--points", "3"], tabla_match(3)),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_table_is_the_match_of_the_library(options, match, seed):
    result = cli("tavli", "--seed", str(seed), *options)
    assert result.exit_code == 0
    played = play_random(seed, match)
    rows = [line for line in result.stdout.splitlines() if line[:1].isdigit()]
    assert len(rows) == len(played.games)
    for row, game in zip(rows, played.games, strict=True):
        assert row.split()[1] == game.rules.name
        assert f" {game.rolls} " in row
        assert ("drawn" if game.winner is None else f"{'XO'[game.winner]} {game.kind}, {game.points} point") in row
    zero, one = played.match.score
    assert rows[-1].endswith(f"{zero}-{one}")
    assert result.stdout.splitlines()[-1].startswith(f"{'XO'[played.match.winner]} wins the match ")
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("options", [[], ["--bulgarian"]])
def test_plays(options):
    result = cli("tavli", "--seed", "3", "--plays", *options)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    played = play_random(3, tabla_match() if options else best_of_three())
    assert sum(line.startswith("  ") for line in lines) == sum(len(game.turns) for game in played.games)
    assert sum(line.startswith("Game ") for line in lines) == len(played.games)
    for game in played.games:
        first = game.turns[0]
        assert f"  {'XO'[first.player]} {first.dice[0]}{first.dice[1]}: {first.play}" in lines
    if options:
        assert any("(left over)" in line for line in lines) == any(
            turn.part == "owed" for game in played.games for turn in game.turns
        )


def test_greek():
    result = cli("tavli", "--greek", "--seed", "2", "--points", "5")
    assert result.exit_code == 0
    assert "3 points" not in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [["--play-all", "--points", "3"], ["--play-all", "--bulgarian"], ["--greek", "--bulgarian"], ["--points", "0"]],
)
def test_options_that_do_not_go_together(arguments):
    result = cli("tavli", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("line", command.EXAMPLES)
def test_examples_run(line):
    program, *arguments = shlex.split(line)
    assert program == "bgcore"
    assert cli(*arguments).exit_code == 0


def test_help():
    result = cli("tavli", "--help")
    assert result.exit_code == 0
    assert all(line in " ".join(result.output.split()) for line in command.EXAMPLES)
