"""The container of eXtreme Gammon's files (``.xg``, ``.xgp``): a header, a picture, and an archive of compressed files.

The archive ends in a registry and a trailer.  Where those are missing, since a tool left them out or the file is cut
off, what can still be inflated is taken.  Source of the layout: GameSite 2000's published description.
"""

from __future__ import annotations

import struct
import zlib

from bgcore.errors import FormatError
from bgcore.formats.building import Notes
from bgcore.formats.inflating import ZLIB, inflated

__all__ = ["MAGIC", "RECORD", "RECORDS", "read_container"]

MAGIC = b"RGMH"
RECORD = 2560
RECORDS = "temp.xg"
"""The file of the archive that holds the match."""
COMMENTS = "temp.xgc"
FEWEST_HEADER, MOST_HEADER = 24, 2**20
TRAILER = struct.Struct("<IiiiiB15x")
ENTRY = struct.Struct("<iiiIBB")
ENTRY_SIZE, ENTRY_FIELDS = 532, 512
MOST_FILES = 64
RECORDS_MAGIC = b"DMLI"
RECORDS_MAGIC_AT = 556


def read_container(data: bytes, notes: Notes) -> dict[str, bytes]:
    """The files of the archive that a reader of matches needs.

    Parameters
    ----------
    data : bytes
    notes : Notes

    Returns
    -------
    dict
        ``temp.xg``, and ``temp.xgc`` if there is one.

    Raises
    ------
    FormatError
        It is no such container, or the match cannot be got out of it.
    """
    if data[:4] != MAGIC:
        notes.refuse(f"no XG file: it begins with {data[:4]!r}, not with {MAGIC!r}", offset=0)
    if len(data) < FEWEST_HEADER:
        notes.refuse("the header is cut off", offset=len(data))
    (header,) = struct.unpack_from("<I", data, 8)
    thumbnail, thumbnail_size = struct.unpack_from("<qI", data, 12)
    if not FEWEST_HEADER <= header <= MOST_HEADER:
        notes.refuse(f"the header says that it has {header} bytes", offset=8)
    files = by_registry(data, notes)
    if files is None:
        notes.odd("no registry of the archive: cut off, or written by another tool")
        start = header + (thumbnail_size if thumbnail >= 0 else 0)
        files = by_search(data, start if start < len(data) else header)
    if RECORDS not in files:
        notes.refuse(f"the archive holds no {RECORDS}: it is cut off before the match, or is no XG file")
    return files


def by_registry(data: bytes, notes: Notes) -> dict[str, bytes] | None:
    """The files as the registry at the end lists them; None if there is none."""
    if len(data) < TRAILER.size:
        return None
    end = len(data) - TRAILER.size
    _, count, _, registry_size, archive_size, compressed = TRAILER.unpack_from(data, end)
    if not (0 < count <= MOST_FILES and 0 < registry_size <= end and 0 <= archive_size <= end - registry_size):
        return None
    registry = data[end - registry_size : end]
    if compressed:
        try:
            registry = inflated(registry, ZLIB, "the registry", MOST_FILES * ENTRY_SIZE).data
        except FormatError:
            return None
    if len(registry) < count * ENTRY_SIZE:
        return None
    start = end - registry_size - archive_size
    files: dict[str, bytes] = {}
    for number in range(count):
        entry = registry[number * ENTRY_SIZE : (number + 1) * ENTRY_SIZE]
        name = entry[1 : 1 + entry[0]].decode("latin-1").lower()
        size, stored, begin, check, plain, _ = ENTRY.unpack_from(entry, ENTRY_FIELDS)
        if name not in (RECORDS, COMMENTS):
            continue
        if stored < 0 or begin < 0 or begin + stored > archive_size:
            notes.odd(f"{name} is said to lie outside the archive", offset=end - registry_size)
            continue
        body = data[start + begin : start + begin + stored]
        if plain == 0:
            whole = inflated(body, ZLIB, name)
            if not whole.complete:
                notes.odd(f"{name} is damaged: {whole.fault or 'cut off'}", offset=start + begin)
            body = whole.data
        if len(body) != size or zlib.crc32(body) != check:
            notes.odd(f"{name} has not the size or the checksum that the registry says", offset=start + begin)
        files[name] = body
    return files


def by_search(data: bytes, start: int) -> dict[str, bytes]:
    """The match, found by inflating one piece after the other."""
    rest = data[start:]
    for _ in range(MOST_FILES):
        try:
            piece = inflated(rest, ZLIB, "a piece of the archive")
        except FormatError as error:
            if "more than" in str(error):
                raise
            break
        if piece.data[RECORDS_MAGIC_AT : RECORDS_MAGIC_AT + 4] == RECORDS_MAGIC:
            return {RECORDS: piece.data}
        if not piece.complete:
            break
        rest = piece.rest
    return {}
