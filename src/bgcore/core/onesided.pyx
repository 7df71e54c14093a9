"""How many rolls one side needs: building the table of distributions.  `races` looks it up.

*The best play* is the one with the fewest expected rolls.  It is found without listing plays.  For each id and die the
best of all results of one move is remembered, likewise of two and of three moves with that die; so the best result of
dice a, b is the best over the moves with a of what is remembered there for b, or the other way round, and a double
takes one move more than the three remembered.  That is some 26 x 9 comparisons an id instead of 400.  Ties go to the
play that comes first in GNU Backgammon's order: sources from the highest down, the larger die first.  Any order of the
moves of a double is tried here and only falling sources there, but the falling one is the first among its
rearrangements, so the first of the best is the same.

*Two halves.*  "rolls until all are off" over all ids, and "rolls until the first is off" over the ids with all fifteen
checkers, which are the last ones.  In the second half all ids with fewer stand for one, number 0; id i is number
i - shift there.  Halves are optimised apart from one another.

*Order.*  A move lowers the id, so ids are solved in rising order; threads share blocks that don't need one another.
The results are equal bit for bit.
"""

from libc.math cimport INFINITY
from libc.stdint cimport UINT32_MAX, int32_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memset

import numpy as np

from bgcore.core.bearoff cimport (
    CROSSING, MOST_CHECKERS, MOST_POINTS, ROLL_COUNT, bg_side, positions, set_side, sources_of,
)

cdef extern from "bits.h":
    int bg_clz64(uint64_t x) noexcept nogil

cdef enum:
    REMEMBERED = 18      # best results an id: [d] of one move with die d, [6 + d] of two, [12 + d] of three
    MOST_ROLLS = 128     # 15 checkers on 24 points: 360 pips, at least 3 a roll
    GNUBG_ROLLS = 32     # columns of GNU Backgammon's tables
    BLOCK = 1 << 17      # numbers of a block of rows: 1 MiB

cdef double TIE = 1e-12            # expected rolls nearer to each other than this are equal but for rounding
cdef double SMALL_WHILE_BUILDING = 2.0 ** -64
cdef double SMALL_STORED = 2.0 ** -32

ctypedef fused value_t:
    double
    uint32_t

ctypedef struct bg_moves:
    int ends[7]          # [d]: where the results of die d end; [0] = 0
    uint32_t ids[6 * MOST_CHECKERS]


cdef void list_moves(uint32_t id, int points, bg_moves *out) noexcept nogil:
    """The results of one die, sources from the highest down, for each die."""
    cdef uint32_t crossed[MOST_POINTS + 1]    # what a checker that goes from point p to 0 takes off the rank
    cdef bg_side side
    cdef uint32_t left
    cdef int die, s, n = 0
    set_side(&side, id, points)
    crossed[0] = 0
    for s in range(1, points + 1):
        crossed[s] = crossed[s - 1] + <uint32_t>CROSSING[points - s + 1][side.beyond[s]]
    out.ends[0] = 0
    for die in range(1, 7):
        left = sources_of(side.occupied, die)
        while left:
            s = 63 - bg_clz64(left)
            left ^= <uint32_t>1 << s
            out.ids[n] = id - crossed[s] + crossed[s - die if s > die else 0]
            n += 1
        out.ends[die] = n


cdef inline value_t better_than(value_t value) noexcept nogil:
    """What another value must be below to be better."""
    if value_t is double:
        return value - TIE
    else:
        return value


cdef void choose(
    const value_t *values, const bg_moves *moves, uint32_t shift, uint32_t *best, uint32_t number, uint32_t *picks
) noexcept nogil:
    """Writes the best result of each of the 21 rolls to picks, and what is to be remembered of this number to best."""
    cdef value_t below[9]      # [e]: die, then e; [6]: die alone; [7], [8]: die three and four times
    cdef uint32_t found[9]
    cdef uint32_t pair[6][6]
    cdef uint32_t four[6]
    cdef uint32_t candidate[9]
    cdef uint32_t *mine = best + <uint64_t>REMEMBERED * number
    cdef const uint32_t *there
    cdef uint32_t after
    cdef int die, k, e, roll
    for die in range(6):
        for e in range(9):
            found[e] = 0
            if value_t is double:
                below[e] = INFINITY
            else:
                below[e] = UINT32_MAX
        for k in range(moves.ends[die], moves.ends[die + 1]):
            after = moves.ids[k] - shift if moves.ids[k] > shift else 0
            there = best + <uint64_t>REMEMBERED * after
            for e in range(6):
                candidate[e] = there[e]
            candidate[6] = after
            candidate[7] = there[6 + die]
            candidate[8] = there[12 + die]
            for e in range(9):
                if values[candidate[e]] < below[e]:
                    below[e] = better_than(values[candidate[e]])
                    found[e] = candidate[e]
        for e in range(6):
            pair[die][e] = found[e]
        mine[die] = found[6]
        mine[6 + die] = found[die]
        mine[12 + die] = found[7]
        four[die] = found[8]
    roll = 0
    for die in range(6):
        for e in range(die):
            picks[roll] = pair[die][e]
            if values[pair[e][die]] < better_than(values[pair[die][e]]):
                picks[roll] = pair[e][die]
            roll += 1
        picks[roll] = four[die]
        roll += 1


