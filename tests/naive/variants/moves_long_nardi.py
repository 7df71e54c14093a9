"""Long Nardi (variants.md §9): the head rule and its first-turn exceptions; its primes are in primes.py."""

from __future__ import annotations

from collections.abc import Hashable

from naive.variants.board import CHECKERS, Board
from naive.variants.core import Family, Node, legal_plays
from naive.variants.games import Game

HEAD = 24


class LongNardi(Family):
    """The memo is how many checkers may still leave the head in this turn; None for no limit."""

    def begin(self, game: Game, board: Board, dice: tuple[int, ...], context: int) -> Hashable:
        return self.head_allowance(game, board, dice)

    def head_allowance(self, game: Game, board: Board, dice: tuple[int, ...]) -> int | None:
        """Clarification 9: the limit of the whole turn, 2 where the first-turn exception holds."""
        limit = game.head_limit
        if limit is None or board.own[HEAD] < CHECKERS:
            return limit
        double = dice[0] if len(set(dice)) == 1 else 0
        rule = game.head_first_turn
        exception = (
            (rule == "obstructed" and self._obstructed(game, board, dice, limit))
            or (rule == "doubles_346" and double in (3, 4, 6))
            or (rule == "doubles_46" and double in (4, 6))
            or (rule == "always2" and double > 0)
        )
        return 2 if exception else limit

    def _obstructed(self, game: Game, board: Board, dice: tuple[int, ...], limit: int) -> bool:
        """Whether with one head checker the whole roll cannot be played."""
        plays = legal_plays(self, game, Node(board, limit), dice)
        return all(len(play.used) < len(dice) for play in plays)

    def sources(self, game: Game, node: Node) -> list[int]:
        points = super().sources(game, node)
        return [p for p in points if p != HEAD] if node.memo == 0 else points

    def after(self, game: Game, node: Node, source: int, target: int) -> Node:
        board = super().after(game, node, source, target).board
        heads = node.memo
        if source == HEAD and isinstance(heads, int):
            heads -= 1
        return Node(board, heads)
