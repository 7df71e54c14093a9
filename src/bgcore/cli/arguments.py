"""The arguments that several sub-commands share, and what a POSITION may be."""

from __future__ import annotations

import importlib.metadata
import re
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer

from bgcore.dice import check_roll
from bgcore.errors import FormatError, RuleError
from bgcore.formats.xgid import Xgid, parse_xgid
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules, get, names

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
WITH_MATCH_ID = re.compile(r"[^:=]{14}:[^:]{12}")
POSITION_HELP = (
    'An XGID in quotes, a GNU Backgammon Position ID, four packed words in quotes, "start", or the name of a game for '
    "its start."
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
    """What the user gave: a position, its game, and what an XGID says beside."""

    position: Position
    rules: Rules
    dice: tuple[int, int] | None = None
    xgid: Xgid | None = None


def read_position(text: str, rules_name: str | None = None) -> Given:
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
    given = read_text(text, rules)
    rules.outcome(given.position)  # refuses what is no position of the game
    return given


def read_rules(text: str) -> Rules:
    """The game of a name, or of a name and a preset: portes, portes:greek."""
    name, _, preset = text.strip().partition(":")
    return get(name, preset or None)


def read_text(text: str, rules: Rules) -> Given:
    """Read an XGID, a Position ID or packed words."""
    if PACKED.fullmatch(text):
        packed = np.array([int(word, 16) for word in text.split()], np.uint64)
        return Given(Position.from_packed(packed), rules)
    if WITH_MATCH_ID.fullmatch(text):
        raise FormatError(f"{text!r} is a Position ID and a Match ID; give the part before ':' only")
    is_xgid = ":" in text or "%3A" in text or text.lower().startswith("xgid") or LINE.fullmatch(text)
    if not is_xgid and len(text) != ID_LENGTH:
        shown = ascii(text if len(text) <= 40 else text[:40] + "...")
        raise FormatError(
            f"{shown} is no position; give an XGID, a Position ID of {ID_LENGTH} characters, four packed words, start, "
            f"or {', '.join(names())}"
        )
    if not has_ids(rules):
        kind = "XGIDs" if is_xgid else "Position IDs"
        raise FormatError(
            f"{rules.name} has no {kind}; give the four packed words in quotes, as bgcore show prints them"
        )
    if is_xgid:
        xgid = parse_xgid(text, rules.checkers)
        return Given(xgid.position, rules, None if xgid.dice is None else check_roll(xgid.dice), xgid)
    return Given(Position.from_gnubg_id(text, rules.checkers), rules)


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
