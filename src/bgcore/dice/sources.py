"""Where rolls come from: a seed, a seed with the first rolls spread evenly, or dice thrown elsewhere."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from bgcore.dice.rolls import Roll, check_roll
from bgcore.errors import RuleError

__all__ = ["Dice", "ManualDice", "SeededDice", "StratifiedDice"]


class Dice(ABC):
    """Two dice that can be thrown.  A source of your own needs `throw` only."""

    @abstractmethod
    def throw(self) -> Roll:
        """Throw two dice: the pair in the order they fell.  Of an opening throw, player 0's die first."""

    def roll(self) -> Roll:
        """Throw two dice; larger first."""
        first, second = self.throw()
        return (first, second) if first >= second else (second, first)

    def opening(self) -> Roll:
        """Throw until the dice differ: the roll that a game begins with; larger first."""
        while True:
            roll = self.roll()
            if roll[0] != roll[1]:
                return roll


class SeededDice(Dice):
    """Dice that come out the same for the same seed, from numpy's PCG64.

    Parameters
    ----------
    seed : int or numpy.random.SeedSequence
        Same seed, same rolls.

    Notes
    -----
    Stability: the stream of a seed is part of what bgcore promises; a change would be named in the release notes.
    **Threads:** one object per thread.

    Examples
    --------
    >>> from bgcore.dice import OPENING_ROLLS, ROLLS
    >>> dice = SeededDice(7)
    >>> dice.roll() in ROLLS, dice.opening() in OPENING_ROLLS
    (True, True)
    """

    def __init__(self, seed: int | np.random.SeedSequence) -> None:
        self._seed = seed
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def __repr__(self) -> str:
        return f"SeededDice({self._seed!r})"

    def throw(self) -> Roll:
        """Throw two dice: the pair in the order they fell."""
        first, second = self._generator.integers(1, 7, 2).tolist()
        return first, second

    def rolls(self, n: int) -> NDArray[np.uint8]:
        """Throw n times; uint8 (n, 2), in the order thrown."""
        return self._generator.integers(1, 7, (n, 2), dtype=np.uint8)


class StratifiedDice:
    """Dice of many trials of a rollout, the first two rolls of which are spread evenly.

    Trials come in blocks of 36.  In every block each of the 36 throws comes exactly once as the first and exactly once
    as the second roll; in every 36 blocks (1,296 trials, counted from 0) each pair of first and second throw comes
    exactly once.  Seen alone, every roll of every trial is a fair throw, and all later rolls are independent.

    Parameters
    ----------
    seed : int
        Same seed, same rolls.  The throw of a trial at a ply depends on nothing else.

    Raises
    ------
    TypeError, ValueError
        The seed is not an integer from 0 on.

    Notes
    -----
    Block b draws one row of 36 throws a ply from PCG64 of ``SeedSequence(seed, spawn_key=(b,))``, whether its trials
    still go on or not; rows 0 and 1 are then replaced by the strata.  Those come from PCG64 of
    ``SeedSequence(seed, spawn_key=(b // 36, 0))``: permutations of 0 to 35 called B, C and then P[0] to P[35].  With
    k = b mod 36, trial t of the block has as first throw number f = P[k][t], as second number B[(f + C[k]) mod 36];
    throw number n is n // 6 + 1, n % 6 + 1.

    Stability: as for `SeededDice`.  **Threads:** immutable, safe to share.

    Examples
    --------
    >>> dice = StratifiedDice(7)
    >>> len({tuple(throw) for throw in dice.rolls(0, 1)[0].tolist()})
    36
    """

    BLOCK = 36
    """Trials of a block."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool):
            raise TypeError("a seed is an integer from 0 on, not a bool")
        self.seed = operator.index(seed)
        """What was given."""
        np.random.SeedSequence(self.seed)  # refuses a negative one

    def __repr__(self) -> str:
        return f"StratifiedDice({self.seed})"

    def rows(self, block: int) -> Iterator[NDArray[np.uint8]]:
        """The throws of a block, ply by ply without end.

        Parameters
        ----------
        block : int
            Which 36 trials: 36 block to 36 block + 35.

        Yields
        ------
        uint8 (36, 2)
            One throw a trial, dice in the order thrown.

        Raises
        ------
        ValueError
            A block below 0.
        """
        generator = self._generator((operator.index(block),))
        plies = 0
        strata = self._strata(block)
        while True:
            row = generator.integers(1, 7, (self.BLOCK, 2), dtype=np.uint8)
            yield strata[plies] if plies < 2 else row
            plies += 1

    def rolls(self, block: int, plies: int) -> NDArray[np.uint8]:
        """The throws of a block; uint8 (plies, 36, 2), dice in the order thrown."""
        out = np.empty((plies, self.BLOCK, 2), np.uint8)
        for row, throws in zip(out, self.rows(block), strict=False):
            row[:] = throws
        return out

    def _generator(self, key: tuple[int, ...]) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=key)))

    def _strata(self, block: int) -> list[NDArray[np.uint8]]:
        """The first two rows of a block."""
        generator = self._generator((block // self.BLOCK, 0))
        symbols, shifts = generator.permutation(36), generator.permutation(36)
        orders = generator.permuted(np.tile(np.arange(36), (36, 1)), axis=1)
        place = block % self.BLOCK
        first = orders[place]
        second = symbols[(first + shifts[place]) % 36]
        return [np.stack([numbers // 6 + 1, numbers % 6 + 1], axis=1).astype(np.uint8) for numbers in (first, second)]


class ManualDice(Dice):
    """Dice thrown somewhere else and typed in.

    Parameters
    ----------
    throws : iterable of pairs
        What will fall, in the order thrown.  All are checked at once, so an endless one is not for here.

    Raises
    ------
    TypeError
        Not pairs of integers.
    RuleError
        A die outside 1 to 6; later, when there is no throw left.

    Notes
    -----
    **Threads:** one object per thread.

    Examples
    --------
    >>> dice = ManualDice([(3, 3), (1, 6)])
    >>> dice.add((5, 2))
    >>> dice.roll(), dice.throw(), dice.roll(), len(dice)
    ((3, 3), (1, 6), (5, 2), 0)
    """

    def __init__(self, throws: Iterable[Sequence[SupportsIndex]] = ()) -> None:
        self._throws: deque[Roll] = deque()
        for throw in throws:
            self.add(throw)

    def __repr__(self) -> str:
        return f"ManualDice({list(self._throws)!r})"

    def __len__(self) -> int:
        return len(self._throws)

    def add(self, throw: Sequence[SupportsIndex]) -> None:
        """Put one more throw behind the others."""
        check_roll(throw)
        first, second = (operator.index(die) for die in throw)
        self._throws.append((first, second))

    def throw(self) -> Roll:
        """Take the next throw."""
        if not self._throws:
            raise RuleError("no throw is left; add() gives one more")
        return self._throws.popleft()
