r"""An append-only file of JSON lines, each of which carries the hash of the one before.

What the lines say is not known here.  Line k, counted from 0, is exactly these bytes::

    {"n":k,"prev":"<hash>",<body>}\n

``<hash>`` is SHA-256, in 64 small hexadecimal digits, of all bytes of the line before, its newline included; of line 0
it is 64 zeros.  The body is the rest of a JSON object as Python's ``json.dumps`` writes it with separators "," and ":"
and without keys n and prev: ASCII only, no spaces.  A line in any other spelling is refused, so that nothing can say
one thing to us and another to somebody else's parser.

A line is complete with its newline.  What stands behind the last newline is *torn*: the writer died there.

Sync means that the disk has it (fsync; F_FULLFSYNC on macOS).  Without it the operating system has it, so that a killed
process loses nothing, but a power cut may.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from bgcore.errors import FormatError

try:
    import fcntl
except ImportError:  # Windows; there the size of the file alone tells of other writers
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "GENESIS",
    "SIGNATURE",
    "Journal",
    "Problem",
    "Signed",
    "Torn",
    "chain_problems",
    "line_hash",
    "parse_line",
    "read",
    "sync_all",
]

GENESIS = "0" * 64
"""What line 0 has in place of a hash."""
LINE = re.compile(rb'\{"n":(0|[1-9][0-9]{0,17}),"prev":"([0-9a-f]{64})",(".*)\}\n')
SIGNATURE = ',"sig":"'
"""What stands before the signature of a line that has one; nothing follows but its digits, a quote and the brace."""
LONGEST_LINE = 1 << 20
"""Bytes; more is no line of ours."""
DEEPEST = 100
"""Lists and objects within one another that a line may have; how many `json` reads differs from Python to Python."""
OPEN_FILES = 128
"""Descriptors that all journals of a process keep open at most; the others open theirs when they write."""
_FLAGS = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Torn(NamedTuple):
    """What stands behind the last newline of a file."""

    offset: int
    """Where it begins."""
    data: bytes

    def __str__(self) -> str:
        return f"a torn last line of {len(self.data)} bytes at offset {self.offset}: {self.data[:60]!r}"


class Signed(str):
    """A body that is signed where somebody signs: the line without its signature, see `Journal.append`."""

    __slots__ = ()


class Problem(NamedTuple):
    """Something wrong with a line."""

    line: int
    """Counted from 1, as editors do; line 1 is entry 0."""
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def line_hash(line: bytes) -> str:
    """The hash of a line with its newline, 64 hexadecimal digits."""
    return hashlib.sha256(line).hexdigest()


def read(path: str | os.PathLike[str]) -> tuple[list[bytes], Torn | None]:
    """The complete lines of a file, with their newlines, and what is torn behind them.

    Raises
    ------
    OSError
        The file can't be read.
    """
    data = Path(path).read_bytes()
    complete = data.rfind(b"\n") + 1
    lines = data[:complete].split(b"\n")
    lines.pop()
    return [line + b"\n" for line in lines], Torn(complete, data[complete:]) if complete < len(data) else None


def parse_line(line: bytes, number: int) -> dict[str, Any]:
    """The object of a line, ``n`` and ``prev`` included.

    Parameters
    ----------
    line : bytes
        With its newline.
    number : int
        Which line it is, from 1, for errors.

    Raises
    ------
    FormatError
        It is not a line of a journal.
    """
    if len(line) > LONGEST_LINE:
        raise FormatError(f"line {number} has {len(line)} bytes; {LONGEST_LINE} is the most", line=number)
    if LINE.fullmatch(line) is None:
        raise FormatError(
            f'line {number} is not of the form {{"n":...,"prev":"<64 digits>",...}}: {line[:80]!r}', line=number
        )
    try:
        entry = json.loads(line)
        if line.count(b"[") + line.count(b"{") > DEEPEST and _depth(entry) > DEEPEST:
            raise ValueError(f"more than {DEEPEST} lists within one another")
        plain = isinstance(entry, dict) and (dump(entry) + "\n").encode() == line
    except (ValueError, RecursionError) as error:
        raise FormatError(f"line {number} is no JSON object: {error}", line=number) from None
    if not plain:
        raise FormatError(
            f"line {number} is JSON, but not in the one spelling that is allowed: no spaces, no key twice, ASCII only",
            line=number,
        )
    return entry  # type: ignore[no-any-return]


def _depth(value: object) -> int:
    """How many lists and objects stand within one another, without recursion."""
    depth, level = 0, [value]
    while level := [part for part in level if isinstance(part, dict | list)]:
        depth += 1
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return depth


def dump(value: object) -> str:
    """JSON in the one spelling that is allowed."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def chain_problems(lines: Sequence[bytes], expected_head: str | None = None) -> list[Problem]:
    """What is wrong with the chain, at most one thing a line; empty: the lines follow each other.

    Parameters
    ----------
    lines : sequence of bytes
        With their newlines.
    expected_head : str, optional
        What the hash of the last line should be: nothing else vouches for that line.

    Notes
    -----
    Where a line does not carry the hash of the one before, either may have been changed.  If the line behind vouches
    for the second of them, it was the first; if that one does not vouch for it either, it was the second.
    """
    found: dict[int, str] = {}
    last = len(lines) - 1
    hashes = [line_hash(line) for line in lines]
    numbers: list[int | None] = []
    previous: list[str | None] = []
    for k, line in enumerate(lines):
        match = LINE.fullmatch(line)
        numbers.append(int(match[1]) if match else None)
        previous.append(match[2].decode() if match else None)
        if match is None:
            found[k] = f"not a line of a record: {line[:60]!r}"
    vouched: list[bool | None] = [previous[k + 1] == hashes[k] for k in range(last)]
    vouched.append(None if expected_head is None else hashes[-1:] == [expected_head])
    for k in range(last + 1):
        if not vouched[k] and numbers[k] is not None:
            try:
                parse_line(lines[k], k + 1)
            except FormatError as error:
                numbers[k], found[k] = None, str(error).removeprefix(f"line {k + 1} ")
    due: int | None = 0  # the number of the next line; None: behind a line that is none, any
    for k in range(last + 1):
        number = numbers[k]
        if number is None:
            due = None
            continue
        fits = previous[k] == (hashes[k - 1] if k else GENESIS)
        if due is not None and number != due:
            if fits:
                found.setdefault(k, f"it was changed: its number is {due}, not {number}")
                number = due
            else:
                found.setdefault(k, f"entry {number} stands where entry {due} should: lines were moved or cut out")
        elif not fits and due is not None:
            if vouched[k] is False or not k:
                found.setdefault(k, "it was changed: it fits neither the line before nor what follows")
            elif vouched[k]:
                found.setdefault(k - 1, "it was changed: the next line has the hash of other bytes")
            else:
                found.setdefault(k, "it does not carry the hash of the line before: one of the two was changed")
        due = number + 1
    for k in range(last):
        if not vouched[k] and not {k - 1, k, k + 1} & found.keys():
            found[k] = "it was changed: the next line has the hash of other bytes"
    if vouched[-1] is False and not found and lines:
        found[last] = (
            f"its hash {hashes[-1]} is not the expected head {expected_head}: lines behind it were cut off, or this "
            "line or a row of lines up to it was written anew"
        )
    return [Problem(k + 1, found[k]) for k in sorted(found)]


