"""bgcore playout."""

from __future__ import annotations

import re

import numpy as np
import pytest

import bgcore as bg


def numbers(output: str, label: str) -> list[int]:
    """Return the four counts of a line of the table."""
    [line] = [line for line in output.splitlines() if line.startswith(label)]
    return [int(n) for n in re.findall(r" (\d+) ", line)]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_table_is_that_of_the_library(cli, threads):
    result = cli("playout", "--trials", "3000", "--seed", "5", "--threads", threads)
    assert result.exit_code == 0
    played = bg.batch.playouts(bg.Position.initial().packed[np.newaxis], 3000, seed=5)
    counts = played.counts[0].tolist()
    assert numbers(result.stdout, "X wins") == [*counts[:3], sum(counts[:3])]
    assert numbers(result.stdout, "O wins") == [*counts[3:6], sum(counts[3:6])]
    assert f"{played.plies[0] / 3000:.2f} rolls a game" in result.stdout
    assert " games/s, " in result.stdout


def test_every_line_fits_80_columns(cli):
    result = cli("playout", "hypergammon", "--trials", "100")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_a_finished_game(cli):
    result = cli("playout", "4HPwAQAAAAAAAA", "--trials", "10")
    assert result.exit_code == 0
    assert numbers(result.stdout, "X wins") == [10, 0, 0, 10]
    assert "0.00 rolls a game" in result.stdout
