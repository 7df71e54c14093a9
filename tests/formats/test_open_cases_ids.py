"""Faults that other programs had with IDs and XGIDs; each must not be ours."""

from __future__ import annotations

import numpy as np
import pytest

import bgcore as bg
from bgcore.errors import FormatError, RuleError
from bgcore.formats.ids import MatchId, format_match_id, parse_match_id
from bgcore.formats.seats import Seat
from bgcore.formats.xgid import format_xgid, parse_xgid

START = "4HPwATDgc/ABMA"
START_LINE = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


def position(board: list[int]) -> bg.Position:
    return bg.Position.from_board(np.array(board, np.int8))


def test_checkers_on_both_bars_are_in_the_id() -> None:  # bug-O062
    board = [-4, -1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0, 0, 0, 0, 1, 2]
    before = position(board)
    assert before.gnubg_id == "4AAA9BgAADQAAA"
    assert bg.Position.from_gnubg_id("4AAA9BgAADQAAA") == before
    assert before.off == (10, 7)


def test_the_opponent_comes_first_in_the_id() -> None:  # bug-O063
    before = position([0, 0, 0, 0, 0, 0, 5, 0, 4, 0, 0, 0, -5, 4, 0, 0, 0, -4, 0, -5, 0, 2, 0, 0, -1, 0])
    assert before.gnubg_id == "wefBBwDg8+ABBg"
    assert before.flipped().gnubg_id == "4PPgAQbB58EHAA"


@pytest.mark.parametrize("text", ["//////////////", "4HPwATDgc/ABM", "4HPwATDgc/AB!A", "", "4HPwATDgc/ABMAA"])
def test_bad_position_ids(text: str) -> None:  # bug-O064
    with pytest.raises(bg.BgcoreError):
        bg.Position.from_gnubg_id(text)


def match_id(**fields: object) -> MatchId:
    plain = {
        "cube": 0, "owner": None, "on_roll": 1, "crawford": False, "state": "playing", "turn": 1, "doubled": False,
        "resigned": 0, "dice": None, "length": 0, "scores": (0, 0), "jacoby": True,
    }  # fmt: skip
    return MatchId(**(plain | fields))  # type: ignore[arg-type]


def test_a_score_beyond_15_bits() -> None:  # bug-O065
    with pytest.raises(RuleError, match="15 bits"):
        format_match_id(match_id(scores=(40000, 0)))
    assert parse_match_id(format_match_id(match_id(scores=(32767, 0)))).scores == (32767, 0)


def test_the_last_bit_is_jacoby() -> None:  # bug-O066
    with_it, without = parse_match_id("cAkAAAAAAAAA"), parse_match_id("cAkAAAAAAAAE")
    assert with_it == match_id(jacoby=True)
    assert without == match_id(jacoby=False)


def test_neither_owner_nor_scores_are_exchanged() -> None:  # bug-O067
    found = parse_match_id("UQngABAAIAAA")
    assert (found.cube, found.owner, found.on_roll, found.length) == (1, 1, 1, 7)
    assert (found.scores, found.crawford, found.dice) == ((1, 4), False, None)
    state = bg.MatchState.from_gnubg_id(f"{START}:UQngABAAIAAA")  # whose player 0 is that player 1
    assert (state.cube, state.cube_owner, state.on_roll, state.score) == (2, 0, 0, (4, 1))


@pytest.mark.parametrize(("cube", "text"), [(9, "WQkAAAAAAAAA"), (15, "XwkAAAAAAAAA"), (16, None)])
def test_large_cubes(cube: int, text: str | None) -> None:  # bug-O068
    wanted = match_id(cube=cube, owner=1)
    if text is None:
        with pytest.raises(RuleError, match="4 bits for the cube"):
            format_match_id(wanted)
    else:
        assert format_match_id(wanted) == text
        assert parse_match_id(text) == wanted


def test_a_cube_of_three_is_none() -> None:  # bug-O068
    from bgcore.match.actions import Ruling

    with pytest.raises(RuleError, match="power of 2"):
        Ruling("three", cube=(3, 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # bug-O069: the cube is a power of two
            "XGID=-b----E-C---eE---c-e----B-:3:-1:1:64:2:1:0:9:10",
            {"cube": 8, "owner": 1, "on_roll": 0, "dice": (6, 4), "score": (2, 1), "length": 9, "line": START_LINE},
        ),
        (  # bug-O070: the cube is the player's, not centred
            "XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8",
            {"cube": 2, "owner": 0, "on_roll": 0, "dice": (2, 1), "score": (0, 0), "length": 0, "pips": (78, 63),
             "line": [0, 0, 3, 2, 3, 2, 3, 0, 0, 0, 0, 0, 0, 2, 0, 0, -2, 0, 0, -3, -1, -2, -2, -3, -2, 0]},
        ),
        (  # bug-O071: on the right points in the right colours
            "XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8",
            {"cube": 1, "owner": None, "on_roll": 0, "dice": (6, 1), "score": (0, 0), "length": 0, "pips": (160, 164),
             "line": [0, -1, -1, 0, 0, 0, 5, 2, 2, 0, 0, 0, -4, 4, -1, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]},
        ),
        (  # bug-O072: capitals are the bottom player's also where top is on roll
            "XGID=-b----E-C---dE---c-e---aB-:0:0:-1:52:0:3:0:5:10",
            {"cube": 1, "owner": None, "on_roll": 1, "dice": (5, 2), "score": (0, 3), "length": 5,
             "line": [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -4, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, -1, 2, 0]},
        ),
    ],
)  # fmt: skip
def test_xgids(text: str, expected: dict[str, object]) -> None:
    xgid = parse_xgid(text)
    assert list(xgid.seats.to_line()) == expected["line"]
    state = bg.MatchState.from_xgid(text)
    assert (state.cube, state.cube_owner, state.on_roll) == (expected["cube"], expected["owner"], expected["on_roll"])
    assert (state.dice, state.score, state.length) == (expected["dice"], expected["score"], expected["length"])
    if "pips" in expected:
        assert state.position.pips == expected["pips"]
    if state.on_roll == 1:
        mine = [0, -2, 1, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
        assert state.position.board.tolist() == mine
    assert format_xgid(xgid) == state.xgid(bottom=0) == text


def test_a_double_is_no_roll_and_the_other_decides() -> None:  # bug-O073
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"
    state = bg.MatchState.from_xgid(text)
    assert (state.pending, state.on_roll, state.to_act, state.dice) == ("double", 0, 1, None)
    assert parse_xgid(text).turn is Seat.A
    from bgcore.match.actions import Take

    assert (state.cube, state.apply(Take()).cube) == (1, 2)
    with pytest.raises(FormatError):
        bg.MatchState.from_xgid(text.replace(":D:", ":DD:"))
