"""How one state of a match becomes the next.

`MatchCore` holds the numbers of a state in one C struct, which is copied whole and then changed; `MatchState` adds what
people see of it.  No step costs more in the thousandth game than in the first.  Every action is checked before anything
is copied, so nothing half-made is ever seen.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, int64_t, uint64_t

from bgcore.core.board cimport BG_HI_SLOTS, bg_position, flip
from bgcore.core.game cimport (
    BG_SLACK, OUTCOME_DRAW, bg_emit, bg_game, bg_masks, bg_row, game_outcome, has_arrived, look, max_plays,
)
from bgcore.core.movegen cimport RECORD, aligned_rows, count_roll, generate, roll_memory, start_emit
from bgcore.errors import IllegalPlay, IllegalReason, RuleError
from bgcore.match.actions cimport Action, BEAVER, DECLINE, DOUBLE, DROP, RACCOON, RESIGN, TAKE
from bgcore.match.cascade import first_stage, left_over, next_stage
from bgcore.match.cube import (
    LARGEST_CUBE, MOST_POINTS, MatchOptions, drop_points, game_points, resignation_levels, resignation_points,
)
from bgcore.match.gul_bar import GulBar
from bgcore.match.opening import next_first
from bgcore.match.tavli import TavliMatch
from bgcore.play cimport Play, make_play
from bgcore.position cimport Position, wrap
from bgcore.rules import BACKGAMMON
from bgcore.rules._base cimport Rules

__all__ = ["MatchCore", "Terms"]

MOST_SCORING = 1 << 20
"""The most that a rule set may pay for a game, before the cube."""

KINDS = {1: "single", 2: "gammon", 3: "backgammon", 4: "mother", 5: "bar_loss", 9: "draw"}

# Why a player may not double: the rule, and what to say of it.
cdef enum:
    MAY_DOUBLE = 0
    NO_CUBE
    ONE_POINT
    CRAWFORD
    NOT_OWNER
    LIMIT
    DEAD
    HOLLAND
    TURNED
REFUSALS = {
    NO_CUBE: ("no_cube", "this game is played without a cube"),
    ONE_POINT: ("one_point_match", "a match to one point has no cube"),
    CRAWFORD: ("crawford", "there is no doubling in the Crawford game"),
    NOT_OWNER: ("not_owner", "the cube belongs to the opponent"),
    LIMIT: ("cube_limit", "the cube has reached its limit"),
    DEAD: ("dead_cube", "a single game at this value already wins the match, and a dead cube may not be offered"),
    HOLLAND: ("holland", "after the Crawford game nobody doubles before both have rolled twice"),
    TURNED: ("turned", "the cube has been turned this turn already"),
}


cdef class Terms:
    """What stays the same throughout a match: its length and its options."""

    def __cinit__(self, int length, options, bint series):
        limit = LARGEST_CUBE if options.cube_limit is None else options.cube_limit
        self.length = length
        self.options = options
        self.money = length == 0 and not series
        self.beavers = options.beavers
        self.automatic_doubles = options.automatic_doubles
        self.limit = limit.bit_length() - 1
        self.raccoon_doubler = options.raccoon_owner == "doubler"
        self.forbid_dead = options.dead_cube == "forbid"
        self.crawford = length > 1 and options.crawford
        self.holland = options.holland
        self.declined_turn = options.declined_for == "turn"


cdef Rules PLAIN = BACKGAMMON
cdef Terms MONEY = Terms(0, MatchOptions(), False)


@cython.no_gc
cdef class MatchCore:
    """A state as native code sees it: made by `MatchState`, of which every one is.

    Notes
    -----
    **Threads:** immutable, safe to share.
    """

    def __cinit__(self):
        self.rules = PLAIN  # never None, even in an object that somebody makes with __new__
        self.terms = MONEY

    def __init__(self, *args, **kwargs):
        raise TypeError("a MatchState is made by new(), from_xgid() or from_gnubg_id()")

    # ---- asked of a state

    cdef MatchCore copy(self):
        """The same once more, to be changed; of the same class."""
        raise NotImplementedError

    cdef bint jacoby_(self) except -1:
        """Whether every win would pay a single game now."""
        return (self.terms.money and self.s.uses_cube and self.s.owner < 0) and self.terms.options.jacoby

    cdef object first_(self):
        return None if self.s.first < 0 else self.s.first

    cdef int to_act_(self) noexcept:
        if self.s.phase == GAME_OVER or self.s.winner >= 0:
            return -1
        if self.s.resigned:
            return 1 - self.s.resigner
        if self.s.phase == OFFERED and not self.s.chain & 1:
            return 1 - self.s.on_roll
        return self.s.on_roll

    cdef int double_refused(self) except -1:
        """Why the player on roll may not double before this roll; 0 = he may."""
        cdef int64_t value = <int64_t>1 << self.s.cube
        if not self.s.uses_cube:
            return NO_CUBE
        if self.terms.length == 1:
            return ONE_POINT
        if self.s.crawford:
            return CRAWFORD
        if self.s.owner >= 0 and self.s.owner != self.s.on_roll:
            return NOT_OWNER
        if self.s.turned:
            return TURNED
        if self.s.cube >= self.terms.limit:
            return LIMIT
        if self.terms.forbid_dead and (
            self.s.score[self.s.on_roll] + value * self.rules.scoring[0] >= self.terms.length
        ):
            return DEAD
        if self.terms.holland and self.s.crawford_done and min(self.s.rolls[0], self.s.rolls[1]) < 2:
            return HOLLAND
        return MAY_DOUBLE

    cdef int redouble_refused(self) noexcept:
        """Whether the double may not be answered by redoubling at once."""
        return self.s.chain >= self.terms.beavers or self.s.cube + 2 > self.terms.limit

    cdef int context_(self) except -1:
        if self.stage is not None:
            return self.stage.steps
        return self.s.arrived[self.s.on_roll] if self.rules.game.rules.runner_flag else 0

    cdef int check_due(self, action, int phase) except -1:
        """Refuses an action that is not what the phase asks for."""
        if self.s.winner >= 0 or self.s.resigned or self.s.phase != phase:
            raise not_due(self, action)
        return 0

    # ---- actions, each checked and then carried out on a copy

    cdef MatchCore do_opening(self, action, int die0, int die1):
        cdef MatchCore new
        self.check_due(action, OPENING)
        if die0 == 0:
            raise RuleError("OpeningRoll() without dice stands for any throw; apply OpeningRoll(die0, die1)",
                            rule="no_dice")
        new = self.copy()
        if die0 == die1:
            if (self.s.autos < self.terms.automatic_doubles and self.s.cube < self.terms.limit
                    and self.s.uses_cube):
                new.s.autos += 1
                new.s.cube += 1
            return new
        new.s.on_roll = new.s.first = 1 if die1 > die0 else 0
        new.s.phase = TO_ROLL
        if self.rules.options["opening"] == "keep_dice":
            new.set_roll(die0, die1)
        return new

    cdef MatchCore do_roll(self, action, int a, int b):
        cdef MatchCore new
        self.check_due(action, TO_ROLL)
        if a == 0:
            raise RuleError("Roll() without dice stands for any roll; apply Roll(d1, d2)", rule="no_dice")
        new = self.copy()
        new.set_roll(a, b)
        return new

    cdef int set_roll(self, int a, int b) except -1:
        """Puts a roll on the table; self is being made."""
        self.s.rolls[self.s.on_roll] += 1
        self.s.turned = 0
        if self.rules.game.rules.cascade and a == b:
            self.stage = first_stage(self.rules, (a, b), self.s.rolls[self.s.on_roll])
        if self.series is not None and isinstance(self.series, GulBar):
            self.turn_start = (wrap(&self.p), (a, b) if a >= b else (b, a))
        return set_dice(self, a, b)

    cdef MatchCore do_play(self, action, play):
        cdef MatchCore new
        cdef Play chosen
        self.check_due(action, TO_PLAY)
        if play is None:
            raise RuleError("MakePlay() without a play stands for any of them; apply one of legal_plays()",
                            rule="no_play")
        chosen = generated(self, play)
        if chosen is None:
            chosen = self.rules.check(wrap(&self.p), (self.s.die1, self.s.die2), play, context=self.context_())
            refuse_elsewhere(play, chosen)
        if chosen.count == 0:  # "Cannot Move", and right
            return self.do_pass(action)
        new = self.copy()
        new.s.passes = 0
        new.turn_over(&chosen.result_, chosen.count)
        return new

    cdef MatchCore do_pass(self, action):
        cdef MatchCore new
        cdef bg_position after
        self.check_due(action, TO_PLAY)
        if self.s.plays:
            raise RuleError(f"player {self.s.on_roll} can play {self.s.die1}-{self.s.die2}, so he must: "
                            f"{self.s.plays} plays are legal", rule="must_play")
        new = self.copy()
        new.s.passes = min(self.s.passes + 1, 2)
        flip(&self.p, &after)
        new.turn_over(&after, 0)
        return new

    cdef int turn_over(self, const bg_position *after, int played) except -1:
        """What follows a play, or a pass of 0 moves; after is seen by the opponent.  self is being made."""
        cdef const bg_game *game = &self.rules.game.rules
        cdef int player = self.s.on_roll
        cdef int won
        stage = self.stage
        self.stage = None
        self.p = after[0]
        self.s.on_roll = 1 - player
        self.s.phase = TO_ROLL
        self.s.die1 = self.s.die2 = 0
        self.s.plays = 0
        if self.terms.declined_turn:
            self.s.declined[0] = self.s.declined[1] = 0
        flip(after, &self.p)
        if game.runner_flag and has_arrived(&self.p, game):
            self.s.arrived[player] = 1
        self.p = after[0]
        won = game_outcome(after, game)
        if won:
            tell_turn(self, stage, player)
            return finish_on_board(self, won)
        if self.s.passes > 1 and not game.plain and is_stuck(self):
            tell_turn(self, stage, player)
            return 0 if self.s.phase == GAME_OVER else self.end_game(-1, self.rules.draw_points, OUTCOME_DRAW, STUCK)
        if stage is not None:
            onward, left = next_stage(stage, played), left_over(self.rules, stage, played)
            if onward is not None or stage.owed:  # the same player goes on: with the next stage, or with his own roll
                flip(&self.p, &self.p)
                self.s.on_roll = player
            if onward is not None or left is not None:
                if onward is None:
                    tell_turn(self, stage, player)
                    if self.s.phase == GAME_OVER:
                        return 0
                self.stage = left if onward is None else onward
                return set_dice(self, self.stage.value, self.stage.value)
        return tell_turn(self, stage, player)

    cdef MatchCore do_cube(self, action, int code):
        cdef MatchCore new
        cdef int refused
        self.check_due(action, TO_ROLL if code == DOUBLE else OFFERED)
        if code == DOUBLE:
            refused = self.double_refused()
            if refused:
                rule, why = REFUSALS[refused]
                raise RuleError(f"player {self.s.on_roll} may not double: {why}", rule=rule)
        elif code == BEAVER or code == RACCOON:
            refuse_redouble(self, action, code)
        new = self.copy()
        if code == DOUBLE:
            new.s.phase = OFFERED
            new.s.owner_before = self.s.owner
        elif code == TAKE:
            accept_cube(new)
        elif code == DROP:
            new.end_game(1 - self.to_act_(), drop_points(self.rules, 1 << self.s.cube), 1, BY_DROP)
        else:
            new.s.chain += 1
            new.s.cube += 1
            new.s.owner = self.s.on_roll if code == RACCOON and self.terms.raccoon_doubler else 1 - self.s.on_roll
        return new

    cdef MatchCore do_resignation(self, action, int code, int level, int player):
        cdef MatchCore new
        if self.s.winner >= 0 or self.s.phase == GAME_OVER:
            raise not_due(self, action)
        if code == RESIGN:
            if self.s.resigned or self.s.phase == OFFERED:
                raise not_due(self, action)
            refuse_resignation(self, level, player)
        elif not self.s.resigned:
            raise not_due(self, action)
        new = self.copy()
        if code == RESIGN:
            new.s.resigned = level
            new.s.resigner = player
        elif code == DECLINE:
            new.s.declined[self.s.resigner] = self.s.resigned
            new.s.resigned = 0
            new.s.resigner = -1
        else:
            points = resignation_points(self.rules, self.s.resigned, 1 << self.s.cube, jacoby=self.jacoby_())
            new.end_game(1 - self.s.resigner, points, self.s.resigned, BY_RESIGNATION)
        return new

    cdef MatchCore do_next(self, action):
        cdef MatchCore new
        cdef int first
        if self.s.winner >= 0 or self.s.phase != GAME_OVER:
            raise not_due(self, action)
        new = self.copy()
        new.series_before = None
        if self.s.crawford:
            new.s.crawford_done = 1
        if self.series is None:
            player = next_first(
                self.rules.next_first, winner=None if self.s.end_winner < 0 else self.s.end_winner,
                previous=self.first_())
        else:
            player = self.series.first
            new.rules = self.series.rules if isinstance(self.series, TavliMatch) else self.series.base
            look_up(new)
        first = -1 if player is None else player
        new.s.game += 1
        new.begin_game(first)
        return new

    cdef int begin_game(self, int first) except -1:
        """Sets the checkers up; first is -1 where the dice decide who begins.  self is being made."""
        self.p = (<Position>self.rules.start).p
        clear_game(self)
        self.s.phase = OPENING if first < 0 else TO_ROLL
        self.s.on_roll = self.s.first = first
        self.s.crawford = (
            self.terms.crawford and not self.s.crawford_done
            and max(self.s.score[0], self.s.score[1]) == self.terms.length - 1)
        return 0

    cdef int end_game(self, int winner, int64_t points, int kind, int how) except -1:
        """Scores the game, which pays so many points, to both if drawn; self is being made."""
        cdef int64_t before[2]
        before[0], before[1] = self.s.score[0], self.s.score[1]
        player = None if winner < 0 else winner
        if self.series is None:
            if winner < 0:
                self.s.score[0] += points
                self.s.score[1] += points
            else:
                self.s.score[winner] += at_stake(self, 1 - winner, points)
            settle_match(self)
        else:
            self.series_before = self.series
            if isinstance(self.series, TavliMatch):
                if winner < 0:
                    self.series = self.series.after(None, first=self.first_())
                else:
                    self.series = self.series.after(winner, points, KINDS[kind], first=self.first_())
            elif how == BY_PLAY:
                position = wrap(&self.p)
                seen = position if winner == self.s.on_roll else position.flipped()
                self.series = self.series.after_game(player, seen, first=self.first_())
            else:
                self.series = self.series.after_award(player, points if winner >= 0 else 0, first=self.first_())
            series_score(self)
        self.s.paid[0] = self.s.score[0] - before[0]
        self.s.paid[1] = self.s.score[1] - before[1]
        self.s.phase = GAME_OVER
        self.s.end, self.s.end_winner, self.s.end_kind = how, winner, kind
        self.s.die1 = self.s.die2 = 0
        self.s.plays = self.s.chain = self.s.turned = self.s.resigned = 0
        self.s.resigner = self.s.owner_before = -1
        self.stage = self.turn_start = None
        return 0

    cdef MatchCore do_ruling(self, action):
        from bgcore.match.refusals import check_ruling

        cdef MatchCore new = self.copy()
        _, position, on_roll, dice, score, cube = (<Action>action).detail
        check_ruling(self, action)
        if position is not None:
            if self.s.phase == GAME_OVER:
                reopen(new)
            elif self.s.on_roll < 0:
                new.s.first = -1
            withdraw(new)
            new.s.phase = TO_ROLL
            new.s.on_roll = on_roll
            new.p = (<Position>position).p
            new.stage = new.turn_start = None
            new.s.die1 = new.s.die2 = new.s.passes = new.s.turned = 0
            new.s.plays = 0
            if dice is not None:
                if isinstance(new.series, GulBar):
                    new.turn_start = (position, dice if dice[0] >= dice[1] else (dice[1], dice[0]))
                set_dice(new, dice[0], dice[1])
        if cube is not None:
            withdraw(new)
            new.s.cube = cube[0].bit_length() - 1
            new.s.owner = -1 if cube[1] is None else cube[1]
            if new.s.owner < 0 and new.s.cube <= self.terms.automatic_doubles:
                new.s.autos = new.s.cube  # what else can have turned it
            else:
                new.s.autos = min(self.s.autos, new.s.cube)
            new.s.turned = 0
        if score is not None:
            new.s.score[0], new.s.score[1] = score
            if new.s.phase == GAME_OVER:
                settle_match(new)
            else:
                new.s.crawford = (
                    new.terms.crawford and not new.s.crawford_done and max(score) == new.terms.length - 1)
        if position is not None and dice is None:
            won = game_outcome(&new.p, &new.rules.game.rules)
            if won:
                finish_on_board(new, won)
        check(new)
        return new

    cdef MatchCore do_forfeit(self, action):
        from bgcore.match.refusals import check_forfeit

        cdef MatchCore new = self.copy()
        cdef int winner
        points, _ = (<Action>action).detail
        scope = action.scope
        check_forfeit(self, action)
        winner = 1 - (<Action>action).a
        if scope == "game":
            if points is None:
                points = drop_points(self.rules, 1 << self.s.cube)
            new.end_game(winner, points, 1, BY_FORFEIT)
            return new
        if points is not None:
            new.s.score[winner] += at_stake(self, 1 - winner, points)
        if scope == "match":
            new.s.winner = winner
        else:
            settle_match(new)
        if new.s.winner >= 0 and self.s.phase != GAME_OVER:
            close_game(new, self)
        return new


# ---- parts of actions; each changes a state that is being made


cdef int set_dice(MatchCore state, int a, int b) except -1:
    """Dice on the table: of a roll, or of a stage of one."""
    cdef bg_masks m
    cdef const bg_game *game = &state.rules.game.rules
    cdef void *scratch = NULL
    state.swapped = a < b
    if a < b:
        a, b = b, a
    state.s.die1, state.s.die2 = a, b
    state.s.phase = TO_PLAY
    look(&state.p, game, &m)
    if not game.plain:
        scratch = roll_memory(game, 1)
    state.s.plays = count_roll(&state.p, &m, game, a, b, state.context_(), aligned_rows(scratch))
    PyMem_RawFree(scratch)
    if state.s.plays < 0:
        raise MemoryError
    return 0


cdef Play generated(MatchCore state, play):
    """The legal play, if this is one as the generator makes it, or its text; None: it needs a closer look."""
    cdef bg_masks m
    cdef bg_emit e
    cdef const bg_game *game = &state.rules.game.rules
    cdef bg_row *rows
    cdef int8_t *moves
    cdef void *block
    cdef Play given
    cdef Play found = None
    cdef bg_position own
    cdef int width = state.rules.max_moves
    cdef int n = state.s.plays
    cdef int i, room
    given = <Play>play if isinstance(play, Play) else Play.parse(play)
    if n == 0 or given.count > width:
        return None
    text = None if given.resolved else play.strip() if isinstance(play, str) else str(play)
    own = state.p
    move_own(&own, given)
    room = n if game.plain else max_plays(game)
    block = PyMem_RawMalloc((room + BG_SLACK) * (sizeof(bg_row) + 3 * width) + 64)
    if block == NULL:
        raise MemoryError
    try:
        rows = aligned_rows(block)
        moves = <int8_t *>(rows + room + BG_SLACK)
        look(&state.p, game, &m)
        start_emit(&e, game, rows, NULL, moves)
        n = generate(&state.p, &m, game, state.s.die1, state.s.die2, state.context_(), &RECORD, &e)
        if n < 0:
            raise MemoryError
        for i in range(n):
            # A row is seen by the opponent, so the mover's words come second.
            if rows[i].w[2] != own.own_lo or (rows[i].w[3] ^ own.own_hi) & BG_HI_SLOTS:
                continue
            found = make_play(moves + i * 3 * width, width, &rows[i])
            if found == given if given.resolved else str(found) == text:
                return found
    finally:
        PyMem_RawFree(block)
    return None


cdef void move_own(bg_position *p, Play play) noexcept:
    """Moves own checkers as the play says, and nothing else; nonsense if they do not stand there."""
    cdef int i, j, slot
    for i in range(play.count):
        for j in range(2):
            slot = play.steps[i][j]
            if slot < 16:
                p.own_lo += (<uint64_t>1 << (4 * slot)) * (1 if j else <uint64_t>-1)
            else:
                p.own_hi += (<uint64_t>1 << (4 * (slot - 16))) * (1 if j else <uint64_t>-1)


cdef bint is_stuck(MatchCore state) except -1:
    """Whether no roll lets either side move."""
    from bgcore.match import random_game

    cdef int player = state.s.on_roll
    arrived = (state.s.arrived[player], state.s.arrived[1 - player])
    return random_game.is_stuck(state.rules, wrap(&state.p), arrived)


cdef int tell_turn(MatchCore state, stage, int player) except -1:
    """Tells Gül Bar of a turn that is over; it may end the match.  What was owed by the opponent is no turn."""
    cdef bg_position after
    if state.turn_start is None:
        return 0
    position, dice = state.turn_start
    state.turn_start = None
    if stage is not None and stage.owed:
        return 0
    after = state.p  # seen by the opponent, whoever goes on
    result = wrap(&after)
    moved = result.flipped() != position
    state.series_before = state.series
    state.series = state.series.after_turn(player, position, dice, result if moved else None)
    series_score(state)
    if state.s.winner >= 0:
        state.s.phase = GAME_OVER
        state.s.end, state.s.end_winner, state.s.end_kind = BY_PLAY, state.s.winner, 1
        for i in range(2):
            state.s.paid[i] = state.series.scores[i] - state.series_before.scores[i]
    else:
        state.series_before = None
    return 0


cdef int finish_on_board(MatchCore state, int won) except -1:
    """Ends a game that the rule set says is over; won is the core's outcome, seen by on_roll."""
    cdef int kind = abs(won)
    if state.s.phase == GAME_OVER:
        return 0
    if won == OUTCOME_DRAW:
        return state.end_game(-1, state.rules.draw_points, OUTCOME_DRAW, BY_PLAY)
    outcome = state.rules.outcome(wrap(&state.p))
    points = game_points(state.rules, outcome.points, 1 << state.s.cube, jacoby=state.jacoby_())
    return state.end_game(state.s.on_roll if won > 0 else 1 - state.s.on_roll, points, kind, BY_PLAY)


