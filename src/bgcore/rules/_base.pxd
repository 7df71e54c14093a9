"""The Rules class for native code."""

from libc.stdint cimport uint32_t

from bgcore.position cimport Position


cdef class Rules:
    cdef readonly str name
    cdef readonly object options     # a read-only mapping
    cdef readonly int checkers
    cdef readonly int max_moves
    cdef readonly object start
    cdef bint native                 # the generator plays this combination of options
    cdef uint32_t reasons(self, Position position) noexcept
    cdef int require_native(self) except -1
    cdef int check_position(self, Position position) except -1
    cdef (int, int) checked_roll(self, Position position, dice, context) except *   # larger die first
