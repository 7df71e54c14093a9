"""The text board: five pictures reviewed by eye, and every position read back from its picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore.draw.board_text import board_text
from bgcore.errors import RuleError
from bgcore.position import Position

GOLDEN = Path(__file__).parents[1] / "golden" / "boards"
OFF, BAR = 0, 25
Counts = dict[int, int]

BOARDS: dict[str, tuple[Counts, Counts]] = {
    "start": ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),
    "nackgammon_start": ({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    "hypergammon_start": ({24: 1, 23: 1, 22: 1}, {24: 1, 23: 1, 22: 1}),
    "bar_and_bear_off": (
        {BAR: 2, 6: 2, 5: 1, 4: 2, 3: 1, 1: 1, OFF: 6},
        {BAR: 1, 18: 1, 6: 2, 4: 1, 3: 1, OFF: 9},
    ),
    "tall_stacks": ({6: 15}, {12: 6, 1: 9}),
}


def position_of(own: Counts, opp: Counts) -> Position:
    counts = np.zeros((2, 26), dtype=np.uint8)
    for row, side in enumerate((own, opp)):
        for slot, count in side.items():
            counts[row, slot] = count
    return Position.from_counts(counts)


@pytest.mark.parametrize("name", BOARDS)
def test_golden_boards(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="ascii").splitlines()
    position = position_of(*BOARDS[name])
    assert board_text(position).splitlines() == [line for line in golden if not line.startswith("#")]
    assert str(position) == board_text(position)


def test_every_golden_board_is_used() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(BOARDS)


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Own and opposing counts in one line each, no point shared."""
    holder = draw(st.lists(st.booleans(), min_size=25, max_size=25))
    counts = []
    for mine in (True, False):
        points = [p if mine else 25 - p for p in range(1, 25) if holder[p] is mine]
        slots = draw(st.lists(st.sampled_from([OFF, BAR, *points]), min_size=1, max_size=15))
        if draw(st.booleans()):
            slots = [slots[0] or BAR] * len(slots)  # one tall stack
        if mine:
            slots[0] = slots[0] or BAR
        counts.append([slots.count(slot) for slot in range(26)])
    return counts[0], counts[1]


def read_back(board: str) -> tuple[list[int], list[int]]:
    """Own and opposing counts from a picture, by where things stand in it."""
    lines = board.splitlines()
    own, opp = [0] * 26, [0] * 26
    for rows, edge in ((lines[1:6], lines[0]), (lines[11:6:-1], lines[12])):
        for start in (*range(2, 20, 3), 21, *range(25, 43, 3)):
            label = edge[start : start + 3].strip("-")
            slot = int(label) if label else BAR
            cells = [row[start : start + 3].strip() for row in rows]
            tower = [cell for cell in cells if cell]
            assert cells[: len(tower)] == tower, "a checker hangs in the air"
            assert len(set(tower) & {"X", "O"}) <= 1
            count = int(tower[-1]) if tower and tower[-1].isdigit() else len(tower)
            if tower and tower[0] == "X":
                own[slot] = count
            elif tower:
                opp[25 - slot if slot < BAR else BAR] = count
    for at, counts in ((1, opp), (10, own)):
        label, pips, unit = lines[at][47:].split()
        assert (label, unit) == ("O:" if counts is opp else "X:", "pips")
        assert int(pips) == sum(slot * count for slot, count in enumerate(counts))
        off, unit = lines[at + 1][47:].split()
        assert unit == "off"
        counts[OFF] = int(off)
    return own, opp


@given(sides())
def test_the_picture_holds_the_position(counts: tuple[list[int], list[int]]) -> None:
    board = board_text(Position.from_counts(np.array(counts, dtype=np.uint8)))
    assert read_back(board) == counts


@given(
    st.lists(st.lists(st.integers(0, 25), min_size=1, max_size=15), min_size=2, max_size=2),
    st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
)
def test_any_position_of_any_game_fits(slots: list[list[int]], dice: tuple[int, int] | None) -> None:
    counts = np.array([np.bincount(side, minlength=26) for side in slots], dtype=np.uint8)
    if not counts[:, 1:].any():
        counts[0, 1] = 1
        counts[0, 0] -= 1
    board = board_text(Position.from_counts(counts), dice=dice)
    lines = board.splitlines()
    assert len(lines) == 14
    assert board.isascii()
    assert not board.endswith("\n")
    assert all(line == line.rstrip() and len(line) <= 60 for line in lines)


def test_a_tall_stack_on_the_bar() -> None:
    lines = board_text(position_of({BAR: 12, 6: 3}, {BAR: 7, 6: 8})).splitlines()
    bars = [line[20:25] for line in lines]
    assert bars[1:6] == ["| O |"] * 4 + ["| 7 |"]
    assert bars[7:12] == ["|12 |"] + ["| X |"] * 4


def test_a_point_held_by_both_sides_shows_both_counts() -> None:
    lines = board_text(position_of({24: 15}, {1: 14, 6: 1})).splitlines()
    assert lines[1][40:44] == "X15|"
    assert lines[2][40:44] == "O14|"


def test_whose_turn_and_what_there_is_to_do() -> None:
    start = Position.initial()
    assert board_text(start).splitlines()[-1] == " X on roll"
    assert board_text(start, dice=(3, 1)).splitlines()[-1] == " X to play 31"
    assert board_text(start, dice=(1, 3)).splitlines()[-1] == " X to play 31"
    won = position_of({OFF: 15}, {6: 15})
    assert board_text(won).splitlines()[-1] == " Game over: X has borne off"
    assert board_text(won.flipped()).splitlines()[-1] == " Game over: O has borne off"


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (-1, 3), (66, 6)])
def test_dice_out_of_range(dice: tuple[int, int]) -> None:
    with pytest.raises(RuleError, match="1 to 6"):
        board_text(Position.initial(), dice=dice)
