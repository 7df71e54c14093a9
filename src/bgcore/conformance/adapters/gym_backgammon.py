"""gym-backgammon: an environment for OpenAI Gym (MIT).

Its package doesn't import as installed: it wants pyglet, which it doesn't name.  The rules stand in one file that does
without, so that file is loaded by itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from importlib.metadata import distribution
from types import ModuleType
from typing import Any

from .peer import Board, Call, Peer

WHITE, BLACK = 0, 1


def load() -> ModuleType:
    """The file of rules, as a module."""
    path = distribution("gym-backgammon").locate_file("gym_backgammon/envs/backgammon.py")
    spec = importlib.util.spec_from_file_location("gym_backgammon_rules", str(path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Position:
    """A game set to a board, the player on roll being its White, who moves down."""

    def __init__(self, rules: ModuleType, board: Board) -> None:
        self.board = board
        self.game: Any = rules.Backgammon()
        self.game.board = [(abs(count), None if count == 0 else WHITE if count > 0 else BLACK) for count in board[1:25]]
        self.game.bar = [board[25], -board[0]]
        self.game.off = [15 - sum(n for n in board if n > 0), 15 + sum(n for n in board if n < 0)]
        self.game.players_positions = self.game.get_players_positions()
        self.game.state = self.game.save_state()


def ask(position: Position, larger: int, smaller: int) -> Any:
    """White's dice are negative."""
    return position.game.get_valid_plays(WHITE, (-larger, -smaller))


def boards(position: Position, answer: Any, larger: int, smaller: int) -> Iterator[Board]:
    """Every result as the player who moved sees it."""
    for play in answer:
        board = position.board.copy()
        for source, target in play:
            board[25 if source == "bar" else source + 1] -= 1
            if 0 <= target < 24:
                if board[target + 1] < 0:
                    board[0] -= 1
                    board[target + 1] = 0
                board[target + 1] += 1
        yield board


def peer() -> Peer:
    """How it is asked."""
    rules = load()
    found = distribution("gym-backgammon")
    return Peer(
        "gym-backgammon",
        found.version,
        [Call("`game.get_valid_plays(player, roll)`", "tuple of moves; several for one result", ask)],
        lambda board: Position(rules, board),
        boards,
        repeats=True,
        notes=[
            "does not import as installed (pyglet is not among its requirements); its rules file is loaded by itself"
        ],
    )
