"""Looking up one-sided tables: rows in and out of range, races, the best play against a distribution, files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import bgcore as bg
from bgcore.bearoff import OneSided
from bgcore.bearoff.onesided import Arithmetic
from bgcore.core import bearoff as core
from bgcore.errors import DatabaseError
from naive import bearoff as naive

Counts = tuple[int, ...]
LOOKUPS = ["distribution", "gammon_distribution", "mean", "variance", "epc", "wastage"]


@cache
def table(points: int = 6, checkers: int = 15, arithmetic: Arithmetic = "exact") -> OneSided:
    return bg.bearoff.one_sided(points=points, checkers=checkers, arithmetic=arithmetic)


def packed(own: Counts, opp: Counts, checkers: int = 15) -> NDArray[np.uint64]:
    """One position."""
    counts = np.zeros((1, 2, 26), np.uint8)
    counts[0, 0, 1 : len(own) + 1] = own
    counts[0, 1, 1 : len(opp) + 1] = opp
    counts[0, :, 0] = checkers - counts[0].sum(axis=1)
    return bg.batch.pack(counts)


def random_rows(n: int, points: int, checkers: int, seed: int = 3) -> NDArray[np.uint64]:
    """Both sides with at most so many checkers on so many points, neither off."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, 2, 26), np.uint8)
    for side in range(2):
        ids = rng.integers(1, core.count_positions(points, checkers), n)
        counts[:, side, 1 : points + 1] = bg.bearoff.unrank(ids, points=points)
    counts[:, :, 0] = 15 - counts.sum(axis=2)
    return bg.batch.pack(counts)


def sides(rows: NDArray[np.uint64], points: int) -> list[tuple[Counts, Counts]]:
    counts, _ = bg.batch.unpack(rows)
    return [(tuple(own), tuple(opp)) for own, opp in counts[:, :, 1 : points + 1].tolist()]


# ---- races -----------------------------------------------------------------------------------------------------------


def test_race_is_the_product_of_the_textbook() -> None:
    points, checkers = 5, 5
    known = naive.until_all_off(points, checkers)
    rows = random_rows(300, points, checkers)
    found = table(points, checkers).race(rows)
    assert found.dtype == np.float32
    for (own, opp), (win, gammon_won, gammon_lost) in zip(sides(rows, points), found.tolist(), strict=True):
        assert win == pytest.approx(float(naive.race(known[own], known[opp])), abs=2e-7)
        assert gammon_won == gammon_lost == 0


def test_gammons_are_the_product_of_the_textbook() -> None:
    """Fifteen checkers a side on three points, and fewer."""
    every, first = naive.until_all_off(3, 15), naive.until_first_off(3)
    rows = np.concatenate([random_rows(200, 3, 15), packed((3, 3, 3), (5, 5, 5)), packed((5, 5, 5), (1, 0, 0))])
    both_full = 0
    for (own, opp), (win, gammon_won, gammon_lost) in zip(sides(rows, 3), table(3).race(rows).tolist(), strict=True):
        assert win == pytest.approx(float(naive.race(every[own], every[opp])), abs=2e-7)
        assert gammon_won == pytest.approx(float(naive.race(every[own], first[opp])), abs=2e-7)
        assert gammon_lost == pytest.approx(float(naive.race(every[opp], first[own], 1)), abs=2e-7)
        both_full += sum(own) == sum(opp) == 15
    assert both_full > 3


def test_race_of_both_arithmetics() -> None:
    rows = random_rows(2000, 6, 15)
    assert table().race(rows) == pytest.approx(table(arithmetic="gnubg").race(rows), abs=3e-4)


def test_gammon_of_the_first_checker() -> None:
    """Four on the ace point, the other has 10 on his 6 and 5 on his 5: 8 of 36 rolls bear none off.

    He who rolls first is off in one roll with a double and in two otherwise.  By hand: 1/6 + 5/6 x 8/36 = 19/54.
    """
    win, won, lost = table().race(packed((4,), (0, 0, 0, 0, 5, 10)))[0].tolist()
    assert win == 1
    assert won == pytest.approx(19 / 54, abs=1e-6)
    assert lost == 0


def test_last_roll() -> None:
    """One on the 6 point against one on the ace: 27 of 36."""
    assert table().race(packed((0, 0, 0, 0, 0, 1), (1,)))[0, 0] == pytest.approx(0.75, abs=1e-7)


