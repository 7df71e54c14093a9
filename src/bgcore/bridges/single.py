"""One game, turn by turn: what the environments of `bgcore.bridges.rl` share.

A roll that cannot be played passes by itself, so whoever is asked has something to do.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bgcore.bridges import seen
from bgcore.bridges.micro import ACTIONS, MicroTurn
from bgcore.bridges.turns import PASSES, are_stuck, check_plain, most_plays
from bgcore.dice import Roll, check_roll
from bgcore.draw import svg
from bgcore.draw.board_text import board_text
from bgcore.errors import RuleError
from bgcore.match.opening import Player, begin, other
from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.threads import positive

__all__ = ["RENDER_MODES", "SingleGame", "Throws"]

RENDER_MODES = ("ansi", "svg")
"""How a game can be shown: a text board, an SVG picture."""


class Throws(Iterator[Roll]):
    """Throws of two dice without end; one is ``generator.integers(1, 7, 2)``.  Unlike a generator it can be copied."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def __next__(self) -> Roll:
        first, second = self._generator.integers(1, 7, 2).tolist()
        return first, second


class SingleGame:
    """A game of two players, 0 and 1.

    Parameters
    ----------
    rules : Rules
        A rule set with plain turns.
    micro : bool
        Whether an action moves one checker (`bgcore.bridges.micro`) or is the number of a play.
    max_turns : int, optional
        Turns, passes included, after which the game is cut off.

    Attributes
    ----------
    position : Position
        Seen by the player on roll, as it stood before he began to move.
    player : 0 or 1
        Who is on roll.
    roll : tuple of two int
        Larger die first.
    plays : tuple of Play
        What he can play; empty only when the game is over.
    turns : int
        Turns made, passes included.
    points : tuple of two int, or None
        What each player has won, once the game is over; None while it goes on.
    truncated : bool
        Whether it was cut off; `points` are 0 then.
    """

    def __init__(self, rules: Rules, *, micro: bool = False, max_turns: int | None = None) -> None:
        self.rules = check_plain(rules)
        self.actions = ACTIONS if micro else most_plays(rules)
        self.micro = bool(micro)
        self.max_turns = None if max_turns is None else positive(max_turns, "max_turns")
        self.started = False

    def start(self, generator: np.random.Generator, position: Position | None = None) -> None:
        """Begin a game with the dice of a generator; from a position, player 0 is on roll and throws both dice.

        Raises
        ------
        InvalidPosition
            No position of this game.
        RuleError
            The game is over there.
        """
        self._throws = Throws(generator)
        self.turns = self._passes = 0
        self.points: tuple[int, int] | None = None
        self.truncated = False
        self._turn: MicroTurn | None = None
        if position is None:
            opening = begin(self.rules, self._throws)
            self.position, self.player = self.rules.start, opening.first
            roll = opening.roll
        else:
            if self.rules.outcome(position) is not None:
                raise RuleError("the game is over in that position; begin from one that can be played")
            self.position, self.player = position, 0
            roll = check_roll(next(self._throws))
        self.started = True
        self._deal(roll)

    @property
    def over(self) -> bool:
        """Whether nothing can be done any more."""
        return self.points is not None

    @property
    def nothing_to_do(self) -> str:
        """Why no action can be taken, once that is so."""
        return "the game is over; reset() begins another one" if self.started else "call reset() first"

    def legal_actions(self) -> list[int]:
        """What the player on roll can do, in ascending order; empty when the game is over."""
        if self.over:
            return []
        return list(range(len(self.plays))) if self._turn is None else self._turn.actions()

    def mask(self) -> NDArray[np.int8]:
        """The same as 1 among 0, int8 (actions,)."""
        mask = np.zeros(self.actions, np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def check_action(self, action: Any) -> int:
        """The action as an integer.

        Raises
        ------
        TypeError
            No integer.
        RuleError
            The game has not begun or is over; no number of an action.
        """
        if not self.started or self.over:
            raise RuleError(self.nothing_to_do)
        if isinstance(action, np.ndarray) and action.ndim == 0:
            action = action[()]
        if isinstance(action, bool | np.bool_):
            raise TypeError("an action is an integer, not a bool")
        try:
            number = operator.index(action)
        except TypeError:
            raise TypeError(f"an action is an integer, not {type(action).__name__}") from None
        if not 0 <= number < self.actions:
            raise RuleError(f"an action is 0 to {self.actions - 1}, not {number}")
        return number

    def is_legal(self, action: int) -> bool:
        """Whether the player on roll can do that."""
        return action < len(self.plays) if self._turn is None else action in self._turn.actions()

    def act(self, action: int) -> None:
        """Do it: move a checker, or make a play.

        Raises
        ------
        RuleError
            It is not legal.  Nothing is changed then.
        """
        if self._turn is None:
            self.play(action)
            return
        self._turn.apply(action)
        if self._turn.is_complete:
            self._end_turn(self._turn.result())

    def play(self, number: int) -> None:
        """Make a whole play of the player on roll.

        Raises
        ------
        RuleError
            There is no play of that number.
        """
        if not 0 <= number < len(self.plays):
            raise RuleError(f"no play {number}; the roll has {len(self.plays)}, counted from 0")
        self._end_turn(self.plays[number].result)

    def board(self, player: Player) -> Position:
        """The position as a player sees it now, checkers moved in this turn included."""
        position = self.position
        if self._turn is not None:
            position = Position.from_packed(np.array(self._turn.words, np.uint64))
        return position if player == self.player else position.flipped()

    def observe(self, player: Player) -> NDArray[np.uint8]:
        """What a player is shown: uint8 (columns,), as in `bgcore.bridges.seen`."""
        board = self.board(player)
        row = np.zeros(seen.width(self.rules), np.uint8)
        row[:52] = board.counts.ravel()
        if self.rules.contact == "pin":
            row[58:] = board.pinned.ravel()
        if player == self.player and not self.over:
            seen.say_moves(row, seen.moves_of(self.rules, self.roll) if self._turn is None else self._turn.left)
        return row

    def render(self, mode: str, player: Player) -> str:
        """The board with the player at the bottom, as a text or as a picture.

        A text board has whoever is on roll at the bottom while the game goes on, since it says what he has rolled.

        Raises
        ------
        RuleError
            The game has not begun.
        """
        if not self.started:
            raise RuleError(self.nothing_to_do)
        roll = None if self.over else self.roll
        if mode == "svg":
            board = self.board(self.player)
            bottom: Literal["own", "opp"] = "own" if player == self.player else "opp"
            return svg(board, rules=self.rules, dice=roll, orientation=bottom, light=bottom)
        return board_text(
            self.board(player if self.over else self.player),
            dice=roll,
            geometry=self.rules.geometry,
            bar=self.rules.contact == "hit",
            over=self._how(player) if self.over else "",
        )

    def _how(self, player: Player) -> str:
        """How the game has ended for a player, in words."""
        assert self.points is not None
        won = self.points[player]
        if won == 0:
            return "cut off" if self.truncated else "nobody wins"
        return f"{'X' if won > 0 else 'O'} wins {abs(won)}"

    def _deal(self, roll: Roll) -> None:
        """Give the player on roll his roll; what cannot be played passes."""
        while not self.over:
            self.roll = roll
            self.plays: tuple[Play, ...] = self.rules.legal_plays(self.position, roll)
            if self.plays:
                self._passes = 0
                self._turn = MicroTurn(self.rules, self.position, roll) if self.micro else None
                return
            self._passes += 1
            self._pass_on(self.position.flipped())
            if self._passes == PASSES and are_stuck(self.position.packed[np.newaxis], self.rules)[0]:
                self._finish((0, 0))
            else:
                self._cut_off()
            roll = check_roll(next(self._throws))

    def _end_turn(self, result: Position) -> None:
        """A play has led here; the other player is on roll, if the game goes on."""
        self._pass_on(result)
        outcome = self.rules.outcome(result)
        if outcome is None:
            self._cut_off()
            self._deal(check_roll(next(self._throws)))
        elif outcome.winner is None:
            self._finish((0, 0))
        else:
            zero_wins = (outcome.winner == "own") == (self.player == 0)
            self._finish((outcome.points, -outcome.points) if zero_wins else (-outcome.points, outcome.points))

    def _pass_on(self, position: Position) -> None:
        """Pass the turn."""
        self._turn = None
        self.position = position
        self.player = other(self.player)
        self.turns += 1

    def _cut_off(self) -> None:
        """End the game if it has had its turns."""
        if self.max_turns is not None and self.turns >= self.max_turns:
            self.truncated = True
            self._finish((0, 0))

    def _finish(self, points: tuple[int, int]) -> None:
        """The game is over."""
        self.plays = ()
        self.points = points
