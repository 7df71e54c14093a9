"""Which parts of a long test have passed, so that a run that was killed goes on where it stopped.

A part is written down when it has passed, in a file whose name tells the code that it has passed with; other code
finds no file, and starts anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path


def fingerprint(files: Iterable[Path], *words: str) -> str:
    """Sixteen hex digits that change with any of the files, their names included, or words."""
    digest = hashlib.sha256(repr(words).encode())
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(repr((file.name, len(content))).encode())
        digest.update(content)
    return digest.hexdigest()[:16]


class Ledger:
    """Parts that have passed; without a file none ever has.  Several processes may write to one file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file

    def __contains__(self, part: str) -> bool:
        if self.file is None or not self.file.exists():
            return False
        # A line counts once it is ended: a run may be killed while it writes one.
        return f"{part}\n" in self.file.read_text(encoding="utf-8").splitlines(keepends=True)

    def add(self, part: str) -> None:
        """Note that a part has passed."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, f"{part}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
