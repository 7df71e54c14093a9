"""XG's and BGBlitz's files: what is odd in them, beavers, settlements, damaged parts; Smile byte by byte."""

from __future__ import annotations

import contextlib
import io
import json
import struct
import zlib
from typing import Any

import pytest

import bgcore as bg
from bgcore.errors import FormatError
from bgcore.formats.matches import written
from bgcore.formats.smile import read_smile
from bgcore.match.transcript import Match
from naive import backgammon as naive
from naive import scribes

TOLD = scribes.story(53, length=9)


def read(data: bytes, *, strict: bool = False) -> Match:
    return bg.read_match(io.BytesIO(data), strict=strict)


# ---- XG -------------------------------------------------------------------------------------------------------------


def records(data: bytes) -> list[bytes]:
    start = 8232 + struct.unpack_from("<I", data, 20)[0]
    whole = zlib.decompressobj().decompress(data[start:])
    return [whole[at : at + 2560] for at in range(0, len(whole), 2560)]


def changed(kind: int, at: int, data: bytes, which: int = 0) -> bytes:
    """An XG file with some bytes of one record replaced: the one of a kind by its place among those."""
    found = records(scribes.xg(TOLD))
    place = [number for number, record in enumerate(found) if record[8] == kind][which]
    record = bytearray(found[place])
    record[at : at + len(data)] = data
    found[place] = bytes(record)
    return scribes.container({"temp.xg": b"".join(found)})


@pytest.mark.parametrize(
    ("kind", "at", "data", "note"),
    [
        (0, 96, struct.pack("<i", 9), "variation 9"),
        (1, 21, struct.pack("<26b", *[1] * 26), "no position"),
        (1, 20, b"\x01", "Crawford game; by the scores it is not"),
        (1, 12, struct.pack("<ii", 3, 0), "the score is 0-1"),
        (2, 8, b"\x0b", "a record of kind 11"),
        (3, 64, struct.pack("<i", 7), "player 7"),
        (3, 100, struct.pack("<i", 9), "dice 9"),
        (3, 68, struct.pack("<i", 77), "illegal"),
        (3, 2480, struct.pack("<i", 2), "marked as illegal, but it is legal"),
        (3, 9, struct.pack("<26b", *[0] * 26), "no position"),
        (4, 24, struct.pack("<i", 5), "player 5"),
        (4, 28, struct.pack("<i", 3), "3 points are said to be won"),
    ],
)
def test_oddities_in_records(kind: int, at: int, data: bytes, note: str) -> None:
    file = changed(kind, at, data)
    assert any(note in str(found) for found in read(file).notes)
    with pytest.raises(FormatError) as caught:
        read(file, strict=True)
    assert caught.value.offset is not None


def test_a_first_position_of_zeros_is_the_start() -> None:
    match = read(changed(1, 21, bytes(26)), strict=True)
    assert match.games[0].start == bg.BACKGAMMON.start


def test_an_illegal_play_has_the_position_that_xg_gives() -> None:
    first = next(turn for turn in TOLD.games[0].turns if turn.action == "play")
    after = list(first.after)
    after[6] -= 1
    after[5] += 1  # 6/5, and what was played
    file = records(scribes.xg(TOLD))
    place = next(number for number, record in enumerate(file) if record[8] == 3)
    record = bytearray(file[place])
    record[35:61] = struct.pack("<26b", *after)
    record[68:76] = struct.pack("<ii", 5, 4)
    file[place] = bytes(record)
    turn = read(scribes.container({"temp.xg": b"".join(file[: place + 1])})).games[0].turns[0]
    assert turn.is_illegal
    assert turn.text.startswith("6/5")
    assert turn.result is not None
    assert turn.result.flipped().board.tolist() == after


