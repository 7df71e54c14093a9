"""The cube and the score, apart from any position: options of a match, and what a game pays.

`MatchOptions` says how a match or a money session is played beyond its rule set; `game_points` what a game pays that
was played to its end, `drop_points` and `resignation_points` what one pays that was not.  Who may offer the cube and
when is in `bgcore.match.state`.

Source: variants.md §12; the field's usual rules for Jacoby, Crawford and Holland.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

from bgcore.errors import RuleError
from bgcore.match.opening import Player
from bgcore.rules import Rules

__all__ = [
    "LARGEST_CUBE",
    "GameEnd",
    "MatchOptions",
    "drop_points",
    "game_points",
    "resignation_levels",
    "resignation_points",
]

LARGEST_CUBE = 1 << 30
"""No cube goes beyond this, whatever the options: other programs keep it in 32 bits."""

MOST_POINTS = (1 << 31) - 1
"""The largest match length, and the largest stake."""


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How a match or a money session is played, beyond its rule set and its length.

    Parameters
    ----------
    jacoby : bool
        Money: while the cube is centred, a game pays a single one however it ends.  It needs a cube: without one it
        means nothing.  An automatic double does not turn the cube.
    beavers : int
        Money: how many times in a row the players may redouble at once after a double, the beaver of the receiver and
        the raccoon of the doubler counted; 0 = not at all.
    automatic_doubles : int
        Money: how many ties of the opening roll double the centred cube, each game.
    cube_limit : int or None
        The largest cube, a power of 2; None = 2**30.
    raccoon_owner : {"receiver", "doubler"}
        Who owns the cube after a raccoon.
    table_stakes : (int, int) or None
        Money: the points that player 0 and player 1 can each lose, over the whole session and net of what they have
        won.  Nobody pays more; the session is over when one has nothing left.
    dead_cube : {"allow", "forbid"}
        Match: whether a player may offer the cube when a single game at its present value wins him the match.
    crawford : bool
        Match: no doubling in the first game after a player comes to one point from winning.
    holland : bool
        Match: after the Crawford game, no doubling before both players have rolled twice.
    declined_for : {"game", "turn"}
        A resignation that was declined can only be followed by a higher one: for the rest of the game, or until the
        next play or pass.

    Raises
    ------
    RuleError
        Values that do not exist.

    Examples
    --------
    >>> MatchOptions(beavers=2)
    MatchOptions(beavers=2)
    """

    jacoby: bool = True
    beavers: int = 0
    automatic_doubles: int = 0
    cube_limit: int | None = None
    raccoon_owner: Literal["receiver", "doubler"] = "receiver"
    table_stakes: tuple[int, int] | None = None
    dead_cube: Literal["allow", "forbid"] = "allow"
    crawford: bool = True
    holland: bool = False
    declined_for: Literal["game", "turn"] = "game"

    def __post_init__(self) -> None:
        for name in ("jacoby", "crawford", "holland"):
            if type(getattr(self, name)) is not bool:
                raise RuleError(f"{name} is True or False, not {getattr(self, name)!r}")
        for name in ("beavers", "automatic_doubles"):
            number = getattr(self, name)
            if type(number) is not int or not 0 <= number <= 30:
                raise RuleError(f"{name} is a number from 0 to 30, not {number!r}")
        limit = self.cube_limit
        if limit is not None and (type(limit) is not int or not 1 <= limit <= LARGEST_CUBE or limit & (limit - 1)):
            raise RuleError(f"cube_limit is None or a power of 2 up to 2**30, not {limit!r}")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise RuleError(f"{name} is {choices[0]!r} or {choices[1]!r}, not {getattr(self, name)!r}")
        if self.table_stakes is not None:
            stakes = tuple(self.table_stakes)
            if len(stakes) != 2 or not all(type(n) is int and 1 <= n <= MOST_POINTS for n in stakes):
                raise RuleError(f"table_stakes is None or two numbers of points from 1 on, not {self.table_stakes!r}")
            object.__setattr__(self, "table_stakes", stakes)

    def for_length(self, length: int) -> MatchOptions:
        """The same options for a match of some length, or for money play (0).

        Parameters
        ----------
        length : int
            Points that win the match; 0 is money play.

        Returns
        -------
        MatchOptions
            In a match without Jacoby, in money play with the Crawford rule: neither means anything there, so that equal
            matches are equal values.

        Raises
        ------
        RuleError
            An option that belongs to the other kind of play.
        """
        names = ("beavers", "automatic_doubles", "table_stakes") if length else ("dead_cube", "holland")
        for name in names:
            if getattr(self, name) != DEFAULTS[name]:
                raise RuleError(f"{name} is an option of {'money play, not of a match' if length else 'matches only'}")
        changes = {"jacoby": False} if length else {"crawford": True}
        return MatchOptions(**{f.name: getattr(self, f.name) for f in fields(self)} | changes)

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in DEFAULTS if getattr(self, name) != DEFAULTS[name]}
        return f"MatchOptions({', '.join(f'{name}={value!r}' for name, value in given.items())})"