def test_finished_games() -> None:
    """A side that is off has won, a gammon if none of the other's is off."""
    rows = np.concatenate([packed((), (1,)), packed((), (15,)), packed((1,), ()), packed((15,), ())])
    assert table().race(rows).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]]


def two_sided(points: int, checkers: int) -> NDArray[np.float64]:
    """Exact winning chances [own, opp], each best against best; one pip count after another."""
    offsets, ids = core.successors(points, checkers)
    n = (len(offsets) - 1) // 21
    of = [[ids[offsets[21 * i + r] : offsets[21 * i + r + 1]] for r in range(21)] for i in range(n)]
    pips = bg.bearoff.unrank(np.arange(n), points=points) @ np.arange(1, points + 1)
    chances = np.zeros((n, n))
    chances[0] = 1
    weights = np.array(bg.dice.WEIGHTS) / 36

    def solve(own: int, opp: NDArray[np.intp]) -> None:
        chances[own, opp] = sum(
            weight * (1 - chances[np.ix_(opp, after)]).max(axis=1)
            for weight, after in zip(weights, of[own], strict=True)
        )

    for block in range(1, int(pips.max()) + 1):
        here, below = np.nonzero(pips == block)[0], np.nonzero((pips < block) & (pips > 0))[0]
        for own in here:
            solve(own, below)
        for own in [*below, *here]:
            solve(own, here)
    return chances


@pytest.mark.parametrize(
    ("points", "checkers", "rms", "most"),
    [(6, 4, 0.00083, 0.0095), pytest.param(6, 6, 0.0016, 0.0139, marks=pytest.mark.long)],
)
def test_how_far_from_exact(points: int, checkers: int, rms: float, most: float) -> None:
    """What the docs say of a product of one-sided distributions."""
    exact = two_sided(points, checkers)
    n = len(exact)
    assert exact[6, 1] == pytest.approx(0.75, abs=1e-15)
    known = bg.bearoff.unrank(np.arange(n), points=points)
    counts = np.zeros((n, n, 2, 26), np.uint8)
    counts[:, :, 0, 1 : points + 1] = known[:, None]
    counts[:, :, 1, 1 : points + 1] = known[None]
    counts[:, :, :, 0] = 15 - counts.sum(axis=3)
    found = table(points, checkers).race(bg.batch.pack(counts[1:, 1:].reshape(-1, 2, 26)))[:, 0]
    away = found - exact[1:, 1:].reshape(-1)
    assert np.sqrt((away**2).mean()) == pytest.approx(rms, abs=5e-5)
    assert np.abs(away).max() == pytest.approx(most, abs=5e-5)


# ---- the best play against a distribution ----------------------------------------------------------------------------


def test_race_best_is_the_textbook() -> None:
    points, checkers = 5, 4
    known = naive.until_all_off(points, checkers)
    rows = random_rows(60, points, checkers, seed=5)
    found = table(points, checkers)
    opponents = found.distribution(bg.batch.flip(rows))
    best = found.race_best(rows, opponents)
    assert best.dtype == np.float64
    for (own, opp), chance in zip(sides(rows, points), best.tolist(), strict=True):
        assert chance == pytest.approx(float(naive.best_race(own, known[opp])), abs=2e-7)


def test_race_best_in_double_precision() -> None:
    """One distribution for all rows; a winner before his first roll."""
    opponent = {2: Fraction(1, 4), 3: Fraction(1, 4), 5: Fraction(1, 2)}
    rows = np.concatenate([random_rows(40, 4, 6, seed=6), packed((), (1,))])
    chances = table(6).race_best(rows, np.array([0, 0, 0.25, 0.25, 0, 0.5]))
    for (own, _), chance in zip(sides(rows, 6), chances.tolist(), strict=True):
        assert chance == pytest.approx(float(naive.best_race(own, opponent)), abs=1e-14)
    assert chances[-1] == 1


def test_race_best_beats_the_fewest_rolls() -> None:
    """It is never worse, and better where boldness or caution pays."""
    rows = random_rows(40, 6, 6, seed=8)
    opponents = table().distribution(bg.batch.flip(rows))
    better = table().race_best(rows, opponents) - table().race(rows)[:, 0]
    assert better.min() > -3e-7
    assert better.max() > 1e-4


