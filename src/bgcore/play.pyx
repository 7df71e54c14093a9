"""Plays: the whole of a roll, as the generator made it or as a text says it.

What a text means on a board is found in ``bgcore.rules``, by the position it reaches.
"""

from libc.stdint cimport int8_t
from libc.string cimport memcmp, memcpy

from bgcore.core.board cimport bg_position
from bgcore.core.movegen cimport bg_row
from bgcore.errors import FormatError, RuleError
from bgcore.notation import Move, format_hops, format_moves, parse_hops
from bgcore.position cimport Position, wrap

__all__ = ["Move", "Play"]

cdef enum:
    HIT = 1
    PIN = 2


cdef Play make_play(const int8_t *moves, int max_moves, const bg_row *row):
    """A legal play as the generator writes it."""
    cdef Play play = Play.__new__(Play)
    cdef int i
    play.count = 0
    for i in range(max_moves):
        if moves[3 * i] < 0:
            break
        play.steps[i][0] = moves[3 * i]
        play.steps[i][1] = moves[3 * i + 1]
        play.steps[i][2] = moves[3 * i + 2]
        play.count += 1
    if row != NULL:
        memcpy(&play.result_, row.w, 32)
        play.resolved = True
    return play


cdef class Play:
    """The whole of a roll: its moves, and the position it leads to.

    Plays come from ``Rules.legal_plays``, ``Rules.check`` and ``Rules.parse_play``; ``Play.parse`` reads a text for its
    syntax only.  Canonical: the moves stand with the highest source first, then the highest target (in games with a
    runner in the order they are made); where several move lists end in one position, the generator's choice stands for
    all.  Two plays are equal if their moves and results
    are.

    Notes
    -----
    **Threads:** immutable, safe to share.  Nothing is cached; `moves` and `result` are new objects on each access.

    Examples
    --------
    >>> from bgcore import BACKGAMMON, Position
    >>> play = BACKGAMMON.check(Position.initial(), (3, 1), "6/5 8/5")
    >>> str(play), play.moves[0].source
    ('8/5 6/5', 8)
    """

    def __init__(self, *args, **kwargs):
        raise TypeError("a Play comes from Rules.legal_plays(), Rules.parse_play() or Play.parse()")

    @staticmethod
    def parse(str text not None):
        """Read a play from text, syntax only.

        Parameters
        ----------
        text : str
            Moves in the mover's numbering, as players, GNU Backgammon and XG write them: ``8/5* 6/5(2)``, ``bar/22``,
            ``24/18/13*``, ``6/off``, ``25/22 6/0``, ``8 5 6 5``; any order, either case; ``Pass``, ``Cannot Move`` or
            nothing for no move.

        Returns
        -------
        Play
            Its moves are the hops as written (one of them may need several dice); it has no result.

        Raises
        ------
        FormatError
            Not a play; `.offset` says where in the text.
        """
        cdef Play play = Play.__new__(Play)
        for move in parse_hops(text):
            play.steps[play.count][0] = move.source
            play.steps[play.count][1] = move.target
            play.steps[play.count][2] = (HIT if move.hit else 0) | (PIN if move.pin else 0)
            play.count += 1
        return play

    @property
    def moves(self):
        """The moves, as a new tuple of Move."""
        cdef int i
        return tuple([
            Move(self.steps[i][0], self.steps[i][1], bool(self.steps[i][2] & HIT), bool(self.steps[i][2] & PIN))
            for i in range(self.count)
        ])

    @property
    def result(self):
        """The position after the play, seen by the player who rolls next.

        Raises
        ------
        RuleError
            The play was only parsed and never resolved against a position.
        """
        if not self.resolved:
            raise RuleError("this play was only parsed; Rules.parse_play(position, dice, text) finds its result")
        return wrap(&self.result_)

    def __len__(self):
        return self.count

    def __eq__(self, other):
        cdef Play o
        if not isinstance(other, Play):
            return NotImplemented
        o = <Play>other
        if self.count != o.count or self.resolved != o.resolved:
            return False
        if memcmp(self.steps, o.steps, 3 * self.count):
            return False
        return not self.resolved or memcmp(&self.result_, &o.result_, sizeof(bg_position)) == 0

    def __hash__(self):
        return hash((self.moves, self.result if self.resolved else None))

    def __reduce__(self):
        return restore, (self.moves, self.result if self.resolved else None)

    def __str__(self):
        return format_moves(self.moves)

    def _repr_svg_(self):
        """The board it leads to, seen by who made it, with arrows; None of a play that was only parsed."""
        from bgcore.draw.board_svg import svg

        return svg(self) if self.resolved else None

    def __repr__(self):
        return f"<Play {str(self) or 'pass'}>" if self.resolved else f"Play.parse({format_hops(self.moves)!r})"


def restore(moves, Position result):
    """A Play from what it was pickled as."""
    cdef Play play = Play.__new__(Play)
    cdef Py_ssize_t i
    if len(moves) > 6:
        raise FormatError(f"a pickled Play has at most 6 moves, not {len(moves)}")
    for i, move in enumerate(moves):
        if not (1 <= move.source <= 25 and 0 <= move.target <= 24):
            raise FormatError(f"a pickled Play cannot hold {move}")
        play.steps[i][0] = move.source
        play.steps[i][1] = move.target
        play.steps[i][2] = (HIT if move.hit else 0) | (PIN if move.pin else 0)
    play.count = len(moves)
    if result is not None:
        play.result_ = result.p
        play.resolved = True
    return play
