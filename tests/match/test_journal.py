"""The chained file: bytes, torn ends, changed lines, descriptors, threads, full disks."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.match import journal as module
from bgcore.match.journal import GENESIS, Journal, Torn, chain_problems, parse_line, read, sync_all


def naive_lines(bodies: list[dict[str, Any]]) -> list[bytes]:
    """The format, written out once more."""
    lines, previous = [], "0" * 64
    for number, body in enumerate(bodies):
        text = json.dumps({"n": number, "prev": previous} | body, separators=(",", ":")) + "\n"
        lines.append(text.encode("ascii"))
        previous = hashlib.sha256(lines[-1]).hexdigest()
    return lines


BODIES = [{"kind": "match", "name": "M\u00fcnchen"}, *({"kind": "roll", "dice": [i, 1]} for i in range(1, 7))]
LINES = naive_lines(BODIES)
HEAD = hashlib.sha256(LINES[-1]).hexdigest()


def body(entry: dict[str, Any]) -> str:
    return module.dump(entry)[1:-1]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    made = Journal.create(tmp_path / "j.jsonl", body(BODIES[0]))
    for entry in BODIES[1:]:
        made.append(body(entry), sync=False)
    return made


def test_the_bytes(journal: Journal) -> None:
    assert journal.path.read_bytes() == b"".join(LINES)
    assert (journal.head, journal.length, journal.size) == (HEAD, 7, len(b"".join(LINES)))
    lines, torn = read(journal.path)
    assert (lines, torn) == (LINES, None)
    assert [parse_line(line, i + 1) for i, line in enumerate(lines)] == [
        {"n": i, "prev": hashlib.sha256(LINES[i - 1]).hexdigest() if i else GENESIS} | b for i, b in enumerate(BODIES)
    ]
    assert chain_problems(lines) == chain_problems(lines, HEAD) == []
    assert list(journal.path.parent.iterdir()) == [journal.path]


def test_several_lines_in_one_write(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "j.jsonl", body(BODIES[0]))
    journal.append(*map(body, BODIES[1:]))
    journal.append()
    assert journal.path.read_bytes() == b"".join(LINES)


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        Journal.create(path, body(BODIES[0]))
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        Journal.create(tmp_path / "no" / "j.jsonl", body(BODIES[0]))


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(source: Path, target: Path) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(module.os, "link", no_links)
    path = tmp_path / "j.jsonl"
    Journal.create(path, body(BODIES[0]))
    assert path.read_bytes() == LINES[0]
    with pytest.raises(FileExistsError):
        Journal.create(path, body(BODIES[1]))
    assert path.read_bytes() == LINES[0]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("size", range(len(b"".join(LINES[:3])), len(b"".join(LINES[:4])) + 1))
def test_cut_anywhere_and_resumed(tmp_path: Path, size: int) -> None:
    path = tmp_path / "j.jsonl"
    data = b"".join(LINES)[:size]
    path.write_bytes(data)
    lines, torn = read(path)
    whole = 4 if size == len(b"".join(LINES[:4])) else 3
    assert lines == LINES[:whole]
    rest = data[len(b"".join(lines)) :]
    assert torn == (Torn(len(data) - len(rest), rest) if rest else None)
    journal = Journal.resume(path, lines, torn)
    assert path.read_bytes() == data  # reading changes nothing
    for entry in BODIES[whole:]:
        journal.append(body(entry), sync=False)
    assert path.read_bytes() == b"".join(LINES)
    assert journal.head == HEAD


# ---- changed files


@pytest.mark.parametrize("line", range(7))
def test_every_flipped_bit_is_located(line: int) -> None:
    """With the head known.  A newline that is gone joins two lines, a new one divides one: there it is still near."""
    for place in range(len(LINES[line])):
        for bit in range(8):
            changed = bytearray(LINES[line])
            changed[place] ^= 1 << bit
            data = b"".join([*LINES[:line], bytes(changed), *LINES[line + 1 :]])
            lines = [part + b"\n" for part in data.split(b"\n")[:-1]]
            problems = chain_problems(lines, HEAD)
            assert problems, (place, bit)
            if lines == LINES[:6]:  # without its newline the last line is a torn one, and no longer among these
                assert "not the expected head" in problems[0].message
                continue
            assert problems[0].line == line + 1, (place, bit, problems)
            if len(lines) == len(LINES):
                assert [problem.line for problem in problems] == [line + 1], (place, bit, problems)


@pytest.mark.parametrize("line", range(7))
def test_every_flipped_bit_without_a_head(line: int) -> None:
    """All but the last line are vouched for; that one is found if its link is hit, or it is no line any more."""
    for place in range(len(LINES[line])):
        changed = bytearray(LINES[line])
        changed[place] ^= 1
        data = b"".join([*LINES[:line], bytes(changed), *LINES[line + 1 :]])
        lines = [part + b"\n" for part in data.split(b"\n")[:-1]]
        problems = chain_problems(lines)
        if line < 5:
            assert [problem.line for problem in problems][:1] == [line + 1]
        elif line == 5:  # nothing vouches for the last line, so it may be that one
            assert problems[0].line in (6, 7)
        elif problems:
            assert problems[0].line == 7


def test_moved_lines() -> None:
    swapped = [*LINES[:2], LINES[3], LINES[2], *LINES[4:]]
    assert [p.line for p in chain_problems(swapped)][:2] == [3, 4]
    assert "entry 3 stands where entry 2 should" in str(chain_problems(swapped)[0])
    [gap] = chain_problems([*LINES[:2], *LINES[3:]])
    assert str(gap) == "line 3: entry 3 stands where entry 2 should: lines were moved or cut out"
    [twice] = chain_problems([*LINES[:3], *LINES[2:]])
    assert twice.line == 4
    [first] = chain_problems(LINES[1:])
    assert str(first) == "line 1: entry 1 stands where entry 0 should: lines were moved or cut out"


def test_a_chain_that_was_computed_anew() -> None:
    """Nothing inside shows it; the head does.  So does a cut tail."""
    changed = naive_lines([*BODIES[:3], {"kind": "roll", "dice": [6, 6]}, *BODIES[4:]])
    assert chain_problems(changed) == []
    assert chain_problems(LINES[:5]) == []
    for lines in (changed, LINES[:5], LINES[:1]):
        [problem] = chain_problems(lines, HEAD)
        assert problem.line == len(lines)
        assert "is not the expected head" in problem.message


def test_no_lines() -> None:
    assert chain_problems([]) == []
    assert chain_problems([], HEAD) == []


@given(st.data())
def test_damage_of_any_kind_is_reported(data: st.DataObject) -> None:
    whole = b"".join(LINES)
    begin = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(begin, min(len(whole), begin + 300)))
    damaged = whole[:begin] + data.draw(st.binary(max_size=40)) + whole[end:]
    lines = [part + b"\n" for part in damaged.split(b"\n")[:-1]]
    if damaged != whole and lines != LINES:
        assert chain_problems(lines, HEAD) or not lines


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\n", b"{}\n", b"[]\n", b'{"n":0}\n', LINES[1][:-1], LINES[1] + b"\n",
        LINES[1].replace(b'"n":1', b'"n":01'), LINES[1].replace(b'"n":1', b'"n":-1'), LINES[1].replace(b":1,", b": 1,"),
        LINES[1].replace(b"[1,", b"[1, "), LINES[1].replace(b"}", b',"kind":"roll"}'), LINES[1].replace(b"[1", b"[NaN"),
        LINES[1].replace(b"[1,1]", b"[" * 5000 + b"]" * 5000), LINES[1].replace(b"roll", "r\u00f6ll".encode()),
        LINES[1].replace(b"roll", b"\xff"), LINES[1].replace(b'"kind":', b'"k\\u0069nd":'),
        LINES[1].replace(b"}", b"}}"),
        LINES[1].replace(b"roll", b"\0"), LINES[1][:-2] + b" " * (1 << 20) + b"}\n", LINES[1].replace(b"[1", b"[1e999"),
    ],
)  # fmt: skip
def test_lines_that_are_none(line: bytes) -> None:
    with pytest.raises(bg.FormatError, match="line 9") as caught:
        parse_line(line, 9)
    assert caught.value.line == 9
    assert len(str(caught.value)) < 300


def test_how_deep_a_line_may_go() -> None:
    """However deep this Python's json goes."""
    deepest = LINES[1].replace(b"[1,1]", b"[" * 99 + b"]" * 99)  # the object is the hundredth
    assert parse_line(deepest, 9)["n"] == 1
    with pytest.raises(bg.FormatError, match="more than 100 lists within one another"):
        parse_line(deepest.replace(b"[]", b"[[]]"), 9)
    parse_line(LINES[1].replace(b"[1,1]", b"[" + b"[1]," * 200 + b"[1]]"), 9)  # many, but side by side


