"""ProvableDice against a second writing-out of its bytes that uses SHA-256 only."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.dice import ProvableDice
from bgcore.dice.provable import match_throw, new_secret, secret_commitment, seed_commitment, shared_throw

SEED = bytes(range(32))
SECRETS = (bytes(range(32)), bytes(range(32, 64)))


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, written out."""
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()


def head(kind: str, match_id: str, rules: str) -> bytes:
    out = b"bgcore dice 1 " + kind.encode("ascii") + bytes([0])
    for text in (match_id, rules):
        data = text.encode("utf-8")
        out += bytes([len(data) >> 8, len(data) & 255]) + data
    return out


def number(n: int, size: int) -> bytes:
    return bytes(n >> (8 * place) & 255 for place in reversed(range(size)))


def throw_of(key: bytes, message: bytes) -> tuple[int, int]:
    block = 0
    while True:
        for byte in hmac_sha256(key, message + number(block, 4)):
            if byte >= 252:
                continue
            n = byte % 36
            return 1 + n // 6, 1 + n % 6
        block += 1


# The three vectors of docs/records.md.
VECTORS = [
    (
        "final 2026",
        "backgammon",
        SEED,
        b"anna",
        b"boris",
        "03d4baaa8c8da63b8163a44b1c636939a5d8c4e939404074e61cc0bc54b98ca6",
        [(6, 1), (5, 1), (1, 3), (6, 3), (1, 1), (2, 5)],
    ),
    (
        "m",
        "portes",
        b"\xff" * 32,
        b"",
        bytes(64),
        "d1e4e339039a4a222fb3c26fd03a627d00c2c976b77a0acf458d36f3f4bab01c",
        [(3, 5), (5, 2), (3, 4), (1, 3), (1, 6), (1, 1)],
    ),
    (
        "Finale M\u00fcnchen",
        "long_nardi",
        SEED[::-1],
        "\u03bc\u03af\u03b1".encode(),
        b"0",
        "284649f494f9e56bbd2adfb9e2405c71965089d4526603d1d6a6e62aeb0aebda",
        [(6, 1), (4, 5), (4, 6), (5, 2), (5, 3), (2, 4)],
    ),
]


@pytest.mark.parametrize(("match_id", "rules", "seed", "zero", "one", "commitment", "throws"), VECTORS)
def test_vectors_of_per_match(
    match_id: str, rules: str, seed: bytes, zero: bytes, one: bytes, commitment: str, throws: list[Any]
) -> None:
    assert hashlib.sha256(head("seed", match_id, rules) + seed).hexdigest() == commitment
    message = head("match", match_id, rules)
    for data in (zero, one):
        message += number(len(data), 2) + data
    assert [throw_of(seed, message + number(i, 8)) for i in range(len(throws))] == throws
    dice = ProvableDice.per_match(match_id, rules, seed=seed)
    assert dice.commitment == seed_commitment(seed, match_id, rules) == commitment
    dice.add_seed(1, one)
    dice.add_seed(0, zero)
    assert [dice.throw() for _ in throws] == throws
    later = ProvableDice.per_match(match_id, rules, seed=seed, index=3)
    later.add_seed(0, zero)
    later.add_seed(1, one)
    assert later.throw() == throws[3]


ROLL_VECTOR = (
    [
        "6c1267c5989b34c41e1eab2e16d3ffb4b47390cb8af1e251c4feaac9d3d7ec92",
        "e013a946edbb7c03e81fa0e9c6e7271f3387197d467af9322d3f82036cb2208d",
    ],
    [(4, 6), (3, 1)],
)


def test_vector_of_per_roll() -> None:
    commitments, throws = ROLL_VECTOR
    where = number(5, 8)
    assert [
        hashlib.sha256(head("secret", "final 2026", "backgammon") + where + bytes([player]) + secret).hexdigest()
        for player, secret in enumerate(SECRETS)
    ] == commitments
    assert throws == [
        throw_of(SECRETS[0] + SECRETS[1], head("roll", "final 2026", "backgammon") + number(i, 8)) for i in (5, 6)
    ]
    dice = ProvableDice.per_roll("final 2026", index=5)
    for player in (0, 1):
        assert dice.commitment_of(player, SECRETS[player]) == commitments[player]
        dice.commit(player, commitments[player])
    for player in (0, 1):
        dice.reveal(player, SECRETS[player])
    assert dice.throw() == throws[0]
    assert shared_throw(SECRETS, "final 2026", "backgammon", 6) == throws[1]


@given(
    match_id=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200),
    rules=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
    seed=st.binary(min_size=32, max_size=32),
    seeds=st.tuples(st.binary(max_size=64), st.binary(max_size=64)),
    index=st.integers(0, 2**64 - 1),
)
def test_against_the_second_writing_out(
    match_id: str, rules: str, seed: bytes, seeds: tuple[bytes, bytes], index: int
) -> None:
    message = head("match", match_id, rules)
    for data in seeds:
        message += number(len(data), 2) + data
    assert match_throw(seed, seeds, match_id, rules, index) == throw_of(seed, message + number(index, 8))
    other = seed[::-1]
    assert shared_throw((seed, other), match_id, rules, index) == throw_of(
        seed + other, head("roll", match_id, rules) + number(index, 8)
    )


