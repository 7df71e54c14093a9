"""One question, and whether the answer is right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from bgcore.conformance.cases import (
    ActionsCase,
    ApplyCase,
    Case,
    CheckCase,
    OutcomeCase,
    PerftCase,
    PlaysCase,
    ScoreCase,
)
from bgcore.conformance.diagnose import written
from bgcore.conformance.doors import Door, EngineFault, Refused
from bgcore.conformance.failures import Failure
from bgcore.conformance.messages import action_key
from bgcore.dice import ROLLS
from bgcore.rules import BACKGAMMON

__all__ = ["failures_of"]


@singledispatch
def failures_of(case: Case, door: Door) -> Iterator[Failure]:
    """Everything that is wrong with an engine's answer; raises EngineFault where there is none."""
    raise TypeError(f"{case!r} is no case")


@failures_of.register
def _(case: PlaysCase, door: Door) -> Iterator[Failure]:
    rules = case.rules
    plays = rules.legal_plays(case.position, case.dice, context=case.context)
    try:
        answer = door.plays(case.position, case.dice, rules, case.context)
    except EngineFault as fault:
        if fault.kind == "malformed" and rules.outcome(case.position) is not None and door.is_ready:
            why = "plays are found in a finished game, and lead to what is no position"
            yield Failure("game over", case.group, case.title, why, position=case.position, dice=case.dice)
            return
        raise
    legal, told = frozenset(play.result for play in plays), answer.results
    if answer.untold and told <= legal and len(legal - told) == answer.untold - answer.repeats:
        door.in_part += 1
        return
    about: dict[str, Any] = {
        "title": case.title,
        "position": case.position,
        "dice": case.dice,
        "game": rules.name,
        "legal": len(plays),
    }
    if told != legal:
        found = door.diagnoser(case.position, case.dice, legal, told, rules, case.group)
        yield Failure(
            found[0].rule,
            case.group,
            why=found[0].why,
            candidates=found,
            missing=tuple(str(play) for play in plays if play.result not in told),
            extra=tuple(written(case.position, result, rules) for result in sorted(told - legal)),
            **about,
        )
    elif answer.repeats and not door.info.repeats:
        yield Failure(
            "distinct plays",
            case.group,
            why="a final position is told more than once",
            expected=f"{len(plays)} results",
            got=f"{len(plays) + answer.repeats}",
            **about,
        )


@failures_of.register
def _(case: CheckCase, door: Door) -> Iterator[Failure]:
    answer = door.check(case.position, case.dice, case.play)
    if answer != case.legal:
        yield Failure(
            case.group,
            case.group,
            f"{case.play}: {case.title}" if case.title else case.play,
            needs=case.needs,
            position=case.position,
            dice=case.dice,
            expected=_legality(case.legal),
            got=_legality(answer),
        )


def _legality(legal: bool) -> str:
    return "legal" if legal else "illegal"


@failures_of.register
def _(case: OutcomeCase, door: Door) -> Iterator[Failure]:
    answer = door.outcome(case.position)
    if (None if answer is None else (answer.winner, answer.points)) != case.expected:
        yield Failure(
            case.group,
            case.group,
            case.title,
            needs=case.needs,
            position=case.position,
            expected=_outcome(case.expected),
            got=_outcome(None if answer is None else (answer.winner, answer.points)),
        )


def _outcome(value: tuple[str | None, int] | None) -> str:
    if value is None:
        return "the game goes on"
    winner = {"own": "the player on roll wins", "opp": "the opponent wins", None: "drawn"}[value[0]]
    return f"{winner}, {value[1]} point{'s' if value[1] != 1 else ''}"


@failures_of.register
def _(case: PerftCase, door: Door) -> Iterator[Failure]:
    if case.by_plays:
        yield from _walk(case, door)
        return
    answer = door.perft(case.position, case.depth)
    if answer != case.expected:
        yield Failure(
            case.group,
            case.group,
            case.title,
            needs=case.needs,
            position=case.position,
            expected=f"perft {case.depth} is {case.expected:,}",
            got=f"{answer:,}",
        )


def _walk(case: PerftCase, door: Door) -> Iterator[Failure]:
    """Every position of a tree, until the first that is wrong: that is where the count goes wrong."""
    level = [case.position]
    lines = 0
    for depth in range(1, case.depth + 1):
        further = []
        for position in level:
            for dice in ROLLS:
                found = list(failures_of(PlaysCase(case.group, position, dice, case.title), door))
                if found:
                    yield found[0]
                    return
                if depth < case.depth:
                    results = [play.result for play in BACKGAMMON.legal_plays(position, dice)]
                    further += results or [position.flipped()]
                else:
                    lines += max(1, BACKGAMMON.count_plays(position, dice))
        level = further
    assert lines == case.expected, "bgcore disagrees with the count of the suite"


@failures_of.register
def _(case: ActionsCase, door: Door) -> Iterator[Failure]:
    told = {action_key(action) for action in door.actions(case.state)}
    got = [key for key in case.about if key in told]
    if set(got) != set(case.expected):
        yield Failure(
            case.group,
            case.group,
            case.title,
            f"of {', '.join(case.about)}",
            case.needs,
            expected=", ".join(case.expected) or "nothing",
            got=", ".join(got) or "nothing",
            state=case.state,
        )


@failures_of.register
def _(case: ApplyCase, door: Door) -> Iterator[Failure]:
    about: dict[str, Any] = {
        "why": "after " + ", ".join(_said(action) for action in case.actions),
        "needs": case.needs,
        "state": case.state,
    }
    state: dict[str, Any] = case.state
    for number, action in enumerate(case.actions, 1):
        answer = door.apply(state, action)
        if isinstance(answer, Refused):
            if case.expected is not None or number < len(case.actions):
                yield Failure(
                    case.group, case.group, case.title, expected="allowed", got=f"refused: {answer.why}", **about
                )
            return
        state = answer
    if case.expected is None:
        yield Failure(case.group, case.group, case.title, expected="refused", got="allowed", **about)
        return
    wrong = {name: value for name, value in case.expected.items() if name not in state or state[name] != value}
    if wrong:
        yield Failure(
            case.group,
            case.group,
            case.title,
            expected=_fields(wrong),
            got=_fields({name: state.get(name) for name in wrong}),
            **about,
        )


def _said(action: dict[str, Any]) -> str:
    return " ".join(str(value) for value in action.values())


def _fields(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


@failures_of.register
def _(case: ScoreCase, door: Door) -> Iterator[Failure]:
    told = door.score(case.end)
    right: dict[str, Any] = {"points": case.points, "score": list(case.score), "match_over": case.match_over}
    length = case.end["length"]
    for values in (told, right):
        if length:  # whether points beyond the length are shown is a matter of taste
            values["score"] = [min(points, length) for points in values["score"]]
    wrong = [name for name, value in right.items() if told[name] != value]
    if wrong:
        yield Failure(
            case.group,
            case.group,
            case.title,
            needs=case.needs,
            expected=_fields({name: right[name] for name in wrong}),
            got=_fields({name: told[name] for name in wrong}),
            state=case.end,
        )