# ---- writing


def test_descriptors_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of journals take turns with eight descriptors."""
    monkeypatch.setattr(module, "_POOL", module._Descriptors(8))
    journals = [Journal.create(tmp_path / f"{i}.jsonl", body(BODIES[0])) for i in range(200)]
    for entry in BODIES[1:]:
        for journal in journals:
            journal.append(body(entry), sync=False)
            assert sum(j._fd >= 0 for j in journals) <= 8
    sync_all(journals)
    assert {journal.path.read_bytes() for journal in journals} == {b"".join(LINES)}
    assert sum(j._fd >= 0 for j in journals) <= 8
    for journal in journals:
        journal.close()
    assert not module._POOL.open


def test_a_busy_journal_keeps_its_descriptor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is used again and again between others is not the one that is closed."""
    monkeypatch.setattr(module, "_POOL", module._Descriptors(4))
    busy, *others = (Journal.create(tmp_path / f"{i}.jsonl", body(BODIES[0])) for i in range(12))
    opened = 0
    real = Journal._open

    def counted(self: Journal) -> None:
        nonlocal opened
        opened += self is busy
        real(self)

    monkeypatch.setattr(Journal, "_open", counted)
    for other in others:
        busy.append(body(BODIES[1]), sync=False)
        other.append(body(BODIES[1]), sync=False)
    assert opened <= 3


