"""Hypergammon: ids of one side's checkers, their plays, tables under iteration."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "hypergammon.h":
    enum:
        LEVELS "BG_HYPER_LEVELS"
        CHUNK "BG_HYPER_CHUNK"

    ctypedef enum bg_hyper_kind:
        CUBELESS "BG_HYPER_CUBELESS"
        CUBEFUL "BG_HYPER_CUBEFUL"
        GAMMONS "BG_HYPER_GAMMONS"

    ctypedef struct bg_hyper_play:
        uint16_t own        # the mover's id afterwards
        uint16_t first      # maps: the opponent's id afterwards is second[first[id]]
        uint16_t second

    ctypedef struct bg_hyper_game:
        int checkers
        int n                       # ids of one side
        const uint16_t *maps        # [map][n + 1]; n where a play is forbidden
        const bg_hyper_play *plays
        const uint32_t *starts      # of [id][roll][level] in plays

cdef enum:
    SLOTS = 26
    BAR = 25

cdef struct bg_found:
    bg_hyper_play *out      # plays found so far
    int n
    uint8_t counts[SLOTS]   # the mover's checkers at this moment


cdef class Sides:
    cdef bg_hyper_game game     # of Plays only: maps, plays, starts
    cdef int step[4][SLOTS]     # [m][slot]: what the m-th highest checker adds to the id
    cdef uint8_t *counts        # [id][slot]
    cdef uint32_t *held         # [id]: bit p = a checker on own point p
    cdef uint32_t *opposed      # [id]: bit p = a checker on the other side's point p
    cdef uint8_t *highest       # [id]: the last checker's slot, 25 = bar; 0 = all off
    cdef void list_sides(self) noexcept nogil
    cdef int rank(self, const uint8_t *counts) noexcept nogil
    cdef int rank_words(self, uint64_t lo, uint64_t hi) noexcept nogil    # -1: not so many checkers
    cdef int64_t find(self, const uint64_t *words) noexcept nogil         # own id x n + opponent's id; -1: none
    cdef int check(self, const uint64_t[:, ::1] packed, const double[:, :, ::1] table, double[:, ::1] out,
                   Py_ssize_t width) except -1
    cdef void fetch(self, const uint64_t *words, const double *table, Py_ssize_t count,
                    const double **rows) noexcept nogil
    cdef int points(self, int loser) noexcept nogil                       # lost when the other side is off


cdef class Plays(Sides):
    cdef int pair[25][25]       # [lower][higher]: the map of two points; [0][p]: of one
    cdef uint16_t *maps
    cdef uint32_t *starts
    cdef bg_hyper_play *plays
    cdef void fill_maps(self) noexcept nogil
    cdef int fill_plays(self) noexcept nogil
    cdef int extend(self, bg_found *found, int die, int next_die, int moves, uint32_t touched) noexcept nogil
    cdef int let_out(self, bg_found *found, uint32_t touched) noexcept nogil


cdef class Solver:
    cdef Plays plays
    cdef bg_hyper_kind kind
    cdef int width
    cdef double[::1] values     # [own][opponent][width]: before a turn
    cdef double[::1] table      # [own][opponent or n][width]: after a play, the opponent on roll
    cdef uint32_t[::1] chosen   # [own][roll][opponent]: where the best cubeless play leads, in table
    cdef double[::1] changes    # [own]: by the last sweep
    cdef int64_t next_row, end, row_step
    cdef void begin(self) noexcept nogil
    cdef int64_t take(self, int64_t rows) noexcept nogil
    cdef int opponents(self, int own, uint16_t *list_) noexcept nogil
    cdef void values_of(self, int64_t own, const uint16_t *list_, int m, double *sums) noexcept nogil
