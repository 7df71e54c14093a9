"""The Play class for native code."""

from libc.stdint cimport int8_t

from bgcore.core.board cimport bg_position
from bgcore.core.movegen cimport bg_row


cdef class Play:
    cdef int8_t steps[6][3]      # source, target, flags (1 hit, 2 pin); canonical order
    cdef int count               # how many of them
    cdef bint resolved           # whether result means anything
    cdef bg_position result_     # seen by the player who rolls next

cdef Play make_play(const int8_t *moves, int max_moves, const bg_row *row)
