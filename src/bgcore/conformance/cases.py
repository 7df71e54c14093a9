"""What an engine can be asked, one class a kind of question.

A case belongs to a group, whose name is the rule that it is about.  Cases are values: a suite is a list of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules

__all__ = ["ActionsCase", "ApplyCase", "Case", "CheckCase", "OutcomeCase", "PerftCase", "PlaysCase", "ScoreCase"]


@dataclass(frozen=True)
class PlaysCase:
    """Which plays are legal: compared with bgcore's."""

    group: str
    position: Position
    dice: tuple[int, int]
    title: str = ""
    rules: Rules = BACKGAMMON
    context: int = 0
    needs = "plays"


@dataclass(frozen=True)
class CheckCase:
    """Whether a written play is legal."""

    group: str
    position: Position
    dice: tuple[int, int]
    play: str
    legal: bool
    title: str = ""
    needs = "check"


@dataclass(frozen=True)
class OutcomeCase:
    """How a game has ended: ("own" or "opp", points), or None."""

    group: str
    position: Position
    expected: tuple[str, int] | None
    title: str = ""
    needs = "outcome"


@dataclass(frozen=True)
class PerftCase:
    """How many lines of play there are; with `by_plays` counted from the engine's plays."""

    group: str
    position: Position
    depth: int
    expected: int
    title: str = ""
    by_plays: bool = False

    @property
    def needs(self) -> str:
        """Which capability it asks."""
        return "plays" if self.by_plays else "perft"


@dataclass(frozen=True)
class ActionsCase:
    """What may be done in a state: only kinds of action in `about` are looked at.

    With an `option` of the match it is asked only of an engine that has it.
    """

    group: str
    title: str
    state: dict[str, Any]
    about: tuple[str, ...]
    expected: tuple[str, ...]
    option: str = ""
    needs = "actions"


@dataclass(frozen=True)
class ApplyCase:
    """What comes of one action after another: fields of the last state, or None where the last is refused.

    With an `option` of the match it is asked only of an engine that has it.
    """

    group: str
    title: str
    state: dict[str, Any]
    actions: tuple[dict[str, Any], ...]
    expected: dict[str, Any] | None
    option: str = ""
    needs = "apply"


@dataclass(frozen=True)
class ScoreCase:
    """What the end of a game pays."""

    group: str
    title: str
    end: dict[str, Any]
    points: int
    score: tuple[int, int]
    match_over: bool = field(default=False)
    needs = "score"


Case: TypeAlias = PlaysCase | CheckCase | OutcomeCase | PerftCase | ActionsCase | ApplyCase | ScoreCase
