"""The packed board: words to counts and back, totals, pips, outcome, Position ID; one position and many.

Nothing here raises for a wrong value: functions return reasons as bits or a status with a place.  The array functions
expect what ``bgcore.batch`` has already checked for dtype and shape, C-contiguous.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr


cdef uint32_t position_reasons(const bg_position *p) noexcept nogil:
    cdef uint32_t reasons = 0
    cdef uint64_t pins[2]
    cdef int side, point
    if side_total(p.own_lo, p.own_hi) > 15:
        reasons |= TOO_MANY_OWN
    if side_total(p.opp_lo, p.opp_hi) > 15:
        reasons |= TOO_MANY_OPP
    if side_is_off(p.own_lo, p.own_hi) and side_is_off(p.opp_lo, p.opp_hi):
        reasons |= BOTH_OFF
    pins[0] = p.own_hi >> 40
    pins[1] = p.opp_hi >> 40
    for side in range(2):
        point = 1
        while pins[side]:
            if pins[side] & 1 and side_slot(
                p.opp_lo if side else p.own_lo, p.opp_hi if side else p.own_hi, point
            ) == 0:
                reasons |= PIN_MASK
            pins[side] >>= 1
            point += 1
    return reasons


cdef int side_pips(uint64_t lo, uint64_t hi) noexcept nogil:
    cdef int pips = 0
    cdef int slot
    for slot in range(1, 16):
        pips += slot * <int>((lo >> (4 * slot)) & 15)
    for slot in range(16, 26):
        pips += slot * <int>((hi >> (4 * (slot - 16))) & 15)
    return pips


cdef int contrary_outcome(const bg_position *p, int checkers) noexcept nogil:
    cdef uint64_t lo, hi
    cdef int sign
    if side_is_off(p.own_lo, p.own_hi):
        sign = 1
        lo, hi = p.opp_lo, p.opp_hi
    elif side_is_off(p.opp_lo, p.opp_hi):
        sign = -1
        lo, hi = p.own_lo, p.own_hi
    else:
        return 0
    if side_total(lo, hi) - <int>(lo & 15) < checkers:
        return sign
    # The winner's home is the loser's 19-24; with the bar those are bits 12-39 of hi.
    return 3 * sign if (hi & BG_HI_SLOTS) >> 12 else 2 * sign


cdef void counts_to_words(const uint8_t *counts, uint64_t *lo, uint64_t *hi) noexcept nogil:
    cdef int slot
    lo[0] = 0
    hi[0] = 0
    for slot in range(16):
        lo[0] |= <uint64_t>counts[slot] << (4 * slot)
    for slot in range(16, 26):
        hi[0] |= <uint64_t>counts[slot] << (4 * (slot - 16))


cdef void words_to_counts(uint64_t lo, uint64_t hi, uint8_t *counts) noexcept nogil:
    cdef int slot
    for slot in range(16):
        counts[slot] = (lo >> (4 * slot)) & 15
    for slot in range(16, 26):
        counts[slot] = (hi >> (4 * (slot - 16))) & 15


# ---- Position ID --------------------------------------------------------------------------------------------------
# GNU Backgammon's 14 characters: first the player not on roll, then the player on roll; per slot (point 1-24, bar) one
# 1 a checker and a 0; lowest bit first into ten bytes; base64 without padding.  Source: GNU Backgammon manual,
# "A technical description of the Position ID".

cdef const char *ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


cdef void encode_id(const bg_position *p, char *out) noexcept nogil:
    cdef uint8_t key[12]
    cdef int bit = 0
    cdef int side, slot, n, i
    cdef uint32_t group
    for i in range(12):
        key[i] = 0
    for side in range(2):
        for slot in range(1, 26):
            n = side_slot(p.own_lo if side else p.opp_lo, p.own_hi if side else p.opp_hi, slot)
            for _ in range(n):
                if bit < 80:  # only words that are no position could be longer
                    key[bit >> 3] |= 1 << (bit & 7)
                bit += 1
            bit += 1
    for i in range(4):
        group = (<uint32_t>key[3 * i] << 16) | (<uint32_t>key[3 * i + 1] << 8) | key[3 * i + 2]
        out[4 * i] = ALPHABET[group >> 18]
        out[4 * i + 1] = ALPHABET[(group >> 12) & 63]
        if i < 3:
            out[4 * i + 2] = ALPHABET[(group >> 6) & 63]
            out[4 * i + 3] = ALPHABET[group & 63]


cdef inline int letter_value(char c) noexcept nogil:
    cdef const char *found = <const char *>memchr(ALPHABET, c, 64)
    return <int>(found - ALPHABET) if found != NULL else -1


cdef int decode_id(const char *text, int checkers, bg_position *out, int *place) noexcept nogil:
    cdef uint8_t key[12]
    cdef uint8_t counts[2][26]
    cdef int values[16]
    cdef int i, side, slot, bit, total
    for i in range(14):
        values[i] = letter_value(text[i])
        place[0] = i
        if values[i] < 0:
            return ID_URL_ALPHABET if text[i] == c"-" or text[i] == c"_" else ID_BAD_CHARACTER
    values[14] = 0
    values[15] = 0
    for i in range(4):
        key[3 * i] = (values[4 * i] << 2) | (values[4 * i + 1] >> 4)
        key[3 * i + 1] = ((values[4 * i + 1] & 15) << 4) | (values[4 * i + 2] >> 2)
        key[3 * i + 2] = ((values[4 * i + 2] & 3) << 6) | values[4 * i + 3]
    place[0] = 13
    if key[10]:
        return ID_LOW_BITS
    bit = 0
    for side in range(2):
        total = 0
        for slot in range(1, 26):
            counts[side][slot] = 0
            while bit < 80 and (key[bit >> 3] >> (bit & 7)) & 1:
                counts[side][slot] += 1
                bit += 1
            if bit >= 80:
                return ID_RUN_PAST_BAR
            bit += 1
            total += counts[side][slot]
        if total > checkers:
            return ID_TOO_MANY_OWN if side else ID_TOO_MANY_OPP
        counts[side][0] = checkers - total
    while bit < 80:
        if (key[bit >> 3] >> (bit & 7)) & 1:
            return ID_LOW_BITS
        bit += 1
    counts_to_words(counts[1], &out.own_lo, &out.own_hi)
    counts_to_words(counts[0], &out.opp_lo, &out.opp_hi)
    return ID_OK


# ---- many positions -----------------------------------------------------------------------------------------------

def pack_rows(const uint8_t[:, :, ::1] counts, const uint8_t[:, :, ::1] pinned, uint64_t[:, ::1] out):
    """Counts (n, 2, 26), each at most 15, and pinned (n, 2, 26) or None to words (n, 4)."""
    cdef Py_ssize_t i, n = counts.shape[0]
    cdef int side, point
    with nogil:
        for i in range(n):
            for side in range(2):
                counts_to_words(&counts[i, side, 0], &out[i, 2 * side], &out[i, 2 * side + 1])
                if pinned is not None:
                    for point in range(1, 25):
                        if pinned[i, side, point]:
                            out[i, 2 * side + 1] |= <uint64_t>1 << (39 + point)


def unpack_rows(const uint64_t[:, ::1] packed, uint8_t[:, :, ::1] counts, uint8_t[:, :, ::1] pinned):
    """Words (n, 4) to counts (n, 2, 26) and pinned (n, 2, 26)."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef int side, point
    with nogil:
        for i in range(n):
            for side in range(2):
                words_to_counts(packed[i, 2 * side], packed[i, 2 * side + 1], &counts[i, side, 0])
                pinned[i, side, 0] = 0
                pinned[i, side, 25] = 0
                for point in range(1, 25):
                    pinned[i, side, point] = (packed[i, 2 * side + 1] >> (39 + point)) & 1


