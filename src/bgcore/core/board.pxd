"""The packed board for native code: layout, slots, totals, flipping, outcome, Position ID."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "bgcore.h":
    const int BG_API_VERSION
    const uint64_t BG_HI_SLOTS   # hi without the pinned mask

    ctypedef struct bg_position:
        uint64_t own_lo  # slots 0-15 of the player on roll, one nibble each; slot 0 = borne off
        uint64_t own_hi  # slots 16-25 in bits 0-39 (25 = bar), pinned mask in bits 40-63
        uint64_t opp_lo  # the same of the opponent, in his own numbering
        uint64_t opp_hi

cdef enum:
    SLOTS = 26         # off, points 1-24, bar
    OFF = 0
    BAR = 25
    ID_CHARACTERS = 14

# Why words are no position; the same numbers as errors.InvalidReason.
cdef enum:
    TOO_MANY_OWN = 1
    TOO_MANY_OPP = 2
    BOTH_OFF = 4
    PIN_MASK = 8
    WRONG_TOTAL_OWN = 16
    WRONG_TOTAL_OPP = 32
    SHARED_POINT = 64
    BAR_UNUSED = 128
    BAR_DEADLOCK = 256
    PIN_UNUSED = 512
    PIN_UNMATCHED = 1024

# Status of the Position ID decoder.
cdef enum:
    ID_OK = 0
    ID_BAD_CHARACTER = 1   # outside the base64 alphabet; place says which
    ID_URL_ALPHABET = 2    # '-' or '_': the web-safe alphabet; place says which
    ID_RUN_PAST_BAR = 3    # more checkers than bits are left for
    ID_LOW_BITS = 4        # bits behind the last slot are not zero
    ID_TOO_MANY_OWN = 5    # more checkers than the game has
    ID_TOO_MANY_OPP = 6


cdef inline int side_slot(uint64_t lo, uint64_t hi, int slot) noexcept nogil:
    """Checkers of one side on a slot (0-25)."""
    if slot < 16:
        return <int>((lo >> (4 * slot)) & 15)
    return <int>((hi >> (4 * (slot - 16))) & 15)


cdef inline void put(uint64_t *side, int slot, uint64_t count) noexcept nogil:
    """Put checkers, at most 15, on an empty slot of one side's two words."""
    if slot < 16:
        side[0] |= count << (4 * slot)
    else:
        side[1] |= count << (4 * (slot - 16))


cdef inline int side_total(uint64_t lo, uint64_t hi) noexcept nogil:
    """Checkers of one side, those borne off included; right for any words (at most 390)."""
    cdef uint64_t low = 0x0f0f0f0f0f0f0f0fULL
    cdef uint64_t bytes_ = 0x00ff00ff00ff00ffULL
    cdef uint64_t s
    hi = hi & BG_HI_SLOTS
    s = (lo & low) + ((lo >> 4) & low) + (hi & low) + ((hi >> 4) & low)
    s = (s & bytes_) + ((s >> 8) & bytes_)
    return <int>((s * 0x0001000100010001ULL) >> 48)


cdef inline bint side_is_off(uint64_t lo, uint64_t hi) noexcept nogil:
    """Whether a side has no checker on slots 1-25."""
    return ((lo >> 4) | (hi & BG_HI_SLOTS)) == 0


cdef inline void flip(const bg_position *p, bg_position *out) noexcept nogil:
    """Passes the turn.  out may be p."""
    cdef bg_position t = p[0]
    out.own_lo = t.opp_lo
    out.own_hi = t.opp_hi
    out.opp_lo = t.own_lo
    out.opp_hi = t.own_hi


cdef uint32_t position_reasons(const bg_position *p) noexcept nogil      # 0 = valid in every game
cdef int side_pips(uint64_t lo, uint64_t hi) noexcept nogil              # sum of slot x checkers, bar = 25
cdef int contrary_outcome(const bg_position *p, int checkers) noexcept nogil
# ^ 0 going on; 1 single, 2 gammon, 3 backgammon won by own; the same negative: lost by own

cdef void counts_to_words(const uint8_t *counts, uint64_t *lo, uint64_t *hi) noexcept nogil   # 26 counts, each 0-15
cdef void words_to_counts(uint64_t lo, uint64_t hi, uint8_t *counts) noexcept nogil
cdef void encode_id(const bg_position *p, char *out) noexcept nogil      # writes 14 characters, no end mark
cdef int decode_id(const char *text, int checkers, bg_position *out, int *place) noexcept nogil   # an ID_ status
