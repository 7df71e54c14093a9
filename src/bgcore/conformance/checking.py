"""`check`: a suite, an engine, a report."""

from __future__ import annotations

import time
from typing import Any

from bgcore.conformance.cases import Case, PlaysCase
from bgcore.conformance.doors import Door, EngineFault
from bgcore.conformance.failures import Failure, of_fault, resolved
from bgcore.conformance.inprocess import InProcess
from bgcore.conformance.program import Program
from bgcore.conformance.report import GroupResult, Report
from bgcore.conformance.shrink import shrink
from bgcore.conformance.speed import measure
from bgcore.conformance.suites import Suite, named
from bgcore.conformance.verdicts import failures_of
from bgcore.dice import ROLLS
from bgcore.threads import Progress

__all__ = ["check", "open_door"]

SHRUNK = 3
"""Failures of one rule whose positions are made smaller."""
MOST_FAULTS = 5
"""Crashes and hangs after which a run is ended."""
OWN = "its own positions"


def open_door(engine: Any, *, timeout: float = 10.0, start_timeout: float = 60.0) -> Door:
    """A way to an engine: a str or a list is a program to start, a Door is taken as it is, anything else is Python."""
    if isinstance(engine, Door):
        return engine
    if isinstance(engine, str | list | tuple):
        return Program(engine, timeout=timeout, start_timeout=start_timeout)
    return InProcess(engine, timeout=timeout)


def check(
    engine: Any,
    suite: str | Suite = "rules",
    *,
    seed: int = 0,
    size: int | None = None,
    timeout: float = 10.0,
    start_timeout: float = 60.0,
    speed: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Compare somebody's rules with bgcore's.

    Parameters
    ----------
    engine : callable, object, str, list of str or Door
        A callable ``(position, dice) -> iterable of Position``, each seen by the player who rolls next, empty if there
        is no play; an object that has such a method `plays` or others of the protocol's words; or the command of a
        program that speaks the line protocol.  A Door stays open.
    suite : str or Suite
        "smoke", "rules", "random", "perft", "variants", "all", or one of your own.
    seed, size : int
        Of the random suites.
    timeout, start_timeout : float
        Seconds for one answer, and for the first one of a program.
    speed : bool
        Whether to measure speed as well.
    progress : callable (done, total), optional

    Returns
    -------
    Report

    Raises
    ------
    RuleError
        No such suite.
    EngineFault
        The engine cannot be started or does not say what it is.

    Examples
    --------
    >>> import bgcore as bg
    >>> def engine(position, dice):
    ...     return [play.result for play in bg.BACKGAMMON.legal_plays(position, dice)]
    >>> report = check(engine, suite="smoke")
    >>> report.passed, report.complete, "crawford" in report.not_offered
    (True, False, True)
    """
    chosen = suite if isinstance(suite, Suite) else named(suite, seed=seed, size=size)
    door = open_door(engine, timeout=timeout, start_timeout=start_timeout)
    try:
        return _Run(door, chosen, progress).report(speed)
    finally:
        if door is not engine:
            door.close()


class _Run:
    """One suite asked of one engine."""

    def __init__(self, door: Door, suite: Suite, progress: Progress | None) -> None:
        self.door = door
        door.begin()
        self.suite = suite
        self.progress = progress
        self.groups: dict[str, GroupResult] = {}
        self.failures: list[tuple[Failure, Case]] = []
        self.faults = 0
        self.trouble = ""

    def report(self, speed: bool) -> Report:
        """Ask everything."""
        door, info = self.door, self.door.info
        cases = list(self.suite.cases)
        if info.positions is not None:
            cases += [PlaysCase(OWN, position, roll) for position in info.positions for roll in ROLLS]
        for done, case in enumerate(cases):
            if self.progress is not None and done % 16 == 0:
                self.progress(done, len(cases))
            self._ask(case, self.groups.setdefault(case.group, GroupResult(case.group)))
        failures = self._named()
        measured = None
        if speed and not self.trouble:
            try:
                measured = measure(door)
            except EngineFault as fault:
                self.trouble = f"while its speed was measured: {fault}"
        return Report(
            info.name,
            info.version,
            self.suite.name,
            list(self.groups.values()),
            tuple(failures),
            list(self._notes()),
            self.trouble,
            measured,
        )

    def _notes(self) -> list[str]:
        info = self.door.info
        found = []
        if info.passes == "unchanged":
            found.append("no legal play is answered by the unchanged position")
        if info.repeats:
            found.append("one final position may be told several times")
        if info.positions is not None:
            found.append(f"cannot be set to a position; asked about {len(info.positions)} of its own")
        if self.door.in_part:
            found.append(f"{self.door.in_part} rolls whose plays were not all told; their number is right")
        if self.door.chatter:
            found.append(f"{self.door.chatter} lines on standard output that are no answers")
        return found

    def _lacks(self, case: Case) -> str:
        """What a case needs that the engine does not offer."""
        info = self.door.info
        if case.needs not in info.can:
            return case.needs
        if isinstance(case, PlaysCase) and case.rules.name not in info.games:
            return case.rules.name
        option = getattr(case, "option", "")
        if option and option not in info.options:
            return f"option {option}"
        own = info.positions
        if own is not None and case.group != OWN and hasattr(case, "position"):
            return "positions of others"
        return ""

    def _ask(self, case: Case, group: GroupResult) -> None:
        lack = self._lacks(case)
        if lack:
            group.not_offered += 1
            group.lacks.add(lack)
            return
        if self.trouble:
            group.not_run += 1
            return
        begin, in_part = time.monotonic(), self.door.in_part
        group.asked += 1
        try:
            found = list(failures_of(case, self.door))
        except EngineFault as fault:
            found = [of_fault(fault, case)]
            self._after(fault)
        if found:
            group.failed += 1
            self.failures += [(failure, case) for failure in found]
        group.in_part += self.door.in_part - in_part
        group.seconds += time.monotonic() - begin

    def _after(self, fault: EngineFault) -> None:
        """Go on after a fault, if that can be."""
        if self.door.is_ready:
            return
        self.faults += 1
        if self.faults >= MOST_FAULTS:
            self.trouble = f"{self.faults} questions after which it could not go on, the last one: {fault}"
            return
        try:
            self.door.restart()
        except EngineFault as again:
            self.trouble = f"it cannot be started again: {again}"

    def _named(self) -> list[Failure]:
        """The failures with the rules they break, and the smallest positions for some of each."""
        found = resolved([failure for failure, _ in self.failures])
        of_rule: dict[str, list[int]] = {}
        for i, failure in enumerate(found):
            of_rule.setdefault(failure.rule, []).append(i)
        for rule, places in of_rule.items():
            for i in sorted(places, key=lambda place: (found[place].group != rule, found[place].checkers))[:SHRUNK]:
                case = self.failures[i][1]
                if not found[i].request and not self.trouble:
                    found[i] = self._smaller(found[i], getattr(case, "context", 0))
        return found

    def _smaller(self, failure: Failure, context: int) -> Failure:
        try:
            return shrink(failure, self.door, context=context)
        except EngineFault as fault:
            self.trouble = f"while a position was made smaller: {fault}"
            return failure
