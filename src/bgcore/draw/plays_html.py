"""The legal plays of a batch as HTML, for notebooks: the first plays of the first segments, on small boards."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bgcore.draw.board_svg import svg
from bgcore.play import Move, restore
from bgcore.position import Position

if TYPE_CHECKING:
    from bgcore.rules import Rules

__all__ = ["plays_html"]

SEGMENTS = 4
PLAYS = 4
"""Of a segment; four by four boards are some 100 kB."""

WIDTH = 200
HIT, PIN = 1, 2

LEFT = "text-align:left;vertical-align:top"
CELL = f"<td style='{LEFT};padding:4px'>{{}}</td>"


def plays_html(
    title: str,
    results: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    moves: NDArray[np.int8] | None,
    rules: Rules | None,
) -> str:
    """A table with a line for each of the first segments.

    Parameters
    ----------
    title : str
    results : uint64 (m, 4)
        Positions after plays, seen by the player who rolls next; drawn as the player sees them who has moved.
    offsets : int64 (s + 1,)
    moves : int8 (m, moves, 3) or None
        Drawn as arrows, and written in notation.
    rules : Rules or None
        Backgammon's geometry if not given.

    Returns
    -------
    str
        Some 100 kB at most, whatever the size of the batch; no script, nothing from outside.
    """
    count = len(offsets) - 1
    rows = []
    for segment in range(min(count, SEGMENTS)):
        first, end = int(offsets[segment]), int(offsets[segment + 1])
        shown = range(first, min(end, first + PLAYS))
        cells = [_play(results[i], None if moves is None else moves[i], rules) for i in shown]
        plays = f"{end - first:,} play{'' if end - first == 1 else 's'}" if end > first else "no play"
        if end - first > len(shown):
            plays = f"{len(shown)} of {plays}"
        head = f"<th style='{LEFT};padding:4px;white-space:nowrap'>segment {segment}<br>{plays}</th>"
        rows.append(f"<tr>{head}{''.join(map(CELL.format, cells))}</tr>")
    more = f"<p>and {count - SEGMENTS:,} more segments</p>" if count > SEGMENTS else ""
    return f"<div><p>{escape(title)}</p><table>{''.join(rows)}</table>{more}</div>"


def _play(words: NDArray[np.uint64], moves: NDArray[np.int8] | None, rules: Rules | None) -> str:
    """The board after a play, as who made it sees it, and the play in words if its moves are known."""
    result = Position.from_packed(words)
    if moves is None:
        return svg(result, rules=rules, orientation="opp", light="opp", numbers="absolute", size=WIDTH)
    made = tuple(
        Move(source, target, bool(flags & HIT), bool(flags & PIN))
        for source, target, flags in moves.tolist()
        if source >= 0
    )
    play = restore(made, result)
    return f"{svg(play, rules=rules, size=WIDTH)}<br>{escape(str(play) or 'pass')}"
