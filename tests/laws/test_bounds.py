"""How many plays a roll can have: the buffers of the generator are sized by these bounds.

Doubles: hops of one length, so where the checkers end and whom they hit follows from how many of at most four hops
each of fifteen checkers makes: C(15 + 4 - 1, 4) = 3,060.  Two different dice: one checker each, 15 x 14 ways, or both
with the same checker, 15 x 2 routes, which differ by what they hit: 240.  Most plays known: 2,226 and 224.

Climbing from random boards looks for more, and keeps the generator at the edge of its buffers; a build with
AddressSanitizer runs this file as well.
"""

from __future__ import annotations

import random
from math import comb

import numpy as np
import pytest

import bgcore as bg
import strategies
from naive import backgammon as naive
from naive.backgammon import Board

DOUBLES, TWO_DICE = comb(18, 4), 15 * 14 + 15 * 2


def bound(roll: tuple[int, int]) -> int:
    return DOUBLES if roll[0] == roll[1] else TWO_DICE


def count(board: Board, roll: tuple[int, int]) -> int:
    position = bg.Position.from_board(np.array(board, dtype=np.int8))
    number = bg.BACKGAMMON.count_plays(position, roll)
    assert number <= bound(roll), f"{board} {roll}: {number} plays"
    return number


def neighbour(board: Board, rng: random.Random) -> Board:
    """Return the board with one or two checkers of either side put somewhere else."""
    changed = list(board)
    for _ in range(rng.randint(1, 2)):
        side = rng.choice((1, -1))
        sources = [point for point in range(26) if changed[point] * side > 0]
        changed[rng.choice(sources)] -= side
        targets = range(1, 26) if side == 1 else range(25)
        changed[rng.choice([point for point in targets if changed[point] * side >= 0])] += side
    return tuple(changed)


def scattered(rng: random.Random) -> Board:
    """Return fifteen checkers of mine against six to fifteen, anywhere."""
    board = [0] * 26
    for side, checkers in ((1, 15), (-1, rng.randint(6, 15))):
        for _ in range(checkers):
            board[rng.choice([point for point in range(1, 25) if board[point] * side >= 0])] += side
    return tuple(board)


def climb(roll: tuple[int, int], seed: int, steps: int) -> tuple[int, Board]:
    """Return the most plays found and the board that has them."""
    rng = random.Random(f"{roll} {seed}")
    board = scattered(rng)
    best = count(board, roll)
    for _ in range(steps):
        other = neighbour(board, rng)
        if strategies.is_position(other) and (number := count(other, roll)) >= best:
            board, best = other, number
    return best, board


def assert_all_there(board: Board, roll: tuple[int, int], number: int) -> None:
    """See that the plays counted are also made, by the scalar and by the batch call, and are distinct."""
    position = bg.Position.from_board(np.array(board, dtype=np.int8))
    plays = bg.BACKGAMMON.legal_plays(position, roll)
    assert len(plays) == len({play.result for play in plays}) == number
    batch = bg.batch.legal_plays(position.packed.reshape(1, 4), roll, moves=True)
    assert len(batch.results) == len(batch.moves) == number
    assert len(np.unique(batch.results, axis=0)) == number
    assert number == len(naive.results_by_level(board, roll))


@pytest.mark.slow
@pytest.mark.parametrize("roll", naive.ROLLS, ids=str)
def test_climbing(roll: tuple[int, int]) -> None:
    best, board = climb(roll, 1, 3_000)
    assert best > bound(roll) // 2, "not much of a climb: the test does not reach the edge"
    assert_all_there(board, roll, best)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("roll", naive.ROLLS, ids=str)
def test_climbing_far(roll: tuple[int, int], seed: int) -> None:
    best, board = climb(roll, 100 + seed, 30_000)
    assert best > bound(roll) // 2, "not much of a climb: the test does not reach the edge"
    assert_all_there(board, roll, best)


@pytest.mark.parametrize("roll", naive.ROLLS, ids=str)
@pytest.mark.parametrize("opposing", ["on the bar", "blots"])
def test_fifteen_blots(roll: tuple[int, int], opposing: str) -> None:
    """Fifteen lone checkers have the most choices, with blots to hit or without."""
    rng = random.Random(f"{roll} {opposing}")
    for _ in range(50):
        mine = rng.sample(range(1, 26), 15)
        theirs = [25 - point for point in range(1, 25) if point not in mine]
        opp = {25: 15} if opposing == "on the bar" else dict.fromkeys(theirs, 1)
        board = strategies.board_of(dict.fromkeys(mine, 1), opp)
        number = count(board, roll)
        assert number == len(naive.results_by_level(board, roll)), f"{board} {roll}"
