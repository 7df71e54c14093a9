"""The arguments that several sub-commands share, and what a POSITION may be."""

from __future__ import annotations

import importlib.metadata
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from bgcore.errors import FormatError, RuleError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules, get, names

if TYPE_CHECKING:
    from bgcore.match.state import MatchState

__all__ = [
    "Given",
    "PositionArgument",
    "RulesOption",
    "StartArgument",
    "ThreadsOption",
    "has_ids",
    "read_position",
    "version",
    "words",
    "written",
]

ID_LENGTH = 14
PACKED = re.compile(r"0x[0-9a-f]{1,16}(\s+0x[0-9a-f]{1,16}){3}", re.ASCII | re.IGNORECASE)
LINE = re.compile(r"[-A-Pa-p]{26}")  # the first field of an XGID
POSITION_HELP = (
    "An XGID in quotes, GNU Backgammon's Position ID, with its Match ID or alone, an OGID, a FIBS board, a Snowie "
    'line, a text around one of them, four packed words in quotes, "start", or the name of a game for its start.'
)

PositionArgument = Annotated[str, typer.Argument(metavar="POSITION", help=POSITION_HELP, show_default=False)]
StartArgument = Annotated[str, typer.Argument(metavar="[POSITION]", help=POSITION_HELP)]
RulesOption = Annotated[
    str | None,
    typer.Option("--rules", metavar="NAME", help=f"The game: {', '.join(names())}; {BACKGAMMON.name} if not given."),
]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=4096, help="Threads to use.")]


@dataclass(frozen=True, slots=True)
class Given:
    """What the user gave: a position, its game, and what the text says beside."""

    position: Position
    rules: Rules
    kind: str = "start"
    """As `bgcore.formats.pasted.Parsed.kind`, or "start" or "packed"."""
    state: MatchState | None = None
    names: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()

    @property
    def dice(self) -> tuple[int, int] | None:
        """The roll to be played, if the text has one."""
        return None if self.state is None else self.state.dice


def read_position(text: str, rules_name: str | None = None, *, strict: bool = True) -> Given:
    """Read a POSITION argument.

    Raises
    ------
    FormatError, InvalidPosition, RuleError
        It is none, it is none of the game, or the game is unknown.
    """
    rules = BACKGAMMON if rules_name is None else read_rules(rules_name)
    text = text.strip()
    name = text.lower()
    if name == "start":
        return Given(rules.start, rules)
    if name.partition(":")[0] in names():
        named = read_rules(name)
        if rules_name is None:
            rules = named
        elif rules.start != named.start:
            raise RuleError(f"the start of {name} is no position of {rules.name}; leave --rules out")
        return Given(rules.start, rules)
    given = read_text(text, rules, strict)
    rules.outcome(given.position)  # refuses what is no position of the game
    return given


def read_rules(text: str) -> Rules:
    """The game of a name, or of a name and a preset: portes, portes:greek."""
    name, _, preset = text.strip().partition(":")
    return get(name, preset or None)


def read_text(text: str, rules: Rules, strict: bool) -> Given:
    """Read packed words, or whatever `bgcore.parse` knows."""
    if PACKED.fullmatch(text):
        packed = np.array([int(word, 16) for word in text.split()], np.uint64)
        return Given(Position.from_packed(packed), rules, "packed")
    from bgcore.formats.pasted import kind_of, parse
    from bgcore.formats.xgid import parse_xgid

    kind = kind_of(text)
    is_xgid = kind == "xgid" or (kind is None and (text.lower().startswith("xgid") or LINE.match(text)))
    is_id = kind in ("position-id", "gnubgid") or (kind is None and len(text) == ID_LENGTH and " " not in text)
    if kind is None and not (is_xgid or is_id):
        shown = ascii(text if len(text) <= 40 else text[:40] + "...")
        raise FormatError(
            f"{shown} is no position; give an XGID, a Position ID of {ID_LENGTH} characters, an OGID, a FIBS board, "
            f"four packed words, start, or {', '.join(names())}"
        )
    if not has_ids(rules):
        what = "XGIDs" if is_xgid else "Position IDs" if is_id else "such strings"
        raise FormatError(
            f"{rules.name} has no {what}; give the four packed words in quotes, as bgcore show prints them"
        )
    if kind is None:  # one of these two says what is wrong with it
        return (
            Given(parse_xgid(text, rules.checkers).position, rules)
            if is_xgid
            else Given(Position.from_gnubg_id(text, rules.checkers), rules)
        )
    parsed = parse(text, rules=rules, strict=strict)
    return Given(parsed.position, rules, parsed.kind, parsed.state, parsed.names, parsed.notes)


def has_ids(rules: Rules) -> bool:
    """Whether a Position ID can hold every position of a game: no pins, no points that only seem shared."""
    return rules.geometry == "contrary" and rules.contact != "pin"


def words(position: Position) -> str:
    """The packed words of a position."""
    return " ".join(f"{word:#x}" for word in position.packed.tolist())


def written(position: Position, rules: Rules) -> str:
    """A position of a game in one line: its Position ID, or the packed words where the game has no such IDs."""
    return position.gnubg_id if has_ids(rules) else words(position)


def version() -> str:
    """The version of the installed package."""
    try:
        return importlib.metadata.version("bgcore")
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"
