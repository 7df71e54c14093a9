"""OGID: the state string of OpenGammon, HedgeHog and GammonView.

``white:black:cube:dice:colour:state:score:score:length:moveid[:checkers]``.  The frame is absolute: White sits at the
bottom (seat A) and counts the points from the other end, so his number p is his own point 25 - p; Black's number is
his own point.  The colour names the player who *reached* this state, so the other one is on roll, but for a double that
waits for its answer.

Source: formats.md §3.1, checked against six published pairs of OGID and XGID.  No specification was at hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from bgcore.arrays import check_checkers
from bgcore.errors import FormatError, InvalidPosition
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.xgid import Pending, Xgid

__all__ = ["Ogid", "OgidState", "format_ogid", "parse_ogid"]

OgidState = Literal["IW", "IB", "R", "C", "D", "A", "P", "PR", "G", "M", "F", "FF", "RG", "RM"]
"""Begun by White or Black; rolled; checkers played; doubled; taken; passed; the ends of a game or match."""

FIELDS = (
    "white",
    "black",
    "cube",
    "dice",
    "colour",
    "state",
    "score_white",
    "score_black",
    "length",
    "moveid",
    "checkers",
)
UNFINISHED = ("IW", "IB", "R", "C", "D", "A")
_DIGITS = "0123456789abcdefghijklmnop"  # base 26: bars and points
_OFF = "q"
_CUBE = re.compile(r"([WBND?])([0-9]{1,2})([NOTP])", re.ASCII)
_LENGTH = re.compile(r"([0-9]{1,5})(C|L|G[0-9]{1,5})?", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,5}", re.ASCII)
_MOST_CUBE = 30


@dataclass(frozen=True, slots=True)
class Ogid:
    """What one OGID says; seat A is White, seat B Black.

    Attributes
    ----------
    seats : SeatedPosition
        The checkers, and the seat on roll; while a double waits, the seat that doubled.
    owner : Seat or None
        Who owns the cube; None is a centred one.
    cube : int
        Base-2 logarithm of the cube, before a double that waits.
    cube_state : str
        ``D`` dead or ``?`` unknown in place of an owner, else empty.
    cube_action : "N", "O", "T" or "P"
        Nothing, offered, taken, passed.
    dice : tuple of two int, or None
        In the order of the string.
    colour : Seat
        Who reached this state.
    state : OgidState
    scores : tuple of two int
        Points won by White and Black.
    length : int
        0 is money play.
    mode : str
        Empty; ``C`` the Crawford game, ``L`` after it, ``G`` and a number: so many games.
    moveid : int
        A running number.
    checkers : int
        How many each side plays with.
    """

    seats: SeatedPosition
    owner: Seat | None
    cube: int
    cube_state: str
    cube_action: str
    dice: tuple[int, int] | None
    colour: Seat
    state: OgidState
    scores: tuple[int, int]
    length: int
    mode: str
    moveid: int
    checkers: int

    def to_xgid(self) -> Xgid:
        """The same as an XGID says it, White at the bottom.

        Raises
        ------
        FormatError
            The game is over, which an XGID can't say.
        """
        if self.state not in UNFINISHED:
            raise FormatError(f"OGID state {self.state}: the game is over, and only a position is left", field="state")
        pending: Pending | None = "D" if self.state == "D" else None
        return Xgid(
            seats=self.seats,
            cube=self.cube,
            owner=self.owner,
            dice=None if pending else self.dice,
            pending=pending,
            scores=self.scores,
            crawford=self.mode == "C",
            jacoby=False,
            beavers=False,
            length=self.length,
            max_cube=0 if self.cube_state == "D" else None,
        )

    @classmethod
    def from_xgid(cls, xgid: Xgid, *, moveid: int = 0, checkers: int = 15) -> Ogid:
        """An OGID of a game that goes on; the XGID's bottom player is White."""
        if xgid.pending not in (None, "D"):
            raise FormatError("an OGID has no place for beavers and raccoons", field="state")
        colour = xgid.turn if xgid.pending else xgid.turn.other
        return cls(
            seats=xgid.seats,
            owner=xgid.owner,
            cube=xgid.cube,
            cube_state="",
            cube_action="O" if xgid.pending else "N",
            dice=xgid.dice,
            colour=colour,
            state="D" if xgid.pending else "R" if xgid.dice else "C",
            scores=xgid.scores,
            length=xgid.length,
            mode="C" if xgid.crawford else "",
            moveid=moveid,
            checkers=checkers,
        )


