"""Ranking of one side's checkers, and where a roll can take them when nothing is in the way.

An id is the rank of a side's counts on points 1 to P, at most 15 checkers, those elsewhere ignored:
``id = sum over k = 1..P of C(s_k + k - 1, k)``, s_k the checkers on the k highest points.  It is GNU Backgammon's
numbering.  Every move lowers it, 0 is "all off", and it doesn't depend on how many checkers a table allows.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    MOST_POINTS = 24
    MOST_CHECKERS = 15
    ROLL_COUNT = 21
    MOST_SUCCESSORS = 21735  # 6 doubles of C(18, 4), 15 other rolls of 15 x 15: no position has more

cdef uint64_t RANK[MOST_POINTS + 1][MOST_CHECKERS + 1]      # C(s + k - 1, k): what s checkers on the k highest add
cdef uint64_t CROSSING[MOST_POINTS + 1][MOST_CHECKERS + 1]  # RANK[k][s] - RANK[k][s - 1]; s >= 1

ctypedef struct bg_side:
    int points                     # of the table, 1-24
    uint32_t occupied              # bit p: a checker on point p
    uint64_t id                    # rank
    int32_t count[MOST_POINTS + 1]     # checkers on point p; [0] collects those borne off
    int32_t beyond[MOST_POINTS + 1]    # checkers on point p or higher; [0] is unused

ctypedef struct bg_successor_table:
    uint64_t positions    # ids 0 to positions - 1
    uint64_t total        # successors of all of them
    uint32_t *offsets     # 21 * positions + 1; roll r of id i: ids[offsets[21 * i + r]] to before the next offset
    uint32_t *ids         # total

cdef uint64_t positions(int points, int checkers) noexcept nogil            # C(points + checkers, points)
cdef uint64_t rank_counts(const uint8_t *counts, int points) noexcept nogil     # counts[0] = point 1; at most 15 in all
cdef uint64_t rank_side(uint64_t lo, uint64_t hi, int points) noexcept nogil    # packed words; the caller checked them
cdef void unrank_counts(uint64_t id, int points, uint8_t *counts) noexcept nogil    # id < positions(points, 15)
cdef int reach_of(uint64_t lo, uint64_t hi) noexcept nogil    # highest slot with a checker, 25 = bar; 0 = all off
cdef int on_board(uint64_t lo, uint64_t hi) noexcept nogil    # checkers on slots 1-25

cdef void set_side(bg_side *side, uint64_t id, int points) noexcept nogil
cdef uint32_t sources_of(uint32_t occupied, int die) noexcept nogil         # bit p: point p can be played with the die
cdef int successors_of(bg_side *side, uint64_t *ids, int *ends) noexcept nogil
# ^ writes at most MOST_SUCCESSORS ids, ends[r] = where roll r's end; returns how many.  The side is unchanged after it.
cdef int make_successors(int points, int checkers, bg_successor_table *out) noexcept nogil
# ^ 0; -1: no memory; -2: more than 32 bits can number.  free_successors afterwards.
cdef void free_successors(bg_successor_table *table) noexcept nogil


cdef inline uint64_t lift(bg_side *side, int source, int die, uint64_t id) noexcept nogil:
    """Moves a checker (bearing off where the die is enough); returns the rank after it, given the one before."""
    cdef int target = source - die if source > die else 0
    cdef int point
    for point in range(target + 1, source + 1):
        id -= CROSSING[side.points - point + 1][side.beyond[point]]
        side.beyond[point] -= 1
    side.count[source] -= 1
    side.count[target] += 1
    if side.count[source] == 0:
        side.occupied &= ~(<uint32_t>1 << source)
    side.occupied |= (<uint32_t>1 << target) & ~<uint32_t>1
    return id


cdef inline void put_back(bg_side *side, int source, int die) noexcept nogil:
    """Undoes lift."""
    cdef int target = source - die if source > die else 0
    cdef int point
    for point in range(target + 1, source + 1):
        side.beyond[point] += 1
    side.count[source] += 1
    side.count[target] -= 1
    if side.count[target] == 0:
        side.occupied &= ~(<uint32_t>1 << target)
    side.occupied |= <uint32_t>1 << source


cdef inline uint64_t rank_after(const bg_side *side, int source, int die, uint64_t id) noexcept nogil:
    """The rank that lift would return, nothing moved."""
    cdef int target = source - die if source > die else 0
    cdef int point
    for point in range(target + 1, source + 1):
        id -= CROSSING[side.points - point + 1][side.beyond[point]]
    return id
