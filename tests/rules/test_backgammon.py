"""Worked examples of the rules of backgammon: each a named position with all of its legal plays, or how many.

Sources: the rule texts the project follows (PO, UT: their examples), and positions that other programs get wrong
(`PEERS`).  A side is written {point: checkers} in its own numbering, 25 the bar; who isn't there is borne off.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

import bgcore as bg
import strategies
from naive import backgammon as naive
from naive.backgammon import Board
from strategies import board_of

Side = dict[int, int]
Roll = tuple[int, int]

FAR = {1: 2}  # an opponent who is out of the way, on my 24
START = {24: 2, 13: 5, 8: 3, 6: 5}


def position(board: Board, checkers: int = 15) -> bg.Position:
    return bg.Position.from_board(np.array(board, dtype=np.int8), checkers=checkers)


def plays(board: Board, dice: Roll, rules: bg.Rules = bg.BACKGAMMON) -> list[Board]:
    """Return the final boards of all legal plays, as the mover sees them."""
    checkers = 3 if rules is bg.HYPERGAMMON else 15
    found = rules.legal_plays(position(board, checkers), dice)
    assert len(found) == rules.count_plays(position(board, checkers), dice)
    return [naive.flip(tuple(play.result.board.tolist())) for play in found]


def moves_of(text: str) -> tuple[naive.Move, ...]:
    """Return the moves of `bar/22 8/5*(2) 6/off`, one a step."""
    path: list[naive.Move] = []
    for word in text.replace("*", "").split():
        stops, _, times = word.partition("(")
        points = [{"bar": 25, "off": 0}.get(stop) or int(stop.replace("off", "0")) for stop in stops.split("/")]
        path += list(pairwise(points)) * int(times.rstrip(")") or 1)
    return tuple(path)


def after(board: Board, dice: Roll, text: str) -> Board:
    """Return the board after a play, made by hand."""
    boards = naive.replay(board, dice, moves_of(text))
    assert boards is not None, f"the test is wrong: {text} cannot be moved"
    return boards[-1]


class Example(NamedTuple):
    """A position and all of its legal plays."""

    name: str
    own: Side
    opp: Side
    dice: Roll
    plays: tuple[str, ...]


PO2 = {25: 1, 13: 4, 8: 3, 6: 5, 24: 2}, {24: 2, 13: 5, 8: 3, 6: 3, 5: 2}
BLOT = {6: 1, 5: 2, 10: 2}  # a blot on my 19; my 20 and 15 closed

EXAMPLES = [
    # bar
    Example("PO-2 no entry", *PO2, (6, 5), ()),
    Example("PO-2 entry forced", *PO2, (5, 3), ("bar/22 13/8", "bar/22 8/3")),
    Example(
        "PO-2 either die enters",
        *PO2,
        (4, 1),
        ("bar/21 24/23", "bar/21 8/7", "bar/21 6/5", "bar/24 13/9", "bar/24 8/4", "bar/24 6/2"),
    ),
    Example("a 3 enters on 22", {25: 1, 1: 1}, {6: 2, 13: 2}, (3, 6), ("bar/22/16",)),
    Example("5-1 enters both", {25: 2, 6: 5}, {24: 2}, (5, 1), ("bar/20 bar/24",)),
    Example("5-1 enters with either", {25: 1, 6: 2}, {10: 2}, (5, 1), ("bar/20/19", "bar/20 6/5", "bar/24 6/1")),
    Example("one of two enters, the rest waits", {25: 2, 6: 5}, {5: 2, 13: 2}, (5, 1), ("bar/24",)),
    # both dice, else the larger
    Example("PO-3 larger die", {20: 1}, {24: 2, 14: 2}, (5, 4), ("20/15",)),
    Example("PO-3 only the smaller", {20: 1}, {24: 2, 14: 2, 10: 2}, (5, 4), ("20/16",)),
    Example("PO-4 both dice", {10: 1, 9: 1}, {19: 2, 21: 2, 22: 2}, (6, 1), ("9/8/2",)),
    # bear-off
    Example("UT-4", {6: 1, 4: 1, 3: 1, 2: 1, 1: 1}, FAR, (5, 4), ("6/1 4/off", "6/2 4/off")),
    Example("UT-5", {6: 1, 5: 2}, FAR, (6, 1), ("6/off 5/4", "6/5/off")),
    Example("UT-6", {4: 2, 3: 2, 2: 2, 1: 2}, FAR, (5, 4), ("4/off(2)",)),
    Example("UT-6 one on 4", {4: 1, 3: 2, 2: 2, 1: 2}, FAR, (5, 4), ("4/off 3/off",)),
    Example("UT-8 the last comes home first", {7: 1, 2: 2}, {24: 2}, (6, 5), ("7/2/off",)),
    Example("5-4, none on 5", {6: 3, 4: 3, 3: 3, 2: 3, 1: 3}, FAR, (5, 4), ("6/1 4/off", "6/1 6/2")),
    Example("2-1, none on 2", {5: 3, 1: 3}, FAR, (2, 1), ("5/3 1/off", "5/4 5/3", "5/3/2")),
    Example("none comes off before the bar is empty", {25: 1, 1: 2}, {6: 2}, (6, 5), ("bar/20/14",)),
    Example("none comes off from behind the bar", {25: 1, 1: 2}, {6: 2, 5: 2}, (6, 5), ()),
    # hits
    Example("2-6 hits on the way and runs on", {24: 1}, {3: 1, 13: 2}, (2, 6), ("24/22*/16", "24/18/16")),
    Example("two hits by one checker", {13: 1}, {18: 1, 22: 1, 16: 2}, (6, 4), ("13/7*/3*",)),
    Example("two hits by two checkers", {13: 1, 8: 1}, {18: 1, 21: 1, 16: 2, 22: 2, 23: 2}, (6, 4), ("13/7* 8/4*",)),
    Example("a hit is compulsory: nothing else", {24: 1, 1: 2}, BLOT, (5, 4), ("24/19*",)),
    Example("a hit is compulsory: the larger die", {24: 1, 1: 2}, {6: 1, 10: 2}, (5, 4), ("24/19*",)),
    Example("a hit is compulsory: both dice", {24: 1, 8: 1, 1: 2}, BLOT, (5, 4), ("24/19* 8/4",)),
    Example(
        "a hit is a choice when both dice can be played without it",
        {24: 1, 8: 1, 6: 1, 1: 2},
        BLOT,
        (5, 4),
        ("24/19* 8/4", "24/19* 6/2", "8/3 6/2", "8/4 6/1"),
    ),
    # PEERS: what other programs get wrong; the letters are those of docs/performance.md
    Example("T1 last checker, one die or two", {2: 1}, FAR, (2, 1), ("2/1/off",)),
    Example("S1 both dice, though one would win", {4: 1}, {24: 1, 1: 1}, (4, 3), ("4/1*/off",)),
    Example(
        "P1 both dice",
        {6: 1, 3: 3, 2: 6},
        {24: 2, 21: 2, 10: 1, 3: 2, 2: 6, 1: 2},
        (4, 1),
        ("6/2 3/2",),
    ),
    Example(
        "P1 larger die",
        {24: 1, 6: 1, 4: 2, 3: 5, 2: 2, 1: 4},
        {13: 3, 11: 1, 6: 2, 5: 2, 4: 3, 3: 2, 2: 2},
        (5, 4),
        ("6/1",),
    ),
    Example(
        "Y1 moving in and bearing off",
        {4: 2, 3: 7, 1: 3},
        {3: 1, 2: 5, 1: 8},
        (2, 2),
        ("4/2(2) 3/1 2/off", "4/2(2) 2/off(2)", "4/2(2) 3/1(2)", "4/2 3/1(3)", "4/2 3/1(2) 2/off", "3/1(4)"),
    ),
    Example(
        "D1 inside with the small die, off with the large",
        {6: 1, 5: 3, 3: 3, 2: 2, 1: 5},
        {25: 1, 21: 5, 17: 3, 10: 1, 2: 4, 1: 1},
        (6, 1),
        ("6/off 3/2", "6/off 2/1", "6/off 1/off", "6/5/off"),
    ),
    Example(
        "D2 inside and off is the only way to play both",
        {5: 1, 3: 5, 2: 7},
        {24: 2, 21: 2, 19: 1, 8: 1, 3: 2, 2: 3, 1: 4},
        (4, 2),
        ("5/3/off",),
    ),
    Example("D3 no duplicate", {3: 7, 2: 6}, {24: 1, 20: 2, 4: 3, 3: 3, 1: 6}, (4, 3), ("3/off(2)",)),
    Example(
        "K1 no duplicate",
        {5: 1, 4: 1, 3: 8, 1: 5},
        {25: 1, 23: 1, 16: 1, 15: 1, 13: 1, 10: 1, 7: 1, 5: 1, 2: 3, 1: 4},
        (6, 5),
        ("5/off 4/off",),
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_legal_plays_are_exactly(example: Example) -> None:
    board = board_of(example.own, example.opp)
    expected = sorted(after(board, example.dice, text) for text in example.plays)
    assert sorted(plays(board, example.dice)) == expected
    assert sorted(plays(board, example.dice[::-1])) == expected


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.plays], ids=lambda example: example.name)
def test_check_accepts_each_of_them(example: Example) -> None:
    board = board_of(example.own, example.opp)
    legal = bg.BACKGAMMON.legal_plays(position(board), example.dice)
    for text in example.plays:
        play = bg.BACKGAMMON.check(position(board), example.dice, text)
        assert play in legal
        assert naive.flip(tuple(play.result.board.tolist())) == after(board, example.dice, text)


ALL_HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
MOST_11 = dict.fromkeys((3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 20, 21, 23, 24), 1)
MOST_21 = dict.fromkeys((3, 4, 6, 7, 9, 10, 12, 13, 15, 17, 18, 20, 21, 23, 24), 1)
MOST_21_BLOTS = {25 - point: 1 for point in (2, 5, 8, 11, 14, 16, 19, 22)}


@pytest.mark.parametrize(
    ("own", "opp", "dice", "count", "among"),
    [
        (ALL_HOME, FAR, (6, 4), 3, ("6/off 4/off",)),
        (ALL_HOME, FAR, (2, 2), 59, ("2/off(2) 6/4(2)", "2/off 6/4(3)", "4/2(3) 2/off", "6/4/2/off 5/3")),
        (START, START, (3, 1), 16, ("8/5 6/5", "24/23 13/10", "13/10/9")),
        (MOST_11, {25: 15}, (1, 1), 2226, ("24/23/22/21/20", "7/6/5 4/3/2")),
        (MOST_21, MOST_21_BLOTS, (2, 1), 224, ("24/22*/21", "24/23/21", "21/20 4/2*")),
    ],
    ids=["all home 6-4", "all home 2-2", "opening 3-1", "most plays of a double", "most plays of two dice"],
)
def test_legal_plays_number(own: Side, opp: Side, dice: Roll, count: int, among: tuple[str, ...]) -> None:
    board = board_of(own, opp)
    found = plays(board, dice)
    assert len(found) == len(set(found)) == count
    assert {after(board, dice, text) for text in among} <= set(found)


def test_plays_of_the_opening() -> None:
    """PO-1: START has this many plays a roll."""
    counts = (42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11)
    assert [(max(roll), min(roll)) for roll in bg.dice.ROLLS] == naive.ROLLS
    assert tuple(bg.BACKGAMMON.count_plays(bg.BACKGAMMON.start, roll) for roll in naive.ROLLS) == counts
    assert tuple(bg.batch.count_plays(bg.Position.initial().packed.reshape(1, 4))[0].tolist()) == counts


def test_starts() -> None:
    for rules, start in (
        (bg.BACKGAMMON, strategies.START),
        (bg.NACKGAMMON, strategies.NACKGAMMON),
        (bg.HYPERGAMMON, strategies.HYPERGAMMON),
    ):
        assert tuple(rules.start.board.tolist()) == start
    assert bg.Position.initial() == bg.BACKGAMMON.start
    assert bg.Position.initial().pips == (167, 167)
    assert bg.HYPERGAMMON.start.pips == (69, 69)
    assert bg.HYPERGAMMON.start.off == (0, 0)  # it has three checkers in all, not twelve off


def test_opening_rolls() -> None:
    """One die each, never a double: 15 rolls without order."""
    rolls = [tuple(map(int, roll)) for roll in bg.dice.OPENING_ROLLS]
    assert len(rolls) == 15
    assert {frozenset(roll) for roll in rolls} == {frozenset(r) for r in naive.ROLLS if r[0] != r[1]}


def test_weights_are_the_36_throws() -> None:
    weights = [int(weight) for weight in bg.dice.WEIGHTS]
    assert weights == [1 if high == low else 2 for high, low in naive.ROLLS]


@pytest.mark.parametrize(
    ("rules", "depth", "lines"),
    [
        ("BACKGAMMON", 0, 1),
        ("BACKGAMMON", 1, 447),
        ("BACKGAMMON", 2, 202_782),
        ("BACKGAMMON", 3, 116_154_993),
        ("NACKGAMMON", 1, 547),
        ("NACKGAMMON", 2, 324_161),
        ("HYPERGAMMON", 1, 195),
        ("HYPERGAMMON", 2, 38_017),
        ("HYPERGAMMON", 3, 6_645_799),
    ],
)
def test_perft(rules: str, depth: int, lines: int) -> None:
    """GNU Backgammon's generator and an independent brute force agree on these."""
    game = getattr(bg, rules)
    assert bg.perft(game.start, depth, game) == lines


