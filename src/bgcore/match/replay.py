"""A match that was written down, played again by the rules, and a record turned into such a match.

A `Match` holds what somebody wrote; a `MatchRecord` only what the rules allow.  `replay` goes from the one to the
other, action by action, and refuses what is against the rules, with the game and the turn; `match_of` goes back.

Where a file says something that no action of a match leads to, and that is not against the rules either (a game that
begins from a position, with a turned cube, or at a score that does not follow), it is a `Ruling` that says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from bgcore.errors import IllegalPlay, RuleError
from bgcore.match.actions import (
    Accept,
    Action,
    Beaver,
    Double,
    Drop,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Pass,
    Raccoon,
    Resign,
    Roll,
    Ruling,
    Take,
)
from bgcore.match.opening import Player, other
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState
from bgcore.match.transcript import Game, GameEnd, Match, Turn

__all__ = ["Replayed", "before_the_first_game", "match_of", "record_match", "replay"]

LEVELS: dict[str, Literal[1, 2, 3]] = {"single": 1, "gammon": 2, "backgammon": 3}
FORFEITS = {
    "settled": "the game was settled",
    "time": "lost on time",
    "forfeited": "the game was forfeited",
    "unknown": "the file does not say how the game ended",
}
ENDINGS: dict[str, Any] = {"play": "played", "drop": "dropped", "resignation": "resigned", "forfeit": "forfeited"}
CUBE_ACTIONS: dict[str, type[Action]] = {
    "double": Double,
    "take": Take,
    "drop": Drop,
    "beaver": Beaver,
    "raccoon": Raccoon,
}


class Replayed(NamedTuple):
    """An action of a match, and what it led to."""

    action: Action
    state: MatchState
    """After it."""
    game: int
    """Zero-based place in `Match.games`."""
    turn: int | None
    """Zero-based place in `Game.turns`; None: it belongs to the beginning or the end of the game."""


def before_the_first_game(match: Match) -> MatchState:
    """The state that a match begins in.

    Parameters
    ----------
    match : Match
        Money play whose file does not speak of Jacoby is played without; as many beavers and automatic doubles are
        agreed as the match needs.

    Returns
    -------
    MatchState

    Raises
    ------
    RuleError
        No match begins like that.
    """
    options: dict[str, Any] = {}
    if match.length:
        options["crawford"] = match.crawford
    else:
        redoubles = [sum(t.action in ("beaver", "raccoon") for t in game.turns) for game in match.games]
        options["jacoby"] = bool(match.jacoby)
        options["beavers"] = max([*redoubles, 2 if match.beavers else 0])
        centred = [game.cube.bit_length() - 1 for game in match.games if game.owner is None]
        options["automatic_doubles"] = max(centred, default=0)
    rules = match.rules if match.use_cube else match.rules.replace(cube=False)
    if not match.games:
        return MatchState.new(match.length, rules, **options)
    first = match.games[0]
    near = match.length > 1 and match.crawford and max(first.score) == match.length - 1
    return MatchState.new(
        match.length, rules, score=first.score, crawford_played=near and not first.crawford, **options
    )


def replay(match: Match) -> Iterator[Replayed]:
    """Play a match again, by the rules.

    Parameters
    ----------
    match : Match

    Yields
    ------
    Replayed
        Every action, those included that a file does not write: opening rolls, rolls, the acceptance of a resignation.

    Raises
    ------
    IllegalPlay, RuleError
        Something is against the rules, or unknown; the message names the game and the turn.

    Examples
    --------
    >>> from bgcore import BACKGAMMON
    >>> start = BACKGAMMON.start
    >>> turns = (Turn(0, "play", (3, 1), BACKGAMMON.check(start, (3, 1), "8/5 6/5")), Turn(1, "double", cube=2))
    >>> match = Match(("Ann", "Bob"), 7, (Game(turns),))
    >>> [done.action for done in replay(match)]
    [OpeningRoll(3, 1), MakePlay(<Play 8/5 6/5>), Double()]
    """
    state = before_the_first_game(match)
    for place, game in enumerate(match.games):
        if place and not state.is_game_over:
            raise RuleError(f"game {place} has no end, and another one follows")
        playing = _Playing(state, place)
        try:
            playing.begin(game)
            for playing.turn, turn in enumerate(game.turns):  # which `where` names
                playing.take_turn(turn)
                yield from playing.done()
            playing.turn = None
            playing.end(game.end)
            yield from playing.done()
        except IllegalPlay as fault:
            raise IllegalPlay(f"{playing.where()}: {fault}", reason=fault.reason) from None
        except RuleError as fault:
            raise RuleError(f"{playing.where()}: {fault}", rule=fault.rule) from None
        state = playing.state


class _Playing:
    """A game while it is played again."""

    def __init__(self, state: MatchState, place: int) -> None:
        self.state, self.place = state, place
        self.turn: int | None = None
        self._done: list[Replayed] = []

    def where(self) -> str:
        """What is being done, for messages."""
        return f"game {self.place + 1}" + ("" if self.turn is None else f", turn {self.turn + 1}")

    def do(self, action: Action) -> None:
        self.state = self.state.apply(action)
        self._done.append(Replayed(action, self.state, self.place, self.turn))

    def done(self) -> list[Replayed]:
        """What was done since this was asked."""
        done, self._done = self._done, []
        return done

    def begin(self, game: Game) -> None:
        """What comes before the first turn; the opening roll comes with it."""
        if self.place:
            self.do(NextGame())
        if self.state.score != game.score:
            self.do(Ruling("the score before this game, as it was written down", score=game.score))
        cube = None if (game.cube, game.owner) == (1, None) else (game.cube, game.owner)
        reason = "how this game began, as it was written down"
        if game.start != self.state.rules.start:
            first = game.turns[0].player if game.turns else 0
            position = game.start if first == 0 else game.start.flipped()
            self.do(Ruling(reason, position, first, cube=cube))
        elif cube is not None:
            self.do(Ruling(reason, cube=cube))

    def take_turn(self, turn: Turn) -> None:
        state = self.state
        if turn.action != "play":
            self.do(CUBE_ACTIONS[turn.action]())
            return
        if turn.dice is None:
            raise RuleError("nobody knows what was rolled")
        one, two = turn.dice
        if state.phase == "opening":
            larger, smaller = max(one, two), min(one, two)
            if one == two:
                raise RuleError(f"a game does not begin with {one}{two}: the opening roll is one die each")
            self.do(OpeningRoll(larger, smaller) if turn.player == 0 else OpeningRoll(smaller, larger))
        else:
            if state.phase == "offered":
                self.do(Take())  # who rolls on has accepted a beaver
            self.expect(turn.player)
            self.do(Roll(one, two))
        if turn.play is None:
            if turn.is_unknown:
                return  # only a resignation can follow, or nothing
            raise RuleError(f"{turn.text or 'no move'} with {one}{two} is an illegal play")
        self.do(MakePlay(turn.play) if turn.play.moves else Pass())

    def expect(self, player: Player) -> None:
        """Raise unless it is this player's turn."""
        if self.state.to_act != player:
            raise RuleError(f"player {player} acts, but it is the turn of player {self.state.to_act}")

    def end(self, end: GameEnd | None) -> None:
        if end is None:
            return
        if not self.state.is_game_over:
            if end.how in ("played", "dropped"):
                raise RuleError(f"it is said to have been {end.how}, but by what was played it goes on")
            loser = other(end.winner)
            if end.how == "resigned":
                self.do(Resign(LEVELS[end.kind], loser))
                self.do(Accept())
            else:
                self.do(Forfeit(loser, "game", end.points, FORFEITS[end.how]))
        result = self.state.result
        assert result is not None
        if result.winner != end.winner:
            raise RuleError(f"player {end.winner} is said to have won, but by what was played it is {result.winner}")


