"""A position: checked, immutable, seen by the player on roll.

The gate for scalar calls: whatever comes in is validated here, and the core below takes it on trust.
"""

import struct

import numpy as np

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from bgcore.arrays import (
    boards_to_counts, check_checkers, counts_to_boards, invalid_position, pinned_rows, small_counts,
)
from bgcore.core.board cimport (
    BAR, BG_HI_SLOTS, ID_BAD_CHARACTER, ID_LOW_BITS, ID_OK, ID_RUN_PAST_BAR, ID_TOO_MANY_OWN,
    ID_URL_ALPHABET, bg_position, counts_to_words, decode_id, encode_id, flip, position_reasons, side_is_off,
    side_pips, side_slot, side_total, words_to_counts,
)
from bgcore.errors import FormatError, InvalidPosition, InvalidReason

__all__ = ["Position"]

PICKLE_VERSION = 1


cdef Position wrap(const bg_position *p):
    cdef Position position = Position.__new__(Position)
    position.p = p[0]
    return position


cdef Position checked(const bg_position *p):
    cdef int reasons = position_reasons(p)
    if reasons:
        raise invalid_position(reasons)
    return wrap(p)


def without_row(error):
    """The same of one position, which has no row."""
    return InvalidPosition(str(error).removeprefix(f"row {error.row}: "), reason=error.reason)


def id_error(int status, int place, str text, int checkers, row=None):
    """The exception for a status of the Position ID decoder."""
    where = "" if row is None else f"row {row}: "
    if status == ID_URL_ALPHABET:
        return FormatError(
            f"{where}Position ID {text!r}: {text[place]!r} at place {place} belongs to the web-safe alphabet; "
            "write '+' for '-' and '/' for '_'", offset=place)
    if status == ID_BAD_CHARACTER:
        return FormatError(
            f"{where}Position ID {text!r}: {text[place]!r} at place {place} is not one of A-Z a-z 0-9 + /",
            offset=place)
    if status == ID_RUN_PAST_BAR:
        return FormatError(f"{where}Position ID {text!r}: its checkers run past the last slot")
    if status == ID_LOW_BITS:
        return FormatError(f"{where}Position ID {text!r}: the bits behind the last slot must be zero")
    side = "the player on roll" if status == ID_TOO_MANY_OWN else "the opponent"
    reason = InvalidReason.TOO_MANY_OWN if status == ID_TOO_MANY_OWN else InvalidReason.TOO_MANY_OPP
    return InvalidPosition(
        f"{where}Position ID {text!r}: {side} has more than {checkers} checkers on the board", reason=reason, row=row)


