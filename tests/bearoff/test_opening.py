"""Opening, describing and verifying database files of both formats, told apart by their contents."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from bearoff import stand_ins

from bgcore import bearoff
from bgcore.bearoff import store
from bgcore.errors import DatabaseError
from bgcore.formats import bd
from naive import bd_tables

one_sided, two_sided = cache(bd_tables.one_sided), cache(bd_tables.two_sided)


@pytest.fixture(autouse=True)
def _classes(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.install(lambda *args: monkeypatch.setattr(*args, raising=False), lambda *_: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"  # no suffix: contents alone decide


@pytest.mark.parametrize("cls", stand_ins.CLASSES)
def test_our_files(path: Path, cls: type[stand_ins.StandIn]) -> None:
    header = {"kind": cls.kind, "points": 4, "checkers": 2, "rules": "backgammon"}
    store.write(path, header, {"values": np.arange(6.0), "more": np.ones((2, 3), np.uint8)})
    for verify in (False, True):
        table = bearoff.open(path, verify=verify)
        assert type(table) is cls
        assert table.header == header | {"version": 1}
        assert table.arrays["values"].tolist() == [0, 1, 2, 3, 4, 5]
    bearoff.verify(path)
    assert bearoff.describe(path) == header | {
        "format": "bgcore",
        "version": 1,
        "arrays": {"values": "(6,) float64", "more": "(2, 3) uint8"},
        "size": path.stat().st_size,
    }


@pytest.mark.parametrize("gammons", [True, False])
@pytest.mark.parametrize("compressed", [True, False])
def test_one_sided_bd(path: Path, gammons: bool, compressed: bool) -> None:
    values = one_sided(2)
    given = values[:, 1] if gammons else None
    bd.write_one_sided(path, values[:, 0], given, points=2, compressed=compressed)
    table = bearoff.open(path)
    assert type(table) is stand_ins.OneSided
    assert {"kind": "one-sided", "points": 2, "checkers": 15, "arithmetic": "gnubg"}.items() <= table.header.items()
    assert table.header["gammons"] == gammons
    np.testing.assert_array_equal(table.arrays["distributions"], values[:, 0])
    if gammons:
        np.testing.assert_array_equal(table.arrays["gammon_distributions"], values[:, 1])
    assert ("gammon_distributions" in table.arrays) == gammons
    described = bearoff.describe(path)
    assert (described["format"], described["kind"], described["points"]) == ("GNU Backgammon", "one-sided", 2)
    assert described["size"] == path.stat().st_size


@pytest.mark.parametrize("cubeful", [True, False])
def test_two_sided_bd(path: Path, cubeful: bool) -> None:
    values = two_sided(6, 2)
    bd.write_two_sided(path, values if cubeful else values[:, :, 0], points=6, checkers=2, cubeful=cubeful)
    table = bearoff.open(path, verify=True)
    assert type(table) is stand_ins.TwoSided
    wanted = {"kind": "two-sided", "points": 6, "checkers": 2, "cubeful": cubeful, "arithmetic": "gnubg"}
    assert wanted.items() <= table.header.items()
    np.testing.assert_array_equal(table.arrays["values"], values if cubeful else values[:, :, :1])
    bearoff.verify(path)


def test_other_bd(path: Path) -> None:
    chances = np.random.default_rng(1).random((26, 26, 1)) * [0.6, 0.3, 0.1, 0.4, 0.2]
    chances[3, 22] = np.nan
    equities = np.where(np.isnan(chances[:, :, :1]), np.nan, 6 * chances[:, :, :4] - 3)
    bd.write_hypergammon(path, chances, equities, checkers=1)
    table = bearoff.open(path)
    assert type(table) is stand_ins.Hypergammon
    assert (table.points, table.checkers, table.header["kind"]) == (25, 1, "hypergammon")
    np.testing.assert_array_equal(table.arrays["values"], bd.read(path).values)
    bd.write_normal(path, np.ones((136, 4)), points=2)
    with pytest.raises(DatabaseError, match=r"file: .*normal form has no distributions"):
        bearoff.open(path)
    assert bearoff.describe(path)["kind"] == "one-sided, normal form"


def test_a_missing_file_is_named_and_how_to_build_it(tmp_path: Path) -> None:
    """Case O086: never zeros, never another method unasked."""
    for call in (bearoff.open, bearoff.describe, bearoff.verify):
        with pytest.raises(DatabaseError, match=r"there is no file .*gnubg_os0\.bd; bgcore bearoff build .* one"):
            call(tmp_path / "gnubg_os0.bd")


@pytest.mark.parametrize(
    "data", [b"", b"PK\3\4" + bytes(200), b"gnubg", b"bgcore", b"gnubg-OS-07-15-1-1-0" + bytes(99)]
)
def test_foreign_files(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    for call in (bearoff.open, bearoff.describe, bearoff.verify):
        with pytest.raises(DatabaseError, match=r"file is no .*database|cut off|header"):
            call(path)


def test_kinds_and_contents_that_are_refused(path: Path) -> None:
    store.write(path, {"kind": "three-sided"}, {})
    with pytest.raises(DatabaseError, match="file: it holds 'three-sided'; this bgcore knows one-sided, two-sided"):
        bearoff.open(path)
    store.write(path, {"kind": "two-sided", "points": 0}, {})
    with pytest.raises(DatabaseError, match="file: a table without points"):
        bearoff.open(path)