def test_threads_share_fsyncs(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    count, slow = 0, threading.Event()
    real = os.fsync

    def counted(fd: int) -> None:
        nonlocal count
        count += 1
        slow.wait(0.02)
        real(fd)

    monkeypatch.setattr(module.os, "fsync", counted)
    threads = [threading.Thread(target=lambda: [journal.append(body(BODIES[1])) for _ in range(5)]) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert journal._synced == journal.size == journal.path.stat().st_size
    assert journal.length == 7 + 80
    assert 5 <= count < 80  # appends; alone each would have made its own
    assert chain_problems(read(journal.path)[0], journal.head) == []


def test_sync_only_when_there_is_something(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(module, "_flush", calls.append)
    journal.sync()
    journal.sync()
    assert len(calls) == 1
    journal.append(body(BODIES[1]))
    assert len(calls) == 2
    journal.append(body(BODIES[1]), sync=False)
    assert len(calls) == 2


def test_somebody_else_writes(journal: Journal) -> None:
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(OSError, match="somebody else has written"):
        journal.append(body(BODIES[1]))
    assert journal.length == 7


@pytest.mark.skipif(module.fcntl is None, reason="no file locks here; the size tells of other writers")
def test_two_writers_at_once(journal: Journal) -> None:
    other = Journal.resume(journal.path, LINES)
    with pytest.raises(BlockingIOError, match="another process or object"):
        other.append(body(BODIES[1]))
    journal.close()
    other.append(body(BODIES[1]))
    other.close()
    with pytest.raises(OSError, match="somebody else has written"):
        journal.append(body(BODIES[1]))


def test_a_disk_that_is_full(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line is taken back, the object goes on when there is room again."""
    real = os.write
    room = 50

    def full(fd: int, data: bytes) -> int:
        nonlocal room
        if room == 0:
            raise OSError(errno.ENOSPC, "no space left")
        part = data[:room]
        room -= len(part)
        return real(fd, part)

    monkeypatch.setattr(module.os, "write", full)
    with pytest.raises(OSError, match="no space"):
        journal.append(body(BODIES[1]))
    assert journal.path.read_bytes() == b"".join(LINES)
    assert (journal.length, journal.head) == (7, HEAD)
    room = 10**6
    journal.append(body(BODIES[1]))
    assert chain_problems(read(journal.path)[0], journal.head) == []


def test_ctrl_c_while_writing(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def interrupted(fd: int, data: bytes) -> int:
        real(fd, data)
        raise KeyboardInterrupt

    monkeypatch.setattr(module.os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        journal.append(body(BODIES[1]))
    monkeypatch.undo()
    assert journal.path.read_bytes() == b"".join(LINES)
    journal.append(body(BODIES[1]))
    assert chain_problems(read(journal.path)[0], journal.head) == []


def test_writes_in_pieces(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(module.os, "write", lambda fd, data: real(fd, data[:7]))
    journal.append(body(BODIES[1]))
    assert chain_problems(read(journal.path)[0], journal.head) == []


def test_a_disk_that_refuses(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed fsync nobody knows what was kept, so nothing more is written."""

    def refuse(fd: int) -> None:
        raise OSError(errno.EIO, "bad disk")

    monkeypatch.setattr(module, "_flush", refuse)
    with pytest.raises(OSError, match="bad disk"):
        journal.append(body(BODIES[1]))
    monkeypatch.undo()
    before = journal.path.read_bytes()
    for call in (lambda: journal.append(body(BODIES[1]), sync=False), journal.sync):
        with pytest.raises(OSError, match="open the record again"):
            call()
    assert journal.path.read_bytes() == before


def test_half_a_line_that_stays(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(module.os, "write", full)
    monkeypatch.setattr(module.os, "ftruncate", lambda fd, size: full(fd, b""))
    with pytest.raises(OSError, match="no space"):
        journal.append(body(BODIES[1]))
    monkeypatch.undo()
    with pytest.raises(OSError, match="could not be taken back"):
        journal.append(body(BODIES[1]))


def test_text_that_is_not_ascii_is_never_written(journal: Journal) -> None:
    with pytest.raises(UnicodeEncodeError):
        journal.append('"kind":"\u00e9"')
    assert journal.path.read_bytes() == b"".join(LINES)
