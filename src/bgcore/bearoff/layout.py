"""The file format of our bear-off databases: a JSON header and raw arrays; how it is laid out and checked.

===========================  ======================================================================================
bytes                        what
===========================  ======================================================================================
0                            ``bgcore bear-off database 1`` and a newline
27                           length of the header, 8 bytes, little-endian
35                           the header: one JSON object in UTF-8, sorted keys
to a multiple of 4096        zeros
a multiple of 4096 each      the arrays in the order of the header: C order, little-endian, zeros between them
after the last, likewise     one CRC-32 (4 bytes, little-endian) per started MiB of the array region, which begins
                             after the header's zeros and ends where this table begins
last 4                       CRC-32 of everything before the array region and of the table
===========================  ======================================================================================

So every byte is under a checksum.  The header says what the arrays are ("kind", "rules", "points", "checkers" and what
a kind adds) and holds "version", the format's; "arrays", a list of name, dtype, shape and offset; "size", of the file;
"blocks", how many checksums.  Equal contents give equal bytes.  What the arrays mean is the business of each kind.

Stability: a file stays readable by every later version; another layout takes another number in the first line.
"""

from __future__ import annotations

import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from bgcore.errors import DatabaseError
from bgcore.files import pread, pwrite
from bgcore.threads import Progress

__all__ = [
    "ALIGN",
    "BLOCK",
    "MAGIC",
    "VERSION",
    "Header",
    "Layout",
    "Placed",
    "check",
    "check_blocks",
    "own",
    "plan",
    "seal",
    "write_array",
]

VERSION = 1
MAGIC = b"bgcore bear-off database 1\n"
ANY_VERSION = b"bgcore bear-off database "
ALIGN = 4096
BLOCK = 2**20
LONGEST_HEADER = 2**20
MOST_DIMENSIONS = 8
MOST_BYTES = 2**62
DTYPES = tuple(
    np.dtype(code).newbyteorder("<") for code in ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8")
)
DTYPE_OF = {dtype.str: dtype for dtype in DTYPES}
LAYOUT = ("arrays", "size", "blocks")
MOST_THREADS = 4
BATCH = 16  # blocks that a thread takes at a time

Header = dict[str, Any]


