"""The Tavli match: a fixed row of games, who wins it, and who begins each game.

A match is a frozen value that knows its options and the results so far; everything else follows from them.  It is told
how each game ended and says which game is next.  It plays nothing; `play_random` does, to show and test a match.

Two ways to win: `best_of_three` plays Portes, Plakoto and Fevga once each and asks for two games; `points` goes round
the three games until somebody has enough points, as `tabla_match` does with the Bulgarian three.

Sources: variants.md §6 (the user's rule texts for the best of three; Wikipedia "Tavli" and Condos on bkgm.com for
points; Wikipedia "Tapa" for the Bulgarian games).  What it marks as derived, the replay and the starter after a draw,
is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from bgcore.dice import SeededDice
from bgcore.errors import RuleError
from bgcore.match.opening import NEXT_FIRST, NextFirst, Player, check_player, next_first
from bgcore.match.random_game import RandomGame, random_game
from bgcore.rules import BACKGAMMON, FEVGA, GUL_BARA, PLAKOTO, PORTES, Rules, get

__all__ = [
    "BULGARIAN",
    "TABLA",
    "TAPA",
    "TAVLI",
    "GameResult",
    "RandomMatch",
    "TavliMatch",
    "best_of_three",
    "play_random",
    "points",
    "tabla_match",
]

TAVLI: tuple[Rules, ...] = (PORTES, PLAKOTO, FEVGA)
"""The games of Tavli in their order."""

TABLA = BACKGAMMON.replace(name="tabla", cube=False)
"""The first of the Bulgarian games: backgammon without the cube."""

TAPA = get("plakoto", preset="tapa")
"""The last of the Bulgarian games: Plakoto without the mother."""

BULGARIAN: tuple[Rules, ...] = (TABLA, GUL_BARA, TAPA)
"""The games of a Bulgarian or Macedonian match in their order."""

WINS = 2
"""Games to win in a best of three."""


class GameResult(NamedTuple):
    """How one game of a match ended."""

    rules: Rules
    first: Player | None
    """Who began; None: the dice decided, and the match was not told how."""
    winner: Player | None
    """None: drawn."""
    points: int
    """Of a draw, what each side gets."""
    kind: str
    """As in `bgcore.Outcome`."""


@dataclass(frozen=True, slots=True)
class TavliMatch:
    """A match of several games.

    Made by `best_of_three`, `points` or `tabla_match`, and from then on by `after`.

    Parameters
    ----------
    games : tuple of Rules
        The games in their order; a best of three has three.
    target : int or None
        Points that win; None: best of three.
    play_all : bool
        Best of three: play the third game even if it decides nothing.
    tiebreak : {"replay", "points"}
        Best of three, level after three games: play the drawn game again until it is won; or the points of the games
        decide, and if they are level too it is played again.
    next_first : {"winner", "roll", "loser", "alternate"}
        Who begins the next game: the winner of the last one, and so on.
    results : tuple of GameResult
        The games played; grown by `after`.

    Raises
    ------
    RuleError
        Options that do not go together.

    Notes
    -----
    Equality and hash are by options and results.  **Threads:** immutable, safe to share.

    Examples
    --------
    >>> match = best_of_three().after(0).after(1, 2, "mother")
    >>> match.rules.name, match.wins, match.first
    ('fevga', (1, 1), 1)
    >>> match.after(1).winner
    1
    """

    games: tuple[Rules, ...] = TAVLI
    target: int | None = None
    play_all: bool = False
    tiebreak: Literal["replay", "points"] = "replay"
    next_first: NextFirst = "winner"
    results: tuple[GameResult, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.games, tuple) or not all(isinstance(rules, Rules) for rules in self.games):
            raise TypeError(f"games is a tuple of Rules, not {self.games!r}")
        if self.tiebreak not in ("replay", "points"):
            raise RuleError(f"tiebreak is 'replay' or 'points', not {self.tiebreak!r}")
        if self.next_first not in NEXT_FIRST:
            raise RuleError(f"next_first is one of {', '.join(NEXT_FIRST)}, not {self.next_first!r}")
        if self.target is None:
            if len(self.games) != 3:
                raise RuleError(f"a best of three has three games, not {len(self.games)}")
        else:
            if type(self.target) is not int or self.target < 1:
                raise RuleError(f"target is a number of points from 1 on, not {self.target!r}")
            if not self.games:
                raise RuleError("a match needs a game")
            if self.play_all or self.tiebreak != "replay":
                raise RuleError("play_all and tiebreak go with a best of three, not with a match to points")

    # ---- what follows from the results

    @property
    def wins(self) -> tuple[int, int]:
        """Games won by player 0 and by player 1."""
        winners = [result.winner for result in self.results]
        return winners.count(0), winners.count(1)

    @property
    def points(self) -> tuple[int, int]:
        """Points of player 0 and of player 1; a draw gives its points, if any, to both."""
        zero, one = (sum(r.points for r in self.results if r.winner in (player, None)) for player in (0, 1))
        return zero, one

    @property
    def score(self) -> tuple[int, int]:
        """What the match is decided by: `wins` in a best of three, else `points`."""
        return self.wins if self.target is None else self.points

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None while it goes on."""
        zero, one = self.score
        if self.target is not None:
            return _leader(zero, one) if max(zero, one) >= self.target else None
        if len(self.results) < 3 and (self.play_all or max(zero, one) < WINS):
            return None
        if max(zero, one) >= WINS:
            return _leader(zero, one)
        return _leader(*self.points) if self.tiebreak == "points" else None

    @property
    def rules(self) -> Rules | None:
        """The game to be played next; None once the match is won."""
        if self.winner is not None:
            return None
        played = len(self.results)
        if self.target is not None:
            return self.games[played % len(self.games)]
        if played < 3:
            return self.games[played]
        return next(result.rules for result in reversed(self.results) if result.winner is None)

    @property
    def first(self) -> Player | None:
        """Who begins the next game; None: the dice decide, as that game's ``opening`` says, or the match is won."""
        if self.winner is not None or not self.results:
            return None
        last = self.results[-1]
        return next_first(self.next_first, winner=last.winner, previous=last.first)

    # ---- one game further

    def after(
        self, winner: Player | None, points: int | None = None, kind: str | None = None, *, first: Player | None = None
    ) -> TavliMatch:
        """The match after one more game.

        Parameters
        ----------
        winner : 0, 1 or None
            None: drawn.
        points : int, optional
            What the game pays, with any cube; 1 if not given, for a draw ``rules.draw_points``.
        kind : str, optional
            As in `bgcore.Outcome`; "single" if not given, "draw" for a draw.
        first : 0, 1 or None
            Who began, if the dice decided it: needed for ``next_first="alternate"`` only.

        Returns
        -------
        TavliMatch

        Raises
        ------
        RuleError
            The match is won; no such player; points that a game cannot pay; somebody else began than the match said.
        """
        rules = self.rules
        if rules is None:
            raise RuleError(f"the match is over: player {self.winner} has won it {max(self.score)}-{min(self.score)}")
        if winner is None:
            points, kind = rules.draw_points if points is None else points, "draw" if kind is None else kind
            if points != rules.draw_points or kind != "draw":
                raise RuleError(
                    f"a draw of {rules.name} pays {rules.draw_points} points and is of kind 'draw', "
                    f"not {points} and {kind!r}"
                )
        else:
            check_player(winner)
            points, kind = 1 if points is None else points, "single" if kind is None else kind
            if type(points) is not int or points < 1:
                raise RuleError(f"a game that is won pays 1 point or more, not {points!r}")
            if kind == "draw":
                raise RuleError("a draw has no winner")
        began = self.first
        if first is not None:
            if began not in (None, check_player(first)):
                raise RuleError(f"player {began} begins this game, not player {first}")
            began = first
        if began is None and self.next_first == "alternate":
            raise RuleError("the dice decided who began: say who with first=, since the other begins the next game")
        return replace(self, results=(*self.results, GameResult(rules, began, winner, points, kind)))


