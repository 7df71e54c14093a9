"""What every reader of match files builds with: plays are resolved, cube and score followed, oddities noted, once.

A reader knows its format and tells a `MatchBuilder` what stands there, in the order of the file; positions, legality
and how games end are found here.  With ``strict`` the first oddity is raised instead of noted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from bgcore.errors import BgcoreError, FormatError
from bgcore.formats.meaning import as_moved, chosen
from bgcore.formats.play_text import PlayText
from bgcore.match.opening import Player, other
from bgcore.match.transcript import Ending, Game, GameEnd, Kind, Match, Note, Turn, TurnAction
from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules
from bgcore.rules._find import find_plays

__all__ = ["LONGEST_MATCH", "MOST_GAMES", "GameBuilder", "MatchBuilder", "Notes"]

LONGEST_MATCH = 32767
"""Points; what GNU Backgammon's match ID has bits for.  Scores may not be larger either."""
LARGEST_CUBE = 2**30
MOST_GAMES = 100_000
MOST_TURNS = 2_000_000
MOST_NOTES = 1_000
"""Of one file; the rest of a hopeless one is counted, not kept."""
KINDS: tuple[Kind, Kind, Kind] = ("single", "gammon", "backgammon")
SHOWN = 60


def quoted(text: str) -> str:
    """Foreign text for a message: short, and in ASCII."""
    return ascii(text if len(text) <= SHOWN else text[:SHOWN] + "...")


