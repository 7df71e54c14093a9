"""Where a play may end."""

from libc.stdint cimport int8_t, uint64_t

from bgcore.core.board cimport bg_position
from bgcore.core.game cimport BG_ODD, CONTACT_PIN, bg_game, bg_masks, bg_row

cdef bint passes(uint64_t lo, uint64_t hi, const bg_position *before, const bg_game *game) noexcept nogil
# ^ whether the mover may end a play with his checkers there
cdef uint64_t duty_block(const bg_position *p, const bg_game *game) noexcept nogil
# ^ the six own points, even bits, of which one must be opened; 0 = no duty
cdef bint may_break_on_the_way(
    const bg_position *p, const bg_masks *m, const bg_game *game, int a, int b, int steps
) noexcept nogil
# ^ whether some moves of a roll, but not all, may break a prime rule; never False if they do
cdef int finish(
    const bg_position *p, const bg_masks *m, const bg_game *game, bg_row *rows, int8_t *moves, int width, int n,
    int dice,
) noexcept nogil
# ^ how many of n ends are left, set right and moved together


cdef inline uint64_t home_blots(const bg_masks *m) noexcept nogil:
    """Odd bits of own points 1-6 with an opposing blot."""
    return m.land & BG_ODD & 0x3ffc


cdef inline bint is_filtered(const bg_masks *m, const bg_game *game) noexcept nogil:
    """Whether the ends of plays must be gone over."""
    return (
        game.contact == CONTACT_PIN or game.primes != 0 or game.start_cap != 0 or game.start_made != 0
        or (game.freeze and home_blots(m) != 0)
    )
