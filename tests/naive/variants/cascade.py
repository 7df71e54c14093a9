"""Doubles that cascade (variants.md §7.4, clarification 4): stages of equal dice, and the remainder owed.

Written for any game with `doubles=cascade` (Gul bara, Gioul, Çelebi); works stage by stage.
"""

from __future__ import annotations

from typing import NamedTuple

from naive.variants.board import CHECKERS, OFF, Board
from naive.variants.games import Game
from naive.variants.play import plays


class Owed(NamedTuple):
    """Steps not played: `steps` of `value`, then four of each higher value."""

    value: int
    steps: int


class TurnEnd(NamedTuple):
    """One way a turn can end, seen by the one who played it."""

    board: Board
    owed: Owed | None = None  # what is left: the opponent has to play it before he rolls
    played: int = 0  # steps


def cascades(game: Game, roll: tuple[int, int], turn: int) -> bool:
    """Whether this roll, thrown in the player's `turn`-th turn (from 1), is played as a cascade."""
    return game.doubles == "cascade" and roll[0] == roll[1] and turn >= game.cascade_from


def stage(game: Game, end: TurnEnd, owed: Owed) -> set[TurnEnd]:
    """Every way to play one stage: `owed` of the results is what comes next; None when all is played or a side is off.

    "Maximise within the stage, no look-ahead to later stages."
    """
    ways = {(play.board, len(play.used)) for play in plays(game, end.board, (owed.value, owed.value), owed.steps)}
    results = set()
    for final, n in ways or {(end.board, 0)}:
        left: Owed | None = Owed(owed.value, owed.steps - n)
        if n == owed.steps:
            left = Owed(owed.value + 1, 4) if owed.value < 6 else None
        if final.own[OFF] == CHECKERS:
            left = None
        results.add(TurnEnd(final, left, end.played + n))
    return results


def goes_on(before: Owed, after: TurnEnd) -> bool:
    """Whether the same player goes on with the next stage: he completed this one and there is another."""
    return after.owed is not None and after.owed.value > before.value


def run(game: Game, board: Board, owed: Owed) -> set[TurnEnd]:
    """Every way through the stages as far as one player comes; `owed` of the results is what he leaves."""
    running, ended = {TurnEnd(board)}, set()
    while running:
        ends = {end for start in running for end in stage(game, start, owed)}
        running = {end for end in ends if goes_on(owed, end)}
        ended |= ends - running
        owed = Owed(owed.value + 1, 4)
    return ended


def transferred(game: Game, end: TurnEnd) -> Owed | None:
    """What of the roller's remainder the opponent has to play (options `remainder`, `transfer_needs_start`)."""
    if game.remainder == "forfeit" or (game.transfer_needs_start and not end.played):
        return None
    return end.owed


def turn_ends(game: Game, board: Board, roll: tuple[int, int], turn: int) -> set[TurnEnd]:
    """Every way the turn of a player who rolled can end; `owed` is what the opponent gets."""
    if not cascades(game, roll, turn):
        ends = {TurnEnd(play.board, None, len(play.used)) for play in plays(game, board, roll)}
        return ends or {TurnEnd(board)}
    return {end._replace(owed=transferred(game, end)) for end in run(game, board, Owed(roll[0], 4))}


def play_owed(game: Game, board: Board, owed: Owed) -> set[Board]:
    """What the receiver, who sees the board, can make of the steps; what he cannot play is lost."""
    return {end.board for end in run(game, board, owed)}
