"""Dice that nobody could choose, and that everybody can check afterwards.

**per_match**: the operator commits to a secret seed, then both players add seeds of their own, and all rolls of the
match follow from the three.  Afterwards the seed is revealed.  Neither side could choose a roll; but once the players'
seeds are in, the operator can see all rolls ahead.

**per_roll**: before every roll both players commit to a secret, then both reveal it, and the roll follows from the two.
Nobody can see ahead.  Whoever reveals last knows the roll first and could refuse; so a commitment that is not revealed
in time forfeits.

Exact bytes (H is SHA-256, HMAC is HMAC-SHA-256 with key, message; ``text(s)`` is the length of s in bytes as two bytes,
high one first, then s in UTF-8; ``u64``, ``u32`` and ``u8`` are unsigned integers, high byte first; + puts one behind
the other)::

    header(kind)      = "bgcore dice 1 " + kind + one zero byte + text(match id) + text(rules)
    seed commitment   = H(header("seed") + seed)                                       seed: 32 bytes
    match roll i      = throw of HMAC(seed, header("match") + text(seed of player 0) + text(seed of player 1)
                                            + u64(i) + u32(block)),  block = 0, 1, ...
    secret commitment = H(header("secret") + u64(i) + u8(player) + secret)             secret: 32 bytes
    shared roll i     = throw of HMAC(secret of player 0 + secret of player 1, header("roll") + u64(i) + u32(block))

The throw: of the bytes of block 0, then of block 1 and so on, take the first one below 252 (= 7 x 36), mod 36; that
number n is the throw n // 6 + 1, n % 6 + 1, in the order thrown.  So each of the 36 is equally likely.  i counts every
throw of the match from 0, opening throws and those thrown again included.

Stability: these bytes are for good; other ones would begin with another number than 1.
"""

from __future__ import annotations

import hashlib
import hmac
import operator
import secrets
from collections.abc import Sequence
from typing import Literal

from bgcore.dice.rolls import Roll
from bgcore.dice.sources import Dice
from bgcore.errors import RuleError

__all__ = [
    "SECRET_BYTES",
    "MatchDice",
    "ProvableDice",
    "RollDice",
    "match_throw",
    "new_secret",
    "secret_commitment",
    "seed_commitment",
    "shared_throw",
]

SECRET_BYTES = 32
"""Bytes of the operator's seed and of a secret of a player."""
MOST_SEED_BYTES = 64
"""Bytes that a player's seed may have at most."""
FAIR = 252
"""The largest multiple of 36 that a byte can reach."""


