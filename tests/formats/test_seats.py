"""The seat-and-frame converter: what is lost, what is refused, and whose numbering is whose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore.errors import InvalidPosition, InvalidReason
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.position import Position

START = (0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0)
EMPTY = (15,) + (0,) * 25
SEATS = st.sampled_from(Seat)


def side(slots: dict[int, int]) -> tuple[int, ...]:
    """26 counts from those that are not zero, the rest of fifteen borne off."""
    counts = [slots.get(slot, 0) for slot in range(26)]
    counts[0] = max(15 - sum(counts), 0)
    return tuple(counts)


@st.composite
def seated(draw: st.DrawFn) -> SeatedPosition:
    """Any position of a contrary game, each side with one to fifteen checkers."""
    line = [0] * 26
    holder = draw(st.lists(st.sampled_from((1, -1)), min_size=24, max_size=24))
    off = {}
    for sign, bar in ((1, 25), (-1, 0)):
        slots = [bar, None, *(p for p in range(1, 25) if holder[p - 1] == sign)]
        checkers = draw(st.lists(st.sampled_from(slots), min_size=1, max_size=15))
        if sign > 0 and not any(s is not None for s in checkers):
            checkers[0] = bar  # one side at least is still on the board
        off[sign] = checkers.count(None)
        for slot in checkers:
            if slot is not None:
                line[slot] += sign
    a = [off[1], *(max(n, 0) for n in line[1:])]
    b = [off[-1], *(max(-line[25 - p], 0) for p in range(1, 26))]
    return SeatedPosition(tuple(a), tuple(b), draw(SEATS))


@given(seated())
def test_through_a_position_and_back_nothing_is_lost(seated: SeatedPosition) -> None:
    position = seated.to_position()
    assert SeatedPosition.from_position(position, seated.on_roll) == seated
    assert position.counts[0].tolist() == list(seated.of(seated.on_roll))
    assert position.counts[1].tolist() == list(seated.of(seated.on_roll.other))


@given(seated())
def test_the_other_seat_on_roll_is_the_flipped_position(seated: SeatedPosition) -> None:
    turned = SeatedPosition(seated.a, seated.b, seated.on_roll.other)
    assert turned.to_position() == seated.to_position().flipped()


@given(seated())
def test_through_a_line_and_back(seated: SeatedPosition) -> None:
    line = seated.to_line()
    assert len(line) == 26
    a, b = sum(n for n in line if n > 0), -sum(n for n in line if n < 0)
    again = SeatedPosition.from_line(line, seated.on_roll, checkers=15)
    assert again.to_line() == line
    assert (again.a[1:], again.b[1:]) == (seated.a[1:], seated.b[1:])
    assert (again.a[0], again.b[0]) == (15 - a, 15 - b)


def test_a_line_is_in_the_numbering_of_seat_a() -> None:
    line = [0] * 26
    line[25], line[6], line[1], line[0] = 1, 2, -3, -4
    seated = SeatedPosition.from_line(line, Seat.B)
    assert seated.a == side({25: 1, 6: 2})
    assert seated.b == side({25: 4, 24: 3})
    assert seated.to_position().counts[0].tolist() == list(seated.b)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8])
def test_a_line_may_be_an_array(dtype: Any) -> None:
    line: Any = np.zeros(26, dtype=dtype)
    line[6], line[25] = 2, 1
    assert SeatedPosition.from_line(line, Seat.A) == SeatedPosition(side({25: 1, 6: 2}), EMPTY, Seat.A)
    with pytest.raises(TypeError):
        SeatedPosition.from_line(line.astype(float), Seat.A)


@pytest.mark.parametrize("on_roll", Seat)
def test_the_start_looks_the_same_from_both_seats(on_roll: Seat) -> None:
    assert SeatedPosition(START, START, on_roll).to_position() == Position.initial()


def test_checkers_decide_what_is_borne_off() -> None:
    line = [0] * 26
    line[24] = line[23] = line[22] = 1
    line[1] = line[2] = line[3] = -1
    assert SeatedPosition.from_line(line, Seat.A, checkers=3).a[0] == 0
    assert SeatedPosition.from_line(line, Seat.A).a[0] == 12
    with pytest.raises(InvalidPosition, match=r"A \(bottom\) shows 3 checkers, but a side plays with 2"):
        SeatedPosition.from_line(line, Seat.A, checkers=2)


@pytest.mark.parametrize("checkers", [0, -1, 16, 255])
def test_checkers_outside_one_to_fifteen(checkers: int) -> None:
    with pytest.raises(InvalidPosition, match="1 to 15"):
        SeatedPosition.from_line([0] * 6 + [1] + [0] * 19, Seat.A, checkers)


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("on_roll", Seat)
def test_too_many_checkers_name_the_seat_and_the_side(seat: Seat, on_roll: Seat) -> None:
    line = [0] * 26
    line[10], line[11] = (16, -1) if seat is Seat.A else (1, -16)
    with pytest.raises(InvalidPosition, match=rf"{seat.value} \(\w+\) shows 16 checkers") as caught:
        SeatedPosition.from_line(line, on_roll)
    own = seat is on_roll
    assert caught.value.reason == (InvalidReason.TOO_MANY_OWN if own else InvalidReason.TOO_MANY_OPP)

    counts = {seat: side({1: 9, 2: 7}), seat.other: side({1: 1})}
    with pytest.raises(InvalidPosition, match="16 checkers, 15 is the most") as caught:
        SeatedPosition(counts[Seat.A], counts[Seat.B], on_roll)
    assert caught.value.reason == (InvalidReason.TOO_MANY_OWN if own else InvalidReason.TOO_MANY_OPP)


def test_a_point_held_by_both_sides() -> None:
    with pytest.raises(InvalidPosition, match="20 to seat A and 5 to seat B") as caught:
        SeatedPosition(side({20: 2}), side({5: 1}), Seat.A)
    assert caught.value.reason == InvalidReason.SHARED_POINT
    shared = Position.from_counts(np.array([side({20: 2}), side({5: 1})], dtype=np.uint8))
    with pytest.raises(InvalidPosition) as caught:
        SeatedPosition.from_position(shared, Seat.A)
    assert caught.value.reason == InvalidReason.SHARED_POINT


def test_a_pinned_checker() -> None:
    pinned = np.zeros((2, 26), dtype=bool)
    pinned[1, 5] = True
    position = Position.from_counts(np.array([side({20: 2}), side({5: 1})], dtype=np.uint8), pinned)
    with pytest.raises(InvalidPosition, match="pinned") as caught:
        SeatedPosition.from_position(position, Seat.B)
    assert caught.value.reason == InvalidReason.PIN_UNUSED


def test_nobody_left() -> None:
    with pytest.raises(InvalidPosition, match="neither side") as caught:
        SeatedPosition(EMPTY, EMPTY, Seat.A)
    assert caught.value.reason == InvalidReason.BOTH_OFF
    with pytest.raises(InvalidPosition):
        SeatedPosition.from_line([0] * 26, Seat.A)


@pytest.mark.parametrize(("index", "count", "seat"), [(0, 1, "B"), (25, -1, "A")])
def test_the_wrong_side_on_a_bar(index: int, count: int, seat: str) -> None:
    line = [0] * 26
    line[index] = count
    with pytest.raises(InvalidPosition, match=rf"index {index} is the bar of seat {seat}"):
        SeatedPosition.from_line(line, Seat.A)


@pytest.mark.parametrize("length", [0, 25, 27])
def test_the_wrong_number_of_counts(length: int) -> None:
    with pytest.raises(ValueError, match="26"):
        SeatedPosition.from_line([0] * length, Seat.A)
    with pytest.raises(ValueError, match="26"):
        SeatedPosition((0,) * length, START, Seat.A)
    with pytest.raises(ValueError, match="26"):
        SeatedPosition(START, (0,) * length, Seat.A)


def test_wrong_counts_and_types() -> None:
    with pytest.raises(ValueError, match="negative count, -1"):
        SeatedPosition((-1, *START[1:]), START, Seat.A)
    wrong: list[tuple[Any, Any, Any]] = [
        ((0.0, *START[1:]), START, Seat.A),
        (None, START, Seat.A),
        (START, ("0", *START[1:]), Seat.A),
        (START, START, "A"),
        (START, START, 0),
    ]
    for a, b, on_roll in wrong:
        with pytest.raises(TypeError):
            SeatedPosition(a, b, on_roll)


def test_it_is_a_value() -> None:
    seated = SeatedPosition(START, START, Seat.A)
    rows: Any = np.array([START, START])
    again = SeatedPosition(rows[0], rows[1], Seat.A)
    assert again == seated
    assert hash(again) == hash(seated)
    assert type(again.a[6]) is int
    assert seated != SeatedPosition(START, START, Seat.B)
    with pytest.raises(AttributeError):
        seated.on_roll = Seat.B  # type: ignore[misc]
    assert Seat.A.other is Seat.B
    assert Seat.B.other is Seat.A
