"""What can be done in a match, as small frozen values.

`MatchState.actions` lists those that are legal now, `MatchState.apply` carries one out.  An action says nothing about
the state that it is meant for, and whether it is legal there is not known here; only what could never be right, such as
a die that shows 7, is refused.

Roll, OpeningRoll and MakePlay without arguments stand for any roll and any play: so `MatchState.actions` lists them.

As JSON an action is a plain dict: ``kind`` and the fields of its class.  Other keys are left alone, so that a record
can put its own beside them.
"""

cimport cython

from operator import index

import numpy as np

from bgcore.errors import FormatError, RuleError
from bgcore.play cimport Play
from bgcore.position cimport Position

__all__ = [
    "ACTIONS",
    "Accept",
    "Action",
    "Beaver",
    "Decline",
    "Double",
    "Drop",
    "Forfeit",
    "MakePlay",
    "NextGame",
    "OpeningRoll",
    "Pass",
    "Raccoon",
    "Resign",
    "Roll",
    "Ruling",
    "Take",
    "from_json",
]

SCOPES = ("points", "game", "match")


cdef int die_of(die, str what) except -1:
    """A die as an integer."""
    if type(die) is not int:
        if die is None or isinstance(die, bool):
            raise TypeError(f"{what} needs two dice, integers from 1 to 6; {die!r} is none")
        die = index(die)
    if not 1 <= die <= 6:
        raise RuleError(f"{what}: a die shows 1 to 6, not {die}")
    return die


cdef int player_of(player) except -1:
    if type(player) is int and 0 <= player <= 1:
        return player
    raise RuleError(f"a player is 0 or 1, not {player!r}")


cdef str reason_of(reason, str what):
    """The reason that an act from outside the game must give."""
    if not isinstance(reason, str):
        raise TypeError(f"the reason of a {what} is a str, not {reason!r}")
    if not reason.strip():
        raise RuleError(f"a {what} needs a reason: say what the conduct layer or the director decided, and why")
    return str(reason)


cdef int whole(number, str what) except? -1:
    """An integer that is no bool, 0 or more."""
    if isinstance(number, bool):
        raise TypeError(f"{what} is an integer, not {number!r}")
    number = index(number)
    if not 0 <= number < 1 << 31:
        raise RuleError(f"{what} is 0 or more and below 2**31, not {number}")
    return number


cdef class Action:
    """Base class of everything that can be done in a match.

    Two actions are equal if they are of one class and all their fields are equal.  They match by position in
    ``match`` statements: ``case Roll(d1, d2)``.

    Notes
    -----
    **Threads:** immutable, safe to share.
    """

    KIND = ""
    __match_args__ = ()

    def __init__(self, *args, **kwargs):
        if self.code == NO_ACTION:
            raise TypeError("an Action is one of its subclasses: Roll, MakePlay, Double, Take and so on")
        if (args or kwargs) and not type(self).__match_args__:
            raise TypeError(f"{type(self).__name__} takes no arguments")

    @property
    def kind(self):
        """The name of the class in records: "open_roll", "roll", "play", "offer" and so on."""
        return type(self).KIND

    def to_json(self):
        """The action as a dict of plain values, which `from_json` reads."""
        return {"kind": type(self).KIND}

    def arguments(self):
        """What the class is called with to make it."""
        return tuple([getattr(self, name) for name in type(self).__match_args__])

    def __eq__(self, other):
        cdef Action o
        if not isinstance(other, Action):
            return NotImplemented
        o = <Action>other
        return self.code == o.code and self.a == o.a and self.b == o.b and self.detail == o.detail

    def __hash__(self):
        return hash((self.code, self.a, self.b, self.detail))

    def __reduce__(self):
        return type(self), self.arguments()

    def __repr__(self):
        named = False  # after an argument that is left out, the others need their names
        parts = []
        for name, value in zip(type(self).__match_args__, self.arguments(), strict=True):
            if value is None:
                named = True
            else:
                parts.append(f"{name}={value!r}" if named else repr(value))
        return f"{type(self).__name__}({', '.join(parts)})"


