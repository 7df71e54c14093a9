"""A rule set as numbers, and what a position looks like under it: masks, reasons, final filters, outcome."""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

from bgcore.core.board cimport bg_position

cdef extern from "bits.h":
    uint64_t bg_reverse64(uint64_t x) noexcept nogil
    uint64_t bg_compress_pairs(uint64_t x) noexcept nogil

cdef extern from "plays.h":
    const uint64_t BG_EVEN
    const uint64_t BG_ODD
    const uint64_t BG_SOURCES
    const uint64_t BG_POINTS
    const uint64_t BG_OUTSIDE
    enum:
        BG_DELTAS
        BG_MAX_PLAYS     # no roll of four moves has more plays; the proof is in movegen.pyx
        BG_MOST_PLAYS    # nor one of six moves more than these
        BG_MAX_MOVES     # moves that a path can hold
        BG_SLACK         # rows past the last that may be touched

    ctypedef struct bg_row:
        uint64_t w[4]    # opp_lo, opp_hi, own_lo, own_hi of the mover; 32-byte aligned

    ctypedef struct bg_masks:
        uint64_t base[4]  # the position as a row: what every play adds deltas to
        uint64_t occ     # slots of the mover with at least 1 checker that may move, two bits a slot, bar included
        uint64_t two     # at least 2
        uint64_t three   # at least 3
        uint64_t four    # at least 4
        uint64_t land    # points that can be landed on: bit 2p quietly, bit 2p + 1 hitting a blot
        int bar          # the mover's checkers on the bar
        uint64_t lone    # even bits: own points with one opposing checker (games with pinning)
        int outside      # the mover's checkers on slots 7-25
        int far          # no bearing off this turn, however few are outside
        int over         # the game has ended
        uint64_t shut    # own points, two bits each, that a checker on the bar may not enter on

    ctypedef struct bg_emit:
        bg_row *out      # next result, 32-byte aligned; room for BG_MAX_PLAYS + BG_SLACK rows a roll
        bg_row *scratch  # as much room again, for counting games with final filters
        int8_t *moves    # next move list: width x (source, target, flags); NULL unless the kernel writes them
        int width        # moves that a list has room for
        int as_made      # moves stay in the order made, else the highest source comes first
        bg_row (*delta)[66]   # read only: what a move adds, [die][bit]
        int depth        # moves already on the path
        int8_t path[6][3]

cdef enum:
    CONTACT_HIT = 0
    CONTACT_PIN = 1
    CONTACT_NONE = 2

cdef enum:
    MOTHER_NONE = 0
    MOTHER_WAIT = 1        # lost once the pinner has left his own 24
    MOTHER_IMMEDIATE = 2

cdef enum:
    HEAD_NONE = 0
    HEAD_OBSTRUCTED = 1    # a second head checker on the first turn if one alone cannot play the whole roll
    HEAD_346 = 2           # on a first 3-3, 4-4 or 6-6
    HEAD_ALWAYS = 3        # on any first double
    HEAD_46 = 4            # on a first 4-4 or 6-6

cdef enum:
    PRIME_START = 1        # not all of the own starting quarter
    PRIME_BOTH_STARTS = 2  # nor the opponent's
    PRIME_FRONT = 4        # not the six points in front of the opponent's head while he has a checker on it
    PRIME_AHEAD = 8        # no six-block without an opposing checker ahead of it or off
    PRIME_AHEAD_STRICT = 16  # the same, borne-off checkers not counting
    PRIME_LAST_TWO = 32    # no six-block without holding own 2 and own 1
    PRIME_UNBLOCK = 64     # open a block before the only opposing point, if a play can
    PRIME_NEVER = 128      # no six-block at all

cdef enum:
    FINAL_PRIMES = 191     # all but PRIME_UNBLOCK: judged on the end of a play alone

