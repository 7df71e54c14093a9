"""Ranking of one side's checkers, and where a roll can take them when nothing is in the way.

*Ranks.*  ``beyond[p]`` checkers stand on point p or higher; a checker that crosses from p to p - 1 takes
``CROSSING[P - p + 1][beyond[p]]`` off the rank and one off beyond[p].  So a move costs as many subtractions as its die
has pips, and nothing is ranked anew.

*What can be played.*  A die can always be played while a checker is left: one behind the die's reach moves, and if
there is none all are home and the rearmost is borne off.  So a play of two different dice leaves a die unused only
where one checker stood alone; both orders then end with it off, and "both dice, else the larger" never decides.
Playing d moves checkers exactly ceil(p / d) times until they are off, in whatever order; so all plays of a double have
four moves, or end with all off after fewer.  Moving the rearmost first never closes a way, so sources that never rise
reach everything; but a line that runs out of checkers below the last source while some stand above it is no play.

*Order*, which is GNU Backgammon's and decides ties in its tables: the larger die first, sources from the highest down,
then the smaller die first; doubles with sources that never rise.  A result is kept where it first comes up.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from cython cimport view
from libc.stdint cimport UINT32_MAX, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from bgcore.core.board cimport BG_HI_SLOTS, side_total

cdef extern from "bits.h":
    int bg_clz64(uint64_t x) noexcept nogil
    int bg_popcount64(uint64_t x) noexcept nogil

ctypedef fused rank_t:
    uint32_t
    uint64_t


cdef void fill_tables() noexcept nogil:
    cdef int k, s
    for k in range(MOST_POINTS + 1):
        for s in range(MOST_CHECKERS + 1):
            # Pascal's triangle: C(s + k - 1, k) = C(s + k - 2, k - 1) + C(s + k - 2, k).
            if k == 0:
                RANK[k][s] = 1
            elif s == 0:
                RANK[k][s] = 0
            else:
                RANK[k][s] = RANK[k - 1][s] + RANK[k][s - 1]
            CROSSING[k][s] = RANK[k][s] - RANK[k][s - 1] if s > 0 else 0


fill_tables()


cdef uint64_t positions(int points, int checkers) noexcept nogil:
    # One more than the rank of all checkers on the highest point.
    cdef uint64_t n = 1
    cdef int k
    for k in range(1, points + 1):
        n += RANK[k][checkers]
    return n


cdef uint64_t rank_counts(const uint8_t *counts, int points) noexcept nogil:
    cdef uint64_t id = 0
    cdef int k, s = 0
    for k in range(1, points + 1):
        s += counts[points - k]
        id += RANK[k][s]
    return id


cdef uint64_t rank_side(uint64_t lo, uint64_t hi, int points) noexcept nogil:
    cdef uint64_t id = 0
    cdef int point, s = 0
    for point in range(points, 15, -1):
        s += <int>((hi >> (4 * (point - 16))) & 15)
        id += RANK[points - point + 1][s]
    for point in range(min(points, 15), 0, -1):
        s += <int>((lo >> (4 * point)) & 15)
        id += RANK[points - point + 1][s]
    return id


cdef void unrank_counts(uint64_t id, int points, uint8_t *counts) noexcept nogil:
    cdef int k, s = MOST_CHECKERS
    cdef int before = -1
    for k in range(points, 0, -1):
        while RANK[k][s] > id:
            s -= 1
        id -= RANK[k][s]
        if before >= 0:
            counts[points - k - 1] = before - s
        before = s
    counts[points - 1] = before


cdef int reach_of(uint64_t lo, uint64_t hi) noexcept nogil:
    hi &= BG_HI_SLOTS
    if hi:
        return 16 + (63 - bg_clz64(hi)) // 4
    lo &= ~<uint64_t>15
    return (63 - bg_clz64(lo)) // 4 if lo else 0


cdef int on_board(uint64_t lo, uint64_t hi) noexcept nogil:
    return side_total(lo & ~<uint64_t>15, hi)


cdef void set_side(bg_side *side, uint64_t id, int points) noexcept nogil:
    cdef uint8_t counts[MOST_POINTS]
    cdef int point, s = 0
    unrank_counts(id, points, counts)
    side.points = points
    side.id = id
    side.occupied = 0
    side.count[0] = 0
    side.beyond[0] = 0
    for point in range(points, 0, -1):
        s += counts[point - 1]
        side.count[point] = counts[point - 1]
        side.beyond[point] = s
        if counts[point - 1]:
            side.occupied |= <uint32_t>1 << point


cdef uint32_t sources_of(uint32_t occupied, int die) noexcept nogil:
    cdef int top
    if occupied == 0:
        return 0
    top = 63 - bg_clz64(occupied)
    if top < die:
        return <uint32_t>1 << top
    if top <= 6:
        return occupied >> die << die
    return occupied >> (die + 1) << (die + 1)


cdef inline int highest(uint32_t points) noexcept nogil:
    return 63 - bg_clz64(points)


cdef inline int keep_new(rank_t *ids, int first, int n, rank_t id) noexcept nogil:
    """Appends id unless it is among ids[first:n]; returns the new n."""
    cdef int i
    for i in range(first, n):
        if ids[i] == id:
            return n
    ids[n] = id
    return n + 1


cdef int play_pair(bg_side *side, int a, int b, uint64_t *ids, int first) noexcept nogil:
    """Writes the distinct results of two dice a > b behind ids[first - 1]; returns their end."""
    cdef uint32_t then_b[MOST_POINTS + 1]
    cdef uint32_t left_a = sources_of(side.occupied, a)
    cdef uint32_t sources_a = left_a
    cdef uint32_t left, seconds
    cdef uint64_t id
    cdef int s, t, n = first
    while left_a:
        s = highest(left_a)
        left_a ^= <uint32_t>1 << s
        id = lift(side, s, a, side.id)
        then_b[s] = left = sources_of(side.occupied, b)
        if id == 0:
            n = keep_new(ids, first, n, <uint64_t>0)
        while left:
            t = highest(left)
            left ^= <uint32_t>1 << t
            n = keep_new(ids, first, n, rank_after(side, t, b, id))
        put_back(side, s, a)
    left = sources_of(side.occupied, b)
    while left:
        t = highest(left)
        left ^= <uint32_t>1 << t
        id = lift(side, t, b, side.id)
        seconds = sources_of(side.occupied, a)
        if id == 0:
            n = keep_new(ids, first, n, <uint64_t>0)
        while seconds:
            s = highest(seconds)
            seconds ^= <uint32_t>1 << s
            # Most of these have come up already, as a from s and then b from t.
            if not ((sources_a >> s) & 1 and (then_b[s] >> t) & 1):
                n = keep_new(ids, first, n, rank_after(side, s, a, id))
        put_back(side, t, b)
    return n


cdef int play_double(bg_side *side, int die, int most, int moves, uint64_t id, uint64_t *ids, int n) noexcept nogil:
    """Appends the results of so many moves from sources of at most `most`; returns the new n."""
    cdef uint32_t left = sources_of(side.occupied, die) & (((<uint32_t>1 << most) << 1) - 1)
    cdef uint64_t after
    cdef int s
    while left:
        s = highest(left)
        left ^= <uint32_t>1 << s
        if moves == 1:
            ids[n] = rank_after(side, s, die, id)
            n += 1
            continue
        after = lift(side, s, die, id)
        if after == 0:
            ids[n] = 0
            n += 1
        else:
            n = play_double(side, die, s, moves - 1, after, ids, n)
        put_back(side, s, die)
    return n


cdef int successors_of(bg_side *side, uint64_t *ids, int *ends) noexcept nogil:
    cdef int a, b, n = 0, roll = 0
    for a in range(1, 7):
        for b in range(1, a + 1):
            if side.id == 0:
                pass
            elif a == b:
                n = play_double(side, a, side.points, 4, side.id, ids, n)
            else:
                n = play_pair(side, a, b, ids, n)
            ends[roll] = n
            roll += 1
    return n


# All ids at once.  One move from every id is written down first; then a play is a chain of list look-ups, and nearly
# always a last move is a piece of a list copied as it stands.

ctypedef struct bg_single:
    uint32_t start       # where its lists begin
    uint32_t occupied    # bit p: a checker on point p
    uint8_t ends[8]      # [d]: where the list of die d ends, counted from start; [0] = 0

ctypedef struct bg_singles:
    bg_single *of        # [id]
    uint32_t *ids        # the lists: the results of one die, sources from the highest down


cdef enum:
    SLACK = 4            # ids that copy_ids may write behind the last


cdef int write_singles(int points, uint64_t n, bg_singles *out) noexcept nogil:
    """Fills in one move from each of n ids; 0, or -1 if there is no memory."""
    cdef uint64_t crossed[MOST_POINTS + 1]    # what a checker that goes from point p to 0 takes off the rank
    cdef uint64_t room = 12 * n + 6 * MOST_CHECKERS + SLACK
    cdef uint64_t i, total = 0
    cdef bg_single *single
    cdef bg_side side
    cdef uint32_t left
    cdef void *grown
    cdef int die, s
    out.of = <bg_single *>PyMem_RawMalloc(n * sizeof(bg_single))
    out.ids = <uint32_t *>PyMem_RawMalloc(room * sizeof(uint32_t))
    if out.of == NULL or out.ids == NULL:
        return -1
    crossed[0] = 0
    for i in range(n):
        if total + 6 * MOST_CHECKERS + SLACK > room:
            room += room // 2
            grown = PyMem_RawRealloc(out.ids, room * sizeof(uint32_t))
            if grown == NULL:
                return -1
            out.ids = <uint32_t *>grown
        set_side(&side, i, points)
        for s in range(1, points + 1):
            crossed[s] = crossed[s - 1] + CROSSING[points - s + 1][side.beyond[s]]
        single = &out.of[i]
        single.start = <uint32_t>total
        single.occupied = side.occupied
        single.ends[0] = 0
        for die in range(1, 7):
            left = sources_of(side.occupied, die)
            while left:
                s = highest(left)
                left ^= <uint32_t>1 << s
                out.ids[total] = <uint32_t>(i - crossed[s] + crossed[s - die if s > die else 0])
                total += 1
            single.ends[die] = <uint8_t>(total - single.start)
    return 0


cdef inline int copy_ids(uint32_t *out, const uint32_t *ids, int n) noexcept nogil:
    """Copies n ids, by fours; returns n."""
    cdef int k
    for k in range(0, n, 4):
        memcpy(out + k, ids + k, SLACK * sizeof(uint32_t))
    return n


cdef int list_pair(const bg_singles *t, uint32_t id, int a, int b, uint32_t *out) noexcept nogil:
    """The distinct results of two dice a > b, as play_pair; returns how many."""
    cdef uint32_t then_b[MOST_POINTS + 1]
    cdef const bg_single *here = &t.of[id]
    cdef const bg_single *after
    cdef const uint32_t *ids
    cdef const uint32_t *seconds
    cdef uint32_t sources_a = sources_of(here.occupied, a)
    cdef uint32_t left = sources_a
    cdef uint32_t wanted
    cdef int k, s, point, size, n = 0
    ids = &t.ids[here.start + here.ends[a - 1]]
    while left:
        s = highest(left)
        left ^= <uint32_t>1 << s
        after = &t.of[ids[0]]
        wanted = sources_of(after.occupied, b)
        then_b[s] = wanted
        seconds = &t.ids[after.start + after.ends[b - 1]]
        size = after.ends[b] - after.ends[b - 1]
        if ids[0] == 0:
            out[n] = 0
            n += 1
        elif s + b <= 31 and (wanted >> (s + b)) & 1:
            # {a from s, b from s + b} ends as {a from s + b, b from s + b - a}, which has come up already.  Nothing
            # else comes up twice in this order: sets of sources that differ end alike in no other way (see movegen),
            # and a die that is larger than needed to bear off has a single source.
            k = bg_popcount64(wanted >> (s + b + 1))
            n += copy_ids(out + n, seconds, k)
            n += copy_ids(out + n, seconds + k + 1, size - k - 1)
        else:
            n += copy_ids(out + n, seconds, size)
        ids += 1
    left = sources_of(here.occupied, b)
    ids = &t.ids[here.start + here.ends[b - 1]]
    while left:
        point = highest(left)
        left ^= <uint32_t>1 << point
        after = &t.of[ids[0]]
        wanted = sources_of(after.occupied, a)
        seconds = &t.ids[after.start + after.ends[a - 1]]
        if ids[0] == 0:
            n = keep_new(out, 0, n, <uint32_t>0)
        while wanted:
            s = highest(wanted)
            wanted ^= <uint32_t>1 << s
            if not ((sources_a >> s) & 1 and (then_b[s] >> point) & 1):
                n = keep_new(out, 0, n, seconds[0])
            seconds += 1
        ids += 1
    return n


cdef int list_double(
    const bg_singles *t, uint32_t id, int die, int most, int moves, uint32_t *out, int n
) noexcept nogil:
    """Appends the results of so many moves from sources of at most `most`, as play_double; returns the new n."""
    cdef const bg_single *here = &t.of[id]
    cdef uint32_t left = sources_of(here.occupied, die) & (((<uint32_t>1 << most) << 1) - 1)
    cdef int size = bg_popcount64(left)
    cdef const uint32_t *ids = &t.ids[here.start + here.ends[die] - size]
    cdef int s
    if moves == 1:
        return n + copy_ids(out + n, ids, size)
    while left:
        s = highest(left)
        left ^= <uint32_t>1 << s
        if ids[0] == 0:
            out[n] = 0
            n += 1
        else:
            n = list_double(t, ids[0], die, s, moves - 1, out, n)
        ids += 1
    return n


cdef int make_successors(int points, int checkers, bg_successor_table *out) noexcept nogil:
    cdef uint64_t n = positions(points, checkers)
    cdef uint64_t i, total = 0, room = 128 * n + MOST_SUCCESSORS + SLACK
    cdef void *grown
    cdef uint32_t *ids
    cdef uint32_t *end
    cdef bg_singles singles
    cdef int a, b, made, status = 0
    singles.of = NULL
    singles.ids = NULL
    out.positions = n
    out.offsets = NULL
    out.ids = NULL
    if n > UINT32_MAX // (6 * MOST_CHECKERS):
        status = -2
    else:
        status = write_singles(points, n, &singles)
        out.offsets = <uint32_t *>PyMem_RawMalloc((ROLL_COUNT * n + 1) * sizeof(uint32_t))
        out.ids = <uint32_t *>PyMem_RawMalloc(room * sizeof(uint32_t))
        if out.offsets == NULL or out.ids == NULL:
            status = -1
    if status == 0:
        end = out.offsets
        end[0] = 0
        for i in range(n):
            if total + MOST_SUCCESSORS + SLACK > room:
                room += room // 2
                grown = PyMem_RawRealloc(out.ids, room * sizeof(uint32_t))
                if grown == NULL:
                    status = -1
                    break
                out.ids = <uint32_t *>grown
            ids = out.ids + total
            made = 0
            for a in range(1, 7):
                for b in range(1, a + 1):
                    if a == b:
                        made = list_double(&singles, <uint32_t>i, a, points, 4, ids, made)
                    else:
                        made += list_pair(&singles, <uint32_t>i, a, b, ids + made)
                    end += 1
                    end[0] = <uint32_t>(total + made)
            total += made
            if total > UINT32_MAX:
                status = -2
                break
    PyMem_RawFree(singles.of)
    PyMem_RawFree(singles.ids)
    out.total = total
    if status:
        free_successors(out)
    return status


cdef void free_successors(bg_successor_table *table) noexcept nogil:
    PyMem_RawFree(table.offsets)
    PyMem_RawFree(table.ids)
    table.offsets = NULL
    table.ids = NULL


# ---- for Python: arrays are checked by the callers -------------------------------------------------------------------

def count_positions(int points, int checkers):
    """How many ids there are of at most so many checkers on so many points (1-24, 0-15)."""
    return positions(points, checkers)


def rank_rows(const uint8_t[:, ::1] counts, uint64_t[::1] out):
    """Ranks of counts (n, points), each row at most 15 in all."""
    cdef Py_ssize_t i, n = counts.shape[0]
    cdef int points = <int>counts.shape[1]
    with nogil:
        for i in range(n):
            out[i] = rank_counts(&counts[i, 0], points)


def unrank_rows(const uint64_t[::1] ids, uint8_t[:, ::1] out):
    """Counts (n, points) of ids, each one of at most 15 checkers on that many points."""
    cdef Py_ssize_t i, n = ids.shape[0]
    cdef int points = <int>out.shape[1]
    with nogil:
        for i in range(n):
            unrank_counts(ids[i], points, &out[i, 0])


def rank_sides(const uint64_t[:, ::1] packed, int side, int points, int checkers, uint64_t[::1] out):
    """Ranks of one side (0 own, 1 opp) of packed rows; one out of range gets 2**64 - 1, which is no rank."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef uint64_t lo, hi
    with nogil:
        for i in range(n):
            lo = packed[i, 2 * side]
            hi = packed[i, 2 * side + 1]
            if reach_of(lo, hi) > points or on_board(lo, hi) > checkers:
                out[i] = ~<uint64_t>0
            else:
                out[i] = rank_side(lo, hi, points)


