"""A rule set: which game is played, as a frozen value, and everything a single position can be asked under it.

Rules is the gate for scalar calls about plays: it validates position, dice and context, and the generator in
``bgcore.core.movegen`` takes them on trust.  What needs search in text or in half-made plays is in ``_resolve``.
"""

from operator import index
from types import MappingProxyType
from typing import NamedTuple

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, uint32_t

from bgcore.arrays import invalid_position
from bgcore.core.game cimport (
    BG_SLACK, CONTACT_HIT, CONTACT_NONE, CONTACT_PIN, GAMMON_NONE_OFF, GAMMON_NOT_HOME, GAMMON_START, Game,
    HEAD_346, HEAD_46, HEAD_ALWAYS, HEAD_NONE, HEAD_OBSTRUCTED, MOTHER_IMMEDIATE, MOTHER_NONE, MOTHER_WAIT,
    OUTCOME_DRAW, OUTCOME_MOTHER, PRIME_AHEAD, PRIME_AHEAD_STRICT, PRIME_BOTH_STARTS, PRIME_FRONT, PRIME_LAST_TWO,
    PRIME_NEVER, PRIME_START, PRIME_UNBLOCK, bg_emit, bg_masks, bg_row, game_outcome, game_reasons, look, max_plays,
)
from bgcore.core.movegen cimport RECORD, aligned_rows, count_roll, generate, roll_memory, start_emit
from bgcore.errors import InvalidReason, RuleError
from bgcore.play cimport make_play
from bgcore.position cimport Position

__all__ = ["OPTIONS", "REGISTRY", "Outcome", "Rules", "register"]

OPTIONS = {
    "geometry": ("contrary", "parallel"),
    "block_at": (2, 1),
    "contact": ("hit", "pin", "none"),
    "doubles": ("x4", "cascade", "x2", "n_times"),
    "cascade_from": (1, 4),
    "remainder": ("opponent", "forfeit"),
    "transfer_needs_start": (False, True),
    "larger_die": (True, False),
    "opening": ("keep_dice", "reroll", "opponents_checkers"),
    "next_first": ("roll", "winner", "loser", "alternate"),
    "runner": ("none", "pass", "reach", "last_quarter"),
    "head_limit": (None, 1),
    "head_first_turn": ("none", "obstructed", "doubles_346", "doubles_46", "always2"),
    "prime_rules": frozenset({
        "start_quarter", "both_start_quarters", "front_of_head", "ahead", "ahead_strict", "trap15", "last_two",
        "never_six", "unblock_duty",
    }),
    "prime_check": ("final", "step"),
    "start_quarter_cap": (None, 4),
    "start_quarter_made": (None, 2),
    "hit_and_run_home": ("allow", "forbid"),
    "entry_cap_per_point": (None, 1),
    "entry_forbid_own": (False, True),
    "entry_all_first": (True, False),
    "entry_bar_loss": (None, 6),
    "mother": ("none", "wait", "immediate"),
    "bear_off": ("core", "exact_any"),
    "bear_off_while_pinned": ("forbid", "allow"),
    "scoring": (1, 2, 3),
    "gammon_if": ("none_off", "loser_not_all_home", "start_quadrant"),
    "ladder": ((), (("home_mars", 2), ("koks", 3))),
    "draw": ("none", "last_roll"),
    "draw_points": (0, 1),
    "cube": (True, False),
}
"""Every option of a rule set and its values, the first being backgammon's.  Exceptions: ``prime_rules`` is a set of
the names listed, ``scoring`` any three points (single, gammon, backgammon), ``ladder`` a mapping or pairs, one or both
of the wins to any points, ``entry_cap_per_point`` and ``entry_bar_loss`` 1 to 15, ``start_quarter_cap`` and
``start_quarter_made`` 1 to 6, ``cascade_from`` any turn."""

