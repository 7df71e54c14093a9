"""What a game must be like to be played turn by turn with a position and a roll for all there is to know.

Such a game has *plain turns*: a turn is one play of `Rules.legal_plays` or a pass, and which plays there are follows
from the position and the roll.  A game ends for one of three reasons: by its rules; because no roll would let either
side ever move again, which is a draw here as in `bgcore.batch.playouts`; because it was cut off.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import batch
from bgcore.errors import RuleError
from bgcore.rules import Rules

__all__ = ["PASSES", "Packed", "PlayChooser", "are_stuck", "check_plain", "may_be_over", "most_plays", "worst"]

Packed: TypeAlias = NDArray[np.uint64]

PlayChooser: TypeAlias = Callable[[Packed, NDArray[np.uint8], batch.PlayBatch], ArrayLike]
"""Chooses plays: called with positions (n, 4), dice (n, 2) and the legal plays of each, it returns integers (n,): the
play of each segment, counted from 0.  No segment is empty."""

PASSES = 64
"""Passes in a row after which it is looked whether anybody can ever move again."""


def check_plain(rules: Rules) -> Rules:
    """The rules, which have plain turns.

    Raises
    ------
    RuleError
        They have not; the message says what a position and a roll do not tell.
    TypeError
        No Rules.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules such as bgcore.BACKGAMMON, not {type(rules).__name__}")
    rules.core()
    match = "bgcore.MatchState plays it"
    if rules.doubles == "cascade":
        what, instead = "a double goes on with higher ones and with the opponent, so a turn is not one play", match
    elif rules.draw == "last_roll":
        what = "the last roll is due to the player who did not begin, which a position does not tell"
        instead = "take replace(draw='none')"
    elif rules.contact == "hit" and rules.runner != "none":
        what, instead = "whether the courier has ever arrived is not seen in a position", match
    elif rules.opening == "opponents_checkers":
        what, instead = "the first roll is played with the opponent's checkers", "take replace(opening='reroll')"
    else:
        return rules
    raise RuleError(f"{rules.name} cannot be played here: {what}; {instead}")


def most_plays(rules: Rules) -> int:
    """A number that no roll of these rules has more legal plays than.

    Notes
    -----
    Moves of a double have one length, so a final position follows from how many of at most m moves each of c checkers
    makes: C(c + m - 1, m).  Two different dice: one each for two checkers, or both for one, which has two ways that
    differ by what they hit: c (c - 1) + 2 c.  With 15 checkers and four moves 3,060; the most known is 2,226.

    Examples
    --------
    >>> import bgcore as bg
    >>> most_plays(bg.BACKGAMMON), most_plays(bg.HYPERGAMMON)
    (3060, 15)
    """
    c, m = rules.checkers, rules.max_moves
    return max(comb(c + m - 1, m), c * (c + 1))


def worst(rules: Rules) -> int:
    """The most points that a game of these rules can cost."""
    return max(*rules.scoring, *(points for _, points in rules.ladder))


def may_be_over(results: Packed, rules: Rules) -> NDArray[np.bool_]:
    """Where the game may have ended with a play: bool (n,).  Elsewhere it goes on; here `Rules.outcome` decides.

    Parameters
    ----------
    results : uint64 (n, 4)
        Positions after a play, seen by the player who rolls next; not checked.
    rules : Rules
    """
    # All checkers off is a word with the count in slot 0 and nothing else.
    over: NDArray[np.bool_] = (results[:, 2] == np.uint64(rules.checkers)) & (results[:, 3] == 0)
    if rules.contact == "pin":
        over |= ((results[:, 1] | results[:, 3]) >> np.uint64(63)).astype(np.bool_)  # a pinned mother
    if rules.entry_bar_loss:
        bars = (results[:, 1::2] >> np.uint64(36)) & np.uint64(15)
        over |= (bars >= rules.entry_bar_loss).any(axis=1)
    return over


def are_stuck(positions: Packed, rules: Rules) -> NDArray[np.bool_]:
    """Whether no roll would let either side move: bool (n,).  Possible where prime rules or pins close everything."""
    both = np.concatenate([positions, positions[:, [2, 3, 0, 1]]])
    most = batch.count_plays(both, rules=rules).max(axis=1).reshape(2, len(positions))
    stuck: NDArray[np.bool_] = (most == 0).all(axis=0)
    return stuck