cdef class Position:
    """One position, seen by the player on roll (`own`); the other one is `opp`.

    Immutable.  Each side is written in its own numbering: point 1 is the last before bearing off, 24 the first; slot 0
    counts checkers borne off, slot 25 those on the bar.  It is checked only for what holds in every game: at most 15
    checkers a side, not both sides off, pinned marks only where there are checkers.  A rule set checks the rest.

    Equality and hash are by the four packed words, and the hash is the same in every process; `<` compares the words.

    Notes
    -----
    Stability: the words and the pickled form keep their meaning.
    **Threads:** immutable, safe to share.

    Examples
    --------
    >>> from bgcore import Position
    >>> Position.initial()
    Position.from_gnubg_id('4HPwATDgc/ABMA')
    >>> Position.initial().pips
    (167, 167)
    """

    def __init__(self, *args, **kwargs):
        raise TypeError("a Position is made by initial(), from_board(), from_counts(), from_packed(), from_gnubg_id() "
                        "or from_xgid()")

    @staticmethod
    def initial():
        """The opening position of backgammon."""
        cdef uint8_t counts[26]
        cdef bg_position p
        cdef int slot
        for slot in range(26):
            counts[slot] = 0
        counts[24] = 2
        counts[13] = 5
        counts[8] = 3
        counts[6] = 5
        counts_to_words(counts, &p.own_lo, &p.own_hi)
        counts_to_words(counts, &p.opp_lo, &p.opp_hi)
        return wrap(&p)

    @staticmethod
    def from_board(board, checkers=15):
        """From a signed board of a contrary game.

        Parameters
        ----------
        board : integers (26,)
            1-24 own points, own checkers positive, the opponent's negative; 25 own bar, 0 or more; 0 the opponent's
            bar, 0 or less.
        checkers : int
            Checkers a side plays with; what is not on the board is borne off.

        Raises
        ------
        TypeError, ValueError
            Not integers; not 26 of them.
        InvalidPosition
            Wrong values.
        """
        array = np.asarray(board)
        if array.ndim != 1:
            raise ValueError(f"board must have shape (26,), not {array.shape}")
        try:
            return Position.from_counts(boards_to_counts(array[np.newaxis], checkers)[0])
        except InvalidPosition as error:
            raise without_row(error) from None

    @staticmethod
    def from_counts(counts, pinned=None):
        """From checkers a slot.

        Parameters
        ----------
        counts : integers (2, 26)
            Own slots, then the opponent's, each side in its own numbering: 0 off, 1-24 points, 25 bar.
        pinned : bool (2, 26), optional
            Points on which that side has one checker under an opposing one.

        Raises
        ------
        TypeError, ValueError
            Wrong dtype or shape.
        InvalidPosition
            Wrong values.
        """
        cdef bg_position p
        cdef const uint8_t[:, :, ::1] rows
        cdef const uint8_t[:, :, ::1] pins
        cdef int point
        array = np.asarray(counts)
        if array.ndim != 2:
            raise ValueError(f"counts must have shape (2, 26), not {array.shape}")
        try:
            rows = small_counts(array[np.newaxis])
            pins = None if pinned is None else pinned_rows(np.asarray(pinned)[np.newaxis], 1)
        except InvalidPosition as error:
            raise without_row(error) from None
        counts_to_words(&rows[0, 0, 0], &p.own_lo, &p.own_hi)
        counts_to_words(&rows[0, 1, 0], &p.opp_lo, &p.opp_hi)
        if pinned is not None:
            for point in range(1, 25):
                p.own_hi |= <uint64_t>pins[0, 0, point] << (39 + point)
                p.opp_hi |= <uint64_t>pins[0, 1, point] << (39 + point)
        return checked(&p)

    @staticmethod
    def from_packed(packed):
        """From the four packed words own_lo, own_hi, opp_lo, opp_hi: uint64 (4,)."""
        cdef bg_position p
        array = np.asarray(packed)
        if array.dtype.kind != "u" or array.dtype.itemsize != 8:
            raise TypeError(f"packed must be uint64, not {array.dtype}")
        if array.shape != (4,):
            raise ValueError(f"packed must have shape (4,), not {array.shape}")
        p.own_lo, p.own_hi, p.opp_lo, p.opp_hi = array.tolist()
        return checked(&p)

    @staticmethod
    def from_gnubg_id(str text not None, checkers=15):
        """From GNU Backgammon's Position ID, 14 characters such as ``4HPwATDgc/ABMA``.

        Parameters
        ----------
        text : str
            Strict: exactly 14 characters of the base64 alphabet, unused bits zero.
        checkers : int
            Checkers a side plays with; what is not on the board is borne off.

        Raises
        ------
        FormatError
            Not a Position ID.
        InvalidPosition
            Well formed, but more checkers than the game has.
        """
        cdef bg_position p
        cdef int place = 0
        cdef int status
        cdef bytes codes
        if len(text) != 14:
            raise FormatError(f"a Position ID has 14 characters, not {len(text)}: {text[:40]!r}")
        checkers = check_checkers(checkers)
        try:
            codes = text.encode("ascii")
        except UnicodeEncodeError as error:
            raise id_error(ID_BAD_CHARACTER, error.start, text, checkers) from None
        status = decode_id(codes, checkers, &p, &place)
        if status != ID_OK:
            raise id_error(status, place, text, checkers)
        if shared_points(&p):
            raise InvalidPosition(f"Position ID {text!r}: both sides hold point {shared_points(&p)[0]}",
                                  reason=InvalidReason.SHARED_POINT)
        return checked(&p)

    @staticmethod
    def from_xgid(str text not None, checkers=15, *, strict=True):
        """From an XGID; `own` is the player of the turn field, also while his double is pending.

        All ten fields are checked; ``strict=False`` lets a string pass whose fields contradict each other.

        Raises
        ------
        FormatError
            Not an XGID; `.field` names what is wrong.
        InvalidPosition
            Well formed, but no position.
        """
        if type(checkers) is int:
            from bgcore.formats._xgid import scanned

            found = scanned(text, checkers)
            if found is not None:
                return found[0]
        from bgcore.formats.xgid import position_from_xgid

        return position_from_xgid(text, checkers, strict=strict)

    @property
    def counts(self):
        """Checkers a slot, uint8 (2, 26): own slots, then the opponent's.  A fresh array."""
        cdef uint8_t[:, ::1] view
        array = np.empty((2, 26), np.uint8)
        view = array
        words_to_counts(self.p.own_lo, self.p.own_hi, &view[0, 0])
        words_to_counts(self.p.opp_lo, self.p.opp_hi, &view[1, 0])
        return array

    @property
    def pinned(self):
        """Points where a side has a checker under an opposing one, bool (2, 26).  A fresh array."""
        cdef int point
        array = np.zeros((2, 26), np.bool_)
        for point in range(1, 25):
            array[0, point] = (self.p.own_hi >> (39 + point)) & 1
            array[1, point] = (self.p.opp_hi >> (39 + point)) & 1
        return array

    @property
    def board(self):
        """Signed board, int8 (26,), of a contrary game.  A fresh array.

        Raises
        ------
        InvalidPosition
            A point is shared or a checker pinned.
        """
        try:
            return counts_to_boards(self.counts[np.newaxis], self.pinned.view(np.uint8)[np.newaxis])[0]
        except InvalidPosition as error:
            raise without_row(error) from None

    @property
    def packed(self):
        """The four words, uint64 (4,).  A fresh array."""
        return np.array([self.p.own_lo, self.p.own_hi, self.p.opp_lo, self.p.opp_hi], np.uint64)

    @property
    def gnubg_id(self):
        """GNU Backgammon's Position ID.

        Raises
        ------
        InvalidPosition
            A point is shared or a checker pinned, which an ID cannot say.
        """
        cdef char text[14]
        if (self.p.own_hi | self.p.opp_hi) & ~BG_HI_SLOTS or shared_points(&self.p):
            raise InvalidPosition("a Position ID cannot hold shared points or pinned checkers",
                                  reason=InvalidReason.SHARED_POINT)
        encode_id(&self.p, text)
        return text[:14].decode("ascii")

    @property
    def pips(self):
        """Pips of the player on roll and of the opponent; a checker on the bar counts 25."""
        return side_pips(self.p.own_lo, self.p.own_hi), side_pips(self.p.opp_lo, self.p.opp_hi)

    @property
    def off(self):
        """Checkers borne off: own, opponent's."""
        return <int>(self.p.own_lo & 15), <int>(self.p.opp_lo & 15)

    @property
    def bar(self):
        """Checkers on the bar: own, opponent's."""
        return side_slot(self.p.own_lo, self.p.own_hi, BAR), side_slot(self.p.opp_lo, self.p.opp_hi, BAR)

    @property
    def is_over(self):
        """Whether a side has no checker left on the board and the bar."""
        return side_is_off(self.p.own_lo, self.p.own_hi) or side_is_off(self.p.opp_lo, self.p.opp_hi)

    @property
    def is_contact(self):
        """Whether the sides can still meet, read as a contrary game: a rearmost checker has one to pass."""
        return rearmost(self.p.own_lo, self.p.own_hi) + rearmost(self.p.opp_lo, self.p.opp_hi) > 25

    def flipped(self):
        """The same board seen by the other player."""
        cdef bg_position p
        flip(&self.p, &p)
        return wrap(&p)

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return compare(self, <Position>other) == 0

    def __lt__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return compare(self, <Position>other) < 0

    def __le__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return compare(self, <Position>other) <= 0

    def __gt__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return compare(self, <Position>other) > 0

    def __ge__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return compare(self, <Position>other) >= 0

    def __hash__(self):
        # splitmix64's finisher over the words: a fixed mix, so that the hash is the same everywhere
        cdef uint64_t h = 0
        cdef uint64_t words[4]
        cdef int i
        memcpy(words, &self.p, 32)
        for i in range(4):
            h = (h ^ words[i]) + 0x9e3779b97f4a7c15ULL
            h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL
            h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL
            h ^= h >> 31
        return <Py_hash_t>(h >> 2)

    def __reduce__(self):
        words = (self.p.own_lo, self.p.own_hi, self.p.opp_lo, self.p.opp_hi)
        return unpickle, (struct.pack("<B4Q", PICKLE_VERSION, *words),)

    def __repr__(self):
        totals = {side_total(self.p.own_lo, self.p.own_hi), side_total(self.p.opp_lo, self.p.opp_hi)}
        plain = not (self.p.own_hi | self.p.opp_hi) & ~BG_HI_SLOTS and not shared_points(&self.p)
        if plain and len(totals) == 1:
            checkers = totals.pop()
            return f"Position.from_gnubg_id({self.gnubg_id!r}{'' if checkers == 15 else f', checkers={checkers}'})"
        words = ", ".join(f"{word:#x}" for word in self.packed.tolist())
        return f"Position.from_packed(np.array([{words}], np.uint64))"

    def __str__(self):
        from bgcore.draw.board_text import board_text

        return board_text(self)

    def _repr_svg_(self):
        from bgcore.draw.board_svg import svg

        return svg(self)


