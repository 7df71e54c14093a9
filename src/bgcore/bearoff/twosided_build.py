"""Building two-sided tables: in memory, or streamed to a file when they outgrow it.

The order of work is in core/twosided.h.  Blocks of positions are solved one after the other; within a block first its
movers against all earlier opponents, then all movers so far against its own positions as opponents.  The tiles of each
half are independent, so threads share them.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from math import comb
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from bgcore.bearoff.memory import require
from bgcore.bearoff.store import Partial, read
from bgcore.bearoff.twosided import Arithmetic, TwoSided
from bgcore.core.twosided import WINDOW, Order, Solver
from bgcore.errors import DatabaseError
from bgcore.files import pread, pwrite
from bgcore.threads import Progress, in_threads, positive, usable

__all__ = ["two_sided"]

Piece = tuple[int, int, int]  # tile of opponents, movers' tiles from, to

STRIP = 64  # movers' tiles in a piece of work: about 1.5 MB of values
CUBELESS_UP_TO = 12  # checkers, by default
STREAMED_FROM = 1_000_000
"""Pairs from which a table goes into its file while it is solved; below, the padding of its tiles is not worth it."""


def two_sided(
    *,
    points: SupportsIndex = 6,
    checkers: SupportsIndex = 6,
    cubeful: bool = True,
    cubeless: bool | None = None,
    gammons: bool | None = None,
    jacoby: bool = False,
    dtype: str = "int16",
    probabilities: bool = False,
    arithmetic: Arithmetic = "exact",
    path: str | os.PathLike[str] | None = None,
    threads: SupportsIndex = 1,
    progress: Progress | None = None,
) -> TwoSided:
    """Build a two-sided database.

    Parameters
    ----------
    points, checkers : int
        Its size: 1-12 points, 1-15 checkers.
    cubeful : bool
        Equities with the cube owned, centred and the opponent's.
    cubeless : bool, optional
        Equities without a cube; by default up to 12 checkers, or if not cubeful.
    gammons : bool, optional
        Whether a side that hasn't borne off a checker loses a gammon; by default with 15 checkers.
    jacoby : bool
        Gammons don't count while the cube is centred.
    dtype : {"int16", "float64"}
        How equities are stored.  In 16 bits they are within 7.5e-5 of the exact ones, with gammons 1.5e-4.
    probabilities : bool
        Chances to win, to win a gammon and to lose one as well, when both play best without a cube.
    arithmetic : {"exact", "gnubg"}
        "gnubg" repeats the integer arithmetic of GNU Backgammon's own files, for `TwoSided.export_bd`.
    path : path, optional
        Build into this file, in the memory of a part of it.  A build that was interrupted is continued by the same
        call.
    threads : int
    progress : callable (done, total), optional
        Pairs solved and pairs in all, called from the calling thread.

    Returns
    -------
    TwoSided

    Raises
    ------
    ValueError
        Sizes or options that don't go together.
    DatabaseError
        Memory or disk space is short, said before anything is built.
    """
    points, checkers = positive(points, "points"), positive(checkers, "checkers")
    threads = usable(threads)
    if points > 12 or checkers > 15:
        raise ValueError(f"{points} points x {checkers} checkers: at most 12 points and 15 checkers")
    if dtype not in ("int16", "float64"):
        raise ValueError(f"dtype must be 'int16' or 'float64', not {dtype!r}")
    if arithmetic not in ("exact", "gnubg"):
        raise ValueError(f"arithmetic must be 'exact' or 'gnubg', not {arithmetic!r}")
    if cubeless is None:
        cubeless = checkers <= CUBELESS_UP_TO or not cubeful
    if gammons is None:
        gammons = checkers == 15 and arithmetic == "exact"
    if not cubeless and not cubeful:
        raise ValueError("nothing to build: neither cubeless nor cubeful")
    if gammons and checkers < 15:
        raise ValueError(f"gammons=True needs 15 checkers: with {checkers} a side has always borne off one")
    if arithmetic == "gnubg" and (dtype != "int16" or gammons or probabilities or not cubeless):
        raise ValueError("arithmetic='gnubg' has 16 bits, cubeless equities, no gammons and no probabilities")
    header = {
        "kind": "two-sided",
        "rules": "backgammon",
        "points": points,
        "checkers": checkers,
        "cube": "money",
        "cubeless": cubeless,
        "cubeful": cubeful,
        "gammons": gammons,
        "jacoby": jacoby,
        "arithmetic": arithmetic,
        "one": 16383 if gammons and dtype == "int16" else 1 if dtype == "float64" else 32767,
        "columns": ["cubeless"] * cubeless + ["owned", "centred", "opponent's"] * cubeful,
    }
    kind = "gnubg" if arithmetic == "gnubg" else dtype
    what = f"a table of {points} points x {checkers} checkers"
    pairs = comb(points + checkers, points) ** 2
    if path is not None and not probabilities and arithmetic == "exact" and pairs >= STREAMED_FROM:
        return _stream(header, what, kind, path, threads, progress)
    width = (cubeless + 3 * cubeful) * (8 if dtype == "float64" else 2)
    stored = pairs * (width + 12 * probabilities)
    require(stored, what, "with path= and without probabilities=True it takes less")
    order = Order(points, checkers)
    require(
        stored + _source_bytes(order, max(width, 32 * probabilities)), what, "path= without probabilities= takes less"
    )
    work = _Work(order, threads, progress, parts=2 if probabilities else 1)
    arrays = {"values": _pairs(order, kind, header, work)}
    if probabilities:
        arrays["chances"] = np.ascontiguousarray(_pairs(order, "chances", header, work)[..., 1:], np.float32)
    table = TwoSided.from_arrays(header | {"order": "pairs"}, arrays)
    if path is not None:
        table.save(path)
    return table


class _Work:
    """Solves a table's blocks in order; what is done with a piece is the caller's."""

    def __init__(self, order: Order, threads: int, progress: Progress | None, parts: int = 1) -> None:
        self.order = order
        self.threads = threads if order.positions > 1500 else 1  # a small table takes a hundredth of a second
        self.progress = progress
        self.total = parts * (order.slots - 64) ** 2
        self.done = 0

    def pieces(self, block: int, strip: int) -> Iterator[list[Piece]]:
        """The two halves of a block's work, each as pieces that don't wait for each other."""
        tiles = self.order.block_tiles
        first, end = tiles[block], tiles[block + 1]
        yield [(column, first, end) for column in range(1, first)]
        cuts = [*range(1, end, strip), end]
        yield [(column, a, b) for column in range(first, end) for a, b in itertools.pairwise(cuts)]

    def run(self, pieces: list[Piece], solve: Callable[[Piece], None]) -> None:
        """Solve pieces in the threads, and report."""
        queue = iter(pieces)
        lock = threading.Lock()
        stop = threading.Event()
        caller = threading.current_thread()

        def work() -> None:
            while not stop.is_set():
                with lock:
                    piece = next(queue, None)
                if piece is None:
                    return
                solve(piece)
                with lock:
                    self.done += (piece[2] - piece[1]) * 4096
                if self.progress is not None and threading.current_thread() is caller:
                    self.progress(self.done, self.total)

        in_threads(work, min(self.threads, len(pieces) or 1), stop)


def _solver(order: Order, kind: str, header: dict[str, Any]) -> Solver:
    try:
        return Solver(order, kind, header["cubeless"], header["cubeful"], header["gammons"], header["jacoby"])
    except MemoryError as error:
        raise DatabaseError(f"{order.points} points x {order.checkers} checkers: {error}") from None


def _pairs(order: Order, kind: str, header: dict[str, Any], work: _Work) -> NDArray[Any]:
    """Solve a table in memory: an array [mover's id][opponent's id][column]."""
    solver = _solver(order, kind, header)
    n = order.positions
    dtype = {"gnubg": "uint16", "int16": "int16", "plain": "int16", "plain gnubg": "uint16"}.get(kind, "float64")
    values = np.empty((n, n, solver.tables), dtype)
    memory = values.reshape(-1).view(np.uint8)
    strip = max(1, min(STRIP, order.slots // 64 // (2 * work.threads)))
    for block in range(1, order.blocks):
        for pieces in work.pieces(block, strip):
            work.run(pieces, lambda piece: solver.solve_pairs(piece[0], piece[0] + 1, piece[1], piece[2], memory))
        solver.drop(block)
    solver.finished(memory)
    return values


def _stream(
    header: dict[str, Any],
    what: str,
    kind: str,
    path: str | os.PathLike[str],
    threads: int,
    progress: Progress | None,
) -> TwoSided:
    """Solve a table into a file; only the part of it that later blocks build on is held in memory."""
    width = len(header["columns"])
    cell = np.dtype(kind)
    order = Order(header["points"], header["checkers"])
    require(_source_bytes(order, width * cell.itemsize), what)
    shape = (order.slots // 64, order.slots, width, 64)
    with Partial.open(path, header | {"order": "tiles"}, {"values": (cell, shape)}) as partial:
        _solve_into(partial, _solver(order, kind, header), _Work(order, threads, progress))
        partial.finish()
    stored = read(path)
    return TwoSided.from_arrays(stored.header, stored.arrays)


def _solve_into(partial: Partial, solver: Solver, work: _Work) -> None:
    """Solve what is not in the file yet, tile by tile; a journal entry follows each block's data."""
    order, size, descriptor = work.order, solver.tile_bytes, partial.fd
    tiles = order.slots // 64
    base = partial.offset("values")

    def solve(piece: Piece) -> None:
        column, first, end = piece
        values = np.empty((end - first) * size, np.uint8)
        solver.solve(column, first, end, values)
        pwrite(descriptor, values.data, base + size * (tiles * column + first))

    done = len(partial.done)
    if done:
        _go_on(solver, order, done, lambda column, end: pread(descriptor, size * end, base + size * tiles * column))
        work.done = (order.block_tiles[done + 1] * 64 - 64) ** 2
    with ThreadPoolExecutor(1) as disk:  # which flushes one block beside the next one's work
        flushed: Future[None] | None = None
        for block in range(done + 1, order.blocks):
            for pieces in work.pieces(block, STRIP):
                work.run(pieces, solve)
            solver.drop(block)
            if flushed is not None:
                flushed.result()
            flushed = disk.submit(partial.commit, f"block {block} of {order.blocks - 1}")
        if flushed is not None:
            flushed.result()


def _go_on(solver: Solver, order: Order, done: int, read: Callable[[int, int], bytes]) -> None:
    """Fill the source from the blocks that a file already holds."""
    end = order.block_tiles[done + 1]
    first = order.block_tiles[max(1, done + 1 - WINDOW)]
    for column in range(first, end):
        solver.enter(column, 1, end, np.frombuffer(read(column, end), np.uint8)[solver.tile_bytes :])


def _source_bytes(order: Order, width: int) -> int:
    """The most memory the source takes at once: columns so far times the rows that are still built on."""
    tiles = order.block_tiles
    most = 0
    for block in range(1, order.blocks):
        rows = tiles[block + 1] - tiles[max(0, block - WINDOW)]
        most = max(most, tiles[block + 1] * rows + (tiles[block + 1] - tiles[block]) * tiles[block])
    return most * 64 * 64 * width
