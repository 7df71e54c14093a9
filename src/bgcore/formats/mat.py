"""The text transcript (``.mat``, ``.txt``), read in all the dialects that programs and servers write.

A row holds what the left player did and what the right one did.  Row numbers and fixed columns are not to be relied on:
cells are found by how they begin, and one that is alone in its row is given to the column that it starts in.  What the
plays mean and how games ended is found by `bgcore.formats.building`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from bgcore.errors import BgcoreError, FormatError
from bgcore.formats.building import GameBuilder, MatchBuilder, Notes, quoted
from bgcore.formats.play_text import PlayText, read_play
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.snowie import position_of_line, spelled
from bgcore.formats.tags import read_tags
from bgcore.match.opening import Player, other
from bgcore.match.transcript import Match, TurnAction
from bgcore.position import Position

__all__ = ["is_mat", "read_mat"]

LONGEST_LINE = 1000
"""Characters, comments aside; a row has some eighty."""
LONGEST_COMMENT = 10_000
TOLERANCE = 4
"""Columns before the second name in which a cell still counts as the right player's."""
USUAL_COLUMN = 32

LENGTH = re.compile(r"\s*([0-9]{1,10})[ \t]+points?[ \t]+match\b|\s*match of ([0-9]{1,10})\b", re.IGNORECASE)
GAME = re.compile(r"\s*game[ \t]+([0-9]{1,9})\s*$", re.IGNORECASE)
SCORE_END = re.compile(r"[ \t]*:[ \t]*([0-9]{1,9})$")
SCORE_BREAK = re.compile(r":[ \t]*([0-9]{1,9})([ \t]+)(?=[^ \t])")
NUMBER = re.compile(r"[ \t]*[0-9]+\)[ \t]?")
CELL = re.compile(
    r"(?<![^\s)])(?:([1-6])([1-6]):(?!\S)"
    r"|(doubles|beavers|raccoons)[ \t]*(?:=>)?[ \t]*([0-9]{0,10})"
    r"|(takes|drops|resigns)\b"
    r"|(wins|losses)[ \t]+([0-9]{1,9})[ \t]*points?([ \t]+and[ \t]+the[ \t]+match)?)",
    re.IGNORECASE,
)
RATED = re.compile(r"(.*),[ \t]*([0-9]{1,5}(?:\.[0-9]{1,4})?)", re.DOTALL)
TAG = re.compile(r"[;#]?[ \t]*\[[ \t]*([A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9]+)*)[ \t]+\"(.*)\"[ \t]*\][ \t]*", re.DOTALL)
SET_POSITION = re.compile(r"[;#][ \t]*Set Pos=([-A-Pa-p]{26})(?:/(-?[0-9]{1,2}))?", re.IGNORECASE)
ILLEGAL = re.compile(r"illegal play[ \t]*\((.*)\)", re.IGNORECASE)
ACTIONS: dict[str, TurnAction] = {
    "doubles": "double",
    "beavers": "beaver",
    "raccoons": "raccoon",
    "takes": "take",
    "drops": "drop",
}


class Cell(NamedTuple):
    """Where a cell begins in its row, how it begins, and where its text does."""

    column: int
    match: re.Match[str]
    text: str


def is_mat(text: str) -> bool:
    """Whether a text looks like a transcript."""
    return any(LENGTH.match(line) or GAME.match(line) for line in text[:65536].split("\n") if len(line) < 200)


def read_mat(text: str, notes: Notes) -> Match:
    """Read a transcript.

    Parameters
    ----------
    text : str
        Lines end in a line feed.
    notes : Notes
        Told what is odd; with ``strict`` it raises at the first.

    Returns
    -------
    Match

    Raises
    ------
    FormatError
        No transcript, or one that no reading makes sense of; `.line` says where.
    """
    reader = Reader(notes)
    for number, line in enumerate(lines_of(text), 1):
        if line and not line.isspace():
            reader.line(number, line)
    return reader.done()


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text, one at a time: a large file must not become a list of a million."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 1


