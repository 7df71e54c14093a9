"""A match state in any of the strings that people exchange: the way back from `bgcore.formats.pasted`."""

from __future__ import annotations

from typing import Literal, get_args

from bgcore.errors import FormatError
from bgcore.formats.fibs import format_fibs_board
from bgcore.formats.ogid import Ogid, format_ogid
from bgcore.formats.snowie import SnowieLine, format_snowie
from bgcore.match.ids import to_gnubg_id, to_seated, to_xgid
from bgcore.match.opening import Player
from bgcore.match.state import MatchState

__all__ = ["StateKind", "write_state"]

StateKind = Literal["xgid", "gnubgid", "ogid", "fibs", "snowie"]
"""As `bgcore.formats.pasted.Parsed.kind` calls them."""


def write_state(
    state: MatchState, kind: StateKind, *, names: tuple[str, str] = ("", ""), bottom: Player | None = None
) -> str:
    """Write a state as a string that `bgcore.parse` reads.

    Parameters
    ----------
    state : MatchState
    kind : {"xgid", "gnubgid", "ogid", "fibs", "snowie"}
        An OGID has player 0 as White, a FIBS board player 0 as O; both these and a Snowie line know the player on roll.
    names : tuple of two str
        Of player 0 and player 1, where the string has them (FIBS, Snowie).
    bottom : 0, 1 or None
        As in `MatchState.xgid`.

    Returns
    -------
    str
        docs/formats.md lists what each of them leaves out.

    Raises
    ------
    RuleError, FormatError, InvalidPosition
        The string can't hold the state: another board, no roll yet, a game that is over, a beaver that waits.

    Examples
    --------
    >>> state = MatchState.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:0:0:7:10")
    >>> write_state(state, "ogid")
    '11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:2:0:7:0'
    """
    if kind == "xgid":
        return to_xgid(state, bottom)
    if kind == "gnubgid":
        return to_gnubg_id(state)
    if kind not in get_args(StateKind):
        raise FormatError(f"{kind!r} is no kind of string for a state; there are {', '.join(get_args(StateKind))}")
    xgid = to_seated(state, 0)
    if kind == "ogid":
        return format_ogid(Ogid.from_xgid(xgid, checkers=state.rules.checkers))
    seated = names if state.on_roll == 0 else (names[1], names[0])
    if kind == "fibs":
        return format_fibs_board(xgid, (seated[0] or "You", seated[1] or "Opponent"))
    return format_snowie(SnowieLine(xgid, seated, 0))
