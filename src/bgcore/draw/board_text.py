"""A position as text: what a player expects to see, in ASCII and within 60 columns, for terminals also in colour.

The player on roll is X, sits at the bottom and moves from point 24 to point 1; the opponent is O.  The numbers are
those of the player on roll.  `_FACING` is the only place that knows where the two numberings meet, `_tower` the only
one that knows what stands on a point, `_tall` how it is stacked.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from bgcore.dice import check_roll
from bgcore.errors import RuleError
from bgcore.position import Position

__all__ = ["board_text"]

_ROWS = 5  # checkers drawn on a point; a taller stack shows its count in the last row
_UPPER = (range(13, 19), range(19, 25))
_LOWER = (range(12, 6, -1), range(6, 0, -1))

# The opponent's numbers of own points 1 to 24.
_FACING = {
    "contrary": tuple(range(24, 0, -1)),
    "parallel": (*range(13, 25), *range(1, 13)),
}

# ANSI codes.  A checker has a background of its own, so that it is seen on a dark terminal and on a light one.
_INKS = {"X": "1;30;47", "x": "30;47", "O": "1;97;41", "o": "97;41", "edge": "2"}


class _Cell(NamedTuple):
    """What stands on one place of a point: a text of at most three characters, and whose it is, as `_INKS` says."""

    text: str
    sign: str


_Tower = list[_Cell]


def board_text(
    position: Position,
    *,
    dice: tuple[int, int] | None = None,
    geometry: Literal["contrary", "parallel"] = "contrary",
    bar: bool = True,
    over: str = "",
    colour: bool = False,
) -> str:
    """Draw a position as text.

    Parameters
    ----------
    position : Position
        Any position, of any game.
    dice : tuple of two int, 1 to 6, optional
        The roll to be played, named below the board, larger die first.
    geometry : {"contrary", "parallel"}
        Where the opponent's points are.  Contrary: the player's point p is the opponent's 25 - p, and O moves from
        bottom right to top right.  Parallel: it is his p + 12 or p - 12; both sides move the same way round, and O
        starts at the bottom left and bears off at the top left.
    bar : bool
        Whether the game has a bar.  Without one the two halves of the board stand side by side; a bar with a checker
        on it is always drawn.
    over : str
        How the game has ended, for games that end before a side has borne off; said in place of whose turn it is.
    colour : bool
        Whether to put ANSI colours in, for a terminal; without them the text is the same.

    Returns
    -------
    str
        14 lines of at most 60 ASCII characters, without a final line end.

    Raises
    ------
    RuleError
        Dice outside 1 to 6, or no such geometry.

    Notes
    -----
    A pinned checker is the small letter at the foot of a stack, next to the edge of the board; what is above it, and
    the count of a tall stack, is the pinning side's.  A point that both sides hold without a pin, which no game
    allows, shows both counts (``X2`` over ``O1``).

    Examples
    --------
    >>> print(board_text(Position.initial(), dice=(3, 1)))
     +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
     | X           O    |   | O              X |   O: 167 pips
     | X           O    |   | O              X |        0 off
     | X           O    |   | O                |
     | X                |   | O                |
     | X                |   | O                |
     |                  |BAR|                  |
     | O                |   | X                |
     | O                |   | X                |
     | O           X    |   | X                |
     | O           X    |   | X              O |   X: 167 pips
     | O           X    |   | X              O |        0 off
     +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
     X to play 31
    """
    if geometry not in _FACING:
        raise RuleError(f"geometry is one of {', '.join(map(repr, _FACING))}, not {geometry!r}")
    own, opp = position.counts.tolist()
    own_pinned, opp_pinned = position.pinned.tolist()
    own_pips, opp_pips = position.pips
    bar = bar or bool(own[25] or opp[25])

    towers = {
        point: _tower(own[point], opp[facing], own_pinned[point], opp_pinned[facing])
        for point, facing in enumerate(_FACING[geometry], start=1)
    }
    upper = _half(towers, _UPPER, _tall("O", opp[25]) if bar else None, colour)
    lower = _half(towers, _LOWER, _tall("X", own[25]) if bar else None, colour)[::-1]

    upper[0] += f"   O: {opp_pips:>3} pips"
    upper[1] += f"      {opp[0]:>3} off"
    lower[-2] += f"   X: {own_pips:>3} pips"
    lower[-1] += f"      {own[0]:>3} off"

    middle = f" |{'':18}|{'BAR|' if bar else ''}{'':18}|"
    top, bottom = _edge(_UPPER, bar), _edge(_LOWER, bar)
    if colour:
        top, middle, bottom = (_painted(line, "edge") for line in (top, middle, bottom))
    return "\n".join([top, *upper, middle, *lower, bottom, " " + _status(own, opp, dice, over)])


def _tower(own: int, opp: int, own_pinned: bool, opp_pinned: bool) -> _Tower:
    """What stands on a point, from the edge of the board inwards, at most `_ROWS` cells."""
    x, o = "x" if own_pinned else "X", "o" if opp_pinned else "O"
    if own and opp:
        if own_pinned and not opp_pinned and own == 1:
            return [_Cell(x, x), *_tall(o, opp, _ROWS - 1)]
        if opp_pinned and not own_pinned and opp == 1:
            return [_Cell(o, o), *_tall(x, own, _ROWS - 1)]
        return [_Cell(f"{x}{own}", x), _Cell(f"{o}{opp}", o)]
    return _tall(x, own) if own else _tall(o, opp)


def _tall(sign: str, count: int, rows: int = _ROWS) -> _Tower:
    """A stack of one side, with its count in the last row if it is taller than that."""
    if count <= rows:
        return [_Cell(sign, sign)] * count
    return [_Cell(sign, sign)] * (rows - 1) + [_Cell(str(count), sign)]


def _half(towers: dict[int, _Tower], tables: tuple[range, range], bar: _Tower | None, colour: bool) -> list[str]:
    """The rows of one half of the board, from its edge inwards."""
    left, right = ([towers[point] for point in table] for table in tables)
    rows = range(_ROWS)
    side = _painted("|", "edge") if colour else "|"
    between = ["" if bar is None else f"{_cells([bar], row, colour)}{side}" for row in rows]
    return [f" {side}{_cells(left, row, colour)}{side}{between[row]}{_cells(right, row, colour)}{side}" for row in rows]


def _cells(towers: list[_Tower], row: int, colour: bool) -> str:
    drawn = []
    for tower in towers:
        if row >= len(tower):
            drawn.append("   ")
            continue
        text, sign = tower[row]
        drawn.append(_painted(f"{text:^3}", sign) if colour else f"{text:^3}")
    return "".join(drawn)


def _painted(text: str, ink: str) -> str:
    return f"\x1b[{_INKS[ink]}m{text}\x1b[0m"


def _edge(tables: tuple[range, range], bar: bool) -> str:
    left, right = ("".join(f"{point:-^3}" for point in table) for table in tables)
    return f" +{left}+{'---+' if bar else ''}{right}+"


def _status(own: list[int], opp: list[int], dice: tuple[int, int] | None, over: str) -> str:
    """Whose turn it is, and what there is to do."""
    if dice is not None:
        larger, smaller = check_roll(dice)
    if over:
        return f"Game over: {over}"
    for sign, counts in (("X", own), ("O", opp)):
        if not any(counts[1:]):
            return f"Game over: {sign} has borne off"
    return "X on roll" if dice is None else f"X to play {larger}{smaller}"
