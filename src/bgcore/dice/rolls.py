"""Rolls: the 21 of them, how often they come, and reading them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import SupportsIndex

from bgcore.errors import FormatError, RuleError

__all__ = ["OPENING_ROLLS", "ROLLS", "WEIGHTS", "Roll", "check_roll", "parse_roll"]

Roll = tuple[int, int]
"""Two dice: of a roll the larger first, of a *throw* in the order thrown."""

ROLLS: tuple[Roll, ...] = tuple((larger, smaller) for larger in range(1, 7) for smaller in range(1, larger + 1))
"""The 21 different rolls, larger die first: 11 21 22 31 32 33 … 66.  Batches with dice=None follow this order."""

WEIGHTS: tuple[int, ...] = tuple(1 if larger == smaller else 2 for larger, smaller in ROLLS)
"""How many of the 36 throws of two dice give each of ROLLS."""

OPENING_ROLLS: tuple[Roll, ...] = tuple(roll for roll in ROLLS if roll[0] != roll[1])
"""The 15 rolls a game can begin with: never a double, since equal dice are thrown again."""


def check_roll(dice: Sequence[SupportsIndex]) -> Roll:
    """The two dice as integers, larger first.

    Raises
    ------
    TypeError
        Not two integers.
    RuleError
        A die outside 1 to 6.
    """
    first, second = (operator.index(die) for die in dice)
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise RuleError(f"a die shows 1 to 6, not {first if not 1 <= first <= 6 else second}")
    return (first, second) if first >= second else (second, first)


def parse_roll(text: str) -> Roll:
    """Read a roll such as ``31``, ``3-1``, ``3,1`` or ``3 1``, larger die first in the answer.

    Raises
    ------
    FormatError
        Not two dice.
    """
    digits = [c for c in text.strip() if c not in "-, /"]
    if len(digits) != 2 or len(text) > 20 or any(c not in "123456" for c in digits):
        raise FormatError(f"a roll is two dice of 1 to 6, such as 31 or 6-6, not {text[:20]!r}")
    return check_roll([int(digits[0]), int(digits[1])])
