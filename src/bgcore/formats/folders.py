"""Folders of match files: which files, each worked on in whichever process, the outcomes in order.

`over_files` is the way to do anything with thousands of files; `convert_files` converts them.  A file that cannot be
read is told of and holds up nothing.
"""

from __future__ import annotations

import collections
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from bgcore.errors import FormatError
from bgcore.formats.matches import FORMATS, MOST_BYTES, SUFFIXES, read_match, write_match
from bgcore.threads import Progress, positive

__all__ = ["Converted", "convert_files", "match_files", "over_files", "targets"]

F = TypeVar("F")
T = TypeVar("T")

CHUNK = 8
"""Files a process gets at a time: enough that handing them over costs nothing."""
AHEAD = 4
"""Chunks a worker that wait for their turn, so that results don't pile up."""


class Converted(NamedTuple):
    """What became of one file."""

    source: str
    target: str
    error: str = ""
    """Why nothing was written; empty: all is well."""
    notes: tuple[str, ...] = ()
    """What was odd."""
    lost: tuple[str, ...] = ()
    """What the new format does not hold."""
    games: int = 0
    turns: int = 0


def match_files(source: str | os.PathLike[str]) -> list[Path]:
    """The match files of a folder and the folders in it, by their suffixes, in order of their names; or one file.

    Parameters
    ----------
    source : path
        A folder or a file.

    Returns
    -------
    list of Path

    Raises
    ------
    FormatError
        There is nothing, or nothing to read.
    """
    root = Path(source)
    if not root.is_dir():
        if not root.exists():
            raise FormatError(f"there is no file or folder {root}")
        return [root]
    found = [
        Path(folder, name) for folder, _, names in os.walk(root) for name in names if name.lower().endswith(SUFFIXES)
    ]
    if not found:
        raise FormatError(f"{root}: there is no file in it that ends in {', '.join(SUFFIXES)}")
    return sorted(found)


def over_files(
    work: Callable[[F], T],
    files: Sequence[F],
    *,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[T]:
    """What work makes of each file, in order, while later ones are worked on.

    Parameters
    ----------
    work : callable
        Of one of the files; with workers or an executor it is pickled, and so is what it returns.
    files : sequence
        Paths, or whatever work takes.
    workers : int
        Processes; 1: this one.  They are spawned, so a script that asks for more guards what it does with
        ``if __name__ == "__main__"``.
    executor : concurrent.futures.Executor, optional
        Instead of workers.
    progress : callable, optional
        Told (done, total) after each file.

    Yields
    ------
    object
        What `work` returned.
    """
    done = 0
    if executor is None and positive(workers, "workers") > 1 and len(files) > CHUNK:
        # Spawned: a fork of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_leave_interrupts) as pool:
            try:
                yield from over_files(work, files, executor=pool, progress=progress, workers=workers)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return
    if executor is None:
        results: Iterable[list[T]] = ([work(path)] for path in files)
    else:
        chunks = [files[at : at + CHUNK] for at in range(0, len(files), CHUNK)]
        results = in_order(executor, partial(_chunk, work), chunks, max(workers, os.cpu_count() or 1) * AHEAD)
    for result in results:
        for one in result:
            done += 1
            if progress is not None:
                progress(done, len(files))
            yield one


def in_order(
    executor: Executor, call: Callable[[Sequence[F]], list[T]], chunks: Sequence[Sequence[F]], ahead: int
) -> Iterator[list[T]]:
    """Results of calls in order, no more than some of them ahead."""
    waiting: collections.deque[Future[list[T]]] = collections.deque()
    try:
        for chunk in chunks:
            waiting.append(executor.submit(call, chunk))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _leave_interrupts() -> None:
    """Ctrl-C goes to every process of a terminal; the first one deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _chunk(work: Callable[[F], T], files: Sequence[F]) -> list[T]:
    return [work(path) for path in files]


# ---- converting -----------------------------------------------------------------------------------------------------


def targets(files: Sequence[Path], root: Path, folder: Path, format: str) -> list[Path]:
    """Where each converted file goes: to the same place under another folder, with another suffix.

    Files that differ in their suffixes only keep it inside the new name.
    """
    suffix = FORMATS[format]
    plain = [folder / path.relative_to(root).with_suffix(suffix) for path in files]
    count = collections.Counter(os.path.normcase(path) for path in plain)
    return [
        path if count[os.path.normcase(path)] == 1 else path.with_name(source.name + suffix)
        for source, path in zip(files, plain, strict=True)
    ]


def convert_files(
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    format: str = "mat",
    strict: bool = False,
    max_bytes: int = MOST_BYTES,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Converted]:
    """Convert every match file of a folder, and of the folders in it.

    Parameters
    ----------
    source : path
        A folder.
    folder : path
        Where the converted files go; made if need be.  Files that stand there under the same names are replaced.
    format : {"mat", "txt", "sgf", "record"}
    strict, max_bytes
        As in `bgcore.read_match`.
    workers, executor, progress
        As in `over_files`.

    Yields
    ------
    Converted
        One a file, in order of their names.

    Raises
    ------
    FormatError
        No such format; nothing to convert; a file would be replaced by what is made of it.
    """
    if format not in FORMATS:
        raise FormatError(f"{format!r} is not written; match files are written as {', '.join(FORMATS)}")
    root, new = Path(source), Path(folder)
    files = match_files(root)
    names = targets(files, root, new, format) if root.is_dir() else [new]
    for one, other in zip(files, names, strict=True):
        if os.path.realpath(one) == os.path.realpath(other):
            raise FormatError(f"{one} would be replaced by what is made of it; give another folder")
    for place in {name.parent for name in names}:
        place.mkdir(parents=True, exist_ok=True)
    pairs = list(zip(files, names, strict=True))
    work = partial(_convert, format, strict, max_bytes)
    yield from over_files(work, pairs, workers=workers, executor=executor, progress=progress)


def _convert(format: str, strict: bool, max_bytes: int, pair: tuple[Path, Path]) -> Converted:
    return convert(*pair, format, strict=strict, max_bytes=max_bytes)


def convert(
    source: Path, target: Path, format: str | None, *, strict: bool = False, max_bytes: int = MOST_BYTES
) -> Converted:
    """Convert one file; what is wrong with it is in the answer."""
    try:
        match = read_match(source, strict=strict, max_bytes=max_bytes)
        lost = write_match(match, target, format=format)
    except (FormatError, OSError) as error:
        return Converted(str(source), str(target), error=str(error))
    turns = sum(len(game.turns) for game in match.games)
    notes = tuple(str(note) for note in match.notes)
    return Converted(str(source), str(target), "", notes, lost, len(match.games), turns)
