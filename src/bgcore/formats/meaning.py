"""Which play a text means that leaves more than one open, and where an illegal one leaves the checkers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bgcore.errors import BgcoreError
from bgcore.formats.play_text import PlayText
from bgcore.play import Play
from bgcore.position import Position

__all__ = ["as_moved", "chosen"]


def chosen(before: Position, dice: tuple[int, int], written: PlayText, plays: Sequence[Play]) -> list[Play]:
    """Of plays that end alike but hit differently those that a text can mean.

    A hop of one die is binding, its stop included.  A span hides its stops: then the play with as many hits as marks is
    meant, and without marks the one that hits nothing.
    """
    opponent = before.counts[1]
    hit_at = [(play, hit_points(opponent, play)) for play in plays]
    blots = {point for point in range(1, 25) if opponent[25 - point] == 1}
    ends = {target for _, target in written.moves} & blots
    meant = [(play, hits) for play, hits in hit_at if ends <= hits]
    if all(is_one_die(source, target, dice) for source, target in written.moves):
        return [play for play, hits in meant if hits == ends] or [play for play, _ in meant]
    return [play for play, hits in meant if len(hits) == written.marks] or [play for play, _ in meant]


def hit_points(opponent: Any, play: Play) -> set[int]:
    """Where a play hits, in the mover's numbering, by comparing the opponent's checkers."""
    after = play.result.counts[0]
    return {25 - slot for slot in range(1, 25) if after[slot] < opponent[slot]}


def is_one_die(source: int, target: int, dice: Iterable[int]) -> bool:
    """Whether one die can make a hop."""
    return any(die == source - target or (target == 0 and die >= source) for die in dice)


def as_moved(before: Position, moves: Sequence[tuple[int, int]]) -> Position | None:
    """The position that moves leave, legal or not, seen by the opponent; None if that is no position."""
    own, opponent = before.counts.tolist()
    for source, target in moves:
        own[source] -= 1
        own[target] += 1
        if 1 <= target <= 24 and opponent[25 - target] == 1:
            opponent[25 - target] = 0
            opponent[25] += 1
    if min(own) < 0 or max(own) > 15:
        return None
    try:
        return Position.from_counts(np.array([opponent, own], np.uint8))
    except BgcoreError:
        return None
