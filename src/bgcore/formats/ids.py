"""GNU Backgammon's Match ID: cube, score, dice and whose decision it is, in twelve characters.

Nine bytes, least significant bit first, in base64.  Together with a Position ID it makes ``PositionID:MatchID``, which
GNU Backgammon and BGBlitz print under every board.  What a match may do next is not known here: `bgcore.match.ids`
makes states of it.

What a Match ID cannot hold:

* the rule set, and so whether there is a cube at all;
* the Jacoby rule in a match, where it means nothing: written as not in use, whatever was read;
* how many beavers and raccoons have followed a double, only who has to answer: an odd number is read as one beaver, an
  even number above zero as a beaver and a raccoon; nor who owned the cube before them;
* resignations that were declined;
* the options: how many beavers, automatic doubles, the limit of the cube, who owns it after a raccoon, table stakes,
  dead cubes, the Holland rule, whether there is a Crawford game;
* the number of the game, who began it, how often the players have rolled, how many turns in a row had no play, which of
  the doublings were automatic, whether the cube was turned this turn already;
* which of two equal scores came first: whether the Crawford game is over follows from the score and the Crawford bit;
* a game that ended by a forfeit, or because nobody could move any more; a match that goes on although both have reached
  its length, by a draw that pays;
* who was on roll in a game that was resigned before its opening roll;
* cubes above 2**15, lengths and scores above 32,767;
* the order in which the dice were thrown: the larger is written first.

Source: gnubg.md §1.2; every field was checked against IDs that GNU Backgammon 1.07 and 1.08 write.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Literal, get_args

from bgcore.errors import FormatError, RuleError

__all__ = ["GameState", "MatchId", "format_match_id", "parse_match_id", "split_gnubg_id"]

GameState = Literal["none", "playing", "over", "resigned", "dropped"]
"""What has become of the game, in the order of the numbers that stand for it."""

GAME_STATES: tuple[GameState, ...] = get_args(GameState)
_BITS = 67  # in use; five more must be zero
_MOST = 32767  # what 15 bits hold
_ALPHABET = re.compile(r"[A-Za-z0-9+/]*")


@dataclass(frozen=True, slots=True)
class MatchId:
    """What one Match ID says.  Players are 0 and 1, as there.

    Attributes
    ----------
    cube : int, 0 to 15
        Base-2 logarithm of the cube; while an answer to a double is due, before that double.
    owner : 0, 1 or None
        Who owns the cube; None is a centred one.
    on_roll : 0 or 1
        Who has rolled or is to roll; also while an answer of the other one is due.
    crawford : bool
        Whether this is the Crawford game.
    state : str
        "none" before the first game, "playing", "over", "resigned", "dropped".
    turn : 0 or 1
        Who must decide now.
    doubled : bool
        Whether an answer to a double, a beaver or a raccoon is due.
    resigned : int, 0 to 3
        Level of a resignation that is offered or, in state "resigned", was accepted; 0 = none.
    dice : (int, int) or None
        The roll, larger die first.
    length : int
        Points that win; 0 is money play.
    scores : (int, int)
        Of player 0 and player 1; not clipped at the length.
    jacoby : bool
        Whether the Jacoby rule is in use; in a match it means nothing and is written as not in use.
    """

    cube: int
    owner: Literal[0, 1] | None
    on_roll: Literal[0, 1]
    crawford: bool
    state: GameState
    turn: Literal[0, 1]
    doubled: bool
    resigned: int
    dice: tuple[int, int] | None
    length: int
    scores: tuple[int, int]
    jacoby: bool


def parse_match_id(text: str) -> MatchId:
    """Read a Match ID.

    Strict: exactly twelve characters of the base64 alphabet, unused bits zero.  A finished match may have a score
    beyond its length.

    Parameters
    ----------
    text : str

    Returns
    -------
    MatchId

    Raises
    ------
    FormatError
        Not a Match ID, or one that contradicts itself; `field` says where.

    Examples
    --------
    >>> match = parse_match_id("EgHgADAAKAAE")
    >>> 2**match.cube, match.owner, match.length, match.scores
    (4, 1, 7, (3, 5))
    """
    bits = _bits(text)

    def take(low: int, width: int) -> int:
        return bits >> low & (1 << width) - 1

    def wrong(field: str, message: str) -> FormatError:
        return FormatError(f"Match ID {text!r}: {message}", field=field)

    owner = take(4, 2)
    on_roll, turn = take(6, 1), take(11, 1)
    state, dice = take(8, 3), (take(15, 3), take(18, 3))
    length, scores = take(21, 15), (take(36, 15), take(51, 15))
    crawford, resigned, doubled = bool(take(7, 1)), take(13, 2), bool(take(12, 1))
    if bits >> _BITS:
        raise wrong("unused", f"bits {_BITS} to 71 mean nothing and must be zero")
    if state >= len(GAME_STATES):
        raise wrong("state", f"there is no game state {state}; 0 to 4 are {', '.join(GAME_STATES)}")
    if max(dice) > 6:
        raise wrong("dice", f"a die shows 1 to 6, not {max(dice)}")
    if min(dice) == 0 < max(dice):
        raise wrong("dice", f"one die shows {max(dice)} and the other nothing: give both, or none")
    if length == 0 and crawford:
        raise wrong("crawford", "money play has no Crawford game")
    if state == 1 and length and max(scores) >= length:
        raise wrong("scores", f"at {scores[0]}-{scores[1]} a match to {length} is over, but the game is being played")
    if doubled and (dice[0] or resigned):
        raise wrong("doubled", f"a double is pending beside {'a roll' if dice[0] else 'a resignation'}")
    return MatchId(
        cube=take(0, 4),
        owner=None if owner > 1 else 1 if owner else 0,
        on_roll=1 if on_roll else 0,
        crawford=crawford,
        state=GAME_STATES[state],
        turn=1 if turn else 0,
        doubled=doubled,
        resigned=resigned,
        dice=(max(dice), min(dice)) if dice[0] else None,
        length=length,
        scores=scores,
        jacoby=not take(66, 1),
    )


def format_match_id(match: MatchId) -> str:
    """Write a Match ID.

    Parameters
    ----------
    match : MatchId

    Returns
    -------
    str
        Twelve characters.  A centred cube is written as 3, the larger die first; in a match the bit says that the
        Jacoby rule is not in use.

    Raises
    ------
    RuleError
        A number that its bits cannot hold.

    Examples
    --------
    >>> format_match_id(parse_match_id("QYkqASAAIAAA"))
    'QYkqASAAIAAE'
    """
    first, second = (0, 0) if match.dice is None else sorted(match.dice, reverse=True)
    fields = (
        ("cube, as a logarithm", match.cube, 4),
        ("owner", 3 if match.owner is None else match.owner, 2),
        ("player on roll", match.on_roll, 1),
        ("Crawford bit", int(match.crawford), 1),
        ("state", GAME_STATES.index(match.state), 3),
        ("player to decide", match.turn, 1),
        ("double", int(match.doubled), 1),
        ("resignation", match.resigned, 2),
        ("die", first, 3),
        ("die", second, 3),
        ("length", match.length, 15),
        ("score of player 0", match.scores[0], 15),
        ("score of player 1", match.scores[1], 15),
        ("Jacoby bit", int(bool(match.length) or not match.jacoby), 1),
    )
    bits = low = 0
    for name, value, width in fields:
        if not 0 <= value < 1 << width:
            raise RuleError(f"a Match ID has {width} bits for the {name}: at most {(1 << width) - 1}, not {value}")
        bits |= value << low
        low += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode("ascii")


def split_gnubg_id(text: str) -> tuple[str, str]:
    """The Position ID and the Match ID of ``PositionID:MatchID``, blanks around it left out.

    Parameters
    ----------
    text : str

    Raises
    ------
    FormatError
        Not two parts of 14 and 12 characters with a colon between them.

    Examples
    --------
    >>> split_gnubg_id("4HPwATDgc/ABMA:cAkAAAAAAAAE")
    ('4HPwATDgc/ABMA', 'cAkAAAAAAAAE')
    """
    if not isinstance(text, str):
        raise TypeError(f"an ID is a str, not {type(text).__name__}")
    position, colon, match = text.strip().partition(":")
    if not colon or len(position) != 14 or len(match) != 12:
        raise FormatError(
            f"GNU Backgammon's ID is a Position ID of 14 characters, ':' and a Match ID of 12, not {text[:60]!a}"
        )
    return position, match


def _bits(text: str) -> int:
    """The nine bytes as one number."""
    if not isinstance(text, str):
        raise TypeError(f"a Match ID is a str, not {type(text).__name__}")
    if len(text) != 12:
        raise FormatError(f"a Match ID has 12 characters, not {len(text)}: {text[:40]!a}")
    end = _ALPHABET.match(text)
    at = end.end() if end else 0
    if at < 12:
        hint = "; write '+' for '-' and '/' for '_'" if text[at] in "-_" else ""
        raise FormatError(
            f"Match ID {text!a}: {text[at]!a} at place {at} is not one of A-Z a-z 0-9 + /{hint}", offset=at
        )
    return int.from_bytes(base64.b64decode(text), "little")
