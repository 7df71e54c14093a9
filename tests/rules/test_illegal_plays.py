"""Why a play is illegal: one position and more for each reason, written from the rules; the message says what is right.

A side is written {point: checkers} in its own numbering, 25 the bar; who isn't there is borne off.
"""

from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgcore as bg
import strategies
from bgcore import IllegalReason as Reason
from naive import backgammon as naive
from naive.backgammon import Board
from strategies import board_of

Side = dict[int, int]
Roll = tuple[int, int]
START = {24: 2, 13: 5, 8: 3, 6: 5}
FAR = {1: 2}  # an opponent who is out of the way, on my 24
BARRED = {25: 1, 13: 4, 8: 3, 6: 5, 24: 2}


def position(own: Side, opp: Side) -> bg.Position:
    return bg.Position.from_board(np.array(board_of(own, opp), np.int8))


def refused(own: Side, opp: Side, dice: Roll, text: str) -> bg.IllegalPlay:
    """Return the refusal, the same for a text, a parsed play and the dice in either order."""
    board = position(own, opp)
    with pytest.raises(bg.IllegalPlay) as caught:
        bg.BACKGAMMON.check(board, dice, text)
    for call in (
        lambda: bg.BACKGAMMON.check(board, dice[::-1], text),
        lambda: bg.BACKGAMMON.check(board, dice, bg.Play.parse(text)),
        lambda: bg.BACKGAMMON.parse_play(board, dice, text),
        lambda: bg.BACKGAMMON.parse_play(board, dice, text, numbering="absolute", side="bottom"),
    ):
        with pytest.raises(bg.IllegalPlay) as again:
            call()
        assert again.value.reason is caught.value.reason
    return caught.value


