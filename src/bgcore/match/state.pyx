"""The state of a match: everything that decides what may be done next, as one immutable value.

`MatchState.actions` lists what may be done, `MatchState.apply` does it and returns the next state; nothing else changes
a state.  How it does is in `bgcore.match.transitions`, options and what a game pays in `bgcore.match.cube`, texts in
`bgcore.match.ids`.  Tavli matches and Gül Bar sessions keep their own score: `series` is told how each game ended.
"""

import sys

cimport cython
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memset

from bgcore.core.board cimport bg_position
from bgcore.errors import RuleError
from bgcore.match.actions import (
    Accept, Beaver, Decline, Double, Drop, MakePlay, NextGame, OpeningRoll, Pass, Raccoon, Resign, Roll, Take,
)
from bgcore.match.actions cimport (
    Action, DECLINE, DOUBLE, FORFEIT, MAKE_PLAY, NEXT_GAME, OPENING_ROLL, PASS, RACCOON, RESIGN, ROLL, RULING,
)
from bgcore.match.cascade import Stage
from bgcore.match.cube import MOST_POINTS, GameEnd, MatchOptions, drop_points, game_points, resignation_points
from bgcore.match.gul_bar import GulBar
from bgcore.match.tavli import TavliMatch
from bgcore.match.transitions import KINDS
from bgcore.match.transitions cimport (
    ENDINGS, GAME_OVER, MatchCore, NOT_ENDED, OFFERED, OPENING, TO_PLAY, TO_ROLL, Terms, bg_match, check, clear_game,
    look_up, series_score, set_dice, set_score, settle_match,
)
from bgcore.play cimport Play
from bgcore.position cimport Position, wrap
from bgcore.rules import BACKGAMMON
from bgcore.rules._base cimport Rules

__all__ = ["MatchState"]

PHASES = ("opening", "to_roll", "to_play", "offered", "game_over")
ENDS = (None, "play", "drop", "resignation", "forfeit", "stuck")
LEVELS = {name: level for level, name in KINDS.items()}


CACHE = {}
"""The answers of MatchState.actions, made once each."""


cdef tuple listed(int main, int zero, int one, int most):
    """The actions for a kind of state, and the resignations above what each player has had declined."""
    actions = [
        (), (OpeningRoll(),), (Roll(),), (Roll(), Double()), (MakePlay(),), (Pass(),), (Take(), Drop()),
        (Take(), Drop(), Beaver()), (Take(), Drop(), Raccoon()), (Accept(), Decline()), (NextGame(),),
    ][main]
    levels = [(0, level) for level in range(zero + 1, most + 1)] + [(1, level) for level in range(one + 1, most + 1)]
    return actions + tuple([Resign(level, player) for player, level in levels])


