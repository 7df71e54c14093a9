"""Random games to the end: the same for a seed, scored as the rules say, and spread as a naive player's are."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections import Counter
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

import bgcore as bg
import strategies
from bgcore import batch
from naive import backgammon as naive
from naive.backgammon import Board

Side = dict[int, int]
KINDS = ["won single", "won gammon", "won backgammon", "lost single", "lost gammon", "lost backgammon", "drawn"]


def pack(*boards: Board, checkers: int = 15) -> np.ndarray:
    return batch.from_boards(np.array(boards, np.int8).reshape(-1, 26), checkers)


@cache
def corpus() -> np.ndarray:
    boards = [board for kind in strategies.KINDS for board in strategies.seeded(kind, 41, 10)]
    packed = pack(*boards, *islice(strategies.self_play(41), 40))
    packed.setflags(write=False)
    return packed


def same(one: batch.Playouts, two: batch.Playouts) -> bool:
    return np.array_equal(one.counts, two.counts) and np.array_equal(one.plies, two.plies)


@pytest.fixture
def many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)


# ---- seeds --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize("trials", [1, 7, 100])
def test_the_same_for_a_seed_whatever_the_threads(trials: int) -> None:
    expected = batch.playouts(corpus(), trials, seed=5)
    for threads in (1, 2, 3, 4, 8):
        assert same(batch.playouts(corpus(), trials, seed=5, threads=threads), expected)
    assert not same(batch.playouts(corpus(), trials, seed=6), expected)


def test_a_seed_sequence_is_as_good() -> None:
    expected = batch.playouts(corpus(), 20, seed=5)
    assert same(batch.playouts(corpus(), 20, seed=np.random.SeedSequence(5)), expected)
    assert same(batch.playouts(corpus(), 20, seed=np.int64(5)), expected)
    root = np.random.SeedSequence(5)
    root.spawn(3)
    assert same(batch.playouts(corpus(), 20, seed=root), expected)  # what it has spawned already does not matter
    assert root.n_children_spawned == 3
    children = np.random.SeedSequence(5).spawn(2)
    first, second = (batch.playouts(corpus(), 20, seed=child) for child in children)
    assert not same(first, second)
    assert not same(first, expected)
    assert same(batch.playouts(corpus(), 20, seed=children[0]), first)
    large = 2**200 + 1
    assert same(
        batch.playouts(corpus(), 2, seed=large), batch.playouts(corpus(), 2, seed=np.random.SeedSequence(large))
    )


def test_blocks_of_games_have_streams_of_their_own() -> None:
    """Promised: games are numbered position by position, each 1,024 have one stream.

    So the first games of a longer list of positions are those of the shorter one, if blocks end with a position.
    """
    packed = corpus()[:6]
    whole = batch.playouts(packed, 1024, seed=9)
    part = batch.playouts(packed[:4], 1024, seed=9)
    assert np.array_equal(whole.counts[:4], part.counts)
    assert np.array_equal(whole.plies[:4], part.plies)


def below(bits: Any, n: int) -> int:
    """A uniform integer from 32-bit numbers, as Lemire describes it."""
    product = bits.next_uint32(bits.state) * n
    while product % 2**32 < (2**32 - n) % n:
        product = bits.next_uint32(bits.state) * n
    return product >> 32


@pytest.mark.parametrize("spawn_key", [(), (7,)])
def test_the_games_of_a_seed_are_promised(spawn_key: tuple[int, ...]) -> None:
    """Played once more in Python from the same stream: a number below 36 a roll, one below n for n > 1 plays."""
    boards = [strategies.board_of({6: 2, 4: 1}, {1: 4}), strategies.board_of({20: 1, 2: 1}, {15: 1, 3: 2})]
    trials, root = 600, np.random.SeedSequence(3, spawn_key=spawn_key)
    counts, plies = np.zeros((2, 7), int), [0, 0]
    for game in range(2 * trials):
        if game % 1024 == 0:
            generator = np.random.PCG64(np.random.SeedSequence(3, spawn_key=(*spawn_key, game // 1024)))
            bits = generator.ctypes
        row, own = game // trials, True
        position = bg.Position.from_board(np.array(boards[row], np.int8))
        while (outcome := bg.BACKGAMMON.outcome(position)) is None:
            roll = divmod(below(bits, 36), 6)
            plays = bg.BACKGAMMON.legal_plays(position, (roll[0] + 1, roll[1] + 1))
            plies[row] += 1
            position = plays[below(bits, len(plays)) if len(plays) > 1 else 0].result if plays else position.flipped()
            own = not own
        counts[row, outcome.points - 1 + 3 * ((outcome.winner == "own") != own)] += 1
    found = batch.playouts(pack(*boards), trials, seed=root)
    assert found.counts.tolist() == counts.tolist()
    assert found.plies.tolist() == plies


@pytest.mark.parametrize("seed", [-1, 1.5, "1", [1.5], object()])
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        batch.playouts(corpus(), 1, seed=seed)


def test_a_seed_is_needed() -> None:
    with pytest.raises(TypeError):
        batch.playouts(corpus(), 1)  # type: ignore[call-arg]


# ---- sums ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trials", [1, 3, 1000])
def test_every_game_is_counted_once(trials: int) -> None:
    found = batch.playouts(corpus(), trials, seed=1)
    assert found.counts.shape == (len(corpus()), 7)
    assert found.plies.shape == (len(corpus()),)
    assert found.counts.dtype == found.plies.dtype == np.int64
    assert found.trials == trials
    assert (found.counts.sum(axis=1) == trials).all()
    assert (found.counts >= 0).all()
    assert (found.counts[:, 6] == 0).all()  # backgammon knows no draw
    assert (found.plies >= trials).all()
    assert str(trials) in repr(found)


def test_no_positions() -> None:
    found = batch.playouts(corpus()[:0], 10, seed=1)
    assert found.counts.shape == (0, 7)
    assert found.plies.shape == (0,)


@pytest.mark.parametrize("trials", [0, -1, 2**40 + 1, 2**70])
def test_trials_out_of_range(trials: int) -> None:
    with pytest.raises(ValueError, match="trials must be at"):
        batch.playouts(corpus(), trials, seed=1)


@pytest.mark.parametrize("trials", [1.5, "1", None])
def test_trials_of_a_wrong_type(trials: Any) -> None:
    with pytest.raises(TypeError):
        batch.playouts(corpus(), trials, seed=1)


def test_a_bad_row_is_named() -> None:
    packed = corpus()[:20].copy()
    packed[7] = 0
    with pytest.raises(bg.InvalidPosition, match=r"^row 7: ") as caught:
        batch.playouts(packed, 1, seed=1)
    assert caught.value.row == 7


def test_progress() -> None:
    seen: list[tuple[int, int, threading.Thread]] = []
    expected = batch.playouts(corpus(), 100, seed=1)
    for threads in (1, 2):
        seen.clear()
        found = batch.playouts(
            corpus(), 100, seed=1, threads=threads, progress=lambda *s: seen.append((*s, threading.current_thread()))
        )
        assert same(found, expected)
        assert {thread for *_, thread in seen} == {threading.current_thread()}
        done = [step[0] for step in seen]
        assert done == sorted(done)
        assert {step[1] for step in seen} == {100 * len(corpus())}
        assert 0 < done[0] <= done[-1] <= 100 * len(corpus())


def test_all_threads_end_when_progress_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after Ctrl-C: nobody goes on with games that nobody waits for."""
    blocks = []
    play_block = batch.playout.play_block

    def counting(*args: Any) -> None:
        blocks.append(args)
        play_block(*args)

    def stop(done: int, total: int) -> None:
        raise KeyError(done, total)

    monkeypatch.setattr(batch.playout, "play_block", counting)
    before = threading.active_count()
    with pytest.raises(KeyError):
        batch.playouts(corpus(), 1000, seed=1, threads=2, progress=stop)
    assert threading.active_count() == before
    assert len(blocks) < 90  # of 98


