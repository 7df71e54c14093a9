"""What is said to an engine and what it says back, as plain values: the line protocol, version 1.

A program sees these dicts as one JSON object a line; an engine in Python gets the same dicts for states and actions.
docs/conformance.md describes them for people.  Everything that an engine says is checked here: what is not as agreed is
a `Malformed`, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bgcore.errors import BgcoreError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Outcome, Rules, get

__all__ = [
    "CAPABILITIES",
    "OPTIONS",
    "PROTOCOL",
    "Info",
    "Malformed",
    "action_key",
    "game_rules",
    "position_fields",
    "read_action",
    "read_count",
    "read_info",
    "read_outcome",
    "read_position",
    "read_score",
]

PROTOCOL = 1
"""The version of the protocol.  A new field that an engine may leave alone does not raise it; anything else does."""

CAPABILITIES = ("plays", "check", "outcome", "actions", "apply", "score", "perft")
"""What an engine may offer; each is a word of the protocol and an attribute of an engine in Python."""

OPTIONS = ("holland", "table_stakes")
"""Options of a match that an engine is asked about only if it says that it has them."""

KINDS = {"single": 1, "gammon": 2, "backgammon": 3}


class Malformed(BgcoreError):
    """An engine's answer that is not what the protocol asks for."""


@dataclass(frozen=True)
class Info:
    """What an engine says of itself.

    Attributes
    ----------
    name, version : str
    can : tuple of str
        Which of CAPABILITIES it offers.
    games : tuple of str
        Names of the games that it plays, a preset after a colon: "portes:greek".
    passes : {"empty", "unchanged"}
        What it answers where there is no legal play: nothing, or the position as it was.
    frame : {"next", "mover"}
        Who sees its results: the player who rolls next, or the one who moved.
    repeats : bool
        Whether one result may be told several times.
    positions : tuple of Position or None
        For an engine that cannot be set to a position: those that it can be asked about.
    options : tuple of str
        Which of OPTIONS it has.
    """

    name: str
    version: str = ""
    can: tuple[str, ...] = ("plays",)
    games: tuple[str, ...] = ("backgammon",)
    passes: str = "empty"
    frame: str = "next"
    repeats: bool = False
    positions: tuple[Position, ...] | None = None
    options: tuple[str, ...] = ()


def read_info(data: Mapping[str, Any]) -> Info:
    """The answer to "hello"."""
    protocol = data.get("protocol")
    if protocol != PROTOCOL:
        raise Malformed(f"hello: protocol is {PROTOCOL}, not {protocol!r}")
    can, games = _words(data, "can", ("plays",)), _words(data, "games", ("backgammon",))
    unknown = [word for word in can if word not in CAPABILITIES]
    if unknown:
        raise Malformed(f"hello: can lists {unknown[0]!r}; there are {', '.join(CAPABILITIES)}")
    for game in games:
        game_rules(game)
    options = _words(data, "options", ())
    for option in options:
        if option not in OPTIONS:
            raise Malformed(f"hello: options lists {option!r:.60}; there are {', '.join(OPTIONS)}")
    frame, passes, repeats = data.get("frame", "next"), data.get("pass", "empty"), data.get("repeats", False)
    if frame not in ("next", "mover"):
        raise Malformed(f"hello: frame is next or mover, not {frame!r}")
    if passes not in ("empty", "unchanged"):
        raise Malformed(f"hello: pass is empty or unchanged, not {passes!r}")
    if not isinstance(repeats, bool):
        raise Malformed(f"hello: repeats is true or false, not {repeats!r}")
    name, version = data.get("name", ""), data.get("version", "")
    if not isinstance(name, str) or not isinstance(version, str) or len(name) + len(version) > 200:
        raise Malformed("hello: name and version are short texts")
    own = data.get("positions")
    if own is not None and not (isinstance(own, list) and 0 < len(own) <= 10_000):
        raise Malformed("hello: positions is a list of boards")
    positions = None if own is None else tuple(read_position(board, BACKGAMMON) for board in own)
    return Info(name, version, can, games, passes, frame, repeats, positions, options)


def _words(data: Mapping[str, Any], field: str, default: tuple[str, ...]) -> tuple[str, ...]:
    words = data.get(field, default)
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise Malformed(f"hello: {field} is a list of words, not {words!r}")
    return tuple(dict.fromkeys(words))


def game_rules(game: str) -> Rules:
    """The rule set of a name such as "plakoto" or "portes:greek"."""
    name, _, preset = game.partition(":")
    return get(name, preset or None)


# ---- positions


