"""Plays as match files write them: to moves for the builder, and back to a program's spelling.

Reading is tolerant of what `bgcore.notation` refuses, a checker that goes backwards for example, since illegal plays
are in real files and later rows build on them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bgcore.errors import FormatError
from bgcore.notation import LONGEST_TEXT, NO_MOVE, format_moves, parse_hops
from bgcore.play import Play
from bgcore.position import Position

__all__ = ["NOTHING", "PlayText", "hop_by_hop", "read_play", "spans"]

Moves = tuple[tuple[int, int], ...]

TOKEN = re.compile(r"(bar|[0-9]{1,2})((?:/(?:off|[0-9]{1,2})\*?)+)(?:\(([2-4])\))?(\*?)", re.IGNORECASE | re.ASCII)
UNKNOWN = re.compile(r"\?+")
MOST_MOVES = 8  # of a text: four of a double, and what a misread play may have more


class PlayText(NamedTuple):
    """What a file says of a play."""

    text: str
    """As it stood."""
    moves: Moves = ()
    """Source and target of each; empty: no move."""
    marks: int = 0
    """Hits that are marked."""
    unknown: bool = False
    """The play is not recorded, or its text is no play."""
    position: Position | None = None
    """What the file says that the play left, seen by the opponent."""


NOTHING = PlayText("")


def read_play(text: str) -> PlayText:
    """Read the text of a play, syntax only.

    Parameters
    ----------
    text : str

    Returns
    -------
    PlayText
        Unknown, if it is ``????`` or no play at all.
    """
    moves: list[tuple[int, int]] = []
    marks = 0
    try:
        for word in text.split():
            some, hits = token(word)
            moves += some
            marks += hits
    except FormatError:
        return read_oddly(text.strip())
    if len(moves) > MOST_MOVES:
        return PlayText(text.strip(), unknown=True)
    return PlayText(text, tuple(moves), marks)


@lru_cache(maxsize=8192)
def token(word: str) -> tuple[Moves, int]:
    """The moves of one token such as 24/18*/13(2), and how many hits it marks.

    Raises
    ------
    FormatError
        It is none.
    """
    match = TOKEN.fullmatch(word)
    if match is None:
        raise FormatError("no move")
    source, chain, times, late = match.groups()
    stops = [point(source)]
    stops += [point(stop.rstrip("*")) for stop in chain[1:].split("/")]
    if any(stop > 25 for stop in stops) or 0 in stops[:-1] or 25 in stops[1:]:
        raise FormatError("no move")
    once = tuple(pairwise(stops))
    return once * int(times or 1), chain.count("*") + len(late)


def point(word: str) -> int:
    """The number of a point written as a word or a numeral."""
    first = word[0]
    return 25 if first in "bB" else 0 if first in "oO" else int(word)


def read_oddly(text: str) -> PlayText:
    """Read what is not made of plain tokens."""
    plain = " ".join(text.split()).lower() if len(text) <= LONGEST_TEXT else text
    if plain in NO_MOVE:
        return PlayText(text)
    if not UNKNOWN.fullmatch(plain):
        try:
            hops = parse_hops(text)
        except FormatError:
            return PlayText(text, unknown=True)
        return PlayText(text, tuple((hop.source, hop.target) for hop in hops), sum(hop.hit for hop in hops))
    return PlayText(text, unknown=True)


# ---- writing ------------------------------------------------------------------------------------------------------


def hop_by_hop(play: Play, *, hits: bool = True) -> str:
    """Every move alone, in numerals: ``25/23 25/23 6/0``, as GNU Backgammon writes match files."""
    return " ".join(f"{source}/{target}{'*' if hit and hits else ''}" for source, target, hit, _ in play.moves)


CHAIN = re.compile(r"([^ (]+)(\([2-4]\))?")


def spans(play: Play) -> str:
    """Hops of one checker merged, split where it hits: ``Bar/22 8/7* 7/3 6/Off(2)``, as XG writes texts."""
    words = []
    for match in CHAIN.finditer(format_moves(play.moves)):
        chain, times = match.group(1), match.group(2) or ""
        stops = chain.split("/")
        words += [f"{stops[i].rstrip('*')}/{stops[i + 1]}{times}" for i in range(len(stops) - 1)]
    return " ".join(words).replace("bar", "Bar").replace("off", "Off")