BAD_OPPONENTS: list[tuple[Any, type[Exception], str]] = [
    ([0, 1], TypeError, "opponent must be float, not int"),
    (np.ones((3, 1)), ValueError, r"\(rolls,\) or \(2, rolls\), not \(3, 1\)"),
    (np.ones((2, 0)), ValueError, r"not \(2, 0\)"),
    (np.ones((1, 2, 1)), ValueError, r"not \(1, 2, 1\)"),
    ([0.5, 0.25], ValueError, "row 0: the opponent's chances must be 0 or more and add up to 1"),
    ([[1.0, 0], [1.5, -0.5]], ValueError, "row 1"),
    ([[1.0, 0], [np.inf, 0]], ValueError, "row 1"),
]


@pytest.mark.parametrize(("opponent", "error", "says"), BAD_OPPONENTS)
def test_bad_opponents(opponent: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        table().race_best(random_rows(2, 6, 15), opponent)


def test_race_best_of_nothing() -> None:
    """No rows; rows out of range; distributions of opponents out of range."""
    assert table().race_best(np.zeros((0, 4), np.uint64), [0.0, 1.0]).shape == (0,)
    assert table().race_best(np.zeros((0, 4), np.uint64), np.zeros((0, 3))).shape == (0,)
    rows = np.concatenate([packed((0,) * 6 + (1,), (1,)), packed((1,), (0,) * 6 + (1,))])
    assert np.isnan(table().race_best(rows, [0.0, 1.0])).tolist() == [True, False]
    assert np.isnan(table().race_best(rows, table().distribution(bg.batch.flip(rows)))).tolist() == [True, True]


# ---- what is in range ------------------------------------------------------------------------------------------------

OUT_OF_RANGE: list[tuple[Counts, Counts]] = [
    ((0, 0, 0, 0, 0, 0, 1), (1,)),  # beyond the last point
    ((1,) + (0,) * 22 + (1,), (1,)),  # far beyond it
    ((1,) + (0,) * 23 + (1,), (1,)),  # on the bar
]


@pytest.mark.parametrize(("own", "opp"), OUT_OF_RANGE)
@pytest.mark.parametrize("arithmetic", ["exact", "gnubg"])
def test_nan_out_of_range(own: Counts, opp: Counts, arithmetic: Arithmetic) -> None:
    rows = np.concatenate([packed((1, 2), (3,)), packed(own, opp), packed((1, 2), (3,))])
    found = table(arithmetic=arithmetic)
    for name in LOOKUPS:
        values = getattr(found, name)(rows).reshape(3, -1)
        assert np.isnan(values[1]).all(), name
        assert not np.isnan(values[[0, 2]]).any(), name
        assert (values[0] == values[2]).all(), name
    both = np.concatenate([rows, bg.batch.flip(rows)])
    assert np.isnan(found.race(both)).all(axis=1).tolist() == [False, True, False] * 2


def test_too_many_checkers() -> None:
    rows = np.concatenate([packed((2, 2), (1,)), packed((2, 3), (1,))])
    assert np.isnan(table(6, 4).mean(rows)).tolist() == [False, True]
    assert np.isnan(table(6, 4).race(bg.batch.flip(rows))[:, 0]).tolist() == [False, True]


def test_sides_that_can_still_meet() -> None:
    """Own 13 is the opponent's 12: with 13 points a side they can be past one another or not."""
    twelve, thirteen = (0,) * 11 + (1,), (0,) * 12 + (1,)
    rows = np.concatenate([packed(a, b) for a, b in [(twelve, twelve), (twelve, thirteen), (thirteen, twelve)]])
    found = bg.bearoff.one_sided(points=13, checkers=1)
    assert np.isnan(found.race(rows)).any(axis=1).tolist() == [False, True, True]
    assert not np.isnan(found.mean(rows)).any()


def test_words_that_are_no_position() -> None:
    """Anything can be looked up without harm."""
    rng = np.random.default_rng(9)
    rows = rng.integers(0, 2**64, (20000, 4), np.uint64)
    rows[::2] &= np.uint64(0xF0F0F0)  # the low points of both sides, up to 45 checkers
    rows[::2, 1::2] = 0
    for found in (table(), table(6, 6), table(arithmetic="gnubg"), bg.bearoff.one_sided(points=24, checkers=2)):
        known = ~np.isnan(found.mean(rows))
        assert known.sum() < len(rows)
        for name in ("distribution", "race"):
            values = getattr(found, name)(rows)
            assert ((values >= 0) & (values <= 1 + 1e-6) | np.isnan(values)).all()


def test_forms_of_rows() -> None:
    """Any stride and byte order; other dtypes and shapes are refused."""
    rows = random_rows(50, 6, 15)
    wide = np.zeros((100, 8), ">u8")
    wide[::2, ::2] = rows
    for name in [*LOOKUPS, "race"]:
        look: Callable[[Any], NDArray[Any]] = getattr(table(), name)
        assert (look(wide[::2, ::2]) == look(rows)).all()
        assert len(look(rows[:0])) == 0
        with pytest.raises(TypeError, match="packed must be uint64, not int64"):
            look(rows.astype(np.int64))
        with pytest.raises(ValueError, match=r"shape \(n, 4\), not \(4,\)"):
            look(rows[0])


def test_one_position() -> None:
    position = bg.Position.from_packed(packed((2, 2, 2, 3, 3, 3), (1,))[0])
    row = table()[position]
    assert row.mean == pytest.approx(8.138923203, abs=6e-10)
    assert row.epc == pytest.approx(66.4679, abs=6e-5)
    assert row.wastage == pytest.approx(row.epc - 57, abs=1e-12)
    assert row.distribution.tolist() == table().distribution(position.packed[None])[0].tolist()
    assert row.gammon_distribution is not None
    assert row.gammon_distribution[1] == 1
    assert table(6, 6)[bg.Position.from_packed(packed((1, 1), (1,))[0])].gammon_distribution is None
    with pytest.raises(KeyError, match="is not in"):
        table()[bg.BACKGAMMON.start]
    with pytest.raises(TypeError, match="looked up by a Position, not int"):
        table()[3]  # type: ignore[index]
    assert repr(table()) == "<OneSided: 6 x 15, exact, gammons>"


def test_without_gammons() -> None:
    found = bg.bearoff.one_sided(points=5, gammons=False)
    row = packed((0, 0, 0, 5, 10), (0, 0, 0, 0, 15))
    with pytest.raises(
        DatabaseError, match="5 x 15, exact> has no distributions of the rolls to the first checker off"
    ):
        found.gammon_distribution(row)
    assert np.isnan(found.race(row)).tolist() == [[False, True, True]]


def test_threads_that_look_up() -> None:
    rows = random_rows(20000, 6, 15)
    expected = table().race(rows)
    wrong: list[int] = []

    def look() -> None:
        wrong.extend(1 for _ in range(3) if (table().race(rows) != expected).any())

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- arrays and files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("checkers", "arithmetic"), [(15, "exact"), (15, "gnubg"), (3, "exact"), (3, "gnubg")])
def test_saved_and_opened(checkers: int, arithmetic: Arithmetic, tmp_path: Path) -> None:
    found = table(4, checkers, arithmetic)
    path = tmp_path / "table"
    found.save(path)
    opened = bg.bearoff.open(path, verify=True)
    assert repr(opened) == repr(found)
    assert opened.header() == found.header()
    arrays = opened.arrays()
    assert arrays.keys() == found.arrays().keys()
    for name, array in found.arrays().items():
        assert (arrays[name] == array).all(), name
        assert not arrays[name].flags.writeable
    rows = random_rows(200, 4, checkers)
    assert (opened.race(rows) == found.race(rows)).all()
    assert (opened.mean(rows) == found.mean(rows)).all()


