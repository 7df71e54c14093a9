"""Match files cut off and mutated: a match, perhaps with notes, or a FormatError that says where; nothing else.

Files are those of tests/data and, where ``BGCORE_SAMPLES`` names them, real ones.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bgcore as bg
from bgcore.errors import FormatError
from bgcore.formats.matches import WRITERS, written
from bgcore.match.transcript import Match
from naive import scribes

DATA = Path(__file__).resolve().parent.parent / "data" / "matches"
FILES = sorted(path for path in DATA.iterdir() if path.suffix != ".py")
TEXTS = [path for path in FILES if path.suffix in (".mat", ".txt")]
OTHERS = [path for path in FILES if path not in TEXTS]
TOLD = scribes.story(53, length=9)
SMALL = 15_000
PLACES = 3_000
Report = Callable[[str, object], None]


def outcome(data: bytes) -> Match | FormatError:
    """What reading makes of the bytes; anything but a match and a FormatError is an error of ours."""
    found: Match | FormatError
    try:
        found = bg.read_match(io.BytesIO(data))
    except FormatError as error:
        found = error
    if isinstance(found, FormatError):
        assert str(found).startswith("the file: ")
        assert len(str(found)) < 1000
    return found


def check(data: bytes) -> bool:
    """Whether a match was read, which then can be written and read again."""
    found = outcome(data)
    if isinstance(found, FormatError):
        return False
    for game in found.games:
        for step in game.steps():
            assert step.turn.play is None or step.turn.result is not None
    hash(found)
    return True


# ---- cut off --------------------------------------------------------------------------------------------------------


def places(data: bytes, rng: random.Random, step: int = 1) -> Iterator[int]:
    """Where to cut: everywhere in a small file, at seeded places in a large one."""
    if len(data) <= SMALL:
        yield from range(0, len(data), step)
    else:
        yield from sorted(rng.sample(range(len(data)), PLACES // step))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_cut_off(path: Path) -> None:
    data = path.read_bytes()
    step = 43 if path in TEXTS or path.suffix == ".sgf" else 211
    accepted = sum(check(data[:place]) for place in places(data, random.Random(5), step))
    assert accepted or path.suffix == ".bgf"


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_cut_off_at_every_byte(path: Path) -> None:
    data = path.read_bytes()
    for place in places(data, random.Random(5)):
        check(data[:place])


@pytest.mark.long
def test_real_files_cut_off(samples: Path) -> None:
    for folder in ("mat", "sgf", "xg", "bgf"):
        for path in sorted((samples / folder).iterdir()):
            data = path.read_bytes()
            step = {"mat": 7, "sgf": 10, "xg": 20, "bgf": 1}[folder]
            for place in places(data, random.Random(path.name), step):
                check(data[:place])


def records_of(data: bytes) -> bytes:
    """temp.xg of a container of the scribes."""
    start = 8232 + struct.unpack_from("<I", data, 20)[0]
    return zlib.decompressobj().decompress(data[start:])


@pytest.mark.parametrize("at", [0, 1, 8, 9, 100, 2000, -1])
def test_xg_cut_at_record_edges(at: int) -> None:
    records = records_of(scribes.xg(TOLD))
    for edge in range(2560, len(records), 2560 * 29):
        check(scribes.container({"temp.xg": records[: edge + at]}))


# ---- mutated --------------------------------------------------------------------------------------------------------

WORDS = [
    b"Doubles => 2", b"Takes", b"Drops", b"Wins 2 points", b"Losses 1 point", b"Resigns", b"Beavers => 4", b"????",
    b"Game 2", b"Cannot Move", b"bar/20", b"6/off(2)", b" 7 point match", b"Raccoons => 8", b"99:", b"11:", b"66:",
    b"; Set Pos=-b----E-C---eE---c-e----B-/1", b"; [Variation \"HyperGammon (3)\"]", b"Illegal play (1;2;3)", b"(3)",
    b"(;", b")", b"(", b";", b"W[double]", b"B[take]", b"AE[a:y]", b"AW[abc]", b"CV[4]", b"PL[B]", b"MI[length:1]",
    b"[", b"]", b"\\", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\0", b"\xe9", b"99999999999", b"-1", b":", b"\n\n",
    b"\t",
]  # fmt: skip


def mutated(data: bytes, rng: random.Random, binary: bool) -> bytes:
    """A file with one or a few things wrong."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(out) + 1)
        how = rng.randrange(9)
        if how == 0 and not binary:
            out[at:at] = rng.choice(WORDS)
        elif how == 1:
            del out[at : at + rng.choice((1, 1, 2, 8, 40))]
        elif how == 2:
            out[at:at] = out[max(0, at - rng.randrange(60)) : at]
        elif how == 3 and not binary:
            lines = bytes(out).split(b"\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            out[:] = b"\n".join(lines)
        elif at < len(out):
            out[at] = rng.randrange(256) if binary or rng.random() < 0.1 else rng.choice(out)
    return bytes(out)


Part = tuple[bytes, bool, Callable[[bytes], bytes]]


def parts(path: Path) -> list[Part]:
    """What of a file is mutated, whether that is binary, and how the file is put together again."""
    data = path.read_bytes()
    found: list[Part] = [(data, path.suffix in (".xg", ".bgf"), lambda part: part)]
    if path.suffix == ".xg":
        found += [(records_of(data), True, lambda part: scribes.container({"temp.xg": part}))] * 3
    elif path.suffix == ".bgf":
        line, _, body = data.partition(b"\n")
        found.append((gzip.decompress(body), True, lambda part: line + b"\n" + gzip.compress(part, 1)))
        head, _, plain = scribes.bgf(TOLD, False, False).partition(b"\n")
        found += [(plain, False, lambda part: head + b"\n" + part)] * 2
    return found


def storm(path: Path, count: int, seed: int) -> int:
    """Read so many mutations; how many were matches."""
    rng = random.Random(f"{path.name}{seed}")
    mutable = parts(path)
    accepted = 0
    for number in range(count):
        part, binary, whole = mutable[number % len(mutable)]
        accepted += check(whole(mutated(part, rng, binary)))
    return accepted


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mutations(path: Path, record_property: Report) -> None:
    count = 60 if path in TEXTS else 40
    accepted = storm(path, count, 1)
    record_property("accepted", f"{accepted} of {count}")
    assert accepted > 0


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_many_mutations(path: Path, record_property: Report) -> None:
    count = 100_000 // len(TEXTS) if path in TEXTS else 3_000
    accepted = storm(path, count, 2)
    record_property("accepted", f"{accepted} of {count}")
    print(f"{path.name}: {accepted} of {count} mutations are read as matches")
    assert 0 < accepted < count


@pytest.mark.parametrize("kind", ["gnubg", "gammonview", "sgf"])
def test_mutated_matches_are_written_and_read_again(kind: str) -> None:
    rng = random.Random(kind)
    data = next(path for path in FILES if path.stem == kind).read_bytes()
    for _ in range(15):
        found = outcome(mutated(data, rng, False))
        if isinstance(found, FormatError):
            continue
        for name in WRITERS:
            again = outcome(written(found, name))
            assert isinstance(again, Match)
            difference = found.difference(again)
            # To an SGF a beaver is a double while one is due, so one that isn't due comes back as a double.
            assert not difference or (name == "sgf" and re.search("'(double|beaver|raccoon)'", difference)), difference


# ---- too large ------------------------------------------------------------------------------------------------------


def test_files_over_the_limit_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.mat"
    with path.open("wb") as file:
        file.truncate(2**30)  # a hole: takes no room
    with pytest.raises(FormatError, match=r"1073741824 bytes.*max_bytes"):
        bg.read_match(path)
    with pytest.raises(FormatError, match="more than 100 bytes"):
        bg.read_match(io.BytesIO(b" " * 200), max_bytes=100)
    data = FILES[0].read_bytes()
    assert bg.read_match(io.BytesIO(data), max_bytes=len(data)).games


def test_a_line_without_end() -> None:
    with pytest.raises(FormatError, match="line 3: 20000000 characters"):
        bg.read_match(io.BytesIO(b" 7 point match\n\n" + b"1" * 20_000_000))


def bomb(size: int) -> bytes:
    """Zeros, so many MB once inflated."""
    machine = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = bytes(2**20)
    return b"".join(machine.compress(piece) for _ in range(size)) + machine.flush()


@pytest.mark.long
def test_bombs() -> None:
    line = json.dumps({"format": "BGF", "version": "1.0", "compress": True, "useSmile": True}).encode() + b"\n"
    with pytest.raises(FormatError, match="more than 268435456 bytes once inflated"):
        bg.read_match(io.BytesIO(line + bomb(300)))
    packed = zlib.compress(bytes(300 * 2**20), 9)
    for trailer in (True, False):
        data = scribes.container({"temp.xg": b""}, trailer=True)
        entry = struct.pack("<iiiIBB", 300 * 2**20, len(packed), 0, 0, 0, 9)
        registry = zlib.compress((bytes([7]) + b"temp.xg".ljust(255, b"\0") + bytes(256) + entry).ljust(532, b"\0"))
        tail = struct.pack("<IiiiiB15x", 0, 1, 1, len(registry), len(packed), 1)
        start = 8232 + struct.unpack_from("<I", data, 20)[0]
        with pytest.raises(FormatError, match="more than 268435456 bytes once inflated"):
            bg.read_match(io.BytesIO(data[:start] + packed + (registry + tail if trailer else b"")))


def test_deep_files() -> None:
    deep = b"(;FF[4]GM[6]" + b"(;W[31]" * 200_000
    with pytest.raises(FormatError, match="deep"):
        bg.read_match(io.BytesIO(deep))
    line = b'{"format":"BGF","version":"1.0","compress":false,"useSmile":false}\n'
    with pytest.raises(FormatError, match="no JSON"):
        bg.read_match(io.BytesIO(line + b"[" * 1_000_000))
    line = line.replace(b'"useSmile":false', b'"useSmile":true')
    with pytest.raises(FormatError, match="more than 64 deep"):
        bg.read_match(io.BytesIO(line + b":)\n\x01" + b"\xf8" * 1_000_000))


@pytest.mark.parametrize(
    ("limit", "kind"), [("building.MOST_TURNS", "gnubg"), ("sgf.MOST_VALUES", "sgf"), ("smile.MOST_VALUES", "bgf")]
)
def test_what_a_file_may_hold_is_limited(monkeypatch: pytest.MonkeyPatch, limit: str, kind: str) -> None:
    monkeypatch.setattr(f"bgcore.formats.{limit}", 30)
    data = next(path for path in FILES if path.stem == kind).read_bytes()
    with pytest.raises(FormatError, match="more than 30"):
        bg.read_match(io.BytesIO(data))


def test_a_thousand_notes_are_enough() -> None:
    rows = "".join(f" {n}) Takes\n" for n in range(1500))
    match = bg.read_match(io.BytesIO(f" 5 point match\n Game 1\n A : 0                   B : 0\n{rows}".encode()))
    assert len(match.notes) == 1001
    assert str(match.notes[-1]).endswith("more notes are left out")


HOSTILE = [
    b"; [A" + b" " * 200_000, b"; [A " + b"a " * 100_000, b'; [A "' + b'" ' * 100_000, b" Game 1\n" + b": 1" * 300,
    b" Game 1\n" + b" " * 990 + b"x", b" 1) " + b"Wins 1 " * 140, b" 1) 66: " + b"8/2 " * 240, b"\n" * 1_000_000,
]  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_lines_cost_nothing(line: bytes) -> None:
    began = time.process_time()
    head = b" 5 point match\n Game 1\n A : 0                   B : 0\n"
    outcome(head + line + b"\n")
    outcome(line + b"\n" + head)
    assert time.process_time() - began < 5  # far more than it takes; what is quadratic takes minutes


# ---- encodings ------------------------------------------------------------------------------------------------------

TEXT = " 5 point match\n\n Game 1\n Jos\u00e9 : 0                     \u017baneta : 0\n  1) 31: 8/5 6/5\n"


@pytest.mark.parametrize(
    ("encoding", "note"),
    [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", "UTF-16"), ("utf-16-be", "UTF-16")],
)
def test_encodings(encoding: str, note: str) -> None:
    data = TEXT.encode(encoding)
    match = bg.read_match(io.BytesIO(b"\xfe\xff" + data if encoding == "utf-16-be" else data))
    assert match.names == ("Jos\u00e9", "\u017baneta")
    said = f"read as {note}, as its byte-order mark says"
    assert [str(n) for n in match.notes if "byte-order" in str(n)] == ([said] if note else [])


def test_cp1252_is_read_with_a_note() -> None:
    match = bg.read_match(io.BytesIO(TEXT.replace("\u017b", "Z").encode("cp1252")))
    assert match.names == ("Jos\u00e9", "Zaneta")
    assert str(match.notes[0]) == "not UTF-8; read as cp1252"


def test_nuls_without_a_byte_order_mark() -> None:
    with pytest.raises(FormatError, match="NUL") as caught:
        bg.read_match(io.BytesIO(TEXT.encode("utf-16-le")))
    assert caught.value.offset == 1
