"""Snowie's position line, forty fields with a semicolon behind each; here for the checkers that it holds.

Transcripts give the position behind an illegal play in this form.
"""

from __future__ import annotations

import re

from bgcore.errors import FormatError, InvalidPosition
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.position import Position

__all__ = ["position_of_line"]

FIELDS = 40
CHECKERS = slice(12, 38)
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