def validate_rows(const uint64_t[:, ::1] packed, uint32_t[::1] out):
    """Reasons that hold in every game; 0 = valid."""
    cdef Py_ssize_t i, n = packed.shape[0]
    with nogil:
        for i in range(n):
            out[i] = position_reasons(<const bg_position *>&packed[i, 0])


def pips_rows(const uint64_t[:, ::1] packed, int[:, ::1] out):
    """Pips of the player on roll and of the opponent."""
    cdef Py_ssize_t i, n = packed.shape[0]
    with nogil:
        for i in range(n):
            out[i, 0] = side_pips(packed[i, 0], packed[i, 1])
            out[i, 1] = side_pips(packed[i, 2], packed[i, 3])


def encode_rows(const uint64_t[:, ::1] packed, uint8_t[:, ::1] out):
    """Position IDs as (n, 14) ASCII codes."""
    cdef Py_ssize_t i, n = packed.shape[0]
    with nogil:
        for i in range(n):
            encode_id(<const bg_position *>&packed[i, 0], <char *>&out[i, 0])


def decode_rows(const uint8_t[:, ::1] text, int checkers, uint64_t[:, ::1] out):
    """Position IDs as (n, 14) ASCII codes to words; returns (row, status, place) of the first bad one, or None."""
    cdef Py_ssize_t i, n = text.shape[0]
    cdef int status = 0
    cdef int place = 0
    with nogil:
        for i in range(n):
            status = decode_id(<const char *>&text[i, 0], checkers, <bg_position *>&out[i, 0], &place)
            if status:
                break
    return (i, status, place) if status else None


