"""Looking pairs of positions up in two-sided bear-off tables.

A batch goes in groups: first every row's place in the table is worked out and asked for, then the values are read, so
that a group waits for memory about as long as one row would.
"""

from libc.math cimport NAN
from libc.stdint cimport int16_t, int64_t, uint16_t, uint64_t

from bgcore.core cimport bearoff
from bgcore.core.board cimport BG_HI_SLOTS
from bgcore.core.twosided cimport BG_TILE, Order

cdef extern from *:
    """
    #if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    #include <intrin.h>
    #define bg_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #elif defined(_MSC_VER)
    #define bg_prefetch(p) __prefetch(p)
    #else
    #define bg_prefetch(p) __builtin_prefetch(p)
    #endif
    """
    void bg_prefetch(const void *) noexcept nogil

cdef enum:
    GROUP = 128
    # Places of rows that are not in the table.
    UNKNOWN = -1
    WON = -2       # and the loser has borne off at least one checker
    WON_GAMMON = -3
    LOST = -4
    LOST_GAMMON = -5

ctypedef fused real:
    float
    double


cdef inline uint64_t rank6(uint64_t lo) noexcept nogil:
    """rank_side for six points: the six sums at once, one byte each."""
    cdef uint64_t x = lo >> 4
    cdef uint64_t s
    x = (x & 0xfff) | ((x & 0xfff000ULL) << 12)
    x = (x & 0x00000f00000fULL) | ((x & 0x0000f00000f0ULL) << 4) | ((x & 0x000f00000f00ULL) << 8)
    s = x * 0x010101010101ULL             # byte p - 1: checkers on points 1 to p
    x = (s >> 40) & 0xff               # all of them
    # on the k highest points: all less those below
    return (bearoff.RANK[1][x - ((s >> 32) & 0xff)] + bearoff.RANK[2][x - ((s >> 24) & 0xff)]
            + bearoff.RANK[3][x - ((s >> 16) & 0xff)] + bearoff.RANK[4][x - ((s >> 8) & 0xff)]
            + bearoff.RANK[5][x - (s & 0xff)] + bearoff.RANK[6][x])


