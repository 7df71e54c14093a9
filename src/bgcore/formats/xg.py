"""eXtreme Gammon's files (``.xg``), read: match, games, plays, cube, comments; analysis and rollouts are left out.

Offsets of notes count from the beginning of ``temp.xg``, the part of the file that holds the match, once inflated.
Player 1 is player 0.
"""

from __future__ import annotations

import datetime
import struct

import numpy as np
from numpy.typing import NDArray

from bgcore.errors import BgcoreError
from bgcore.formats.building import GameBuilder, MatchBuilder, Notes
from bgcore.formats.play_text import PlayText
from bgcore.formats.rtf import plain_text
from bgcore.formats.tags import VARIANTS
from bgcore.formats.xg_container import COMMENTS, RECORD, RECORDS, read_container
from bgcore.match.opening import Player, other
from bgcore.match.transcript import Ending, Match
from bgcore.position import Position

__all__ = ["read_xg"]

MATCH, GAME, CUBE, PLAY, GAME_END, MATCH_END = range(6)
UNLIMITED = 99999
VARIATIONS = ("backgammon", "nackgammon", "hypergammon", "longgammon")
EPOCH = datetime.date(1899, 12, 30)
NEGATED = bytes(-byte & 255 for byte in range(256))
LOW = 2**64 - 1
MOST_COMMENT = 10_000
"""Characters of one."""
MOST_COMMENTS = 2**22
"""Bytes of all together, with their formatting."""


def read_xg(data: bytes, notes: Notes) -> Match:
    """Read an XG file.

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
        No XG file, or there is no match in it.
    """
    files = read_container(data, notes)
    records = files[RECORDS]
    if len(records) < RECORD or records[8] != MATCH:
        notes.refuse(f"{RECORDS} does not begin with the record of a match", offset=0)
    reader = Reader(notes, comments_of(files.get(COMMENTS, b"")))
    for offset in range(0, len(records) - RECORD + 1, RECORD):
        reader.record(records[offset : offset + RECORD], offset)
    if rest := len(records) % RECORD:
        notes.odd(f"{rest} bytes behind the last whole record", offset=len(records) - rest)
    return reader.done()


def comments_of(data: bytes) -> list[str]:
    """The comments, one RTF text a line; line ends inside them are kept as bytes 1 and 2."""
    lines = data[:MOST_COMMENTS].decode("cp1252", "replace").split("\r\n")
    return [plain_text(line.replace("\x01\x02", "\r\n"))[:MOST_COMMENT] for line in lines]


