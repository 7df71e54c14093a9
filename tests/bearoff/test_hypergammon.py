"""Hypergammon tables against a naive iteration, the rules' own plays, and GNU Backgammon's values."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.bearoff import hyper_build, memory, store
from bgcore.bearoff.hyper import Hypergammon, HypergammonValues
from bgcore.core.hypergammon import Plays, Sides
from bgcore.formats import bd
from naive import hypergammon as naive
from naive.backgammon import Board

TOLERANCE = 1e-9
CHANCES, EQUITIES = slice(0, 5), slice(5, 10)


def rules_of(checkers: int) -> bg.Rules:
    return bg.HYPERGAMMON.replace(checkers=checkers, start={24 - each: 1 for each in range(checkers)})


def packed(boards: list[Board], checkers: int) -> np.ndarray:
    return bg.batch.from_boards(np.array(boards), checkers)


def rows_of(table: Hypergammon, boards: list[Board]) -> np.ndarray:
    """Rows as `naive.hypergammon.ROW` has them."""
    words = packed(boards, table.checkers)
    equities, jacoby = table.lookup(words), table.lookup(words, jacoby=True)
    return np.column_stack(
        [table.probabilities(words), equities[:, :3], jacoby[:, 2], equities[:, 3]],
    )


def boards_of(checkers: int) -> Iterator[Board]:
    """Every position, finished games included."""
    every = list(naive.sides(checkers))
    return (board for own in every for opp in every if (board := naive.board_of(own, opp)))


def some_boards(checkers: int, seed: int, count: int) -> list[Board]:
    """Positions in which both have checkers left."""
    rng = random.Random(seed)
    every = [side for side in naive.sides(checkers) if side]
    found: list[Board] = []
    while len(found) < count:
        board = naive.board_of(rng.choice(every), rng.choice(every))
        if board:
            found.append(board)
    return found


def consistent(table: Hypergammon, boards: list[Board], tolerance: float) -> int:
    """Check that rows follow from the rows one play later; return how many chances hang on equal plays."""
    after = [end for board in boards for _, ends in naive.plays(board) for end in ends]
    every = list(dict.fromkeys(after))
    worth = {end: naive.turned(row) for end, row in zip(every, rows_of(table, every).tolist(), strict=True)}
    open_ = 0
    for board, row in zip(boards, rows_of(table, boards), strict=True):
        low, high = map(np.array, naive.backup(board, worth.__getitem__))
        assert (row > low - tolerance).all(), (board, row - low)
        assert (row < high + tolerance).all(), (board, row - high)
        open_ += bool((high - low > tolerance).any())
    return open_


@pytest.fixture(scope="module")
def one() -> Hypergammon:
    return bg.bearoff.hypergammon(checkers=1)


@pytest.fixture(scope="module")
def two() -> Hypergammon:
    return bg.bearoff.hypergammon(checkers=2)


# ---- ids and plays -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("checkers", [1, 2, 3])
def test_ids_are_those_of_the_closed_form(checkers: int) -> None:
    sides = Sides(checkers)
    every = list(naive.sides(checkers))
    assert sides.positions == len(every) == {1: 26, 2: 351, 3: 3276}[checkers]
    assert sorted(map(naive.side_id, every)) == list(range(len(every)))
    boards = {own: naive.board_of(own, (25,)) for own in every}  # on the bar, where he shares no point
    places = np.empty(len(every), np.int64)
    sides.places(packed([board for board in boards.values() if board], checkers), places)
    assert places.tolist() == [naive.side_id(own) * len(every) + naive.side_id((25,)) for own in every]


def after_legal_plays(checkers: int, words: np.ndarray) -> list[np.ndarray]:
    """(segment, pair of ids) after every legal play of every roll, sorted."""
    sides = Sides(checkers)
    batch = bg.batch.legal_plays(words, rules=rules_of(checkers))
    places = np.empty(len(batch.results), np.int64)
    sides.places(batch.results, places)
    opp, own = np.divmod(places, sides.positions)  # seen by the player who rolls next
    segments = np.repeat(np.arange(len(batch)), np.diff(batch.offsets))
    order = np.lexsort((own * sides.positions + opp, segments))
    return [segments[order], (own * sides.positions + opp)[order]]


def same_plays(checkers: int, boards: list[Board]) -> None:
    plays = Plays(checkers)
    for first in range(0, len(boards), 4000):
        words = packed(boards[first : first + 4000], checkers)
        places = np.empty(len(words), np.int64)
        plays.places(words, places)
        assert (places >= 0).all()
        out = np.empty((len(words), 21, plays.most), np.int64)
        plays.successors(places, out)
        flat = np.sort(out.reshape(-1, plays.most))
        fresh = np.diff(flat, axis=1, prepend=-1) > 0  # the first of each value, -1 left out
        expected = after_legal_plays(checkers, words)
        assert np.array_equal(np.nonzero(fresh)[0], expected[0])
        assert np.array_equal(flat[fresh], expected[1])


@pytest.mark.parametrize("checkers", [1, 2])
def test_plays_are_the_legal_ones_everywhere(checkers: int) -> None:
    same_plays(checkers, list(boards_of(checkers)))


def test_plays_are_the_legal_ones_with_three_checkers() -> None:
    same_plays(3, some_boards(3, 1, 20_000))


def test_the_buffer_of_a_rolls_plays_is_large_enough() -> None:
    assert Plays(3).most == 34  # room is for 128


# ---- values --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_checker_is_what_a_naive_iteration_finds(one: Hypergammon) -> None:
    expected = naive.solve(1, 1e-10)
    assert len(expected) == 651
    found = rows_of(one, list(expected))
    assert np.abs(found - np.array(list(expected.values()))).max() < 10 * TOLERANCE


def test_one_checker_follows_from_itself(one: Hypergammon) -> None:
    boards = [board for board in boards_of(1) if max(board) > 0 > min(board)]
    assert consistent(one, boards, 10 * TOLERANCE) == 0


def test_two_checkers_follow_from_themselves(two: Hypergammon) -> None:
    # Where plays are equal the chances hang on which one is made; that is rare.
    assert consistent(two, some_boards(2, 2, 120), 10 * TOLERANCE) <= 3


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("24 v 24", (0.60158, 0.60158, 0.07959, 0.39842, 0.03315, None, 0.5883, 0.5393, 0.4557, 0.3864)),
        ("6 v 6", (0.8125, None, None, None, None, None, 1.25, 1.25, 0.5, 1.25)),
        ("25 v 6", (0.30793, None, None, None, None, None, -0.8740, -0.8916, -0.2594, -0.9683)),
    ],
)
def test_gnubgs_values_with_one_checker(one: Hypergammon, position: str, expected: tuple[float | None, ...]) -> None:
    own, opp = (int(part) for part in position.split(" v "))
    row = one[bg.Position.from_board(naive.board_of((own,), (opp,)), checkers=1)]
    for value, published in zip(row, expected, strict=True):
        assert published is None or value == pytest.approx(published, abs=6e-5)


def test_gnubgs_values_with_two_checkers(two: Hypergammon) -> None:
    row = two[bg.Position.from_gnubg_id("AABAAQAACgAAAA", checkers=2)]
    # Where a roll cannot be played against a made point its tool forgets to pass the cube's side on, and that the
    # opponent may double: its cubeful equities satisfy their recursion with that slip and not without it.  Here it
    # makes up to 2e-4.  One checker makes no point, so there all numbers agree.
    assert row[6:] == pytest.approx((0.3278, 0.2092, 0.2046, 0.0109), abs=3e-4)


@pytest.mark.parametrize("checkers", [1, 2])
def test_finished_games(checkers: int, one: Hypergammon, two: Hypergammon) -> None:
    table = one if checkers == 1 else two
    boards = [board for board in boards_of(checkers) if max(board) <= 0 or min(board) >= 0]
    expected = np.array([naive.finished(board, checkers) for board in boards])
    assert np.array_equal(rows_of(table, boards), expected)
    decided = table.lookup(packed(boards, checkers), decided=True)
    assert np.array_equal(decided, expected[:, [5, 6, 7, 9]])


def bounds(table: Hypergammon) -> None:
    """What holds for every position."""
    _, arrays = table.arrays()
    chances, equities = arrays["chances"], arrays["equities"]
    there = ~np.isnan(chances).any(axis=2)
    assert np.array_equal(there, ~np.isnan(equities).any(axis=2))
    assert np.array_equal(np.isnan(chances).all(axis=2), ~there)
    n = table.positions
    assert np.array_equal(there, there.T)
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = np.moveaxis(chances[there], 1, 0)
    assert (win_backgammon >= 0).all()
    assert (win_backgammon <= win_gammon).all()
    assert (win_gammon <= win).all()
    assert (win <= 1).all()
    assert (lose_backgammon >= 0).all()
    assert (lose_backgammon <= lose_gammon).all()
    assert (lose_gammon <= 1 - win).all()
    cubeless, owned, centred, jacoby, opponents = np.moveaxis(equities[there], 1, 0)
    assert (owned >= centred - TOLERANCE).all()
    assert (centred >= opponents - TOLERANCE).all()
    assert (np.abs(equities[there]) <= 3).all()
    assert (jacoby >= -1 - TOLERANCE).all()  # he passes at worst, unless the game is over
    by_chances = 2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
    assert np.abs(by_chances - cubeless).max() < TOLERANCE
    assert (owned >= cubeless - 10 * TOLERANCE).all()  # who owns a cube need not use it
    assert (opponents <= cubeless + 10 * TOLERANCE).all()
    assert there.sum() == sum(1 for _ in boards_of(table.checkers)) if n < 1000 else True


def test_bounds(one: Hypergammon, two: Hypergammon) -> None:
    bounds(one)
    bounds(two)


def test_one_checker_has_no_single_games(one: Hypergammon) -> None:
    chances = one.arrays()[1]["chances"][1:, 1:]
    there = ~np.isnan(chances).any(axis=2)
    assert np.abs(chances[there][:, 1] - chances[there][:, 0]).max() < 10 * TOLERANCE
    assert np.abs(chances[there][:, 3] - (1 - chances[there][:, 0])).max() < 10 * TOLERANCE


def test_a_race_of_one_roll(two: Hypergammon) -> None:
    # The opponent, both on his ace point, is off with any roll; from 6 and 5 that is 6-5 or a double from 3-3 up.
    board = naive.board_of((6, 5), (1, 1))
    assert board is not None
    assert rows_of(two, [board])[0, 0] == pytest.approx((2 + 4) / 36, abs=TOLERANCE)


# ---- the build -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_threads_change_no_bit(two: Hypergammon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyper_build, "SMALL", 0)
    again = bg.bearoff.hypergammon(checkers=2, threads=2)
    assert again.arrays()[0] == two.arrays()[0]
    for name, array in two.arrays()[1].items():
        assert array.tobytes() == again.arrays()[1][name].tobytes()


def test_a_coarser_tolerance_takes_fewer_sweeps(one: Hypergammon) -> None:
    coarse = bg.bearoff.hypergammon(checkers=1, tolerance=1e-4)
    fine = bg.bearoff.hypergammon(checkers=1, tolerance=1e-12)
    for kind in ("cubeless", "gammons", "cubeful"):
        sweeps = [table.arrays()[0]["sweeps"][kind] for table in (coarse, one, fine)]
        assert sweeps[0] < sweeps[1] < sweeps[2]
        for table, tolerance in ((coarse, 1e-4), (one, 1e-9), (fine, 1e-12)):
            assert table.arrays()[0]["last_changes"][kind] < tolerance
    for name in ("chances", "equities"):
        exact = fine.arrays()[1][name]
        assert np.nanmax(np.abs(coarse.arrays()[1][name] - exact)) < 1e-3
        assert np.nanmax(np.abs(one.arrays()[1][name] - exact)) < 1e-8


def test_progress(one: Hypergammon) -> None:
    seen: list[tuple[int, int]] = []
    bg.bearoff.hypergammon(checkers=1, progress=lambda done, total: seen.append((done, total)))
    sweeps = one.arrays()[0]["sweeps"]
    # The last sweep of each table only confirms what the one before it has reported.
    assert len(seen) == sum(sweeps.values()) - 3
    assert {total for _, total in seen} == {1000}
    assert all(0 <= done <= 1000 for done, _ in seen)
    assert seen[-1][0] == 1000


def test_a_callers_error_ends_the_build() -> None:
    def progress(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bg.bearoff.hypergammon(checkers=1, progress=progress)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"checkers": 0}, ValueError, "checkers must be at least 1"),
        ({"checkers": 4}, ValueError, "1 to 3 checkers, not 4"),
        ({"checkers": 1.5}, TypeError, "float"),
        ({"checkers": 1, "tolerance": 0}, ValueError, "1e-12 to 1e-3"),
        ({"checkers": 1, "tolerance": 1e-13}, ValueError, "1e-12 to 1e-3"),
        ({"checkers": 1, "tolerance": float("nan")}, ValueError, "1e-12 to 1e-3"),
        ({"checkers": 1, "threads": 0}, ValueError, "threads must be at least 1"),
        ({"checkers": 1, "path": "no/such/folder/table"}, OSError, "no/such/folder"),
    ],
)
def test_refused(options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        bg.bearoff.hypergammon(**options)


def test_too_little_memory_is_said_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 2 * 10**9)
    with pytest.raises(bg.DatabaseError, match=r"hypergammon with 3 checkers needs 2,017,649,088 bytes"):
        bg.bearoff.hypergammon(checkers=3)


def test_sweeps_that_never_come_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyper_build, "MOST_SWEEPS", 3)
    with pytest.raises(bg.DatabaseError, match="still change cubeless values by"):
        bg.bearoff.hypergammon(checkers=1)


def test_a_jump_goes_to_the_end_of_a_geometric_series() -> None:
    values = np.zeros(3)
    guess = hyper_build._Guess(values)
    target = np.array([1.0, -2.0, 0.5])
    changes: list[float] = []
    while True:
        guess.keep()
        before = values.copy()
        values += 0.2 * (target - values)
        changes.append(float(np.abs(values - before).max()))
        if guess.jump(changes):
            break
    assert values == pytest.approx(target, abs=1e-12)
    assert len(changes) == guess.REST + 1


def test_after_a_jump_that_led_away_there_is_no_other() -> None:
    for next_change, jumps in ((1.0, 0), (0.001, 1)):
        guess = hyper_build._Guess(np.zeros(1))
        changes = [0.5]
        while not guess.jump(changes):
            changes.append(changes[-1] / 2)
        changes.append(next_change)  # more than before the jump, or less
        found = [guess.jump(changes)]
        for _ in range(guess.REST):
            changes.append(changes[-1] / 2)
            found.append(guess.jump(changes))
        assert found.count(True) == jumps


# ---- look-up -------------------------------------------------------------------------------------------------------

side_words = st.one_of(
    st.lists(st.integers(0, 25), min_size=2, max_size=2),
    st.lists(st.integers(0, 25), min_size=0, max_size=4),
)


@given(st.lists(st.tuples(side_words, side_words, st.integers(0, 30)), min_size=0, max_size=80), st.booleans())
def test_lookup_reads_the_arrays(
    two: Hypergammon, rows: list[tuple[list[int], list[int], int]], contiguous: bool
) -> None:
    words = np.zeros((len(rows), 4), np.uint64)
    expected = np.full((len(rows), 10), np.nan)
    arrays = two.arrays()[1]
    for at, (own, opp, pin) in enumerate(rows):
        for side, slots in enumerate((own, opp)):
            number = sum(1 << 4 * slot for slot in slots)
            words[at, 2 * side : 2 * side + 2] = number & (2**64 - 1), number >> 64
        if pin == 30:
            words[at, 1] |= np.uint64(1 << 45)
        sides = [tuple(slot for slot in slots if slot) for slots in (own, opp)]
        if len(own) == len(opp) == 2 and pin < 30 and naive.board_of(*sides):
            ids = tuple(map(naive.side_id, sides))
            chances, equities = arrays["chances"][ids], arrays["equities"][ids]
            expected[at] = [*chances, *equities]
    if not contiguous:
        words = np.asfortranarray(words)
    assert np.array_equal(two.probabilities(words), expected[:, CHANCES], equal_nan=True)
    assert np.array_equal(two.lookup(words), expected[:, [5, 6, 7, 9]], equal_nan=True)
    assert np.array_equal(two.lookup(words, jacoby=True), expected[:, [5, 6, 8, 9]], equal_nan=True)
    doubled = np.minimum(2 * expected[:, 9], 1)
    best = np.maximum(expected[:, 6:9], doubled[:, None])
    decided = np.column_stack([expected[:, 5], best[:, 0], best[:, 1], expected[:, 9]])
    assert np.array_equal(two.lookup(words, decided=True), decided, equal_nan=True)
    assert np.array_equal(two.lookup(words, decided=True, jacoby=True)[:, 2], best[:, 2], equal_nan=True)


def test_many_rows_at_once(two: Hypergammon) -> None:
    words = packed(some_boards(2, 3, 1000), 2)
    whole = two.lookup(words)
    assert whole.dtype == np.float64
    assert not np.isnan(whole).any()
    for at in (0, 63, 64, 999):
        assert np.array_equal(two.lookup(words[at : at + 1])[0], whole[at])


def test_one_position(two: Hypergammon) -> None:
    start = rules_of(2).start
    row = two[start]
    assert isinstance(row, HypergammonValues)
    assert HypergammonValues._fields == naive.ROW
    assert all(type(value) is float for value in row)
    assert row.owned == two.lookup(start.packed[np.newaxis])[0, 1]
    assert start in two
    assert rules_of(3).start not in two
    assert "start" not in two
    with pytest.raises(KeyError, match="a side has 2 checkers, those borne off included"):
        two[rules_of(3).start]
    assert repr(two) == "<Hypergammon: 2 checkers a side, exact>"


@pytest.mark.parametrize("wrong", [np.zeros((3, 4)), np.zeros((3, 4), np.int64)])
def test_rows_of_another_dtype(one: Hypergammon, wrong: np.ndarray) -> None:
    with pytest.raises(TypeError, match="packed must be uint64"):
        one.lookup(wrong)
    with pytest.raises(TypeError, match="packed must be uint64"):
        one.probabilities(wrong)


def test_rows_of_another_shape(one: Hypergammon) -> None:
    with pytest.raises(ValueError, match="shape"):
        one.lookup(np.zeros((3, 3), np.uint64))


# ---- stored --------------------------------------------------------------------------------------------------------


def test_saved_and_read_again(one: Hypergammon, tmp_path: Path) -> None:
    path = tmp_path / "one.bearoff"
    built = bg.bearoff.hypergammon(checkers=1, path=path)
    stored = store.read(path, verify=True)
    table = Hypergammon.from_arrays(stored.header, stored.arrays)
    words = packed(list(boards_of(1)), 1)
    for other in (built, table):
        assert np.array_equal(other.lookup(words), one.lookup(words))
        assert np.array_equal(other.probabilities(words), one.probabilities(words))
    assert stored.header["kind"] == "hypergammon"
    assert (table.checkers, table.points, table.positions) == (1, 25, 26)


def test_tables_that_dont_fit_together(one: Hypergammon) -> None:
    header, arrays = one.arrays()
    for change in (
        {"kind": "two-sided"},
        {"points": 6},
        {"checkers": 2},
        {"checkers": 4},
        {"checkers": "many"},
        {"checkers": None},
    ):
        with pytest.raises(bg.DatabaseError, match="not a hypergammon table"):
            Hypergammon.from_arrays(header | change, arrays)
    for missing in ("kind", "points", "checkers", "arithmetic"):
        with pytest.raises(bg.DatabaseError, match=missing):
            Hypergammon.from_arrays({name: value for name, value in header.items() if name != missing}, arrays)
    for name, array in (
        ("chances", arrays["chances"].astype(np.float32)),
        ("chances", arrays["chances"][..., :4]),
        ("equities", arrays["equities"][:20]),
        ("equities", np.asfortranarray(arrays["equities"])),
        ("values", np.zeros((26, 26, 27), np.uint8)),
        ("values", np.zeros((26, 26, 28), np.int8)),
    ):
        with pytest.raises(bg.DatabaseError, match=f"{name} are"):
            Hypergammon.from_arrays(header, arrays | {name: array})
    with pytest.raises(bg.DatabaseError, match="equities"):
        Hypergammon.from_arrays(header, {"chances": arrays["chances"]})


def test_gnubgs_layout(one: Hypergammon, tmp_path: Path) -> None:
    path, again = tmp_path / "hyper1.bd", tmp_path / "again.bd"
    with pytest.raises(ValueError, match="lossy=True"):
        one.export_bd(path)
    assert not path.exists()
    one.export_bd(path, lossy=True)
    assert path.stat().st_size == 40 + 676 * 28
    stored = bd.read(path, verify=True)
    assert isinstance(stored, bd.BdHypergammon)
    header = {"kind": "hypergammon", "points": 25, "checkers": 1, "arithmetic": "gnubg"}
    table = Hypergammon.from_arrays(header, {"values": stored.values})
    boards = list(boards_of(1))
    assert np.abs(rows_of(table, boards) - rows_of(one, boards)).max() < 6 / 2**24
    words = packed(boards, 1)
    cubeful, cash = table.lookup(words), np.minimum(2 * table.lookup(words)[:, 3], 1)
    assert np.array_equal(table.lookup(words, decided=True)[:, 2], np.maximum(cubeful[:, 2], cash))
    nothing = np.zeros((1, 4), np.uint64)
    assert np.isnan(table.lookup(nothing)).all()
    assert np.isnan(table.probabilities(nothing)).all()
    assert rules_of(2).start not in table
    table.export_bd(again)
    assert again.read_bytes() == path.read_bytes()


# ---- three checkers ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_three_checkers() -> None:
    table = bg.bearoff.hypergammon(checkers=3, threads=2)
    bounds(table)
    assert max(table.arrays()[0]["last_changes"].values()) < TOLERANCE
    assert consistent(table, some_boards(3, 4, 20_000), 10 * TOLERANCE) < 2000


def test_gnu_backgammons_file_is_opened_as_a_table(tmp_path: Path) -> None:
    ours = bg.bearoff.hypergammon(checkers=1)
    ours.export_bd(tmp_path / "hyper1.bd", lossy=True)
    theirs = bg.bearoff.open(tmp_path / "hyper1.bd")
    start = bg.Position.from_gnubg_id("AACAAAAAAgAAAA", checkers=1)
    assert tuple(theirs[start]) == pytest.approx(tuple(ours[start]), abs=1e-6)
    assert theirs[start].owned == pytest.approx(0.5883, abs=1e-4)
