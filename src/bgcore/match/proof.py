"""Following provable dice through a record: who has committed himself, what is revealed, whether the throws fit.

The bytes are those of `bgcore.dice.provable`.  Under "per_roll" a throw that is not the one that the two secrets give
is refused at once.  Under "per_match" that can only be seen when the operator reveals his seed: then all throws so far
are looked at, and the first wrong one is named.
"""

from __future__ import annotations

from typing import Literal

from bgcore.dice.provable import RollDice, match_throw, seed_commitment
from bgcore.errors import RuleError
from bgcore.match.entries import Commit, Reveal

__all__ = ["DiceProof", "ProofMode"]

ProofMode = Literal["per_match", "per_roll"]


class DiceProof:
    """What is known of a match's provable dice so far.

    Parameters
    ----------
    mode : {"per_match", "per_roll"}
    match_id, rules : str
        What the throws are bound to.

    Attributes
    ----------
    throws : int
        How many there were.
    verified : int
        How many of them have been shown to be right.
    """

    def __init__(self, mode: ProofMode, match_id: str, rules: str) -> None:
        if mode not in ("per_match", "per_roll"):
            raise RuleError(f"provable dice are per_match or per_roll, not {mode!r}")
        self.mode, self.match_id, self.rules = mode, match_id, rules
        self.throws = self.verified = 0
        self.commitment: str | None = None
        self.seeds: list[bytes | None] = [None, None]
        self.seed: bytes | None = None
        self._roll_dice = RollDice(match_id, rules)
        self._thrown: list[tuple[int, tuple[int, int], bool]] = []  # entry, dice, in the order thrown

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """Players who have committed themselves together with the other one, and have not revealed."""
        return () if None in self._roll_dice.commitments else self._roll_dice.due

    def check_commit(self, commit: Commit) -> None:
        """Raise RuleError if nobody commits himself to that now."""
        if self.mode == "per_match":
            if commit.who != "operator":
                raise RuleError("with dice per_match the operator commits himself, and the players add their seeds")
            if self.commitment is not None:
                raise RuleError("the operator has committed himself already")
        else:
            self._check_player(commit.who)
            if self._roll_dice.commitments[commit.who] is not None:  # type: ignore[index]
                raise RuleError(f"player {commit.who} has committed himself for throw {self.throws} already")

    def commit(self, commit: Commit) -> None:
        """Somebody commits himself; after `check_commit`."""
        if self.mode == "per_match":
            self.commitment = commit.commitment
        else:
            assert commit.who != "operator"
            self._roll_dice.commit(commit.who, commit.commitment)

    def check_reveal(self, reveal: Reveal) -> None:
        """Raise RuleError if that is not what can be revealed now, or the throws are not what it gives."""
        if self.mode == "per_roll":
            who = self._check_player(reveal.who)
            trial = RollDice(self.match_id, self.rules, self.throws)
            trial.commitments, trial.secrets = list(self._roll_dice.commitments), list(self._roll_dice.secrets)
            trial.reveal(who, reveal.data)
        elif reveal.who != "operator":
            if self.commitment is None:
                raise RuleError("the operator has to commit himself before the players add their seeds")
            if self.seeds[reveal.who] is not None:
                raise RuleError(f"player {reveal.who} has added a seed already")
            if len(reveal.data) > 64:
                raise RuleError(f"a player's seed has up to 64 bytes, not {len(reveal.data)}")
        else:
            self._check_seed(reveal.data)

    def _check_seed(self, seed: bytes) -> None:
        """The operator's seed fits his commitment and every throw."""
        zero, one = self.seeds
        if self.commitment is None or zero is None or one is None:
            raise RuleError("the seed is revealed after it was committed to and both players have added theirs")
        if self.seed is not None:
            raise RuleError("the operator has revealed his seed already")
        if len(seed) != 32 or seed_commitment(seed, self.match_id, self.rules) != self.commitment:
            raise RuleError("that is not the seed that the operator committed himself to")
        for index, (entry, dice, ordered) in enumerate(self._thrown):
            throw = match_throw(seed, (zero, one), self.match_id, self.rules, index)
            if not _fits(dice, throw, ordered):
                raise RuleError(
                    f"entry {entry}, throw {index}, is {dice[0]}-{dice[1]}, but the seeds give {throw[0]}-{throw[1]}"
                )

    def reveal(self, reveal: Reveal) -> None:
        """Something is revealed; after `check_reveal`."""
        if self.mode == "per_roll":
            assert reveal.who != "operator"
            self._roll_dice.reveal(reveal.who, reveal.data)
        elif reveal.who != "operator":
            self.seeds[reveal.who] = reveal.data
        else:
            self.seed = reveal.data
            self.verified = self.throws

    def check_throw(self, dice: tuple[int, int], *, ordered: bool) -> None:
        """Raise RuleError if nothing can be thrown now, or not that."""
        if self.mode == "per_match":
            if self.commitment is None or None in self.seeds:
                raise RuleError("the dice are thrown after the operator's commitment and both players' seeds")
            if self.seed is not None:
                raise RuleError("the operator has revealed his seed, so nothing can be thrown with it any more")
            return
        trial = RollDice(self.match_id, self.rules, self.throws)
        trial.commitments, trial.secrets = list(self._roll_dice.commitments), list(self._roll_dice.secrets)
        throw = trial.throw()
        if not _fits(dice, throw, ordered):
            raise RuleError(f"throw {self.throws} is {dice[0]}-{dice[1]}, but the secrets give {throw[0]}-{throw[1]}")

    def throw(self, dice: tuple[int, int], *, ordered: bool, entry: int) -> None:
        """Dice were thrown; after `check_throw`."""
        self.throws += 1
        if self.mode == "per_match":
            self._thrown.append((entry, dice, ordered))
        else:
            self._roll_dice.throw()
            self.verified += 1

    @staticmethod
    def _check_player(who: object) -> int:
        if who == "operator":
            raise RuleError("with dice per_roll the players commit themselves, not the operator")
        assert isinstance(who, int)
        return who


def _fits(dice: tuple[int, int], throw: tuple[int, int], ordered: bool) -> bool:
    """Whether dice are a throw; of a roll the order does not matter."""
    return dice == throw or (not ordered and dice == throw[::-1])