cdef int accept_cube(MatchCore state) except -1:
    """The cube that is offered is taken."""
    state.s.cube += 1
    if not state.s.chain:
        state.s.owner = 1 - state.s.on_roll
    state.s.turned = state.s.owner == state.s.on_roll
    state.s.chain = 0
    state.s.owner_before = -1
    state.s.phase = TO_ROLL
    return 0


cdef int withdraw(MatchCore state) noexcept:
    """Nothing is pending any more."""
    state.s.resigned = state.s.chain = 0
    state.s.resigner = state.s.owner_before = -1
    if state.s.phase == OFFERED:
        state.s.phase = TO_ROLL
    return 0


cdef int clear_game(MatchCore state) noexcept:
    """Forgets everything that belongs to one game."""
    state.s.paid[0] = state.s.paid[1] = 0
    state.s.rolls[0] = state.s.rolls[1] = 0
    state.s.plays = state.s.die1 = state.s.die2 = state.s.cube = state.s.chain = state.s.autos = state.s.turned = 0
    state.s.owner = state.s.owner_before = state.s.resigner = state.s.first = state.s.end_winner = -1
    state.s.resigned = state.s.declined[0] = state.s.declined[1] = state.s.passes = 0
    state.s.arrived[0] = state.s.arrived[1] = 0
    state.s.end = state.s.end_kind = 0
    state.stage = state.turn_start = None
    return 0


