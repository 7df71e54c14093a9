"""Anchors and signatures: what catches a record that was cut or written anew, and what can't be known without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bgcore as bg
from bgcore.match.actions import Accept, MakePlay, NextGame, OpeningRoll, Resign, Roll
from bgcore.match.journal import line_hash, read
from bgcore.match.record import MatchRecord
from bgcore.match.signing import CLOSING, Ed25519Signer, HmacKey, Signer, Verifier
from bgcore.match.state import MatchState
from bgcore.match.verify import Anchor, verify

try:
    import cryptography
except ModuleNotFoundError:
    cryptography = None  # type: ignore[assignment]

KINDS = [
    "hmac",
    pytest.param(
        "ed25519",
        marks=pytest.mark.skipif(
            cryptography is None, reason="the extra `sign` is not installed; ci/test installs it where it can be had"
        ),
    ),
]


def keys(kind: str) -> tuple[Signer, Verifier, Signer]:
    """A key, the half of it that checks, and somebody else's."""
    if kind == "hmac":
        return HmacKey(b"0123456789abcdef"), HmacKey(b"0123456789abcdef"), HmacKey(b"another key, 16+")
    signer = Ed25519Signer.generate()
    return signer, signer.public, Ed25519Signer.generate()


ACTIONS = [
    OpeningRoll(3, 1), MakePlay("8/5 6/5"), Resign(1, 1), Accept(), NextGame(), OpeningRoll(2, 6),
    MakePlay("24/18 13/11"), Roll(4, 4), MakePlay("24/20(2) 13/9(2)"), Resign(2, 1), Accept(),
]  # fmt: skip


def written(path: Path, signer: Signer | None = None, actions: int = len(ACTIONS)) -> MatchRecord:
    """A match to three points: 1 and 2 points, a game end at entry 5, the end at 13 and 14."""
    record = MatchRecord.create(path, MatchState.new(3), match_id="m", signer=signer)
    for action in ACTIONS[:actions]:
        record.append(action, sync=False)
    return record


def rewrite(lines: list[bytes], at: int, old: bytes, new: bytes) -> list[bytes]:
    """The lines with one changed and all hashes behind it computed anew."""
    out: list[bytes] = []
    for number, line in enumerate(lines):
        if number == at:
            assert old in line
            line = line.replace(old, new)
        entry = json.loads(line)
        if out:
            entry["prev"] = line_hash(out[-1])
        out.append((json.dumps(entry, separators=(",", ":")) + "\n").encode())
    return out


def test_without_an_anchor(tmp_path: Path) -> None:
    record = written(tmp_path / "m.jsonl")
    found = record.verify()
    assert (found.ok, found.authenticated, found.entries, found.closed) == (True, 0, 15, True)
    assert found.text == "consistent, not authenticated: 15 entries"
    assert found.head == record.head
    # whoever holds the file can write it anew or cut it, and nothing shows it
    lines = read(record.path)[0]
    for forged in (rewrite(lines, 1, b"[3,1]", b"[1,3]")[:2], rewrite(lines, 0, b'"m"', b'"n"'), lines[:3], lines[:1]):
        record.path.write_bytes(b"".join(forged))
        assert verify(record.path).text.startswith("consistent, not authenticated")


def test_with_a_head(tmp_path: Path) -> None:
    record = written(tmp_path / "m.jsonl")
    assert record.verify(record.head).text == "authenticated: all 15 entries"
    lines = read(record.path)[0]
    for forged in (rewrite(lines, 1, b"[3,1]", b"[1,3]")[:2], rewrite(lines, 0, b'"m"', b'"n"'), lines[:3], lines[:14]):
        record.path.write_bytes(b"".join(forged))
        found = verify(record.path, record.head)
        assert not found.ok
        assert "is not the expected head" in found.text
        assert found.authenticated == 0


def test_a_head_that_was_kept_half_way(tmp_path: Path) -> None:
    record = written(tmp_path / "m.jsonl", actions=3)
    head = record.head
    for action in ACTIONS[3:]:
        record.append(action, sync=False)
    found = record.verify(head)
    assert (found.ok, found.authenticated) == (True, 4)
    assert found.text == "authenticated up to entry 3; the 11 after it are consistent, not authenticated"
    lines = read(record.path)[0]
    record.path.write_bytes(b"".join(rewrite(lines, 2, b"8/5 6/5", b"6/5 6/3")))
    assert not record.verify(head).ok


