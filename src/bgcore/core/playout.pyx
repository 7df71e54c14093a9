"""Games to the end: every legal play equally likely, or the one that a policy chooses.

Dice and choices come from numpy's bit generators through their C interface.
"""

from cpython.mem cimport PyMem_RawFree
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from numpy.random cimport bitgen_t

from bgcore.core.board cimport bg_position, flip
from bgcore.core.game cimport (
    BG_MAX_PLAYS, BG_SLACK, Game, OUTCOME_DRAW, OUTCOME_MOTHER, bg_emit, bg_game, bg_masks, bg_row, game_outcome,
    has_arrived, look,
)
from bgcore.core.movegen cimport (
    RECORD, ROLL_COUNT, ROLLS, WRITE, aligned_rows, count_roll, generate, roll_memory, start_emit,
)

cdef extern from "bits.h":
    int64_t bg_fetch_add(int64_t *p, int64_t v) noexcept nogil


cdef class Policy:
    """Chooses among the plays of a roll; a table in memory usually.  Must know every position a game can lead to."""

    cdef int choose(self, const bg_row *rows, int n) noexcept nogil:
        """The number of the play, of n whose results, seen by the player who rolls next, are in rows."""
        return 0


cdef inline uint32_t below(bitgen_t *bits, uint32_t n) noexcept nogil:
    """A uniform integer in [0, n), without bias (Lemire 2019, doi:10.1145/3230636)."""
    cdef uint64_t product = <uint64_t>bits.next_uint32(bits.state) * n
    cdef uint32_t threshold
    if <uint32_t>product < n:
        threshold = (0 - n) % n
        while <uint32_t>product < threshold:
            product = <uint64_t>bits.next_uint32(bits.state) * n
    return product >> 32


cdef bint is_stuck(const bg_position *p, const bg_game *game, bg_row *rows) noexcept nogil:
    """Whether no roll lets either side move: possible under some options, and then the game never ends."""
    cdef bg_position side = p[0]
    cdef bg_masks m
    cdef int r
    for _ in range(2):
        look(&side, game, &m)
        for r in range(ROLL_COUNT):
            if count_roll(&side, &m, game, ROLLS[r][0], ROLLS[r][1], 0, rows):
                return False
        flip(&side, &side)
    return True


cdef int play_stage(
    bg_position *p, const bg_game *game, int die, int steps, bitgen_t *bits, bg_row *rows, bint *over
) noexcept nogil:
    """One stage of a cascade, at most so many moves of a die; p stays the mover's.  Moves made; -1 without memory."""
    cdef bg_masks m
    cdef bg_emit e
    cdef int8_t *moves = <int8_t *>(rows + BG_MAX_PLAYS + BG_SLACK)
    cdef int n, chosen, made = 0
    look(p, game, &m)
    start_emit(&e, game, rows, NULL, moves)
    n = generate(p, &m, game, die, die, steps, &RECORD, &e)
    if n <= 0:
        over[0] = m.over
        return n
    chosen = below(bits, n) if n > 1 else 0
    while made < steps and moves[3 * (e.width * chosen + made)] >= 0:
        made += 1
    flip(<bg_position *>rows[chosen].w, p)
    look(p, game, &m)
    over[0] = m.over
    return made


cdef int cascade(bg_position *p, const bg_game *game, int die, bitgen_t *bits, bg_row *rows) noexcept nogil:
    """A whole turn of cascading doubles, with what the opponent plays of it; passes the turn.

    Returns how many moves were made; -1 without memory.
    """
    cdef int side, made, steps = 4
    cdef int total = 0
    cdef bint over = False
    for side in range(2):
        while die <= 6 and not over:
            made = play_stage(p, game, die, steps, bits, rows, &over)
            if made < 0:
                return made
            total += made
            if made < steps:
                break
            steps = 4
            die += 1
        if side == 0:
            flip(p, p)
            if die > 6 or over or game.forfeit or (game.needs_start and total == 0):
                break
            steps -= made  # the rest of the stage, then the higher ones; what is left of those is lost
    return total


