"""One-sided tables: against the textbook, against published values, in both arithmetics."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import bgcore as bg
from bgcore.bearoff import OneSided
from bgcore.bearoff.onesided import Arithmetic, bytes_to_build
from bgcore.core import bearoff as core
from bgcore.dice import ROLLS
from bgcore.errors import DatabaseError, InvalidPosition
from naive import bearoff as naive

Counts = tuple[int, ...]


@cache
def table(points: int = 6, checkers: int = 15, arithmetic: Arithmetic = "exact") -> OneSided:
    return bg.bearoff.one_sided(points=points, checkers=checkers, arithmetic=arithmetic)


def packed(*own: Counts, opp: Counts = (1,)) -> NDArray[np.uint64]:
    """Positions with these checkers of the player on roll, and of the opponent."""
    counts = np.zeros((len(own), 2, 26), np.uint8)
    for row, side in zip(counts, own, strict=True):
        row[0, 1 : len(side) + 1] = side
        row[1, 1 : len(opp) + 1] = opp
        row[:, 0] = 15 - row.sum(axis=1)
    return bg.batch.pack(counts)


def every(points: int, checkers: int) -> NDArray[np.uint64]:
    """All positions by id, packed."""
    return packed(*map(tuple, bg.bearoff.unrank(np.arange(core.count_positions(points, checkers)), points=points)))


def dense(distributions: list[dict[int, Fraction]], rolls: int) -> NDArray[np.float64]:
    rows = np.zeros((len(distributions), max(rolls, 64)))
    for row, distribution in zip(rows, distributions, strict=True):
        for number, chance in distribution.items():
            row[number] = chance
    assert not (rows[:, rolls:] >= 2.0**-32).any()
    return rows[:, :rolls]


# ---- against the textbook --------------------------------------------------------------------------------------------


def agrees(points: int, checkers: int) -> None:
    found = table(points, checkers)
    rows = every(points, checkers)
    expected = list(naive.until_all_off(points, checkers).values())
    assert len(expected) == len(rows)
    means = np.array([float(naive.mean(distribution)) for distribution in expected])
    variances = np.array([float(naive.variance(distribution)) for distribution in expected])
    assert np.abs(found.mean(rows) - means).max() < 1e-12
    assert np.abs(found.variance(rows) - variances).max() < 1e-12
    chances = found.distribution(rows)
    assert chances.dtype == np.float32
    exact = dense(expected, found.rolls)
    # Single precision, and what is too small for being stored.
    assert (np.abs(chances - exact) <= exact * 2.0**-24 + 2.0**-32).all()
    assert np.abs(found.epc(rows) - means * 49 / 6).max() < 1e-11
    pips = (bg.bearoff.unrank(np.arange(len(rows)), points=points) * np.arange(1, points + 1)).sum(axis=1)
    assert np.abs(found.wastage(rows) - (means * 49 / 6 - pips)).max() < 1e-11


@pytest.mark.parametrize(("points", "checkers"), [(6, 4), (6, 6), (9, 3), (13, 2), (24, 1), (2, 15), (1, 15)])
def test_textbook(points: int, checkers: int) -> None:
    agrees(points, checkers)


@pytest.mark.long
@pytest.mark.parametrize(("points", "checkers"), [(6, 9), (4, 15), (10, 5)])
def test_textbook_long(points: int, checkers: int) -> None:
    agrees(points, checkers)


def gammons_agree(points: int) -> None:
    found = table(points)
    expected = list(naive.until_first_off(points).values())
    exact = dense(expected, found.gammon_rolls)
    chances = found.gammon_distribution(every(points, 15))
    assert (np.abs(chances - exact) <= exact * 2.0**-24 + 2.0**-32).all()


@pytest.mark.parametrize("points", [1, 2, 3])
def test_gammons_of_the_textbook(points: int) -> None:
    gammons_agree(points)


@pytest.mark.long
@pytest.mark.parametrize("points", [4, 5])
def test_gammons_of_the_textbook_long(points: int) -> None:
    gammons_agree(points)


# ---- published values ------------------------------------------------------------------------------------------------

SUMS_OF_MEANS = {6: 394310.933337929, 7: 1387141.966665, 8: 4381111.595458, 9: 12719821.283500, 10: 34411693.261518}
ALL_ON_THE_HIGHEST = {6: 12.266187172, 7: 14.528979132, 8: 15.946564803, 9: 17.553576213, 10: 19.273634450}


@pytest.mark.parametrize("points", [6, 7, 8, *(pytest.param(p, marks=pytest.mark.long) for p in (9, 10))])
def test_sums(points: int) -> None:
    means = bg.bearoff.one_sided(points=points, gammons=False).arrays()["mean"]
    assert means.sum() == pytest.approx(SUMS_OF_MEANS[points], abs=6e-7)
    assert means[-1] == pytest.approx(ALL_ON_THE_HIGHEST[points], abs=6e-10)


def test_sum_of_variances() -> None:
    """58012.839587 is what 20 columns of a distribution give, with exact means; all of them give 58012.839924."""
    assert table().arrays()["variance"].sum() == pytest.approx(58012.8399240, abs=5e-8)


ACES = {
    1: Fraction(1),
    3: Fraction(11, 6),
    5: Fraction(97, 36),
    7: Fraction(767, 216),
    9: Fraction(5713, 1296),
    11: Fraction(40943, 7776),
    13: Fraction(285649, 46656),
    15: Fraction(1953839, 279936),
}


@pytest.mark.parametrize(("aces", "mean"), ACES.items())
def test_ace_stacks(aces: int, mean: Fraction) -> None:
    """An odd number of checkers on the ace point takes as many rolls as the even one after it."""
    stacks = [(aces,), (aces + 1,)] if aces < 15 else [(aces,)]
    assert np.abs(table().mean(packed(*stacks)) - float(mean)).max() < 1e-13
    assert np.abs(table(1).mean(packed(*stacks)) - float(mean)).max() < 1e-13


# Points 1 to 6, expected rolls, effective pip count, wastage.
NAMED: list[tuple[Counts, float | None, float | None, float | None]] = [
    ((15, 0, 0, 0, 0, 0), 6.979591764, 56.99999940, None),
    ((10, 0, 0, 0, 0, 0), 4.408179012, 36.0001, None),
    ((0, 0, 0, 0, 0, 2), 2.109610768, 17.2285, None),
    ((0, 0, 0, 0, 1, 1), 1.960048011, 16.0071, None),
    ((2, 2, 2, 2, 2, 2), 6.360316940, 51.9426, 9.94),
    ((2, 2, 2, 3, 3, 3), 8.138923203, 66.4679, None),
    ((0, 0, 2, 4, 4, 5), 9.708495534, 79.2860, 7.29),
    ((7, 5, 3, 0, 0, 0), 6.984378161, 57.0391, None),
    ((0, 0, 0, 5, 5, 5), 10.073758957, 82.2690, None),
    ((0, 0, 0, 0, 0, 15), 12.266187172, 100.1739, None),
]


@pytest.mark.parametrize(("counts", "mean", "epc", "wastage"), NAMED)
def test_named_positions(counts: Counts, mean: float, epc: float, wastage: float | None) -> None:
    row = packed(counts)
    assert table().mean(row)[0] == pytest.approx(mean, abs=6e-10)
    assert table().epc(row)[0] == pytest.approx(epc, abs=6e-5)
    if wastage is not None:
        assert table().wastage(row)[0] == pytest.approx(wastage, abs=6e-3)


def test_one_roll() -> None:
    """Two on the 6 point need 66, 55, 44 or 33; one on each of 5 and 6 also 65.  By hand."""
    one = table().distribution(packed((0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 1, 1)))[:, 1]
    assert one == pytest.approx([4 / 36, 6 / 36], abs=1e-8)


def test_single_checkers() -> None:
    """4, 5 and 6 away, off in one roll; none is off without one."""
    rows = table().distribution(packed((0, 0, 0, 1), (0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)))
    assert rows[:, 1] == pytest.approx([34 / 36, 31 / 36, 27 / 36], abs=1e-7)
    assert rows[:, 2] == pytest.approx([2 / 36, 5 / 36, 9 / 36], abs=1e-7)
    assert (rows[:, 0] == 0).all()


def test_first_checker_off() -> None:
    chances = table().gammon_distribution(packed((0, 0, 0, 0, 0, 15), (0, 0, 0, 0, 5, 10), (14,)))
    assert chances[0, 1] == pytest.approx(17 / 36, abs=1e-7)
    assert chances[0] @ np.arange(table().gammon_rolls) == pytest.approx(1.616135, abs=6e-7)
    assert chances[1, 1] == pytest.approx(28 / 36, abs=1e-7)
    assert chances[2, 0] == 1
    assert chances[2, 1:].max() == 0


def test_as_good_as_no_rolls_behind_nineteen() -> None:
    """At most 19 rolls and some have a chance of a millionth."""
    chances = table().distribution(every(6, 15))
    assert chances.sum(axis=1) == pytest.approx(np.ones(54264), abs=3e-7)
    assert 19 <= np.nonzero((chances > 1e-6).any(axis=0))[0].max() <= 20


def test_plays_that_bear_none_off() -> None:
    """Taper_Mike's counts: where a checker can be borne off and the play of fewest rolls bears none off."""
    offsets, ids = core.successors(6, 15)
    means = table().arrays()["mean"]
    checkers = bg.bearoff.unrank(np.arange(54264), points=6).sum(axis=1).astype(np.int64)
    starts = offsets[21:-1].astype(np.int64)
    assert len(starts) == 1_139_523
    of = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(ids))))
    left = checkers[ids]
    least, most = np.minimum.reduceat(left, starts), np.maximum.reduceat(left, starts)
    best = np.minimum.reduceat(means[ids], starts)
    # The best of the plays that bear something off is worse than the best of all.
    bearing = np.minimum.reduceat(np.where(left < np.repeat(checkers[1:], 21)[of], means[ids], np.inf), starts)
    before = np.repeat(checkers[1:], 21)
    double = np.tile([larger == smaller for larger, smaller in ROLLS], 54263)
    none_off = (least < before) & (most == before) & (bearing > best + 1e-9) & ~double
    assert none_off.sum() == 3825
    two = np.nonzero(none_off & (before == 2))[0]
    assert [(tuple(bg.bearoff.unrank(1 + i // 21, points=6)), ROLLS[i % 21]) for i in two] == [
        ((0, 0, 0, 1, 0, 1), (5, 2))
    ]


# ---- GNU Backgammon's arithmetic -------------------------------------------------------------------------------------

# md5 of what its own tool writes, compressed and with gammons.
HASHES = {
    1: "c789f049ec98ce4e307b471257999f39",
    2: "b6e61c1625ae4b3b164e93ab064192b9",
    3: "346dae6139ccb4b227c534373e5c52e4",
    4: "653255f5f9f22fd50277f7ff25b2a343",
    5: "2064f9a56b23117d053a573c96a92fa2",
    6: "3dc7b833c4670849cee00479a9e21b49",
    7: "67235c8e0ee152df5daf36cbeae5b3c2",
    8: "a4acbb5c7e9e1f08e561afe0af934e5c",
    9: "9c4ddab4e51c3e668c9c97b8f8768dbc",
    10: "81b3898f06bbd08ee8295a839251a10a",
    11: "78ecb4be86dab6af8755ea4063d50fb6",
}


@pytest.mark.parametrize("points", [pytest.param(p, marks=[pytest.mark.long] if p > 7 else []) for p in HASHES])
def test_files_of_gnubg(points: int, tmp_path: Path) -> None:
    path = tmp_path / "os.bd"
    bg.bearoff.one_sided(points=points, arithmetic="gnubg", threads=2).export_bd(path)
    assert md5(path.read_bytes()).hexdigest() == HASHES[points]


@pytest.mark.parametrize(
    ("options", "digest"),
    [
        ({"gammons": False}, "e1eb4384961f2e074ef3344178de5a51"),
        ({"compressed": False}, "bf8b9e05a2cf10550a644810272f05a4"),
    ],
)
def test_other_files_of_gnubg(options: dict[str, bool], digest: str, tmp_path: Path) -> None:
    """Of makebearoff -g and -c."""
    path = tmp_path / "os.bd"
    table(arithmetic="gnubg").export_bd(path, **options)
    assert md5(path.read_bytes()).hexdigest() == digest


# Position, both distributions as roll:chance x 65535 (all off, first off), mean, standard deviation, EPC.
GNUBG_ROWS: list[tuple[Counts, str, str, float, float | None, float | None]] = [
    ((1, 0, 0, 0, 0, 0), "1:65535", "0:65535", 1.000, 0, 8.167),
    ((0, 0, 0, 0, 0, 1), "1:49151 2:16384", "0:65535", 1.250, 0.433, 10.208),
    ((0, 1, 0, 0, 0, 1), "1:23665 2:41061 3:809", "0:65535", 1.651, 0.502, 13.485),
    ((1, 1, 1, 1, 1, 1), "2:4804 3:28084 4:30145 5:2462 6:40", "0:65535", 3.464, 0.689, 28.286),
    ((15, 0, 0, 0, 0, 0), "4:51 5:2277 6:14925 7:29993 8:18289", "1:65535", 6.980, 0.808, 56.999),
    ((7, 5, 3, 0, 0, 0), "4:48 5:2204 6:14779 7:30198 8:18306", "1:65535", 6.984, 0.804, 57.039),
    (
        (3, 3, 3, 2, 2, 2),
        "4:8 5:571 6:6125 7:22488 8:29408 9:6565 10:358 11:12",
        "1:65535",
        7.555,
        0.850,
        61.699,
    ),
    (
        (2, 2, 2, 3, 3, 3),
        "4:5 5:329 6:3479 7:14017 8:23463 9:18247 10:5207 11:732 12:54 13:2",
        "1:65535",
        8.139,
        1.079,
        66.467,
    ),
    (
        (0, 0, 0, 5, 5, 5),
        "4:1 5:74 6:403 7:2229 8:6334 9:13278 10:17397 11:15282 12:7879 13:2255 14:366 15:35 16:2",
        "1:61894 2:3641",
        10.074,
        1.464,
        82.269,
    ),
    (
        (0, 0, 0, 0, 0, 15),
        "5:1 6:16 7:102 8:555 9:1911 10:5444 11:10775 12:16459 13:17144 14:9574 15:2913 16:561 17:74 18:6",
        "1:30947 2:29481 3:4499 4:539 5:64 6:5",
        12.266,
        1.512,
        100.175,
    ),
    (
        (0, 0, 0, 0, 0, 0, 15),
        "9:9 10:134 11:956 12:3937 13:10100 14:16658 15:17490 16:11306 17:3953 18:845 19:131 20:15 21:1",
        "4:30 5:1919 6:14495 7:30333 8:18693 9:64 10:1",
        14.529,
        None,
        None,
    ),
]


@pytest.mark.parametrize(("counts", "rolls", "gammon", "mean", "deviation", "epc"), GNUBG_ROWS)
def test_rows_of_gnubg(
    counts: Counts, rolls: str, gammon: str, mean: float, deviation: float | None, epc: float | None
) -> None:
    found = table(points=len(counts), arithmetic="gnubg")
    row = packed(counts)
    for chances, text in ((found.distribution(row), rolls), (found.gammon_distribution(row), gammon)):
        units = np.rint(chances[0].astype(np.float64) * 65535).astype(int)
        assert " ".join(f"{i}:{n}" for i, n in enumerate(units.tolist()) if n) == text
        assert np.abs(chances[0] - units / 65535).max() < 1e-7
    assert found.mean(row)[0] == pytest.approx(mean, abs=6e-4)
    if deviation is not None:
        assert np.sqrt(found.variance(row)[0]) == pytest.approx(deviation, abs=6e-4)
        assert found.epc(row)[0] == pytest.approx(epc, abs=1.1e-3)


def test_arithmetics_are_near() -> None:
    """16 bits cost 4e-5 of a roll on the average, and less than 2e-4."""
    rows = every(6, 15)
    away = np.abs(table().mean(rows) - table(arithmetic="gnubg").mean(rows))
    assert away.max() < 2e-4
    assert away.mean() < 5e-5


def test_fewer_checkers_are_the_first_ids() -> None:
    """A table of fewer checkers is the beginning of a larger one."""
    for arithmetic in ("exact", "gnubg"):
        small = bg.bearoff.one_sided(checkers=9, arithmetic=arithmetic).arrays()
        large = table(arithmetic=arithmetic).arrays()
        assert "gammon_values" not in small
        for name, array in small.items():
            assert (array == large[name][: len(array)]).all(), name


@pytest.mark.parametrize("arithmetic", ["exact", "gnubg"])
@pytest.mark.parametrize("points", [7, pytest.param(9, marks=pytest.mark.long)])
def test_threads(arithmetic: Arithmetic, points: int) -> None:
    """The same bits for any number of threads."""
    one = table(points, 15, arithmetic).arrays()
    for threads in (2, 5):
        for name, array in bg.bearoff.one_sided(points=points, arithmetic=arithmetic, threads=threads).arrays().items():
            assert array.tobytes() == one[name].tobytes(), name


@pytest.mark.parametrize("threads", [1, 2])
def test_progress(threads: int) -> None:
    calls: list[tuple[int, int]] = []
    bg.bearoff.one_sided(points=7, threads=threads, progress=lambda *call: calls.append(call))
    assert len(calls) > 5
    assert calls == sorted(calls)
    assert calls[-1] == (170544, 170544)
    assert {total for _, total in calls} == {170544}


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupted_by_progress(threads: int) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bg.bearoff.one_sided(points=7, threads=threads, progress=stop)


BAD_ARGUMENTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"points": 0}, ValueError, "points must be 1 to 24, not 0"),
    ({"points": 25}, ValueError, "points must be 1 to 24, not 25"),
    ({"points": 6.0}, TypeError, "integer"),
    ({"checkers": 16}, InvalidPosition, "checkers must be 1 to 15, not 16"),
    ({"checkers": "15"}, TypeError, "integer"),
    ({"arithmetic": "float"}, ValueError, "'exact' or 'gnubg', not 'float'"),
    ({"checkers": 14, "gammons": True}, ValueError, "gammons need 15 checkers, not 14"),
    ({"threads": 0}, ValueError, "threads must be at least 1, not 0"),
    ({"points": 24}, DatabaseError, r"24 x 15 has 25140840660 positions; 2\*\*32 are too many"),
]


@pytest.mark.parametrize(("arguments", "error", "says"), BAD_ARGUMENTS)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        bg.bearoff.one_sided(**arguments)


def test_too_large_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused before anything is built, with the bytes needed."""
    needed = bytes_to_build(7, 15, "exact", True)
    monkeypatch.setattr("bgcore.bearoff.memory.available", lambda: needed - 1)
    says = f"one-sided table of 7 x 15 needs {needed:,} bytes of memory, and {needed - 1:,} are free"
    with pytest.raises(DatabaseError, match=says):
        bg.bearoff.one_sided(points=7)
    monkeypatch.setattr("bgcore.bearoff.memory.available", lambda: needed)
    assert bg.bearoff.one_sided(points=7).points == 7