@cython.final
cdef class OpeningRoll(Action):
    """One die each, to settle who begins.

    Parameters
    ----------
    die0, die1 : int
        Of player 0 and of player 1.  Equal ones are a tie, which is thrown again (and may double the cube by itself).
        Both left out: any throw.

    Raises
    ------
    RuleError
        A die outside 1 to 6.

    Examples
    --------
    >>> OpeningRoll(3, 1).to_json()
    {'kind': 'open_roll', 'dice': [3, 1]}
    """

    KIND = "open_roll"
    __match_args__ = ("die0", "die1")

    def __cinit__(self, die0=None, die1=None):
        self.code = OPENING_ROLL
        if die0 is not None or die1 is not None:
            self.a = die_of(die0, "OpeningRoll")
            self.b = die_of(die1, "OpeningRoll")

    @property
    def die0(self):
        """Player 0's die, or None."""
        return self.a or None

    @property
    def die1(self):
        """Player 1's die, or None."""
        return self.b or None

    @property
    def dice(self):
        """Both dice, player 0's first; None if left open."""
        return (self.a, self.b) if self.a else None

    def to_json(self):
        """As `Action.to_json`."""
        return {"kind": "open_roll", "dice": [self.a, self.b] if self.a else None}


@cython.final
cdef class Roll(Action):
    """The player on roll throws both dice.

    Parameters
    ----------
    d1, d2 : int
        As they lie.  Both left out: any roll.

    Raises
    ------
    RuleError
        A die outside 1 to 6.

    Examples
    --------
    >>> Roll(1, 6).dice
    (1, 6)
    """

    KIND = "roll"
    __match_args__ = ("d1", "d2")

    def __cinit__(self, d1=None, d2=None):
        self.code = ROLL
        if d1 is not None or d2 is not None:
            self.a = die_of(d1, "Roll")
            self.b = die_of(d2, "Roll")

    @property
    def d1(self):
        """The first die, or None."""
        return self.a or None

    @property
    def d2(self):
        """The second die, or None."""
        return self.b or None

    @property
    def dice(self):
        """Both dice in the order given; None if left open."""
        return (self.a, self.b) if self.a else None

    def to_json(self):
        """As `Action.to_json`."""
        return {"kind": "roll", "dice": [self.a, self.b] if self.a else None}


@cython.final
cdef class MakePlay(Action):
    """The player who has rolled makes a play.

    Parameters
    ----------
    play : Play or str
        A play, or its text in the player's own numbering.  Left out: any legal play.

    Examples
    --------
    >>> MakePlay("8/5 6/5").to_json()
    {'kind': 'play', 'play': '8/5 6/5'}
    """

    KIND = "play"
    __match_args__ = ("play",)

    def __cinit__(self, play=None):
        self.code = MAKE_PLAY
        if not (play is None or isinstance(play, (Play, str))):
            raise TypeError(f"a play is a Play or a text, not {type(play).__name__}")
        self.detail = play

    @property
    def play(self):
        """The Play, its text, or None."""
        return self.detail

    def to_json(self):
        """As `Action.to_json`; a Play becomes its text."""
        return {"kind": "play", "play": None if self.detail is None else str(self.detail)}


@cython.final
cdef class Pass(Action):
    """A turn without a play: no die can be played."""

    KIND = "pass"

    def __cinit__(self):
        self.code = PASS


@cython.final
cdef class Double(Action):
    """Offer the cube at twice its value, before rolling; a redouble as well."""

    KIND = "offer"

    def __cinit__(self):
        self.code = DOUBLE


@cython.final
cdef class Take(Action):
    """Play on at the value offered."""

    KIND = "take"

    def __cinit__(self):
        self.code = TAKE


@cython.final
cdef class Drop(Action):
    """Refuse the cube, and lose the game at the value it has."""

    KIND = "drop"

    def __cinit__(self):
        self.code = DROP


@cython.final
cdef class Beaver(Action):
    """The receiver of a double takes it and redoubles at once."""

    KIND = "beaver"

    def __cinit__(self):
        self.code = BEAVER


@cython.final
cdef class Raccoon(Action):
    """The doubler answers a beaver by redoubling once more."""

    KIND = "raccoon"

    def __cinit__(self):
        self.code = RACCOON


