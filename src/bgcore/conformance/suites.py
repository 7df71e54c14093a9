"""The suites by name: lists of cases whose contents don't change within a minor version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from bgcore.conformance.cases import Case, CheckCase, OutcomeCase, PerftCase, PlaysCase
from bgcore.conformance.match_cases import match_cases
from bgcore.conformance.messages import game_rules
from bgcore.conformance.sampling import random_games, scattered
from bgcore.conformance.traps import ENDINGS, TRAPS
from bgcore.dice import ROLLS
from bgcore.errors import RuleError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Rules, names, presets

__all__ = ["RULES_FILE", "SUITES", "Suite", "named", "of_positions"]

SUITES = ("smoke", "rules", "random", "perft", "variants", "all")
RULES_FILE = "conformance_rules.json"
RANDOM_SIZE = 5000
VARIANT_SIZE = 200
SMOKE = 2

PERFT = ((1, 447), (2, 202_782), (3, 116_154_993))
"""From the opening: depth and count."""

PERFT_ELSEWHERE = (
    ("fu4FAAQToAMhPw", 1, 641),
    ("AgAAvIsQoMEAAA", 1, 999),
    ("AAwYoFoAAAgAAA", 2, 16_935),
    ("gACAQQQAAAAAAA", 2, 2_492),
    ("4AAACBAANAAAAA", 2, 11_394),
)
"""Position ID, depth, count: checkers on the bar, bear-offs and contact."""


@dataclass(frozen=True)
class Suite:
    """Cases under a name."""

    name: str
    cases: tuple[Case, ...]


def named(name: str, *, seed: int = 0, size: int | None = None) -> Suite:
    """A suite by its name.

    Parameters
    ----------
    name : str
        One of SUITES.
    seed : int
        Of the suites random and variants.
    size : int, optional
        Rolls of the suite random (5,000 if not given), and of each game in variants (200).

    Raises
    ------
    RuleError
        No such suite.
    """
    if size is not None and size < 1:
        raise RuleError(f"the size of a suite is a number of rolls from 1 on, not {size}")
    if name == "smoke":
        return Suite(name, tuple(_smoke()))
    if name == "rules":
        return Suite(name, tuple(_rules()))
    if name == "random":
        return Suite(name, tuple(_random(seed, size or RANDOM_SIZE)))
    if name == "perft":
        return Suite(name, tuple(_perft()))
    if name == "variants":
        return Suite(name, tuple(_variants(seed, size or VARIANT_SIZE)))
    if name == "all":
        parts = [named(part, seed=seed, size=size) for part in SUITES if part not in ("all", "smoke")]
        return Suite(name, tuple(case for part in parts for case in part.cases))
    raise RuleError(f"no suite {name!r:.60}; there are {', '.join(SUITES)}")


def of_positions(
    positions: Iterable[Position], rolls: Sequence[tuple[int, int]] = ROLLS, *, name: str = "positions"
) -> Suite:
    """Every roll of some positions as a suite."""
    return Suite(name, tuple(PlaysCase(name, position, roll) for position in positions for roll in rolls))


def _smoke() -> Iterator[Case]:
    """The first cases of every group, and some random rolls."""
    seen: dict[tuple[str, str], int] = {}
    for case in _rules():
        key = case.group, case.needs
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= SMOKE:
            yield case
    yield from _random(0, 60)
    yield PerftCase("perft", BACKGAMMON.start, *PERFT[0])


def _rules() -> Iterator[Case]:
    """One group a rule."""
    for trap in TRAPS:
        yield PlaysCase(trap.group, Position.from_gnubg_id(trap.position_id), trap.dice, trap.why)
    data = json.loads((files("bgcore") / "data" / RULES_FILE).read_text(encoding="utf-8"))
    for group, rolls in data["groups"].items():
        for text, larger, smaller in rolls:
            yield PlaysCase(group, Position.from_gnubg_id(text), (larger, smaller))
    for dice in ((3, 1), (6, 5), (2, 2)):
        yield PlaysCase("distinct plays", BACKGAMMON.start, dice, "the same play in several orders")
    yield from _finished()
    yield from _written()
    yield from _endings()
    yield from match_cases()


def _finished() -> Iterator[Case]:
    for board in ({1: -1}, {24: -15}, {20: 3}, {0: -1, 5: -3}):
        numbers = [0] * 26
        for point, count in board.items():
            numbers[point] = count
        yield PlaysCase("game over", Position.from_board(numbers), (6, 5), "nothing can be played after the end")


def _written() -> Iterator[Case]:
    """Plays as a player would write them."""
    group = "written plays"
    start = BACKGAMMON.start
    for play, legal in (
        ("8/5 6/5", True),
        ("6/5 8/5", True),
        ("13/10 24/23", True),
        ("13/9", True),
        ("13/10", False),
        ("13/8", False),
        ("13/10 13/10", False),
        ("24/21 21/20", True),
        ("12/9 6/5", False),
        ("6/5", False),
        ("13/12 13/12", False),
    ):
        yield CheckCase(group, start, (3, 1), play, legal)
    double = (
        ("13/7(2) 24/18(2)", True),
        ("13/7(4)", True),
        ("13/7(2)", False),
        ("24/12(2)", False),
        ("13/7(3)", False),
    )
    for play, legal in double:
        yield CheckCase(group, start, (6, 6), play, legal)
    last = _board({4: 1, 24: -2})
    for play, legal in (("4/off", True), ("4/2/off", True), ("4/2", False)):
        yield CheckCase(group, last, (6, 2), play, legal, "the last checker")
    held = _board({13: 2, 8: 2, 6: 3, 7: -2, 1: -2, 20: -2})
    for play in ("13/7 8/7", "8/2", "6/5 13/6", "24/18 6/5"):
        yield CheckCase(group, held, (6, 1), play, False, "a held point, a die unplayed, no such die, no checker there")
    hit = _board({8: 2, 6: 2, 5: -1, 20: -2})
    for play, legal in (("8/5* 6/5", True), ("8/5 6/5", True), ("6/5*/2", True), ("6/2", True), ("8/4", True)):
        yield CheckCase(group, hit, (3, 1), play, legal, "a hit")


def _board(points: dict[int, int]) -> Position:
    numbers = [0] * 26
    for point, count in points.items():
        numbers[point] = count
    return Position.from_board(numbers)


def _endings() -> Iterator[Case]:
    group = "gammon and backgammon"
    for ending in ENDINGS:
        won = _board({point: -count for point, count in ending.left.items()})
        yield OutcomeCase(group, won, ("own", ending.points), ending.why)
        yield OutcomeCase(group, won.flipped(), ("opp", ending.points), ending.why)
    for left, points, why in (
        ({13: 5, 17: 3, 19: 7}, 2, "none off, none in the winner's home board"),
        ({15: 1, 23: 1, 24: 2}, 1, "eleven off"),
        ({0: 1, 20: 3, 24: 9}, 1, "two off, one on the bar"),
        ({1: 15}, 3, "none off, all in the winner's home board"),
        ({7: 15}, 2, "none off, all just outside the winner's home board"),
        ({6: 1, 19: 14}, 3, "none off, one on the winner's six point"),
        ({19: 15}, 2, "none off, all at home"),
        ({6: 1, 19: 13}, 1, "one off, one in the winner's home board"),
    ):
        yield OutcomeCase(group, _board({point: -count for point, count in left.items()}), ("own", points), why)
    for going in ({1: 1, 24: -1}, {25: 1, 0: -1}, {1: 15, 24: -15}):
        yield OutcomeCase(group, _board(going), None, "nobody has borne off everything")
    yield OutcomeCase(group, BACKGAMMON.start, None, "the start")


def _random(seed: int, size: int) -> Iterator[Case]:
    """Three rolls in positions of random games, and then one in a position with few checkers."""
    games = random_games(size, seed=seed)
    generator = np.random.Generator(np.random.PCG64([seed, 1]))
    for i in range(size):
        position = scattered(generator) if i % 4 == 3 else Position.from_packed(games[i])
        yield PlaysCase("random", position, ROLLS[int(generator.integers(len(ROLLS)))])


def _perft() -> Iterator[Case]:
    for depth, count in PERFT:
        yield PerftCase("perft", BACKGAMMON.start, depth, count, f"depth {depth} from the start")
    for text, depth, count in PERFT_ELSEWHERE:
        yield PerftCase("perft", Position.from_gnubg_id(text), depth, count, f"depth {depth}")
    yield PerftCase("tree", BACKGAMMON.start, 2, PERFT[1][1], "two plies from the start, by plays", by_plays=True)


def _variants(seed: int, size: int) -> Iterator[Case]:
    for name in names():
        if name == BACKGAMMON.name:
            continue
        for game in (name, *(f"{name}:{preset}" for preset in presets(name))):
            yield from _variant(game, game_rules(game), seed, size)


def _variant(game: str, rules: Rules, seed: int, size: int) -> Iterator[Case]:
    rows = random_games(size, rules, seed)
    generator = np.random.Generator(np.random.PCG64([seed, 2]))
    for row in rows:
        larger, smaller = ROLLS[int(generator.integers(len(ROLLS)))]
        steps = int(generator.integers(1, 5))
        context = steps if rules.doubles == "cascade" and larger == smaller else 0
        yield PlaysCase(game, Position.from_packed(row), (larger, smaller), rules=rules, context=context)