CASES = [
    # the game is over: won, lost, and a pass is none either
    (Reason.GAME_OVER, {}, {6: 2}, (3, 1), "6/5"),
    (Reason.GAME_OVER, {6: 2}, {}, (3, 1), "6/5 6/3"),
    (Reason.GAME_OVER, {}, {6: 2}, (3, 1), "pass"),
    # not your checker: an empty point, one of the opponent's, more than stand there, more than arrive there
    (Reason.NOT_YOUR_CHECKER, START, START, (3, 1), "7/4 6/5"),
    (Reason.NOT_YOUR_CHECKER, START, START, (3, 1), "19/16 6/5"),
    (Reason.NOT_YOUR_CHECKER, START, START, (3, 3), "24/21(3) 6/3"),
    (Reason.NOT_YOUR_CHECKER, START, START, (1, 1), "8/7 7/6 7/6"),
    (Reason.NOT_YOUR_CHECKER, START, START, (3, 1), "bar/22 6/5"),
    # bar first
    (Reason.BAR_FIRST, BARRED, START, (3, 1), "8/5 6/5"),
    (Reason.BAR_FIRST, BARRED, START, (3, 1), "6/5"),
    (Reason.BAR_FIRST, {25: 2, 13: 5, 8: 3, 6: 5}, START, (3, 1), "bar/22 6/5"),
    (Reason.BAR_FIRST, {25: 2, 13: 5, 8: 3, 6: 5}, START, (3, 1), "bar/21"),
    (Reason.BAR_FIRST, {25: 1, 6: 14}, {1: 2}, (6, 5), "6/off"),
    # a die that was not rolled: another number, a sum of others, the same die twice, too many
    (Reason.DIE_NOT_ROLLED, START, START, (3, 1), "8/6 6/5"),
    (Reason.DIE_NOT_ROLLED, START, START, (3, 1), "24/22 6/5"),
    (Reason.DIE_NOT_ROLLED, START, START, (3, 1), "13/8"),
    (Reason.DIE_NOT_ROLLED, START, START, (3, 1), "8/7 6/5"),
    (Reason.DIE_NOT_ROLLED, START, START, (3, 1), "13/9 8/7"),
    (Reason.DIE_NOT_ROLLED, START, START, (3, 1), "8/5 6/5 24/23"),
    (Reason.DIE_NOT_ROLLED, START, START, (2, 2), "13/11(2) 6/3"),
    (Reason.DIE_NOT_ROLLED, START, START, (2, 2), "13/7 13/7"),
    (Reason.DIE_NOT_ROLLED, {6: 2, 3: 2}, FAR, (4, 3), "6/off 3/off"),
    # a blocked point: at once, on entering, on both ways of one checker, in the middle of a double
    (Reason.POINT_BLOCKED, START, START, (5, 1), "24/19 6/5"),
    (Reason.POINT_BLOCKED, START, START, (6, 1), "24/17"),
    (Reason.POINT_BLOCKED, BARRED, {24: 2, 13: 5, 8: 3, 6: 3, 5: 2}, (6, 3), "bar/19 8/5"),
    (Reason.POINT_BLOCKED, {24: 1, 6: 4}, {7: 3, 2: 2}, (6, 1), "24/17"),
    (Reason.POINT_BLOCKED, {24: 1, 6: 4}, {7: 2}, (3, 3), "24/12"),
    (Reason.POINT_BLOCKED, {24: 2, 6: 2}, {2: 2}, (5, 1), "24/23 6/1"),
    # bearing off before all are home, one on the bar included
    (Reason.NOT_ALL_HOME, {13: 1, 6: 5, 5: 5}, FAR, (6, 5), "6/off 5/off"),
    (Reason.NOT_ALL_HOME, {7: 1, 6: 5, 5: 5}, FAR, (6, 5), "6/off 6/1"),
    (Reason.NOT_ALL_HOME, {24: 1, 2: 3}, {13: 2}, (2, 2), "24/22 2/off(3)"),
    # a larger die bears off from the highest point only
    (Reason.OVERSHOOT, {6: 2, 2: 2}, FAR, (5, 4), "2/off(2)"),
    (Reason.OVERSHOOT, {6: 2, 2: 2}, FAR, (5, 4), "6/2 2/off"),
    (Reason.OVERSHOOT, {5: 1, 4: 2, 1: 1}, FAR, (6, 3), "4/off 1/off"),
    (Reason.OVERSHOOT, {5: 2, 3: 2}, FAR, (4, 4), "5/1 3/off"),
    # with the die of its own distance used elsewhere
    (Reason.OVERSHOOT, {6: 5, 5: 2, 4: 3, 2: 3}, {2: 12}, (4, 2), "6/4 2/off"),
    (Reason.OVERSHOOT, {6: 1, 4: 1, 2: 2}, FAR, (5, 2), "2/off(2)"),
    (Reason.OVERSHOOT, {7: 1, 4: 1}, FAR, (5, 1), "7/6 4/off"),  # the checker behind has only just come
    # more could be played
    (Reason.MUST_PLAY_MORE, START, START, (3, 1), "8/5"),
    (Reason.MUST_PLAY_MORE, START, START, (3, 1), "pass"),
    (Reason.MUST_PLAY_MORE, START, START, (3, 3), "8/5(2) 6/3"),
    (Reason.MUST_PLAY_MORE, {10: 1, 9: 1}, {19: 2, 21: 2, 22: 2}, (6, 1), "10/9"),
    # one die only, and it must be the larger
    (Reason.MUST_PLAY_LARGER, {20: 1}, {24: 2, 14: 2}, (5, 4), "20/16"),
    (Reason.MUST_PLAY_LARGER, {24: 1, 6: 1, 4: 2}, {6: 2, 5: 2, 4: 3, 3: 2, 2: 2}, (5, 4), "6/2"),
]  # fmt: skip