def successors(int points, int checkers):
    """Where each roll can take each id: (offsets, ids), both uint32.

    Roll r (bgcore.dice.ROLLS) of id i has ``ids[offsets[21 * i + r]:offsets[21 * i + r + 1]]``, the distinct results in
    GNU Backgammon's order; id 0 has none.

    Raises
    ------
    MemoryError
        There is no room for them.
    OverflowError
        There are more than 32 bits can number.
    """
    cdef bg_successor_table table
    cdef view.array offsets, ids
    cdef int status
    with nogil:
        status = make_successors(points, checkers, &table)
    if status == -1:
        raise MemoryError
    if status == -2:
        raise OverflowError(f"{points} x {checkers} have too many successors for 32-bit offsets")
    offsets = <uint32_t[:ROLL_COUNT * table.positions + 1]>table.offsets
    offsets.callback_free_data = PyMem_RawFree
    ids = <uint32_t[:table.total]>table.ids
    ids.callback_free_data = PyMem_RawFree
    return np.asarray(offsets), np.asarray(ids)


def successors_of_id(uint64_t id, int points):
    """The successors of one id: (ends (21,), ids uint64), where roll r's end and all of them in order."""
    cdef uint64_t[::1] ids
    cdef int[::1] ends
    cdef bg_side side
    cdef int made
    ids_array = np.empty(MOST_SUCCESSORS, np.uint64)
    ends_array = np.empty(ROLL_COUNT, np.intc)
    ids = ids_array
    ends = ends_array
    set_side(&side, id, points)
    made = successors_of(&side, &ids[0], &ends[0])
    return ends_array, ids_array[:made].copy()
