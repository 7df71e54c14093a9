"""Two-sided tables against a naive recursion, exact fractions, published values and GNU Backgammon's own files."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.bearoff import twosided_build
from bgcore.core.twosided import Order
from naive.bearoff_pairs import Pairs, Side, pips, sides

STEP = 7.5e-5  # what 16 bits are within
STEP_GAMMONS = 1.5e-4


def packed(pairs: list[tuple[Side, Side]]) -> np.ndarray:
    """Own and opponent's counts on points 1 to P, the rest of 15 borne off, as rows."""
    counts = np.zeros((len(pairs), 2, 26), np.uint8)
    for row, pair in zip(counts, pairs, strict=True):
        for side, points in zip(row, pair, strict=True):
            side[1 : len(points) + 1] = points
            side[0] = 15 - sum(points)
    return bg.batch.pack(counts)


def look(table: bg.bearoff.TwoSided, own: Side, opponent: Side, *, decided: bool = False) -> np.ndarray:
    return table.lookup(packed([(own, opponent)]), decided=decided)[0]


def same_everywhere(table: bg.bearoff.TwoSided, naive: Pairs, tolerance: float, every: int = 1) -> None:
    """All pairs of a size; the naive values are asked for from low to high, so that they recurse one step deep."""
    positions = sorted((side for side in sides(table.points, table.checkers) if sum(side)), key=pips)
    pairs = sorted(product(positions, positions), key=lambda pair: pips(pair[0]) + pips(pair[1]))
    wanted = [naive.value(*pair) for pair in pairs][::every]
    decided = [naive.decided(*pair) for pair in pairs[::every]]
    rows = packed(pairs[::every])
    assert np.abs(table.lookup(rows) - wanted).max() <= tolerance
    assert np.abs(table.lookup(rows, decided=True) - decided).max() <= 2 * tolerance


@pytest.fixture(scope="module")
def exact6() -> bg.bearoff.TwoSided:
    return bg.bearoff.two_sided(checkers=6, dtype="float64", probabilities=True)


@pytest.fixture(scope="module")
def small15() -> bg.bearoff.TwoSided:
    return bg.bearoff.two_sided(points=2, checkers=15, cubeless=True, dtype="float64", probabilities=True)


@pytest.mark.slow
def test_all_of_6x4_as_the_naive_recursion() -> None:
    naive = Pairs()
    same_everywhere(bg.bearoff.two_sided(checkers=4, dtype="float64"), naive, 1e-12)
    same_everywhere(bg.bearoff.two_sided(checkers=4), naive, STEP)


@pytest.mark.long
def test_all_of_6x6_as_the_naive_recursion(exact6: bg.bearoff.TwoSided) -> None:
    same_everywhere(exact6, Pairs(), 1e-12)


