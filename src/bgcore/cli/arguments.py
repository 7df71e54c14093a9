"""The arguments that several sub-commands share, and what a POSITION may be."""

from __future__ import annotations

import importlib.metadata
import re
from dataclasses import dataclass
from typing import Annotated

import typer

from bgcore.dice import check_roll
from bgcore.errors import FormatError, RuleError
from bgcore.formats.xgid import Xgid, parse_xgid
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules, get, names

__all__ = ["Given", "PositionArgument", "RulesOption", "StartArgument", "ThreadsOption", "read_position", "version"]

ID_LENGTH = 14
WITH_MATCH_ID = re.compile(r"[^:=]{14}:[^:]{12}")
POSITION_HELP = 'An XGID in quotes, a GNU Backgammon Position ID, "start", or the name of a game for its start.'

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
    rules = BACKGAMMON if rules_name is None else get(rules_name)
    text = text.strip()
    name = text.lower()
    if name == "start":
        return Given(rules.start, rules)
    if name in names():
        if rules_name is not None and rules != get(name):
            raise RuleError(f"the start of {name} is no position of {rules.name}; leave --rules out")
        return Given(get(name).start, get(name))
    if WITH_MATCH_ID.fullmatch(text):
        raise FormatError(f"{text!r} is a Position ID and a Match ID; give the part before ':' only")
    if ":" in text or "%3A" in text or name.startswith("xgid") or re.fullmatch(r"[-A-Pa-p]{26}", text):
        xgid = parse_xgid(text, rules.checkers)
        given = Given(xgid.position, rules, None if xgid.dice is None else check_roll(xgid.dice), xgid)
    elif len(text) == ID_LENGTH:
        given = Given(Position.from_gnubg_id(text, rules.checkers), rules)
    else:
        shown = ascii(text if len(text) <= 40 else text[:40] + "...")
        raise FormatError(
            f"{shown} is no position; give an XGID, a Position ID of {ID_LENGTH} characters, start, "
            f"or {', '.join(names())}"
        )
    rules.outcome(given.position)  # refuses what is no position of the game
    return given


def version() -> str:
    """The version of the installed package."""
    try:
        return importlib.metadata.version("bgcore")
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"
