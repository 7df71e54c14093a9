"""A match as somebody wrote it down: its games, turn by turn, and what was odd about the text.

Every reader of `bgcore.formats` makes these values, and every writer takes them.  They hold what was played, also
where it was against the rules: an illegal play stays with the position it left, an unknown one as the words that stood
there.  Nothing here reads or writes a file, and nothing asks whether an action was allowed.

Seats: player 0 is the left column of a text transcript, XG's player 1, White in GNU Backgammon's SGF, Green in BGBlitz.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bgcore.match.opening import Player, other
from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules

__all__ = ["Ending", "Game", "GameEnd", "Kind", "Match", "Note", "Step", "Turn", "TurnAction"]

TurnAction = Literal["play", "double", "take", "drop", "beaver", "raccoon"]
"""What a player does: a roll and what is made of it, or something about the cube."""

Kind = Literal["single", "gammon", "backgammon"]
"""By how much a game is won."""

Ending = Literal["played", "dropped", "resigned", "settled", "time", "forfeited", "unknown"]
"""How a game has ended; "unknown": somebody is said to have won, and nothing says how."""


class Note(NamedTuple):
    """Something odd about a file, or something that had to be assumed."""

    message: str
    line: int | None = None
    """One-based line of a text."""
    offset: int | None = None
    """Zero-based byte of a file; of an SGF a character, of an XG file a byte of the records inside."""
    game: int | None = None
    """Zero-based place in `Match.games`."""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        place = place or (f"byte {self.offset}: " if self.offset is not None else "")
        return place + self.message


class Turn(NamedTuple):
    """One thing a player did."""

    player: Player
    action: TurnAction = "play"
    dice: tuple[int, int] | None = None
    """The roll of a "play", in the order of the file."""
    play: Play | None = None
    """The legal play; without moves for a roll that could not be played.  None: illegal or unknown."""
    result: Position | None = None
    """The position after a "play", seen by the opponent.  None: unknown."""
    text: str = ""
    """What stood in the file where `play` is None."""
    cube: int | None = None
    """The cube after a "double", "beaver" or "raccoon", should it be accepted."""
    comment: str = ""
    """What somebody wrote about it."""
    kept: str = ""
    """What the file said beside in a language of its own, as it stood: for an SGF its analysis."""

    @property
    def is_illegal(self) -> bool:
        """Whether it is a play against the rules that was made all the same."""
        return self.action == "play" and self.play is None and self.result is not None

    @property
    def is_unknown(self) -> bool:
        """Whether nobody knows which position it left."""
        return self.action == "play" and self.result is None


class GameEnd(NamedTuple):
    """How a game has ended."""

    winner: Player
    points: int
    """What it pays by board, cube and resignation, whatever the match still needs."""
    kind: Kind
    how: Ending
    stated: int | None = None
    """The points that the file gives."""


class Step(NamedTuple):
    """A turn and what it was made in."""

    turn: Turn
    position: Position | None
    """Before the turn, seen by the player who acts; None after an unknown play."""
    cube: int
    """Before the turn; while an answer is due still the one before the double."""
    owner: Player | None
    """Of that cube; None: centred."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a match.

    Parameters
    ----------
    turns : tuple of Turn
    end : GameEnd or None
        None: unfinished.
    score : tuple of two int
        Points of player 0 and player 1 before the game.
    crawford : bool
        Whether it is the Crawford game.
    start : Position
        Where the game began, as player 0 sees it.
    cube : int
        The cube at the beginning; above 1 after automatic doubles.
    owner : 0, 1 or None
        Of that cube.
    number : int
        As the file counts, usually from 1.
    comment, kept : str
        As in `Turn`.
    """

    turns: tuple[Turn, ...] = ()
    end: GameEnd | None = None
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    start: Position = BACKGAMMON.start
    cube: int = 1
    owner: Player | None = None
    number: int = 1
    comment: str = ""
    kept: str = ""

    def steps(self) -> Iterator[Step]:
        """Each turn with the position and the cube that it was made in.

        Yields
        ------
        Step
        """
        board: Position | None = self.start
        seen_by: Player = 0
        cube, owner = self.cube, self.owner
        offered, taker = cube, owner
        for turn in self.turns:
            if board is not None and seen_by != turn.player:
                board, seen_by = board.flipped(), turn.player
            yield Step(turn, board, cube, owner)
            if turn.action == "play":
                board, seen_by = turn.result, other(turn.player)
            elif turn.action == "double":
                offered, taker = turn.cube or 2 * cube, other(turn.player)
            elif turn.action in ("beaver", "raccoon"):
                offered = turn.cube or 2 * offered
            if turn.action in ("take", "play"):  # to roll on is to accept, a beaver for example
                cube, owner = offered, taker

    @property
    def result(self) -> Position | None:
        """The last position, as player 0 sees it; None: unknown."""
        for turn in reversed(self.turns):
            if turn.action == "play":
                return turn.result if turn.result is None or turn.player == 1 else turn.result.flipped()
        return self.start

    def told(self) -> list[tuple[object, ...]]:
        """What two files about one game must agree on; see `Match.same_play`."""
        story: list[tuple[object, ...]] = [("starts", self.start, self.cube, self.owner)]
        for turn in self.turns:
            if turn.action == "play":
                dice = None if turn.dice is None else tuple(sorted(turn.dice))
                story.append((turn.player, "play", dice, turn.result))
            else:
                story.append((turn.player, turn.action))
        if self.end is not None:
            if self.end.how != "played" and self.turns and self.turns[-1].is_unknown:
                story.pop()  # many programs don't write a roll that was answered by resigning
            story.append(("won by", self.end.winner))
        return story

    def _repr_html_(self) -> str:
        """The last position and the turns, for notebooks."""
        from bgcore.match.shown import game_html

        return game_html(self)


@dataclass(frozen=True, slots=True)
class Match:
    """A match or a money session, as it was written down.

    Parameters
    ----------
    names : tuple of two str
    length : int
        Points that win it; 0: money play without end.
    games : tuple of Game
    rules : Rules
        Backgammon, or a game that differs in how it begins.
    crawford : bool
        Whether the match has a Crawford game.
    jacoby, beavers : bool or None
        Options of money play; None: the file doesn't say.
    use_cube : bool
        Whether there is a cube.
    date : str
        ``yyyy-mm-dd``, or less of it; empty: unknown.
    event, site, round : str
    ratings : tuple of two float or None
    info : tuple of pairs of str
        What else the head of the file said, by name.
    comment : str
    format : str
        The format it was read from, as `bgcore.write_match` names it.
    notes : tuple of Note
        What was odd.

    Notes
    -----
    Equality is by all fields; `same_play` asks whether two files tell of one and the same match.  **Threads:**
    immutable, safe to share.
    """

    names: tuple[str, str] = ("", "")
    length: int = 0
    games: tuple[Game, ...] = ()
    rules: Rules = BACKGAMMON
    crawford: bool = True
    jacoby: bool | None = None
    beavers: bool | None = None
    use_cube: bool = True
    date: str = ""
    event: str = ""
    site: str = ""
    round: str = ""
    ratings: tuple[float | None, float | None] = (None, None)
    info: tuple[tuple[str, str], ...] = ()
    comment: str = ""
    format: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """Points after the last game that has ended."""
        if not self.games:
            return 0, 0
        last = self.games[-1]
        zero, one = last.score
        if last.end is not None:
            zero, one = (zero + last.end.points, one) if last.end.winner == 0 else (zero, one + last.end.points)
        return zero, one

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None: nobody yet, or money play."""
        if not self.length or max(self.score) < self.length:
            return None
        return 0 if self.score[0] > self.score[1] else 1

    def difference(self, another: Match) -> str:
        """Where the play of two matches first differs.

        Returns
        -------
        str
            Empty: nowhere, see `same_play`.
        """
        if self.length != another.length:
            return f"length {self.length} and {another.length}"
        for number, (one, two) in enumerate(zip(self.games, another.games, strict=False), 1):
            mine, theirs = one.told(), two.told()
            for place, (told, retold) in enumerate(zip(mine, theirs, strict=False)):
                if told != retold:
                    return f"game {number}, turn {place}: {told} and {retold}"
            if len(mine) != len(theirs):
                return f"game {number} has {len(mine) - 1} and {len(theirs) - 1} turns"
        if len(self.games) != len(another.games):
            return f"{len(self.games)} and {len(another.games)} games"
        return ""

    def same_play(self, another: Match) -> bool:
        """Whether two files tell of one and the same match.

        Compared are the length, where each game began, who acted, the dice as a pair without order, the position after
        each play (or that it is unknown), what was done with the cube, and who won.  Not compared: names, dates,
        points, scores, comments, analysis, how a play was spelled, and a last roll that its player answered by
        resigning.

        Parameters
        ----------
        another : Match

        Returns
        -------
        bool
        """
        return not self.difference(another)

    def _repr_html_(self) -> str:
        """A table of the games, for notebooks."""
        from bgcore.match.shown import match_html

        return match_html(self)