def test_bytes_from_252_on_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first 32 bytes refused, the second block begins with 255, 252 and 251."""
    asked = []

    class Stream:
        def __init__(self, key: bytes, message: bytes, digest: Any) -> None:
            self.block = b""

        def copy(self) -> Stream:
            return Stream(b"", b"", None)

        def update(self, block: bytes) -> None:
            asked.append(block)
            self.block = block

        def digest(self) -> bytes:
            return bytes([254] * 32) if self.block == bytes(4) else bytes([255, 252, 251] + [0] * 29)

    monkeypatch.setattr("bgcore.dice.provable.hmac.new", Stream)
    assert match_throw(SEED, (b"", b""), "m", "r", 0) == (6, 6)  # 251 = 6 x 36 + 35
    assert asked == [bytes(4), b"\0\0\0\1"]


def test_throws_are_even() -> None:
    counts = Counter(match_throw(SEED, (b"a", b"b"), "m", "r", i) for i in range(36 * 200))
    assert len(counts) == 36
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 73  # 35 degrees of freedom


def test_everything_that_binds_a_throw_changes_it() -> None:
    def row(
        seed: bytes = SEED, zero: bytes = b"a", one: bytes = b"b", match_id: str = "m", rules: str = "r"
    ) -> tuple[tuple[int, int], ...]:
        return tuple(match_throw(seed, (zero, one), match_id, rules, i) for i in range(40))

    rows = [
        row(), row(seed=bytes(32)), row(zero=b"b"), row(one=b"a"), row(match_id="n"), row(rules="s"),
        row(zero=b"ab", one=b""), row(zero=b"", one=b"ab"), row(match_id="mr"),
        row(rules="rr"), row(match_id="mm"),
    ]  # fmt: skip
    assert len(set(rows)) == len(rows)
    commitments = {
        secret_commitment(SEED, "m", "r", 0, 0), secret_commitment(SEED, "m", "r", 0, 1),
        secret_commitment(SEED, "m", "r", 1, 0), secret_commitment(SEED, "n", "r", 0, 0),
        seed_commitment(SEED, "m", "r"), seed_commitment(SEED, "m", "s"),
    }  # fmt: skip
    assert len(commitments) == 6


def test_per_match_waits_for_both_players() -> None:
    dice = ProvableDice.per_match("m")
    assert len(dice.seed) == 32
    assert dice.seed != ProvableDice.per_match("m").seed
    with pytest.raises(bg.RuleError, match="player 0 has not added"):
        dice.throw()
    dice.add_seed(0, b"x")
    with pytest.raises(bg.RuleError, match="player 1 has not added"):
        dice.roll()
    with pytest.raises(bg.RuleError, match="can't be changed"):
        dice.add_seed(0, b"y")
    with pytest.raises(bg.RuleError, match="up to 64 bytes"):
        dice.add_seed(1, bytes(65))
    dice.add_seed(1, b"")
    assert dice.throw() == match_throw(dice.seed, (b"x", b""), "m", "backgammon", 0)
    assert dice.index == 1
    assert dice.seed.hex() not in repr(dice)


def test_per_roll_step_by_step() -> None:
    dice = ProvableDice.per_roll("m")
    mine, yours = new_secret(), new_secret()
    assert dice.due == (0, 1)
    with pytest.raises(bg.RuleError, match="player 0 has not committed"):
        dice.throw()
    dice.commit(1, dice.commitment_of(1, yours))
    assert dice.due == (0,)
    with pytest.raises(bg.RuleError, match="can't be changed"):
        dice.commit(1, dice.commitment_of(1, mine))
    with pytest.raises(bg.RuleError, match="after both"):
        dice.reveal(1, yours)
    # who copies the other's commitment can't open it, since it is bound to the player
    copied = dice.commitment_of(1, yours)
    dice.commit(0, copied)
    with pytest.raises(bg.RuleError, match="not the secret"):
        dice.reveal(0, yours)
    dice = ProvableDice.per_roll("m")
    dice.commit(0, dice.commitment_of(0, mine))
    dice.commit(1, dice.commitment_of(1, yours))
    dice.reveal(1, yours)
    assert dice.due == (0,)
    with pytest.raises(bg.RuleError, match="has revealed"):
        dice.reveal(1, yours)
    with pytest.raises(bg.RuleError, match="player 0 has not revealed"):
        dice.throw()
    dice.reveal(0, mine)
    assert dice.due == ()
    assert dice.throw() == shared_throw((mine, yours), "m", "backgammon", 0)
    assert (dice.index, dice.due) == (1, (0, 1))


@pytest.mark.parametrize(
    "call",
    [
        lambda: ProvableDice.per_match(""),
        lambda: ProvableDice.per_match("x" * 201),
        lambda: ProvableDice.per_match("\ud800"),
        lambda: ProvableDice.per_match("m", ""),
        lambda: ProvableDice.per_match("m", seed=bytes(31)),
        lambda: ProvableDice.per_match("m", index=-1),
        lambda: ProvableDice.per_roll("m", index=2**64),
        lambda: ProvableDice.per_match("m").add_seed(2, b""),
        lambda: ProvableDice.per_match("m").add_seed(True, b""),
        lambda: ProvableDice.per_roll("m").commit(0, "xyz"),
        lambda: ProvableDice.per_roll("m").commit(0, "A" * 64),
        lambda: shared_throw((bytes(32), bytes(31)), "m", "r", 0),
        lambda: secret_commitment(bytes(33), "m", "r", 0, 0),
    ],
)
def test_wrong_values(call: Any) -> None:
    with pytest.raises(bg.RuleError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: ProvableDice.per_match(7),  # type: ignore[arg-type]
        lambda: ProvableDice.per_match("m", seed="x" * 32),  # type: ignore[arg-type]
        lambda: ProvableDice.per_match("m").add_seed(0, "x"),  # type: ignore[arg-type]
        lambda: ProvableDice.per_match("m", index=1.5),  # type: ignore[arg-type]
    ],
)
def test_wrong_types(call: Any) -> None:
    with pytest.raises(TypeError):
        call()