@cython.final
cdef class Resign(Action):
    """A player offers to lose the game.

    Parameters
    ----------
    level : int
        1 single, 2 gammon, 3 backgammon.
    player : 0 or 1
        Who resigns.

    Raises
    ------
    RuleError
        No such level or player.
    """

    KIND = "resign_offer"
    __match_args__ = ("level", "player")

    def __cinit__(self, level, player):
        self.code = RESIGN
        if type(level) is not int or not 1 <= level <= 3:
            raise RuleError(f"a resignation is 1 (single), 2 (gammon) or 3 (backgammon), not {level!r}")
        self.a = level
        self.b = player_of(player)

    @property
    def level(self):
        """1 single, 2 gammon, 3 backgammon."""
        return self.a

    @property
    def player(self):
        """Who resigns."""
        return self.b

    def to_json(self):
        """As `Action.to_json`."""
        return {"kind": "resign_offer", "level": self.a, "player": self.b}


@cython.final
cdef class Accept(Action):
    """Take a resignation: the game is over."""

    KIND = "resign_accept"

    def __cinit__(self):
        self.code = ACCEPT


@cython.final
cdef class Decline(Action):
    """Refuse a resignation: the game goes on."""

    KIND = "resign_decline"

    def __cinit__(self):
        self.code = DECLINE


@cython.final
cdef class NextGame(Action):
    """Set up the next game."""

    KIND = "next_game"

    def __cinit__(self):
        self.code = NEXT_GAME


@cython.final
cdef class Ruling(Action):
    """Something changed from outside the game: by the conduct layer, or a director.

    Parameters
    ----------
    reason : str
        What was decided and why; not empty.
    position : Position, optional
        The checkers from now on, seen by `on_roll`.  It goes with `on_roll`.
    on_roll : 0 or 1, optional
        Whose turn it is from now on.
    dice : two int, optional
        The roll that he has to play, with a position; left out: he has not rolled.
    score : two int, optional
        Points of player 0 and player 1 from now on.
    cube : (value, owner), optional
        The cube from now on; the owner is 0, 1 or None.  A centred cube above 1 has come there by automatic doubles, as
        many as that takes; they must be agreed.

    Raises
    ------
    RuleError
        No reason; nothing changed; a position without `on_roll`, or the other way round; values that are never right.

    Examples
    --------
    >>> Ruling("offer in the Crawford game, void", cube=(1, None), score=(6, 2)).to_json()["score"]
    [6, 2]
    """

    KIND = "ruling"
    __match_args__ = ("reason", "position", "on_roll", "dice", "score", "cube")

    def __cinit__(self, reason, position=None, on_roll=None, dice=None, score=None, cube=None):
        self.code = RULING
        reason = reason_of(reason, "ruling")
        if position is None and score is None and cube is None:
            raise RuleError("a ruling changes position, score or cube; give one of them")
        if (position is None) != (on_roll is None):
            raise RuleError("position= and on_roll= go together: a position is seen by the player on roll")
        if dice is not None and position is None:
            raise RuleError("dice= goes with position=: they are the roll to be played from it")
        if position is not None:
            if not isinstance(position, Position):
                raise TypeError(f"position is a Position, not {type(position).__name__}")
            player_of(on_roll)
        if dice is not None:
            first, second = dice
            dice = (die_of(first, "Ruling"), die_of(second, "Ruling"))
        if score is not None:
            zero, one = score
            score = (whole(zero, "a score"), whole(one, "a score"))
        if cube is not None:
            value, owner = cube
            value = whole(value, "a cube")
            if value < 1 or value & (value - 1):
                raise RuleError(f"a cube shows a power of 2, not {value}")
            if owner is not None:
                player_of(owner)
            cube = (value, owner)
        self.detail = (reason, position, on_roll, dice, score, cube)

    @property
    def reason(self):
        """What was decided and why."""
        return self.detail[0]

    @property
    def position(self):
        """The checkers from now on, or None."""
        return self.detail[1]

    @property
    def on_roll(self):
        """Whose turn it is from now on; None without a position."""
        return self.detail[2]

    @property
    def dice(self):
        """The roll to be played from the position, or None."""
        return self.detail[3]

    @property
    def score(self):
        """Points from now on, or None."""
        return self.detail[4]

    @property
    def cube(self):
        """Value and owner of the cube from now on, or None."""
        return self.detail[5]

    def to_json(self):
        """As `Action.to_json`; the position is its four words in hexadecimal, one after the other."""
        position, on_roll, dice, score, cube = self.detail[1:]
        words = None if position is None else "".join([f"{word:016x}" for word in position.packed.tolist()])
        return {
            "kind": "ruling",
            "reason": self.detail[0],
            "position": words,
            "on_roll": on_roll,
            "dice": None if dice is None else list(dice),
            "score": None if score is None else list(score),
            "cube": None if cube is None else list(cube),
        }


