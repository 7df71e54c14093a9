"""A million strings through everything that reads text: an error of ours, or what the text says.

Each is thrown at all readers.  Most are mutations of valid Position IDs, XGIDs and plays; the others are noise.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import bgcore as bg
import strategies
from bgcore import batch
from bgcore.formats.xgid import parse_xgid
from naive import backgammon as naive
from naive import words

QUICK, SIZE, SHARDS = 4_000, 25_000, 40
assert SIZE * SHARDS == 1_000_000

Report = Callable[[str, int, int], None]
Roll = tuple[int, int]

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
ALPHABETS = {
    "id": BASE64 + "-_=.",
    "xgid": "-ABCDEabcde0123456789:",
    "play": "0123456789/-*()baroff ,^",
}
ODD = "\x00\n\r\t\x1f \xa0\xadéſK\u0130\u0131\u0663\u2028\u202e\ufeff\uff11\U0001f3b2\ud800\udfff"


class Turn(NamedTuple):
    """A position and a roll, and its legal plays."""

    position: bg.Position
    roll: Roll
    plays: tuple[bg.Play, ...]


@cache
def turns() -> list[Turn]:
    rng = random.Random(71)
    boards = [board for kind in strategies.KINDS for board in strategies.seeded(kind, 71, 30)]
    found = []
    for board in [*boards, *[strategies.START] * 10]:
        position, roll = bg.Position.from_board(np.array(board, np.int8)), rng.choice(naive.ROLLS)
        plays = bg.BACKGAMMON.legal_plays(position, roll)
        if len(plays) < 300:
            found.append(Turn(position, roll, plays))
    return found


# ---- what is thrown -----------------------------------------------------------------------------------------------


def valid_id(turn: Turn, rng: random.Random) -> str:
    """The ID of a position, or of one with a few checkers moved: mostly one too."""
    counts = turn.position.counts.tolist()
    for _ in range(rng.choice((0, 0, 1, 2))):
        side = rng.choice(counts)
        side[rng.choice([slot for slot in range(26) if side[slot]])] -= 1
        side[rng.choice((0, *range(26)))] += 1
    return words.gnubg_id(counts)


def valid_xgid(turn: Turn, rng: random.Random) -> str:
    board = turn.position.board.tolist()
    line = "".join("-" if not c else chr(ord("A") + c - 1) if c > 0 else chr(ord("a") - c - 1) for c in board)
    length = rng.choice((0, 0, 1, 5, 25))
    scores = [rng.randrange(length or 9) for _ in range(2)]
    crawford = rng.choice((0, int(length - 1 in scores))) if length else rng.randrange(4)
    dice = rng.choice(("00", "D", "B", "R", f"{turn.roll[0]}{turn.roll[1]}"))
    fields = [line, rng.randrange(4), rng.choice((-1, 0, 1)), rng.choice((-1, 1)), dice, *scores, crawford, length]
    fields += rng.choice(([], [10], [8], [3]))
    return rng.choice(("XGID=", "", "xgid=", " XGID=")) + ":".join(map(str, fields)) + rng.choice(("", "", "\r\n", " "))


def valid_play(turn: Turn, rng: random.Random) -> str:
    if not turn.plays:
        return rng.choice(("", "pass", "Cannot Move"))
    play = rng.choice(turn.plays)
    if rng.random() < 0.5:
        return str(play)
    hops = [f"{m.source}/{m.target}{'*' * m.hit}" for m in play.moves]
    rng.shuffle(hops)
    text = rng.choice((" ", ", ", ",")).join(hops)
    return rng.choice((text, text.replace("/", "-"), text.replace("*", ""), text.replace("25/", "Bar/")))


VALID = {"id": valid_id, "xgid": valid_xgid, "play": valid_play}


def mutated(text: str, kind: str, rng: random.Random) -> str:
    """Return a text with one or a few things wrong; some of it may be right again."""
    characters = list(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(characters) + 1)
        new = rng.choice(ODD if rng.random() < 0.1 else ALPHABETS[kind])
        how = rng.randrange(9)
        if how <= 2 and at < len(characters):
            characters[at] = new
        elif how == 3:
            characters.insert(at, new)
        elif how == 4:
            del characters[at : at + 1]
        elif how == 5 and at < len(characters):
            characters[at], characters[at - 1] = characters[at - 1], characters[at]
        elif how == 6:
            characters[at:at] = characters[max(0, at - rng.randrange(6)) : at]
        elif how == 7 and rng.random() < 0.3:
            del characters[at:]
        elif at < len(characters):
            characters[at] = characters[at].swapcase()
    return "".join(characters)


def noise(kind: str, rng: random.Random) -> str:
    length = rng.choice((0, 1, 3, 14, 14, 26, 40, 60, rng.randrange(300)))
    how = rng.randrange(4)
    if how == 0:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(length))
    if how == 1:
        return "".join(map(chr, rng.randbytes(length)))
    alphabet = ALPHABETS[kind] + (ODD if how == 2 else "")
    return "".join(rng.choices(alphabet, k=length))


def thrown(n: int, seed: str) -> list[tuple[str, str, Turn]]:
    """Return n texts, what they began as, and the turn they are read in."""
    rng = random.Random(seed)
    found = []
    for i in range(n):
        kind, turn = ("id", "xgid", "play")[i % 3], rng.choice(turns())
        text = noise(kind, rng) if rng.random() < 0.2 else VALID[kind](turn, rng)
        if rng.random() < 0.7:
            text = mutated(text, kind, rng)
        found.append((kind, text, turn))
    return found


# ---- readers ------------------------------------------------------------------------------------------------------

# Each reads a text and sees that the answer is right; or raises what it may raise.


def read_id(text: str, turn: Turn) -> None:
    position = bg.Position.from_gnubg_id(text)
    assert position.gnubg_id == text
    assert words.gnubg_id(position.counts.tolist()) == text
    assert words.reasons(position.packed.tolist()) == 0
    assert position.counts.sum(axis=1).tolist() == [15, 15]
    assert batch.from_gnubg_ids([text]).tolist() == [position.packed.tolist()]


def read_ids(text: str, turn: Turn) -> None:
    packed = batch.from_gnubg_ids(["4HPwATDgc/ABMA", text])
    text = text.rstrip("\0")  # an array of strings doesn't tell zeros at the end from its padding
    assert batch.gnubg_ids(packed).tolist() == ["4HPwATDgc/ABMA", text]


def read_xgid(text: str, turn: Turn) -> None:
    position = bg.Position.from_xgid(text)
    assert position.counts.sum(axis=1).tolist() == [15, 15]
    xgid = parse_xgid(text)
    assert xgid.position == position
    line = next(
        field for field in text.replace("=", ":").replace("%3", ":").split(":") if len(field.strip(" \"'")) >= 26
    )
    board = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in line.strip(" \"'\t\r\n")[-26:]]
    bottom = bg.Position.from_board(board)
    assert position in (bottom, bottom.flipped())


def read_play(text: str, turn: Turn) -> None:
    play = bg.Play.parse(text)
    assert len(play.moves) == len(play) <= 6  # the most that a game with n moves a double allows
    for move in play.moves:
        assert 0 <= move.target < move.source <= 25
    assert bg.Play.parse(str(play)).moves is not None


def parse_play(text: str, turn: Turn) -> None:
    play = bg.BACKGAMMON.parse_play(turn.position, turn.roll, text)
    if turn.plays:
        assert play in turn.plays
    else:
        assert (len(play), play.result) == (0, turn.position.flipped())
    assert bg.BACKGAMMON.check(turn.position, turn.roll[::-1], text) == play


def parse_play_top(text: str, turn: Turn) -> None:
    play = bg.BACKGAMMON.parse_play(turn.position, turn.roll, text, numbering="absolute", side="top")
    assert play in turn.plays or not turn.plays


def parse_roll(text: str, turn: Turn) -> None:
    assert bg.dice.parse_roll(text) in bg.dice.ROLLS


READERS: dict[str, tuple[Callable[[str, Turn], None], tuple[type[Exception], ...]]] = {
    "id": (read_id, (bg.FormatError, bg.InvalidPosition)),
    "ids": (read_ids, (bg.FormatError, bg.InvalidPosition)),
    "xgid": (read_xgid, (bg.FormatError, bg.InvalidPosition)),
    "play": (read_play, (bg.FormatError,)),
    "play on a board": (parse_play, (bg.FormatError, bg.IllegalPlay)),
    "play on a board, mirrored": (parse_play_top, (bg.FormatError, bg.IllegalPlay)),
    "roll": (parse_roll, (bg.FormatError,)),
}
COUNTED = {"id": "id", "xgid": "xgid", "play": "play", "play on a board": "play"}


def accepted(reader: str, text: str, turn: Turn) -> bool:
    """Tell whether a reader takes a text; an error must be one of its own, and say something short that prints."""
    read, errors = READERS[reader]
    try:
        read(text, turn)
    except errors as error:
        message = str(error)
        message.encode("utf-8")
        if not 0 < len(message) < 5000:  # the text twice, each character ten characters long when it does not print
            raise AssertionError(f"{reader} {text!r}: a message of {len(message)} characters") from error
        return False
    except Exception as error:
        raise AssertionError(f"{reader} {text!r} {turn.position!r} {turn.roll}") from error
    return True


def throw(n: int, seed: str, report_share: Report) -> None:
    thrown_at, taken = dict.fromkeys(READERS, 0), dict.fromkeys(READERS, 0)
    for kind, text, turn in thrown(n, seed):
        for reader in READERS:
            took = accepted(reader, text, turn)
            if COUNTED.get(reader) == kind:
                thrown_at[reader] += 1
                taken[reader] += took
    for reader in COUNTED:
        report_share(f"strings, {reader}", thrown_at[reader], taken[reader])


def test_strings(report_share: Report) -> None:
    throw(QUICK, "quick", report_share)


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_million_strings(shard: int, report_share: Report) -> None:
    throw(SIZE, f"long {shard}", report_share)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", ["A", "/", "8/5 ", "-", "(", "9", "\x00", "\ud800", "XGID=", "6/5(", "*", " "])
def test_very_long_strings(reader: str, piece: str) -> None:
    """Refused at once, whatever they repeat."""
    text = piece * 100_000
    assert not accepted(reader, text, turns()[-1])
