"""Gül Bar, the scoring layer (variants.md §7.3), and the opening procedures (§1 `opening`)."""

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