@cython.final
cdef class Forfeit(Action):
    """A player loses points, the game or the match by what happened off the board: a flag, coming late.

    Parameters
    ----------
    player : 0 or 1
        Who loses.
    scope : {"points", "game", "match"}
        Penalty points only, and the game goes on; the game; the match.
    points : int, optional
        What the opponent gets.  Needed for "points"; left out for "game": the value of the cube; for "match": nothing,
        the score stays.
    reason : str
        What happened; not empty.

    Raises
    ------
    RuleError
        No such player or scope, no reason, points missing for "points".
    """

    KIND = "forfeit"
    __match_args__ = ("player", "scope", "points", "reason")

    def __cinit__(self, player, scope, points=None, reason=""):
        self.code = FORFEIT
        self.a = player_of(player)
        if not isinstance(scope, str) or scope not in SCOPES:
            raise RuleError(f"the scope of a forfeit is one of {', '.join(SCOPES)}, not {scope!r}")
        self.b = SCOPES.index(scope)
        if points is None:
            if scope == "points":
                raise RuleError("a forfeit of points says how many with points=")
        elif whole(points, "points") == 0:
            raise RuleError("a forfeit pays 1 point or more; leave points out to pay what the cube shows")
        self.detail = (None if points is None else index(points), reason_of(reason, "forfeit"))

    @property
    def player(self):
        """Who loses."""
        return self.a

    @property
    def scope(self):
        """What he loses: "points", "game" or "match"."""
        return SCOPES[self.b]

    @property
    def points(self):
        """What the opponent gets, or None."""
        return self.detail[0]

    @property
    def reason(self):
        """What happened."""
        return self.detail[1]

    def to_json(self):
        """As `Action.to_json`."""
        points, reason = self.detail
        return {"kind": "forfeit", "player": self.a, "scope": SCOPES[self.b], "points": points, "reason": reason}


ACTIONS = (
    OpeningRoll, Roll, MakePlay, Pass, Double, Take, Drop, Beaver, Raccoon, Resign, Accept, Decline, NextGame, Ruling,
    Forfeit,
)
"""Every class of action."""

KINDS = {cls.KIND: cls for cls in ACTIONS}


def from_json(data):
    """The action that `Action.to_json` has written.

    Parameters
    ----------
    data : mapping
        With ``kind`` and the keys of that kind; keys that the kind does not have are left alone.

    Returns
    -------
    Action

    Raises
    ------
    FormatError
        No such kind, a key is missing, or its value means nothing; `.field` names it.

    Examples
    --------
    >>> from_json({"kind": "roll", "dice": [4, 2]})
    Roll(4, 2)
    """
    kind = field(data, "kind", "an action")
    if not isinstance(kind, str) or kind not in KINDS:
        raise FormatError(f"no action is of kind {kind!r}; there are {', '.join(KINDS)}", field="kind")
    cls = KINDS[kind]
    try:
        if cls is OpeningRoll or cls is Roll:
            dice = field(data, "dice", kind)
            return cls() if dice is None else cls(*pair(dice, "dice"))
        if cls is Ruling:
            return Ruling(
                field(data, "reason", kind), position_of(field(data, "position", kind)), field(data, "on_roll", kind),
                pair(field(data, "dice", kind), "dice"), pair(field(data, "score", kind), "score"),
                pair(field(data, "cube", kind), "cube"))
        return cls(*[field(data, name, kind) for name in cls.__match_args__])
    except (TypeError, RuleError) as error:
        raise FormatError(f"{kind}: {error}", field=kind) from None


def field(data, str name, str what):
    """One key of a dict."""
    try:
        return data[name]
    except (KeyError, TypeError):
        raise FormatError(f"{what} needs the key {name!r}", field=name) from None


def pair(value, str name):
    """Two values of a list, or None."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise FormatError(f"{name} is a list of two, not {value!r}", field=name)
    return tuple(value)


def position_of(words):
    """A Position from its four words in hexadecimal, or None."""
    if words is None:
        return None
    if not isinstance(words, str) or len(words) != 64 or set(words) - set("0123456789abcdef"):
        raise FormatError(f"position is 64 hexadecimal digits, not {words!r}", field="position")
    return Position.from_packed(np.array([int(words[i:i + 16], 16) for i in range(0, 64, 16)], np.uint64))
