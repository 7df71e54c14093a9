"""Portes, Uzun Tavla, Kırık Tavla, Short Nardi, and the movement of Gül Bar (variants.md §3, §7.1, §7.2, §7.3, §8)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from naive.variants.board import BAR, HOME, OFF, OPPONENTS_NUMBER, Board
from naive.variants.core import Family, Node, hit
from naive.variants.games import Game


class Memo(NamedTuple):
    """What a turn remembers."""

    frozen: tuple[int, ...] = ()  # points where one checker has hit at home (§3 hit and run)
    entered: tuple[int, ...] = ()  # points entered on, once for each checker (§7.2)


class Hitting(Family):
    """Bar, hits, and the options on them."""

    def begin(self, game: Game, board: Board, dice: tuple[int, ...], context: int) -> Hashable:
        return Memo()

    def sources(self, game: Game, node: Node) -> list[int]:
        own, memo = node.board.own, _memo(node)
        if own[BAR] and game.entry_all_first:
            return [BAR]
        # "one checker on p is frozen for the rest of the turn; another … may still leave" (§3)
        points = [p for p in range(1, 25) if own[p] > (p in memo.frozen)]
        return [*points, BAR] if own[BAR] else points

    def may_land(self, game: Game, node: Node, source: int, target: int) -> bool:
        if not super().may_land(game, node, source, target):
            return False
        if source == BAR:
            if game.entry_forbid_own and node.board.own[target]:
                return False
            cap = game.entry_cap_per_point
            if cap is not None and _memo(node).entered.count(target) >= cap:
                return False
        return True

    def may_bear_off(self, game: Game, node: Node, source: int, die: int) -> bool:
        if game.bear_off == "exact_any" and source <= HOME and source == die:
            return True  # Julbahar (§7.3)
        return super().may_bear_off(game, node, source, die)

    def after(self, game: Game, node: Node, source: int, target: int) -> Node:
        (board, _), memo = super().after(game, node, source, target), _memo(node)
        if source == BAR and game.entry_cap_per_point is not None:
            memo = memo._replace(entered=tuple(sorted((*memo.entered, target))))
        if game.contact == "hit" and target != OFF and board.opp[OPPONENTS_NUMBER[game.geometry][target]]:
            board = hit(game, board, target)
            if game.hit_and_run_home == "forbid" and target <= HOME:
                memo = memo._replace(frozen=tuple(sorted((*memo.frozen, target))))
        return Node(board, memo)


def _memo(node: Node) -> Memo:
    assert isinstance(node.memo, Memo)
    return node.memo
