"""Reading XGIDs: 26 known ones, the frame, every refusal, and mutated strings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from draw.boards import positions
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.errors import FormatError, InvalidPosition, InvalidReason, RuleError
from bgcore.formats._xgid import scanned
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.xgid import FIELDS, Xgid, format_xgid, parse_xgid, position_from_xgid

START = "-b----E-C---eE---c-e----B-"
MONEY = f"{START}:0:0:1:00:0:0:0:0:10"


class Known(NamedTuple):
    """An XGID seen in public, its pip counts bottom/top, and the published best play if there is one."""

    xgid: str
    pips: tuple[int, int]
    best: str | None = None


KNOWN = {
    1: Known("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", (167, 167)),
    2: Known("-bb---D-C---dD---c-d---BB-:0:0:1:00:0:0:0:0:10", (194, 194)),
    3: Known("-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10", (111, 52), "19/18 14/12"),
    4: Known("---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10", (147, 137)),
    5: Known("-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10", (139, 156)),
    6: Known("--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10", (101, 112)),
    7: Known("---BADB------------bf---a-:1:1:1:00:4:0:0:7:10", (42, 43)),
    8: Known("---c--CCB---dB-B---c-BcAb-:1:1:1:00:0:1:0:7:10", (176, 147)),
    9: Known("----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10", (154, 158), "24/23 6/2"),
    10: Known("-b----E-C--AeD---bAdb---A-:0:0:1:52:0:0:3:0:10", (159, 163), "18/11"),
    11: Known("--BBBBB-AB----a--cbdbBb-a-:1:1:1:65:0:0:2:0:10", (108, 90), "21/16 21/15"),
    12: Known("-b---CC-C---eD---c-e---AA-:0:0:1:66:4:1:1:5:10", (156, 167), "13/7(4)"),
    13: Known("---BBBBAAA---Ac-bbccbAA-A-:1:1:-1:63:4:3:0:5:8", (140, 116), "11/8 11/5"),
    14: Known("-DCBBB---A------bcdcc----A:1:-1:-1:54:9:9:0:11:10", (68, 103), "9/4 8/4"),
    15: Known("aBBCBBB--A------bbdcc---A-:1:-1:1:32:9:9:0:11:10", (78, 120), "24/21 3/1"),
    16: Known("-a--B-C-C-aBdC---bbe----B-:0:0:1:31:6:9:0:11:10", (159, 151), "24/23 13/10*"),
    17: Known("--aaB-C-C-ABdB---bbe---AA-:0:0:1:00:6:9:0:11:10", (155, 157)),
    18: Known("--BACCB-A-----bb--cccbB-A-:1:1:1:41:6:5:0:11:10", (122, 104), "24/23 5/1"),
    19: Known("----ABD-C--beC---bBbb-b---:0:0:1:61:3:2:0:11:10", (137, 137), "13/7 6/5"),
    20: Known("--BBbBB-----aE----Be-c-bb-:1:-1:-1:54:0:0:0:0:8", (133, 103), "13/4"),
    21: Known("aa--BBBB----dE---d-e----B-:0:0:1:00:0:0:0:0:10", (157, 163)),
    22: Known("aBaB--C-A---dE--ac-e----B-:0:0:1:42:0:0:0:0:10", (147, 163), "8/4 6/4"),
    23: Known("--CBBBBaa--------bCbcbbAb-:2:-1:-1:D:0:0:2:0:10", (119, 94)),
    24: Known("----BaC-B---aD--aa-bcbbBbB:0:0:1:22:2:3:0:13:10", (190, 93), "bar/23(2) 13/11(2)"),
    25: Known("-aa--CCBCa--ca---a-c-bb-CA:0:0:1:52:0:1:0:5:10", (168, 154), "bar/20 8/6"),
    26: Known("--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10", (150, 119)),
}


def fields(**changed: str) -> str:
    """The money start with some fields replaced, by the names that errors give them."""
    values = dict(zip(FIELDS, MONEY.split(":"), strict=True))
    assert changed.keys() <= values.keys()
    return ":".join((values | changed).values())


def written(xgid: Xgid) -> str:
    """The naive writer: proves that reading loses nothing."""
    owner = {Seat.A: "1", None: "0", Seat.B: "-1"}
    line = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in xgid.seats.to_line())
    dice = xgid.pending or ("00" if xgid.dice is None else f"{xgid.dice[0]}{xgid.dice[1]}")
    rules = xgid.crawford + xgid.jacoby + 2 * xgid.beavers
    parts: list[Any] = [line, xgid.cube, owner[xgid.owner], owner[xgid.turn], dice, *xgid.scores, rules, xgid.length]
    return ":".join(map(str, parts if xgid.max_cube is None else [*parts, xgid.max_cube]))


# --- what they mean ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", KNOWN)
def test_known_xgids_have_their_pips(row: int) -> None:
    text, (bottom, top), _ = KNOWN[row]
    xgid = parse_xgid("XGID=" + text)
    seat_a = SeatedPosition(xgid.seats.a, xgid.seats.b, Seat.A).to_position()
    assert seat_a.pips == (bottom, top)
    own_is_bottom = text.split(":")[3] == "1"
    assert xgid.position.pips == ((bottom, top) if own_is_bottom else (top, bottom))
    assert position_from_xgid(text) == xgid.position
    assert bg.Position.from_xgid(text) == xgid.position
    assert written(xgid) == text


@pytest.mark.parametrize("row", [row for row in KNOWN if KNOWN[row].best])
def test_the_published_best_play_is_legal_for_the_player_on_roll(row: int) -> None:
    text, _, best = KNOWN[row]
    xgid = parse_xgid(text)
    assert best is not None
    assert xgid.dice is not None
    play = bg.BACKGAMMON.parse_play(xgid.position, xgid.dice, best)
    assert str(play) == best
    assert play in bg.BACKGAMMON.legal_plays(xgid.position, xgid.dice)


@pytest.mark.parametrize(("row", "own"), [(13, 116), (14, 103), (20, 103)])
def test_a_turn_of_minus_one_mirrors_nothing(row: int, own: int) -> None:
    xgid = parse_xgid(KNOWN[row].xgid)
    assert xgid.turn is Seat.B
    assert xgid.position.pips[0] == own
    other = parse_xgid(KNOWN[row].xgid.replace(":-1:" + KNOWN[row].xgid.split(":")[4], ":1:00"))
    assert other.turn is Seat.A
    assert (other.seats.a, other.seats.b) == (xgid.seats.a, xgid.seats.b)
    assert other.position == xgid.position.flipped()


def test_row_13_field_by_field() -> None:
    xgid = parse_xgid(KNOWN[13].xgid)
    # Top's own point is 25 less the index, bottom's is the index.
    assert {p: n for p, n in enumerate(xgid.seats.b) if n} == {11: 3, 9: 2, 8: 2, 7: 3, 6: 3, 5: 2}
    assert [p for p, n in enumerate(xgid.seats.a) if n == 2] == [3, 4, 5, 6]
    assert [p for p, n in enumerate(xgid.seats.a) if n == 1] == [7, 8, 9, 13, 21, 22, 24]
    assert (xgid.cube, xgid.owner, xgid.turn) == (1, Seat.A, Seat.B)
    assert (xgid.dice, xgid.pending) == ((6, 3), None)
    assert (xgid.scores, xgid.length, xgid.max_cube) == ((4, 3), 5, 8)
    assert (xgid.crawford, xgid.jacoby, xgid.beavers) == (False, False, False)


def test_a_pending_redouble_keeps_the_doubler_and_the_old_cube() -> None:
    xgid = parse_xgid(KNOWN[23].xgid)
    assert (xgid.pending, xgid.dice) == ("D", None)
    assert (xgid.cube, xgid.owner, xgid.turn) == (2, Seat.B, Seat.B)
    assert xgid.position.pips == (94, 119)  # own is the player who doubled


@pytest.mark.parametrize("answer", ["D", "B", "R"])
def test_pending_answers(answer: str) -> None:
    xgid = parse_xgid(fields(dice=answer, turn="-1", rules="2"))
    assert (xgid.pending, xgid.dice, xgid.turn) == (answer, None, Seat.B)


def test_scores_stay_with_their_seats() -> None:
    # Such a string may have its scores in on-roll order, but nothing in it gives that away.
    assert parse_xgid("-A--B-DCC----A------bbbcdA:1:1:-1:41:6:2:0:13:10").scores == (6, 2)
    assert parse_xgid("----C-E-A----C-AB------cb-:0:0:-1:61:4:2:0:13:10").scores == (4, 2)


@pytest.mark.parametrize(
    ("rules", "length", "scores", "crawford", "jacoby", "beavers"),
    [
        ("0", "0", "00", False, False, False),
        ("1", "0", "00", False, True, False),
        ("2", "0", "00", False, False, True),
        ("3", "0", "00", False, True, True),
        ("0", "5", "43", False, False, False),
        ("1", "5", "43", True, False, False),
        ("1", "5", "34", True, False, False),
        ("1", "1", "00", True, False, False),
    ],
)
def test_the_rules_field(rules: str, length: str, scores: str, crawford: bool, jacoby: bool, beavers: bool) -> None:
    xgid = parse_xgid(fields(rules=rules, length=length, score_bottom=scores[0], score_top=scores[1]))
    assert (xgid.crawford, xgid.jacoby, xgid.beavers) == (crawford, jacoby, beavers)


def test_dice_keep_their_order() -> None:
    assert parse_xgid(fields(dice="13")).dice == (1, 3)
    assert parse_xgid(fields(dice="31")).dice == (3, 1)
    assert parse_xgid(fields(dice="66")).dice == (6, 6)


def test_points_in_money_play_have_no_end() -> None:
    assert parse_xgid(fields(score_bottom="250", score_top="32767")).scores == (250, 32767)


def test_a_cube_not_in_use_and_no_word_about_the_largest() -> None:
    assert parse_xgid(fields(max_cube="0")).max_cube == 0
    assert parse_xgid(MONEY.removesuffix(":10")).max_cube is None
    assert parse_xgid(fields(cube="3", owner="1", max_cube="3")).cube == 3


def test_hypergammon_has_to_be_told() -> None:
    text = "-aaa" + "-" * 18 + "AAA-:0:0:1:00:0:0:0:0:10"
    assert bg.Position.from_xgid(text, checkers=3).off == (0, 0)
    assert bg.Position.from_xgid(text).off == (12, 12)
    assert parse_xgid(text, 3).position == bg.HYPERGAMMON.start


def test_a_side_that_has_borne_off_everything() -> None:
    position = position_from_xgid("-AA" + "-" * 23 + ":0:0:1:00:0:0:0:0:10")
    assert position.off == (13, 15)
    assert position.is_over


# --- what may stand around one -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "XGID=" + MONEY,
        "xgid=" + MONEY,
        f"  XGID={MONEY}\t",
        f"XGID={MONEY}\r",
        f"XGID={MONEY}\r\n",
        f"\nXGID={MONEY}\n\n",
        f"\u00a0XGID={MONEY}\u00a0",
        f'"XGID={MONEY}"',
        f"'{MONEY}'",
        f"`XGID={MONEY}`",
        f"\u201cXGID={MONEY}\u201d",
        f"\u2018XGID={MONEY}\u2019",
        f' " XGID={MONEY} "\r\n',
        "XGID%3D" + MONEY.replace(":", "%3A"),
        "XGID%3d" + MONEY.replace(":", "%3a"),
        MONEY.replace(":", "%3A"),
        "XGID=" + MONEY.replace(":", "%3A", 4),
    ],
)
def test_decorations(text: str) -> None:
    assert parse_xgid(text) == parse_xgid(MONEY)
    assert position_from_xgid(text) == bg.Position.initial()


# --- what is refused, and where it says the fault is ---------------------------------------------------------------


REFUSED = [
    ("position", {"position": START[:-1]}, "25 characters, not 26"),
    ("position", {"position": START + "-"}, "27 characters, not 26"),
    ("position", {"position": ""}, "0 characters"),
    ("position", {"position": START.replace("E", "Q", 1)}, "'Q' at index 6"),
    ("position", {"position": START.replace("e", "q", 1)}, "'q' at index 12"),
    ("position", {"position": START.replace("C", "5")}, "'5' at index 8"),
    ("position", {"position": START.replace("C", " ")}, "' ' at index 8"),
    ("position", {"position": START.replace("C", "\u0421")}, r"'\\u0421' at index 8"),
    ("position", {"position": START.replace("C", "%")}, "'%' at index 8"),
    ("position", {"position": "A" + START[1:]}, "index 0, which is top's bar"),
    ("position", {"position": START[:-1] + "b"}, "index 25, which is bottom's bar"),
    ("cube", {"cube": "-1"}, "'-1' is not a number"),
    ("cube", {"cube": "x"}, "'x' is not a number"),
    ("cube", {"cube": ""}, "'' is not a number"),
    ("cube", {"cube": "1.0"}, "not a number"),
    ("cube", {"cube": "+1"}, "not a number"),
    ("cube", {"cube": "01"}, "not a number"),
    ("cube", {"cube": " 1"}, "not a number"),
    ("cube", {"cube": "1_0"}, "not a number"),
    ("cube", {"cube": "\u0661"}, r"'\\u0661' is not a number"),
    ("cube", {"cube": "\u00b2"}, "not a number"),
    ("cube", {"cube": "11"}, r"2\*\*11 is more than the largest cube of field 10, 2\*\*10"),
    ("cube", {"cube": "1", "owner": "1", "max_cube": "0"}, "more than the largest cube"),
    ("cube", {"cube": "31", "max_cube": "30"}, "out of range; the largest is 30"),
    ("owner", {"owner": "2"}, "'2' names no owner"),
    ("owner", {"owner": "-2"}, "names no owner"),
    ("owner", {"owner": "+1"}, "names no owner"),
    ("owner", {"owner": "-0"}, "names no owner"),
    ("owner", {"owner": ""}, "names no owner"),
    ("turn", {"turn": "0"}, "'0' names no player"),
    ("turn", {"turn": "2"}, "names no player"),
    ("turn", {"turn": ""}, "names no player"),
    ("dice", {"dice": "71"}, "'71' is no roll"),
    ("dice", {"dice": "17"}, "is no roll"),
    ("dice", {"dice": "01"}, "is no roll"),
    ("dice", {"dice": "10"}, "is no roll"),
    ("dice", {"dice": "0"}, "is no roll"),
    ("dice", {"dice": "000"}, "is no roll"),
    ("dice", {"dice": "3"}, "is no roll"),
    ("dice", {"dice": "311"}, "is no roll"),
    ("dice", {"dice": "3-1"}, "is no roll"),
    ("dice", {"dice": ""}, "is no roll"),
    ("dice", {"dice": "DD"}, "is no roll"),
    ("dice", {"dice": "d"}, "is no roll"),
    ("dice", {"dice": "\u0663\u0661"}, r"'\\u0663\\u0661' is no roll"),
    ("score_bottom", {"score_bottom": "-1"}, "not a number"),
    ("score_bottom", {"score_bottom": "7", "length": "7"}, "a score of 7 has already won a match to 7"),
    ("score_top", {"score_top": "8", "length": "7"}, "already won"),
    ("score_top", {"score_top": "one"}, "not a number"),
    ("score_top", {"score_top": "32768"}, "out of range"),
    ("score_top", {"score_top": "9" * 120}, "out of range"),
    ("rules", {"rules": "2", "length": "7"}, "2 means nothing in a match"),
    ("rules", {"rules": "3", "length": "7"}, "means nothing in a match"),
    ("rules", {"rules": "1", "length": "7"}, "nobody is one point away"),
    ("rules", {"rules": "1", "length": "7", "score_top": "5"}, "no Crawford game at 0-5 to 7"),
    ("rules", {"rules": "4"}, "4 means nothing in money play"),
    ("rules", {"rules": "-1"}, "not a number"),
    ("length", {"length": "-7"}, "not a number"),
    ("length", {"length": "7 pts"}, "not a number"),
    ("length", {"length": "99999"}, "out of range"),
    ("max_cube", {"max_cube": ""}, "not a number"),
    ("max_cube", {"max_cube": "1024"}, "out of range"),
    ("max_cube", {"max_cube": "10 and some prose"}, "not a number"),
]


@pytest.mark.parametrize(("field", "changed", "message"), REFUSED)
@pytest.mark.parametrize("prefix", ["", "  XGID="])
def test_refusals_name_the_field(prefix: str, field: str, changed: dict[str, str], message: str) -> None:
    text = prefix + fields(**changed)
    with pytest.raises(FormatError, match=message) as caught:
        parse_xgid(text)
    number = FIELDS.index(field) + 1
    assert str(caught.value).startswith(f"XGID field {number} ({field}): ")
    assert str(caught.value).isascii()
    assert caught.value.field == field
    start = len(prefix) + sum(len(part) + 1 for part in text.removeprefix(prefix).split(":")[: number - 1])
    assert caught.value.offset is not None
    assert start <= caught.value.offset <= start + len(changed.get(field, START))
    with pytest.raises(FormatError):
        position_from_xgid(text)


def test_offsets_count_in_the_text_as_it_was_given() -> None:
    text = ' "XGID%3D' + fields(dice="71").replace(":", "%3A") + '" '
    with pytest.raises(FormatError) as caught:
        parse_xgid(text)
    assert caught.value.offset == text.index("71%3A")
    text = "XGID=" + fields(position=START.replace("C", "!"))
    with pytest.raises(FormatError) as caught:
        parse_xgid(text)
    assert caught.value.offset == text.index("!")


@pytest.mark.parametrize("text", [START, "XGID=" + START, f" '{START}' "])
def test_a_bare_position_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(FormatError, match=f"only the first field.*XGID={START}:0:0:1:00:0:0:0:0:10"):
        parse_xgid(text)


@pytest.mark.parametrize("text", ["", " ", "\r\n", '""', "' '"])
def test_empty_text(text: str) -> None:
    with pytest.raises(FormatError, match="empty"):
        parse_xgid(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("XGID=", "1 field:"),
        ("XGID", "1 field:"),
        ("4HPwATDgc/ABMA", "1 field:"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAE", "2 fields"),
        (":".join(MONEY.split(":")[:8]), "8 fields"),
        (MONEY + ":", "11 fields"),
        (MONEY + ":10", "11 fields"),
        (MONEY.replace(":", ";"), "1 field:"),
        (MONEY.replace(":", "\uff1a"), "1 field:"),
    ],
)
def test_the_wrong_number_of_fields(text: str, found: str) -> None:
    with pytest.raises(FormatError, match=f"ten fields separated by ':'.* has {found}"):
        parse_xgid(text)


@pytest.mark.parametrize("text", [f'"{MONEY}', f"'{MONEY}\"", '"', f"\u201c{MONEY}\u201c"])
def test_a_quote_that_is_not_closed(text: str) -> None:
    with pytest.raises(FormatError, match="not closed"):
        parse_xgid(text)


@pytest.mark.parametrize("text", [f'{MONEY}"', f"XGID\u0131={MONEY}", f"XG\u0130D={MONEY}", f"XGID:{MONEY}"])
def test_other_things_around_it(text: str) -> None:
    with pytest.raises(FormatError):
        parse_xgid(text)


def test_more_than_one_line() -> None:
    with pytest.raises(FormatError, match=r"one line .* in 3 lines; give only that line"):
        parse_xgid(f"XGID={MONEY}\n\nX:Player 1   O:Player 2")


@pytest.mark.parametrize("piece", ["x", ":", "-", "XGID=", "9", " ", "\n", '"', "%3A", "\u0661", "\ud800"])
def test_ten_megabytes_of_anything(piece: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_xgid(piece * (10_000_000 // len(piece)))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 1, b"XGID=" + MONEY.encode(), ["XGID"], object()])
def test_only_text(value: Any) -> None:
    with pytest.raises(TypeError, match=f"not {type(value).__name__}"):
        parse_xgid(value)
    with pytest.raises(TypeError):
        position_from_xgid(value)


@pytest.mark.parametrize(
    ("position", "checkers", "message", "reason"),
    [
        ("-b----F-C---eE---c-e----B-", 15, "A (bottom) shows 16", InvalidReason.TOO_MANY_OWN),
        ("-b----E-C---fE---c-e----B-", 15, "B (top) shows 16", InvalidReason.TOO_MANY_OPP),
        ("------P-----------------a-", 15, "A (bottom) shows 16", InvalidReason.TOO_MANY_OWN),
        ("p------A------------------", 15, "B (top) shows 16", InvalidReason.TOO_MANY_OPP),
        (START, 3, "shows 15 checkers, but a side plays with 3", InvalidReason.TOO_MANY_OWN),
        ("-" * 26, 15, "neither side has a checker left", InvalidReason.BOTH_OFF),
    ],
)
def test_impossible_positions(position: str, checkers: int, message: str, reason: InvalidReason) -> None:
    with pytest.raises(InvalidPosition) as caught:
        parse_xgid(fields(position=position), checkers)
    assert str(caught.value).startswith("XGID field 1 (position): ")
    assert message in str(caught.value)
    assert caught.value.reason == reason


@pytest.mark.parametrize("checkers", [0, -1, 16])
def test_checkers_outside_one_to_fifteen(checkers: int) -> None:
    with pytest.raises(InvalidPosition, match=r"^checkers must be 1 to 15"):
        parse_xgid(MONEY, checkers)
    with pytest.raises(InvalidPosition, match=r"^checkers must be 1 to 15"):
        position_from_xgid(MONEY, checkers)


@pytest.mark.parametrize("checkers", [None, "15", 15.0, True])
def test_checkers_of_a_wrong_type(checkers: Any) -> None:
    with pytest.raises(TypeError, match="checkers must be an integer"):
        parse_xgid(MONEY, checkers)


# --- anything else -------------------------------------------------------------------------------------------------

EDITS = st.tuples(
    st.sampled_from(("replace", "insert", "delete", "swap")),
    st.integers(0, 70),
    st.sampled_from("-ABCDEPQabcdepq0123456789:DBR=%3\"' \n\r\u0661\u00a0") | st.characters(),
)


def edited(text: str, edits: list[tuple[str, int, str]]) -> str:
    characters = list(text)
    for kind, place, new in edits:
        at = place % (len(characters) + 1)
        if kind == "insert":
            characters.insert(at, new)
        elif at < len(characters):
            if kind == "replace":
                characters[at] = new
            elif kind == "delete":
                del characters[at]
            else:
                characters[at], characters[at - 1] = characters[at - 1], characters[at]
    return "".join(characters)


def check_error_or_valid(text: str, checkers: int) -> None:
    try:
        xgid = parse_xgid(text, checkers)
    except (FormatError, InvalidPosition):
        return
    assert xgid.position.counts.sum(axis=1).tolist() == [checkers, checkers]
    assert parse_xgid(written(xgid), checkers) == xgid
    assert written(xgid).count(":") in (8, 9)
    bare = text.strip().strip("\"'`\u201c\u201d\u2018\u2019").strip()
    if "%" not in bare:
        assert written(xgid) == (bare[5:] if bare[:5].upper() == "XGID=" else bare)


@given(st.sampled_from(sorted(KNOWN)), st.booleans(), st.lists(EDITS, max_size=4), st.sampled_from((15, 15, 15, 14, 3)))
def test_mutated_xgids_are_read_or_refused(row: int, prefix: bool, edits: list[Any], checkers: int) -> None:
    check_error_or_valid(edited("XGID=" * prefix + KNOWN[row].xgid, edits), checkers)


@given(st.text() | st.text("-ABab01:", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    check_error_or_valid(text, 15)


# ---- strings that contradict themselves

ODD = {
    "0:0:1:31:7:0:0:7:10": ("score_bottom", {}),
    "0:0:1:31:0:9:0:7:10": ("score_top", {}),
    "0:0:1:31:0:0:1:7:10": ("rules", {"crawford": False}),
    "0:0:1:31:0:0:3:7:10": ("rules", {"crawford": False}),
    "0:0:1:31:6:0:3:7:10": ("rules", {"crawford": True}),
    "0:0:1:31:0:0:2:7:10": ("rules", {"crawford": False}),
    "0:0:1:31:0:0:7:0:10": ("rules", {"jacoby": True, "beavers": True}),
    "3:1:1:31:0:0:0:7:2": ("cube", {"max_cube": None, "cube": 3}),
}


@pytest.mark.parametrize(("fields", "expected"), ODD.items())
def test_a_string_that_contradicts_itself(fields: str, expected: tuple[str, dict[str, object]]) -> None:
    text = f"XGID=-b----E-C---eE---c-e----B-:{fields}"
    name, values = expected
    with pytest.raises(FormatError) as caught:
        parse_xgid(text)
    assert caught.value.field == name
    with pytest.raises(FormatError):
        bg.parse(text)
    xgid = parse_xgid(text, strict=False)
    assert any(f"({name})" in note for note in xgid.notes)
    assert {key: getattr(xgid, key) for key in values} == values
    assert bg.Position.from_xgid(text, strict=False) == bg.BACKGAMMON.start
    parsed = bg.parse(f"What would you play? {text}", strict=False)
    assert parsed.notes[: len(xgid.notes)] == xgid.notes
    assert parsed.position == bg.BACKGAMMON.start
    if name.startswith("score"):
        assert parsed.state is None
        assert "no state of a match" in parsed.notes[-1]
        with pytest.raises(RuleError):
            bg.MatchState.from_xgid(text, strict=False)
    else:
        assert parsed.state == bg.MatchState.from_xgid(text, strict=False)


@pytest.mark.parametrize(
    "fields", ["0:0:1:37:0:0:0:7:10", "0:2:1:31:0:0:0:7:10", "0:0:0:31:0:0:0:7:10", "x:0:1:31:0:0:0:7:10"]
)
def test_lenient_is_not_blind(fields: str) -> None:
    with pytest.raises(FormatError):
        parse_xgid(f"XGID=-b----E-C---eE---c-e----B-:{fields}", strict=False)


# ---- the fast way


def slowly(text: str, checkers: int) -> tuple[object, ...] | None:
    """What `scanned` would have to say, by way of the reader that is written in Python."""
    try:
        x = parse_xgid(text, checkers)
    except (FormatError, InvalidPosition):
        return None
    seat = {Seat.A: 0, Seat.B: 1, None: None}
    bits = int(x.crawford) if x.length else int(x.jacoby) + 2 * int(x.beavers)
    return (
        x.position, seat[x.turn], x.cube, seat[x.owner], x.dice, x.pending, x.scores, bits, x.length, x.max_cube,
    )  # fmt: skip


def check_fast(text: str, checkers: int = 15) -> bool:
    """Whether it comes through the fast way; what comes through is right."""
    fast, slow = scanned(text, checkers), slowly(text, checkers)
    if fast is not None:
        assert fast == slow, text
        assert bg.Position.from_xgid(text, checkers) == fast[0]
        assert bg.Position.from_xgid(text, checkers=np.int64(checkers)) == fast[0]  # which goes the slow way
    return fast is not None


@pytest.mark.parametrize("known", KNOWN.values())
def test_known_ones_go_the_fast_way(known: Known) -> None:
    for text in (known.xgid, "XGID=" + known.xgid, known.xgid.rpartition(":")[0]):
        assert check_fast(text)
        for start in range(len(text)):
            check_fast(text[:start])
            check_fast(text[start:])


WORDS = ["0", "1", "2", "3", "-1", "-0", "01", "5", "7", "10", "30", "31", "32767", "32768", "99999", "+1", "D"]
NUMBERS = st.sampled_from([*WORDS, "", " 1"])


@given(
    st.lists(st.sampled_from("-----ABCabcOPop"), min_size=25, max_size=27).map("".join),
    st.lists(NUMBERS, min_size=8, max_size=10),
    st.sampled_from(["", "XGID=", "xgid=", " "]),
    st.integers(1, 15),
)
def test_the_fast_way_is_the_slow_way(line: str, numbers: list[str], prefix: str, checkers: int) -> None:
    check_fast(prefix + ":".join([line, *numbers]), checkers)


@given(st.data())
def test_one_change_in_a_good_one(data: st.DataObject) -> None:
    text = "XGID=" + data.draw(st.sampled_from([known.xgid for known in KNOWN.values()]))
    at = data.draw(st.integers(0, len(text)))
    new = data.draw(st.sampled_from([*"-ABOPaobp0123456789:DBR \u0661\xb2\u4e00", "", "::", "XGID="]))
    check_fast(text[:at] + new + text[at + data.draw(st.integers(0, 2)) :])


@given(positions(bg.BACKGAMMON), st.integers(0, 1), st.integers(0, 5), st.sampled_from([0, 5, 64]))
def test_what_is_written_goes_the_fast_way(position: bg.Position, turn: int, score: int, length: int) -> None:
    seats = SeatedPosition.from_position(position, (Seat.A, Seat.B)[turn])
    xgid = Xgid(seats, 0, None, (3, 1), None, (0, min(score, max(length - 1, 0))), False, False, False, length, 10)
    assert check_fast(format_xgid(xgid))


def test_texts_that_are_no_plain_ones() -> None:
    for text in ("", "\u4e00" * 50, "x" * 10_000, "XGID=" * 9, KNOWN[1].xgid + ":", KNOWN[1].xgid + ":1"):
        assert scanned(text, 15) is None
    assert scanned(KNOWN[1].xgid, 0) is None
    assert scanned(KNOWN[1].xgid, 16) is None
