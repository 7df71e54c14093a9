"""Players that decide at random, and the loop that lets two players play a match into a record.

What a bot decides, how long it thinks and what the dice show depend on the seed and on the number of the entry only.
So a match that was interrupted anywhere and goes on from its record is, byte for byte, the one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bgcore.dice import Dice, SeededDice
from bgcore.dice.provable import MatchDice
from bgcore.errors import RuleError
from bgcore.match.actions import (
    Accept,
    Action,
    Beaver,
    Decline,
    Double,
    Drop,
    MakePlay,
    NextGame,
    OpeningRoll,
    Pass,
    Raccoon,
    Resign,
    Roll,
    Take,
)
from bgcore.match.clock import Clock
from bgcore.match.entries import ClockEvent, Commit, Entry, Reveal
from bgcore.match.header import Header
from bgcore.match.opening import Player
from bgcore.match.proof import DiceProof
from bgcore.match.state import MatchState

__all__ = ["Course", "Decider", "EntryDice", "RandomBot", "next_entry", "seeds"]

Decider = Callable[[MatchState, Player, int], Action]
"""Somebody who decides: the state, who he is, the number of the entry that it becomes."""


class Course(Protocol):
    """What a match has come to: a `bgcore.match.record.MatchRecord`, or a ledger without a file."""

    @property
    def header(self) -> Header:
        """What was known before it began."""
        ...

    @property
    def state(self) -> MatchState:
        """The state of the match."""
        ...

    @property
    def clock(self) -> Clock | None:
        """The clock, once it has come in."""
        ...

    @property
    def proof(self) -> DiceProof | None:
        """What is known of provable dice."""
        ...

    @property
    def closed(self) -> bool:
        """Whether the match is over."""
        ...

    def __len__(self) -> int: ...


THOUGHTS_MS = (6_000, 10_000, 18_000, 30_000, 50_000, 90_000, 150_000, 270_000, 450_000, 800_000)
"""How long a `RandomBot` thinks, each half as often as the one before.  Integers only, so that a seed is the same match
on every machine."""


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Decides at random: every legal play is as likely as any other.

    Parameters
    ----------
    seed : int
        Same seed, same decisions, for the same numbers of entries.
    double, take, redouble_at_once, resign, accept : float
        How likely it is to double when it may, to take, to answer with a beaver or raccoon where it may, to offer to
        resign when it is to roll, and to accept a resignation.
    hurry : float
        How often it thinks for less than a second; else for seconds, and now and then for minutes.
    """

    seed: int
    double: float = 0.08
    take: float = 0.7
    redouble_at_once: float = 0.5
    resign: float = 0.005
    accept: float = 0.5
    hurry: float = 0.5

    def __call__(self, state: MatchState, player: Player, entry: int) -> Action:
        """Decide.

        Raises
        ------
        RuleError
            There is nothing for him to decide.
        """
        if state.to_act != player:
            raise RuleError(f"player {player} has nothing to decide")
        random = self._stream(player, entry)
        chance = random.random()
        if state.pending == "resignation":
            return Accept() if chance < self.accept else Decline()
        actions = state.actions()
        if state.phase == "offered":
            if chance < self.redouble_at_once:
                for redouble in (Beaver(), Raccoon()):
                    if redouble in actions:
                        return redouble
            return Take() if random.random() < self.take else Drop()
        if state.phase == "to_play":
            plays = state.legal_plays()
            return MakePlay(plays[int(random.integers(len(plays)))]) if plays else Pass()
        if chance < self.resign:
            offers = [a for a in actions if isinstance(a, Resign) and a.player == player]
            if offers:
                return offers[int(random.integers(len(offers)))]
        if Double() in actions and random.random() < self.double:
            return Double()
        return Roll()

    def thinks(self, player: Player, entry: int) -> int:
        """How long it has thought, in milliseconds, when it presses its clock."""
        random = self._stream(player, entry)
        if random.random() < self.hurry:
            return int(random.integers(200, 1000))
        rare = int(random.integers(1, 1 << (len(THOUGHTS_MS) - 1)))
        return THOUGHTS_MS[len(THOUGHTS_MS) - 1 - rare.bit_length()] + int(random.integers(0, 1000))

    def _stream(self, player: Player, entry: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(player, entry))))


class EntryDice(Dice):
    """Seeded dice whose throw depends on the number of the entry that it becomes, which is set before.

    Parameters
    ----------
    seed : int
        Same seed, same throws.
    """

    def __init__(self, seed: int) -> None:
        self.seed, self.entry = seed, 0

    def throw(self) -> tuple[int, int]:
        """The throw of entry number `entry`."""
        return SeededDice(np.random.SeedSequence(self.seed, spawn_key=(2, self.entry))).throw()


def next_entry(
    course: Course,
    deciders: tuple[Decider, Decider],
    dice: Dice,
    think: Callable[[Player, int], int] | None = None,
) -> Action | Entry | None:
    """What is recorded next; None: the match is over.

    Parameters
    ----------
    course : MatchRecord or Ledger
        Where the match has come to.
    deciders : (Decider, Decider)
        Who plays for player 0 and for player 1.
    dice : Dice
        Where rolls come from; an `EntryDice` is told its entry.
    think : callable, optional
        With a clock: how many milliseconds a player has used when he ends his segment in this entry.

    Returns
    -------
    Action or Entry or None
        Rolls have their dice.
    """
    state, clock, entry = course.state, course.clock, len(course)
    conduct = course.header.conduct
    if course.closed:
        return None
    if clock is not None and clock.fallen is not None:
        assert conduct is not None
        return conduct.flag_forfeit(clock.fallen)
    if conduct is not None and conduct.clock is not None and think is not None:
        event = _clock_event(course, think)
        if event is not None:
            return event
    if state.is_game_over:
        return NextGame()
    if isinstance(dice, EntryDice):
        dice.entry = entry
    if state.phase == "opening":
        return OpeningRoll(*dice.throw())
    player = state.to_act
    assert player is not None
    action = deciders[player](state, player, entry)
    return Roll(*dice.throw()) if action == Roll() else action


def _clock_event(course: Course, think: Callable[[Player, int], int]) -> ClockEvent | None:
    """What has to be done to the clock before anything else; None: nothing."""
    state, clock, entry = course.state, course.clock, len(course)
    running = None if clock is None else clock.running
    now = 0 if clock is None or clock.since is None else clock.since
    if running is None:
        acts = None if state.is_game_over else state.to_act
        return None if acts is None else ClockEvent("start", now, acts)
    if state.is_game_over:
        return ClockEvent("end", now + think(running, entry))
    if state.to_act not in (None, running):
        return ClockEvent("press", now + think(running, entry), running)
    return None


def seeds(course: Course, dice: MatchDice) -> Iterator[Commit | Reveal]:
    """What has to be recorded of dice ``per_match`` before the first throw, and after the match, as far as it is not.

    The players' seeds are those that ``dice.player_seeds`` holds.
    """
    proof = course.proof
    assert proof is not None
    if proof.commitment is None:
        yield Commit("operator", dice.commitment)
    for player in (0, 1):
        seed = dice.player_seeds[player]
        if proof.seeds[player] is None and seed is not None:
            yield Reveal(player, seed)
    if course.closed and proof.seed is None:
        yield Reveal("operator", dice.seed)
