"""FIBS's ``board:`` line, which GNU Backgammon's external players and rawboard clients speak as well.

Fifty-two fields after the word, separated by colons.  Numbers of the points are absolute, O positive; which way *you*
move is a field of its own, whatever your colour.  O sits on seat A, X on seat B.

What the line cannot hold: the Jacoby rule and beavers.  Two things are inferred when nobody may double: the Crawford
game where one player is a point away and the cube at 1, else a double of the player on roll.  Source: formats.md §3.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bgcore.errors import FormatError
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.xgid import Pending, Xgid

__all__ = ["FibsBoard", "format_fibs_board", "parse_fibs_board"]

UNLIMITED = 9999
_COUNT = 52
_NUMBER = re.compile(r"[-+]?[0-9]{1,10}", re.ASCII)


@dataclass(frozen=True, slots=True)
class FibsBoard:
    """What one line says.

    Attributes
    ----------
    state : Xgid or None
        O at the bottom; None when the game is over.
    seats : SeatedPosition
        The checkers; on roll is, when the game is over, you.
    names : tuple of two str
        Yours (``You`` on FIBS) and the opponent's.
    you : Seat
        Where you sit.
    down : bool
        You move from 24 to 1.
    movable : int
        How many checkers you can move now.
    """

    state: Xgid | None
    seats: SeatedPosition
    names: tuple[str, str]
    you: Seat
    down: bool
    movable: int


def parse_fibs_board(text: str, checkers: int = 15) -> FibsBoard:
    """Read a line.

    Parameters
    ----------
    text : str
    checkers : int
        How many a side plays with.

    Returns
    -------
    FibsBoard

    Raises
    ------
    FormatError
        Not such a line; `field` gives the number of the wrong one.
    InvalidPosition
        Well formed, but no position.
    """
    if not isinstance(text, str):
        raise TypeError(f"a board line is a str, not {type(text).__name__}")
    body = text.strip()
    if len(body) > 1000:
        raise FormatError(f"a board line has some 180 characters, and this text {len(body)}")
    fields = body.split(":")
    if fields[0].lower() != "board" or len(fields) != _COUNT + 1:
        raise FormatError(f"a board line is 'board' and {_COUNT} fields separated by ':', not {len(fields) - 1}")

    def number(at: int, low: int, high: int) -> int:
        if not _NUMBER.fullmatch(fields[at]) or not low <= (value := int(fields[at])) <= high:
            raise FormatError(
                f"board field {at}: {fields[at][:20]!r} is not a number from {low} to {high}", field=str(at)
            )
        return value

    length = number(3, 0, 32767)
    length = 0 if length == UNLIMITED else length
    your_colour, direction = number(41, -1, 1), number(42, -1, 1)
    if 0 in (your_colour, direction):
        raise FormatError("board fields 41 and 42 are 1 or -1", field="41" if your_colour == 0 else "42")
    you = Seat.A if your_colour == 1 else Seat.B
    line = [number(at, -15, 15) for at in range(6, 32)]
    o_down = (direction == -1) == (you is Seat.A)
    if not o_down:
        line.reverse()
    turn = number(32, -1, 1)
    cube = number(37, 1, 1 << 30)
    if cube & (cube - 1):
        raise FormatError(f"board field 37: a cube of {cube} is no power of two", field="37")
    you_may, they_may, was_doubled = (number(at, 0, 1) for at in (38, 39, 40))
    yours = (number(33, 0, 6), number(34, 0, 6))
    theirs = (number(35, 0, 6), number(36, 0, 6))
    scores = (number(4, 0, 32767), number(5, 0, 32767))
    on_roll = you if turn == 0 else Seat.A if turn == 1 else Seat.B
    pending: Pending | None = None
    if was_doubled:
        pending = "D"
        on_roll = you.other
    roll = yours if on_roll is you else theirs
    if not all(roll) and any(roll):
        raise FormatError(f"board fields 33 to 36: {roll[0]} and {roll[1]} are not a roll", field="33")
    seats = SeatedPosition.from_line(line, on_roll, checkers)
    nobody = not you_may and not they_may and not was_doubled
    crawford = nobody and length > 1 and cube == 1 and length - 1 in scores
    if nobody and not crawford and turn and not any(roll):
        pending = "D"  # yours, which the opponent is to answer
    owner: Seat | None = None
    if you_may != they_may:
        owner = you if you_may else you.other
    elif pending and cube > 1:
        owner = on_roll
    state = Xgid(
        seats=seats,
        cube=cube.bit_length() - 1,
        owner=owner if cube > 1 else None,
        dice=None if pending or not all(roll) else (roll[0], roll[1]),
        pending=pending,
        scores=scores if you is Seat.A else (scores[1], scores[0]),
        crawford=crawford,
        jacoby=False,
        beavers=False,
        length=length,
        max_cube=None,
    )
    return FibsBoard(state if turn else None, seats, (fields[1], fields[2]), you, direction == -1, number(49, 0, 4))


def format_fibs_board(
    state: Xgid, names: tuple[str, str] = ("You", "Opponent"), *, you: Seat | None = None, movable: int = 0
) -> str:
    """Write a line as FIBS does, you being O moving down or X moving up.

    Parameters
    ----------
    state : Xgid
        O at the bottom.
    names : tuple of two str
        Yours and the opponent's.
    you : Seat, optional
        Where you sit; the player on roll by default.
    movable : int
        How many checkers you can move.

    Raises
    ------
    FormatError
        A beaver or a raccoon waits, or a name has a colon: there is no place for these.
    """
    you = state.seats.on_roll if you is None else you
    if state.pending not in (None, "D"):
        raise FormatError("a board line has no place for beavers and raccoons")
    if any(":" in name or not name.isprintable() for name in names):
        raise FormatError("a name in a board line can't have ':' or a line end")
    on_roll = state.seats.on_roll
    mine, other = state.seats.of(you), state.seats.of(you.other)
    doubled = state.pending == "D" and on_roll is not you
    free = not state.crawford and state.pending is None
    may = [free and state.owner in (None, seat) for seat in (you, you.other)]
    dice = state.dice or (0, 0)
    scores = state.scores if you is Seat.A else (state.scores[1], state.scores[0])
    fields: list[object] = [
        *names,
        state.length or UNLIMITED,
        *scores,
        *state.seats.to_line(),
        1 if on_roll is Seat.A else -1,
        *(dice if on_roll is you else (0, 0)),
        *(dice if on_roll is not you else (0, 0)),
        1 << state.cube,
        int(may[0]),
        int(may[1]),
        int(doubled),
        *((1, -1, 0, 25) if you is Seat.A else (-1, 1, 25, 0)),
        mine[0],
        other[0],
        mine[25],
        other[25],
        movable,
        0,
        0,
        int(state.length == 0),
    ]
    return "board:" + ":".join(map(str, fields))