cdef int reopen(MatchCore state) except -1:
    """Takes back the end of the game: what it paid, and that it has won the match."""
    cdef int i
    for i in range(2):
        state.s.score[i] -= state.s.paid[i]
        state.s.paid[i] = 0
    state.s.winner = state.s.end_winner = -1
    state.s.end = state.s.end_kind = 0
    if state.series_before is not None:
        state.series, state.series_before = state.series_before, None
        series_score(state)
    return 0


cdef int close_game(MatchCore state, MatchCore before) except -1:
    """The match is over by a forfeit while a game was played."""
    cdef int i
    withdraw(state)
    state.s.phase = GAME_OVER
    state.s.end, state.s.end_winner, state.s.end_kind = BY_FORFEIT, state.s.winner, 1
    for i in range(2):
        state.s.paid[i] = state.s.score[i] - before.s.score[i]
    state.s.plays = state.s.die1 = state.s.die2 = state.s.turned = 0
    state.stage = state.turn_start = None
    return 0


cdef int64_t at_stake(MatchCore state, int loser, int64_t points) except -1:
    """What a player pays who loses so many points: no more than table stakes leave him."""
    stakes = state.terms.options.table_stakes
    if stakes is None:
        return points
    left = stakes[loser] + state.s.score[loser] - state.s.score[1 - loser]
    return min(points, max(left, 0))


