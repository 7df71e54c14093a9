"""Boards to test with: hypothesis strategies, the same by the thousand from a seed, and random self-play.

Boards are those of `naive.backgammon`.  Each kind of board is one function of `pick(low, high)`, a choice of an
integer: hypothesis draws it (and shrinks it), a seeded generator throws it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from hypothesis import strategies as st

from naive import backgammon as naive
from naive.backgammon import Board

Pick = Callable[[int, int], int]


def board_of(own: Mapping[int, int], opp: Mapping[int, int]) -> Board:
    """Return the board with these checkers, each side in its own numbering, 25 the bar."""
    board = [0] * 26
    for point, count in own.items():
        board[point] = count
    for point, count in opp.items():
        assert not board[25 - point], f"both sides on own {25 - point}"
        board[25 - point] = -count
    return tuple(board)


START = board_of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
NACKGAMMON = board_of({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, {24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
HYPERGAMMON = board_of({24: 1, 23: 1, 22: 1}, {24: 1, 23: 1, 22: 1})


def _spread(pick: Pick, board: list[int], side: int, checkers: int, points: Sequence[int]) -> None:
    """Put checkers of a side (1 own, -1 opposing) on a few or on many of the points that the other side left free."""
    free = [point for point in points if board[point] * side >= 0]
    chosen = [free.pop(pick(0, len(free) - 1)) for _ in range(pick(1, min(12, len(free))))]
    for _ in range(checkers):
        board[chosen[pick(0, len(chosen) - 1)]] += side


def _contact(pick: Pick) -> list[int]:
    board = [0] * 26
    _spread(pick, board, 1, 15 - pick(0, 2), range(1, 25))
    _spread(pick, board, -1, 15 - pick(0, 2), range(1, 25))
    return board


def _prime(pick: Pick) -> list[int]:
    """Five or six of the opponent's points in a row, most of my checkers behind them."""
    board = [0] * 26
    length, low = pick(5, 6), pick(2, 17)
    for point in range(low, low + length):
        board[point] = -2
    _spread(pick, board, 1, 12, range(low + length, 26))
    _spread(pick, board, 1, 3, range(1, low))
    _spread(pick, board, -1, 15 - 2 * length, range(25))
    return board


def _bar(pick: Pick) -> list[int]:
    """Checkers of mine on the bar, often some of the opponent's too."""
    board = [0] * 26
    board[25], board[0] = pick(1, 4), -pick(0, 3)
    _spread(pick, board, 1, 15 - board[25], range(1, 25))
    at_home = pick(0, 15 + board[0])
    _spread(pick, board, -1, at_home, range(19, 25))
    _spread(pick, board, -1, 15 + board[0] - at_home, range(1, 25))
    return board


def _bearoff_contact(pick: Pick) -> list[int]:
    """All home, or all but one, against opposing checkers in my home or on the bar."""
    board = [0] * 26
    _spread(pick, board, 1, pick(1, 14), range(1, 7))
    _spread(pick, board, 1, pick(0, 1), range(7, 26))
    _spread(pick, board, -1, pick(1, 5), range(7))
    _spread(pick, board, -1, pick(0, 10), range(25))
    return board


def _bearoff_race(pick: Pick) -> list[int]:
    board = [0] * 26
    _spread(pick, board, 1, pick(1, 14), range(1, 7))
    _spread(pick, board, 1, pick(0, 1), range(1, 10))
    _spread(pick, board, -1, pick(1, 15), range(19, 25))
    return board


def _few(pick: Pick) -> list[int]:
    """One to three checkers a side: as good for Hypergammon as for the end of a game."""
    board = [0] * 26
    _spread(pick, board, 1, pick(1, 3), range(1, 26))
    _spread(pick, board, -1, pick(1, 3), range(25))
    return board


KINDS: dict[str, Callable[[Pick], list[int]]] = {
    "contact": _contact,
    "prime": _prime,
    "bar": _bar,
    "bearoff_contact": _bearoff_contact,
    "bearoff_race": _bearoff_race,
    "few": _few,
}


def is_position(board: Sequence[int]) -> bool:
    """Tell whether a game can get there: not over, and not both on the bar against closed home boards."""
    stuck = board[25] and board[0] and min(board[1:7]) >= 2 and max(board[19:25]) <= -2
    return not naive.is_over(tuple(board)) and not stuck


def boards(kind: str) -> st.SearchStrategy[Board]:
    """Return a strategy for boards of a kind."""

    @st.composite
    def build(draw: st.DrawFn) -> Board:
        return tuple(KINDS[kind](lambda low, high: draw(st.integers(low, high))))

    return build().filter(is_position)


def seeded(kind: str, seed: int, count: int) -> list[Board]:
    """Return boards of a kind from a seed."""
    rng = random.Random(f"{kind} {seed}")
    found: list[Board] = []
    while len(found) < count:
        board = tuple(KINDS[kind](rng.randint))
        if is_position(board):
            found.append(board)
    return found


def self_play(seed: int, start: Board = START) -> Iterator[Board]:
    """Yield the positions of uniformly random games, one after the other, each seen by the player on roll."""
    rng = random.Random(seed)
    while True:
        board = start
        while not naive.is_over(board):
            yield board
            roll = (rng.randint(1, 6), rng.randint(1, 6))
            board = naive.flip(rng.choice(sorted(naive.results_by_level(board, roll)) or [board]))
