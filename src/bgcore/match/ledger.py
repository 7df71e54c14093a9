"""What may follow in a record, and how it is written: the state machine behind `bgcore.match.record`, without files.

`Ledger.step` says what an entry leads to and which lines it takes, and changes nothing; `Ledger.accept` carries it out.
Replay goes through the same `step`: a line is read, stepped, and must be exactly what `step` would write, so that no
line can say more or less than what is checked.

Lines that follow from others by themselves (an automatic double, the end of a game or of the match) are written with
them, and must stand where they follow.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bgcore.errors import BgcoreError, FormatError, IllegalPlay, RuleError
from bgcore.match.actions import (
    Accept,
    Action,
    Beaver,
    Decline,
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
    from_json,
)
from bgcore.match.clock import Clock
from bgcore.match.conduct import FLAG, NOT_REVEALED
from bgcore.match.entries import ClockEvent, Commit, Entry, Reroll, Reveal, entry_from_json
from bgcore.match.header import Header
from bgcore.match.journal import SIGNATURE, Signed, dump
from bgcore.match.proof import DiceProof
from bgcore.match.state import MatchState
from bgcore.play import Play

__all__ = ["Finish", "Ledger", "Step"]


class Finish(NamedTuple):
    """The record is closed though nobody has won: a money session that is over, a match that is abandoned."""

    reason: str


class Step(NamedTuple):
    """What an entry leads to."""

    state: MatchState
    bodies: list[str]
    """Lines without ``n`` and ``prev``; the first is the entry's own."""
    clock: Clock | None
    closed: bool
    proof: Callable[[], None] | None = None
    """What the dice's proof has to be told."""


