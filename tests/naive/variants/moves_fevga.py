"""Fevga (variants.md §5): the runner and the unblock duty; its primes are in primes.py."""

from __future__ import annotations

from naive.variants.board import OFF, OPPONENTS_NUMBER, Board
from naive.variants.core import Family, Node, Play
from naive.variants.games import Game

# §5, §10: the runner has arrived once a checker stands on own <= this, or has been borne off.
RUNNER_GOAL = {"pass": 11, "reach": 12, "last_quarter": 6}


def runner_arrived(game: Game, own: bytes) -> bool:
    """Whether all checkers may move; a function of the position where nothing is hit."""
    return game.runner == "none" or any(own[OFF : RUNNER_GOAL[game.runner] + 1])


def runner_sources(own: bytes) -> list[int]:
    """Who may move before that: those that have left 24 (one in a real game), or one from 24 (clarification 6)."""
    return [p for p in range(1, 24) if own[p]] or ([24] if own[24] else [])


class Fevga(Family):
    """No contact; the runner first; a duty to unblock."""

    def sources(self, game: Game, node: Node) -> list[int]:
        own = node.board.own
        if runner_arrived(game, own):
            return super().sources(game, node)
        return runner_sources(own)

    def duty(self, game: Game, before: Board, plays: set[Play]) -> set[Play]:
        """Clarification 7: if the duty stands, the plays that empty one of the six points, if there is any."""
        if "unblock_duty" not in game.prime_rules:
            return plays
        six = points_to_unblock(game, before)
        return {play for play in plays if any(not play.board.own[p] for p in six)} or plays


def points_to_unblock(game: Game, board: Board) -> list[int]:
    """My numbers of the six points, all mine, right in front of the one point where every opposing checker stands."""
    where = [q for q in range(1, 26) if board.opp[q]]
    if len(where) != 1 or where[0] < 7:
        return []
    number = OPPONENTS_NUMBER[game.geometry]
    six = [p for p in range(1, 25) if where[0] - 6 <= number[p] < where[0]]
    return six if all(board.own[p] for p in six) else []
