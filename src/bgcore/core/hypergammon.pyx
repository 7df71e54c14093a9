"""Hypergammon solved: ids of one to three checkers, their plays as tables, value iteration, look-ups.

An id is GNU Backgammon's number of one side's checkers, the bar counting as a 25th point; a position is the id of the
player on roll and the id of the other.  Nothing here raises for a wrong value: ``bgcore.bearoff.hyper`` checks.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.math cimport HUGE_VAL, NAN, fabs
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memset

from bgcore.core.board cimport BG_HI_SLOTS, side_total
from bgcore.core.game cimport bg_use_avx2
from bgcore.core.movegen cimport ROLL_COUNT, ROLLS

cdef extern from "hypergammon.h":
    int bg_ctz64(uint64_t x) noexcept nogil
    int64_t bg_fetch_add(int64_t *p, int64_t v) noexcept nogil
    void BG_FETCH(const void *p) noexcept nogil
    int bg_hyper_after(const bg_hyper_game *g, const bg_hyper_play *play, int opponent) noexcept nogil
    void bg_hyper_values_one(
        const bg_hyper_game *g, const double *table, int own, const uint16_t *list_, int m, double *sums
    ) noexcept nogil
    void bg_hyper_values_four_base(
        const bg_hyper_game *g, const double *table, int own, const uint16_t *list_, int m, double *sums
    ) noexcept nogil
    void bg_hyper_values_four_avx2(
        const bg_hyper_game *g, const double *table, int own, const uint16_t *list_, int m, double *sums
    ) noexcept nogil
    void bg_hyper_turn(
        bg_hyper_kind kind, const double *values, double *table, size_t n, size_t first, size_t end, size_t step
    ) noexcept nogil
    void bg_hyper_choose(
        const bg_hyper_game *g, const double *table, int own, int roll, double slack, const uint16_t *list_, int m,
        uint32_t *chosen
    ) noexcept nogil
    void bg_hyper_follow_four_base(
        const bg_hyper_game *g, const double *table, const uint32_t *chosen, const uint16_t *list_, int m, double *sums
    ) noexcept nogil
    void bg_hyper_follow_four_avx2(
        const bg_hyper_game *g, const double *table, const uint32_t *chosen, const uint16_t *list_, int m, double *sums
    ) noexcept nogil

cdef enum:
    MAPS = 301        # nothing, 24 points, 276 pairs of points
    MOST = 128        # room for the plays of a roll: three checkers have at most 34, levels together
    GROUP = 64        # rows looked up together, so that they wait for memory together
    STRIP = 64        # rows turned over together


# ---- one side's checkers -------------------------------------------------------------------------------------------

cdef class Sides:
    """The ids of one side's checkers.

    Parameters
    ----------
    checkers : int
        1 to 3.
    """

    def __cinit__(self, int checkers):
        cdef int m, slot, k
        if not 1 <= checkers <= 3:
            raise ValueError(f"checkers must be 1 to 3, not {checkers}")
        for m in range(1, 4):
            for slot in range(SLOTS):
                # id = sum over k of C(s_k + k - 1, k), s_k the checkers on the k highest of 25 slots.  The m-th
                # checker from the top makes s_k m instead of m - 1 for all k that reach its slot.
                self.step[m][slot] = 0
                for k in range(26 - slot, 26):
                    self.step[m][slot] += <int>(binomial(m + k - 1, k) - binomial(m + k - 2, k))
        self.game.checkers = checkers
        self.game.n = <int>binomial(25 + checkers, checkers)
        self.counts = <uint8_t *>PyMem_RawMalloc(self.game.n * SLOTS)
        self.held = <uint32_t *>PyMem_RawMalloc(self.game.n * sizeof(uint32_t))
        self.opposed = <uint32_t *>PyMem_RawMalloc(self.game.n * sizeof(uint32_t))
        self.highest = <uint8_t *>PyMem_RawMalloc(self.game.n)
        if self.counts == NULL or self.held == NULL or self.opposed == NULL or self.highest == NULL:
            raise MemoryError
        self.list_sides()

    def __dealloc__(self):
        PyMem_RawFree(self.counts)
        PyMem_RawFree(self.held)
        PyMem_RawFree(self.opposed)
        PyMem_RawFree(self.highest)

    @property
    def positions(self):
        """How many ids there are."""
        return self.game.n

    cdef void list_sides(self) noexcept nogil:
        """Fills the tables of ids."""
        cdef uint8_t counts[SLOTS]
        cdef uint32_t held, opposed
        cdef int id_, a, b, c, slot
        cdef int checkers = self.game.checkers
        for a in range(SLOTS):
            for b in range(a + 1 if checkers > 1 else 1):
                for c in range(b + 1 if checkers > 2 else 1):
                    memset(counts, 0, SLOTS)
                    counts[a] += 1
                    counts[b] += 1
                    counts[c] += 1
                    id_ = self.rank(counts)
                    self.highest[id_] = a
                    held = opposed = 0
                    counts[0] = checkers
                    for slot in range(1, SLOTS):
                        counts[0] -= counts[slot]
                        if counts[slot] and slot < BAR:
                            held |= <uint32_t>1 << slot
                            opposed |= <uint32_t>1 << (25 - slot)
                    self.held[id_] = held
                    self.opposed[id_] = opposed
                    memcpy(self.counts + id_ * SLOTS, counts, SLOTS)

    cdef int rank(self, const uint8_t *counts) noexcept nogil:
        cdef int slot
        cdef int m = 0
        cdef int id_ = 0
        for slot in range(BAR, 0, -1):
            for _ in range(counts[slot]):
                m += 1
                id_ += self.step[m][slot]
        return id_

    cdef int rank_words(self, uint64_t lo, uint64_t hi) noexcept nogil:
        cdef int m = self.game.checkers - <int>(lo & 15)
        cdef int id_ = 0
        cdef int bit
        if side_total(lo, hi) != self.game.checkers or hi & ~BG_HI_SLOTS:
            return -1
        lo &= ~<uint64_t>15
        while lo:
            bit = bg_ctz64(lo) & ~3
            lo -= <uint64_t>1 << bit
            id_ += self.step[m][bit >> 2]
            m -= 1
        while hi:
            bit = bg_ctz64(hi) & ~3
            hi -= <uint64_t>1 << bit
            id_ += self.step[m][16 + (bit >> 2)]
            m -= 1
        return id_

    cdef int64_t find(self, const uint64_t *words) noexcept nogil:
        cdef int own = self.rank_words(words[0], words[1])
        cdef int opp = self.rank_words(words[2], words[3])
        if own < 0 or opp < 0 or own + opp == 0 or self.held[own] & self.opposed[opp]:
            return -1
        return <int64_t>own * self.game.n + opp

    cdef int points(self, int loser) noexcept nogil:
        if self.counts[loser * SLOTS]:
            return 1
        return 3 if self.highest[loser] > 18 else 2

    def places(self, const uint64_t[:, ::1] packed not None, int64_t[::1] out not None):
        """Pairs (own id x positions + opponent's id) of words; -1 for what is no position of the game."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(packed.shape[0]):
                out[i] = self.find(&packed[i, 0])

    def chances(self, const uint64_t[:, ::1] packed not None, const double[:, :, ::1] table not None,
                double[:, ::1] out not None):
        """Rows of a table (positions, positions, 5) into out (n, 5); NaN for what is no position of the game."""
        cdef Py_ssize_t n = packed.shape[0]
        cdef Py_ssize_t first = 0
        cdef Py_ssize_t i, c, count
        cdef const double *rows[GROUP]
        self.check(packed, table, out, 5)
        with nogil:
            while first < n:
                count = min(n - first, <Py_ssize_t>GROUP)
                self.fetch(&packed[first, 0], &table[0, 0, 0], count, rows)
                for i in range(count):
                    for c in range(5):
                        out[first + i, c] = NAN if rows[i] == NULL else rows[i][c]
                first += count

    def equities(self, const uint64_t[:, ::1] packed not None, const double[:, :, ::1] table not None, bint jacoby,
                 bint decided, double[:, ::1] out not None):
        """Cubeless, owned, centred, opponent's into out (n, 4); NaN for what is no position of the game.

        The table (positions, positions, 5) has cubeless, owned, centred, centred with the Jacoby rule, opponent's.
        """
        cdef Py_ssize_t n = packed.shape[0]
        cdef Py_ssize_t first = 0
        cdef Py_ssize_t i, count
        cdef const double *rows[GROUP]
        cdef double cash
        self.check(packed, table, out, 4)
        with nogil:
            while first < n:
                count = min(n - first, <Py_ssize_t>GROUP)
                self.fetch(&packed[first, 0], &table[0, 0, 0], count, rows)
                for i in range(count):
                    if rows[i] == NULL:
                        out[first, 0] = out[first, 1] = out[first, 2] = out[first, 3] = NAN
                    else:
                        out[first, 0] = rows[i][0]
                        out[first, 1] = rows[i][1]
                        out[first, 2] = rows[i][3] if jacoby else rows[i][2]
                        out[first, 3] = rows[i][4]
                        if decided:
                            cash = min(2 * rows[i][4], 1.0)
                            out[first, 1] = max(out[first, 1], cash)
                            out[first, 2] = max(out[first, 2], cash)
                    first += 1

    cdef int check(self, const uint64_t[:, ::1] packed, const double[:, :, ::1] table, double[:, ::1] out,
                   Py_ssize_t width) except -1:
        if table.shape[0] != self.game.n or table.shape[1] != self.game.n or table.shape[2] != 5:
            raise ValueError("the table has another shape")
        if packed.shape[1] != 4 or out.shape[0] != packed.shape[0] or out.shape[1] != width:
            raise ValueError("packed or out has another shape")
        return 0

    cdef void fetch(self, const uint64_t *words, const double *table, Py_ssize_t count,
                    const double **rows) noexcept nogil:
        """Where the rows of some positions are, all asked for before the first is read; NULL for none."""
        cdef Py_ssize_t i
        cdef int64_t place
        for i in range(count):
            place = self.find(words + 4 * i)
            rows[i] = NULL
            if place >= 0:
                rows[i] = table + 5 * place
                BG_FETCH(rows[i])
                BG_FETCH(rows[i] + 4)

    def blank(self, double[:, :, ::1] table not None):
        """NaN where a pair of ids is no position: both sides off, a point held by both."""
        cdef int own, opp
        cdef Py_ssize_t c
        with nogil:
            for own in range(self.game.n):
                for opp in range(self.game.n):
                    if own + opp == 0 or self.held[own] & self.opposed[opp]:
                        for c in range(table.shape[2]):
                            table[own, opp, c] = NAN


cdef int64_t binomial(int n, int k) noexcept nogil:
    cdef int64_t product = 1
    cdef int i
    if k < 0 or k > n:
        return 0
    for i in range(1, k + 1):
        product = product * (n - k + i) // i
    return product


# ---- plays ---------------------------------------------------------------------------------------------------------

cdef class Plays(Sides):
    """What each id can play with each roll."""

    def __cinit__(self, int checkers):
        cdef int64_t segments = self.game.n * ROLL_COUNT * LEVELS
        self.maps = <uint16_t *>PyMem_RawMalloc(MAPS * (self.game.n + 1) * sizeof(uint16_t))
        self.starts = <uint32_t *>PyMem_RawMalloc((segments + 1) * sizeof(uint32_t))
        if self.maps == NULL or self.starts == NULL:
            raise MemoryError
        self.fill_maps()
        if self.fill_plays() < 0:
            raise MemoryError
        self.game.maps = self.maps
        self.game.plays = self.plays
        self.game.starts = self.starts

    def __dealloc__(self):
        PyMem_RawFree(self.maps)
        PyMem_RawFree(self.starts)
        PyMem_RawFree(self.plays)

    cdef void fill_maps(self) noexcept nogil:
        """What touching points does to the opponent: a blot goes to the bar, a made point forbids it."""
        cdef int n = self.game.n
        cdef int columns = n + 1
        cdef int number = 25
        cdef int i, point, lower
        cdef uint8_t counts[SLOTS]
        cdef uint16_t *target
        for i in range(columns):
            self.maps[i] = i
        self.pair[0][0] = 0
        for point in range(1, 25):
            self.pair[0][point] = point
            target = self.maps + point * columns
            target[n] = n
            for i in range(n):
                target[i] = i
                memcpy(counts, self.counts + i * SLOTS, SLOTS)
                if counts[25 - point] > 1:
                    target[i] = n
                elif counts[25 - point] == 1:
                    counts[25 - point] = 0
                    counts[BAR] += 1
                    target[i] = self.rank(counts)
        for point in range(1, 25):
            for lower in range(1, point):
                self.pair[lower][point] = number
                target = self.maps + number * columns
                for i in range(columns):
                    target[i] = self.maps[lower * columns + self.maps[point * columns + i]]
                number += 1

    cdef int fill_plays(self) noexcept nogil:
        """Every play of every id and roll; -1 without memory."""
        cdef bg_found found
        cdef bg_hyper_play *more
        cdef int64_t room = 0
        cdef int64_t total = 0
        cdef int64_t segment = 0
        cdef int i, r, level, fewer, a, b
        for i in range(self.game.n):
            memcpy(found.counts, self.counts + i * SLOTS, SLOTS)
            for r in range(ROLL_COUNT):
                if total + LEVELS * MOST > room:
                    room = 2 * room + LEVELS * MOST
                    more = <bg_hyper_play *>PyMem_RawRealloc(self.plays, room * sizeof(bg_hyper_play))
                    if more == NULL:
                        return -1
                    self.plays = more
                a, b = ROLLS[r][0], ROLLS[r][1]
                level = 0
                for fewer in range(4):
                    found.out = self.plays + total
                    found.n = 0
                    if a == b:
                        self.extend(&found, a, a, 4 - fewer, 0)
                    elif fewer == 0:
                        self.extend(&found, a, b, 2, 0)
                        self.extend(&found, b, a, 2, 0)
                    elif fewer < 3:
                        self.extend(&found, a if fewer == 1 else b, 0, 1, 0)
                    if found.n:
                        self.starts[segment + level] = <uint32_t>total
                        level += 1
                    total += found.n
                for level in range(level, LEVELS):
                    self.starts[segment + level] = <uint32_t>total
                segment += LEVELS
        self.starts[segment] = <uint32_t>total
        return 0

    cdef int extend(self, bg_found *found, int die, int next_die, int moves, uint32_t touched) noexcept nogil:
        """Lets out what begins like this and makes so many more moves, with die, next_die and so on in turn."""
        cdef int source, target
        cdef int above = 0
        if moves == 0:
            return self.let_out(found, touched)
        for source in range(BAR, 0, -1):
            if found.counts[source] == 0:
                continue
            target = source - die
            if target <= 0:
                # Bearing off: all at home, and from the exact point or the highest.
                if above > 6 or (above and target < 0):
                    return 0
                target = 0
            found.counts[source] -= 1
            found.counts[target] += 1
            self.extend(found, next_die, die, moves - 1, touched | (<uint32_t>1 << target & ~<uint32_t>1))
            found.counts[source] += 1
            found.counts[target] -= 1
            if source == BAR:
                return 0
            if above == 0:
                above = source
        return 0

    cdef int let_out(self, bg_found *found, uint32_t touched) noexcept nogil:
        """The play that ends like this and has touched these points, unless it is there already."""
        cdef bg_hyper_play play
        cdef int points[4]
        cdef int i
        for i in range(4):
            points[i] = 0
        i = 3
        while touched:
            points[i] = bg_ctz64(touched)
            touched &= touched - 1
            i -= 1
        play.own = self.rank(found.counts)
        play.first = self.pair[points[3]][points[2]] if points[2] else self.pair[0][points[3]]
        play.second = self.pair[points[1]][points[0]] if points[0] else self.pair[0][points[1]]
        for i in range(found.n):
            if found.out[i].own == play.own and found.out[i].first == play.first and found.out[i].second == play.second:
                return 0
        found.out[found.n] = play
        found.n += 1
        return 0

    @property
    def most(self):
        """The most plays that a roll has, levels together."""
        cdef int64_t i
        cdef int64_t most = 0
        for i in range(<int64_t>self.game.n * ROLL_COUNT):
            most = max(most, <int64_t>self.starts[LEVELS * (i + 1)] - self.starts[LEVELS * i])
        return most

    def successors(self, const int64_t[::1] pairs not None, int64_t[:, :, ::1] out not None):
        """Pairs (own id x positions + opponent's id) after each legal play of each roll, into out (n, 21, most).

        In no order, some more than once, then -1; only -1 for a pass or a finished game.
        """
        cdef int64_t n = self.game.n
        cdef int64_t segment
        cdef Py_ssize_t i, count, level
        cdef int r, after
        cdef uint32_t p
        if out.shape[0] != pairs.shape[0] or out.shape[1] != ROLL_COUNT or out.shape[2] != self.most:
            raise ValueError("out has another shape")
        for i in range(pairs.shape[0]):
            if not 0 <= pairs[i] < n * n:
                raise ValueError(f"no pair {pairs[i]}")
            for r in range(ROLL_COUNT):
                count = level = 0
                while count == 0 and level < LEVELS and pairs[i] // n and pairs[i] % n:
                    segment = (pairs[i] // n * ROLL_COUNT + r) * LEVELS + level
                    for p in range(self.starts[segment], self.starts[segment + 1]):
                        after = bg_hyper_after(&self.game, self.plays + p, <int>(pairs[i] % n))
                        if after < n:
                            out[i, r, count] = self.plays[p].own * n + after
                            count += 1
                    level += 1
                out[i, r, count:] = -1


# ---- iteration -----------------------------------------------------------------------------------------------------

cdef class Solver:
    """A table of values under iteration.

    ``turn`` works out what plays are worth from the values of the positions they lead to, ``sweep`` values from what
    plays are worth.  Both work on every ``step``-th row from ``first`` on, as `share` says, in any number of threads:
    each row is written by one of them, from what none of them writes.

    Parameters
    ----------
    plays : Plays
    kind : {"cubeless", "cubeful", "gammons"}
        One equity; four, with the cube owned, centred, centred with the Jacoby rule, the opponent's; or the chances of
        win gammon, win backgammon, lose gammon, lose backgammon when both play as chosen.
    values : float64 (positions ** 2 * width,), aligned to 32 bytes
        [own id][opponent's][width], to begin with; finished games are filled in.
    table : float64 (positions * (positions + 1) * width,), aligned to 32 bytes
    chosen : uint32 (positions ** 2 * 21,), or None
        [own id][roll][opponent's id]: where the best cubeless play leads.  "cubeless" can fill it, "gammons" follows
        it.
    """

    def __cinit__(self, Plays plays not None, str kind, double[::1] values not None, double[::1] table not None,
                  uint32_t[::1] chosen):
        cdef int64_t n = plays.game.n
        if kind not in ("cubeless", "cubeful", "gammons"):
            raise ValueError(f"no kind {kind!r}")
        self.kind = CUBELESS if kind == "cubeless" else CUBEFUL if kind == "cubeful" else GAMMONS
        self.width = 1 if self.kind == CUBELESS else 4
        if values.shape[0] != n * n * self.width or table.shape[0] != n * (n + 1) * self.width:
            raise ValueError("values or table has another length")
        if (<uintptr_t>&values[0] | <uintptr_t>&table[0]) % 32:
            raise ValueError("values or table is not aligned to 32 bytes")
        if (chosen is None and self.kind == GAMMONS) or (chosen is not None and chosen.shape[0] != n * n * ROLL_COUNT):
            raise ValueError("chosen is missing or has another length")
        self.plays, self.values, self.table, self.chosen = plays, values, table, chosen
        self.changes = memoryview(bytearray(8 * n)).cast("d")
        self.begin()

    cdef void begin(self) noexcept nogil:
        """Values of games that are over, and the column of what is forbidden."""
        cdef int64_t n = self.plays.game.n
        cdef int64_t i
        cdef int c, points
        cdef double *lost
        cdef double *won
        for i in range(n):
            for c in range(self.width):
                self.table[(i * (n + 1) + n) * self.width + c] = -HUGE_VAL
            if i == 0:
                continue
            points = self.plays.points(i)
            lost = &self.values[i * n * self.width]
            won = &self.values[i * self.width]
            for c in range(self.width):
                if self.kind == GAMMONS:
                    lost[c] = c > 1 and points >= c
                    won[c] = c < 2 and points >= c + 2
                else:
                    won[c] = 1 if c == 2 else points
                    lost[c] = -won[c]

    def share(self, int first, int step):
        """Says which rows the next ``turn``, ``sweep`` or ``choose`` of any number of threads is about."""
        if step < 1 or first < 0:
            raise ValueError("no such rows")
        self.next_row, self.row_step, self.end = first, step, self.plays.game.n

    @property
    def change(self):
        """The largest change that the last sweeps of all rows have made."""
        cdef double most = 0
        cdef Py_ssize_t i
        for i in range(self.changes.shape[0]):
            most = max(most, self.changes[i])
        return most

    cdef int64_t take(self, int64_t rows) noexcept nogil:
        """The first of some rows for this thread."""
        return bg_fetch_add(&self.next_row, rows * self.row_step)

    cdef int opponents(self, int own, uint16_t *list_) noexcept nogil:
        """All whom a side can stand against, both being on the board; how many."""
        cdef int opp
        cdef int m = 0
        cdef uint32_t held = self.plays.held[own]
        if own:
            for opp in range(1, self.plays.game.n):
                list_[m] = opp
                m += not held & self.plays.opposed[opp]
        return m

    def turn(self):
        """Fills columns of the table from rows of values."""
        cdef int64_t first
        with nogil:
            while True:
                first = self.take(STRIP)
                if first >= self.end:
                    break
                bg_hyper_turn(self.kind, &self.values[0], &self.table[0], self.plays.game.n, first,
                              min(first + STRIP * self.row_step, self.end), self.row_step)

    def sweep(self):
        """Works out values, and how much they have changed."""
        cdef int64_t n = self.plays.game.n
        cdef int64_t i
        cdef int k, c, m, start, count
        cdef double most, new
        cdef double *old
        cdef double *sums
        cdef uint16_t *list_
        cdef void *block = PyMem_RawMalloc(n * sizeof(uint16_t) + CHUNK * self.width * sizeof(double) + 64)
        if block == NULL:
            raise MemoryError
        sums = <double *>((<uintptr_t>block + 63) & ~<uintptr_t>63)
        list_ = <uint16_t *>(sums + CHUNK * self.width)
        with nogil:
            while True:
                i = self.take(1)
                if i >= self.end:
                    break
                m = self.opponents(i, list_)
                most = 0
                start = 0
                while start < m:
                    count = min(<int>CHUNK, m - start)
                    self.values_of(i, list_ + start, count, sums)
                    for k in range(count):
                        old = &self.values[(i * n + list_[start + k]) * self.width]
                        for c in range(self.width):
                            new = sums[k * self.width + c]
                            most = max(most, fabs(new - old[c]))
                            old[c] = new
                    start += count
                self.changes[i] = most
            PyMem_RawFree(block)

    cdef void values_of(self, int64_t own, const uint16_t *list_, int m, double *sums) noexcept nogil:
        cdef const bg_hyper_game *game = &self.plays.game
        cdef const double *table = &self.table[0]
        if self.kind == CUBELESS:
            bg_hyper_values_one(game, table, own, list_, m, sums)
        elif self.kind == CUBEFUL:
            if bg_use_avx2:
                bg_hyper_values_four_avx2(game, table, own, list_, m, sums)
            else:
                bg_hyper_values_four_base(game, table, own, list_, m, sums)
        elif bg_use_avx2:
            bg_hyper_follow_four_avx2(game, table, &self.chosen[own * ROLL_COUNT * game.n], list_, m, sums)
        else:
            bg_hyper_follow_four_base(game, table, &self.chosen[own * ROLL_COUNT * game.n], list_, m, sums)

    def choose(self, double slack):
        """Fills chosen: of the plays whose value is within slack of the best one's, the first."""
        cdef int64_t n = self.plays.game.n
        cdef int64_t i
        cdef int m, r, start
        cdef uint16_t *list_ = <uint16_t *>PyMem_RawMalloc(n * sizeof(uint16_t))
        if list_ == NULL:
            raise MemoryError
        with nogil:
            while True:
                i = self.take(1)
                if i >= self.end:
                    break
                m = self.opponents(i, list_)
                start = 0
                while start < m:
                    for r in range(ROLL_COUNT):
                        bg_hyper_choose(&self.plays.game, &self.table[0], i, r, slack, list_ + start,
                                        min(<int>CHUNK, m - start), &self.chosen[(i * ROLL_COUNT + r) * n])
                    start += CHUNK
            PyMem_RawFree(list_)
