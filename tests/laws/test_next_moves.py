"""`next_moves` against the beginnings of every legal sequence of moves, in any order of dice and checkers."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgcore as bg
import strategies
from naive import backgammon as naive
from naive.backgammon import Board

BEGINNINGS = 60  # of a roll, at most: a double has thousands


def move_of(board: Board, move: naive.Move) -> bg.Move:
    source, target = move
    return bg.Move(source, target, target > 0 and board[target] == -1, False)


def moves_of(board: Board, path: tuple[naive.Move, ...]) -> tuple[bg.Move, ...]:
    made = []
    for move in path:
        made.append(move_of(board, move))
        board = naive.apply(board, move)
    return tuple(made)


def assert_next_moves(board: Board, roll: tuple[int, int], rng: random.Random, checkers: int = 15) -> None:
    """Compare what may follow each beginning of a play, and see everything else refused."""
    rules = bg.HYPERGAMMON if checkers == 3 else bg.BACKGAMMON
    position = bg.Position.from_board(np.array(board, dtype=np.int8), checkers=checkers)
    following = naive.next_moves(board, roll)
    beginnings = sorted(following)
    for path in beginnings if len(beginnings) <= BEGINNINGS else [(), *rng.sample(beginnings, BEGINNINGS)]:
        moved, now = moves_of(board, path), board
        for move in path:
            now = naive.apply(now, move)
        where = f"{board} {roll} after {path}"
        found = rules.next_moves(position, roll, moved)
        assert sorted(found) == sorted(move_of(now, move) for move in following[path]), where
        assert rules.next_moves(position, roll[::-1], moved) == found, where
        wrong = {(source, max(source - die, 0)) for source in range(1, 26) for die in roll} - following[path]
        for move in rng.sample(sorted(wrong), 3):
            with pytest.raises(bg.IllegalPlay):
                rules.next_moves(position, roll, (*moved, move_of(now, move)))


@pytest.mark.parametrize("kind", strategies.KINDS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_board(kind: str, data: st.DataObject) -> None:
    board, roll = data.draw(strategies.boards(kind)), data.draw(st.sampled_from(naive.ROLLS))
    assert_next_moves(board, roll, random.Random(0))
    if kind == "few":
        assert_next_moves(board, roll, random.Random(0), checkers=3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", strategies.KINDS)
def test_many_boards(kind: str) -> None:
    rng = random.Random(kind)
    for board in strategies.seeded(kind, 5, 60):
        assert_next_moves(board, rng.choice(naive.ROLLS), rng)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_more_boards(seed: int) -> None:
    rng = random.Random(seed)
    kind = list(strategies.KINDS)[seed % len(strategies.KINDS)]
    for board in strategies.seeded(kind, 100 + seed, 300):
        assert_next_moves(board, rng.choice(naive.ROLLS), rng)


def after(own: dict[int, int], roll: tuple[int, int], *moved: naive.Move) -> list[naive.Move]:
    """Return what `next_moves` says, as pairs, with an opponent who is far away."""
    board = np.array(strategies.board_of(own, {1: 2}), dtype=np.int8)
    found = bg.BACKGAMMON.next_moves(bg.Position.from_board(board), roll, moved)
    return [(move.source, move.target) for move in found]


def test_the_other_die_is_still_to_be_played() -> None:
    """5/off leaves the board that 5/2/off leaves, and yet is only half of 5/off 2/off."""
    own = {5: 1, 2: 1, 1: 1}
    assert after(own, (5, 3)) == [(5, 2), (5, 0)]
    assert after(own, (5, 3), (5, 0)) == [(2, 0)]
    assert after(own, (5, 3), (5, 2)) == [(2, 0)]
    assert after(own, (5, 3), (5, 0), (2, 0)) == []


def test_the_last_checker_plays_both_dice_if_it_can() -> None:
    assert after({4: 1}, (4, 1)) == [(4, 3)]
    assert after({4: 1}, (4, 1), (4, 3)) == [(3, 0)]
    assert after({1: 1}, (4, 1)) == [(1, 0)]


def test_the_order_of_moves_is_free() -> None:
    """From the start with 3-1, 8/5 6/5 may be begun with either."""
    start, roll = bg.BACKGAMMON.start, (3, 1)
    first = bg.BACKGAMMON.next_moves(start, roll)
    for source, target, then in ((8, 5, (6, 5)), (6, 5, (8, 5))):
        move = next(move for move in first if (move.source, move.target) == (source, target))
        assert then in [(m.source, m.target) for m in bg.BACKGAMMON.next_moves(start, roll, (move,))]


def test_a_legal_play_is_complete() -> None:
    for play in bg.BACKGAMMON.legal_plays(bg.BACKGAMMON.start, (2, 2)):
        assert bg.BACKGAMMON.next_moves(bg.BACKGAMMON.start, (2, 2), play.moves) == ()


def test_no_move_leads_away_from_both_dice() -> None:
    """PO-4: 10/9 and 9/3 are moves, but only 9/8/2 plays both dice; nothing else may be begun."""
    board = strategies.board_of({10: 1, 9: 1}, {19: 2, 21: 2, 22: 2})
    position = bg.Position.from_board(np.array(board, dtype=np.int8))
    assert [(m.source, m.target) for m in bg.BACKGAMMON.next_moves(position, (6, 1))] == [(9, 8)]
    with pytest.raises(bg.IllegalPlay):
        bg.BACKGAMMON.next_moves(position, (6, 1), (bg.Move(10, 9, False, False),))