class Notes:
    """What was odd about one file.

    Parameters
    ----------
    strict : bool
        Raise instead of noting.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.dropped = 0
        self._found: list[Note] = []

    def odd(self, message: str, *, line: int | None = None, offset: int | None = None, game: int | None = None) -> None:
        """Something is wrong, or may have been understood wrongly.

        Raises
        ------
        FormatError
            With ``strict``.
        """
        if self.strict:
            self.refuse(message, line=line, offset=offset)
        self.remark(message, line=line, offset=offset, game=game)

    def remark(
        self, message: str, *, line: int | None = None, offset: int | None = None, game: int | None = None
    ) -> None:
        """Something was assumed or left out, and nothing is wrong."""
        if not self.is_full:
            self._found.append(Note(message, line, offset, game))
        else:
            self.dropped += 1

    def refuse(self, message: str, *, line: int | None = None, offset: int | None = None) -> NoReturn:
        """The file cannot be read on."""
        where = f"line {line}: " if line is not None else f"byte {offset}: " if offset is not None else ""
        raise FormatError(where + message, line=line, offset=offset)

    @property
    def is_full(self) -> bool:
        """Whether further notes are only counted."""
        return len(self._found) >= MOST_NOTES

    def done(self) -> tuple[Note, ...]:
        """All notes."""
        if self.dropped:
            return (*self._found, Note(f"{self.dropped} more notes are left out"))
        return tuple(self._found)


class MatchBuilder:
    """A match while it is read; the attributes are those of `Match`."""

    def __init__(self, notes: Notes, format: str) -> None:
        self.notes = notes
        self.names: tuple[str, str] = ("", "")
        self.length = 0
        self.rules: Rules = BACKGAMMON
        self.crawford = True
        self.jacoby: bool | None = None
        self.beavers: bool | None = None
        self.fields: dict[str, Any] = {"format": format}
        self.games: list[Game] = []
        self.current: GameBuilder | None = None
        self.count = 0  # turns so far
        self._crawford_played = False

    def name(self, player: Player) -> str:
        """A player for a message."""
        name = self.names[player][:SHOWN]
        return (name if name.isprintable() else ascii(name)) or f"player {player + 1}"

    def set_length(self, length: int, *, line: int | None = None, offset: int | None = None) -> None:
        """How many points the match is played to."""
        if not 0 <= length <= LONGEST_MATCH:
            self.notes.refuse(
                f"a match to {length} points; up to {LONGEST_MATCH} are read, 0 for money play",
                line=line,
                offset=offset,
            )
        self.length = length

    def game(
        self,
        score: tuple[int, int],
        *,
        number: int | None = None,
        crawford: bool | None = None,
        start: Position | None = None,
        cube: int = 1,
        owner: Player | None = None,
        comment: str = "",
        kept: str = "",
        line: int | None = None,
        offset: int | None = None,
    ) -> GameBuilder:
        """Begin a game; the one before ends if it hasn't.

        Parameters
        ----------
        crawford : bool, optional
            What the file says; None: from the scores.
        start : Position, optional
            As player 0 sees it.
        """
        self.end_game()
        place = len(self.games)
        where: dict[str, Any] = {"line": line, "offset": offset}
        if place >= MOST_GAMES:
            self.notes.refuse(f"more than {MOST_GAMES} games", **where)
        if not all(0 <= points <= LONGEST_MATCH for points in score):
            self.notes.refuse(f"a score of {score[0]}-{score[1]}; up to {LONGEST_MATCH} points are read", **where)
        if self.games:
            self._check_score(score, where)
        if self.length and max(score) >= self.length:
            self.notes.odd(f"a game at {score[0]}-{score[1]} of a match to {self.length}", game=place, **where)
        by_score = (
            self.crawford
            and not self._crawford_played
            and self.length > 1
            and (score[0] == self.length - 1) != (score[1] == self.length - 1)
            and max(score) == self.length - 1
        )
        if crawford is None:
            crawford = by_score
        elif crawford != by_score and self.length != 1 and (self.length or crawford):  # at 1 point nobody can tell
            is_one = "" if crawford else "not "
            message = f"the file says that this is {is_one}the Crawford game; by the scores it is{' not' * crawford}"
            self.notes.odd(message, game=place, **where)
        self._crawford_played |= crawford
        self.current = GameBuilder(self, score, crawford, start or self.rules.start, cube, owner)
        self.current.extra = {
            "number": place + 1 if number is None else number,
            "comment": comment,
            "kept": kept,
        }
        return self.current

    def _check_score(self, score: tuple[int, int], where: dict[str, Any]) -> None:
        last = self.games[-1]
        if last.end is None:
            self.notes.odd("a game begins, but the last one has no end", game=len(self.games), **where)
            return
        expected = list(last.score)
        expected[last.end.winner] += last.end.points
        if tuple(expected) == score:
            return
        gains = score[0] - last.score[0], score[1] - last.score[1]
        end = last.end._replace(winner=0 if gains[0] else 1, points=max(gains))
        if last.end.how not in ("played", "dropped") and min(gains) == 0 < max(gains):
            times, rest = divmod(end.points, last.end.points // (KINDS.index(last.end.kind) + 1))
            if rest == 0 and times in (1, 2, 3):
                self.games[-1] = replace(last, end=end._replace(kind=KINDS[times - 1]))
                self.notes.odd(
                    f"by the score {self.name(end.winner)} has won {end.points} in the last game, not "
                    f"{self.name(last.end.winner)} {last.end.points}; read so",
                    game=len(self.games) - 1,
                    **where,
                )
                return
        self.notes.odd(
            f"the score is {score[0]}-{score[1]}, but after the last game it was {expected[0]}-{expected[1]}",
            game=len(self.games),
            **where,
        )

    def end_game(self) -> None:
        """Close the game that is open."""
        if self.current is not None:
            current, self.current = self.current, None
            self.games.append(current.finish())

    def done(self) -> Match:
        """The match."""
        self.end_game()
        return Match(
            names=self.names,
            length=self.length,
            games=tuple(self.games),
            rules=self.rules,
            crawford=self.crawford and self.length > 0,
            jacoby=self.jacoby,
            beavers=self.beavers,
            notes=self.notes.done(),
            **self.fields,
        )


class GameBuilder:
    """A game while it is read."""

    def __init__(
        self,
        match: MatchBuilder,
        score: tuple[int, int],
        crawford: bool,
        start: Position,
        cube: int,
        owner: Player | None,
    ) -> None:
        self.match, self.rules, self.notes = match, match.rules, match.notes
        self.place = len(match.games)
        self.score, self.crawford, self.start = score, crawford, start
        self.start_cube, self.start_owner = cube, owner
        self.cube, self.owner = cube, owner
        self.extra: dict[str, Any] = {}
        self.turns: list[Turn] = []
        self.board: Position | None = start  # seen by the player `sees`
        self.sees: Player = 0
        self.turn: Player | None = None  # who should act next; None: either may begin
        self.offered: int | None = None  # the cube that an answer is due to
        self.doubler: Player = 0
        self.resigned: tuple[Player, int | None] | None = None
        self.said: tuple[Player | None, int | None] | None = None
        self.how: Ending | None = None
        self.dropped: Player | None = None
        self.where: dict[str, Any] = {}
        self._late: tuple[str, dict[str, Any]] | None = None  # odd only if the game goes on

    # ---- what the file says

    def roll(
        self,
        player: Player,
        dice: tuple[int, int],
        written: PlayText,
        *,
        comment: str = "",
        kept: str = "",
        line: int | None = None,
        offset: int | None = None,
    ) -> None:
        """A roll and what was made of it, as a text or as moves."""
        if not self._acts(player, {"line": line, "offset": offset}):
            return
        if self.offered is not None:
            self._accept(rolling=True)
        before = self.board
        if before is not None and self.sees != player:
            before = before.flipped()
        play: Play | None = None
        result: Position | None = None
        if before is None:
            result = self._valid(written.position)
        elif written.unknown and written.position is None:
            self._late = f"{dice[0]}{dice[1]}: the play is not known: {quoted(written.text)}", self.where
        elif written.unknown:
            self._odd(f"{quoted(written.text)} with {dice[0]}{dice[1]} is an illegal play, says the file")
            result = self._valid(written.position)
        else:
            plays = find_plays(self.rules, before, dice, written.moves)
            if len(plays) == 1:
                play = plays[0]
            elif plays:
                play = self._choose(before, dice, written, plays)
            if play is None and self.rules.outcome(before) is not None:
                self._odd(f"{dice[0]}{dice[1]}: the game is over; left out")
                return
            if play is None:
                result = self._illegal(before, dice, written)
            else:
                result = play.result
                if written.marks and result.bar[0] - before.bar[1] != written.marks:
                    hit = result.bar[0] - before.bar[1]
                    self._odd(f"{quoted(written.text)}: {written.marks} hits are marked, but it hits {hit}")
        self.turns.append(
            Turn(player, "play", dice, play, result, written.text if play is None else "", None, comment, kept)
        )
        self.board, self.sees, self.turn = result, other(player), other(player)

    def about_cube(
        self,
        player: Player,
        action: TurnAction,
        value: int | None = None,
        *,
        comment: str = "",
        kept: str = "",
        line: int | None = None,
        offset: int | None = None,
    ) -> None:
        """A double, or an answer to one; the value is that of the cube after it."""
        if not self._acts(player, {"line": line, "offset": offset}):
            return
        cube = None
        if action == "double":
            if self.offered is not None:
                self._accept(rolling=True)
            if self.owner not in (None, player):
                self._odd(f"{self.match.name(player)} doubles, but the other side owns the cube")
            if self.crawford:
                self._odd(f"{self.match.name(player)} doubles in the Crawford game")
            cube = self._cube(2 * self.cube, value)
            self.offered, self.doubler, self.turn = cube, player, other(player)
        elif self.offered is None:
            self._odd(f"{self.match.name(player)}: a {action} with no double before it")
            cube = value
        elif action == "take":
            self._accept()
        elif action == "drop":
            self.dropped, self.turn = player, None
        else:
            cube = self.offered = self._cube(2 * self.offered, value)
            self.turn = other(player)
        self.turns.append(Turn(player, action, cube=cube, comment=comment, kept=kept))

    def resign(self, player: Player, points: int | None = None, *, line: int | None = None) -> None:
        """A resignation, and for how many points if the file tells."""
        self.where = {"line": line, "offset": None}
        self.resigned = player, points

    def wins(
        self,
        player: Player | None,
        points: int | None = None,
        how: Ending | None = None,
        *,
        line: int | None = None,
        offset: int | None = None,
    ) -> None:
        """What the file says of the end."""
        if self.said is not None:
            self.where = {"line": line, "offset": offset}
            self._odd("the end of the game is told twice")
            return
        self.where = {"line": line, "offset": offset}
        self.said, self.how = (player, points), how

    def set_up(
        self,
        board: Position | None,
        sees: Player,
        *,
        cube: int | None = None,
        owner: Player | None = None,
        turn: Player | None = None,
    ) -> None:
        """Put a position on the board: the start of the game, or, later, what the last play led to."""
        if board is not None:
            self.board, self.sees = board, sees
        if cube is not None:
            self.cube, self.owner = cube, owner
        if turn is not None:
            self.turn = turn
        place = next((i for i in reversed(range(len(self.turns))) if self.turns[i].action == "play"), -1)
        if place < 0:
            if self.board is not None:
                self.start = self.board if self.sees == 0 else self.board.flipped()
        elif board is not None:
            self._set_anew(place, board if sees != self.turns[place].player else board.flipped())
        if not self.turns:
            self.start_cube, self.start_owner = self.cube, self.owner
        elif cube is not None:
            self._odd("the cube is set anew in the middle of a game")

    def _set_anew(self, place: int, result: Position) -> None:
        """A play led elsewhere than its moves tell."""
        turn = self.turns[place]
        if self._late is not None:
            late, where = self._late
            self._late = None
            self.notes.odd(late, game=self.place, **where)
        elif turn.play is not None:
            self._odd(f"{str(turn.play) or 'no move'}: the position behind it is set anew")
        text = turn.text if turn.play is None else str(turn.play)
        self.turns[place] = turn._replace(play=None, text=text, result=result)

    # ---- what follows from it

    def _odd(self, message: str) -> None:
        self.notes.odd(message, game=self.place, **self.where)

    def _acts(self, player: Player, where: dict[str, Any]) -> bool:
        """Somebody acts, if he still can: what was odd only if the game goes on is noted now."""
        self.where = where
        self.match.count += 1
        if self.match.count > MOST_TURNS:
            self.notes.refuse(f"more than {MOST_TURNS} turns", **where)
        if self._late is not None:
            late, place = self._late
            self._late = None
            self.notes.odd(late, game=self.place, **place)
        if self.dropped is not None:
            # GNU Backgammon itself writes a double behind a drop, out of a transcript that it has misread.
            self._odd("a turn after the double was dropped; left out")
            return False
        if self.turn not in (None, player):
            self._odd(f"{self.match.name(player)} acts, but it is the turn of {self.match.name(other(player))}")
        if self.resigned is not None or self.said is not None:
            self._odd("the game goes on after its end")
            self.resigned = self.said = None
        return True

    def _accept(self, rolling: bool = False) -> None:
        if rolling and self.turns[-1].action == "double":
            self._odd("the double is not answered; taken as accepted")
        assert self.offered is not None
        self.cube, self.owner, self.turn = self.offered, other(self.doubler), self.doubler
        self.offered = None

    def _cube(self, expected: int, value: int | None) -> int:
        if value is not None and value != expected:
            self._odd(f"the cube goes to {value}; {expected} was to be expected")
            if 2 <= value <= LARGEST_CUBE and value & (value - 1) == 0:
                return value
        if expected > LARGEST_CUBE:
            self.notes.refuse(f"the cube is turned beyond {LARGEST_CUBE}", **self.where)
        return expected

    def _choose(self, before: Position, dice: tuple[int, int], written: PlayText, plays: list[Play]) -> Play | None:
        """The play that is meant, of several that end alike but hit differently."""
        if written.position is not None:
            return next((play for play in plays if play.result == written.position), None)
        meant = chosen(before, dice, written, plays)
        if len(meant) > 1:
            names = " or ".join(str(play) for play in meant)
            self._odd(f"{quoted(written.text)} could mean {names}; read as the first")
        return meant[0] if meant else None

    def _illegal(self, before: Position, dice: tuple[int, int], written: PlayText) -> Position | None:
        """The position that an illegal play leaves, and a note about it."""
        if not written.moves and written.position is None:
            legal = self.rules.legal_plays(before, dice)[0]
            self._late = f"{dice[0]}{dice[1]}: no move, though {legal} is legal for example", self.where
            return before.flipped()
        self._odd(self._complaint(before, dice, written))
        return self._valid(as_moved(before, written.moves) if written.position is None else written.position)

    def _complaint(self, before: Position, dice: tuple[int, int], written: PlayText) -> str:
        if not self.notes.is_full:  # to say what is wrong takes longer than to see that something is
            try:
                self.rules.check(before, dice, written.text)
            except BgcoreError as error:
                return f"illegal play: {error}"
        # Its checkers can come there, but not with the hits and stops that it names.
        return f"illegal play: {quoted(written.text)} with {dice[0]}{dice[1]}"

    def _valid(self, position: Position | None) -> Position | None:
        """A position of this game, or None."""
        return None if position is None or self.rules.validate(position) else position

    # ---- the end

    def finish(self) -> Game:
        """The game."""
        end = self._end()
        if self._late is not None:
            if end is None:
                self.notes.remark(f"the game breaks off: {self._late[0]}", game=self.place, **self._late[1])
            self.turns[-1] = self.turns[-1]._replace(result=None)
        return Game(
            tuple(self.turns),
            end,
            self.score,
            self.crawford,
            self.start,
            self.start_cube,
            self.start_owner,
            **self.extra,
        )

    def _end(self) -> GameEnd | None:
        said_winner, stated = self.said if self.said is not None else (None, None)
        if self.dropped is not None:
            winner = other(self.dropped)
            # Who drops after a beaver pays the cube that was beavered.
            points = self.cube if self.turns[-2:][0].action == "double" else (self.offered or self.cube) // 2
            return self._agreed(GameEnd(winner, points, "single", "dropped", stated), said_winner)
        outcome = None if self.board is None else self.rules.outcome(self.board)
        if outcome is not None:
            winner = self.sees if outcome.winner == "own" else other(self.sees)
            points, kind = self._worth(KINDS.index(outcome.kind) + 1)
            return self._agreed(GameEnd(winner, points, kind, "played", stated), said_winner)
        how: Ending = self.how or "resigned"
        if self.resigned is not None:
            loser, offered = self.resigned
            stated = offered if stated is None else stated
            if said_winner == loser:
                # A few servers write the resignation in the winner's column; what they say of the winner is right.
                self._odd(f"{self.match.name(loser)} resigns, and is said to have won; read as won")
                loser = other(loser)
            winner = other(loser)
        elif said_winner is not None:
            winner = said_winner
        else:
            return None
        if how == "settled" and stated is not None:
            return GameEnd(winner, stated, "single", how, stated)
        points, kind, exact = self._resigned_for(winner, stated)
        if not exact:
            self._odd(f"{stated} points are said to be won with the cube at {self.cube}; read as a {kind}, {points}")
        return GameEnd(winner, points, kind, how, stated)

    def _worth(self, times: int) -> tuple[int, Kind]:
        """Points and kind of a game won so many times the cube."""
        kind = KINDS[times - 1]
        pays = 1 if not self.match.length and self.match.jacoby and self.owner is None else times
        return self.cube * pays, kind

    def _resigned_for(self, winner: Player, stated: int | None) -> tuple[int, Kind, bool]:
        """What a resignation for so many points was: points, kind, and whether the number fits."""
        if stated is None:
            return self.cube, "single", True
        for times, kind in enumerate(KINDS, 1):
            if stated == times * self.cube:
                return stated, kind, True
        times = next((k for k in (1, 2, 3) if k * self.cube >= stated), 3)
        needs = self.match.length - self.score[winner] if self.match.length else None
        return times * self.cube, KINDS[times - 1], stated == needs

    def _agreed(self, end: GameEnd, said_winner: Player | None) -> GameEnd:
        """The end by the board; a note if the file tells it differently."""
        name = self.match.name
        if said_winner is not None and said_winner != end.winner:
            self._odd(f"{name(said_winner)} is said to win, but by what was played it is {name(end.winner)}")
        elif end.stated is not None and end.stated != end.points:
            needs = self.match.length - self.score[end.winner] if self.match.length else None
            if end.stated != needs:
                self._odd(f"{end.stated} points are said to be won, but by what was played it is {end.points}")
        return end