@pytest.mark.parametrize(("points", "checkers"), [(1, 9), (2, 5), (4, 3), (8, 2), (12, 1)])
def test_other_sizes(points: int, checkers: int) -> None:
    same_everywhere(bg.bearoff.two_sided(points=points, checkers=checkers, dtype="float64"), Pairs(), 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("jacoby", [False, True])
def test_gammons(jacoby: bool) -> None:
    naive = Pairs(gammons=True, jacoby=jacoby)
    options = {"points": 2, "checkers": 15, "cubeless": True, "jacoby": jacoby}
    same_everywhere(bg.bearoff.two_sided(dtype="float64", **options), naive, 1e-12)
    same_everywhere(bg.bearoff.two_sided(**options), naive, STEP_GAMMONS, every=3)


@pytest.mark.slow
def test_chances(exact6: bg.bearoff.TwoSided, small15: bg.bearoff.TwoSided) -> None:
    naive = Pairs(gammons=True)
    positions = sorted((side for side in sides(2, 15) if sum(side)), key=pips)
    pairs = sorted(product(positions, positions), key=lambda pair: pips(pair[0]) + pips(pair[1]))
    wanted = [naive.chances(*pair) for pair in pairs]
    found = small15.probabilities(packed(pairs))
    assert found.dtype == np.float32
    assert np.abs(found - wanted).max() < 1e-6
    # and they make up the cubeless equity
    for table in (small15, exact6):
        ids = np.random.default_rng(1).integers(1, table.positions, (2, 5000), np.uint64)
        counts = np.zeros((5000, 2, 26), np.uint8)
        for side in range(2):
            counts[:, side, 1 : table.points + 1] = bg.bearoff.unrank(ids[side], points=table.points)
            counts[:, side, 0] = 15 - counts[:, side].sum(1)
        rows = bg.batch.pack(counts)
        win, gammon_won, gammon_lost = table.probabilities(rows).T
        assert np.abs(2 * win - 1 + gammon_won - gammon_lost - table.lookup(rows)[:, 0]).max() < 1e-6


def test_ace_stacks_as_fractions() -> None:
    exact = Pairs(number=Fraction)
    table = bg.bearoff.two_sided(points=1, checkers=10, dtype="float64")
    for own, opponent in product(range(1, 11), repeat=2):
        wanted = [float(part) for part in exact.decided((own,), (opponent,))]
        assert np.abs(look(table, (own,), (opponent,), decided=True) - wanted).max() < 1e-14


# Decided values: cubeless, opponent's, centred, owned.
SYMMETRIC = {
    (0, 0, 0, 0, 0, 1): (0.625, 0.5, 1, 1),
    (0, 0, 0, 0, 0, 2): (0.508988698446, 0.480629699487, 0.961259398974, 0.961259398974),
    (0, 0, 0, 0, 1, 1): (0.544004429113, 0.528668457552, 1, 1),
    (0, 0, 0, 0, 0, 6): (0.302400424565, 0.221511347543, 0.485007760918, 0.544938297875),
    (1, 1, 1, 1, 1, 1): (0.401143249953, 0.351132562182, 0.702265124364, 0.702265124364),
}
STACKS = {
    3: (13 / 18, 0.722222222, 1, 1),
    5: (373 / 648, 0.575617284, 1, 1),
    7: (11443 / 23328, 0.458376200, 0.916752401, 0.916752401),
    9: (365233 / 839808, 0.363455695, 0.726911389, 0.753396014),
    11: (11943823 / 30233088, 0.294325641, 0.588651282, 0.651889943),
    13: (0.364661075, 0.253255816, 0.506511631, 0.586749311),
}


def test_published_values(exact6: bg.bearoff.TwoSided) -> None:
    for side, (cubeless, taken, centred, owned) in SYMMETRIC.items():
        assert look(exact6, side, side, decided=True) == pytest.approx([cubeless, owned, centred, taken], abs=1e-12)
    aces = bg.bearoff.two_sided(points=1, checkers=14, cubeless=True, dtype="float64")
    for n, (cubeless, taken, centred, owned) in STACKS.items():
        for stack in (n, n + 1):
            found = look(aces, (stack,), (stack,), decided=True)
            assert found == pytest.approx([cubeless, owned, centred, taken], abs=6e-10)
    gammons = bg.bearoff.two_sided(points=1, checkers=15, cubeless=True, dtype="float64")
    assert look(gammons, (15,), (15,), decided=True) == pytest.approx(
        [0.340437739, 0.543938933, 0.451933516, 0.225966758], abs=6e-10
    )
    assert look(exact6, (0, 2, 0, 0, 2, 0), (2, 1, 0, 0, 0, 0), decided=True) == pytest.approx(
        [-0.470936213992, -0.428497942387, -0.580761316872, -0.618055555556], abs=1e-12
    )
    assert look(exact6, (0, 0, 0, 1, 1, 0), (0, 0, 1, 0, 1, 0), decided=True) == pytest.approx(
        [0.392994589239, 0.784122085048, 0.784122085048, 0.392061042524], abs=1e-12
    )


def test_a_tie_between_take_and_pass_is_one(exact6: bg.bearoff.TwoSided) -> None:
    six = (0, 0, 0, 0, 0, 1)
    assert 2 * look(exact6, six, six)[3] - 1 == 0.0  # no rounding error at all


def test_open_cases(exact6: bg.bearoff.TwoSided, small15: bg.bearoff.TwoSided) -> None:
    own, opponent = (1, 1, 1, 0, 1, 2), (1, 0, 0, 1, 0, 4)  # O083: kQcAgEoDAAAAAA
    position = bg.Position.from_gnubg_id("kQcAgEoDAAAAAA")
    assert np.array_equal(packed([(own, opponent)])[0], position.packed)
    assert tuple(exact6[position]) == pytest.approx((0.755438193, 0.933976772, 0.930361798, 0.744146215), abs=1e-9)
    assert look(exact6, own, opponent, decided=True) == pytest.approx([0.755438193, 1, 1, 0.744146215], abs=1e-9)
    assert exact6.probabilities(position.packed[np.newaxis])[0, 0] == pytest.approx(0.877719096, abs=1e-7)
    six, ace = (0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)  # O084
    assert look(exact6, six, ace).tolist() == [0.5] * 4
    assert look(exact6, six, ace, decided=True).tolist() == [0.5, 1, 1, 0.5]


def test_a_gammon_at_the_last_moment() -> None:  # O088, the opponent's 15 checkers nearer by so that the table is small
    table = bg.bearoff.two_sided(points=2, checkers=15, cubeless=True, dtype="float64", probabilities=True)
    naive = Pairs(gammons=True, number=Fraction)
    exact = naive.chances((4, 0), (10, 5))
    assert table.probabilities(packed([((4, 0), (10, 5))]))[0] == pytest.approx([float(x) for x in exact], abs=1e-7)


# Decided values summed over all pairs: cubeless, opponent's, centred, owned.
SUMS = (242017.504664, 168962.696958, 312850.391691, 380082.641188)


def test_sums_of_6x6(exact6: bg.bearoff.TwoSided) -> None:
    ids = np.arange(1, 924, dtype=np.uint64)
    sums = np.zeros(4)
    undecided = np.zeros(4)
    counts = np.zeros((923, 2, 26), np.uint8)
    counts[:, 1, 1:7] = bg.bearoff.unrank(ids, points=6)
    counts[:, 1, 0] = 15 - counts[:, 1].sum(1)
    for own in counts[:, 1].copy():
        counts[:, 0] = own
        rows = bg.batch.pack(counts)
        sums += exact6.lookup(rows, decided=True).sum(0)
        undecided += exact6.lookup(rows).sum(0)
    cubeless, owned, centred, taken = sums
    assert (cubeless, taken, centred, owned) == pytest.approx(SUMS, abs=1e-6)
    assert undecided[[1, 2]] == pytest.approx([336374.700367, 263313.266928], abs=1e-6)


# MD5 of what GNU Backgammon's makebearoff writes for six points; 11 and 12 are our own beyond its list.
FILES = [
    (1, "7ed6f8e7fce16ea2b80e07a4a516653c"),
    (2, "e9d760bf213841c285245ed757a52f4d"),
    (3, "9d67da3db32ad4720cc38eecf9a67967"),
    (4, "9156f37032d1d4b0352a41186e632dfc"),
    (5, "0db19ab08feae1feb33ddbd709479f62"),
    (6, "44b6040b49b46cb9dd2ce8caa947044d"),
    (7, "9eb8b042d4d2ddf8d40e74a892745ad5"),
    pytest.param(8, "fcdbbc80b7ef84ddc81b839d0f26bed1", marks=pytest.mark.long),
    pytest.param(9, "a11b2d410d51401143d05e73f9ffac15", marks=pytest.mark.long),
    pytest.param(10, "12dc70c86f356d06bc96ee38dee40c62", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("checkers", "md5"), FILES)
def test_gnu_backgammons_files(checkers: int, md5: str, tmp_path) -> None:
    table = bg.bearoff.two_sided(checkers=checkers, arithmetic="gnubg", threads=2)
    table.export_bd(tmp_path / "ts.bd")
    with open(tmp_path / "ts.bd", "rb") as file:
        assert hashlib.file_digest(file, "md5").hexdigest() == md5


def test_gnu_backgammons_cubeless_file(tmp_path) -> None:
    bg.bearoff.two_sided(arithmetic="gnubg", cubeful=False).export_bd(tmp_path / "ts.bd")
    assert hashlib.md5((tmp_path / "ts.bd").read_bytes()).hexdigest() == "4c4a0bffa23477cadf7321bc787ff534"


def test_rounding_an_exact_table_into_a_file(tmp_path, exact6: bg.bearoff.TwoSided) -> None:
    with pytest.raises(ValueError, match="lossy=True"):
        exact6.export_bd(tmp_path / "ts.bd")
    assert not (tmp_path / "ts.bd").exists()
    exact6.export_bd(tmp_path / "ts.bd", lossy=True)
    stored = np.fromfile(tmp_path / "ts.bd", "<u2", offset=40).reshape(924, 924, 4)
    assert np.abs(stored[1:, 1:] / 32767.5 - 1 - exact6.arrays()[1]["values"][1:, 1:]).max() <= 0.5 / 32767.5 + 1e-12
    assert (stored[0] == 65535).all()
    assert (stored[1:, 0] == 0).all()
    with pytest.raises(ValueError, match="gammons"):
        bg.bearoff.two_sided(points=1, checkers=15, cubeless=True).export_bd(tmp_path / "no.bd", lossy=True)
    with pytest.raises(ValueError, match="cubeless"):
        bg.bearoff.two_sided(points=1, checkers=3, cubeless=False).export_bd(tmp_path / "no.bd", lossy=True)


# ---- fast and slow ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "checkers", "gammons"), [(6, 5, False), (9, 3, False), (3, 15, True)])
@pytest.mark.parametrize("kind", ["int16", "gnubg"])
def test_vectors_as_the_plain_loop(points: int, checkers: int, gammons: bool, kind: str) -> None:
    """The same table from the vector instructions in use and from C without any."""
    if kind == "gnubg" and gammons:
        pytest.skip("GNU Backgammon's arithmetic has no gammons")
    order = Order(points, checkers)
    header = {"cubeless": True, "cubeful": True, "gammons": gammons, "jacoby": gammons}
    tables = [
        twosided_build._pairs(order, name, header, twosided_build._Work(order, 1, None))
        for name in (kind, "plain" if kind == "int16" else "plain gnubg")
    ]
    assert np.array_equal(tables[0], tables[1].view(tables[0].dtype))


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"checkers": 8}, {"points": 3, "checkers": 15, "cubeless": True}])
def test_threads_change_nothing(options: dict[str, int]) -> None:
    tables = [bg.bearoff.two_sided(threads=threads, **options).arrays()[1]["values"] for threads in (1, 3)]
    assert np.array_equal(*tables)