def new_secret() -> bytes:
    """32 bytes that nobody can guess, from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def seed_commitment(seed: bytes, match_id: str, rules: str) -> str:
    """What the operator publishes before the players add their seeds; 64 hexadecimal digits.

    Parameters
    ----------
    seed : bytes
        32 bytes.
    match_id, rules : str
        1 to 200 characters.

    Raises
    ------
    RuleError
        A value of another length.
    """
    _check_secret(seed, "the seed")
    return hashlib.sha256(_header("seed", match_id, rules) + seed).hexdigest()


def match_throw(seed: bytes, player_seeds: Sequence[bytes], match_id: str, rules: str, index: int) -> Roll:
    """Throw number ``index`` of a match whose dice are ``per_match``, in the order thrown.

    Parameters
    ----------
    seed : bytes
        The operator's, 32 bytes.
    player_seeds : two bytes objects
        Player 0's and player 1's, up to 64 bytes each.
    match_id, rules : str
    index : int
        From 0.

    Raises
    ------
    RuleError
        A value of another length; an index below 0.
    """
    _check_secret(seed, "the seed")
    zero, one = (_check_seed(player_seed) for player_seed in player_seeds)
    return _throw(seed, _header("match", match_id, rules) + _text(zero) + _text(one), index)


def secret_commitment(secret: bytes, match_id: str, rules: str, index: int, player: int) -> str:
    """What a player publishes before throw number ``index`` whose dice are ``per_roll``; 64 hexadecimal digits.

    Raises
    ------
    RuleError
        A secret that is not 32 bytes, another value of a wrong length, no such player, an index below 0.
    """
    _check_secret(secret, "a secret")
    where = _u64(index) + _check_player(player).to_bytes(1, "big")
    return hashlib.sha256(_header("secret", match_id, rules) + where + secret).hexdigest()


def shared_throw(shared: Sequence[bytes], match_id: str, rules: str, index: int) -> Roll:
    """Throw number ``index`` of a match whose dice are ``per_roll``, in the order thrown.

    Parameters
    ----------
    shared : two bytes objects
        Player 0's and player 1's secret for this throw, 32 bytes each.

    Raises
    ------
    RuleError
        A secret that is not 32 bytes, another value of a wrong length, an index below 0.
    """
    zero, one = (_check_secret(secret, "a secret") for secret in shared)
    return _throw(zero + one, _header("roll", match_id, rules), index)


class ProvableDice(Dice):
    """Dice whose rolls anybody can check when the match is over; made by `per_match` or `per_roll`.

    Attributes
    ----------
    mode : {"per_match", "per_roll"}
    match_id, rules : str
        What the rolls are bound to: no seed can be used for another match.
    index : int
        The number of the next throw.

    Notes
    -----
    What to publish when, and how to write it into a record, is in docs/records.md.  **Threads:** one object per thread.
    """

    mode: Literal["per_match", "per_roll"]

    def __init__(self, match_id: str, rules: str, index: int = 0) -> None:
        _header("seed", match_id, rules)
        _u64(index)
        self.match_id, self.rules, self.index = match_id, rules, index

    @staticmethod
    def per_match(match_id: str, rules: str = "backgammon", *, seed: bytes | None = None, index: int = 0) -> MatchDice:
        """Dice from a seed of the operator and one of each player.

        Parameters
        ----------
        match_id, rules : str
            1 to 200 characters.
        seed : bytes, optional
            32 bytes; drawn from the operating system if not given.
        index : int
            Where to go on after a break: throws of the match so far.

        Examples
        --------
        >>> dice = ProvableDice.per_match("final", seed=bytes(32))
        >>> dice.commitment[:16]  # published before the players add their seeds
        'd759edc77fa4e80d'
        >>> dice.add_seed(0, b"anna"); dice.add_seed(1, b"boris")
        >>> dice.throw()
        (2, 1)
        """
        return MatchDice(match_id, rules, new_secret() if seed is None else seed, index)

    @staticmethod
    def per_roll(match_id: str, rules: str = "backgammon", *, index: int = 0) -> RollDice:
        """Dice from a secret of each player for every single throw.

        Parameters
        ----------
        match_id, rules : str
            1 to 200 characters.
        index : int
            Where to go on after a break: throws of the match so far.

        Examples
        --------
        >>> dice = ProvableDice.per_roll("final")
        >>> mine, yours = new_secret(), new_secret()
        >>> dice.commit(0, dice.commitment_of(0, mine)); dice.commit(1, dice.commitment_of(1, yours))
        >>> dice.reveal(1, yours); dice.reveal(0, mine)
        >>> dice.throw() == shared_throw((mine, yours), "final", "backgammon", 0)
        True
        """
        return RollDice(match_id, rules, index)


class MatchDice(ProvableDice):
    """`ProvableDice.per_match`."""

    mode = "per_match"

    def __init__(self, match_id: str, rules: str, seed: bytes, index: int = 0) -> None:
        super().__init__(match_id, rules, index)
        self.seed = _check_secret(seed, "the seed")
        """The operator's; to be revealed after the match, and not before."""
        self.commitment = seed_commitment(seed, match_id, rules)
        """To be published before the players add their seeds."""
        self.player_seeds: list[bytes | None] = [None, None]
        """What the players have added."""

    def __repr__(self) -> str:
        return f"<MatchDice {self.match_id!r}, throw {self.index}, commitment {self.commitment}>"  # not the seed

    def add_seed(self, player: int, seed: bytes) -> None:
        """A player adds his seed, of 0 to 64 bytes.

        Raises
        ------
        RuleError
            Too long, no such player, or he has added one.
        """
        if self.player_seeds[_check_player(player)] is not None:
            raise RuleError(f"player {player} has added a seed; it can't be changed")
        self.player_seeds[player] = _check_seed(seed)

    def throw(self) -> Roll:
        """The next throw, in the order thrown.

        Raises
        ------
        RuleError
            A player has not added a seed.
        """
        zero, one = self.player_seeds
        if zero is None or one is None:
            raise RuleError(f"player {0 if zero is None else 1} has not added a seed")
        throw = match_throw(self.seed, (zero, one), self.match_id, self.rules, self.index)
        self.index += 1
        return throw


