"""The arrows of a play: one for each of its moves, from where the checker stood to where it lands."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bgcore.draw.board_svg.layout import HALF, PIN_STEP, Board, Place
from bgcore.errors import RuleError
from bgcore.notation import Move

__all__ = ["arrow", "counts_before", "journeys"]

_HEAD = 17  # length of an arrow's head; it is as wide
_BAR = 25
_RIM = 14  # the shaft begins near the rim of its checker: what is written on that stays legible
_SPREAD = 22  # between the ends of arrows into the tray


def counts_before(after: Sequence[int], moves: Sequence[Move]) -> list[int]:
    """The mover's checkers before moves, from those after.

    Raises
    ------
    RuleError
        A checker that should have arrived is not there.
    """
    counts = list(after)
    for move in reversed(moves):
        if not counts[move.target]:
            raise RuleError(f"no checker has arrived at {_named(move.target)}")
        counts[move.target] -= 1
        counts[move.source] += 1
    return counts


def journeys(
    board: Board, side: int, before: Sequence[int], under: Sequence[bool], moves: Sequence[Move]
) -> list[tuple[Place, Place]]:
    """Where the arrows of moves begin and end.

    Parameters
    ----------
    board : Board
    side : int
        Of the mover: 0 at the bottom, 1 at the top.
    before : 26 int
        His checkers before the moves, in his numbering.
    under : 26 bool
        The points where an opposing checker lies under his.
    moves : sequence of Move
        In any order; a checker may pass over points where it would have to stop.

    Raises
    ------
    RuleError
        A checker that should move is not there.
    """
    counts = list(before)
    pinning = list(under)

    def place(slot: int, index: int) -> Place:
        if slot == _BAR:
            return board.barred(side, index)
        return board.stacked(board.point_of(side, slot), index, PIN_STEP if pinning[slot] else 0)

    drawn: list[tuple[Place, Place]] = []
    off: list[Place] = []
    waiting = list(moves)
    while waiting:
        move = next((move for move in waiting if counts[move.source]), None)
        if move is None:
            raise RuleError(f"there is no checker on {_named(waiting[0].source)} to draw an arrow from")
        waiting.remove(move)
        counts[move.source] -= 1
        begin = place(move.source, counts[move.source])
        if move.target == 0:
            off.append(begin)
            continue
        pinning[move.target] |= move.pin
        drawn.append((begin, place(move.target, counts[move.target])))
        counts[move.target] += 1
    # Into the tray they end wider apart than its checkers lie, those from lower in a stack nearer the edge.
    off.sort(key=lambda begin: begin[1], reverse=side == 0)
    x, first = board.tray(side, 0)
    step = _SPREAD if side else -_SPREAD
    return drawn + [(begin, (x, first + step / 2 + step * number)) for number, begin in enumerate(off)]


def arrow(begin: Place, end: Place) -> tuple[str, str]:
    """The paths of an arrow's shaft, to be stroked, and of its head, to be filled.

    Within one half of the board it bends towards the middle, so that it is seen between the stacks it passes.
    """
    (x1, y1), (x2, y2) = begin, end
    bend = 0.0
    if (y1 < HALF) == (y2 < HALF):
        bend = min(70.0, 14 + 0.22 * abs(x2 - x1)) * (1 if y1 < HALF else -1)
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2 + bend
    length = math.hypot(cx - x1, cy - y1) or 1.0
    x1, y1 = x1 + _RIM * (cx - x1) / length, y1 + _RIM * (cy - y1) / length
    length = math.hypot(x2 - cx, y2 - cy) or 1.0
    ux, uy = (x2 - cx) / length, (y2 - cy) / length
    bx, by = x2 - _HEAD * ux, y2 - _HEAD * uy  # where the head begins
    half = _HEAD / 2
    shaft = f"M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}"
    head = f"M{x2:g} {y2:g}L{bx - half * uy:.1f} {by + half * ux:.1f}L{bx + half * uy:.1f} {by - half * ux:.1f}z"
    return shaft, head


def _named(slot: int) -> str:
    return "the bar" if slot == _BAR else "the tray" if slot == 0 else f"point {slot}"
