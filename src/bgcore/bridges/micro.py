"""A turn made one checker at a time: an action is the slot a checker leaves and the die it uses.

Action ``source * 6 + die - 1``, own numbering: source 1 to 24 a point, 25 the bar; die 1 to 6.  Source 0, off, is never
legal, so the numbers 0 to 5 are unused; 156 in all.  An action is legal if it leads on to a legal play of the whole
roll, whatever follows: nobody can be led into half a play.
"""

from __future__ import annotations

from bgcore.errors import RuleError
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.rules._resolve import Dice, State, Turn, Words, without

__all__ = ["ACTIONS", "MicroTurn"]

ACTIONS = 156
"""Numbers of actions: 26 slots times 6 dice."""


class MicroTurn:
    """A roll being played.

    Parameters
    ----------
    rules : Rules
    position : Position
        Seen by the player who has rolled.
    roll : two integers
        Larger die first.
    """

    def __init__(self, rules: Rules, position: Position, roll: tuple[int, int]) -> None:
        self._turn = Turn(rules, position, roll, 0)
        self._state: State = self._turn.start()
        self._known: dict[tuple[State, Dice], bool] = {}
        self.left: Dice = self._turn.dice
        """The moves that are left to play, one entry a move."""

    @property
    def words(self) -> Words:
        """The position as it stands, seen by the player who moves."""
        own_lo, own_hi, opp_lo, opp_hi = self._state[:4]
        return own_lo, own_hi, opp_lo, opp_hi

    @property
    def is_complete(self) -> bool:
        """Whether the turn is over: a legal play has been made, or there is none."""
        return not self._turn.finals or self._turn.is_complete(self._state, self.left)

    def result(self) -> Position:
        """The position after the turn, seen by the player who rolls next."""
        if not self._turn.finals:
            return self._turn.position.flipped()
        return self._turn.finals[self.words].result

    def actions(self) -> list[int]:
        """The legal actions, in ascending order; none when the turn is complete."""
        return [] if self.is_complete else sorted(self._ways())

    def apply(self, action: int) -> None:
        """Move a checker.

        Raises
        ------
        RuleError
            No legal action.
        """
        ways = {} if self.is_complete else self._ways()
        if action not in ways:
            source, die = divmod(action, 6)
            raise RuleError(f"action {action}, a move from {source} with a {die + 1}, is not legal now")
        self._state = ways[action]
        self.left = without(self.left, action % 6 + 1)

    def _ways(self) -> dict[int, State]:
        """Legal actions and the state after each."""
        ways = {
            source * 6 + die - 1: after
            for die in set(self.left)
            for source, _, _, after in self._turn.steps(self._state, die)
            if self._leads_on(after, without(self.left, die))
        }
        if self._turn.most == 1 and self._turn.rules.larger_die:
            # The last checker, which either die bears off: the position is the same, but the larger die is due.
            larger = max(action % 6 for action in ways)
            ways = {action: after for action, after in ways.items() if action % 6 == larger}
        return ways

    def _leads_on(self, state: State, dice: Dice) -> bool:
        """Whether a legal play has been made or can still be."""
        key = state, dice
        if key not in self._known:
            self._known[key] = self._turn.is_complete(state, dice) or any(
                self._leads_on(after, without(dice, die))
                for die in set(dice)
                for *_, after in self._turn.steps(state, die)
            )
        return self._known[key]
