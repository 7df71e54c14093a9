"""docs/rules.md says what the code does: its tables are compared with it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from bgcore.match import transitions
from bgcore.match.actions import ACTIONS
from bgcore.match.cube import MatchOptions
from bgcore.match.state import PHASES

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def rows(header: str) -> list[list[str]]:
    """The cells of the rows of the table with this header line."""
    lines = PAGE.split(f"\n{header}\n", 1)[1].splitlines()[1:]
    end = next((i for i, line in enumerate(lines) if not line.startswith("|")), len(lines))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:end]]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_option_with_its_default() -> None:
    table = {words(row[0])[0]: words(row[1])[0] for row in rows("| option | default | for | means |")}
    assert table == {field.name: repr(field.default) for field in fields(MatchOptions)}


def test_every_action_with_its_kind() -> None:
    table = {}
    for row in rows("| action | who | when | in a record |"):
        table |= zip([word.split("(")[0] for word in words(row[0])], words(row[3]), strict=True)
    assert table == {cls.__name__: cls.KIND for cls in ACTIONS}


def test_every_phase_is_in_the_diagram() -> None:
    diagram = PAGE.split("```mermaid", 1)[1].split("```", 1)[0]
    assert set(re.findall(r"^    (\w+) -->", diagram, re.MULTILINE)) == set(PHASES)


@pytest.mark.parametrize("source", ["state.pyx", "transitions.pyx", "refusals.py", "ids.py"])
def test_every_rule_that_refuses_is_listed(source: str, repo: Path) -> None:
    listed = {word for row in rows("| `RuleError.rule` | when |") for word in words(row[0])}
    text = (repo / "src" / "bgcore" / "match" / source).read_text(encoding="utf-8")
    assert set(re.findall(r'rule="(\w+)"', text)) <= listed
    assert {rule for rule, _ in transitions.REFUSALS.values()} <= listed
