"""Boards as other programs lay them out, to words and back: many at a time.

Nothing here raises for a wrong value: readers return the first wrong row, with a status and a place.  What they are
given has been checked for dtype and shape by ``bgcore.elsewhere``, which also turns a status into an exception.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memset

from bgcore.core.board cimport BAR, put, side_slot, side_total

cdef enum:
    PLACES = 24
    UNITS = 4          # of one place
    SIDE_UNITS = 96    # of one side
    TAIL = 192         # bar, borne off and turn of the observer, the same of the other player, two dice
    OBSERVATION = 200

# Why a row is refused.  The names without READ_ are the same for native code.
cdef enum:
    OK = 0
    VALUE = 1    # a value that cannot stand at this index
    TOTAL = 2    # of this side (0 the first in the row), another number of checkers
    SHARED = 3   # both sides on this place
    OVER = 4     # nobody has a checker left
    TURN = 5     # both to act, dice without a player, or a player without dice

READ_VALUE, READ_TOTAL, READ_SHARED, READ_OVER, READ_TURN = VALUE, TOTAL, SHARED, OVER, TURN


# ---- two sides of 24 points and the bar, the opponent first: GNU Backgammon -----------------------------------------

cdef inline int side_words(const int8_t *numbers, int checkers, uint64_t *side) noexcept nogil:
    """25 numbers of one side, each from 0 to 15, to its two words; returns how many checkers they are."""
    cdef int slot, total
    side[0] = side[1] = 0
    for slot in range(1, 16):
        side[0] |= <uint64_t>numbers[slot - 1] << (4 * slot)
    for slot in range(16, 26):
        side[1] |= <uint64_t>numbers[slot - 1] << (4 * (slot - 16))
    total = side_total(side[0], side[1])
    if total <= checkers:
        side[0] |= <uint64_t>(checkers - total)
    return total


def pack_sides(const int8_t[:, :, ::1] sides, int checkers, uint64_t[:, ::1] out):
    """Sides (n, 2, 25), the opponent's first, each number from 0 to 15, to words (n, 4), what is missing borne off.

    Returns (row, status, place) of the first wrong row, or None; the place of a shared point is its index in the second
    side.
    """
    cdef Py_ssize_t i, n = sides.shape[0]
    cdef int opp, own, point
    cdef int shared
    cdef int status = OK
    cdef int place = 0
    with nogil:
        for i in range(n):
            opp = side_words(&sides[i, 0, 0], checkers, &out[i, 2])
            own = side_words(&sides[i, 1, 0], checkers, &out[i, 0])
            shared = 0
            for point in range(24):
                shared |= sides[i, 1, point] * sides[i, 0, 23 - point]
            if opp > checkers or own > checkers:
                status, place = TOTAL, own > checkers
            elif shared:
                status = SHARED
                while not (sides[i, 1, place] and sides[i, 0, 23 - place]):
                    place += 1
            elif opp + own == 0:
                status = OVER
            if status:
                break
    return (i, status, place) if status else None


def unpack_sides(const uint64_t[:, ::1] packed, uint8_t[:, :, ::1] out):
    """Words (n, 4) to sides (n, 2, 25), the opponent's first."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef int slot
    with nogil:
        for i in range(n):
            for slot in range(1, 16):
                out[i, 0, slot - 1] = (packed[i, 2] >> (4 * slot)) & 15
                out[i, 1, slot - 1] = (packed[i, 0] >> (4 * slot)) & 15
            for slot in range(16, 26):
                out[i, 0, slot - 1] = (packed[i, 3] >> (4 * (slot - 16))) & 15
                out[i, 1, slot - 1] = (packed[i, 1] >> (4 * (slot - 16))) & 15


# ---- four units a place: OpenSpiel ---------------------------------------------------------------------------------
# Per place and side: one checker, two, three, and how many beyond three; exactly one of the four is not zero, or none
# where nobody stands.  Places are the same for both players: player 0 runs from 0 to 23, player 1 from 23 to 0.

cdef inline int own_slot(int place, int player) noexcept nogil:
    """What a player calls a place."""
    return place + 1 if player else 24 - place


cdef inline int most(int at) noexcept nogil:
    """The largest number that can stand at an index."""
    if at < TAIL:
        return 12 if at % UNITS == 3 else 1
    return 6 if at - TAIL > 5 else 1 if (at - TAIL) % 3 == 2 else 15  # dice; turns; bar and borne off


cdef inline bint read_side(const int8_t *units, int player, uint64_t *side) noexcept nogil:
    """Four units a place to a side's two words; False if they cannot stand there."""
    cdef int place, count
    cdef int wrong = 0
    side[0] = side[1] = 0
    for place in range(PLACES):
        count = units[0] + 2 * units[1] + 3 * units[2] + units[3] + 3 * (units[3] > 0)
        # Whatever else stood there does not come out again.
        wrong |= ((units[0] != (count == 1)) | (units[1] != (count == 2)) | (units[2] != (count == 3))
                  | (count > 15) | (count < 0))
        put(side, own_slot(place, player), <uint64_t>(count & 15))
        units += UNITS
    return wrong == 0


