"""The append-only record of a match: every roll with its source, every play, cube action, clock and correction.

A `MatchRecord` is a file (`bgcore.match.journal` says how its lines are chained) and the state of the match behind the
last of them.  `append` refuses what may not follow (`bgcore.match.ledger`), and returns when the line is written.  What
the lines say and whom they protect from what is in docs/records.md; `bgcore.match.verify` checks a file.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bgcore.errors import FormatError, RuleError
from bgcore.match.actions import Action
from bgcore.match.clock import Clock
from bgcore.match.conduct import ConductRules
from bgcore.match.entries import Entry
from bgcore.match.header import Header, read_header
from bgcore.match.journal import Journal, Signed, Torn, chain_problems, dump, parse_line, read, sync_all
from bgcore.match.ledger import Finish, Ledger
from bgcore.match.proof import DiceProof, ProofMode
from bgcore.match.signing import CLOSING, Signer, Verifier
from bgcore.match.state import MatchState
from bgcore.match.verify import Anchor, Verification, anchored, verify
from bgcore.play import Play

__all__ = ["MatchRecord", "Thrown"]


class Thrown(NamedTuple):
    """A throw of a record."""

    entry: int
    """The number of its entry."""
    player: int | None
    """Who threw; None: one die each."""
    dice: tuple[int, int]
    """As recorded."""
    source: str


class MatchRecord:
    """The record of one match or session, on disk.

    Made by `create` or `open`.

    Attributes
    ----------
    dropped : Torn or None
        What stood behind the last complete line when the file was opened: the writer died there.  The next append cuts
        it off; until then the file is as it was.

    Notes
    -----
    A descriptor is opened when something is appended, and closed when too many others are open: thousands of records
    can be held.  **Threads:** safe; those that wait for the disk at the same time share one fsync.  One process writes
    a file at a time.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from bgcore.match.actions import OpeningRoll
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> record = MatchRecord.create(path, MatchState.new(5), match_id="final", players=("Anna", "Boris"))
    >>> state = record.append(OpeningRoll(3, 1), source="dice on the table")
    >>> state = record.append(state.legal_plays()[0])
    >>> len(record), record.verify(expected_head=record.head).text
    (3, 'authenticated: all 3 entries')
    """

    def __init__(self, journal: Journal, ledger: Ledger, signer: Signer | None) -> None:
        self._journal, self._ledger, self._signer = journal, ledger, signer
        self._lock = threading.RLock()
        self.dropped: Torn | None = journal.torn

    # ---- beginning

    @staticmethod
    def create(
        path: str | os.PathLike[str],
        state: MatchState,
        *,
        match_id: str | None = None,
        players: Sequence[str] = ("", ""),
        conduct: ConductRules | None = None,
        dice: ProofMode | None = None,
        source: str = "manual",
        signer: Signer | None = None,
        info: Mapping[str, str] | None = None,
    ) -> MatchRecord:
        """Begin a record; its first line is on the disk when this returns.

        Parameters
        ----------
        path : path
            There must be no such file.
        state : MatchState
            Before the first opening roll.
        match_id : str, optional
            1 to 200 characters; a random one if not given.
        players : two str
            Names of player 0 and player 1.
        conduct : ConductRules, optional
            With a clock, if clock events are to be recorded.
        dice : {"per_match", "per_roll"}, optional
            That the dice are provable, and how (`bgcore.dice.ProvableDice`).
        source : str
            Where rolls come from, if `append` is not told.
        signer : Signer, optional
            Signs every line that closes a game or the match.
        info : mapping of str to str, optional
            Event, place, date and the like.

        Raises
        ------
        FileExistsError
            There is a file of that name.
        RuleError
            Values that a record can't hold.
        OSError
            It can't be written.
        """
        zero, one = players
        header = Header(
            secrets.token_hex(8) if match_id is None else match_id, state, (zero, one), conduct, dice, source,
            None if signer is None else (signer.algorithm, signer.name), {} if info is None else dict(info),
        )  # fmt: skip
        journal = Journal.create(path, dump(header.to_json())[1:-1])
        return MatchRecord(journal, Ledger(header), signer)

    @staticmethod
    def open(path: str | os.PathLike[str], *, signer: Signer | None = None) -> MatchRecord:
        """Open a record, to read it or to go on with it.

        The chain is checked and every line is replayed by the rules.  A torn last line is left out, and `dropped` says
        so.

        Parameters
        ----------
        path : path
        signer : Signer, optional
            Needed to write what closes a game or the match in a record that is signed.

        Raises
        ------
        FormatError
            Not a record, or one that was changed; `.line` says where.
        IllegalPlay, RuleError
            A line breaks a rule; the message names the entry.
        OSError
            It can't be read.
        """
        lines, torn = read(path)
        if not lines:
            raise FormatError(f"{os.fspath(path)}: no complete line, so nothing was recorded", line=1)
        problems = chain_problems(lines)
        if problems:
            raise FormatError(f"{os.fspath(path)}: {problems[0]}", line=problems[0].line)
        ledger = Ledger(read_header(parse_line(lines[0], 1)))
        for number, line in enumerate(lines[1:], 2):
            ledger.replay(parse_line(line, number), line)
        if signer is not None and ledger.header.signer != (signer.algorithm, signer.name):
            raise RuleError(f"{os.fspath(path)} is signed by {ledger.header.signer or 'nobody'}, not by that key")
        return MatchRecord(Journal.resume(path, lines, torn), ledger, signer)

    # ---- what it is

    @property
    def path(self) -> Path:
        """The file."""
        return self._journal.path

    @property
    def header(self) -> Header:
        """What was known before the match began."""
        return self._ledger.header

    @property
    def state(self) -> MatchState:
        """The state of the match after the last line."""
        return self._ledger.state

    @property
    def clock(self) -> Clock | None:
        """The clock after the last line; None where it has not come in."""
        return self._ledger.clock

    @property
    def proof(self) -> DiceProof | None:
        """What is known of provable dice so far."""
        return self._ledger.proof

    @property
    def closed(self) -> bool:
        """Whether the match is over, or the record was finished."""
        return self._ledger.closed

    @property
    def head(self) -> str:
        """The hash of the last line, 64 hexadecimal digits: who knows it can tell whether anything was changed."""
        return self._journal.head

    def __len__(self) -> int:
        """Entries, the first line included."""
        return self._journal.length

    def __repr__(self) -> str:
        return f"<MatchRecord {str(self.path)!r}, {len(self)} entries, head {self.head[:16]}...>"

    # ---- writing

    def append(
        self,
        entry: Action | Play | Entry,
        *,
        sync: bool = True,
        source: str | None = None,
        at: int | None = None,
        note: str | None = None,
    ) -> MatchState:
        """Record what was done.

        Lines that follow from it by themselves are written with it: an automatic double, the end of the game, the end
        of the match.

        Parameters
        ----------
        entry : Action, Play, Reroll, ClockEvent, Commit or Reveal
        sync : bool
            Return when the disk has it, else when the operating system has it: then a killed process loses nothing,
            but a power cut may.  `sync` later catches up.
        source : str, optional
            Of a roll: where it comes from.
        at : int, optional
            The time of day in milliseconds.
        note : str, optional
            A remark.

        Returns
        -------
        MatchState
            After it.

        Raises
        ------
        IllegalPlay, RuleError
            It may not follow; nothing is written.
        OSError
            It can't be written; then nothing is, or every further append is refused.
        """
        with self._lock:
            step = self._ledger.step(entry, source, at, note)
            return self._write(step, sync)

    def finish(self, reason: str, *, sync: bool = True) -> MatchState:
        """Close the record though nobody has won: a money session is over, a match is abandoned.

        Raises
        ------
        RuleError
            It is closed, or no reason is given.
        OSError
            As `append`.
        """
        with self._lock:
            step = self._ledger.step(Finish(reason))
            return self._write(step, sync)

    def _write(self, step: Any, sync: bool) -> MatchState:
        """Write the lines of a step, after those that a killed process has left out; under the lock."""
        ledger, journal = self._ledger, self._journal
        if journal.length != ledger.length - len(ledger.pending):  # Ctrl-C came between writing and taking note of it
            raise OSError(f"{self.path}: an append was interrupted; open the record again to go on")
        if ledger.pending:
            self._append([*ledger.pending])
            ledger.pending.clear()
        if len(step.bodies) == 1 and type(step.bodies[0]) is str:
            journal.append(step.bodies[0], sync=False)
        else:
            self._append(step.bodies)
        ledger.accept(step)
        if sync:
            size = journal.size
            self._lock.release()  # others may write meanwhile, and share the fsync
            try:
                journal.sync(size)
            finally:
                self._lock.acquire()
        return step.state  # type: ignore[no-any-return]

    def _append(self, bodies: list[str]) -> None:
        signer = self._signer
        if signer is None and self.header.signer is not None and any(type(body) is Signed for body in bodies):
            raise RuleError("this record is signed: open it with signer= to write what closes a game or the match")
        self._journal.append(
            *bodies, sync=False, sign=None if signer is None else lambda line: signer.sign(CLOSING + line)
        )

    def sync(self) -> None:
        """Return when the disk has everything: one fsync for all that was appended with ``sync=False``.

        Raises
        ------
        OSError
            The disk has refused; every further append is then refused.
        """
        self._journal.sync()

    @staticmethod
    def sync_all(records: Iterable[MatchRecord], threads: int = 8) -> None:
        """Return when the disk has everything of many records.

        Raises
        ------
        OSError
            The first refusal; the others were tried too.
        """
        sync_all((record._journal for record in records), threads)

    def close(self) -> None:
        """Close the descriptor; nothing else changes, and `append` opens it again."""
        self._journal.close()

    def __enter__(self) -> MatchRecord:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- reading

    def entries(self, start: int = 0) -> Iterator[dict[str, Any]]:
        """The lines as plain values, read from the file.

        Parameters
        ----------
        start : int
            The number of the first one wanted.

        Raises
        ------
        FormatError, OSError
            The file was changed meanwhile.
        """
        for number, line in enumerate(self._lines()[start:], start + 1):
            yield parse_line(line, number)

    def _lines(self) -> list[bytes]:
        """The lines of this record, of a file that may have more by now."""
        lines, _ = read(self.path)
        if len(lines) < len(self):
            raise FormatError(f"{self.path} has {len(lines)} lines where this record has {len(self)}: it was cut")
        return lines[: len(self)]

    def throws(self) -> Iterator[Thrown]:
        """Every throw, those that were thrown again included, in order.

        Raises
        ------
        FormatError, OSError
            The file was changed meanwhile.
        """
        for entry in self.entries():
            if entry["kind"] in ("open_roll", "reroll", "roll"):
                first, second = entry["dice"]
                yield Thrown(entry["n"], entry.get("player"), (first, second), entry["source"])

    def states(self) -> Iterator[MatchState]:
        """The state after every line, replayed from the file; the first is that before the match.

        Raises
        ------
        FormatError, IllegalPlay, RuleError, OSError
            As `open`.
        """
        ledger = None
        for number, line in enumerate(self._lines(), 1):
            entry = parse_line(line, number)
            if ledger is None:
                ledger = Ledger(read_header(entry))
            else:
                ledger.replay(entry, line)
            yield ledger.state

    def anchor(self, signer: Signer | None = None) -> Anchor:
        """What somebody else should keep, to be sure later that nothing up to here was changed.

        Parameters
        ----------
        signer : Signer, optional
            Signs it, so that it can be kept anywhere.
        """
        with self._lock:
            return anchored(self.header.match_id, len(self), self.head, signer)

    def verify(
        self, expected_head: str | None = None, *, anchor: Anchor | None = None, key: Verifier | None = None
    ) -> Verification:
        """Check the file as it is now; see `bgcore.match.verify.verify`."""
        return verify(self.path, expected_head, anchor=anchor, key=key)