def record_match(match: Match, path: str | os.PathLike[str], *, match_id: str | None = None) -> MatchRecord:
    """Make the record of a match that was written down.

    Parameters
    ----------
    match : Match
        Played by the rules from the first roll to the last.
    path : path
        There must be no such file; it is written whole or not at all.
    match_id : str, optional
        As in `MatchRecord.create`.

    Returns
    -------
    MatchRecord
        Rolls come from the source "transcript".

    Raises
    ------
    IllegalPlay, RuleError
        As `replay`; no file is left.
    FileExistsError
        There is a file of that name.
    OSError
        It can't be written.
    """
    steps = list(replay(match))
    told = {"date": match.date, "event": match.event, "site": match.site, "round": match.round} | dict(match.info)
    record = MatchRecord.create(
        path,
        before_the_first_game(match),
        match_id=match_id,
        players=match.names,
        source="transcript",
        info={name: value for name, value in told.items() if value},
    )
    try:
        for step in steps:
            record.append(step.action, sync=False)
        record.sync()
    except BaseException:
        record.close()
        os.unlink(path)
        raise
    return record


def match_of(record: MatchRecord) -> Match:
    """The match that a record is of, as files hold it.

    Parameters
    ----------
    record : MatchRecord
        Of backgammon, or of a game that differs in how it begins.  Clocks, commitments, throws that did not count, and
        who resigned for what in vain are left out.

    Returns
    -------
    Match

    Raises
    ------
    RuleError
        Something that no match file can hold: another game, a series, a ruling in the middle of a game, a drawn game.
    FormatError, OSError
        As `MatchRecord.states`.
    """
    start = record.header.start
    rules = start.rules
    if start.series is not None or rules.geometry != "contrary" or rules.contact != "hit" or rules.doubles == "cascade":
        raise RuleError(f"match files hold games of backgammon, and this record is of {start.series or rules.name}")
    games: list[_Written] = []
    before = start
    for entry, after in zip(record.entries(), record.states(), strict=True):
        if before.phase == "opening" and after.phase != "opening":
            games.append(_Written(before if after.is_game_over else after))  # some give up before the first roll
        if games:
            games[-1].add(entry, before, after)
        before = after
    info = dict(record.header.info)
    known: dict[str, Any] = {name: info.pop(name, "") for name in ("date", "event", "site", "round")}
    return Match(
        record.header.players,
        start.length,
        tuple(game.done() for game in games),
        rules=rules,
        crawford=start.options.crawford,
        jacoby=None if start.length else start.options.jacoby,
        beavers=None if start.length else start.options.beavers > 0,
        use_cube=rules.cube,
        info=tuple(info.items()),
        format="record",
        **known,
    )