cdef class PairTable:
    """A two-sided table in memory or in a mapped file, read only.

    Parameters
    ----------
    values : contiguous buffer of bytes
    points, checkers : int
    kind : str
        "int16" (``value / one``), "uint16" (GNU Backgammon's ``value / 32767.5 - 1``) or "float64".
    one : int
        For "int16": what equity 1 is.
    cubeless, cubeful : bool
        Which tables there are, in the order cubeless, owned, centred, opponent's.
    gammons, jacoby : bool
        For finished games, which are not looked up.
    tiles : bool
        values[tile of the opponent][slot of the mover][table][64], not values[mover's id][opponent's id][table].
    """

    cdef const unsigned char[::1] memory
    cdef const unsigned char *values
    cdef Order order                 # for tiles only
    cdef readonly int points, checkers, tables
    cdef int cell
    cdef bint cubeless, cubeful, gammons, jacoby, offset
    cdef int64_t positions, row, column, step      # in values: to the next mover, opponent, table
    cdef double scale, shift

    def __cinit__(self, const unsigned char[::1] values not None, int points, int checkers, str kind, int one,
                  bint cubeless, bint cubeful, bint gammons, bint jacoby, bint tiles):
        cdef int64_t cells
        if not 1 <= points <= 12 or not 1 <= checkers <= 15 or not (cubeless or cubeful) or one < 1:
            raise ValueError("no such table")
        self.points, self.checkers = points, checkers
        self.cubeless, self.cubeful, self.gammons, self.jacoby = cubeless, cubeful, gammons, jacoby
        self.tables = cubeless + 3 * cubeful
        self.cell = 8 if kind == "float64" else 2
        self.offset = kind == "uint16"
        self.scale = 1.0 if kind == "float64" else 1 / 32767.5 if kind == "uint16" else 1.0 / one
        self.shift = -1.0 if kind == "uint16" else 0.0
        self.positions = <int64_t>bearoff.positions(points, checkers)
        if tiles:
            self.order = Order(points, checkers)
            self.row = self.tables * BG_TILE
            self.step = BG_TILE
            cells = self.order.slots * self.order.slots * self.tables
        else:
            self.row = self.positions * self.tables
            self.column = self.tables
            self.step = 1
            cells = self.positions * self.positions * self.tables
        if values.shape[0] != cells * self.cell:
            raise ValueError(f"values has {values.shape[0]} bytes, must have {cells * self.cell}")
        self.memory = values
        self.values = &values[0]

    cdef inline int64_t place_of(self, uint64_t own, uint64_t opp) noexcept nogil:
        """Where the values of a pair of ids begin, in values."""
        cdef uint64_t slot
        if self.order is None:
            return <int64_t>own * self.row + <int64_t>opp * self.column
        slot = self.order.slot_of[opp]
        return ((slot // BG_TILE * self.order.slots + self.order.slot_of[own]) * self.row + slot % BG_TILE)

    cdef inline int64_t find(self, const uint64_t *words) noexcept nogil:
        """The place of a position, or why it has none."""
        cdef int own_on, opp_on
        cdef uint64_t own, opp
        cdef uint64_t beyond = (words[1] | words[3]) & BG_HI_SLOTS
        if self.points <= 6 and (beyond or ((words[0] | words[2]) >> (4 * self.points + 4))):
            return UNKNOWN
        own_on = bearoff.on_board(words[0], words[1])
        opp_on = bearoff.on_board(words[2], words[3])
        if own_on > self.checkers or opp_on > self.checkers or not (own_on or opp_on):
            return UNKNOWN
        if not own_on or not opp_on:
            if bearoff.reach_of(words[0], words[1]) > self.points or bearoff.reach_of(words[2], words[3]) > self.points:
                return UNKNOWN
            if not own_on:
                return WON_GAMMON if self.gammons and opp_on == 15 else WON
            return LOST_GAMMON if self.gammons and own_on == 15 else LOST
        if self.points == 6:
            own, opp = rank6(words[0]), rank6(words[2])
        else:
            if bearoff.reach_of(words[0], words[1]) > self.points or bearoff.reach_of(words[2], words[3]) > self.points:
                return UNKNOWN
            own = bearoff.rank_side(words[0], words[1], self.points)
            opp = bearoff.rank_side(words[2], words[3], self.points)
        return self.place_of(own, opp)

    cdef inline double value(self, int64_t at) noexcept nogil:
        if self.cell == 8:
            return (<const double *>self.values)[at]
        if self.offset:
            return (<const uint16_t *>self.values)[at] * self.scale + self.shift
        return (<const int16_t *>self.values)[at] * self.scale

    cdef inline void read(self, int64_t place, bint decided, double *out) noexcept nogil:
        """The four values of a place; NaN for tables that are not there."""
        cdef int t
        cdef double doubled
        out[0] = out[1] = out[2] = out[3] = NAN
        if place == UNKNOWN:
            return
        if place < 0:
            for t in range(4):
                if self.cubeful if t else self.cubeless:
                    out[t] = 2 if place in (WON_GAMMON, LOST_GAMMON) and not (t == 2 and self.jacoby) else 1
                    if place in (LOST, LOST_GAMMON):
                        out[t] = -out[t]
            return
        if self.cubeless:
            out[0] = self.value(place)
            place += self.step
        if self.cubeful:
            out[1] = self.value(place)
            out[2] = self.value(place + self.step)
            out[3] = self.value(place + 2 * self.step)
            if decided:
                doubled = min(2 * out[3], 1.0)
                out[1] = max(out[1], doubled)
                out[2] = max(out[2], doubled)

    def lookup(self, const uint64_t[:, ::1] packed not None, bint decided, real[:, ::1] out not None):
        """Values of positions, into out (n, 4)."""
        cdef int64_t n = packed.shape[0], first, i, count
        cdef int64_t places[GROUP]
        cdef double four[4]
        cdef int t, distance
        if packed.shape[1] != 4 or out.shape[0] != n or out.shape[1] != 4:
            raise ValueError(f"packed has {n} rows of {packed.shape[1]}, out {out.shape[0]} of {out.shape[1]}")
        distance = self.step * self.cell * (self.tables - 1)
        with nogil:
            first = 0
            while first < n:
                count = min(n - first, <int64_t>GROUP)
                for i in range(count):
                    places[i] = self.find(&packed[first + i, 0])
                    if places[i] >= 0:
                        bg_prefetch(self.values + places[i] * self.cell)
                        if distance >= 64:
                            for t in range(1, self.tables):
                                bg_prefetch(self.values + (places[i] + t * self.step) * self.cell)
                for i in range(count):
                    self.read(places[i], decided, four)
                    for t in range(4):
                        out[first + i, t] = <real>four[t]
                first += count

    def pairs(self, int64_t own, const int64_t[::1] opponents not None, double[:, ::1] out not None):
        """Values of one mover's id against opponents' ids, into out (n, 4): how a table is read row by row."""
        cdef int64_t i
        if out.shape[0] != opponents.shape[0] or out.shape[1] != 4:
            raise ValueError("out has another shape")
        if not 1 <= own < self.positions:
            raise ValueError(f"no position {own}")
        for i in range(opponents.shape[0]):
            if not 1 <= opponents[i] < self.positions:
                raise ValueError(f"no position {opponents[i]}")
            self.read(self.place_of(own, opponents[i]), False, &out[i, 0])

    def places(self, const uint64_t[:, ::1] packed not None, int64_t[::1] out not None):
        """Pair numbers (mover's id x positions + opponent's id); -1 where a game is over or not in the table."""
        cdef int64_t i, at
        cdef Order order = self.order
        if packed.shape[1] != 4 or out.shape[0] != packed.shape[0]:
            raise ValueError("out has another shape")
        for i in range(packed.shape[0]):
            at = self.find(&packed[i, 0])
            out[i] = at if at < 0 else (
                <int64_t>bearoff.rank_side(packed[i, 0], packed[i, 1], self.points) * self.positions
                + <int64_t>bearoff.rank_side(packed[i, 2], packed[i, 3], self.points))