# ---- looking up ---------------------------------------------------------------------------------------------------


@given(data=st.data())
def test_rows_out_of_range_are_nan(data: st.DataObject, exact6: bg.bearoff.TwoSided) -> None:
    """One side's slots at random, checkers on the bar and far away included."""
    counts = np.zeros((2, 26), np.uint8)
    for side in range(2):
        left = 15
        for slot in data.draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 7, 15, 16, 24, 25]), max_size=8)):
            counts[side, slot] += 1
            left -= 1
        counts[side, 0] = left
    if (counts[:, 0] == 15).all():
        return
    row = bg.batch.pack(counts[np.newaxis])
    inside = bool((counts[:, 7:] == 0).all() and (counts[:, 1:].sum(1) <= 6).all())
    found = exact6.lookup(row)
    assert np.isnan(found).all() == (not inside)
    assert np.isnan(exact6.probabilities(row)).all() == (not inside)
    assert (bg.Position.from_packed(row[0]) in exact6) == inside


def test_finished_games(small15: bg.bearoff.TwoSided) -> None:
    rows = packed([((), (4, 4)), ((), (8, 7)), ((4, 4), ()), ((8, 7), ())])
    assert small15.lookup(rows)[:, 0].tolist() == [1, 2, -1, -2]
    assert small15.probabilities(rows).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]]
    jacoby = bg.bearoff.two_sided(points=2, checkers=15, jacoby=True)
    assert jacoby.lookup(rows)[1, 1:].tolist() == [2, 1, 2]
    assert np.isnan(jacoby.lookup(rows)[:, 0]).all()  # no cubeless column


