"""What an adapter says of its peer: how to ask it, and how to read its answers.

Standard library only, like everything in this folder but the peers themselves: it runs in an environment where bgcore
is not installed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "Board", "Call", "Peer", "Roll", "time_one_by_one"]

Board = list[int]
"""26 integers seen by the player on roll: 1-24 his points (own positive), 25 his bar, 0 minus the opponent's bar."""

Roll = tuple[int, int]
Answer = Any  # whatever the peer gives for one roll; it has a length


@dataclass
class Call:
    """One way to ask a peer for the plays of a roll.

    Attributes
    ----------
    name : str
        The call, as it would be written.
    gives : str
        What one result is.
    ask : callable (position, larger die, smaller die) -> answer
        The position is what `Peer.prepare` made of a board.
    ask_all : callable (positions, rolls) -> list of answers, optional
        For a peer that wants many at once: answers of the first position's rolls, then of the second's.
    timed : int
        Positions of the corpus to time it on.
    """

    name: str
    gives: str
    ask: Callable[[Any, int, int], Answer] | None = None
    ask_all: Callable[[list[Any], list[Roll]], list[Answer]] | None = None
    timed: int = 2000

    def __call__(self, positions: list[Any], rolls: list[Roll]) -> tuple[float, list[int]]:
        """CPU seconds for all rolls of all positions, and how many results each gave."""
        if self.ask_all is not None:
            gc.collect()
            begin = time.process_time()
            answers = self.ask_all(positions, rolls)
            return time.process_time() - begin, [len(answer) for answer in answers]
        assert self.ask is not None
        return time_one_by_one(self.ask, positions, rolls)


def time_one_by_one(
    ask: Callable[[Any, int, int], Answer], positions: list[Any], rolls: list[Roll]
) -> tuple[float, list[int]]:
    """CPU seconds of one call for each roll of each position, and how many results each gave."""
    counts: list[int] = []
    count = counts.append
    gc.collect()
    begin = time.process_time()
    for position in positions:
        for larger, smaller in rolls:
            count(len(ask(position, larger, smaller)))
    return time.process_time() - begin, counts


@dataclass
class Peer:
    """An engine, and how to ask it.

    Attributes
    ----------
    calls : list of Call
        The first one's answers are compared with ours.
    prepare : callable (board) -> position
        Brings a board into the peer's own form, outside the clock.
    boards : callable (position, answer, larger die, smaller die) -> boards or None
        Every result as the same player sees it after his play; None for one that the answer doesn't tell.
    compared : int
        Positions of the corpus to compare answers on.
    own_boards : callable () -> boards, optional
        For a peer that can't be set to a position: some that it reached by itself; `prepare` gets them in this order.
    score : callable (position) -> points, optional
        What the player has won whose last checker has just been borne off.
    passes : {"empty", "unchanged"}
        What its boards are where there is no legal play.
    repeats : bool
        Whether one final position may be told several times.
    notes : list of str
        What a reader of its figures should know.
    """

    name: str
    version: str
    calls: list[Call]
    prepare: Callable[[Board], Any]
    boards: Callable[[Any, Answer, int, int], Iterable[Sequence[int] | None]]
    compared: int = 2000
    own_boards: Callable[[], list[Board]] | None = None
    score: Callable[[Any], int] | None = None
    passes: str = "empty"
    repeats: bool = False
    notes: list[str] = field(default_factory=list)
