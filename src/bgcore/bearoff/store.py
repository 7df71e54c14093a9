"""Bear-off databases on the disk: written, opened, checked, and built piece by piece.

`write`, `read` and `verify` are for whole files in the format of `layout`.  `Partial` is for one that takes long to
build: its pieces are written where they belong, a journal beside it says which are finished, and after a kill the same
call goes on where the journal ends.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sys
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from bgcore.bearoff.layout import Header, Layout, check, check_blocks, own, plan, seal, write_array
from bgcore.errors import DatabaseError
from bgcore.files import (
    WHOLE,
    FileLock,
    mapped,
    open_or_make,
    opened,
    pread,
    pwrite,
    replacing,
    sync_data,
    sync_folder,
)
from bgcore.threads import Progress

__all__ = ["Header", "Partial", "Stored", "read", "verify", "write"]


@dataclass(frozen=True, slots=True)
class Stored:
    """An open database file.

    Attributes
    ----------
    header : dict
        What `write` was given, and "version".
    arrays : dict of str to ndarray
        Read-only views of the mapped file, which stays mapped while one of them lives.
    """

    header: Header
    arrays: dict[str, NDArray[Any]]


def write(
    path: str | os.PathLike[str],
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    progress: Progress | None = None,
) -> None:
    """Write a database file, whole and on the disk or not at all.

    Parameters
    ----------
    path : path
        Replaced if it exists.
    header : mapping
        What JSON can say, at least "kind"; "version", "arrays", "size" and "blocks" are filled in here.
    arrays : mapping of str to ndarray
        Integers of 1 to 8 bytes or floats of 2 to 8; any byte order and strides.
    progress : callable, optional
        Called with bytes done and bytes in all.

    Raises
    ------
    TypeError
        An array of another dtype; a header that JSON cannot say.
    OSError
        As when writing any file.
    """
    layout = plan(header, {name: (array.dtype, array.shape) for name, array in arrays.items()})
    with replacing(path) as file:
        descriptor = file.fileno()
        file.truncate(layout.size)
        pwrite(descriptor, layout.head, 0)
        for placed in layout.arrays:
            write_array(descriptor, placed, 0, arrays[placed.name])
        seal(descriptor, layout, progress=progress)


def read(path: str | os.PathLike[str], *, verify: bool = False) -> Stored:
    """Open a database file and map it into memory.

    Several processes that open a file share its memory.  It must not be changed while it is open; to replace it, as
    `write` does, is safe.

    Parameters
    ----------
    path : path
    verify : bool
        Check every block of a file of 64 MiB or more, too.  Header, size and the table of checksums are always
        checked, smaller files whole.

    Raises
    ------
    DatabaseError
        There is no such file, it is of another kind, cut off or damaged.
    """
    with opened(path) as (name, descriptor):
        layout, header = check(name, descriptor)
        if verify or layout.size < WHOLE:
            check_blocks(name, descriptor, layout, None)
        memory = mapped(name, descriptor, layout.size)
    arrays: dict[str, NDArray[Any]] = {}
    for placed in layout.arrays:
        # frombuffer takes no offset at the very end, which is where an empty array may be
        array = (
            np.frombuffer(memory, placed.dtype, math.prod(placed.shape), placed.offset)
            if placed.nbytes
            else np.empty(0, placed.dtype)
        )
        arrays[placed.name] = array.reshape(placed.shape)
        arrays[placed.name].flags.writeable = False
    return Stored(own(header), arrays)


def verify(path: str | os.PathLike[str], *, progress: Progress | None = None) -> None:
    """Check every byte of a database file.

    Parameters
    ----------
    path : path
    progress : callable, optional
        Called with bytes done and bytes in all.

    Raises
    ------
    DatabaseError
        As `read`; it names the first damaged block and the array in it.
    """
    with opened(path) as (name, descriptor):
        layout, _ = check(name, descriptor)
        check_blocks(name, descriptor, layout, progress)


class Partial:
    """A database file that is being built, and what is finished of it.

    ``<path>.partial`` has the layout and the length of the file from the start; native code may write into it through
    `fd`.  ``<path>.partial.journal`` names the finished pieces.  One process at a time has it open.

    Made by `Partial.open`; as a context manager it is closed at the end, and stays to be continued unless `finish` was
    called.
    """

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path = path
        self._layout = layout
        self._arrays = {placed.name: placed for placed in layout.arrays}
        self._done: list[str] = []
        self._check = zlib.crc32(layout.head)  # of the header and of every journal line so far
        self._journal_end = 0
        self._data: FileIO
        self._journal: FileIO
        self._held = contextlib.ExitStack()  # the lock and both files

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        header: Mapping[str, Any],
        arrays: Mapping[str, tuple[DTypeLike, tuple[int, ...]]],
    ) -> Partial:
        """Begin a file, or continue one with an equal header.

        Parameters
        ----------
        path : path
            Where the file will be when it is finished.
        header : mapping
            As for `write`; what decides the contents of the file belongs into it.
        arrays : mapping of str to (dtype, shape)

        Raises
        ------
        DatabaseError
            The disk has no room for it, another process is building it, or its folder cannot be written to.
        TypeError, ValueError
            As `write`.

        Warns
        -----
        RuntimeWarning
            What was begun there is of another header or cut off, so that it is begun anew.
        """
        layout = plan(header, arrays)
        target = Path(os.path.realpath(path))
        partial = cls(target, layout)
        with contextlib.ExitStack() as held:
            try:
                lock = FileLock(_beside(target, ".partial.lock"))
                if not lock.acquire(wait=False):
                    raise DatabaseError(f"{target} is being built by {lock.holder}")
                held.callback(lock.release)
                partial._begin(held)
            except OSError as error:
                raise DatabaseError(f"{target} cannot be built there: {error.strerror or error}") from None
            partial._held = held.pop_all()
        return partial

    @property
    def fd(self) -> int:
        """Descriptor of the file, open for reading and writing."""
        return self._data.fileno()

    @property
    def done(self) -> tuple[str, ...]:
        """The journal: every entry committed, in order, by this object and before it."""
        return tuple(self._done)

    def offset(self, name: str) -> int:
        """Where an array begins in the file."""
        return self._arrays[name].offset

    def write(self, name: str, first: int, values: NDArray[Any]) -> None:
        """Write values into an array, from its element ``first`` on in C order.

        Raises
        ------
        ValueError
            They are more than fit.
        OSError
            As when writing any file.
        """
        write_array(self.fd, self._arrays[name], first, values)

    def commit(self, entry: str) -> None:
        """Bring what was written to the disk, then put an entry into the journal that says so.

        Parameters
        ----------
        entry : str
            Printable, in one line.

        Raises
        ------
        ValueError
            The entry is empty or does not print in one line.
        OSError
            As when writing any file.
        """
        if not entry or not entry.isprintable():
            raise ValueError(f"a journal entry is one line that prints, not {entry!r}")
        sync_data(self.fd)
        check = zlib.crc32(entry.encode(), self._check)
        line = _line(entry, check)
        pwrite(self._journal.fileno(), line, self._journal_end)  # over what a commit that failed may have left
        os.fsync(self._journal.fileno())
        self._journal_end += len(line)
        self._check = check
        self._done.append(entry)

    def finish(self, *, progress: Progress | None = None) -> None:
        """Write the checksums, and give the file its name.

        Parameters
        ----------
        progress : callable, optional
            Called with bytes done and bytes in all.

        Raises
        ------
        OSError
            As when writing any file.  It can be tried again.
        """
        seal(self.fd, self._layout, progress=progress)
        os.fsync(self.fd)
        if sys.platform == "win32":  # which renames closed files only
            self._data.close()
        os.replace(_beside(self._path, ".partial"), self._path)
        sync_folder(self._path.parent)
        if sys.platform == "win32":
            self._journal.close()
        _beside(self._path, ".partial.journal").unlink()
        self.close()

    def close(self) -> None:
        """Let go of it; `Partial.open` continues."""
        self._held.close()

    def __enter__(self) -> Partial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, held: contextlib.ExitStack) -> None:
        """Open the file and its journal, new ones unless they can be continued."""
        data, journal = _beside(self._path, ".partial"), _beside(self._path, ".partial.journal")
        state = data.stat() if data.exists() else None
        self._require(self._layout.size - (getattr(state, "st_blocks", 0) * 512 if state else 0))
        if state and self._fits(data, state.st_size):
            self._data = held.enter_context(FileIO(data, "r+"))
            self._journal = held.enter_context(FileIO(journal, "r+", opener=open_or_make))
            self._recall()
            return
        if state and journal.exists() and journal.stat().st_size:
            warnings.warn(
                f"{data} was begun for something else or is cut off: it is begun anew", RuntimeWarning, stacklevel=3
            )
        journal.unlink(missing_ok=True)  # first, and for good: it must never speak of another file
        sync_folder(self._path.parent)
        self._data = held.enter_context(FileIO(data, "w+"))
        self._data.truncate(self._layout.size)
        pwrite(self.fd, self._layout.head, 0)
        os.fsync(self.fd)
        self._journal = held.enter_context(FileIO(journal, "w+"))
        sync_folder(self._path.parent)

    def _fits(self, data: Path, size: int) -> bool:
        """Whether the file that is there can be continued."""
        head = self._layout.head
        with FileIO(data) as file:
            return size == self._layout.size and pread(file.fileno(), len(head), 0) == head

    def _recall(self) -> None:
        """Read the journal as far as it is whole, and cut off the rest, which was being written when it ended."""
        for line in self._journal.readall().split(b"\n")[:-1]:
            entry = line[9:].decode("utf-8", "replace")
            check = zlib.crc32(line[9:], self._check)
            if line + b"\n" != _line(entry, check):
                break
            self._done.append(entry)
            self._check = check
            self._journal_end += len(line) + 1
        self._journal.truncate(self._journal_end)

    def _require(self, needed: int) -> None:
        """See that the disk has room."""
        free = shutil.disk_usage(self._path.parent).free
        if needed > free:
            raise DatabaseError(
                f"{self._path} needs {self._layout.size:,} bytes, {needed:,} more than it has on the disk now, and "
                f"{free:,} are free there"
            )


def _line(entry: str, check: int) -> bytes:
    """A line of a journal; its checksum covers the header and all lines before it."""
    return f"{check:08x} {entry}\n".encode()


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
