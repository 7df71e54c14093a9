"""Hypergammon solved: the plays of one to three checkers as tables, sweeps of value iteration, look-ups.

A side's checkers have an id (points 1-24 and the bar as a 25th, GNU Backgammon's numbering); a position is the id of the
player on roll and the id of the other one.  Nothing here raises for a wrong value; ``bgcore.bearoff.hypergammon`` checks.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.math cimport fabs, HUGE_VAL
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bgcore.core.game cimport bg_use_avx2
from bgcore.core.movegen cimport ROLL_COUNT, ROLLS

cdef extern from "bits.h":
    int64_t bg_fetch_add(int64_t *p, int64_t v) noexcept nogil

cdef enum:
    SLOTS = 26
    BAR = 25
    MAPS = 301           # nothing, 24 points, 276 pairs of points
    MOST = 512           # room for the plays of one roll: three checkers have 81 ways to make four moves
    RACE = 0
    CONTACT = 1


# ---- tables --------------------------------------------------------------------------------------------------------

cdef class Plays:
    """Ids of one side, and for each id and roll the plays, whatever the opponent has."""

    def __init__(self, int checkers):
        cdef int i, j, slot
        self.game.checkers = checkers
        for i in range(1, checkers + 2):
            for slot in range(SLOTS):
                self.step[i][slot] = 0
                for j in range(26 - slot, 26):
                    # checker i from the top on this slot: how much more s_k = i counts than i - 1 (see rank)
                    self.step[i][slot] += binomial(i + j - 2, j - 1) if slot else 0
        self.game.n = <int>binomial(25 + checkers, checkers)
        self.counts = <uint8_t *>PyMem_RawMalloc(self.game.n * SLOTS)
        self.held = <uint32_t *>PyMem_RawMalloc(self.game.n * sizeof(uint32_t))
        self.opposed = <uint32_t *>PyMem_RawMalloc(self.game.n * sizeof(uint32_t))
        self.highest = <uint8_t *>PyMem_RawMalloc(self.game.n)
        self.pips = <uint8_t *>PyMem_RawMalloc(self.game.n)
        self.maps = <uint16_t *>PyMem_RawMalloc(MAPS * (self.game.n + 1) * sizeof(uint16_t))
        self.starts = <uint32_t *>PyMem_RawMalloc((self.game.n * ROLL_COUNT * LEVELS + 1) * sizeof(uint32_t))
        if not (self.counts and self.held and self.opposed and self.highest and self.pips and self.maps
                and self.starts):
            raise MemoryError
        self.game.maps = self.maps
        self.game.starts = self.starts
        with nogil:
            self.list_sides()
            self.fill_maps()
            i = self.fill_plays()
        if i < 0:
            raise MemoryError

    def __dealloc__(self):
        PyMem_RawFree(self.counts)
        PyMem_RawFree(self.held)
        PyMem_RawFree(self.opposed)
        PyMem_RawFree(self.highest)
        PyMem_RawFree(self.pips)
        PyMem_RawFree(self.maps)
        PyMem_RawFree(self.starts)
        PyMem_RawFree(self.plays)

    @property
    def n(self):
        return self.game.n

    @property
    def n_plays(self):
        return self.starts[self.game.n * ROLL_COUNT * LEVELS]

    cdef int rank(self, const uint8_t *counts) noexcept nogil:
        cdef int slot, i
        cdef int checker = 0
        cdef int id_ = 0
        for slot in range(BAR, 0, -1):
            for i in range(counts[slot]):
                checker += 1
                id_ += self.step[checker][slot]
        return id_

    cdef void list_sides(self) noexcept nogil:
        cdef uint8_t counts[SLOTS]
        cdef int id_, x, y, z, slot
        for x in range(SLOTS):
            for y in range(x + 1 if self.game.checkers > 1 else 1):
                for z in range(y + 1 if self.game.checkers > 2 else 1):
                    memset(counts, 0, SLOTS)
                    counts[x] += 1
                    counts[y] += 1
                    counts[z] += 1
                    counts[0] = 0
                    id_ = self.rank(counts)
                    counts[0] = self.game.checkers
                    self.held[id_] = self.opposed[id_] = 0
                    self.pips[id_] = x + y + z
                    self.highest[id_] = x
                    for slot in range(1, SLOTS):
                        counts[0] -= counts[slot]
                        if counts[slot] and slot < BAR:
                            self.held[id_] |= <uint32_t>1 << slot
                            self.opposed[id_] |= <uint32_t>1 << (25 - slot)
                    memcpy(self.counts + id_ * SLOTS, counts, SLOTS)

    cdef uint16_t *map(self, int number) noexcept nogil:
        return self.maps + number * (self.game.n + 1)

    cdef void fill_maps(self) noexcept nogil:
        cdef int i, point, lower
        cdef int n = self.game.n
        cdef int number = 25
        cdef uint8_t counts[SLOTS]
        cdef uint16_t *target
        for i in range(n + 1):
            self.maps[i] = i
        for point in range(1, 25):
            self.pair[0][point] = point
            target = self.map(point)
            target[n] = n
            for i in range(n):
                memcpy(counts, self.counts + i * SLOTS, SLOTS)
                target[i] = i
                if counts[25 - point] > 1:
                    target[i] = n
                elif counts[25 - point] == 1:
                    counts[25 - point] = 0
                    counts[BAR] += 1
                    target[i] = self.rank(counts)
        for point in range(1, 25):
            for lower in range(1, point):
                self.pair[lower][point] = number
                target = self.map(number)
                for i in range(n + 1):
                    target[i] = self.map(lower)[self.map(point)[i]]
                number += 1

    cdef int fill_plays(self) noexcept nogil:
        """Every play of every id and roll; -1 without memory."""
        cdef bg_found found
        cdef bg_hyper_play *more
        cdef int64_t room = 0
        cdef int64_t total = 0
        cdef int64_t segment = 0
        cdef int i, r, level, a, b
        for i in range(self.game.n):
            for r in range(ROLL_COUNT):
                if total + LEVELS * MOST > room:
                    room = 2 * room + LEVELS * MOST
                    more = <bg_hyper_play *>PyMem_RawRealloc(self.plays, room * sizeof(bg_hyper_play))
                    if more == NULL:
                        return -1
                    self.plays = more
                a, b = ROLLS[r][0], ROLLS[r][1]
                for level in range(LEVELS):
                    self.starts[segment] = <uint32_t>total
                    segment += 1
                    found.out = self.plays + total
                    found.n = 0
                    memcpy(found.counts, self.counts + i * SLOTS, SLOTS)
                    if a == b:
                        self.extend(&found, a, a, 4 - level, 0)
                    elif level == 0:
                        self.extend(&found, a, b, 2, 0)
                        self.extend(&found, b, a, 2, 0)
                    elif level < 3:
                        self.extend(&found, a if level == 1 else b, 0, 1, 0)
                    total += found.n
        self.starts[segment] = <uint32_t>total
        self.game.plays = self.plays
        return 0

    cdef void extend(self, bg_found *found, int die, int next_die, int moves, uint32_t touched) noexcept nogil:
        """Lets out the plays that make so many moves, or end the game earlier, with the first die and then the other.

        Double: the other is the same.  found.counts is as it was afterwards.
        """
        cdef int source, target
        cdef int above = 0
        if moves == 0 or found.counts[0] == self.game.checkers:
            self.let_out(found, touched)
            return
        for source in range(BAR, 0, -1):
            if found.counts[source] == 0:
                continue
            target = source - die
            # Off: all home, that is none above 6, and from the exact point or the highest.
            if target <= 0 and above and (target < 0 or above > 6):
                break
            found.counts[source] -= 1
            found.counts[max(target, 0)] += 1
            self.extend(found, next_die, die, moves - 1, touched | (<uint32_t>1 << target if target > 0 else 0))
            found.counts[source] += 1
            found.counts[max(target, 0)] -= 1
            if source == BAR:
                break
            if above == 0:
                above = source

    cdef void let_out(self, bg_found *found, uint32_t touched) noexcept nogil:
        """The play that ends with found.counts and has touched these points, unless it is there already."""
        cdef bg_hyper_play play
        cdef int point, i
        cdef int points[4]
        cdef int n = 0
        for point in range(1, 25):
            if (touched >> point) & 1:
                points[n] = point
                n += 1
        for i in range(n, 4):
            points[i] = 0
        play.own = self.rank(found.counts)
        play.first = self.pair_of(points[0], points[1])
        play.second = self.pair_of(points[2], points[3])
        for i in range(found.n):
            if found.out[i].own == play.own and found.out[i].first == play.first and found.out[i].second == play.second:
                return
        found.out[found.n] = play
        found.n += 1

    cdef int pair_of(self, int lower, int higher) noexcept nogil:
        if higher == 0:
            return lower
        return self.pair[lower][higher]

    cdef bint is_met(self, int own, int opp, int kind) noexcept nogil:
        """Whether two sides that are not off can stand like that, and are past each other (RACE) or not (CONTACT)."""
        if self.held[own] & self.opposed[opp]:
            return False
        return (self.highest[own] + self.highest[opp] > 25) == kind

    cdef int points(self, int loser) noexcept nogil:
        """What a side loses that has these checkers when the other is off."""
        if self.counts[loser * SLOTS]:
            return 1
        return 3 if self.highest[loser] > 18 else 2

    def successors(self, int own, int opp):
        """(own id, opponent's id) after each legal play of each roll: for tests.  A pass is the position itself."""
        cdef const uint32_t *starts
        cdef int r, level, i, reply
        rolls = []
        for r in range(ROLL_COUNT):
            starts = self.starts + (own * ROLL_COUNT + r) * LEVELS
            found = set()
            for level in range(LEVELS):
                for i in range(<int>starts[level], <int>starts[level + 1]):
                    reply = bg_hyper_reply(&self.game, self.plays + i, opp)
                    if reply < self.game.n:
                        found.add((self.plays[i].own, reply))
                if found:
                    break
            rolls.append(found or {(own, opp)})
        return rolls


cdef int64_t binomial(int n, int k) noexcept nogil:
    cdef int64_t product = 1
    cdef int i
    if k < 0 or k > n:
        return 0
    for i in range(1, k + 1):
        product = product * (n - k + i) // i
    return product


# ---- sweeps --------------------------------------------------------------------------------------------------------

def turn_four(const double[:, :, ::1] values, double[:, :, ::1] table, int begin, int end):
    """Rows of the table of values after a play: minus the opponent's, who doubles if that is better for him.

    Columns: cube owned, centred, centred under the Jacoby rule, the opponent's.
    """
    cdef int n = values.shape[0]
    cdef int i, j, block
    cdef const double *v
    cdef double *t
    cdef double cash
    with nogil:
        for block in range(0, n, 64):
            for i in range(begin, end):
                for j in range(block, min(block + 64, n)):
                    v = &values[j, i, 0]
                    t = &table[i, j, 0]
                    cash = min(2 * v[3], 1.0)
                    t[0] = -v[3]
                    t[1] = -max(v[1], cash)
                    t[2] = -max(v[2], cash)
                    t[3] = -max(v[0], cash)
        for i in range(begin, end):
            for j in range(4):
                table[i, n, j] = -HUGE_VAL


def turn_one(const double[:, ::1] values, double[:, ::1] table, int begin, int end):
    """The same for cubeless values."""
    cdef int n = values.shape[0]
    cdef int i, j, block
    with nogil:
        for block in range(0, n, 64):
            for i in range(begin, end):
                for j in range(block, min(block + 64, n)):
                    table[i, j] = -values[j, i]
        for i in range(begin, end):
            table[i, n] = -HUGE_VAL


def sweep(Plays plays not None, const double[:, ::1] table, double[:, ::1] values, double[::1] change, int64_t[::1] next_row,
          int width, int pips):
    cdef int n = plays.game.n
    cdef int64_t i
    cdef int j, k, m, c, start
    cdef double most, new
    cdef uint16_t *list_ = <uint16_t *>PyMem_RawMalloc(n * sizeof(uint16_t))
    cdef double *sums = <double *>PyMem_RawMalloc(n * width * sizeof(double) + 64)
    cdef double *at = <double *>((<uint64_t>sums + 63) & ~<uint64_t>63)
    with nogil:
        while True:
            i = bg_fetch_add(&next_row[0], 1)
            if i >= n:
                break
            m = 0
            if i:
                for j in range(1, n):
                    if (pips != -2 and plays.is_met(i, j, RACE) and (pips < 0 or plays.pips[i] + plays.pips[j] == pips)) or (pips < 0 and plays.is_met(i, j, CONTACT)):
                        list_[m] = j
                        m += 1
            most = 0
            start = 0
            while start < m:
                k = min(<int>CHUNK, m - start)
                if width == 1:
                    bg_hyper_values_one(&plays.game, &table[0, 0], i, list_ + start, k, at)
                elif bg_use_avx2:
                    bg_hyper_values_four_avx2(&plays.game, &table[0, 0], i, list_ + start, k, at)
                else:
                    bg_hyper_values_four_base(&plays.game, &table[0, 0], i, list_ + start, k, at)
                for j in range(k):
                    for c in range(width):
                        new = at[j * width + c]
                        most = max(most, fabs(new - values[i, list_[start + j] * width + c]))
                        values[i, list_[start + j] * width + c] = new
                start += k
            change[i] = most
    PyMem_RawFree(list_)
    PyMem_RawFree(sums)


def ends_four(Plays plays not None, double[:, :, ::1] values):
    cdef int n = plays.game.n
    cdef int i, points
    for i in range(1, n):
        points = plays.points(i)
        values[i, 0, 0] = values[i, 0, 1] = values[i, 0, 3] = -points
        values[i, 0, 2] = -1
        values[0, i, 0] = values[0, i, 1] = values[0, i, 3] = points
        values[0, i, 2] = 1


def ends_one(Plays plays not None, double[:, ::1] values):
    cdef int n = plays.game.n
    cdef int i
    for i in range(1, n):
        values[i, 0] = -plays.points(i)
        values[0, i] = plays.points(i)
