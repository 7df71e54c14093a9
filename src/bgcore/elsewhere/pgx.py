"""Observations of pgx's backgammon (its version v2): 34 integers.

They are always seen by the player whose turn it is, whoever asks; only the last six are zeros for the other player.

======== ==========================================================================================
0 to 23  points; 0 is where the player's rearmost checkers begin (his 24 point), 23 his ace point;
         his checkers positive, the opponent's negative
24, 25   the bar: his checkers; the opponent's, negative
26, 27   borne off: his; the opponent's, negative
28 to 33 how many moves with a 1, 2 ... 6 he has left; before a double is played, 4
======== ==========================================================================================

Lost in it: the roll once a die of it is played (a double of which one move is left looks like one die), and the scores.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import batch
from bgcore.arrays import integers
from bgcore.elsewhere._rows import FIFTEEN, Packed, Shape, check, dice_of, in_row, named, packed_of, small
from bgcore.errors import InvalidPosition, InvalidReason, RuleError
from bgcore.position import Position

__all__ = ["Observed", "from_observations", "to_observations"]

SIZE = 34
OWN_BAR, OPP_BAR, OWN_OFF, OPP_OFF, DICE = 24, 25, 26, 27, 28
CHECKERS = 15
MOST = 4  # moves of one number
BASE = (MOST + 1) ** np.arange(6, dtype=np.int16)


def _tables() -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """By the six counts as a number in base 5: larger die, smaller die, moves left (-1: impossible); and back."""
    read = np.full(((MOST + 1) ** 6, 3), -1, np.int8)
    write = np.full((7, 7, MOST + 1, 6), -1, np.int8)

    def pair(larger: int, smaller: int, left: int, counts: list[int]) -> None:
        read[int(np.dot(counts, BASE))] = larger, smaller, left
        write[larger, smaller, left] = write[smaller, larger, left] = counts

    def counts(*dice: int) -> list[int]:
        return [dice.count(die) for die in range(1, 7)]

    pair(0, 0, 0, counts())
    for die in range(1, 7):
        pair(die, 0, 1, counts(die))
        for left in range(2, MOST + 1):
            pair(die, die, left, counts(*[die] * left))
    for smaller, larger in combinations(range(1, 7), 2):
        pair(larger, smaller, 2, counts(smaller, larger))
    return read, write.reshape(-1, 6)


READ, WRITE = _tables()


class Observed(NamedTuple):
    """What observations say.

    Attributes
    ----------
    packed : uint64 (..., 4)
        Positions, seen by the player whose turn it is.
    dice : uint8 (..., 2)
        The dice that are left to play, the larger first; 0 where there is none.  Two equal ones are a double, of which
        two or more moves are left.
    left : uint8 (..., )
        Moves that are left: 2, then 1; of a double 4 to 1.  0 in an observation of the player whose turn it is not.
    """

    packed: Packed
    dice: NDArray[np.uint8]
    left: NDArray[np.uint8]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which rows have the whole roll still to play, bool (..., ): those that `bgcore.batch.legal_plays` is for."""
        full = np.where(self.dice[..., 0] == self.dice[..., 1], MOST, 2)
        whole: NDArray[np.bool_] = np.equal(self.left, full)
        return whole


def from_observations(observations: ArrayLike) -> Observed:
    """Observations of pgx to packed words and dice.

    Parameters
    ----------
    observations : integers (..., 34)
        Of any integer dtype; arrays of jax are as good as those of numpy.

    Returns
    -------
    Observed

    Raises
    ------
    TypeError, ValueError
        No integers; another shape.
    InvalidPosition
        No position, or dice that no roll leaves; names the row.

    Examples
    --------
    >>> import bgcore as bg
    >>> start = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0]
    >>> packed, dice, left = from_observations([*start, 1, 0, 1, 0, 0, 0])
    >>> bg.Position.from_packed(packed) == bg.Position.initial(), dice.tolist(), int(left)
    (True, [3, 1], 2)
    """
    rows, lead = small(observations, "observations", (SIZE,))
    for column, sign, rule in (
        (OWN_BAR, 1, "his bar, 0 or more"),
        (OPP_BAR, -1, "the opponent's bar, 0 or less"),
    ):
        wrong = sign * rows[:, column] < 0
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InvalidPosition(
                f"{in_row(row, lead)}{rows[row, column]} at [{column}], which is {rule}", row=row if lead else None
            )
    boards = np.empty((len(rows), 26), np.int8)
    boards[:, 0] = rows[:, OPP_BAR]
    boards[:, 1:25] = rows[:, 23::-1]
    boards[:, 25] = rows[:, OWN_BAR]
    with named(lead):
        packed = batch.from_boards(boards)
    for column, words, sign, who in ((OWN_OFF, 0, 1, "the player"), (OPP_OFF, 2, -1, "the opponent")):
        off = (packed[:, words] & np.uint64(15)).astype(np.int8)
        wrong = rows[:, column] != sign * off
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InvalidPosition(
                f"{in_row(row, lead)}{rows[row, column]} at [{column}], but {who} has {CHECKERS - off[row]} "
                f"checkers on the board and the bar, so it must be {sign * off[row]}",
                reason=InvalidReason.WRONG_TOTAL_OPP if words else InvalidReason.WRONG_TOTAL_OWN,
                row=row if lead else None,
            )
    left = rows[:, DICE:]
    moves = np.zeros((len(rows), 3), np.int8)
    if len(rows):
        possible = (left.min() >= 0) and (left.max() <= MOST)
        moves = READ[left.astype(np.int16) @ BASE] if possible else _one_by_one(left)
    wrong = moves[:, 2] < 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidPosition(
            f"{in_row(row, lead)}{left[row].tolist()} at [28] to [33], which no roll leaves to play: two dice, one, or "
            "one to four of a double",
            row=row if lead else None,
        )
    dice = moves.view(np.uint8)
    return Observed(packed.reshape(*lead, 4), dice[:, :2].reshape(*lead, 2), dice[:, 2].reshape(lead))