class RollDice(ProvableDice):
    """`ProvableDice.per_roll`."""

    mode = "per_roll"

    def __init__(self, match_id: str, rules: str, index: int = 0) -> None:
        super().__init__(match_id, rules, index)
        self.commitments: list[str | None] = [None, None]
        """Of the players for the next throw."""
        self.secrets: list[bytes | None] = [None, None]
        """What the players have revealed for the next throw."""

    def __repr__(self) -> str:
        return f"<RollDice {self.match_id!r}, throw {self.index}, due from {list(self.due) or 'nobody'}>"

    @property
    def due(self) -> tuple[int, ...]:
        """Players who have to commit, or when both have, to reveal; empty: the dice can be thrown."""
        waiting = self.commitments if None in self.commitments else self.secrets
        return tuple(player for player in (0, 1) if waiting[player] is None)

    def commitment_of(self, player: int, secret: bytes) -> str:
        """What a player with this secret publishes for the next throw."""
        return secret_commitment(secret, self.match_id, self.rules, self.index, player)

    def commit(self, player: int, commitment: str) -> None:
        """A player commits himself for the next throw.

        Raises
        ------
        RuleError
            No such player, he has committed himself, or it is not 64 hexadecimal digits.
        """
        if self.commitments[_check_player(player)] is not None:
            raise RuleError(f"player {player} has committed himself for throw {self.index}; it can't be changed")
        self.commitments[player] = check_commitment(commitment)

    def reveal(self, player: int, secret: bytes) -> None:
        """A player reveals his secret, after both have committed themselves.

        Raises
        ------
        RuleError
            Too early, no such player, or another secret than the one committed to.
        """
        expected = self.commitments[_check_player(player)]
        if None in self.commitments:
            raise RuleError(f"a secret is revealed after both commitments; player {self.due[0]} has made none")
        if self.secrets[player] is not None:
            raise RuleError(f"player {player} has revealed his secret for throw {self.index}")
        if self.commitment_of(player, secret) != expected:
            raise RuleError(f"that is not the secret that player {player} committed himself to for throw {self.index}")
        self.secrets[player] = secret

    def throw(self) -> Roll:
        """The next throw, in the order thrown, when both secrets are revealed.

        Raises
        ------
        RuleError
            Somebody has to commit himself or to reveal his secret.
        """
        zero, one = self.secrets
        if zero is None or one is None:
            what = "committed himself" if None in self.commitments else "revealed his secret"
            raise RuleError(f"player {self.due[0]} has not {what} for throw {self.index}")
        throw = shared_throw((zero, one), self.match_id, self.rules, self.index)
        self.index += 1
        self.commitments, self.secrets = [None, None], [None, None]
        return throw


def check_commitment(commitment: str) -> str:
    """The commitment, which must be 64 hexadecimal digits in small letters.

    Raises
    ------
    RuleError
        It is something else.
    """
    if not (isinstance(commitment, str) and len(commitment) == 64 and set(commitment) <= set("0123456789abcdef")):
        raise RuleError(f"a commitment is 64 hexadecimal digits in small letters, not {str(commitment)[:80]!r}")
    return commitment


def _throw(key: bytes, message: bytes, index: int) -> Roll:
    """The first byte that is fair, as two dice."""
    begun = hmac.new(key, message + _u64(index), hashlib.sha256)
    block = 0
    while True:
        stream = begun.copy()
        stream.update(block.to_bytes(4, "big"))
        for byte in stream.digest():
            if byte < FAIR:
                first, second = divmod(byte % 36, 6)
                return first + 1, second + 1
        block += 1


def _header(kind: str, match_id: str, rules: str) -> bytes:
    """What binds bytes to their purpose, the match and the rules."""
    for name, text in (("a match id", match_id), ("the name of a rule set", rules)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is a str, not {type(text).__name__}")
        if not 1 <= len(text) <= 200:
            raise RuleError(f"{name} has 1 to 200 characters, not {len(text)}")
    try:
        return b"bgcore dice 1 " + kind.encode() + b"\0" + _text(match_id.encode()) + _text(rules.encode())
    except UnicodeEncodeError as error:
        raise RuleError(f"a match id or a name of rules that is not Unicode: {error}") from None


def _text(data: bytes) -> bytes:
    """Its length in two bytes, and the data."""
    return len(data).to_bytes(2, "big") + data


def _u64(index: int) -> bytes:
    """The number of a throw."""
    index = operator.index(index)
    if not 0 <= index < 2**64:
        raise RuleError(f"throws are counted from 0, so {index} is none")
    return index.to_bytes(8, "big")


def _check_secret(secret: bytes, name: str) -> bytes:
    if not isinstance(secret, bytes):
        raise TypeError(f"{name} is bytes, not {type(secret).__name__}")
    if len(secret) != SECRET_BYTES:
        raise RuleError(f"{name} has {SECRET_BYTES} bytes, not {len(secret)}")
    return secret


def _check_seed(seed: bytes) -> bytes:
    if not isinstance(seed, bytes):
        raise TypeError(f"a player's seed is bytes, not {type(seed).__name__}")
    if len(seed) > MOST_SEED_BYTES:
        raise RuleError(f"a player's seed has up to {MOST_SEED_BYTES} bytes, not {len(seed)}")
    return seed


def _check_player(player: int) -> int:
    if type(player) is not int or player not in (0, 1):
        raise RuleError(f"a player is 0 or 1, not {player!r}")
    return player
