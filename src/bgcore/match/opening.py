"""Who begins a game, and with which roll.

Players are 0 and 1.  A *throw* is one die each, player 0's first; a roll is two dice of one player.  Dice are handed in
as an iterable of pairs in the order thrown, of which only what is needed is taken: a list from real dice or a record,
or `thrown` for seeded ones.  Nothing here knows a score, a cube or a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, SupportsIndex

from bgcore.dice import SeededDice, check_roll
from bgcore.errors import RuleError
from bgcore.rules import Rules

__all__ = [
    "NEXT_FIRST",
    "NextFirst",
    "Opening",
    "Player",
    "begin",
    "check_player",
    "first_of",
    "keep_dice",
    "next_first",
    "opponents_checkers",
    "other",
    "reroll",
    "settled",
    "thrown",
]

Player = Literal[0, 1]
Pair = Sequence[SupportsIndex]
NextFirst = Literal["roll", "winner", "loser", "alternate"]

NEXT_FIRST: tuple[NextFirst, ...] = ("roll", "winner", "loser", "alternate")
"""The ways to settle who begins the next game: dice, the winner or the loser of the last one, turn and turn about."""


class Opening(NamedTuple):
    """How a game has begun."""

    first: Player
    """Who plays first."""
    roll: tuple[int, int]
    """The roll that he plays, larger die first."""
    throws: tuple[tuple[int, int], ...] = ()
    """The throws of one die each, player 0's die first; the last one decided.  Empty if it was settled who begins.
    With `opponents` they are of two dice, player 0's and player 1's in turn."""
    opponents: bool = False
    """Whether the roll is played with the opponent's checkers, after which the opponent rolls."""

    @property
    def ties(self) -> int:
        """How many throws were equal and thrown again: what automatic doubles count."""
        return max(0, len(self.throws) // (1 + self.opponents) - 1)


def first_of(throw: Pair) -> Player | None:
    """Who begins after a throw of one die each: the higher die, or None for a tie.

    Raises
    ------
    RuleError
        A die outside 1 to 6.

    Examples
    --------
    >>> first_of((5, 2)), first_of((2, 5)), first_of((4, 4))
    (0, 1, None)
    """
    check_roll(throw)
    zero, one = (die.__index__() for die in throw)
    return None if zero == one else 0 if zero > one else 1


def keep_dice(dice: Iterable[Pair]) -> Opening:
    """One die each, ties thrown again; the winner plays the two dice that decided, so never a double.

    Parameters
    ----------
    dice : iterable of pairs
        The throws, player 0's die first.

    Raises
    ------
    RuleError
        A die outside 1 to 6; the dice end before a throw decides.

    Notes
    -----
    International backgammon; article 26.3 of the Russian rules for short nardy (variants.md §8).

    Examples
    --------
    >>> keep_dice([(3, 3), (4, 6)])
    Opening(first=1, roll=(6, 4), throws=((3, 3), (4, 6)), opponents=False)
    """
    return _decide(iter(dice), keep=True)


def reroll(dice: Iterable[Pair]) -> Opening:
    """One die each, ties thrown again; the winner throws both dice for his first roll, so a double can open.

    Parameters
    ----------
    dice : iterable of pairs
        The throws, player 0's die first, and after the one that decides the winner's roll.

    Raises
    ------
    RuleError
        A die outside 1 to 6; the dice end before the winner's roll.

    Notes
    -----
    Tavli and the parallel games (variants.md §3 to §10).

    Examples
    --------
    >>> reroll([(4, 4), (5, 2), (6, 6)])
    Opening(first=0, roll=(6, 6), throws=((4, 4), (5, 2)), opponents=False)
    """
    return _decide(iter(dice), keep=False)


def opponents_checkers(dice: Iterable[Pair]) -> Opening:
    """Both throw two dice; the winner plays his throw with the opponent's checkers, and then the opponent rolls.

    Any double beats what is no double, a higher double the lower one; else the higher sum wins.  If equal, both throw
    again.

    Parameters
    ----------
    dice : iterable of pairs
        The throws of both dice, player 0's and player 1's in turn.

    Raises
    ------
    RuleError
        A die outside 1 to 6; the dice end before a throw decides.

    Notes
    -----
    Julbahar (variants.md §7.3).  Where the one source says "the higher number", we compare sums; that the opponent
    rolls next is our reading of "play then continues as usual".

    Examples
    --------
    >>> opponents_checkers([(6, 5), (1, 1)])
    Opening(first=1, roll=(1, 1), throws=((6, 5), (1, 1)), opponents=True)
    """
    thrown_ = iter(dice)
    throws: list[tuple[int, int]] = []
    while True:
        zero, one = (check_roll(_take(thrown_)) for _ in range(2))
        throws += [zero, one]
        if _strength(zero) != _strength(one):
            first: Player = 0 if _strength(zero) > _strength(one) else 1
            return Opening(first, throws[first - 2], tuple(throws), opponents=True)


def _strength(roll: tuple[int, int]) -> tuple[bool, int]:
    """What is compared of two throws: doubles first, then the sum."""
    return roll[0] == roll[1], sum(roll)


def settled(first: Player, dice: Iterable[Pair]) -> Opening:
    """It is settled who begins, so he throws both dice; a double can open.

    Raises
    ------
    RuleError
        No such player; a die outside 1 to 6; no dice.

    Examples
    --------
    >>> settled(1, [(2, 2)])
    Opening(first=1, roll=(2, 2), throws=(), opponents=False)
    """
    return Opening(check_player(first), check_roll(_take(iter(dice))))


def begin(rules: Rules, dice: Iterable[Pair], first: Player | None = None) -> Opening:
    """Begin a game as its rules say.

    Parameters
    ----------
    rules : Rules
        ``rules.opening`` says how.
    dice : iterable of pairs
        As many as are needed are taken.
    first : 0, 1 or None
        Who begins, if `next_first` has settled it; None: the dice decide.

    Raises
    ------
    RuleError
        No such player; a die outside 1 to 6; the dice end too early.
    """
    opponents = rules.opening == "opponents_checkers"
    if first is not None:
        return settled(first, dice)._replace(opponents=opponents)
    if opponents:
        return opponents_checkers(dice)
    return _decide(iter(dice), keep=rules.opening == "keep_dice")


def next_first(rule: NextFirst, *, winner: Player | None, previous: Player | None) -> Player | None:
    """Who begins the next game.

    Parameters
    ----------
    rule : {"roll", "winner", "loser", "alternate"}
    winner : 0, 1 or None
        Who won the last game; None: it was drawn, or there was none.
    previous : 0, 1 or None
        Who began the last game; None: there was none.

    Returns
    -------
    0, 1 or None
        None: the dice decide.  So it is before the first game, and with "winner" and "loser" after a draw.

    Raises
    ------
    RuleError
        No such rule or player.
    """
    if rule not in NEXT_FIRST:
        raise RuleError(f"next_first is one of {', '.join(NEXT_FIRST)}, not {rule!r}")
    for player in (winner, previous):
        if player is not None:
            check_player(player)
    if rule == "alternate":
        return None if previous is None else other(previous)
    if rule == "roll" or winner is None:
        return None
    return winner if rule == "winner" else other(winner)


def thrown(dice: SeededDice) -> Iterator[tuple[int, int]]:
    """Seeded pairs of dice without end, in the order thrown.

    Notes
    -----
    Stability: one pair is one call of ``dice.rolls(1)``.
    """
    while True:
        zero, one = dice.rolls(1)[0].tolist()
        yield zero, one


def other(player: Player) -> Player:
    """The opponent of a player."""
    return 1 if player == 0 else 0


def check_player(player: object) -> Player:
    """The player, which must be 0 or 1.

    Raises
    ------
    RuleError
        It is something else; True and False are no players.
    """
    if type(player) is int:
        if player == 0:
            return 0
        if player == 1:
            return 1
    raise RuleError(f"a player is 0 or 1, not {player!r}")


def _decide(dice: Iterator[Pair], *, keep: bool) -> Opening:
    """Throw one die each until somebody has won, and give him his roll."""
    throws: list[tuple[int, int]] = []
    while True:
        throw = _take(dice)
        first = first_of(throw)
        throws.append((throw[0].__index__(), throw[1].__index__()))
        if first is not None:
            return Opening(first, check_roll(throw if keep else _take(dice)), tuple(throws))


def _take(dice: Iterator[Pair]) -> Pair:
    """The next pair."""
    try:
        return next(dice)
    except StopIteration:
        raise RuleError("the dice end before the game has begun: give one more pair") from None
