"""The first door: an engine in Python, in this process.

It runs in a thread of its own, so that one that hangs can be left behind.
"""

from __future__ import annotations

import json
import queue
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bgcore.conformance.doors import Door, EngineFault, Refused, written
from bgcore.conformance.messages import CAPABILITIES, Malformed, read_info
from bgcore.errors import IllegalPlay, RuleError
from bgcore.rules import BACKGAMMON

__all__ = ["InProcess"]


class InProcess(Door):
    """Asks a Python callable or object.

    Parameters
    ----------
    engine : callable or object
        ``engine(position, dice)`` gives the positions after every legal play; or an object with such a method `plays`.
        It may have the other words of the protocol as methods, and as attributes `name`, `version`, `games`, `passes`
        ("empty", "unchanged"), `frame` ("next", "mover"), `repeats`, `options` and `positions`.  With more games than
        backgammon it is called with ``game=`` and ``context=`` for the others.
    timeout : float
        Seconds for one answer.

    Raises
    ------
    EngineFault
        What it says of itself makes no sense.
    """

    def __init__(self, engine: Any, *, timeout: float = 10.0) -> None:
        self.engine = engine
        self.timeout = timeout
        self._asked = ""
        self._thread: threading.Thread | None = None
        self._questions: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self.engine_plays: Any = engine if callable(engine) else getattr(engine, "plays", None)
        can = [word for word in CAPABILITIES if callable(getattr(engine, word, None))]
        if callable(self.engine_plays) and "plays" not in can:
            can.insert(0, "plays")
        if not can:
            raise TypeError(
                f"an engine is a callable (position, dice) -> positions or has one of {', '.join(CAPABILITIES)}, "
                f"which {engine!r:.100} is not and has not"
            )
        positions = getattr(engine, "positions", None)
        try:
            said = read_info(
                {
                    "protocol": 1,
                    "name": getattr(engine, "name", None) or getattr(engine, "__name__", type(engine).__name__),
                    "version": str(getattr(engine, "version", "")),
                    "can": can,
                    "games": list(getattr(engine, "games", ("backgammon",))),
                    "frame": getattr(engine, "frame", "next"),
                    "pass": getattr(engine, "passes", "empty"),
                    "repeats": getattr(engine, "repeats", False),
                    "options": list(getattr(engine, "options", ())),
                }
            )
        except (Malformed, RuleError) as error:
            raise EngineFault("malformed", str(error)) from None
        self.info = said if positions is None else replace(said, positions=tuple(positions))

    def ask(self, word: str, fields: Mapping[str, Any]) -> Any:
        """The engine's answer."""
        self._word, self._fields = word, fields
        return self.call(lambda: self.answer(word, fields))

    def answer(self, word: str, fields: Mapping[str, Any]) -> Any:
        """The engine's answer, in the thread of the caller."""
        engine = self.engine
        if word == "plays":
            rules = fields["rules"]
            dice = (fields["dice"][0], fields["dice"][1])
            if rules.name == BACKGAMMON.name:
                return list(self.engine_plays(fields["position"], dice))
            return list(self.engine_plays(fields["position"], dice, game=rules.name, context=fields["context"]))
        if word == "check":
            return engine.check(fields["position"], tuple(fields["dice"]), fields["play"])
        if word == "perft":
            return engine.perft(fields["position"], fields["depth"])
        if word == "outcome":
            return engine.outcome(fields["position"])
        if word == "apply":
            try:
                return engine.apply(fields["state"], fields["action"])
            except (RuleError, IllegalPlay) as error:
                return Refused(str(error))
        return getattr(engine, word)(*fields.values())

    def call(self, question: Callable[[], Any], timeout: float | None = None) -> Any:
        """What a callable returns, called in the engine's thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, daemon=True, name="bgcore-conformance-engine")
            self._thread.start()
        self._questions.put(question)
        try:
            fine, value = self._answers.get(timeout=self.timeout if timeout is None else timeout)
        except queue.Empty:
            self._forget()
            raise self.fault("hung", f"no answer in {self.timeout:g} s") from None
        if not fine:
            raise self.fault("error", value)
        return value

    def _serve(self) -> None:
        questions, answers = self._questions, self._answers
        while (question := questions.get()) is not None:
            try:
                answers.put((True, question()))
            except BaseException as error:  # whatever an engine raises is told, SystemExit and the like too
                told = traceback.format_exception(error)
                answers.put((False, f"{type(error).__name__}: {error}\n{''.join(told[-3:])}".strip()))

    def _forget(self) -> None:
        """Leave a thread that hangs; it ends when its call does."""
        self._questions.put(None)
        self._thread = None
        self._questions, self._answers = queue.SimpleQueue(), queue.SimpleQueue()

    @property
    def is_ready(self) -> bool:
        """An exception leaves an engine as it was; only a call that hangs has to be left behind."""
        return self._thread is not None

    def restart(self) -> None:
        """The next question is asked in a thread of its own."""

    def fault(self, kind: str, message: str) -> EngineFault:
        """An EngineFault about the last request."""
        return EngineFault(kind, message, json.dumps(written(self._word, self._fields)))

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._questions.put(None)
            self._thread.join(self.timeout)
            self._thread = None
