"""Laws of the batch calls: the same plays for any dice form, threads, chunk or reused memory, and no others."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bgcore as bg
import strategies
from bgcore import batch
from bgcore.arrays import boards_to_counts
from naive import backgammon as naive
from naive.backgammon import Board

ROLLS = np.array(naive.ROLLS)


def pack(boards: list[Board], checkers: int = 15) -> np.ndarray:
    return batch.from_boards(np.array(boards, np.int8).reshape(-1, 26), checkers)


@cache
def corpus() -> np.ndarray:
    """Some 600 positions: of games in order, of every kind, and a few that are over."""
    boards = [board for kind in strategies.KINDS for board in strategies.seeded(kind, 31, 60)]
    boards += islice(strategies.self_play(31), 200)
    boards += [strategies.board_of({}, {6: 2}), strategies.board_of({6: 2}, {}), strategies.board_of({}, {25: 15})]
    packed = pack(boards)
    packed = packed[np.random.default_rng(31).permutation(len(packed))]
    packed.setflags(write=False)
    return packed


def thrown(n: int, seed: int = 1) -> np.ndarray:
    return bg.dice.SeededDice(seed).rolls(n)


def copied(plays: batch.PlayBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    return plays.results.copy(), plays.offsets.copy(), None if plays.moves is None else plays.moves.copy()


def assert_same(plays: batch.PlayBatch, expected: tuple[np.ndarray, np.ndarray, np.ndarray | None]) -> None:
    results, offsets, moves = expected
    assert np.array_equal(plays.offsets, offsets)
    assert np.array_equal(plays.results, results)
    assert (plays.moves is None) == (moves is None)
    assert moves is None or np.array_equal(plays.moves, moves)
    assert len(plays) == len(offsets) - 1
    assert plays.results.dtype == np.uint64
    assert plays.offsets.dtype == np.int64
    assert plays.results.shape == (offsets[-1], 4)
    assert plays.moves is None or (plays.moves.dtype == np.int8 and plays.moves.shape == (offsets[-1], 4, 3))
    assert plays.results.flags.c_contiguous
    assert plays.moves is None or plays.moves.flags.c_contiguous


def segment(plays: batch.PlayBatch, i: int) -> np.ndarray:
    return plays.results[plays.offsets[i] : plays.offsets[i + 1]]


@pytest.fixture
def many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads also for little work, and more of them than there are processors; chunks of one position."""
    monkeypatch.setattr(batch, "SMALL", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)


# ---- dice ---------------------------------------------------------------------------------------------------------


def test_all_rolls_are_the_single_ones_in_order() -> None:
    packed = corpus()[:80]
    every = batch.legal_plays(packed, moves=True)
    assert len(every) == 21 * len(packed)
    assert batch.count_plays(packed).shape == (len(packed), 21)
    for k, roll in enumerate(bg.dice.ROLLS):
        one = batch.legal_plays(packed, roll, moves=True)
        for i in range(len(packed)):
            assert np.array_equal(segment(every, 21 * i + k), segment(one, i))
        assert np.array_equal(batch.count_plays(packed)[:, k], batch.count_plays(packed, roll))
        parts = [slice(*every.offsets[21 * i + k : 21 * i + k + 2].tolist()) for i in range(len(packed))]
        assert np.array_equal(np.concatenate([every.moves[part] for part in parts]), one.moves)


def test_dice_in_either_order_and_form() -> None:
    packed, dice = corpus(), thrown(len(corpus()))
    expected = copied(batch.legal_plays(packed, dice, moves=True))
    assert_same(batch.legal_plays(packed, dice[:, ::-1], moves=True), expected)
    assert_same(batch.legal_plays(packed, np.sort(dice, axis=1).tolist(), moves=True), expected)
    assert np.array_equal(batch.count_plays(packed, dice[:, ::-1]), np.diff(expected[1]))
    one = copied(batch.legal_plays(packed, (5, 2)))
    for same in ((2, 5), [5, 2], np.array([2, 5]), np.tile([5, 2], (len(packed), 1))):
        assert_same(batch.legal_plays(packed, same), one)


