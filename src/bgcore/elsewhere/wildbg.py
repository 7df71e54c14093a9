"""Positions of wildbg: lists of 26 integers, and the objects of its HTTP API.

Its lists (of the C library, of WebAssembly, and inside) are boards as `bgcore.batch.from_boards` takes them, number for
number.  Its HTTP API wants the same numbers by name, ``p0`` to ``p25``, those that are 0 left out, with ``die1`` and
``die2`` beside them in a request for moves.

Lost in both: nothing of the position; wildbg plays with fifteen checkers, and what is not on the board is borne off.
An object without dice is a position before the roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import batch
from bgcore.elsewhere._rows import FIFTEEN, Packed, check, dice_of, in_row, named, packed_of, small
from bgcore.errors import FormatError, InvalidPosition, RuleError
from bgcore.position import Position

__all__ = ["Positions", "from_boards", "from_json", "to_boards", "to_json"]

POINTS = {f"p{point}": point for point in range(26)}
DICE = {"die1": 0, "die2": 1}
MOST = 15


class Positions(NamedTuple):
    """What objects say.

    Attributes
    ----------
    packed : uint64 (..., 4)
        Positions, seen by the player on roll.
    dice : uint8 (..., 2)
        In the order of ``die1`` and ``die2``; 0 where there are none.
    """

    packed: Packed
    dice: NDArray[np.uint8]


def from_boards(boards: ArrayLike) -> Packed:
    """Lists of wildbg to packed words.

    Parameters
    ----------
    boards : integers (..., 26)

    Returns
    -------
    uint64 (..., 4)

    Raises
    ------
    TypeError, ValueError
        No integers; another shape.
    InvalidPosition
        Wrong values; names the row.
    """
    rows, lead = small(boards, "boards", (26,))
    with named(lead):
        return batch.from_boards(rows).reshape(*lead, 4)


def to_boards(packed: ArrayLike | Position) -> NDArray[np.int8]:
    """Packed words, or a Position, to lists of wildbg.

    Parameters
    ----------
    packed : uint64 (..., 4), or Position

    Returns
    -------
    int8 (..., 26)

    Raises
    ------
    InvalidPosition
        Not fifteen checkers a side, a shared point, a pinned checker; names the row.
    """
    rows, lead = packed_of(packed)
    return batch.to_boards(check(rows, lead, FIFTEEN)).reshape(*lead, 26)


def from_json(objects: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> Positions:
    """Objects of wildbg's HTTP API to packed words and dice.

    Parameters
    ----------
    objects : mapping, or several
        From ``p0`` ... ``p25``, ``die1``, ``die2`` to int, as `json.loads` gives them.

    Returns
    -------
    Positions
        Of shape (n, 4) and (n, 2), or (4,) and (2,) for one mapping.

    Raises
    ------
    FormatError
        A name that wildbg doesn't know, one die alone, a value that is no whole number; `.field` is the name.
    InvalidPosition
        Wrong numbers of checkers; names the row.
    RuleError
        A die that is not 1 to 6.

    Examples
    --------
    >>> import bgcore as bg
    >>> packed, dice = from_json({"die1": 3, "die2": 1, "p24": 1, "p6": 2, "p1": -1})
    >>> bg.Position.from_packed(packed).pips, dice.tolist()
    ((36, 24), [3, 1])
    """
    one = isinstance(objects, Mapping)
    given: list[Any] = [objects] if one else list(objects)
    lead = () if one else (len(given),)
    boards = np.zeros((len(given), 26), np.int8)
    dice = np.zeros((len(given), 2), np.uint8)
    for row, item in enumerate(given):
        if not isinstance(item, Mapping):
            raise TypeError(f"{in_row(row, lead)}a position of wildbg is an object, not {type(item).__name__}")
        for name, value in item.items():
            if name not in POINTS and name not in DICE:
                raise FormatError(
                    f"{in_row(row, lead)}{name!r:.40} is no name of wildbg's; there are p0 to p25, die1 and die2",
                    field=str(name)[:40],
                )
            if type(value) is not int:
                raise FormatError(f"{in_row(row, lead)}{name} is a whole number, not {value!r:.40}", field=name)
            if name in DICE:
                if not 1 <= value <= 6:
                    raise RuleError(f"{in_row(row, lead)}{name} is 1 to 6, not {value}")
                dice[row, DICE[name]] = value
            else:
                if abs(value) > MOST:
                    raise InvalidPosition(
                        f"{in_row(row, lead)}{value} at {name}, but a side has {MOST} checkers",
                        row=row if lead else None,
                    )
                boards[row, POINTS[name]] = value
        if (dice[row] > 0).sum() == 1:
            missing = "die2" if dice[row, 0] else "die1"
            raise FormatError(f"{in_row(row, lead)}one die without the other: {missing} is missing", field=missing)
    with named(lead):
        packed = batch.from_boards(boards)
    return Positions(packed.reshape(*lead, 4), dice.reshape(*lead, 2))


def to_json(packed: ArrayLike | Position, dice: ArrayLike | None = None) -> Any:
    """Packed words, or a Position, to objects of wildbg's HTTP API.

    Parameters
    ----------
    packed : uint64 (n, 4) or (4,), or Position
    dice : integers (n, 2) or (2,), optional
        Zeros, or not given: before the roll.

    Returns
    -------
    dict, or list of dict
        From ``p1`` and the like to int; a dict for one position.

    Raises
    ------
    InvalidPosition
        Not fifteen checkers a side, a shared point, a pinned checker; names the row.
    RuleError
        A die that is not 1 to 6.

    Examples
    --------
    >>> import bgcore as bg
    >>> to_json(bg.Position.initial(), (3, 1))
    {'die1': 3, 'die2': 1, 'p1': -2, 'p6': 5, 'p8': 3, 'p12': -5, 'p13': 5, 'p17': -3, 'p19': -5, 'p24': 2}
    """
    rows, lead = packed_of(packed)
    if len(lead) > 1:
        raise ValueError(f"packed must have shape (n, 4) or (4,), not {(*lead, 4)}")
    boards = batch.to_boards(check(rows, lead, FIFTEEN)).tolist()
    rolls = dice_of((0, 0) if dice is None else dice, lead).tolist()
    found = []
    for row, (board, (first, second)) in enumerate(zip(boards, rolls, strict=True)):
        if (first > 0) != (second > 0):
            raise RuleError(f"{in_row(row, lead)}two dice, or 0 and 0 before the roll; not {first} and {second}")
        roll = {"die1": first, "die2": second} if first else {}
        found.append(roll | {name: board[point] for name, point in POINTS.items() if board[point]})
    return found if lead else found[0]
