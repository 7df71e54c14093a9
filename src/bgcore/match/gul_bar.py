"""Gül Bar: a way of scoring laid over any game, which rewards configurations.

Our parameterised reading of a short description, modelled on the Levantine Julbahar.  A game pays its winner the
opposing checkers that are not borne off, whatever the rules of the game say.  While it is played, a side that cannot
move gives the other one a bonus if that one could have moved.  Further configurations can be given points.  First to
31 wins.

The layer is told of every turn and every end of a game, and keeps the score.  It plays nothing, and the rules of the
base game are not touched.

Source: variants.md §7.3 (the user's rule texts; Barakat 1974 as Ludii's "Julbahar" records him).  The base game, the
test of the blockade and the further configurations are choices of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, NamedTuple

from bgcore import batch
from bgcore.errors import RuleError
from bgcore.match.opening import NextFirst, Player, check_player, next_first, other
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.rules.tavla import UZUN_TAVLA

__all__ = [
    "PREDICATES",
    "TARGET",
    "Bonus",
    "GulBar",
    "Predicate",
    "Seen",
    "all_home_first",
    "blockade",
    "home_closed",
    "men_left",
    "six_prime",
]

TARGET = 31
"""Points that win."""

BLOCKADE = 5
"""Points for a blockade."""


# ---- configurations -----------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """A turn as one of the players sees it who may earn something by it."""

    mine: bool
    """Whether it was his turn."""
    dice: tuple[int, int]
    before: Position
    """The position before the turn; he is own, whosever turn it was."""
    after: Position
    """The position after the turn, likewise."""


Predicate = Callable[[Rules, Seen], bool]
"""Whether the player who sees the turn so has earned a bonus."""


def blockade(rules: Rules, seen: Seen) -> bool:
    """Whether the opponent could not move with his roll, and the same roll could be played by this player."""
    return _stopped(rules, seen) and rules.count_plays(seen.after, seen.dice) > 0


def blockade_any_roll(rules: Rules, seen: Seen) -> bool:
    """Whether the opponent could not move with his roll, and some roll could be played by this player."""
    return _stopped(rules, seen) and bool(batch.count_plays(seen.after.packed.reshape(1, 4), rules=rules).any())


def six_prime(rules: Rules, seen: Seen) -> bool:
    """Whether this player has ended his turn with six closed points in a row on the opponent's path.

    On parallel boards such a row may wrap on his own path: his 3, 2, 1, 24, 23, 22.
    """
    if not seen.mine:
        return False
    closed = closed_points(rules, seen.after)
    row = 0
    for point in range(1, 25):  # in the opponent's numbers
        row = row + 1 if _turned(rules, point) in closed else 0
        if row == 6:
            return True
    return False


def home_closed(rules: Rules, seen: Seen) -> bool:
    """Whether this player has ended his turn with his points 1 to 6 all closed."""
    return seen.mine and closed_points(rules, seen.after) >= set(range(1, 7))


def all_home_first(rules: Rules, seen: Seen) -> bool:
    """Whether this player has ended his turn with all checkers home or off, and the opponent has none home or off.

    Judged on the position alone: a checker of the opponent that was home and has been hit does not count.
    """
    if not seen.mine:
        return False
    own, opp = seen.after.counts.tolist()
    return not any(own[7:]) and not any(opp[:7])


PREDICATES: Mapping[str, Predicate] = MappingProxyType(
    {
        "blockade": blockade,
        "blockade_any_roll": blockade_any_roll,
        "six_prime": six_prime,
        "home_closed": home_closed,
        "all_home_first": all_home_first,
    }
)
"""The configurations that have a name."""


def closed_points(rules: Rules, position: Position) -> set[int]:
    """Own points where the opponent cannot land: enough of own checkers, or one of his lies pinned there."""
    own = position.counts[0].tolist()
    own_pinned, opp_pinned = position.pinned.tolist()
    return {
        point
        for point in range(1, 25)
        if own[point] - own_pinned[point] >= rules.block_at or opp_pinned[_turned(rules, point)]
    }


def men_left(rules: Rules, position: Position) -> int:
    """What a game pays its winner, who is own in the position: the opposing checkers that are not borne off."""
    return rules.checkers - position.off[1]


def _stopped(rules: Rules, seen: Seen) -> bool:
    """Whether it was the opponent's turn and he had no move, though the game was going on."""
    return (
        not seen.mine
        and rules.outcome(seen.before) is None
        and rules.count_plays(seen.before.flipped(), seen.dice) == 0
    )


