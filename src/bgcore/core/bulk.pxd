"""Jobs over many positions."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from bgcore.core.game cimport Game, bg_row


cdef class PlayJob:
    cdef const uint64_t[:, ::1] packed
    cdef const uint8_t[:, ::1] dice       # (n, 2), (1, 2) for all rows, or None for all 21 rolls
    cdef int64_t[::1] offsets
    cdef bg_row *results                  # room for capacity rows
    cdef int8_t *moves                    # the same, or NULL
    cdef int64_t capacity, n, chunk, chunks, next_chunk
    cdef int64_t *bases                   # where each chunk begins; -1 not known yet, -2 failed
    cdef Game game
    cdef const int32_t[::1] context       # (n,), or None for all 0
    cdef int rolls, dice_step
    cdef bint pass_results, direct
    cdef readonly int64_t bad_row         # first row that is no position, or -1
    cdef readonly uint32_t bad_reasons
    cdef readonly bint no_memory
    cdef void work(self) noexcept nogil
    cdef int64_t wait_for_base(self, int64_t c) noexcept nogil
    cdef void note_bad_row(self, int64_t row, uint32_t reasons) noexcept nogil
