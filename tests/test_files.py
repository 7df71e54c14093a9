"""Files replaced whole, and the lock between processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bgcore.errors import DatabaseError
from bgcore.files import FileLock, mapped, opened, pread, pwrite, replacing

posix = pytest.mark.skipif(sys.platform == "win32", reason="what POSIX systems promise")


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_replacing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with replacing(path) as file:
        file.write(b"first")
        assert left(tmp_path) != ["file"]
        assert not path.exists()
    assert path.read_bytes() == b"first"
    with replacing(path) as file:
        file.write(b"second")
        assert path.read_bytes() == b"first"
    assert path.read_bytes() == b"second"
    assert left(tmp_path) == ["file"]


def test_what_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"kept")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"kept"
    assert left(tmp_path) == ["file"]
    for wrong in (tmp_path, tmp_path / "none" / "file"):
        with pytest.raises(OSError, match=r"regular|No such"), replacing(wrong):
            raise AssertionError
    assert left(tmp_path) == ["file"]


@posix
def test_rights_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    old = os.umask(0o027)
    try:
        with replacing(path):
            pass
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    link.symlink_to(path)
    with replacing(link) as file:
        file.write(b"through the link")
    assert link.is_symlink()
    assert path.read_bytes() == b"through the link"
    assert path.stat().st_mode & 0o777 == 0o604


@posix
def test_synced_before_it_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *args, real=real, name=name: (calls.append(name), real(*args)))
    with replacing(tmp_path / "file") as file:
        file.write(b"x")
    assert calls == ["fsync", "replace", "fsync"]


def test_pread_and_pwrite(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with open(path, "wb+") as file:
        pwrite(file.fileno(), b"", 0)
        pwrite(file.fileno(), memoryview(b"abcdef"), 3)
        assert pread(file.fileno(), 100, 2) == b"\0abcdef"
        assert pread(file.fileno(), 2, 4) == b"bc"
        assert pread(file.fileno(), 2, 40) == b""


def test_opened(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    with opened(path) as (name, descriptor):
        memory = mapped(name, descriptor, 3)
    assert name == str(path)
    assert memory[:] == b"abc"
    with opened(path) as (name, descriptor), pytest.raises(DatabaseError, match="mapped"):
        mapped(name, descriptor, 2**62)
    for wrong, message in ((tmp_path / "none", "there is no file"), (tmp_path, "no file but a folder")):
        with pytest.raises(DatabaseError, match=message), opened(wrong):
            raise AssertionError


@posix
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DatabaseError, match="pipe"), opened(tmp_path / "pipe"):
        raise AssertionError


# ---- the lock --------------------------------------------------------------------------------------------------------


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first, second = FileLock(path), FileLock(path)
    assert first.acquire(wait=False)
    assert not second.acquire(wait=False)
    assert (first.held, second.held) == (True, False)
    assert second.holder == f"process {os.getpid()}"
    with pytest.raises(RuntimeError):
        first.acquire()
    first.release()
    first.release()
    assert second.holder == "another process"
    with second:
        assert not first.acquire(wait=False)
    assert left(tmp_path) in ([], ["lock"])
    with pytest.raises(OSError, match="No such"):
        FileLock(tmp_path / "none" / "lock").acquire()


def test_waiting(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    first.acquire()
    polls = []
    taken = threading.Event()

    def wait() -> None:
        second.acquire(poll=lambda: polls.append(1))
        taken.set()

    thread = threading.Thread(target=wait)
    thread.start()
    while not polls:
        pass
    assert not taken.is_set()
    first.release()
    thread.join(30)
    assert taken.is_set()
    second.release()

    def give_up() -> None:
        raise KeyboardInterrupt

    with first, pytest.raises(KeyboardInterrupt):
        second.acquire(poll=give_up)


HOLD = """
import sys
from bgcore.files import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print(1, flush=True)
sys.stdin.read()
"""


def hold(path: Path) -> subprocess.Popen[str]:
    """Start a process that holds a lock, and wait until it does."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], **pipes)  # type: ignore[call-overload]
    assert process.stdout.readline() == "1\n"
    return process  # type: ignore[no-any-return]


@pytest.mark.subprocess
def test_a_dead_holder_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold(path) as process:
        lock = FileLock(path)
        assert not lock.acquire(wait=False)
        assert lock.holder == f"process {process.pid}"
        process.kill()
        process.wait()
        assert lock.acquire(wait=False)
        lock.release()


@posix
@pytest.mark.subprocess
def test_a_forked_child_does_not_keep_its_parents_lock(tmp_path: Path) -> None:
    script = """
import os, sys, time
from bgcore.files import FileLock
lock = FileLock(sys.argv[1]); lock.acquire()
if os.fork() == 0:
    assert not lock.held
    print(os.getpid(), flush=True); time.sleep(60); os._exit(0)
time.sleep(0.2)
"""
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert not FileLock(path).acquire(wait=False)
            process.wait()
            lock = FileLock(path)
            assert lock.acquire(wait=False)
            lock.release()
        finally:
            os.kill(child, signal.SIGKILL)


@pytest.mark.subprocess
def test_processes_take_turns(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from bgcore.files import FileLock
counter = Path(sys.argv[1])
for _ in range(25):
    with FileLock(counter.with_suffix(".lock")):
        counter.write_text(str(int(counter.read_text()) + 1))
"""
    counter = tmp_path / "counter"
    counter.write_text("0")
    processes = [subprocess.Popen([sys.executable, "-c", script, str(counter)]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert counter.read_text() == "100"