def position_fields(position: Position, rules: Rules = BACKGAMMON) -> dict[str, Any]:
    """A position as the fields of a request: `board` in backgammon, `counts` and `pinned` in every other game."""
    if rules.name == BACKGAMMON.name:
        return {"board": position.board.tolist()}
    pinned = [np.flatnonzero(side).tolist() for side in position.pinned]
    return {"counts": position.counts.tolist(), "pinned": pinned}


def read_position(value: Any, rules: Rules) -> Position:
    """A position that an engine told, checked against the game."""
    if rules.name == BACKGAMMON.name:
        numbers = _integers(value, 26, "a board")
        try:
            position = Position.from_board(numbers, rules.checkers)
        except BgcoreError as error:
            raise Malformed(f"the board {numbers} is no position: {error}") from None
    else:
        position = _read_counts(value)
    reason = rules.validate(position)
    if reason:
        raise Malformed(f"{value} is no position of {rules.name}: {reason!r}")
    return position


def _read_counts(value: Any) -> Position:
    if not isinstance(value, Mapping) or not isinstance(value.get("counts"), list) or len(value["counts"]) != 2:
        raise Malformed(f"a position is an object with counts, two lists of 26 numbers, not {_short(value)}")
    counts = [_integers(side, 26, "a side's counts") for side in value["counts"]]
    pinned = value.get("pinned", [[], []])
    lists = isinstance(pinned, list | tuple) and len(pinned) == 2 and all(isinstance(p, list | tuple) for p in pinned)
    if not lists or not all(type(point) is int and 1 <= point <= 24 for points in pinned for point in points):
        raise Malformed(f"pinned is two lists of points from 1 to 24, not {_short(pinned)}")
    mask = np.zeros((2, 26), bool)
    for side, points in enumerate(pinned):
        mask[side, list(points)] = True
    try:
        return Position.from_counts(np.array(counts), mask if mask.any() else None)
    except BgcoreError as error:
        raise Malformed(f"{_short(value)} is no position: {error}") from None


def _integers(value: Any, length: int, what: str) -> list[int]:
    if not isinstance(value, list | tuple) or len(value) != length:
        raise Malformed(f"{what} is a list of {length} integers, not {_short(value)}")
    if not all(type(n) is int and -15 <= n <= 15 for n in value):
        raise Malformed(f"{what} holds integers from -15 to 15, not {_short(value)}")
    return list(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + " ..."


# ---- other answers


def read_outcome(value: Any) -> Outcome | None:
    """How a game has ended: None, {"winner", "points"}, or a pair of them as an engine in Python may give it."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = (value.get("winner"), value.get("points"))
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) < 2:
        raise Malformed(f"an outcome is nothing, or winner and points, not {_short(value)}")
    winner, points = value[0], value[1]
    if winner not in ("own", "opp", None) or type(points) is not int or not 0 <= points <= 3:
        raise Malformed(f"an outcome is own or opp with 1 to 3 points, not {_short(value)}")
    return Outcome(winner, points, next((kind for kind, n in KINDS.items() if n == points), "draw"))


def read_count(value: Any) -> int:
    """A number from 0 on."""
    if type(value) is not int or value < 0:
        raise Malformed(f"a count is an integer from 0 on, not {_short(value)}")
    return value


def read_action(value: Any) -> dict[str, Any]:
    """An action: a kind alone, a dict with its kind, or an action of `bgcore.match.actions`."""
    if isinstance(value, str):
        value = {"kind": value}
    elif hasattr(value, "to_json"):
        value = value.to_json()
    if not isinstance(value, Mapping) or not isinstance(value.get("kind"), str):
        raise Malformed(f"an action is an object with a kind, not {_short(value)}")
    return dict(value)


def action_key(action: Mapping[str, Any]) -> str:
    """What of an action is compared: its kind; of a resignation its level and who resigns as well."""
    if action["kind"] == "resign_offer":
        return f"resign_offer {action.get('level')} {action.get('player')}"
    return str(action["kind"])


def read_score(value: Any) -> dict[str, Any]:
    """What a game pays: {"points", "score", "match_over"}."""
    if not isinstance(value, Mapping):
        raise Malformed(f"a score is an object with points, score and match_over, not {_short(value)}")
    points, score, over = value.get("points"), value.get("score"), value.get("match_over")
    whole = type(points) is int and isinstance(score, list | tuple) and len(score) == 2
    if not whole or not all(type(n) is int for n in score or ()) or type(over) is not bool:
        raise Malformed(f"points is an integer, score are two, match_over is true or false; not {_short(value)}")
    return {"points": points, "score": list(score or ()), "match_over": over}


def several(values: Any) -> Iterable[Any]:
    """The elements of a list; raises for anything that is none."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise Malformed(f"the answer is a list, not {_short(values)}")
    return values