cdef int settle_match(MatchCore state) except -1:
    """Says who has won the match, or has broken the other one."""
    cdef int64_t zero = state.s.score[0]
    cdef int64_t one = state.s.score[1]
    cdef int leader = 0 if zero > one else 1 if one > zero else -1
    state.s.winner = -1
    if state.terms.length:
        if max(zero, one) >= state.terms.length:
            state.s.winner = leader
    elif state.terms.options.table_stakes is not None and leader >= 0:
        if at_stake(state, 1 - leader, 1) == 0:
            state.s.winner = leader
    return 0


cdef int series_score(MatchCore state) except -1:
    """Score and winner as the series says."""
    score = state.series.score if isinstance(state.series, TavliMatch) else state.series.scores
    state.s.score[0], state.s.score[1] = score
    state.s.winner = -1 if state.series.winner is None else state.series.winner
    return 0


cdef int set_score(MatchCore state, zero, one) except -1:
    for points in (zero, one):
        if type(points) is not int or not 0 <= points <= MOST_POINTS:
            raise RuleError(f"a score is a number of points from 0 on, not {points!r}")
    state.s.score[0], state.s.score[1] = zero, one
    return 0


cdef int look_up(MatchCore state) except -1:
    """Notes what every action asks of the rule set."""
    if max(state.rules.scoring) > MOST_SCORING:
        raise RuleError(f"{state.rules.name}: a game pays at most {MOST_SCORING} points, so that scores fit")
    state.s.uses_cube = state.rules.options["cube"] is True
    state.s.levels = 0 if isinstance(state.series, GulBar) else resignation_levels(state.rules)
    return 0


