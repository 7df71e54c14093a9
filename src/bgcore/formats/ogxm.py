"""OGXM, the match format of OpenGammon and HedgeHog, read through their own package ``ogxm`` (the extra ``formats``).

Version 1 and 2, so GammonView's ``.gvab`` too.  Analysis is left out.  White is player 0.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from bgcore.errors import FormatError
from bgcore.formats.building import GameBuilder, MatchBuilder, Notes
from bgcore.formats.json_members import items, number, text
from bgcore.formats.play_text import PlayText
from bgcore.formats.tags import VARIANTS
from bgcore.match.opening import Player, other
from bgcore.match.transcript import Match, TurnAction

__all__ = ["MAGIC", "read_ogxm"]

MAGIC = b"OGXM"
ROLLS = 21  # action ids below are rolls
CUBE: dict[int, TurnAction] = {21: "double", 22: "take", 23: "drop", 32: "beaver", 33: "raccoon"}
OVER = (24, 25, 26)
RESIGNED = (27, 28)
FORFEIT, NOTHING, SET, SETTLED, PASSED = 29, 30, 31, 34, 37


def read_ogxm(data: bytes, notes: Notes) -> Match:
    """Read an OGXM file.

    Parameters
    ----------
    data : bytes
    notes : Notes
        Told what is odd; with ``strict`` it raises at the first.

    Returns
    -------
    Match

    Raises
    ------
    FormatError
        No OGXM, or the package ``ogxm`` is not installed.
    """
    try:
        import ogxm
    except ImportError:
        raise FormatError('OGXM needs the package ogxm; add it with:  pip install "bgcore[formats]"') from None
    try:
        content = ogxm.binary_to_json(data)
    except (ogxm.OgxmError, ValueError, RecursionError) as error:
        notes.refuse(f"no OGXM: {str(error)[:200]}", offset=0)
    if not isinstance(content, dict):
        notes.refuse("there is no match in the file", offset=0)
    if content.get("replay_complete") is False:
        notes.remark("the file's own replay of the match fails; its plies are read")
    return Reader(notes).match(content)


class Reader:
    """A match while it is read."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.builder = MatchBuilder(notes, "ogxm")

    def match(self, content: Mapping[str, Any]) -> Match:
        """The whole match."""
        builder = self.builder
        builder.names = text(content, "player_white"), text(content, "player_black")
        builder.set_length(number(content, "match_length", 0), offset=0)
        builder.crawford = bool(content.get("crawford", True)) and builder.length > 1
        builder.jacoby = bool(content.get("jacoby", False))
        variant = VARIANTS.get(text(content, "variant").lower() or "backgammon")
        if variant is None:
            self.notes.odd(f"the game is {text(content, 'variant')[:40]!r}, which is not known; read as backgammon")
        else:
            builder.rules = variant
        builder.fields |= {name: text(content, name) for name in ("event", "site", "round")}
        started = number(content, "started_at", 0) // 1000 or number(content, "timestamp", 0)
        if 0 < started < 2**36:
            builder.fields["date"] = datetime.datetime.fromtimestamp(started, datetime.UTC).date().isoformat()
        analysed = 0
        score = [0, 0]
        for game in items(content, "games"):
            analysed += self.game(game, (score[0], score[1]))
            builder.end_game()
            end = builder.games[-1].end
            if end is not None:
                score[end.winner] += end.points
        if analysed:
            self.notes.remark(f"the analysis of {analysed} plays is left out")
        return builder.done()

    def game(self, content: Mapping[str, Any], score: tuple[int, int]) -> int:
        """One game; how many of its plies are analysed."""
        place = len(self.builder.games)
        if content.get("is_default_board") is False:
            self.notes.odd("a game that does not begin at the start is not read rightly", game=place)
        crawford = content.get("is_crawford")
        game = self.builder.game(
            score,
            number=number(content, "game_index", place) + 1,
            crawford=crawford if isinstance(crawford, bool) else None,
        )
        analysed = 0
        for ply in items(content, "plies"):
            analysed += "analysis" in ply
            self.ply(game, ply)
        winner = {0: 0, 1: 1}.get(number(content, "winner", -1))
        if winner is not None and (game.turns or game.resigned is not None):
            points = number(content, "points_won", 0)
            game.wins(winner, points if points > 0 else None, game.how)  # type: ignore[arg-type]
        return analysed

    def ply(self, game: GameBuilder, ply: Mapping[str, Any]) -> None:
        """One ply."""
        action = number(ply, "action_id", -1)
        if action in OVER or action in (NOTHING, PASSED):
            return
        player: Player = 1 if number(ply, "color", -1) == 0 else 0  # 0 is Black
        if 0 <= action < ROLLS:
            dice = number(ply, "d1", 0), number(ply, "d2", 0)
            if not all(1 <= die <= 6 for die in dice):
                self.notes.odd(f"dice {dice[0]} and {dice[1]}", game=game.place)
                return
            moves = [hop(step, player) for step in items(ply, "moves")]
            fine = all(1 <= source <= 25 and 0 <= target < source for source, target in moves)
            words = " ".join(f"{source}/{target}" for source, target in moves)
            game.roll(player, dice, PlayText(words, tuple(moves) if fine else (), 0, not fine))
        elif action in CUBE:
            game.about_cube(player, CUBE[action])
        elif action in RESIGNED:
            game.resign(player)
        elif action == FORFEIT:
            game.wins(other(player), None, "forfeited")
        elif action == SETTLED:
            game.how = "settled"
        else:
            self.notes.odd(f"a ply with action {action}, which is not known", game=game.place)


def hop(step: Mapping[str, Any], player: Player) -> tuple[int, int]:
    """A step as source and target in the mover's numbering; White's points are 25 less the file's."""
    source = number(step, "from", -1)
    source = 25 - source if player == 0 else source
    return source, max(source - number(step, "pips", 0), 0)
