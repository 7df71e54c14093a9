"""Ids of one side's checkers, both ways, and where rolls can take them."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.bearoff.ranking import positions
from bgcore.core import bearoff as core
from bgcore.errors import InvalidPosition
from naive import bearoff as naive

# Points 1 to 6 and the id, as GNU Backgammon's own tool shows them.
GNUBG_IDS = [
    ((0, 0, 0, 0, 0, 0), 0),
    ((1, 0, 0, 0, 0, 0), 1),
    ((0, 1, 0, 0, 0, 0), 2),
    ((0, 0, 0, 0, 0, 1), 6),
    ((2, 0, 0, 0, 0, 0), 7),
    ((0, 1, 0, 0, 0, 1), 17),
    ((0, 0, 1, 0, 0, 1), 21),
    ((0, 0, 0, 0, 1, 1), 26),
    ((6, 0, 0, 0, 0, 0), 462),
    ((1, 1, 1, 1, 1, 1), 637),
    ((0, 0, 0, 0, 0, 6), 923),
    ((15, 0, 0, 0, 0, 0), 38760),
    ((7, 5, 3, 0, 0, 0), 39567),
    ((3, 3, 3, 2, 2, 2), 43691),
    ((2, 2, 2, 3, 3, 3), 46138),
    ((0, 0, 0, 5, 5, 5), 54188),
    ((0, 0, 0, 0, 0, 15), 54263),
]


def test_ids_of_gnubg() -> None:
    counts, ids = zip(*GNUBG_IDS, strict=True)
    assert bg.bearoff.rank(counts).tolist() == list(ids)
    assert bg.bearoff.unrank(ids, points=6).tolist() == [list(row) for row in counts]
    assert bg.bearoff.rank([0, 0, 0, 0, 0, 0, 15]) == 170543


@pytest.mark.parametrize(("points", "checkers"), [(6, 15), (6, 6), (1, 15), (2, 9), (13, 3), (24, 2)])
def test_bijection(points: int, checkers: int) -> None:
    n = comb(points + checkers, points)
    assert positions(points, checkers) == n
    counts = bg.bearoff.unrank(np.arange(n), points=points)
    assert counts.dtype == np.uint8
    assert len(np.unique(counts, axis=0)) == n
    assert counts.sum(axis=1).max() == checkers
    ids = bg.bearoff.rank(counts)
    assert ids.dtype == np.uint64
    assert (ids == np.arange(n)).all()


@pytest.mark.parametrize("points", range(1, 25))
def test_ends_of_every_range(points: int) -> None:
    """All off and all on the highest point, for every number of points."""
    last = comb(points + 15, 15) - 1
    highest = [0] * (points - 1) + [15]
    assert bg.bearoff.rank([[0] * points, highest]).tolist() == [0, last]
    assert bg.bearoff.unrank([0, last], points=points).tolist() == [[0] * points, highest]


@pytest.mark.parametrize(("points", "checkers"), [(6, 4), (3, 6), (9, 2)])
def test_order_of_the_textbook(points: int, checkers: int) -> None:
    expected = naive.positions(points, checkers)
    assert [tuple(row) for row in bg.bearoff.unrank(np.arange(len(expected)), points=points).tolist()] == expected


@given(
    st.integers(1, 24).flatmap(lambda points: st.tuples(st.just(points), st.lists(st.integers(0, 2**64), max_size=5)))
)
def test_roundtrip(case: tuple[int, list[int]]) -> None:
    points, numbers = case
    ids = np.array([number % comb(points + 15, 15) for number in numbers], np.uint64)
    assert bg.bearoff.rank(bg.bearoff.unrank(ids, points=points)).tolist() == ids.tolist()


def test_packed_sides_rank_as_their_counts() -> None:
    """Words of both sides, out of range included."""
    rng = np.random.default_rng(4)
    counts = np.zeros((3000, 2, 26), np.uint8)
    for row in counts.reshape(-1, 26):
        places = rng.integers(0, rng.integers(2, 27), 15)
        places[0] = 1  # nobody is off altogether
        np.add.at(row, places, 1)
    packed = bg.batch.pack(counts)
    for points in (1, 6, 15, 16, 17, 24):
        for side in range(2):
            ids = np.empty(len(packed), np.uint64)
            core.rank_sides(packed, side, points, 14, ids)
            inside = (counts[:, side, points + 1 :] == 0).all(axis=1) & (counts[:, side, 1:].sum(axis=1) <= 14)
            assert 0 < inside.sum() < len(packed)
            assert (ids[~inside] == 2**64 - 1).all()
            assert (ids[inside] == bg.bearoff.rank(counts[inside, side, 1 : points + 1])).all()


def test_pins_are_no_checkers() -> None:
    """The pinned mask stands in the same word as the highest slots."""
    packed = np.array([[3 << 4, 0xFFFFFF << 40, 0, 0]], np.uint64)
    ids = np.empty(1, np.uint64)
    core.rank_sides(packed, 0, 6, 15, ids)
    assert ids[0] == bg.bearoff.rank([3, 0, 0, 0, 0, 0])


BAD_COUNTS: list[tuple[Any, type[Exception], str]] = [
    ([[1.0] * 6], TypeError, "must be integers"),
    ([[True] * 6], TypeError, "must be integers"),
    ([["1"] * 6], TypeError, "must be integers"),
    ([[1] * 25], ValueError, r"1 to 24 points, not \(1, 25\)"),
    (np.zeros((2, 0), int), ValueError, r"not \(2, 0\)"),
    (3, ValueError, r"not \(\)"),
    (np.zeros((2, 2, 6), int), ValueError, r"not \(2, 2, 6\)"),
    ([[0] * 6, [0, -1, 0, 0, 0, 0]], InvalidPosition, "row 1: -1 checkers on point 2"),
    ([[0] * 6, [0, 0, 0, 0, 0, 16]], InvalidPosition, "row 1: 16 checkers on point 6"),
    ([[0] * 6, [3, 3, 3, 3, 3, 1]], InvalidPosition, "row 1: 16 checkers; a side has at most 15"),
    (np.full((1, 6), 2**63, np.uint64), InvalidPosition, "row 0: 9223372036854775808 checkers"),
    (np.full((1, 24), 15), InvalidPosition, "row 0: 360 checkers"),
]


@pytest.mark.parametrize(("counts", "error", "says"), BAD_COUNTS)
def test_bad_counts(counts: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        bg.bearoff.rank(counts)


BAD_IDS: list[tuple[Any, Any, type[Exception], str]] = [
    ([1.0], 6, TypeError, "must be integers"),
    ([False], 6, TypeError, "must be integers"),
    ([[1]], 6, ValueError, r"must have shape \(n,\)"),
    ([0, -1], 6, InvalidPosition, "row 1: ids on 6 points are 0 to 54263, not -1"),
    ([54264], 6, InvalidPosition, "row 0: ids on 6 points are 0 to 54263, not 54264"),
    (np.array([2**64 - 1], np.uint64), 24, InvalidPosition, "are 0 to 25140840659, not 18446744073709551615"),
    ([1], 0, ValueError, "points must be 1 to 24, not 0"),
    ([1], 25, ValueError, "points must be 1 to 24, not 25"),
    ([1], 6.0, TypeError, "integer"),
    ([1], True, TypeError, "integer, not bool"),
]


@pytest.mark.parametrize(("ids", "points", "error", "says"), BAD_IDS)
def test_bad_ids(ids: Any, points: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        bg.bearoff.unrank(ids, points=points)


def test_forms_of_arrays() -> None:
    """Any stride and any integer dtype, empty ones and single rows."""
    wide = np.zeros((4, 12), ">i8")
    wide[:, ::2] = [[1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 6], [0] * 6, [2, 0, 0, 0, 0, 0]]
    assert bg.bearoff.rank(wide[:, ::2]).tolist() == [637, 923, 0, 7]
    assert bg.bearoff.rank(wide[::-1, ::2]).tolist() == [7, 0, 923, 637]
    assert bg.bearoff.rank(np.zeros((0, 6), int)).shape == (0,)
    assert bg.bearoff.unrank(np.zeros(0, int), points=6).shape == (0, 6)
    assert bg.bearoff.unrank(np.array([637, 0], ">u2")[::-1], points=6).tolist() == [[0] * 6, [1] * 6]
    assert bg.bearoff.unrank(923, points=6).tolist() == [0, 0, 0, 0, 0, 6]


# ---- successors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "checkers"), [(6, 5), (8, 3), (13, 2), (24, 2), (2, 8), (1, 15)])
def test_successors_of_the_textbook(points: int, checkers: int) -> None:
    """The same results in the same order: larger die first, highest checker first, what comes up again left out."""
    every = naive.positions(points, checkers)
    number = {counts: i for i, counts in enumerate(every)}
    offsets, ids = core.successors(points, checkers)
    assert len(offsets) == 21 * len(every) + 1
    assert offsets[-1] == len(ids)
    for i, counts in enumerate(every):
        for r, roll in enumerate(bg.dice.ROLLS):
            found = ids[offsets[21 * i + r] : offsets[21 * i + r + 1]].tolist()
            assert found == [number[end] for end in naive.plays(counts, *roll)], (counts, roll)


@pytest.mark.parametrize(("points", "checkers", "step"), [(6, 15, 7), (9, 6, 3), (13, 5, 5), (24, 4, 11)])
def test_both_ways_to_successors(points: int, checkers: int, step: int) -> None:
    """One id at a time, by arithmetic on ranks, gives what the tables of all ids give."""
    offsets, ids = core.successors(points, checkers)
    assert (np.diff(offsets.astype(np.int64)).reshape(-1, 21)[1:] > 0).all()
    for i in range(0, len(offsets) // 21, step):
        ends, found = core.successors_of_id(i, points)
        first = offsets[21 * i]
        assert (offsets[21 * i + 1 : 21 * i + 22] - first == ends).all()
        assert (ids[first : offsets[21 * i + 21]] == found).all()


def test_successors_of_6x15() -> None:
    """169.7 a position; a move always lowers the id; none twice in a roll."""
    offsets, ids = core.successors(6, 15)
    assert len(ids) == 9_208_660
    of_roll = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets.astype(np.int64)))
    assert (ids < of_roll // 21).all()
    pairs = np.sort(of_roll.astype(np.uint64) << np.uint64(32) | ids)
    assert (pairs[1:] != pairs[:-1]).all()


@pytest.mark.parametrize(("points", "checkers", "n"), [(6, 15, 400), (12, 15, 150), (20, 15, 100)])
def test_successors_are_legal_plays(points: int, checkers: int, n: int) -> None:
    """Against the move generator, the opponent's last checker out of the way."""
    rng = np.random.default_rng(7)
    ids = rng.integers(1, positions(points, checkers), n, np.uint64)
    counts = np.zeros((n, 2, 26), np.uint8)
    counts[:, 0, 1 : points + 1] = bg.bearoff.unrank(ids, points=points)
    counts[:, 0, 0] = 15 - counts[:, 0].sum(axis=1)
    counts[:, 1, :2] = 14, 1
    plays = bg.batch.legal_plays(bg.batch.pack(counts))
    results = np.empty(len(plays.results), np.uint64)
    core.rank_sides(np.ascontiguousarray(plays.results), 1, points, 15, results)
    for i, id_ in enumerate(ids.tolist()):
        ends, found = core.successors_of_id(id_, points)
        for r, (first, last) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
            segment = slice(plays.offsets[21 * i + r], plays.offsets[21 * i + r + 1])
            assert sorted(found[first:last].tolist()) == sorted(results[segment].tolist()), (id_, r)


def test_too_many_successors() -> None:
    with pytest.raises(OverflowError, match="24 x 15 have too many"):
        core.successors(24, 15)
