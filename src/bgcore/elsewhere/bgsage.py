"""Boards of bgsage, the engine of Open Sage: lists of 26 integers.

They are boards as `bgcore.batch.from_boards` takes them but for index 0: the opponent's bar is a number of checkers
there, 0 or more, though his checkers are negative everywhere else.

Lost in a list: nothing; bgsage plays with fifteen checkers, and what is not on the board is borne off.  Its results of
a play are seen by the player who moved, ours by the one who rolls next: `bgcore.batch.flip`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import batch
from bgcore.elsewhere._rows import FIFTEEN, Packed, check, in_row, named, packed_of, small
from bgcore.errors import InvalidPosition
from bgcore.position import Position

__all__ = ["from_boards", "to_boards"]


def from_boards(boards: ArrayLike) -> Packed:
    """Lists of bgsage to packed words.

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

    Examples
    --------
    >>> import bgcore as bg
    >>> hit = [1, -1, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    >>> bg.Position.from_packed(from_boards(hit)).bar
    (0, 1)
    """
    rows, lead = small(boards, "boards", (26,))
    wrong = rows[:, 0] < 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidPosition(
            f"{in_row(row, lead)}{rows[row, 0]} at index 0, which is the number of opposing checkers on the bar, "
            "0 or more; a board with a negative one is bgcore.batch.from_boards'",
            row=row if lead else None,
        )
    ours = rows.copy()
    np.negative(rows[:, 0], out=ours[:, 0])
    with named(lead):
        return batch.from_boards(ours).reshape(*lead, 4)


def to_boards(packed: ArrayLike | Position) -> NDArray[np.int8]:
    """Packed words, or a Position, to lists of bgsage.

    Parameters
    ----------
    packed : uint64 (..., 4), or Position

    Returns
    -------
    int8 (..., 26)
        bgsage wants lists: ``.tolist()`` makes them.

    Raises
    ------
    InvalidPosition
        Not fifteen checkers a side, a shared point, a pinned checker; names the row.
    """
    rows, lead = packed_of(packed)
    boards = batch.to_boards(check(rows, lead, FIFTEEN))
    np.negative(boards[:, 0], out=boards[:, 0])
    return boards.reshape(*lead, 26)
