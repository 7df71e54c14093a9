"""A rule set: which game is played, as a frozen value, and everything a single position can be asked under it.

Rules is the gate for scalar calls about plays: it validates position, dice and context, and the generator in
``bgcore.core.movegen`` takes them on trust.  What needs search in text or in half-made plays is in ``_resolve``.
"""

from types import MappingProxyType
from typing import NamedTuple

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, uint32_t

from bgcore.arrays import invalid_position
from bgcore.core.board cimport contrary_outcome
from bgcore.core.movegen cimport (
    BG_MAX_MOVES, BG_SLACK, RECORD, aligned_rows, bg_emit, bg_masks, bg_row, contrary_reasons, count_roll, generate,
    look, start_emit,
)
from bgcore.errors import InvalidReason, RuleError
from bgcore.play cimport make_play
from bgcore.position cimport Position

__all__ = ["OPTIONS", "Outcome", "Rules"]

OPTIONS = {
    "geometry": ("contrary", "parallel"),
    "block_at": (2, 1),
    "contact": ("hit", "pin", "none"),
    "doubles": ("x4", "cascade", "x2", "n_times"),
    "larger_die": (True, False),
    "opening": ("keep_dice", "reroll"),
    "next_first": ("roll", "winner", "loser", "alternate"),
    "runner": ("none", "pass", "reach", "last_quarter"),
    "head_limit": (None, 1),
    "head_first_turn": ("none", "obstructed", "doubles_346", "always2"),
    "prime_rules": frozenset({
        "start_quarter", "both_start_quarters", "front_of_head", "ahead", "ahead_strict", "last_two", "unblock_duty",
    }),
    "prime_check": ("final", "step"),
    "hit_and_run_home": ("allow", "forbid"),
    "entry_cap_per_point": (None, 1),
    "entry_forbid_own": (False, True),
    "entry_all_first": (True, False),
    "entry_bar_loss": (None, 6),
    "mother": ("none", "wait", "immediate"),
    "bear_off_while_pinned": ("forbid", "allow"),
    "scoring": (1, 2, 3),
    "cube": (True, False),
}
"""Every option of a rule set and its values, the first being backgammon's.  Exceptions: ``prime_rules`` is a set of
the names listed, ``scoring`` any three points (single, gammon, backgammon), ``entry_cap_per_point`` and
``entry_bar_loss`` 1 to 15."""

# Options that say when a play is legal; the others concern the game around it.
MOVEMENT = (
    "geometry", "block_at", "contact", "doubles", "larger_die", "runner", "head_limit", "head_first_turn",
    "prime_rules", "prime_check", "hit_and_run_home", "entry_cap_per_point", "entry_forbid_own",
    "entry_all_first", "mother", "bear_off_while_pinned",
)


class Outcome(NamedTuple):
    """How a finished game ended, before any cube.

    Attributes
    ----------
    winner : "own", "opp" or None
        The sides of the position asked about; None for a draw.
    points : int
        What the rule set pays for it.
    kind : str
        "single", "gammon" or "backgammon".
    """

    winner: str | None
    points: int
    kind: str


def check_option(str name, value):
    """The value of an option as it is kept, or RuleError with what would be right."""
    if name not in OPTIONS:
        raise RuleError(f"no option {name!r}; there are {', '.join(OPTIONS)}, checkers, start and name")
    known = OPTIONS[name]
    if name == "prime_rules":
        value = frozenset([value] if isinstance(value, str) else value)
        if not value <= known:
            raise RuleError(f"prime_rules: no rule {', '.join(sorted(value - known))}; "
                            f"there are {', '.join(sorted(known))}")
    elif name == "scoring":
        value = tuple(value)
        if len(value) != 3 or not all(type(points) is int and points > 0 for points in value):
            raise RuleError(f"scoring is three positive numbers for single, gammon, backgammon, not {value!r}")
    elif name in ("entry_cap_per_point", "entry_bar_loss"):
        if value is not None and (type(value) is not int or not 1 <= value <= 15):
            raise RuleError(f"{name} is None or 1 to 15, not {value!r}")
    elif not any(value == other and type(value) is type(other) for other in known):
        raise RuleError(f"{name} is one of {', '.join(map(repr, known))}, not {value!r}")
    return value


def check_start(start, int checkers):
    """The starting position of one side as sorted (point, checkers) pairs; both sides start alike."""
    pairs = tuple(sorted(dict(start).items(), reverse=True))
    if not all(type(point) is int and type(n) is int and 1 <= point <= 24 and n > 0 for point, n in pairs):
        raise RuleError(f"start gives checkers on points 1 to 24, not {start!r}")
    if sum(n for _, n in pairs) != checkers:
        raise RuleError(f"start has {sum(n for _, n in pairs)} checkers, but the game is played with {checkers}")
    return pairs


