from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

cdef extern from "hypergammon.h":
    enum:
        LEVELS "BG_HYPER_LEVELS"
        CHUNK "BG_HYPER_CHUNK"

    ctypedef struct bg_hyper_play:
        uint16_t own
        uint16_t first
        uint16_t second

    ctypedef struct bg_hyper_game:
        int checkers
        int n
        const uint16_t *maps
        const bg_hyper_play *plays
        const uint32_t *starts

    int bg_hyper_reply(const bg_hyper_game *g, const bg_hyper_play *play, int opponent) noexcept nogil
    void bg_hyper_values_one(const bg_hyper_game *g, const double *table, int own, const uint16_t *opponents, int m, double *sums) noexcept nogil
    void bg_hyper_values_four_base(const bg_hyper_game *g, const double *table, int own, const uint16_t *opponents, int m, double *sums) noexcept nogil
    void bg_hyper_values_four_avx2(const bg_hyper_game *g, const double *table, int own, const uint16_t *opponents, int m, double *sums) noexcept nogil

cdef struct bg_found:
    bg_hyper_play *out
    int n
    uint8_t counts[26]

cdef class Plays:
    cdef bg_hyper_game game
    cdef int step[5][26]
    cdef int pair[25][25]
    cdef uint8_t *counts
    cdef uint32_t *held
    cdef uint32_t *opposed
    cdef uint8_t *highest
    cdef uint8_t *pips
    cdef uint16_t *maps
    cdef uint32_t *starts
    cdef bg_hyper_play *plays
    cdef int rank(self, const uint8_t *counts) noexcept nogil
    cdef void list_sides(self) noexcept nogil
    cdef uint16_t *map(self, int number) noexcept nogil
    cdef void fill_maps(self) noexcept nogil
    cdef int fill_plays(self) noexcept nogil
    cdef void extend(self, bg_found *found, int die, int next_die, int moves, uint32_t touched) noexcept nogil
    cdef void let_out(self, bg_found *found, uint32_t touched) noexcept nogil
    cdef int pair_of(self, int lower, int higher) noexcept nogil
    cdef bint is_met(self, int own, int opp, int kind) noexcept nogil
    cdef int points(self, int loser) noexcept nogil