@pytest.mark.parametrize("kind", KINDS)
def test_signed_closings(tmp_path: Path, kind: str) -> None:
    """Each line that ends a game or the match is signed, over everything before it."""
    signer, key, other = keys(kind)
    record = written(tmp_path / "m.jsonl", signer)
    lines = read(record.path)[0]
    assert [i for i, line in enumerate(lines) if b'"sig":"' in line] == [5, 13, 14]
    for number in (5, 13, 14):
        body, _, rest = lines[number].partition(b',"sig":"')
        assert key.check(CLOSING + body + b"}", bytes.fromhex(rest[:-3].decode()))
    assert record.header.signer == (key.algorithm, key.name)
    found = record.verify(key=key)
    assert (found.ok, found.authenticated, found.text) == (True, 15, "authenticated: all 15 entries")
    assert verify(record.path).text == "consistent, not authenticated: 15 entries"
    assert "not by that key" in record.verify(key=other).text
    # cut: what remains is vouched for as far as the last signature
    record.path.write_bytes(b"".join(lines[:9]))
    found = verify(record.path, key=key)
    assert (found.ok, found.authenticated, found.closed) == (True, 6, False)
    # written anew by somebody without the key
    for forged in (
        rewrite(lines, 2, b"8/5 6/5", b"6/5 6/3")[:6],
        rewrite(lines, 5, b'"score":[1,0]', b'"score":[1,0]'),
    ):
        record.path.write_bytes(b"".join(forged))
        found = verify(record.path, key=key)
        assert found.ok == (forged == lines)
        if not found.ok:
            assert found.text == "not what it was: line 6: its signature is wrong"


@pytest.mark.parametrize("kind", KINDS)
def test_going_on_with_a_signed_record(tmp_path: Path, kind: str) -> None:
    signer, key, other = keys(kind)
    whole = written(tmp_path / "whole.jsonl", signer)
    part = written(tmp_path / "m.jsonl", signer, actions=6)
    part.close()
    record = MatchRecord.open(part.path)
    with pytest.raises(bg.RuleError, match="not by that key"):
        MatchRecord.open(part.path, signer=other)
    for action in ACTIONS[6:10]:
        record.append(action, sync=False)
    before = part.path.read_bytes()
    with pytest.raises(bg.RuleError, match="open it with signer="):
        record.append(ACTIONS[10])
    assert part.path.read_bytes() == before
    assert record.state.pending == "resignation"
    record.close()
    record = MatchRecord.open(part.path, signer=signer)
    record.append(ACTIONS[10])
    assert record.verify(key=key).authenticated == 15
    assert part.path.read_bytes() == whole.path.read_bytes()  # both kinds of signature are deterministic


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("forge", ["remove", "empty", "other", "letters"])
def test_signatures_that_are_none(tmp_path: Path, kind: str, forge: str) -> None:
    signer, key, other = keys(kind)
    record = written(tmp_path / "m.jsonl", signer, actions=4)
    lines = read(record.path)[0]
    body, mark, rest = lines[5].partition(b',"sig":"')
    wrong = {
        "remove": body + b"}\n",
        "empty": body + mark + b'"}\n',
        "other": body + mark + other.sign(CLOSING + body + b"}").hex().encode() + b'"}\n',
        "letters": body + mark + b"zz" + rest[2:],
    }[forge]
    record.path.write_bytes(b"".join([*lines[:5], wrong]))
    found = verify(record.path, key=key)
    assert not found.ok
    assert found.problems[0].line == 6
    assert found.authenticated == 0


@pytest.mark.parametrize("kind", KINDS)
def test_anchors(tmp_path: Path, kind: str) -> None:
    signer, key, other = keys(kind)
    record = written(tmp_path / "m.jsonl", actions=6)
    anchor = record.anchor(signer)
    assert Anchor.parse(anchor.text()) == anchor
    assert (anchor.entries, anchor.head, anchor.match_id) == (8, record.head, "m")
    assert record.verify(anchor=anchor, key=key).authenticated == 8
    assert record.verify(anchor=anchor).authenticated == 8
    for action in ACTIONS[6:]:
        record.append(action, sync=False)
    assert record.verify(anchor=anchor, key=key).authenticated == 8
    assert "not signed by that key" in record.verify(anchor=anchor, key=other).text
    assert "not signed by that key" in record.verify(anchor=record.anchor(), key=key).text
    lines = read(record.path)[0]
    for forged in (lines[:7], rewrite(lines, 2, b"8/5 6/5", b"6/5 6/3")):
        record.path.write_bytes(b"".join(forged))
        assert not verify(record.path, anchor=anchor, key=key).ok
    record.path.write_bytes(b"".join(lines))
    moved = Anchor("m", 7, anchor.head)
    assert "not that of its 7 entries" in record.verify(anchor=moved).text
    assert "is for match 'x'" in record.verify(anchor=Anchor("x", 8, anchor.head)).text


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "[]", "{}", "7", '{"id":1,"entries":1,"head":"","algorithm":"","key":"","signature":""}',
        '{"id":"","entries":"1","head":"","algorithm":"","key":"","signature":""}',
        '{"id":"","entries":1,"head":"","algorithm":"","key":"","signature":"zz"}',
        '{"id":"","entries":true,"head":"","algorithm":"","key":"","signature":""}', "[" * 9999,
    ],
)  # fmt: skip
def test_anchors_that_are_none(text: str) -> None:
    with pytest.raises(bg.FormatError, match="not an anchor"):
        Anchor.parse(text)


def test_one_entry(tmp_path: Path) -> None:
    record = written(tmp_path / "m.jsonl", actions=0)
    assert record.verify().text == "consistent, not authenticated: 1 entry"
    assert record.verify(record.head).text == "authenticated: all 1 entry"
