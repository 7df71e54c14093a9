"""The two small databases that everybody needs, built once per user and shared by all his processes."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bgcore.errors import DatabaseError
from bgcore.files import FileLock
from bgcore.threads import Progress

__all__ = ["Default", "cache_folder", "default"]

CONTENTS = 1
"""In the files' names; to be raised when the builders' numbers change."""
STEPS = 1000  # of progress, for each table

_opened: dict[Path, Default] = {}
_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class Default:
    """The databases that `default` opens."""

    one_sided: Any
    """OneSided of 6 points and 15 checkers."""
    two_sided: Any
    """TwoSided of 6 points and 6 checkers, cubeless and cubeful."""


def default(*, progress: Progress | None = None) -> Default:
    """The one-sided 6x15 and the two-sided 6x6 database.

    The first call of a user builds them, which takes less than a second, into `cache_folder`; later ones, also of
    other processes, map these files into memory.  Of several processes that call at once one builds, the others wait.
    A file there that is damaged or of something else is built anew.  Where files cannot be kept, they are built in
    memory, for this process.

    Parameters
    ----------
    progress : callable, optional
        Called with steps done and steps in all while something is built.

    Raises
    ------
    DatabaseError
        What was just built cannot be read back.

    Warns
    -----
    RuntimeWarning
        A file was damaged; files cannot be kept.

    Notes
    -----
    **Threads**: safe; later calls of a process return the same objects.
    """
    from bgcore import bearoff

    folder = cache_folder()
    with _opening:
        if folder not in _opened:
            _opened[folder] = Default(
                _table(folder, "OneSided", 6, 15, bearoff.one_sided, _half(progress, 0)),
                _table(folder, "TwoSided", 6, 6, bearoff.two_sided, _half(progress, 1)),
            )
        return _opened[folder]


def cache_folder() -> Path:
    """Where `default` keeps its files: what BGCORE_CACHE names, or the platform's folder for such things."""
    named = os.environ.get("BGCORE_CACHE")
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("bgcore", appauthor=False))


def _table(
    folder: Path,
    kind: str,
    points: int,
    checkers: int,
    build: Callable[..., Any],
    progress: Progress | None,
) -> Any:
    """The table of a file, which is built if need be."""
    path = folder / f"{kind.lower()}-{points}x{checkers}-{CONTENTS}.bearoff"

    def look() -> Any:
        from bgcore import bearoff

        table = bearoff.open(path)
        if not isinstance(table, getattr(bearoff, kind)) or (table.points, table.checkers) != (points, checkers):
            raise DatabaseError(f"{path} is sound, but no {kind} of {points}x{checkers}")
        return table

    if path.exists():
        try:
            return look()
        except DatabaseError:
            pass  # said below, by the one who builds it anew
    built = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(path.name + ".lock")):
            if path.exists():
                try:
                    return look()  # built by another process meanwhile
                except DatabaseError as error:
                    warnings.warn(f"{error}; it is built anew", RuntimeWarning, stacklevel=4)
            built = build(points=points, checkers=checkers, progress=progress)
            built.save(path)
    except OSError as error:
        warnings.warn(
            f"{folder} cannot keep bear-off databases ({error.strerror or error}), so they are built in memory; "
            "BGCORE_CACHE names another folder",
            RuntimeWarning,
            stacklevel=4,
        )
        return built if built is not None else build(points=points, checkers=checkers, progress=progress)
    return look()


def _half(progress: Progress | None, which: int) -> Progress | None:
    """Progress of one of the two tables as progress of both."""
    if progress is None:
        return None
    return lambda done, total: progress(which * STEPS + STEPS * done // max(1, total), 2 * STEPS)