def test_one_position(exact6: bg.bearoff.TwoSided) -> None:
    row = exact6[bg.Position.from_gnubg_id("VQUAgKoCAAAAAA")]
    assert row.owned == pytest.approx(0.636769, abs=1e-6)
    assert "6x6" in repr(exact6)
    with pytest.raises(KeyError, match="is not in"):
        exact6[bg.Position.initial()]
    assert bg.Position.initial() not in exact6
    assert "nonsense" not in exact6


def test_strides_and_types(exact6: bg.bearoff.TwoSided) -> None:
    rows = packed([((1, 2, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0))] * 4)
    assert np.array_equal(exact6.lookup(rows[::2]), exact6.lookup(rows)[::2])
    assert np.array_equal(exact6.lookup(rows.astype(">u8")), exact6.lookup(rows))
    assert exact6.lookup(np.empty((0, 4), np.uint64)).shape == (0, 4)
    with pytest.raises(TypeError):
        exact6.lookup(rows.astype(float))
    with pytest.raises(ValueError, match="4"):
        exact6.lookup(rows[:, :3])


# ---- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"points": 13}, "at most 12 points"),
        ({"checkers": 16}, "15 checkers"),
        ({"checkers": 0}, "at least 1"),
        ({"dtype": "float32"}, "int16"),
        ({"arithmetic": "GNU"}, "gnubg"),
        ({"cubeless": False, "cubeful": False}, "nothing to build"),
        ({"gammons": True}, "needs 15 checkers"),
        ({"arithmetic": "gnubg", "dtype": "float64"}, "16 bits"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        bg.bearoff.two_sided(**options)


def test_too_large_for_memory_is_said_first(tmp_path) -> None:
    with pytest.raises(bg.errors.DatabaseError, match=r"needs [0-9,]+ bytes of memory"):
        bg.bearoff.two_sided(points=12, checkers=15)
    with pytest.raises(bg.errors.DatabaseError, match=r"needs [0-9,]+ bytes of memory"):
        bg.bearoff.two_sided(points=8, checkers=15, path=tmp_path / "large")
    assert not list(tmp_path.iterdir())
