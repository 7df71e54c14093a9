"""bgcore bearoff: its own words, on stand-ins for the databases."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bearoff import stand_ins
from typer.testing import Result

from bgcore import bearoff
from bgcore.bearoff import store
from bgcore.formats import bd
from naive import bd_tables

Run = Callable[..., Result]
Seen = list[tuple[str, dict[str, Any]]]

one_sided = cache(bd_tables.one_sided)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What the builders are called with."""
    calls: Seen = []

    def see(name: str, options: dict[str, Any]) -> None:
        calls.append((name, {key: value for key, value in options.items() if key != "progress"}))

    stand_ins.install(lambda *args: monkeypatch.setattr(*args, raising=False), see)
    return calls


@pytest.fixture
def run(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``bgcore bearoff`` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: cli("bearoff", *map(str, arguments))


def refused(result: Result, *words: str) -> None:
    """One line on stderr, status 2."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("bgcore: ")
    for word in words:
        assert word in result.stderr


# ---- build -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name", "options"),
    [
        (["one-sided", "f"], "one_sided", {"threads": 1}),
        (
            ["one-sided", "f", "--points", 7, "--checkers", 12, "--arithmetic", "gnubg", "--threads", 2],
            "one_sided",
            {"points": 7, "checkers": 12, "arithmetic": "gnubg", "threads": 2},
        ),
        (["two-sided", "f"], "two_sided", {"threads": 1, "path": Path("f")}),
        (
            ["two-sided", "f", "--no-cubeful", "--cubeless", "--gammons", "--jacoby", "--dtype", "float64"],
            "two_sided",
            {
                "cubeful": False,
                "cubeless": True,
                "gammons": True,
                "jacoby": True,
                "dtype": "float64",
                "threads": 1,
                "path": Path("f"),
            },
        ),
        (
            ["two-sided", "f", "--no-cubeless", "--no-gammons", "--probabilities"],
            "two_sided",
            {"cubeless": False, "gammons": False, "probabilities": True, "threads": 1, "path": Path("f")},
        ),
        (
            ["hypergammon", "f", "--checkers", 2, "--tolerance", "1e-6"],
            "hypergammon",
            {"checkers": 2, "tolerance": 1e-6, "threads": 1, "path": Path("f")},
        ),
    ],
)
def test_build(run: Run, seen: Seen, arguments: list[Any], name: str, options: dict[str, Any]) -> None:
    result = run("build", *arguments)
    assert result.exit_code == 0, result.stderr
    assert seen == [(name, options)]
    assert type(options.get("dtype", "")) is str
    assert result.stdout.startswith(f"f: {arguments[0]}, {Path('f').stat().st_size:,} bytes, built in ")
    assert bearoff.open("f").header["kind"] == arguments[0]


def test_build_default(run: Run, seen: Seen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "cache"))
    result = run("build", "default")
    assert result.exit_code == 0, result.stderr
    assert [name for name, _ in seen] == ["one_sided", "two_sided"]
    assert result.stdout == f"one-sided 6x15 and two-sided 6x6 are in {tmp_path / 'cache'}\n"
    refused(run("build", "default", "f"), "default takes no FILE", "BGCORE_CACHE")
    refused(run("build", "default", "--points", 6), "default has no such option")


def test_what_build_refuses(run: Run, seen: Seen) -> None:
    refused(run("build", "one-sided"), "give the FILE to write")
    refused(run("build", "one-sided", "f", "--jacoby"), "--jacoby is for two-sided; one-sided has no such option")
    refused(run("build", "one-sided", "f", "--tolerance", "1"), "--tolerance is for hypergammon")
    refused(run("build", "hypergammon", "f", "--points", 6), "--points is for one-sided and two-sided")
    refused(run("build", "hypergammon", "f"), "hypergammon needs --checkers")
    refused(run("build", "one-sided", "os.bd"), "export-bd makes a .bd")
    refused(run("build", "one-sided", "none/f"), "No such file")
    Path("f").write_bytes(b"kept")
    refused(run("build", "two-sided", "f"), "f exists; --force replaces it")
    assert Path("f").read_bytes() == b"kept"
    assert [name for name, _ in seen] == ["one_sided"]  # the one that had nowhere to go
    assert run("build", "two-sided", "f", "--force").exit_code == 0
    assert bearoff.open("f").header["kind"] == "two-sided"
    for arguments in (["three-sided", "f"], ["one-sided", "f", "--points", "25"], ["one-sided", "f", "--dtype", "i4"]):
        assert run("build", *arguments).exit_code == 2


def test_what_a_builder_refuses(run: Run, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ValueError("gammons=True needs 15 checkers")

    monkeypatch.setattr(bearoff, "two_sided", fail)
    refused(run("build", "two-sided", "f", "--gammons"), "gammons=True needs 15 checkers")
    assert not Path("f").exists()


# ---- show, verify, convert, export -----------------------------------------------------------------------------------


def test_show(run: Run, seen: Seen) -> None:
    store.write("f", {"kind": "two-sided", "points": 6, "checkers": 2}, {"values": np.ones((3, 4), np.uint8)})
    result = run("show", "f")
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["format", "bgcore"],
        ["kind", "two-sided"],
        ["points", "6"],
        ["checkers", "2"],
        ["version", "1"],
        ["arrays", "values", "(3,", "4)", "uint8"],
        ["size", f"{Path('f').stat().st_size:,}"],
    ]
    bd.write_one_sided("g", one_sided(2)[:, 0], points=2)
    result = run("show", "g")
    assert result.stdout.splitlines()[:2] == ["format        GNU Backgammon", "kind          one-sided"]


def test_show_a_position(run: Run, seen: Seen) -> None:
    store.write("f", {"kind": "two-sided", "points": 6, "checkers": 2}, {})
    result = run("show", "f", "4HPwATDgc/ABMA")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        "total                 1.250000",
        "shares                1: 0.250000  2: 0.750000",
    ]
    for empty in ("raises", "nan"):
        store.write("e", {"kind": "two-sided", "points": 6, "checkers": 2, "empty": empty}, {})
        refused(run("show", "e", "4HPwATDgc/ABMA"), "out of the range of e")
    refused(run("show", "f", "nonsense"), "is no position")


@pytest.mark.parametrize("command", ["show", "verify", "convert", "export-bd"])
def test_missing_and_foreign_files(run: Run, command: str) -> None:
    more = ["out"] if command in ("convert", "export-bd") else []
    refused(run(command, "none", *more), "there is no file none; bgcore bearoff build")
    Path("foreign").write_bytes(b"GIF89a")
    refused(run(command, "foreign", *more), "foreign is no bear-off database")
    refused(run(command, ".", *more), "no file but a folder")
    assert not Path("out").exists()


def test_verify(run: Run) -> None:
    store.write("f", {"kind": "two-sided"}, {"values": np.ones(10_000)})
    result = run("verify", "f")
    assert (result.exit_code, result.stdout) == (0, f"f: sound, {Path('f').stat().st_size:,} bytes\n")
    data = bytearray(Path("f").read_bytes())
    data[9000] ^= 1
    Path("f").write_bytes(data)
    refused(run("verify", "f"), "f: bytes 4096 to", "of 'values' are damaged")


def test_convert_and_export(run: Run, seen: Seen) -> None:
    values = one_sided(2)
    bd.write_one_sided("os2.bd", values[:, 0], values[:, 1], points=2)
    result = run("convert", "os2.bd", "os2")
    assert (result.exit_code, result.stdout) == (0, f"os2: {Path('os2').stat().st_size:,} bytes\n")
    np.testing.assert_array_equal(store.read("os2").arrays["gammon_distributions"], values[:, 1])
    refused(run("convert", "os2.bd", "os2"), "os2 exists; --force replaces it")
    assert run("convert", "os2.bd", "os2", "--force").exit_code == 0
    refused(run("export-bd", "os2", "out.bd"), "so say lossy=True")
    assert not Path("out.bd").exists()
    assert run("export-bd", "os2", "out.bd", "--lossy").exit_code == 0
    assert Path("out.bd").read_bytes() == b"exported"
    refused(run("export-bd", "os2", "out.bd", "--lossy"), "out.bd exists")
    assert hashlib.md5(Path("os2.bd").read_bytes()).hexdigest() == "b6e61c1625ae4b3b164e93ab064192b9"


def test_help(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in ("build", "show", "verify", "convert", "export-bd"):
        assert command in result.stdout
        told = run(command, "--help")
        assert told.exit_code == 0
        assert "Example: bgcore bearoff " in told.stdout