def test_a_position_that_was_set_anew_is_where_the_last_play_led() -> None:
    file = records(scribes.xg(TOLD))
    plays = [number for number, record in enumerate(file) if record[8] == 3]
    for number in plays[3:]:  # from the fourth play on player 0 has one checker less on 13 and one more on 7
        record = bytearray(file[number])
        (actor,) = struct.unpack_from("<i", record, 64)
        for at, seat in ((9, 1), (35, actor)):
            line = list(struct.unpack_from("<26b", record, at))
            line = line if seat == 1 else list(naive.flip(tuple(line)))
            line[13] -= 1
            line[7] += 1
            record[at : at + 26] = struct.pack("<26b", *(line if seat == 1 else naive.flip(tuple(line))))
        file[number] = bytes(record)
        break
    match = read(scribes.container({"temp.xg": b"".join(file[: plays[3] + 1])}))
    assert any("is set anew" in str(note) for note in match.notes)
    steps = [step for step in match.games[0].steps() if step.turn.action == "play"]
    assert steps[2].turn.is_illegal
    assert steps[2].turn.result == steps[3].position
    assert steps[3].position is not None
    for name in ("mat", "sgf"):
        assert match.difference(read(written(match, name))) == ""


def test_beaver_raccoon_and_settlement() -> None:
    cubes = [record for record in records(scribes.xg(TOLD)) if record[8] == 2]
    first = [struct.unpack_from("<i", record, 16)[0] for record in cubes].index(1)
    file = changed(2, 20, struct.pack("<iii", 2, -1, 1), first)
    actions = [turn.action for game in read(file).games for turn in game.turns]
    place = actions.index("double")
    assert actions[place : place + 3] == ["double", "beaver", "raccoon"]
    game = next(i for i, game in enumerate(TOLD.games) if game.how == "resigned")
    end = read(changed(4, 28, struct.pack("<ii", 3, 1001), game)).games[game].end
    assert end is not None
    assert (end.points, end.how) == (3, "settled")


def test_a_money_session() -> None:
    told = scribes.story(4, length=0)
    match = read(scribes.xg(told), strict=True)
    assert (match.length, match.jacoby, match.beavers) == (0, False, False)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"RGMH", "cut off"),
        (b"RGMH" + bytes(40), "header says that it has 0 bytes"),
        (scribes.container({"other": b"x"}), "holds no temp.xg"),
        (scribes.container({"temp.xg": b""}), "does not begin with the record of a match"),
        (scribes.container({"temp.xg": scribes.record(1, {})}), "does not begin with the record of a match"),
        (scribes.xg(TOLD)[:8300], "is cut off before the match|does not begin"),
    ],
)
def test_what_is_no_xg_file(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(data)


def test_a_damaged_archive_is_read_as_far_as_it_goes() -> None:
    data = bytearray(scribes.xg(TOLD))
    data[-30] ^= 0xFF  # the trailer
    assert read(bytes(data)).games
    whole = scribes.xg(TOLD)
    start = 8232 + struct.unpack_from("<I", whole, 20)[0]
    cut = whole[: start + (len(whole) - start) // 2]
    match = read(cut)
    assert match.games
    assert match.games[-1].end is None
    assert any("no registry" in str(note) for note in match.notes)


# ---- BGBlitz --------------------------------------------------------------------------------------------------------


def bgf(change: Any, told: scribes.Story = TOLD) -> bytes:
    """A BGF file in plain JSON with something changed."""
    head, _, body = scribes.bgf(told, False, False).partition(b"\n")
    content = json.loads(body)
    change(content)
    return head + b"\n" + json.dumps(content).encode()


def set_in(*path: Any) -> Any:
    """Change one value deep inside."""
    *keys, last, value = path

    def change(content: Any) -> None:
        for key in keys:
            content = content[key]
        content[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (set_in("games", 0, "moves", 0, "player", 0), "player 0"),
        (set_in("games", 0, "moves", 0, "red", 9), "dice 9"),
        (set_in("games", 0, "moves", 0, "from", [12, 12, -1, -1]), "illegal play"),
        (set_in("games", 0, "moves", 0, "to", [30, 30, -1, -1]), "not known"),
        (set_in("games", 0, "moves", 0, {"player": 1, "green": 7, "red": 8}), "code 8"),
        (set_in("games", 0, "initial", "cube", 3), "cube at 3"),
        (set_in("games", 0, "initial", "points", [9] * 28), "no position"),
        (set_in("games", 0, "isCrawford", True), "Crawford"),
        (set_in("gameMode", 3), "gameMode 3"),
    ],
)
def test_oddities_in_bgf(change: Any, note: str) -> None:
    assert any(note in str(found) for found in read(bgf(change)).notes)
    with pytest.raises(FormatError):
        read(bgf(change), strict=True)


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], -1, 2**70, True, 1e400])
def test_members_of_a_wrong_type_never_raise_anything_else(value: Any) -> None:
    paths = [
        ("games",), ("matchlen",), ("nameGreen",), ("date",), ("cubeLimit",), ("games", 0), ("games", 0, "moves"),
        ("games", 0, "initial"), ("games", 0, "scoreRed"), ("games", 0, "moves", 0), ("games", 0, "wonPoints"),
        ("games", 0, "moves", 1, "from"), ("games", 0, "moves", 1, "green"), ("games", 0, "initial", "points"),
    ]  # fmt: skip
    for path in paths:
        with contextlib.suppress(FormatError):
            read(bgf(set_in(*path, value)))


