"""Records: appending to one, opening one, provable dice."""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from figures import Measure

from bgcore.dice.provable import match_throw
from bgcore.match.actions import Action, MakePlay, OpeningRoll, Roll
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState

MATCHES = 12
SEED = bytes(range(32))


def match(seed: int) -> list[Action]:
    """A match to 7 points at random, without resignations: some 600 entries, the cube among them."""
    rng = random.Random(seed)
    state, actions = MatchState.new(7), []
    while not state.is_match_over:
        choices = [action for action in state.actions() if action.kind != "resign_offer"]
        action: Action = rng.choices(choices, [20, *([1] * (len(choices) - 1))])[0]
        if action == Roll():
            action = Roll(rng.randint(1, 6), rng.randint(1, 6))
        elif action == OpeningRoll():
            action = OpeningRoll(rng.randint(1, 6), rng.randint(1, 6))
        elif action == MakePlay():
            action = MakePlay(rng.choice(state.legal_plays()))
        actions.append(action)
        state = state.apply(action)
    return actions


SCRIPTS = [match(seed) for seed in range(MATCHES)]


def fresh() -> Callable[[], MatchRecord]:
    """Makes a new record each time."""
    folder, number = Path(tempfile.mkdtemp(prefix="bgcore-bench-")), itertools.count()
    return lambda: MatchRecord.create(folder / f"{next(number)}.jsonl", MatchState.new(7), match_id="bench")


class Timed:
    """CPU seconds spent in the appends of one kind, in one pass over all scripts."""

    def __init__(self, kind: type[Action] | None, *, sync: bool) -> None:
        self.kind, self.sync = kind, sync
        self.spent = 0.0
        self.made = fresh()

    def __call__(self) -> int:
        """Record every script; return how many entries there are."""
        entries = 0
        clock = time.process_time
        for script in SCRIPTS:
            record = self.made()
            for action in script:
                if self.kind is None or type(action) is self.kind:
                    begin = clock()
                    record.append(action, sync=self.sync)
                    self.spent += clock() - begin
                else:
                    record.append(action, sync=False)
            entries += len(record)
            record.close()
        return entries


def bench_append_rolls(measure: Measure) -> None:
    """The clock itself is read twice an append, which costs about 1 us of what is shown."""
    timed = Timed(Roll, sync=False)
    rolls = sum(type(action) is Roll for script in SCRIPTS for action in script)
    label = "MatchRecord.append of rolls, validated, sync=False (CPU)"
    entries = measure(label, timed, work=rolls, unit="entries/s", goal=50_000, clock=lambda: timed.spent)
    assert entries > rolls * 2


def bench_append_all(measure: Measure) -> None:
    work = sum(map(len, SCRIPTS))
    timed = Timed(None, sync=False)
    label = "  of whole matches: rolls, plays, cube (CPU)"
    assert measure(label, timed, work=work, unit="entries/s", clock=lambda: timed.spent) > work


def bench_append_synced(measure: Measure) -> None:
    """One match; what it costs is the disk's."""
    made, script = fresh(), SCRIPTS[0]

    def run() -> int:
        record = made()
        for action in script:
            record.append(action)
        return len(record)

    assert measure("  the same, each on the disk when it returns", run, work=len(script), unit="entries/s") > len(
        script
    )


def bench_open(measure: Measure) -> None:
    record = fresh()()
    for action in SCRIPTS[0]:
        record.append(action, sync=False)
    opened = measure(
        "MatchRecord.open: chain checked, replayed", lambda: MatchRecord.open(record.path), work=len(record),
        unit="entries/s",
    )  # fmt: skip
    assert opened.state == record.state


def bench_provable_throws(measure: Measure) -> None:
    def run() -> int:
        return sum(sum(match_throw(SEED, (b"anna", b"boris"), "final 2026", "backgammon", i)) for i in range(10_000))

    assert 69_000 < measure("provable throws", run, work=10_000, unit="throws/s") < 71_000