cdef inline bint shares(const uint64_t *words) noexcept nogil:
    """Whether both sides, two words each, hold one point."""
    cdef int point
    for point in range(1, 25):
        if side_slot(words[0], words[1], point) and side_slot(words[2], words[3], 25 - point):
            return True
    return False


cdef int read_row(const int8_t *values, int player, int checkers, uint64_t *words, uint8_t *dice, int8_t *to_act,
                  int *place) noexcept nogil:
    """One observation; returns why it is refused, OK if it is not.  The place of a value is found by find_wrong."""
    cdef const int8_t *tail = values + TAIL  # bar, borne off, turn; the same of the other player; two dice
    cdef int at, side
    cdef uint64_t swapped
    for at in range(TAIL, OBSERVATION):
        if values[at] < 0 or values[at] > most(at):
            return VALUE
    for side in range(2):
        if not read_side(values + SIDE_UNITS * side, player ^ side, words + 2 * side):
            return VALUE
        if side_total(words[2 * side], words[2 * side + 1]) + tail[3 * side] + tail[3 * side + 1] != checkers:
            place[0] = side
            return TOTAL
        put(words + 2 * side, BAR, tail[3 * side])
        put(words + 2 * side, 0, tail[3 * side + 1])
    if shares(words):
        return SHARED
    if tail[1] == checkers and tail[4] == checkers:
        return OVER
    if tail[2] + tail[5] != (tail[6] > 0) or (tail[6] > 0) != (tail[7] > 0):
        return TURN
    dice[0] = tail[6]
    dice[1] = tail[7]
    to_act[0] = player if tail[2] else 1 - player if tail[5] else -1
    if tail[5]:
        for at in range(2):
            swapped = words[at]
            words[at] = words[at + 2]
            words[at + 2] = swapped
    return OK


cdef int find_wrong(const int8_t *values) noexcept nogil:
    """The index of the first value that cannot stand where it stands; there is one."""
    cdef int at
    cdef int taken = 0
    for at in range(OBSERVATION):
        if values[at] < 0 or values[at] > most(at):
            return at
        if at < TAIL:
            taken = (0 if at % UNITS == 0 else taken) + (values[at] > 0)
            if taken > 1:
                return at
    return OBSERVATION


def pack_units(const int8_t[:, ::1] values, const uint8_t[::1] player, int checkers, uint64_t[:, ::1] out,
               uint8_t[:, ::1] dice, int8_t[::1] to_act):
    """Observations (n, 200) to words (n, 4), dice (n, 2) and who is to act (n,): 0, 1 or -1.

    Words are seen by the player who is to act, by the observer where nobody is.  Returns (row, status, place) of the
    first wrong row, or None: the index of a value, or which side has the wrong total.
    """
    cdef Py_ssize_t i, n = values.shape[0]
    cdef int status = OK
    cdef int place = 0
    with nogil:
        for i in range(n):
            status = read_row(&values[i, 0], player[i], checkers, &out[i, 0], &dice[i, 0], &to_act[i], &place)
            if status:
                if status == VALUE:
                    place = find_wrong(&values[i, 0])
                break
    return (i, status, place) if status else None


def unpack_units(const uint64_t[:, ::1] packed, const uint8_t[::1] player, const uint8_t[:, ::1] dice,
                 const int8_t[::1] to_act, float[:, ::1] out):
    """Words (n, 4), dice (n, 2) and who is to act (n,) to observations (n, 200) of `player` (n,)."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef uint64_t lo, hi
    cdef int side, place, count, first
    with nogil:
        for i in range(n):
            memset(&out[i, 0], 0, OBSERVATION * sizeof(float))
            first = 2 if to_act[i] == 1 - player[i] else 0  # where the observer's words are
            for side in range(2):
                lo = packed[i, first ^ (2 * side)]
                hi = packed[i, (first ^ (2 * side)) + 1]
                for place in range(PLACES):
                    count = side_slot(lo, hi, own_slot(place, player[i] ^ side))
                    if count > 3:
                        out[i, SIDE_UNITS * side + UNITS * place + 3] = count - 3
                    elif count:
                        out[i, SIDE_UNITS * side + UNITS * place + count - 1] = 1
                out[i, TAIL + 3 * side] = side_slot(lo, hi, BAR)
                out[i, TAIL + 3 * side + 1] = side_slot(lo, hi, 0)
                out[i, TAIL + 3 * side + 2] = to_act[i] == (player[i] ^ side)
            out[i, TAIL + 6] = dice[i, 0]
            out[i, TAIL + 7] = dice[i, 1]
