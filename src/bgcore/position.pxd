"""The Position class for native code."""

from bgcore.core.board cimport bg_position


cdef class Position:
    cdef bg_position p   # read only: positions are immutable

cdef Position wrap(const bg_position *p)   # words that are known to be valid
