"""The rules about final positions: primes (variants.md §1, §5, §9, §10, clarification 8) and caps on the start quarter.

A six-block is six points that are consecutive on the opponent's path, all held by me; it may wrap on mine.
"""

from __future__ import annotations

from naive.variants.board import OFF, OPPONENTS_NUMBER, Board
from naive.variants.games import Game

START_QUARTER = range(19, 25)


def six_blocks(game: Game, board: Board) -> list[int]:
    """The highest point, in the opponent's numbers, of each six-block of mine: i, i-1 … i-5 with 24 >= i >= 6."""
    number = OPPONENTS_NUMBER[game.geometry]
    held = {number[p] for p in range(1, 25) if board.own[p]}
    return [i for i in range(6, 25) if all(q in held for q in range(i - 5, i + 1))]


def _someone_ahead(board: Board, top: int) -> bool:
    """An opposing checker lower, in its own numbers, than the block's lowest point top - 5 (§9)."""
    return any(board.opp[q] for q in range(1, top - 5))


def start_quarter(game: Game, board: Board) -> bool:
    """§5: own 24-19 not all occupied."""
    return not all(board.own[p] for p in START_QUARTER)


def both_start_quarters(game: Game, board: Board) -> bool:
    """§5 (Ludii): neither player's starting quarter full of mine."""
    return start_quarter(game, board) and 24 not in six_blocks(game, board)


def front_of_head(game: Game, board: Board) -> bool:
    """§5: not the six points in front of the opponent's start while he has a checker on it."""
    return not (board.opp[24] and 23 in six_blocks(game, board))


def ahead(game: Game, board: Board) -> bool:
    """§9: no six-block unless an opposing checker is ahead of it or borne off."""
    return all(board.opp[OFF] or _someone_ahead(board, top) for top in six_blocks(game, board))


def ahead_strict(game: Game, board: Board) -> bool:
    """Clarification 8: the same, but borne-off checkers do not count."""
    return all(_someone_ahead(board, top) for top in six_blocks(game, board))


def never_six(game: Game, board: Board) -> bool:
    """§9: no six-block at all."""
    return not six_blocks(game, board)


def last_two(game: Game, board: Board) -> bool:
    """§10: no six-block unless I hold own 2 and own 1."""
    return bool(board.own[2] and board.own[1]) or not six_blocks(game, board)


def free(game: Game, board: Board) -> bool:
    """§9, §10: no rule."""
    return True


RULES = {
    "start_quarter": start_quarter,
    "both_start_quarters": both_start_quarters,
    "front_of_head": front_of_head,
    "ahead": ahead,
    "trap15": ahead,
    "ahead_strict": ahead_strict,
    "never_six": never_six,
    "last_two": last_two,
    "free": free,
}


def allowed(game: Game, board: Board) -> bool:
    """Whether a play may end here."""
    for name in game.prime_rules:
        if name != "unblock_duty" and not RULES[name](game, board):
            return False
    points, cases = game.start_points_cap, game.start_cases_cap
    if points is not None and sum(board.own[p] >= 1 for p in START_QUARTER) > points:
        return False
    return cases is None or sum(board.own[p] >= 2 for p in START_QUARTER) <= cases