CHOICES = {
    "raccoon_owner": ("receiver", "doubler"),
    "dead_cube": ("allow", "forbid"),
    "declined_for": ("game", "turn"),
}
DEFAULTS = {field.name: field.default for field in fields(MatchOptions)}


class GameEnd(NamedTuple):
    """How a game of a match has ended."""

    winner: Player | None
    """None: drawn."""
    points: int
    """What it paid, the cube and table stakes counted; of a draw, to each."""
    kind: str
    """As in `bgcore.Outcome`; "single" after a drop or a forfeit, the level of a resignation."""
    how: Literal["play", "drop", "resignation", "forfeit", "stuck"]
    """What ended it; "stuck": no roll lets either side move."""


def game_points(rules: Rules, points: int, cube: int, *, jacoby: bool = False) -> int:
    """What a game pays that was played to its end.

    Parameters
    ----------
    rules : Rules
    points : int
        ``Outcome.points``: what the rule set pays for how it ended.
    cube : int
        The value of the cube, 1 without one.
    jacoby : bool
        Whether the Jacoby rule holds and the cube is still centred.

    Examples
    --------
    >>> from bgcore.rules import BACKGAMMON
    >>> game_points(BACKGAMMON, 2, 4), game_points(BACKGAMMON, 2, 1, jacoby=True)
    (8, 1)
    """
    return (rules.scoring[0] if jacoby else points) * cube


def drop_points(rules: Rules, cube: int) -> int:
    """What a drop pays: a single game at the value before the offer.

    Examples
    --------
    >>> from bgcore.rules import BACKGAMMON
    >>> drop_points(BACKGAMMON, 2)
    2
    """
    return rules.scoring[0] * cube


def resignation_levels(rules: Rules) -> int:
    """The highest level at which a game can be resigned: 1 single, 2 gammon, 3 backgammon.

    Rule sets that pay no more for a backgammon, or where there is none, have no level 3; where a gammon pays no more
    either, no level 2.

    Examples
    --------
    >>> from bgcore.rules import BACKGAMMON, PLAKOTO
    >>> resignation_levels(BACKGAMMON), resignation_levels(PLAKOTO)
    (3, 2)
    """
    single, gammon, backgammon = rules.scoring
    if backgammon > gammon and rules.geometry == "contrary":
        return 3
    return 2 if gammon > single else 1


def resignation_points(rules: Rules, level: int, cube: int, *, jacoby: bool = False) -> int:
    """What an accepted resignation pays.

    Parameters
    ----------
    rules : Rules
    level : int
        1 single, 2 gammon, 3 backgammon.
    cube : int
        The value of the cube, 1 without one.
    jacoby : bool
        Whether the Jacoby rule holds and the cube is still centred: then every level pays a single game.

    Raises
    ------
    RuleError
        The rule set has no such level.

    Examples
    --------
    >>> from bgcore.rules import BACKGAMMON
    >>> resignation_points(BACKGAMMON, 2, 2), resignation_points(BACKGAMMON, 2, 1, jacoby=True)
    (4, 1)
    """
    if not 1 <= level <= resignation_levels(rules):
        raise RuleError(f"{rules.name}: a game is resigned at level 1 to {resignation_levels(rules)}, not {level!r}")
    return game_points(rules, rules.scoring[level - 1], cube, jacoby=jacoby)
