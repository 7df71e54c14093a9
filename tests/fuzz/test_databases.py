"""Damaged and hostile database files, ours and GNU Backgammon's: a DatabaseError, or an answer that holds together.

Files are flipped, cut, spliced and overwritten; half of ours get their checksums put right again, so that what stands
behind them is reached.  Look-ups in what is accepted must stay inside the file (sanitizers watch) and be plausible.
"""

from __future__ import annotations

import json
import random
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import bearoff
from bgcore.bearoff import store
from bgcore.formats import bd
from bgcore.formats.bd import reading
from naive import bd_tables

QUICK, SIZE, SHARDS = 1_500, 20_000, 10
PAGE, MIB = 4096, 2**20

Report = Callable[[str, int, int], None]


# ---- seeds -----------------------------------------------------------------------------------------------------------


@cache
def seeds(folder: Path) -> dict[str, list[bytes]]:
    """Good files of every kind: "ours" and "bd"."""
    rng = np.random.default_rng(1)
    path = folder / "seed"
    ours, theirs = [], []
    arrays = {"a": rng.integers(0, 99, (7, 11), np.uint16), "b": rng.random(600).astype("f4"), "c": np.empty((0, 3))}
    store.write(path, {"kind": "two-sided", "points": 6, "checkers": 2, "cubeful": True}, arrays)
    ours.append(path.read_bytes())
    builders: dict[str, dict[str, Any]] = {  # those there are
        "one_sided": {"points": 2},
        "two_sided": {"points": 3, "checkers": 2, "probabilities": True},
        "hypergammon": {"checkers": 1},
    }
    for name, options in builders.items():
        if name in bearoff.__all__:
            getattr(bearoff, name)(**options).save(path)
            ours.append(path.read_bytes())
    if "two_sided" in bearoff.__all__:
        bearoff.two_sided(points=3, checkers=2, path=path)  # in tiles
        ours.append(path.read_bytes())
    one, two = bd_tables.one_sided(2), bd_tables.two_sided(6, 2)
    for gammons in (None, one[:, 1]):
        for compressed in (True, False):
            bd.write_one_sided(path, one[:, 0], gammons, points=2, compressed=compressed)
            theirs.append(path.read_bytes())
    bd.write_normal(path, rng.random((136, 4)), points=2)
    theirs.append(path.read_bytes())
    for cubeful in (True, False):
        bd.write_two_sided(path, two if cubeful else two[:, :, 0], points=6, checkers=2, cubeful=cubeful)
        theirs.append(path.read_bytes())
    bd.write_hypergammon(path, rng.random((26, 26, 1)) * [0.6, 0.3, 0.1, 0.4, 0.2], rng.random((26, 26, 4)), checkers=1)
    theirs.append(path.read_bytes())
    return {"ours": ours, "bd": theirs}