cdef struct bg_game:
    int checkers         # a side
    int plain            # plays exactly like backgammon, whatever it scores
    int parallel         # geometry: own p is the opponent's p + 12 or p - 12, else 25 - p
    int block_at         # opposing checkers that close a point
    int contact          # CONTACT_
    int steps            # moves that a double gives; 0 = as many as a die shows
    int cascade          # a double goes on with the next higher one; a context asks for the moves of one stage
    int cascade_from     # the turn of a player from which on it does
    int forfeit          # what cannot be played is lost, else the opponent plays it
    int needs_start      # ... but only if the roller has played a move at least
    int runner           # until a checker has come to this point only one may be under way; 0 = no such rule
    int runner_flag      # a context of 1 says that it has: with hits the position does not tell
    int head_limit       # checkers that may leave 24 a turn; 0 = any
    int head_first       # HEAD_
    int primes           # PRIME_ flags
    int prime_step       # every prefix of a play must pass, not only its end
    int start_cap        # most points in the own starting quarter; 0 = any
    int start_made       # most made points there; 0 = any
    int freeze           # who hits in his own home stays there this turn
    int entry_cap        # most checkers entering on one point a turn; 0 = any
    int entry_forbid_own  # not on a point already held
    int entry_any_order  # other checkers may move before all are in
    int bar_loss         # so many on the bar lose at once; 0 = never
    int mother           # MOTHER_
    int off_early        # an exact die bears off from home whatever is outside
    int off_pinned       # bearing off while a checker is pinned
    int triple           # a backgammon is told from a gammon
    int gammon_if        # GAMMON_
    int any_die          # either die if not both can be played, the smaller as well
    int last_roll        # once the player who began has borne off, the other rolls once more, and may draw

cdef enum:
    GAMMON_NONE_OFF = 0    # the loser has borne off none
    GAMMON_NOT_HOME = 1    # he has a checker outside his home
    GAMMON_START = 2       # he has a checker in his starting quarter

cdef enum:
    OUTCOME_DRAW = 9     # other outcomes: 1 single, 2 gammon, 3 backgammon, 4 mother; negative: lost by own
    OUTCOME_MOTHER = 4
    OUTCOME_BAR_LOSS = 5

cdef void look(const bg_position *p, const bg_game *game, bg_masks *m) noexcept nogil
cdef uint32_t game_reasons(const bg_position *p, const bg_masks *m, const bg_game *game) noexcept nogil
# ^ errors.InvalidReason bits; m from look; 0 = valid
cdef int game_outcome(const bg_position *p, const bg_game *game) noexcept nogil
# ^ 0 while it goes on
cdef uint64_t spread(uint64_t points) noexcept nogil                    # 24 bits (bit p - 1) to pairs
cdef uint64_t pins_of(const uint64_t *row, uint64_t singles) noexcept nogil
# ^ pinned mask (in place, bits 40-63) that the mover's words of a row put on the opponent's lone checkers
cdef uint64_t lone_points(const bg_position *p) noexcept nogil   # even bits: own points with one opposing checker


cdef inline uint64_t points_held(uint64_t lo, uint64_t hi) noexcept nogil:
    """Even bit 2p of every point with a checker."""
    lo |= lo >> 2
    lo = (lo | (lo >> 1)) & 0x1111111111111110ULL
    hi &= 0x0000000fffffffffULL  # slots 16-24
    hi |= hi >> 2
    hi = (hi | (hi >> 1)) & 0x1111111111111111ULL
    return bg_compress_pairs(lo) | (bg_compress_pairs(hi) << 32)


cdef inline uint64_t opp_view(uint64_t pairs, int parallel) noexcept nogil:
    """Points in the other side's numbering."""
    if parallel:
        return ((pairs >> 24) | (pairs << 24)) & BG_POINTS
    # Even bits stay even: turned round, 2p comes to 63 - 2p, and 2(25 - p) is wanted.
    return (bg_reverse64(pairs) >> 13) & BG_POINTS


cdef inline int max_plays(const bg_game *game) noexcept nogil:
    """More plays than these no roll has."""
    return BG_MAX_PLAYS if game.steps else BG_MOST_PLAYS


cdef inline bint has_arrived(const bg_position *p, const bg_game *game) noexcept nogil:
    """Whether the side on roll has a checker as far as the runner must come, or off."""
    return p.own_lo & ((<uint64_t>1 << (4 * (game.runner + 1))) - 1) != 0


cdef inline bint is_free_double(const bg_game *game, int a, int b) noexcept nogil:
    """Whether a first roll lets one more checker leave 24 whatever is in the way."""
    if a != b:
        return False
    if game.head_first == HEAD_346:
        return a == 3 or a == 4 or a == 6
    if game.head_first == HEAD_46:
        return a == 4 or a == 6
    return game.head_first == HEAD_ALWAYS


cdef inline int steps_of(const bg_game *game, int die, int context) noexcept nogil:
    """Moves that a double gives."""
    if context and game.cascade:
        return context
    return game.steps if game.steps else die
cdef void write_moves(bg_emit *e, const int8_t (*path)[3], int depth) noexcept nogil
# ^ the next move list, in canonical order, unused rows -1
cdef bint bg_use_avx2


cdef class Game:
    cdef bg_game rules
