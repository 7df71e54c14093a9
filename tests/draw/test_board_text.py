"""The text board: pictures reviewed by eye, and every position of every game read back from its picture."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from draw.boards import BAR, FACING, OFF, Side, position_of, positions, random_positions, side
from hypothesis import given
from hypothesis import strategies as st

from bgcore.draw.board_text import board_text
from bgcore.errors import RuleError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Rules, get
from bgcore.rules.fevga import FEVGA
from bgcore.rules.jacquet import JACQUET
from bgcore.rules.nardi import LONG_NARDI, SHORT_NARDI
from bgcore.rules.plakoto import PLAKOTO
from bgcore.rules.portes import PORTES
from bgcore.rules.tavla import GUL_BARA, JULBAHAR, KIRIK_TAVLA, UZUN_TAVLA

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
GOLDEN = Path(__file__).parents[1] / "golden" / "boards"
HITTING = [BACKGAMMON, NACKGAMMON, HYPERGAMMON, PORTES, UZUN_TAVLA, KIRIK_TAVLA, SHORT_NARDI]
RACES = [FEVGA, LONG_NARDI, JACQUET, GUL_BARA]
MOULIDARS = get("jacquet", "moulidars")  # parallel, and with a bar


def drawing(rules: Rules) -> dict[str, Any]:
    """How the boards of a game are drawn."""
    return {"geometry": rules.geometry, "bar": rules.contact == "hit"}


BOARDS: dict[str, tuple[Rules, Side, Side]] = {
    "start": (BACKGAMMON, *[side({24: 2, 13: 5, 8: 3, 6: 5})] * 2),
    "nackgammon_start": (NACKGAMMON, *[side({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})] * 2),
    "hypergammon_start": (HYPERGAMMON, *[side({24: 1, 23: 1, 22: 1})] * 2),
    "bar_and_bear_off": (
        BACKGAMMON,
        side({BAR: 2, 6: 2, 5: 1, 4: 2, 3: 1, 1: 1, OFF: 6}),
        side({BAR: 1, 18: 1, 6: 2, 4: 1, 3: 1, OFF: 9}),
    ),
    "tall_stacks": (BACKGAMMON, side({6: 15}), side({12: 6, 1: 9})),
    "fevga_start": (FEVGA, *[side({24: 15})] * 2),
    "plakoto_pins": (
        PLAKOTO,
        side({24: 5, 21: 2, 17: 1, 12: 6, 6: 1}, 17),
        side({24: 6, 13: 1, 8: 3, 7: 2, 3: 3}, 13),
    ),
    "long_nardi_middle_game": (
        LONG_NARDI,
        side({24: 6, 20: 1, 19: 2, 18: 1, 15: 1, 13: 1, 9: 1, 5: 2}),
        side({24: 5, 22: 2, 20: 1, 16: 2, 14: 1, 11: 1, 9: 1, 5: 2}),
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_golden_boards(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="ascii").splitlines()
    rules, own, opp = BOARDS[name]
    position = position_of(own, opp)
    assert not rules.validate(position)
    board = board_text(position, **drawing(rules))
    assert board.splitlines() == [line for line in golden if not line.startswith("#")]
    if rules in HITTING:
        assert str(position) == board


def test_every_golden_board_is_used() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(BOARDS)


def read_back(board: str, geometry: str) -> Position:
    """The position that a picture shows, by where things stand in it."""
    lines = board.splitlines()
    bar = lines[0][21:24] == "---"
    starts = [*range(2, 20, 3), *([21, *range(25, 43, 3)] if bar else range(21, 39, 3))]
    right = starts[-1] + 7
    own, opp = side({}), side({})
    for rows, edge in ((lines[1:6], lines[0]), (lines[11:6:-1], lines[12])):
        for start in starts:
            label = edge[start : start + 3].strip("-")
            slot = int(label) if label else BAR
            cells = [row[start : start + 3].strip() for row in rows]
            tower = [cell for cell in cells if cell]
            assert cells[: len(tower)] == tower, "a checker hangs in the air"
            places = {"X": (own, slot), "O": (opp, FACING[geometry][slot - 1] if slot < BAR else BAR)}
            if tower and tower[0] in "xo":
                under, at = places[tower.pop(0).upper()]
                under.counts[at] = 1
                under.pinned.append(at)
                assert tower, "nothing on a pinned checker"
            if tower:
                assert len(set(tower) & {"X", "O"}) == 1
                over, at = places[tower[0]]
                over.counts[at] = int(tower[-1]) if tower[-1].isdigit() else len(tower)
    for at, sign, counts in ((1, "O:", opp.counts), (10, "X:", own.counts)):
        label, pips, unit = lines[at][right:].split()
        assert (label, unit) == (sign, "pips")
        assert int(pips) == sum(slot * count for slot, count in enumerate(counts))
        off, unit = lines[at + 1][right:].split()
        assert unit == "off"
        counts[OFF] = int(off)
    return position_of(own, opp)


@pytest.mark.parametrize("rules", [BACKGAMMON, HYPERGAMMON, PLAKOTO, FEVGA, MOULIDARS], ids=lambda rules: rules.name)
@given(data=st.data())
def test_the_picture_holds_the_position(rules: Rules, data: st.DataObject) -> None:
    position = data.draw(positions(rules))
    assert read_back(board_text(position, **drawing(rules)), rules.geometry) == position


@pytest.mark.parametrize("rules", [*HITTING, *RACES, PLAKOTO, JULBAHAR], ids=lambda rules: rules.name)
def test_every_position_of_random_games_can_be_read_back(rules: Rules) -> None:
    for position in random_positions(rules, games=3, seed=1):
        assert read_back(board_text(position, **drawing(rules)), rules.geometry) == position


@given(
    st.lists(st.lists(st.integers(0, 25), min_size=1, max_size=15), min_size=2, max_size=2),
    st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.sampled_from(sorted(FACING)),
    st.booleans(),
    st.booleans(),
)
def test_any_position_of_any_game_fits(
    slots: list[list[int]], dice: tuple[int, int] | None, geometry: Any, bar: bool, pinned: bool
) -> None:
    counts = np.array([np.bincount(side, minlength=26) for side in slots], dtype=np.uint8)
    if not counts[:, 1:].any():
        counts[0, 1] = 1
        counts[0, 0] -= 1
    pins = counts.astype(np.bool_) & pinned
    pins[:, [OFF, BAR]] = False
    board = board_text(Position.from_counts(counts, pins), dice=dice, geometry=geometry, bar=bar)
    lines = board.splitlines()
    assert len(lines) == 14
    assert board.isascii()
    coloured = board_text(Position.from_counts(counts, pins), dice=dice, geometry=geometry, bar=bar, colour=True)
    assert ESCAPE.sub("", coloured) == board
    assert not board.endswith("\n")
    assert all(line == line.rstrip() and len(line) <= 60 for line in lines)


def test_a_tall_stack_on_the_bar() -> None:
    position = position_of(side({BAR: 12, 6: 3}), side({BAR: 7, 6: 8}))
    lines = board_text(position).splitlines()
    bars = [line[20:25] for line in lines]
    assert bars[1:6] == ["| O |"] * 4 + ["| 7 |"]
    assert bars[7:12] == ["|12 |"] + ["| X |"] * 4
    assert board_text(position, bar=False) == board_text(position), "a checker on the bar is never left out"


def column(board: str, start: int, upper: bool) -> list[str]:
    """The five cells of a point of a board without a bar, from the edge inwards."""
    lines = board.splitlines()
    return [line[start : start + 3].strip() for line in (lines[1:6] if upper else lines[11:6:-1])]


@pytest.mark.parametrize(
    ("own", "opp", "cells"),
    [
        (side({24: 14, 1: 1}, 1), side({24: 1, 23: 14}), ["x", "O", "", "", ""]),
        (side({24: 14, 1: 1}, 1), side({24: 4, 23: 11}), ["x", "O", "O", "O", "O"]),
        (side({24: 14, 1: 1}, 1), side({24: 5, 23: 10}), ["x", "O", "O", "O", "5"]),
        (side({24: 14, 1: 1}), side({24: 1, 23: 14}, 24), ["o", "X", "", "", ""]),
        (side({24: 4, 1: 11}), side({24: 1, 23: 14}, 24), ["o", "X", "X", "X", "11"]),
    ],
)
def test_a_pinned_checker_is_a_small_letter_at_the_foot(own: Side, opp: Side, cells: list[str]) -> None:
    position = position_of(own, opp)
    assert not PLAKOTO.validate(position)
    assert column(board_text(position, bar=False), 36, upper=False) == cells
    turned = [cell.translate(str.maketrans("xoXO", "oxOX")) for cell in cells]
    assert column(board_text(position.flipped(), bar=False), 36, upper=True) == turned


def test_what_no_game_allows_is_drawn_all_the_same() -> None:
    shared = position_of(side({24: 15}), side({1: 14, 6: 1}))
    assert column(board_text(shared, bar=False), 36, upper=True) == ["X15", "O14", "", "", ""]
    two_pinned = position_of(side({24: 2}, 24), side({1: 3}))
    assert column(board_text(two_pinned, bar=False), 36, upper=True) == ["x2", "O3", "", "", ""]
    both_pinned = position_of(side({24: 1}, 24), side({1: 1}, 1))
    assert column(board_text(both_pinned, bar=False), 36, upper=True) == ["x1", "o1", "", "", ""]
    nothing_on_it = position_of(side({24: 3}, 24), side({2: 1}))
    assert column(board_text(nothing_on_it, bar=False), 36, upper=True) == ["x", "x", "x", "", ""]


@pytest.mark.parametrize("rules", RACES, ids=lambda rules: rules.name)
def test_the_sides_of_a_parallel_game_start_in_opposite_corners(rules: Rules) -> None:
    board = board_text(rules.start, **drawing(rules))
    assert column(board, 36, upper=True) == ["X", "X", "X", "X", "15"]
    assert column(board, 2, upper=False) == ["O", "O", "O", "O", "15"]


@pytest.mark.parametrize("rules", RACES, ids=lambda rules: rules.name)
def test_passing_the_turn_takes_a_parallel_board_half_way_round(rules: Rules) -> None:
    for position in random_positions(rules, games=1, seed=2):
        board, turned = (board_text(p, **drawing(rules)) for p in (position, position.flipped()))
        for low, high in ((False, True), (True, False)):
            for left, right in zip(range(2, 20, 3), range(36, 18, -3), strict=True):
                other = [cell.translate(str.maketrans("XO", "OX")) for cell in column(turned, right, upper=high)]
                assert column(board, left, upper=low) == other


def test_each_side_has_its_colour() -> None:
    position = position_of(side({24: 5, 21: 2, 17: 1, 12: 6, 6: 1}, 17), side({24: 6, 13: 1, 8: 3, 7: 2, 3: 3}, 13))
    coloured = board_text(position, bar=False, colour=True)
    painted = dict[str, set[str]]()
    for code, text in re.findall(r"\x1b\[([0-9;]+)m([^\x1b]+)\x1b\[0m", coloured):
        painted.setdefault(code, set()).add(text.strip())
    assert painted.pop("1;30;47") == {"X", "6"}
    assert painted.pop("1;97;41") == {"O", "6"}
    assert (painted.pop("30;47"), painted.pop("97;41")) == ({"x"}, {"o"})
    assert [*painted] == ["2"], "the frame is dim"
    assert ESCAPE.sub("", coloured).count("\x1b") == 0


def test_whose_turn_and_what_there_is_to_do() -> None:
    start = Position.initial()
    assert board_text(start).splitlines()[-1] == " X on roll"
    assert board_text(start, dice=(3, 1)).splitlines()[-1] == " X to play 31"
    assert board_text(start, dice=(1, 3)).splitlines()[-1] == " X to play 31"
    won = position_of(side({OFF: 15}), side({6: 15}))
    assert board_text(won).splitlines()[-1] == " Game over: X has borne off"
    assert board_text(won.flipped()).splitlines()[-1] == " Game over: O has borne off"
    mother = position_of(side({24: 1, 20: 14}, 24), side({6: 14, 1: 1}))
    assert board_text(mother, over="O holds the mother").splitlines()[-1] == " Game over: O holds the mother"


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (-1, 3), (66, 6)])
def test_dice_out_of_range(dice: tuple[int, int]) -> None:
    with pytest.raises(RuleError, match="1 to 6"):
        board_text(Position.initial(), dice=dice)


def test_no_such_geometry() -> None:
    geometry: Any = "round"
    with pytest.raises(RuleError, match="'contrary', 'parallel', not 'round'"):
        board_text(Position.initial(), geometry=geometry)