class Reader:
    """A match while its records are read."""

    def __init__(self, notes: Notes, comments: list[str]) -> None:
        self.notes = notes
        self.comments = comments
        self.match = MatchBuilder(notes, "xg")
        self.analysed = 0
        self.cube_comment = ""
        self.expected = b""  # what a record should begin with: the position behind the last one

    def record(self, record: bytes, offset: int) -> None:
        """One record."""
        kind = record[8]
        if kind == MATCH:
            if offset:
                self.notes.odd("a second match in the file; only its games are read", offset=offset)
            else:
                self.match_head(record)
        elif kind == GAME:
            self.game_head(record, offset)
        elif kind in (CUBE, PLAY, GAME_END):
            game = self.match.current
            if game is None:
                self.notes.odd("a turn outside of any game", offset=offset)
            elif kind == CUBE:
                self.cube(game, record, offset)
            elif kind == PLAY:
                self.play(game, record, offset)
            else:
                self.game_end(game, record, offset)
        elif kind != MATCH_END:
            self.notes.odd(f"a record of kind {kind}, which is not known", offset=offset)

    # ---- heads

    def match_head(self, record: bytes) -> None:
        """Names, length, options."""
        match = self.match
        names = [wide(record, at) or short(record, narrow) for at, narrow in ((880, 9), (1138, 50))]
        match.names = names[0], names[1]
        (length,) = struct.unpack_from("<i", record, 92)
        match.set_length(0 if length == UNLIMITED else length, offset=92)
        (variation,) = struct.unpack_from("<i", record, 96)
        if 0 <= variation < len(VARIATIONS):
            match.rules = VARIANTS[VARIATIONS[variation]]
        else:
            self.notes.odd(f"variation {variation} is not known; read as backgammon", offset=96)
        match.crawford = bool(record[100])
        match.jacoby, match.beavers = bool(record[101]), bool(record[102])
        elo_one, elo_two, _, date = struct.unpack_from("<dddd", record, 104)
        match.fields |= {
            "ratings": (rating(elo_one), rating(elo_two)),
            "date": day(date),
            "event": wide(record, 622),
            "site": wide(record, 1396),
            "round": wide(record, 1654),
        }
        (limit,) = struct.unpack_from("<i", record, 612)
        if 0 <= limit <= 30:
            match.fields["info"] = (("CubeLimit", str(2**limit)),)
            match.fields["use_cube"] = limit > 0

    def game_head(self, record: bytes, offset: int) -> None:
        """Score and first position."""
        zero, one = struct.unpack_from("<ii", record, 12)
        (number,) = struct.unpack_from("<i", record, 48)
        start = self.board(record[21:47], offset + 21) if any(record[21:47]) else None
        if start is not None and self.match.rules.validate(start):
            self.notes.odd("no position of the game", offset=offset + 21)
            start = None
        self.expected = b""
        self.match.game((zero, one), number=number, crawford=bool(record[20]), start=start, offset=offset)

    # ---- turns

    def cube(self, game: GameBuilder, record: bytes, offset: int) -> None:
        """Whether somebody doubled, and what was answered."""
        actor, double, answer, _, raccoon = struct.unpack_from("<iiiii", record, 12)
        (comment,) = struct.unpack_from("<i", record, 292)
        self.cube_comment = self.comment(comment)
        if double != 1:
            return
        player = self.player(actor, offset)
        if player is None:
            return
        game.about_cube(player, "double", comment=self.cube_comment, offset=offset)
        self.cube_comment = ""
        opponent = other(player)
        if answer == 0:
            game.about_cube(opponent, "drop", offset=offset)
        elif answer == 1:
            game.about_cube(opponent, "take", offset=offset)
        elif answer == 2:
            game.about_cube(opponent, "beaver", offset=offset)
            if raccoon == 1:
                game.about_cube(player, "raccoon", offset=offset)
        elif answer != -1:
            self.notes.odd(f"an answer {answer} to a double, which is not known", offset=offset, game=game.place)

    def play(self, game: GameBuilder, record: bytes, offset: int) -> None:
        """A roll and what was made of it."""
        (actor,) = struct.unpack_from("<i", record, 64)
        player = self.player(actor, offset)
        if player is None:
            return
        numbers = struct.unpack_from("<8i2i", record, 68)
        dice = numbers[8], numbers[9]
        if not (1 <= dice[0] <= 6 and 1 <= dice[1] <= 6):
            self.notes.odd(f"dice {dice[0]} and {dice[1]}", offset=offset + 100, game=game.place)
            return
        moves: list[tuple[int, int]] = []
        for source, target in zip(numbers[:8:2], numbers[1:8:2], strict=True):
            if source == -1:
                break
            moves.append((source + 1, target + 1))
        fine = all(1 <= source <= 25 and 0 <= target <= 24 for source, target in moves)
        if record[9:35] != self.expected:
            self.compare(game, self.board(record[9:35], offset + 9), offset)
        after = self.board(record[35:61], offset + 35)
        text = " ".join(f"{source}/{target}" for source, target in moves)
        illegal, comment = struct.unpack_from("<i", record, 2480)[0], struct.unpack_from("<i", record, 2524)[0]
        told = None if after is None or not moves else after.flipped()
        written = PlayText(text, tuple(moves) if fine else (), 0, not fine, told)
        said = "\n".join(part for part in (self.cube_comment, self.comment(comment)) if part)
        game.roll(player, (dice[0], dice[1]), written, comment=said, offset=offset)
        self.cube_comment = ""
        self.analysed += struct.unpack_from("<i", record, 120)[0] > 0
        turn = game.turns[-1]
        if illegal == 2 and turn.play is not None:
            self.notes.odd(f"{turn.play} is marked as illegal, but it is legal", offset=offset, game=game.place)
        same = after is not None and turn.result == after.flipped()
        if not same:
            self.expected = b""
        elif player == 0:
            self.expected = record[35:61]
        else:
            self.expected = record[35:61][::-1].translate(NEGATED)
        if told is not None and turn.play is not None and not same:
            self.notes.odd(f"{turn.play}: the position behind it is another one", offset=offset + 35, game=game.place)

    def compare(self, game: GameBuilder, before: Position | None, offset: int) -> None:
        """The position that a record begins with should be the one before it."""
        if before is None:
            return
        if self.match.rules.validate(before):
            self.notes.odd("no position of the game", offset=offset + 9, game=game.place)
            return
        here = game.board if game.board is None or game.sees == 0 else game.board.flipped()
        if here is None or here != before:
            game.where = {"line": None, "offset": offset}
            game.set_up(before, 0)

    def game_end(self, game: GameBuilder, record: bytes, offset: int) -> None:
        """Who won, how, and how much."""
        winner, points, how = struct.unpack_from("<iii", record, 24)
        player = self.player(winner, offset)
        if player is not None:
            ending: Ending = "settled" if how >= 1000 else "resigned" if how >= 100 else "unknown"
            game.wins(player, points if points > 0 else None, ending, offset=offset)
        self.match.end_game()

    # ---- parts of records

    def player(self, number: int, offset: int) -> Player | None:
        """1 is player 1, -1 player 2."""
        if number in (1, -1):
            return 0 if number == 1 else 1
        self.notes.odd(f"player {number}; there are 1 and -1", offset=offset)
        return None

    def board(self, line: bytes, offset: int) -> Position | None:
        """26 signed bytes as a position of the player whose numbering they are in."""
        words = packed(line, self.match.rules.checkers)
        if words is not None:
            return Position.from_packed(words)
        try:  # slower, and says what is wrong
            return Position.from_board(np.frombuffer(line, np.int8), self.match.rules.checkers)
        except BgcoreError as error:
            self.notes.odd(f"no position: {error}", offset=offset)
            return None

    def comment(self, number: int) -> str:
        """A comment by its number; -1 is none."""
        return self.comments[number] if 0 <= number < len(self.comments) else ""

    def done(self) -> Match:
        """The match."""
        if self.analysed:
            self.notes.remark(f"the analysis of {self.analysed} plays is left out")
        return self.match.done()


