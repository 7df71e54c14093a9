"""A position as text: what a player expects to see, in ASCII and within 60 columns.

The player on roll is X, sits at the bottom and moves from point 24 to point 1; the opponent is O.  The numbers are
those of the player on roll.  The board is read as that of a contrary game: `_facing` is the only place that knows
where the two numberings meet, and `_tower` the only one that knows what stands on a point.
"""

from __future__ import annotations

from bgcore.dice import check_roll
from bgcore.position import Position

__all__ = ["board_text"]

_ROWS = 5  # checkers drawn on a point; a taller stack shows its count in the last row
_UPPER = (range(13, 19), range(19, 25))
_LOWER = (range(12, 6, -1), range(6, 0, -1))


def board_text(position: Position, *, dice: tuple[int, int] | None = None) -> str:
    """Draw a position as text.

    Parameters
    ----------
    position : Position
        Any position; it is read as one of a contrary game.  Where both sides hold a point their counts are shown.
    dice : tuple of two int, 1 to 6, optional
        The roll to be played, named below the board, larger die first.

    Returns
    -------
    str
        14 lines of at most 60 ASCII characters, without a final line end.

    Raises
    ------
    RuleError
        Dice outside 1 to 6.

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
    own, opp = position.counts.tolist()
    own_pips, opp_pips = position.pips

    towers = {point: _tower(own[point], opp[_facing(point)]) for point in range(1, 25)}
    upper = _half(towers, _UPPER, _tower(0, opp[25]))
    lower = _half(towers, _LOWER, _tower(own[25], 0))[::-1]

    upper[0] += f"   O: {opp_pips:>3} pips"
    upper[1] += f"      {opp[0]:>3} off"
    lower[-2] += f"   X: {own_pips:>3} pips"
    lower[-1] += f"      {own[0]:>3} off"

    middle = f" |{'':18}|BAR|{'':18}|"
    lines = [_edge(_UPPER), *upper, middle, *lower, _edge(_LOWER), " " + _status(own, opp, dice)]
    return "\n".join(lines)


def _facing(point: int) -> int:
    """The opponent's number of the player's own point, in a contrary game."""
    return 25 - point


def _tower(own: int, opp: int) -> list[str]:
    """What stands on a point or the bar, from the edge of the board inwards, at most `_ROWS` cells."""
    if own and opp:
        return [f"X{own}", f"O{opp}"]
    sign, count = ("X", own) if own else ("O", opp)
    if count <= _ROWS:
        return [sign] * count
    return [sign] * (_ROWS - 1) + [str(count)]


def _half(towers: dict[int, list[str]], tables: tuple[range, range], bar: list[str]) -> list[str]:
    """The rows of one half of the board, from its edge inwards."""
    left, right = ([towers[point] for point in table] for table in tables)
    return [f" |{_cells(left, row)}|{_cells([bar], row)}|{_cells(right, row)}|" for row in range(_ROWS)]


def _cells(towers: list[list[str]], row: int) -> str:
    return "".join(f"{tower[row] if row < len(tower) else '':^3}" for tower in towers)


def _edge(tables: tuple[range, range]) -> str:
    left, right = ("".join(f"{point:-^3}" for point in table) for table in tables)
    return f" +{left}+---+{right}+"


def _status(own: list[int], opp: list[int], dice: tuple[int, int] | None) -> str:
    """Whose turn it is, and what there is to do."""
    if dice is not None:
        larger, smaller = check_roll(dice)
    for sign, counts in (("X", own), ("O", opp)):
        if not any(counts[1:]):
            return f"Game over: {sign} has borne off"
    return "X on roll" if dice is None else f"X to play {larger}{smaller}"