cdef inline bint is_double(int roll) noexcept nogil:
    return roll == 0 or roll == 2 or roll == 5 or roll == 9 or roll == 14 or roll == 20


cdef double *numbers(object array) except NULL:
    """Where the numbers of a float64 array are; whoever keeps the pointer keeps the array."""
    cdef double[::1] view = array
    return &view[0]


# ---- exact: double precision -----------------------------------------------------------------------------------------

ctypedef struct bg_half:
    uint32_t size        # numbers 0 to size - 1; 0 = done
    uint32_t shift       # number i is id i + shift; ids up to shift are 0
    uint32_t *best       # REMEMBERED a number
    double *mean         # expected rolls
    double *variance     # or NULL
    double **rows        # probabilities
    uint8_t *first       # rolls of the first of them
    uint8_t *count       # how many

ctypedef struct bg_room:
    double *next         # where a thread's next row goes
    double *end


cdef void solve_exact(bg_half *half, const bg_moves *moves, uint32_t number, bg_room *room) noexcept nogil:
    """Solves a number whose successors are solved; room has place for MOST_ROLLS."""
    cdef double twice[MOST_ROLLS]     # of rolls of two different dice
    cdef double once[MOST_ROLLS]      # of doubles
    cdef uint32_t picks[ROLL_COUNT]
    cdef const double *row
    cdef double mean_twice = 0, mean_once = 0, variance = 0
    cdef double mean, deviation
    cdef int first = MOST_ROLLS, last = 0
    cdef int r, k, begin, size
    cdef uint32_t pick
    choose(<const double *>half.mean, moves, half.shift, half.best, number, picks)
    for r in range(ROLL_COUNT):
        pick = picks[r]
        first = min(first, <int>half.first[pick])
        last = max(last, half.first[pick] + half.count[pick])
    for k in range(first, last):
        twice[k] = 0
        once[k] = 0
    for r in range(ROLL_COUNT):
        pick = picks[r]
        row = half.rows[pick]
        begin = half.first[pick]
        size = half.count[pick]
        if is_double(r):
            mean_once += half.mean[pick]
            for k in range(size):
                once[begin + k] += row[k]
        else:
            mean_twice += half.mean[pick]
            for k in range(size):
                twice[begin + k] += row[k]
    mean = 1 + (2 * mean_twice + mean_once) / 36
    half.mean[number] = mean
    if half.variance != NULL:
        for r in range(ROLL_COUNT):
            pick = picks[r]
            deviation = 1 + half.mean[pick] - mean
            variance += (half.variance[pick] + deviation * deviation) * (1 if is_double(r) else 2)
        half.variance[number] = variance / 36
    for k in range(first, last):
        twice[k] = (2 * twice[k] + once[k]) / 36
    while twice[first] < SMALL_WHILE_BUILDING:
        first += 1
    while twice[last - 1] < SMALL_WHILE_BUILDING:
        last -= 1
    half.rows[number] = room.next
    half.first[number] = <uint8_t>(first + 1)
    half.count[number] = <uint8_t>(last - first)
    for k in range(first, last):
        room.next[k - first] = twice[k]
    room.next += last - first


cdef int trim(const double *row, int *size) noexcept nogil:
    """Cuts what isn't stored off both ends of a row; returns how much in front."""
    cdef int skip = 0
    while row[skip] < SMALL_STORED:
        skip += 1
    while row[size[0] - 1] < SMALL_STORED:
        size[0] -= 1
    size[0] -= skip
    return skip


