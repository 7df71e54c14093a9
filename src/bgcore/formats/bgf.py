"""BGBlitz's files (``.bgf``), read: a line of JSON, then a match as JSON or Smile, usually compressed.

Analysis is left out.  Green is player 0.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bgcore.errors import BgcoreError
from bgcore.formats.building import GameBuilder, MatchBuilder, Notes
from bgcore.formats.inflating import GZIP, inflated
from bgcore.formats.json_members import flag, integers, items, number, text
from bgcore.formats.play_text import PlayText
from bgcore.formats.smile import MOST_VALUES, read_smile
from bgcore.match.opening import Player
from bgcore.match.transcript import Ending, Match
from bgcore.position import Position

__all__ = ["is_bgf", "read_bgf"]

LONGEST_HEAD = 4096
NO_DIE = 7
"""In the place of a die: what stands beside it is not a roll but one of these."""
DOUBLE, TAKE, PASS, END, DANCE, RESIGN = 1, 2, 3, 4, 5, 9
UNUSED = -1


def is_bgf(data: bytes) -> bool:
    """Whether a file begins as BGBlitz's do."""
    head = data[:LONGEST_HEAD].partition(b"\n")[0]
    return head.lstrip().startswith(b"{") and b'"BGF"' in head


def read_bgf(data: bytes, notes: Notes) -> Match:
    """Read a BGF file.

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
        No BGF, damaged, or without a match in it.
    """
    line, _, body = data.partition(b"\n")
    head = parsed(line[:LONGEST_HEAD], "the first line", notes)
    if not isinstance(head, dict) or head.get("format") != "BGF":
        notes.refuse('no BGF file: its first line is {"format":"BGF",...}', offset=0)
    start = len(line) + 1
    if head.get("compress"):
        whole = inflated(body, GZIP, "the match")
        if not whole.complete:
            notes.refuse(f"the match is damaged: {whole.fault or 'cut off'}", offset=len(data))
        body, start = whole.data, 0
    content = read_smile(body) if head.get("useSmile") else parsed(body, "the match", notes)
    if not isinstance(content, dict):
        notes.refuse("there is no match in the file", offset=start)
    return Reader(notes).match(content)


def parsed(data: bytes, what: str, notes: Notes) -> Any:
    """JSON that nobody vouches for."""
    try:
        if data.count(b",") > MOST_VALUES:
            raise ValueError(f"more than {MOST_VALUES} values")
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        notes.refuse(f"{what} is no JSON: {type(error).__name__}: {str(error)[:80]}", offset=0)


class Reader:
    """A match while it is read."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.builder = MatchBuilder(notes, "bgf")

    def match(self, content: Mapping[str, Any]) -> Match:
        """The whole match."""
        builder = self.builder
        builder.names = text(content, "nameGreen"), text(content, "nameRed")
        builder.set_length(number(content, "matchlen", 0), offset=0)
        builder.crawford = flag(content, "useCrawford", True)
        builder.jacoby, builder.beavers = flag(content, "useJacoby", False), flag(content, "useBeaver", False)
        builder.fields |= {name: text(content, name) for name in ("event", "site", "round")}
        builder.fields["date"] = text(content, "date").replace(".", "-")
        builder.fields["use_cube"] = flag(content, "useCube", True)
        builder.fields["comment"] = text(content, "comment")
        limit = number(content, "cubeLimit", 0)
        builder.fields["info"] = (("CubeLimit", str(limit)),) if limit > 0 else ()
        if number(content, "gameMode", 0):
            self.notes.odd(f"gameMode {number(content, 'gameMode', 0)} is not known; read as backgammon")
        analysed = 0
        for game in items(content, "games"):
            analysed += self.game(game)
        if analysed:
            self.notes.remark(f"the analysis of {analysed} plays is left out")
        return builder.done()

    def game(self, content: Mapping[str, Any]) -> int:
        """One game; how many of its plays are analysed."""
        place = len(self.builder.games) + (self.builder.current is not None)
        setup = content.get("initial")
        setup = setup if isinstance(setup, dict) else {}
        cube = number(setup, "cube", 1)
        if cube < 1 or cube & (cube - 1) or cube > 2**30:
            self.notes.odd(f"a cube at {cube}", game=place)
            cube = 1
        owner: Player | None = {-1: 0, 1: 1}.get(number(setup, "cubeOwner", 0))  # type: ignore[assignment]
        game = self.builder.game(
            (number(content, "scoreGreen", 0), number(content, "scoreRed", 0)),
            crawford=flag(content, "isCrawford", False),
            start=self.start(setup, place),
            cube=cube,
            owner=owner,
        )
        winner: Player | None = None
        resigned = flag(content, "wasResignation", False)
        analysed = 0
        for move in items(content, "moves"):
            player = {-1: 0, 1: 1}.get(number(move, "player", 0))
            if player is None:
                self.notes.odd(f"player {number(move, 'player', 0)}; there are -1 and 1", game=place)
                continue
            analysed += "moveAnalysis" in move
            winner = self.turn(game, player, move)  # type: ignore[arg-type]
        if winner is None:
            return analysed
        how: Ending = "resigned" if resigned else "unknown"
        if flag(content, "lostOnTime", False):
            how = "time"
        elif flag(content, "wasForfeit", False):
            how = "forfeited"
        points = number(content, "wonPoints", 0)
        game.wins(winner, points if points > 0 else None, how)
        return analysed

    def turn(self, game: GameBuilder, player: Player, move: Mapping[str, Any]) -> Player | None:
        """One entry; who has won, if it is the last."""
        red, green = number(move, "red", 0), number(move, "green", 0)
        comment = text(move, "comment")
        sources, targets = integers(move, "from"), integers(move, "to")
        if green == NO_DIE:
            if red == DANCE and sources and targets:
                red, green, sources = sources[0], targets[0], []
            elif red in (DOUBLE, TAKE, PASS):
                action = {DOUBLE: "double", TAKE: "take", PASS: "drop"}[red]
                game.about_cube(player, action, comment=comment)  # type: ignore[arg-type]
                return None
            elif red == RESIGN:
                game.resign(player)
                return None
            elif red == END:
                return player
            else:
                self.notes.odd(f"an entry with code {red}, which is not known", game=game.place)
                return None
        if not (1 <= red <= 6 and 1 <= green <= 6):
            self.notes.odd(f"dice {red} and {green}", game=game.place)
            return None
        moves = [(s, t) for s, t in zip(sources, targets, strict=False) if s != UNUSED]
        fine = len(moves) <= 4 and all(1 <= s <= 25 and 0 <= t <= 24 for s, t in moves)
        words = " ".join(f"{s}/{t}" for s, t in moves)
        game.roll(player, (red, green), PlayText(words, tuple(moves) if fine else (), 0, not fine), comment=comment)
        return None

    def start(self, setup: Mapping[str, Any], place: int) -> Position | None:
        """The first position, as player 0 sees it; None: the usual one."""
        points = integers(setup, "points")
        if len(points) < 24:
            return None
        green, red = [0] * 26, [0] * 26
        for index, count in enumerate(points[:24]):
            if count > 0:
                green[24 - index] = count
            else:
                red[index + 1] = -count
        try:
            for side in (green, red):
                side[0] = max(0, self.builder.rules.checkers - sum(side))
            position = Position.from_counts([green, red])
            if not self.builder.rules.validate(position):
                return position
            self.notes.odd("the game begins with no position of backgammon", game=place)
        except (BgcoreError, OverflowError, ValueError) as error:
            self.notes.odd(f"the game begins with no position: {error}", game=place)
        return None
