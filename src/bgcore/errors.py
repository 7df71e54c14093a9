"""Every exception of bgcore, and the named reasons they carry.

One base class, one subclass a kind.  Native code never raises: it returns integer reasons, and the layer above turns
them into one of these.  This module imports nothing of bgcore.
"""

from __future__ import annotations

from enum import IntFlag, StrEnum

__all__ = [
    "BgcoreError",
    "DatabaseError",
    "EvaluatorError",
    "FormatError",
    "IllegalPlay",
    "IllegalReason",
    "InvalidPosition",
    "InvalidReason",
    "RuleError",
]


class InvalidReason(IntFlag):
    """Why four words are not a position, or not one of a rule set; 0 means valid.

    Stability: a bit keeps its meaning for good; new reasons take new bits.
    """

    TOO_MANY_OWN = 1
    """The player on roll has more than fifteen checkers, those borne off included."""
    TOO_MANY_OPP = 2
    """The opponent has more than fifteen checkers, those borne off included."""
    BOTH_OFF = 4
    """Neither side has a checker left on the board or the bar."""
    PIN_MASK = 8
    """A point is marked as holding a pinned checker, but that side has no checker there."""
    WRONG_TOTAL_OWN = 16
    """The player on roll does not have the number of checkers the rule set plays with."""
    WRONG_TOTAL_OPP = 32
    """The opponent does not have the number of checkers the rule set plays with."""
    SHARED_POINT = 64
    """Both sides hold the same point, which the rule set does not allow."""
    BAR_UNUSED = 128
    """A checker is on the bar in a game that has none."""
    BAR_DEADLOCK = 256
    """Both sides are on the bar against six closed entry points: neither could ever move again."""
    PIN_UNUSED = 512
    """A checker is marked as pinned in a game without pinning."""
    PIN_UNMATCHED = 1024
    """A point is shared without exactly one pinned checker, or a pinned checker has nothing on top of it."""


class IllegalReason(StrEnum):
    """Why a play is illegal: the first reason that applies, in this order."""

    GAME_OVER = "the game is over"
    NOT_YOUR_CHECKER = "no checker of yours stands there"
    BAR_FIRST = "a checker on the bar must enter first"
    PINNED = "a pinned checker cannot move"
    HEAD_USED = "no more checkers may leave the head this turn"
    RUNNER_FIRST = "the first checker must come far enough before another may move"
    DIE_NOT_ROLLED = "no die rolled makes that move"
    POINT_BLOCKED = "the point is blocked"
    NOT_ALL_HOME = "no checker may be borne off before all are home"
    OVERSHOOT = "a larger die bears off only from the highest point"
    PRIME_FORBIDDEN = "the play leaves a row of points that the rules forbid"
    MUST_PLAY_MORE = "more of the dice can be played, so they must be"
    MUST_PLAY_LARGER = "either die could be played but not both, so the larger must be"
    NO_SUCH_PLAY = "no legal play is like that"


class BgcoreError(ValueError):
    """Base class of everything bgcore raises on purpose for a wrong value."""


class FormatError(BgcoreError):
    """A text or a file is not well formed.

    Parameters
    ----------
    message : str
        What was wrong, where, and what would be right.
    line, column : int or None
        One-based place in a text.
    offset : int or None
        Zero-based place in a string or a file.
    field : str or None
        Name of the field that is wrong.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.offset = offset
        self.field = field


class InvalidPosition(BgcoreError):
    """Well formed, but no position: too many checkers, shared points and the like.

    Parameters
    ----------
    message : str
        What is wrong, and in which row if it was one of many.
    reason : InvalidReason
        The same as bits.
    row : int or None
        Zero-based row of a batch.
    """

    def __init__(self, message: str, *, reason: InvalidReason = InvalidReason(0), row: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.row = row


class IllegalPlay(BgcoreError):
    """A play that the rules do not allow in that position with those dice.

    Parameters
    ----------
    message : str
        What is wrong, and what would be right.
    reason : IllegalReason
        The first reason that applies.
    """

    def __init__(self, message: str, *, reason: IllegalReason = IllegalReason.NO_SUCH_PLAY) -> None:
        super().__init__(message)
        self.reason = reason


class RuleError(BgcoreError):
    """An action that the rules forbid, dice outside 1 to 6, an option that a rule set does not know.

    Parameters
    ----------
    message : str
        What was wrong, and what would be right.
    rule : str
        The rule in one word, where an action in a match breaks one: "crawford", "not_owner", "not_due" and so on, as
        listed in ``docs/rules.md``; else empty.
    """

    def __init__(self, message: str, *, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule


class DatabaseError(BgcoreError):
    """A database that is corrupt, cut off, of another kind, or too large to build."""


class EvaluatorError(BgcoreError):
    """An evaluator returned something that is not a set of probabilities."""
