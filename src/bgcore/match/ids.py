"""A match state as a text: GNU Backgammon's ID, the XGID, a line for people; and back.

The codecs in `bgcore.formats` know what a text says, this module what it means: states that no play leads to are
refused.  Both are for games on a contrary board without pinned checkers; `Rules` and options that the texts cannot
hold are given beside them.

Seats: the bottom player of an XGID and GNU Backgammon's player 1 are one and the same, and here player 0, as White of
an OGID and eXtreme Gammon's player 1 are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from bgcore.errors import RuleError
from bgcore.formats._xgid import scanned
from bgcore.formats.ids import MatchId, format_match_id, parse_match_id, split_gnubg_id
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.xgid import Pending, Xgid, format_xgid, parse_xgid
from bgcore.match.cube import LARGEST_CUBE
from bgcore.match.opening import Player, check_player, other
from bgcore.position import Position

if TYPE_CHECKING:
    from bgcore.match.state import MatchState
    from bgcore.rules import Rules

__all__ = ["describe", "from_gnubg_id", "from_seated", "from_xgid", "to_gnubg_id", "to_seated", "to_xgid"]

XGID_BEAVERS = 2
"""What the beaver bit of an XGID stands for, unless ``beavers=`` says otherwise: one beaver and one raccoon."""

XGID_LIMIT = 10
"""Logarithm of the largest cube that is written where nothing else is known: eXtreme Gammon's; 30 beyond it."""

GNUBG_LENGTH = 64
GNUBG_MONEY_CUBE = 12
GNUBG_MATCH_CUBE = 6
"""GNU Backgammon's longest match, and its largest cubes as logarithms."""


# ---- GNU Backgammon


def from_gnubg_id(text: str, rules: Rules, **options: Any) -> MatchState:
    """Read ``PositionID:MatchID``.

    Parameters
    ----------
    text : str
        As GNU Backgammon prints it; its player 1 becomes player 0.  `bgcore.formats.ids` lists what it does not say.
    rules : Rules
        The game.
    **options
        Fields of `bgcore.match.cube.MatchOptions`.  The Jacoby rule is read from the text; as many beavers and
        automatic doubles as the text shows are taken for agreed if the options don't say.

    Returns
    -------
    MatchState
        A number of beavers and raccoons is read as the shortest that gives the same decision.  A state "none" with
        dice, which some programs write, is read as "playing".

    Raises
    ------
    FormatError
        Not an ID.
    RuleError
        No play of a match leads to that state.
    InvalidPosition
        Not a position of the game.

    Examples
    --------
    >>> from bgcore import BACKGAMMON
    >>> from_gnubg_id("4HPwATDgc/ABMA:cAnzAAAAAAAE", BACKGAMMON)
    <MatchState 7-point match at 0-0, game 1: player 0 to play 6-4>
    """
    from bgcore.match.state import build

    _need_contrary(rules)
    position_text, match_text = split_gnubg_id(text)
    match = exchanged(parse_match_id(match_text))
    position = Position.from_gnubg_id(position_text, checkers=rules.checkers)
    redoubles = 0
    if match.doubled:
        if match.turn == match.on_roll:
            redoubles = 1
        elif not match.length and match.owner == other(match.on_roll):
            redoubles = 2
    if not match.length:
        if options.setdefault("jacoby", match.jacoby) != match.jacoby:
            raise RuleError(f"the ID says that Jacoby is {'' if match.jacoby else 'not '}in use, jacoby= the opposite")
        _agree(options, match.cube if match.owner is None else 0, redoubles)
    phase = "to_roll"
    ended: tuple[str, Player | None, int] | None = None
    resigned = (match.resigned, other(match.turn)) if match.resigned else None
    if match.state == "none" and match.dice is None:
        phase = "opening"
    elif match.state in ("none", "playing"):
        phase = "offered" if match.doubled else "to_play" if match.dice else "to_roll"
        if match.turn != match.on_roll and not match.doubled and not match.resigned:
            raise RuleError("the ID says that the player who is not on roll must decide, but nothing is pending")
    else:
        phase = "game_over"
        resigned = None
        if match.doubled or match.dice:
            raise RuleError("the game is over, but a double is pending or a roll on the table")
        if match.state == "resigned":
            ended = ("resignation", match.turn, match.resigned or 1)
        elif match.state == "dropped":
            ended = ("drop", other(match.turn), 1)
        else:
            ended = ("play", None, 1)
    return build(
        rules,
        match.length,
        options,
        position=position,
        phase=phase,
        on_roll=None if phase == "opening" else match.on_roll,
        dice=match.dice,
        score=match.scores,
        cube=match.cube,
        owner=match.owner,
        redoubles=redoubles,
        resigned=resigned,
        crawford=match.crawford,
        ended=ended,
    )


