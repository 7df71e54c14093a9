"""The file format of databases, against a reader and a writer of the test's own, and what is refused."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgcore.bearoff import layout, store
from bgcore.errors import DatabaseError

HEADER = {"kind": "two-sided", "points": 6, "checkers": 2, "note": "ünï"}
PAGE, MIB = 4096, 2**20


def arrays(seed: int = 0) -> dict[str, np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    return {
        "values": rng.integers(0, 2**16, (28, 28, 4), dtype=np.uint16),
        "empty": np.empty((0, 5), np.float32),
        "one": np.array(2.5),
        "means": rng.random((3, 40)).astype(np.float32),
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "db.bearoff"
    store.write(path, HEADER, arrays())
    return path


def by_hand(data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Read a file as its description says, checking all of it."""
    magic, rest = data[:27], data[27:]
    assert magic == b"bgcore bear-off database 1\n"
    (length,) = struct.unpack("<Q", rest[:8])
    text = rest[8 : 8 + length].decode("utf-8")
    header = json.loads(text)
    assert text == json.dumps(header, sort_keys=True)
    start = -(-(35 + length) // PAGE) * PAGE
    assert not any(data[35 + length : start])
    found, end = {}, start
    for entry in header["arrays"]:
        assert entry["offset"] == -(-end // PAGE) * PAGE
        assert not any(data[end : entry["offset"]])
        count = int(np.prod(entry["shape"]))
        end = entry["offset"] + count * np.dtype(entry["dtype"]).itemsize
        assert entry["dtype"][0] in "<|"
        found[entry["name"]] = np.frombuffer(data[entry["offset"] : end], entry["dtype"]).reshape(entry["shape"])
    table = -(-end // PAGE) * PAGE
    checks = [zlib.crc32(data[at : min(at + MIB, table)]) for at in range(start, table, MIB)]
    packed = struct.pack(f"<{len(checks)}I", *checks)
    assert data[table:] == packed + struct.pack("<I", zlib.crc32(data[:start] + packed))
    assert header["size"] == len(data)
    assert header["blocks"] == len(checks)
    assert header["version"] == 1
    return header, found


def forged(header: object, body: bytes = b"", *, magic: bytes = b"bgcore bear-off database 1\n") -> bytes:
    """Return a file with a header of any kind, every checksum right."""
    text = header if isinstance(header, bytes) else json.dumps(header, sort_keys=True).encode()
    head = magic + struct.pack("<Q", len(text)) + text
    head += bytes(-len(head) % PAGE)
    body += bytes(-len(body) % PAGE)
    table = b"".join(struct.pack("<I", zlib.crc32(body[at : at + MIB])) for at in range(0, len(body), MIB))
    return head + body + table + struct.pack("<I", zlib.crc32(head + table))


def test_what_is_written_is_as_described(path: Path) -> None:
    header, found = by_hand(path.read_bytes())
    assert {key: header[key] for key in HEADER} == HEADER
    assert found.keys() == arrays().keys()
    for name, array in arrays().items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_what_was_written_is_read(path: Path) -> None:
    stored = store.read(path)
    assert stored.header == HEADER | {"version": 1}
    for name, array in arrays().items():
        assert stored.arrays[name].dtype == array.dtype
        assert stored.arrays[name].shape == array.shape
        assert not stored.arrays[name].flags.writeable
        np.testing.assert_array_equal(stored.arrays[name], array)
    with pytest.raises(ValueError, match="read-only"):
        stored.arrays["values"][0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        stored.arrays["values"].flags.writeable = True
    copied = path.with_name("copy")
    store.write(copied, stored.header, stored.arrays)
    assert copied.read_bytes() == path.read_bytes()


def test_more_than_a_block(tmp_path: Path) -> None:
    path = tmp_path / "big"
    given = {"a": np.arange(3 * MIB // 8 + 1), "b": np.ones(70, np.uint8), "c": np.arange(20 * MIB // 4, dtype="f4")}
    told: list[tuple[int, int]] = []
    store.write(path, {"kind": "x"}, given, progress=lambda *args: told.append(args))
    _, found = by_hand(path.read_bytes())
    for name, array in store.read(path).arrays.items():
        np.testing.assert_array_equal(array, given[name])
        np.testing.assert_array_equal(found[name], given[name])
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 23 * MIB
    checked: list[tuple[int, int]] = []
    store.verify(path, progress=lambda *args: checked.append(args))
    assert checked == told


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"])
def test_any_order_and_stride(dtype: str, tmp_path: Path) -> None:
    whole = np.arange(7 * 8 * 9).reshape(7, 8, 9).astype(dtype)
    for given in (
        whole,
        whole.astype(np.dtype(dtype).newbyteorder(">")),
        whole[::-2, 1::3].T,
        np.asfortranarray(whole),
    ):
        store.write(tmp_path / "f", {"kind": "x"}, {"a": given})
        np.testing.assert_array_equal(store.read(tmp_path / "f").arrays["a"], given)
        by_hand((tmp_path / "f").read_bytes())


def test_a_long_header_moves_the_arrays(tmp_path: Path) -> None:
    pages = []
    for length in range(3700, 4100):
        plan = layout.plan({"kind": "x", "note": "n" * length}, {"a": ("f8", (3,))})
        pages.append(len(plan.head) // PAGE)
        assert plan.arrays[0].offset == len(plan.head)
    assert pages == sorted(pages)
    turn = 3700 + pages.index(2)
    for length in (turn - 1, turn):
        store.write(tmp_path / "f", {"kind": "x", "note": "n" * length}, {"a": np.ones(3)})
        header, _ = by_hand((tmp_path / "f").read_bytes())
        assert header["arrays"][0]["offset"] == (PAGE if length < turn else 2 * PAGE)
    with pytest.raises(ValueError, match="header of a database"):
        store.write(tmp_path / "f", {"kind": "x", "note": "n" * MIB}, {})


def test_what_cannot_be_written(path: Path) -> None:
    before = path.read_bytes()
    one = {"a": np.ones(3)}
    for header, given, error in (
        ({}, one, ValueError),
        ({"kind": 3}, one, ValueError),
        ({"kind": "x", "version": 2}, one, ValueError),
        ({"kind": "x", "y": float("nan")}, one, ValueError),
        ({"kind": "x", "y": {1}}, one, TypeError),
        ({"kind": "x"}, {"a": np.array(["text"])}, TypeError),
        ({"kind": "x"}, {"a": np.array([None])}, TypeError),
        ({"kind": "x"}, {"a": np.ones(3, bool)}, TypeError),
        ({"kind": "x"}, {"a": np.ones(3, complex)}, TypeError),
        ({"kind": "x"}, {"a": np.zeros(3, [("x", "u1")])}, TypeError),
        ({"kind": "x"}, {"a": np.ones((1,) * 9)}, ValueError),
    ):
        with pytest.raises(error):
            store.write(path, header, given)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.write(path, HEADER, arrays(1), progress=stop)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    with pytest.raises(OSError, match=r"Not a directory|No such"):
        store.write(path / "in" / "none", HEADER, arrays())


# ---- what is refused -------------------------------------------------------------------------------------------------


def refused(path: Path, data: bytes, match: str | None = None, **options: bool) -> None:
    path.write_bytes(data)
    with pytest.raises(DatabaseError, match=match) as caught:
        store.read(path, **options)
    assert str(path) in str(caught.value)
    str(caught.value).encode()
    assert len(str(caught.value)) < 600


def test_no_file(tmp_path: Path) -> None:
    for path, match in ((tmp_path / "none", "there is no file .*none"), (tmp_path, "no file but a folder")):
        with pytest.raises(DatabaseError, match=match):
            store.read(path)
        with pytest.raises(DatabaseError, match=match):
            store.verify(path)


@pytest.mark.parametrize("data", [b"", b"\0", b"bgcore", b"gnubg-OS-06-15-1-1-0", os.urandom(5000), b"\x89PNG" * 2000])
def test_foreign_files(path: Path, data: bytes) -> None:
    refused(path, data, "is no bear-off database of bgcore")


def test_a_later_format(path: Path) -> None:
    refused(path, path.read_bytes().replace(b"database 1\n", b"database 2\n", 1), "version of the format")


def test_every_cut(path: Path) -> None:
    data = path.read_bytes()
    rng = random.Random(5)
    for end in {*range(120), *range(len(data) - 20, len(data)), *rng.sample(range(len(data)), 200)}:
        refused(path, data[:end], "cut off|no bear-off database|version of the format")
    for tail in (b"\0", b"\0" * PAGE, data):
        refused(path, data + tail, "too long")


def test_every_flipped_bit(path: Path) -> None:
    data = path.read_bytes()
    rng = random.Random(6)
    for at in {*range(400), *range(len(data) - 20, len(data)), *rng.sample(range(len(data)), 300)}:
        hurt = bytearray(data)
        hurt[at] ^= 1 << rng.randrange(8)
        refused(path, bytes(hurt))


def test_the_damaged_array_is_named(path: Path) -> None:
    data = bytearray(path.read_bytes())
    offset = next(e["offset"] for e in by_hand(bytes(data))[0]["arrays"] if e["name"] == "values")
    data[offset + 77] ^= 4
    refused(path, bytes(data), "of 'values' .* damaged|of .*'values' and .* damaged")


def test_large_files_are_checked_when_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "WHOLE", 0)
    data = bytearray(path.read_bytes())
    data[-30] ^= 1  # zeros after the last array, under the last block's checksum
    path.write_bytes(data)
    np.testing.assert_array_equal(store.read(path).arrays["values"], arrays()["values"])
    refused(path, bytes(data), "damaged", verify=True)
    with pytest.raises(DatabaseError, match="damaged"):
        store.verify(path)
    data[-2] ^= 1
    refused(path, bytes(data), "table of checksums is damaged")


def good() -> dict[str, Any]:
    """Return a header that is right for 100 bytes of zeros in one array and 40 in another."""
    return {
        "kind": "x",
        "version": 1,
        "arrays": [
            {"name": "a", "dtype": "<u2", "shape": [5, 10], "offset": PAGE},
            {"name": "b", "dtype": "<f8", "shape": [5], "offset": 2 * PAGE},
        ],
        "size": 3 * PAGE + 8,
        "blocks": 1,
    }


def test_a_forged_file_can_be_right(path: Path) -> None:
    path.write_bytes(forged(good(), bytes(2 * PAGE)))
    assert store.read(path, verify=True).arrays["a"].shape == (5, 10)
    path.write_bytes(forged({"kind": "x", "version": 1, "arrays": [], "size": PAGE + 4, "blocks": 0}))
    assert store.read(path).arrays == {}


def change(**changes: object) -> Callable[[dict[str, Any]], None]:
    return lambda header: header.update(changes)


def entry(number: int, **changes: object) -> Callable[[dict[str, Any]], None]:
    return lambda header: header["arrays"][number].update(changes)


HOSTILE: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no kind": (lambda h: h.pop("kind"), "no JSON object with a 'kind'"),
    "kind no string": (change(kind=["x"]), "no JSON object with a 'kind'"),
    "no version": (lambda h: h.pop("version"), "version is None"),
    "another version": (change(version=2), "version is 2"),
    "version true": (change(version=True), "version is True"),
    "no arrays": (lambda h: h.pop("arrays"), "no list of arrays"),
    "arrays no list": (change(arrays={"a": 1}), "no list of arrays"),
    "entry no object": (lambda h: h["arrays"].insert(0, 7), "array 0 of the header is no name"),
    "entry with more": (entry(0, more=1), "array 0 of the header is no name"),
    "entry with less": (lambda h: h["arrays"][1].pop("shape"), "array 1 of the header is no name"),
    "name no string": (entry(0, name=5), "no name of its own"),
    "name twice": (entry(1, name="a"), "no name of its own"),
    "object dtype": (entry(0, dtype="|O"), "dtype '|O'"),
    "python dtype": (entry(0, dtype="O8"), "dtype 'O8'"),
    "big-endian": (entry(0, dtype=">u2"), "dtype '>u2'"),
    "text dtype": (entry(0, dtype="<U9"), "dtype '<U9'"),
    "structured dtype": (entry(0, dtype=[["x", "<u2"]]), "which files don't hold"),
    "void dtype": (entry(0, dtype="|V2"), "which files don't hold"),
    "date dtype": (entry(0, dtype="<M8[s]"), "which files don't hold"),
    "dtype no string": (entry(0, dtype=None), "which files don't hold"),
    "negative length": (entry(0, shape=[-5, -10]), "shape"),
    "float length": (entry(0, shape=[5.0, 10]), "shape"),
    "true length": (entry(0, shape=[True, 50]), "shape"),
    "shape a number": (entry(0, shape=50), "shape"),
    "many dimensions": (entry(0, shape=[1] * 9), "shape"),
    "huge shape": (entry(0, shape=[2**40, 2**40]), "too large"),
    "huge length": (entry(0, shape=[2**63]), "shape"),
    "huge and empty": (entry(0, shape=[2**62, 2**62, 0]), "too large"),
    "larger than the file": (entry(0, shape=[5, 10**6]), "begins at 8192, not at"),
    "negative offset": (entry(0, offset=-PAGE), "begins at -4096"),
    "offset in the header": (entry(0, offset=0), "begins at 0"),
    "offset outside": (entry(1, offset=2**62), "begins at"),
    "offset unaligned": (entry(1, offset=2 * PAGE + 8), "begins at"),
    "float offset": (entry(0, offset=4096.0), "begins at"),
    "overlapping": (entry(1, offset=PAGE), "begins at"),
    "swapped": (lambda h: h["arrays"].reverse(), "begins at"),
    "wrong size": (change(size=3 * PAGE), "size is"),
    "size no number": (change(size="12296"), "size is"),
    "wrong blocks": (change(blocks=2), "blocks is 2"),
    "huge blocks": (change(blocks=2**62), "blocks is"),
    "one array too many": (
        lambda h: h["arrays"].append({"name": "c", "dtype": "<f8", "shape": [1], "offset": 3 * PAGE}),
        "size is",
    ),
    "a million arrays": (lambda h: h.update(arrays=[{}] * 200_000), "array 0 of the header"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_headers(path: Path, name: str) -> None:
    spoil, match = HOSTILE[name]
    header = good()
    spoil(header)
    refused(path, forged(header, bytes(2 * PAGE)), match.replace("|", r"\|"))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"{", "no JSON"),
        (b"[]", "no JSON object"),
        (b"null", "no JSON object"),
        (b'"kind"', "no JSON object"),
        (b"[" * 500_000, "nested"),
        (b'{"kind": "x", "version": ' + b"[" * 400 + b"]" * 400 + b"}", "version is"),
        (b'{"kind": "x", "version": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}", "version is|nested"),
        (b'{"kind": "x", "version": ' + b"9" * 5000 + b"}", "no JSON|version is"),
        (b'{"kind": "x", "version": 1e999}', "version is inf"),
        (b'{"kind": "x", "version": "\\ud800"}', "version is"),
        (b'{"kind": "x", "version": NaN}', "version is nan"),
        ('{"kind": "x"}'.encode("utf-16"), "no JSON"),
        (b" " * 2**20 + b"{}", "at most"),
    ],
    ids=range(15),
)
def test_hostile_json(path: Path, text: bytes, match: str) -> None:
    refused(path, forged(text, bytes(PAGE)), match)


@pytest.mark.parametrize("length", [2**63, 2**64 - 1, 2**62, 2**32, 2**31, 10**7, 12_000])
def test_hostile_header_length(path: Path, length: int) -> None:
    data = forged(good(), bytes(2 * PAGE))
    refused(path, data[:27] + struct.pack("<Q", length) + data[35:], "cut off|at most|no JSON")


def test_a_file_that_shrinks_while_it_is_checked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = layout.check

    def check(name: str, descriptor: int) -> Any:
        found = real(name, descriptor)
        os.truncate(path, PAGE + 5)
        return found

    monkeypatch.setattr(store, "check", check)
    with pytest.raises(DatabaseError, match="shorter"):
        store.read(path)


# ---- processes -------------------------------------------------------------------------------------------------------


@pytest.mark.subprocess
def test_processes_share_a_file(path: Path) -> None:
    script = (
        "import sys; from bgcore.bearoff import store\n"
        "print(int(store.read(sys.argv[1]).arrays['values'].sum(dtype='u8')))"
    )
    command = [sys.executable, "-c", script, str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    here = store.read(path)
    wanted = int(arrays()["values"].sum(dtype="u8"))
    assert [int(process.communicate()[0]) for process in processes] == [wanted] * 3
    assert int(here.arrays["values"].sum(dtype="u8")) == wanted


@pytest.mark.skipif(sys.platform == "win32", reason="Windows replaces no open file")
def test_an_open_file_can_be_replaced(path: Path) -> None:
    old = store.read(path)
    store.write(path, HEADER, arrays(1))
    np.testing.assert_array_equal(old.arrays["values"], arrays(0)["values"])
    np.testing.assert_array_equal(store.read(path).arrays["values"], arrays(1)["values"])
