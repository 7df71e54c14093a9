"""The last roll: a game in which the second player may still draw once the first has borne off.

With ``rules.draw == "last_roll"`` the player who did not begin rolls once more when the one who began has borne off
his last checker.  If he bears off all of his, the game is drawn; else it is lost as it then stands, so a checker borne
off may save the gammon.  If the second player is the first to bear off, he wins at once.

A position does not tell who began, and no position has both sides off.  So this is a layer: `Rules.outcome`,
`Rules.legal_plays`, `perft` and everything built on them know nothing of it; `bgcore.match.random_game` and
`bgcore.batch.playouts` do, the latter taking the player on roll for the one who began.

Source: variants.md §9 (a fork of OpenSpiel with Long Nardi, where it is optional too).
"""

from __future__ import annotations

import numpy as np

from bgcore.core.explore import slow_plays
from bgcore.errors import RuleError
from bgcore.notation import Move
from bgcore.play import Play, restore
from bgcore.position import Position
from bgcore.rules import Outcome, Rules

__all__ = ["after_last_roll", "is_due", "last_plays", "outcome"]


def is_due(rules: Rules, position: Position, *, opponent_began: bool) -> bool:
    """Whether the player on roll has a last roll.

    Parameters
    ----------
    rules : Rules
    position : Position
        Seen by the player on roll.
    opponent_began : bool
        Whether the other player had the first turn of the game.

    Raises
    ------
    InvalidPosition
        No position of this game.
    """
    ended = rules.outcome(position)
    if ended is None or ended.winner != "opp" or ended.kind in ("mother", "bar_loss"):
        return False
    return rules.draw == "last_roll" and opponent_began


def outcome(rules: Rules, position: Position, *, opponent_began: bool) -> Outcome | None:
    """How the game has ended, or None while it goes on, be it for the last roll only.

    Parameters, errors
        As in `is_due`.

    Examples
    --------
    >>> from bgcore import LONG_NARDI
    >>> rules = LONG_NARDI.replace(draw="last_roll")
    >>> position = Position.from_counts([[13, 1, 1] + 23 * [0], [15] + 25 * [0]])
    >>> outcome(rules, position, opponent_began=False)
    Outcome(winner='opp', points=1, kind='single')
    >>> outcome(rules, position, opponent_began=True) is None
    True
    """
    return None if is_due(rules, position, opponent_began=opponent_began) else rules.outcome(position)


def last_plays(rules: Rules, position: Position, dice: tuple[int, int], *, context: int = 0) -> tuple[Play, ...]:
    """Every legal play of the last roll, one per distinct final position.

    Parameters
    ----------
    rules : Rules
    position : Position
        Seen by the player on roll; the opponent has borne off.
    dice : two integers
        In either order.
    context : int
        As in `Rules.legal_plays`.

    Returns
    -------
    tuple of Play
        Empty if no die can be played.  The order is fixed.  A play that bears off the last checker has no ``result``:
        there is no such position, and the game is drawn.

    Raises
    ------
    RuleError
        The rules have no last roll, or none is due; dice outside 1 to 6; a context that means nothing.
    InvalidPosition
        No position of this game.

    Examples
    --------
    >>> from bgcore import LONG_NARDI
    >>> rules = LONG_NARDI.replace(draw="last_roll")
    >>> position = Position.from_counts([[13, 1, 0, 1] + 22 * [0], [15] + 25 * [0]])
    >>> [str(play) for play in last_plays(rules, position, (6, 1))]
    ['3/off 1/off', '3/off']
    """
    larger, smaller = rules.roll(position, dice)
    rules.count_plays(position, dice, context=context)  # refuses a context that means nothing
    if not is_due(rules, position, opponent_began=True):
        raise RuleError(f"{rules.name}: no last roll is due, which takes draw='last_roll' and an opponent who is off")
    own_lo, own_hi, opp_lo, opp_hi = position.packed.tolist()
    found = slow_plays((own_lo, own_hi, opp_lo, opp_hi), larger, smaller, rules.core(), context, True)
    return tuple(_play(words, moves, rules.checkers) for words, moves in found)


def after_last_roll(rules: Rules, position: Position, play: Play | None) -> Outcome:
    """How the game has ended after the last roll, seen by the player who has made it.

    Parameters
    ----------
    rules : Rules
    position : Position
        Before the last roll, seen by him.
    play : Play or None
        One of `last_plays`; None if he could play no die.

    Raises
    ------
    InvalidPosition
        No position of this game.
    RuleError
        No last roll was due.

    Examples
    --------
    >>> from bgcore import LONG_NARDI
    >>> rules = LONG_NARDI.replace(draw="last_roll")
    >>> position = Position.from_counts([[0, 14, 1] + 23 * [0], [15] + 25 * [0]])
    >>> play = last_plays(rules, position, (6, 5))[0]
    >>> str(play), after_last_roll(rules, position, play)
    ('2/off 1/off', Outcome(winner='opp', points=1, kind='single'))
    """
    if not is_due(rules, position, opponent_began=True):
        raise RuleError(f"{rules.name}: no last roll was due, which takes draw='last_roll' and an opponent who is off")
    if play is not None and sum(move.target == 0 for move in play.moves) + position.off[0] == rules.checkers:
        return Outcome(None, rules.draw_points, "draw")
    ended = rules.outcome(position if play is None else play.result.flipped())
    assert ended is not None, "the opponent is off"
    return ended


def _play(words: tuple[int, int, int, int], moves: list[tuple[int, int, int]], checkers: int) -> Play:
    """A play of the slow generator; words are the result's."""
    made = tuple(Move(source, target, flags == 1, flags == 2) for source, target, flags in moves)
    is_draw = words[2] & 15 == checkers
    return restore(made, None if is_draw else Position.from_packed(np.array(words, np.uint64)))
