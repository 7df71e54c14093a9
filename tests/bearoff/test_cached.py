"""The databases built once per user, by whatever number of processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bearoff import stand_ins

from bgcore import bearoff
from bgcore.bearoff import cached
from bgcore.errors import DatabaseError

NAMES = ["onesided-6x15-1.bearoff", "twosided-6x6-1.bearoff"]
SUMS = [sum((i * points + checkers) % 65536 for i in range(60_000)) for points, checkers in ((6, 15), (6, 6))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that is not there yet."""
    folder = tmp_path / "made" / "when needed"
    monkeypatch.setenv("BGCORE_CACHE", str(folder))
    return folder


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is built, by the stand-ins that take the builders' place."""
    built: list[str] = []
    stand_ins.install(lambda *args: monkeypatch.setattr(*args, raising=False), lambda name, options: built.append(name))
    monkeypatch.setattr(cached, "_opened", {})
    return built


def again(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call `default` as a new process does."""
    monkeypatch.setattr(cached, "_opened", {})
    return bearoff.default()


def check(found: Any) -> None:
    for table, total in zip((found.one_sided, found.two_sided), SUMS, strict=True):
        assert table.arrays["values"].sum(dtype=np.int64) == total
        assert not table.arrays["values"].flags.writeable, "it is not the mapped file"


def test_built_once(folder: Path, built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    found = bearoff.default(progress=lambda *args: told.append(args))
    check(found)
    assert built == ["one_sided", "two_sided"]
    assert isinstance(found, bearoff.Default)
    assert bearoff.default() is found
    assert bearoff.cache_folder() == folder
    assert [name for name in sorted(os.listdir(folder)) if not name.endswith(".lock")] == NAMES
    assert told == sorted(told)
    assert (told[0], told[-1]) == ((0, 2000), (2000, 2000))
    check(again(monkeypatch))
    assert built == ["one_sided", "two_sided"]


@pytest.mark.parametrize("hurt", ["flip", "cut", "empty", "foreign", "other size", "other kind"])
def test_a_damaged_file_is_built_anew(
    folder: Path, built: list[str], monkeypatch: pytest.MonkeyPatch, hurt: str
) -> None:
    bearoff.default()
    path = folder / NAMES[1]
    data = bytearray(path.read_bytes())
    if hurt == "flip":
        data[50_000] ^= 1
    if hurt in ("flip", "cut", "empty", "foreign"):
        path.unlink()  # the old one is still mapped
        path.write_bytes({"flip": data, "cut": data[:50_000], "empty": b"", "foreign": b"GIF89a" * 99}[hurt])
    else:
        cls = stand_ins.TwoSided if hurt == "other size" else stand_ins.OneSided
        stand_ins.builder(cls, lambda _: None)(points=6, checkers=5, path=path)
    built.clear()
    with pytest.warns(RuntimeWarning, match=r"twosided-6x6-1\.bearoff.*; it is built anew"):
        found = again(monkeypatch)
    check(found)
    assert built == ["two_sided"]
    check(again(monkeypatch))
    assert built == ["two_sided"]


def test_a_folder_that_keeps_nothing(tmp_path: Path, built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.warns(RuntimeWarning, match="cannot keep bear-off databases .* BGCORE_CACHE names another"):
        found = bearoff.default()
    assert built == ["one_sided", "two_sided"]
    assert found.two_sided.arrays["values"].sum(dtype=np.int64) == SUMS[1]
    assert bearoff.default() is found


def test_a_full_disk(folder: Path, built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object, path: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stand_ins.StandIn, "save", full)
    with pytest.warns(RuntimeWarning, match="No space left"):
        found = bearoff.default()
    assert built == ["one_sided", "two_sided"], "built twice, or not used"
    assert found.two_sided.arrays["values"].sum(dtype=np.int64) == SUMS[1]


def test_a_builder_that_fails_leaves_nothing(folder: Path, built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise DatabaseError("no memory")

    with monkeypatch.context() as patched:
        patched.setattr(bearoff, "two_sided", fail)
        with pytest.raises(DatabaseError, match="no memory"):
            bearoff.default()
    assert not (folder / NAMES[1]).exists()
    check(bearoff.default())
    assert built == ["one_sided", "two_sided"]


def test_threads_build_once(folder: Path, built: list[str]) -> None:
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(bearoff.default())) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert built == ["one_sided", "two_sided"]
    assert all(one is found[0] for one in found)


def test_where_files_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[object, ...]] = []

    def user_cache_dir(*args: object, **options: object) -> str:
        asked.append((*args, options))
        return str(tmp_path / "platform")

    monkeypatch.setitem(sys.modules, "platformdirs", types.SimpleNamespace(user_cache_dir=user_cache_dir))
    for unset in (None, ""):
        if unset is None:
            monkeypatch.delenv("BGCORE_CACHE", raising=False)
        else:
            monkeypatch.setenv("BGCORE_CACHE", unset)
        assert bearoff.cache_folder() == tmp_path / "platform"
    assert asked == [("bgcore", {"appauthor": False})] * 2
    monkeypatch.setenv("BGCORE_CACHE", "~/here")
    assert bearoff.cache_folder() == Path.home() / "here"
    monkeypatch.setenv("BGCORE_CACHE", "relative")
    assert bearoff.cache_folder() == Path.cwd() / "relative"


# ---- processes -------------------------------------------------------------------------------------------------------


def start(log: Path, pause: float = 0.0) -> subprocess.Popen[str]:
    tests = str(Path(__file__).resolve().parent.parent)
    paths = [tests, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, stand_ins.__file__, str(log), str(pause)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def outcome(process: subprocess.Popen[str]) -> list[str]:
    text = process.communicate()[0]
    assert process.returncode == 0
    return text.split()


def lines(log: Path) -> list[str]:
    return log.read_text().split("\n")[:-1] if log.exists() else []


@pytest.mark.subprocess
def test_ten_processes_at_once(folder: Path, tmp_path: Path) -> None:
    """One builds each file, the others wait for it, and all have the same."""
    log = tmp_path / "log"
    processes = [start(log, 0.3) for _ in range(10)]
    assert [outcome(process) for process in processes] == [[str(total) for total in SUMS]] * 10
    assert sorted(line.split()[0] for line in lines(log)) == ["one_sided", "two_sided"]
    assert outcome(start(log)) == [str(total) for total in SUMS]
    assert len(lines(log)) == 2


@pytest.mark.subprocess
@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_a_killed_builder_is_taken_over_from(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    builder = start(log, 60)
    while not lines(log):
        time.sleep(0.01)
    waiting = start(log)
    time.sleep(0.5)
    assert waiting.poll() is None
    assert len(lines(log)) == 1, "two build at once"
    builder.send_signal(signal.SIGKILL)
    builder.communicate()
    assert outcome(waiting) == [str(total) for total in SUMS]
    assert [line.split()[0] for line in lines(log)] == ["one_sided", "one_sided", "two_sided"]
