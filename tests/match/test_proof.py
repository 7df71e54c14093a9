"""Provable dice in a record: honest ones, cheats on either side, and secrets that are not revealed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import bgcore as bg
from bgcore.dice import ProvableDice
from bgcore.dice.provable import MatchDice, RollDice, new_secret
from bgcore.match.actions import Forfeit, MakePlay, OpeningRoll, Roll
from bgcore.match.conduct import NOT_REVEALED, TOURNAMENT
from bgcore.match.entries import Commit, Reroll, Reveal
from bgcore.match.journal import read
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState
from bgcore.match.verify import verify

SEED = bytes(range(32))


def step(record: MatchRecord, dice: ProvableDice, rng: random.Random) -> None:
    """One action, without the cube."""
    state = record.state
    action: Any = state.actions()[0]
    if action == MakePlay():
        action = MakePlay(rng.choice(state.legal_plays()))
    elif action in (Roll(), OpeningRoll()):
        if isinstance(dice, RollDice):
            share(record, dice)
        action = type(action)(*dice.throw())
    record.append(action, sync=False)


def share(record: MatchRecord, dice: RollDice) -> None:
    """Both players commit themselves and reveal, in the record and to the dice."""
    mine = (new_secret(), new_secret())
    for player in (0, 1):
        commitment = dice.commitment_of(player, mine[player])
        dice.commit(player, commitment)
        record.append(Commit(player, commitment), sync=False)  # type: ignore[arg-type]
    for player in (1, 0):
        dice.reveal(player, mine[player])
        record.append(Reveal(player, mine[player]), sync=False)  # type: ignore[arg-type]


def per_match(path: Path, length: int = 1) -> tuple[MatchRecord, MatchDice]:
    record = MatchRecord.create(path, MatchState.new(length), match_id="final", dice="per_match", source="provable")
    dice = ProvableDice.per_match("final", seed=SEED)
    record.append(Commit("operator", dice.commitment), sync=False)
    for player, seed in ((1, b"boris"), (0, b"anna")):
        dice.add_seed(player, seed)
        record.append(Reveal(player, seed), sync=False)  # type: ignore[arg-type]
    return record, dice


def test_an_honest_match_with_a_seed(tmp_path: Path) -> None:
    record, dice = per_match(tmp_path / "m.jsonl", 3)
    rng = random.Random(1)
    record.append(Reroll(dice.throw(), None, "a die fell off the table"), sync=False)
    while not record.closed:
        step(record, dice, rng)
    found = record.verify()
    assert (found.ok, found.throws, found.proved) == (True, dice.index, 0)
    record.append(Reveal("operator", dice.seed))
    found = record.verify()
    assert (found.ok, found.throws, found.proved) == (True, dice.index, dice.index)
    assert MatchRecord.open(record.path).proof.verified == dice.index  # type: ignore[union-attr]
    for entry in (Reveal("operator", dice.seed), Commit("operator", dice.commitment), Reveal(0, b""), Roll(1, 1)):
        with pytest.raises(bg.RuleError):
            record.append(entry)  # type: ignore[arg-type]


@pytest.mark.parametrize("what", ["opening", "roll"])
def test_an_operator_who_cheats(tmp_path: Path, what: str) -> None:
    """A throw that his seed does not give: he can't reveal any more, and the throw is named."""
    record, dice = per_match(tmp_path / "m.jsonl")
    rng = random.Random(2)
    while record.state.phase != ("opening" if what == "opening" else "to_roll"):
        step(record, dice, rng)
    honest = dice.throw()
    turned = honest[::-1] if honest[0] != honest[1] else (honest[0] % 6 + 1, honest[1])
    wrong = turned if what == "opening" else (honest[0] % 6 + 1, honest[1])
    number = len(record)
    record.append(OpeningRoll(*wrong) if what == "opening" else Roll(*wrong))
    while not record.closed:
        step(record, dice, rng)
    with pytest.raises(bg.RuleError, match=f"entry {number}, throw .* but the seeds give {honest[0]}-{honest[1]}"):
        record.append(Reveal("operator", dice.seed))


def test_the_order_of_a_roll_does_not_matter(tmp_path: Path) -> None:
    record, dice = per_match(tmp_path / "m.jsonl")
    rng = random.Random(3)
    while not record.closed:
        if record.state.phase == "to_roll":
            record.append(Roll(*dice.roll()[::-1]), sync=False)
        else:
            step(record, dice, rng)
    record.append(Reveal("operator", dice.seed))
    assert record.verify().proved == dice.index


def test_the_order_of_commitments(tmp_path: Path) -> None:
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(1), match_id="final", dice="per_match")
    dice = ProvableDice.per_match("final", seed=SEED)
    refused: list[tuple[Any, str]] = [
        (OpeningRoll(3, 1), "after the operator's commitment"),
        (Reveal(0, b"anna"), "before the players"),
        (Reveal("operator", SEED), "after it was committed to"),
        (Commit(0, dice.commitment), "the operator commits"),
    ]
    for entry, says in refused:
        with pytest.raises(bg.RuleError, match=says):
            record.append(entry)
    record.append(Commit("operator", dice.commitment))
    with pytest.raises(bg.RuleError, match="up to 64 bytes"):
        record.append(Reveal(0, bytes(65)))
    record.append(Reveal(0, b"anna"))
    for entry, says in [(Commit("operator", "0" * 64), "already"), (Reveal(0, b"x"), "already"), *refused[:1]]:
        with pytest.raises(bg.RuleError, match=says):
            record.append(entry)
    record.append(Reveal(1, b""))
    for wrong in (bytes(32), SEED[:31]):
        with pytest.raises(bg.RuleError, match="not the seed"):
            record.append(Reveal("operator", wrong))
    record.append(Reveal("operator", SEED))
    with pytest.raises(bg.RuleError, match="has revealed"):
        record.append(OpeningRoll(3, 1))
    assert len(MatchRecord.open(record.path)) == 5


