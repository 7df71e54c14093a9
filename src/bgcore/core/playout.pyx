"""Random games to the end: every legal play equally likely.

Dice and choices come from numpy's bit generators through their C interface.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int64_t, uint32_t, uint64_t
from numpy.random cimport bitgen_t

from bgcore.core.board cimport bg_position, contrary_outcome, flip
from bgcore.core.movegen cimport (
    BG_MAX_PLAYS, BG_SLACK, WRITE, aligned_rows, bg_emit, bg_masks, bg_row, generate, look, start_emit,
)

cdef extern from "bits.h":
    int64_t bg_fetch_add(int64_t *p, int64_t v) noexcept nogil


cdef inline uint32_t below(bitgen_t *bits, uint32_t n) noexcept nogil:
    """A uniform integer in [0, n), without bias (Lemire 2019, doi:10.1145/3230636)."""
    cdef uint64_t product = <uint64_t>bits.next_uint32(bits.state) * n
    cdef uint32_t threshold
    if <uint32_t>product < n:
        threshold = (0 - n) % n
        while <uint32_t>product < threshold:
            product = <uint64_t>bits.next_uint32(bits.state) * n
    return product >> 32


cdef int play_out(const bg_position *start, int checkers, bitgen_t *bits, bg_row *rows, int64_t *plies) noexcept nogil:
    """One game to the end: 1, 2, 3 won, or the same negative lost, by the player on roll at the start."""
    cdef bg_position p = start[0]
    cdef bg_masks m
    cdef bg_emit e
    cdef int n, a, b, roll, sign = 1
    while True:
        look(&p, &m)
        if m.over:
            return sign * contrary_outcome(&p, checkers)
        roll = below(bits, 36)
        a = roll // 6 + 1
        b = roll % 6 + 1
        if a < b:
            a, b = b, a
        start_emit(&e, rows, NULL)
        n = generate(&p, &m, a, b, &WRITE, &e)
        plies[0] += 1
        sign = -sign
        if n:
            p = (<bg_position *>rows[below(bits, n) if n > 1 else 0].w)[0]
        else:
            flip(&p, &p)


def play_block(const uint64_t[:, ::1] packed, int64_t trials, int checkers, bit_generator, int64_t first, int64_t last,
               int64_t[:, ::1] counts, int64_t[::1] plies):
    """Games first to last - 1 of the batch, numbered position by position, from one numpy bit generator.

    Adds to counts (n, 7) and plies (n,), which several threads may share.
    """
    cdef bitgen_t *bits = <bitgen_t *>PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
    cdef void *block = PyMem_RawMalloc((BG_MAX_PLAYS + BG_SLACK) * sizeof(bg_row) + 64)
    cdef bg_row *rows
    cdef int64_t game, row, thrown
    cdef int won
    if block == NULL:
        raise MemoryError
    with nogil:
        rows = aligned_rows(block)
        for game in range(first, last):
            row = game // trials
            thrown = 0
            won = play_out(<const bg_position *>&packed[row, 0], checkers, bits, rows, &thrown)
            bg_fetch_add(&counts[row, won - 1 if won > 0 else 2 - won], 1)
            bg_fetch_add(&plies[row], thrown)
        PyMem_RawFree(block)
