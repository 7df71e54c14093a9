"""Snowie's position line, forty fields with a semicolon behind each; here for the checkers that it holds.

Transcripts give the position behind an illegal play in this form.  Read and written here are the checkers and who is on
roll; the other fields are written as those of a match that nothing is known of.
"""

from __future__ import annotations

import re

from bgcore.errors import FormatError, InvalidPosition
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.position import Position

__all__ = ["line_of_position", "position_of_line", "spelled"]

FIELDS = 40
CHECKERS = slice(12, 38)
MARKS = re.compile(r"[;()]")
INTEGER = re.compile(r"-?[0-9]{1,3}")


def position_of_line(text: str, checkers: int = 15) -> tuple[Position, str]:
    """The position of a Snowie line, and the name of the player on roll, who sees it.

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
        It is no such line.
    """
    fields = [field.strip() for field in text.strip().rstrip(";").split(";")]
    if len(fields) != FIELDS:
        raise FormatError(f"a Snowie line has {FIELDS} fields, not {len(fields)}")
    if not all(INTEGER.fullmatch(field) for field in fields[CHECKERS]):
        raise FormatError("fields 13 to 38 of a Snowie line are numbers of checkers", field="13")
    try:
        line = [int(field) for field in fields[CHECKERS]]
        return SeatedPosition.from_line(line, Seat.A, checkers).to_position(), fields[5]
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
        Which of the two is on roll.

    Returns
    -------
    str

    Raises
    ------
    InvalidPosition
        The form has no place for it.
    """
    names = [
        " ".join(name.replace(";", " ").replace("(", " ").replace(")", " ").split()) for name in (on_roll, opponent)
    ]
    checkers = SeatedPosition.from_position(position, Seat.A).to_line()
    fields = [0, 0, 0, 1, player, *names, 0, 0, 0, 1, 0, *checkers, 0, 0]
    return "".join(f"{field};" for field in fields)


def spelled(name: str) -> str:
    """A name as such a line can hold it."""
    return " ".join(MARKS.sub(" ", name).split())