# ---- ends ---------------------------------------------------------------------------------------------------------

# The loser's checkers decide: none off is a gammon, and one on the bar or in the winner's home a backgammon (the
# winner's home is the loser's 19-24).  P2: a checker on the bar alone is enough, which other programs forget.
ENDS: list[tuple[Side, Side, str]] = [
    ({}, {1: 1}, "won single"),
    ({}, {24: 1, 1: 13}, "won single"),
    ({}, {25: 1, 1: 13}, "won single"),
    ({}, {6: 15}, "won gammon"),
    ({}, {18: 15}, "won gammon"),
    ({}, {19: 1, 6: 14}, "won backgammon"),
    ({}, {24: 1, 6: 14}, "won backgammon"),
    ({}, {25: 1, 6: 14}, "won backgammon"),
    ({}, {25: 15}, "won backgammon"),
]


@pytest.mark.parametrize(("own", "opp", "kind"), ENDS)
def test_a_finished_position_is_its_own_end(own: Side, opp: Side, kind: str) -> None:
    board = strategies.board_of(own, opp)
    found = batch.playouts(pack(board, naive.flip(board)), 5, seed=1)
    assert dict(zip(KINDS, found.counts[0].tolist(), strict=True)) == Counter({kind: 5}) | dict.fromkeys(
        [other for other in KINDS if other != kind], 0
    )
    assert found.counts[1, KINDS.index(kind.replace("won", "lost"))] == 5
    assert found.plies.tolist() == [0, 0]
    outcome = bg.BACKGAMMON.outcome(bg.Position.from_board(np.array(board, np.int8)))
    assert outcome is not None
    assert (outcome.winner, outcome.kind) == ("own", kind.split()[1])
    assert outcome.points == {"single": 1, "gammon": 2, "backgammon": 3}[outcome.kind]