HEAD = {24: 15}
PARALLEL = {"geometry": "parallel", "block_at": 1, "contact": "none"}
PLAKOTO = bg.Rules("plakoto", start=HEAD, contact="pin", mother="wait")
FEVGA = bg.Rules("fevga", start=HEAD, **PARALLEL, runner="pass")
NARDI = bg.Rules("long nardi", start=HEAD, **PARALLEL, head_limit=1, prime_rules={"ahead"})
ROW = {24: 9, 22: 1, **dict.fromkeys(range(16, 21), 1)}  # 22/21 makes it six

OTHER_GAMES: list[tuple[Reason, bg.Rules, Side, Side, int | None, Roll, str]] = [
    # a checker of mine on my 10 under one of the opponent's on his 15
    (Reason.PINNED, PLAKOTO, {24: 14, 10: 1}, {24: 14, 15: 1}, 10, (3, 1), "10/7 24/23"),
    # one checker may leave the head in a turn
    (Reason.HEAD_USED, NARDI, {24: 14, 20: 1}, {24: 14, 22: 1}, None, (3, 1), "24/21 24/23"),
    # the first checker must pass the opponent's head before another leaves mine
    (Reason.RUNNER_FIRST, FEVGA, {24: 14, 20: 1}, {24: 14, 22: 1}, None, (3, 1), "24/21 20/19"),
    # six points in a row, with no opposing checker ahead of them
    (Reason.PRIME_FORBIDDEN, NARDI, ROW, {24: 15}, None, (3, 1), "24/21 22/21"),
]


@pytest.mark.parametrize(("reason", "rules", "own", "opp", "pinned", "dice", "text"), OTHER_GAMES)
def test_reasons_of_other_games(
    reason: Reason, rules: bg.Rules, own: Side, opp: Side, pinned: int | None, dice: Roll, text: str
) -> None:
    counts = [[side.get(slot, 0) for slot in range(26)] for side in (own, opp)]
    pins = np.zeros((2, 26), bool)
    pins[0, pinned or 1] = pinned is not None
    board = bg.Position.from_counts(counts, pins)
    assert not rules.validate(board)
    with pytest.raises(bg.IllegalPlay) as caught:
        rules.check(board, dice, text)
    assert caught.value.reason is reason
    assert text in str(caught.value)


@pytest.mark.parametrize(("reason", "own", "opp", "dice", "text"), CASES)
def test_the_reason(reason: Reason, own: Side, opp: Side, dice: Roll, text: str) -> None:
    error = refused(own, opp, dice, text)
    assert error.reason is reason
    assert isinstance(error.reason, str)
    assert text in str(error) or not text
    assert f"{dice[0]}-{dice[1]}" in str(error)


def test_every_reason_has_a_case() -> None:
    """NO_SUCH_PLAY is what is left over: no play that can be written down is known to have it (see next_moves)."""
    assert {case[0] for case in (*CASES, *OTHER_GAMES)} == set(Reason) - {Reason.NO_SUCH_PLAY}


def test_the_order_of_the_reasons() -> None:
    """The first that applies is given."""
    assert [reason.name for reason in Reason] == [
        "GAME_OVER",
        "NOT_YOUR_CHECKER",
        "BAR_FIRST",
        "PINNED",
        "HEAD_USED",
        "RUNNER_FIRST",
        "DIE_NOT_ROLLED",
        "POINT_BLOCKED",
        "NOT_ALL_HOME",
        "OVERSHOOT",
        "PRIME_FORBIDDEN",
        "MUST_PLAY_MORE",
        "MUST_PLAY_LARGER",
        "NO_SUCH_PLAY",
    ]
    assert refused({}, {6: 2}, (3, 1), "7/5").reason is Reason.GAME_OVER
    assert refused(BARRED, START, (3, 1), "7/5").reason is Reason.NOT_YOUR_CHECKER
    assert refused(BARRED, START, (3, 1), "8/6").reason is Reason.BAR_FIRST
    assert refused(START, START, (3, 1), "24/19").reason is Reason.DIE_NOT_ROLLED
    assert refused({24: 1, 6: 2}, {6: 2}, (5, 6), "24/19 6/off").reason is Reason.POINT_BLOCKED
    assert refused({23: 1, 6: 2, 2: 1}, FAR, (6, 5), "2/off").reason is Reason.NOT_ALL_HOME