# ---- why not


cdef int refuse_elsewhere(play, Play chosen) except -1:
    """Raises for a play that was made for another position, though its moves can be made here."""
    if isinstance(play, Play) and (<Play>play).resolved and play.result != chosen.result:
        raise IllegalPlay(f"{play} was made for another position; here these moves lead to {chosen.result!r}",
                          reason=IllegalReason.NO_SUCH_PLAY)
    return 0


cdef object not_due(MatchCore state, action):
    """The error for an action that is not what is asked for now."""
    from bgcore.match.refusals import due

    rule = "match_over" if state.s.winner >= 0 else "not_due"
    return RuleError(f"{type(action).__name__} is not to be done now: {due(state)}", rule=rule)


cdef int refuse_redouble(MatchCore state, action, int code) except -1:
    """Raises unless the beaver or raccoon may be played."""
    name = type(action).__name__
    if not state.terms.money:
        raise RuleError(f"{name}: beavers and raccoons are for money play", rule="money_only")
    if (code == BEAVER) == (state.s.chain & 1):
        raise RuleError(f"{name}: the receiver of a double beavers, the doubler answers with a raccoon; it is player "
                        f"{state.to_act_()}'s turn to answer, who {'doubled' if state.s.chain & 1 else 'did not'}",
                        rule="not_due")
    if state.s.chain >= state.terms.beavers:
        raise RuleError(f"{name}: {state.terms.beavers} redoubles at once are agreed, and {state.s.chain} have been "
                        "made", rule="beavers")
    if state.s.cube + 2 > state.terms.limit:
        raise RuleError(f"{name}: the cube would pass its limit of {1 << state.terms.limit}", rule="cube_limit")
    return 0


cdef int refuse_resignation(MatchCore state, int level, int player) except -1:
    """Raises unless the player may resign so."""
    if isinstance(state.series, GulBar):
        raise RuleError("a game of Gül Bar is not resigned: what it pays is counted on the board",
                        rule="no_resignation")
    if state.s.phase == OPENING and state.series is not None:
        raise RuleError("in a series no game is resigned before it has begun", rule="no_resignation")
    if level > state.s.levels:
        raise RuleError(f"{state.rules.name}: a game is resigned at level 1 to {state.s.levels}, not {level}",
                        rule="no_triple")
    if level <= state.s.declined[player]:
        raise RuleError(f"player {player}'s resignation at level {state.s.declined[player]} was declined, so only a "
                        f"higher one can follow, not {level}", rule="declined")
    return 0


cdef int check(MatchCore state) except -1:
    """Raises if no play of a match leads to the state; see `bgcore.match.refusals.check_state`."""
    from bgcore.match.refusals import check_state

    check_state(state)
    return 0
