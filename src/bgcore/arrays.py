"""Which arrays are accepted: converted to what the core takes, or refused with a clear error, never misread.

Part of the gate: wrong types and shapes raise TypeError and ValueError as numpy does, wrong values a BgcoreError.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.errors import FormatError, InvalidPosition, InvalidReason, RuleError

__all__ = [
    "boards_to_counts",
    "check_checkers",
    "counts_to_boards",
    "dice_rows",
    "id_rows",
    "integers",
    "invalid_position",
    "packed_rows",
    "pinned_rows",
    "small_counts",
]

REASON_TEXT = {
    InvalidReason.TOO_MANY_OWN: "the player on roll has more than 15 checkers, those borne off included",
    InvalidReason.TOO_MANY_OPP: "the opponent has more than 15 checkers, those borne off included",
    InvalidReason.BOTH_OFF: "neither side has a checker on the board or the bar",
    InvalidReason.PIN_MASK: "a pinned checker is marked on a point where that side has none",
    InvalidReason.WRONG_TOTAL_OWN: "the player on roll does not have the game's number of checkers",
    InvalidReason.WRONG_TOTAL_OPP: "the opponent does not have the game's number of checkers",
    InvalidReason.SHARED_POINT: "both sides hold the same point",
    InvalidReason.BAR_UNUSED: "a checker is on the bar in a game without hitting",
    InvalidReason.BAR_DEADLOCK: "both sides are on the bar against six closed points, so neither could ever move",
    InvalidReason.PIN_UNUSED: "a checker is marked as pinned in a game without pinning",
    InvalidReason.PIN_UNMATCHED: "a shared point does not have exactly one pinned checker",
}


def invalid_position(reasons: int, row: int | None = None) -> InvalidPosition:
    """The exception for reason bits, to be raised by the caller."""
    flags = InvalidReason(reasons)
    where = "" if row is None else f"row {row}: "
    return InvalidPosition(where + "; ".join(REASON_TEXT[flag] for flag in flags), reason=flags, row=row)


def integers(values: ArrayLike, what: str, tail: tuple[int, ...]) -> NDArray[Any]:
    """An array of some integer dtype whose last dimensions are `tail`.

    Raises
    ------
    TypeError
        For bool, float and everything else that is no integer.
    ValueError
        For another shape.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be integers, not {array.dtype}")
    if array.ndim < len(tail) or array.shape[array.ndim - len(tail) :] != tail:
        wanted = ", ".join(map(str, tail))
        raise ValueError(f"{what} must have shape (…, {wanted}), not {array.shape}")
    return array


def packed_rows(packed: ArrayLike, what: str = "packed") -> NDArray[np.uint64]:
    """Words (n, 4) as native, C-contiguous uint64; copied only if they are not.

    Raises
    ------
    TypeError
        For another dtype than uint64 (of either byte order).
    ValueError
        For another shape than (n, 4).
    """
    array = np.asarray(packed)
    if array.dtype.kind != "u" or array.dtype.itemsize != 8:
        raise TypeError(f"{what} must be uint64, not {array.dtype}; bgcore.batch.pack makes it from counts")
    if array.ndim != 2 or array.shape[1] != 4:
        raise ValueError(f"{what} must have shape (n, 4), not {array.shape}")
    return np.require(array, np.uint64, ["C", "A"])


def small_counts(counts: ArrayLike) -> NDArray[np.uint8]:
    """Counts (n, 2, 26) of any integer dtype as uint8, each 0 to 15."""
    array = integers(counts, "counts", (2, 26))
    if array.ndim != 3:
        raise ValueError(f"counts must have shape (n, 2, 26), not {array.shape}")
    wrong = (array < 0) | (array > 15)
    if wrong.any():
        row, side, slot = (int(i) for i in np.argwhere(wrong)[0])
        reason = InvalidReason.TOO_MANY_OPP if side else InvalidReason.TOO_MANY_OWN
        raise InvalidPosition(
            f"row {row}: {array[row, side, slot]} checkers on slot {slot} of {'opp' if side else 'own'}; "
            "a slot holds 0 to 15",
            reason=reason,
            row=row,
        )
    return np.ascontiguousarray(array, dtype=np.uint8)


def pinned_rows(pinned: ArrayLike, n: int) -> NDArray[np.uint8]:
    """Pinned marks (n, 2, 26), bool, as uint8 for the core; off and bar cannot be pinned."""
    array = np.asarray(pinned)
    if array.dtype.kind != "b":
        raise TypeError(f"pinned must be bool, not {array.dtype}")
    if array.shape != (n, 2, 26):
        raise ValueError(f"pinned must have shape ({n}, 2, 26), not {array.shape}")
    wrong = array[:, :, 0] | array[:, :, 25]
    if wrong.any():
        row = int(np.argwhere(wrong)[0, 0])
        raise InvalidPosition(
            f"row {row}: only points 1 to 24 can hold a pinned checker", reason=InvalidReason.PIN_MASK, row=row
        )
    return np.ascontiguousarray(array).view(np.uint8)


def check_checkers(checkers: int) -> int:
    """The number of checkers a side plays with: 1 to 15."""
    if isinstance(checkers, bool) or not isinstance(checkers, int | np.integer):
        raise TypeError(f"checkers must be an integer, not {type(checkers).__name__}")
    if not 1 <= checkers <= 15:
        raise InvalidPosition(f"checkers must be 1 to 15, not {checkers}")
    return int(checkers)