def best_of_three(
    *,
    games: tuple[Rules, ...] = TAVLI,
    play_all: bool = False,
    tiebreak: Literal["replay", "points"] = "replay",
    next_first: NextFirst = "winner",
) -> TavliMatch:
    """A match of one game each, won by two games.

    The third game is not played when two are won, unless `play_all`.  A draw counts for nobody; if the games then end
    1-1, the drawn one is played again until it is won.

    Parameters
    ----------
    games : tuple of Rules
        Portes, Plakoto and Fevga if not given; for the Portes of Greek cafés, put
        ``bgcore.rules.get("portes", preset="greek")`` first.
    play_all, tiebreak, next_first
        As in `TavliMatch`.

    Raises
    ------
    RuleError
        Options that do not go together.
    """
    return TavliMatch(games, None, play_all, tiebreak, next_first)


def points(
    target: int, *, games: tuple[Rules, ...] = TAVLI, draw_points: int | None = None, next_first: NextFirst = "winner"
) -> TavliMatch:
    """A match that goes round the games until somebody has so many points; more than needed is fine.

    With ``draw_points=1`` both can reach the target at once: the match goes on until one is ahead.

    Parameters
    ----------
    target : int
        Usually 3, 5 or 7.
    games : tuple of Rules
        As in `best_of_three`.  Portes pays 1, 2 or 3 points, with ``preset="greek"`` 1 or 2; the other two 1 or 2.
    draw_points : {0, 1}, optional
        What a drawn Plakoto gives each side, instead of what its rules say (0).
    next_first
        As in `TavliMatch`.

    Raises
    ------
    RuleError
        Options that do not go together.

    Examples
    --------
    >>> match = points(3).after(0, 2, "gammon")
    >>> match.after(0, 2, "mother").winner
    0
    """
    if draw_points is not None:
        games = tuple(rules.replace(draw_points=draw_points) if rules.contact == "pin" else rules for rules in games)
    return TavliMatch(games, target, next_first=next_first)


