"""One turn at the board, from the throw until nothing about it can be changed any more.

A `Turn` is a frozen value.  Its methods say what people have done and return the turn after that; `Turn.log` grows by
what follows for the match: actions that `MatchState.apply` and `MatchRecord.append` take, and re-rolls that only a
record takes.  `Turn.state` is the state of the match after them.

Until a play is completed, checkers are moved and taken back as the player likes, legally or not, as on a real board;
`Turn.position` is what then lies there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bgcore.errors import IllegalPlay, IllegalReason, RuleError
from bgcore.match.actions import Action, Double, MakePlay, Pass, Roll, Ruling
from bgcore.match.conduct import Completion, ConductRules, Throw, Verdict, VerdictKind
from bgcore.match.entries import Reroll
from bgcore.match.opening import Player, other
from bgcore.match.state import MatchState
from bgcore.notation import Move
from bgcore.position import Position
from bgcore.rules import Rules

__all__ = ["Turn", "TurnPhase"]

TurnPhase = Literal["throw", "demand", "play", "illegal", "open", "over"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of one player.

    Made by `begin`.

    Attributes
    ----------
    conduct : ConductRules
    player : 0 or 1
        Whose turn it is.
    before : MatchState
        Before the throw.
    state : MatchState
        After everything in `log`.
    log : tuple
        What has followed for the match so far, in order.
    phase : str
        "throw": the dice are to be thrown.  "demand": the opponent may demand another throw, or waive it.  "play":
        checkers are moved.  "illegal": an illegal play has been completed and can be corrected.  "open": under
        "next_play" an illegal play stands, but can still be corrected.  "over": nothing can be changed.
    warned : (bool, bool)
        Which player has had his warning for careless throws; to be handed to the next turn.
    moves : tuple of Move
        What has been moved and not taken back.
    verdict : Verdict or None
        On the last throw.
    premature : Throw or None
        A roll of the opponent that came too early and stands.
    doubled_early : bool
        The opponent has doubled too early, and that stands.

    Examples
    --------
    >>> from bgcore.match.actions import OpeningRoll
    >>> from bgcore.match.conduct import TOURNAMENT
    >>> state = MatchState.new(5).apply(OpeningRoll(3, 1))
    >>> turn = Turn.begin(TOURNAMENT, state).move(13, 10).move(24, 23)  # he looks at it,
    >>> turn = turn.take_back().take_back().move(8, 5).move(6, 5)  # and changes his mind
    >>> turn = turn.complete("lift_dice")
    >>> turn.phase, [str(action.play) for action in turn.log]
    ('over', ['8/5 6/5'])
    """

    conduct: ConductRules
    player: Player
    before: MatchState
    state: MatchState
    log: tuple[Action | Reroll, ...] = ()
    phase: TurnPhase = "throw"
    warned: tuple[bool, bool] = (False, False)
    moves: tuple[Move, ...] = ()
    positions: tuple[Position, ...] = ()
    thrown: Throw | None = None
    verdict: Verdict | None = None
    premature: Throw | None = None
    doubled_early: bool = False

    @staticmethod
    def begin(conduct: ConductRules, state: MatchState, *, warned: tuple[bool, bool] = (False, False)) -> Turn:
        """The turn of the player on roll.

        Parameters
        ----------
        conduct : ConductRules
        state : MatchState
            In phase "to_roll", or "to_play" where the roll is on the table already (after an opening roll).
        warned : (bool, bool)
            As the last turn has left it.

        Raises
        ------
        RuleError
            Nobody is to throw or to play.
        """
        if state.phase not in ("to_roll", "to_play") or state.pending is not None or state.on_roll is None:
            raise RuleError(f"a turn begins when a player is to roll or to play, not in phase {state.phase!r}")
        phase: TurnPhase = "throw" if state.phase == "to_roll" else "play"
        turn = Turn(conduct, state.on_roll, state, state, phase=phase, warned=warned)
        return turn._laid_out() if phase == "play" else turn

    # ---- the throw

    def throw(self, throw: Throw) -> Turn:
        """The player throws; `verdict` says what becomes of it.

        Raises
        ------
        RuleError
            It is not time to; a die outside 1 to 6.
        """
        self._check("throw", "throw the dice")
        action = Roll(*throw.dice)
        verdict = self.conduct.judge(throw, warned=self.warned[self.player])
        warned = self.warned
        if verdict.warning:
            warned = (True, warned[1]) if self.player == 0 else (warned[0], True)
        turn = replace(self, verdict=verdict, warned=warned, thrown=throw)
        if verdict.kind is VerdictKind.COCKED:
            return turn._with(Reroll(throw.dice, self.player, verdict.reason))
        if verdict.kind is VerdictKind.MAY_DEMAND:
            return replace(turn, phase="demand")
        return turn._valid(action)

    def demand(self) -> Turn:
        """The opponent demands another throw.

        Raises
        ------
        RuleError
            He may not.
        """
        self._check("demand", "demand another throw")
        assert self.thrown is not None
        assert self.verdict is not None
        turn = self._with(Reroll(self.thrown.dice, self.player, f"demanded: {self.verdict.reason}"))
        return replace(turn, phase="throw")

    def waive(self) -> Turn:
        """The opponent lets the throw stand.

        Raises
        ------
        RuleError
            There is nothing to waive.
        """
        self._check("demand", "waive a demand")
        assert self.thrown is not None
        return self._valid(Roll(*self.thrown.dice))

    # ---- checkers

    @property
    def position(self) -> Position:
        """What lies on the board, seen by the player."""
        return self.positions[-1] if self.positions else self.state.position

    def move(self, source: int, target: int) -> Turn:
        """The player moves a checker, on trial.

        Parameters
        ----------
        source, target : int
            In his own numbering; 25 is the bar, 0 is off.

        Raises
        ------
        RuleError
            It is not time to; no checker of his is there; no checker can lie where he puts it.
        IllegalPlay
            The move leads to no legal play, where the rules say "reject".
        """
        self._check("play", "move a checker")
        game, state = self.state.rules, self.state
        if self.conduct.illegal_play == "reject":
            assert state.dice is not None
            done = [(move.source, move.target) for move in self.moves]
            start = self.positions[0]
            if (source, target) not in {
                (move.source, move.target) for move in game.next_moves(start, state.dice, done, context=state.context)
            }:
                raise IllegalPlay(
                    f"{source}/{target} leads to no legal play with {state.dice[0]}-{state.dice[1]}",
                    reason=IllegalReason.NO_SUCH_PLAY,
                )
        position, move = moved(game, self.position, source, target)
        return replace(self, moves=(*self.moves, move), positions=(*self.positions, position))

    def take_back(self) -> Turn:
        """The player takes back his last move.

        Raises
        ------
        RuleError
            There is none; a checker that was touched stays moved (``touch_move``); the play is completed.
        """
        self._check("play", "take a move back")
        if not self.moves:
            raise RuleError("no move can be taken back: none was made")
        if self.conduct.touch_move:
            raise RuleError("a checker that was moved stays moved: the match is played with touch_move")
        return replace(self, moves=self.moves[:-1], positions=self.positions[:-1])

    def complete(self, by: Completion) -> Turn:
        """The player completes his play, which makes it irrevocable for him if it is legal.

        Parameters
        ----------
        by : {"lift_dice", "press_clock", "confirm", "announce"}
            What he did.

        Raises
        ------
        RuleError
            It is not time to; that does not complete a play here; what lies there can't be a position of the game.
        IllegalPlay
            It is illegal, where the rules say "reject": the turn goes on.
        """
        self._check("play", "complete a play")
        if by != self.conduct.completed_by:
            raise RuleError(f"here a play is completed by {self.conduct.completed_by}, not by {by}")
        plays = self.state.legal_plays()
        if not plays and not self.moves:
            return self._legal(Pass())
        for play in plays:
            if play.result.flipped() == self.position:
                return self._legal(MakePlay(play))
        if self.conduct.illegal_play == "reject":
            raise self._why_illegal()
        reasons = self.state.rules.validate(self.position)
        if reasons:
            raise RuleError(f"that is no position of {self.state.rules.name} ({reasons.name}); set it right first")
        return replace(self, phase="illegal")

    # ---- after an illegal play

    def notice(self, by: Player) -> Turn:
        """Somebody has an illegal play corrected: the position is restored, and the same dice are played again.

        Parameters
        ----------
        by : 0 or 1
            Who has noticed it.

        Raises
        ------
        RuleError
            There is no illegal play, it is too late, or it is not for him to say.
        """
        if self.phase not in ("illegal", "open"):
            late = "it stands" if any(isinstance(entry, Ruling) for entry in self.log) else "there is none"
            raise RuleError(f"no illegal play can be corrected now: {late}")
        if not self.conduct.corrected_by(by, self.player):
            raise RuleError(f"under {self.conduct.illegal_play} only player {other(self.player)} has it corrected")
        turn = self
        if self.phase == "open":
            dice, start = self.before.dice or self._dice(), self.positions[0]
            turn = self._with(
                Ruling("illegal play corrected, the roll after it withdrawn", start, self.player, dice=dice)
            )
            turn = replace(turn, premature=None, doubled_early=False)
        return replace(turn._laid_out(), phase="play")

    def let_stand(self) -> Turn:
        """The opponent lets an illegal play stand.

        Raises
        ------
        RuleError
            There is no illegal play, or it must be corrected when it is noticed.
        """
        self._check("illegal", "let an illegal play stand")
        if self.conduct.illegal_play not in ("responsible_moves", "opponent_may_refuse"):
            raise RuleError(f"under {self.conduct.illegal_play} an illegal play that is noticed must be corrected")
        return self._stands("accepted by the opponent", "over")

    # ---- what the opponent does

    def opponent_rolls(self, throw: Throw, *, stands: bool | None = None) -> Turn:
        """The opponent throws a valid roll: after the play, which then can't be corrected any more, or too early.

        Parameters
        ----------
        throw : Throw
        stands : bool, optional
            Whether a premature roll stands, for the player to say, where the rules leave that to him.

        Raises
        ------
        RuleError
            The throw is cocked, and so no roll at all; a second premature one; `stands` given or missing at the wrong
            time; a die outside 1 to 6.
        """
        Roll(*throw.dice)
        verdict = self.conduct.judge(throw)
        if verdict.kind is VerdictKind.COCKED:
            raise RuleError(f"that is no roll: {verdict.reason}")
        if self.phase in ("over", "open"):
            raise RuleError("the turn is over: this roll begins the next one")
        if self.premature is not None:
            raise RuleError("the opponent has rolled already")
        if self.phase == "illegal":
            if self.doubled_early:
                raise RuleError("the opponent has doubled, so he waits for an answer")
            return self._stands("not noticed before the next roll", self._after_standing())._with(Roll(*throw.dice))
        if (stands is not None) != (self.conduct.premature_roll == "opponent_chooses"):
            raise RuleError(
                f"stands= says what player {self.player} chooses, under premature_roll='opponent_chooses' only"
            )
        if self.conduct.premature_roll == "stands" or stands:
            return replace(self, premature=throw)
        return self._with(Reroll(throw.dice, other(self.player), "premature roll"))

    def opponent_doubles(self) -> Turn:
        """The opponent offers the cube: after the play, which then can't be corrected any more, or too early.

        Raises
        ------
        RuleError
            He may not, or has already.
        """
        if self.premature is not None or self.doubled_early:
            raise RuleError("the opponent has rolled or doubled already")
        if self.phase == "illegal":
            turn = self._stands("not noticed before the double", self._after_standing())
            return turn._with(Double())
        if self.phase in ("over", "open"):
            raise RuleError("the turn is over: this offer belongs to the next one")
        return replace(self, doubled_early=True) if self.conduct.premature_cube == "stands" else self

    def opponent_completes(self) -> Turn:
        """The opponent has completed his own next play: nothing can be corrected any more.

        It also settles an illegal play whose opponent had rolled before it was completed: that roll stands, and there
        will be no other.

        Raises
        ------
        RuleError
            The turn is not that far.
        """
        if self.phase == "illegal" and self.premature is not None:
            return self._stands("not noticed before the next play", "over")
        if self.phase != "open":
            raise RuleError("only an illegal play that still can be corrected is settled by the opponent's play")
        return replace(self, phase="over")

    # ---- inside

    def _check(self, phase: TurnPhase, what: str) -> None:
        if self.phase != phase:
            raise RuleError(f"it is not time to {what}: the turn is in phase {self.phase!r}")

    def _with(self, *entries: Action | Reroll) -> Turn:
        """The turn with more in its log."""
        state = self.state
        for entry in entries:
            if isinstance(entry, Action):
                state = state.apply(entry)
        return replace(self, state=state, log=(*self.log, *entries))

    def _valid(self, action: Roll) -> Turn:
        return replace(self._with(action), phase="play")._laid_out()

    def _laid_out(self) -> Turn:
        """The board as it is before the play."""
        start = self.positions[0] if self.positions else self.state.position
        return replace(self, moves=(), positions=(start,))

    def _dice(self) -> tuple[int, int]:
        assert self.thrown is not None
        return self.thrown.dice

    def _legal(self, action: MakePlay | Pass) -> Turn:
        """A legal play has been completed; what the opponent did too early follows it."""
        turn = replace(self._with(action), phase="over")
        goes_on = turn.state.phase == "to_roll" and turn.state.on_roll != self.player
        if self.premature is not None and goes_on:
            return turn._with(Roll(*self.premature.dice))
        if self.doubled_early and goes_on:
            return turn._with(Double())
        return turn

    def _after_standing(self) -> TurnPhase:
        return "open" if self.conduct.illegal_play == "next_play" else "over"

    def _stands(self, why: str, phase: TurnPhase) -> Turn:
        """An illegal play stands."""
        ruling = Ruling(f"illegal play stands: {why}", self.position.flipped(), other(self.player))
        turn = replace(self._with(ruling), phase=phase)
        if turn.state.phase != "to_roll":
            return turn  # the position has ended the game
        if self.premature is not None:
            return turn._with(Roll(*self.premature.dice))
        return turn._with(Double()) if self.doubled_early else turn

    def _why_illegal(self) -> IllegalPlay:
        """What the rules say of the moves made."""
        state = self.state
        assert state.dice is not None
        text = " ".join(f"{move.source}/{move.target}" for move in self.moves) or "pass"
        try:
            state.rules.check(self.positions[0], state.dice, text, context=state.context)
        except IllegalPlay as error:
            return error
        return IllegalPlay("no legal play leaves that position")


