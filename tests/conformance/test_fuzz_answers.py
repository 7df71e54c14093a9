"""Whatever an engine answers, a run ends with a report."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.conformance import Report, Suite, check, named
from bgcore.conformance.cases import Case
from bgcore.conformance.junit import junit
from bgcore.conformance.page import page

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.integers(-3, 3) | st.floats()
    | st.text(max_size=5) | st.binary(max_size=3)
    | st.sampled_from(["own", "opp", "roll", "offer", "single", bg.Position.initial(), object()])
)  # fmt: skip
KEYS = st.sampled_from(
    [
        "counts",
        "pinned",
        "winner",
        "points",
        "kind",
        "level",
        "player",
        "score",
        "match_over",
        "phase",
        "board",
        "cube",
        "x",
    ]
)
BOARDS = st.lists(st.integers(-3, 3), min_size=26, max_size=26)
VALUES = st.recursive(
    LEAVES | BOARDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=12,
)


def some_of_each() -> Suite:
    """One case of every kind, and one of another game."""
    cases: dict[str, Case] = {}
    for case in (*named("smoke").cases, *named("perft").cases):
        cases.setdefault(type(case).__name__, case)
    variants = named("variants", size=1).cases
    return Suite("some", (*cases.values(), *(c for c in variants if c.group in ("plakoto", "hypergammon"))))


SUITE = some_of_each()


class Parrot:
    """Says the same to everything."""

    games = ("backgammon", "plakoto", "hypergammon")

    def __init__(self, value: Any) -> None:
        self.value = value

    def say(self, *args: Any, **kwargs: Any) -> Any:
        return self.value

    plays = check = outcome = actions = apply = score = perft = say


@given(VALUES)
def test_a_report_comes_of_any_answer(value: Any) -> None:
    report = check(Parrot(value), SUITE)
    assert isinstance(report, Report)
    assert not report.passed
    assert report.trouble == ""
    json.dumps(report.to_json(), default=repr)
    assert report.text(examples=3)
    assert page(report)
    assert junit(report)
