"""Doubles that cascade, stage by stage: Gul bara and its kin.

From a player's fourth turn on (option ``cascade_from``), a double v is played as four v, then four v + 1, and so on to
four 6.  Each stage is a sub-roll of its own: ``rules.legal_plays(position, stage.dice, context=stage.steps)``.  Who
cannot complete a stage leaves the rest of it, and the higher stages, to his opponent, who plays as much as he can and
then rolls (options ``remainder`` and ``transfer_needs_start``).

This module knows only what is to be played next.  It holds no position, and stops for nobody: when a side has borne
off its last checker the game is over, and no further stage is asked for.

Source: variants.md §7.4 and clarification 4 (Wikipedia "Gioul" after Jacoby and Crawford, Eighty Games, quasoft).
"""

from __future__ import annotations

from typing import NamedTuple

from bgcore.dice import check_roll
from bgcore.errors import RuleError
from bgcore.rules import Rules

__all__ = ["Stage", "first_stage", "left_over", "next_stage"]

WHOLE = 4
"""Steps of a stage."""


class Stage(NamedTuple):
    """What is to be played now: some steps of one value, after which come four of each higher one."""

    value: int
    """1 to 6."""
    steps: int
    """1 to 4."""
    owed: bool = False
    """Whether the opponent has left it; who plays it rolls afterwards."""
    before: int = 0
    """Steps that the roller has played in earlier stages."""

    @property
    def dice(self) -> tuple[int, int]:
        """The stage as a roll for `Rules.legal_plays`, whose ``context`` is `steps`."""
        return self.value, self.value


def first_stage(rules: Rules, dice: tuple[int, int], turn: int) -> Stage | None:
    """The first stage of a roll, or None if the roll is played as it stands.

    Parameters
    ----------
    rules : Rules
        Doubles cascade if ``rules.doubles`` is "cascade", from turn ``rules.cascade_from`` on.
    dice : two integers
    turn : int
        How many rolls this player has thrown in this game, this one and those he passed included; 1 for the first.
        Playing what the opponent has left is no turn.

    Raises
    ------
    RuleError
        Dice outside 1 to 6; a turn below 1.

    Examples
    --------
    >>> from bgcore.rules import GUL_BARA
    >>> first_stage(GUL_BARA, (4, 4), 3), first_stage(GUL_BARA, (4, 4), 4)
    (None, Stage(value=4, steps=4, owed=False, before=0))
    """
    larger, smaller = check_roll(dice)
    if turn < 1:
        raise RuleError(f"turns are counted from 1, not {turn}")
    if rules.doubles != "cascade" or larger != smaller or turn < rules.cascade_from:
        return None
    return Stage(larger, WHOLE)


def next_stage(stage: Stage, played: int) -> Stage | None:
    """The stage that the same player goes on with, or None: he is stuck, or that was the last.

    Parameters
    ----------
    stage : Stage
    played : int
        How many of its steps he has played: ``len(play)``, 0 if there was no legal play.

    Raises
    ------
    RuleError
        More steps than the stage has.

    Examples
    --------
    >>> next_stage(Stage(5, 4), 4)
    Stage(value=6, steps=4, owed=False, before=4)
    """
    if _left(stage, played) or stage.value == 6:
        return None
    return Stage(stage.value + 1, WHOLE, stage.owed, stage.before + played)


def left_over(rules: Rules, stage: Stage, played: int) -> Stage | None:
    """What the opponent has to play before he rolls, or None.

    Parameters
    ----------
    rules : Rules
        Whether it passes to the opponent at all: ``rules.remainder`` and ``rules.transfer_needs_start``.
    stage : Stage
    played : int
        As in `next_stage`.

    Raises
    ------
    RuleError
        More steps than the stage has.

    Notes
    -----
    It is transferred once only: what the opponent cannot play is lost.

    Examples
    --------
    >>> from bgcore.rules import GUL_BARA
    >>> left_over(GUL_BARA, Stage(4, 4), 2)
    Stage(value=4, steps=2, owed=True, before=0)
    >>> left_over(GUL_BARA, Stage(4, 2, owed=True), 1) is None
    True
    """
    left = _left(stage, played)
    if not left or stage.owed or rules.remainder == "forfeit":
        return None
    if rules.transfer_needs_start and not stage.before + played:
        return None
    return Stage(stage.value, left, owed=True)


def _left(stage: Stage, played: int) -> int:
    """Steps of a stage that are not played."""
    if not 0 <= played <= stage.steps:
        raise RuleError(f"a stage of {stage.steps} steps, of which {played} cannot be played")
    return stage.steps - played
