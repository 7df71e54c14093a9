"""`find_plays` against the generator and the naive rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

import bgcore as bg
import strategies
from bgcore.rules._find import find_plays
from naive import backgammon as naive

GAMES = [rules for rules in (bg.rules.get(name) for name in bg.rules.names()) if rules.geometry == "contrary"]


@pytest.mark.parametrize("seed", range(3))
def test_every_naive_way_to_play_a_roll_is_found(seed: int) -> None:
    rng = random.Random(seed)
    boards = [board for kind in strategies.KINDS for board in strategies.seeded(kind, seed, 12)]
    for board in boards:
        position = bg.Position.from_board(np.array(board, np.int8))
        roll = rng.choice([roll for roll in naive.ROLLS if roll[0] != roll[1]])
        ways = naive.sequences(tuple(board), roll)
        for path, final in ways.items():
            result = bg.Position.from_board(np.array(naive.flip(final), np.int8))
            shuffled = rng.sample(path, len(path))
            found = find_plays(bg.BACKGAMMON, position, roll, shuffled)
            assert result in [play.result for play in found]
            own = [max(n, 0) for n in final]
            for play in found:
                assert play.result.counts[1, 1:].tolist() == own[1:]
                assert play in bg.BACKGAMMON.legal_plays(position, roll)
        if not ways and not naive.is_over(tuple(board)):
            [passing] = find_plays(bg.BACKGAMMON, position, roll, ())
            assert (len(passing), passing.result) == (0, position.flipped())


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_in_every_contrary_game_each_legal_play_finds_itself(rules: bg.Rules) -> None:
    rng = random.Random(rules.name)
    position = rules.start
    for _ in range(40):
        roll = rng.randint(1, 6), rng.randint(1, 6)
        plays = rules.legal_plays(position, roll)
        for play in plays:
            found = find_plays(rules, position, roll, [move[:2] for move in play.moves])
            assert play in found
            assert set(found) <= set(plays)
        position = rng.choice(plays).result if plays else position.flipped()
        if rules.outcome(position) is not None:
            position = rules.start


@pytest.mark.parametrize(
    "moves",
    [
        [(13, 10)],  # only one die
        [(8, 4), (6, 5)],  # wrong dice
        [(7, 4), (6, 5)],  # nobody there
        [(13, 12), (12, 9), (13, 12)],  # too many
        [(24, 23), (5, 2)],
        [],  # something can be played
        [(0, -1)],
        [(26, 25)],
        [(5, 8), (6, 5)],  # backwards
        [(6, 5)] * 9,
    ],
)
def test_what_is_no_legal_play_finds_nothing(moves: list[tuple[int, int]]) -> None:
    assert find_plays(bg.BACKGAMMON, bg.BACKGAMMON.start, (3, 1), moves) == []


def test_wrong_values() -> None:
    with pytest.raises(bg.RuleError):
        find_plays(bg.BACKGAMMON, bg.BACKGAMMON.start, (7, 1), ())
    with pytest.raises(bg.InvalidPosition):
        find_plays(bg.BACKGAMMON, bg.HYPERGAMMON.start, (3, 1), ())
    with pytest.raises(TypeError):
        find_plays(bg.BACKGAMMON, None, (3, 1), ())  # type: ignore[arg-type]
