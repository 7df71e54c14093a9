"""The notation of plays: texts to hops and moves to texts.  Syntax only, no board.

A *move* is one checker moved with one die, a *play* the whole of a roll; a *hop* of a text may need several dice.
The canonical text is GNU Backgammon's form for people, which books, forums and XG use as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from bgcore.errors import FormatError

__all__ = ["BAR", "OFF", "Move", "format_hops", "format_moves", "parse_hops"]

BAR = 25
OFF = 0
MOST_MOVES = 6  # of any game: a 6-6 of Jacquet de Versailles; four in all others

LONGEST_TEXT = 200  # no play needs 60 characters
NO_MOVE = frozenset({"", "pass", "dance", "dances", "cannot move", "can't move", "no move", "none"})
POINT = r"(?:bar|ba|b|off|of|o|[0-9]{1,2})"
TOKEN = re.compile(rf"({POINT}[*^]?(?:[/-](?:{POINT}|-)[*^]?)+)(?:\(([0-9]+)\))?([*^]?)", re.IGNORECASE)
PLAIN = re.compile(POINT, re.IGNORECASE)
STOP = re.compile(rf"({POINT}|-)([*^]?)(?:[/-]|$)", re.IGNORECASE)


class Move(NamedTuple):
    """One checker moved with one die, in the mover's own numbering: 25 is the bar, 0 is off."""

    source: int
    """Where the checker comes from, 1-25."""
    target: int
    """Where it goes, 0-24."""
    hit: bool = False
    """Whether it hits a blot there."""
    pin: bool = False
    """Whether it pins a checker there (games with pinning)."""


# ---- reading ------------------------------------------------------------------------------------------------------


def parse_hops(text: str, mirrored: bool = False) -> list[Move]:
    """The hops of a play text as a list of Move; see Play.parse.

    With mirrored, numerals are the other side's: n is the mover's point 25 - n.
    """
    if len(text) > LONGEST_TEXT:
        raise FormatError(f"a play is at most {LONGEST_TEXT} characters, not {len(text)}: {text[:40]!r}…")
    if " ".join(text.split()).lower() in NO_MOVE:
        return []
    words = [(m.group(), m.start()) for m in re.finditer(r"[^\s,]+", text)]
    if all(PLAIN.fullmatch(word) for word, _ in words):
        if len(words) % 2:
            raise FormatError(f"play {text!r}: points without '/' come in pairs, but there are {len(words)}", offset=0)
        hops = [
            hop(text, source, word, "", place, mirrored)
            for (source, place), (word, _) in zip(words[::2], words[1::2], strict=True)
        ]
    else:
        hops = [move for word, place in words for move in token_hops(text, word, place, mirrored)]
    if len(hops) > MOST_MOVES:
        raise FormatError(f"play {text!r}: {len(hops)} moves, but a roll has at most {MOST_MOVES}", offset=0)
    return hops


def token_hops(text: str, word: str, place: int, mirrored: bool) -> list[Move]:
    """The hops of one token such as 24/18/13*(2)."""
    match = TOKEN.fullmatch(word)
    if match is None:
        raise FormatError(
            f"play {text!r}: {word!r} at place {place} is no move; write 13/8, bar/22, 6/off, 8/5*, 6/5(2)",
            offset=place,
        )
    times = int(match.group(2)) if match.group(2) else 1
    if not 1 <= times <= MOST_MOVES:
        raise FormatError(
            f"play {text!r}: ({times}) at place {place}; a move can be made 2 to {MOST_MOVES} times", offset=place
        )
    # '/' and '-' both separate; "6/-" is 6/off, so a '-' right after a separator is a point.
    stops = [stop.groups() for stop in STOP.finditer(match.group(1))]
    hops = []
    for i in range(1, len(stops)):
        last = i == len(stops) - 1
        hops.append(
            hop(text, stops[i - 1][0], stops[i][0], stops[i][1] or (match.group(3) if last else ""), place, mirrored)
        )
    # Of several equal moves only the first can hit.
    return hops + [move._replace(hit=False) for _ in range(times - 1) for move in hops]


def hop(text: str, source: str, target: str, mark: str, place: int, mirrored: bool) -> Move:
    """One hop from words for its ends."""
    start = point_number(source, mirrored)
    end = point_number(target, mirrored)
    if not (0 <= start <= 25 and 0 <= end <= 25):
        raise FormatError(f"play {text!r}: at place {place} a point is not 1 to 24, bar (25) or off (0)", offset=place)
    if start == OFF:
        raise FormatError(f"play {text!r}: at place {place} a checker comes from off", offset=place)
    if end == BAR:
        raise FormatError(f"play {text!r}: at place {place} a checker goes to the bar", offset=place)
    if end >= start:
        raise FormatError(f"play {text!r}: at place {place} {source}/{target} moves backwards", offset=place)
    return Move(start, end, mark == "*", mark == "^")


def point_number(word: str, mirrored: bool) -> int:
    """The mover's number of a point written as a word or a numeral."""
    letter = word[0].lower()
    if letter == "b":
        return BAR
    if letter in "o-":
        return OFF
    return 25 - int(word) if mirrored else int(word)


# ---- printing -----------------------------------------------------------------------------------------------------


def format_moves(moves: Iterable[Move]) -> str:
    """The canonical text of moves: highest source first, one checker's hops merged up to a hit, equal ones counted."""
    chains: list[list[Move]] = []
    for move in sorted(moves, key=lambda m: (-m.source, -m.target, not (m.hit or m.pin))):
        for chain in chains:
            if chain[-1].target == move.source:
                chain.append(move)
                break
        else:
            chains.append([move])
    # Two checkers on the same way are one text with a count; the first has the marks, since only it can hit.
    counted: dict[tuple[int, ...], tuple[str, int]] = {}
    for chain in sorted(chains, key=lambda c: (-c[0].source, -c[-1].target)):
        way = (chain[0].source, *[move.target for move in chain])
        text, times = counted.get(way, (chain_text(chain), 0))
        counted[way] = text, times + 1
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in counted.values())


def format_hops(hops: Iterable[Move]) -> str:
    """Hops one by one, in their order: what `parse_hops` makes the same hops of."""
    return " ".join(chain_text([hop]) for hop in hops)


def chain_text(chain: list[Move]) -> str:
    """24/18*/13 for the hops of one checker."""
    text = point_text(chain[0].source)
    for i, move in enumerate(chain):
        mark = "*" if move.hit else "^" if move.pin else ""
        if mark or i == len(chain) - 1:
            text += f"/{point_text(move.target)}{mark}"
    return text


def point_text(point: int) -> str:
    """A point as it is written: a number, bar or off."""
    return "bar" if point == BAR else "off" if point == OFF else str(point)
