"""What somebody pasted: finds the one position or state in a text, whatever program it came from.

A text may be a bare string (XGID, GNUBGID, Position ID, OGID, a FIBS ``board:`` line, a Snowie line), a post with one
of them in it, or what XG, BGBlitz or GNU Backgammon print around theirs.  The string is read, the drawing beside it
is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from bgcore.errors import FormatError, RuleError
from bgcore.formats.fibs import parse_fibs_board
from bgcore.formats.ogid import UNFINISHED, parse_ogid
from bgcore.formats.snowie import parse_snowie
from bgcore.formats.xgid import Xgid, parse_xgid
from bgcore.match.ids import from_seated
from bgcore.match.state import MatchState
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules

__all__ = ["Kind", "Parsed", "kind_of", "parse"]

Kind = Literal["xgid", "ogid", "gnubgid", "fibs", "snowie", "position-id"]

LONGEST = 1 << 20
"""Characters of a text that are looked through; a longer one is no paste."""

_B64 = "[A-Za-z0-9+/]"
# In this order: BGBlitz and XG print an XGID beside what else they print, and it says most.
_PLACES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("xgid", re.compile(r"(?:XGID(?:=|%3D)[-A-Pa-p]{26}|(?<![\w-])[-A-Pa-p]{26}(?=(?::|%3A)\d))[^\s\"'<>&]*", re.I)),
    (
        "ogid",
        re.compile(
            r"(?:OGID(?:=|:|%3D))?(?<![\w:])[0-9a-q]{1,15}(?::|%3A)[0-9a-q]{1,15}(?::|%3A)[WBND?]\d+[NOTP]"
            r"(?::|%3A)\d{0,2}(?::|%3A)[WB][^\s\"'<>]*"
            r"|OGID(?:=|:|%3D)[^\s\"'<>]+",
            re.ASCII,
        ),
    ),
    ("gnubgid", re.compile(rf"(?<![\w+/]){_B64}{{14}}:{_B64}{{12}}(?![\w+/])", re.ASCII)),
    (
        "gnubgid",
        re.compile(
            rf"Position[- ]ID\s*:?\s*({_B64}{{14}})(?![\w+/])\s*Match[- ]ID\s*:?\s*({_B64}{{12}})(?![\w+/])", re.I
        ),
    ),
    ("fibs", re.compile(r"board:[^\n\r]*", re.IGNORECASE)),
    ("snowie", re.compile(r"(?<![\w;])\d{1,5};[01];\d+;[01];[01];[^;\n]*;[^;\n]*;[^\n\r]*", re.ASCII)),
    ("position-id", re.compile(rf"Position[- ]ID\s*:?\s*({_B64}{{14}})(?![\w+/])", re.IGNORECASE)),
)
_BARE_ID = re.compile(rf"\s*({_B64}{{14}})\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was found.

    Attributes
    ----------
    kind : str
        "xgid", "ogid", "gnubgid", "fibs", "snowie" or "position-id".
    text : str
        The piece that was read.
    position : Position
        Seen by the player on roll.
    state : MatchState or None
        Cube, dice, score; None for a Position ID, and for a game that is over.
    names : tuple of two str, or None
        Of the player on roll and the opponent where the text has them beside the board (FIBS: you, the opponent).
    notes : tuple of str
        What was taken for granted.
    """

    kind: Kind
    text: str
    position: Position
    state: MatchState | None
    names: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()

    def _repr_svg_(self) -> str:
        """The state or the position, for notebooks."""
        from bgcore.draw.board_svg import svg

        return svg(self.position if self.state is None else self.state)


def parse(text: str, *, rules: Rules = BACKGAMMON, strict: bool = True, **options: Any) -> Parsed:
    """Read the position or state that a text holds, and say in which form it was.

    Parameters
    ----------
    text : str
        A string of a known form, or text around one.
    rules : Rules
        The game; no such string names it.
    strict : bool
        Whether an XGID whose fields contradict each other is refused, or put right with a note; if there is no such
        state even then, `state` is None.
    **options
        Fields of `bgcore.match.cube.MatchOptions` that the string leaves open.

    Returns
    -------
    Parsed

    Raises
    ------
    FormatError
        Nothing known in it, or something that is not well formed.
    InvalidPosition, RuleError
        Well formed, but no position, or a state that no play leads to.

    Examples
    --------
    >>> parsed = parse("White to play: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10, what now?")
    >>> parsed.kind, parsed.position.gnubg_id, parsed.state.dice
    ('xgid', '4HPwATDgc/ABMA', (3, 1))
    """
    if not isinstance(text, str):
        raise TypeError(f"parse reads a str, not {type(text).__name__}")
    if len(text) > LONGEST:
        raise FormatError(
            f"the text has {len(text):,} characters; give the part with the position, {LONGEST:,} at most"
        )
    kind, pieces = _find(text)
    if kind is None:
        raise FormatError(
            "no XGID, GNUBGID, OGID, Position ID, FIBS board or Snowie line in this text: "
            f"{text.strip()[:60]!r}{'…' if len(text.strip()) > 60 else ''}"
        )
    parsed = _xgid(pieces[0], rules, options, strict) if kind == "xgid" else _READERS[kind](pieces[0], rules, options)
    others = len(set(pieces)) - 1
    if others:
        return replace(parsed, notes=(*parsed.notes, f"{others} more like it in the text, which were not read"))
    return parsed