PRIMES = {
    "start_quarter": PRIME_START,
    "both_start_quarters": PRIME_BOTH_STARTS,
    "front_of_head": PRIME_FRONT,
    "ahead": PRIME_AHEAD,
    "trap15": PRIME_AHEAD,
    "ahead_strict": PRIME_AHEAD_STRICT,
    "last_two": PRIME_LAST_TWO,
    "never_six": PRIME_NEVER,
    "unblock_duty": PRIME_UNBLOCK,
}
RUNNERS = {"none": 0, "pass": 11, "reach": 12, "last_quarter": 6}
HEADS = {
    "none": HEAD_NONE,
    "obstructed": HEAD_OBSTRUCTED,
    "doubles_346": HEAD_346,
    "doubles_46": HEAD_46,
    "always2": HEAD_ALWAYS,
}
GAMMONS = {"none_off": GAMMON_NONE_OFF, "loser_not_all_home": GAMMON_NOT_HOME, "start_quadrant": GAMMON_START}
MOTHERS = {"none": MOTHER_NONE, "wait": MOTHER_WAIT, "immediate": MOTHER_IMMEDIATE}
CONTACTS = {"hit": CONTACT_HIT, "pin": CONTACT_PIN, "none": CONTACT_NONE}

# What makes a game play like backgammon, whatever it scores.
LIKE_BACKGAMMON = {
    "parallel": 0, "block_at": 2, "contact": CONTACT_HIT, "steps": 4, "cascade": 0, "runner": 0, "head_limit": 0,
    "primes": 0, "start_cap": 0, "start_made": 0, "freeze": 0, "entry_cap": 0, "entry_forbid_own": 0,
    "entry_any_order": 0, "bar_loss": 0, "off_early": 0, "gammon_if": 0, "any_die": 0, "last_roll": 0,
}


def game_of(rules):
    """The numbers of a rule set for the core, or None where the core does not play the combination."""
    o = rules.options
    if o["block_at"] != (1 if o["contact"] == "none" else 2):
        return None
    if o["contact"] == "pin" and o["geometry"] == "parallel":
        return None
    if o["draw"] == "last_roll" and o["doubles"] == "cascade":
        return None
    primes = 0
    for name in o["prime_rules"]:
        primes |= PRIMES[name]
    numbers = {
        "checkers": rules.checkers,
        "parallel": o["geometry"] == "parallel",
        "block_at": o["block_at"],
        "contact": CONTACTS[o["contact"]],
        "steps": {"x2": 2, "n_times": 0}.get(o["doubles"], 4),
        "cascade": o["doubles"] == "cascade",
        "cascade_from": o["cascade_from"],
        "forfeit": o["remainder"] == "forfeit",
        "needs_start": o["transfer_needs_start"],
        "runner": RUNNERS[o["runner"]],
        "runner_flag": o["contact"] == "hit" and o["runner"] != "none",
        "head_limit": o["head_limit"] or 0,
        "head_first": HEADS[o["head_first_turn"]],
        "primes": primes,
        "prime_step": bool(primes) and o["prime_check"] == "step",
        "start_cap": o["start_quarter_cap"] or 0,
        "start_made": o["start_quarter_made"] or 0,
        "freeze": o["contact"] == "hit" and o["hit_and_run_home"] == "forbid",
        "entry_cap": o["entry_cap_per_point"] or 0,
        "entry_forbid_own": o["entry_forbid_own"],
        "entry_any_order": not o["entry_all_first"],
        "bar_loss": o["entry_bar_loss"] or 0,
        "mother": MOTHERS[o["mother"]] if o["contact"] == "pin" else MOTHER_NONE,
        "off_early": o["bear_off"] == "exact_any",
        "off_pinned": o["bear_off_while_pinned"] == "allow",
        "triple": o["geometry"] == "contrary" and o["scoring"][2] != o["scoring"][1],
        "gammon_if": GAMMONS[o["gammon_if"]],
        "any_die": not o["larger_die"],
        "last_roll": o["draw"] == "last_roll",
    }
    plain = all(numbers[name] == value for name, value in LIKE_BACKGAMMON.items())
    return Game(plain=plain, **numbers)


