"""Work that takes a while: shared by threads that live as long as a call, and reported."""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Callable
from typing import SupportsIndex

__all__ = ["Progress", "in_threads", "positive", "usable"]

Progress = Callable[[int, int], None]
"""Called with how much is done, and how much there is in all."""


def positive(number: SupportsIndex, what: str) -> int:
    """Return the number as an int; ValueError below 1, TypeError for anything that isn't whole."""
    number = operator.index(number)
    if number < 1:
        raise ValueError(f"{what} must be at least 1, not {number}")
    return number


def usable(threads: SupportsIndex) -> int:
    """As many threads as were asked for, but never more than there are processors to run them."""
    return min(positive(threads, "threads"), os.cpu_count() or 1)


def in_threads(work: Callable[[], None], threads: int, stop: threading.Event | None = None) -> None:
    """Run work in the caller and in threads - 1 more; what one of them raises is raised here.

    stop is set before the others are waited for if the caller's own work was broken off.
    """
    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    others = [threading.Thread(target=guarded, daemon=True) for _ in range(threads - 1)]
    for thread in others:
        thread.start()
    try:
        work()
    except BaseException:
        if stop is not None:
            stop.set()
        raise
    finally:
        for thread in others:
            thread.join()
    if errors:
        raise errors[0]