cdef class Rules:
    """A rule set, a frozen value.

    Parameters
    ----------
    name : str
        What the game is called.
    start : mapping of int to int
        Own point to checkers, the same for both sides.
    checkers : int
        Checkers a side, 1 to 15.
    **options
        Values of `OPTIONS` that differ from backgammon's.

    Raises
    ------
    RuleError
        An option or a value that does not exist.

    Notes
    -----
    Equality and hash are by name, start and options.  **Threads:** immutable, safe to share.

    Examples
    --------
    >>> from bgcore import BACKGAMMON, Position
    >>> BACKGAMMON.count_plays(BACKGAMMON.start, (3, 1))
    16
    >>> BACKGAMMON.replace(cube=False).options["cube"]
    False
    """

    def __init__(self, str name not None, *, start, checkers=15, **options):
        if type(checkers) is not int or not 1 <= checkers <= 15:
            raise RuleError(f"checkers is 1 to 15, not {checkers!r}")
        defaults = {option: values[0] for option, values in OPTIONS.items() if option != "prime_rules"}
        defaults["prime_rules"] = frozenset()
        defaults["scoring"] = OPTIONS["scoring"]
        given = {option: check_option(option, value) for option, value in options.items()}
        self.options = MappingProxyType(defaults | given)
        self.name = name
        self.checkers = checkers
        self.max_moves = 6 if self.options["doubles"] == "n_times" else 4
        counts = [[0] * 26, [0] * 26]
        for point, n in check_start(start, checkers):
            counts[0][point] = counts[1][point] = n
        self.start = Position.from_counts(counts)
        self.native = all(self.options[option] == defaults[option] for option in MOVEMENT)

    def replace(self, **changes):
        """The same rule set with other options, start, checkers or name.

        Raises
        ------
        RuleError
            An option or a value that does not exist.
        """
        return Rules(**(self.fields() | changes))

    def fields(self):
        """Everything that makes the rule set, as arguments of Rules; options that are backgammon's are left out."""
        own = self.start.counts[0].tolist()
        plain = Rules("", start={1: 1}, checkers=1).options
        return {
            "name": self.name,
            "start": {point: own[point] for point in range(24, 0, -1) if own[point]},
            "checkers": self.checkers,
        } | {option: value for option, value in self.options.items() if value != plain[option]}

    def __getattr__(self, str name):
        if name in OPTIONS:
            return self.options[name]
        raise AttributeError(f"Rules has no attribute {name!r}")

    def __eq__(self, other):
        if not isinstance(other, Rules):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self):
        return hash((self.name, self.start, self.checkers, tuple(self.options.values())))

    def __reduce__(self):
        return restore, (self.fields(),)

    def __repr__(self):
        return f"Rules({', '.join(f'{key}={value!r}' for key, value in self.fields().items())})"

    # ---- asked of one position

    def validate(self, Position position not None):
        """Why a position is none of this game; never raises for a wrong one.

        Returns
        -------
        InvalidReason
            Flags; 0 = valid.
        """
        self.require_native()
        return InvalidReason(self.reasons(position))

    def legal_plays(self, Position position not None, dice, *, context=0):
        """Every legal play of a roll, one per distinct final position.

        Parameters
        ----------
        position : Position
            Seen by the player who has rolled.
        dice : two integers
            In either order.
        context : int
            For rule sets that define it; 0 for all others.

        Returns
        -------
        tuple of Play
            Empty if no die can be played or the game is over.  The order is fixed: by the source of the larger die,
            lowest first, then of the other die; then the plays that need the smaller die first.  For doubles by the
            highest source, lowest first, then the next.

        Raises
        ------
        InvalidPosition, RuleError
            Not a position of this game; dice outside 1 to 6; a context that means nothing.

        Notes
        -----
        O(plays).  **Threads:** safe.
        """
        cdef int a, b
        cdef bg_masks m
        cdef int n, i
        cdef void *block
        cdef int8_t *moves
        cdef bg_row *rows
        cdef bg_emit e
        cdef list plays
        a, b = self.checked_roll(position, dice, context)
        n = count_roll(&position.p, a, b)
        if n == 0:
            return ()
        block = PyMem_RawMalloc((n + BG_SLACK) * (sizeof(bg_row) + 3 * BG_MAX_MOVES) + 64)
        if block == NULL:
            raise MemoryError
        try:
            rows = aligned_rows(block)
            moves = <int8_t *>(rows + n + BG_SLACK)
            start_emit(&e, rows, moves)
            look(&position.p, &m)
            generate(&position.p, &m, a, b, &RECORD, &e)
            plays = []
            for i in range(n):
                plays.append(make_play(moves + i * 3 * BG_MAX_MOVES, BG_MAX_MOVES, &rows[i]))
            return tuple(plays)
        finally:
            PyMem_RawFree(block)

    def count_plays(self, Position position not None, dice, *, context=0):
        """How many legal plays a roll has; 0 = none, or the game is over.  As `legal_plays`, without making them."""
        cdef int a, b
        a, b = self.checked_roll(position, dice, context)
        return count_roll(&position.p, a, b)

    def next_moves(self, Position position not None, dice, moved=(), *, context=0):
        """The single moves that can follow towards a legal play, for step-wise interfaces.

        Parameters
        ----------
        position, dice, context
            As in `legal_plays`.
        moved : sequence of Move or of (source, target)
            What has been moved already, any dice and checkers first.

        Returns
        -------
        tuple of Move
            Highest source first, then the highest target.  Empty once the play is complete, or if there is none.

        Raises
        ------
        IllegalPlay
            `moved` cannot be continued to a legal play.
        """
        from bgcore.rules._resolve import next_moves

        roll = self.checked_roll(position, dice, context)
        return next_moves(self, position, roll, moved)

    def check(self, Position position not None, dice, play, *, context=0):
        """The canonical Play for a play or a text.

        Parameters
        ----------
        play : Play or str
            A text in the mover's own numbering.

        Raises
        ------
        IllegalPlay
            `.reason` is the first IllegalReason that applies, and the message says what would be right.
        FormatError
            A text that is no play.
        """
        from bgcore.rules._resolve import check_play

        roll = self.checked_roll(position, dice, context)
        return check_play(self, position, roll, play)

    def parse_play(self, Position position not None, dice, str text not None, *, numbering="own", side=None, context=0):
        """Read a play, matched by the position it reaches: every equivalent spelling gives an equal Play.

        Parameters
        ----------
        text : str
            See `Play.parse`.  Marks of hits are checked against nothing; they choose between routes.
        numbering : {"own", "absolute"}
            The mover's numbering, or one 1-24 numbering for both sides.
        side : {"bottom", "top"}, for absolute numbering only
            The mover: the side whose own numbering it is ("bottom"), or the other ("top", whose point p is written
            25 - p).  Numerals 25 and 0 are then bottom's bar and off, and top's off and bar, as in an XGID.

        Raises
        ------
        IllegalPlay
            No legal play is meant; `.reason` says why.
        FormatError
            No play at all, or two legal plays could be meant: both are named.
        """
        from bgcore.rules._resolve import parse_play

        roll = self.checked_roll(position, dice, context)
        return parse_play(self, position, roll, text, numbering, side)

    def outcome(self, Position position not None):
        """How the game has ended, or None while it goes on."""
        cdef int won
        self.check_position(position)
        won = contrary_outcome(&position.p, self.checkers)
        if won == 0:
            return None
        kind = ("single", "gammon", "backgammon")[abs(won) - 1]
        return Outcome("own" if won > 0 else "opp", self.options["scoring"][abs(won) - 1], kind)

    def is_contact(self, Position position not None):
        """Whether the sides can still meet."""
        self.check_position(position)
        return position.is_contact

    def text(self, Position position not None):
        """The position as a text board."""
        from bgcore.draw.board_text import board_text

        self.check_position(position)
        return board_text(position)

    # ---- the gate

    cdef uint32_t reasons(self, Position position) noexcept:
        cdef bg_masks m
        look(&position.p, &m)
        return contrary_reasons(&position.p, &m, self.checkers)

    cdef int require_native(self) except -1:
        if not self.native:
            changed = [option for option in MOVEMENT if self.options[option] != BACKGAMMON_MOVEMENT[option]]
            raise RuleError(f"{self.name}: this version of bgcore does not play with "
                            + ", ".join(f"{option}={self.options[option]!r}" for option in changed))
        return 0

    cdef int check_position(self, Position position) except -1:
        cdef uint32_t reasons
        self.require_native()
        reasons = self.reasons(position)
        if reasons:
            raise invalid_position(reasons)
        return 0

    cdef (int, int) checked_roll(self, Position position, dice, context) except *:
        cdef int a, b
        self.check_position(position)
        if context != 0:
            raise RuleError(f"{self.name} has no context; it must be 0, not {context!r}")
        first, second = dice
        a = first
        b = second
        if not (1 <= a <= 6 and 1 <= b <= 6):
            raise RuleError(f"a die shows 1 to 6, not {b if 1 <= a <= 6 else a}")
        return (a, b) if a >= b else (b, a)


BACKGAMMON_MOVEMENT = {option: Rules("", start={1: 1}, checkers=1).options[option] for option in MOVEMENT}


def restore(fields):
    """A Rules from what it was pickled as."""
    return Rules(**fields)
