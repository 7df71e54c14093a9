"""Legal plays for native code.

``look`` reads a position once, ``generate`` gives the plays of one roll of it, as often as wanted.  Rows are results as
the player who rolls next sees them.
"""

from libc.stdint cimport int8_t, uint64_t

from bgcore.core.board cimport bg_position
from bgcore.core.game cimport bg_emit, bg_game, bg_masks, bg_row

cdef extern from "plays.h":
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
cdef int ROLLS[ROLL_COUNT][2]   # larger die first, in the order of bgcore.dice.ROLLS

cdef void start_emit(bg_emit *e, const bg_game *game, bg_row *out, bg_row *scratch, int8_t *moves) noexcept nogil
cdef int generate(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int context, const bg_kernel *k,
    bg_emit *e,
) noexcept nogil
# ^ how many plays the roll has (a >= b, m from game.look); 0 = none, or the game is over; -1 = no memory
cdef int count_roll(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int context, bg_row *scratch
) noexcept nogil
# ^ the same, only counted; scratch has room for max_plays(game) + BG_SLACK rows, or is NULL for a game with plain = 1
cdef void *roll_memory(const bg_game *game, int rolls) except NULL   # room for their plays; PyMem_RawFree it
cdef bg_row *aligned_rows(void *block) noexcept nogil   # the first 64-byte boundary in a block
