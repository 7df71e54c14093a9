"""States of a match for native code: the struct, the class, and parts of actions."""

from libc.stdint cimport int8_t, int32_t, int64_t

from bgcore.core.board cimport bg_position
from bgcore.rules._base cimport Rules


cdef enum Phase:
    OPENING = 0         # one die each is due
    TO_ROLL = 1         # roll, or double first
    TO_PLAY = 2         # play or pass
    OFFERED = 3         # an answer to a double, beaver or raccoon
    GAME_OVER = 4

cdef enum End:          # how a game has ended
    NOT_ENDED = 0
    BY_PLAY = 1
    BY_DROP = 2
    BY_RESIGNATION = 3
    BY_FORFEIT = 4
    STUCK = 5           # no roll lets either side move
    ENDINGS = 6


# Everything of a state that is a number.  Without padding, since states are compared as bytes, and first those of eight
# bytes, then of four (`portable` in state.pyx knows).  Players are 0 and 1, -1 none.
cdef struct bg_match:
    int64_t score[2]
    int64_t paid[2]     # by the game that is over, to each
    int32_t game        # from 1
    int32_t rolls[2]    # thrown in this game by each player
    int32_t plays       # legal plays of the roll on the table
    int8_t phase
    int8_t on_roll      # -1 in OPENING only
    int8_t die1         # larger; 0 = not rolled
    int8_t die2
    int8_t cube         # base-2 logarithm
    int8_t owner
    int8_t chain        # OFFERED: redoubles at once so far: 0 double, 1 beaver, 2 raccoon …
    int8_t owner_before  # OFFERED, chain > 0: who owned the cube before the double
    int8_t autos        # automatic doubles in this game
    int8_t turned       # the player on roll owns the cube, but has offered it this turn already
    int8_t resigned     # level offered; of a game that has ended by it, accepted
    int8_t resigner
    int8_t declined[2]  # highest level of each player that was declined
    int8_t crawford     # this is the Crawford game
    int8_t crawford_done  # and this one comes after it
    int8_t passes       # turns without a play in a row, as far as 2
    int8_t arrived[2]   # the courier of each player has, in games that ask
    int8_t first        # who began; -1 not settled, or not known
    int8_t winner       # of the match
    int8_t end          # End
    int8_t end_winner   # -1 drawn
    int8_t end_kind     # level of the win: 1 single, 2 gammon, 3 backgammon, 4 mother, 5 bar loss, 9 draw
    int8_t uses_cube    # of the rule set: whether it is played with a cube
    int8_t levels       # and how high a game can be resigned; 0 = not at all
    int8_t spare[6]


cdef class Terms:
    """What stays the same throughout a match."""
    cdef readonly int length
    cdef readonly object options   # MatchOptions
    cdef object max_cube           # of an XGID, or None; carried for texts, no part of the value
    cdef int money                 # length 0 and no series
    cdef int beavers
    cdef int automatic_doubles
    cdef int limit                 # logarithm of the largest cube
    cdef int raccoon_doubler
    cdef int forbid_dead
    cdef int crawford
    cdef int holland
    cdef int declined_turn


cdef class MatchCore:
    cdef bg_position p             # seen by on_roll; read only, as all of it
    cdef bg_match s
    cdef readonly Rules rules      # of the game that is played
    cdef Terms terms
    cdef readonly object series    # TavliMatch, GulBar or None
    cdef object series_before      # before the end of the game that is over
    cdef readonly object stage     # cascade.Stage or None
    cdef bint swapped              # the smaller die came first; carried for texts, no part of the value
    cdef object turn_start         # (position, dice) of a cascade's roll while a Gül Bar game is played, or None

    cdef MatchCore copy(self)
    cdef int to_act_(self) noexcept
    cdef bint jacoby_(self) except -1
    cdef object first_(self)
    cdef int double_refused(self) except -1
    cdef int redouble_refused(self) noexcept
    cdef int set_roll(self, int a, int b) except -1
    cdef int context_(self) except -1
    cdef int check_due(self, action, int phase) except -1
    cdef MatchCore do_opening(self, action, int die0, int die1)
    cdef MatchCore do_roll(self, action, int a, int b)
    cdef MatchCore do_play(self, action, play)
    cdef MatchCore do_pass(self, action)
    cdef int turn_over(self, const bg_position *after, int played) except -1
    cdef int end_game(self, int winner, int64_t points, int kind, int how) except -1
    cdef MatchCore do_cube(self, action, int code)
    cdef MatchCore do_resignation(self, action, int code, int level, int player)
    cdef MatchCore do_next(self, action)
    cdef int begin_game(self, int first) except -1
    cdef MatchCore do_ruling(self, action)
    cdef MatchCore do_forfeit(self, action)


# Each changes a state that is being made.
cdef int set_dice(MatchCore state, int a, int b) except -1
cdef int clear_game(MatchCore state) noexcept
cdef int look_up(MatchCore state) except -1
cdef int settle_match(MatchCore state) except -1
cdef int series_score(MatchCore state) except -1
cdef int set_score(MatchCore state, zero, one) except -1
cdef int check(MatchCore state) except -1   # raises if no play of a match leads to the state