# ---- what is thrown --------------------------------------------------------------------------------------------------


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A file with one or a few things wrong, mostly near its beginning."""
    hurt = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        near = rng.choice((40, 400, len(hurt), len(hurt)))
        at = rng.randrange(max(1, min(near, len(hurt))))
        how = rng.randrange(8)
        if how <= 2 and hurt:
            hurt[at] ^= 1 << rng.randrange(8)
        elif how == 3:
            hurt[at : at + rng.choice((1, 2, 4, 8))] = rng.randbytes(rng.choice((1, 2, 4, 8)))
        elif how == 4:
            del hurt[rng.choice((at, max(0, len(hurt) - 1 - at % 9))) :]
        elif how == 5:
            hurt[at : at + 8] = rng.choice((b"\xff", b"\x00", b"\x7f", b"\x80")) * 8
        elif how == 6:
            other = rng.randrange(max(1, len(hurt)))
            hurt[at : at + 64] = hurt[other : other + 64]
        else:
            hurt += rng.randbytes(rng.choice((1, 2, 8, 28, 40)))
    return bytes(hurt)


VALUES: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 6, 7, 15, 16, 24, 25, 255, 32767, 65535, 2**31, 2**32, 2**53, 2**63, -(2**63),
    2**64, 1e308, 0.5, "", "x", "gnubg", "exact", "pairs", "tiles", "one-sided", "two-sided", "hypergammon", "<u2",
    "<i2", "<f8", "|O", [], {}, [1], [[]], [2, 3],
)  # fmt: skip


def forged(data: bytes, rng: random.Random) -> bytes:
    """One of our files with another header or other arrays, and every checksum right."""
    (length,) = struct.unpack("<Q", data[27:35])
    header = json.loads(data[35 : 35 + length])
    start = -(-(35 + length) // PAGE) * PAGE
    end = len(data) - 4 * header["blocks"] - 4
    body = bytearray(data[start:end])
    for _ in range(rng.choice((0, 1, 1, 2))):
        listed = header.get("arrays")
        entries = [entry for entry in listed if isinstance(entry, dict) and entry] if isinstance(listed, list) else []
        place = rng.choice([header, header, *entries])
        key = rng.choice([*place])
        how = rng.randrange(4)
        if how == 0:
            del place[key]
        elif how == 1 and isinstance(place[key], int):
            place[key] += rng.choice((-4096, -2, -1, 1, 2, 4096))
        else:
            place[key] = rng.choice(VALUES)
    if isinstance(header.get("arrays"), list) and rng.random() < 0.3:
        rng.shuffle(header["arrays"])
    for _ in range(rng.choice((0, 0, 1, 3))):
        if body:
            body[rng.randrange(len(body))] = rng.randrange(256)
    text = json.dumps(header, sort_keys=True).encode()
    head = data[:27] + struct.pack("<Q", len(text)) + text
    head += bytes(-len(head) % PAGE)
    table = b"".join(struct.pack("<I", zlib.crc32(body[at : at + MIB])) for at in range(0, len(body), MIB))
    return head + bytes(body) + table + struct.pack("<I", zlib.crc32(head + table))


def thrown(kind: str, folder: Path, rng: random.Random) -> bytes:
    data = rng.choice(seeds(folder)[kind])
    how = rng.random()
    if how < 0.02:
        return data
    if how < 0.05:
        return data[: rng.choice((6, 27, 40))] + rng.randbytes(rng.randrange(9000))
    if kind == "ours" and how < 0.6:
        return forged(data, rng)
    return damaged(data, rng)


# ---- readers ---------------------------------------------------------------------------------------------------------


def read_ours(path: Path) -> None:
    stored = store.read(path, verify=True)
    for array in stored.arrays.values():
        assert array.nbytes <= path.stat().st_size
        assert array.copy().shape == array.shape
    again = path.with_name("again")
    store.write(again, stored.header, stored.arrays)
    for name, array in store.read(again).arrays.items():
        assert array.tobytes() == stored.arrays[name].tobytes()


def read_bd(path: Path) -> None:
    table = bd.read(path, verify=True)
    if isinstance(table, bd.BdOneSided):
        ids = np.arange(table.positions)
        for rows in (table.raw(ids), *([table.raw_gammons(ids)] if table.gammons else [])):
            assert (rows.sum(axis=1, dtype=np.int64) == 65535).all()
    elif isinstance(table, bd.BdNormal):
        assert np.isfinite(table.probabilities(np.arange(table.positions))).all()
    else:
        own, other = (axis.ravel() for axis in np.indices((table.positions, table.positions)))
        equities = table.equities(own, other)
        most = 3 if isinstance(table, bd.BdHypergammon) else 1
        assert (np.isnan(equities) | (np.abs(equities) <= most)).all()
        if isinstance(table, bd.BdHypergammon):
            chances = table.probabilities(own, other)
            assert (np.isnan(chances) | (chances >= 0) & (chances <= 1)).all()


def read_bd_lightly(path: Path) -> None:
    """As a large file is read: its contents are checked when they are asked for."""
    table = bd.read(path)
    if isinstance(table, bd.BdOneSided):
        for which in (table.raw, table.raw_gammons)[: 1 + table.gammons]:
            rows = which(np.arange(table.positions))
            assert (rows.sum(axis=1, dtype=np.int64) == 65535).all()


@cache
def rows() -> np.ndarray[Any, Any]:
    """Positions to look up: in the range of the small tables, beyond it, finished."""
    rng = np.random.default_rng(3)
    counts = np.zeros((200, 2, 26), np.uint8)
    for row in range(200):
        for side in range(2):
            for _ in range(rng.integers(0, 4)):
                counts[row, side, rng.choice((1, 1, 2, 2, 3, 6, 24, 25))] += 1
        counts[row, :, 0] = 15 - counts[row, :, 1:].sum(axis=1)
    counts = counts[(counts[:, :, 0] < 15).any(axis=1)]
    return bg.batch.pack(counts)


def open_ours(path: Path) -> None:
    table: Any = bearoff.open(path)
    for ask in ("lookup", "distribution", "mean", "race"):
        if hasattr(table, ask):
            found = getattr(table, ask)(rows())
            assert len(found) == len(rows())
    assert repr(table)
    table.save(path.with_name("again"))
    assert type(bearoff.open(path.with_name("again"))) is type(table)


def accepted(read: Callable[[Path], None], path: Path, data: bytes) -> bool:
    """Whether a reader takes a file; an error must be a DatabaseError that says something short that prints."""
    try:
        read(path)
    except bg.DatabaseError as error:
        message = str(error)
        message.encode("utf-8")
        assert 0 < len(message) < 1000
        return False
    except Exception as error:
        kept = path.with_name("culprit")
        kept.write_bytes(data)
        raise AssertionError(f"{read.__name__}: see {kept}") from error
    return True


READERS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "ours": ("ours", read_ours),
    "ours, opened": ("ours", open_ours),
    "bd": ("bd", read_bd),
    "bd, unchecked": ("bd", read_bd_lightly),
}


def throw(name: str, n: int, seed: str, folder: Path, report_share: Report) -> None:
    kind, read = READERS[name]
    rng = random.Random(f"{name} {seed}")
    path = folder / "file"
    taken = 0
    for _ in range(n):
        data = thrown(kind, folder, rng)
        path.unlink(missing_ok=True)  # never written over: an open table maps it
        path.write_bytes(data)
        taken += accepted(read, path, data)
    report_share(f"databases, {name}", n, taken)


@pytest.fixture(autouse=True)
def _light(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "unchecked" in request.node.name:
        monkeypatch.setattr(reading, "WHOLE", 0)


@pytest.mark.parametrize("name", READERS)
def test_databases(name: str, tmp_path: Path, report_share: Report) -> None:
    throw(name, QUICK // len(READERS), "quick", tmp_path, report_share)


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("shard", range(SHARDS))
def test_many_databases(name: str, shard: int, tmp_path: Path, report_share: Report) -> None:
    throw(name, SIZE, f"long {shard}", tmp_path, report_share)
