"""Legal plays for native code.

``look`` reads a position once, ``generate`` gives the plays of one roll of it, as often as wanted.  Rows are results as
the player who rolls next sees them.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from bgcore.core.board cimport bg_position

cdef extern from "plays.h":
    const uint64_t BG_EVEN
    const uint64_t BG_ODD
    const uint64_t BG_SOURCES
    const uint64_t BG_POINTS
    const uint64_t BG_OUTSIDE
    enum:
        BG_DELTAS
        BG_MAX_PLAYS     # no roll has more plays; the proof is at roll_double and roll_two
        BG_MAX_MOVES     # moves that a path can hold
        BG_SLACK         # rows past the last that may be touched

    ctypedef struct bg_row:
        uint64_t w[4]    # opp_lo, opp_hi, own_lo, own_hi of the mover; 32-byte aligned

    ctypedef struct bg_masks:
        uint64_t occ     # slots of the mover with at least 1 checker, two bits a slot, bar included
        uint64_t two     # at least 2
        uint64_t three   # at least 3
        uint64_t four    # at least 4
        uint64_t land    # points that can be landed on: bit 2p no opposing checker, bit 2p + 1 a blot
        int bar          # the mover's checkers on the bar
        int outside      # the mover's checkers on slots 7-25
        int over         # a side has no checker left on slots 1-25

    ctypedef struct bg_emit:
        bg_row *out      # next result, 32-byte aligned; room for BG_MAX_PLAYS + BG_SLACK rows a roll
        int8_t *moves    # next move list: 4 x (source, target, flags); NULL unless the kernel writes them
        bg_row (*delta)[66]   # read only: what a move adds, [die][bit]
        int depth        # moves already on the path
        int8_t path[4][3]

    ctypedef struct bg_pair_job:
        uint64_t occ, two, first, land_b, drop, chain, land_a
        int a, b

    ctypedef struct bg_same_job:
        uint64_t occ, two, three, four, land
        int die, depth

    ctypedef struct bg_kernel:
        int (*last)(bg_emit *e, const uint64_t *base, uint64_t sources, int die) noexcept nogil
        int (*pairs)(bg_emit *e, const uint64_t *base, const bg_pair_job *job) noexcept nogil
        int (*same)(bg_emit *e, const uint64_t *base, const bg_same_job *job) noexcept nogil

cdef enum:
    ROLL_COUNT = 21

cdef bg_kernel WRITE     # rows
cdef bg_kernel COUNT     # only how many
cdef bg_kernel RECORD    # rows and move lists
cdef void (*look)(const bg_position *p, bg_masks *m) noexcept nogil
cdef int ROLLS[ROLL_COUNT][2]   # larger die first, in the order of bgcore.dice.ROLLS

cdef void start_emit(bg_emit *e, bg_row *out, int8_t *moves) noexcept nogil
cdef int generate(const bg_position *p, const bg_masks *m, int a, int b, const bg_kernel *k, bg_emit *e) noexcept nogil
# ^ how many plays the roll has (a >= b); 0 = none, or the game is over
cdef int count_roll(const bg_position *p, int a, int b) noexcept nogil
cdef uint64_t legal_sources(const bg_position *p, const bg_masks *m, int die) noexcept nogil
# ^ sources of one die as the next move, whatever the rest of the roll
cdef void make_move(const bg_position *p, int die, int bit, bg_position *out) noexcept nogil   # the turn is not passed
cdef uint32_t contrary_reasons(const bg_position *p, const bg_masks *m, int checkers) noexcept nogil
# ^ errors.InvalidReason bits under a contrary game with hits; 0 = valid
cdef bg_row *aligned_rows(void *block) noexcept nogil   # the first 64-byte boundary in a block


cdef class PlayJob:
    cdef const uint64_t[:, ::1] packed
    cdef const uint8_t[:, ::1] dice       # (n, 2), (1, 2) for all rows, or None for all 21 rolls
    cdef int64_t[::1] offsets
    cdef bg_row *results                  # room for capacity rows
    cdef int8_t *moves                    # the same, or NULL
    cdef int64_t capacity, n, chunk, chunks, next_chunk
    cdef int64_t *bases                   # where each chunk begins; -1 not known yet, -2 failed
    cdef int rolls, dice_step, checkers
    cdef bint pass_results, direct
    cdef readonly int64_t bad_row         # first row that is no position, or -1
    cdef readonly uint32_t bad_reasons
    cdef readonly bint no_memory
    cdef void work(self) noexcept nogil
    cdef int64_t wait_for_base(self, int64_t c) noexcept nogil
    cdef void note_bad_row(self, int64_t row, uint32_t reasons) noexcept nogil