def test_the_order_of_a_segment_is_that_of_the_scalar_call() -> None:
    dice = thrown(len(corpus()))
    plays = batch.legal_plays(corpus(), dice)
    for i in range(0, len(corpus()), 7):
        scalar = bg.BACKGAMMON.legal_plays(bg.Position.from_packed(corpus()[i]), dice[i])
        assert segment(plays, i).tolist() == [play.result.packed.tolist() for play in scalar]


def test_neighbours_do_not_matter() -> None:
    """Positions in another order give the same segments in that order; the same position twice gives the same twice."""
    packed, dice = corpus(), thrown(len(corpus()))
    plays = batch.legal_plays(packed, dice, moves=True)
    order = np.random.default_rng(3).integers(0, len(packed), 2 * len(packed))
    other = batch.legal_plays(packed[order], dice[order], moves=True)
    rows = np.concatenate([np.arange(plays.offsets[i], plays.offsets[i + 1]) for i in order])
    assert np.array_equal(other.results, plays.results[rows])
    assert np.array_equal(other.moves, plays.moves[rows])
    assert np.array_equal(np.diff(other.offsets), np.diff(plays.offsets)[order])


# ---- threads ------------------------------------------------------------------------------------------------------

FORMS = list(product((False, True), (False, True), (None, (3, 1), "rows")))


@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize(("moves", "pass_results", "dice"), FORMS)
def test_any_number_of_threads_even_for_little(moves: bool, pass_results: bool, dice: Any) -> None:
    packed = corpus()[:150]
    dice = thrown(len(packed)) if dice == "rows" else dice
    expected = copied(batch.legal_plays(packed, dice, moves=moves, pass_results=pass_results))
    counts = batch.count_plays(packed, dice)
    for threads in (2, 3, 4, 8, 100):
        for out in (None, batch.PlayBatch()):
            plays = batch.legal_plays(packed, dice, moves=moves, pass_results=pass_results, threads=threads, out=out)
            assert_same(plays, expected)
        assert np.array_equal(batch.count_plays(packed, dice, threads=threads), counts)


def test_any_number_of_threads() -> None:
    packed = np.tile(corpus(), (5, 1))
    expected = copied(batch.legal_plays(packed, moves=True))
    counts = batch.count_plays(packed)
    assert np.array_equal(counts.ravel(), np.diff(expected[1]))
    out = batch.PlayBatch()
    for threads in (1, 2, 3, 4):
        assert_same(batch.legal_plays(packed, moves=True, threads=threads), expected)
        assert_same(batch.legal_plays(packed, moves=True, threads=threads, out=out), expected)
        assert np.array_equal(batch.count_plays(packed, threads=threads), counts)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads(threads: int) -> None:
    for call in (
        lambda: batch.legal_plays(corpus(), threads=threads),
        lambda: batch.count_plays(corpus(), threads=threads),
        lambda: batch.playouts(corpus(), 1, seed=1, threads=threads),
        lambda: bg.perft(bg.Position.initial(), 3, threads=threads),
        lambda: next(batch.iter_legal_plays(corpus(), threads=threads)),
    ):
        with pytest.raises(ValueError, match="threads must be at least 1"):
            call()


@pytest.mark.parametrize("threads", [1.5, "2", None])
def test_threads_of_a_wrong_type(threads: Any) -> None:
    for call in (
        lambda: batch.legal_plays(corpus(), threads=threads),
        lambda: batch.count_plays(corpus(), threads=threads),
        lambda: batch.playouts(corpus(), 1, seed=1, threads=threads),
    ):
        with pytest.raises(TypeError):
            call()


def test_no_thread_outlives_a_call() -> None:
    before = threading.active_count()
    batch.legal_plays(np.tile(corpus(), (5, 1)), threads=2)
    batch.count_plays(np.tile(corpus(), (5, 1)), threads=2)
    batch.playouts(corpus(), 5, seed=1, threads=2)
    assert threading.active_count() == before


def test_others_run_meanwhile() -> None:
    """The lock of the interpreter is free during a call: a sleeper wakes up again and again."""
    packed = np.tile(corpus(), (60, 1))
    calls: list[Callable[[], Any]] = [
        lambda: batch.count_plays(packed),
        lambda: batch.legal_plays(packed),
        lambda: bg.perft(bg.Position.initial(), 3),
        lambda: batch.playouts(corpus(), 40, seed=1),
    ]
    for call in calls:
        began = time.perf_counter()
        thread = threading.Thread(target=call)
        thread.start()
        woken = 0
        while thread.is_alive():
            time.sleep(0.001)
            woken += 1
        taken = time.perf_counter() - began
        # Kept out, it would wake once or twice, however long the call.
        assert woken > 5 or taken < 0.05