class Outcome(NamedTuple):
    """How a finished game ended, before any cube.

    Attributes
    ----------
    winner : "own", "opp" or None
        The sides of the position asked about; None for a draw.
    points : int
        What the rule set pays for it.
    kind : str
        "single", "gammon" or "backgammon"; "mother" and "draw" in games with pinning, "bar_loss", "home_mars" and
        "koks" under those options.
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
    elif name == "ladder":
        rungs = dict(value)
        if not all(rung in ("home_mars", "koks") and type(points) is int and points > 0
                   for rung, points in rungs.items()):
            raise RuleError(f"ladder gives points to home_mars, koks or both, not {value!r}")
        value = tuple(sorted(rungs.items()))
    elif name in ("entry_cap_per_point", "entry_bar_loss", "start_quarter_cap", "start_quarter_made"):
        if value is not None and (type(value) is not int or not 1 <= value <= 15):
            raise RuleError(f"{name} is None or 1 to 15, not {value!r}")
    elif name == "cascade_from":
        if type(value) is not int or value < 1:
            raise RuleError(f"cascade_from is the first turn whose doubles cascade, 1 or more, not {value!r}")
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


cdef inline int die_of(die) except -1:
    """A die as an integer; TypeError for what is none, floats included."""
    if type(die) is not int:
        die = index(die)
    if not 1 <= die <= 6:
        raise RuleError(f"a die shows 1 to 6, not {die}")
    return die


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
        if self.name is not None:
            raise TypeError("a Rules is frozen; replace() makes another one")
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
        self.game = game_of(self)

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
        return f"Rules({', '.join(f'{key}={in_order(value)}' for key, value in self.fields().items())})"

    # ---- asked of one position

    def validate(self, Position position not None):
        """Why a position is none of this game; never raises for a wrong one.

        Returns
        -------
        InvalidReason
            Flags; 0 = valid.
        """
        cdef bg_masks m
        if self.game is None:
            self.core()
        look(&position.p, &self.game.rules, &m)
        return InvalidReason(game_reasons(&position.p, &m, &self.game.rules))

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
        cdef int a, b, i, n, room
        cdef int step = self.checked_context(dice, context)
        cdef bg_masks m
        cdef void *block
        cdef void *scratch = NULL
        cdef int8_t *moves
        cdef bg_row *rows
        cdef bg_emit e
        cdef list plays = []
        a, b = self.checked_roll(position, dice, &m)
        try:
            # Counted first: most rolls have few plays, and room for the most there can be is 130 KB.
            if not self.game.rules.plain:
                scratch = roll_memory(&self.game.rules, 1)
            n = count_roll(&position.p, &m, &self.game.rules, a, b, step, aligned_rows(scratch))
            if n == 0:
                return ()
            room = n if self.game.rules.plain else max_plays(&self.game.rules)
            block = PyMem_RawMalloc((room + BG_SLACK) * (sizeof(bg_row) + 3 * self.max_moves) + 64)
            if n < 0 or block == NULL:
                PyMem_RawFree(block)
                raise MemoryError
            rows = aligned_rows(block)
            moves = <int8_t *>(rows + room + BG_SLACK)
            start_emit(&e, &self.game.rules, rows, NULL, moves)
            n = generate(&position.p, &m, &self.game.rules, a, b, step, &RECORD, &e)
            for i in range(n):
                plays.append(make_play(moves + i * 3 * self.max_moves, self.max_moves, &rows[i]))
            PyMem_RawFree(block)
        finally:
            PyMem_RawFree(scratch)
        return tuple(plays)

    def count_plays(self, Position position not None, dice, *, context=0):
        """How many legal plays a roll has; 0 = none, or the game is over.  As `legal_plays`, without making them."""
        cdef int a, b, n
        cdef int step = self.checked_context(dice, context)
        cdef bg_masks m
        cdef void *scratch = NULL
        a, b = self.checked_roll(position, dice, &m)
        if not self.game.rules.plain:
            scratch = roll_memory(&self.game.rules, 1)
        n = count_roll(&position.p, &m, &self.game.rules, a, b, step, aligned_rows(scratch))
        PyMem_RawFree(scratch)
        if n < 0:
            raise MemoryError
        return n

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

        return next_moves(self, position, self.roll(position, dice), moved, self.checked_context(dice, context))

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

        return check_play(self, position, self.roll(position, dice), play, self.checked_context(dice, context))

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

        step = self.checked_context(dice, context)
        return parse_play(self, position, self.roll(position, dice), text, numbering, side, step)

    def outcome(self, Position position not None):
        """How the game has ended, or None while it goes on."""
        cdef int won
        self.check_position(position)
        won = game_outcome(&position.p, &self.game.rules)
        if won == 0:
            return None
        if won == OUTCOME_DRAW:
            return Outcome(None, self.options["draw_points"], "draw")
        winner = "own" if won > 0 else "opp"
        if abs(won) >= OUTCOME_MOTHER:
            return Outcome(winner, self.options["scoring"][1], "mother" if abs(won) == OUTCOME_MOTHER else "bar_loss")
        if self.options["ladder"]:
            ladder = dict(self.options["ladder"])
            loser = position.counts[1 if won > 0 else 0].tolist()
            for rung, met in (("koks", any(loser[19:])), ("home_mars", not any(loser[7:]))):
                if met and loser[0] == 0 and rung in ladder:
                    return Outcome(winner, ladder[rung], rung)
        return Outcome(winner, self.options["scoring"][abs(won) - 1], ("single", "gammon", "backgammon")[abs(won) - 1])

    def is_contact(self, Position position not None):
        """Whether the sides can still meet: a point that both may yet stand on or pass."""
        self.check_position(position)
        if self.options["geometry"] == "contrary" or position.is_over:
            return position.is_contact
        # Each side has 1 to its rearmost checker before it; the other's 1 is its 13, so these overlap from 13 on.
        return any(count for side in position.counts.tolist() for count in side[13:])

    def text(self, Position position not None):
        """The position as a text board."""
        from bgcore.draw.board_text import board_text

        self.check_position(position)
        return board_text(position, geometry=self.options["geometry"], bar=self.options["contact"] == "hit")

    # ---- the gate

    def core(self):
        """The rule set as the core reads it.

        Raises
        ------
        RuleError
            This version of bgcore does not play the combination of options.
        """
        if self.game is None and self.options["draw"] == "last_roll" and self.options["doubles"] == "cascade":
            raise RuleError(f"{self.name}: bgcore does not play draw='last_roll' with doubles='cascade'")
        if self.game is None:
            raise RuleError(f"{self.name}: bgcore does not play geometry={self.options['geometry']!r}, "
                            f"contact={self.options['contact']!r} and block_at={self.options['block_at']} together; "
                            "contact='none' goes with block_at=1, the others with 2, and pins with contrary geometry")
        return self.game

    cdef int check_position(self, Position position) except -1:
        cdef bg_masks m
        cdef uint32_t reasons
        if self.game is None:
            self.core()
        look(&position.p, &self.game.rules, &m)
        reasons = game_reasons(&position.p, &m, &self.game.rules)
        if reasons:
            raise invalid_position(reasons)
        return 0

    cdef (int, int) checked_roll(self, Position position, dice, bg_masks *m) except *:
        """The larger die and the smaller; m becomes the masks of the position, which is checked."""
        cdef int a, b
        cdef uint32_t reasons
        if self.game is None:
            self.core()
        look(&position.p, &self.game.rules, m)
        reasons = game_reasons(&position.p, m, &self.game.rules)
        if reasons:
            raise invalid_position(reasons)
        first, second = dice
        a = die_of(first)
        b = die_of(second)
        return (a, b) if a >= b else (b, a)

    cdef int checked_context(self, dice, context) except -1:
        if type(context) is int and context == 0:
            return 0
        if self.options["contact"] == "hit" and self.options["runner"] != "none":
            if type(context) is not int or context != 1:
                raise RuleError(f"{self.name}: context is 1 once the courier has arrived, else 0, not {context!r}")
            return context
        if self.options["doubles"] != "cascade":
            raise RuleError(f"{self.name} has no context; it must be 0, not {context!r}")
        if type(context) is not int or not 1 <= context <= 4:
            raise RuleError(f"{self.name}: context is the steps of a sub-roll, 1 to 4, or 0 for all, not {context!r}")
        first, second = dice
        if first != second:
            raise RuleError(f"{self.name}: only equal dice are a sub-roll; context must be 0 with {first}-{second}")
        return context

    def roll(self, Position position not None, dice):
        """The larger die and the smaller of a checked roll of a checked position."""
        cdef bg_masks m
        cdef int a, b
        a, b = self.checked_roll(position, dice, &m)
        return a, b


REGISTRY = {}
"""Every game that `bgcore.rules.get` knows: name to rule set and to presets, named sets of changes."""


def register(rules, **presets):
    """Makes a game known by its name and returns it; each preset is a mapping of changes to it."""
    REGISTRY[rules.name] = rules, presets
    for changes in presets.values():
        rules.replace(**changes)  # a preset that does not fit shows at import
    return rules


def in_order(value):
    """repr, but of a set always in the same order."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(map(repr, sorted(value))) + "}" if value else "set()"
    return repr(value)


def restore(fields):
    """A Rules from what it was pickled as."""
    return Rules(**fields)
