"""The MatchState class for native code."""

from bgcore.match.transitions cimport MatchCore


cdef class MatchState(MatchCore):
    pass