# ---- signed boards ------------------------------------------------------------------------------------------------

cdef inline uint64_t above(int count) noexcept nogil:
    """The count if it is positive, else 0, without a branch."""
    return <uint64_t>(count & ~(count >> 31))


cdef bint board_to_words(const int8_t *numbers, int checkers, uint64_t *words) noexcept nogil:
    """One signed board, each number from -15 to 15, to four words; False if it is no position."""
    cdef int slot, own, opp
    words[0] = words[1] = words[2] = words[3] = 0
    for slot in range(1, 16):
        words[0] |= above(numbers[slot]) << (4 * slot)
        words[2] |= above(-numbers[25 - slot]) << (4 * slot)
    for slot in range(16, 26):
        words[1] |= above(numbers[slot]) << (4 * (slot - 16))
        words[3] |= above(-numbers[25 - slot]) << (4 * (slot - 16))
    own = side_total(words[0], words[1])
    opp = side_total(words[2], words[3])
    if own > checkers or opp > checkers or own + opp == 0 or numbers[0] > 0 or numbers[BAR] < 0:
        return False
    words[0] |= <uint64_t>(checkers - own)
    words[2] |= <uint64_t>(checkers - opp)
    return True


cdef inline int difference(uint64_t own, int slot, uint64_t opp, int other, int8_t *number) noexcept nogil:
    """Own checkers less the opponent's of one nibble each; not 0 if both are there."""
    cdef int mine = (own >> (4 * slot)) & 15
    cdef int theirs = (opp >> (4 * other)) & 15
    number[0] = mine - theirs
    return mine * theirs


cdef bint words_to_board(const uint64_t *words, int8_t *numbers) noexcept nogil:
    """Four words to a signed board; False if a point is shared or a checker pinned."""
    cdef int point
    cdef int shared = 0
    for point in range(1, 10):
        shared |= difference(words[0], point, words[3], 9 - point, &numbers[point])
    for point in range(10, 16):
        shared |= difference(words[0], point, words[2], 25 - point, &numbers[point])
    for point in range(16, 25):
        shared |= difference(words[1], point - 16, words[2], 25 - point, &numbers[point])
    numbers[BAR] = side_slot(words[0], words[1], BAR)
    numbers[0] = -side_slot(words[2], words[3], BAR)
    return shared == 0 and (words[1] | words[3]) >> 40 == 0


def pack_boards(const int8_t[:, ::1] boards, int checkers, uint64_t[:, ::1] out):
    """Signed boards (n, 26), each number from -15 to 15, to words (n, 4), what is missing borne off.

    False if one of them is no position.
    """
    cdef Py_ssize_t i, n = boards.shape[0]
    cdef bint right = True
    with nogil:
        for i in range(n):
            right = board_to_words(&boards[i, 0], checkers, &out[i, 0])
            if not right:
                break
    return right


def unpack_boards(const uint64_t[:, ::1] packed, int8_t[:, ::1] out):
    """Words (n, 4) to signed boards (n, 26); False if one of them has a shared point or a pin."""
    cdef Py_ssize_t i, n = packed.shape[0]
    cdef bint right = True
    with nogil:
        for i in range(n):
            right = words_to_board(&packed[i, 0], &out[i, 0])
            if not right:
                break
    return right
