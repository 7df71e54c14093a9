"""One random game from the opening throw to the end, play by play.

The slow, talkative sister of `bgcore.batch.playouts`: every position, roll and play is kept, the opening is thrown as
the rules say, and the turns of a cascade are played stage by stage.  Every legal play of a roll is as likely as any
other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from bgcore.dice import SeededDice, check_roll
from bgcore.errors import RuleError
from bgcore.match.cascade import first_stage, left_over, next_stage
from bgcore.match.opening import Opening, Player, begin, other, thrown
from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules import Outcome, Rules

__all__ = ["RandomGame", "Turn", "ended", "random_game"]

STUCK = 200
"""Passes in a row after which a game is given up.  If either side had a die to play, one chance in 10**31."""


class Turn(NamedTuple):
    """One roll and what was played with it; of a cascade, one stage."""

    player: Player
    position: Position
    """Before the play, seen by the player."""
    dice: tuple[int, int]
    """Larger first."""
    context: int
    """Steps of the stage; 0 = the roll is no stage."""
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


def ended(rules: Rules, position: Position) -> Outcome | None:
    """How a game has ended, also where it could only stand still for ever; None while it goes on.

    Notes
    -----
    In Plakoto without a mother (Tapa), once each side has a checker pinned on its own 24, neither can bear off.  The
    checkers that pin them stand on points 1 and could only leave by bearing off.  So nobody can ever win: a draw.
    """
    outcome = rules.outcome(position)
    if outcome is None and rules.contact == "pin" and rules.mother == "none" and position.pinned[:, 24].all():
        return Outcome(None, 0, "draw")
    return outcome


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

    Raises
    ------
    RuleError
        Both sides have passed so often that none can ever move again.
    """
    throws = thrown(dice)
    opening = begin(rules, throws, first)
    turns = tuple(_turns(rules, opening, throws, choices))
    last = turns[-1]
    outcome = ended(rules, last.after)
    assert outcome is not None
    winner = None if outcome.winner is None else last.player if outcome.winner == "own" else other(last.player)
    return RandomGame(rules, opening, turns, winner, outcome.points, outcome.kind)


def _turns(
    rules: Rules, opening: Opening, throws: Iterator[tuple[int, int]], choices: np.random.Generator
) -> Iterator[Turn]:
    """Turn after turn, until the game is over."""
    player, roll, position = opening.first, opening.roll, rules.start
    rolls = [0, 0]
    rolls[player] = 1
    part: Literal["roll", "stage", "owed"] = "roll"
    stage = first_stage(rules, roll, 1)
    passes = 0
    while True:
        dice, context = (roll, 0) if stage is None else (stage.dice, stage.steps)
        plays = rules.legal_plays(position, dice, context=context)
        play = plays[int(choices.integers(len(plays))) if len(plays) > 1 else 0] if plays else None
        turn = Turn(player, position, dice, context, part, play)
        yield turn
        position = turn.after
        if ended(rules, position) is not None:
            return
        passes = passes + 1 if play is None else 0
        if passes == STUCK:
            raise RuleError(f"{rules.name}: {STUCK} passes in a row, so that nobody can ever move again")
        if stage is not None:
            played = 0 if play is None else len(play)
            onward, left = next_stage(stage, played), left_over(stage, played)
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