@pytest.mark.parametrize(
    ("own", "opp", "result"),
    [
        ({1: 1}, {1: 1}, None),
        ({}, {24: 1}, ("own", 1)),  # fourteen off: even far behind it is a single game
        ({}, {25: 1, 3: 13}, ("own", 1)),
        ({}, {18: 5, 6: 10}, ("own", 2)),
        ({}, {19: 1, 6: 14}, ("own", 3)),  # 19 of the loser is 6 of the winner
        ({}, {25: 1, 6: 14}, ("own", 3)),  # P2: none in the winner's home, one on the bar
        ({24: 1}, {}, ("opp", 1)),
        ({18: 1, 6: 14}, {}, ("opp", 2)),
        ({19: 1, 6: 14}, {}, ("opp", 3)),
        ({25: 1, 6: 14}, {}, ("opp", 3)),
    ],
)
def test_outcome(own: Side, opp: Side, result: tuple[str, int] | None) -> None:
    board = board_of(own, opp)
    outcome = bg.BACKGAMMON.outcome(position(board))
    assert (outcome and (outcome.winner, outcome.points)) == result == naive.outcome(board)
    assert position(board).is_over == (result is not None)


@pytest.mark.parametrize(("own", "opp"), [({}, {6: 15}), ({6: 15}, {})])
def test_nothing_is_played_after_the_end(own: Side, opp: Side) -> None:
    over = position(board_of(own, opp))
    for roll in naive.ROLLS:
        assert bg.BACKGAMMON.legal_plays(over, roll) == ()
        assert bg.BACKGAMMON.next_moves(over, roll) == ()
        assert bg.BACKGAMMON.count_plays(over, roll) == 0
    assert bg.perft(over, 3) == 1


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (-1, 3), (1, 256 + 1)])
def test_dice_are_one_to_six(dice: Roll) -> None:
    with pytest.raises(bg.RuleError):
        bg.BACKGAMMON.legal_plays(bg.Position.initial(), dice)
    with pytest.raises(bg.RuleError):
        bg.batch.count_plays(bg.Position.initial().packed.reshape(1, 4), np.array([dice]))