@pytest.mark.parametrize(
    ("own", "opp", "kind"),
    [
        ({1: 1}, {6: 14}, "won single"),
        ({1: 2}, {6: 15}, "won gammon"),
        ({1: 1}, {25: 1, 6: 14}, "won backgammon"),
        ({1: 2}, {19: 1, 6: 14}, "won backgammon"),
    ],
)
def test_a_certain_end(own: Side, opp: Side, kind: str) -> None:
    found = batch.playouts(pack(strategies.board_of(own, opp)), 200, seed=3)
    assert found.counts[0, KINDS.index(kind)] == 200
    assert found.plies.tolist() == [200]


def test_the_loser_on_the_bar_with_none_off_is_backgammoned() -> None:
    """P2 in play: I bear off my last two while the opponent waits on the bar with none off."""
    board = strategies.board_of({1: 2}, {25: 1, 6: 14})
    assert batch.playouts(pack(board), 100, seed=1).counts[0].tolist() == [0, 0, 100, 0, 0, 0, 0]
    seen_by_loser = batch.playouts(batch.flip(pack(board)), 300, seed=1).counts[0]
    assert seen_by_loser[:3].sum() == 0  # one roll does not save him
    assert seen_by_loser[3:6].sum() == 300
    assert seen_by_loser[5] > 0


def test_hypergammon_has_gammons_with_three_checkers() -> None:
    three = pack(strategies.board_of({1: 1}, {6: 3}), strategies.board_of({1: 1}, {6: 2}), checkers=3)
    found = batch.playouts(three, 10, rules=bg.HYPERGAMMON, seed=1).counts
    assert found.tolist() == [[0, 10, 0, 0, 0, 0, 0], [10, 0, 0, 0, 0, 0, 0]]
    with pytest.raises(bg.InvalidPosition):
        batch.playouts(three, 10, seed=1)


