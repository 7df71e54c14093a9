"""The board (variants.md §1): counts and pins of both sides, each side in its own numbering.

0 is borne off, 1 to 24 are the points (24 the first of the path, 1 the last), 25 is the bar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

OFF = 0
BAR = 25
HOME = 6  # own 1 to 6
CHECKERS = 15
NO_PINS = bytes(26)


class Board(NamedTuple):
    """A position as the player on move (`own`) sees it; four rows of 26 small numbers, hashable."""

    own: bytes
    opp: bytes
    own_pinned: bytes = NO_PINS
    opp_pinned: bytes = NO_PINS

    def swapped(self) -> Board:
        """The same position as the other player sees it."""
        return Board(self.opp, self.own, self.opp_pinned, self.own_pinned)


def make(
    own: Sequence[int],
    opp: Sequence[int],
    own_pinned: Sequence[int] | None = None,
    opp_pinned: Sequence[int] | None = None,
) -> Board:
    """A board from rows of 26 numbers."""
    rows = [bytes(row) if row is not None else NO_PINS for row in (own, opp, own_pinned, opp_pinned)]
    if any(len(row) != 26 for row in rows):
        raise ValueError("each row has 26 entries")
    return Board(*rows)


def counts(points: Mapping[int, int]) -> bytes:
    """A row from `{own point: count}` as the document writes it: whoever is not named is borne off."""
    row = bytearray(26)
    for point, n in points.items():
        row[point] += n
    if sum(row) > CHECKERS:
        raise ValueError(f"{sum(row)} checkers")
    row[OFF] += CHECKERS - sum(row)
    return bytes(row)


def flags(points: Iterable[int]) -> bytes:
    """A row of pins from the points where a checker lies pinned."""
    row = bytearray(26)
    for point in points:
        row[point] = 1
    return bytes(row)


# §1 Geometry: the opponent's number of my point p.  Index 0 and 25 mean nothing.
OPPONENTS_NUMBER: dict[str, tuple[int, ...]] = {
    "contrary": (0, *(25 - p for p in range(1, 25)), 0),
    "parallel": (0, *(p + 12 if p <= 12 else p - 12 for p in range(1, 25)), 0),
}


def moved(row: bytes, source: int, target: int) -> bytes:
    """The row with one checker taken from source to target."""
    changed = bytearray(row)
    changed[source] -= 1
    changed[target] += 1
    return bytes(changed)


def with_flag(row: bytes, point: int, value: int) -> bytes:
    """The row of pins with one flag set or cleared."""
    if row[point] == value:
        return row
    changed = bytearray(row)
    changed[point] = value
    return bytes(changed)