@pytest.mark.parametrize("options", [{}, {"compressed": False}, {"gammons": False}])
def test_file_of_gnubg_opened(options: dict[str, bool], tmp_path: Path) -> None:
    path = tmp_path / "os.bd"
    found = table(5, 15, "gnubg")
    found.export_bd(path, **options)
    opened = bg.bearoff.open(path)
    assert (opened.points, opened.checkers, opened.gammons) == (5, 15, "gammons" not in options)
    for name, array in opened.arrays().items():
        assert (array == found.arrays()[name]).all(), name


def test_exact_table_as_file_of_gnubg(tmp_path: Path) -> None:
    """Only when told so; and then nearer to the truth than the tool's own."""
    path = tmp_path / "os.bd"
    with pytest.raises(DatabaseError, match="lossy=True"):
        table().export_bd(path)
    assert not path.exists()
    table().export_bd(path, lossy=True)
    opened = bg.bearoff.open(path)
    rows = random_rows(3000, 6, 15)
    rolls = opened.rolls
    away = np.abs(opened.distribution(rows) - table().distribution(rows)[:, :rolls])
    assert away.max() < 1e-4
    assert away.mean() < 4e-6
    with pytest.raises(DatabaseError, match="no distributions"):
        table(6, 6, "gnubg").export_bd(path, gammons=True)


