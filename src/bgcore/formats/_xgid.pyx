"""The fast way through an XGID that is as it should be; `bgcore.formats.xgid` reads all others, and says what is wrong.

What comes through here is what that one would make of it: tests hold them against each other.
"""

from cpython.unicode cimport PyUnicode_1BYTE_KIND, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memset

from bgcore.core.board cimport bg_position, counts_to_words
from bgcore.position cimport wrap

__all__ = ["scanned"]

cdef enum:
    LINE = 26
    LONGEST = 85          # "XGID=", the line, nine colons and as many numbers of at most five digits
    LARGEST_CUBE = 30
    LARGEST_SCORE = 32767


cdef int number(const uint8_t *text, int *at, int end, int most) noexcept nogil:
    """The number at a place up to the next colon, and the place behind that colon; -1: none, or out of range."""
    cdef int first = at[0]
    cdef int i = first
    cdef int value = 0
    while i < end and c'0' <= text[i] <= c'9' and i - first < 5:
        value = 10 * value + text[i] - c'0'
        i += 1
    if i == first or value > most or (text[first] == c'0' and i - first > 1) or (i < end and text[i] != c':'):
        return -1
    at[0] = i + 1
    return value


cdef int sign(const uint8_t *text, int *at, int end) noexcept nogil:
    """1, 0 or -1 at a place up to the next colon; 2: something else."""
    cdef int i = at[0]
    cdef int value = 1
    if i < end and text[i] == c'-':
        value = -1
        i += 1
    if i >= end or text[i] > c'1' or text[i] < c'0' or i + 1 >= end or text[i + 1] != c':':
        return 2
    if text[i] == c'0':
        if value < 0:
            return 2
        value = 0
    at[0] = i + 2
    return value


def scanned(str text not None, int checkers):
    """What an XGID says, if it has ten plain fields, or nine, and nothing about it is wrong or unusual.

    Parameters
    ----------
    text : str
    checkers : int, 1 to 15
        How many a side plays with.

    Returns
    -------
    tuple or None
        Position; then, the bottom player being 0, who is on roll, the logarithm of the cube, its owner or None, the
        dice or None, the pending answer or None, the two scores, the number of field 8, the length, and the logarithm
        of the largest cube or None.  None: somebody else has to look at it.
    """
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef const uint8_t *s
    cdef uint8_t bottom[26]
    cdef uint8_t top[26]
    cdef bg_position p
    cdef int end, at, i, turn, owner, cube, score0, score1, rules, points
    cdef int largest = -1
    cdef int low = 0
    cdef int high = 0
    cdef int dice = 0
    if PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND or not LINE < length <= LONGEST:
        return None
    if not 1 <= checkers <= 15:
        return None
    s = <const uint8_t *>PyUnicode_DATA(text)
    end = <int>length
    at = 5 if memcmp(s, b"XGID=", 5) == 0 else 0
    if end - at < LINE + 16 or s[at + LINE] != c':':
        return None
    memset(bottom, 0, 26)
    memset(top, 0, 26)
    for i in range(LINE):
        if c'A' <= s[at + i] <= c'O' and i:
            bottom[i] = s[at + i] - c'A' + 1
            low += bottom[i]
        elif c'a' <= s[at + i] <= c'o' and i < 25:
            top[25 - i] = s[at + i] - c'a' + 1
            high += top[25 - i]
        elif s[at + i] != c'-':
            return None
    if low > checkers or high > checkers or low + high == 0:
        return None
    bottom[0], top[0] = checkers - low, checkers - high
    at += LINE + 1
    cube = number(s, &at, end, LARGEST_CUBE)
    if cube < 0:
        return None
    owner = sign(s, &at, end)
    if owner == 2:
        return None
    turn = sign(s, &at, end)
    if turn == 2 or turn == 0:
        return None
    pending = None
    if at + 1 < end and s[at + 1] == c':':
        if s[at] == c'D':
            pending = "D"
        elif s[at] == c'B':
            pending = "B"
        elif s[at] == c'R':
            pending = "R"
        else:
            return None
        at += 2
    elif at + 2 < end and s[at + 2] == c':':
        if s[at] != c'0' or s[at + 1] != c'0':
            if not (c'1' <= s[at] <= c'6' and c'1' <= s[at + 1] <= c'6'):
                return None
            dice = 10 * (s[at] - c'0') + s[at + 1] - c'0'
        at += 3
    else:
        return None
    score0 = number(s, &at, end, LARGEST_SCORE)
    if score0 < 0:
        return None
    score1 = number(s, &at, end, LARGEST_SCORE)
    if score1 < 0:
        return None
    rules = number(s, &at, end, 3)
    if rules < 0:
        return None
    points = number(s, &at, end, LARGEST_SCORE)
    if points < 0:
        return None
    if at == end:
        return None  # a colon with nothing behind it
    if at < end:
        largest = number(s, &at, end, LARGEST_CUBE)
        if largest < cube or at <= end:
            return None
    if points:
        if score0 >= points or score1 >= points or rules > 1:
            return None
        if rules and score0 != points - 1 and score1 != points - 1:
            return None
    if turn > 0:
        counts_to_words(bottom, &p.own_lo, &p.own_hi)
        counts_to_words(top, &p.opp_lo, &p.opp_hi)
    else:
        counts_to_words(top, &p.own_lo, &p.own_hi)
        counts_to_words(bottom, &p.opp_lo, &p.opp_hi)
    return (
        wrap(&p),
        0 if turn > 0 else 1,
        cube,
        None if owner == 0 else 0 if owner > 0 else 1,
        None if dice == 0 else (dice // 10, dice % 10),
        pending,
        (score0, score1),
        rules,
        points,
        None if largest < 0 else largest,
    )
