"""bgcore perft."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["0"], 1),
        (["1"], 447),
        (["2"], 202_782),
        (["2", "4HPwATDgc/ABMA"], 202_782),
        (["2", "nackgammon"], 324_161),
        (["2", "--rules", "nackgammon", "--threads", "2"], 324_161),
        (["2", "start", "--rules", "hypergammon"], 38_017),
        (["3", "hypergammon", "--threads", "2"], 6_645_799),
    ],
)
def test_known_counts(cli, arguments, lines):
    result = cli("perft", *arguments)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{lines} lines of {arguments[0]} pl")
    assert " lines/s, " in result.stdout
    assert result.stderr == ""


def test_a_game_that_ends_at_once_can_be_deep(cli):
    assert cli("perft", "99", "AQAAgAAAAAAAAA").exit_code == 0
