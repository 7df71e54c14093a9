"""Turns made one checker at a time: against a naive search with dice, against `next_moves`, in every game."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
import strategies
from bgcore.bridges.micro import ACTIONS, MicroTurn
from bgcore.bridges.turns import check_plain
from naive import backgammon as naive
from naive.backgammon import Board

Path = tuple[int, ...]


def plain() -> list[bg.Rules]:
    every = [bg.rules.get(name) for name in bg.rules.names()]
    every += [bg.rules.get(name, preset) for name in bg.rules.names() for preset in bg.rules.presets(name)]
    found = []
    for rules in every:
        try:
            found.append(check_plain(rules))
        except bg.RuleError:
            continue
    return found


PLAIN = plain()


def naive_paths(board: Board, roll: tuple[int, int]) -> dict[Path, Board]:
    """Every legal sequence of actions and the board it ends in, dice told apart."""
    found = [each for dice in naive.orders(roll) for each in naive._continue(board, dice)]
    longest = max(len(path) for path, _ in found)
    found = [(path, end) for path, end in found if len(path) == longest > 0]
    if longest == 1:
        larger = max(path[0][0] for path, _ in found)
        found = [(path, end) for path, end in found if path[0][0] == larger]
    return {tuple(source * 6 + die - 1 for die, (source, _) in path): end for path, end in found}


def position_of(board: Board, checkers: int = 15) -> bg.Position:
    return bg.Position.from_board(np.array(board, np.int8), checkers=checkers)


def assert_turn(board: Board, roll: tuple[int, int], rng: random.Random) -> None:
    """The mask after every beginning is what continues it."""
    paths = naive_paths(board, roll)
    turn = MicroTurn(bg.BACKGAMMON, position_of(board), roll)
    if not paths:
        assert turn.is_complete
        assert turn.actions() == []
        assert turn.result() == position_of(board).flipped()
        return
    for path in rng.sample(sorted(paths), min(len(paths), 12)):
        turn = MicroTurn(bg.BACKGAMMON, position_of(board), roll)
        for made, action in enumerate(path):
            assert not turn.is_complete
            expected = {other[made] for other in paths if other[:made] == path[:made]}
            assert turn.actions() == sorted(expected)
            left = list(roll) * (2 if roll[0] == roll[1] else 1)
            for earlier in path[:made]:
                left.remove(earlier % 6 + 1)
            assert sorted(turn.left) == sorted(left)
            turn.apply(action)
        assert turn.is_complete
        assert turn.actions() == []
        assert turn.result() == position_of(naive.flip(paths[path]))


@given(
    st.sampled_from(sorted(strategies.KINDS)).flatmap(strategies.boards),
    st.sampled_from(naive.ROLLS),
    st.randoms(use_true_random=False),
)
def test_as_the_naive_search(board: Board, roll: tuple[int, int], rng: random.Random) -> None:
    assert_turn(board, roll, rng)


@pytest.mark.parametrize("kind", strategies.KINDS)
def test_boards_of_every_kind(kind: str) -> None:
    rng = random.Random(kind)
    for board in strategies.seeded(kind, 5, 12):
        for roll in rng.sample(naive.ROLLS, 3):
            assert_turn(board, roll, rng)


@pytest.mark.parametrize("rules", PLAIN, ids=lambda rules: rules.name)
def test_as_next_moves_in_every_game(rules: bg.Rules) -> None:
    """Random games: what the mask lets move is what next_moves does, and every turn is a legal play."""
    rng = random.Random(rules.name)
    position = rules.start
    for _ in range(70):
        if rules.outcome(position) is not None:
            position = rules.start
        high, low = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        turn = MicroTurn(rules, position, (high, low))
        plays = rules.legal_plays(position, (high, low))
        moved: list[tuple[int, int]] = []
        off = False
        while actions := turn.actions():
            assert all(6 <= action < ACTIONS for action in actions)
            moves = {(action // 6, max(action // 6 - action % 6 - 1, 0)) for action in actions}
            following = {(move.source, move.target) for move in rules.next_moves(position, (high, low), moved)}
            # A checker borne off may have used either die; next_moves then allows what either leaves.
            assert moves <= following if off else moves == following
            action = rng.choice(actions)
            source, die = action // 6, action % 6 + 1
            moved.append((source, max(source - die, 0)))
            off |= source <= die
            turn.apply(action)
            assert not rules.validate(bg.Position.from_packed(np.array(turn.words, np.uint64)))
        result = turn.result()
        assert result in [play.result for play in plays] if plays else result == position.flipped()
        position = result


def test_the_die_counts_where_either_would_do() -> None:
    """A checker on 2 with 3-2: borne off with the 3, a 2 is left for the one on 2; with the 2, a 3."""
    position = bg.Position.from_counts([[13, 0, 2, *[0] * 23], [0] * 24 + [15, 0]])
    turn = MicroTurn(bg.BACKGAMMON, position, (3, 2))
    assert turn.actions() == [2 * 6 + 1, 2 * 6 + 2]
    turn.apply(2 * 6 + 2)
    assert turn.left == (2,)
    assert turn.actions() == [2 * 6 + 1]
    with pytest.raises(bg.RuleError, match="action 14, a move from 2 with a 3, is not legal now"):
        turn.apply(2 * 6 + 2)
    turn.apply(2 * 6 + 1)
    assert turn.is_complete
    with pytest.raises(bg.RuleError, match="is not legal now"):
        turn.apply(2 * 6 + 1)
