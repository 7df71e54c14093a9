"""gnubg-nn: the evaluation core of GNU Backgammon as a Python module (GPL; its wheel is run as it comes)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import gnubg_nn

from ._sides import Sides, to_board, to_sides
from .peer import Board, Call, Peer


def boards(position: Sides, answer: Any, larger: int, smaller: int) -> Iterator[Board]:
    """Every result as the player who moved sees it."""
    for key in answer:
        yield to_board(gnubg_nn.board_from_position_key(key))


def peer() -> Peer:
    """How it is asked."""
    moves = gnubg_nn.moves
    return Peer(
        "gnubg-nn",
        version("gnubg-nn"),
        [
            Call("`moves(board, d1, d2)`", "a 20-letter key; no board, no move", moves),
            Call("`moves(board, d1, d2, 1)`", "key and tuple of (from, to)", lambda b, d1, d2: moves(b, d1, d2, 1)),
        ],
        to_sides,
        boards,
    )
