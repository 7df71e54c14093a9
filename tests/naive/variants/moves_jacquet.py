"""Jacquet, and the two games of 1840 with hits (variants.md §10, clarifications 6 and 12)."""

from __future__ import annotations

from collections.abc import Hashable

from naive.variants.board import BAR, OFF, Board
from naive.variants.core import Family, Node, hit
from naive.variants.games import Game
from naive.variants.moves_fevga import runner_arrived, runner_sources


def courier_after(game: Game, board: Board, flag: bool) -> bool:
    """The courier's flag after a play: once home, the checkers stay released even if one is hit later."""
    return flag or runner_arrived(game, board.own)


class Jacquet(Family):
    """The memo is the courier's flag: whether the other checkers were released, whatever stands where now."""

    def begin(self, game: Game, board: Board, dice: tuple[int, ...], context: int) -> Hashable:
        return bool(context) if game.courier_flag else False

    def sources(self, game: Game, node: Node) -> list[int]:
        own = node.board.own
        if own[BAR]:
            return [BAR]  # §1 Bar
        if node.memo or runner_arrived(game, own):
            return super().sources(game, node)
        return runner_sources(own)

    def after(self, game: Game, node: Node, source: int, target: int) -> Node:
        board = super().after(game, node, source, target).board
        if game.contact == "hit" and target != OFF:
            board = hit(game, board, target)
        return Node(board, node.memo)
