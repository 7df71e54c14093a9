"""What an agent is shown of a game: one row of small integers, from the view of one player.

==============  =====================================================================================
columns         what they are
==============  =====================================================================================
0-25            own checkers on each slot: 0 borne off, 1-24 own points, 25 bar
26-51           the opponent's, in his own numbering
52-57           how many moves of 1, 2 ... 6 are left to play: 3-1 is 1 0 1 0 0 0, 6-6 is 0 0 0 0 0 4;
                all 0 for the player who is not on roll
58-83, 84-109   in games with pinning: 1 where an own checker, one of the opponent's, lies pinned
==============  =====================================================================================

Stability: the columns keep their meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bgcore import batch
from bgcore.bridges.turns import Packed
from bgcore.dice import Roll
from bgcore.rules import Rules
from bgcore.rules._resolve import moves_of_double

__all__ = ["FACES", "moves_of", "observe", "say_moves", "width"]

FACES = slice(52, 58)
"""The columns of the moves left."""


def width(rules: Rules) -> int:
    """Columns of an observation: 58, or 110 in games with pinning."""
    return 110 if rules.contact == "pin" else 58


def observe(positions: Packed, dice: NDArray[np.uint8], rules: Rules) -> NDArray[np.uint8]:
    """What the players on roll are shown.

    Parameters
    ----------
    positions : uint64 (n, 4)
    dice : uint8 (n, 2)
        What each has rolled.
    rules : Rules

    Returns
    -------
    uint8 (n, width)
    """
    n = len(positions)
    counts, pinned = batch.unpack(positions)
    seen = np.zeros((n, width(rules)), np.uint8)
    seen[:, :52] = counts.reshape(n, 52)
    if rules.contact == "pin":
        seen[:, 58:] = pinned.reshape(n, 52)
    seen[:, FACES] = _faces(rules)[dice[:, 0], dice[:, 1]]
    return seen


def moves_of(rules: Rules, roll: Roll) -> tuple[int, ...]:
    """The moves that a roll gives, one entry a move."""
    return roll[:1] * moves_of_double(rules, roll[0], 0) if roll[0] == roll[1] else roll


def say_moves(row: NDArray[np.uint8], dice: Sequence[int]) -> None:
    """Write into one row which moves are left to play, one entry of `dice` a move."""
    row[FACES] = 0
    for die in dice:
        row[FACES.start - 1 + die] += 1


@lru_cache
def _faces(rules: Rules) -> NDArray[np.uint8]:
    """The columns of the moves left for every roll, by its dice: uint8 (7, 7, 6)."""
    faces = np.zeros((7, 7, 6), np.uint8)
    for first, second in product(range(1, 7), repeat=2):
        for die in moves_of(rules, (first, second)):
            faces[first, second, die - 1] += 1
    return faces