def unpickle(bytes data not None):
    """A Position from its pickled bytes: a version byte and four words `<u8`."""
    cdef bg_position p
    if len(data) != 33 or data[0] != PICKLE_VERSION:
        raise FormatError(f"a pickled Position has version byte {PICKLE_VERSION} and 32 bytes more, "
                          f"not {len(data)} bytes beginning {data[:1]!r}")
    p.own_lo, p.own_hi, p.opp_lo, p.opp_hi = struct.unpack("<4Q", data[1:])
    return checked(&p)


cdef int compare(Position x, Position y) noexcept:
    cdef uint64_t a[4]
    cdef uint64_t b[4]
    cdef int i
    memcpy(a, &x.p, 32)
    memcpy(b, &y.p, 32)
    for i in range(4):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


cdef int rearmost(uint64_t lo, uint64_t hi) noexcept:
    """The highest slot with a checker; 0 if there is none."""
    cdef int slot
    for slot in range(25, 0, -1):
        if side_slot(lo, hi, slot):
            return slot
    return 0


cdef list shared_points(const bg_position *p):
    """Own points that both sides hold, read as a contrary game."""
    cdef int point
    return [point for point in range(1, 25)
            if side_slot(p.own_lo, p.own_hi, point) and side_slot(p.opp_lo, p.opp_hi, 25 - point)]