def test_a_seed_bound_to_another_match(tmp_path: Path) -> None:
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(1), match_id="semifinal", dice="per_match")
    record.append(Commit("operator", ProvableDice.per_match("final", seed=SEED).commitment))
    record.append(Reveal(0, b""))
    record.append(Reveal(1, b""))
    with pytest.raises(bg.RuleError, match="not the seed"):
        record.append(Reveal("operator", SEED))


# ---- per roll


def per_roll(path: Path) -> tuple[MatchRecord, RollDice]:
    record = MatchRecord.create(path, MatchState.new(1), match_id="final", dice="per_roll", conduct=TOURNAMENT)
    return record, ProvableDice.per_roll("final")


def test_an_honest_match_roll_by_roll(tmp_path: Path) -> None:
    record, dice = per_roll(tmp_path / "m.jsonl")
    rng = random.Random(4)
    while not record.closed:
        step(record, dice, rng)
    found = record.verify()
    assert (found.ok, found.throws, found.proved) == (True, dice.index, dice.index)
    assert MatchRecord.open(record.path).head == record.head


def test_a_throw_that_the_secrets_do_not_give(tmp_path: Path) -> None:
    record, dice = per_roll(tmp_path / "m.jsonl")
    with pytest.raises(bg.RuleError, match="player 0 has not committed"):
        record.append(OpeningRoll(3, 1))
    share(record, dice)
    honest = dice.throw()
    with pytest.raises(bg.RuleError, match=f"the secrets give {honest[0]}-{honest[1]}"):
        record.append(OpeningRoll(honest[0] % 6 + 1, honest[1]))
    record.append(OpeningRoll(*honest))
    with pytest.raises(bg.RuleError, match="the players commit"):
        record.append(Commit("operator", "0" * 64))


def test_a_forged_throw_in_a_file(tmp_path: Path) -> None:
    """A chain that fits, with another throw in it."""
    record, dice = per_roll(tmp_path / "m.jsonl")
    rng = random.Random(5)
    while len(record) < 40:
        step(record, dice, rng)
    data = record.path.read_bytes()
    lines = read(record.path)[0]
    place = max(i for i, line in enumerate(lines) if b'"kind":"roll"' in line)
    from bgcore.match.journal import line_hash

    forged = lines[:place]
    was = lines[place][lines[place].index(b'"dice":[') + 8 : lines[place].index(b"]")]
    forged.append(lines[place].replace(b'"dice":[' + was, b'"dice":[' + (b"1,1" if was != b"1,1" else b"6,6")))
    assert line_hash(forged[-1]) != line_hash(lines[place])
    record.path.write_bytes(b"".join(forged))
    [problem] = verify(record.path).problems
    assert problem.line == place + 1
    assert "but the secrets give" in problem.message
    assert data.startswith(b"".join(lines[:place]))


def test_secrets_out_of_order(tmp_path: Path) -> None:
    record, dice = per_roll(tmp_path / "m.jsonl")
    mine, yours = new_secret(), new_secret()
    record.append(Commit(1, dice.commitment_of(1, yours)))
    for entry, says in [
        (Commit(1, dice.commitment_of(1, mine)), "already"),
        (Reveal(1, yours), "after both"),
        (Reveal("operator", yours), "not the operator"),
    ]:
        with pytest.raises(bg.RuleError, match=says):
            record.append(entry)  # type: ignore[arg-type]
    record.append(Commit(0, dice.commitment_of(0, mine)))
    with pytest.raises(bg.RuleError, match="not the secret"):
        record.append(Reveal(0, yours))
    record.append(Reveal(0, mine))
    with pytest.raises(bg.RuleError, match="has revealed"):
        record.append(Reveal(0, mine))
    assert len(MatchRecord.open(record.path)) == 4


def test_a_secret_that_is_not_revealed_forfeits(tmp_path: Path) -> None:
    """Who has seen the other's secret and does not like the roll loses the match by it."""
    record, dice = per_roll(tmp_path / "m.jsonl")
    mine, yours = new_secret(), new_secret()
    forfeit = TOURNAMENT.unrevealed(1)
    assert forfeit == Forfeit(1, "match", None, NOT_REVEALED)
    with pytest.raises(bg.RuleError, match="no secret to reveal"):
        record.append(forfeit)
    record.append(Commit(0, dice.commitment_of(0, mine)))
    record.append(Commit(1, dice.commitment_of(1, yours)))
    record.append(Reveal(0, mine))
    with pytest.raises(bg.RuleError, match="no secret to reveal"):
        record.append(TOURNAMENT.unrevealed(0))
    record.append(forfeit)
    assert (record.state.winner, record.closed) == (0, True)
    assert MatchRecord.open(record.path).state == record.state


def test_without_provable_dice(tmp_path: Path) -> None:
    record = MatchRecord.create(tmp_path / "m.jsonl", MatchState.new(1))
    for entry in (Commit("operator", "0" * 64), Reveal(0, b"")):
        with pytest.raises(bg.RuleError, match="no provable dice"):
            record.append(entry)
    assert record.proof is None
    for wrong in (lambda: Commit("nobody", "0" * 64), lambda: Commit(0, "x"), lambda: Reveal(2, b"")):  # type: ignore[arg-type]
        with pytest.raises(bg.RuleError):
            wrong()
    with pytest.raises(TypeError):
        Reveal(0, "x")  # type: ignore[arg-type]
    with pytest.raises(bg.RuleError):
        Reroll((1, 2), 0, "tie")
