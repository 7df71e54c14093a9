"""The generator against the textbook twin: on all 21 rolls the same plays, each of them possible move by move.

The twin itself has two forms, one obviously right, one a little faster; they are compared here too.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgcore as bg
import strategies
from naive import backgammon as naive
from naive.backgammon import Board

QUICK_SHARDS, QUICK_SIZE = 24, 200  # with the hypothesis boards some 5,500 positions
LONG_SHARDS, LONG_SIZE = 200, 1000
STARTS = {
    "backgammon": (bg.BACKGAMMON, 15, strategies.START),
    "nackgammon": (bg.NACKGAMMON, 15, strategies.NACKGAMMON),
    "hypergammon": (bg.HYPERGAMMON, 3, strategies.HYPERGAMMON),
}
SOURCES = [*strategies.KINDS, "backgammon", "backgammon", "nackgammon", "hypergammon", "few hypergammon"]


def positions(source: str, seed: int, count: int) -> tuple[bg.Rules, int, list[Board]]:
    """Return the rules, the number of checkers and boards from one of the SOURCES."""
    if source in STARTS:
        rules, checkers, start = STARTS[source]
        return rules, checkers, list(islice(strategies.self_play(seed, start), count))
    if source == "few hypergammon":
        return bg.HYPERGAMMON, 3, strategies.seeded("few", seed, count)
    return bg.BACKGAMMON, 15, strategies.seeded(source, seed, count)


def assert_batch_agrees(boards: list[Board], rules: bg.Rules, checkers: int) -> bg.batch.PlayBatch:
    """Compare one batch call with the twin, play by play, and return it."""
    packed = bg.batch.from_boards(np.array(boards, dtype=np.int8), checkers=checkers)
    plays = bg.batch.legal_plays(packed, rules=rules, moves=True)
    assert len(plays.offsets) == 21 * len(boards) + 1
    assert plays.offsets[-1] == len(plays.results)
    assert np.array_equal(bg.batch.count_plays(packed, rules=rules).ravel(), np.diff(plays.offsets))
    found = list(map(tuple, (-bg.batch.to_boards(plays.results)[:, ::-1]).tolist()))
    moves = plays.moves.tolist()
    for i, board in enumerate(boards):
        for k, roll in enumerate(naive.ROLLS):
            start, stop = plays.offsets[21 * i + k : 21 * i + k + 2].tolist()
            expected = naive.results_by_level(board, roll)
            got = set(found[start:stop])
            assert got == expected, f"{board} {roll}: missing {expected - got}, extra {got - expected}"
            assert stop - start == len(expected), f"{board} {roll}: a final position twice"
            for play in range(start, stop):
                assert_moves(board, roll, moves[play], found[play])
    return plays


def assert_moves(board: Board, roll: tuple[int, int], moves: list[list[int]], result: Board) -> None:
    """Make the moves of a play by hand; highest source first, hits marked, unused rows -1 and last."""
    made = [move for move in moves if move != [-1, -1, -1]]
    boards = naive.replay(board, roll, tuple((source, target) for source, target, _ in made))
    assert boards is not None, f"{board} {roll}: {moves} cannot be made"
    assert boards[-1] == result, f"{board} {roll}: {moves} does not lead to {result}"
    assert moves[: len(made)] == made, f"{board} {roll}: {moves} has a gap"
    sources = [source for source, _, _ in made]
    assert sources == sorted(sources, reverse=True), f"{board} {roll}: {moves} is not highest source first"
    hits = [now[target] == -1 and target > 0 for now, (_, target, _) in zip(boards, made, strict=False)]
    assert [flags for _, _, flags in made] == hits, f"{board} {roll}: {moves} marks the wrong hits"


def assert_scalar_agrees(
    plays: bg.batch.PlayBatch, i: int, k: int, board: Board, rules: bg.Rules, checkers: int
) -> None:
    """Compare a scalar call, with the dice in both orders, with a segment of a batch: the same plays, same order."""
    start, stop = plays.offsets[21 * i + k : 21 * i + k + 2].tolist()
    position = bg.Position.from_board(np.array(board, dtype=np.int8), checkers=checkers)
    high, low = naive.ROLLS[k]
    found = rules.legal_plays(position, (high, low))
    assert found == rules.legal_plays(position, (low, high))
    assert len(found) == rules.count_plays(position, (high, low)) == rules.count_plays(position, (low, high))
    assert [play.result.packed.tolist() for play in found] == plays.results[start:stop].tolist(), (
        f"{board} {(high, low)}"
    )
    in_batch = [[tuple(move) for move in play if move[0] >= 0] for play in plays.moves[start:stop].tolist()]
    assert [[(m.source, m.target, int(m.hit)) for m in play.moves] for play in found] == in_batch


@pytest.mark.slow
@pytest.mark.parametrize("kind", strategies.KINDS)
def test_the_two_twins_agree(kind: str) -> None:
    for board in strategies.seeded(kind, 1, 30):
        for roll in naive.ROLLS:
            assert naive.results_by_level(board, roll) == naive.results(board, roll), f"{board} {roll}"


@pytest.mark.parametrize("kind", strategies.KINDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_board(kind: str, data: st.DataObject) -> None:
    """Boards that hypothesis makes and shrinks, against the plain twin; few checkers are a Hypergammon board too."""
    board = data.draw(strategies.boards(kind))
    for rules, checkers in ((bg.BACKGAMMON, 15), (bg.HYPERGAMMON, 3))[: 2 if kind == "few" else 1]:
        plays = assert_batch_agrees([board], rules, checkers)
        for k, roll in enumerate(naive.ROLLS):
            assert len(naive.results(board, roll)) == plays.offsets[k + 1] - plays.offsets[k]
            assert_scalar_agrees(plays, 0, k, board, rules, checkers)


@pytest.mark.parametrize(
    "shard",
    [pytest.param(shard, marks=[pytest.mark.slow] if shard >= len(SOURCES) else []) for shard in range(QUICK_SHARDS)],
)
def test_many_boards(shard: int) -> None:
    source = SOURCES[shard % len(SOURCES)]
    rules, checkers, boards = positions(source, shard, QUICK_SIZE)
    plays = assert_batch_agrees(boards, rules, checkers)
    for i, board in enumerate(boards):
        assert_scalar_agrees(plays, i, (i + shard) % 21, board, rules, checkers)


@pytest.mark.long
@pytest.mark.parametrize("shard", range(LONG_SHARDS))
def test_200_000_boards(shard: int) -> None:
    source = SOURCES[shard % len(SOURCES)]
    rules, checkers, boards = positions(source, 1000 + shard, LONG_SIZE)
    plays = assert_batch_agrees(boards, rules, checkers)
    for i, board in enumerate(boards):
        assert_scalar_agrees(plays, i, (i + shard) % 21, board, rules, checkers)
    for board in boards[::100]:
        for roll in naive.ROLLS:
            assert naive.results_by_level(board, roll) == naive.results(board, roll), f"{board} {roll}"


@pytest.mark.parametrize("source", ["bar", "bearoff_contact", "few", "few hypergammon"])
def test_perft(source: str) -> None:
    rules, checkers, boards = positions(source, 7, 3)
    for board in boards:
        position = bg.Position.from_board(np.array(board, dtype=np.int8), checkers=checkers)
        assert bg.perft(position, 2, rules) == naive.perft(board, 2), board


@pytest.mark.parametrize("source", ["bearoff_contact", "few", "hypergammon", "few hypergammon"])
def test_outcomes(source: str) -> None:
    """Every end of a game that one play reaches is scored as the twin scores it; no other position is."""
    rules, checkers, boards = positions(source, 11, 300)
    ends = 0
    for board in boards:
        for roll in naive.ROLLS[3::5]:
            for play in rules.legal_plays(
                bg.Position.from_board(np.array(board, dtype=np.int8), checkers=checkers), roll
            ):
                seen = rules.outcome(play.result)
                expected = naive.outcome(tuple(play.result.board.tolist()), checkers)
                assert (seen and (seen.winner, seen.points)) == expected, f"{board} {roll} {play}"
                ends += expected is not None
    assert ends > 10
