"""GNU Backgammon's bear-off files: written to the published hashes, read back, and refused when damaged.

The numbers come from the naive builders in `naive.bd_tables`; hashes of the kinds that are not published, and decoded
values, are from makebearoff, makehyper and bearoffdump of Debian's gnubg 1.07.001.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgcore.errors import DatabaseError
from bgcore.formats import bd
from bgcore.formats.bd import reading
from naive import bd_tables as naive

Values = np.ndarray[Any, Any]

one_sided = cache(naive.one_sided)
two_sided = cache(naive.two_sided)


def md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes()).hexdigest()


def write_one(path: Path, points: int, *, gammons: bool = True, compressed: bool = True) -> None:
    values = one_sided(points)
    bd.write_one_sided(path, values[:, 0], values[:, 1] if gammons else None, points=points, compressed=compressed)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.bd"


# ---- hashes ----------------------------------------------------------------------------------------------------------

ONE_SIDED = {
    1: "c789f049ec98ce4e307b471257999f39",
    2: "b6e61c1625ae4b3b164e93ab064192b9",
    3: "346dae6139ccb4b227c534373e5c52e4",
    4: "653255f5f9f22fd50277f7ff25b2a343",
    5: "2064f9a56b23117d053a573c96a92fa2",
    6: "3dc7b833c4670849cee00479a9e21b49",
}
OTHERS = {  # points, gammons, compressed
    (3, False, True): "e7ce21000dc1954be3aa6ed007016a3e",
    (3, True, False): "c90b77141e450d178bcdb360570cff13",
    (3, False, False): "074f85179760d1001f7cc142d4c78209",
    (6, False, True): "e1eb4384961f2e074ef3344178de5a51",
    (6, True, False): "bf8b9e05a2cf10550a644810272f05a4",
}
TWO_SIDED = {
    (6, 1): "7ed6f8e7fce16ea2b80e07a4a516653c",
    (6, 2): "e9d760bf213841c285245ed757a52f4d",
    (6, 3): "9d67da3db32ad4720cc38eecf9a67967",
    (4, 3): "843124bc51fd3a0fc05c8fa5d2384064",
    (6, 4): "9156f37032d1d4b0352a41186e632dfc",
    (6, 5): "0db19ab08feae1feb33ddbd709479f62",
}


def long_from(things: dict[Any, str], slow: Callable[[Any], bool]) -> list[Any]:
    return [pytest.param(key, marks=pytest.mark.long if slow(key) else ()) for key in things]


@pytest.mark.parametrize("points", long_from(ONE_SIDED, lambda points: points > 4))
def test_one_sided(path: Path, points: int) -> None:
    write_one(path, points)
    assert md5(path) == ONE_SIDED[points]
    check_one_sided(path, points, True, True)


@pytest.mark.parametrize("kind", long_from(OTHERS, lambda kind: kind[0] > 4))
def test_other_one_sided(path: Path, kind: tuple[int, bool, bool]) -> None:
    points, gammons, compressed = kind
    write_one(path, points, gammons=gammons, compressed=compressed)
    assert md5(path) == OTHERS[kind]
    check_one_sided(path, points, gammons, compressed)


@pytest.mark.parametrize("size", long_from(TWO_SIDED, lambda size: size[1] > 3))
def test_two_sided(path: Path, size: tuple[int, int]) -> None:
    points, checkers = size
    values = two_sided(points, checkers)
    bd.write_two_sided(path, values, points=points, checkers=checkers)
    assert md5(path) == TWO_SIDED[size]
    table = bd.read(path)
    assert isinstance(table, bd.BdTwoSided)
    assert (table.points, table.checkers, table.cubeful, table.positions) == (*size, True, len(values))
    np.testing.assert_array_equal(table.values, values)
    blocks = (values[first : first + 5] for first in range(0, len(values), 5))
    bd.write_two_sided(path.with_name("blocks"), blocks, points=points, checkers=checkers)
    assert path.with_name("blocks").read_bytes() == path.read_bytes()


def test_cubeless(path: Path) -> None:
    values = two_sided(6, 3)[:, :, 0]
    bd.write_two_sided(path, values, points=6, checkers=3, cubeful=False)
    assert md5(path) == "a2960236498157daf236b4c2e62c31c5"
    table = bd.read(path)
    assert isinstance(table, bd.BdTwoSided)
    assert table.values.shape == (84, 84, 1)
    np.testing.assert_array_equal(table.values[:, :, 0], values)
    equities = table.equities([6, 21], [1, 2])
    np.testing.assert_allclose(equities[:, 0], [0.5, -4 / 9], atol=3e-5)
    assert np.isnan(equities[:, 1:]).all()


def check_one_sided(path: Path, points: int, gammons: bool, compressed: bool) -> None:
    """See that a file reads as what it was made of."""
    values = one_sided(points)
    table = bd.read(path, verify=True)
    assert isinstance(table, bd.BdOneSided)
    assert (table.points, table.checkers, table.gammons, table.compressed) == (points, 15, gammons, compressed)
    assert table.positions == len(values) == math.comb(points + 15, 15)
    ids = np.random.default_rng(points).permutation(len(values))
    np.testing.assert_array_equal(table.raw(ids), values[ids, 0])
    np.testing.assert_array_equal(table.probabilities(ids[:9]), values[ids[:9], 0] / 65535)
    assert table.raw([]).shape == (0, 32)
    if gammons:
        np.testing.assert_array_equal(table.raw_gammons(ids), values[ids, 1])
        np.testing.assert_array_equal(table.gammon_probabilities(ids[-9:]), values[ids[-9:], 1] / 65535)
    else:
        for ask in (table.raw_gammons, table.gammon_probabilities):
            with pytest.raises(DatabaseError, match="no distributions of gammons"):
                ask([1])


# ---- decoded values --------------------------------------------------------------------------------------------------

SIX_POINTS = {  # id: rolls to bear off, rolls to the first checker off
    1: ({1: 65535}, {0: 65535}),
    6: ({1: 49151, 2: 16384}, {0: 65535}),
    17: ({1: 23665, 2: 41061, 3: 809}, {0: 65535}),
    637: ({2: 4804, 3: 28084, 4: 30145, 5: 2462, 6: 40}, {0: 65535}),
    38760: ({4: 51, 5: 2277, 6: 14925, 7: 29993, 8: 18289}, {1: 65535}),
    39567: ({4: 48, 5: 2204, 6: 14779, 7: 30198, 8: 18306}, {1: 65535}),
    43691: ({4: 8, 5: 571, 6: 6125, 7: 22488, 8: 29408, 9: 6565, 10: 358, 11: 12}, {1: 65535}),
    54188: (
        dict(zip(range(4, 17), (1, 74, 403, 2229, 6334, 13278, 17397, 15282, 7879, 2255, 366, 35, 2), strict=True)),
        {1: 61894, 2: 3641},
    ),
    54263: (
        dict(
            zip(
                range(5, 19),
                (1, 16, 102, 555, 1911, 5444, 10775, 16459, 17144, 9574, 2913, 561, 74, 6),
                strict=True,
            )
        ),
        {1: 30947, 2: 29481, 3: 4499, 4: 539, 5: 64, 6: 5},
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("compressed", [True, False])
def test_reference_entries_of_six_points(path: Path, compressed: bool) -> None:
    write_one(path, 6, compressed=compressed)
    table = bd.read(path)
    assert isinstance(table, bd.BdOneSided)
    for which, ask in enumerate((table.raw, table.raw_gammons)):
        rows = ask(list(SIX_POINTS))
        for row, wanted in zip(rows, SIX_POINTS.values(), strict=True):
            assert {roll: int(value) for roll, value in enumerate(row) if value} == wanted[which]
    mean = table.probabilities([54263])[0] @ np.arange(32)
    assert (round(mean, 3), round(mean * 49 / 6, 3)) == (12.266, 100.175)


def test_two_sided_equities(path: Path) -> None:
    bd.write_two_sided(path, two_sided(6, 3), points=6, checkers=3)
    table = bd.read(path)
    assert isinstance(table, bd.BdTwoSided)
    found = table.equities([6, 21, 17, 25, 33, 0, 5], [1, 2, 17, 25, 33, 7, 0])
    wanted = [
        [0.5] * 4,
        [-0.4444] * 4,
        [0.5231, 0.5386, 0.5386, 0.5228],
        [0.6003, 0.6594, 0.6590, 0.5942],
        [0.7003, 0.7267, 0.7037, 0.6777],
        [1.0] * 4,
        [-1.0] * 4,
    ]
    np.testing.assert_allclose(found, wanted, atol=5.1e-5)
    assert table.values[17, 17].tolist() == [49908, 50415, 50415, 49898]


MOMENTS = {0: (0, 0, 0, 0), 1: (1, 0, 0, 0), 815: (8.452497, 1.196719, 1.0285708, 0.17141628)}


def test_normal_form(path: Path) -> None:
    moments = np.ones((816, 4), np.float32)
    for number, numbers in MOMENTS.items():
        moments[number] = numbers
    bd.write_normal(path, moments, points=3)
    assert path.stat().st_size == 13_096
    assert path.read_bytes()[:40] == b"gnubg-OS-03-15-1-0-1xxxxxxxxxxxxxxxxxxx\n"
    table = bd.read(path)
    assert isinstance(table, bd.BdNormal)
    assert (table.points, table.checkers, table.positions) == (3, 15, 816)
    np.testing.assert_array_equal(table.moments, moments)
    off, one, many = table.probabilities([0, 1, 815])
    assert {roll: share for roll, share in enumerate(off) if share} == {0: 1.0}
    assert {roll: share for roll, share in enumerate(one) if share} == {1: 1.0}
    # percentages as bearoffdump prints them
    shown = [0, 0, 0, 0.001, 0.033, 0.520, 4.083, 15.960, 31.036, 30.024, 14.448, 3.459, 0.412, 0.024, 0.001, 0]
    np.testing.assert_allclose(100 * many[:16], shown, atol=5.1e-4)
    np.testing.assert_allclose(100 * table.gammon_probabilities([815])[0, :4], [0, 229.523, 0, 0], atol=5.1e-4)
    assert table.gammon_probabilities([1])[0, :2].tolist() == [1, 0]


HYPER = {  # own id, the other's: 28 bytes as makehyper writes them, chance to win, equities as bearoffdump prints them
    (24, 24): ("54019a56019ae35f14abfe653f7c088b1999c30297337193077c9000", 0.60158, [0.5883, 0.5393, 0.4557, 0.3864]),
    (6, 6): ("ffffcfffffcf000000ffff2f0000005555b55555b55455955555b500", 0.8125, [1.25, 1.25, 0.5, 1.25]),
    (25, 6): (
        "b3d44eb4d44ec679074c2bb1bf993319b65ae7f4593dee74a6af5600",
        0.30793,
        [-0.8740, -0.8916, -0.2594, -0.9683],
    ),
}


def hyper() -> tuple[Values, Values]:
    """Chances and equities of one checker, made up; pairs of the same point are no position."""
    rng = np.random.default_rng(25)
    first = rng.random((26, 26, 1))
    chances = first * np.array([1, 0.7, 0.1, 0, 0]) + (1 - first) * np.array([0, 0, 0, 0.6, 0.2])
    equities = rng.random((26, 26, 4)) * 6 - 3
    chances[range(1, 25), range(24, 0, -1)] = np.nan
    equities[range(1, 25), range(24, 0, -1)] = np.nan
    return chances, equities


def test_hypergammon(path: Path) -> None:
    chances, equities = hyper()
    bd.write_hypergammon(path, chances, equities, checkers=1)
    data = bytearray(path.read_bytes())
    assert len(data) == 18_968
    assert data[:40] == b"gnubg-H1" + b"x" * 31 + b"\n"
    impossible = 40 + 28 * (6 * 26 + 19)
    assert data[impossible : impossible + 28] == bytes(15) + b"\xff\xff\x7f" * 4 + b"\0"
    for (own, other), (text, _, _) in HYPER.items():
        at = 40 + 28 * (26 * own + other)
        data[at : at + 28] = bytes.fromhex(text)
    path.write_bytes(data)
    table = bd.read(path)
    assert isinstance(table, bd.BdHypergammon)
    assert (table.points, table.checkers, table.positions) == (25, 1, 26)
    for (mine, theirs), (_, wins, wanted) in HYPER.items():
        assert table.probabilities([mine], [theirs])[0, 0] == pytest.approx(wins, abs=5.1e-6)
        np.testing.assert_allclose(table.equities([mine], [theirs])[0], wanted, atol=5.1e-5)
    start = table.probabilities([24], [24])[0]
    np.testing.assert_allclose(start, [0.60158, 0.60158, 0.07959, 0.39842, 0.03315], atol=5.1e-6)
    own, other = (axis.ravel() for axis in np.indices((26, 26)))
    read_chances, read_equities = table.probabilities(own, other), table.equities(own, other)
    plain = np.isfinite(chances[own, other, 0]) & [pair not in HYPER for pair in zip(own, other, strict=True)]
    np.testing.assert_allclose(read_chances[plain], chances[own, other][plain], atol=2**-24)
    assert np.isnan(table.probabilities([6], [19])).all()
    assert np.isnan(table.equities([6], [19])).all()
    np.testing.assert_allclose(read_equities[plain], equities[own, other][plain], atol=6 * 2**-24)
    again = path.with_name("again")
    bd.write_hypergammon(again, read_chances.reshape(26, 26, 5), read_equities.reshape(26, 26, 4), checkers=1)
    assert again.read_bytes() == data


def test_rounding() -> None:
    shares = np.array([[0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3], [0, 1e-9, 1]])
    rows = bd.quantise_distributions(shares)
    assert rows.tolist() == [[32767, 16384, 16384], [21845, 21845, 21845], [0, 0, 65535]]
    wild = np.random.default_rng(4).dirichlet(np.full(20, 0.2), 5000)
    rows = bd.quantise_distributions(wild.astype(np.float32))
    assert (rows.sum(axis=1, dtype=np.int64) == 65535).all()
    assert np.abs(rows / 65535 - wild).max() < 12 / 65535
    for wrong in ([[0.5, 0.4]], [[1.5, -0.5]], [[np.nan, 1]], [0.5, 0.5]):
        with pytest.raises(ValueError, match="add up to 1"):
            bd.quantise_distributions(np.array(wrong))
    equities = np.linspace(-1, 1, 65536)
    assert bd.quantise_equities(equities).tolist() == list(range(65536))
    for bad in (1.1, -1.00001, np.nan):
        with pytest.raises(ValueError, match="from -1 to"):
            bd.quantise_equities(np.array([bad]))


# ---- what is refused -------------------------------------------------------------------------------------------------


def write_two(path: Path) -> None:
    bd.write_two_sided(path, two_sided(6, 2), points=6, checkers=2)


def write_hyper(path: Path) -> None:
    bd.write_hypergammon(path, *hyper(), checkers=1)


def write_normal(path: Path) -> None:
    bd.write_normal(path, np.random.default_rng(2).random((136, 4)), points=2)


KINDS: dict[str, Callable[[Path], None]] = {
    "compressed": lambda path: write_one(path, 2),
    "compressed, no gammons": lambda path: write_one(path, 2, gammons=False),
    "uncompressed": lambda path: write_one(path, 2, compressed=False),
    "uncompressed, no gammons": lambda path: write_one(path, 2, gammons=False, compressed=False),
    "normal": write_normal,
    "two-sided": write_two,
    "cubeless": lambda path: bd.write_two_sided(path, two_sided(6, 2)[:, :, 0], points=6, checkers=2, cubeful=False),
    "hypergammon": write_hyper,
}


def refused(path: Path, data: bytes, match: str | None = None, **options: bool) -> None:
    path.write_bytes(data)
    with pytest.raises(DatabaseError, match=match) as caught:
        bd.read(path, **options)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_cut_and_lengthened(path: Path, kind: str) -> None:
    KINDS[kind](path)
    data = path.read_bytes()
    bd.read(path)
    for end in (0, 1, 39):
        refused(path, data[:end], "is no database of GNU Backgammon")
    for end in {*range(40, len(data), max(1, len(data) // 150)), *range(len(data) - 9, len(data))}:
        refused(path, data[:end], "cut off|middle of a value")
    for tail in (b"\0", b"\0\0", b"\0" * 28, data):
        refused(path, data + tail, "too long|middle of a value|cut off")


@pytest.mark.parametrize("kind", KINDS)
def test_headers(path: Path, kind: str) -> None:
    """Every other byte in every place of the header is refused, or is another size of the same kind."""
    KINDS[kind](path)
    data = path.read_bytes()
    for at in range(40):
        for new in {0, 10, 48, 49, 50, 57, 120, 255, data[at] ^ 1, data[at] ^ 32} - {data[at]}:
            refused(path, data[:at] + bytes([new]) + data[at + 1 :])


def header(text: str) -> bytes:
    return text.ljust(39, "x").encode() + b"\n"


@pytest.mark.parametrize(
    "text",
    [
        "gnubg-OS-00-15-1-1-0",
        "gnubg-OS-24-15-1-1-0",
        "gnubg-OS-06-16-1-1-0",
        "gnubg-OS-06-00-1-1-0",
        "gnubg-TS-00-06-1",
    ],
)
def test_sizes_that_there_are_not(path: Path, text: str) -> None:
    refused(path, header(text) + bytes(10_000), "points and .* checkers")


@pytest.mark.parametrize(
    "text", ["gnubg-H0", "gnubg-H4", "gnubg-TS-6-6-1", "gnubg-OS-06-15-2-1-0", "gnubg-XX-06-15-1-1-0", "GNUBG-H1"]
)
def test_headers_of_nothing(path: Path, text: str) -> None:
    refused(path, header(text) + bytes(10_000), "is no database of GNU Backgammon")


def test_impossible_flags_and_huge_sizes(path: Path) -> None:
    refused(
        path, header("gnubg-OS-06-15-1-1-1") + bytes(868_224), "normal distributions that are compressed or without"
    )
    refused(path, header("gnubg-TS-23-15-1") + bytes(100), "cut off: 140 bytes where its header makes it 19")
    refused(path, header("gnubg-OS-23-15-1-0-0") + bytes(100), "cut off")
    refused(path, header("gnubg-OS-23-15-1-1-0") + bytes(100), "cut off in its index")


@pytest.mark.parametrize("gammons", [True, False])
@pytest.mark.parametrize("compressed", [True, False])
def test_sums(path: Path, gammons: bool, compressed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    write_one(path, 2, gammons=gammons, compressed=compressed)
    data = bytearray(path.read_bytes())
    at = len(data) - (2 if compressed else 2 * 20)  # in the last position's last distribution
    data[at : at + 2] = struct.pack("<H", struct.unpack("<H", data[at : at + 2])[0] ^ 5)
    refused(path, bytes(data), "position 135 add up to")
    monkeypatch.setattr(reading, "WHOLE", 0)
    refused(path, bytes(data), "position 135 add up to", verify=True)
    table = bd.read(path)  # as a large one is: what is asked for is checked
    assert isinstance(table, bd.BdOneSided)
    ask = table.raw_gammons if gammons else table.raw
    assert ask([134]).sum() == 65535
    with pytest.raises(DatabaseError, match="position 135 adds up"):
        ask([5, 135])


def test_a_damaged_index(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_one(path, 2)
    good = path.read_bytes()
    for number in (0, 1, 77, 135):
        for field, size, value in (
            (0, 4, 2**32 - 1),
            (0, 4, 2**31),
            (0, 4, 3),
            (4, 1, 255),
            (4, 1, 0),
            (5, 1, 255),
            (6, 1, 33),
            (7, 1, 32),
        ):
            data = bytearray(good)
            at = 40 + 8 * number + field
            data[at : at + size] = value.to_bytes(size, "little")
            if data == good:
                continue
            refused(path, bytes(data), "index entry of position|index makes it")
            with monkeypatch.context() as patched:
                patched.setattr(reading, "WHOLE", 0)
                if number < 135:
                    table = bd.read(path)
                    assert isinstance(table, bd.BdOneSided)
                    for ask in (table.raw, table.raw_gammons):
                        try:
                            rows = ask(np.arange(136))
                        except DatabaseError:
                            continue
                        assert (rows.sum(axis=1, dtype=int) == 65535).all()


def test_finished_games_and_pads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_two(path)
    data = bytearray(path.read_bytes())
    data[40 + 8 * 28 * 27] ^= 1  # the other has no checker left
    refused(path, bytes(data), "a finished game is not worth")
    write_two(path)
    data = bytearray(path.read_bytes())
    data[40 + 8 * 27 + 3] ^= 1  # the one on roll has none
    refused(path, bytes(data), "a finished game is not worth")
    monkeypatch.setattr(reading, "WHOLE", 0)
    assert bd.read(path)
    refused(path, bytes(data), "a finished game is not worth", verify=True)
    write_hyper(path)
    data = bytearray(path.read_bytes())
    data[-1] = 1
    refused(path, bytes(data), "rows 0 to 25: an entry is damaged", verify=True)
    write_hyper(path)
    good = path.read_bytes()
    at = 40 + 28 * (26 * 4 + 7)
    for number in range(5):  # each chance greater than what it is part of, or the win and the lost gammon too likely
        data = bytearray(good)
        data[at : at + 15] = struct.pack("<I", 2**23)[:3] * 3 + struct.pack("<I", 2**22)[:3] * 2
        path.write_bytes(data)
        bd.read(path, verify=True)
        bad = (2**22, 2**24 - 1, 2**23 + 20, 2**23 + 20, 2**22 + 20)[number]
        data[at + 3 * number : at + 3 * number + 3] = struct.pack("<I", bad)[:3]
        refused(path, bytes(data), "greater chance than the game", verify=True)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1])
def test_moments(path: Path, value: float) -> None:
    write_normal(path)
    refused(path, path.read_bytes()[:-4] + struct.pack("<f", value), "negative or not finite")


def test_values_beyond_four_gibibytes(path: Path) -> None:
    """Offsets are computed in 64 bits: an entry whose values lie 8 GiB into the file."""
    start = 2**32 - 2
    with open(path, "wb") as file:  # all holes but the ends
        file.write(header("gnubg-OS-01-15-1-1-0"))
        file.seek(40 + 15 * 8)
        file.write(struct.pack("<IBBBB", start, 1, 7, 1, 2))
        file.seek(40 + 16 * 8 + 2 * start)
        file.write(struct.pack("<HH", 65535, 65535))
    table = bd.read(path)
    assert isinstance(table, bd.BdOneSided)
    assert table.raw([15])[0].tolist() == [0] * 7 + [65535] + [0] * 24
    assert table.raw_gammons([15])[0].tolist() == [0, 0, 65535] + [0] * 29
    with pytest.raises(DatabaseError, match="position 3 adds up"):
        table.raw([15, 3])
    path.unlink()


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="there is no file"):
        bd.read(tmp_path / "none.bd")
    with pytest.raises(DatabaseError, match="folder"):
        bd.read(tmp_path)


def test_ids(path: Path) -> None:
    write_one(path, 2)
    one = bd.read(path)
    write_two(path)
    two = bd.read(path)
    assert isinstance(one, bd.BdOneSided)
    assert isinstance(two, bd.BdTwoSided)
    for wrong in ([-1], [136], [2**40], np.array([2**63], np.uint64)):
        with pytest.raises(IndexError, match="from 0 to 135"):
            one.raw(wrong)
    with pytest.raises(IndexError, match="from 0 to 27"):
        two.equities([1, 2], [1, 28])
    for ids in ([1.5], [True], ["1"]):
        with pytest.raises(TypeError):
            one.raw(ids)
    for shape in (3, [[1]]):
        with pytest.raises(ValueError, match="shape"):
            one.raw(shape)


# ---- what cannot be written ------------------------------------------------------------------------------------------


def test_what_cannot_be_written(path: Path) -> None:
    path.write_bytes(b"kept")
    one, two, (chances, equities) = one_sided(2)[:, 0], two_sided(6, 2), hyper()
    spoilt, bad = one.copy(), two.copy()
    spoilt[-1, 5] ^= 1
    bad[3, 0, 2] = 7
    cases: list[tuple[Callable[[], None], type[Exception], str]] = [
        (lambda: bd.write_one_sided(path, one, points=3), ValueError, "N = 816"),
        (lambda: bd.write_one_sided(path, one, points=0), ValueError, "1 to 23 points"),
        (lambda: bd.write_one_sided(path, one, points=2, checkers=16), ValueError, "1 to 15 checkers"),
        (lambda: bd.write_one_sided(path, one.astype(float), points=2), TypeError, "uint16"),
        (lambda: bd.write_one_sided(path, np.zeros((136, 33), np.uint16), points=2), ValueError, "shape"),
        (lambda: bd.write_one_sided(path, spoilt, points=2), ValueError, "position 135 add up to"),
        (lambda: bd.write_one_sided(path, one, spoilt, points=2), ValueError, "position 135 add up to"),
        (lambda: bd.write_two_sided(path, two, points=6, checkers=3), ValueError, "84 rows"),
        (lambda: bd.write_two_sided(path, two, points=6, checkers=2, cubeful=False), ValueError, "28 rows"),
        (lambda: bd.write_two_sided(path, [two[:9]], points=6, checkers=2), ValueError, "cannot end after 9"),
        (lambda: bd.write_two_sided(path, [two, two[:1]], points=6, checkers=2), ValueError, "no row 28"),
        (lambda: bd.write_two_sided(path, two.astype(int), points=6, checkers=2), TypeError, "uint16"),
        (lambda: bd.write_two_sided(path, bad, points=6, checkers=2), ValueError, "finished game"),
        (lambda: bd.write_hypergammon(path, chances, equities, checkers=4), ValueError, "1 to 3 checkers"),
        (lambda: bd.write_hypergammon(path, chances, equities, checkers=2), ValueError, "N = 351"),
        (lambda: bd.write_hypergammon(path, chances, chances, checkers=1), ValueError, r"\(N, N, 4\)"),
        (lambda: bd.write_hypergammon(path, chances * 2, equities, checkers=1), ValueError, "outside 0 to 1"),
        (lambda: bd.write_hypergammon(path, chances, equities * 2, checkers=1), ValueError, "outside ±3"),
        (lambda: bd.write_normal(path, np.full((136, 4), -1.0), points=2), ValueError, "negative"),
        (lambda: bd.write_normal(path, np.ones((136, 3)), points=2), ValueError, "shape"),
    ]
    for write, error, match in cases:
        with pytest.raises(error, match=match):
            write()
        assert path.read_bytes() == b"kept"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_narrow_distributions_and_progress(path: Path) -> None:
    values = one_sided(2)
    told: list[tuple[int, int]] = []
    bd.write_one_sided(path, values[:, 0, :12], values[:, 1, :3], points=2, progress=lambda *args: told.append(args))
    assert md5(path) == ONE_SIDED[2]
    bd.read(path, progress=lambda *args: told.append(args))
    bd.write_two_sided(path, two_sided(6, 2), points=6, checkers=2, progress=lambda *args: told.append(args))
    assert told == [(136, 136), (136, 136), (28, 28)]