@pytest.mark.parametrize(
    ("own", "opp", "dice", "text", "words"),
    [
        (START, START, (3, 1), "7/4 6/5", ["no checker of yours", "point 7"]),
        (START, START, (3, 3), "24/21(3) 6/3", ["only 2", "point 24", "3 would move"]),
        (START, START, (3, 1), "bar/22 6/5", ["no checker of yours", "the bar"]),
        ({25: 2, 13: 5, 8: 3, 6: 5}, START, (3, 1), "bar/22 6/5", ["2 on the bar must enter first"]),
        (START, START, (3, 1), "8/6 6/5", ["8 to 6", "2 pips", "1, 3, 4"]),
        (START, START, (2, 2), "8/5", ["8 to 5", "3 pips", "2, 4, 6, 8"]),
        (START, START, (3, 1), "8/7 6/5", ["only 2 moves"]),
        (START, START, (5, 1), "24/19 6/5", ["point 19", "blocked by 5 checkers"]),
        (BARRED, {24: 2, 13: 5, 8: 3, 6: 3, 5: 2}, (6, 3), "bar/19 8/5", ["point 19", "blocked by 3 checkers"]),
        ({24: 1, 6: 4}, {7: 3, 2: 2}, (6, 1), "24/17", ["point 18 is blocked by 3", "point 23 is blocked by 2"]),
        ({24: 1, 6: 4}, {7: 2}, (3, 3), "24/12", ["point 18 is blocked by 2"]),
        ({13: 1, 6: 5, 5: 5}, FAR, (6, 5), "6/off 5/off", ["while one is on point 13"]),
        ({6: 2, 2: 2}, FAR, (5, 4), "2/off(2)", ["highest point only", "a checker on 6"]),
        ({7: 1, 4: 1}, FAR, (5, 1), "7/6 4/off", ["highest point only", "a checker on 6"]),
        (START, START, (3, 3), "8/5(2) 6/3", ["4 of the dice"]),
        ({20: 1}, {24: 2, 14: 2}, (5, 4), "20/16", ["must be the 5", "for example 20/15"]),
        ({10: 1, 9: 1}, {19: 2, 21: 2, 22: 2}, (6, 1), "10/9", ["2 of the dice", "for example 9/2"]),
    ],
)
def test_the_message_says_what_and_where(own: Side, opp: Side, dice: Roll, text: str, words: list[str]) -> None:
    message = str(refused(own, opp, dice, text))
    for word in words:
        assert word in message


def example_of(message: str) -> str:
    match = re.search(r"for example (.*)$", message)
    assert match, message
    return match.group(1)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case[0] in (Reason.MUST_PLAY_MORE, Reason.MUST_PLAY_LARGER)]
)
def test_the_example_is_legal(case: tuple[Reason, Side, Side, Roll, str]) -> None:
    _, own, opp, dice, text = case
    play = bg.BACKGAMMON.check(position(own, opp), dice, example_of(str(refused(own, opp, dice, text))))
    assert play in bg.BACKGAMMON.legal_plays(position(own, opp), dice)


# ---- a turn made step by step


