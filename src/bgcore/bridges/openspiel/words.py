"""How OpenSpiel's backgammon writes actions and states; `bgcore.bridges.openspiel` is what users want.

Places are OpenSpiel's: 0 to 23, which player 0 ("x") travels upwards and player 1 ("o") downwards; 100 the bar, -1 no
checker (a pass).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["BAR", "PAIRS", "PASS", "CheckerMove", "action_text", "chance_text", "state_text"]

BAR, PASS = 100, -1

PAIRS: tuple[tuple[int, int], ...] = (
    *((smaller, larger) for smaller in range(1, 6) for larger in range(smaller + 1, 7)),
    *((die, die) for die in range(1, 7)),
)
"""The 21 rolls as OpenSpiel counts them, smaller die first: 12 13 … 56, then 11 22 … 66."""


class CheckerMove(NamedTuple):
    """A move of one checker."""

    pos: int
    """Where it starts; `PASS` for none."""
    num: int
    """The die; -1 for none."""
    hit: bool
    """Whether a lone opposing checker is there before either move of the action is made."""


def chance_text(outcome: int, opening: bool) -> str:
    """What a chance outcome is called."""
    # Two outcomes for each pair of different dice, of which the second has the larger die first; then the doubles.
    small, large = PAIRS[outcome // 2] if outcome < 30 else PAIRS[outcome - 15]
    roll = f"(roll: {large}{small})" if outcome < 30 and outcome % 2 else f"(roll: {small}{large})"
    starter = f" {'XO'[outcome % 2]} starts," if opening else ""
    return f"chance outcome {outcome}{starter} {roll}"


def action_text(action: int, player: int, moves: Sequence[CheckerMove]) -> str:
    """What an action is called: its number and the moves in the player's own numbering, the higher point first."""
    hops = [_hop(player, move) for move in moves]
    first, second = hops
    if first[:2] == second[:2]:
        return "Pass" if moves[0].pos == PASS else f"{action} - {_one(*first)}(2)"
    if moves[1].pos != PASS and (moves[0].pos == PASS or first[:2] < second[:2]):
        first, second = second, first
    start, end, _ = second
    if first[1] == start:
        return f"{action} - {_one(*first)}/{_place(end)}{'*' * second[2]}"
    star = second[2] and not (first[2] and first[1] == end)
    return f"{action} - {_one(*first)} {_one(start, end, star)}"


OFF = -2  # sorts below every point, as a checker borne off stands last


def _hop(player: int, move: CheckerMove) -> tuple[int, int, bool]:
    """Start and end in the player's own numbering, and whether it hits."""
    if move.pos == PASS:
        return PASS, PASS, False
    start = 25 if move.pos == BAR else 24 - move.pos if player == 0 else move.pos + 1
    end = start - move.num
    return start, end if end > 0 else OFF, move.hit


def _one(start: int, end: int, hit: bool) -> str:
    return "Pass" if start == PASS else f"{_place(start)}/{_place(end)}{'*' * hit}"


def _place(point: int) -> str:
    return {25: "Bar", OFF: "Off"}.get(point, str(point))


def state_text(
    boards: Sequence[Sequence[int]],
    bars: Sequence[int],
    scores: Sequence[int],
    dice: Sequence[int],
    turn: int,
    previous: int,
    extra: bool,
) -> str:
    """The picture of a state; boards are the checkers of each player by place."""
    rows = [[" " if row == 5 else "."] * 12 for row in range(11)]
    for place in range(24):
        owner = 0 if boards[0][place] else 1
        count = boards[owner][place]
        lower = place < 12
        column = 11 - place if lower else place - 12
        stack = [" xo"[owner + 1]] * min(count, 5)
        if count > 9:
            stack[:2] = "1" + str(count % 10) if not lower else str(count % 10) + "1"
        elif count > 5:
            stack[0] = str(count)
        for height, sign in enumerate(stack):
            rows[10 - height if lower else height][column] = sign
    edge = "+------|------+"
    lines = [edge, *(f"|{''.join(row[:6])}|{''.join(row[6:])}|" for row in rows), edge]
    bar = "x" * bars[0] + "o" * bars[1]
    return "\n".join(
        [
            *lines,
            f"Turn: {'*' if turn < 0 else 'xo'[turn]}",
            f"Previous player: {previous}",
            f"Extra turn: {int(extra)}",
            f"Dice: {''.join(map(str, dice))}",
            f"Bar:{' ' * bool(bar)}{bar}",
            f"Scores, X: {scores[0]}, O: {scores[1]}",
            "",
        ]
    )
