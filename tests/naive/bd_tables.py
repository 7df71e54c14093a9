"""The numbers in GNU Backgammon's bear-off files, made slowly and plainly from the rules of their arithmetic.

Positions are tuples: checkers on point 1, 2, ...  Shares no idea with the builders or the file format of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Counts = tuple[int, ...]
ROLLS = 32


def rank(counts: Counts) -> int:
    """The number of a position: every move lowers it."""
    points = len(counts)
    return sum(comb(sum(counts[q:]) + points - 1 - q, points - q) for q in range(points))


def all_positions(points: int, checkers: int) -> list[Counts]:
    """Every position of at most so many checkers, by number."""

    def of(points: int, checkers: int) -> Iterator[Counts]:
        if points == 0:
            yield ()
            return
        for here in range(checkers + 1):
            for rest in of(points - 1, checkers - here):
                yield (*rest, here)

    return sorted(of(points, checkers), key=rank)


def steps(counts: Counts, die: int, top: int) -> Iterator[tuple[int, Counts]]:
    """Moves of one checker from point ``top`` or below, highest first: the point left, and what is then."""
    highest = max(p for p in range(1, len(counts) + 1) if counts[p - 1])
    for source in range(min(top, highest), 0, -1):
        target = source - die
        if not counts[source - 1] or (target <= 0 and (highest > 6 or (target < 0 and source < highest))):
            continue
        after = list(counts)
        after[source - 1] -= 1
        if target > 0:
            after[target - 1] += 1
        yield source, tuple(after)


def plays(counts: Counts, larger: int, smaller: int) -> list[Counts]:
    """What a roll can lead to, in the order found: most dice, then most pips thrown; twins dropped."""
    found: list[tuple[tuple[int, int], Counts]] = []

    def go(now: Counts, dice: tuple[int, ...], top: int, used: tuple[int, int], double: bool) -> None:
        moved = False
        if dice and any(now):
            for source, after in steps(now, dice[0], top if double else len(now)):
                moved = True
                go(after, dice[1:], source, (used[0] + 1, used[1] + dice[0]), double)
        if not moved:
            found.append((used, now))

    if larger == smaller:
        go(counts, (larger,) * 4, len(counts), (0, 0), True)
    else:
        go(counts, (larger, smaller), len(counts), (0, 0), False)
        go(counts, (smaller, larger), len(counts), (0, 0), False)
    most = max(used for used, _ in found)
    return list(dict.fromkeys(after for used, after in found if used == most))


@cache
def successors(points: int, checkers: int) -> list[list[tuple[int, list[int]]]]:
    """For each position: the weight of each roll, and the numbers that it can lead to."""
    rolls = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    return [
        [(1 if a == b else 2, [rank(after) for after in plays(counts, a, b)]) for a, b in rolls] if any(counts) else []
        for counts in all_positions(points, checkers)
    ]


def one_sided(points: int) -> NDArray[np.uint16]:
    """(N, 2, 32): rolls to bear off, and to the first checker off; 65535 stands for 1."""
    positions, table = all_positions(points, 15), successors(points, 15)
    values = np.zeros((len(positions), 2, ROLLS), np.int64)
    means = np.zeros((len(positions), 2), np.int64)
    for number, counts in enumerate(positions):
        for which in (0, 1):
            if (which == 0 and number == 0) or (which == 1 and sum(counts) < 15):
                values[number, which, 0] = 65535
                continue
            total = np.zeros(ROLLS, np.int64)
            for weight, numbers in table[number]:
                best = min(numbers, key=lambda after: means[after, which])  # the first of equals
                total[1:] += weight * values[best, which, :-1]
            row = (total + 18) // 36
            row[row.argmax()] += 65535 - row.sum()
            values[number, which] = row
            means[number, which] = row @ np.arange(ROLLS)
    return values.astype(np.uint16)


def two_sided(points: int, checkers: int) -> NDArray[np.uint16]:
    """(N, N, 4): cubeless, cube owned, centred, opponent's; nobody doubles this turn."""
    table = successors(points, checkers)
    n = len(table)
    values = [[(32767,) * 4 if own == 0 else (-32768,) * 4 for _ in range(n)] for own in range(n)]

    def doubled(no_double: int, take: int) -> int:
        if take < int(no_double / 2) or no_double > 32767:
            return no_double
        return 32767 if take >= 16383 else 2 * take

    for total in range(2, 2 * n - 1):
        for own in range(max(1, total - n + 1), min(n, total)):
            opponent = total - own
            sums = [0, 0, 0, 0]
            for weight, numbers in table[own]:
                theirs = [values[opponent][after] for after in numbers]
                best = (
                    max(~v[0] for v in theirs),
                    max(~v[3] for v in theirs),
                    max(~doubled(v[2], v[3]) for v in theirs),
                    max(~doubled(v[1], v[3]) for v in theirs),
                )
                sums = [s + weight * b for s, b in zip(sums, best, strict=True)]
            values[own][opponent] = tuple(int(s / 36) for s in sums)  # type: ignore[assignment]
    return (np.array(values) + 32768).astype(np.uint16)
