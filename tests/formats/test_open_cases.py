"""Faults that other programs had with plays and transcripts; each must not be ours."""

from __future__ import annotations

import io

import numpy as np
import pytest

import bgcore as bg
from bgcore.errors import FormatError, IllegalPlay
from bgcore.formats.meaning import chosen
from bgcore.formats.play_text import read_play
from bgcore.match.transcript import Match
from bgcore.rules._find import find_plays


def read(text: str, *, strict: bool = False) -> Match:
    return bg.read_match(io.BytesIO(text.encode()), strict=strict)


def position(board: list[int]) -> bg.Position:
    return bg.Position.from_board(np.array(board, np.int8))


def after(board: list[int], dice: tuple[int, int], text: str) -> list[int]:
    """The mover's board after a text, read as a match file's and as a user's."""
    before = position(board)
    play = bg.BACKGAMMON.parse_play(before, dice, text)
    written = read_play(text)
    found = find_plays(bg.BACKGAMMON, before, dice, written.moves)
    assert chosen(before, dice, written, found) == [play]
    result: list[int] = play.result.flipped().board.tolist()
    return result


BAR = [0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, -2, 1]
BAR_AFTER = [-1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, -2, 0]


@pytest.mark.parametrize("text", ["bar/20*/17", "bar/20/17", "Bar/20*/17", "25/20*/17", "25/20 20/17"])
def test_a_missing_star_is_no_fault(text: str) -> None:  # bug-O060
    assert after(BAR, (5, 3), text) == BAR_AFTER


BEARING_OFF = [0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0]


@pytest.mark.parametrize("moves", [[(4, 2), (6, 0)], [(6, 0), (4, 2)]])
def test_a_play_that_bears_off_has_one_canonical_text(moves: list[tuple[int, int]]) -> None:  # bug-O061
    [play] = find_plays(bg.BACKGAMMON, position(BEARING_OFF), (6, 2), moves)
    assert str(play) == "6/off 4/2"
    assert play.result.flipped().board.tolist() == [0, 0, 2, 0, 0, 0, 1, *[0] * 17, -2, 0]


def test_a_merged_bear_off_shorter_than_the_dice() -> None:  # bug-O074
    board = [0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, -2, 0]
    expected = [0, 0, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, -2, 0]
    assert after(board, (6, 5), "9/Off") == after(board, (6, 5), "9/4/off") == expected
    stays = [0, 0, 3, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, -2, 0]
    with pytest.raises(IllegalPlay):
        after(stays, (6, 5), "9/Off")
    assert find_plays(bg.BACKGAMMON, position(stays), (6, 5), read_play("9/Off").moves) == []


def test_off_as_a_numeral() -> None:  # bug-O075
    board = [0, 0, 0, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0]
    expected = [0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0]
    assert after(board, (6, 3), "6/0 3/0") == after(board, (6, 3), "6/off 3/off") == expected


def test_the_count_in_brackets_counts() -> None:  # bug-O076
    board = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    expected = [0, -2, 0, 0, 2, 0, 3, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 2, 0, 0, 0]
    assert after(board, (2, 2), "24/22(2) 6/4(2)") == expected


@pytest.mark.parametrize("text", ["Cannot Move", "Can't Move", "", "cannot  move"])
def test_a_dance_in_words_or_in_none(text: str) -> None:  # bug-O077
    board = [0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, -2, -2, 0, -2, -2, 1]
    assert after(board, (5, 4), text) == board


GAMES = """ 3 point match

 Game 1
 Ann : 0                            Bob : 0
  1) 31: 8/5 6/5                    52: 24/22 13/8
  2) Doubles => 2                    Drops
      Wins 1 point

 Game 2
 Ann : 1                            Bob : 0
  1)                                 42: 8/4 6/4
  2) 65: 24/13                      \n                                      Wins 1 point

"""


def test_the_next_game_is_not_swallowed() -> None:  # bug-O078
    match = read(GAMES)
    assert (match.length, len(match.games), match.score) == (3, 2, (1, 1))
    one, two = match.games
    assert [(turn.player, turn.action) for turn in one.turns] == [(0, "play"), (1, "play"), (0, "double"), (1, "drop")]
    assert one.end is not None
    assert (one.end.winner, one.end.points, one.end.how) == (0, 1, "dropped")
    before = list(one.steps())[2].position
    assert before is not None
    assert before.gnubg_id == "4PPgASSwZ/ABMA"
    assert (two.score, two.turns[0].player) == ((1, 0), 1)
    assert two.turns[1].result is not None
    assert two.turns[1].result.gnubg_id == "4HPwAyCYZ/ABMA"
    assert two.end is not None
    assert (two.end.winner, two.end.points, two.end.how) == (1, 1, "resigned")


UNFINISHED = """ 7 point match

 Game 1
 Ann : 0                            Bob : 0
  1) 31: 8/5 6/5                    52: 24/22 13/8
  2) 64: 24/14
"""


def test_a_file_that_ends_in_mid_game() -> None:  # bug-O079
    match = read(UNFINISHED, strict=True)
    [game] = match.games
    assert (game.end, match.score, match.winner) == (None, (0, 0), None)
    assert game.turns[-1].player == 0
    assert game.turns[-1].result is not None
    assert game.turns[-1].result.gnubg_id == "sGfwBSDg8+ABJA"


def test_a_comma_in_a_name_is_no_rating() -> None:  # bug-O080
    text = " 3 point match\n\n Game 1\n Smith, Ann : 0                    Bob, 1750 : 0\n  1) 31: 8/5 6/5\n"
    match = read(text)
    assert match.names == ("Smith, Ann", "Bob")
    assert match.ratings == (None, 1750.0)


ONE_DROP = """ {} point match

 Game 1
 Ann : 0                            Bob : 0
  1) 31: 8/5 6/5                    52: 24/22 13/8
  2) Doubles => 2                    Drops
      Wins 1 point

"""


def test_lengths() -> None:  # bug-O081
    assert read(ONE_DROP.format(0)).length == 0
    match = read(ONE_DROP.format(1000))
    assert (match.length, match.score) == (1000, (1, 0))
    with pytest.raises(FormatError, match="line 1: a match to 40000 points; up to 32767 are read") as caught:
        read(ONE_DROP.format(40000))
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("line", "winner", "points"),
    [
        ("      Wins 1 point", 0, 1),
        ("                                      Wins 2 points", 1, 2),
        ("      Wins 3 points and the match", 0, 3),
        ("                                      Wins 1 point and the match", 1, 1),
    ],
)
def test_result_lines(line: str, winner: int, points: int) -> None:  # bug-O082
    [game] = read(f"{UNFINISHED}{line}\n").games
    assert game.end is not None
    assert (game.end.winner, game.end.points, game.end.stated) == (winner, points, points)
