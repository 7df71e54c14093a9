"""gnubg: GNU Backgammon as a Python module (GPL; its wheel is run as it comes).

No call of it only lists plays: `find_best_moves` evaluates each one too.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import gnubg

from ._sides import Sides, to_board, to_sides
from .peer import Board, Call, Peer

BAR, OFF = 25, 0


def after(position: Sides, numbers: tuple[int, ...]) -> Board | None:
    """The board after a move tuple (from, to, from, to ...), or None where it breaks off after a source."""
    if len(numbers) % 2:
        return None
    board = to_board(position)
    for source, target in zip(numbers[::2], numbers[1::2], strict=True):
        board[source] -= 1
        if target > OFF:
            if board[target] < 0:
                board[0] -= 1
                board[target] = 0
            board[target] += 1
    return board


def boards(position: Sides, answer: Any, larger: int, smaller: int) -> Iterator[Board | None]:
    """Every result as the player who moved sees it."""
    # A bear-off ends the tuple, and so hides every move behind it as well.
    for play in answer:
        yield after(position, play["move"])


def peer() -> Peer:
    """How it is asked."""
    cube = gnubg.cubeinfo()
    context = gnubg.evalcontext(0, 0, 1, 0, 0.0)
    find = gnubg.find_best_moves
    return Peer(
        "gnubg",
        version("gnubg"),
        [
            Call(
                "`find_best_moves(board, cubeinfo, evalcontext, dice)`",
                "dict of move and 0-ply score",
                lambda board, d1, d2: find(board, cube, context, (d1, d2)),
            )
        ],
        to_sides,
        boards,
        notes=["no call lists plays without evaluating each"],
    )