def _turned(rules: Rules, point: int) -> int:
    """A point in the other player's numbering."""
    if rules.geometry == "contrary":
        return 25 - point
    return point + 12 if point <= 12 else point - 12


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points for a configuration.

    Parameters
    ----------
    predicate : str or callable
        A name of `PREDICATES`, or a function of Rules and `Seen`; one at module level, if the value is to be pickled.
    points : int
        What it pays each time; 0 = nothing.
    once_per_game : bool
        Whether each player can earn it only once a game; if not, it pays at every turn that it holds.

    Raises
    ------
    RuleError
        No such predicate; negative points.
    """

    predicate: str | Predicate
    points: int = 0
    once_per_game: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.predicate, str):
            if self.predicate not in PREDICATES:
                raise RuleError(f"no predicate {self.predicate!r}; there are {', '.join(PREDICATES)}")
        elif not callable(self.predicate):
            raise TypeError(f"a predicate is a name or a function, not {self.predicate!r}")
        if type(self.points) is not int or self.points < 0:
            raise RuleError(f"a bonus pays 0 points or more, not {self.points!r}")

    def holds(self, rules: Rules, seen: Seen) -> bool:
        """Whether the player who sees the turn so has earned it."""
        return (PREDICATES[self.predicate] if isinstance(self.predicate, str) else self.predicate)(rules, seen)


BONUSES = (Bonus("six_prime"), Bonus("home_closed"), Bonus("all_home_first"))
"""What is offered beside the blockade; it pays nothing unless points are given."""


# ---- the match ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GulBar:
    """A match of Gül Bar: options and the score so far.

    Parameters
    ----------
    base : Rules
        The game that is played; Uzun Tavla if not given.
    target : int
        Points that win.
    match_end : {"immediately", "game_end"}
        Whether a player has won as soon as he has so many, or the game is played to its end first.
    blockade : int
        Points for a blockade; 0 = none.
    blocked_test : {"same_dice", "any_roll"}
        Whether the opponent of who cannot move must be able to play the same two dice, or any roll at all.
    bonuses : tuple of Bonus
        Further configurations.
    next_first : {"roll", "winner", "loser", "alternate"} or None
        Who begins the next game; None: as the base game says.
    scores : tuple of two int
        Points of player 0 and player 1.
    games : int
        Games finished.
    playing : bool
        Whether a game is under way.
    earned : frozenset of (player, place in bonuses)
        What has been earned in this game that can be earned only once.
    last_winner, last_first : 0, 1 or None
        Of the last game finished.

    Raises
    ------
    RuleError
        Options that do not exist.

    Notes
    -----
    Should both reach the target with the same turn, the higher score wins; if level, the match goes on.
    **Threads:** immutable, safe to share.

    Examples
    --------
    >>> from bgcore import Position
    >>> home = [0, 0, 0, 0, 0, 0, 7] + 19 * [0]
    >>> position = Position.from_counts([[15] + 25 * [0], [8] + home[1:]])
    >>> GulBar().after_game(0, position).scores
    (7, 0)
    """

    base: Rules = UZUN_TAVLA
    target: int = TARGET
    match_end: Literal["immediately", "game_end"] = "immediately"
    blockade: int = BLOCKADE
    blocked_test: Literal["same_dice", "any_roll"] = "same_dice"
    bonuses: tuple[Bonus, ...] = BONUSES
    next_first: NextFirst | None = None
    scores: tuple[int, int] = (0, 0)
    games: int = 0
    playing: bool = False
    earned: frozenset[tuple[Player, int]] = frozenset()
    last_winner: Player | None = None
    last_first: Player | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.base, Rules):
            raise TypeError(f"base is a Rules, not {self.base!r}")
        if type(self.target) is not int or self.target < 1:
            raise RuleError(f"target is a number of points from 1 on, not {self.target!r}")
        if self.match_end not in ("immediately", "game_end"):
            raise RuleError(f"match_end is 'immediately' or 'game_end', not {self.match_end!r}")
        if self.blocked_test not in ("same_dice", "any_roll"):
            raise RuleError(f"blocked_test is 'same_dice' or 'any_roll', not {self.blocked_test!r}")
        if type(self.blockade) is not int or self.blockade < 0:
            raise RuleError(f"a blockade pays 0 points or more, not {self.blockade!r}")
        if not all(isinstance(bonus, Bonus) for bonus in self.bonuses):
            raise TypeError(f"bonuses is a tuple of Bonus, not {self.bonuses!r}")
        self._first()  # refuses a rule that does not exist

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None while it goes on."""
        zero, one = self.scores
        if max(zero, one) < self.target or zero == one or (self.match_end == "game_end" and self.playing):
            return None
        return 0 if zero > one else 1

    @property
    def first(self) -> Player | None:
        """Who begins the next game; None: the dice decide, or the match is won."""
        return None if self.winner is not None else self._first()

    def after_turn(
        self, player: Player, position: Position, dice: tuple[int, int], result: Position | None = None
    ) -> GulBar:
        """The match after one roll of a game.

        Parameters
        ----------
        player : 0 or 1
            Who has rolled.
        position : Position
            Before his play, seen by him.
        dice : two integers
        result : Position, optional
            After his play, seen by the player who rolls next (``Play.result``); not given if he passed.

        Returns
        -------
        GulBar

        Raises
        ------
        RuleError
            The match is won; no such player; dice outside 1 to 6.
        InvalidPosition
            No position of the base game.

        Notes
        -----
        With a base game whose doubles cascade, the sub-rolls after the first are no rolls of their own, so they are
        not told one by one: ``position`` is that before the first, ``result`` that after the last.
        """
        check_player(player)
        self._refuse_if_won()
        theirs = position.flipped() if result is None else result
        roll = self.base.roll(position, dice)
        views: tuple[tuple[Player, Seen], ...] = (
            (player, Seen(True, roll, position, theirs.flipped())),
            (other(player), Seen(False, roll, position.flipped(), theirs)),
        )
        scores, earned = list(self.scores), set(self.earned)
        for place, bonus in enumerate((self._blockade(), *self.bonuses), -1):
            if not bonus.points:
                continue
            for who, seen in views:
                if (who, place) not in earned and bonus.holds(self.base, seen):
                    scores[who] += bonus.points
                    if bonus.once_per_game:
                        earned.add((who, place))
        return replace(self, scores=(scores[0], scores[1]), playing=True, earned=frozenset(earned))

    def after_game(self, winner: Player | None, position: Position, *, first: Player | None = None) -> GulBar:
        """The match after the end of a game.

        Parameters
        ----------
        winner : 0, 1 or None
            None: drawn, which pays nobody.
        position : Position
            The last one, seen by the winner.
        first : 0, 1 or None
            Who began the game: needed for ``next_first="alternate"`` only.

        Raises
        ------
        RuleError
            The match is won; the game is not over, or another has won it.
        InvalidPosition
            No position of the base game.
        """
        self._refuse_if_won()
        outcome = self.base.outcome(position)
        if outcome is None:
            raise RuleError("the game is not over: nobody has won it")
        if outcome.winner != (None if winner is None else "own"):
            raise RuleError(f"the game was {'drawn' if outcome.winner is None else 'won by ' + outcome.winner}")
        if first is None and self._rule() == "alternate":
            raise RuleError("say who began with first=, since the other begins the next game")
        return self.after_award(winner, 0 if winner is None else men_left(self.base, position), first=first)

    def after_award(self, winner: Player | None, points: int, *, first: Player | None = None) -> GulBar:
        """The match after a game that did not end on the board: forfeited, or neither side could move any more.

        Parameters
        ----------
        winner : 0, 1 or None
            None: drawn.
        points : int
            What he gets; 0 for a draw.
        first : 0, 1 or None
            As in `after_game`.

        Raises
        ------
        RuleError
            The match is won; no such player; points that are negative, or without a winner.
        """
        self._refuse_if_won()
        if type(points) is not int or points < 0 or (winner is None and points):
            raise RuleError(f"a game pays its winner 0 points or more, and nobody if drawn, not {points!r}")
        scores = list(self.scores)
        if winner is not None:
            scores[check_player(winner)] += points
        return replace(
            self,
            scores=(scores[0], scores[1]),
            games=self.games + 1,
            playing=False,
            earned=frozenset(),
            last_winner=winner,
            last_first=None if first is None else check_player(first),
        )

    def _rule(self) -> NextFirst:
        return self.base.next_first if self.next_first is None else self.next_first

    def _first(self) -> Player | None:
        return next_first(self._rule(), winner=self.last_winner, previous=self.last_first)

    def _blockade(self) -> Bonus:
        """The blockade as one bonus among others."""
        name = "blockade" if self.blocked_test == "same_dice" else "blockade_any_roll"
        return Bonus(name, self.blockade, once_per_game=False)

    def _refuse_if_won(self) -> None:
        if self.winner is not None:
            raise RuleError(f"the match is over: player {self.winner} has won it {self.scores[0]}-{self.scores[1]}")