@cython.final
@cython.no_gc
cdef class MatchState(MatchCore):
    """Everything that decides what may be done next in a match or a money session.

    Made by `new`, `from_xgid`, `from_gnubg_id`, and from then on by `apply`.  Players are 0 and 1.  Positions are seen
    by the player on roll, also while he waits for an answer to his double.

    Equality and hash are by value: what decides what may happen next.

    Attributes
    ----------
    rules : Rules
        Of the game that is played.
    series : TavliMatch, GulBar or None
        The match that keeps its own score, after what has been played.
    stage : bgcore.match.cascade.Stage or None
        In games whose doubles cascade, what part of a roll is to be played, and whether the opponent has left it.

    Notes
    -----
    Stability: the pickled form keeps its meaning within a minor version.
    **Threads:** immutable, safe to share.

    Examples
    --------
    >>> from bgcore.match.actions import Double, OpeningRoll, Take
    >>> state = MatchState.new(length=7).apply(OpeningRoll(3, 1))
    >>> state.on_roll, state.dice, state.actions()[0]
    (0, (3, 1), MakePlay())
    >>> state = state.apply(state.legal_plays()[0]).apply(Double())
    >>> state.on_roll, state.to_act, state.cube
    (1, 0, 1)
    >>> state = state.apply(Take())
    >>> state.cube, state.cube_owner
    (2, 0)
    """

    cdef MatchCore copy(self):
        cdef MatchState state = MatchState.__new__(MatchState)
        state.p = self.p
        memcpy(&state.s, &self.s, sizeof(bg_match))
        state.rules = self.rules
        state.terms = self.terms
        state.series = self.series
        state.series_before = self.series_before
        state.stage = self.stage
        state.turn_start = self.turn_start
        state.swapped = self.swapped
        return state

    # ---- making one

    @staticmethod
    def new(length=None, rules=None, *, series=None, score=(0, 0), crawford_played=False, **options):
        """A match, a money session or a series of games, before its first opening roll.

        Parameters
        ----------
        length : int
            Points that win the match; 0 is money play.  7 if not given.
        rules : Rules
            The game that is played; backgammon if not given.
        series : TavliMatch or GulBar, optional
            A match that keeps its own score and chooses its own games, instead of length and rules.
        score : two int
            Points that the players have already, in a match or money session.
        crawford_played : bool
            In a match where one player is one point away: whether the Crawford game is over; where both are, it is.
        **options
            Fields of `bgcore.match.cube.MatchOptions`.

        Returns
        -------
        MatchState

        Raises
        ------
        RuleError
            Options, a length or a score that do not exist or do not go together.
        """
        cdef MatchState state
        if series is not None:
            if length is not None or rules is not None or tuple(score) != (0, 0) or crawford_played:
                raise RuleError("a series has its own length, rules and score: give series= without these")
            if not isinstance(series, (TavliMatch, GulBar)):
                raise TypeError(f"series is a TavliMatch or a GulBar, not {type(series).__name__}")
            if series.winner is not None:
                raise RuleError(f"the series is over: player {series.winner} has won it")
            if isinstance(series, GulBar) and (series.playing or series.base.cube):
                raise RuleError("a Gül Bar session begins between games, and its base is played without a cube")
            rules = series.rules if isinstance(series, TavliMatch) else series.base
            length = 0
        state = blank(7 if length is None else length, BACKGAMMON if rules is None else rules, series, options)
        if series is None:
            zero, one = score
            set_score(state, zero, one)
            if state.terms.length and max(zero, one) >= state.terms.length:
                raise RuleError(f"at {zero}-{one} a match to {state.terms.length} is over")
            if crawford_played and not (state.terms.crawford and max(zero, one) == state.terms.length - 1):
                raise RuleError("the Crawford game can only be over where somebody is one point away from winning")
            state.s.crawford_done = crawford_played or (state.terms.crawford and zero == one == state.terms.length - 1)
            state.begin_game(-1)
        else:
            series_score(state)
            state.begin_game(-1 if series.first is None else series.first)
        return state

    @staticmethod
    def from_xgid(str text not None, rules=None, *, strict=True, **options):
        """The state that an XGID says; see `bgcore.match.ids.from_xgid`."""
        from bgcore.match.ids import from_xgid

        return from_xgid(text, BACKGAMMON if rules is None else rules, strict=strict, **options)

    @staticmethod
    def from_gnubg_id(str text not None, rules=None, **options):
        """The state that GNU Backgammon's ``PositionID:MatchID`` says; see `bgcore.match.ids.from_gnubg_id`."""
        from bgcore.match.ids import from_gnubg_id

        return from_gnubg_id(text, BACKGAMMON if rules is None else rules, **options)

    def xgid(self, *, bottom=None, form="xg"):
        """The state as an XGID; see `bgcore.match.ids.to_xgid`."""
        from bgcore.match.ids import to_xgid

        return to_xgid(self, bottom, form)

    @property
    def gnubg_id(self):
        """The state as GNU Backgammon's ``PositionID:MatchID``; see `bgcore.match.ids.to_gnubg_id`."""
        from bgcore.match.ids import to_gnubg_id

        return to_gnubg_id(self)

    # ---- what it is

    @property
    def position(self):
        """The checkers, seen by the player on roll; before the opening roll the starting position."""
        return wrap(&self.p)

    @property
    def length(self):
        """Points that win the match; 0 in money play; games to win in a best of three."""
        if isinstance(self.series, TavliMatch):
            return 2 if self.series.target is None else self.series.target
        return self.terms.length if self.series is None else self.series.target

    @property
    def options(self):
        """The `bgcore.match.cube.MatchOptions`."""
        return self.terms.options

    @property
    def is_money(self):
        """Whether this is money play: no length, no series."""
        return bool(self.terms.money)

    @property
    def score(self):
        """Points of player 0 and of player 1; games in a best of three.  Updated when a game ends; never clipped."""
        return self.s.score[0], self.s.score[1]

    @property
    def phase(self):
        """"opening", "to_roll", "to_play", "offered" (a cube) or "game_over"; a resignation may be pending as well."""
        return PHASES[self.s.phase]

    @property
    def on_roll(self):
        """Whose turn it is, 0 or 1, also while an answer to him is due; None before the opening roll."""
        return None if self.s.on_roll < 0 else self.s.on_roll

    @property
    def to_act(self):
        """Who must decide now, 0 or 1; None for an opening roll and after the end of a game.

        Apart from him, whoever may resign may do so.
        """
        player = self.to_act_()
        return None if player < 0 else player

    @property
    def dice(self):
        """The roll to be played, larger die first; None if there is none.  Of a cascade, the stage."""
        return (self.s.die1, self.s.die2) if self.s.die1 else None

    @property
    def thrown(self):
        """The same in the order in which the dice were told; no part of the value."""
        return self.dice[::-1] if self.s.die1 and self.swapped else self.dice

    @property
    def max_cube(self):
        """Base-2 logarithm of the largest cube of the XGID that the match was read from, or None.

        Carried for the next XGID; it limits nothing and is no part of the value.
        """
        return self.terms.max_cube

    @property
    def context(self):
        """What the plays of the roll depend on beside position and dice, as `Rules.legal_plays` takes it."""
        return self.context_() if self.s.phase == TO_PLAY else 0

    @property
    def cube(self):
        """The value of the cube; 1 where there is none.  While it is offered, the value before."""
        return 1 << self.s.cube

    @property
    def cube_owner(self):
        """Who owns the cube, 0 or 1; None: it is centred."""
        return None if self.s.owner < 0 else self.s.owner

    @property
    def cube_owner_before(self):
        """While a beaver or raccoon is to be answered, who owned the cube before the double; else None."""
        return None if self.s.owner_before < 0 or not self.s.chain else self.s.owner_before

    @property
    def cube_in_play(self):
        """Whether this game is played with the cube: not in the Crawford game, nor in a match to one point."""
        return bool(self.s.uses_cube and self.terms.length != 1 and not self.s.crawford)

    @property
    def pending(self):
        """The answer that is due: to a "double", "beaver", "raccoon" or "resignation"; None if none is."""
        if self.s.phase == GAME_OVER:
            return None
        if self.s.resigned:
            return "resignation"
        if self.s.phase != OFFERED:
            return None
        return ("beaver" if self.s.chain & 1 else "raccoon") if self.s.chain else "double"

    @property
    def redoubles(self):
        """How many beavers and raccoons have followed the double that is to be answered."""
        return self.s.chain

    @property
    def resigned(self):
        """(level, player) of the resignation to be answered; None if there is none."""
        return (self.s.resigned, self.s.resigner) if self.s.resigned and self.s.phase != GAME_OVER else None

    @property
    def declined(self):
        """The highest resignation of player 0 and of player 1 that was declined; 0 = none."""
        return self.s.declined[0], self.s.declined[1]

    @property
    def is_crawford(self):
        """Whether this is the Crawford game."""
        return bool(self.s.crawford)

    @property
    def is_post_crawford(self):
        """Whether this game comes after the Crawford game."""
        return bool(self.s.crawford_done)

    @property
    def automatic_doubles(self):
        """How many ties of the opening roll have doubled the cube in this game."""
        return self.s.autos

    @property
    def jacoby(self):
        """Whether a gammon or backgammon would pay no more than a single game now: Jacoby, and the cube centred."""
        return bool(self.jacoby_())

    @property
    def game(self):
        """The number of the game, from 1."""
        return self.s.game

    @property
    def first(self):
        """Who began the game; None: not settled yet, or not known."""
        return None if self.s.first < 0 else self.s.first

    @property
    def rolls(self):
        """How often player 0 and player 1 have rolled in this game."""
        return self.s.rolls[0], self.s.rolls[1]

    @property
    def result(self):
        """How the game has ended, a `bgcore.match.cube.GameEnd`; None while it goes on."""
        if self.s.end == NOT_ENDED:
            return None
        winner = None if self.s.end_winner < 0 else self.s.end_winner
        points = self.s.paid[0] if winner is None else self.s.paid[winner]
        if isinstance(self.series, TavliMatch) and self.series.results:
            points = self.series.results[len(self.series.results) - 1].points
        return GameEnd(winner, points, KINDS[self.s.end_kind], ENDS[self.s.end])

    @property
    def is_game_over(self):
        """Whether the game is over; `result` says how."""
        return self.s.phase == GAME_OVER

    @property
    def is_match_over(self):
        """Whether nothing more can be played."""
        return self.s.winner >= 0

    @property
    def winner(self):
        """Who has won the match, or with table stakes the session; None while it goes on."""
        return None if self.s.winner < 0 else self.s.winner

    # ---- what may be done

    def actions(self):
        """What may be done now.

        Returns
        -------
        tuple of Action
            By the player `to_act`; an opening roll by both; a `Resign` by the player that it names.  `Roll` and
            `OpeningRoll` stand for every roll, `MakePlay` for every play of `legal_plays`.  Empty once the match is
            over.  Rulings and forfeits are not listed: they come from outside the game.

        Notes
        -----
        O(1).
        """
        cdef int main, zero = 3, one = 3, most = 0
        if self.s.winner >= 0:
            main = 0
        elif self.s.phase == GAME_OVER:
            main = 10
        elif self.s.resigned:
            main = 9
        elif self.s.phase == OFFERED:
            main = 6 if self.redouble_refused() else 8 if self.s.chain & 1 else 7
        else:
            if self.s.phase == OPENING:
                main = 1
            elif self.s.phase == TO_ROLL:
                main = 2 if self.double_refused() else 3
            else:
                main = 4 if self.s.plays else 5
            if self.s.phase != OPENING or self.series is None:
                zero, one, most = self.s.declined[0], self.s.declined[1], self.s.levels
        key = main | zero << 4 | one << 6 | most << 8
        found = CACHE.get(key)
        if found is None:
            found = CACHE.setdefault(key, listed(main, zero, one, most))
        return found

    def legal_plays(self):
        """Every legal play of the roll on the table, as `Rules.legal_plays`; empty if there is no roll or no play."""
        if self.s.phase != TO_PLAY or self.s.resigned or self.s.plays == 0:
            return ()
        return self.rules.legal_plays(wrap(&self.p), (self.s.die1, self.s.die2), context=self.context_())

    def apply(self, action):
        """The state after an action.

        Parameters
        ----------
        action : Action or Play
            A Play is the same as ``MakePlay(play)``.

        Returns
        -------
        MatchState

        Raises
        ------
        IllegalPlay
            The play is not legal; `.reason` says why.
        RuleError
            Anything else that may not be done now; `.rule` names the rule.
        """
        cdef Action a
        if isinstance(action, Play):
            return self.do_play(action, action)
        if not isinstance(action, Action):
            raise TypeError(f"an action is an Action or a Play, not {type(action).__name__}")
        a = <Action>action
        if a.code == ROLL:
            return self.do_roll(a, a.a, a.b)
        if a.code == MAKE_PLAY:
            return self.do_play(a, a.detail)
        if a.code == PASS:
            return self.do_pass(a)
        if a.code == OPENING_ROLL:
            return self.do_opening(a, a.a, a.b)
        if DOUBLE <= a.code <= RACCOON:
            return self.do_cube(a, a.code)
        if a.code == RULING:
            return self.do_ruling(a)
        if a.code == FORFEIT:
            return self.do_forfeit(a)
        if a.code == NEXT_GAME:
            return self.do_next(a)
        if RESIGN <= a.code <= DECLINE:
            return self.do_resignation(a, a.code, a.a, a.b)
        raise TypeError(f"{type(action).__name__} is no action by itself")

    # ---- the value

    def __eq__(self, other):
        cdef MatchState o
        if not isinstance(other, MatchState):
            return NotImplemented
        o = <MatchState>other
        if memcmp(&self.s, &o.s, sizeof(bg_match)) or memcmp(&self.p, &o.p, sizeof(bg_position)):
            return False
        if self.rules is not o.rules and self.rules != o.rules:
            return False
        if self.terms is not o.terms and (
            self.terms.length != o.terms.length or self.terms.options != o.terms.options
        ):
            return False
        return (self.series, self.series_before, self.stage, self.turn_start) == (
            o.series, o.series_before, o.stage, o.turn_start)

    def __hash__(self):
        cdef const uint64_t *words = <const uint64_t *>&self.s
        cdef uint64_t h = <uint64_t>self.terms.length
        cdef size_t i
        for i in range(sizeof(bg_match) // 8):
            h = (h ^ words[i]) * 0xbf58476d1ce4e5b9ULL
            h ^= h >> 31
        return hash(wrap(&self.p)) ^ <Py_hash_t>(h >> 2)

    def __reduce__(self):
        cdef const unsigned char *numbers = <const unsigned char *>&self.s
        more = (self.series, self.series_before, self.stage, self.turn_start)
        return restore, (
            PICKLE_VERSION, self.rules, self.terms.length, self.terms.options, wrap(&self.p),
            portable(numbers[:sizeof(bg_match)]), None if more == (None, None, None, None) else more,
            (self.swapped, self.terms.max_cube))

    def _repr_svg_(self):
        from bgcore.draw.board_svg import svg

        return svg(self)

    def __repr__(self):
        from bgcore.match.ids import describe

        return f"<MatchState {describe(self)}>"

    def __str__(self):
        from bgcore.match.ids import describe

        return f"{describe(self)}\n{self.rules.text(wrap(&self.p))}"


# ---- from parts


PICKLE_VERSION = 1
MOST_SCORE = 1 << 62


CHOSEN = {}
"""Options that were checked before, by what they were given as."""
MOST_CHOSEN = 256


cdef chosen_options(length, bint series, options):
    """The options of a match, checked."""
    key = (length, series, *[(name, type(value), value) for name, value in options.items()])
    try:
        if key in CHOSEN:
            return CHOSEN[key]
    except TypeError:  # a value that is no key will be refused, or is a list of table stakes
        key = None
    unknown = set(options) - set(MatchOptions.__dataclass_fields__)
    if unknown:
        raise RuleError(f"no option {', '.join(sorted(unknown))}; there are "
                        f"{', '.join(MatchOptions.__dataclass_fields__)}")
    chosen = MatchOptions(**options)
    if series:
        chosen = chosen.for_length(1)  # what is refused in a match is refused here
    chosen = chosen.for_length(length)
    if key is not None and len(CHOSEN) < MOST_CHOSEN:
        CHOSEN[key] = chosen
    return chosen


cdef MatchState blank(length, rules, series, options):
    """A state with nothing in it but rules and terms."""
    cdef MatchState state = MatchState.__new__(MatchState)
    if not isinstance(rules, Rules):
        raise TypeError(f"rules is a Rules, not {type(rules).__name__}")
    if type(length) is not int or not 0 <= length <= MOST_POINTS:
        raise RuleError(f"a match has a length from 1 on, or 0 for money play, not {length!r}")
    chosen = chosen_options(length, series is not None, options)
    (<Rules>rules).core()
    for option, value, instead in (("draw", "last_roll", "none"), ("opening", "opponents_checkers", "reroll")):
        if rules.options[option] == value:
            raise RuleError(f"a MatchState does not play {option}={value!r}: take rules.replace({option}={instead!r})")
    memset(&state.s, 0, sizeof(bg_match))
    state.rules = rules
    state.terms = Terms(length, chosen, series is not None)
    state.series = series
    state.s.game = 1
    state.s.on_roll = state.s.winner = -1
    clear_game(state)
    look_up(state)
    return state


def build(rules, length, options, *, position, phase, on_roll=None, dice=None, score=(0, 0), cube=0, owner=None,
          redoubles=0, owner_before=None, resigned=None, crawford=False, ended=None, rolls=(0, 0), declined=(0, 0),
          max_cube=None):
    """A state from what a text says of it; what no text says is as at the start of a game.

    Parameters
    ----------
    rules : Rules
    length : int
    options : dict
        Fields of MatchOptions.
    position : Position
        Seen by `on_roll`.
    phase : str
        One of PHASES.
    on_roll, dice, score, owner, owner_before
        As the properties of MatchState.
    cube : int
        Base-2 logarithm.
    redoubles : int
        Beavers and raccoons after the double to be answered.
    resigned : (level, player) or None
    crawford : bool
        Whether this is the Crawford game.
    ended : (how, winner, level), with phase "game_over"
        How the game ended; `score` contains what it paid.
    rolls, declined : two int
        As the properties of MatchState.
    max_cube : int or None
        Carried.

    Raises
    ------
    RuleError
        No such state can come about.
    InvalidPosition
        Not a position of the game.
    """
    cdef MatchState state = blank(length, rules, None, options)
    state.terms.max_cube = max_cube
    state.p = (<Position?>position).p
    state.s.phase = PHASES.index(phase)
    state.s.on_roll = -1 if on_roll is None else on_roll
    set_score(state, score[0], score[1])
    state.s.cube = cube
    state.s.owner = -1 if owner is None else owner
    state.s.chain = redoubles
    if phase == "offered":
        state.s.owner_before = (
            (-1 if owner_before is None else owner_before) if redoubles else state.s.owner)
    if resigned is not None:
        state.s.resigned, state.s.resigner = resigned
    if not all(type(n) is int and 0 <= n <= 1_000_000 for n in rolls):
        raise RuleError(f"rolls are two numbers from 0 on, not {rolls!r}")
    if not all(type(n) is int and 0 <= n <= 3 for n in declined):
        raise RuleError(f"declined are two levels from 0 to 3, not {declined!r}")
    state.s.rolls[0], state.s.rolls[1] = rolls
    state.s.declined[0], state.s.declined[1] = declined
    if ended is not None:
        restore_end(state, ended)
    zero, one = state.s.score[0] - state.s.paid[0], state.s.score[1] - state.s.paid[1]
    if crawford and length and (max(zero, one) != length - 1 or zero == one):
        raise RuleError(f"no Crawford game at {zero}-{one} to {length}: it is the first one after a player comes to "
                        "one point from winning", rule="crawford")
    state.s.crawford = crawford
    state.s.crawford_done = state.terms.crawford and not crawford and max(zero, one) == length - 1
    if state.terms.money and state.s.owner < 0:
        state.s.autos = state.s.cube
    if dice is not None:
        if state.rules.validate(position):
            state.rules.outcome(position)  # raises
        set_dice(state, dice[0], dice[1])
    check(state)
    if phase == "offered" and state.terms.forbid_dead and (
        score[on_roll] + drop_points(rules, 1 << cube) >= length
    ):
        raise RuleError("a single game already wins the doubler the match, and a dead cube may not be offered",
                        rule="dead_cube")
    return state


cdef int restore_end(MatchState state, ended) except -1:
    """Fills in how a game has ended whose score is known."""
    how, winner, level = ended
    cube = 1 << state.s.cube
    if how == "play":
        outcome = state.rules.outcome(wrap(&state.p))
        if outcome is None:
            raise RuleError("the game is said to be over, but the position is not")
        level = LEVELS[outcome.kind]
        points = game_points(state.rules, outcome.points, cube, jacoby=state.jacoby)
        if outcome.winner is not None:
            winner = state.s.on_roll if outcome.winner == "own" else 1 - state.s.on_roll
    elif how == "drop":
        level, points = 1, drop_points(state.rules, cube)
    else:
        points = resignation_points(state.rules, level, cube, jacoby=state.jacoby)
    state.s.end, state.s.end_kind = ENDS.index(how), level
    state.s.end_winner = -1 if winner is None else winner
    for player in range(2):
        if winner is None or player == winner:
            state.s.paid[player] = points if winner is not None else state.rules.draw_points
        if state.s.paid[player] > state.s.score[player]:
            raise RuleError(f"the game pays player {player} {state.s.paid[player]} points, but he has "
                            f"{state.s.score[player]}: the score must contain them")
    return settle_match(state)


cdef int refuse_numbers(const bg_match *s) except -1:
    """Raises if a number of a pickled state is out of its range; what they say together is checked later."""
    cdef int i
    fit = (
        min(s.score[0], s.score[1], s.paid[0], s.paid[1]) >= 0 and max(s.score[0], s.score[1]) < MOST_SCORE
        and s.game > 0 and s.rolls[0] >= 0 and s.rolls[1] >= 0
        and 0 <= s.phase <= <int>GAME_OVER and -1 <= s.on_roll <= 1
        and 0 <= s.die2 <= s.die1 <= 6 and (s.die2 > 0 or s.die1 == 0)
        and 0 <= s.cube <= 30 and -1 <= s.owner <= 1 and -1 <= s.owner_before <= 1
        and 0 <= s.chain <= 30 and 0 <= s.autos <= 30
        and 0 <= s.resigned <= 3 and -1 <= s.resigner <= 1 and (s.resigned == 0 or s.resigner >= 0)
        and 0 <= s.passes <= 2 and -1 <= s.first <= 1 and -1 <= s.winner <= 1
        and 0 <= s.end < <int>ENDINGS and (s.end != NOT_ENDED) == (s.phase == GAME_OVER)
        and -1 <= s.end_winner <= 1 and (s.end == NOT_ENDED or s.end_kind in KINDS)
    )
    for i in range(2):
        fit = fit and 0 <= s.declined[i] <= 3 and 0 <= s.arrived[i] <= 1
    if not fit:
        raise RuleError("the numbers of a pickled MatchState are out of their ranges")
    return 0


def restore(version, rules, length, options, position, bytes numbers not None, more, carried=(False, None)):
    """A MatchState from what it was pickled as."""
    cdef MatchState state
    cdef const unsigned char *source
    if version != PICKLE_VERSION or len(numbers) != sizeof(bg_match):
        raise RuleError(f"a pickled MatchState has version {PICKLE_VERSION} and {sizeof(bg_match)} bytes of numbers, "
                        f"not {version!r} and {len(numbers)}")
    series, before, stage, turn_start = (None,) * 4 if more is None else more
    for part in (series, before):
        if not (part is None or isinstance(part, (TavliMatch, GulBar))):
            raise TypeError(f"series is a TavliMatch or a GulBar, not {type(part).__name__}")
    state = blank(length, rules, series, {name: getattr(options, name) for name in options.__dataclass_fields__})
    numbers = portable(numbers)
    source = numbers
    memcpy(&state.s, source, sizeof(bg_match))
    refuse_numbers(&state.s)
    look_up(state)
    state.p = (<Position?>position).p
    state.series_before, state.turn_start = before, turn_start
    check(state)
    if state.s.die1:
        if stage is not None:
            state.stage = check_stage(rules, *stage)
        set_dice(state, state.s.die1, state.s.die2)
    swapped, max_cube = carried
    if not (type(swapped) is bool and (max_cube is None or (type(max_cube) is int and 0 <= max_cube <= 30))):
        raise RuleError("what a pickled MatchState carries is out of its range")
    state.swapped, state.terms.max_cube = swapped, max_cube
    return state


def portable(bytes numbers not None):
    """The bytes of the struct in little-endian order from native order, or the other way round."""
    if sys.byteorder == "little":
        return numbers
    return b"".join([
        numbers[at:at + size][::-1] for size, at in [(8, 8 * i) for i in range(4)] + [(4, 32 + 4 * i) for i in range(4)]
    ]) + numbers[48:]


def check_stage(rules, value, steps, owed, before):
    """The stage of a cascade, if there can be such a one."""
    fit = rules.doubles == "cascade" and value in range(1, 7) and steps in range(1, 5)
    if not (fit and type(value) is type(steps) is int):
        raise RuleError(f"{rules.name} has no stage of {steps} steps of {value}")
    return Stage(value, steps, bool(owed), before)