class Reader:
    """A transcript while it is read."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.match = MatchBuilder(notes, "mat")
        self.tags: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.begun = False  # the length line has been seen
        self.awaits_score: tuple[int, int] | None = None  # number and line of a game without a score line yet
        self.column = USUAL_COLUMN
        self.set_position: tuple[str, int, int] | None = None

    def line(self, number: int, line: str) -> None:
        """One line that isn't blank."""
        text = line.lstrip()
        first = text[0]
        if first in ";#[":
            self.comment(number, text.rstrip())
            return
        if len(line) > LONGEST_LINE:
            self.notes.refuse(f"{len(line)} characters; a line has at most {LONGEST_LINE}", line=number)
        if not self.begun:
            if match := LENGTH.match(line):
                self.begun = True
                self.match.set_length(int(match[1] or match[2]), line=number)
                read_tags(self.match, self.tags)
            elif GAME.match(line):
                self.notes.refuse("a game before the line that gives the length, such as '7 point match'", line=number)
            else:
                self.notes.odd(f"unknown line {quoted(line.strip())}", line=number)
        elif first in "Gg" and (match := GAME.match(line)):
            self.score_is_missing()
            self.match.end_game()
            self.awaits_score = int(match[1]), number
        elif self.awaits_score is not None and self.score(number, line):
            pass
        else:
            self.score_is_missing()
            self.row(number, line)

    def comment(self, number: int, text: str) -> None:
        """A line that begins with ; or #, and a tag without them."""
        if len(text) > LONGEST_COMMENT:
            self.notes.odd(f"a comment of {len(text)} characters is left out", line=number)
            return
        if match := TAG.fullmatch(text):
            self.tags.append((match[1], match[2]))
            if self.begun:
                read_tags(self.match, self.tags[-1:])
        elif match := SET_POSITION.match(text):
            self.set_position = match[1], int(match[2] or 0), number
            if self.match.current is not None and not self.match.current.turns:
                self.place_set_position(self.match.current)
        elif words := text.lstrip(";#[ \t"):
            self.comments.append(words)

    # ---- a game begins

    def score(self, number: int, line: str) -> bool:
        """The line with names and score; False if it is none."""
        line = line.rstrip()
        end = SCORE_END.search(line)
        if end is None:
            return False
        # A name may hold a colon and a number: what parts the names is the widest run of blanks behind one.
        breaks = list(SCORE_BREAK.finditer(line, 0, end.start() + 1))
        if not breaks:
            return False
        split = max(breaks, key=lambda found: len(found[2]))
        left, right = line[: split.start()].strip(), line[split.end() : end.start()].strip()
        self.column = split.end()
        self.names(left, right, number)
        self.begin(number, (int(split[1]), int(end[1])))
        return True

    def names(self, left: str, right: str, number: int) -> None:
        """The names, and the ratings that some servers write behind a comma."""
        names, ratings = [], list(self.match.fields.get("ratings", (None, None)))
        for player, name in enumerate((left, right)):
            if rated := RATED.fullmatch(name):
                name, ratings[player] = rated[1].rstrip(), float(rated[2])
            names.append(name)
        pair = names[0], names[1]
        if not self.match.games:
            self.match.names = pair
            self.match.fields["ratings"] = tuple(ratings)
            read_tags(self.match, self.tags, ratings=True)
        elif pair != self.match.names:
            self.notes.odd(f"the players are now {quoted(pair[0])} and {quoted(pair[1])}", line=number)

    def score_is_missing(self) -> None:
        """A game that began has no score line: it goes on from the score before."""
        if self.awaits_score is not None:
            self.notes.odd("a game without a line of names and score", line=self.awaits_score[1])
            score = (0, 0)
            if self.match.games:
                last = self.match.games[-1]
                gains = (0, 0) if last.end is None else (last.end.points, 0)[:: 1 if last.end.winner == 0 else -1]
                score = last.score[0] + gains[0], last.score[1] + gains[1]
            self.begin(self.awaits_score[1], score)

    def begin(self, number: int, score: tuple[int, int]) -> None:
        """The game whose number was read."""
        game = self.match.game(score, number=cast(tuple[int, int], self.awaits_score)[0], line=number)
        self.awaits_score = None
        self.place_set_position(game)

    def place_set_position(self, game: GameBuilder) -> None:
        """XG's comment about a game that does not begin at the start."""
        if self.set_position is None:
            return
        text, cube, number = self.set_position
        self.set_position = None
        if abs(cube) > 30:
            self.notes.odd(f"no cube has 2 to the power of {abs(cube)}", line=number)
            cube = 0
        line = [0 if c == "-" else ord(c) - 64 if c < "a" else 96 - ord(c) for c in text]
        try:
            position = SeatedPosition.from_line(line, Seat.A, self.match.rules.checkers).to_position()
        except BgcoreError as error:
            self.notes.odd(f"Set Pos: {error}", line=number)
            return
        if self.match.rules.validate(position):
            self.notes.odd(f"Set Pos: {text} is no position of {self.match.rules.name}", line=number)
            return
        owner: Player | None = None if cube == 0 else 0 if cube > 0 else 1
        game.set_up(position, 0, cube=2 ** abs(cube), owner=owner)

    # ---- a row

    def row(self, number: int, line: str) -> None:
        """What each of the players did."""
        line = line.expandtabs()
        prefix = NUMBER.match(line)
        start = prefix.end() if prefix is not None else 0
        found = list(CELL.finditer(line, start))
        game = self.match.current
        if not found:
            rest = line[start:].strip()
            if rest or prefix is None:
                self.notes.odd(f"unknown line {quoted(line.strip())}", line=number, game=len(self.match.games))
            else:
                self.notes.remark("a row without a cell", line=number, game=len(self.match.games))
            return
        if game is None:
            self.notes.odd("a row before the first game", line=number)
            return
        before = line[start : found[0].start()].strip()
        if before:
            self.notes.odd(f"{quoted(before)} before the first cell", line=number, game=game.place)
        ends = [match.start() for match in found[1:]] + [len(line)]
        cells = [
            Cell(match.start(), match, line[match.end() : end].strip()) for match, end in zip(found, ends, strict=True)
        ]
        for player, cell in zip(self.players(cells), cells, strict=True):
            self.cell(game, player, cell, number)

    def players(self, cells: list[Cell]) -> list[Player]:
        """Whose each cell is."""
        edge = self.column - TOLERANCE
        if len(cells) == 2 and (cells[0].column < edge or not cells[1].match[6]):
            return [0, 1]
        columns: list[Player] = [0 if cell.column < edge else 1 for cell in cells]
        for i in range(1, len(cells)):
            dropped = (cells[i - 1].match[5] or "").lower() == "drops"
            if cells[i].match[6] and dropped and columns[i] == columns[i - 1]:
                columns[i] = other(columns[i - 1])  # nobody who drops has won
        return columns

    def cell(self, game: GameBuilder, player: Player, cell: Cell, number: int) -> None:
        """One cell."""
        match = cell.match
        if match[1]:
            dice = int(match[1]), int(match[2])
            game.roll(player, dice, self.play(game, cell.text, player), line=number)
            return
        if cell.text:
            self.notes.odd(f"{quoted(cell.text)} behind {quoted(match[0])}", line=number, game=game.place)
        if match[3]:
            game.about_cube(player, ACTIONS[match[3].lower()], int(match[4]) if match[4] else None, line=number)
        elif match[6]:
            points = int(match[7])
            if match[6].lower() == "losses":
                game.resign(player, points, line=number)
            else:
                game.wins(player, points, line=number)
        elif match[5].lower() == "resigns":
            game.resign(player, line=number)
        else:
            game.about_cube(player, ACTIONS[match[5].lower()], line=number)

    def play(self, game: GameBuilder, text: str, player: Player) -> PlayText:
        """The text of a play; an illegal one may be given by the position behind it."""
        written = read_play(text)
        if written.unknown and (illegal := ILLEGAL.fullmatch(text)):
            try:
                position = self.position(illegal[1], player)
            except FormatError as error:
                self.notes.odd(f"{quoted(text)}: {error}", game=game.place)
                return written
            return written._replace(position=position)
        return written

    def position(self, line: str, player: Player) -> Position:
        """The position of a Snowie line, seen by the opponent of the player."""
        position, on_roll = position_of_line(line, self.match.rules.checkers)
        return position.flipped() if on_roll == spelled(self.match.names[player]) else position

    def done(self) -> Match:
        """The match."""
        if not self.begun:
            self.notes.refuse("no transcript: there is no line that gives the length, such as '7 point match'")
        self.score_is_missing()
        self.match.fields["comment"] = "\n".join(self.comments)
        return self.match.done()
