"""Observation tensors of OpenSpiel's backgammon: 200 numbers.

============ ====================================================================================================
0 to 95      the observer's checkers, four numbers a place: one checker, two, three, and how many beyond three
96 to 191    the other player's
192 to 194   the observer's checkers on the bar and borne off; 1 if he is to act
195 to 197   the same of the other player
198, 199     the dice, 0 before they are thrown
============ ====================================================================================================

Places are the same for both players: player 0 (x) runs from place 0 to place 23, player 1 (o) from 23 to 0.  So an
observation means two things, as player 0 or player 1 observes, and doesn't say which: ``player`` does.

Lost in it: who observes; whether the first or the second half of a double is to be played (OpenSpiel plays a double in
two actions of two moves each); whose turn comes next while the dice are not thrown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import check_checkers, integers
from bgcore.core import elsewhere as core
from bgcore.elsewhere._rows import Packed, Shape, check, dice_of, in_row, packed_of
from bgcore.errors import InvalidPosition, InvalidReason, RuleError
from bgcore.position import Position

__all__ = ["Observed", "from_observations", "to_observations"]

SIZE = 200
SIDE = 96
UNITS = 4


class Observed(NamedTuple):
    """What observations say.

    Attributes
    ----------
    packed : uint64 (..., 4)
        Positions, seen by the player who is to act; where nobody is, by the observer.
    dice : uint8 (..., 2)
        As they stand in the observation, the smaller not always first; 0 where they are not thrown.
    to_act : int8 (..., )
        Player 0 or 1; -1 where the dice are to be thrown or the game is over.
    """

    packed: Packed
    dice: NDArray[np.uint8]
    to_act: NDArray[np.int8]


def from_observations(observations: ArrayLike, player: ArrayLike, checkers: int = 15) -> Observed:
    """Observation tensors of OpenSpiel to packed words, dice, and who is to act.

    Parameters
    ----------
    observations : numbers (..., 200)
        float32, float64 or lists of floats as OpenSpiel gives them; integers do as well.
    player : integers (..., ) or one integer
        Who observes, 0 or 1: the argument of ``state.observation_tensor(player)``.
    checkers : int
        Checkers a side: 15, or 3 with ``hyper_backgammon=True``.

    Returns
    -------
    Observed

    Raises
    ------
    TypeError, ValueError
        No numbers; another shape.
    InvalidPosition
        NaN, a fraction, two of four units of a place, a wrong number of checkers, a shared point, dice without a
        player; names the row.
    RuleError
        A player that is not 0 or 1.
    """
    checkers = check_checkers(checkers)
    array = np.asarray(observations)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"observations must be numbers, not {array.dtype}")
    if array.ndim == 0 or array.shape[-1] != SIZE:
        raise ValueError(f"observations must have shape (..., {SIZE}), not {array.shape}")
    lead = array.shape[:-1]
    given = array.reshape(-1, SIZE)
    with np.errstate(invalid="ignore"):
        rows = np.ascontiguousarray(given.astype(np.int8))  # NaN and what is too large becomes something else
    different = given != rows
    if different.any():
        row, place = (int(i) for i in np.argwhere(different)[0])
        raise _error(given, checkers, lead, row, core.READ_VALUE, place)
    out = np.empty((len(rows), 4), np.uint64)
    dice = np.empty((len(rows), 2), np.uint8)
    to_act = np.empty(len(rows), np.int8)
    wrong = core.pack_units(rows, _players(player, lead), checkers, out, dice, to_act)
    if wrong is not None:
        raise _error(given, checkers, lead, *wrong)
    return Observed(out.reshape(*lead, 4), dice.reshape(*lead, 2), to_act.reshape(lead))


def to_observations(
    packed: ArrayLike | Position, player: ArrayLike, dice: ArrayLike | None = None, to_act: ArrayLike | None = None
) -> NDArray[np.float32]:
    """Packed words, or a Position, to observation tensors of OpenSpiel.

    Parameters
    ----------
    packed : uint64 (..., 4), or Position
        Seen by the player who is to act; where nobody is, by the observer.
    player : integers (..., ) or one integer
        Who observes, 0 or 1.
    dice : integers (..., 2) or (2,), optional
        Zeros, or not given: not thrown.
    to_act : integers (..., ) or one integer, optional
        0, 1 or -1.  Not given: the observer where there are dice, nobody where there are none.

    Returns
    -------
    float32 (..., 200)

    Raises
    ------
    InvalidPosition
        A shared point, a pinned checker; names the row.
    RuleError
        A player or a die that does not exist; dice without a player to act, or the other way round.

    Examples
    --------
    >>> import bgcore as bg
    >>> to_observations(bg.Position.initial(), 1, (3, 1))[192:].tolist()
    [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0, 1.0]
    """
    rows, lead = packed_of(packed)
    check(rows, lead)
    players = _players(player, lead)
    rolls = dice_of((0, 0) if dice is None else dice, lead)
    thrown = (rolls > 0).all(axis=1)
    acting = (
        np.where(thrown, players.astype(np.int8), np.int8(-1))
        if to_act is None
        else _whole("to_act", to_act, lead, -1).astype(np.int8)
    )
    wrong = (thrown != (rolls > 0).any(axis=1)) | (thrown != (acting >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise RuleError(
            f"{in_row(row, lead)}dice {rolls[row].tolist()} and player {acting[row]} to act: both dice and a player "
            "who has thrown them, or (0, 0) and -1"
        )
    out = np.empty((len(rows), SIZE), np.float32)
    core.unpack_units(rows, players, rolls, acting, out)
    return out.reshape(*lead, SIZE)


def _whole(what: str, values: Any, lead: Shape, low: int) -> NDArray[Any]:
    """Integers from `low` to 1, one a row."""
    array = np.broadcast_to(integers(values, what, ()), lead).reshape(-1)
    wrong = (array < low) | (array > 1)
    if wrong.any():
        row = int(np.argmax(wrong))
        there = "0 or 1" if low == 0 else "0, 1 or -1"
        raise RuleError(f"{in_row(row, lead)}{what} is {there}, not {array[row]}")
    return array


def _players(player: ArrayLike, lead: Shape) -> NDArray[np.uint8]:
    return np.ascontiguousarray(_whole("player", player, lead, 0), np.uint8)


def _error(rows: NDArray[Any], checkers: int, lead: Shape, row: int, status: int, place: int) -> InvalidPosition:
    """What is wrong in a row."""
    reason = InvalidReason(0)
    values = rows[row].tolist()
    if status == core.READ_VALUE:
        text = f"{values[place]} at index {place}, {_wanted(place)}"
        if place < 2 * SIDE:
            first = place - place % UNITS
            text += f"; the four of this place are {values[first : first + UNITS]}"
    elif status == core.READ_TOTAL:
        reason = InvalidReason.WRONG_TOTAL_OPP if place else InvalidReason.WRONG_TOTAL_OWN
        side, bar = values[SIDE * place : SIDE * (place + 1)], values[2 * SIDE + 3 * place :]
        total = int(sum(n + i if i == UNITS - 1 and n else n * (i + 1) for i, n in _units(side)) + bar[0] + bar[1])
        who = "the other player" if place else "the observer"
        text = f"{who} has {total} checkers, bar and borne off counted, not {checkers}"
    elif status == core.READ_SHARED:
        reason = InvalidReason.SHARED_POINT
        held = [
            place
            for place in range(SIDE // UNITS)
            if any(values[UNITS * place : UNITS * (place + 1)]) and any(values[SIDE + UNITS * place :][:UNITS])
        ]
        text = f"both sides hold place {held[0]}"
    elif status == core.READ_OVER:
        reason = InvalidReason.BOTH_OFF
        text = "both sides have borne off all their checkers"
    else:
        text = (
            f"{values[194]:g} and {values[197]:g} at 194 and 197 with dice {values[198]:g} {values[199]:g}: one of the "
            "two players is to act when the dice are thrown, and else nobody"
        )
    return InvalidPosition(in_row(row, lead) + text, reason=reason, row=row if lead else None)


def _units(side: list[float]) -> list[tuple[int, float]]:
    return [(i % UNITS, n) for i, n in enumerate(side)]


def _wanted(place: int) -> str:
    """What can stand at an index."""
    if place < 2 * SIDE:
        return "which is 0 or 1, or from 1 to 12 in the fourth of a place, and one of four is not 0 at most"
    if place >= SIZE - 2:
        return "where a die is 0 to 6"
    return "which is 0 or 1" if (place - 2 * SIDE) % 3 == 2 else "which is 0 to 15 checkers"