def kind_of(text: str) -> Kind | None:
    """Which kind of string `parse` would read in a text; None: it finds nothing."""
    return _find(text[:LONGEST])[0]


def _find(text: str) -> tuple[Kind | None, list[str]]:
    """The kind of string that a text holds, and every piece of that kind."""
    bare = _BARE_ID.fullmatch(text)
    if bare:
        return "position-id", [bare[1]]
    for kind, pattern in _PLACES:
        found = list(pattern.finditer(text))
        if found:
            return kind, [":".join(match.groups()) if match.groups() else _trimmed(match[0]) for match in found]
    return None, []


def _trimmed(piece: str) -> str:
    """Without what a sentence puts behind it."""
    return piece.strip().rstrip(".,!?)]}>`")


def _seated(kind: Kind, text: str, xgid: Xgid, rules: Rules, options: dict[str, Any], *, jacoby_known: bool) -> Parsed:
    notes = () if jacoby_known or xgid.length else ("the text doesn't say whether Jacoby is in use",)
    state = from_seated(xgid, rules, jacoby_known=jacoby_known, **options)
    return Parsed(kind, text, state.position, state, None, notes)


def _xgid(text: str, rules: Rules, options: dict[str, Any], strict: bool) -> Parsed:
    if strict:
        state = MatchState.from_xgid(text, rules, **options)
        return Parsed("xgid", text, state.position, state)
    xgid = parse_xgid(text, checkers=rules.checkers, strict=False)
    try:
        state = from_seated(xgid, rules, **options)
    except RuleError as fault:
        return Parsed("xgid", text, xgid.position, None, None, (*xgid.notes, f"no state of a match: {fault}"))
    return Parsed("xgid", text, state.position, state, None, xgid.notes)


def _ogid(text: str, rules: Rules, options: dict[str, Any]) -> Parsed:
    ogid = parse_ogid(text)
    if ogid.checkers != rules.checkers:
        raise FormatError(
            f"the OGID has {ogid.checkers} checkers a side, {rules.name} {rules.checkers}", field="checkers"
        )
    if ogid.state not in UNFINISHED:
        return Parsed("ogid", text, ogid.seats.to_position(), None, None, (f"state {ogid.state}: the game is over",))
    return _seated("ogid", text, ogid.to_xgid(), rules, options, jacoby_known=False)


def _gnubgid(text: str, rules: Rules, options: dict[str, Any]) -> Parsed:
    state = MatchState.from_gnubg_id(text, rules, **options)
    return Parsed("gnubgid", text, state.position, state)


def _fibs(text: str, rules: Rules, options: dict[str, Any]) -> Parsed:
    board = parse_fibs_board(text, rules.checkers)
    if board.state is None:
        return Parsed("fibs", text, board.seats.to_position(), None, board.names, ("the game is over",))
    parsed = _seated("fibs", text, board.state, rules, options, jacoby_known=False)
    return Parsed("fibs", text, parsed.position, parsed.state, board.names, parsed.notes)


def _snowie(text: str, rules: Rules, options: dict[str, Any]) -> Parsed:
    line = parse_snowie(text, rules.checkers)
    options.setdefault("jacoby", line.state.jacoby)
    parsed = _seated("snowie", text, line.state, rules, options, jacoby_known=False)
    return Parsed("snowie", text, parsed.position, parsed.state, line.names)


def _position_id(text: str, rules: Rules, options: dict[str, Any] | None = None) -> Parsed:
    if options:
        raise FormatError(f"a Position ID has no state for the options {', '.join(options)}")
    return Parsed("position-id", text, Position.from_gnubg_id(text, checkers=rules.checkers), None)


_READERS: dict[Kind, Callable[[str, Rules, dict[str, Any]], Parsed]] = {
    "ogid": _ogid,
    "gnubgid": _gnubgid,
    "fibs": _fibs,
    "snowie": _snowie,
    "position-id": _position_id,
}