def test_time_and_forfeit() -> None:
    game = next(i for i, game in enumerate(TOLD.games) if game.how == "resigned")
    for name, how in (("lostOnTime", "time"), ("wasForfeit", "forfeited")):
        end = read(bgf(set_in("games", game, name, True))).games[game].end
        assert end is not None
        assert end.how == how


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"format":"BGF"}\n', "the match is no JSON"),
        (b'{"format":"BGF"\n{}', "first line is no JSON"),
        (b'{"format":"BGF","compress":true}\nxxxx', "cannot be inflated"),
        (b'{"format":"BGF","compress":true}\n' + scribes.bgf(TOLD).partition(b"\n")[2][:-20], "damaged: cut off"),
        (b'{"format":"BGF","useSmile":true}\nxxxx', "no Smile"),
        (b'{"format":"BGF"}\n[]', "no match in the file"),
        (b'{"format":"BGF2", "x":"BGF"}\n[]', "no BGF file"),
    ],
)
def test_what_is_no_bgf(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(data)


# ---- Smile ----------------------------------------------------------------------------------------------------------

HEAD = b":)\n\x01"
VALUES = [
    None, True, False, 0, -1, 15, -16, 16, -17, 63, 64, 12345, -99999, 2**31, -(2**40), 0.0, 1.5, -2.25e300, "", "a",
    "x" * 32, "x" * 33, "x" * 64, "x" * 65, "x" * 500, "\u00e9", "\u00e9" * 16, "\u00e9" * 17, "\u00e9" * 40, "\u20ac",
    [], [1, [2, []]], {}, {"a": {"a": 1, "b": None}},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_smile_values(value: Any) -> None:
    assert read_smile(HEAD + scribes.smile(value, [])) == value
    data = HEAD + scribes.smile([value, value], [])
    assert read_smile(data) == [value, value]
    for end in range(4, len(data)):
        with pytest.raises(FormatError, match="cut off"):
            read_smile(data[:end])


def test_smile_shares_keys() -> None:
    value = [{f"key{i}": i for i in range(200)} for _ in range(3)]
    assert read_smile(HEAD + scribes.smile(value, [])) == value
    # After 1,024 keys the table begins anew: a reference then means the newest ones.
    keys = b"".join(bytes([0x80 + 3]) + f"{i:04d}".encode() + b"\xc0" for i in range(1024))
    data = HEAD + b"\xfa" + keys + b"\x82new\xc2\x40\xc4" + b"\xfb"
    assert read_smile(data)["new"] == 2
    assert len(read_smile(data)) == 1025


def test_smile_shares_values_where_the_header_says_so() -> None:
    assert read_smile(b":)\n\x03\xf8\x41ab\x01\x41cd\x02\xf9") == ["ab", "ab", "cd", "cd"]
    with pytest.raises(FormatError, match="a reference to text 4 of 1"):
        read_smile(b":)\n\x03\xf8\x41ab\x05\xf9")
    with pytest.raises(FormatError, match="a reference to text 0 of 0"):
        read_smile(b":)\n\x01\xf8\x41ab\x01\xf9")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"\xfd", "0xfd begins no value"),
        (b"\x26\x01", "0x26 begins no value"),
        (b"\xfa\x01", "0x01 begins no key"),
        (b"\xfa\x80a\xf9", "the end of an array where a value belongs|0xf9"),
        (b"\x80\xff\xff", "no UTF-8"),
        (b"\x24" + b"\x01" * 12, "more than 64 bits"),
        (b"\xf9", "0xf9 begins no value"),
    ],
)
def test_what_is_no_smile(body: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read_smile(HEAD + body)
    assert caught.value.offset is not None
    with pytest.raises(FormatError, match="begins with"):
        read_smile(b":(\n\x01" + body)
