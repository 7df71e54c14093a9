"""What went wrong with one question, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bgcore.conformance.cases import ApplyCase, Case
from bgcore.conformance.doors import EngineFault
from bgcore.conformance.messages import game_rules, position_fields
from bgcore.position import Position

__all__ = ["FAULTS", "Failure", "of_fault", "resolved"]

FAULTS = {
    "crashed": "no answer: the engine ended",
    "hung": "no answer in time",
    "malformed": "malformed answer",
    "error": "the engine reports an error",
}
"""What stands in place of a rule where an engine did not answer."""


@dataclass(frozen=True)
class Failure:
    """One wrong answer.

    Attributes
    ----------
    rule : str
        The rule that is broken.
    group, title : str
        What the question was about.
    why : str
        The mistake that explains the answer.
    needs : str
        The capability that was asked.
    position : Position or None
        Seen by the player on roll.
    dice : (int, int) or None
    game : str
        Name of the rule set.
    missing, extra : tuple of str
        Legal plays that were not told, and told ones that are not legal, in notation.
    legal : int
        How many legal plays there are.
    expected, got : str
        Where it is no matter of plays: what is right, and what was answered.
    state : dict or None
        The state of a match that was asked about.
    request, stderr : str
        Where the engine did not answer: what was sent, and the end of its standard error.
    candidates : tuple of (rule, why)
        All rules whose breach would explain the answer.
    small : Failure or None
        The same mistake in the smallest position that was found.
    """

    rule: str
    group: str
    title: str = ""
    why: str = ""
    needs: str = "plays"
    position: Position | None = None
    dice: tuple[int, int] | None = None
    game: str = "backgammon"
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    legal: int = 0
    expected: str = ""
    got: str = ""
    state: dict[str, Any] | None = None
    request: str = ""
    stderr: str = ""
    candidates: tuple[tuple[str, str], ...] = ()
    small: Failure | None = None

    @property
    def checkers(self) -> int:
        """How many checkers are on the board and the bar."""
        if self.position is None:
            return 0
        return int(self.position.counts[:, 1:].sum())

    def with_small(self, small: Failure) -> Failure:
        """The same, with a smaller position."""
        return replace(self, small=small)

    def named(self, rule: str) -> Failure:
        """The same, put down to another of its candidates."""
        return replace(self, rule=rule, why=dict(self.candidates)[rule])

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        found: dict[str, Any] = {"rule": self.rule, "group": self.group, "title": self.title, "why": self.why}
        found |= {"needs": self.needs, "game": self.game}
        if self.position is not None:
            found |= position_fields(self.position, game_rules(self.game))
            if "board" in found:
                found["id"] = self.position.gnubg_id
        for name in ("dice", "missing", "extra", "legal", "expected", "got", "state", "request", "stderr"):
            value = getattr(self, name)
            if value:
                found[name] = list(value) if isinstance(value, tuple) else value
        if self.small is not None:
            found["small"] = self.small.to_json()
        return found

    def headline(self) -> str:
        """One line: the rule and what it is about."""
        return f"{self.rule}: {self.title}" if self.title else self.rule

    def lines(self) -> list[str]:
        """What is shown below the board."""
        found = [self.why] if self.why else []
        if self.missing:
            found.append(f"missing: {some(self.missing)}")
        if self.extra:
            found.append(f"not legal: {some(self.extra)}")
        if self.expected or self.got:
            found += [f"right:    {self.expected}", f"answered: {self.got}"]
        if self.state is not None:
            found.append(f"state: {json.dumps(self.state)}")
        if self.request:
            found.append(f"request: {self.request}")
        if self.stderr:
            found += ["standard error:", *self.stderr.rstrip().splitlines()[-20:]]
        return found

    def text(self) -> str:
        """Everything, with the board, of the smaller position where there is one."""
        shown = self.small or self
        found = [self.headline()]
        if shown.position is not None:
            rules = game_rules(self.game)
            dice = "" if shown.dice is None else f", roll {shown.dice[0]}-{shown.dice[1]}"
            if rules.name == "backgammon":
                found.append(f"position {shown.position.gnubg_id}{dice}")
            else:
                found.append(f"position {' '.join(f'{word:#x}' for word in shown.position.packed.tolist())}{dice}")
            found += rules.text(shown.position).splitlines()
        found += shown.lines()
        if self.small is not None and self.position is not None and self.game == "backgammon":
            found.append(f"first seen in {self.position.gnubg_id}")
        return "\n".join([found[0], *(f"  {line}" for line in found[1:])])


def resolved(failures: Sequence[Failure]) -> list[Failure]:
    """The failures, each put down to that of its candidates which explains most of them all."""
    found = list(failures)
    open_ones = {i for i, failure in enumerate(found) if len(failure.candidates) > 1}
    votes = Counter(rule for failure in found for rule, _ in failure.candidates)
    while open_ones:
        best = max(votes, key=votes.__getitem__)
        mine = [i for i in open_ones if best in dict(found[i].candidates)]
        for i in mine:
            votes.subtract(rule for rule, _ in found[i].candidates)
            found[i] = found[i].named(best)
        open_ones.difference_update(mine)
        del votes[best]
    return found


def some(plays: tuple[str, ...], most: int = 6) -> str:
    """Plays in a line."""
    more = len(plays) - most
    return ", ".join(plays[:most]) + (f" and {more} more" if more > 0 else "")


def of_fault(fault: EngineFault, case: Case) -> Failure:
    """A question that got no answer."""
    return Failure(
        FAULTS[fault.kind],
        case.group,
        case.title,
        str(fault),
        case.needs,
        getattr(case, "position", None),
        getattr(case, "dice", None),
        case.rules.name if hasattr(case, "rules") else "backgammon",
        state=case.state if isinstance(case, ApplyCase) else None,
        request=fault.request,
        stderr=fault.stderr,
    )
