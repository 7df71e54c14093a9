"""The slow generator: every sequence of moves, straight from the rules."""

from libc.stdint cimport int64_t

from bgcore.core.board cimport bg_position
from bgcore.core.game cimport bg_emit, bg_game

cdef int explore(const bg_position *p, const bg_game *game, int a, int b, int context, bg_emit *e) noexcept nogil
# ^ how many plays, written to e.out (with their moves if e.moves); -1 = no memory
cdef int explore_turn(const bg_position *p, const bg_game *game, int a, int b, int context, bg_emit *e) noexcept nogil
# ^ the same even if the opponent has borne off