def short(record: bytes, at: int) -> str:
    """A text behind a byte that gives its length."""
    return record[at + 1 : at + 1 + min(record[at], 40)].decode("cp1252", "replace").strip()


def wide(record: bytes, at: int) -> str:
    """A text of up to 129 UTF-16 characters that ends in a NUL."""
    text = record[at : at + 258].decode("utf-16-le", "replace")
    return "".join(c if c.isprintable() else " " for c in text.split("\0")[0]).strip()


def rating(value: float) -> float | None:
    """A rating, if it can be one."""
    return value if 0 < value < 1e6 else None


def day(value: float) -> str:
    """Days since the end of 1899 as a date."""
    if not 1 <= value < 2_000_000:  # false for NaN, too
        return ""
    return (EPOCH + datetime.timedelta(days=int(value))).isoformat()


def packed(line: bytes, checkers: int) -> NDArray[np.uint64] | None:
    """26 signed bytes as packed words; None if they are no position."""
    own = opponent = owns = opponents = 0
    for slot, count in enumerate(line):
        if count > 240:
            opponent += 256 - count << 4 * (25 - slot)
            opponents += 256 - count
        elif count <= 15:
            own += count << 4 * slot
            owns += count
        else:
            return None
    if max(owns, opponents) > checkers or not (owns or opponents) or 0 < line[0] <= 15 or line[25] > 15:
        return None
    own += checkers - owns
    opponent += checkers - opponents
    return np.array((own & LOW, own >> 64, opponent & LOW, opponent >> 64), np.uint64)
