"""The two ways to an engine, and what both have in common.

A `Door` asks an engine and hands back values of ours: positions seen by the player who rolls next, whatever the
engine's own conventions are.  When the engine crashes, hangs or says what is no answer, it raises `EngineFault`, which
keeps the request and what the engine wrote to standard error.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self, TypeVar

from bgcore.conformance.diagnose import Diagnoser
from bgcore.conformance.messages import (
    Info,
    Malformed,
    position_fields,
    read_action,
    read_count,
    read_outcome,
    read_position,
    read_score,
    several,
)
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Outcome, Rules

__all__ = ["Answer", "Door", "EngineFault", "Refused"]

MOST_RESULTS = 100_000
T = TypeVar("T")


class EngineFault(Exception):
    """An engine did not answer, or not as agreed.

    Attributes
    ----------
    kind : {"crashed", "hung", "malformed", "error"}
        It ended; it took too long; it said what is no answer; it said itself that it could not answer.
    request : str
        What it was asked, as it was sent.
    stderr : str
        The end of what it wrote to standard error.
    """

    def __init__(self, kind: str, message: str, request: str = "", stderr: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.request = request
        self.stderr = stderr


class Refused(NamedTuple):
    """An engine's answer to an action that the rules forbid."""

    why: str


class Answer(NamedTuple):
    """The plays of a roll."""

    results: frozenset[Position]
    """Seen by the player who rolls next; empty if there is no play."""
    repeats: int
    """How many more times results were told than there are."""
    untold: int = 0
    """How many more plays there are that the engine cannot tell."""


class Door(abc.ABC):
    """Asks one engine."""

    info: Info
    in_part: int = 0
    """Rolls of this run whose plays were not all told, where those that were are legal and the number is right."""
    chatter: int = 0
    """Lines on standard output, in this run, that were no answers."""
    diagnoser: Diagnoser

    def begin(self) -> None:
        """Forget what earlier runs have noted."""
        self.in_part = self.chatter = 0
        self.diagnoser = Diagnoser()

    @abc.abstractmethod
    def ask(self, word: str, fields: Mapping[str, Any]) -> Any:
        """The engine's bare answer to one question; raises EngineFault."""

    @abc.abstractmethod
    def fault(self, kind: str, message: str) -> EngineFault:
        """An EngineFault about the last request."""

    def untold(self) -> int:
        """How many plays of the last answer were counted only."""
        return 0

    @abc.abstractmethod
    def close(self) -> None:
        """End the engine.  Nothing of it is left afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    @abc.abstractmethod
    def is_ready(self) -> bool:
        """Whether it can be asked the next question as it is."""

    @abc.abstractmethod
    def restart(self) -> None:
        """Make the engine ready again after a fault; raises EngineFault if that can't be."""

    def plays(self, position: Position, dice: tuple[int, int], rules: Rules = BACKGAMMON, context: int = 0) -> Answer:
        """The plays of a roll."""
        fields: dict[str, Any] = {"position": position, "dice": list(dice), "rules": rules, "context": context}
        try:
            told = list(self._results(self.ask("plays", fields), rules))
        except Malformed as error:
            raise self.fault("malformed", str(error)) from None
        if self.info.frame == "mover":
            told = [result.flipped() for result in told]
        if self.info.passes == "unchanged" and told == [position.flipped()]:
            told = []
        results = frozenset(told)
        return Answer(results, len(told) - len(results), self.untold())

    def _results(self, values: Any, rules: Rules) -> list[Position]:
        found: list[Position] = []
        for value in several(values):
            if len(found) == MOST_RESULTS:
                raise Malformed(f"more than {MOST_RESULTS} results for one roll")
            if isinstance(value, Position):
                reason = rules.validate(value)
                if reason:
                    raise Malformed(f"{value!r} is no position of {rules.name}: {reason!r}")
                found.append(value)
            else:
                found.append(read_position(value, rules))
        return found

    def check(self, position: Position, dice: tuple[int, int], play: str) -> bool:
        """Whether it takes a written play for legal."""
        answer = self.ask("check", {"position": position, "dice": list(dice), "rules": BACKGAMMON, "play": play})
        if not isinstance(answer, bool):
            raise self.fault("malformed", f"whether a play is legal is true or false, not {answer!r:.200}")
        return answer

    def outcome(self, position: Position) -> Outcome | None:
        """How a game has ended."""
        return self._read(read_outcome, self.ask("outcome", {"position": position, "rules": BACKGAMMON}))

    def perft(self, position: Position, depth: int) -> int:
        """Lines of play."""
        return self._read(read_count, self.ask("perft", {"position": position, "rules": BACKGAMMON, "depth": depth}))

    def actions(self, state: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What may be done in a state."""
        return self._read(lambda v: [read_action(x) for x in several(v)], self.ask("actions", {"state": state}))

    def apply(self, state: Mapping[str, Any], action: Mapping[str, Any]) -> dict[str, Any] | Refused:
        """The state after an action."""
        answer = self.ask("apply", {"state": state, "action": action})
        if isinstance(answer, Refused):
            return answer
        if not isinstance(answer, Mapping):
            raise self.fault("malformed", f"a state is an object, not {answer!r:.200}")
        return dict(answer)

    def score(self, end: Mapping[str, Any]) -> dict[str, Any]:
        """What the end of a game pays."""
        return self._read(read_score, self.ask("score", {"end": end}))

    def _read(self, reader: Callable[[Any], T], value: Any) -> T:
        try:
            return reader(value)
        except Malformed as error:
            raise self.fault("malformed", str(error)) from None


def written(word: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A question as the object that a program gets."""
    rules = fields.get("rules", BACKGAMMON)
    request: dict[str, Any] = {"do": word}
    for name, value in fields.items():
        if name == "position":
            request |= position_fields(value, rules)
        elif name == "rules":
            if rules.name != BACKGAMMON.name:
                request["game"] = rules.name
        elif name != "context" or rules.name != BACKGAMMON.name:
            request[name] = value
    return request
