"""An extension of its own that counts legal plays through bgcore's C API: no Python object in the loop."""

from libc.stdint cimport uint64_t

from bgcore.core.board cimport BG_API_VERSION, bg_position, position_reasons, side_pips
from bgcore.core.game cimport Game, bg_masks, look
from bgcore.core.movegen cimport ROLL_COUNT, ROLLS, count_roll
from bgcore.rules import BACKGAMMON

API_VERSION = BG_API_VERSION  # what this extension was compiled against


def tally(const uint64_t[:, ::1] packed not None):
    """Return (plays of all 21 rolls, pips of the players on roll), summed over the rows of a packed batch."""
    cdef Game game = BACKGAMMON.core()
    cdef bg_masks masks
    cdef const bg_position *p
    cdef Py_ssize_t row
    cdef long long plays = 0, pips = 0
    cdef int roll
    if packed.shape[1] != 4:
        raise ValueError(f"a packed batch has 4 columns, not {packed.shape[1]}")
    for row in range(packed.shape[0]):
        p = <const bg_position *>&packed[row, 0]
        if position_reasons(p):  # the core trusts its input: whoever calls it checks
            raise ValueError(f"row {row} is not a position")
    with nogil:
        for row in range(packed.shape[0]):
            p = <const bg_position *>&packed[row, 0]
            pips += side_pips(p.own_lo, p.own_hi)
            look(p, &game.rules, &masks)  # once a position, for all its rolls
            for roll in range(ROLL_COUNT):
                plays += count_roll(p, &masks, &game.rules, ROLLS[roll][0], ROLLS[roll][1], 0, NULL)
    return plays, pips