cdef inline int choice(Policy policy, bitgen_t *bits, const bg_row *rows, int n) noexcept nogil:
    if n == 1:
        return 0
    return below(bits, n) if policy is None else policy.choose(rows, n)


cdef int play_out(
    const bg_position *start, const bg_game *game, Policy policy, bitgen_t *bits, bg_row *rows, int64_t *plies
) noexcept nogil:
    """One game to the end: its outcome for the player on roll at the start (game_outcome); 0 = no memory."""
    cdef bg_position p = start[0]
    cdef bg_masks m
    cdef bg_emit e
    cdef int n, a, b, roll, sign = 1
    cdef int passes = 0
    cdef int turns[2]
    cdef int arrived[2]
    cdef int i
    cdef int context = 0
    turns[0] = turns[1] = 0
    arrived[0] = arrived[1] = 0
    while True:
        look(&p, game, &m)
        if m.over:
            n = game_outcome(&p, game)
            return n if n == OUTCOME_DRAW else sign * n
        roll = below(bits, 36)
        a = roll // 6 + 1
        b = roll % 6 + 1
        if a < b:
            a, b = b, a
        if game.runner_flag:
            arrived[sign > 0] |= has_arrived(&p, game)
            context = arrived[sign > 0]
        turns[sign > 0] += 1
        if a == b and game.cascade and turns[sign > 0] >= game.cascade_from:
            plies[0] += 1
            n = cascade(&p, game, a, bits, rows)
            if n < 0:
                return 0
            sign = -sign
            passes = 0 if n else passes + 1
            continue
        start_emit(&e, game, rows, NULL, NULL)
        n = generate(&p, &m, game, a, b, context, &WRITE, &e)
        if n < 0:
            return 0
        plies[0] += 1
        sign = -sign
        passes = 0 if n else passes + 1
        if passes == 64 and is_stuck(&p, game, rows):
            return OUTCOME_DRAW
        if n and game.runner_flag:
            # Home now is home for good, even if it is hit before the next turn.
            i = choice(policy, bits, rows, n)
            flip(<bg_position *>rows[i].w, &p)
            arrived[sign < 0] |= has_arrived(&p, game)
            flip(&p, &p)
        elif n:
            p = (<bg_position *>rows[choice(policy, bits, rows, n)].w)[0]
        else:
            flip(&p, &p)


cdef inline int column_of(int outcome) noexcept nogil:
    """Single, gammon, backgammon won, the same lost, drawn; a mother or a loss by the bar counts as a gammon."""
    if outcome == OUTCOME_DRAW:
        return 6
    if outcome <= -OUTCOME_MOTHER or outcome >= OUTCOME_MOTHER:
        outcome = 2 if outcome > 0 else -2
    return outcome - 1 if outcome > 0 else 2 - outcome


def play_block(const uint64_t[:, ::1] packed, int64_t trials, Game game not None, Policy policy, bit_generator,
               int64_t first, int64_t last, int64_t[:, ::1] counts, int64_t[::1] plies):
    """Games first to last - 1 of the batch, numbered position by position, from one numpy bit generator.

    A policy of None chooses at random.  Adds to counts (n, 7) and plies (n,), which several threads may share.
    """
    cdef bitgen_t *bits = <bitgen_t *>PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
    cdef void *block = roll_memory(&game.rules, 2)  # the second for the move lists of a cascade
    cdef bg_row *rows
    cdef int64_t i, row, thrown
    cdef int won = 1
    with nogil:
        rows = aligned_rows(block)
        for i in range(first, last):
            row = i // trials
            thrown = 0
            won = play_out(<const bg_position *>&packed[row, 0], &game.rules, policy, bits, rows, &thrown)
            if won == 0:
                break
            bg_fetch_add(&counts[row, column_of(won)], 1)
            bg_fetch_add(&plies[row], thrown)
        PyMem_RawFree(block)
    if won == 0:
        raise MemoryError
