"""Files that are there whole or not at all, files mapped into memory, and a lock between processes.

`replacing` writes under another name and renames; `opened` and `mapped` are for reading large ones; `FileLock` is held
by one process at a time and set free by the system when that process dies.  Nothing here knows what a file holds.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import secrets
import stat
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from bgcore.errors import DatabaseError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = [
    "WHOLE",
    "FileLock",
    "mapped",
    "open_or_make",
    "opened",
    "pread",
    "pwrite",
    "replacing",
    "sync_data",
    "sync_folder",
]

FIRST_POLL = 0.01
LONGEST_POLL = 0.25
WHOLE = 64 * 2**20
"""A database file smaller than this is checked whole whenever it is opened."""
LOCKED_BYTE = 2**30  # on Windows a locked byte cannot be read by others: one past what is written


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of ``path`` at the end of the block, whole and on the disk, or not at all.

    Parameters
    ----------
    path : path
        Where the file will be; a link is followed.  What stands there before stays until then, and for good if the
        block raises.

    Yields
    ------
    binary file
        Open for reading and writing, under a temporary name in the same folder.

    Raises
    ------
    OSError
        As when writing any file; ``path`` is a folder, a device or the like.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(f"{os.fspath(path)} is not a regular file, so it cannot be replaced by one")
    temporary = target.with_name(f".bgcore-{secrets.token_hex(8)}.tmp")
    with open(temporary, "xb+") as file:  # not tempfile: a new file has the rights that the user's umask leaves
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
            if sys.platform != "win32":
                os.replace(temporary, target)
        except BaseException:
            if sys.platform == "win32":
                file.close()
            temporary.unlink()
            raise
    if sys.platform == "win32":  # which renames closed files only
        os.replace(temporary, target)
    sync_folder(target.parent)


@contextlib.contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[tuple[str, int]]:
    """A regular file for reading; an OSError until the end of the block becomes a DatabaseError that names it.

    Yields
    ------
    (str, int)
        Its name, for messages, and its descriptor.

    Raises
    ------
    DatabaseError
        It is not there, is a folder or the like, or cannot be read.
    """
    name = os.fspath(path)
    try:
        if not stat.S_ISREG(os.stat(name).st_mode):  # opening a pipe would wait for its writer
            raise DatabaseError(f"{name} is no file but a folder, a pipe or a device")
        with open(name, "rb", buffering=0) as file:
            yield name, file.fileno()
    except FileNotFoundError:
        raise DatabaseError(f"there is no file {name}") from None
    except OSError as error:
        raise DatabaseError(f"{name} cannot be read: {error.strerror or error}") from None


def mapped(name: str, descriptor: int, size: int) -> mmap.mmap:
    """A file in memory, read-only, shared with other processes that do the same; the descriptor may be closed.

    Raises
    ------
    DatabaseError
        The system cannot, or it is too large for this Python.
    """
    try:
        return mmap.mmap(descriptor, size, access=mmap.ACCESS_READ)
    except (OSError, OverflowError, ValueError) as error:
        raise DatabaseError(f"{name} cannot be mapped into memory: {error}") from None


def open_or_make(path: str, flags: int) -> int:
    """Open a file that need not exist, without emptying it."""
    return os.open(path, flags | os.O_CREAT, 0o666)


def sync_folder(folder: Path) -> None:
    """Bring names made or removed in a folder to the disk; where folders cannot be opened, nothing."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sync_data(descriptor: int) -> None:
    """Bring the data of an open file to the disk, and as much about it as reading them takes."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def pread(descriptor: int, count: int, offset: int) -> bytes:
    """Up to ``count`` bytes from ``offset``; fewer only at the end of the file.  Several threads may."""
    pieces = []
    while count > 0:
        if sys.platform == "win32":
            with _seeking:
                os.lseek(descriptor, offset, os.SEEK_SET)
                piece = os.read(descriptor, count)
        else:
            piece = os.pread(descriptor, count, offset)
        if not piece:
            break
        pieces.append(piece)
        offset += len(piece)
        count -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def pwrite(descriptor: int, data: bytes | bytearray | memoryview, offset: int) -> None:
    """All of ``data``, contiguous bytes, at ``offset``.  Several threads may."""
    rest = memoryview(data).cast("B")
    while len(rest):
        piece = rest[: 2**30]  # one call writes less than 2 GiB
        if sys.platform == "win32":
            with _seeking:
                os.lseek(descriptor, offset, os.SEEK_SET)
                count = os.write(descriptor, piece)
        else:
            count = os.pwrite(descriptor, piece, offset)
        offset += count
        rest = rest[count:]


if sys.platform == "win32":
    import threading

    _seeking = threading.Lock()


class FileLock:
    """A lock that one holder has at a time, over all processes and threads of this machine.

    The system frees it when its holder dies, however that happens; a forked child does not inherit it.  The file
    names its holder, means nothing by being there, and goes when the lock is released.

    Parameters
    ----------
    path : path
        The file to lock, made if need be; it should hold nothing else.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._file: FileIO | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    @property
    def holder(self) -> str:
        """Who holds the lock, as the file says: for messages."""
        try:
            text = self._path.read_bytes()[:40].decode("ascii", "replace")
        except OSError:
            text = ""
        return f"process {text.strip()}" if text.strip().isdecimal() else "another process"

    def acquire(self, *, wait: bool = True, poll: Callable[[], None] | None = None) -> bool:
        """Take the lock.

        Parameters
        ----------
        wait : bool
            False: give up at once if somebody else has it.
        poll : callable, optional
            Called each time it was found taken; may raise to give up.

        Returns
        -------
        bool
            False if somebody else has it and ``wait`` is false.

        Raises
        ------
        RuntimeError
            This object holds it already.
        OSError
            The file cannot be made, or its file system knows no locks.
        """
        if self._file is not None:
            raise RuntimeError(f"{self._path} is locked by this object already")
        pause = FIRST_POLL
        while True:
            file = FileIO(self._path, "r+", opener=open_or_make)
            if _try_lock(file.fileno()):
                if self._is_named(file.fileno()):
                    break
                file.close()
                continue
            file.close()
            if not wait:
                return False
            if poll is not None:
                poll()
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_POLL)
        self._file = file
        _held.add(self)
        file.truncate(0)
        file.write(f"{os.getpid()}\n".encode())
        return True

    def release(self) -> None:
        """Give the lock back; nothing if it is not held."""
        if self._file is not None:
            _held.discard(self)
            if sys.platform != "win32":  # which removes no open file
                with contextlib.suppress(OSError):
                    self._path.unlink()
            self._file.close()
            self._file = None

    def __enter__(self) -> FileLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _is_named(self, descriptor: int) -> bool:
        """Whether the locked file is the one at the path: its last holder may have removed it since it was opened."""
        if sys.platform == "win32":
            return True
        try:
            named = os.stat(self._path)
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(descriptor))


_held: weakref.WeakSet[FileLock] = weakref.WeakSet()


def _try_lock(descriptor: int) -> bool:
    """Lock an open file; False if another open file has the lock."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _forget_locks() -> None:
    """In a forked child: close its copies, or its parent's locks would outlive the parent."""
    for lock in list(_held):
        if lock._file is not None:
            lock._file.close()
            lock._file = None
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_forget_locks)