cdef class ExactBuild:
    """A table while it is built in double precision.

    ``run`` is called for ids whose successors have been run; several threads may, for ids that don't need each other.
    ``stored`` comes last: it gives up what only solving needs.
    """

    cdef bg_half halves[2]       # until all are off; until the first is
    cdef int points
    cdef uint32_t n
    cdef bint gammons
    cdef list kept               # arrays that the halves point into
    cdef list blocks             # arrays that the rows are in
    cdef list rooms              # of those with room left: (array, numbers used)
    cdef readonly object mean, variance

    def __init__(self, int points, int checkers, bint gammons):
        self.points = points
        self.n = <uint32_t>positions(points, checkers)
        self.gammons = gammons
        self.kept = []
        self.blocks = []
        self.rooms = []
        self.mean = np.zeros(self.n)
        self.variance = np.zeros(self.n)
        self.start_half(&self.halves[0], 0, self.mean)
        self.halves[0].variance = numbers(self.variance)
        if gammons:
            self.start_half(&self.halves[1], <uint32_t>positions(points, checkers - 1) - 1, None)

    cdef int start_half(self, bg_half *half, uint32_t shift, object mean) except -1:
        """Allocates a half and solves its number 0."""
        cdef uint32_t[:, ::1] best
        cdef uint8_t[::1] first, count
        cdef uintptr_t[::1] rows
        cdef Py_ssize_t size = self.n - shift
        best_array = np.empty((size, REMEMBERED), np.uint32)
        first_array = np.empty(size, np.uint8)
        count_array = np.empty(size, np.uint8)
        rows_array = np.empty(size, np.uintp)
        mean = np.zeros(size) if mean is None else mean
        done = np.ones(1)
        self.kept += [best_array, first_array, count_array, rows_array, mean, done]  # in this order: see stored
        best, first, count, rows = best_array, first_array, count_array, rows_array
        half.size = <uint32_t>size
        half.shift = shift
        half.best = &best[0, 0]
        half.first = &first[0]
        half.count = &count[0]
        half.rows = <double **>&rows[0]
        half.mean = numbers(mean)
        half.variance = NULL
        half.rows[0] = numbers(done)
        half.first[0] = 0
        half.count[0] = 1
        memset(half.best, 0, REMEMBERED * sizeof(uint32_t))
        return 0

    cdef object find_room(self, bg_room *room):
        """Gives a thread the rest of a block, or a new one; returns the block."""
        try:
            block, used = self.rooms.pop()
        except IndexError:
            block, used = np.empty(BLOCK), 0
            self.blocks.append(block)
        room.next = numbers(block) + <Py_ssize_t>used
        room.end = numbers(block) + <Py_ssize_t>BLOCK
        return block

    def run(self, uint32_t begin, uint32_t end):
        """Solves ids begin to end - 1, none of them 0."""
        cdef bg_room room
        cdef bg_moves moves
        cdef uint32_t id
        block = self.find_room(&room)
        with nogil:
            for id in range(begin, end):
                if room.end - room.next < 2 * MOST_ROLLS:
                    with gil:
                        block = self.find_room(&room)
                list_moves(id, self.points, &moves)
                solve_exact(&self.halves[0], &moves, id, &room)
                if self.gammons and id > self.halves[1].shift:
                    solve_exact(&self.halves[1], &moves, id - self.halves[1].shift, &room)
        if room.end - room.next >= 2 * MOST_ROLLS:
            self.rooms.append((block, room.next - numbers(block)))

    def stored(self, int which):
        """A half as it is stored: (first, count, values float32), one row an id."""
        cdef const bg_half *half = &self.halves[which]
        cdef uint8_t[::1] first, count
        cdef float[::1] values
        cdef uint64_t total = 0, at = 0
        cdef uint32_t id, number
        cdef int k, skip, size
        self.kept[6 * which] = None
        first_array = np.empty(self.n, np.uint8)
        count_array = np.empty(self.n, np.uint8)
        first, count = first_array, count_array
        with nogil:
            for id in range(self.n):
                number = id - half.shift if id > half.shift else 0
                size = half.count[number]
                skip = trim(half.rows[number], &size)
                first[id] = <uint8_t>(half.first[number] + skip)
                count[id] = <uint8_t>size
                total += <uint64_t>size
        values_array = np.empty(total, np.float32)
        values = values_array
        with nogil:
            for id in range(self.n):
                number = id - half.shift if id > half.shift else 0
                skip = first[id] - half.first[number]
                for k in range(count[id]):
                    values[at + k] = <float>half.rows[number][skip + k]
                at += count[id]
        return first_array, count_array, values_array


# ---- GNU Backgammon's arithmetic -------------------------------------------------------------------------------------
# 16 bits a probability, each row adding up to 65535; a result is the rounded mean of the 36 successors' rows, and its
# largest entry takes what the rounding left over.  What would come after the last column is dropped.

ctypedef struct bg_gnubg_half:
    uint32_t size        # as in bg_half
    uint32_t shift
    uint32_t *best
    uint32_t *value      # expected rolls x 65535
    uint16_t *rows       # GNUBG_ROLLS a number


