"""Runs inside the environment of one peer: times its calls and tells its answers.  Standard library only.

    python worker.py ADAPTER FOLDER        started by compare.py, which speaks first

FOLDER holds the adapters, bgcore/conformance/adapters.  One JSON object a line, either way.  What the peer itself
prints goes to standard error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from array import array
from pathlib import Path
from typing import Any


class Worker:
    """Answers compare.py, one method a word."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.rolls: list[tuple[int, int]] = []
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

    def load(self, boards: list[list[int]], rolls: list[list[int]]) -> dict[str, Any]:
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


def load(name: str, folder: str) -> Any:
    """The peer of an adapter."""
    spec = importlib.util.spec_from_file_location("bgcore_adapters_serve", Path(folder) / "serve.py")
    assert spec is not None
    assert spec.loader is not None
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    return serve.load(name)


def main() -> None:
    """Answer until the input ends."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the peer prints must not mix with our answers
    try:
        worker = Worker(load(sys.argv[1], sys.argv[2]))
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
