"""The XGID: a position, the cube, the dice and the score in one line that people paste into forums.

Ten fields separated by colons.  The frame is absolute: capital letters are the checkers of the bottom player whoever
is on roll, and so are his numbering of the points, the cube's owner and the first score.  A turn field of -1 mirrors
nothing.

Reading is strict: a string that says something impossible is refused with the field named, never guessed at.  Real
strings contradict themselves in four ways, which ``strict=False`` puts right and tells of: a score that has won the
match, rules that mean nothing, a Crawford game where nobody is one point away, a cube beyond the largest.  What a match
may do next is not known here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from bgcore.arrays import check_checkers
from bgcore.errors import FormatError, InvalidPosition, RuleError
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.position import Position

__all__ = ["Pending", "Xgid", "format_xgid", "parse_xgid", "position_from_xgid"]

Pending = Literal["D", "B", "R"]
"""An answer that is due: to a double, to a beaver, to a raccoon."""

FIELDS = ("position", "cube", "owner", "turn", "dice", "score_bottom", "score_top", "rules", "length", "max_cube")
"""The names of the ten fields, in their order, as `FormatError.field` gives them."""

_LONGEST = 200  # a valid one has at most 65 characters, 85 with everything escaped
_LARGEST_CUBE = 30  # as log2; 2**30 still fits the 32-bit integers that other programs keep the cube in
_LARGEST_SCORE = 32767  # the 15 bits that GNU Backgammon's match ID has for scores and length

_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019"}
_PREFIX = re.compile(r"XGID(?:=|%3D)", re.ASCII | re.IGNORECASE)
_COLON = re.compile(r":|%3A", re.ASCII | re.IGNORECASE)
_POSITION = re.compile(r"[-A-Pa-p]{26}")
_NUMBER = re.compile(r"0|[1-9][0-9]*")  # not \d, which takes the digits of every script
_ROLL = re.compile(r"[1-6]{2}")


@dataclass(frozen=True, slots=True)
class Xgid:
    """What one XGID says; seat A is the bottom player, seat B the top one.

    Attributes
    ----------
    seats : SeatedPosition
        The checkers, and the seat on roll.
    cube : int, 0 to 30
        Base-2 logarithm of the cube; while an answer is due still the cube before the double.
    owner : Seat or None
        Who owns the cube; None is a centred one.
    dice : tuple of two int, or None
        The roll in the order of the string; None before the roll or while an answer is due.
    pending : "D", "B", "R" or None
        The answer that is due: to a double, a beaver, a raccoon.
    scores : tuple of two int
        Points won so far by A and by B.
    crawford, jacoby, beavers : bool
        The rules in force: Crawford game in a match, the other two in money play.
    length : int
        Match length; 0 is money play.
    max_cube : int, 0 to 30, or None
        Base-2 logarithm of the largest cube, 0 for play without a cube; None when the string leaves it out.
    notes : tuple of str
        What ``strict=False`` let pass; not compared.
    """

    seats: SeatedPosition
    cube: int
    owner: Seat | None
    dice: tuple[int, int] | None
    pending: Pending | None
    scores: tuple[int, int]
    crawford: bool
    jacoby: bool
    beavers: bool
    length: int
    max_cube: int | None
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def turn(self) -> Seat:
        """The seat on roll; while an answer is due, the seat that doubled."""
        return self.seats.on_roll

    @property
    def position(self) -> Position:
        """The position as the seat on roll sees it."""
        return self.seats.to_position()


class _Field(NamedTuple):
    """The text of one field and where it starts in the text that was given."""

    number: int
    text: str
    start: int

    def wrong(self, message: str, at: int = 0) -> FormatError:
        name = FIELDS[self.number - 1]
        return FormatError(f"XGID field {self.number} ({name}): {message}", field=name, offset=self.start + at)

    def integer(self, most: int) -> int:
        if not _NUMBER.fullmatch(self.text):
            raise self.wrong(f"{_quoted(self.text)} is not a number; write digits, no sign, no leading zero")
        if (value := int(self.text)) > most:
            raise self.wrong(f"{_quoted(self.text)} is out of range; the largest is {most}")
        return value


def parse_xgid(text: str, checkers: int = 15, *, strict: bool = True) -> Xgid:
    """Read an XGID.

    With or without ``XGID=`` in front, in quotes or not, with blanks or a line end around it, with ``=`` and ``:``
    escaped as in a web address, with or without the tenth field.

    Parameters
    ----------
    text : str
        The XGID, and nothing else.
    checkers : int, 1 to 15
        How many checkers a side plays with, since the text does not tell: 15, or 3 in hypergammon.  Those it does
        not show are borne off.
    strict : bool
        Whether a string that contradicts itself is refused, or put right with a note: an impossible Crawford game is
        none, rules are cut down to the bits that mean something, a largest cube below the cube is left out, and a score
        that has won the match stays as it is.

    Returns
    -------
    Xgid
        All its fields.

    Raises
    ------
    FormatError
        Not an XGID, or one that contradicts itself; `field` and `offset` say where.
    InvalidPosition
        Well formed, but a side shows more checkers than it plays with, or neither shows any; `checkers` is outside
        1 to 15.
    TypeError
        `text` is no string, `checkers` no integer.

    Examples
    --------
    >>> xgid = parse_xgid("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
    >>> xgid.dice, xgid.scores, xgid.length, xgid.owner
    ((2, 1), (3, 6), 7, <Seat.B: 'B'>)
    """
    checkers = check_checkers(checkers)
    fields = _split(text)
    line = _read_line(fields[0])
    cube = fields[1].integer(_LARGEST_CUBE)
    owner = _read_owner(fields[2])
    turn = _read_turn(fields[3])
    dice, pending = _read_dice(fields[4])
    scores = (fields[5].integer(_LARGEST_SCORE), fields[6].integer(_LARGEST_SCORE))
    rules = fields[7].integer(_LARGEST_SCORE)
    length = fields[8].integer(_LARGEST_SCORE)
    max_cube = fields[9].integer(_LARGEST_CUBE) if len(fields) == 10 else None

    notes: list[str] = []

    def odd(where: _Field, message: str) -> None:
        fault = where.wrong(message)
        if strict:
            raise fault
        notes.append(str(fault))

    if length:
        for where, score in zip(fields[5:7], scores, strict=True):
            if score >= length:
                odd(where, f"a score of {score} has already won a match to {length}")
        if rules > 1:
            odd(fields[7], f"{rules} means nothing in a match; write 1 for the Crawford game, else 0")
            rules &= 1
        if rules == 1 and length - 1 not in scores:
            odd(fields[7], f"no Crawford game at {scores[0]}-{scores[1]} to {length}: nobody is one point away")
            rules = 0
    elif rules > 3:
        odd(fields[7], f"{rules} means nothing in money play; write 0, or 1 for Jacoby plus 2 for beavers")
        rules &= 3
    if max_cube is not None and cube > max_cube:
        odd(fields[1], f"2**{cube} is more than the largest cube of field 10, 2**{max_cube}")
        max_cube = None

    return Xgid(
        seats=_seat(line, turn, checkers),
        cube=cube,
        owner=owner,
        dice=dice,
        pending=pending,
        scores=scores,
        crawford=length > 0 and rules == 1,
        jacoby=length == 0 and bool(rules & 1),
        beavers=length == 0 and bool(rules & 2),
        length=length,
        max_cube=max_cube,
        notes=tuple(notes),
    )


def position_from_xgid(text: str, checkers: int = 15, *, strict: bool = True) -> Position:
    """Read the position of an XGID as its player on roll sees it.

    Parameters
    ----------
    text : str
        A whole XGID; every field is checked.
    checkers : int, 1 to 15
        How many checkers a side plays with.
    strict : bool
        As in `parse_xgid`.

    Returns
    -------
    Position
        Own is the player of the turn field: the one on roll, or the one who doubled while an answer is due.

    Raises
    ------
    FormatError, InvalidPosition, TypeError
        As in `parse_xgid`.
    """
    return parse_xgid(text, checkers, strict=strict).position


def format_xgid(xgid: Xgid) -> str:
    """Write an XGID with ``XGID=`` in front.

    Parameters
    ----------
    xgid : Xgid
        Its numbers are written as they are; a `max_cube` of None leaves the tenth field out.

    Returns
    -------
    str
        What `parse_xgid` reads as an equal value.

    Raises
    ------
    RuleError
        A number that the fields cannot hold.

    Examples
    --------
    >>> format_xgid(parse_xgid("-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"))
    'XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10'
    """
    for name, value, most in (
        ("cube, as a logarithm", xgid.cube, _LARGEST_CUBE),
        ("score", max(xgid.scores), _LARGEST_SCORE),
        ("length", xgid.length, _LARGEST_SCORE),
        ("largest cube, as a logarithm", xgid.max_cube or 0, _LARGEST_CUBE),
    ):
        if value > most:
            raise RuleError(f"the {name} of an XGID is at most {most}, not {value}")
    letters = "-" + "".join(chr(ord("A") + n) for n in range(16))
    line = "".join(letters[n] if n >= 0 else letters[-n].lower() for n in xgid.seats.to_line())
    sides = {Seat.A: "1", Seat.B: "-1"}
    roll = xgid.pending or ("00" if xgid.dice is None else f"{xgid.dice[0]}{xgid.dice[1]}")
    rules = int(xgid.crawford) if xgid.length else int(xgid.jacoby) + 2 * int(xgid.beavers)
    fields = [
        line,
        str(xgid.cube),
        "0" if xgid.owner is None else sides[xgid.owner],
        sides[xgid.turn],
        roll,
        *map(str, xgid.scores),
        str(rules),
        str(xgid.length),
    ]
    return "XGID=" + ":".join(fields if xgid.max_cube is None else [*fields, str(xgid.max_cube)])


def _split(text: str) -> list[_Field]:
    """Take off what may surround an XGID and cut it into nine or ten fields that know where they stand."""
    if not isinstance(text, str):
        raise TypeError(f"an XGID is a str, not {type(text).__name__}")
    body = text.strip()
    start = len(text) - len(text.lstrip())
    if body and body[0] in _QUOTES:
        if len(body) < 2 or body[-1] != _QUOTES[body[0]]:
            raise FormatError(f"the quote {_quoted(body[0])} before the XGID is not closed", offset=start)
        inner = body[1:-1]
        start += 1 + len(inner) - len(inner.lstrip())
        body = inner.strip()
    if not body:
        raise FormatError("the text is empty; an XGID is ten fields separated by ':'", offset=0)
    lines = len(body.splitlines())
    if lines > 1 or len(body) > _LONGEST:
        extent = f"{len(body)} characters" + (f" in {lines} lines" if lines > 1 else "")
        raise FormatError(f"an XGID is one line of some 50 characters, and this text has {extent}; give only that line")

    if prefix := _PREFIX.match(body):
        body = body[prefix.end() :]
        start += prefix.end()
    fields = []
    begin = 0
    for number, colon in enumerate(_COLON.finditer(body), 1):
        fields.append(_Field(number, body[begin : colon.start()], start + begin))
        begin = colon.end()
    fields.append(_Field(len(fields) + 1, body[begin:], start + begin))

    if len(fields) == 1 and _POSITION.fullmatch(body):
        raise FormatError(
            "this is only the first field of an XGID, and does not say who is on roll; "
            f"for money play with the bottom player to roll write XGID={body}:0:0:1:00:0:0:0:0:10",
            offset=start,
        )
    if len(fields) not in (9, 10):
        found = f"{len(fields)} field" + ("s" if len(fields) > 1 else "")
        raise FormatError(
            f"an XGID has ten fields separated by ':', {_quoted(body)} has {found}: expected {':'.join(FIELDS)}",
            offset=start,
        )
    return fields


def _read_line(field: _Field) -> list[int]:
    """Field 1: the 26 signed numbers of `SeatedPosition.from_line`."""
    text = field.text
    if len(text) != 26:
        raise field.wrong(f"{_quoted(text)} has {len(text)} characters, not 26: top's bar, 24 points, bottom's bar")
    line = []
    for at, character in enumerate(text):
        if character == "-":
            line.append(0)
        elif "A" <= character <= "P":
            line.append(ord(character) - ord("A") + 1)
        elif "a" <= character <= "p":
            line.append(ord("a") - ord(character) - 1)
        else:
            message = f"{_quoted(character)} at index {at} is no count; write '-' or A to P for bottom, a to p for top"
            raise field.wrong(message, at)
    if line[0] > 0:
        raise field.wrong(f"'{text[0]}' at index 0, which is top's bar; write '-' or a small letter")
    if line[25] < 0:
        raise field.wrong(f"'{text[25]}' at index 25, which is bottom's bar; write '-' or a capital letter", 25)
    return line


def _read_owner(field: _Field) -> Seat | None:
    owners = {"1": Seat.A, "0": None, "-1": Seat.B}
    if field.text not in owners:
        raise field.wrong(f"{_quoted(field.text)} names no owner; write 1 bottom, -1 top, 0 centred")
    return owners[field.text]


def _read_turn(field: _Field) -> Seat:
    turns = {"1": Seat.A, "-1": Seat.B}
    if field.text not in turns:
        raise field.wrong(f"{_quoted(field.text)} names no player; write 1 bottom or -1 top")
    return turns[field.text]


def _read_dice(field: _Field) -> tuple[tuple[int, int] | None, Pending | None]:
    text = field.text
    if text == "00":
        return None, None
    if text in ("D", "B", "R"):
        return None, cast(Pending, text)
    if _ROLL.fullmatch(text):
        return (int(text[0]), int(text[1])), None
    raise field.wrong(
        f"{_quoted(text)} is no roll; write two dice from 1 to 6, 00 not rolled, D doubled, B beavered, R raccooned"
    )


def _seat(line: list[int], turn: Seat, checkers: int) -> SeatedPosition:
    try:
        return SeatedPosition.from_line(line, turn, checkers)
    except InvalidPosition as fault:
        raise InvalidPosition(f"XGID field 1 (position): {fault}", reason=fault.reason) from None


def _quoted(text: str) -> str:
    """Foreign text for a message: short, and in ASCII so that look-alikes show."""
    return ascii(text if len(text) <= 40 else text[:40] + "...")
