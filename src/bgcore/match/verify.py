"""Whether a record is what it was: chain, rules, dice, signatures, and what an anchor vouches for.

A chain of hashes alone proves little: whoever holds the file can compute it anew, or cut lines off.  What counts is
something he can't change: the head hash that was published or kept elsewhere, or a signature by a key that he does not
have.  Without such an anchor a record can only be *consistent*.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from bgcore.errors import BgcoreError, FormatError
from bgcore.match.header import Header, read_header
from bgcore.match.journal import (
    SIGNATURE,
    Problem,
    Torn,
    chain_problems,
    dump,
    line_hash,
    parse_line,
    read,
)
from bgcore.match.ledger import Ledger
from bgcore.match.signing import ANCHOR, CLOSING, Signer, Verifier
from bgcore.match.state import MatchState

__all__ = ["Anchor", "Verification", "anchored", "verify"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """What vouches for a record up to an entry.

    Attributes
    ----------
    match_id : str
    entries : int
        How many entries it vouches for, the first line included.
    head : str
        The hash of the last of them.
    algorithm, key : str
        Of the signature; empty: not signed.
    signature : str
        Hexadecimal digits.
    """

    match_id: str
    entries: int
    head: str
    algorithm: str = ""
    key: str = ""
    signature: str = ""

    @property
    def message(self) -> bytes:
        """What is signed."""
        plain = {"id": self.match_id, "entries": self.entries, "head": self.head}
        return ANCHOR + dump(plain).encode()

    def text(self) -> str:
        """One line of JSON, which `Anchor.parse` reads."""
        return dump(
            {
                "id": self.match_id, "entries": self.entries, "head": self.head, "algorithm": self.algorithm,
                "key": self.key, "signature": self.signature,
            }
        )  # fmt: skip

    @staticmethod
    def parse(text: str) -> Anchor:
        """The anchor of a text.

        Raises
        ------
        FormatError
            It is none.
        """
        try:
            data = json.loads(text)
            anchor = Anchor(
                data["id"], data["entries"], data["head"], data["algorithm"], data["key"], data["signature"]
            )
            texts = (anchor.match_id, anchor.head, anchor.algorithm, anchor.key, anchor.signature)
            bytes.fromhex(anchor.signature)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise FormatError(f"not an anchor: {type(error).__name__}: {error}") from None
        if type(anchor.entries) is not int or not all(isinstance(part, str) for part in texts):
            raise FormatError("not an anchor: its values are of the wrong types")
        return anchor


def anchored(match_id: str, entries: int, head: str, signer: Signer | None = None) -> Anchor:
    """An anchor, signed if somebody signs."""
    plain = Anchor(match_id, entries, head)
    if signer is None:
        return plain
    return Anchor(match_id, entries, head, signer.algorithm, signer.name, signer.sign(plain.message).hex())


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found.

    Attributes
    ----------
    problems : tuple of Problem
        What is wrong, line by line.
    entries : int
        Complete lines.
    authenticated : int
        For how many of them, from the first, something outside the record vouches: a head, an anchor, a signature.
    head : str
        The hash of the last complete line; empty if there is none.
    torn : Torn or None
        What stands behind the last complete line.
    closed : bool
        Whether the match is over or was finished.
    throws, proved : int
        Throws of provable dice, and how many of them were shown to be right.
    header : Header or None
    state : MatchState or None
        After the last line that could be followed.
    """

    problems: tuple[Problem, ...]
    entries: int
    authenticated: int
    head: str
    torn: Torn | None
    closed: bool
    throws: int
    proved: int
    header: Header | None
    state: MatchState | None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; by itself this does not mean authenticated."""
        return not self.problems

    @property
    def text(self) -> str:
        """The result in a line."""
        if self.problems:
            more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
            return f"not what it was: {self.problems[0]}{more}"
        entries = f"{self.entries} entries" if self.entries != 1 else "1 entry"
        if self.authenticated == self.entries:
            return f"authenticated: all {entries}"
        if self.authenticated:
            rest = self.entries - self.authenticated
            return (
                f"authenticated up to entry {self.authenticated - 1}; the {rest} after it are consistent, not "
                "authenticated"
            )
        return f"consistent, not authenticated: {entries}"


def verify(
    path: str | os.PathLike[str],
    expected_head: str | None = None,
    *,
    anchor: Anchor | None = None,
    key: Verifier | None = None,
) -> Verification:
    """Check a record.

    Parameters
    ----------
    path : path
    expected_head : str, optional
        `MatchRecord.head` as it was kept elsewhere.  Entries that have come since are allowed, and said not to be
        authenticated.
    anchor : Anchor, optional
        The same with the number of entries and perhaps a signature, which is checked if `key` is given.
    key : Verifier, optional
        The key that signs.  It must come from somewhere else than the record, which anybody could sign anew.

    Returns
    -------
    Verification

    Raises
    ------
    OSError
        The file can't be read.
    """
    lines, torn = read(path)
    problems: dict[int, Problem] = {}
    hashes = [line_hash(line) for line in lines]
    heads = [head for head in (expected_head, None if anchor is None else anchor.head) if head is not None]
    authenticated = 0
    for head in heads:
        if head in hashes:
            authenticated = max(authenticated, hashes.index(head) + 1)
    missing = [head for head in heads if head not in hashes]
    for problem in chain_problems(lines, missing[0] if missing else None):
        problems.setdefault(problem.line, problem)
    if not lines:
        problems[1] = Problem(1, "no complete line, so nothing was recorded")
    ledger = _replay(lines, problems)
    if anchor is not None:
        _check_anchor(anchor, ledger, hashes, key, problems)
    if key is not None and ledger is not None:
        authenticated = max(authenticated, _check_signatures(lines, ledger.header, key, problems, heads))
    proof = None if ledger is None else ledger.proof
    return Verification(
        tuple(problems[line] for line in sorted(problems)),
        len(lines),
        0 if problems else authenticated,
        hashes[-1] if hashes else "",
        torn,
        ledger is not None and ledger.closed,
        0 if proof is None else proof.throws,
        0 if proof is None else proof.verified,
        None if ledger is None else ledger.header,
        None if ledger is None else ledger.state,
    )


def _replay(lines: list[bytes], problems: dict[int, Problem]) -> Ledger | None:
    """Follow the lines as far as they can be followed."""
    ledger = None
    for number, line in enumerate(lines, 1):
        try:
            entry = parse_line(line, number)
            if ledger is None:
                ledger = Ledger(read_header(entry))
            elif entry["n"] == number - 1:
                ledger.replay(entry, line)
            else:
                break  # the chain has been found wrong there
        except BgcoreError as error:
            problems.setdefault(number, Problem(number, str(error)))
            break
    return ledger


def _check_anchor(
    anchor: Anchor, ledger: Ledger | None, hashes: list[str], key: Verifier | None, problems: dict[int, Problem]
) -> None:
    """The anchor belongs to this record, and is signed if somebody asks."""
    if ledger is not None and anchor.match_id != ledger.header.match_id:
        problems.setdefault(1, Problem(1, f"the anchor is for match {anchor.match_id!r}, not for this one"))
    if hashes[anchor.entries - 1 : anchor.entries] != [anchor.head] and anchor.head in hashes:
        problems.setdefault(1, Problem(1, f"the anchor's head is not that of its {anchor.entries} entries"))
    if key is not None:
        right = (anchor.algorithm, anchor.key) == (key.algorithm, key.name)
        if not right or not key.check(anchor.message, bytes.fromhex(anchor.signature)):
            problems.setdefault(1, Problem(1, "the anchor is not signed by that key"))


def _check_signatures(
    lines: list[bytes], header: Header, key: Verifier, problems: dict[int, Problem], heads: list[str]
) -> int:
    """How many lines are vouched for by signatures of the key."""
    if header.signer != (key.algorithm, key.name):
        if not heads:
            problems.setdefault(1, Problem(1, f"it is signed by {header.signer or 'nobody'}, not by that key"))
        return 0
    vouched = 0
    for number, line in enumerate(lines[1:], 2):
        body, mark, rest = line.partition(SIGNATURE.encode())
        if not mark:
            continue
        try:
            signature = bytes.fromhex(rest[:-3].decode())
        except ValueError:
            signature = b""
        if key.check(CLOSING + body + b"}", signature):
            vouched = number
        else:
            problems.setdefault(number, Problem(number, "its signature is wrong"))
    return vouched
