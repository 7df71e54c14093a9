"""Millions of packed words, boards and counts through everything that reads them: an error of ours or a position.

Most are mutations of valid ones.  What is valid is decided here once more, with numpy, from the description of the
packed board; reasons must agree bit for bit.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import InvalidReason as R
from bgcore import batch

QUICK, SIZE, SHARDS = 6_000, 250_000, 40
assert SIZE * SHARDS == 10_000_000

Report = Callable[[str, int, int], None]
POINTS = np.arange(1, 25)


# ---- what is valid ------------------------------------------------------------------------------------------------


def nibbles(words: np.ndarray) -> np.ndarray:
    """Return the counts of any words, uint8 (n, 2, 26)."""
    counts = np.empty((len(words), 2, 26), np.uint8)
    for slot in range(26):
        counts[:, :, slot] = words[:, slot // 16 :: 2] >> np.uint64(4 * (slot % 16)) & np.uint64(15)
    return counts


def pins(words: np.ndarray) -> np.ndarray:
    """Return the pinned marks of any words, bool (n, 2, 26)."""
    marks = np.zeros((len(words), 2, 26), bool)
    marks[:, :, POINTS] = words[:, 1::2, None] >> (39 + POINTS).astype(np.uint64) & np.uint64(1)
    return marks


def shared(counts: np.ndarray) -> np.ndarray:
    return ((counts[:, 0, 1:25] > 0) & (counts[:, 1, 24:0:-1] > 0)).any(axis=1)


def bits(*reasons: tuple[np.ndarray, int]) -> np.ndarray:
    return np.bitwise_or.reduce([np.where(here, np.uint32(reason), np.uint32(0)) for here, reason in reasons])


def reasons_of(counts: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """Return why rows are a position in no game."""
    totals = counts.sum(axis=2, dtype=int)
    return bits(
        (totals[:, 0] > 15, R.TOO_MANY_OWN),
        (totals[:, 1] > 15, R.TOO_MANY_OPP),
        (counts[:, :, 1:].max(axis=(1, 2)) == 0, R.BOTH_OFF),
        ((marks & (counts == 0)).any(axis=(1, 2)), R.PIN_MASK),
    )


def backgammon_reasons(counts: np.ndarray, marks: np.ndarray, checkers: int) -> np.ndarray:
    totals = counts.sum(axis=2, dtype=int)
    return reasons_of(counts, marks) | bits(
        (totals[:, 0] != checkers, R.WRONG_TOTAL_OWN),
        (totals[:, 1] != checkers, R.WRONG_TOTAL_OPP),
        (shared(counts), R.SHARED_POINT),
        ((counts[:, :, 25] > 0).all(axis=1) & (counts[:, :, 1:7] >= 2).all(axis=(1, 2)), R.BAR_DEADLOCK),
        (marks.any(axis=(1, 2)), R.PIN_UNUSED),
    )


# ---- what is thrown -----------------------------------------------------------------------------------------------


@cache
def valid() -> np.ndarray:
    """Positions of random games of backgammon and hypergammon, and a tenth that only other games have."""
    rng = np.random.default_rng(51)
    found = []
    for rules, games in ((bg.BACKGAMMON, 300), (bg.HYPERGAMMON, 100)):
        now = np.repeat(rules.start.packed[None], games, axis=0)
        for _ in range(60):
            plays = batch.legal_plays(now, rng.integers(1, 7, (games, 2)), rules, pass_results=True)
            found.append(now)
            over = np.diff(plays.offsets) == 0
            chosen = (plays.offsets[:-1] + rng.random(games) * np.diff(plays.offsets)).astype(int)
            now = np.where(over[:, None], rules.start.packed, plays.results[np.where(over, 0, chosen)])
    counts = np.zeros((2000, 2, 26), np.uint8)
    for row in counts:
        for side in row:
            side += np.bincount(rng.integers(0, 26, rng.integers(1, 16)), minlength=26).astype(np.uint8)
    marks = (counts > 0) & (rng.random(counts.shape) < 0.2)
    marks[:, :, [0, 25]] = False
    counts[(counts[:, :, 1:] == 0).all(axis=(1, 2)), 0, :2] = 0, 1
    found.append(batch.pack(counts, marks))
    return np.concatenate(found)


def thrown(n: int, seed: list[int]) -> np.ndarray:
    """Return n rows of words: five in six are mutations of valid ones, a few are valid, the rest is noise."""
    rng = np.random.default_rng(seed)
    pool = valid()
    words = pool[rng.integers(0, len(pool), n)]
    kind = rng.integers(0, 18, n)
    one = np.uint64(1)

    def rows(*kinds: int) -> np.ndarray:
        return np.flatnonzero(np.isin(kind, kinds))

    def word_and_shift(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        slot, side = rng.integers(0, 26, len(at)), rng.integers(0, 2, len(at))
        return 2 * side + slot // 16, (4 * (slot % 16)).astype(np.uint64)

    # kind 0 stays as it is; checkers of one side moved, once or three times; one more or less
    for at in (rows(1, 2, 3, 4), rows(3, 4), rows(4)):
        side = rng.integers(0, 2, len(at))
        for sign in (-1, 1):
            counts = nibbles(words[at])[np.arange(len(at)), side] if sign < 0 else None
            if counts is None:
                slot = rng.integers(0, 26, len(at))
            else:  # from where there are some, mostly
                slot = np.where(rng.random(len(at)) < 0.9, (counts * rng.random(counts.shape)).argmax(axis=1), 7)
            change = one << (4 * (slot % 16)).astype(np.uint64)
            words[at, 2 * side + slot // 16] += change if sign > 0 else ~change + one
    at = rows(5)
    word, shift = word_and_shift(at)
    words[at, word] += np.where(rng.random(len(at)) < 0.5, one << shift, ~(one << shift) + one)
    # one bit and several
    for at in (rows(6, 7, 8), rows(7, 8), rows(8), rows(8)):
        words[at, rng.integers(0, 4, len(at))] ^= one << rng.integers(0, 64, len(at)).astype(np.uint64)
    at = rows(9)  # a word of another position
    which = rng.integers(0, 4, len(at))
    words[at, which] = pool[rng.integers(0, len(pool), len(at)), which]
    at = rows(10)  # a side of another position
    words[at, :2] = pool[rng.integers(0, len(pool), len(at)), 2:]
    at = rows(11)  # words in another order
    words[at] = words[at][np.arange(len(at))[:, None], rng.permuted(np.tile(np.arange(4), (len(at), 1)), axis=1)]
    at = rows(12)  # pins where there are checkers
    held = nibbles(words[at])[:, :, 1:25] > 0
    marks = (held & (rng.random(held.shape) < 0.3)).astype(np.uint64)
    words[at, 1::2] |= (marks << (39 + POINTS).astype(np.uint64)).sum(axis=2, dtype=np.uint64)
    at = rows(13)  # a slot set to anything
    word, shift = word_and_shift(at)
    words[at, word] = words[at, word] & ~(np.uint64(15) << shift) | rng.integers(0, 16, len(at), np.uint64) << shift
    at = rows(14)  # bytes the wrong way round
    words[at] = words[at].byteswap()
    at = rows(15)  # noise
    words[at] = rng.integers(0, 2**64, (len(at), 4), np.uint64)
    at = rows(16)  # thin noise
    words[at] = np.bitwise_and.reduce(rng.integers(0, 2**64, (4, len(at), 4), np.uint64))
    at = rows(17)  # checkers anywhere
    for _ in range(16):
        word, shift = word_and_shift(at)
        words[at, word] &= np.where(rng.random(len(at)) < 0.5, ~(np.uint64(15) << shift), ~np.uint64(0))
        word, shift = word_and_shift(at)
        words[at, word] += np.where(rng.random(len(at)) < 0.3, one << shift, np.uint64(0))
    words[:2] = [[0] * 4, [2**64 - 1] * 4]
    return words


# ---- packed words -------------------------------------------------------------------------------------------------


def read_accepted(words: np.ndarray, counts: np.ndarray, marks: np.ndarray) -> None:
    """Everything that reads words of any game, on rows that are positions of one."""
    found, pinned = batch.unpack(words)
    assert np.array_equal(found, counts)
    assert np.array_equal(pinned, marks)
    assert np.array_equal(batch.pack(counts, marks), words)
    assert np.array_equal(batch.flip(words), words[:, [2, 3, 0, 1]])
    assert np.array_equal(batch.pips(words), counts @ np.arange(26))
    plain = ~(shared(counts) | marks.any(axis=(1, 2)))
    words, counts = words[plain], counts[plain]
    boards = batch.to_boards(words)
    assert np.array_equal(boards[:, 1:25], counts[:, 0, 1:25].astype(int) - counts[:, 1, 24:0:-1])
    assert np.array_equal(boards[:, [25, 0]], counts[:, :, 25] * np.array([1, -1]))
    ids = batch.gnubg_ids(words)
    for again in (batch.from_boards(boards), batch.from_gnubg_ids(ids)):
        assert np.array_equal(nibbles(again)[:, :, 1:], counts[:, :, 1:])
        assert (nibbles(again).sum(axis=2) == 15).all()
    assert np.array_equal(batch.gnubg_ids(again), ids)


def play_accepted(words: np.ndarray, rules: bg.Rules, rng: np.random.Generator) -> None:
    """Everything that plays, on rows that are positions of the game: the results are positions of it too."""
    dice = rng.integers(1, 7, (len(words), 2))
    threads = int(rng.integers(1, 4))
    plays = batch.legal_plays(words, dice, rules, moves=True, pass_results=True, threads=threads)
    assert not batch.validate(plays.results, rules).any()
    counts, marks = nibbles(plays.results), pins(plays.results)
    assert not backgammon_reasons(counts, marks, rules.checkers).any()
    over = (nibbles(words)[:, :, 1:] == 0).all(axis=2).any(axis=1)
    assert np.array_equal(np.diff(plays.offsets) == 0, over)
    made = np.diff(plays.offsets)
    passed = plays.moves[:, 0, 0] == -1
    segments = np.repeat(np.arange(len(words)), made)
    numbers = batch.count_plays(words, dice, rules, threads=threads)
    assert np.array_equal(numbers, made - np.bincount(segments[passed], minlength=len(words)))
    some = batch.legal_plays(words[:2000], dice[:2000], rules)
    assert np.array_equal(np.diff(some.offsets), numbers[:2000])
    assert np.array_equal(some.results, plays.results[~passed & (segments < 2000)])
    assert batch.count_plays(words[:300], rules=rules).shape == (min(300, len(words)), 21)
    games = batch.playouts(words[:100], 1, rules=rules, seed=int(rng.integers(2**31)))
    assert (games.counts.sum(axis=1) == 1).all()


def ask_one(words: np.ndarray) -> None:
    """Everything that a single Position is asked."""
    position = bg.Position.from_packed(words)
    assert pickle.loads(pickle.dumps(position)) == position == position.flipped().flipped()
    assert eval(repr(position), {"Position": bg.Position, "np": np}) == position
    assert hash(position) == hash(bg.Position.from_counts(position.counts, position.pinned))
    assert len(position.pips) == len(position.off) == len(position.bar) == 2
    assert isinstance(position.is_over, bool)
    assert isinstance(position.is_contact, bool)
    reason = bg.BACKGAMMON.validate(position)
    if reason:
        with pytest.raises(bg.InvalidPosition):
            bg.BACKGAMMON.legal_plays(position, (3, 1))
        with pytest.raises(bg.InvalidPosition):
            bg.BACKGAMMON.outcome(position)
    else:
        assert (bg.BACKGAMMON.outcome(position) is not None) == position.is_over
        for roll in ((3, 1), (2, 2)):
            plays = bg.BACKGAMMON.legal_plays(position, roll)
            assert len(plays) == bg.BACKGAMMON.count_plays(position, roll)
            for play in plays[:3]:
                assert bg.BACKGAMMON.next_moves(position, roll, play.moves) == ()
    assert isinstance(str(position), str)


# Readers of words of any game, of contrary games, and of backgammon; each refuses a row that is not of its kind.
ANY: list[Callable[[np.ndarray], Any]] = [
    batch.unpack,
    batch.flip,
    batch.pips,
    lambda row: bg.Position.from_packed(row[0]),
]
CONTRARY: list[Callable[[np.ndarray], Any]] = [batch.to_boards, batch.gnubg_ids]
BACKGAMMON: list[Callable[[np.ndarray], Any]] = [
    lambda row: batch.legal_plays(row, (3, 1)),
    lambda row: batch.legal_plays(row, (2, 2), moves=True, pass_results=True),
    lambda row: batch.count_plays(row),
    lambda row: batch.playouts(row, 1, seed=1),
    lambda row: next(batch.iter_legal_plays(row)),
]


def refuse_each(words: np.ndarray, reasons: np.ndarray, readers: list[Callable[[np.ndarray], Any]], shift: int) -> None:
    """Every row by itself through one of the readers, by turns; and one of them must be named among good ones."""
    for i, reason in enumerate(reasons.tolist()):
        try:
            readers[(i + shift) % len(readers)](words[i : i + 1])
        except bg.InvalidPosition as error:
            if error.reason & ~reason or not error.reason:
                raise AssertionError(f"{words[i].tolist()}: {error.reason!r}, expected {R(reason)!r}") from error
            continue
        raise AssertionError(f"{words[i].tolist()} was read, though {R(reason)!r}")


def throw_words(n: int, seed: list[int]) -> tuple[int, int]:
    """Throw n rows; return how many are positions of some game, and how many of backgammon or hypergammon."""
    rng = np.random.default_rng([*seed, 1])
    words = thrown(n, seed)
    counts, marks = nibbles(words), pins(words)
    reasons = reasons_of(counts, marks)
    contrary = reasons | bits((shared(counts), R.SHARED_POINT), (marks.any(axis=(1, 2)), R.PIN_UNUSED | R.SHARED_POINT))
    good = reasons == 0
    read_accepted(words[good], counts[good], marks[good])
    step = max(1, n // 25_000)  # of what is refused in one call, a part also row by row
    refuse_each(words[~good][::step], reasons[~good][::step], ANY, seed[-1])
    refuse_each(words[contrary != 0][::step], contrary[contrary != 0][::step], CONTRARY, seed[-1])
    for row in words[good][:: max(1, n // 500)]:
        ask_one(row)
    playable = 0
    for rules in (bg.BACKGAMMON, bg.HYPERGAMMON):
        expected = backgammon_reasons(counts, marks, rules.checkers)
        assert np.array_equal(batch.validate(words, rules), expected)
        play_accepted(words[expected == 0], rules, rng)
        playable += int((expected == 0).sum())
        first = int(np.argmax(expected != 0))
        for call in (batch.legal_plays, batch.count_plays):
            with pytest.raises(bg.InvalidPosition) as caught:
                call(words, (6, 5), rules, threads=2)
            assert (caught.value.row, caught.value.reason) == (first, expected[first])
        if rules is bg.BACKGAMMON:
            refuse_each(words[expected != 0][::step], expected[expected != 0][::step], BACKGAMMON, seed[-1])
    for call in (batch.unpack, batch.flip, batch.pips):
        with pytest.raises(bg.InvalidPosition) as caught:
            call(words)
        assert caught.value.row == np.argmax(~good)
    return int(good.sum()), playable


def test_packed_words(report_share: Report) -> None:
    good, playable = throw_words(QUICK, [61, 0])
    report_share("packed words, any game", QUICK, good)
    report_share("packed words, backgammon or hypergammon", QUICK, playable)


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
def test_ten_million_packed_words(shard: int, report_share: Report) -> None:
    good, playable = throw_words(SIZE, [62, shard])
    report_share("packed words, any game", SIZE, good)
    report_share("packed words, backgammon or hypergammon", SIZE, playable)


# ---- counts and boards --------------------------------------------------------------------------------------------


def throw_counts(n: int, seed: list[int]) -> int:
    rng = np.random.default_rng(seed)
    words = thrown(n, seed)
    counts = nibbles(words).astype(np.int64)
    marks = pins(words) & (rng.random(n) < 0.5)[:, None, None]
    at = np.flatnonzero(rng.random(n) < 0.2)
    counts[at, rng.integers(0, 2, len(at)), rng.integers(0, 26, len(at))] = rng.choice(
        [-1, 0, 1, 15, 16, 255, 256, 257, -256, 2**31, 2**32, -(2**63), 2**62], len(at)
    )
    inside = ((counts >= 0) & (counts <= 15)).all(axis=(1, 2))
    good = inside & (reasons_of(np.clip(counts, 0, 15), marks) == 0)
    packed = batch.pack(counts[good], marks[good])
    assert np.array_equal(nibbles(packed), counts[good])
    assert np.array_equal(pins(packed), marks[good])
    for i in np.flatnonzero(~good).tolist():
        with pytest.raises(bg.InvalidPosition):
            batch.pack(counts[i : i + 1], marks[i : i + 1])
        if i % 4 == 0:
            with pytest.raises(bg.InvalidPosition):
                bg.Position.from_counts(counts[i], marks[i])
    with pytest.raises(bg.InvalidPosition):
        batch.pack(counts, marks)
    return int(good.sum())


def throw_boards(n: int, seed: list[int]) -> int:
    rng = np.random.default_rng(seed)
    counts = nibbles(thrown(n, seed)).astype(np.int64)
    boards = np.concatenate([-counts[:, 1, 25:], counts[:, 0, 1:25] - counts[:, 1, 24:0:-1], counts[:, 0, 25:]], axis=1)
    for share, values in ((0.3, [-2, -1, 0, 1, 2, 3]), (0.1, [15, 16, -16, 127, 128, 256, 271, -257, 2**40, -(2**63)])):
        at = np.flatnonzero(rng.random(n) < share)
        boards[at, rng.integers(0, 26, len(at))] = rng.choice(values, len(at))
    checkers = int(rng.choice([15, 15, 15, 14, 10]))
    small = np.clip(boards, -20, 20)
    own, opp = np.maximum(small, 0).sum(axis=1), np.maximum(-small, 0).sum(axis=1)
    good = (small[:, 0] <= 0) & (small[:, 25] >= 0) & (own <= checkers) & (opp <= checkers) & (own + opp > 0)
    packed = batch.from_boards(boards[good], checkers)
    assert np.array_equal(batch.to_boards(packed), boards[good])
    assert (nibbles(packed).sum(axis=2) == checkers).all()
    for i in np.flatnonzero(~good).tolist():
        with pytest.raises(bg.InvalidPosition):
            batch.from_boards(boards[i : i + 1], checkers)
        if i % 4 == 0:
            with pytest.raises(bg.InvalidPosition):
                bg.Position.from_board(boards[i], checkers)
    for i in np.flatnonzero(good)[::50].tolist():
        assert bg.Position.from_board(boards[i], checkers).board.tolist() == boards[i].tolist()
    return int(good.sum())


def test_counts_and_boards(report_share: Report) -> None:
    report_share("counts", 4_000, throw_counts(4_000, [63, 0]))
    report_share("boards", 4_000, throw_boards(4_000, [64, 0]))


@pytest.mark.long
@pytest.mark.parametrize("shard", range(8))
def test_a_million_counts_and_boards(shard: int, report_share: Report) -> None:
    report_share("counts", 62_500, throw_counts(62_500, [65, shard]))
    report_share("boards", 62_500, throw_boards(62_500, [66, shard]))