def boards_to_counts(boards: ArrayLike, checkers: int = 15) -> NDArray[np.uint8]:
    """Boards (n, 26) to counts (n, 2, 26), borne-off checkers inferred.

    A board is seen by the player on roll: 1-24 his points, his checkers positive and the opponent's negative; 25 his
    bar, 0 or more; 0 the opponent's bar, 0 or less.
    """
    checkers = check_checkers(checkers)
    array = integers(boards, "board", (26,))
    if array.ndim != 2:
        raise ValueError(f"boards must have shape (n, 26), not {array.shape}")
    wrong = (array > checkers) | (array < -checkers)
    if wrong.any():
        row, slot = (int(i) for i in np.argwhere(wrong)[0])
        raise InvalidPosition(
            f"row {row}: {array[row, slot]} at index {slot}, but a side has {checkers} checkers",
            reason=InvalidReason.TOO_MANY_OWN if array[row, slot] > 0 else InvalidReason.TOO_MANY_OPP,
            row=row,
        )
    signed = array.astype(np.int8)
    for slot, bad, rule in (
        (0, signed[:, 0] > 0, "opponent's bar, 0 or less"),
        (25, signed[:, 25] < 0, "own bar, 0 or more"),
    ):
        if bad.any():
            row = int(np.argmax(bad))
            raise InvalidPosition(f"row {row}: {signed[row, slot]} at index {slot}, which is the {rule}", row=row)
    counts = np.zeros((len(signed), 2, 26), np.uint8)
    counts[:, 0, 1:] = np.maximum(signed[:, 1:], 0)
    counts[:, 1, 1:] = np.maximum(-signed[:, 24::-1], 0)
    off = checkers - counts.sum(axis=2, dtype=np.int64)
    if (off < 0).any():
        row, side = (int(i) for i in np.argwhere(off < 0)[0])
        raise InvalidPosition(
            f"row {row}: {'the opponent' if side else 'the player on roll'} has {checkers - off[row, side]} checkers "
            f"on the board, but plays with {checkers}",
            reason=InvalidReason.TOO_MANY_OPP if side else InvalidReason.TOO_MANY_OWN,
            row=row,
        )
    counts[:, :, 0] = off
    return counts


def counts_to_boards(counts: NDArray[np.uint8], pinned: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Counts (n, 2, 26) to boards (n, 26); raises where a point is shared or a checker pinned."""
    own = counts[:, 0].astype(np.int8)
    opp = counts[:, 1, ::-1].astype(np.int8)
    # The bars and the off slots of the two sides meet at indices 0 and 25 without being one place.
    shared = (own[:, 1:25] > 0) & (opp[:, 1:25] > 0)
    bad = shared.any(axis=1) | pinned.any(axis=(1, 2))
    if bad.any():
        row = int(np.argmax(bad))
        raise InvalidPosition(
            f"row {row}: a board has no room for points held by both sides or for pinned checkers; use counts",
            reason=InvalidReason.SHARED_POINT,
            row=row,
        )
    boards = np.empty((len(counts), 26), np.int8)
    boards[:, 1:25] = own[:, 1:25] - opp[:, 1:25]
    boards[:, 25] = own[:, 25]
    boards[:, 0] = -opp[:, 0]
    return boards


def dice_rows(dice: ArrayLike, n: int) -> NDArray[np.uint8]:
    """Dice (2,) or (n, 2) as uint8 of shape (1, 2) or (n, 2).

    Raises
    ------
    RuleError
        For a die outside 1 to 6.
    """
    array = integers(dice, "dice", (2,))
    if array.ndim == 1:
        array = array[np.newaxis]
    elif array.ndim != 2 or len(array) != n:
        raise ValueError(f"dice must have shape (2,) or ({n}, 2), not {array.shape}")
    wrong = (array < 1) | (array > 6)
    if wrong.any():
        row, which = (int(i) for i in np.argwhere(wrong)[0])
        raise RuleError(f"row {row}: a die shows 1 to 6, not {array[row, which]}")
    return np.ascontiguousarray(array, dtype=np.uint8)


def id_rows(ids: ArrayLike) -> NDArray[np.uint8]:
    """Position IDs (n,), str or bytes, as (n, 14) ASCII codes."""
    array = np.asarray(ids)
    if array.ndim != 1:
        raise ValueError(f"Position IDs must have shape (n,), not {array.shape}")
    if array.dtype.kind not in "US" and len(array):
        raise TypeError(f"Position IDs must be strings, not {array.dtype}")
    codes = np.empty((len(array), 14), np.uint8)
    for row, text in enumerate(array.tolist()):
        try:
            raw = text if isinstance(text, bytes) else text.encode("ascii")
        except UnicodeEncodeError as error:
            raise FormatError(
                f"row {row}: {text[error.start]!r} at place {error.start} is no character of a Position ID",
                offset=error.start,
            ) from None
        if len(raw) != 14:
            raise FormatError(f"row {row}: a Position ID has 14 characters, not {len(raw)}")
        codes[row] = np.frombuffer(raw, np.uint8)
    return codes
