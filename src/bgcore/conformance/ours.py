"""bgcore itself as an engine that offers everything: what others are compared with, and the shortest full example."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgcore.batch import perft
from bgcore.conformance.messages import KINDS, OPTIONS, game_rules
from bgcore.conformance.states import from_dict, to_dict
from bgcore.errors import IllegalPlay
from bgcore.match.actions import from_json
from bgcore.match.cube import drop_points, game_points, resignation_points
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Outcome, names, presets

__all__ = ["Ours", "engine"]


class Ours:
    """Answers every question of the protocol."""

    name = "bgcore"
    options = OPTIONS
    games = (*names(), *(f"{name}:{preset}" for name in names() for preset in presets(name)))

    def plays(
        self, position: Position, dice: tuple[int, int], game: str = "backgammon", context: int = 0
    ) -> list[Position]:
        """Positions after every legal play, seen by the player who rolls next."""
        plays = game_rules(game).legal_plays(position, dice, context=context)
        return [play.result for play in plays]

    def check(self, position: Position, dice: tuple[int, int], play: str) -> bool:
        """Whether a written play is legal."""
        try:
            BACKGAMMON.check(position, dice, play)
        except IllegalPlay:
            return False
        return True

    def outcome(self, position: Position) -> Outcome | None:
        """How the game has ended."""
        return BACKGAMMON.outcome(position)

    def perft(self, position: Position, depth: int) -> int:
        """Lines of play."""
        return perft(position, depth)

    def actions(self, state: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What may be done in a state."""
        return [action.to_json() for action in from_dict(state).actions()]

    def apply(self, state: Mapping[str, Any], action: Mapping[str, Any]) -> dict[str, Any]:
        """The state after an action."""
        return to_dict(from_dict(state).apply(from_json(action)))

    def score(self, end: Mapping[str, Any]) -> dict[str, Any]:
        """What the end of a game pays."""
        cube, level = end["cube"], KINDS[end["kind"]]
        jacoby = not end["length"] and end["jacoby"] and end["owner"] is None
        if end["how"] == "drop":
            points = drop_points(BACKGAMMON, cube)
        elif end["how"] == "resignation":
            points = resignation_points(BACKGAMMON, level, cube, jacoby=jacoby)
        else:
            points = game_points(BACKGAMMON, BACKGAMMON.scoring[level - 1], cube, jacoby=jacoby)
        score = list(end["score"])
        score[end["winner"]] += points
        return {"points": points, "score": score, "match_over": 0 < end["length"] <= max(score)}


def engine() -> Ours:
    """An engine, as the command line asks for one."""
    return Ours()