@pytest.mark.subprocess
def test_a_game_that_nobody_can_go_on_with_is_drawn() -> None:
    """Both on the bar, entry on one's own points forbidden and all six held: neither side can ever move again."""
    code = """
import bgcore as bg
side = [0] * 19 + [2] * 6 + [3]
position = bg.Position.from_counts([side, side])
rules = bg.BACKGAMMON.replace(name="mine", entry_forbid_own=True)
assert not any(rules.count_plays(position, roll) for roll in bg.dice.ROLLS)
assert not any(rules.count_plays(position.flipped(), roll) for roll in bg.dice.ROLLS)
print(bg.batch.playouts(position.packed[None], 5, rules=rules, seed=1).counts.tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr[-300:]
    assert done.stdout == "[[0, 0, 0, 0, 0, 0, 5]]\n"


# ---- against a naive player ---------------------------------------------------------------------------------------


def played(board: Board, rng: random.Random, checkers: int) -> tuple[int, int]:
    """Play one random game with the twin; return its kind, by the player on roll at the start, and its rolls."""
    rolls, mine = 0, True
    while not naive.is_over(board):
        results = sorted(naive.results_by_level(board, (rng.randint(1, 6), rng.randint(1, 6))))
        board = naive.flip(rng.choice(results) if results else board)
        rolls, mine = rolls + 1, not mine
    outcome = naive.outcome(board, checkers)
    assert outcome is not None
    winner, points = outcome
    return points - 1 + 3 * ((winner == "own") != mine), rolls


STATISTICS = {
    "opening": (strategies.START, 15, 60),
    "bearing off against the bar": (strategies.board_of({6: 2, 5: 2, 4: 2}, {25: 1, 6: 14}), 15, 400),
    "race": (strategies.board_of({6: 3, 5: 3, 4: 2}, {6: 4, 3: 4, 2: 1}), 15, 800),
    "hypergammon": (strategies.HYPERGAMMON, 3, 500),
    "few": (strategies.board_of({24: 1, 6: 1, 3: 1}, {20: 1, 4: 2}), 15, 600),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_games_end_as_often_as_those_of_a_naive_player(name: str) -> None:
    """Chi-square between the two samples; seeds are fixed, so it passes always or never.

    With at most five degrees of freedom 25 is passed by one pair of seeds in 7,000.
    """
    board, checkers, games = STATISTICS[name]
    rng = random.Random(name)
    naively = [played(board, rng, checkers) for _ in range(games)]
    expected = np.bincount([kind for kind, _ in naively], minlength=7)
    trials = 20_000
    rules = bg.HYPERGAMMON if checkers == 3 else bg.BACKGAMMON
    found = batch.playouts(pack(board, checkers=checkers), trials, rules=rules, seed=17, threads=2)
    counts = found.counts[0]
    both = expected + counts
    assert (both[both > 0] > 0).all()
    share = games / (games + trials)
    chi = sum(
        (e - n * share) ** 2 / (n * share) + (c - n * (1 - share)) ** 2 / (n * (1 - share))
        for e, c, n in zip(expected.tolist(), counts.tolist(), both.tolist(), strict=True)
        if n * share >= 1
    )
    assert chi < 25, (expected.tolist(), counts.tolist())
    rolls = np.array([rolls for _, rolls in naively])
    error = rolls.std() / games**0.5
    assert abs(found.plies[0] / trials - rolls.mean()) < 4 * error


@pytest.mark.parametrize("own", [{2: 1, 1: 1}, {6: 2}, {5: 1, 3: 1}, {3: 2, 1: 1}, {7: 1, 2: 1}, {4: 2, 2: 2}])
def test_every_final_position_of_a_roll_is_equally_likely(own: Side) -> None:
    """The opponent needs one roll, so the game is won by the first roll and choice or not at all."""
    board, trials = strategies.board_of(own, {1: 1}), 100_000
    share = 0.0
    for weight, roll in zip(bg.dice.WEIGHTS, bg.dice.ROLLS, strict=True):
        results = naive.results(board, roll)
        share += weight / 36 * sum(map(naive.is_over, results)) / len(results)
    found = batch.playouts(pack(board), trials, seed=2, threads=2)
    won, lost = found.counts[0, 0], found.counts[0, 3]
    assert won + lost == trials
    assert found.plies[0] == won + 2 * lost
    assert abs(won - trials * share) < 4.5 * (trials * share * (1 - share)) ** 0.5