class _Written:
    """A game of a record while it is written down."""

    def __init__(self, state: MatchState) -> None:
        self.first = state
        self.turns: list[Turn] = []
        self.end: GameEnd | None = None

    def add(self, entry: dict[str, Any], before: MatchState, after: MatchState) -> None:
        kind = entry["kind"]
        if kind == "ruling" and after != self.first:
            if self.turns or after.is_game_over:
                raise RuleError(f"entry {entry['n']} is a ruling, which no match file can hold: {entry['reason']}")
            self.first = after
        elif kind == "play":
            play = before.rules.check(before.position, before.dice or (0, 0), entry["play"])
            self.turns.append(Turn(entry["player"], "play", before.thrown, play, play.result))
        elif kind == "pass":
            nothing = before.rules.parse_play(before.position, before.dice or (0, 0), "")
            self.turns.append(Turn(entry["player"], "play", before.thrown, nothing, nothing.result))
        elif kind in ("offer", "beaver", "raccoon"):
            action: Any = "double" if kind == "offer" else kind
            self.turns.append(Turn(entry["player"], action, cube=2 * after.cube))
        elif kind in ("take", "drop"):
            self.turns.append(Turn(entry["player"], kind))
        if after.is_game_over and not before.is_game_over:
            self.finish(before, after)

    def finish(self, before: MatchState, after: MatchState) -> None:
        result = after.result
        if result is None:  # the match was forfeited between two games
            return
        if result.winner is None:
            raise RuleError(f"game {after.game} was drawn, which no match file can hold")
        if before.dice is not None and result.how != "play" and before.on_roll is not None:
            self.turns.append(Turn(before.on_roll, "play", before.thrown))  # rolled, then resigned
        kind: Any = result.kind if result.kind in LEVELS else "single"
        self.end = GameEnd(result.winner, result.points, kind, ENDINGS[result.how])

    def done(self) -> Game:
        state = self.first
        start = state.position
        return Game(
            tuple(self.turns),
            self.end,
            state.score,
            state.is_crawford,
            start.flipped() if state.on_roll == 1 else start,
            state.cube,
            state.cube_owner,
            state.game,
        )
