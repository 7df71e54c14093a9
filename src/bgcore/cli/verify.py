"""``bgcore verify``: whether the record of a match is what it was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bgcore.match.signing import read_key
from bgcore.match.verify import Anchor, Verification, verify

NAME = "verify"
SUMMARY = "Check the record of a match."
HELP = (
    "Check the record of a match: the chain of its lines, that every one follows by the rules, provable dice, and what "
    "a head hash, an anchor or a key vouches for. Without one of these a record can only be consistent: whoever holds "
    "it could have written it anew. The status is 1 if anything is wrong."
)
EXAMPLES = (
    "bgcore verify match.jsonl",
    "bgcore verify match.jsonl --head 5f0c... (64 digits)",
    "bgcore verify match.jsonl --anchor match.anchor --key ed25519:3d40... (64 digits)",
)


def run(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The file.", show_default=False)],
    head: Annotated[
        str | None, typer.Option("--head", metavar="HASH", help="The hash of its last line, as it was kept elsewhere.")
    ] = None,
    anchor: Annotated[
        Path | None, typer.Option("--anchor", metavar="FILE", help="An anchor, as MatchRecord.anchor() gives it.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="The key that signs: ed25519:<64 digits>, or hmac:<digits>."),
    ] = None,
) -> None:
    """Print what was found."""
    kept = None if anchor is None else Anchor.parse(anchor.read_text(encoding="utf-8"))
    found = verify(record, head, anchor=kept, key=None if key is None else read_key(key))
    print_verification(record, found)
    if not found.ok:
        raise typer.Exit(1)


def print_verification(record: Path, found: Verification) -> None:
    """What was found, a line for each thing."""
    print(f"{record}: {found.text}")
    for problem in found.problems[1:20]:
        print(f"  {problem}")
    if len(found.problems) > 20:
        print(f"  and {len(found.problems) - 20} more")
    if found.torn is not None:
        print(f"  behind its last complete line: {found.torn}")
    if found.state is not None and found.header is not None:
        zero, one = found.state.score
        print(f"  match {found.header.match_id}, score {zero}-{one}, {'closed' if found.closed else 'not closed'}")
    if found.throws:
        print(f"  provable dice: {found.proved} of {found.throws} throws shown to be right")
    if found.head:
        print(f"  head {found.head}")
