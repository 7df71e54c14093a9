"""Many positions at once: numpy arrays in, numpy arrays out.

A batch of n positions is a uint64 array (n, 4) of packed words.  Every call checks its rows (a wrong one is named),
releases the GIL while it works, and takes ``threads=``; no thread outlives a call.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bgcore.arrays import (
    boards_to_counts,
    check_checkers,
    counts_to_boards,
    dice_rows,
    id_rows,
    integers,
    invalid_position,
    packed_rows,
    pinned_rows,
    small_counts,
)
from bgcore.core import board, bulk, game, playout
from bgcore.dice import ROLLS
from bgcore.errors import BgcoreError, InvalidPosition, InvalidReason, RuleError
from bgcore.position import Position, id_error
from bgcore.rules import BACKGAMMON, Rules
from bgcore.threads import Progress, in_threads, positive, usable

__all__ = [
    "PlayBatch",
    "Playouts",
    "Policy",
    "count_plays",
    "flip",
    "from_boards",
    "from_gnubg_ids",
    "gnubg_ids",
    "iter_legal_plays",
    "legal_plays",
    "pack",
    "perft",
    "pips",
    "playouts",
    "to_boards",
    "unpack",
    "validate",
]

Packed = NDArray[np.uint64]

SMALL = 4096
"""Rolls below which threads cost more than they bring: about a millisecond of work."""

CHUNK = 1024
"""Rolls that a thread makes before it copies their plays to their place: they should fit its second-level cache."""

SLACK = 3064
"""Rows the generator wants free ahead of a roll to write it straight to its place (movegen's BG_MAX_PLAYS + slack)."""

DEEPEST = 100
"""Depth of perft that is still let through: far more than will ever end, but for games that are stuck."""

GAMES_A_STREAM = 1024
"""Games of a playout that share one stream of random bits; part of what a seed means."""


# ---- conversions --------------------------------------------------------------------------------------------------


def pack(counts: ArrayLike, pinned: ArrayLike | None = None) -> Packed:
    """Counts to packed words.

    Parameters
    ----------
    counts : integers (n, 2, 26)
        Own slots, then the opponent's; 0 off, 1-24 points, 25 bar, each side in its own numbering.
    pinned : bool (n, 2, 26), optional
        Points on which that side has one checker under an opposing one.

    Returns
    -------
    uint64 (n, 4)

    Raises
    ------
    InvalidPosition
        A row is no position in any game.
    """
    rows = small_counts(counts)
    out = np.zeros((len(rows), 4), np.uint64)
    board.pack_rows(rows, None if pinned is None else pinned_rows(pinned, len(rows)), out)
    return _checked(out)


def unpack(packed: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Packed words to counts, uint8 (n, 2, 26), and pinned, bool (n, 2, 26)."""
    rows = _checked(packed_rows(packed))
    counts = np.empty((len(rows), 2, 26), np.uint8)
    pinned = np.empty((len(rows), 2, 26), np.uint8)
    board.unpack_rows(rows, counts, pinned)
    return counts, pinned.view(np.bool_)


def from_boards(boards: ArrayLike, checkers: int = 15) -> Packed:
    """Signed boards of a contrary game, integers (n, 26), to packed words; see Position.from_board."""
    array = integers(boards, "board", (26,))
    checkers = check_checkers(checkers)
    if array.ndim == 2 and len(array) and array.min() >= -15 and array.max() <= 15:
        rows = np.ascontiguousarray(array, np.int8)
        out = np.empty((len(rows), 4), np.uint64)
        if board.pack_boards(rows, checkers, out):
            return out
    # Something is wrong, and this says what.
    return _contrary(pack(boards_to_counts(array, checkers)))


def to_boards(packed: ArrayLike) -> NDArray[np.int8]:
    """Packed words to signed boards, int8 (n, 26); raises where a point is shared or a checker pinned."""
    rows = _checked(packed_rows(packed))
    out = np.empty((len(rows), 26), np.int8)
    if board.unpack_boards(rows, out):
        return out
    counts, pinned = unpack(rows)
    return counts_to_boards(counts, pinned.view(np.uint8))  # which says what is wrong


def flip(packed: ArrayLike) -> Packed:
    """The same boards seen by the other player."""
    return np.ascontiguousarray(_checked(packed_rows(packed))[:, [2, 3, 0, 1]])


def pips(packed: ArrayLike) -> NDArray[np.int32]:
    """Pips of the player on roll and of the opponent, int32 (n, 2); a checker on the bar counts 25."""
    rows = _checked(packed_rows(packed))
    out = np.empty((len(rows), 2), np.intc)
    board.pips_rows(rows, out)
    return out.astype(np.int32, copy=False)


def gnubg_ids(packed: ArrayLike) -> NDArray[np.str_]:
    """GNU Backgammon's Position IDs, `<U14` (n,); raises where a point is shared or a checker pinned."""
    rows = _contrary(_checked(packed_rows(packed)))
    codes = np.empty((len(rows), 14), np.uint8)
    board.encode_rows(rows, codes)
    return codes.astype(np.uint32).view("<U14" if np.little_endian else ">U14").reshape(len(rows))


def from_gnubg_ids(ids: ArrayLike, checkers: int = 15) -> Packed:
    """Position IDs, strings (n,), to packed words; see Position.from_gnubg_id."""
    codes = id_rows(ids)
    out = np.empty((len(codes), 4), np.uint64)
    bad = board.decode_rows(codes, check_checkers(checkers), out)
    if bad is not None:
        row, status, place = bad
        raise id_error(status, place, codes[row].tobytes().decode("latin-1"), checkers, row)
    return _contrary(_checked(out))


def validate(packed: ArrayLike, rules: Rules = BACKGAMMON) -> NDArray[np.uint32]:
    """Why each row is no position of the game: InvalidReason bits, uint32 (n,), 0 = valid.  Never raises for a row."""
    rows = packed_rows(packed)
    out = np.empty(len(rows), np.uint32)
    game.validate_rows(rows, _core(rules), out)
    return out


def _checked(rows: Packed) -> Packed:
    """The rows, which hold what holds in every game."""
    reasons = np.empty(len(rows), np.uint32)
    board.validate_rows(rows, reasons)
    if reasons.any():
        row = int(np.argmax(reasons != 0))
        raise invalid_position(int(reasons[row]), row)
    return rows


def _contrary(rows: Packed) -> Packed:
    """The rows, which share no point and pin no checker read as a contrary game."""
    reasons = np.empty(len(rows), np.uint32)
    game.validate_rows(rows, BACKGAMMON.core(), reasons)
    reasons &= np.uint32(InvalidReason.SHARED_POINT | InvalidReason.PIN_UNUSED)
    if reasons.any():
        row = int(np.argmax(reasons != 0))
        raise invalid_position(int(reasons[row]), row)
    return rows


# ---- legal plays --------------------------------------------------------------------------------------------------


class PlayBatch:
    """The legal plays of many rolls, one after the other (CSR form).

    Segment i holds the plays of roll i: ``results[offsets[i]:offsets[i + 1]]``.  With dice=None there are 21 rolls a
    position, segment 21 i + k being roll ``bgcore.dice.ROLLS[k]`` of position i.

    An empty ``PlayBatch()`` can be handed to ``legal_plays(out=…)``, as can one that a call has returned: its memory
    is then used again, and grows by doubling.

    Attributes
    ----------
    results : uint64 (m, 4)
        Packed positions after the plays, each seen by the player who rolls next.
    offsets : int64 (s + 1,)
        Where segments begin and end.
    moves : int8 (m, rules.max_moves, 3) or None
        Source, target, flags (1 hit, 2 pin) of each move, in the order of `Play.moves`; unused rows are -1.

    Notes
    -----
    **Threads:** one call at a time may fill it, a second is refused.  Arrays taken from it earlier stay safe to read;
    what they hold changes with the next call.
    """

    __slots__ = ("_lock", "_move_block", "_row_block", "_rules", "moves", "offsets", "results")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._row_block: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._move_block: NDArray[np.int8] = np.empty(0, np.int8)
        self.results: NDArray[np.uint64] = np.empty((0, 4), np.uint64)
        self.offsets: NDArray[np.int64] = np.zeros(1, np.int64)
        self.moves: NDArray[np.int8] | None = None
        self._rules: Rules | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        moves = "" if self.moves is None else ", with moves"
        return f"<PlayBatch: {len(self.results)} plays in {len(self)} segments{moves}>"

    def _repr_html_(self) -> str:
        """The first plays of the first segments on small boards, for notebooks."""
        from bgcore.draw.plays_html import plays_html

        return plays_html(repr(self), self.results, self.offsets, self.moves, self._rules)


def legal_plays(
    packed: ArrayLike,
    dice: ArrayLike | None = None,
    rules: Rules = BACKGAMMON,
    *,
    context: ArrayLike | None = None,
    moves: bool = False,
    pass_results: bool = False,
    threads: int = 1,
    out: PlayBatch | None = None,
) -> PlayBatch:
    """Every legal play of many positions and rolls, one per distinct final position.

    Parameters
    ----------
    packed : uint64 (n, 4)
        Positions, each seen by the player who has rolled.
    dice : integers (n, 2) or (2,), optional
        The roll of each position, or one for all, in either order; None = all 21 rolls of each.
    rules : Rules
    context : integers (n,) or one integer, optional
        For rule sets that define it; 0 for all others.
    moves : bool
        Whether to give the moves of each play as well.
    pass_results : bool
        A roll without a legal play gives the unchanged position, flipped, instead of an empty segment.  Finished games
        are always empty.
    threads : int
        How many may work at it; the answer is the same for any number.
    out : PlayBatch, optional
        Its memory is used, and it is returned.

    Returns
    -------
    PlayBatch
        The plays of a segment stand in the order of `Rules.legal_plays`.

    Raises
    ------
    TypeError, ValueError
        Wrong dtype or shape.
    InvalidPosition
        A row is no position of the game; `.row` says which comes first.
    RuleError
        A die outside 1 to 6; a context that means nothing.
    BgcoreError
        `out` is in use by another call.

    Examples
    --------
    >>> import bgcore as bg
    >>> start = bg.Position.initial().packed[None]
    >>> batch = bg.batch.legal_plays(start, (3, 1))
    >>> batch.results.shape, batch.offsets.tolist()
    ((16, 4), [0, 16])
    """
    rows = packed_rows(packed)
    _core(rules)
    rolls = None if dice is None else dice_rows(dice, len(rows))
    contexts = _contexts(context, len(rows), rolls, rules)
    segments = len(rows) * (len(ROLLS) if rolls is None else 1)
    threads = _threads(threads, segments)
    batch = PlayBatch() if out is None else out
    if not isinstance(batch, PlayBatch):
        raise TypeError(f"out must be a PlayBatch, not {type(batch).__name__}")
    if np.may_share_memory(rows, batch._row_block):
        rows = rows.copy()  # the results of an earlier call, about to be written over
    if not batch._lock.acquire(blocking=False):
        raise BgcoreError("out is in use by another call; give each thread its own PlayBatch")
    try:
        _fill(batch, rows, rolls, contexts, rules, segments, moves, pass_results, threads, fresh=out is None)
    finally:
        batch._lock.release()
    return batch


def _fill(
    batch: PlayBatch,
    rows: Packed,
    rolls: NDArray[np.uint8] | None,
    contexts: NDArray[np.int32] | None,
    rules: Rules,
    segments: int,
    moves: bool,
    pass_results: bool,
    threads: int,
    fresh: bool,
) -> None:
    """Run the generator until everything has found room."""
    offsets = batch.offsets if len(batch.offsets) == segments + 1 and not fresh else np.empty(segments + 1, np.int64)
    core = _core(rules)
    width = 3 * rules.max_moves
    chunk = max(1, min(CHUNK * len(rows) // max(segments, 1), -(-len(rows) // threads)))
    if _capacity(batch._row_block) == 0 or (moves and len(batch._move_block) == 0):
        _make_room(batch, _estimate(rows, rolls, rules, segments, pass_results), width if moves else 0)
    while True:
        room = _capacity(batch._row_block)
        if moves:
            room = min(room, len(batch._move_block) // width)
        job = bulk.PlayJob(
            rows,
            rolls,
            core,
            contexts,
            pass_results,
            offsets,
            _aligned(batch._row_block),
            batch._move_block.ctypes.data if moves else 0,
            room,
            threads,
            chunk,
        )
        in_threads(job.run, threads)
        if job.no_memory:
            raise MemoryError("no memory for the plays; give fewer positions at a time, as iter_legal_plays does")
        if job.bad_row >= 0:
            raise invalid_position(job.bad_reasons, job.bad_row)
        if job.total <= room:
            break
        _make_room(batch, max(2 * room, job.total), width if moves else 0)
    total = job.total
    if fresh:
        _give_back(batch, total, width if moves else 0)
    start = (_aligned(batch._row_block) - batch._row_block.ctypes.data) // 8
    batch.results = batch._row_block[start : start + 4 * total].reshape(total, 4)
    batch.offsets = offsets
    batch.moves = batch._move_block[: width * total].reshape(total, rules.max_moves, 3) if moves else None
    batch._rules = rules


def _aligned(block: NDArray[np.uint64]) -> int:
    """The first address in a block where a row may begin: vector stores want 32 bytes, cache lines have 64."""
    return -(-int(block.ctypes.data) // 64) * 64


def _capacity(block: NDArray[np.uint64]) -> int:
    """Rows that a block has room for."""
    return max(0, (len(block) - 8) // 4)


def _make_room(batch: PlayBatch, rows: int, width: int) -> None:
    """Blocks for so many rows; arrays of the old ones keep those alive."""
    batch._row_block = np.empty(4 * rows + 8, np.uint64)
    if width:
        batch._move_block = np.empty(width * rows, np.int8)


def _give_back(batch: PlayBatch, rows: int, width: int) -> None:
    """Shrink blocks that nobody else has seen to what is used; nothing is copied."""
    # numpy's realloc keeps large blocks where they are, so an aligned row stays aligned; small ones may move.
    start = (_aligned(batch._row_block) - batch._row_block.ctypes.data) // 8
    before = batch._row_block.ctypes.data % 64
    batch._row_block.resize(4 * rows + 8, refcheck=False)
    if batch._row_block.ctypes.data % 64 != before:
        moved = batch._row_block[start : start + 4 * rows].copy()
        start = (_aligned(batch._row_block) - batch._row_block.ctypes.data) // 8
        batch._row_block[start : start + 4 * rows] = moved
    if width:
        batch._move_block.resize(width * rows, refcheck=False)


def _estimate(rows: Packed, rolls: NDArray[np.uint8] | None, rules: Rules, segments: int, pass_results: bool) -> int:
    """Rows that the plays will probably take: exact for a few positions, from a sample of many."""
    step = max(1, len(rows) // 64)
    sample = np.ascontiguousarray(rows[::step])
    some = rolls if rolls is None or len(rolls) == 1 else np.ascontiguousarray(rolls[::step])
    counts = np.zeros((len(sample), len(ROLLS) if some is None else 1), np.int32)
    # A row that is no position stops the count; the run itself names it.
    bulk.count_rows(sample, some, _core(rules), None, counts, 0, len(sample))
    mean = counts.mean() if counts.size else 0.0
    # Memory that is never touched costs nothing, and is given back.
    return int(mean * segments * (1 if step == 1 else 1.3)) + (segments if pass_results else 0) + SLACK


def iter_legal_plays(
    packed: ArrayLike,
    dice: ArrayLike | None = None,
    rules: Rules = BACKGAMMON,
    *,
    context: ArrayLike | None = None,
    moves: bool = False,
    pass_results: bool = False,
    threads: int = 1,
    chunk: int = 4096,
) -> Iterator[tuple[int, PlayBatch]]:
    """The plays of `chunk` positions at a time, in one PlayBatch that is used again.

    Yields
    ------
    start : int
        Number of the first position.
    batch : PlayBatch
        As `legal_plays` returns it; it changes with the next step.
    """
    rows = packed_rows(packed)
    rolls = None if dice is None else dice_rows(dice, len(rows))
    if chunk < 1:
        raise ValueError(f"chunk must be at least 1, not {chunk}")
    batch = PlayBatch()
    for start in range(0, len(rows), chunk):
        part = slice(start, start + chunk)
        try:
            legal_plays(
                rows[part],
                rolls[part] if rolls is not None and len(rolls) > 1 else None if rolls is None else rolls[0],
                rules,
                context=context if context is None or np.ndim(context) == 0 else np.asarray(context)[part],
                moves=moves,
                pass_results=pass_results,
                threads=threads,
                out=batch,
            )
        except InvalidPosition as error:
            raise invalid_position(int(error.reason), start + (error.row or 0)) from None
        yield start, batch


def count_plays(
    packed: ArrayLike,
    dice: ArrayLike | None = None,
    rules: Rules = BACKGAMMON,
    threads: int = 1,
    *,
    context: ArrayLike | None = None,
) -> NDArray[np.int32]:
    """How many legal plays each roll has; 0 = none, or the game is over.

    Returns
    -------
    int32 (n,), or (n, 21) with dice=None
        Columns in the order of `bgcore.dice.ROLLS`.
    """
    rows = packed_rows(packed)
    _core(rules)
    rolls = None if dice is None else dice_rows(dice, len(rows))
    contexts = _contexts(context, len(rows), rolls, rules)
    out = np.empty((len(rows), len(ROLLS) if rolls is None else 1), np.int32)
    threads = _threads(threads, out.size)
    cuts = np.linspace(0, len(rows), threads + 1).astype(int).tolist()
    bad: list[tuple[int, int]] = []
    parts = iter(list(pairwise(cuts)))

    def part() -> None:
        begin, end = next(parts)
        found = bulk.count_rows(rows, rolls, _core(rules), contexts, out, begin, end)
        if found is not None:
            bad.append(found)

    in_threads(part, threads)
    if bad:
        row, reasons = min(bad)
        raise invalid_position(reasons, row)
    return out if rolls is None else out[:, 0]


# ---- whole trees and whole games ----------------------------------------------------------------------------------


def perft(
    position: Position,
    depth: int,
    rules: Rules = BACKGAMMON,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> int:
    """Count the lines of play of a depth, over the 21 different rolls at each ply.

    A roll without a legal play is one pass; a won game ends its line and counts as the play that won it; depth 0 is 1,
    and so is any depth of a finished position.  Plain recursion: nothing is remembered.

    Parameters
    ----------
    position : Position
    depth : int
    rules : Rules
    threads : int
    progress : callable (done, total), optional
        Called now and then from the calling thread.

    Examples
    --------
    >>> import bgcore as bg
    >>> bg.perft(bg.BACKGAMMON.start, 2)
    202782
    """
    depth = operator.index(depth)
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"depth must be 0 to {DEEPEST}, not {depth}")
    if depth < 3 or rules.outcome(position) is not None or (rules.contact == "hit" and rules.runner != "none"):
        roots = position.packed[np.newaxis]
        below = depth
    else:
        # One ply here, so that threads have something to share and a long count can be watched and interrupted.
        roots = legal_plays(position.packed[np.newaxis], rules=rules, pass_results=True).results
        below = depth - 1
    counted = np.zeros(len(roots), np.int64)
    next_row = np.zeros(1, np.int64)
    ends = threading.Event()

    def work() -> None:
        while not ends.is_set() and next_row[0] < len(roots):
            bulk.perft_row(roots, _core(rules), below, counted, next_row)
            if progress is not None and threading.current_thread() is caller:
                progress(int(min(next_row[0], len(roots))), len(roots))

    caller = threading.current_thread()
    in_threads(work, positive(threads, "threads") if depth > 2 else 1, ends)
    return int(counted.sum())


@dataclass(frozen=True, eq=False)
class Playouts:
    """How random games from each position ended.

    Attributes
    ----------
    counts : int64 (n, 7)
        Games, exclusive: single, gammon, backgammon won by the player on roll at the start, the same lost, drawn.
    plies : int64 (n,)
        Rolls thrown, passes included, summed over the games.
    trials : int
        Games a position.
    """

    counts: NDArray[np.int64]
    plies: NDArray[np.int64]
    trials: int

    def __repr__(self) -> str:
        return f"<Playouts: {len(self.counts)} positions, {self.trials} games each>"


class Policy(Protocol):
    """What chooses plays in `playouts`: an object whose choice the core can ask for without Python."""

    @property
    def rules(self) -> Rules:
        """The game it plays."""

    def policy(self, packed: Packed, /) -> playout.Policy:
        """The native chooser, for games from these positions; an error if it can't play them."""


def playouts(
    packed: ArrayLike,
    trials: int,
    *,
    rules: Rules = BACKGAMMON,
    policy: Policy | None = None,
    seed: int | np.random.SeedSequence,
    threads: int = 1,
    progress: Progress | None = None,
) -> Playouts:
    """Play games to the end, at random or as a policy says.

    Parameters
    ----------
    packed : uint64 (n, 4)
        Starting positions, each seen by the player who rolls first; a finished one counts as its own end.
    trials : int
        Games from each.
    rules : Rules
    policy : Policy, optional
        Chooses the plays of both sides, such as a `bgcore.bearoff.TwoSided`.  Otherwise every distinct final position
        of a roll is equally likely.
    seed : int or numpy.random.SeedSequence
        Same seed, same games, for any number of threads.
    threads : int
    progress : callable (done, total), optional
        Games finished, called from the calling thread.

    Returns
    -------
    Playouts

    Notes
    -----
    Stability: games are numbered position by position; each block of 1,024 has the PCG64 stream of
    ``SeedSequence(entropy, spawn_key=(*spawn_key, block))``.
    """
    rows = packed_rows(packed)
    if positive(trials, "trials") > 2**40:
        raise ValueError(f"trials must be at most 2**40, not {trials}")
    bad = validate(rows, rules)
    if bad.any():
        row = int(np.argmax(bad != 0))
        raise invalid_position(int(bad[row]), row)
    if policy is not None and policy.rules != rules:
        raise RuleError(f"{policy!r} is for {policy.rules.name}, not for {rules.name}")
    chooser = None if policy is None else policy.policy(rows)
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    games = len(rows) * trials
    counts = np.zeros((len(rows), 7), np.int64)
    plies = np.zeros(len(rows), np.int64)
    blocks = iter(range(-(-games // GAMES_A_STREAM)))
    lock = threading.Lock()
    ends = threading.Event()
    done = 0

    def work() -> None:
        nonlocal done
        while not ends.is_set():
            with lock:
                block = next(blocks, None)
            if block is None:
                return
            stream = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, block), pool_size=root.pool_size)
            first = block * GAMES_A_STREAM
            last = min(first + GAMES_A_STREAM, games)
            bits = np.random.PCG64(stream)
            playout.play_block(rows, trials, _core(rules), chooser, bits, first, last, counts, plies)
            with lock:
                done += last - first
            if progress is not None and threading.current_thread() is caller:
                progress(done, games)

    caller = threading.current_thread()
    in_threads(work, min(positive(threads, "threads"), -(-games // GAMES_A_STREAM) or 1), ends)
    return Playouts(counts, plies, trials)


# ---- common to all calls ------------------------------------------------------------------------------------------


def _contexts(
    context: ArrayLike | None, n: int, rolls: NDArray[np.uint8] | None, rules: Rules
) -> NDArray[np.int32] | None:
    """The context of each row, or None if all are 0; one that means nothing is refused."""
    if context is None:
        return None
    array = integers(context, "context", ())
    if array.ndim and array.shape != (n,):
        raise ValueError(f"context must have shape ({n},) or be one integer, not {array.shape}")
    if not array.any():
        return None
    courier = rules.contact == "hit" and rules.runner != "none"
    if rules.doubles != "cascade" and not courier:
        raise RuleError(f"{rules.name} has no context; it must be 0")
    most = 1 if courier else 4
    if array.min() < 0 or array.max() > most:
        meaning = (
            "1 once the courier has arrived, else 0" if courier else "the steps of a sub-roll, 1 to 4, or 0 for all"
        )
        raise RuleError(f"{rules.name}: context is {meaning}")
    wide = np.require(np.broadcast_to(array, (n,)), np.int32, ["C", "A"])
    if not courier and (rolls is None or (np.broadcast_to(rolls[:, 0] != rolls[:, 1], (n,)) & (wide != 0)).any()):
        raise RuleError(f"{rules.name}: only equal dice are a sub-roll; context must be 0 with others")
    return wide


def _core(rules: Rules) -> game.Game:
    """The rule set as the core reads it."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules such as bgcore.BACKGAMMON, not {type(rules).__name__}")
    return rules.core()


def _threads(threads: SupportsIndex, work: int) -> int:
    """How many threads to use: one for little work, never more than there are processors to run them."""
    wanted = usable(threads)
    return 1 if work < SMALL else wanted