def _one_by_one(left: NDArray[np.int8]) -> NDArray[np.int8]:
    """The same where some count is out of range, and so can't be a digit."""
    digits = ((left >= 0) & (left <= MOST)).all(axis=1)
    moves = np.full((len(left), 3), -1, np.int8)
    moves[digits] = READ[left[digits].astype(np.int16) @ BASE]
    return moves


def to_observations(
    packed: ArrayLike | Position, dice: ArrayLike | None = None, left: ArrayLike | None = None
) -> NDArray[np.int32]:
    """Packed words, or a Position, to observations of pgx.

    Parameters
    ----------
    packed : uint64 (..., 4), or Position
        Seen by the player whose turn it is.
    dice : integers (..., 2) or (2,), optional
        The dice that are left to play, in either order; 0 where there is none.  Not given: as the other player sees it.
    left : integers (..., ) or one integer, optional
        Moves that are left; all of the roll if not given.

    Returns
    -------
    int32 (..., 34)

    Raises
    ------
    InvalidPosition
        Not fifteen checkers a side, a shared point, a pinned checker; names the row.
    RuleError
        Dice outside 0 to 6; a number of moves that these dice cannot leave.

    Examples
    --------
    >>> import bgcore as bg
    >>> to_observations(bg.Position.initial(), (3, 1))[28:].tolist()
    [1, 0, 1, 0, 0, 0]
    """
    rows, lead = packed_of(packed)
    boards = batch.to_boards(check(rows, lead, FIFTEEN))
    out = np.empty((len(rows), SIZE), np.int8)
    out[:, :24] = boards[:, 24:0:-1]
    out[:, OWN_BAR] = boards[:, 25]
    out[:, OPP_BAR] = boards[:, 0]
    out[:, OWN_OFF] = rows[:, 0] & np.uint64(15)
    np.negative((rows[:, 2] & np.uint64(15)).astype(np.int8), out=out[:, OPP_OFF])
    out[:, DICE:] = 0 if dice is None and left is None else _counts(dice, left, lead)
    return out.astype(np.int32).reshape(*lead, SIZE)


def _counts(dice: ArrayLike | None, left: ArrayLike | None, lead: Shape) -> NDArray[np.int8]:
    """How many moves of each number are left."""
    if dice is None:
        raise TypeError("left says how many moves of the dice are left; give the dice as well")
    rolls = dice_of(dice, lead)
    if left is None:
        first, second = rolls[:, 0], rolls[:, 1]
        moves = np.where((first == second) & (first > 0), np.int8(MOST), (first > 0) + (second > 0).view(np.int8))
    else:
        given = np.broadcast_to(integers(left, "left", ()), lead).reshape(-1)
        moves = np.where((given < 0) | (given > MOST), MOST + 1, given)
    code = (rolls[:, 0] * np.int16(7) + rolls[:, 1]) * np.int16(MOST + 1) + np.minimum(moves, MOST).astype(np.int16)
    counts = WRITE.take(code, axis=0)
    wrong = (counts[:, 0] < 0) | (moves > MOST)
    if wrong.any():
        row = int(np.argmax(wrong))
        number = np.broadcast_to(np.asarray(left), lead).reshape(-1)[row] if left is not None else moves[row]
        raise RuleError(f"{in_row(row, lead)}{number} moves cannot be left of the dice {rolls[row].tolist()}")
    return counts
