"""Lets an engine in Python speak the line protocol, so that it can be asked in a process of its own.

    python -m bgcore.conformance.serve MODULE:NAME

NAME is a callable (position, dice) -> positions, an object with the words of the protocol as methods, or a function or
class without parameters that makes one.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from bgcore.conformance.doors import Refused
from bgcore.conformance.inprocess import InProcess
from bgcore.conformance.messages import PROTOCOL, game_rules, position_fields, read_action, read_position, several
from bgcore.errors import BgcoreError, FormatError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules

__all__ = ["load", "main", "serve"]

FIELDS = {"check": "legal", "apply": "state", "perft": "count"}


def load(text: str) -> Any:
    """The engine that MODULE:NAME names; modules of the current folder are found as well.

    Raises
    ------
    FormatError
        There is no such module or name.
    """
    module_name, _, path = text.partition(":")
    if not module_name or not path:
        raise FormatError(f"an engine in Python is MODULE:NAME, not {text!r:.200}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
        for name in path.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise FormatError(f"{text} cannot be loaded: {error}") from None
    if inspect.isclass(found) or (inspect.isfunction(found) and not inspect.signature(found).parameters):
        found = found()
    return found


def serve(engine: Any, source: IO[str], target: IO[str]) -> None:
    """Answer questions, one JSON object a line, until "bye" or the end."""
    door = InProcess(engine)
    info = door.info
    own = info.positions
    hello: dict[str, Any] = {
        "protocol": PROTOCOL,
        "name": info.name,
        "version": info.version,
        "can": list(info.can),
        "games": list(info.games),
        "frame": info.frame,
        "pass": info.passes,
        "repeats": info.repeats,
        "options": list(info.options),
    }
    if own is not None:
        hello["positions"] = [position.board.tolist() for position in own]
    words: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {word: _answerer(door, word) for word in info.can}
    for line in source:
        request = json.loads(line)
        word = request.get("do")
        if word == "bye":
            return
        if word == "hello":
            reply = hello
        elif word in words:
            try:
                reply = words[word](request)
            except Exception as error:  # the engine's own, told to whoever asks
                reply = {"error": f"{type(error).__name__}: {error}"}
        else:
            reply = {"error": f"no word {word!r} here"}
        if "id" in request:
            reply = reply | {"id": request["id"]}
        target.write(json.dumps(reply) + "\n")
        target.flush()


def _answerer(door: InProcess, word: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        rules = game_rules(request.get("game", BACKGAMMON.name))
        fields = {name: value for name, value in request.items() if name not in ("do", "id", "game", "board", "counts")}
        if "board" in request or "counts" in request:
            board = request.get("board", request)
            fields["position"] = read_position(board, rules)
        if word == "plays":
            fields = fields | {"rules": rules, "context": request.get("context", 0)}
        value = door.answer(word, fields)
        if isinstance(value, Refused):
            return {"refused": value.why}
        return {FIELDS.get(word, word): _plain(word, value, rules)}

    return answer


def _plain(word: str, value: Any, rules: Rules) -> Any:
    if word == "plays":
        return [_play(result, rules) for result in several(value)]
    if word == "outcome" and value is not None and not isinstance(value, dict):
        return {"winner": value[0], "points": value[1]}
    if word == "actions":
        return [read_action(action) for action in several(value)]
    return value


def _play(result: Any, rules: Rules) -> Any:
    if not isinstance(result, Position):
        return result
    fields = position_fields(result, rules)
    return fields["board"] if rules.name == BACKGAMMON.name else fields


def main() -> int:
    """Serve the engine named on the command line."""
    if len(sys.argv) != 2:
        print("python -m bgcore.conformance.serve MODULE:NAME", file=sys.stderr)
        return 2
    target = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the engine prints must not mix with the answers
    try:
        serve(load(sys.argv[1]), sys.stdin, target)
    except BgcoreError as error:
        print(f"bgcore: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