def to_gnubg_id(state: MatchState) -> str:
    """Write ``PositionID:MatchID``.

    Parameters
    ----------
    state : MatchState

    Returns
    -------
    str
        `bgcore.formats.ids` lists what is left out.

    Raises
    ------
    RuleError
        The state is one that an ID cannot hold at all: another board, a series, a game that was forfeited or in which
        nobody could move, a number that is too large.
    InvalidPosition
        A pinned checker.
    """
    _need_contrary(state.rules)
    _need_no_series(state)
    on_roll: Player = 0 if state.on_roll is None else state.on_roll
    turn = on_roll if state.to_act is None else state.to_act
    result, level, name = state.result, 0, "none" if state.phase == "opening" else "playing"
    if state.resigned is not None:
        level = state.resigned[0]
    elif result is not None:
        if result.how in ("forfeit", "stuck"):
            raise RuleError(f"a Match ID cannot say that a game has ended by {result.how}")
        name = {"play": "over", "drop": "dropped", "resignation": "resigned"}[result.how]
        if result.how == "resignation" and result.winner is not None:
            turn, level = result.winner, ("single", "gammon", "backgammon").index(result.kind) + 1
        elif result.how == "drop" and result.winner is not None:
            turn = other(result.winner)
    match = MatchId(
        cube=state.cube.bit_length() - 1,
        owner=state.cube_owner,
        on_roll=on_roll,
        crawford=state.is_crawford,
        state=name,  # type: ignore[arg-type]  # one of them
        turn=turn,
        doubled=state.phase == "offered",
        resigned=level,
        dice=state.dice,
        length=state.length,
        scores=state.score,
        jacoby=state.options.jacoby,
    )
    return f"{state.position.gnubg_id}:{format_match_id(exchanged(match))}"


def exchanged(match: MatchId) -> MatchId:
    """The same with the players' numbers exchanged: GNU Backgammon's player 1 is our player 0, in either direction."""
    return replace(
        match,
        owner=None if match.owner is None else other(match.owner),
        on_roll=other(match.on_roll),
        turn=other(match.turn),
        scores=(match.scores[1], match.scores[0]),
    )


# ---- XGID


def from_xgid(text: str, rules: Rules, *, strict: bool = True, **options: Any) -> MatchState:
    """Read an XGID.

    The bottom player becomes player 0, the top player 1.

    Parameters
    ----------
    text : str
        As `bgcore.formats.xgid.parse_xgid`.
    rules : Rules
        The game; a largest cube of 1 in the text takes its cube away.
    strict : bool
        Whether a text that contradicts itself is refused or put right, as `parse_xgid` does; a score that has won the
        match is refused in any case.
    **options
        Fields of `bgcore.match.cube.MatchOptions`.  Jacoby and whether there are beavers are read from the text; the
        beaver bit is taken for one beaver and one raccoon if ``beavers=`` doesn't say.

    Returns
    -------
    MatchState

    Raises
    ------
    FormatError
        Not an XGID.
    RuleError
        No play of a match leads to that state, or the options contradict the text.
    InvalidPosition
        Not a position of the game.

    Notes
    -----
    An XGID has no place for: the rule set, resignations, more than a beaver and a raccoon, a game that is over or has
    not begun, the number of the game and who began it, automatic doubles, and all options but those above.

    Examples
    --------
    >>> from bgcore import BACKGAMMON
    >>> from_xgid("XGID=--CBBBBaa--------bCbcbbAb-:2:-1:-1:D:0:0:2:0:10", BACKGAMMON)
    <MatchState money at 0-0, game 1, cube 4 of player 1: player 0 to answer a double to 8>
    """
    _need_contrary(rules)
    found = scanned(text, rules.checkers)
    if found is None:
        return from_seated(parse_xgid(text, checkers=rules.checkers, strict=strict), rules, **options)
    position, on_roll, cube, owner, dice, pending, scores, bits, length, max_cube = found
    return _state(
        rules, options, position, on_roll, cube, owner, dice, pending, scores, length, max_cube,
        crawford=length > 0 and bits == 1, jacoby=not length and bool(bits & 1), beavers=not length and bool(bits & 2),
    )  # fmt: skip


