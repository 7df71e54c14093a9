"""Long work with a progress bar, and an interrupt that takes effect at once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

__all__ = ["with_progress"]

T = TypeVar("T")

QUIET_SECONDS = 2.0
TICK = 0.1


def with_progress(label: str, work: Callable[[Callable[[int, int], None]], T]) -> T:
    """What `work` returns; after two seconds a bar on the terminal shows how far it is.

    `work` gets a callback (done, total).  It runs in a thread of its own, because Python sees Ctrl-C in the first
    thread only, and that one must not be deep in native code then.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    reached = (0, 1)

    def report(done: int, total: int) -> None:
        nonlocal reached
        reached = done, total

    def run() -> None:
        try:
            results.append(work(report))
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=run, daemon=True)
    started = time.monotonic()
    worker.start()
    while worker.is_alive() and time.monotonic() - started < QUIET_SECONDS:
        worker.join(TICK)
    if worker.is_alive() and sys.stderr.isatty():
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label)
            while worker.is_alive():
                worker.join(TICK)
                bar.update(task, completed=reached[0], total=reached[1])
    while worker.is_alive():
        worker.join(TICK)
    if errors:
        raise errors[0]
    return results[0]