cdef void solve_gnubg(bg_gnubg_half *half, const bg_moves *moves, uint32_t number) noexcept nogil:
    """Solves a number whose successors are solved."""
    cdef uint32_t twice[GNUBG_ROLLS]
    cdef uint32_t once[GNUBG_ROLLS]
    cdef uint32_t picks[ROLL_COUNT]
    cdef const uint16_t *row
    cdef uint16_t *out = half.rows + <uint64_t>GNUBG_ROLLS * number
    cdef uint32_t entry, value = 0
    cdef int32_t rest = 65535
    cdef int r, k, mode = 0
    choose(<const uint32_t *>half.value, moves, half.shift, half.best, number, picks)
    memset(twice, 0, sizeof(twice))
    memset(once, 0, sizeof(once))
    for r in range(ROLL_COUNT):
        row = half.rows + <uint64_t>GNUBG_ROLLS * picks[r]
        if is_double(r):
            for k in range(32):
                once[k] += row[k]
        else:
            for k in range(32):
                twice[k] += row[k]
    out[0] = 0
    for k in range(1, 32):
        entry = (2 * twice[k - 1] + once[k - 1] + 18) // 36
        out[k] = <uint16_t>entry
        rest -= <int32_t>entry
        if out[k] > out[mode]:
            mode = k
    out[mode] = <uint16_t>(out[mode] + rest)
    for k in range(1, 32):
        value += <uint32_t>k * out[k]
    half.value[number] = value


cdef class GnubgBuild:
    """A table while it is built in GNU Backgammon's arithmetic; used as ExactBuild."""

    cdef bg_gnubg_half halves[2]
    cdef int points
    cdef uint32_t n
    cdef bint gammons
    cdef list kept

    def __init__(self, int points, int checkers, bint gammons):
        self.points = points
        self.n = <uint32_t>positions(points, checkers)
        self.gammons = gammons
        self.kept = []
        self.start_half(&self.halves[0], 0)
        if gammons:
            self.start_half(&self.halves[1], <uint32_t>positions(points, checkers - 1) - 1)

    cdef int start_half(self, bg_gnubg_half *half, uint32_t shift) except -1:
        """Allocates a half and solves its number 0."""
        cdef uint32_t[:, ::1] best
        cdef uint32_t[::1] value
        cdef uint16_t[:, ::1] rows
        cdef Py_ssize_t size = self.n - shift
        best_array = np.empty((size, REMEMBERED), np.uint32)
        value_array = np.empty(size, np.uint32)
        rows_array = np.empty((size, GNUBG_ROLLS), np.uint16)
        self.kept += [best_array, value_array, rows_array]  # in this order: see stored
        best, value, rows = best_array, value_array, rows_array
        half.size = <uint32_t>size
        half.shift = shift
        half.best = &best[0, 0]
        half.value = &value[0]
        half.rows = &rows[0, 0]
        memset(half.best, 0, REMEMBERED * sizeof(uint32_t))
        memset(half.rows, 0, GNUBG_ROLLS * sizeof(uint16_t))
        half.rows[0] = 65535
        half.value[0] = 0
        return 0

    def run(self, uint32_t begin, uint32_t end):
        """Solves ids begin to end - 1, none of them 0."""
        cdef bg_moves moves
        cdef uint32_t id
        with nogil:
            for id in range(begin, end):
                list_moves(id, self.points, &moves)
                solve_gnubg(&self.halves[0], &moves, id)
                if self.gammons and id > self.halves[1].shift:
                    solve_gnubg(&self.halves[1], &moves, id - self.halves[1].shift)

    def stored(self, int which):
        """A half as it is stored: (first, count, values uint16), one row an id, without the zeros at both ends."""
        self.kept[3 * which] = None
        return trimmed(self.kept[3 * which + 2], self.halves[which].shift)


def trimmed(const uint16_t[:, ::1] rows, uint32_t shift):
    """(first, count, values) of distributions (n, rolls), at most 255 rolls, without the zeros at both ends.

    Row 0 stands for ids 0 to shift.  A row of zeros keeps a zero.
    """
    cdef uint8_t[::1] first, count
    cdef uint16_t[::1] values
    cdef uint64_t total = 0, at = 0
    cdef uint32_t id, row, n = <uint32_t>rows.shape[0] + shift
    cdef int skip, end
    first_array = np.empty(n, np.uint8)
    count_array = np.empty(n, np.uint8)
    first, count = first_array, count_array
    with nogil:
        for id in range(n):
            row = id - shift if id > shift else 0
            skip = 0
            end = <int>rows.shape[1]
            while end > 1 and rows[row, end - 1] == 0:
                end -= 1
            while skip < end - 1 and rows[row, skip] == 0:
                skip += 1
            first[id] = <uint8_t>skip
            count[id] = <uint8_t>(end - skip)
            total += <uint64_t>(end - skip)
    values_array = np.empty(total, np.uint16)
    values = values_array
    with nogil:
        for id in range(n):
            row = id - shift if id > shift else 0
            memcpy(&values[at], &rows[row, first[id]], count[id] * sizeof(uint16_t))
            at += count[id]
    return first_array, count_array, values_array
