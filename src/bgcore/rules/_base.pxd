"""The Rules class for native code."""

from bgcore.core.game cimport Game, bg_masks
from bgcore.position cimport Position


cdef class Rules:
    cdef readonly str name
    cdef readonly object options     # a read-only mapping
    cdef readonly int checkers
    cdef readonly int max_moves
    cdef readonly object start
    cdef readonly Game game          # None where the core does not play the combination of options
    cdef int check_position(self, Position position) except -1
    cdef (int, int) checked_roll(self, Position position, dice, bg_masks *m) except *   # larger die first
    cdef int checked_context(self, dice, context) except -1
