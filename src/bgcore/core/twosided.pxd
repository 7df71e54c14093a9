"""Two-sided bear-off databases: the order of positions, and the solver of one build."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

cdef extern from "twosided.h":
    enum:
        BG_TILE
        BG_ROLLS

    ctypedef struct bg_two_sided:
        int tables
        int cubeless
        int cubeful
        int gnubg
        int one
        int64_t slots
        const uint32_t *starts
        const uint32_t *successors
        void *source


cdef enum:
    WINDOW_BLOCKS = 12     # how many blocks back the successors of a block can lie: no roll takes more than 24 pips


cdef class Order:
    cdef readonly int points, checkers, blocks
    cdef readonly int64_t positions, slots
    cdef readonly tuple block_tiles
    cdef int32_t *ids             # of a slot; -1 padding
    cdef uint32_t *slot_of        # of an id
    cdef uint8_t *full            # of a slot: all 15 checkers on the board, so that a gammon can be lost


cdef class Solver:
    cdef bg_two_sided job
    cdef readonly Order order
    cdef readonly int tables, cell, one
    cdef readonly int64_t tile_bytes
    cdef bint chances, gammons, jacoby
    cdef int64_t slots
    cdef size_t source_bytes
    cdef int64_t *dropped         # how much of each column of the source has been given back, in bytes
    cdef void (*solve_tile)(const bg_two_sided *, int64_t, int64_t, void *) noexcept nogil
    cdef void (*enter_tile)(const bg_two_sided *, int64_t, int64_t, const void *, void *) noexcept nogil
    cdef int find_successors(self) except -1
    cdef int win(self) except -1
    cdef double gain(self, int64_t slot, int table) noexcept nogil
    cdef void put(self, unsigned char *result, int64_t at, double value) noexcept nogil
    cdef int check_tiles(self, int64_t first, int64_t end, str what) except -1
    cdef void scatter(self, int64_t movers, int64_t opponents, const unsigned char *values,
                      unsigned char *result) noexcept nogil
