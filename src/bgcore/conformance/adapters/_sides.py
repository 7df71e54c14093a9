"""Boards of GNU Backgammon's two modules: (opponent, player on roll), each 24 points and the bar in its own order."""

from __future__ import annotations

from collections.abc import Sequence

from .peer import Board

Sides = tuple[tuple[int, ...], tuple[int, ...]]


def to_sides(board: Board) -> Sides:
    """A board as two sides."""
    own = (max(count, 0) for count in board[1:26])
    opponent = (max(-board[25 - point], 0) for point in range(1, 26))
    return tuple(opponent), tuple(own)


def to_board(sides: Sequence[Sequence[int]]) -> Board:
    """A board from what the peer keeps."""
    opponent, own = sides
    board = [-opponent[24], *own]
    for point in range(1, 25):
        board[25 - point] -= opponent[point - 1]
    return board
