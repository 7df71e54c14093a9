"""OGID, FIBS boards, Snowie lines, and finding one of them in a pasted text."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.errors import BgcoreError, FormatError
from bgcore.formats.fibs import format_fibs_board, parse_fibs_board
from bgcore.formats.ogid import Ogid, format_ogid, parse_ogid
from bgcore.formats.seats import Seat
from bgcore.formats.snowie import SnowieLine, format_snowie, parse_snowie
from bgcore.formats.xgid import parse_xgid

# Published by one and the same program for the same state; without the largest cube, which an OGID doesn't have.
OGIDS = {
    "013ccehhiijjkkk:44566688ddddmno:N0N:31:B:R:0:0:5:12": "-aaa-CBBB--AdB---b-cabA-AA:0:0:1:31:0:0:0:5",
    "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13": "-aaa-CBBB--AdB---b-cabBA--:0:0:-1:52:0:0:0:5",
    "233ccehhiijjkkk:445666888dddmmn:N0N:54:B:R:0:0:5:14": "--ab-CBBB--AcB---c-cabBA--:0:0:1:54:0:0:0:5",
    "377cchhiijjkkkk:444556688dddmmn:N0N:65:W:R:0:0:5:17": "--ab-DBBB---cB---bBbbcA---:0:0:-1:65:0:0:0:5",
    "djjjjlllnnnnooo:2233445556668mm:B1N:21:W:R:2:0:5:97": "-CDbC-D-----A----a-ccbbb--:1:-1:-1:21:2:0:0:5",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:56:W:IB:0:0:9:0": "-b----E-C---eE---c-e----B-:0:0:-1:56:0:0:0:9",
}
BOARDS = {
    "board:BOT:TOP:7:3:6:0:2:0:3:2:2:2:0:0:0:-1:0:0:0:1:0:0:0:1:2:-3:-2:-2:-2:-4:0:1:2:1:2:1:2:0:1:0:1:-1:0:25:0:1:0:0:0:0"
    ":1:1": "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7",
    "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0"
    ":0:2:0:0:0": "-b----E-C---eE---c-e----B-:0:0:1:62:0:1:0:3",
    "board:You:opp:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:6:0:0:1:1:1:0:-1:1:25:0:0:0:0:0:2"
    ":0:0:0": "-b----E-C---eE---c-e----B-:0:0:-1:26:0:0:0:1",
}
SNOWIE = {
    "7;0;0;0;1;root;gnubg;0;3;6;2;-1;0;2;0;3;2;2;2;0;0;0;-1;0;0;0;1;0;0;0;1;2;-3;-2;-2;-2;-4;0;2;1;": (
        "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7"
    ),
    "5;0;0;0;1;root;gnubg;0;0;1;1;0;0;-1;-1;0;0;3;3;2;3;-1;0;0;-3;-1;0;0;0;-1;0;-3;0;-2;-2;0;3;1;5;2;": (
        "-aa--CCBCa--ca---a-c-bb-CA:0:0:1:52:0:1:0:5"
    ),
    "0;1;0;1;1;root;gnubg;0;0;0;1;0;-1;2;-1;2;0;0;3;0;1;0;0;0;-4;5;0;0;-1;-3;0;-5;0;0;0;0;2;0;4;2;": (
        "aBaB--C-A---dE--ac-e----B-:0:0:1:42:0:0:1:0"
    ),
    "11;0;0;0;0;gnubg;root;0;9;9;2;1;-1;0;0;0;0;3;3;4;3;2;0;0;0;0;0;0;-1;0;0;0;-2;-2;-2;-3;-4;0;5;4;": (
        "-DCBBB---A------bcdcc----A:1:-1:-1:54:9:9:0:11"
    ),
}
XGIDS = [
    "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    "---BADB------------bf---a-:1:1:1:00:4:0:0:7:10",
    "-DCBBB---A------bcdcc----A:1:-1:-1:54:9:9:0:11:10",
    "aa--BBBB----dE---d-e----B-:0:0:1:D:0:0:0:0:10",
    "--CBBBBaa--------bCbcbbAb-:2:-1:-1:D:0:0:2:0:10",
    "-b---CC-C---eD---c-e---AA-:0:0:1:66:4:1:1:5:10",
]


@pytest.mark.parametrize(("ogid", "xgid"), OGIDS.items())
def test_ogids(ogid: str, xgid: str) -> None:
    assert parse_ogid(ogid).to_xgid() == parse_xgid(xgid)
    assert format_ogid(parse_ogid(ogid)) == ogid
    assert parse_ogid(f' "OGID={ogid}"') == parse_ogid(ogid)
    assert parse_ogid(ogid.replace(":", "%3A")) == parse_ogid(ogid)


def test_ogids_that_say_more() -> None:
    crawford = parse_ogid("11ccccchhhjjjjj:66666888dddddoo:N0N::W:C:4:2:5C:9")
    assert crawford.to_xgid().crawford
    assert crawford.seats.on_roll is Seat.B
    doubled = parse_ogid("11ccccchhhjjjjj:66666888dddddoo:N0O::W:D:0:0:7:9")
    assert (doubled.to_xgid().pending, doubled.seats.on_roll) == ("D", Seat.A)
    over = parse_ogid("ppq:66666888dddddoo:W1T::W:G:4:0:7L:9")
    with pytest.raises(FormatError, match="over"):
        over.to_xgid()
    assert over.seats.of(Seat.A)[0] == 15
    assert bg.parse("OGID=ppq:66666888dddddoo:W1T::W:G:4:0:7L:9").state is None
    three = parse_ogid("123:mno:N0N:61:B:R:0:0:0:1:3")
    assert format_ogid(three).endswith(":3")
    assert bg.parse("123:mno:N0N:61:B:R:0:0:0:1:3", rules=bg.HYPERGAMMON).state.dice == (6, 1)


@pytest.mark.parametrize(("board", "xgid"), BOARDS.items())
def test_fibs_boards(board: str, xgid: str) -> None:
    found = parse_fibs_board(board)
    assert found.state == parse_xgid(xgid)
    assert found.down == (found.you is Seat.A)
    written = format_fibs_board(found.state, found.names, you=found.you)
    assert parse_fibs_board(written).state == found.state


@pytest.mark.parametrize(("line", "xgid"), SNOWIE.items())
def test_snowie_lines(line: str, xgid: str) -> None:
    found = parse_snowie(line)
    wanted = parse_xgid(xgid)
    assert (found.state.seats, found.state.scores, found.state.owner) == (wanted.seats, wanted.scores, wanted.owner)
    assert (found.state.dice, found.state.length, found.state.jacoby) == (wanted.dice, wanted.length, wanted.jacoby)
    assert format_snowie(found) == line


@pytest.mark.parametrize("text", XGIDS)
def test_round_trips_of_states(text: str) -> None:
    xgid = parse_xgid(text.rsplit(":", 1)[0])
    plain = parse_xgid(text.rsplit(":", 1)[0]) if xgid.length else None
    back = parse_ogid(format_ogid(Ogid.from_xgid(xgid))).to_xgid()
    assert (back.seats, back.dice, back.pending, back.cube) == (xgid.seats, xgid.dice, xgid.pending, xgid.cube)
    assert plain is None or back == plain
    for you in Seat:
        fibs = parse_fibs_board(format_fibs_board(xgid, you=you)).state
        assert fibs is not None
        assert (fibs.seats, fibs.dice, fibs.pending, fibs.owner) == (xgid.seats, xgid.dice, xgid.pending, xgid.owner)
        assert (fibs.scores, fibs.length, fibs.crawford) == (xgid.scores, xgid.length, xgid.crawford)
    if xgid.pending is None:
        assert parse_snowie(format_snowie(SnowieLine(xgid, ("a", "b"), 0))).state.seats == xgid.seats


def test_what_has_no_place() -> None:
    beaver = parse_xgid("aa--BBBB----dE---d-e----B-:0:0:1:B:0:0:2:0:10")
    for write in (Ogid.from_xgid, format_fibs_board, lambda x: format_snowie(SnowieLine(x, ("", ""), 0))):
        with pytest.raises(FormatError, match="place for"):
            write(beaver)
    start = parse_xgid(XGIDS[0])
    with pytest.raises(FormatError, match="':'"):
        format_fibs_board(start, ("a:b", "c"))
    with pytest.raises(FormatError, match="';'"):
        format_snowie(SnowieLine(start, ("a;b", "c"), 0))


def test_pasted_texts() -> None:
    post = "What would you play?\n\n  XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10\n\nI like 19/18."
    found = bg.parse(post)
    assert (found.kind, found.text) == ("xgid", "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
    assert found.state == bg.MatchState.from_xgid(found.text)
    assert bg.parse("4HPwATDgc/ABMA").kind == "position-id"
    assert bg.parse("Position ID: 4HPwATDgc/ABMA").position == bg.Position.initial()
    assert bg.parse("set 4HPwATDgc/ABMA:cAnzAAAAAAAE.").state.length == 7
    block = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cIiyAAAAAAAE\n +13-14"
    assert bg.parse(block).state.dice == (5, 4)
    assert bg.parse("(https://x.org/?XGID%3D-b----E-C---eE---c-e----B-%3A0%3A0%3A1%3A31%3A0%3A0%3A0%3A0%3A10)").state
    two = bg.parse("4HPwATDgc/ABMA:cAnzAAAAAAAE or 4HPwATDgc/ABMA:cIiyAAAAAAAE")
    assert two.notes == ("1 more like it in the text, which were not read",)
    for ogid in OGIDS:
        assert bg.parse(f"see {ogid} there").kind == "ogid"
    for board in BOARDS:
        assert bg.parse(board).kind == "fibs"
    for line in SNOWIE:
        assert bg.parse(line).names is not None
    money = bg.parse(next(iter(SNOWIE)).replace("7;0;0;0;1", "0;1;0;1;1").replace(";3;6;2;", ";0;0;2;"))
    assert money.state.options.jacoby


def test_samples(samples: Path) -> None:
    for name in ("bgblitz_cube_en.txt", "xg_checkerplay_en.txt"):
        text = (samples / "positions" / name).read_text("utf-8-sig")
        assert bg.parse(text).kind == "xgid"
    text = (samples / "positions" / "bgblitz_cube_en.txt").read_text("utf-8-sig")
    ids = bg.parse(text[: text.index("XGID")])
    assert ids.text == "5O4uAAhmdysAQA:cAngACAAAAAE"


@pytest.mark.parametrize(
    "text",
    ["", "hello", "x" * 2_000_000, "XGID=", "board:1:2", "1;0;0;0;1;a;b;0;1;", "OGID=zz", "4HPwATDgc/ABM", "::::"],
)
def test_nothing_to_read(text: str) -> None:
    with pytest.raises(FormatError):
        bg.parse(text)
    with pytest.raises(TypeError):
        bg.parse(text.encode())


@given(data=st.data())
def test_mutations_are_refused_or_read(data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from([*OGIDS, *BOARDS, *SNOWIE, *XGIDS]))
    rng = random.Random(data.draw(st.integers(0, 1 << 32)))
    text = list(seed)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        text[at : at + rng.randint(0, 2)] = rng.choice(
            ["", "0", "9", "-", ":", ";", "A", "p", "D", "\x00", "é", "99999"]
        )
    for read in (bg.parse, parse_ogid, parse_fibs_board, parse_snowie):
        with contextlib.suppress(BgcoreError):
            read("".join(text))
