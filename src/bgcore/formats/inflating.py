"""Compressed data from files nobody vouches for: inflated up to a size, and as far as it goes where it is cut off."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

from bgcore.errors import FormatError

__all__ = ["GZIP", "MOST_INFLATED", "ZLIB", "Inflated", "inflated"]

MOST_INFLATED = 256 * 2**20
"""Bytes that a compressed part of a file may have once inflated."""
LARGEST_RATIO = 1032
"""Bytes that one byte of zlib's data can become; from its documentation."""
PIECE = 2**20
ZLIB = zlib.MAX_WBITS
GZIP = zlib.MAX_WBITS | 16


class Inflated(NamedTuple):
    """What came out."""

    data: bytes
    rest: bytes
    """What stands behind the compressed data."""
    complete: bool
    """False: cut off, and this is what there was."""
    fault: str
    """Why it ends early although it isn't cut off; empty: it doesn't."""


def inflated(data: bytes | memoryview, form: int, what: str, most: int = MOST_INFLATED) -> Inflated:
    """Inflate zlib or gzip data.

    Parameters
    ----------
    data : bytes
    form : {ZLIB, GZIP}
    what : str
        For messages.
    most : int
        Bytes that may come out.

    Raises
    ------
    FormatError
        It is too large, or nothing could be inflated.
    """
    if len(data) * LARGEST_RATIO > most:
        for _ in pieces_of(data, form, what, most, []):  # counted before anything is kept
            pass
    end: list[tuple[bytes, bool, str]] = []
    out = bytearray()
    for piece in pieces_of(data, form, what, most, end):
        out += piece
    rest, complete, fault = end[0]
    if fault and not out:
        raise FormatError(f"{what} cannot be inflated: {fault}")
    return Inflated(bytes(out), rest, complete, fault)


def pieces_of(
    data: bytes | memoryview, form: int, what: str, most: int, end: list[tuple[bytes, bool, str]]
) -> Iterator[bytes]:
    """Inflated pieces; at the end what stands behind, whether it was all, and what is wrong go into a list."""
    machine = zlib.decompressobj(form)
    size, fault = 0, ""
    while not machine.eof:
        try:
            piece = machine.decompress(data, PIECE)
        except zlib.error as error:
            fault = str(error).partition(": ")[2] or str(error)
            break
        data = machine.unconsumed_tail
        size += len(piece)
        if size > most:
            raise FormatError(f"{what} is more than {most} bytes once inflated")
        if not piece and not data:
            break
        yield piece
    end.append((machine.unused_data, machine.eof, fault))
