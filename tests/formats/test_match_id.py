"""Match IDs: the reference decodes of GNU Backgammon, every refusal, and round trips of what the fields can hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore.errors import FormatError, RuleError
from bgcore.formats.ids import GAME_STATES, MatchId, format_match_id, parse_match_id, split_gnubg_id


class Row(NamedTuple):
    """What GNU Backgammon 1.07 and 1.08 read from an ID; the last field is the bit, set where Jacoby is off."""

    cube: int
    owner: int | None
    roller: int
    crawford: int
    state: int
    turn: int
    doubled: int
    resigned: int
    dice: tuple[int, int] | None
    length: int
    scores: tuple[int, int]
    no_jacoby: int


ROWS = {
    "cAkAAAAAAAAA": Row(1, None, 1, 0, 1, 1, 0, 0, None, 0, (0, 0), 0),
    "cAkAAAAAAAAE": Row(1, None, 1, 0, 1, 1, 0, 0, None, 0, (0, 0), 1),
    "cAnzAAAAAAAE": Row(1, None, 1, 0, 1, 1, 0, 0, (6, 4), 7, (0, 0), 1),
    "EgHgADAAKAAE": Row(4, 1, 0, 0, 1, 0, 0, 0, None, 7, (3, 5), 1),
    "8AmgAEAAEAAE": Row(1, None, 1, 1, 1, 1, 0, 0, None, 5, (4, 2), 1),
    "QYkqASAAIAAA": Row(2, 0, 1, 0, 1, 1, 0, 0, (5, 2), 9, (2, 4), 0),
    "MBkAAAAAAAAA": Row(1, None, 0, 0, 1, 1, 1, 0, None, 0, (0, 0), 0),
    "EREAAAAAAAAA": Row(2, 1, 0, 0, 1, 0, 1, 0, None, 0, (0, 0), 0),
    "EhkAAAAAAAAA": Row(4, 1, 0, 0, 1, 1, 1, 0, None, 0, (0, 0), 0),
    "ExEAAAAAAAAA": Row(8, 1, 0, 0, 1, 0, 1, 0, None, 0, (0, 0), 0),
    "cGNgAFAAAAAE": Row(1, None, 1, 0, 3, 0, 0, 3, None, 3, (5, 0), 1),
}


@pytest.mark.parametrize(("text", "row"), ROWS.items())
def test_reference_decodes(text: str, row: Row) -> None:
    match = parse_match_id(text)
    assert match == MatchId(
        cube=row.cube.bit_length() - 1,
        owner=row.owner,
        on_roll=row.roller,
        crawford=bool(row.crawford),
        state=GAME_STATES[row.state],
        turn=row.turn,
        doubled=bool(row.doubled),
        resigned=row.resigned,
        dice=row.dice,
        length=row.length,
        scores=row.scores,
        jacoby=not row.no_jacoby,
    )


def test_they_encode_to_themselves_but_one() -> None:
    """GNU Backgammon sets the Jacoby bit in every match ID; an old one without it is written anew with it."""
    assert {text: format_match_id(parse_match_id(text)) for text in ROWS} == {text: text for text in ROWS} | {
        "QYkqASAAIAAA": "QYkqASAAIAAE"
    }


def test_others_seen_in_public() -> None:
    """With what is known of each: dice as thrown, an ID before the first game, one of an old version."""
    assert parse_match_id("QYnoAGAAGAAE").dice == parse_match_id("QQnlAGAAGAAE").dice is not None
    assert format_match_id(parse_match_id("cAngAAAAGAAA")) == "cAngAAAAGAAE"
    match = parse_match_id("8IhuACAACAAE")
    assert (match.state, match.crawford, match.dice, match.length, match.scores) == ("none", True, (5, 3), 3, (2, 1))
    match = parse_match_id("cBHgAEAAEAAE")
    assert (match.doubled, match.on_roll, match.turn, match.scores) == (True, 1, 0, (4, 2))


@st.composite
def match_ids(draw: st.DrawFn) -> MatchId:
    length = draw(st.one_of(st.just(0), st.integers(1, 32767)))
    state = draw(st.sampled_from(GAME_STATES))
    most = length - 1 if length and state == "playing" else 32767
    doubled = draw(st.booleans())
    die = st.integers(1, 6)
    dice = None if doubled else draw(st.none() | st.tuples(die, die).map(lambda d: (max(d), min(d))))
    return MatchId(
        cube=draw(st.integers(0, 15)),
        owner=draw(st.sampled_from([None, 0, 1])),
        on_roll=draw(st.sampled_from([0, 1])),
        crawford=bool(length) and draw(st.booleans()),
        state=state,
        turn=draw(st.sampled_from([0, 1])),
        doubled=doubled,
        resigned=0 if doubled else draw(st.integers(0, 3)),
        dice=dice,
        length=length,
        scores=(draw(st.integers(0, most)), draw(st.integers(0, most))),
        jacoby=not length and draw(st.booleans()),
    )


@given(match_ids())
def test_round_trip(match: MatchId) -> None:
    text = format_match_id(match)
    assert parse_match_id(text) == match
    assert format_match_id(parse_match_id(text)) == text


@given(match_ids(), st.integers(0, 11), st.sampled_from("ABMgw/+9_-=é"))
def test_a_changed_id_is_another_or_an_error(match: MatchId, at: int, character: str) -> None:
    text = format_match_id(match)
    changed = text[:at] + character + text[at + 1 :]
    try:
        read = parse_match_id(changed)
    except FormatError:
        return
    assert parse_match_id(format_match_id(read)) == (read if not read.length else replace(read, jacoby=False))


def bits(**fields: int) -> str:
    """An ID from raw fields, which may contradict each other."""
    import base64

    places = {
        "cube": 0, "owner": 4, "roller": 6, "crawford": 7, "state": 8, "turn": 11, "doubled": 12, "resigned": 13,
        "die1": 15, "die2": 18, "length": 21, "score0": 36, "score1": 51, "no_jacoby": 66, "unused": 67,
    }  # fmt: skip
    number = sum(value << places[name] for name, value in ({"owner": 3, "state": 1} | fields).items())
    return base64.b64encode(number.to_bytes(9, "little")).decode()


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        ("cAkAAAAAAAA", None, "12 characters, not 11"),
        ("cAkAAAAAAAAAA", None, "12 characters, not 13"),
        ("cAk AAAAAAAA", None, "at place 3"),
        ("cAkAAAAA-AAA", None, "write '\\+' for '-'"),
        ("cAkAAAAAAA==", None, "at place 10"),
        ("cAkAAAAAAAé=", None, "at place 10"),
        (bits(unused=1), "unused", "must be zero"),
        (bits(unused=16), "unused", "must be zero"),
        (bits(state=5), "state", "no game state 5"),
        (bits(die1=7, die2=1), "dice", "not 7"),
        (bits(die1=3), "dice", "the other nothing"),
        (bits(die2=3), "dice", "the other nothing"),
        (bits(crawford=1), "crawford", "no Crawford game"),
        (bits(length=5, score0=5), "scores", "is over"),
        (bits(length=5, score1=9), "scores", "is over"),
        (bits(doubled=1, die1=2, die2=1), "doubled", "beside a roll"),
        (bits(doubled=1, resigned=2), "doubled", "beside a resignation"),
    ],
)
def test_refused(text: str, field: str | None, says: str) -> None:
    with pytest.raises(FormatError, match=says) as caught:
        parse_match_id(text)
    assert caught.value.field == field


def test_owner_two_is_a_centred_cube() -> None:
    assert parse_match_id(bits(owner=2)).owner is None
    assert format_match_id(parse_match_id(bits(owner=2))) == bits(owner=3)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cube": 16}, "4 bits for the cube"),
        ({"length": 32768}, "15 bits for the length"),
        ({"scores": (32768, 0)}, "score of player 0"),
        ({"scores": (0, 32768)}, "score of player 1"),
    ],
)
def test_too_large(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        format_match_id(replace(parse_match_id("cAkAAAAAAAAE"), **changes))


def test_both_parts() -> None:
    assert split_gnubg_id(" 4HPwATDgc/ABMA:cAkAAAAAAAAE\n") == ("4HPwATDgc/ABMA", "cAkAAAAAAAAE")
    for wrong in ("4HPwATDgc/ABMA", "4HPwATDgc/ABMA:", "4HPwATDgc/ABMA cAkAAAAAAAAE", "a:b", "", ":" * 27):
        with pytest.raises(FormatError, match="14 characters, ':' and a Match ID of 12"):
            split_gnubg_id(wrong)
    for wrong_type in (None, b"4HPwATDgc/ABMA:cAkAAAAAAAAE"):
        with pytest.raises(TypeError):
            split_gnubg_id(wrong_type)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            parse_match_id(wrong_type)  # type: ignore[arg-type]
