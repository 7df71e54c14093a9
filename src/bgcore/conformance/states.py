"""States of a match as plain dicts: what an engine is asked about, and how ours are read from them.

A dict says what decides what may be done next; nothing of how the match came there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgcore.conformance.messages import KINDS, Malformed
from bgcore.match.cube import MatchOptions
from bgcore.match.state import MatchState, build
from bgcore.position import Position
from bgcore.rules import BACKGAMMON

__all__ = ["OPTIONS", "START", "from_dict", "state", "to_dict"]

START = Position.initial().board.tolist()

OPTIONS: tuple[str, ...] = tuple(MatchOptions.__dataclass_fields__)
"""Names of the options of a match, which a state may have as fields; those left out are as usual."""

DEFAULT: dict[str, Any] = {
    "length": 7,
    "score": [0, 0],
    "crawford_game": False,
    "phase": "to_roll",
    "on_roll": 0,
    "board": START,
    "dice": None,
    "cube": 1,
    "owner": None,
    "redoubles": 0,
    "resigned": None,
    "ended": None,
}


RARE: dict[str, Any] = {"rolls": [0, 0], "declined": [0, 0]}
"""Fields that stand in a state only where they are something else: by player, rolls of this game, levels declined."""


def state(**fields: Any) -> dict[str, Any]:
    """A state as a dict: a match to seven points at 0-0, player 0 to roll from the start, changed by the fields."""
    unknown = set(fields) - set(DEFAULT) - set(RARE) - set(OPTIONS)
    if unknown:
        raise TypeError(f"a state has no field {sorted(unknown)[0]!r}")
    return DEFAULT | fields


def from_dict(data: Mapping[str, Any]) -> MatchState:
    """A state of ours from a dict; raises RuleError where no play leads to it."""
    missing = set(DEFAULT) - set(data)
    if missing:
        raise Malformed(f"a state has a field {sorted(missing)[0]!r}")
    cube, resigned, dice, ended = data["cube"], data["resigned"], data["dice"], data["ended"]
    if type(cube) is not int or cube < 1 or cube & (cube - 1):
        raise Malformed(f"the cube shows a power of 2, not {cube!r}")
    return build(
        BACKGAMMON,
        data["length"],
        {name: data[name] for name in OPTIONS if name in data},
        position=Position.from_board(data["board"]),
        phase=data["phase"],
        on_roll=data["on_roll"],
        dice=None if dice is None else (max(dice), min(dice)),
        score=(data["score"][0], data["score"][1]),
        cube=cube.bit_length() - 1,
        owner=data["owner"],
        redoubles=data["redoubles"],
        resigned=None if resigned is None else (resigned[0], resigned[1]),
        crawford=data["crawford_game"],
        ended=None if ended is None else (ended[0], ended[1], ended[2]),
        rolls=tuple(data.get("rolls", RARE["rolls"])),
        declined=tuple(data.get("declined", RARE["declined"])),
    )


def to_dict(match: MatchState) -> dict[str, Any]:
    """A state as a dict, with what has become of the game: `to_act`, `points`, `game_winner` and `match_winner`.

    `ended` is how a game has ended, who won it and at which level (1 single, 2 gammon, 3 backgammon).
    """
    result = match.result
    resigned, dice = match.resigned, match.dice
    options = {
        name: getattr(match.options, name)
        for name, field in MatchOptions.__dataclass_fields__.items()
        if getattr(match.options, name) != field.default
    }
    rare = {name: list(getattr(match, name)) for name, usual in RARE.items() if list(getattr(match, name)) != usual}
    return (
        {
            "length": match.length,
            "score": list(match.score),
            "crawford_game": match.is_crawford,
            "phase": match.phase,
            "on_roll": match.on_roll,
            "board": match.position.board.tolist(),
            "dice": None if dice is None else list(dice),
            "cube": match.cube,
            "owner": match.cube_owner,
            "redoubles": match.redoubles,
            "resigned": None if resigned is None else list(resigned),
            "ended": None if result is None else [result.how, result.winner, KINDS[result.kind]],
            "to_act": match.to_act,
            "points": None if result is None else result.points,
            "game_winner": None if result is None else result.winner,
            "match_winner": match.winner,
        }
        | rare
        | options
    )
