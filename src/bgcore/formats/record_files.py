"""Records (`bgcore.match.record`) among the match files: read as what was played, written where all of it was legal."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path

from bgcore.errors import BgcoreError, FormatError
from bgcore.formats.building import Notes
from bgcore.formats.mat_writing import GNUBG, write_mat
from bgcore.match.record import MatchRecord
from bgcore.match.replay import match_of, record_match
from bgcore.match.transcript import Match

__all__ = ["is_record", "read_record", "record_bytes"]

_HEAD = b'"kind":"match","format":"bgcore record '


def is_record(data: bytes) -> bool:
    """Whether these are the bytes of a record; that it is a good one shows when it is read."""
    return data[:1] == b"{" and _HEAD in data[:200]


def read_record(data: bytes, notes: Notes) -> Match:
    """Read a record; every line is checked and replayed.

    Raises
    ------
    FormatError
        It was changed, or is of a game that match files don't hold.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "record")
        path.write_bytes(data)
        try:
            with MatchRecord.open(path) as record:
                if record.dropped is not None:
                    notes.odd(f"left out: {record.dropped}")
                match = match_of(record)
        except FormatError as fault:
            raise FormatError(str(fault).removeprefix(f"{path}: "), line=fault.line) from None
        except BgcoreError as fault:
            raise FormatError(str(fault)) from fault
    return replace(match, notes=notes.done())


def record_bytes(match: Match) -> bytes:
    """A match as the bytes of a record, the same for the same match.

    Raises
    ------
    FormatError
        Something in it is against the rules or unknown: a record holds only what the rules allow.
    """
    told = hashlib.sha256(write_mat(match, GNUBG).encode("utf-8", "replace")).hexdigest()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "record")
        try:
            record_match(match, path, match_id=told[:16]).close()
        except BgcoreError as fault:
            raise FormatError(f"a record holds only what the rules allow: {fault}") from fault
        return path.read_bytes()
