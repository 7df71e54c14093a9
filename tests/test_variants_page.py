"""docs/variants.md says what the rule sets are: its tables are compared with them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import bgcore as bg
from bgcore.rules import OPTIONS

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "variants.md").read_text(encoding="utf-8")
GAMES = [name for name in bg.rules.names() if name not in ("backgammon", "nackgammon", "hypergammon")]
SPECS = {"geometry", "block_at", "contact", "doubles"}  # options that stand in the table of specs


def table(text: str, header: str) -> list[list[str]]:
    """The cells of the rows of the first table with this header line."""
    if f"\n{header}\n" not in text:
        return []
    lines = text.split(f"\n{header}\n", 1)[1].splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("|")), len(lines))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:end]]


def section(title: str) -> str:
    """The text below a heading, up to the next of its rank."""
    return re.split(r"\n## ", PAGE.split(f"\n## {title}\n", 1)[1])[0]


def pages() -> dict[str, str]:
    """The sections that are about a game, by its name."""
    found = {}
    for title in re.findall(r"^## (.+)$", PAGE, re.MULTILINE):
        names = [cell for label, cell in table(section(title), "| | |") if label == "name"]
        if names:
            found[names[0].strip("`")] = section(title)
    return found


def value(code: str) -> Any:
    """What a piece of Python in the page means."""
    return eval(code, {"__builtins__": {"set": set, "dict": dict}})


def test_every_game_has_its_page() -> None:
    assert sorted(pages()) == sorted(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_specs(name: str) -> None:
    rules = bg.rules.get(name)
    specs = {label: cell.strip("`") for label, cell in table(pages()[name], "| | |")}
    assert specs["players, checkers"] == f"2, {rules.checkers} each"
    counts = rules.start.counts[0].tolist()
    assert specs["start"] == ", ".join(f"{point}: {counts[point]}" for point in range(24, 0, -1) if counts[point])
    for option in SPECS:
        assert specs[option] == str(rules.options[option])
    assert int(specs["most moves in a play"]) == rules.max_moves
    single, gammon, backgammon = rules.scoring
    outcomes = f"single {single}, gammon {gammon}"
    if backgammon != gammon:
        outcomes += f", backgammon {backgammon}"
    if rules.mother != "none":
        outcomes += f", mother {gammon}, draw {rules.draw_points}"
    assert specs["outcomes"] == outcomes
    assert specs["extra state"]


@pytest.mark.parametrize("name", GAMES)
def test_options(name: str) -> None:
    rules = bg.rules.get(name)
    told = set(SPECS)
    for option, values in table(pages()[name], "| option | default and other values |"):
        option = option.strip("`")
        default, *others = (value(code) for code in re.findall(r"`([^`]+)`", values))
        assert f"**`{values.split('`')[1]}`**" in values, "the default stands first, in bold"
        assert default == rules.options[option]
        for other in others:
            rules.replace(**{option: other}).core()
        told.add(option)
    differing = {option for option in OPTIONS if rules.options[option] != bg.BACKGAMMON.options[option]}
    assert differing <= told


@pytest.mark.parametrize("name", GAMES)
def test_presets(name: str) -> None:
    rules = bg.rules.get(name)
    told = {}
    for preset, changes in table(pages()[name], "| preset | changes |"):
        preset = preset.strip("`")
        told[preset] = rules.replace(name=f"{name}:{preset}", **value(f"dict({changes.strip('`')})"))
    assert told == {preset: bg.rules.get(name, preset=preset) for preset in bg.rules.presets(name)}


def test_every_option_is_explained() -> None:
    rows = table(PAGE, "| option | values | meaning |")
    assert {row[0].strip("`") for row in rows} == set(OPTIONS)
    for label, values, _ in rows:
        known = OPTIONS[label.strip("`")]
        codes = re.findall(r"`([^`]+)`", values)
        if all(isinstance(each, str) for each in known) and label != "`prime_rules`":
            assert [value(code) for code in codes] == list(known)
        elif codes:
            assert value(codes[0]) == known[0]


def test_every_prime_rule_is_explained() -> None:
    rows = table(PAGE, "| prime rule | forbids |")
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row[0])} == OPTIONS["prime_rules"]


Counted = tuple[str, dict[str, Any], int, int]


def counted() -> list[Counted]:
    """The figures of the perft table: rule set, changes to it, depth, lines of play."""
    found = []
    for label, *cells in table(PAGE, "| rule set | depth 1 | depth 2 | depth 3 |"):
        first, *others = re.findall(r"`([^`]+)`", label)
        changes = value(f"dict({others.pop()})") if "=" in label else {}
        for name in (first, *others):
            for depth, cell in enumerate(cells, 1):
                if cell != "–":
                    found.append((name, changes, depth, int(cell.rstrip(" *").replace(",", ""))))
    return found


def rules_of(name: str, changes: dict[str, Any]) -> bg.Rules:
    game, _, preset = name.partition(":")
    return bg.rules.get(game, preset or None).replace(**changes)


def timed(figure: Counted) -> Any:
    """A figure as a parameter; those that the slow generator takes long for are for ci/test-long."""
    name, changes, _, lines = figure
    rules = rules_of(name, changes)
    slow = lines > 1_000_000 and (rules.hit_and_run_home == "forbid" or rules.entry_forbid_own)
    return pytest.param(*figure, marks=[pytest.mark.long] if slow else [])


@pytest.mark.parametrize(("name", "changes", "depth", "lines"), [timed(figure) for figure in counted()])
def test_perft(name: str, changes: dict[str, Any], depth: int, lines: int) -> None:
    rules = rules_of(name, changes)
    assert bg.perft(rules.start, depth, rules) == lines


def test_the_perft_table_has_every_game() -> None:
    assert {name for name, *_ in counted()} >= set(GAMES)