def from_seated(xgid: Xgid, rules: Rules, *, jacoby_known: bool = True, **options: Any) -> MatchState:
    """What `from_xgid` makes of an XGID that has been read, or of another format's state in its form.

    ``jacoby_known=False``: the text doesn't speak of Jacoby and beavers, so the options alone decide.
    """
    _need_contrary(rules)
    return _state(
        rules,
        options,
        xgid.position,
        _player(xgid.turn),
        xgid.cube,
        None if xgid.owner is None else _player(xgid.owner),
        xgid.dice,
        xgid.pending,
        xgid.scores,
        xgid.length,
        xgid.max_cube,
        crawford=xgid.crawford,
        jacoby=xgid.jacoby if jacoby_known else None,
        beavers=xgid.beavers,
    )


def _state(
    rules: Rules,
    options: dict[str, Any],
    position: Position,
    on_roll: Player,
    cube: int,
    owner: Player | None,
    dice: tuple[int, int] | None,
    pending: Pending | None,
    score: tuple[int, int],
    length: int,
    max_cube: int | None,
    *,
    crawford: bool,
    jacoby: bool | None,
    beavers: bool,
) -> MatchState:
    """The state that an XGID with these fields says, player 0 at the bottom; ``jacoby=None``: nothing of money play."""
    from bgcore.match.state import build

    redoubles = ("D", "B", "R").index(pending) if pending else 0
    if max_cube == 0:
        rules = rules.replace(cube=False)
    if not length and jacoby is not None:
        if options.setdefault("jacoby", jacoby) != jacoby:
            raise RuleError(f"the XGID says that Jacoby is {'' if jacoby else 'not '}in use, jacoby= the opposite")
        agreed = options.setdefault("beavers", XGID_BEAVERS if beavers else 0)
        if bool(agreed) != beavers:
            raise RuleError(f"the XGID says that there are {'' if beavers else 'no '}beavers, beavers= otherwise")
    if pending and max_cube and cube + redoubles >= max_cube:
        raise RuleError(
            f"the XGID says that the largest cube is {1 << max_cube}, and that one of {1 << cube + redoubles} has been "
            "doubled",
            rule="cube_limit",
        )
    if not length:
        _agree(options, cube if owner is None else 0, 0)
    now = owner
    if redoubles and owner not in (None, on_roll):
        raise RuleError(f"player {on_roll} cannot have doubled: player {owner} owns the cube", rule="not_owner")
    if redoubles:
        keeps = redoubles == 2 and options.get("raccoon_owner") == "doubler"
        now = on_roll if keeps else other(on_roll)
    return build(
        rules,
        length,
        options,
        position=position,
        phase="offered" if pending else "to_play" if dice else "to_roll",
        on_roll=on_roll,
        dice=dice,
        score=score,
        cube=cube + redoubles,
        owner=now,
        redoubles=redoubles,
        owner_before=owner,
        crawford=crawford,
        max_cube=max_cube,
    )


def to_xgid(state: MatchState, bottom: Player | None = None, form: Literal["xg", "gnubg"] = "xg") -> str:
    """Write an XGID.

    Parameters
    ----------
    state : MatchState
    bottom : 0, 1 or None
        Which player sits at the bottom; None: the one on roll, as in texts that people paste.
    form : {"xg", "gnubg"}
        "gnubg": only what GNU Backgammon reads and keeps.

    Returns
    -------
    str
        All ten fields; see `from_xgid` for what is left out.  The last is the agreed limit of the cube, else that of
        the XGID which was read, else 10; more where the cube has come further.

    Raises
    ------
    RuleError
        The state is one that an XGID cannot hold at all: another board, a series, an opening roll or an answer to a
        resignation is due, the game is over.  With ``form="gnubg"`` also: an answer to a double, beaver or raccoon is
        due, a match to more than 64 points, a cube beyond 4096 in money play or 64 in a match.
    InvalidPosition
        A pinned checker.
    """
    xgid = to_seated(state, bottom)
    if form == "gnubg":
        refuse_for_gnubg(xgid)
    elif form != "xg":
        raise RuleError(f"form is 'xg' or 'gnubg', not {form!r}")
    return format_xgid(xgid)


def refuse_for_gnubg(xgid: Xgid) -> None:
    """Raise for what GNU Backgammon refuses or forgets.  Source: formats.md §1, §1.2; gnubg.md §1.3, §1.8."""
    if xgid.pending:
        what = {"D": "a double", "B": "a beaver", "R": "a raccoon"}[xgid.pending]
        raise RuleError(f"GNU Backgammon does not keep {what} that waits for its answer; form='xg' does")
    if xgid.length > GNUBG_LENGTH:
        raise RuleError(f"GNU Backgammon plays matches to {GNUBG_LENGTH} points at most, not to {xgid.length}")
    most = GNUBG_MATCH_CUBE if xgid.length else GNUBG_MONEY_CUBE
    if xgid.cube > most:
        where = "a match" if xgid.length else "money play"
        raise RuleError(f"GNU Backgammon's cube goes to {1 << most} in {where}, not to {1 << xgid.cube}")