def damaged(change: Callable[[dict[str, Any], dict[str, NDArray[Any]]], object]) -> OneSided:
    found = table(3)
    header, arrays = found.header(), {name: array.copy() for name, array in found.arrays().items()}
    change(header, arrays)
    return OneSided.from_arrays(header, arrays)


DAMAGE: list[tuple[Callable[[dict[str, Any], dict[str, NDArray[Any]]], object], str]] = [
    (lambda h, a: h.update(points=25), "1 to 24 points and 1 to 15 checkers, not 25 and 15"),
    (lambda h, a: h.update(points="3"), "not 3 and 15"),
    (lambda h, a: h.update(checkers=0), "not 3 and 0"),
    (lambda h, a: h.pop("points"), "not None and 15"),
    (lambda h, a: h.update(gammons=1), "whether it has gammons"),
    (lambda h, a: h.update(arithmetic="other"), "'exact' or 'gnubg'"),
    (lambda h, a: h.update(points=4), r"first must be uint8 \(3876,\), not uint8 \(816,\)"),
    (lambda h, a: a.pop("count"), "needs the arrays count"),
    (lambda h, a: a.pop("gammon_values"), "needs the arrays gammon_values"),
    (lambda h, a: a.pop("mean"), "needs the array mean"),
    (lambda h, a: a.update(mean=a["mean"][:-1]), r"mean must be float64 \(816,\), not float64 \(815,\)"),
    (lambda h, a: a.update(variance=a["variance"].astype("f4")), "variance must be float64"),
    (lambda h, a: a.update(values=a["values"][:-1]), "chances in 816 rows, and there are"),
    (lambda h, a: a.update(values=a["values"].astype("f8")), "values must be float32, not float64"),
    (lambda h, a: a.update(values=a["values"].astype("i2")), "values must be uint16, not int16"),
    (lambda h, a: a.update(first=a["first"].reshape(-1, 1)), "first must be uint8"),
    (lambda h, a: a["count"].__setitem__(5, 0), "count says"),
    (lambda h, a: a["first"].__setitem__(5, 255), "count says"),
    (lambda h, a: a["start"].__setitem__(5, 2**32 - 1), "start does not follow from count"),
    (lambda h, a: a["gammon_start"].__setitem__(0, 1), "gammon_start does not follow from gammon_count"),
    (lambda h, a: a.update(distributions=np.zeros((3, 3))), r"distributions must be uint16 \(N, rolls\)"),
    (lambda h, a: a.update(distributions=np.zeros((3, 32), "u2")), r"first must be uint8 \(816,\)"),
]


@pytest.mark.parametrize(("change", "says"), DAMAGE)
def test_damaged_arrays(change: Callable[[dict[str, Any], dict[str, NDArray[Any]]], object], says: str) -> None:
    with pytest.raises(DatabaseError, match=says):
        damaged(change)


@given(st.sampled_from(["first", "count", "start", "gammon_count"]), st.integers(0, 815), st.integers(0, 2**32 - 1))
def test_fuzzed_arrays(name: str, place: int, number: int) -> None:
    """Refused, or looked up without harm."""
    found = table(3)
    arrays = {key: array.copy() for key, array in found.arrays().items()}
    arrays[name][place] = number % (np.iinfo(arrays[name].dtype).max + 1)
    try:
        opened = OneSided.from_arrays(found.header(), arrays)
    except DatabaseError:
        return
    rows = random_rows(50, 3, 15)
    assert opened.distribution(rows).shape == (50, opened.rolls)
    opened.race(rows)
    opened.race_best(rows[:3], [0.5, 0.5])


def test_arrays_from_elsewhere() -> None:
    """Strides and byte orders are put right."""
    found = table(4, 15, "gnubg")
    arrays = {
        name: np.repeat(array.astype(array.dtype.newbyteorder(">")), 2)[::2] for name, array in found.arrays().items()
    }
    rows = random_rows(100, 4, 15)
    assert (OneSided.from_arrays(found.header(), arrays).race(rows) == found.race(rows)).all()
