"""The one converter between bgcore's relative frame and the two fixed seats of exchange formats.

A `Position` knows only the player on roll and the opponent.  Nearly every exchange format names two seats instead
and says beside the checkers whose turn it is: bottom and top, Black and White, O and X.  Here these are seat A, drawn
at the bottom, and seat B, at the top.  Which of its two players a format puts on which seat is that format's
knowledge, not this module's; neither is anything about cube, score or names.

The one idea: each side's checkers are kept in its own numbering, as in a `Position`, so that passing from one frame
to the other is choosing who comes first, and never mirroring a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from operator import index
from typing import Self

import numpy as np

from bgcore.arrays import check_checkers
from bgcore.errors import InvalidPosition, InvalidReason
from bgcore.position import Position

__all__ = ["Seat", "SeatedPosition"]

_MOST = 15  # checkers a side: a slot of the packed board is one nibble


class Seat(Enum):
    """One of the two fixed places at the board: A is drawn at the bottom, B at the top."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Seat:
        """The seat on the other side of the board."""
        return Seat.B if self is Seat.A else Seat.A

    @property
    def _spoken(self) -> str:
        return "A (bottom)" if self is Seat.A else "B (top)"


@dataclass(frozen=True, slots=True)
class SeatedPosition:
    """A position of a contrary game as two seats see it, and whose turn it is.

    Two of them are equal when both seats have the same checkers and the same seat is on roll.

    Parameters
    ----------
    a, b : tuple of 26 int
        Counts of seat A and of seat B, each in its own numbering as in `Position.counts`: slot 0 is borne off,
        1 to 24 the points, 25 the bar.
    on_roll : Seat
        The seat whose turn it is.

    Raises
    ------
    InvalidPosition
        A side has more than 15 checkers, neither side has any left, or both hold the same point.
    ValueError
        Not 26 counts, or a negative one.
    TypeError
        A count is no integer, or `on_roll` is no seat.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    on_roll: Seat

    def __post_init__(self) -> None:
        if not isinstance(self.on_roll, Seat):
            raise TypeError(f"on_roll must be Seat.A or Seat.B, not {self.on_roll!r}")
        object.__setattr__(self, "a", _counts(Seat.A, self.a))
        object.__setattr__(self, "b", _counts(Seat.B, self.b))

        reason = InvalidReason(0)
        faults = []
        for seat in (self.on_roll, self.on_roll.other):
            total = sum(self.of(seat))
            if total > _MOST:
                reason |= InvalidReason.TOO_MANY_OWN if seat is self.on_roll else InvalidReason.TOO_MANY_OPP
                faults.append(f"seat {seat._spoken} has {total} checkers, {_MOST} is the most")
        if not any(self.a[1:]) and not any(self.b[1:]):
            reason |= InvalidReason.BOTH_OFF
            faults.append("neither side has a checker left on the board or the bar")
        for point in range(1, 25):
            if self.a[point] and self.b[25 - point]:
                reason |= InvalidReason.SHARED_POINT
                faults.append(f"both sides hold the point that is {point} to seat A and {25 - point} to seat B")
        if faults:
            raise InvalidPosition("; ".join(faults), reason=reason)

    @classmethod
    def from_position(cls, position: Position, on_roll: Seat) -> Self:
        """Seat the player on roll of a position.

        Parameters
        ----------
        position : Position
            A position of a contrary game.
        on_roll : Seat
            The seat that the player on roll takes; the opponent takes the other one.

        Returns
        -------
        SeatedPosition
            The same checkers.

        Raises
        ------
        InvalidPosition
            A checker is pinned or a point is held by both sides: formats with fixed seats cannot hold these.
        """
        if position.pinned.any():
            message = "the position has a pinned checker, and formats with fixed seats have no place for it"
            raise InvalidPosition(message, reason=InvalidReason.PIN_UNUSED)
        own, opp = position.counts.tolist()
        a, b = (own, opp) if on_roll is Seat.A else (opp, own)
        return cls(a, b, on_roll)

    @classmethod
    def from_line(cls, line: Sequence[int], on_roll: Seat, checkers: int = 15) -> Self:
        """Read the 26 signed numbers that most of these formats boil down to.

        Parameters
        ----------
        line : sequence of 26 int
            Checkers of A positive, those of B negative: index 0 is B's bar, 1 to 24 the points in A's numbering,
            25 A's bar.
        on_roll : Seat
            The seat whose turn it is.
        checkers : int, 1 to 15
            How many each side plays with; those that the line does not show are borne off.

        Returns
        -------
        SeatedPosition
            With the borne-off checkers counted.

        Raises
        ------
        InvalidPosition
            A side shows more checkers than it plays with, neither shows any, a bar holds the wrong side's checker,
            or `checkers` is outside 1 to 15.
        ValueError
            Not 26 numbers.
        TypeError
            A number, or `checkers`, is no integer.
        """
        checkers = check_checkers(checkers)
        line = [index(n) for n in line]  # plain ints: changing the sign of a uint8 would wrap
        if len(line) != 26:
            raise ValueError(f"a line has 26 numbers, not {len(line)}")
        if line[0] > 0 or line[25] < 0:
            place, seat = (0, Seat.B) if line[0] > 0 else (25, Seat.A)
            raise InvalidPosition(f"index {place} is the bar of seat {seat._spoken}, but holds the other side's")
        shown = {
            Seat.A: [max(n, 0) for n in line],
            Seat.B: [max(-n, 0) for n in reversed(line)],
        }
        for seat, counts in shown.items():
            borne_off = checkers - sum(counts)
            if borne_off < 0:
                raise InvalidPosition(
                    f"seat {seat._spoken} shows {sum(counts)} checkers, but a side plays with {checkers}",
                    reason=InvalidReason.TOO_MANY_OWN if seat is on_roll else InvalidReason.TOO_MANY_OPP,
                )
            counts[0] = borne_off
        return cls(tuple(shown[Seat.A]), tuple(shown[Seat.B]), on_roll)

    def of(self, seat: Seat) -> tuple[int, ...]:
        """The 26 counts of one seat, in that seat's own numbering."""
        return self.a if seat is Seat.A else self.b

    def to_position(self) -> Position:
        """The position as the seat on roll sees it.

        Returns
        -------
        Position
            Own is the seat on roll.
        """
        own, opp = self.of(self.on_roll), self.of(self.on_roll.other)
        return Position.from_counts(np.array([own, opp], dtype=np.uint8))

    def to_line(self) -> tuple[int, ...]:
        """The 26 signed numbers of `from_line`; the borne-off checkers have no place in them.

        Returns
        -------
        tuple of 26 int
            Checkers of A positive, those of B negative, points in A's numbering.
        """
        points = (self.a[p] - self.b[25 - p] for p in range(1, 25))
        return (-self.b[25], *points, self.a[25])


def _counts(seat: Seat, counts: Sequence[int]) -> tuple[int, ...]:
    """Check the shape of one side's counts and make them plain integers."""
    plain = tuple(index(n) for n in counts)
    if len(plain) != 26:
        raise ValueError(f"seat {seat._spoken} needs 26 counts (off, points 1 to 24, bar), not {len(plain)}")
    if min(plain) < 0:
        raise ValueError(f"seat {seat._spoken} has a negative count, {min(plain)}")
    return plain
