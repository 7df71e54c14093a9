"""Thousands of games played at once, one turn of every game a step: numpy arrays in, numpy arrays out.

Nothing but bgcore and numpy is needed.  An agent that learns values looks at the positions that its plays lead to,
which are there already; one that learns an action takes the number of a play.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore import batch
from bgcore.arrays import integers
from bgcore.bridges import seen
from bgcore.bridges.turns import PASSES, Packed, are_stuck, check_plain, may_be_over
from bgcore.dice import SeededDice
from bgcore.errors import EvaluatorError, RuleError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules
from bgcore.threads import positive

__all__ = ["Step", "VectorGames"]


class Step(NamedTuple):
    """What a step has done.  The arrays are new ones, nothing writes to them later."""

    results: Packed
    """Positions after the plays, seen by the opponent of the player who moved, before any new game: uint64 (n, 4)."""
    players: NDArray[np.int8]
    """Who moved, 0 or 1: int8 (n,)."""
    rewards: NDArray[np.float32]
    """Points for the player who moved, in games that have ended: float32 (n,); what he wins his opponent loses."""
    ended: NDArray[np.bool_]
    """Games that are over by their rules, or because nobody could ever move again (a draw): bool (n,)."""
    truncated: NDArray[np.bool_]
    """Games cut off after `max_turns` turns: bool (n,); never one that has ended."""


class VectorGames:
    """Games of one rule set, played side by side for ever: where one is over, the next one begins.

    Parameters
    ----------
    n : int
        How many.
    rules : Rules
        A rule set with plain turns, which is every one that can be played without knowing more than a position.
    seed : int or numpy.random.SeedSequence
        Same seed and same choices, same games, for any number of threads.
    threads : int
        How many may look for plays.
    max_turns : int, optional
        Turns of both players after which a game is cut off; None: never.
    moves : bool
        Whether `plays` has the moves of each play too.

    Attributes
    ----------
    positions : uint64 (n, 4)
        Each seen by the player on roll.
    players : int8 (n,)
        Who is on roll, 0 or 1.
    dice : uint8 (n, 2)
        What he has rolled.
    turns : int64 (n,)
        Turns made in this game.
    plays : PlayBatch
        The legal plays of every game.  A roll that cannot be played has one: the unchanged position, passed on.  The
        memory is used again by the next step.

    Raises
    ------
    RuleError
        A rule set without plain turns; the message says why.

    Notes
    -----
    Who begins is thrown for before every game, as the rule set says: each player throws a die, ties are thrown again,
    and in backgammon the winner plays these two dice, so that no game begins with a double.  There is no cube.

    Stability: the dice are those of `SeededDice(seed)`.  Every step, the first deal included, takes ``rolls(n)``, row i
    for game i.  In a game that begins they are one die each, player 0's first; games with a tie take ``rolls(k)``, in
    order, until none is left; where the winner of the throw rolls anew, the new games take ``rolls(k)`` for that.
    **Threads:** one object per thread.

    Examples
    --------
    >>> import numpy as np
    >>> games = VectorGames(1000, seed=1)
    >>> generator = np.random.default_rng(2)
    >>> points = 0.0
    >>> for _ in range(200):
    ...     step = games.step(games.random_choices(generator))
    ...     points += np.abs(step.rewards).sum()
    >>> bool(points > 1000)
    True
    """

    def __init__(
        self,
        n: int,
        rules: Rules = BACKGAMMON,
        *,
        seed: int | np.random.SeedSequence,
        threads: int = 1,
        max_turns: int | None = None,
        moves: bool = False,
    ) -> None:
        self.n = positive(n, "n")
        self.rules = check_plain(rules)
        self.threads = positive(threads, "threads")
        self.max_turns = None if max_turns is None else positive(max_turns, "max_turns")
        self.moves = bool(moves)
        self.plays = batch.PlayBatch()
        self.reset(seed)

    def __repr__(self) -> str:
        return f"<VectorGames: {self.n} games of {self.rules.name}>"

    def __getstate__(self) -> dict[str, Any]:
        # The plays follow from the rest, and their memory is bound to this object.
        return {name: value for name, value in vars(self).items() if name != "plays"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.plays = batch.PlayBatch()
        self._find_plays()

    def reset(self, seed: int | np.random.SeedSequence) -> None:
        """Begin all games anew, with the dice of a seed."""
        self._dice = SeededDice(seed)
        self.positions: Packed = np.repeat(self.rules.start.packed[np.newaxis], self.n, axis=0)
        self.players: NDArray[np.int8] = np.zeros(self.n, np.int8)
        self.turns: NDArray[np.int64] = np.zeros(self.n, np.int64)
        self._passes: NDArray[np.int64] = np.zeros(self.n, np.int64)
        self._throw(np.ones(self.n, np.bool_))
        self._find_plays()

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many plays each game can choose from, at least 1: int64 (n,)."""
        return np.diff(self.plays.offsets)

    @property
    def passing(self) -> NDArray[np.bool_]:
        """Which games have no play but the pass: bool (n,)."""
        return self._passed(self.plays.results.take(self.plays.offsets[:-1], axis=0))

    def observations(self) -> NDArray[np.uint8]:
        """What the player on roll is shown in each game: uint8 (n, columns), columns as in `bgcore.bridges.seen`."""
        return seen.observe(self.positions, self.dice, self.rules)

    def random_choices(self, generator: np.random.Generator) -> NDArray[np.int64]:
        """A play for each game, all equally likely: int64 (n,).  Takes ``generator.random(n)``."""
        return (generator.random(self.n) * self.counts).astype(np.int64)

    def best(self, values: ArrayLike) -> NDArray[np.int64]:
        """The play of the highest value for each game, the first of equals: int64 (n,).

        Parameters
        ----------
        values : floats or integers (m,)
            One for each row of ``plays.results``, for the player who moves.  A value of such a position for the player
            on roll there is the opponent's: change its sign.

        Raises
        ------
        EvaluatorError
            One is NaN.
        TypeError, ValueError
            Wrong dtype or shape.
        """
        array = np.asarray(values)
        if array.dtype.kind not in "fiu":
            raise TypeError(f"values must be numbers, not {array.dtype}")
        if array.shape != (len(self.plays.results),):
            raise ValueError(f"values must have shape ({len(self.plays.results)},), not {array.shape}")
        begins = self.plays.offsets[:-1]
        highest = np.maximum.reduceat(array, begins)
        if np.isnan(highest).any():
            raise EvaluatorError(f"the value of play {int(np.argmax(np.isnan(array)))} is not a number")
        hits = np.flatnonzero(array == np.repeat(highest, self.counts))
        found: NDArray[np.int64] = hits[np.searchsorted(hits, begins)] - begins
        return found

    def step(self, choices: ArrayLike) -> Step:
        """Make one turn in every game, and begin a new game where one is over.

        Parameters
        ----------
        choices : integers (n,)
            The play of each game, counted from 0 in its segment of `plays`; 0 for a pass.

        Returns
        -------
        Step

        Raises
        ------
        TypeError, ValueError
            Wrong dtype or shape.
        RuleError
            A game has no play of that number.  Nothing is changed then.
        """
        chosen = integers(choices, "choices", ())
        if chosen.shape != (self.n,):
            raise ValueError(f"choices must have shape ({self.n},), not {chosen.shape}")
        counts = self.counts
        wrong = (chosen < 0) | (chosen >= counts)
        if wrong.any():
            game = int(np.argmax(wrong))
            raise RuleError(f"game {game}: no play {chosen[game]}; its roll has {counts[game]}, counted from 0")
        results = self.plays.results.take(self.plays.offsets[:-1] + chosen.astype(np.int64), axis=0)
        movers = self.players
        self.turns = self.turns + 1
        rewards, ended = self._ends(results)
        truncated = np.zeros(self.n, np.bool_)
        if self.max_turns is not None:
            truncated = (self.turns >= self.max_turns) & ~ended
        new = ended | truncated
        self.positions = results
        self.players = 1 - movers
        if new.any():
            self.positions = results.copy()
            self.positions[new] = self.rules.start.packed
            self.turns[new] = 0
            self._passes[new] = 0
        self._throw(new)
        self._find_plays()
        return Step(results, movers, rewards, ended, truncated)

    def _passed(self, results: Packed) -> NDArray[np.bool_]:
        """Where the player on roll has moved nothing on the way to these positions."""
        still: NDArray[np.bool_] = (results[:, 2:] == self.positions[:, :2]).all(axis=1)
        return still

    def _ends(self, results: Packed) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Points of those who moved, and which games are over."""
        rewards = np.zeros(self.n, np.float32)
        ended = np.zeros(self.n, np.bool_)
        for game in np.flatnonzero(may_be_over(results, self.rules)).tolist():
            outcome = self.rules.outcome(Position.from_packed(results[game]))
            if outcome is not None:
                ended[game] = True
                if outcome.winner is not None:
                    rewards[game] = outcome.points if outcome.winner == "opp" else -outcome.points
        self._passes = np.where(self._passed(results), self._passes + 1, 0)
        waiting = np.flatnonzero(self._passes == PASSES)
        if len(waiting):
            ended[waiting] |= are_stuck(results[waiting], self.rules)
        return rewards, ended

    def _throw(self, new: NDArray[np.bool_]) -> None:
        """Throw for all games; in new ones for who begins."""
        dice = self._dice.rolls(self.n)
        begun = np.flatnonzero(new)
        if len(begun):
            tied = begun[dice[begun, 0] == dice[begun, 1]]
            while len(tied):
                dice[tied] = self._dice.rolls(len(tied))
                tied = tied[dice[tied, 0] == dice[tied, 1]]
            self.players[begun] = dice[begun, 0] < dice[begun, 1]
            if self.rules.opening == "reroll":
                dice[begun] = self._dice.rolls(len(begun))
        self.dice: NDArray[np.uint8] = dice

    def _find_plays(self) -> None:
        batch.legal_plays(
            self.positions,
            self.dice,
            self.rules,
            moves=self.moves,
            pass_results=True,
            threads=self.threads,
            out=self.plays,
        )