def parse_ogid(text: str) -> Ogid:
    """Read an OGID, with or without ``OGID=`` in front, in quotes or not.

    Parameters
    ----------
    text : str

    Returns
    -------
    Ogid

    Raises
    ------
    FormatError
        Not an OGID; `field` says where.
    InvalidPosition
        Well formed, but no position.

    Examples
    --------
    >>> ogid = parse_ogid("djjjjlllnnnnooo:2233445556668mm:B1N:21:W:R:2:0:5:97")
    >>> ogid.dice, ogid.seats.on_roll, ogid.owner
    ((2, 1), <Seat.B: 'B'>, <Seat.B: 'B'>)
    """
    if not isinstance(text, str):
        raise TypeError(f"an OGID is a str, not {type(text).__name__}")
    if len(text) > 400:
        raise FormatError(f"an OGID is one line of some 60 characters, and this text has {len(text)}")
    body = text.strip().strip("\"'`").strip()
    body = re.sub("%3A", ":", re.sub("%3D", "=", body, flags=re.IGNORECASE), flags=re.IGNORECASE)
    body = re.sub(r"^OGID[=:]", "", body, flags=re.IGNORECASE)
    fields = body.split(":")
    if not 5 <= len(fields) <= 11:
        raise FormatError(f"an OGID has 5 to 11 fields separated by ':', not {len(fields)}: {':'.join(FIELDS)}")
    fields += [""] * (11 - len(fields))
    checkers = 15
    if fields[10]:
        checkers = _number(fields, 10)
        if not 1 <= checkers <= 15:
            raise _wrong(10, f"{checkers} checkers a side; 1 to 15 can be read")
    cube = _CUBE.fullmatch(fields[2])
    if not cube or int(cube[2]) > _MOST_CUBE:
        raise _wrong(2, f"{fields[2]!r} is not an owner W, B, N, D or ?, a logarithm and N, O, T or P, such as N0N")
    if fields[3] and not re.fullmatch("[1-6]{2}", fields[3]):
        raise _wrong(3, f"{fields[3]!r} are not two dice")
    if fields[4] not in ("W", "B"):
        raise _wrong(4, f"{fields[4]!r} is not W or B")
    colour = Seat.A if fields[4] == "W" else Seat.B
    state = fields[5] or ("R" if fields[3] else "C")
    if state not in get_args(OgidState):
        raise _wrong(5, f"{state!r} is none of {', '.join(get_args(OgidState))}")
    length = _LENGTH.fullmatch(fields[8] or "0")
    if not length:
        raise _wrong(8, f"{fields[8]!r} is not a number, with C, L or G and a number behind it or nothing")
    dice = (int(fields[3][0]), int(fields[3][1])) if fields[3] else None
    owners: dict[str, Seat | None] = {"W": Seat.A, "B": Seat.B}
    return Ogid(
        seats=_seated(fields[0], fields[1], colour if state == "D" else colour.other, checkers),
        owner=owners.get(cube[1]),
        cube=int(cube[2]),
        cube_state=cube[1] if cube[1] in "D?" else "",
        cube_action=cube[3],
        dice=dice,
        colour=colour,
        state=state,  # type: ignore[arg-type]  # one of them
        scores=(_number(fields, 6), _number(fields, 7)),
        length=int(length[1]),
        mode=length[2] or "",
        moveid=_number(fields, 9),
        checkers=checkers,
    )


def format_ogid(ogid: Ogid) -> str:
    """Write an OGID in its canonical form: checkers ascending, borne-off ones left out, dice as they are."""
    owner = ogid.cube_state or ("N" if ogid.owner is None else "WB"[ogid.owner is Seat.B])
    white = sorted(_DIGITS[25 - slot] * n for slot, n in enumerate(ogid.seats.a) if slot)
    black = sorted(_DIGITS[slot] * n for slot, n in enumerate(ogid.seats.b) if slot)
    fields = [
        "".join(white),
        "".join(black),
        f"{owner}{ogid.cube}{ogid.cube_action}",
        "".join(map(str, ogid.dice or ())),
        "WB"[ogid.colour is Seat.B],
        ogid.state,
        str(ogid.scores[0]),
        str(ogid.scores[1]),
        f"{ogid.length}{ogid.mode}",
        str(ogid.moveid),
    ]
    return ":".join(fields if ogid.checkers == 15 else [*fields, str(ogid.checkers)])


def _seated(white: str, black: str, on_roll: Seat, checkers: int) -> SeatedPosition:
    """The checkers; those that are not shown are borne off."""
    sides = []
    for number, text in enumerate((white, black)):
        counts = [0] * 26
        for at, character in enumerate(text):
            place = 0 if character == _OFF else _DIGITS.find(character)
            if place < 0:
                raise _wrong(number, f"{character!r} at index {at} is no point; write 0-9 and a-p")
            counts[25 - place if number == 0 and character != _OFF else place] += 1
        shown = sum(counts)
        if shown > check_checkers(checkers):
            raise InvalidPosition(f"OGID field {number + 1} ({FIELDS[number]}) has {shown} checkers, not {checkers}")
        counts[0] += checkers - shown
        sides.append(tuple(counts))
    return SeatedPosition(sides[0], sides[1], on_roll)


def _number(fields: list[str], number: int) -> int:
    text = fields[number] or "0"
    if not _NUMBER.fullmatch(text):
        raise _wrong(number, f"{text[:20]!r} is not a number")
    return int(text)


def _wrong(number: int, message: str) -> FormatError:
    return FormatError(f"OGID field {number + 1} ({FIELDS[number]}): {message}", field=FIELDS[number])