def test_calls_in_several_threads_do_not_mix() -> None:
    packed, dice = corpus(), thrown(len(corpus()))
    expected = copied(batch.legal_plays(packed, dice, moves=True))
    failures = []

    def work(shift: int) -> None:
        own = batch.PlayBatch()
        order = np.roll(np.arange(len(packed)), shift)
        for _ in range(5):
            plays = batch.legal_plays(packed[order], dice[order], moves=True, threads=2, out=own)
            if not np.array_equal(np.diff(plays.offsets), np.diff(expected[1])[order]):
                failures.append(shift)
            plays = batch.legal_plays(packed, dice, moves=True, out=own)
            if not (np.array_equal(plays.results, expected[0]) and np.array_equal(plays.moves, expected[2])):
                failures.append(shift)

    threads = [threading.Thread(target=work, args=(shift,)) for shift in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


# ---- passes and ends ----------------------------------------------------------------------------------------------


def test_no_play_is_an_empty_segment_or_the_position_flipped() -> None:
    packed = corpus()
    plain, passing = (batch.legal_plays(packed, pass_results=on, moves=True) for on in (False, True))
    over = np.repeat([bg.Position.from_packed(row).is_over for row in packed], 21)
    empty = np.diff(plain.offsets) == 0
    assert over.any()
    assert (empty & ~over).sum() > 100
    assert np.array_equal(np.diff(passing.offsets), np.where(empty & ~over, 1, np.diff(plain.offsets)))
    for i in np.flatnonzero(empty & ~over)[::5].tolist():
        assert np.array_equal(segment(passing, i), batch.flip(packed[i // 21 : i // 21 + 1]))
        assert (passing.moves[passing.offsets[i]] == -1).all()
    kept = np.ones(len(passing.results), bool)
    kept[passing.offsets[:-1][empty & ~over]] = False
    assert np.array_equal(passing.results[kept], plain.results)
    assert np.array_equal(passing.moves[kept], plain.moves)
    assert batch.count_plays(packed)[over.reshape(-1, 21)].sum() == 0


# ---- moves --------------------------------------------------------------------------------------------------------


def made(counts: list[list[int]], dice: list[int], moves: list[list[int]]) -> list[list[int]]:
    """Return counts after moves made one by one with the dice of a roll, each checked against the board as it is."""
    own, opp = (list(side) for side in counts)
    ways = {(dice[0],) * 4} if dice[0] == dice[1] else {tuple(dice), tuple(dice[::-1])}
    for source, target, flags in moves:
        assert 0 <= target < source <= 25
        assert own[source] > 0
        assert own[25] == 0 or source == 25
        own[source] -= 1
        hit = target > 0 and opp[25 - target] > 0
        assert flags == hit
        if hit:
            assert opp[25 - target] == 1
            opp[25 - target], opp[25] = 0, opp[25] + 1
        own[target] += 1
    pips = [source - target for source, target, _ in moves]
    fits = [
        all(
            pip == die or (target == 0 and pip < die)
            for pip, die, (_, target, _) in zip(pips, way, moves, strict=False)
        )
        for way in ways
    ]
    assert any(fits)
    assert len(moves) <= len(next(iter(ways)))
    return [opp, own]


def test_moves_lead_to_their_results() -> None:
    packed, dice = corpus(), thrown(len(corpus()), 5)
    plays = batch.legal_plays(packed, dice, moves=True)
    before, after = batch.unpack(packed)[0].tolist(), batch.unpack(plays.results)[0].tolist()
    moves = plays.moves.tolist()
    for i, (start, stop) in enumerate(zip(plays.offsets[:-1].tolist(), plays.offsets[1:].tolist(), strict=True)):
        for play in range(start, stop):
            real = [move for move in moves[play] if move != [-1, -1, -1]]
            assert moves[play] == real + [[-1, -1, -1]] * (4 - len(real))
            assert real
            keys = [(-source, -target) for source, target, _ in real]
            assert keys == sorted(keys)
            assert made(before[i], dice[i].tolist(), real) == after[play], (before[i], dice[i], real)
        assert len({tuple(map(tuple, side)) for side in after[start:stop]}) == stop - start


def test_results_do_not_depend_on_moves() -> None:
    with_moves, without = batch.legal_plays(corpus(), moves=True), batch.legal_plays(corpus())
    assert without.moves is None
    assert_same(without, (with_moves.results, with_moves.offsets, None))


# ---- out= ---------------------------------------------------------------------------------------------------------


def test_out_is_returned_and_filled() -> None:
    out = batch.PlayBatch()
    assert (len(out), out.results.shape, out.offsets.tolist(), out.moves) == (0, (0, 4), [0], None)
    assert batch.legal_plays(corpus(), out=out) is out
    assert_same(out, copied(batch.legal_plays(corpus())))
    fresh = batch.legal_plays(corpus()[:50], (6, 5))
    assert batch.legal_plays(corpus(), out=fresh) is fresh
    assert_same(fresh, copied(batch.legal_plays(corpus())))


def test_memory_is_used_again() -> None:
    out = batch.PlayBatch()
    for moves in (False, True):
        batch.legal_plays(corpus(), moves=moves, out=out)
        results, offsets, made_moves = out.results, out.offsets, out.moves
        batch.legal_plays(corpus(), moves=moves, out=out)
        assert np.shares_memory(out.results, results)
        assert np.shares_memory(out.offsets, offsets)
        assert not moves or np.shares_memory(out.moves, made_moves)
        batch.legal_plays(corpus()[:10], moves=moves, out=out)
        assert np.shares_memory(out.results, results)


def test_calls_without_out_share_nothing() -> None:
    one, two = batch.legal_plays(corpus(), moves=True), batch.legal_plays(corpus(), moves=True)
    for name in ("results", "offsets", "moves"):
        assert not np.shares_memory(getattr(one, name), getattr(two, name))
        assert getattr(one, name).flags.writeable


def test_old_arrays_stay_readable() -> None:
    """What they hold may change, but they keep their size and their memory."""
    out = batch.PlayBatch()
    batch.legal_plays(corpus()[:3], moves=True, out=out)
    kept = [copied(out), (out.results, out.offsets, out.moves)]
    for n in (30, 100, len(corpus())):
        batch.legal_plays(corpus()[:n], moves=True, out=out)
    del out
    gc.collect()
    for copy, array in zip(*kept, strict=True):
        assert array.shape == copy.shape
        assert array.sum() is not None
        array.fill(1)  # and they are still memory that may be written to


def test_memory_grows_by_doubling() -> None:
    out = batch.PlayBatch()
    packed = np.tile(corpus(), (20, 1))
    blocks = []
    sizes = range(50, len(packed), 50)
    for n in sizes:
        batch.legal_plays(packed[:n], (3, 1), out=out)
        if not blocks or not np.shares_memory(out.results, blocks[-1]):
            blocks.append(out.results)
    assert len(blocks) <= 2 + (len(packed) * 16 // 50).bit_length() < len(sizes) // 4
    assert_same(out, copied(batch.legal_plays(packed[: sizes[-1]], (3, 1))))


def test_moves_come_and_go() -> None:
    out = batch.PlayBatch()
    for n, moves in ((50, False), (50, True), (20, True), (200, False), (200, True), (1, False), (len(corpus()), True)):
        batch.legal_plays(corpus()[:n], moves=moves, out=out)
        assert_same(out, copied(batch.legal_plays(corpus()[:n], moves=moves)))


def test_a_batch_in_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second thread gets an error, the first its plays; afterwards the batch can be used again."""
    out, inside, go, seen = batch.PlayBatch(), threading.Event(), threading.Event(), []
    fill = batch._fill

    def slow(*args: Any, **more: Any) -> None:
        inside.set()
        go.wait()
        fill(*args, **more)

    monkeypatch.setattr(batch, "_fill", slow)
    thread = threading.Thread(target=lambda: seen.append(batch.legal_plays(corpus(), (3, 1), out=out)))
    thread.start()
    inside.wait()
    monkeypatch.setattr(batch, "_fill", fill)
    try:
        with pytest.raises(bg.BgcoreError, match="in use"):
            batch.legal_plays(corpus(), (6, 5), out=out)
    finally:
        go.set()
        thread.join()
    assert seen == [out]
    assert_same(out, copied(batch.legal_plays(corpus(), (3, 1))))
    assert_same(batch.legal_plays(corpus(), (6, 5), out=out), copied(batch.legal_plays(corpus(), (6, 5))))


def test_after_an_error_a_batch_can_be_used_again() -> None:
    out = batch.PlayBatch()
    bad = np.zeros((5, 4), np.uint64)
    for wrong in (lambda: batch.legal_plays(bad, out=out), lambda: batch.legal_plays(corpus(), (0, 1), out=out)):
        with pytest.raises(bg.BgcoreError):
            wrong()
        assert_same(batch.legal_plays(corpus(), moves=True, out=out), copied(batch.legal_plays(corpus(), moves=True)))


def test_the_results_of_a_batch_may_go_in_again() -> None:
    """Walking down a game with one batch: its own results are what the next call reads."""
    for threads in (1, 2):
        out = batch.PlayBatch()
        batch.legal_plays(np.tile(corpus(), (12, 1)), out=out)  # room for all that follows
        plays = batch.legal_plays(corpus()[:20], (3, 1), pass_results=True, out=out)
        for roll in ((6, 5), (4, 2), (2, 1)):
            part = plays.results[: min(len(plays.results), 900)]
            expected = copied(batch.legal_plays(part.copy(), roll, pass_results=True))
            plays = batch.legal_plays(part, roll, pass_results=True, threads=threads, out=out)
            assert_same(plays, expected)


@pytest.mark.parametrize("out", [5, [], np.empty((10, 4), np.uint64), batch.PlayBatch])
def test_out_of_another_type(out: Any) -> None:
    with pytest.raises(TypeError, match="PlayBatch"):
        batch.legal_plays(corpus(), out=out)


def test_sizes_are_exact_and_words_of_32_bytes() -> None:
    for n in (0, 1, 2, 50, len(corpus())):
        for moves in (False, True):
            plays = batch.legal_plays(corpus()[:n], moves=moves)
            assert_same(plays, copied(plays))
            assert plays.results.ctypes.data % 8 == 0
            assert plays.offsets[0] == 0
            assert (np.diff(plays.offsets) >= 0).all()


def test_the_largest_number_of_plays() -> None:
    """2,226 plays of one roll, among many that have few: wherever the memory ends."""
    own = dict.fromkeys((3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 20, 21, 23, 24), 1)
    crowd = pack([strategies.board_of(own, {25: 15})])
    few = pack([strategies.board_of({1: 1}, {1: 1})])
    for pattern in ([0, 1], [1, 0], [0] * 30 + [1], [1] + [0] * 300, [0, 1] * 40, [1] * 70):
        packed = np.concatenate([(few, crowd)[which] for which in pattern])
        out = batch.PlayBatch()
        for moves in (False, True):
            plays = batch.legal_plays(packed, (1, 1), moves=moves, out=out)
            assert np.diff(plays.offsets).tolist() == [(1, 2226)[which] for which in pattern]
            assert_same(batch.legal_plays(packed, (1, 1), moves=moves, threads=2), copied(plays))


CALLS = st.lists(
    st.tuples(
        st.integers(0, 120), st.integers(1, 120), st.booleans(), st.booleans(), st.integers(0, 3), st.integers(1, 4)
    ),
    min_size=1,
    max_size=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(calls=CALLS)
def test_any_series_of_calls_with_one_batch(many_threads: None, calls: list[Any]) -> None:
    """Larger, smaller, with and without moves, by turns: always what a fresh call gives."""
    out = batch.PlayBatch()
    for first, n, moves, pass_results, form, threads in calls:
        packed = corpus()[first : first + n]
        dice = [None, (6, 3), thrown(len(packed), n), (2, 2)][form]
        plays = batch.legal_plays(packed, dice, moves=moves, pass_results=pass_results, threads=threads, out=out)
        assert_same(plays, copied(batch.legal_plays(packed, dice, moves=moves, pass_results=pass_results)))


# ---- chunk by chunk -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [1, 7, 100, 4096])
@pytest.mark.parametrize("form", ["all", "pair", "rows"])
def test_chunk_by_chunk(chunk: int, form: str) -> None:
    packed = corpus()[:203]
    dice = {"all": None, "pair": (6, 1), "rows": thrown(203)}[form]
    whole = batch.legal_plays(packed, dice, moves=True, pass_results=True)
    starts, results, moves, counts, seen = [], [], [], [], set()
    for start, plays in batch.iter_legal_plays(packed, dice, moves=True, pass_results=True, chunk=chunk, threads=2):
        starts.append(start)
        results.append(plays.results.copy())
        moves.append(plays.moves.copy())
        counts.append(np.diff(plays.offsets))
        seen.add(id(plays))
    assert starts == list(range(0, 203, chunk))
    assert len(seen) == 1  # one buffer
    assert np.array_equal(np.concatenate(results), whole.results)
    assert np.array_equal(np.concatenate(moves), whole.moves)
    assert np.array_equal(np.concatenate(counts), np.diff(whole.offsets))


def test_chunks_of_nothing() -> None:
    assert list(batch.iter_legal_plays(corpus()[:0])) == []
    for chunk in (0, -1):
        with pytest.raises(ValueError, match="chunk must be at least 1"):
            next(batch.iter_legal_plays(corpus(), chunk=chunk))


@pytest.mark.parametrize("row", [0, 9, 10, 25, 39])
def test_a_bad_row_is_named_from_the_first_chunk_on(row: int) -> None:
    packed = corpus()[:40].copy()
    packed[row:] = 0
    before = []
    steps = batch.iter_legal_plays(packed, (3, 1), chunk=10)
    with pytest.raises(bg.InvalidPosition, match=rf"row {row}\b") as caught:
        before.extend(start for start, _ in steps)
    assert before == list(range(0, row - row % 10, 10))
    assert caught.value.row == row


# ---- bad rows -----------------------------------------------------------------------------------------------------

READERS: dict[str, Callable[..., Any]] = {
    "legal_plays": lambda packed, threads: batch.legal_plays(packed, threads=threads),
    "legal_plays one roll": lambda packed, threads: batch.legal_plays(packed, (3, 1), moves=True, threads=threads),
    "count_plays": lambda packed, threads: batch.count_plays(packed, threads=threads),
    "count_plays one roll": lambda packed, threads: batch.count_plays(packed, (3, 1), threads=threads),
    "playouts": lambda packed, threads: batch.playouts(packed, 1, seed=1, threads=threads),
    "unpack": lambda packed, _: batch.unpack(packed),
    "to_boards": lambda packed, _: batch.to_boards(packed),
    "flip": lambda packed, _: batch.flip(packed),
    "pips": lambda packed, _: batch.pips(packed),
    "gnubg_ids": lambda packed, _: batch.gnubg_ids(packed),
}


@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize("reader", READERS)
def test_the_first_bad_row_is_named_for_any_threads(reader: str) -> None:
    rng = random.Random(reader)
    both_off, too_many = np.zeros(4, np.uint64), np.full(4, 2**64 - 1, np.uint64)
    for threads in (1, 2, 3, 4, 8):
        for _ in range(5):
            packed = corpus()[:300].copy()
            rows = sorted(rng.sample(range(300), rng.randint(1, 5)))
            for place, row in enumerate(rows):
                packed[row] = (both_off, too_many)[place % 2]
            with pytest.raises(bg.InvalidPosition, match=rf"^row {rows[0]}: ") as caught:
                READERS[reader](packed, threads)
            assert caught.value.row == rows[0]
            assert caught.value.reason & bg.InvalidReason.BOTH_OFF


@pytest.mark.parametrize("reader", READERS)
def test_a_bad_row_far_out(reader: str) -> None:
    packed = np.tile(corpus(), (4, 1))
    packed[-7] = 0
    for threads in (1, 2):
        with pytest.raises(bg.InvalidPosition) as caught:
            READERS[reader](packed, threads)
        assert caught.value.row == len(packed) - 7


def test_validate_names_all_and_raises_for_none() -> None:
    packed = corpus()[:50].copy()
    packed[3], packed[40] = 0, 2**64 - 1
    found = batch.validate(packed)
    assert found.dtype == np.uint32
    assert np.flatnonzero(found).tolist() == [3, 40]
    assert found[3] & bg.InvalidReason.BOTH_OFF
    hypergammon = batch.validate(bg.HYPERGAMMON.start.packed[None])
    assert hypergammon.tolist() == [bg.InvalidReason.WRONG_TOTAL_OWN | bg.InvalidReason.WRONG_TOTAL_OPP]
    assert batch.validate(bg.HYPERGAMMON.start.packed[None], bg.HYPERGAMMON).tolist() == [0]


# ---- context ------------------------------------------------------------------------------------------------------


def test_context_means_nothing_in_backgammon() -> None:
    packed = corpus()[:20]
    expected = copied(batch.legal_plays(packed, (3, 1)))
    for context in (None, 0, np.zeros(20, int), [0] * 20):
        assert_same(batch.legal_plays(packed, (3, 1), context=context), expected)
        for _, plays in batch.iter_legal_plays(packed, (3, 1), context=context):
            assert_same(plays, expected)
    for context in (1, -1, np.ones(20, int), [0] * 19 + [1]):
        with pytest.raises(bg.RuleError, match="no context"):
            batch.legal_plays(packed, (3, 1), context=context)
    for context in (np.zeros(19, int), np.zeros((20, 1), int)):
        with pytest.raises(ValueError, match="context must have shape"):
            batch.legal_plays(packed, (3, 1), context=context)
    for context in (0.0, "0", np.zeros(20)):
        with pytest.raises(TypeError, match="context must be integers"):
            batch.legal_plays(packed, (3, 1), context=context)


@pytest.mark.parametrize("rules", [None, "backgammon", 5, {}])
def test_rules_of_a_wrong_type(rules: Any) -> None:
    packed = corpus()[:5]
    for call in (
        lambda: batch.legal_plays(packed, (3, 1), rules),
        lambda: batch.count_plays(packed, (3, 1), rules),
        lambda: batch.validate(packed, rules),
        lambda: batch.playouts(packed, 1, rules=rules, seed=1),
        lambda: list(batch.iter_legal_plays(packed, (3, 1), rules)),
        lambda: bg.perft(bg.Position.initial(), 1, rules),
    ):
        with pytest.raises(TypeError):
            call()


# ---- no object a play ---------------------------------------------------------------------------------------------


def blocks_of(call: Callable[[], Any]) -> int:
    """How many blocks of Python's memory an answer keeps."""
    call()
    gc.collect()
    before = sys.getallocatedblocks()
    kept = call()
    gc.collect()
    after = sys.getallocatedblocks()
    del kept
    return after - before


@pytest.mark.slow
def test_no_python_object_a_position_or_play() -> None:
    packed = np.tile(corpus(), (10, 1))
    dice = thrown(len(packed))
    for name, call in {
        "legal_plays": lambda n: batch.legal_plays(packed[:n]),
        "legal_plays, moves": lambda n: batch.legal_plays(
            packed[:n], dice[:n], moves=True, pass_results=True, threads=2
        ),
        "count_plays": lambda n: batch.count_plays(packed[:n], threads=2),
        "unpack": lambda n: batch.unpack(packed[:n]),
        "to_boards": lambda n: batch.to_boards(packed[:n]),
        "flip": lambda n: batch.flip(packed[:n]),
        "pips": lambda n: batch.pips(packed[:n]),
        "gnubg_ids": lambda n: batch.gnubg_ids(packed[:n]),
        "validate": lambda n: batch.validate(packed[:n]),
        "playouts": lambda n: batch.playouts(packed[:n], 1, seed=1),
    }.items():
        few, many = blocks_of(lambda call=call: call(10)), blocks_of(lambda call=call: call(len(packed)))
        # Free-threaded Pythons let go of earlier objects when it suits them; an object a position would be 20,000.
        assert many - few < (20 if getattr(sys, "_is_gil_enabled", lambda: True)() else len(packed) // 20), name


# ---- conversions against the scalar ones --------------------------------------------------------------------------


def test_conversions_are_those_of_one_position() -> None:
    packed = corpus()
    positions = [bg.Position.from_packed(row) for row in packed]
    assert batch.to_boards(packed).tolist() == [position.board.tolist() for position in positions]
    assert batch.to_boards(packed).dtype == np.int8
    assert batch.unpack(packed)[0].tolist() == [position.counts.tolist() for position in positions]
    assert batch.unpack(packed)[1].dtype == np.bool_
    assert batch.flip(packed).tolist() == [position.flipped().packed.tolist() for position in positions]
    assert batch.pips(packed).tolist() == [list(position.pips) for position in positions]
    assert batch.pips(packed).dtype == np.int32
    assert batch.gnubg_ids(packed).tolist() == [position.gnubg_id for position in positions]
    assert batch.gnubg_ids(packed).dtype == np.dtype("U14")
    assert np.array_equal(batch.from_gnubg_ids(batch.gnubg_ids(packed)), packed)
    assert batch.validate(packed).tolist() == [bg.BACKGAMMON.validate(position) for position in positions]


# ---- perft --------------------------------------------------------------------------------------------------------


def outcome(call: Callable[[], np.ndarray]) -> tuple[tuple[Any, ...], np.ndarray]:
    """What a call raised, or nothing, and what it gave, or nothing."""
    try:
        return (), call()
    except bg.InvalidPosition as error:
        return (str(error), error.row, error.reason), np.empty(0)


@given(st.data())
def test_boards_in_bulk_are_the_boards_one_by_one(data: st.DataObject) -> None:
    """The native path takes exactly the boards that the explaining one takes, and gives the same words."""
    checkers = data.draw(st.sampled_from([15, 15, 3]))
    board = [0] * 26
    for slot in data.draw(st.lists(st.integers(0, 25), max_size=12)):
        board[slot] = data.draw(st.integers(-3, 3))
    if data.draw(st.booleans()):
        board = list(data.draw(strategies.boards(data.draw(st.sampled_from(sorted(strategies.KINDS))))))
    rows = np.array([strategies.HYPERGAMMON, board])
    wrong, expected = outcome(lambda: batch.pack(boards_to_counts(rows, checkers)))
    refused, packed = outcome(lambda: batch.from_boards(rows, checkers))
    assert refused == wrong
    assert np.array_equal(packed, expected)
    assert wrong or np.array_equal(batch.to_boards(packed), rows)


def test_perft_in_threads_and_with_progress() -> None:
    position = bg.HYPERGAMMON.start
    seen: list[tuple[int, int]] = []
    for threads in (1, 2, 4):
        assert bg.perft(position, 3, bg.HYPERGAMMON, threads=threads) == 6_645_799
    assert bg.perft(position, 3, bg.HYPERGAMMON, threads=2, progress=lambda *step: seen.append(step)) == 6_645_799
    assert seen
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {seen[-1][1]}
    assert all(0 < done <= total for done, total in seen)


def test_perft_against_the_twin() -> None:
    for board in strategies.seeded("few", 5, 6):
        position = bg.Position.from_board(np.array(board, np.int8))
        for depth in (0, 1, 2):
            assert bg.perft(position, depth) == naive.perft(board, depth)


def test_perft_ends_when_its_progress_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of its threads do, as after Ctrl-C."""
    rows = []
    perft_row = batch.bulk.perft_row

    def counting(*args: Any) -> None:
        rows.append(args)
        perft_row(*args)

    def stop(done: int, total: int) -> None:
        raise KeyError(done, total)

    monkeypatch.setattr(batch.bulk, "perft_row", counting)
    before = threading.active_count()
    with pytest.raises(KeyError):
        bg.perft(bg.Position.initial(), 3, threads=2, progress=stop)
    assert threading.active_count() == before
    assert len(rows) < 447


@pytest.mark.parametrize("depth", [-1, -(2**40)])
def test_perft_of_negative_depth(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        bg.perft(bg.Position.initial(), depth)


@pytest.mark.parametrize("depth", [1.0, "1", None])
def test_perft_depth_of_a_wrong_type(depth: Any) -> None:
    with pytest.raises(TypeError):
        bg.perft(bg.Position.initial(), depth)


@pytest.mark.subprocess
@pytest.mark.parametrize("depth", [100_000, 10**6, 2**31 - 1, 2**40])
def test_perft_of_absurd_depth_does_not_crash(depth: int) -> None:
    """Two sides that 1-1 never lets in pass for ever, so a recursion without end would overrun the stack."""
    code = f"""
import bgcore as bg
side = [0, 2, 12] + [0] * 22 + [1]
try:
    bg.perft(bg.Position.from_counts([side, side]), {depth})
except (ValueError, OverflowError, MemoryError) as error:
    print("refused", type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout.startswith("refused")
