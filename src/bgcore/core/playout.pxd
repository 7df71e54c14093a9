"""What chooses plays in games to the end."""

from bgcore.core.game cimport bg_row


cdef class Policy:
    cdef int choose(self, const bg_row *rows, int n) noexcept nogil
