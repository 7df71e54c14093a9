"""Runs inside the environment of one peer: times its calls and tells its answers.  Standard library only.

    python worker.py ADAPTER        started by compare.py, which speaks first

One JSON object a line, either way.  What the peer itself prints goes to standard error.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

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
    notes: list[str] = field(default_factory=list)


class Worker:
    """Answers compare.py, one method a word."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.rolls: list[Roll] = []
        self.positions: list[Any] = []

    def hello(self) -> dict[str, Any]:
        """What this peer is."""
        peer = self.peer
        return {
            "name": peer.name,
            "version": peer.version,
            "calls": [{"name": call.name, "gives": call.gives, "timed": call.timed} for call in peer.calls],
            "compared": peer.compared,
            "notes": peer.notes,
            "boards": peer.own_boards() if peer.own_boards else None,
            "scores": peer.score is not None,
        }

    def load(self, boards: list[Board], rolls: list[list[int]]) -> dict[str, Any]:
        """Take the corpus; a board that the peer refuses ends the run with its message."""
        self.rolls = [(larger, smaller) for larger, smaller in rolls]
        self.positions = [self.peer.prepare(board) for board in boards]
        return {}

    def clock(self, call: int, positions: int) -> dict[str, Any]:
        """Time one call on the first positions."""
        seconds, counts = self.peer.calls[call](self.positions[:positions], self.rolls)
        return {"seconds": seconds, "results": sum(counts)}

    def score(self) -> dict[str, Any]:
        """Points of every position that was loaded."""
        assert self.peer.score is not None
        return {"points": [self.peer.score(position) for position in self.positions]}

    def answer(self, first: int, last: int, rolls: list[list[int]] | None, path: str) -> dict[str, Any]:
        """Write the results of positions first to last - 1: int32 (told, not told) a roll, and then int8 boards."""
        call = self.peer.calls[0]
        wanted = self.rolls if rolls is None else [(larger, smaller) for larger, smaller in rolls]
        positions = self.positions[first:last]
        pairs = [(position, *roll) for position in positions for roll in wanted]
        if call.ask_all is not None:
            answers = call.ask_all(positions, wanted)
        else:
            assert call.ask is not None
            answers = [call.ask(*pair) for pair in pairs]
        heads, boards = array("i"), array("b")
        for (position, larger, smaller), answer in zip(pairs, answers, strict=True):
            told = 0
            untold = 0
            for board in self.peer.boards(position, answer, larger, smaller):
                if board is None:
                    untold += 1
                else:
                    told += 1
                    boards.extend(board)
            heads.extend((told, untold))
        with open(path, "wb") as file:
            heads.tofile(file)
            boards.tofile(file)
        return {"pairs": len(pairs)}


def main() -> None:
    """Answer until the input ends."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the peer prints must not mix with our answers
    try:
        worker = Worker(importlib.import_module(f"adapters.{sys.argv[1]}").peer())
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=channel, flush=True)
        return
    print(json.dumps(worker.hello()), file=channel, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = getattr(worker, request.pop("do"))(**request)
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=channel, flush=True)


if __name__ == "__main__":
    main()