def to_seated(state: MatchState, bottom: Player | None = None) -> Xgid:
    """What `to_xgid` writes, before it is written."""
    _need_contrary(state.rules)
    _need_no_series(state)
    if state.on_roll is None:
        raise RuleError("an XGID says who is on roll, and the opening roll has not been thrown")
    if state.is_game_over:
        raise RuleError("an XGID cannot say that a game is over, or how")
    if state.resigned is not None:
        raise RuleError("an XGID has no place for a resignation")
    low = state.on_roll if bottom is None else check_player(bottom)

    def seat(player: Player) -> Seat:
        return Seat.A if player == low else Seat.B

    chain = state.redoubles
    pending: Pending | None = None
    if state.phase == "offered":
        pending = ("B" if chain % 2 else "R") if chain else "D"
    cube = state.cube.bit_length() - 1
    owner = state.cube_owner
    if chain:
        cube, owner = cube - (1 if chain % 2 else 2), state.cube_owner_before
    return Xgid(
        seats=SeatedPosition.from_position(state.position, seat(state.on_roll)),
        cube=cube,
        owner=None if owner is None else seat(owner),
        dice=state.thrown,
        pending=pending,
        scores=(state.score[low], state.score[other(low)]),
        crawford=state.is_crawford,
        jacoby=state.is_money and state.options.jacoby,
        beavers=state.options.beavers > 0,
        length=state.length,
        max_cube=_largest_cube(state),
    )


def _largest_cube(state: MatchState) -> int:
    """The tenth field."""
    if not state.rules.cube:
        return 0
    if state.options.cube_limit is not None:
        return state.options.cube_limit.bit_length() - 1
    carried = XGID_LIMIT if state.max_cube is None else state.max_cube
    needed = state.cube if state.phase != "offered" else 2 * state.cube
    return carried if needed <= 1 << carried else LARGEST_CUBE.bit_length() - 1


# ---- for people


def describe(state: MatchState) -> str:
    """The state in one line."""
    zero, one = state.score
    if state.series is not None:
        what = f"{type(state.series).__name__}, {state.rules.name}"
    else:
        what = f"{state.length}-point match" if state.length else "money"
        what += "" if state.rules.name == "backgammon" else f" of {state.rules.name}"
    parts = [f"{what} at {zero}-{one}", f"game {state.game}"]
    if state.is_crawford:
        parts.append("Crawford")
    if state.cube > 1:
        parts.append(f"cube {state.cube} {'centred' if state.cube_owner is None else f'of player {state.cube_owner}'}")
    return f"{', '.join(parts)}: {_situation(state)}"


def _situation(state: MatchState) -> str:
    """What has ended, or who is to do what."""
    result = state.result
    if result is not None:
        won = "drawn" if result.winner is None else f"player {result.winner} wins {result.points}"
        match = f", and the match goes to player {state.winner}" if state.is_match_over else ""
        return f"{won} by {result.how}{match}"
    if state.resigned is not None:
        level, player = state.resigned
        return f"player {other(player)} to answer player {player}'s resignation at level {level}"
    if state.phase == "opening":
        return "opening roll"
    if state.phase == "offered":
        return f"player {state.to_act} to answer a {state.pending} to {2 * state.cube}"
    if state.dice is None:
        return f"player {state.on_roll} to roll"
    return f"player {state.on_roll} to play {state.dice[0]}-{state.dice[1]}"


def _agree(options: dict[str, Any], automatic_doubles: int, redoubles: int) -> None:
    """Take for agreed what a text shows to have happened, where the options don't say."""
    if automatic_doubles:
        options.setdefault("automatic_doubles", automatic_doubles)
    if redoubles:
        options.setdefault("beavers", redoubles)


def _player(seat: Seat) -> Player:
    return 0 if seat is Seat.A else 1


def _need_contrary(rules: Rules) -> None:
    if rules.geometry != "contrary":
        raise RuleError(f"IDs are for contrary boards, and {rules.name} is played on a parallel one")


def _need_no_series(state: MatchState) -> None:
    if state.series is not None:
        raise RuleError("an ID has no place for a series of games")