@pytest.mark.parametrize(
    ("reason", "own", "opp", "dice", "moved"),
    [
        (Reason.GAME_OVER, {}, {6: 2}, (3, 1), [(6, 5)]),
        (Reason.NOT_YOUR_CHECKER, START, START, (3, 1), [(7, 4)]),
        (Reason.BAR_FIRST, BARRED, START, (3, 1), [(6, 5)]),
        (Reason.DIE_NOT_ROLLED, START, START, (3, 1), [(8, 6)]),
        (Reason.POINT_BLOCKED, START, START, (5, 1), [(6, 5), (24, 19)]),
        (Reason.NOT_ALL_HOME, {13: 1, 6: 5}, FAR, (6, 5), [(6, 0)]),
        (Reason.OVERSHOOT, {6: 2, 2: 2}, FAR, (5, 4), [(2, 0)]),
        (Reason.NO_SUCH_PLAY, START, START, (3, 1), [(5, 8)]),
        (Reason.NO_SUCH_PLAY, START, START, (3, 1), [(26, 23)]),
        (Reason.NO_SUCH_PLAY, START, START, (3, 1), [(0, -1)]),
    ],
)
def test_a_wrong_step(reason: Reason, own: Side, opp: Side, dice: Roll, moved: list[tuple[int, int]]) -> None:
    for steps in (moved, tuple(moved), [bg.Move(*move) for move in moved]):
        with pytest.raises(bg.IllegalPlay) as caught:
            bg.BACKGAMMON.next_moves(position(own, opp), dice, steps)
        assert caught.value.reason is reason


@pytest.mark.parametrize("moved", [5, [5], [None], ["8/5"], [("8", "5")], [(8.0, 5.0)], [(8,)], [()]])
def test_steps_of_a_wrong_type(moved: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        bg.BACKGAMMON.next_moves(bg.Position.initial(), (3, 1), moved)  # type: ignore[arg-type]


# ---- reasons against the twin


def can_be_made(board: Board, roll: Roll, hops: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether the hops can be made one by one, each with one die, whether or not that is a legal play."""
    return any(naive.replay(board, roll, path) is not None for path in set(permutations(hops)))


@st.composite
def attempts(draw: st.DrawFn) -> tuple[Board, Roll, tuple[tuple[int, int], ...]]:
    """Draw a board, a roll and hops that mostly have the length of a die and a checker to make them."""
    board = draw(st.sampled_from(list(strategies.KINDS)).flatmap(strategies.boards))
    roll = draw(st.sampled_from(naive.ROLLS))
    sources = [point for point in range(1, 26) if board[point] > 0]
    hops = []
    for _ in range(draw(st.integers(1, 2 if roll[0] != roll[1] else 4))):
        source = draw(st.sampled_from(sources))
        target = max(source - draw(st.sampled_from(roll)), 0)
        hops.append((source, target))
        sources += [target] if target else []
    return board, roll, tuple(hops)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(attempts())
def test_reasons_fit_the_board(attempt: tuple[Board, Roll, tuple[tuple[int, int], ...]]) -> None:
    board, roll, hops = attempt
    where = bg.Position.from_board(np.array(board, np.int8))
    text = " ".join(f"{source}/{target}" for source, target in hops)
    legal = naive.results(board, roll)
    try:
        play = bg.BACKGAMMON.check(where, roll, text)
    except bg.IllegalPlay as error:
        reason, message = error.reason, str(error)
    else:
        assert naive.flip(tuple(play.result.board.tolist())) in legal
        return
    closed = [target for source, target in hops if target and board[target] <= -2]
    off = [source for source, target in hops if target == 0]
    possible = can_be_made(board, roll, hops)
    assert possible == (reason in (Reason.MUST_PLAY_MORE, Reason.MUST_PLAY_LARGER)), message
    if reason is Reason.BAR_FIRST:
        assert board[25] > 0
    elif reason is Reason.POINT_BLOCKED:
        assert closed
        assert f"point {closed[0]} is blocked by {-board[closed[0]]} checkers" in message
    elif reason in (Reason.NOT_ALL_HOME, Reason.OVERSHOOT):
        assert off
    elif possible:
        longest = max(map(len, naive.sequences(board, roll)))
        assert (longest == len(hops)) == (reason is Reason.MUST_PLAY_LARGER)
        assert bg.BACKGAMMON.check(where, roll, example_of(message)) in bg.BACKGAMMON.legal_plays(where, roll)
    else:
        assert reason in (Reason.NOT_YOUR_CHECKER, Reason.DIE_NOT_ROLLED), message
