"""Two-sided bear-off databases: solving tiles of pairs, and looking values up.

The formulation is in twosided.h.  ``Solver`` holds one build: the order of the positions, their successors, and the
source (what plays gain).  Who calls it decides where solved tiles go: into an array of pairs, or into a file.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from bgcore.core cimport bearoff
from bgcore.core.game cimport bg_use_avx2

cdef extern from "memory.h":
    void *bg_reserve(size_t bytes) noexcept nogil
    void bg_unreserve(void *memory, size_t bytes) noexcept nogil
    unsigned char *bg_drop(unsigned char *first, unsigned char *end) noexcept nogil

cdef extern from *:
    """
    #if defined(BG_X86_64)
    #define BG_TILES_AVX2(f) f##_avx2
    #define BG_TILES_BASE(f) f##_base
    #elif defined(BG_NEON)
    #define BG_TILES_AVX2(f) f##_base
    #define BG_TILES_BASE(f) f##_base
    #else
    #define BG_TILES_AVX2(f) f##_plain
    #define BG_TILES_BASE(f) f##_plain
    #endif
    #define bg_solve_tile_fast BG_TILES_AVX2(bg_solve_tile)
    #define bg_enter_tile_fast BG_TILES_AVX2(bg_enter_tile)
    #define bg_solve_tile_any BG_TILES_BASE(bg_solve_tile)
    #define bg_enter_tile_any BG_TILES_BASE(bg_enter_tile)
    """
    void bg_solve_tile_fast(const bg_two_sided *, int64_t, int64_t, void *) noexcept nogil
    void bg_enter_tile_fast(const bg_two_sided *, int64_t, int64_t, const void *, void *) noexcept nogil
    void bg_solve_tile_any(const bg_two_sided *, int64_t, int64_t, void *) noexcept nogil
    void bg_enter_tile_any(const bg_two_sided *, int64_t, int64_t, const void *, void *) noexcept nogil

cdef extern from "twosided.h":
    void bg_solve_tile_double(const bg_two_sided *, int64_t, int64_t, void *) noexcept nogil
    void bg_enter_tile_double(const bg_two_sided *, int64_t, int64_t, const void *, void *) noexcept nogil
    void bg_solve_tile_policy(const bg_two_sided *, int64_t, int64_t, void *) noexcept nogil
    void bg_enter_tile_policy(const bg_two_sided *, int64_t, int64_t, const void *, void *) noexcept nogil
    void bg_solve_tile_plain(const bg_two_sided *, int64_t, int64_t, void *) noexcept nogil
    void bg_enter_tile_plain(const bg_two_sided *, int64_t, int64_t, const void *, void *) noexcept nogil

WINDOW = WINDOW_BLOCKS  # for Python

cdef enum:
    MOST_BLOCKS = 92   # 12 points x 15 checkers


cdef int block_of(const uint8_t *counts, int points) noexcept nogil:
    cdef int p, pips = 0
    for p in range(points):
        pips += (p + 1) * counts[p]
    return (pips + 1) // 2


cdef class Order:
    """How the positions of one side stand in a two-sided build: in blocks of two pip counts.

    Parameters
    ----------
    points, checkers : int
        Points 1-12 and checkers 1-15 of a side.

    Attributes
    ----------
    positions, slots, blocks : int
        Positions; places, the padding of each block included; blocks.
    block_tiles : tuple of int
        Where each block begins, in tiles of 64 slots; one more entry for the end.
    """

    def __cinit__(self, int points, int checkers):
        cdef int64_t i, slot = 0
        cdef int block, p, on
        cdef uint8_t counts[24]
        cdef int64_t next_slot[MOST_BLOCKS]
        if not 1 <= points <= 12 or not 1 <= checkers <= 15:
            raise ValueError(f"{points} points x {checkers} checkers: must be 1-12 points and 1-15 checkers")
        self.points, self.checkers = points, checkers
        self.positions = <int64_t>bearoff.positions(points, checkers)
        self.blocks = (points * checkers + 1) // 2 + 1
        self.slot_of = <uint32_t *>malloc(sizeof(uint32_t) * self.positions)
        if self.slot_of == NULL:
            raise MemoryError("out of memory")
        for block in range(self.blocks):
            next_slot[block] = 0
        for i in range(self.positions):
            bearoff.unrank_counts(i, points, counts)
            next_slot[block_of(counts, points)] += 1
        tiles = [0]
        for block in range(self.blocks):
            tiles.append(tiles[block] + (next_slot[block] + BG_TILE - 1) // BG_TILE)
            next_slot[block] = tiles[block] * BG_TILE
        self.block_tiles = tuple(tiles)
        self.slots = tiles[self.blocks] * BG_TILE
        self.ids = <int32_t *>malloc(sizeof(int32_t) * self.slots)
        self.full = <uint8_t *>malloc(self.slots)
        if self.ids == NULL or self.full == NULL:
            raise MemoryError("out of memory")
        for slot in range(self.slots):
            self.ids[slot] = -1
            self.full[slot] = 0
        for i in range(self.positions):
            bearoff.unrank_counts(i, points, counts)
            block = block_of(counts, points)
            slot = next_slot[block]
            next_slot[block] += 1
            self.slot_of[i] = <uint32_t>slot
            self.ids[slot] = <int32_t>i
            on = 0
            for p in range(points):
                on += counts[p]
            self.full[slot] = on == 15

    def __dealloc__(self):
        free(self.ids)
        free(self.slot_of)
        free(self.full)


cdef class Solver:
    """One build of a two-sided table.

    Parameters
    ----------
    order : Order
    kind : str
        ``"int16"``, ``"float64"``, ``"gnubg"`` (its integer arithmetic) or ``"chances"`` (float64; equity, win, gammon
        won, gammon lost under the best cubeless play).  ``"plain"`` and ``"plain gnubg"`` do without vector instructions, for tests.
    cubeless, cubeful : bool
        Which tables are solved; with ``"chances"`` neither counts.
    gammons, jacoby : bool
        Whether the first checker off matters; whether it does with a centred cube.

    Attributes
    ----------
    order : Order
    tables, cell, one : int
        Number of tables; bytes of a value; what equity 1 is.
    tile_bytes : int
        Bytes of one solved tile.
    """

    def __cinit__(self, Order order not None, str kind, bint cubeless=True, bint cubeful=True, bint gammons=False,
                  bint jacoby=False):
        cdef bint chances = kind == "chances"
        self.chances, self.gammons, self.jacoby = chances, gammons, jacoby
        if kind not in ("int16", "plain", "gnubg", "plain gnubg", "float64", "chances"):
            raise ValueError(f"kind is {kind!r}")
        self.order = order
        self.job.cubeless, self.job.cubeful = cubeless or chances, cubeful and not chances
        self.job.gnubg = "gnubg" in kind
        self.tables = 4 if chances else cubeless + 3 * cubeful
        self.job.tables = self.tables
        if not self.tables:
            raise ValueError("neither cubeless nor cubeful")
        self.cell = 8 if kind in ("float64", "chances") else 2
        self.one = 1 if self.cell == 8 else 16383 if gammons else 32767
        self.job.one = self.one
        self.tile_bytes = self.tables * BG_TILE * BG_TILE * self.cell
        if chances:
            self.solve_tile, self.enter_tile = bg_solve_tile_policy, bg_enter_tile_policy
        elif kind == "float64":
            self.solve_tile, self.enter_tile = bg_solve_tile_double, bg_enter_tile_double
        elif "plain" in kind:
            self.solve_tile, self.enter_tile = bg_solve_tile_plain, bg_enter_tile_plain
        elif bg_use_avx2:
            self.solve_tile, self.enter_tile = bg_solve_tile_fast, bg_enter_tile_fast
        else:
            self.solve_tile, self.enter_tile = bg_solve_tile_any, bg_enter_tile_any
        self.slots = order.slots
        self.job.slots = self.slots
        self.find_successors()
        self.source_bytes = <size_t>(self.slots * self.slots * self.tables * self.cell)
        self.job.source = bg_reserve(self.source_bytes)
        if self.job.source == NULL:
            raise MemoryError(f"no address space of {self.source_bytes} bytes")
        self.dropped = <int64_t *>malloc(sizeof(int64_t) * (self.slots // BG_TILE))
        if self.dropped == NULL:
            raise MemoryError("out of memory")
        for tile in range(self.slots // BG_TILE):
            self.dropped[tile] = 0
        self.win()

    def __dealloc__(self):
        free(self.dropped)
        free(<void *>self.job.starts)
        free(<void *>self.job.successors)
        if self.job.source != NULL:
            bg_unreserve(self.job.source, self.source_bytes)

    cdef int find_successors(self) except -1:
        """Successors by slot, ready to be added to a tile of the source."""
        cdef bearoff.bg_successor_table table
        cdef uint32_t *starts
        cdef uint32_t *successors
        cdef uint32_t row = <uint32_t>(self.tables * BG_TILE)
        cdef int64_t slot, n = 0
        cdef uint32_t k
        cdef int32_t i
        cdef int roll, status
        if <uint64_t>self.slots * row > <uint64_t>0xffffffff:
            raise MemoryError(f"a column of {self.slots} slots x {row} values is past 32 bits")
        with nogil:
            status = bearoff.make_successors(self.order.points, self.order.checkers, &table)
        if status:
            raise MemoryError(f"no memory for the successors of {self.order.positions} positions")
        starts = <uint32_t *>malloc(sizeof(uint32_t) * (self.slots * BG_ROLLS + 1))
        successors = <uint32_t *>malloc(sizeof(uint32_t) * (table.total + 1))
        self.job.starts = starts
        self.job.successors = successors
        if starts == NULL or successors == NULL:
            bearoff.free_successors(&table)
            raise MemoryError("out of memory")
        for slot in range(self.slots):
            i = self.order.ids[slot]
            for roll in range(BG_ROLLS):
                starts[slot * BG_ROLLS + roll] = <uint32_t>n
                if i <= 0:
                    continue
                for k in range(table.offsets[21 * i + roll], table.offsets[21 * i + roll + 1]):
                    successors[n] = self.order.slot_of[table.ids[k]] * row
                    n += 1
        starts[self.slots * BG_ROLLS] = <uint32_t>n
        bearoff.free_successors(&table)
        return 0

    cdef int win(self) except -1:
        """What bearing off the last checker gains: slot 0 of every column of the source."""
        cdef int64_t slot, at
        cdef int t
        for slot in range(self.slots):
            if self.order.ids[slot] >= 0:
                at = slot // BG_TILE * self.slots * self.tables * BG_TILE + slot % BG_TILE
                for t in range(self.tables):
                    if self.cell == 8:
                        (<double *>self.job.source)[at + t * BG_TILE] = self.gain(slot, t)
                    else:
                        (<int16_t *>self.job.source)[at + t * BG_TILE] = <int16_t>(self.gain(slot, t) * self.one)
        return 0

    cdef int check_tiles(self, int64_t first, int64_t end, str what) except -1:
        if not 0 <= first <= end <= self.slots // BG_TILE:
            raise ValueError(f"{what} tiles {first} to {end} of {self.slots // BG_TILE}")
        return 0

    def solve(self, int64_t opponents, int64_t first, int64_t end, unsigned char[::1] values not None):
        """Solve movers' tiles first to end against one tile of opponents, into values, tile by tile, and the source."""
        cdef int64_t size = self.tile_bytes, tile
        cdef unsigned char *scratch
        self.check_tiles(first, end, "movers'")
        self.check_tiles(opponents, opponents + 1, "opponents'")
        if values.shape[0] < (end - first) * size:
            raise ValueError(f"values has {values.shape[0]} bytes, needs {(end - first) * size}")
        with nogil:
            scratch = <unsigned char *>malloc(size)
            if scratch != NULL:
                for tile in range(first, end):
                    self.solve_tile(&self.job, tile, opponents, &values[(tile - first) * size])
                    self.enter_tile(&self.job, tile, opponents, &values[(tile - first) * size], scratch)
        if scratch == NULL:
            raise MemoryError("out of memory")
        free(scratch)

    def enter(self, int64_t opponents, int64_t first, int64_t end, const unsigned char[::1] values not None):
        """Take tiles solved earlier into the source, to go on from there."""
        cdef int64_t size = self.tile_bytes, tile
        cdef unsigned char *scratch
        self.check_tiles(first, end, "movers'")
        self.check_tiles(opponents, opponents + 1, "opponents'")
        if values.shape[0] < (end - first) * size:
            raise ValueError(f"values has {values.shape[0]} bytes, needs {(end - first) * size}")
        with nogil:
            scratch = <unsigned char *>malloc(size)
            if scratch != NULL:
                for tile in range(first, end):
                    self.enter_tile(&self.job, tile, opponents, &values[(tile - first) * size], scratch)
        if scratch == NULL:
            raise MemoryError("out of memory")
        free(scratch)

    def solve_pairs(self, int64_t opponents, int64_t opponents_end, int64_t first, int64_t end,
                    unsigned char[::1] result not None):
        """Solve tiles, and put their values where pairs of ids have them: result[mover's id][opponent's id][table]."""
        cdef int64_t size = self.tile_bytes, column, tile
        cdef int64_t positions = self.order.positions
        cdef unsigned char *scratch
        self.check_tiles(first, end, "movers'")
        self.check_tiles(opponents, opponents_end, "opponents'")
        if result.shape[0] != positions * positions * self.tables * self.cell:
            raise ValueError(f"result has {result.shape[0]} bytes")
        with nogil:
            scratch = <unsigned char *>malloc(2 * size)
            if scratch != NULL:
                for column in range(opponents, opponents_end):
                    for tile in range(first, end):
                        self.solve_tile(&self.job, tile, column, scratch)
                        self.enter_tile(&self.job, tile, column, scratch, scratch + size)
                        self.scatter(tile, column, scratch, &result[0])
        if scratch == NULL:
            raise MemoryError("out of memory")
        free(scratch)

    cdef void scatter(self, int64_t movers, int64_t opponents, const unsigned char *values,
                      unsigned char *result) noexcept nogil:
        cdef int64_t m, j, width = self.tables * BG_TILE, i
        cdef int t, tables = self.tables
        cdef int64_t positions = self.order.positions
        cdef const int32_t *others = self.order.ids + opponents * BG_TILE
        cdef const int16_t *narrow
        cdef const double *wide
        cdef int16_t *to_narrow
        cdef int16_t flip = <int16_t>(0x8000 if self.job.gnubg else 0)  # its files hold value + 32768
        cdef double *to_wide
        for m in range(BG_TILE):
            i = self.order.ids[movers * BG_TILE + m]
            if i < 0:
                continue
            if self.cell == 2:
                narrow = <const int16_t *>values + m * width
                to_narrow = <int16_t *>result + i * positions * tables
                for j in range(BG_TILE):
                    if others[j] >= 0:
                        for t in range(tables):
                            to_narrow[others[j] * tables + t] = narrow[t * BG_TILE + j] ^ flip
            else:
                wide = <const double *>values + m * width
                to_wide = <double *>result + i * positions * tables
                for j in range(BG_TILE):
                    if others[j] >= 0:
                        for t in range(tables):
                            to_wide[others[j] * tables + t] = wide[t * BG_TILE + j]

    def finished(self, unsigned char[::1] result not None):
        """Fill in the pairs of a table where one side is off: won by the mover (first of all), or lost."""
        cdef int64_t i, n = self.order.positions, slot
        cdef int t
        if result.shape[0] != n * n * self.tables * self.cell:
            raise ValueError(f"result has {result.shape[0]} bytes")
        for i in range(n):
            slot = self.order.slot_of[i]
            for t in range(self.tables):
                self.put(&result[0], i * n * self.tables + t, -self.gain(slot, t) if not self.chances else
                         self.gain(slot, 2) if t == 3 else -self.gain(slot, 0) if t == 0 else 0)
        for i in range(n):
            for t in range(self.tables):
                self.put(&result[0], i * self.tables + t, self.gain(self.order.slot_of[i], t))

    cdef double gain(self, int64_t slot, int table) noexcept nogil:
        """What bearing off the last checker is worth against the opponent in a slot."""
        cdef double gammon = self.gammons and self.order.full[slot]
        if self.chances:
            return 1 + gammon if table == 0 else 1 if table == 1 else gammon if table == 2 else 0
        return 1 if self.jacoby and self.job.cubeful and table == self.tables - 2 else 1 + gammon

    cdef void put(self, unsigned char *result, int64_t at, double value) noexcept nogil:
        if self.cell == 8:
            (<double *>result)[at] = value
        elif self.job.gnubg:
            (<int16_t *>result)[at] = <int16_t>(-1 if value > 0 else 0)  # 65535, 0
        else:
            (<int16_t *>result)[at] = <int16_t>(value * self.one)

    def drop(self, int block):
        """Give back the rows of the source that no block after this one needs."""
        cdef int first_block = block + 1 - WINDOW_BLOCKS
        cdef int64_t tile, row = self.tables * BG_TILE * self.cell
        cdef unsigned char *column
        cdef size_t done
        if first_block <= 0:
            return
        for tile in range(<int64_t>self.order.block_tiles[block + 1]):
            column = <unsigned char *>self.job.source + tile * self.slots * row
            done = self.dropped[tile]
            self.dropped[tile] = bg_drop(column + done, column + <int64_t>self.order.block_tiles[first_block] * BG_TILE * row) - column
