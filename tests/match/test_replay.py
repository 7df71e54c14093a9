"""Replay: records that break a rule, hostile values, torn ends, changed files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.match.conduct import FLAG
from bgcore.match.journal import chain_problems, line_hash, read
from bgcore.match.record import MatchRecord
from bgcore.match.verify import verify
from recorded import SCRIPT, written_script


def rebuilt(lines: list[bytes], change: Callable[[list[dict[str, Any]]], None]) -> list[bytes]:
    """The lines after a change of what they say, with numbers and hashes that fit: what a forger would write."""
    entries = [json.loads(line) for line in lines]
    change(entries)
    out: list[bytes] = []
    for number, entry in enumerate(entries):
        entry = {"n": number, "prev": line_hash(out[-1]) if out else "0" * 64} | {
            key: value for key, value in entry.items() if key not in ("n", "prev")
        }
        out.append((json.dumps(entry, separators=(",", ":")) + "\n").encode())
    return out


def change(index: int, /, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries[index].update(values)


def remove(at: int) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries.__delitem__(at)


def add(index: int, /, **entry: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries.insert(index, entry)


def drop(at: int, key: str) -> Callable[[list[dict[str, Any]]], None]:
    return lambda entries: entries[at].__delitem__(key)


@pytest.mark.parametrize(
    ("forge", "entry", "error", "says"),
    [
        (change(3, play="8/5 6/4"), 3, bg.IllegalPlay, "6/4"),
        (change(3, play="6/5 8/5"), 3, bg.FormatError, "not written as it should be"),
        (change(3, player=1), 3, bg.FormatError, "not written as it should be"),
        (change(6, dice=[6, 7]), 6, bg.RuleError, "7"),
        (change(6, dice=[6, 3]), 7, bg.IllegalPlay, ""),
        (change(6, dice="64"), 6, bg.FormatError, "two numbers"),
        (change(6, dice=[6.0, 4]), 6, bg.FormatError, "two numbers"),
        (change(6, dice=[True, 4]), 6, bg.FormatError, "two numbers"),
        (change(6, source=7), 6, bg.RuleError, "source"),
        (change(6, source=["x"]), 6, bg.RuleError, "source"),
        (change(6, at="noon"), 6, bg.RuleError, "time of day"),
        (change(6, more=1), 6, bg.FormatError, "not written as it should be"),
        (drop(6, "source"), 6, bg.FormatError, "not written as it should be"),
        (drop(6, "dice"), 6, bg.FormatError, "dice"),
        (change(1, dice=[4, 5]), 1, bg.FormatError, "not written"),
        (change(1, reason=""), 1, bg.FormatError, "says why"),
        (change(2, dice=[3, 3]), 2, bg.FormatError, "not written"),
        (change(4, to=4), 4, bg.FormatError, "not written"),
        (change(5, cube=4), 5, bg.FormatError, "not written"),
        (change(5, owner=1), 5, bg.FormatError, "not written"),
        (remove(5), 5, bg.RuleError, ""),
        (remove(7), 7, bg.RuleError, ""),
        (change(10, level=4), 10, bg.FormatError, "backgammon"),
        (change(15, level=2, player=1), 15, bg.RuleError, "declined"),
        (change(17, points=4), 17, bg.FormatError, "must follow"),
        (change(17, score=[0, 3]), 17, bg.FormatError, "must follow"),
        (remove(17), 17, bg.FormatError, "must follow"),
        (remove(18), 18, bg.RuleError, "NextGame"),
        (add(3, kind="auto_double", cube=2), 3, bg.FormatError, "follows from nothing"),
        (add(3, kind="game_end", winner=0), 3, bg.FormatError, "follows from nothing"),
        (add(3, kind="match_end", winner=0, score=[3, 0]), 3, bg.FormatError, "needs a reason"),
        (add(3, kind="match_end", winner=0, score=[0, 0], reason="x"), 3, bg.FormatError, "not written"),
        (add(3, kind="sneeze"), 3, bg.FormatError, "sneeze"),
        (add(3, kind=["roll"]), 3, bg.FormatError, ""),
        (add(3, kind="match"), 3, bg.FormatError, "match"),
        (add(3, note="no kind"), 3, bg.FormatError, "kind"),
        (add(3, kind="clock", event="start", player=0, at=0, left=[0, 0], fallen=None), 3, bg.RuleError,
         "without a clock"),
        (add(3, kind="clock", event="start", player=5, at=0), 3, bg.FormatError, "player"),
        (add(3, kind="clock", at=0), 3, bg.FormatError, "event"),
        (add(3, kind="commit", who="operator", commitment="0" * 64), 3, bg.RuleError, "no provable dice"),
        (add(3, kind="commit", who="me", commitment="0" * 64), 3, bg.FormatError, "player"),
        (add(3, kind="reveal", who=0, data="zz"), 3, bg.FormatError, ""),
        (add(3, kind="reveal", who=0, data=7), 3, bg.FormatError, ""),
        (add(3, kind="reroll", player=0, dice=[1, 2], reason=""), 3, bg.FormatError, "says why"),
        (add(3, kind="reroll", player=0, dice=None, reason="x"), 3, bg.FormatError, ""),
        (add(3, kind="ruling", reason="x", position="00", on_roll=0, dice=None, score=None, cube=None), 3,
         bg.FormatError, "64 hexadecimal"),
        (add(3, kind="ruling", reason="x", position="f" * 64, on_roll=0, dice=None, score=None, cube=None), 3,
         bg.FormatError, ""),
        (add(3, kind="forfeit", player=0, scope="match", points=None, reason=FLAG), 3, bg.RuleError, "has not fallen"),
        (change(3, sig="00"), 3, bg.FormatError, "nobody signs"),
        (change(17, sig="00"), 17, bg.FormatError, "nobody signs"),
    ],
)  # fmt: skip
def test_replay_refuses(
    script: MatchRecord, forge: Callable[[list[dict[str, Any]]], None], entry: int, error: type[Exception], says: str
) -> None:
    """Chains that fit, made by a forger, of records that break a rule: the entry is named."""
    lines = rebuilt(read(script.path)[0], forge)
    script.path.write_bytes(b"".join(lines))
    assert chain_problems(lines) == []
    with pytest.raises(error, match=f"^entry {entry} ") as caught:
        MatchRecord.open(script.path)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 800
    with pytest.raises(bg.BgcoreError):
        list(script.states())
    found = verify(script.path)
    assert [problem.line for problem in found.problems] == [entry + 1]
    assert found.text.startswith(f"not what it was: line {entry + 1}: entry {entry} ")
    assert found.authenticated == 0


@pytest.mark.parametrize(
    "forge",
    [
        change(0, format="bgcore record 2"), change(0, kind="game"), drop(0, "match"), drop(0, "conduct"),
        change(0, id=""), change(0, players=["x"]), change(0, match={"length": -1}), change(0, match=None),
        change(0, match={"series": {"name": "whist"}, "options": {}}), change(0, match={"series": 7, "options": {}}),
        change(0, dice="fair"), change(0, signer="me"), change(0, info=[1]), change(0, conduct={"flag": "x"}),
    ],
)  # fmt: skip
def test_heads_that_can_not_be_read(script: MatchRecord, forge: Callable[[list[dict[str, Any]]], None]) -> None:
    script.path.write_bytes(b"".join(rebuilt(read(script.path)[0], forge)))
    with pytest.raises(bg.FormatError, match="line 1 is") as caught:
        MatchRecord.open(script.path)
    assert caught.value.line == 1
    assert not verify(script.path).ok


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[bytes]]:
    """A file to write to, and the lines of SCRIPT."""
    path = tmp_path_factory.mktemp("hostile") / "m.jsonl"
    written_script(path)
    return path, read(path)[0]


@given(data=st.data())
def test_hostile_values(data: st.DataObject, hostile: tuple[Path, list[bytes]]) -> None:
    """Any value anywhere in a chain that fits: a BgcoreError, or a record that means the same."""
    path = hostile[0]
    lines = hostile[1][: data.draw(st.integers(2, 20))]

    def forge(entries: list[dict[str, Any]]) -> None:
        entry = data.draw(st.sampled_from(entries))
        key = data.draw(st.sampled_from([*entry, "at", "note", "sig", "source"]))
        if key not in ("n", "prev"):
            entry[key] = data.draw(VALUES)

    path.write_bytes(b"".join(rebuilt(lines, forge)))
    found = verify(path)
    try:
        again = MatchRecord.open(path)
    except bg.BgcoreError:
        assert not found.ok
    else:
        assert found.ok
        assert again.state == found.state


# ---- torn ends


def cuts(script: MatchRecord, path: Path, step: int) -> None:
    """No complete record is lost, none is invented; and what is there can be gone on with to the same end."""
    whole, states = script.path.read_bytes(), list(script.states())
    ends = [0]
    for line in read(script.path)[0]:
        ends.append(ends[-1] + len(line))
    near = {end + shift for end in ends for shift in (-1, 0, 1)}
    for size in sorted({*range(0, len(whole), step), *(near & {*range(len(whole) + 1)})}):
        path.write_bytes(whole[:size])
        complete = sum(end <= size for end in ends) - 1
        if complete == 0:
            with pytest.raises(bg.FormatError, match="nothing was recorded"):
                MatchRecord.open(path)
            continue
        record = MatchRecord.open(path)
        assert len(record) == complete
        assert record.state == states[complete - 1]
        torn = whole[ends[complete] : size]
        assert (record.dropped.data if record.dropped else b"") == torn
        if record.dropped:
            assert f"{len(torn)} bytes at offset {ends[complete]}" in str(record.dropped)
        assert path.read_bytes() == whole[:size]
        if size % 7 == 0 or size in ends:
            for action in SCRIPT[actions_in(complete) :]:
                record.append(action, sync=False)
            assert path.read_bytes() == whole
        record.close()


def test_cut_here_and_there(script: MatchRecord, tmp_path: Path) -> None:
    cuts(script, tmp_path / "cut.jsonl", 29)


@pytest.mark.long
def test_cut_at_every_byte(script: MatchRecord, tmp_path: Path) -> None:
    cuts(script, tmp_path / "cut.jsonl", 1)


def actions_in(lines: int) -> int:
    """How many actions of SCRIPT so many lines of its record stand for: the end of the game is none, nor the head."""
    return lines - 1 - (lines > 17)


def test_an_end_of_game_that_was_not_written_any_more(script: MatchRecord) -> None:
    """Killed between the two lines of one write: the second is written before the next one."""
    whole = script.path.read_bytes()
    lines = read(script.path)[0]
    script.close()
    script.path.write_bytes(b"".join(lines[:17]))
    record = MatchRecord.open(script.path)
    assert record.state.is_game_over
    for action in SCRIPT[16:]:
        record.append(action)
    assert script.path.read_bytes() == whole


@pytest.mark.parametrize("tail", [b"\0" * 500, b"{", b"\xff", b'{"n":99'])
def test_what_a_power_cut_may_leave(script: MatchRecord, tail: bytes) -> None:
    state = script.state
    script.close()
    with script.path.open("ab") as file:
        file.write(tail)
    record = MatchRecord.open(script.path)
    assert record.dropped is not None
    assert record.dropped.data == tail
    assert record.state == state
    found = record.verify(script.head)
    assert (found.ok, found.torn, found.authenticated) == (True, record.dropped, len(record))


# ---- changed files


def flips(script: MatchRecord, bits: range, step: int = 1) -> None:
    """Flip bits of an anchored record; each flip is reported, and opening never believes what was changed."""
    whole, lines, head = script.path.read_bytes(), read(script.path)[0], script.head
    end = 0
    for number, line in enumerate(lines, 1):
        for place in (*range(end, end + len(line) - 1, step), end + len(line) - 1):
            for bit in bits:
                data = bytearray(whole)
                data[place] ^= 1 << ((bit + place) % 8)
                script.path.write_bytes(data)
                found = verify(script.path, head)
                assert not found.ok, (place, bit)
                assert found.authenticated == 0
                assert abs(found.problems[0].line - number) <= 1, (place, bit, found.problems)
        end += len(line)


def test_flipped_bits(script: MatchRecord) -> None:
    flips(script, range(1), 13)


@pytest.mark.long
def test_every_flipped_bit(script: MatchRecord) -> None:
    flips(script, range(8))


def test_opening_a_changed_record_names_the_line(script: MatchRecord) -> None:
    lines = read(script.path)[0]
    lines[4] = lines[4].replace(b'"to":2', b'"to":4')
    script.path.write_bytes(b"".join(lines))
    with pytest.raises(bg.FormatError, match="line 5: it was changed") as caught:
        MatchRecord.open(script.path)
    assert caught.value.line == 5


@pytest.mark.parametrize("data", [b"", b"\n", b"x", b"x\n", b"\n\n\n", b"[]\n", b"{}\n", bytes(1000), b"\xff\xfe\n"])
def test_files_that_are_no_records(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(data)
    with pytest.raises(bg.FormatError):
        MatchRecord.open(path)
    assert not verify(path).ok
    assert verify(path, "0" * 64).text.startswith("not what it was: line 1")


def test_no_file(tmp_path: Path) -> None:
    for call in (MatchRecord.open, verify):
        with pytest.raises(FileNotFoundError):
            call(tmp_path / "m.jsonl")
