"""The legal plays that bring a player's checkers where given moves bring them.

What readers of recorded games ask at every turn, and without a Play for each of the other legal plays.  The moves need
not be in an order that can be played, and one of them may take several dice: only where the checkers stand in the end
counts, and the opponent's are left to the caller to compare.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int8_t, uint8_t, uint64_t

from bgcore.core.board cimport BAR, SLOTS, counts_to_words, words_to_counts
from bgcore.core.game cimport BG_SLACK, bg_emit, bg_masks, bg_row, game_outcome, max_plays
from bgcore.core.movegen cimport RECORD, aligned_rows, count_roll, generate, roll_memory, start_emit
from bgcore.play cimport Play, make_play
from bgcore.position cimport Position
from bgcore.rules._base cimport Rules

__all__ = ["find_plays"]


def find_plays(Rules rules not None, Position position not None, dice, moves):
    """Legal plays after which the player's own checkers stand where the moves leave them.

    Parameters
    ----------
    rules : Rules
    position : Position
        Seen by the player who has rolled.
    dice : two integers, 1 to 6
        In either order.
    moves : sequence of pairs
        Source and target of each move, in the player's own numbering: 25 is the bar, 0 off.

    Returns
    -------
    list of Play
        In the order of ``Rules.legal_plays``.  More than one if they differ in what they hit or pin.  Without moves,
        and if the roll cannot be played, a Play without moves.

    Raises
    ------
    InvalidPosition, RuleError
        As ``Rules.legal_plays``.
    """
    cdef int a, b, i, n, room, source, target
    cdef bg_masks m
    cdef void *block = NULL
    cdef void *scratch = NULL
    cdef int8_t *steps
    cdef bg_row *rows
    cdef bg_emit e
    cdef uint8_t counts[SLOTS]
    cdef uint64_t lo, hi, pins
    cdef list found = []
    a, b = rules.checked_roll(position, dice, &m)
    words_to_counts(position.p.own_lo, position.p.own_hi, counts)
    for source, target in moves:
        if not (0 < source <= BAR and 0 <= target < source) or counts[target] == 15:
            return found
        counts[target] += 1
        counts[source] -= 1  # may pass below zero until another move brings a checker
    for i in range(SLOTS):
        if counts[i] > 15:
            return found
    counts_to_words(counts, &lo, &hi)
    try:
        if not rules.game.rules.plain:
            scratch = roll_memory(&rules.game.rules, 1)
        n = count_roll(&position.p, &m, &rules.game.rules, a, b, 0, aligned_rows(scratch))
        if n == 0:
            if not moves and game_outcome(&position.p, &rules.game.rules) == 0:
                found.append(passing(position))
            return found
        room = n if rules.game.rules.plain else max_plays(&rules.game.rules)
        block = PyMem_RawMalloc((room + BG_SLACK) * (sizeof(bg_row) + 3 * rules.max_moves) + 64)
        if n < 0 or block == NULL:
            raise MemoryError
        rows = aligned_rows(block)
        steps = <int8_t *>(rows + room + BG_SLACK)
        start_emit(&e, &rules.game.rules, rows, NULL, steps)
        n = generate(&position.p, &m, &rules.game.rules, a, b, 0, &RECORD, &e)
        for i in range(n):
            pins = rows[i].w[3] >> 40  # which are the opponent's doing
            if rows[i].w[2] == lo and rows[i].w[3] == (hi | pins << 40):
                found.append(make_play(steps + i * 3 * rules.max_moves, rules.max_moves, &rows[i]))
    finally:
        PyMem_RawFree(block)
        PyMem_RawFree(scratch)
    return found


cdef Play passing(Position position):
    """The play without moves."""
    cdef Play play = Play.__new__(Play)
    play.count = 0
    play.resolved = True
    play.result_.own_lo = position.p.opp_lo
    play.result_.own_hi = position.p.opp_hi
    play.result_.opp_lo = position.p.own_lo
    play.result_.opp_hi = position.p.own_hi
    return play
