"""Many positions at once: the plays, their number, whole trees.

What the threads of one call share is here; that there are threads is the gate's business (``bgcore.batch``).
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memset

from bgcore.core.board cimport bg_position, flip
from bgcore.core.game cimport (
    BG_SLACK, Game, bg_emit, bg_game, bg_masks, bg_row, game_reasons, has_arrived, look, max_plays,
)
from bgcore.core.movegen cimport (
    COUNT, RECORD, ROLL_COUNT, ROLLS, WRITE, aligned_rows, bg_kernel, generate, roll_memory, start_emit,
)

cdef extern from "bits.h":
    int64_t bg_fetch_add(int64_t *p, int64_t v) noexcept nogil
    int64_t bg_load_acquire(int64_t *p) noexcept nogil
    void bg_store_release(int64_t *p, int64_t v) noexcept nogil
    void bg_pause() noexcept nogil
    void bg_yield() noexcept nogil
    void bg_copy_past_cache(void *target, const void *source, int64_t n) noexcept nogil


cdef class PlayJob:
    """One call of batch.legal_plays: its arrays, and what its threads share.

    The positions are cut into chunks.  A thread takes the next chunk, makes its plays in memory of its own, waits until
    the chunks before it are counted, and copies them to their place; so the result is the same for any number of
    threads.  A single thread writes straight to the place.  What does not fit is counted, and the call is made again
    with more room.
    """

    def __init__(self, const uint64_t[:, ::1] packed, const uint8_t[:, ::1] dice, Game game not None,
                 const int32_t[::1] context, bint pass_results, int64_t[::1] offsets, uintptr_t results,
                 uintptr_t moves, int64_t capacity, int threads, Py_ssize_t chunk):
        cdef int64_t i
        self.packed = packed
        self.dice = dice
        self.offsets = offsets
        self.n = packed.shape[0]
        self.rolls = ROLL_COUNT if dice is None else 1
        self.dice_step = 0 if dice is None or dice.shape[0] == 1 else 1
        self.game = game
        self.context = context
        self.pass_results = pass_results
        self.results = <bg_row *>results
        self.moves = <int8_t *>moves
        self.capacity = capacity
        self.direct = threads == 1
        self.chunk = chunk
        self.chunks = (self.n + chunk - 1) // chunk
        self.next_chunk = 0
        self.bad_row = -1
        self.bad_reasons = 0
        self.no_memory = False
        self.bases = <int64_t *>PyMem_RawMalloc((self.chunks + 1) * sizeof(int64_t))
        if self.bases == NULL:
            raise MemoryError
        for i in range(self.chunks + 1):
            self.bases[i] = -1
        self.bases[0] = 0
        offsets[0] = 0

    def __dealloc__(self):
        PyMem_RawFree(<void *>self.bases)

    @property
    def total(self):
        return self.bases[self.chunks]

    def run(self):
        """Works until no chunk is left; any number of threads may call it at once."""
        with nogil:
            self.work()

    cdef void work(self) noexcept nogil:
        cdef int64_t room = 0
        cdef void *block = NULL
        cdef void *new_block
        cdef int8_t *scratch_moves = NULL
        cdef int8_t *new_moves
        cdef bg_row *scratch = NULL
        cdef bg_row *at
        cdef int8_t *moves_at
        cdef bg_emit e
        cdef bg_masks m
        cdef const bg_game *game = &self.game.rules
        cdef int64_t most = max_plays(game) + BG_SLACK
        cdef int list_size = 3 * (4 if game.steps else 6)
        cdef const bg_position *p
        cdef const bg_kernel *k = &RECORD if self.moves else &WRITE
        cdef int64_t c, i, last, made, base, segment, limit
        cdef uint32_t reasons
        cdef int r, a, b, got, step
        cdef bint placed, failed = False
        start_emit(&e, game, NULL, NULL, NULL)
        while not failed:
            c = bg_fetch_add(&self.next_chunk, 1)
            if c >= self.chunks:
                break
            i = c * self.chunk
            last = min(self.n, i + self.chunk)
            made = 0
            placed = self.direct and self.bases[c] + most <= self.capacity
            at = self.results + self.bases[c] if placed else scratch
            moves_at = self.moves + self.bases[c] * list_size if placed and self.moves else scratch_moves
            limit = self.capacity - self.bases[c] if placed else room
            segment = i * self.rolls
            while i < last and not failed:
                p = <const bg_position *>&self.packed[i, 0]
                look(p, game, &m)
                reasons = game_reasons(p, &m, game)
                if reasons:
                    self.note_bad_row(i, reasons)
                    failed = True
                    break
                for r in range(self.rolls):
                    if limit - made < most:
                        # Grow the thread's own memory; what was written in place moves there as well.
                        limit = max(2 * limit, made + 4 * (most))
                        new_block = PyMem_RawMalloc(limit * sizeof(bg_row) + 64)
                        new_moves = <int8_t *>PyMem_RawMalloc(limit * list_size) if self.moves else NULL
                        if new_block == NULL or (self.moves and new_moves == NULL):
                            PyMem_RawFree(new_block)
                            PyMem_RawFree(new_moves)
                            self.no_memory = True
                            failed = True
                            break
                        if made:
                            memcpy(aligned_rows(new_block), at, made * sizeof(bg_row))
                        if made and self.moves:
                            memcpy(new_moves, moves_at, made * list_size)
                        PyMem_RawFree(block)
                        PyMem_RawFree(scratch_moves)
                        block, scratch_moves, room, placed = new_block, new_moves, limit, False
                        scratch = at = aligned_rows(block)
                        moves_at = scratch_moves
                    e.out = at + made
                    if self.moves:
                        e.moves = moves_at + made * list_size
                    if self.dice is None:
                        a, b = ROLLS[r][0], ROLLS[r][1]
                    else:
                        a, b = self.dice[i * self.dice_step, 0], self.dice[i * self.dice_step, 1]
                        if a < b:
                            a, b = b, a
                    step = 0 if self.context is None else self.context[i]
                    got = generate(p, &m, game, a, b, step, k, &e)
                    if got < 0:
                        self.no_memory = True
                        failed = True
                        break
                    if got == 0 and self.pass_results and not m.over:
                        memcpy(at[made].w, &p.opp_lo, 16)
                        memcpy(&at[made].w[2], &p.own_lo, 16)
                        if self.moves:
                            memset(moves_at + made * list_size, 0xff, list_size)
                        got = 1
                    made += got
                    segment += 1
                    self.offsets[segment] = made
                i += 1
            base = self.wait_for_base(c)
            if failed or base < 0:
                bg_store_release(&self.bases[c + 1], -2)
                bg_fetch_add(&self.next_chunk, self.chunks)
                break
            bg_store_release(&self.bases[c + 1], base + made)
            if not placed and base + made <= self.capacity:
                bg_copy_past_cache(self.results + base, at, made)
                if self.moves:
                    memcpy(self.moves + base * list_size, moves_at, made * list_size)
            if base:
                for i in range(c * self.chunk * self.rolls + 1, segment + 1):
                    self.offsets[i] += base
        PyMem_RawFree(block)
        PyMem_RawFree(scratch_moves)

    cdef int64_t wait_for_base(self, int64_t c) noexcept nogil:
        """Where chunk c begins, once the chunks before it are counted; -2 if one of them failed."""
        cdef int64_t base = bg_load_acquire(&self.bases[c])
        cdef int spins = 0
        while base == -1:
            bg_pause()
            spins += 1
            if spins > 2000:
                bg_yield()
                spins = 0
            base = bg_load_acquire(&self.bases[c])
        return base

    cdef void note_bad_row(self, int64_t row, uint32_t reasons) noexcept nogil:
        """Keeps the first row that is no position.  Chunks are taken in order, so all before it are still looked at."""
        with gil:
            if self.bad_row < 0 or row < self.bad_row:
                self.bad_row = row
                self.bad_reasons = reasons


def count_rows(const uint64_t[:, ::1] packed, const uint8_t[:, ::1] dice, Game game not None,
               const int32_t[::1] context, int32_t[:, ::1] out, Py_ssize_t begin, Py_ssize_t end):
    """How many plays each roll of rows begin to end - 1 has; returns (row, reasons) of the first bad one, or None."""
    cdef Py_ssize_t i
    cdef int r, a, b, step
    cdef int rolls = ROLL_COUNT if dice is None else 1
    cdef Py_ssize_t dice_step = 0 if dice is None or dice.shape[0] == 1 else 1
    cdef bg_masks m
    cdef bg_emit e
    cdef const bg_position *p
    cdef uint32_t reasons = 0
    cdef bint no_memory = False
    cdef void *block = roll_memory(&game.rules, 1)
    start_emit(&e, &game.rules, NULL, aligned_rows(block), NULL)
    with nogil:
        for i in range(begin, end):
            p = <const bg_position *>&packed[i, 0]
            look(p, &game.rules, &m)
            reasons = game_reasons(p, &m, &game.rules)
            if reasons or no_memory:
                break
            step = 0 if context is None else context[i]
            for r in range(rolls):
                if dice is None:
                    a, b = ROLLS[r][0], ROLLS[r][1]
                else:
                    a, b = dice[i * dice_step, 0], dice[i * dice_step, 1]
                    if a < b:
                        a, b = b, a
                out[i, r] = generate(p, &m, &game.rules, a, b, step, &COUNT, &e)
                no_memory |= out[i, r] < 0
        PyMem_RawFree(block)
    if no_memory:
        raise MemoryError
    return (i, reasons) if reasons else None


# ---- perft --------------------------------------------------------------------------------------------------------

cdef int64_t perft_below(
    const bg_position *p, const bg_game *game, int depth, bint arrived, bint opp_arrived, bg_row *buffers
) noexcept nogil:
    """Lines of play of the given depth; buffers has room for one roll's plays a level.  Negative: no memory.

    In games with a courier that can be hit, arrived says of each side whether its courier has ever been home.
    """
    cdef bg_position ended
    cdef bg_masks m
    cdef bg_emit e
    cdef bg_position passed
    cdef bg_row *mine = buffers + (depth - 1) * (max_plays(game) + BG_SLACK)
    cdef int64_t lines = 0
    cdef int64_t below
    cdef int r, i, n
    cdef bint now = False
    if depth == 0:
        return 1
    look(p, game, &m)
    if m.over:
        return 1
    if game.runner_flag:
        arrived |= has_arrived(p, game)
    start_emit(&e, game, mine, mine, NULL)
    for r in range(ROLL_COUNT):
        e.out = mine
        n = generate(p, &m, game, ROLLS[r][0], ROLLS[r][1], arrived, &COUNT if depth == 1 else &WRITE, &e)
        if n < 0:
            return n
        if depth == 1:
            lines += n if n else 1
        elif n == 0:
            flip(p, &passed)
            below = perft_below(&passed, game, depth - 1, opp_arrived, arrived, buffers)
            if below < 0:
                return below
            lines += below
        else:
            for i in range(n):
                if game.runner_flag:
                    flip(<const bg_position *>mine[i].w, &ended)
                    now = arrived or has_arrived(&ended, game)
                below = perft_below(<const bg_position *>mine[i].w, game, depth - 1, opp_arrived, now, buffers)
                if below < 0:
                    return below
                lines += below
    return lines


def perft_row(const uint64_t[:, ::1] packed, Game game not None, int depth, int64_t[::1] out, int64_t[::1] next_row):
    """perft of the next row that nobody has taken; several threads may share next_row and out."""
    cdef int64_t i = bg_fetch_add(&next_row[0], 1)
    cdef void *block
    if i >= packed.shape[0]:
        return
    block = roll_memory(&game.rules, max(depth, 1))
    with nogil:
        out[i] = perft_below(<const bg_position *>&packed[i, 0], &game.rules, depth, False, False, aligned_rows(block))
        PyMem_RawFree(block)
    if out[i] < 0:
        raise MemoryError
