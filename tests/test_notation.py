"""The notation of plays: what is printed, what is read, what is refused and where, and what a text means on a board."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore import notation
from strategies import board_of

FAR = {1: 2}  # an opponent who is out of the way, on my 24
Pairs = list[tuple[int, int]]


def position(own: dict[int, int], opp: dict[int, int]) -> bg.Position:
    return bg.Position.from_board(np.array(board_of(own, opp), np.int8))


def pairs(text: str) -> Pairs:
    return [(move.source, move.target) for move in bg.Play.parse(text).moves]


# ---- printing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([], ""),
        ([(8, 5), (6, 5)], "8/5 6/5"),
        ([(6, 5), (8, 5)], "8/5 6/5"),
        ([(24, 23), (13, 10, True)], "24/23 13/10*"),
        ([(25, 23), (25, 23), (13, 11), (13, 11)], "bar/23(2) 13/11(2)"),
        ([(13, 10), (13, 10), (10, 7), (10, 7)], "13/7(2)"),
        ([(8, 5, True), (8, 5), (5, 3), (5, 3)], "8/5*/3(2)"),
        ([(6, 0), (6, 0), (5, 0), (4, 0)], "6/off(2) 5/off 4/off"),
        ([(25, 24, True), (24, 18)], "bar/24*/18"),
        ([(24, 18, True), (18, 14, True)], "24/18*/14*"),
        ([(24, 18), (18, 14, True)], "24/14*"),
        ([(6, 5, True), (5, 4, True), (4, 3, True)], "6/5*/4*/3*"),
        ([(25, 20, True), (25, 20), (20, 15), (20, 15)], "bar/20*/15(2)"),
        ([(13, 11, True), (13, 11)], "13/11*(2)"),
        ([(13, 11), (13, 11, True)], "13/11*(2)"),
        ([(6, 5), (5, 0)], "6/off"),
        ([(1, 0), (1, 0), (1, 0), (1, 0)], "1/off(4)"),
        ([(12, 9, False, True)], "12/9^"),
    ],
)
def test_canonical_text(moves: list[tuple[int, ...]], text: str) -> None:
    assert notation.format_moves(bg.Move(*move) for move in moves) == text


def test_a_double_that_splits_where_it_hits() -> None:
    """GNU Backgammon writes 8/5*/3(2) for both checkers, or the one that hits first; whatever we print we read."""
    board = position({8: 2, 6: 5, 2: 3}, {20: 1, 24: 2})
    for play in bg.BACKGAMMON.legal_plays(board, (1, 1)):
        assert bg.BACKGAMMON.parse_play(board, (1, 1), str(play)) == play


def test_str_of_plays() -> None:
    start = bg.Position.initial()
    texts = [str(play) for play in bg.BACKGAMMON.legal_plays(start, (3, 1))]
    assert sorted(texts) == sorted(
        "8/5 6/5,24/23 13/10,24/20,13/9,24/21 6/5,24/21 8/7,13/10 6/5,8/4,24/23 8/5,24/23 6/3,"
        "24/21 24/23,13/10 8/7,8/5 8/7,8/7 6/3,6/2,6/5 6/3".replace("24/21 24/23", "24/23 24/21")
        .replace("8/5 8/7", "8/7 8/5")
        .split(",")
    )


# ---- reading: syntax ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("8/5 6/5", [(8, 5), (6, 5)]),
        ("8/5, 6/5", [(8, 5), (6, 5)]),
        ("8/5,6/5", [(8, 5), (6, 5)]),
        ("  8/5\t6/5\r\n", [(8, 5), (6, 5)]),
        ("8-5 6-5", [(8, 5), (6, 5)]),
        ("8 5 6 5", [(8, 5), (6, 5)]),
        ("bar 22 6 off", [(25, 22), (6, 0)]),
        ("25 22 6 0", [(25, 22), (6, 0)]),
        ("8/5(2)", [(8, 5), (8, 5)]),
        ("8/5(1)", [(8, 5)]),
        ("13/7(4)", [(13, 7)] * 4),
        ("24/18/13", [(24, 18), (18, 13)]),
        ("24/18/13(2)", [(24, 18), (18, 13)] * 2),
        ("24-18-13", [(24, 18), (18, 13)]),
        ("24/18-13", [(24, 18), (18, 13)]),
        ("bar/22", [(25, 22)]),
        ("Bar/22", [(25, 22)]),
        ("BAR/22", [(25, 22)]),
        ("b/22", [(25, 22)]),
        ("ba/22", [(25, 22)]),
        ("25/22", [(25, 22)]),
        ("bar-22", [(25, 22)]),
        ("6/off", [(6, 0)]),
        ("6/Off", [(6, 0)]),
        ("6/OFF", [(6, 0)]),
        ("6/of", [(6, 0)]),
        ("6/o", [(6, 0)]),
        ("6/O", [(6, 0)]),
        ("6/0", [(6, 0)]),
        ("6/-", [(6, 0)]),
        ("6-off", [(6, 0)]),
        ("6--", [(6, 0)]),
        ("6/5/-", [(6, 5), (5, 0)]),
        ("bar/off", [(25, 0)]),
        ("06/05", [(6, 5)]),
        ("", []),
        ("   ", []),
        ("pass", []),
        ("Pass", []),
        ("cannot  move", []),
        ("Cannot Move", []),
        ("dance", []),
    ],
)
def test_reading(text: str, moves: Pairs) -> None:
    assert pairs(text) == moves


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("8/5*", [True]),
        ("8/5", [False]),
        ("8/5*(2)", [True, False]),
        ("8/5(2)*", [True, False]),
        ("24/18*/13", [True, False]),
        ("24/18/13*", [False, True]),
        ("24/18*/13*", [True, True]),
        ("24*/18", [False]),  # a star at a source says nothing
        ("8/5* 6/5*", [True, True]),
        ("8/5*/3(2)", [True, False, False, False]),
    ],
)
def test_reading_hits(text: str, hits: list[bool]) -> None:
    assert [move.hit for move in bg.Play.parse(text).moves] == hits
    assert not any(move.pin for move in bg.Play.parse(text).moves)


def test_reading_pins() -> None:
    assert bg.Play.parse("13/8^ 6/3").moves == (bg.Move(13, 8, False, True), bg.Move(6, 3, False, False))


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ("8", "points without '/' come in pairs", 0),
        ("8 5 6", "points without '/' come in pairs", 0),
        ("x/5", "'x/5' at place 0", 0),
        ("8/5 x/5", "'x/5' at place 4", 4),
        ("8/5 6/", "'6/' at place 4", 4),
        ("/5", "'/5'", 0),
        ("8//5", "'8//5'", 0),
        ("8/5(2", "'8/5\\(2'", 0),
        ("8/5()", "'8/5\\(\\)'", 0),
        ("8/5(-1)", "'8/5\\(-1\\)'", 0),
        ("8/5 6 5", "'6' at place 4", 4),
        ("8/5(0)", r"\(0\)", 0),
        ("8/5(7)", r"\(7\)", 0),
        ("8/5(" + "9" * 190 + ")", "can be made 2 to 6 times", 0),
        ("26/20", "not 1 to 24", 0),
        ("8/5 99/3", "not 1 to 24", 4),
        ("123/5", "'123/5'", 0),
        ("off/5", "comes from off", 0),
        ("0/5", "comes from off", 0),
        ("8/bar", "goes to the bar", 0),
        ("8/25", "goes to the bar", 0),
        ("8/5 5/8", "moves backwards", 4),
        ("5/5", "moves backwards", 0),
        ("8/7 8/7 8/7 8/7 8/7 8/7 8/7", "at most 6", 0),
        ("8/7(4) 6/5(3)", "at most 6", 0),
        ("13/11/9(4)", "at most 6", 0),
        ("8/5\u066b6/5", "at place 0", 0),
        ("\u0668/5", "at place 0", 0),  # a digit, but not one of ours
        ("8/5" + " " * 300, "at most 200 characters", None),
        ("8/5 \ud800", "at place 4", 4),
        ("8/5\x00", "at place 0", 0),
    ],
)
def test_refused(text: str, message: str, offset: int | None) -> None:
    with pytest.raises(bg.FormatError, match=message) as caught:
        bg.Play.parse(text)
    assert caught.value.offset == offset
    assert len(str(caught.value)) < 500
    with pytest.raises(bg.FormatError):
        bg.BACKGAMMON.parse_play(bg.Position.initial(), (3, 1), text)


@pytest.mark.parametrize("wrong", [None, 5, b"8/5", ["8/5"], object()])
def test_only_text(wrong: object) -> None:
    with pytest.raises(TypeError):
        bg.Play.parse(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bg.BACKGAMMON.parse_play(bg.Position.initial(), (3, 1), wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bg.BACKGAMMON.check(bg.Position.initial(), (3, 1), wrong)  # type: ignore[arg-type]


@given(st.text("0123456789/-*()baroff ,^", max_size=40))
def test_whatever_is_read_is_a_play(text: str) -> None:
    try:
        play = bg.Play.parse(text)
    except bg.FormatError:
        return
    assert len(play.moves) == len(play) <= 6
    for move in play.moves:
        assert 0 <= move.target < move.source <= 25
        assert move.target < 25
        assert move.source > 0
    assert sorted(pairs(str(play))) is not None


# ---- the values ---------------------------------------------------------------------------------------------------


def test_a_parsed_play_has_no_result() -> None:
    play = bg.Play.parse("8/5* 6/5")
    with pytest.raises(bg.RuleError, match=r"parse_play\(position, dice, text\)"):
        _ = play.result
    assert len(play) == 2
    assert play.moves == ((8, 5, True, False), (6, 5, False, False))


def test_plays_are_equal_by_moves_and_result() -> None:
    start = bg.Position.initial()
    play = bg.BACKGAMMON.check(start, (3, 1), "8/5 6/5")
    same = bg.BACKGAMMON.check(start, (1, 3), "6/5 8/5")
    assert play == same
    assert hash(play) == hash(same)
    assert play is not same
    assert play != bg.Play.parse("8/5 6/5")
    assert bg.Play.parse("8/5 6/5") == bg.Play.parse("8/5, 6/5")
    assert bg.Play.parse("8/5 6/5") != bg.Play.parse("8/5* 6/5")
    other = position({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 4, 8: 4, 6: 5})
    assert play != bg.BACKGAMMON.check(other, (3, 1), "8/5 6/5")
    assert play != "8/5 6/5"
    assert len({play, same, bg.Play.parse("8/5 6/5")}) == 2


def test_a_play_cannot_be_made_or_changed() -> None:
    play = bg.BACKGAMMON.legal_plays(bg.Position.initial(), (3, 1))[0]
    with pytest.raises(TypeError, match="legal_plays"):
        bg.Play()
    for name in ("moves", "result", "other"):
        with pytest.raises(AttributeError):
            setattr(play, name, None)
    with pytest.raises(AttributeError):
        play.moves[0].source = 3  # type: ignore[misc]
    assert play.moves == play.moves
    assert play.moves is not play.moves


def test_repr_of_plays() -> None:
    play = bg.BACKGAMMON.check(bg.Position.initial(), (3, 1), "8/5 6/5")
    assert repr(play) == "<Play 8/5 6/5>"
    assert repr(bg.Play.parse("8/5* 6/5")) == "Play.parse('8/5* 6/5')"
    stuck = position({25: 1}, dict.fromkeys(range(1, 7), 2))
    assert repr(bg.BACKGAMMON.check(stuck, (3, 1), "pass")) == "<Play pass>"
    assert repr(play.moves[0]) == "Move(source=8, target=5, hit=False, pin=False)"
    assert eval(repr(play.moves[0]), {"Move": bg.Move}) == play.moves[0]


@pytest.mark.parametrize("text", ["8/5 5/3", "6/5 8/5", "8/5* 8/5*", "13/11*/9(2)", "6/5*(2)", "24/18/13", ""])
def test_repr_of_a_parsed_play_pastes_back(text: str) -> None:
    play = bg.Play.parse(text)
    assert eval(repr(play), {"Play": bg.Play}) == play


@pytest.mark.parametrize(
    "moves",
    [
        [bg.Move(8, 5)] * 7,
        [bg.Move(0, 5)],
        [bg.Move(26, 5)],
        [bg.Move(8, 25)],
        [bg.Move(8, -1)],
        [bg.Move(300, 200)],
    ],
)
def test_a_bent_pickle_is_refused(moves: list[bg.Move]) -> None:
    restore = bg.Play.parse("8/5").__reduce__()[0]
    with pytest.raises(bg.FormatError):
        restore(tuple(moves), None)


def test_pickled_plays_hold_no_more_than_they_need() -> None:
    play = bg.BACKGAMMON.legal_plays(bg.Position.initial(), (3, 3))[0]
    assert len(pickle.dumps(play)) < 400


# ---- what a text means --------------------------------------------------------------------------------------------


def meant(own: dict[int, int], opp: dict[int, int], dice: tuple[int, int], text: str) -> str:
    return str(bg.BACKGAMMON.parse_play(position(own, opp), dice, text))


def test_every_spelling_means_the_same() -> None:
    own, opp = {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 4, 5: 1}  # a blot on my 20
    for text in ("24/20* 13/10", "13/10 24/20*", "24/20 13/10", "24-20,13-10", "13 10 24 20", "24/20*, 13/10"):
        assert meant(own, opp, (4, 3), text) == "24/20* 13/10"
    for text in ("13/11(2) 6/4(2)", "13/11 6/4 13/11 6/4", "6/4(2), 13/11 13/11"):
        assert meant(own, opp, (2, 2), text) == "13/11(2) 6/4(2)"
    for text in ("13/5", "13/11/9/7/5", "13/9/5", "13/11 11/5", "13/7 7/5", "7/5 13/7", "13 11 11 9 9 7 7 5"):
        assert meant(own, opp, (2, 2), text) == "13/5"


@pytest.mark.parametrize(
    ("opp", "dice", "text", "play"),
    [
        # from 24 with 6-1: over 23 or over 18
        ({2: 1}, (6, 1), "24/23*/17", "24/23*/17"),
        ({2: 1}, (6, 1), "24/18/17", "24/17"),
        ({2: 1}, (6, 1), "24/17", "24/17"),
        ({7: 1}, (6, 1), "24/18*/17", "24/18*/17"),
        ({7: 1}, (6, 1), "24/17", "24/17"),
        ({7: 1, 8: 1}, (6, 1), "24/17*", "24/17*"),
        ({7: 1, 8: 1}, (6, 1), "24/18*/17*", "24/18*/17*"),
        ({7: 2, 2: 1}, (6, 1), "24/17", "24/23*/17"),
        ({2: 2, 7: 1}, (6, 1), "24/17", "24/18*/17"),
    ],
)
def test_a_span_with_two_routes(opp: dict[int, int], dice: tuple[int, int], text: str, play: str) -> None:
    """Stars say which; without them the route that hits nothing is meant, if it is there."""
    assert meant({24: 1, 1: 2}, opp, dice, text) == play


@pytest.mark.parametrize(
    ("opp", "text", "both"),
    [
        ({2: 1, 7: 1}, "24/17", ("24/23*/17", "24/18*/17")),
        ({2: 1, 7: 1, 8: 1}, "24/17*", ("24/23*/17*", "24/18*/17*")),
        ({2: 1, 7: 1, 8: 1}, "24/17", ("24/23*/17*", "24/18*/17*")),
    ],
)
def test_a_span_that_could_mean_two_plays(opp: dict[int, int], text: str, both: tuple[str, str]) -> None:
    with pytest.raises(bg.FormatError, match="could mean") as caught:
        meant({24: 1, 1: 2}, opp, (6, 1), text)
    assert all(play in str(caught.value) for play in both)
    assert text in str(caught.value)
    for play in both:
        assert meant({24: 1, 1: 2}, opp, (6, 1), play) == play


def test_bearing_off_over_either_point() -> None:
    home = {3: 1, 2: 1}
    assert meant(home, FAR, (2, 1), "3/off") == "3/off"
    assert meant(home, FAR, (6, 5), "2/off 3/off") == "3/off 2/off"
    assert meant({3: 1, 1: 2}, {23: 1, 1: 2}, (2, 1), "3/2*/off") == "3/2*/off"
    assert meant({3: 1, 1: 2}, {23: 1, 1: 2}, (2, 1), "3/off") == "3/off"


def test_absolute_numbering() -> None:
    """Bottom's numbers are his own; top's are mirrored, with bottom's bar (25) as his off and 0 as his bar."""
    rules = bg.BACKGAMMON
    start = bg.Position.initial()
    for side, text in (("bottom", "24/23 13/10"), ("top", "1/2 12/15"), ("top", "12-15, 1-2")):
        if side == "bottom":
            assert str(rules.parse_play(start, (3, 1), text, numbering="absolute", side=side)) == "24/23 13/10"
        else:
            play = rules.parse_play(start, (3, 1), text, numbering="absolute", side=side)
            assert str(play) == "24/23 13/10"
    barred = position({25: 1, 6: 2}, {13: 2})
    for side, text in (("top", "bar/3 19/20"), ("top", "0/3 19/20"), ("bottom", "25/22 6/5"), ("bottom", "bar/22 6/5")):
        play = rules.parse_play(barred, (3, 1), text, numbering="absolute", side=side)
        assert str(play) == "bar/22 6/5"
    home = position({6: 1, 2: 1}, {13: 2})
    for side, text in (("top", "19/off 23/25"), ("top", "19/25, 23/-"), ("bottom", "6/0 2/off")):
        assert str(rules.parse_play(home, (6, 2), text, numbering="absolute", side=side)) == "6/off 2/off"
    with pytest.raises(bg.FormatError, match="backwards"):
        rules.parse_play(start, (3, 1), "24/23 13/10", numbering="absolute", side="top")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numbering": "absolute"}, "'bottom' or 'top'"),
        ({"side": "top"}, "numbering='absolute'"),
        ({"numbering": "absolute", "side": "left"}, "'bottom' or 'top'"),
        ({"numbering": "theirs"}, "'own' or 'absolute'"),
    ],
)
def test_numbering_is_said_in_full(options: dict[str, str], message: str) -> None:
    with pytest.raises(bg.RuleError, match=re.escape(message)):
        bg.BACKGAMMON.parse_play(bg.Position.initial(), (3, 1), "8/5 6/5", **options)  # type: ignore[arg-type]


def test_a_dance() -> None:
    stuck = position({25: 1, 6: 14}, {**dict.fromkeys(range(1, 7), 2), 13: 3})
    for text in ("", "pass", "Cannot Move"):
        play = bg.BACKGAMMON.check(stuck, (3, 1), text)
        assert play.moves == ()
        assert play.result == stuck.flipped()
        assert str(play) == ""
    assert bg.BACKGAMMON.check(stuck, (3, 1), bg.Play.parse("")) == bg.BACKGAMMON.check(stuck, (3, 1), "pass")
    with pytest.raises(bg.IllegalPlay):
        bg.BACKGAMMON.check(bg.Position.initial(), (3, 1), "pass")
