"""How much memory is free, and refusing what would not fit before hours of work are spent on it."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from bgcore.errors import DatabaseError

__all__ = ["free_memory", "require_memory", "said_bytes"]

CGROUP = Path("/sys/fs/cgroup")
MEMINFO = Path("/proc/meminfo")


def free_memory() -> int | None:
    """Bytes that a process can still take without pushing others out to disk; None where that isn't known."""
    if sys.platform == "win32":
        return _windows()
    try:
        lines = dict(line.split(":", 1) for line in MEMINFO.read_text(encoding="ascii").splitlines() if ":" in line)
        found = 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        try:
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError):
            return None
    try:  # a container's limit; what its files fill could be given back, so it is not counted as used
        limit = int((CGROUP / "memory.max").read_text(encoding="ascii"))
        statistics = dict(line.split() for line in (CGROUP / "memory.stat").read_text(encoding="ascii").splitlines())
        used = int(statistics["anon"]) + int(statistics.get("kernel", 0))
    except (OSError, KeyError, ValueError):
        return found
    return max(0, min(found, limit - used))


def require_memory(needed: int, what: str) -> None:
    """Refuse a build that needs more memory than there is.

    Raises
    ------
    DatabaseError
        The message says how many bytes are needed and how many are free.
    """
    free = free_memory()
    if free is not None and needed > free:
        raise DatabaseError(
            f"{what} needs {needed} bytes ({said_bytes(needed)}) of memory while it is built, and {said_bytes(free)} "
            "are free"
        )


def said_bytes(count: int) -> str:
    """A number of bytes for people, such as 10.3 GB."""
    size = float(count)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _windows() -> int | None:
    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "pages", "pages_free", "space", "space_free")),
            ("extended", ctypes.c_ulonglong),
        )

    status = Status(length=ctypes.sizeof(Status))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  # elsewhere the name doesn't exist
    return int(status.free) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else None
