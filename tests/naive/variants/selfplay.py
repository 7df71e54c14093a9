"""Positions from uniformly random games that the enumerators here drive."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from naive.variants.board import BAR, Board
from naive.variants.cascade import Owed, TurnEnd, cascades, goes_on, stage, transferred
from naive.variants.games import Game
from naive.variants.moves_jacquet import courier_after
from naive.variants.outcome import Outcome, outcome
from naive.variants.play import ROLLS, finals, start

MAX_TURNS = 5000


class Position(NamedTuple):
    """A position before a roll (or, with `owed`, before a stage of a cascade), seen by the player on move.

    The first turn of Long Nardi and the runner's state of Fevga and Jacquet are functions of the board.
    """

    board: Board
    first: bool = True  # whether the player on move had the first turn of the game
    turns: tuple[int, int] = (0, 0)  # own rolls thrown before, of the player on move and of the other
    courier: tuple[bool, bool] = (False, False)  # courier flags, likewise (§10, games of 1840)
    owed: Owed | None = None  # the stage to play now: `legal_finals` with these equal dice and context = owed.steps

    def context(self, game: Game) -> int:
        """What `legal_finals` is to be given."""
        if self.owed is not None:
            return self.owed.steps
        return int(self.courier[0]) if game.courier_flag else 0


class GameLog(NamedTuple):
    """One game: every position before a roll or a stage, and how it ended, seen by the one who played last."""

    positions: list[Position]
    last: Board
    result: Outcome


def random_game(game: Game, rng: random.Random) -> GameLog:
    """A game with random dice and a uniformly random choice among the distinct final positions."""
    log: list[Position] = []
    at = Position(start(game))
    for _ in range(MAX_TURNS):
        log.append(at)
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        turns = at.turns
        if cascades(game, roll, turns[0] + 1):
            end = _random_stages(game, at, Owed(roll[0], 4), rng, log)
            owed = transferred(game, end)
        else:
            end, owed = TurnEnd(_choose(finals(game, at.board, roll, at.context(game)) or {at.board}, rng)), None
        at = at._replace(turns=(turns[0] + 1, turns[1]))
        result = outcome(game, end.board, at.first)
        if result is None and owed is not None:  # the opponent plays the rest, then rolls: not a turn of his
            at = _other(game, at, end.board)
            end = _random_stages(game, at, owed, rng, log)
            result = outcome(game, end.board, at.first)
            at = at._replace(board=end.board)
        else:
            at = _other(game, at, end.board)
        if result is None and game.entry_forbid_own and _is_stuck(game, at.board):
            result = Outcome("none", "draw", game.draw_points)
        if result is not None:
            return GameLog(log, end.board, result)
    raise AssertionError(f"{game.name}: no end after {MAX_TURNS} turns")


def _is_stuck(game: Game, board: Board) -> bool:
    """Whether no roll lets either side move: with `entry_forbid_own` both can be on the bar for good."""
    if not (board.own[BAR] and board.opp[BAR]):
        return False
    return not any(finals(game, side, roll) for side in (board, board.swapped()) for roll in ROLLS)


def _random_stages(game: Game, at: Position, owed: Owed, rng: random.Random, log: list[Position]) -> TurnEnd:
    end = TurnEnd(at.board)
    while True:
        log.append(at._replace(board=end.board, owed=owed))
        ends = {way.board: way for way in stage(game, end, owed)}
        end = ends[_choose(set(ends), rng)]
        if not goes_on(owed, end):
            return end
        assert end.owed is not None
        owed = end.owed


def _other(game: Game, at: Position, board: Board) -> Position:
    flag = game.courier_flag and courier_after(game, board, at.courier[0])
    return Position(board.swapped(), not at.first, at.turns[::-1], (at.courier[1], flag))


def _choose(boards: set[Board], rng: random.Random) -> Board:
    return rng.choice(sorted(boards))  # sorted: a set has no order of its own to rely on


def random_positions(game: Game, seed: int, n: int) -> list[Position]:
    """`n` distinct positions, in order, from as many random games as it takes; the same for the same seed."""

    def stream() -> Iterator[Position]:
        rng = random.Random(f"{game.name} {seed}")
        while True:
            yield from random_game(game, rng).positions

    kept: dict[tuple[Board, tuple[bool, bool], Owed | None], Position] = {}
    for position in stream():
        kept.setdefault((position.board, position.courier, position.owed), position)
        if len(kept) >= n:
            break
    return list(kept.values())
