"""What a run has found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bgcore.conformance.failures import Failure

__all__ = ["GroupResult", "Rate", "Report", "Speed"]


@dataclass
class GroupResult:
    """One group of a suite.

    Attributes
    ----------
    name : str
    asked, failed, in_part, not_offered, not_run : int
        Cases that were answered, those of them that were answered wrongly or not in full, those that need what the
        engine does not offer, and those that the run did not come to.
    lacks : set of str
        What is not offered: capabilities, games.
    seconds : float
        On the wall clock, diagnosis and shrinking included.
    """

    name: str
    asked: int = 0
    failed: int = 0
    in_part: int = 0
    not_offered: int = 0
    not_run: int = 0
    lacks: set[str] = field(default_factory=set)
    seconds: float = 0.0

    @property
    def status(self) -> str:
        """One of "failed", "not run", "not offered", "in part" and "passed"."""
        if self.failed:
            return "failed"
        if self.not_run:
            return "not run"
        if not self.asked:
            return "not offered"
        return "in part" if self.not_offered or self.in_part else "passed"


class Rate(NamedTuple):
    """How fast legal plays were answered in one way."""

    way: str
    rolls: float
    """A second."""
    plays: float
    """Distinct ones a second, by bgcore's count."""


@dataclass(frozen=True)
class Speed:
    """How fast legal plays were answered, beside bgcore on the same rolls.

    Attributes
    ----------
    way : str
        How the engine was asked.
    rolls : int
        Pairs of position and roll that were asked, again and again.
    seconds : float
        Of the engine, wall clock, for as many rounds as fitted.
    rates : tuple of Rate
        Of the engine first, then of ways to ask bgcore.
    """

    way: str
    rolls: int
    seconds: float
    rates: tuple[Rate, ...]


@dataclass
class Report:
    """What a run has found out about an engine.

    Attributes
    ----------
    engine, version : str
        What the engine says that it is.
    suite : str
    groups : list of GroupResult
    failures : tuple of Failure
        Every wrong answer, in the order asked.
    notes : list of str
        Ways of the engine that are no mistakes.
    trouble : str
        Why the run ended early; empty if it did not.
    speed : Speed or None
    """

    engine: str
    version: str
    suite: str
    groups: list[GroupResult]
    failures: tuple[Failure, ...] = ()
    notes: list[str] = field(default_factory=list)
    trouble: str = ""
    speed: Speed | None = None

    @property
    def passed(self) -> bool:
        """Whether no group that is offered failed and at least one ran."""
        return not self.trouble and not self.failures and any(group.asked for group in self.groups)

    @property
    def complete(self) -> bool:
        """Whether everything in the suite was asked and answered in full."""
        missing = any(group.not_offered or group.not_run or group.in_part for group in self.groups)
        return not self.trouble and not missing

    @property
    def not_offered(self) -> tuple[str, ...]:
        """Groups of which the engine does not offer all."""
        return tuple(group.name for group in self.groups if group.not_offered)

    @property
    def rules_broken(self) -> dict[str, int]:
        """The rules that are broken and how often, the most frequent first."""
        return dict(Counter(failure.rule for failure in self.failures).most_common())

    def group(self, name: str) -> GroupResult | None:
        """A group by its name."""
        return next((group for group in self.groups if group.name == name), None)

    def meets(self, required: tuple[str, ...]) -> bool:
        """Whether the groups named are there, were asked in full and have passed."""
        found = [self.group(name) for name in required]
        return all(group is not None and group.status == "passed" for group in found)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        speed = self.speed
        return {
            "engine": self.engine,
            "version": self.version,
            "suite": self.suite,
            "passed": self.passed,
            "complete": self.complete,
            "not_offered": list(self.not_offered),
            "rules_broken": self.rules_broken,
            "trouble": self.trouble,
            "notes": self.notes,
            "groups": [
                {
                    "name": group.name,
                    "status": group.status,
                    "asked": group.asked,
                    "failed": group.failed,
                    "in_part": group.in_part,
                    "not_offered": group.not_offered,
                    "not_run": group.not_run,
                    "lacks": sorted(group.lacks),
                    "seconds": round(group.seconds, 3),
                }
                for group in self.groups
            ],
            "failures": [failure.to_json() for failure in self.failures],
            "speed": speed
            and {
                "way": speed.way,
                "rolls": speed.rolls,
                "seconds": round(speed.seconds, 4),
                "rates": [rate._asdict() for rate in speed.rates],
            },
        }

    def examples(self, most: int = 2) -> list[Failure]:
        """For every rule that is broken the smallest failures, of its own group first, no two of them alike."""
        found: list[Failure] = []
        for rule in self.rules_broken:
            mine = [failure for failure in self.failures if failure.rule == rule]
            mine.sort(key=lambda failure: (failure.group != rule, (failure.small or failure).checkers))
            shown: dict[str, Failure] = {}
            for failure in mine:
                shown.setdefault("\n".join((failure.small or failure).text().splitlines()[1:]), failure)
                if len(shown) == most:
                    break
            found += shown.values()
        return found

    def text(self, examples: int = 1) -> str:
        """For people: one line a group, the speed, and for every rule that is broken some failures."""
        name = f"{self.engine} {self.version}".strip()
        word = "passed" if self.passed else "failed"
        found = [f"{name}, suite {self.suite}: {word}{'' if self.complete else ', not complete'}"]
        width = max((len(group.name) for group in self.groups), default=0)
        for group in self.groups:
            line = f"  {group.name:<{width}}  {group.status:<11} {group.asked:>6} asked"
            line += f", {group.failed} wrong" if group.failed else ""
            line += f", {group.not_offered} not offered ({', '.join(sorted(group.lacks))})" if group.not_offered else ""
            line += f", {group.in_part} not told in full" if group.in_part else ""
            line += f", {group.not_run} not run" if group.not_run else ""
            found.append(line)
        return "\n".join([*found, *(f"  {line}".rstrip() for line in self.lines_below(examples))])

    def lines_below(self, examples: int = 1) -> list[str]:
        """What `text` says below the groups."""
        found = [f"note: {note}" for note in self.notes]
        if self.trouble:
            found.append(f"ended early: {self.trouble}")
        if self.speed is not None:
            found += [
                f"{rate.way:<28} {rate.rolls:>12,.0f} rolls/s {rate.plays:>14,.0f} plays/s" for rate in self.speed.rates
            ]
        if self.failures:
            found += ["", f"{len(self.failures)} wrong answers, by the rule that is broken:"]
            found += [f"{count:>6}  {rule}" for rule, count in self.rules_broken.items()]
        for failure in self.examples(examples):
            found += ["", *failure.text().splitlines()]
        return found

    def __str__(self) -> str:
        return self.text()
