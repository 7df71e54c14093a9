"""Makes a peer speak the line protocol of docs/conformance.md; standard library only.

Run by its path:

    PYTHON_OF_THE_PEER .../adapters/serve.py NAME

What the peer itself prints goes to standard error.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .peer import Board, Peer

__all__ = ["load", "main"]

PACKAGE = "bgcore_adapters"
PROTOCOL = 1


def load(name: str) -> Peer:
    """The peer of an adapter, from the folder of this file, without bgcore."""
    folder = Path(__file__).resolve().parent
    if PACKAGE not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[PACKAGE])
    made: Peer = importlib.import_module(f"{PACKAGE}.{name.replace('-', '_')}").peer()
    return made


class Server:
    """Answers questions about one peer."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.own: dict[tuple[int, ...], Any] | None = None
        if peer.own_boards is not None:
            self.own = {tuple(board): peer.prepare(board) for board in peer.own_boards()}

    def hello(self) -> dict[str, Any]:
        """What the peer is and does."""
        peer = self.peer
        said: dict[str, Any] = {
            "protocol": PROTOCOL,
            "name": peer.name,
            "version": peer.version,
            "can": ["plays", *(["outcome"] if peer.score else [])],
            "pass": peer.passes,
            "frame": "mover",
            "repeats": peer.repeats,
        }
        if self.own is not None:
            said["positions"] = list(self.own)
        return said

    def plays(self, request: dict[str, Any]) -> dict[str, Any]:
        """The boards after every play."""
        peer, board = self.peer, request["board"]
        larger, smaller = max(request["dice"]), min(request["dice"])
        position = peer.prepare(board) if self.own is None else self.own[tuple(board)]
        call = peer.calls[0]
        if call.ask_all is not None:
            (answer,) = call.ask_all([position], [(larger, smaller)])
        else:
            assert call.ask is not None
            answer = call.ask(position, larger, smaller)
        boards = list(peer.boards(position, answer, larger, smaller))
        told = [[int(count) for count in after] for after in boards if after is not None]
        return {"plays": told, "untold": len(boards) - len(told)}

    def outcome(self, request: dict[str, Any]) -> dict[str, Any]:
        """Who has won, and what the peer pays; whether the game is over is seen on the board."""
        board: Board = request["board"]
        if max(board) <= 0:
            return {"outcome": self._won("own", board)}
        if min(board) >= 0:
            return {"outcome": self._won("opp", [-count for count in reversed(board)])}
        return {"outcome": None}

    def _won(self, winner: str, board: Board) -> dict[str, Any]:
        assert self.peer.score is not None
        return {"winner": winner, "points": abs(int(self.peer.score(self.peer.prepare(board))))}


def main() -> None:
    """Answer until "bye" or the end of the input."""
    folder = str(Path(__file__).resolve().parent)
    sys.path[:] = [path for path in sys.path if path != folder]  # files here are named like the peers' modules
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    server = Server(load(sys.argv[1]))
    for line in sys.stdin:
        request = json.loads(line)
        word = request["do"]
        if word == "bye":
            return
        try:
            if word == "hello":
                reply = server.hello()
            elif word == "plays" or (word == "outcome" and server.peer.score):
                reply = getattr(server, word)(request)
            else:
                reply = {"error": f"no word {word!r} here"}
        except Exception as error:  # the peer's own, told to whoever asks
            reply = {"error": f"{type(error).__name__}: {error}"}
        if "id" in request:
            reply["id"] = request["id"]
        channel.write(json.dumps(reply) + "\n")
        channel.flush()


if __name__ == "__main__":
    main()