def tabla_match(target: int = 5, *, next_first: NextFirst = "winner") -> TavliMatch:
    """The Bulgarian and Macedonian match: Tabla, Gul bara, Tapa, and round again, to 5 points.

    Parameters
    ----------
    target : int
    next_first
        As in `TavliMatch`.

    Raises
    ------
    RuleError
        Options that do not go together.
    """
    return points(target, games=BULGARIAN, next_first=next_first)


def _leader(zero: int, one: int) -> Player | None:
    """Who has more; None if level."""
    return None if zero == one else 0 if zero > one else 1


# ---- a match between two who play anything ------------------------------------------------------------------------


class RandomMatch(NamedTuple):
    """A match that has been played."""

    match: TavliMatch
    """After the last game."""
    games: tuple[RandomGame, ...]
    """The games; what `TavliMatch.results` says of each is the same."""


def play_random(seed: int | np.random.SeedSequence, match: TavliMatch | None = None) -> RandomMatch:
    """Play a match to its end with random plays.

    Parameters
    ----------
    seed : int or numpy.random.SeedSequence
        Same seed, same match.
    match : TavliMatch, optional
        Where to begin; `best_of_three` if not given.

    Returns
    -------
    RandomMatch

    Notes
    -----
    Stability: the dice are those of ``SeedSequence(entropy, spawn_key=(*spawn_key, 0))``, the choices among plays
    come from the same with 1.

    Examples
    --------
    >>> played = play_random(1)
    >>> played.match.winner is not None, len(played.games) == len(played.match.results)
    (True, True)
    """
    state = best_of_three() if match is None else match
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    streams = [
        np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, i), pool_size=root.pool_size) for i in (0, 1)
    ]
    dice, choices = SeededDice(streams[0]), np.random.Generator(np.random.PCG64(streams[1]))
    games = []
    while (rules := state.rules) is not None:
        game = random_game(rules, dice, choices, state.first)
        games.append(game)
        state = state.after(game.winner, game.points, game.kind, first=game.opening.first)
    return RandomMatch(state, tuple(games))
