"""Gül Bar, the scoring layer (variants.md §7.3), and the opening procedures (§1 `opening`, §7.3 Julbahar's)."""

from __future__ import annotations

from naive.variants.board import CHECKERS, OFF, Board
from naive.variants.games import Game
from naive.variants.play import ROLLS, finals

TARGET = 31
BONUS = 5


def blocked_bonus(game: Game, board: Board, roll: tuple[int, int], blocked_test: str = "same_dice") -> int:
    """What the opponent scores because the roller, who sees the board, cannot make any step while he could move."""
    if finals(game, board, roll):
        return 0
    rolls = [roll] if blocked_test == "same_dice" else ROLLS
    return BONUS if any(finals(game, board.swapped(), r) for r in rolls) else 0


def game_points(board: Board) -> int:
    """What the winner, who sees the board, scores at the end: the opposing checkers not borne off."""
    return CHECKERS - board.opp[OFF]


def opening(game: Game, mine: int, his: int) -> tuple[str, tuple[int, int] | None] | None:
    """Who starts after one die each, and the roll that he plays (None: he rolls both dice); None: roll again."""
    if mine == his:
        return None
    dice = (max(mine, his), min(mine, his)) if game.opening == "keep_dice" else None
    return ("own" if mine > his else "opp", dice)


def julbahar_opening(mine: tuple[int, int], his: tuple[int, int]) -> str | None:
    """Who wins the opening throw of both dice, "own" or "opp"; None: throw again (§7.3).

    "Starting by doubles must be beaten by higher doubles": a table of all throws, the lowest first.
    """
    plain = [[(a, b) for a in range(1, 7) for b in range(1, a) if a + b == total] for total in range(3, 12)]
    ranks = [*plain, *([(double, double)] for double in range(1, 7))]
    place = [next(i for i, rank in enumerate(ranks) if (max(roll), min(roll)) in rank) for roll in (mine, his)]
    return None if place[0] == place[1] else "own" if place[0] > place[1] else "opp"
