"""How much memory is free, so that a build that can't fit is refused before it begins."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from bgcore.errors import DatabaseError

__all__ = ["available", "require"]


def available() -> int:
    """Bytes that can be had without swapping, as far as the system says; a limit set for its container counts."""
    free = _system()
    for limit, used in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ):
        with contextlib.suppress(OSError, ValueError):  # no such group, or "max"
            free = min(free, int(Path(limit).read_text()) - int(Path(used).read_text()))
    return max(free, 0)


def require(needed: int, what: str, hint: str = "") -> None:
    """Refuse what doesn't fit: DatabaseError with the bytes needed and the bytes free."""
    free = available()
    if needed > free:
        raise DatabaseError(f"{what} needs {needed:,} bytes of memory, and {free:,} are free{hint and f'; {hint}'}")


def _system() -> int:
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(OSError, ValueError, AttributeError):
        # No count of what is free here: half of what is built in.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return sys.maxsize  # unknown (Windows): the allocation itself will say
