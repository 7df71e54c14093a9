"""One random game from the opening throw to the end, play by play.

The slow, talkative sister of `bgcore.batch.playouts`: every position, roll and play is kept, the opening is thrown as
the rules say, and the turns of a cascade are played stage by stage.  Every legal play of a roll is as likely as any
other.  A game in which no roll lets either side move any more is a draw, as it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from bgcore import batch
from bgcore.dice import SeededDice, check_roll
from bgcore.match.cascade import first_stage, left_over, next_stage
from bgcore.match.opening import Opening, Player, begin, other, thrown
from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules import Outcome, Rules

__all__ = ["RandomGame", "Turn", "is_stuck", "random_game"]

ARRIVED = {"pass": 11, "reach": 12, "last_quarter": 6}
"""The point that releases a side's other checkers, by ``Rules.runner``."""


class Turn(NamedTuple):
    """One roll and what was played with it; of a cascade, one stage."""

    player: Player
    position: Position
    """Before the play, seen by the player."""
    dice: tuple[int, int]
    """Larger first."""
    context: int
    """As `Rules.legal_plays` takes it: steps of a stage, or whether the courier has arrived; else 0."""
    part: Literal["roll", "stage", "owed"]
    """The dice were thrown for it, it is a later stage of the same cascade, or the opponent has left it."""
    play: Play | None
    """None: no die could be played."""

    @property
    def after(self) -> Position:
        """The position after the play, seen by the same player."""
        return self.position if self.play is None else self.play.result.flipped()


class RandomGame(NamedTuple):
    """A game that has been played."""

    rules: Rules
    opening: Opening
    turns: tuple[Turn, ...]
    winner: Player | None
    """None: drawn."""
    points: int
    kind: str
    """As in `bgcore.Outcome`."""

    @property
    def rolls(self) -> int:
        """Rolls thrown, passes included; the stages of a cascade are one roll."""
        return sum(turn.part == "roll" for turn in self.turns)


def random_game(
    rules: Rules, dice: SeededDice, choices: np.random.Generator, first: Player | None = None
) -> RandomGame:
    """Play a game.

    Parameters
    ----------
    rules : Rules
    dice : SeededDice
        Opening throws and rolls come from it.
    choices : numpy.random.Generator
        Chooses among the plays, where there is more than one.
    first : 0, 1 or None
        Who begins; None: the dice decide, as the rules say.

    Returns
    -------
    RandomGame
    """
    throws = thrown(dice)
    opening = begin(rules, throws, first)
    turns = tuple(_turns(rules, opening, throws, choices))
    last = turns[-1]
    outcome = rules.outcome(last.after) or Outcome(None, rules.draw_points, "draw")
    winner = None if outcome.winner is None else last.player if outcome.winner == "own" else other(last.player)
    return RandomGame(rules, opening, turns, winner, outcome.points, outcome.kind)


def _turns(
    rules: Rules, opening: Opening, throws: Iterator[tuple[int, int]], choices: np.random.Generator
) -> Iterator[Turn]:
    """Turn after turn, until the game is over."""
    player, roll, position = opening.first, opening.roll, rules.start
    courier = rules.contact == "hit" and rules.runner != "none"
    arrived = [0, 0]
    rolls = [0, 0]
    rolls[player] = 1
    part: Literal["roll", "stage", "owed"] = "roll"
    stage = first_stage(rules, roll, 1)
    passes = 0
    while True:
        dice, context = (roll, arrived[player]) if stage is None else (stage.dice, stage.steps)
        plays = rules.legal_plays(position, dice, context=context)
        play = plays[int(choices.integers(len(plays))) if len(plays) > 1 else 0] if plays else None
        turn = Turn(player, position, dice, context, part, play)
        yield turn
        position = turn.after
        if courier and position.counts[0, : ARRIVED[rules.runner] + 1].any():
            arrived[player] = 1  # and stays so if the courier is hit later
        passes = passes + 1 if play is None else 0
        if rules.outcome(position) is not None:
            return
        if passes > 1 and is_stuck(rules, position, (arrived[player], arrived[other(player)])):
            return
        if stage is not None:
            played = 0 if play is None else len(play)
            onward, left = next_stage(stage, played), left_over(rules, stage, played)
            if onward is not None:
                stage, part = onward, "owed" if onward.owed else "stage"
                continue
            if left is not None:
                player, position, stage, part = other(player), position.flipped(), left, "owed"
                continue
        if part != "owed":  # after what the opponent has left, the same player rolls
            player, position = other(player), position.flipped()
        roll = check_roll(next(throws))
        rolls[player] += 1
        stage, part = first_stage(rules, roll, rolls[player]), "roll"


def is_stuck(rules: Rules, position: Position, arrived: tuple[int, int]) -> bool:
    """Whether no roll lets either side move; arrived says of own and of the opponent whether the courier has."""
    sides = np.array([position.packed, position.flipped().packed])
    return not batch.count_plays(sides, rules=rules, context=arrived).any()
