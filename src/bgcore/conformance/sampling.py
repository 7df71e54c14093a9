"""Positions to ask about, the same for the same seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bgcore.batch import PlayBatch, legal_plays
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules

__all__ = ["random_games", "scattered"]

LONGEST_GAME = 1000
"""Rolls after which a game is given up: in some games both sides can get stuck."""


def random_games(n: int, rules: Rules = BACKGAMMON, seed: int = 0) -> NDArray[np.uint64]:
    """The first n positions of uniformly random games, one after the other, finished ones left out; uint64 (n, 4).

    Every distinct final position of a roll is equally likely, as in `bgcore.batch.playouts`.

    Notes
    -----
    Stability: the rows of a seed are part of what the named suites promise.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = np.empty((n, 4), np.uint64)
    plays = PlayBatch()
    position, length = rules.start, 0
    for row in range(n):
        rows[row] = position.packed
        legal_plays(rows[row : row + 1], generator.integers(1, 7, 2), rules, pass_results=True, out=plays)
        position = Position.from_packed(plays.results[generator.integers(len(plays.results))])
        length += 1
        if length == LONGEST_GAME or rules.outcome(position) is not None:
            position, length = rules.start, 0
    return rows


def scattered(generator: np.random.Generator) -> Position:
    """A backgammon position with few checkers in places drawn at random: bear-offs, bars and closed points are common.

    Parameters
    ----------
    generator : numpy.random.Generator
        Draws; the same state gives the same position.
    """
    while True:
        board = np.zeros(26, np.int64)
        lowest = 6 if generator.integers(2) else 24  # half of them with all own checkers at home
        for _ in range(int(generator.integers(1, 8))):
            board[generator.integers(1, lowest + 1)] += 1
        for _ in range(int(generator.integers(1, 7))):
            point = generator.integers(1, 25)
            if board[point] <= 0:
                board[point] -= generator.integers(1, 4)
        if generator.integers(4) == 0:
            board[25] = generator.integers(1, 3)
        if generator.integers(8) == 0:
            board[0] = -1
        if -board[board < 0].sum() not in range(1, 16):
            continue
        position = Position.from_board(board)
        if not BACKGAMMON.validate(position):
            return position