class Placed(NamedTuple):
    """An array of a file."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int
    """Where it begins in the file."""

    @property
    def nbytes(self) -> int:
        """Its length in bytes."""
        return self.dtype.itemsize * math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything of a file is."""

    head: bytes
    """Everything before the array region."""
    arrays: tuple[Placed, ...]
    table: int
    """Offset of the table of checksums: the end of the array region."""

    @property
    def blocks(self) -> int:
        """How many checksums the table has."""
        return -(-(self.table - len(self.head)) // BLOCK)

    @property
    def size(self) -> int:
        """Length of the file in bytes."""
        return self.table + 4 * self.blocks + 4


def plan(header: Mapping[str, Any], arrays: Mapping[str, tuple[DTypeLike, tuple[int, ...]]]) -> Layout:
    """Lay out a file.

    Raises
    ------
    TypeError
        An array of a dtype that files don't hold; a header that JSON cannot say.
    ValueError
        A header without a kind, of another version, too long, or with NaN; a shape that is none.
    """
    if not isinstance(header.get("kind"), str):
        raise ValueError("the header of a database file needs a 'kind'")
    if header.get("version", VERSION) != VERSION:
        raise ValueError(f"files are written in version {VERSION} of the format, not {header['version']!r}")
    specs = []
    for name, (given, shape) in arrays.items():
        dtype = DTYPE_OF.get(np.dtype(given).newbyteorder("<").str)
        if dtype is None:
            raise TypeError(f"array {name!r}: a database file holds integers and floats, not {np.dtype(given)}")
        specs.append((name, dtype, tuple(int(length) for length in shape)))
        if len(shape) > MOST_DIMENSIONS or min(shape, default=0) < 0:
            raise ValueError(f"array {name!r} cannot have the shape {tuple(shape)}")
    said = own(header)
    start = ALIGN
    while True:  # offsets are in the header, whose length they depend on; it only grows, so this ends
        layout = _place(start, specs)
        said["arrays"] = [
            {"name": a.name, "dtype": a.dtype.str, "shape": list(a.shape), "offset": a.offset} for a in layout.arrays
        ]
        said["size"], said["blocks"] = layout.size, layout.blocks
        text = json.dumps(said, sort_keys=True, allow_nan=False).encode()
        if len(text) > LONGEST_HEADER:
            raise ValueError(f"the header of a database file has at most {LONGEST_HEADER} bytes, not {len(text)}")
        head = MAGIC + len(text).to_bytes(8, "little") + text
        if _aligned(len(head)) == start:
            return Layout(head.ljust(start, b"\0"), layout.arrays, layout.table)
        start = _aligned(len(head))


def own(header: Mapping[str, Any]) -> Header:
    """A header without what its layout fills in, and with the version."""
    return {key: value for key, value in header.items() if key not in LAYOUT} | {"version": VERSION}


def write_array(descriptor: int, placed: Placed, first: int, array: NDArray[Any]) -> None:
    """Write values into an array of a file, from its element ``first`` on in C order.

    Raises
    ------
    ValueError
        They are more than fit.
    """
    if first < 0 or (first + array.size) * placed.dtype.itemsize > placed.nbytes:
        raise ValueError(
            f"{array.size} values from {first} on don't fit into array {placed.name!r} of {math.prod(placed.shape)}"
        )
    step = max(1, BLOCK // placed.dtype.itemsize)
    flat = array.reshape(-1) if array.flags.c_contiguous else array.flat
    for at in range(0, array.size, step):  # a piece at a time, in case it must be converted
        piece = np.ascontiguousarray(flat[at : at + step], placed.dtype)
        pwrite(descriptor, piece.data.cast("B"), placed.offset + (first + at) * placed.dtype.itemsize)


def seal(descriptor: int, layout: Layout, *, progress: Progress | None = None) -> None:
    """Write the table of checksums and the last checksum of a file whose arrays are all written."""
    table = np.array([*_checksums(descriptor, layout, progress)], "<u4").tobytes()
    pwrite(descriptor, table + zlib.crc32(table, zlib.crc32(layout.head)).to_bytes(4, "little"), layout.table)


def _aligned(size: int) -> int:
    return -(-size // ALIGN) * ALIGN


def _place(start: int, specs: Iterable[tuple[str, np.dtype[Any], tuple[int, ...]]]) -> Layout:
    """Place arrays one after the other, behind a head of ``start`` bytes."""
    placed = []
    at = start
    for name, dtype, shape in specs:
        placed.append(Placed(name, dtype, shape, at))
        at = _aligned(at + placed[-1].nbytes)
    return Layout(bytes(start), tuple(placed), at)


def _checksums(descriptor: int, layout: Layout, progress: Progress | None) -> Iterator[int]:
    """The CRC-32 of each block of the array region, in order; zlib lets other threads run meanwhile."""
    start, end = len(layout.head), layout.table

    def of_batch(first: int) -> list[int]:
        found = []
        for at in range(start + first * BLOCK, min(end, start + (first + BATCH) * BLOCK), BLOCK):
            wanted = min(BLOCK, end - at)
            block = pread(descriptor, wanted, at)
            if len(block) < wanted:
                raise DatabaseError(f"the file ends at byte {at + len(block)}: it became shorter while it was read")
            found.append(zlib.crc32(block))
        return found

    firsts = range(0, layout.blocks, BATCH)
    pool = ThreadPoolExecutor(max(1, min(MOST_THREADS, os.cpu_count() or 1, len(firsts))))
    try:
        batches = map(of_batch, firsts) if len(firsts) < 2 else pool.map(of_batch, firsts)
        for first, batch in zip(firsts, batches, strict=True):
            yield from batch
            if progress is not None:
                progress(min(end - start, (first + BATCH) * BLOCK), end - start)
    finally:
        pool.shutdown(cancel_futures=True)


# ---- checking a file -------------------------------------------------------------------------------------------------


def check(name: str, descriptor: int) -> tuple[Layout, Header]:
    """Check everything but the arrays: first line, header, sizes and offsets, the table of checksums."""
    size = os.fstat(descriptor).st_size
    start = pread(descriptor, len(MAGIC) + 8, 0)
    if not start.startswith(MAGIC):
        if start.startswith(ANY_VERSION):
            raise DatabaseError(f"{name}: a bear-off database of a version of the format that this bgcore cannot read")
        raise DatabaseError(f"{name} is no bear-off database of bgcore: it begins with {_quoted(start)}")
    length = int.from_bytes(start[len(MAGIC) :], "little")
    if len(start) < len(MAGIC) + 8 or len(start) + length > size:
        raise DatabaseError(f"{name}: the file is cut off in its header, at byte {size}")
    if length > LONGEST_HEADER:
        raise DatabaseError(f"{name}: a header has at most {LONGEST_HEADER} bytes, not {length}")
    head = pread(descriptor, _aligned(len(start) + length), 0)
    header = _parse(name, head[len(start) : len(start) + length])
    layout = _lay_out(name, header, _aligned(len(head)))
    if layout.size != size:
        what = "cut off" if size < layout.size else "too long"
        raise DatabaseError(f"{name}: the file is {what}: {size} bytes where its header makes it {layout.size}")
    layout = Layout(head, layout.arrays, layout.table)
    table = pread(descriptor, 4 * layout.blocks + 4, layout.table)
    if zlib.crc32(table[:-4], zlib.crc32(head)).to_bytes(4, "little") != table[-4:]:
        raise DatabaseError(f"{name}: the header or the table of checksums is damaged: their own checksum is another")
    return layout, header


def _parse(name: str, text: bytes) -> Header:
    """The header as a dictionary."""
    try:
        header = json.loads(text.decode())
    except RecursionError:
        raise DatabaseError(f"{name}: the header is nested too deeply") from None
    except ValueError as error:  # of json, of utf-8, of numbers with thousands of digits
        raise DatabaseError(f"{name}: the header is no JSON: {error}") from None
    if not isinstance(header, dict) or not isinstance(header.get("kind"), str):
        raise DatabaseError(f"{name}: the header is no JSON object with a 'kind'")
    if type(header.get("version")) is not int or header["version"] != VERSION:
        raise DatabaseError(f"{name}: the header's version is {_quoted(header.get('version'))}, not {VERSION}")
    return cast(Header, header)


def _lay_out(name: str, header: Header, start: int) -> Layout:
    """Where the arrays must be that a header tells of; refused if it says anything else."""
    told = header.get("arrays")
    if not isinstance(told, list):
        raise DatabaseError(f"{name}: the header has no list of arrays")
    specs: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {}
    total = 0
    for number, entry in enumerate(told):
        if not isinstance(entry, dict) or entry.keys() != {"name", "dtype", "shape", "offset"}:
            raise DatabaseError(f"{name}: array {number} of the header is no name, dtype, shape and offset")
        label, code, shape = entry["name"], entry["dtype"], entry["shape"]
        if not isinstance(label, str) or label in specs:
            raise DatabaseError(f"{name}: array {number} has no name of its own but {_quoted(label)}")
        dtype = DTYPE_OF.get(code) if isinstance(code, str) else None
        if dtype is None:
            raise DatabaseError(f"{name}: array {_quoted(label)} is of dtype {_quoted(code)}, which files don't hold")
        if not isinstance(shape, list) or len(shape) > MOST_DIMENSIONS or not all(_is_length(n) for n in shape):
            raise DatabaseError(f"{name}: array {_quoted(label)} has the shape {_quoted(shape)}")
        total += math.prod(shape) * dtype.itemsize + ALIGN
        if total > MOST_BYTES or math.prod(max(1, n) for n in shape) > MOST_BYTES:
            raise DatabaseError(f"{name}: array {_quoted(label)} is too large: {_quoted(shape)}")
        specs[label] = dtype, tuple(shape)
    layout = _place(start, [(label, *spec) for label, spec in specs.items()])
    for entry, placed in zip(told, layout.arrays, strict=True):
        if type(entry["offset"]) is not int or entry["offset"] != placed.offset:
            raise DatabaseError(
                f"{name}: array {_quoted(placed.name)} begins at {_quoted(entry['offset'])}, not at {placed.offset}"
            )
    for key, right in (("size", layout.size), ("blocks", layout.blocks)):
        if type(header.get(key)) is not int or header[key] != right:
            raise DatabaseError(f"{name}: the header's {key} is {_quoted(header.get(key))}, its arrays make it {right}")
    return layout


def check_blocks(name: str, descriptor: int, layout: Layout, progress: Progress | None) -> None:
    """Compare every block with its checksum."""
    table = np.frombuffer(pread(descriptor, 4 * layout.blocks, layout.table), "<u4").tolist()
    for number, found in enumerate(_checksums(descriptor, layout, progress)):
        if number >= len(table) or found != table[number]:
            first = len(layout.head) + number * BLOCK
            last = min(first + BLOCK, layout.table) - 1
            hurt = [a.name for a in layout.arrays if a.offset <= last and a.offset + a.nbytes > first]
            where = f", of {' and '.join(map(_quoted, hurt))}" if hurt else ""
            raise DatabaseError(f"{name}: bytes {first} to {last}{where} are damaged: their checksum is another")


def _is_length(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_BYTES


def _quoted(value: object) -> str:
    """Foreign contents for a message: short, and in ASCII."""
    try:
        text = ascii(value)
    except RecursionError:
        return "something nested"
    return text if len(text) <= 60 else text[:57] + "..."
