"""Plakoto (variants.md §4)."""

from __future__ import annotations

from naive.variants.board import Board
from naive.variants.core import Family, Node, pin
from naive.variants.games import Game


class Plakoto(Family):
    """Pins in place of hits."""

    def sources(self, game: Game, node: Node) -> list[int]:
        own, pinned = node.board.own, node.board.own_pinned
        return [p for p in range(1, 25) if own[p] and not pinned[p]]

    def may_land(self, game: Game, node: Node, source: int, target: int) -> bool:
        """Closed: two opposing checkers, or an own checker that lies pinned there."""
        return not node.board.own_pinned[target] and super().may_land(game, node, source, target)

    def may_bear_off(self, game: Game, node: Node, source: int, die: int) -> bool:
        """`forbid`: not while an own checker is pinned; `allow`: it counts as standing there (clarification 5)."""
        if game.bear_off_while_pinned == "forbid" and any(node.board.own_pinned):
            return False
        return super().may_bear_off(game, node, source, die)

    def after(self, game: Game, node: Node, source: int, target: int) -> Node:
        board = super().after(game, node, source, target).board
        return Node(pin(game, board, source, target), None)


def mother_pinned(board: Board) -> tuple[bool, bool]:
    """Whether the own, and the opposing, last checker on 24 lies pinned: "a single one by definition" (§4)."""
    return bool(board.own_pinned[24]), bool(board.opp_pinned[24])


def mother(game: Game, board: Board) -> str | None:
    """`own` or `opp` for who wins by the mother, `draw`, or None; for a position after a complete play."""
    if game.mother == "none":
        return None
    own_pinned, opp_pinned = mother_pinned(board)
    if own_pinned and opp_pinned:
        return "draw"
    at_once = game.mother == "immediate"
    if opp_pinned and (at_once or not board.own[24]):
        return "own"
    if own_pinned and (at_once or not board.opp[24]):
        return "opp"
    return None