def moved(game: Rules, position: Position, source: int, target: int) -> tuple[Position, Move]:
    """What lies there after somebody has moved one of his checkers, whatever the rules say of it.

    Raises
    ------
    RuleError
        No such point, or no checker of his that can be taken there.
    """
    if not (type(source) is int and type(target) is int and 1 <= source <= 25 and 0 <= target <= 24):
        raise RuleError(f"a checker is moved from 1 to 25 (bar) to 0 (off) to 24, not from {source!r} to {target!r}")
    counts, pinned = position.counts, position.pinned
    if counts[0, source] - pinned[0, source] < 1:
        raise RuleError(f"no checker of the player lies free on {source}")
    counts[0, source] -= 1
    counts[0, target] += 1
    if source <= 24:
        under = _turned(game, source)
        if counts[0, source] == pinned[0, source]:
            pinned[1, under] = False
    hit = pin = False
    if target:
        there = _turned(game, target)
        if counts[1, there] == 1 and not pinned[1, there]:
            if game.contact == "hit":
                counts[1, there], hit = 0, True
                counts[1, 25] += 1
            elif game.contact == "pin":
                pinned[1, there] = pin = True
    return Position.from_counts(counts, pinned), Move(source, target, hit, pin)


def _turned(game: Rules, point: int) -> int:
    """The opponent's number of an own point."""
    if game.geometry == "contrary":
        return 25 - point
    return point + 12 if point <= 12 else point - 12
