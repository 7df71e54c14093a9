"""The Action class for native code."""


cdef enum Code:
    NO_ACTION = 0
    OPENING_ROLL
    ROLL
    MAKE_PLAY
    PASS
    DOUBLE
    TAKE
    DROP
    BEAVER
    RACCOON
    RESIGN
    ACCEPT
    DECLINE
    NEXT_GAME
    RULING
    FORFEIT


cdef class Action:
    cdef int code       # which class it is
    cdef int a          # first die, level of a resignation, player of a forfeit; 0 or -1 = left open
    cdef int b          # second die, player of a resignation, scope of a forfeit
    cdef object detail  # the play, the fields of a ruling, points and reason of a forfeit; else None
