"""Snowie's position line: forty fields, each followed by a semicolon, from the side of the player on roll.

Source: formats.md §4.6, from lines that GNU Backgammon writes and reads; Snowie itself was not at hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bgcore.errors import FormatError, InvalidPosition
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.xgid import Xgid
from bgcore.position import Position

__all__ = [
    "SnowieLine",
    "format_snowie",
    "line_of_position",
    "parse_snowie",
    "position_of_line",
    "spelled",
]

_NUMBER = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_COUNT = 40
_MARKS = re.compile(r"[;()]")


@dataclass(frozen=True, slots=True)
class SnowieLine:
    """What one line says.

    Attributes
    ----------
    state : Xgid
        Player 1 of the line at the bottom; a pending answer and a largest cube are not in it.
    names : tuple of two str
        Of the player on roll and the opponent.
    variant : int
        0 in every line seen.
    """

    state: Xgid
    names: tuple[str, str]
    variant: int


def parse_snowie(text: str, checkers: int = 15) -> SnowieLine:
    """Read a line.

    Parameters
    ----------
    text : str
    checkers : int
        How many a side plays with.

    Returns
    -------
    SnowieLine

    Raises
    ------
    FormatError
        Not such a line; `field` gives the number of the wrong one.
    InvalidPosition
        Well formed, but no position.
    """
    fields = _fields(text)

    def number(at: int, low: int, high: int) -> int:
        return _number(fields, at, low, high)

    length = number(1, 0, 32767)
    cube = number(11, 1, 1 << 30)
    if cube & (cube - 1):
        raise FormatError(f"Snowie field 11: a cube of {cube} is no power of two", field="11")
    money = number(4, 0, 1)
    if bool(money) != (length == 0):
        raise FormatError(
            f"Snowie field 4 says {'money' if money else 'match'}, field 1 a length of {length}", field="4"
        )
    on_roll = Seat.A if number(5, 0, 1) == 1 else Seat.B
    dice = (number(39, 0, 6), number(40, 0, 6))
    if (dice[0] == 0) != (dice[1] == 0):
        raise FormatError(f"Snowie fields 39 and 40: {dice[0]} and {dice[1]} are not a roll", field="39")
    seats = _roller_at_the_bottom(fields, checkers)
    if on_roll is Seat.B:
        seats = SeatedPosition(seats.b, seats.a, Seat.B)
    owner = number(12, -1, 1)
    scores = (number(9, 0, 32767), number(10, 0, 32767))
    return SnowieLine(
        Xgid(
            seats=seats,
            cube=cube.bit_length() - 1,
            owner=None if owner == 0 else on_roll if owner == 1 else on_roll.other,
            dice=None if dice == (0, 0) else dice,
            pending=None,
            scores=scores if on_roll is Seat.A else (scores[1], scores[0]),
            crawford=bool(number(8, 0, 1)) and length > 0,
            jacoby=bool(number(2, 0, 1)) and length == 0,
            beavers=False,
            length=length,
            max_cube=None,
        ),
        (fields[5], fields[6]),
        number(3, 0, 9),
    )


def format_snowie(line: SnowieLine) -> str:
    """Write a line.

    Raises
    ------
    FormatError
        A double waits for its answer, or a name has a semicolon: there is no place for these.
    """
    state = line.state
    if state.pending:
        raise FormatError("a Snowie line has no place for a double that waits for its answer")
    if any(";" in name or "\n" in name for name in line.names):
        raise FormatError("a name in a Snowie line can't have ';' or a line end")
    roller = state.seats.on_roll
    numbers = state.seats
    if roller is Seat.B:
        numbers = SeatedPosition(numbers.b, numbers.a, Seat.A)
    scores = state.scores if roller is Seat.A else (state.scores[1], state.scores[0])
    owner = 0 if state.owner is None else 1 if state.owner is roller else -1
    fields = [
        state.length,
        int(state.jacoby),
        line.variant,
        int(state.length == 0),
        int(roller is Seat.A),
        *line.names,
        int(state.crawford),
        *scores,
        1 << state.cube,
        owner,
        *numbers.to_line(),
        *(state.dice or (0, 0)),
    ]
    return "".join(f"{field};" for field in fields)


# ---- the checkers alone: transcripts give the position behind an illegal play in this form


def position_of_line(text: str, checkers: int = 15) -> tuple[Position, str]:
    """The position of a Snowie line, and the name of the player on roll, who sees it; nothing else is looked at.

    Parameters
    ----------
    text : str
    checkers : int
        How many a side plays with.

    Returns
    -------
    (Position, str)

    Raises
    ------
    FormatError
        It is no such line, or no position.
    """
    fields = _fields(text)
    try:
        return _roller_at_the_bottom(fields, checkers).to_position(), fields[5].strip()
    except InvalidPosition as error:
        raise FormatError(f"a Snowie line: {error}") from None


def line_of_position(position: Position, on_roll: str, opponent: str, player: int) -> str:
    """A position as a Snowie line.

    Parameters
    ----------
    position : Position
        Seen by the player on roll.
    on_roll, opponent : str
        Their names.
    player : {0, 1}
        Which of the two is on roll, as field 5 says it.

    Returns
    -------
    str

    Raises
    ------
    InvalidPosition
        The form has no place for it.
    """
    state = Xgid(
        seats=SeatedPosition.from_position(position, Seat.A if player else Seat.B),
        cube=0,
        owner=None,
        dice=None,
        pending=None,
        scores=(0, 0),
        crawford=False,
        jacoby=False,
        beavers=False,
        length=0,
        max_cube=None,
    )
    return format_snowie(SnowieLine(state, (spelled(on_roll), spelled(opponent)), 0))


def spelled(name: str) -> str:
    """A name as such a line can hold it."""
    return " ".join(_MARKS.sub(" ", name).split())


# ---- fields


def _fields(text: str) -> list[str]:
    if not isinstance(text, str):
        raise TypeError(f"a Snowie line is a str, not {type(text).__name__}")
    body = text.strip()
    if len(body) > 1000:
        raise FormatError(f"a Snowie line has some 120 characters, and this text {len(body)}")
    fields = body.removesuffix(";").split(";")
    if len(fields) != _COUNT:
        raise FormatError(f"a Snowie line has {_COUNT} fields, each followed by ';', not {len(fields)}")
    return fields


def _number(fields: list[str], at: int, low: int, high: int) -> int:
    """Field `at`, counted from 1."""
    text = fields[at - 1].strip()
    if not _NUMBER.fullmatch(text) or not low <= (value := int(text)) <= high:
        raise FormatError(f"Snowie field {at}: {text[:20]!r} is not a number from {low} to {high}", field=str(at))
    return value


def _roller_at_the_bottom(fields: list[str], checkers: int) -> SeatedPosition:
    """Fields 13 to 38: the checkers, the player on roll on seat A."""
    return SeatedPosition.from_line([_number(fields, at, -15, 15) for at in range(13, 39)], Seat.A, checkers)
