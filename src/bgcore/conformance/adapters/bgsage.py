"""bgsage: the engine of Open Sage (MPL-2)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import bgbot_cpp
import bgsage

from .peer import Board, Call, Peer


def prepare(board: Board) -> Board:
    """The same numbering, with the opponent's bar as a positive number."""
    return [-board[0], *board[1:]]


def boards(position: Board, answer: list[Board], larger: int, smaller: int) -> Iterator[Board]:
    """Every result as the player who moved sees it."""
    return map(prepare, answer)


def peer() -> Peer:
    """How it is asked."""
    return Peer(
        "bgsage",
        version("bgsage"),
        [
            Call("`bgbot_cpp.possible_moves(board, d1, d2)`", "list of 26 integers", bgbot_cpp.possible_moves),
            Call("`bgsage.possible_moves(board, d1, d2)`", "list of 26 integers", bgsage.possible_moves),
        ],
        prepare,
        boards,
        score=bgsage.check_game_over,
        passes="unchanged",
    )
