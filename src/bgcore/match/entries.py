"""What a record holds beside the actions of a match: throws that do not count, clocks, secrets of the dice.

Frozen values.  None of them changes the state of the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from bgcore.dice import check_roll
from bgcore.dice.provable import check_commitment
from bgcore.errors import FormatError, RuleError
from bgcore.match.clock import check_ms
from bgcore.match.opening import Player, check_player

__all__ = ["ENTRIES", "ClockEvent", "Commit", "Entry", "Reroll", "Reveal", "entry_from_json"]

ClockEventName = Literal["start", "press", "stop", "end", "set"]
Who = Literal[0, 1, "operator"]


@dataclass(frozen=True, slots=True)
class Reroll:
    """A throw that does not count: cocked, demanded again, premature; a tie of the opening is an `OpeningRoll`.

    Parameters
    ----------
    dice : (int, int)
        In the order thrown.
    player : 0, 1 or None
        Who threw; None: both, an opening throw.
    reason : str
        Why it does not count; not empty.

    Raises
    ------
    RuleError
        A die outside 1 to 6, no such player, no reason.
    """

    dice: tuple[int, int]
    player: Player | None
    reason: str

    def __post_init__(self) -> None:
        check_roll(self.dice)
        if self.player is not None:
            check_player(self.player)
        if not isinstance(self.reason, str) or not self.reason.strip() or self.reason == "tie":
            raise RuleError("a re-roll says why; a tie of the opening is an OpeningRoll")

    def to_json(self) -> dict[str, Any]:
        """The entry as plain values."""
        return {"kind": "reroll", "player": self.player, "dice": list(self.dice), "reason": self.reason}


@dataclass(frozen=True, slots=True)
class ClockEvent:
    """Somebody has done something to the clock.

    Parameters
    ----------
    event : {"start", "press", "stop", "end", "set"}
        As the methods of `bgcore.match.clock.Clock`; "set": the director sets the reserves, and nobody's time runs.
    at : int
        The time of day in milliseconds.
    player : 0, 1 or None
        With "start" whose time begins, with "press" who presses.
    left : (int, int), with "set"
        The new reserves in milliseconds.

    Raises
    ------
    RuleError
        Values that do not go together.
    """

    event: ClockEventName
    at: int
    player: Player | None = None
    left: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.event not in get_args(ClockEventName):
            raise RuleError(f"a clock event is one of {', '.join(get_args(ClockEventName))}, not {self.event!r}")
        if type(self.at) is not int:
            raise RuleError(f"a time of day is an integer of milliseconds, not {self.at!r}")
        if (self.player is not None) != (self.event in ("start", "press")):
            raise RuleError("player= goes with start and press")
        if self.player is not None:
            check_player(self.player)
        if (self.left is not None) != (self.event == "set"):
            raise RuleError("left= goes with set")
        if self.left is not None:
            zero, one = self.left
            check_ms(zero, "left")
            check_ms(one, "left")


@dataclass(frozen=True, slots=True)
class Commit:
    """Somebody commits himself to a seed or a secret for the dice.

    Parameters
    ----------
    who : 0, 1 or "operator"
    commitment : str
        64 hexadecimal digits.

    Raises
    ------
    RuleError
        Nobody of that name, no commitment.
    """

    who: Who
    commitment: str

    def __post_init__(self) -> None:
        _check_who(self.who)
        check_commitment(self.commitment)

    def to_json(self) -> dict[str, Any]:
        """The entry as plain values."""
        return {"kind": "commit", "who": self.who, "commitment": self.commitment}


@dataclass(frozen=True, slots=True)
class Reveal:
    """Somebody reveals a seed or a secret for the dice.

    Parameters
    ----------
    who : 0, 1 or "operator"
    data : bytes

    Raises
    ------
    RuleError
        Nobody of that name.
    """

    who: Who
    data: bytes

    def __post_init__(self) -> None:
        _check_who(self.who)
        if not isinstance(self.data, bytes):
            raise TypeError(f"data is bytes, not {type(self.data).__name__}")

    def to_json(self) -> dict[str, Any]:
        """The entry as plain values."""
        return {"kind": "reveal", "who": self.who, "data": self.data.hex()}


Entry = Reroll | ClockEvent | Commit | Reveal
"""What a record holds beside actions."""
ENTRIES = (Reroll, ClockEvent, Commit, Reveal)


def entry_from_json(data: Mapping[str, Any]) -> Entry | None:
    """The entry of a line; None where its kind is none of these.

    Raises
    ------
    FormatError
        It is of one of these kinds, but is not one.
    """
    kind = data.get("kind")
    try:
        if kind == "reroll":
            return Reroll(_pair(data["dice"]), data["player"], data["reason"])
        if kind == "clock":
            left = data["left"] if data["event"] == "set" else None
            return ClockEvent(data["event"], data["at"], data["player"], None if left is None else _pair(left))
        if kind == "commit":
            return Commit(data["who"], data["commitment"])
        if kind == "reveal":
            return Reveal(data["who"], bytes.fromhex(data["data"]))
    except KeyError as missing:
        raise FormatError(f"{kind} needs the key {missing}", field=str(missing)) from None
    except (TypeError, ValueError) as error:
        raise FormatError(f"{kind}: {error}", field=str(kind)) from None
    return None


def _pair(value: Any) -> tuple[int, int]:
    zero, one = value
    return zero, one


def _check_who(who: object) -> None:
    if who != "operator":
        check_player(who)
