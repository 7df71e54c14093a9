"""The packed board once more, slot by slot with Python's integers, from its description; imports nothing of bgcore.

Counts are two lists of 26 (own, opponent), pins two sets of points.  Four words: own_lo, own_hi, opp_lo, opp_hi.  A
slot is four bits: slots 0-15 of a side in its lo, 16-25 in its hi; bit 39 + p of hi says that p holds a pinned checker.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence

Counts = Sequence[Sequence[int]]
Pins = Sequence[Iterable[int]]
Words = tuple[int, int, int, int]

# Why words are no position; the numbers are bgcore's promise.
TOO_MANY_OWN, TOO_MANY_OPP, BOTH_OFF, PIN_MASK = 1, 2, 4, 8
WRONG_TOTAL_OWN, WRONG_TOTAL_OPP, SHARED_POINT, BAR_DEADLOCK, PIN_UNUSED = 16, 32, 64, 256, 512


def pack(counts: Counts, pins: Pins = ((), ())) -> Words:
    """Return the words of counts and pins."""
    words = []
    for side, pinned in zip(counts, pins, strict=True):
        assert len(side) == 26
        assert all(0 <= count <= 15 for count in side)
        words.append(sum(count << 4 * slot for slot, count in enumerate(side[:16])))
        high = sum(count << 4 * slot for slot, count in enumerate(side[16:]))
        words.append(high | sum(1 << 39 + point for point in pinned))
    return words[0], words[1], words[2], words[3]


def unpack(words: Sequence[int]) -> tuple[list[list[int]], list[set[int]]]:
    """Return counts and pins of any words."""
    counts, pins = [], []
    for low, high in (words[:2], words[2:]):
        counts.append([low >> 4 * slot & 15 for slot in range(16)] + [high >> 4 * slot & 15 for slot in range(10)])
        pins.append({point for point in range(1, 25) if high >> 39 + point & 1})
    return counts, pins


def reasons(words: Sequence[int]) -> int:
    """Return why words are a position in no game."""
    (own, opp), pins = unpack(words)
    found = TOO_MANY_OWN * (sum(own) > 15) | TOO_MANY_OPP * (sum(opp) > 15)
    found |= BOTH_OFF * (sum(own[1:]) == sum(opp[1:]) == 0)
    return found | PIN_MASK * any(
        side[point] == 0 for side, marked in zip((own, opp), pins, strict=True) for point in marked
    )


def backgammon_reasons(words: Sequence[int], checkers: int = 15) -> int:
    """Return why words are no position of backgammon with so many checkers a side."""
    (own, opp), pins = unpack(words)
    found = reasons(words)
    found |= WRONG_TOTAL_OWN * (sum(own) != checkers) | WRONG_TOTAL_OPP * (sum(opp) != checkers)
    found |= SHARED_POINT * any(own[point] and opp[25 - point] for point in range(1, 25))
    closed = all(own[point] >= 2 and opp[point] >= 2 for point in range(1, 7))
    found |= BAR_DEADLOCK * bool(own[25] and opp[25] and closed)
    return found | PIN_UNUSED * bool(pins[0] or pins[1])


def gnubg_id(counts: Counts) -> str:
    """Return GNU Backgammon's Position ID: the one not on roll first, a 1 a checker and a 0 after each slot."""
    bits = "".join("1" * count + "0" for side in (counts[1], counts[0]) for count in side[1:])
    key = bytes(int(bits.ljust(80, "0")[i : i + 8][::-1], 2) for i in range(0, 80, 8))
    return base64.b64encode(key).decode("ascii").removesuffix("==")


def board(counts: Counts) -> list[int]:
    """Return the signed board of a contrary game."""
    own, opp = counts
    assert not any(own[point] and opp[25 - point] for point in range(1, 25))
    return [-opp[25], *[own[point] - opp[25 - point] for point in range(1, 25)], own[25]]