class _Descriptors:
    """Which journals have a descriptor open; the least recently used one loses it when there are too many."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.lock = threading.Lock()
        self.open: deque[Journal] = deque()

    def enter(self, journal: Journal) -> None:
        """A journal has opened its descriptor; another one may have to close its own."""
        with self.lock:
            self.open.append(journal)
            for _ in range(2 * len(self.open)):
                if len(self.open) <= self.limit:
                    return
                oldest = self.open.popleft()
                if oldest.recent and oldest is not journal:
                    oldest.recent = False  # used since it was looked at last: once more round
                    self.open.append(oldest)
                elif oldest is journal or not oldest.release():
                    self.open.append(oldest)

    def leave(self, journal: Journal) -> None:
        """A journal has closed its descriptor."""
        with self.lock, contextlib.suppress(ValueError):
            self.open.remove(journal)


_POOL = _Descriptors(OPEN_FILES)


class Journal:
    """The writing end of a file: appends lines to what is there.

    Made by `create` or `resume`.  It keeps no lines, only the hash of the last one.

    Parameters
    ----------
    path : path
    head : str
        The hash of the last complete line.
    length : int
        How many complete lines there are.
    size : int
        Bytes of them.
    torn : Torn, optional
        What stands behind them; the first append cuts it off.

    Notes
    -----
    The descriptor is opened when needed; while it is, the file is locked against other writers (on POSIX).  Before
    every opening the file must have the size it had.  **Threads:** safe; threads that sync at the same time share one
    fsync.
    """

    def __init__(self, path: Path, head: str, length: int, size: int, torn: Torn | None = None) -> None:
        self.path, self.head, self.length, self.size, self.torn = path, head, length, size, torn
        self.recent = False
        """Whether the descriptor was used since the pool looked last."""
        self._fd = -1
        self._lock = threading.RLock()
        self._sync_lock = threading.Lock()
        self._synced = 0  # bytes that the disk has for certain
        self._broken: str | None = None

    # ---- beginning

    @staticmethod
    def create(path: str | os.PathLike[str], body: str) -> Journal:
        """A new file with line 0, on the disk when this returns.

        Raises
        ------
        FileExistsError
            There is a file of that name.
        OSError
            It can't be written; then there is none.
        """
        target = Path(path)
        line = _line(0, GENESIS, body)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}.new")
        fd = os.open(temporary, (_FLAGS & ~os.O_APPEND) | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            try:
                _write(fd, line)
                _flush(fd)
            finally:
                os.close(fd)
            _publish(temporary, target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
        _flush_folder(target.parent)
        journal = Journal(target, line_hash(line), 1, len(line))
        journal._synced = len(line)
        return journal

    @staticmethod
    def resume(path: str | os.PathLike[str], lines: Sequence[bytes], torn: Torn | None = None) -> Journal:
        """Go on with what `read` has found and somebody has checked."""
        return Journal(Path(path), line_hash(lines[-1]), len(lines), sum(map(len, lines)), torn)

    # ---- writing

    def append(self, *bodies: str, sync: bool = True, sign: Callable[[bytes], bytes] | None = None) -> None:
        """Append a line for each body, all in one write.

        Parameters
        ----------
        *bodies : str
            Members of a JSON object as `dump` writes them, without the braces; ASCII.
        sync : bool
            Return when the disk has it; else when the operating system has it.
        sign : callable, optional
            Gets the line of each `Signed` body without its newline, and returns the signature, which becomes its last
            member.

        Raises
        ------
        OSError
            It can't be written: then nothing was, or this object refuses every further append.
        """
        with self._lock:
            if self._fd < 0 or self._broken is not None:
                self._open()
            head, length, data = self.head, self.length, b""
            for body in bodies:
                if sign is not None and type(body) is Signed:
                    body += f'{SIGNATURE}{sign(_line(length, head, body)[:-1]).hex()}"'
                line = _line(length, head, body)
                head, length, data = line_hash(line), length + 1, data + line
            before = self.head, self.length, self.size
            try:
                _write(self._fd, data)
                self.head, self.length, self.size = head, length, self.size + len(data)
            except BaseException:  # Ctrl-C too, which comes between any two steps
                self.head, self.length, self.size = before
                self._take_back()
                raise
            self.recent = True
            wanted = self.size
        if sync:
            self.sync(wanted)

    def sync(self, size: int | None = None) -> None:
        """Return when the disk has the first ``size`` bytes; all there are, if not given.

        Raises
        ------
        OSError
            The disk has refused; this object then refuses every further append, since nobody knows what was kept.
        """
        wanted = self.size if size is None else size
        with self._sync_lock:
            if self._synced >= wanted:
                return
            with self._lock:
                if self._fd < 0 or self._broken is not None:
                    self._open()
                fd, reached = self._fd, self.size
            try:
                _flush(fd)
            except OSError as error:
                self._broken = f"the disk has refused to keep it ({error}); open the record again to see what is there"
                raise
            self._synced = reached

    def close(self) -> None:
        """Close the descriptor; the next append opens it again."""
        with self._sync_lock, self._lock:
            if self._fd >= 0:
                self._shut()
                _POOL.leave(self)

    def release(self) -> bool:
        """Close the descriptor unless it is in use; for the pool, which has forgotten this journal already."""
        if not self._sync_lock.acquire(blocking=False):
            return False
        try:
            if not self._lock.acquire(blocking=False):
                return False
            try:
                self._shut()
                return True
            finally:
                self._lock.release()
        finally:
            self._sync_lock.release()

    def _shut(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _open(self) -> None:
        """Open and lock the file, make sure that it is as it was left, and cut off what is torn."""
        if self._broken is not None:
            raise OSError(f"{self.path}: {self._broken}")
        fd = os.open(self.path, _FLAGS)
        try:
            if fcntl is not None:
                try:
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise BlockingIOError(f"{self.path} is being written by another process or object") from None
            size, torn = os.fstat(fd).st_size, self.torn
            expected = self.size + (0 if torn is None else len(torn.data))
            if size != expected:
                raise OSError(
                    f"{self.path} has {size} bytes where this object left {expected}: somebody else has written to it; "
                    "open it again"
                )
            if torn is not None:
                os.ftruncate(fd, self.size)
                self.torn = None
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        self.recent = True
        _POOL.enter(self)

    def _take_back(self) -> None:
        """After a write that failed half-way: leave no half line."""
        try:
            os.ftruncate(self._fd, self.size)
        except OSError as error:
            self._broken = f"a line was half written and could not be taken back ({error}); open the record again"


def sync_all(journals: Iterable[Journal], threads: int = 8) -> None:
    """Return when the disk has everything of many journals: the fsyncs run side by side.

    Raises
    ------
    OSError
        The first refusal; the others were tried too.
    """
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(journal.sync) for journal in journals]
    for one in waiting:
        one.result()


def _line(number: int, head: str, body: str) -> bytes:
    """A line with its newline."""
    return f'{{"n":{number},"prev":"{head}",{body}}}\n'.encode("ascii")


def _publish(temporary: Path, target: Path) -> None:
    """Give a file its name, unless there is one of that name."""
    try:
        os.link(temporary, target)  # never replaces anything
    except FileExistsError:
        raise
    except OSError:  # a file system without links: claim the name, then put the file in its place
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
        os.replace(temporary, target)


def _write(fd: int, data: bytes) -> None:
    """Write all of it."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, data[written:])


def _flush(fd: int) -> None:
    """Return when the disk has the file."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        fcntl.fcntl(fd, full)
    else:
        os.fsync(fd)


def _flush_folder(folder: Path) -> None:
    """Return when the disk has the names in a folder; Windows has no such call."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