class Ledger:
    """Where a record has come to.

    Parameters
    ----------
    header : Header

    Attributes
    ----------
    state : MatchState
    clock : Clock or None
        None: there is none, or it has not come in yet.
    proof : DiceProof or None
    closed : bool
        Whether the match is over or has been closed: only a ruling can follow, and the operator's seed.
    pending : deque of str
        Lines that follow from what is there, but are not written yet.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.state = header.start
        self.clock: Clock | None = None
        self.proof = None
        if header.dice is not None:
            self.proof = DiceProof(header.dice, header.match_id, header.start.rules.name)
        self.closed = False
        self.pending: deque[str] = deque()
        self.length = 1  # lines so far, the head included
        self._sources: dict[str, str] = {}

    def __len__(self) -> int:
        """Lines so far, the head included."""
        return self.length

    # ---- forward

    def step(
        self,
        entry: Action | Play | Entry | Finish,
        source: str | None = None,
        at: int | None = None,
        note: str | None = None,
    ) -> Step:
        """What an entry leads to; nothing changes.

        Raises
        ------
        IllegalPlay, RuleError
            It may not follow.
        TypeError
            It is nothing that a record holds.
        """
        if isinstance(entry, Roll):
            return self._roll(entry, source, at, note)
        if source is not None and not isinstance(entry, OpeningRoll | Reroll):
            raise RuleError("source= says where dice come from, and goes with rolls only")
        tail = "" if at is None and note is None else _tail(at, note)
        if isinstance(entry, Play):
            entry = MakePlay(entry)
        if not isinstance(entry, Action):
            return self._other(entry, source, tail)
        old, proof = self.state, None
        self._check_open(entry)
        if isinstance(entry, MakePlay):
            if isinstance(entry.play, str) and old.dice is not None:  # a text is resolved once, here
                entry = MakePlay(old.rules.check(old.position, old.dice, entry.play, context=old.context))
        elif isinstance(entry, OpeningRoll):
            self._check_proof(entry.dice, ordered=True)
            proof = self._thrown(entry.dice, ordered=True)
        new = old.apply(entry)
        bodies = [self._write(entry, old, new, source) + tail]
        if new.cube != old.cube and isinstance(entry, OpeningRoll):
            bodies.append(f'"kind":"auto_double","cube":{new.cube}')
        if new.is_game_over:
            self._close(old, new, bodies)
        return Step(new, bodies, self.clock, self.closed or new.is_match_over, proof)

    def _roll(self, roll: Roll, source: str | None, at: int | None, note: str | None) -> Step:
        """The most frequent entry but plays, and the one that has to be fast."""
        old = self.state
        if self.closed or self.clock is not None:
            self._check_open(roll)
        proof = None
        if self.proof is not None:
            self._check_proof(roll.dice, ordered=False)
            proof = self._thrown(roll.dice, ordered=False)
        new = old.apply(roll)
        tail = "" if at is None and note is None else _tail(at, note)
        body = (
            f'"kind":"roll","player":{old.on_roll},"dice":[{roll.d1},{roll.d2}],"source":{self._source(source)}{tail}'
        )
        return Step(new, [body], self.clock, self.closed, proof)

    def _write(self, action: Action, old: MatchState, new: MatchState, source: str | None) -> str:
        """The line of an action."""
        if isinstance(action, MakePlay):
            assert isinstance(action.play, Play)
            if len(action.play):
                return f'"kind":"play","player":{old.on_roll},"play":"{action.play}"'
            return f'"kind":"pass","player":{old.on_roll}'
        if isinstance(action, Pass):
            return f'"kind":"pass","player":{old.on_roll}'
        if isinstance(action, OpeningRoll):
            dice = f'"dice":[{action.die0},{action.die1}]'
            if action.die0 == action.die1:
                return f'"kind":"reroll","player":null,{dice},"reason":"tie","source":{self._source(source)}'
            return f'"kind":"open_roll",{dice},"source":{self._source(source)}'
        if isinstance(action, Double):
            return f'"kind":"offer","player":{old.on_roll},"from":{old.cube},"to":{2 * old.cube}'
        if isinstance(action, Take | Beaver | Raccoon):
            return f'"kind":"{action.kind}","player":{old.to_act},"cube":{new.cube},"owner":{new.cube_owner}'
        if isinstance(action, Drop | Accept | Decline):
            return f'"kind":"{action.kind}","player":{old.to_act}'
        if isinstance(action, Resign):
            return f'"kind":"resign_offer","player":{action.player},"level":{action.level}'
        return dump(action.to_json())[1:-1]  # next_game, ruling, forfeit

    def _close(self, old: MatchState, new: MatchState, bodies: list[str]) -> None:
        """Add the lines that close a game, and the match with it."""
        result, score = new.result, new.score
        assert result is not None
        if not old.is_game_over or result != old.result:
            winner = "null" if result.winner is None else result.winner
            bodies.append(
                Signed(
                    f'"kind":"game_end","game":{new.game},"winner":{winner},"points":{result.points},'
                    f'"result":"{result.kind}","by":"{result.how}","score":[{score[0]},{score[1]}]'
                )
            )
        if new.is_match_over and not (old.is_match_over and (old.winner, old.score) == (new.winner, score)):
            bodies.append(Signed(f'"kind":"match_end","winner":{new.winner},"score":[{score[0]},{score[1]}]'))

    def _other(self, entry: object, source: str | None, tail: str) -> Step:
        """Everything that is no action."""
        state, clock, proof, closed = self.state, self.clock, None, self.closed
        if isinstance(entry, Reveal | Commit):
            if self.proof is None:
                raise RuleError("this record has no provable dice: nobody commits himself, nothing is revealed")
            if isinstance(entry, Commit):
                self._check_open(entry)
                self.proof.check_commit(entry)
                told = self.proof
                proof = lambda: told.commit(entry)  # noqa: E731
            else:
                if not (self.closed and entry.who == "operator"):
                    self._check_open(entry)
                self.proof.check_reveal(entry)
                shown = self.proof
                proof = lambda: shown.reveal(entry)  # noqa: E731
            bodies = [dump(entry.to_json())[1:-1] + tail]
        elif isinstance(entry, Reroll):
            self._check_open(entry)
            self._check_proof(entry.dice, ordered=True)
            proof = self._thrown(entry.dice, ordered=True)
            bodies = [f'{dump(entry.to_json())[1:-1]},"source":{self._source(source)}{tail}']
        elif isinstance(entry, ClockEvent):
            clock = self._clock(entry)
            player = "null" if entry.player is None else entry.player
            fallen = "null" if clock.fallen is None else clock.fallen
            bodies = [
                f'"kind":"clock","event":"{entry.event}","player":{player},"at":{entry.at},'
                f'"left":[{clock.left[0]},{clock.left[1]}],"fallen":{fallen}'
            ]
            if tail:
                raise RuleError("a clock event has its own time, and takes no at= or note=")
        elif isinstance(entry, Finish):
            self._check_open(entry)
            if not entry.reason.strip():
                raise RuleError("a record that is closed before the match is over says why")
            zero, one = state.score
            bodies = [
                Signed(f'"kind":"match_end","winner":null,"score":[{zero},{one}],"reason":{dump(entry.reason)}{tail}')
            ]
            closed = True
        else:
            raise TypeError(f"a record holds actions and entries, not {type(entry).__name__}")
        return Step(state, bodies, clock, closed, proof)

    # ---- what is refused

    def _check_open(self, entry: object) -> None:
        """Refuse what may not follow for a reason that the state of the match does not know."""
        if self.closed and not (isinstance(entry, Ruling) and self.state.is_match_over):
            raise RuleError(
                "the record is closed: after its last line only the operator's seed can follow, or a ruling"
            )
        fallen = None if self.clock is None else self.clock.fallen
        if isinstance(entry, Forfeit):
            self._check_forfeit(entry, fallen)
        elif fallen is not None and isinstance(entry, Action) and not isinstance(entry, Ruling | NextGame):
            raise RuleError(f"player {fallen}'s flag has fallen: a forfeit or a ruling follows, or the clock is set")

    def _check_forfeit(self, forfeit: Forfeit, fallen: int | None) -> None:
        """A forfeit for a flag or a secret must be one that the record bears out."""
        conduct = self.header.conduct
        if forfeit.reason == FLAG:
            if conduct is None or fallen != forfeit.player:
                raise RuleError(f"player {forfeit.player}'s flag has not fallen by the clock of this record")
            if forfeit != conduct.flag_forfeit(forfeit.player):
                raise RuleError(f"here a fallen flag costs {conduct.flag_forfeit(forfeit.player)!r}, not {forfeit!r}")
        elif forfeit.reason == NOT_REVEALED and (self.proof is None or forfeit.player not in self.proof.unrevealed):
            raise RuleError(f"player {forfeit.player} has no secret to reveal")

    def _clock(self, event: ClockEvent) -> Clock:
        """The clock after an event."""
        conduct, clock = self.header.conduct, self.clock
        if conduct is None or conduct.clock is None:
            raise RuleError("this record is conducted without a clock")
        if self.closed:
            raise RuleError("the record is closed, and its clock stands")
        if event.event == "set":
            assert event.left is not None
            if clock is not None and clock.since is not None and event.at < clock.since:
                raise RuleError(f"time runs backwards: {event.at} comes after {clock.since}")
            return Clock(conduct.clock, event.left, since=event.at)
        if clock is None:
            state = self.state
            clock = conduct.clock.start(0 if state.series is not None else state.length, state.score)
        if event.event == "start":
            assert event.player is not None
            return clock.start(event.player, event.at)
        if event.event == "press":
            assert event.player is not None
            return clock.press(event.player, event.at)
        return clock.stop(event.at) if event.event == "stop" else clock.end(event.at)

    def _check_proof(self, dice: tuple[int, int] | None, *, ordered: bool) -> None:
        if self.proof is not None and dice is not None:
            self.proof.check_throw(dice, ordered=ordered)

    def _thrown(self, dice: tuple[int, int] | None, *, ordered: bool) -> Callable[[], None] | None:
        proof, number = self.proof, self.length
        if proof is None or dice is None:
            return None
        return lambda: proof.throw(dice, ordered=ordered, entry=number)

    def _source(self, source: str | None) -> str:
        """Where dice come from, as JSON."""
        name = self.header.source if source is None else source
        text = self._sources.get(name) if type(name) is str else None
        if text is None:
            if not isinstance(name, str) or not 1 <= len(name) <= 200:
                raise RuleError(f"a source of dice is a text of 1 to 200 characters, not {name!r}")
            text = dump(name)
            if len(self._sources) < 100:
                self._sources[name] = text
        return text

    def accept(self, step: Step) -> None:
        """Carry out a step that was just made."""
        self.state, self.clock, self.closed = step.state, step.clock, step.closed
        if step.proof is not None:
            step.proof()
        self.length += len(step.bodies)

    # ---- replay

    def replay(self, entry: Mapping[str, Any], line: bytes) -> None:
        """Follow a line of a record.

        Parameters
        ----------
        entry : mapping
            What `bgcore.match.journal.parse_line` has read.
        line : bytes
            The same as bytes.

        Raises
        ------
        IllegalPlay, RuleError
            It breaks a rule.
        FormatError
            It is not what a record says there.
        """
        number = entry["n"]
        where = f"entry {number} (line {number + 1}), {entry.get('kind')!r}"
        body = line[line.index(b",", line.index(b',"prev":') + 1) + 1 : -2].decode()
        body, _, signature = body.partition(SIGNATURE)
        try:
            if self.pending:
                if body != self.pending[0]:
                    raise FormatError(f"{where}: after the entry before it this must follow: {{{self.pending[0]}}}")
                self._check_signed(self.pending.popleft(), signature, where)
                return
            step = self.step(*_read(entry))
        except BgcoreError as error:
            if isinstance(error, IllegalPlay):
                raise IllegalPlay(f"{where}: {error}", reason=error.reason) from None
            if isinstance(error, RuleError):
                raise RuleError(f"{where}: {error}", rule=error.rule) from None
            raise FormatError(f"{where}: {str(error).removeprefix(where + ': ')}", line=number + 1) from None
        if body != step.bodies[0]:
            raise FormatError(
                f"{where} is not written as it should be: {{{body[:200]}}} instead of {{{step.bodies[0][:200]}}}",
                line=number + 1,
            )
        self._check_signed(step.bodies[0], signature, where)
        self.accept(step)
        self.pending.extend(step.bodies[1:])

    def _check_signed(self, body: str, signature: str, where: str) -> None:
        """Closing lines are signed where somebody signs, and no others are."""
        wanted = isinstance(body, Signed) and self.header.signer is not None
        if wanted != bool(signature):
            raise FormatError(f"{where}: the signature is missing" if wanted else f"{where}: nobody signs that line")


def _tail(at: int | None, note: str | None) -> str:
    """Time of day and remark, as the end of a line."""
    text = ""
    if at is not None:
        if type(at) is not int:
            raise RuleError(f"a time of day is an integer of milliseconds, not {at!r}")
        text = f',"at":{at}'
    if note is not None:
        if not isinstance(note, str) or not note:
            raise RuleError(f"a note is a text, not {note!r}")
        text += f',"note":{dump(note)}'
    return text


def _read(entry: Mapping[str, Any]) -> tuple[Action | Entry | Finish, str | None, int | None, str | None]:
    """What a line says, as arguments of `Ledger.step`."""
    kind = entry.get("kind")
    source = entry.get("source")
    at, note = (None, None) if kind == "clock" else (entry.get("at"), entry.get("note"))
    if kind == "reroll" and entry.get("reason") == "tie":
        return OpeningRoll(*_dice(entry)), source, at, note
    if kind in ("roll", "open_roll"):
        first, second = _dice(entry)
        return (Roll(first, second) if kind == "roll" else OpeningRoll(first, second)), source, at, note
    if kind == "match_end":
        reason = entry.get("reason")
        if not isinstance(reason, str):
            raise FormatError("the match is not over, so a line that ends it needs a reason")
        return Finish(reason), None, at, note
    if kind in ("auto_double", "game_end"):
        raise FormatError("it follows from nothing before it")
    other = entry_from_json(entry)
    return (from_json(entry) if other is None else other), source, at, note


def _dice(entry: Mapping[str, Any]) -> tuple[int, int]:
    dice = entry.get("dice")
    if not (isinstance(dice, list) and len(dice) == 2 and all(type(die) is int for die in dice)):
        raise FormatError(f"dice are two numbers, not {json.dumps(dice)[:60]}")
    return dice[0], dice[1]
