#!/usr/bin/env python3
"""How many instructions six fixed workloads cost, counted by valgrind: the same on a busy machine and a quiet one.

    python benchmarks/budget.py [WORKLOAD …] [--path base --path avx2] [--write] [--json FILE]

What `base` costs is compared with budgets.json: over 2 % more is a failure, over 2 % less a reason to `--write` the new
figures there.  They depend on the compiler and on Python, so there is an entry for each pair of these; another pair is
measured, and nothing is compared.  It needs a C compiler and valgrind with its headers (Debian: apt-get install
valgrind; it knows AVX2, not AVX-512).
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from positions import random_games

import bgcore as bg
from bgcore.core import movegen
from bgcore.match.actions import OpeningRoll, Pass, Roll

BUDGETS = Path(__file__).with_name("budgets.json")
TOLERANCE = 0.02
SWITCH = """\
#include <valgrind/callgrind.h>
void start(void) { CALLGRIND_START_INSTRUMENTATION; }
void stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
"""
Call = Callable[[], int]


def legal_plays() -> Call:
    """All rolls of 500 positions of random games, in one call and in memory of an earlier one."""
    rows, out = random_games(500), bg.batch.PlayBatch()
    return lambda: len(bg.batch.legal_plays(rows, out=out).results)


def count_plays() -> Call:
    """The same plays, counted."""
    rows = random_games(500)
    return lambda: int(bg.batch.count_plays(rows).sum())


def playouts() -> Call:
    """Random games to the end."""
    start = bg.BACKGAMMON.start.packed[np.newaxis]
    return lambda: int(bg.batch.playouts(start, 200, seed=1).plies.sum())


def two_sided() -> Call:
    """A bear-off database of 6 points and 4 checkers, and every pair looked up in it."""
    sides = bg.bearoff.unrank(np.arange(1, 210, dtype=np.uint64), points=6)
    counts = np.zeros((209, 209, 2, 26), np.uint8)
    counts[:, :, 0, 1:7], counts[:, :, 1, 1:7] = sides[:, np.newaxis], sides
    counts[..., 0] = 15 - counts.sum(-1)
    rows = bg.batch.pack(counts.reshape(-1, 2, 26))
    return lambda: int(np.isfinite(bg.bearoff.two_sided(checkers=4).lookup(rows)).all(1).sum())


def scalar() -> Call:
    """One position at a time: its plays with every roll, one of them as text, its Position ID there and back."""
    positions = [bg.Position.from_packed(row) for row in random_games(200)]

    def read() -> int:
        plays = 0
        for position in positions:
            for roll in bg.dice.ROLLS:
                found = bg.BACKGAMMON.legal_plays(position, roll)
                plays += len(found)
            assert not found or str(found[0])
            assert bg.Position.from_gnubg_id(position.gnubg_id) == position
        return plays

    return read


def match_state() -> Call:
    """Money games by actions, every tenth state written as an XGID and read again."""

    def play(rng: random.Random) -> int:
        state = bg.MatchState.new(length=0)
        while state.dice is None:
            state = state.apply(OpeningRoll(rng.randint(1, 6), rng.randint(1, 6)))
        plies = 1
        while True:
            if plies % 10 == 0:
                assert bg.MatchState.from_xgid(state.xgid()).dice == state.dice
            plays = state.legal_plays()
            state = state.apply(rng.choice(plays)) if plays else state.apply(Pass())
            if state.is_game_over:
                return plies
            assert state.actions()
            state = state.apply(Roll(rng.randint(1, 6), rng.randint(1, 6)))
            plies += 1

    return lambda: sum(play(random.Random(seed)) for seed in range(5))


WORKLOADS: dict[str, tuple[Callable[[], Call], str]] = {
    "legal_plays": (legal_plays, "plays"),
    "count_plays": (count_plays, "plays"),
    "playouts": (playouts, "rolls"),
    "two_sided": (two_sided, "pairs"),
    "scalar": (scalar, "plays"),
    "match_state": (match_state, "rolls"),
}


@dataclass(frozen=True)
class Cost:
    """What one workload did.

    Attributes
    ----------
    work : int
        Plays, rolls or pairs: what `unit` says.
    instructions, stores : int
        Of all of it, Python's and numpy's too; a store writes to memory.
    """

    workload: str
    path: str
    unit: str
    work: int
    instructions: int
    stores: int


def inside(workload: str, switch: ctypes.CDLL) -> None:
    """What runs under valgrind; prints the path and the units of work."""
    call = WORKLOADS[workload][0]()
    call()  # what is found out once, and memory that is used again, don't count
    gc.collect()
    gc.disable()
    switch.start()
    work = call()
    switch.stop()
    print(json.dumps([bg.cpu_info()["path"], work]))


def cost(valgrind: str, switch: Path, workload: str, path: str) -> Cost:
    """Run it under valgrind."""
    file = switch.with_suffix(f".{workload}-{path}")
    command = [valgrind, "--tool=callgrind", "--cache-sim=yes", "--instr-atstart=no", f"--callgrind-out-file={file}"]
    command += [sys.executable, __file__, "--inside", workload, "--switch", str(switch)]
    environment = os.environ | {"PYTHONHASHSEED": "0", "BGCORE_CPU": path}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        said = re.sub(r"(?m)^(==|--)\d+.*\n", "", result.stderr)  # without what valgrind says
        sys.exit(f"budget: {workload} failed with status {result.returncode}:\n{said}")
    used, work = json.loads(result.stdout.splitlines()[-1])
    assert used == path
    lines = dict(line.partition(": ")[::2] for line in file.read_text().splitlines())
    events = dict(zip(lines["events"].split(), map(int, lines["totals"].split()), strict=False))
    return Cost(workload, path, WORKLOADS[workload][1], work, events["Ir"], events["Dw"])


def compile_switch(folder: str) -> Path:
    """The library whose functions tell valgrind when to count."""
    source, library = Path(folder) / "switch.c", Path(folder) / "switch.so"
    source.write_text(SWITCH)
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"budget: {' '.join(command)} failed:\n{result.stderr}")
    return library


def compiler() -> str:
    """What compiled the core, as it says itself in the module."""
    found = re.findall(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", Path(movegen.__file__).read_bytes())
    return re.sub(r".*\) ", "gcc ", found[-1].decode()) if found else "unknown compiler"


def key() -> str:
    """What the figures depend on."""
    return f"{platform.machine()}, {compiler()}, {platform.python_implementation()} {platform.python_version()}"


def versions() -> dict[str, str]:
    """What else they may depend on, a little."""
    found = {"numpy": np.__version__}
    with suppress(PackageNotFoundError):
        found["cython"] = version("cython")
    return found


def table(costs: list[Cost], budget: dict[str, int]) -> list[str]:
    """Print what was counted; return the workloads that cost too much."""
    print(f"{'workload':<12} {'path':<5} {'work':>14} {'instructions':>13} {'a unit':>9} {'stores':>9} {'budget':>8}")
    slower = []
    for one in costs:
        change = ""
        if one.path == "base" and one.workload in budget:
            ratio = one.instructions / budget[one.workload] - 1
            change = f"{ratio:+.2%}"
            if abs(ratio) > TOLERANCE:
                change += "  SLOWER" if ratio > 0 else "  faster: --write it down"
                slower += [one.workload] if ratio > 0 else []
        print(
            f"{one.workload:<12} {one.path:<5} {one.work:>8,} {one.unit:<5} {one.instructions:>13,}"
            f" {one.instructions / one.work:>9,.2f} {one.stores / one.work:>9,.2f} {change:>8}"
        )
    return slower


def main() -> int:
    """Print the table; 1 if something costs too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"one of {', '.join(WORKLOADS)}; all of them")
    parser.add_argument("--path", action="append", choices=["base", "avx2"], help="of the core; base")
    parser.add_argument("--write", action="store_true", help="make these figures the budget")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--inside", choices=WORKLOADS, help=argparse.SUPPRESS)
    parser.add_argument("--switch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        inside(options.inside, ctypes.CDLL(options.switch))
        return 0
    if unknown := set(options.workloads) - set(WORKLOADS):
        parser.error(f"no workload {', '.join(sorted(unknown))}; there are {', '.join(WORKLOADS)}")
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        print("budget: valgrind is not installed (Debian: apt-get install valgrind)", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        count = partial(cost, valgrind, compile_switch(folder))
        costs = [count(name, path) for name in options.workloads or WORKLOADS for path in options.path or ["base"]]
    budgets = json.loads(BUDGETS.read_text(encoding="utf-8"))
    entry = budgets.get(key(), {"versions": {}, "instructions": {}})
    print(f"{key()}; {versions()}")
    slower = table(costs, entry["instructions"])
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in costs], indent=1) + "\n", encoding="utf-8")
    if options.write:
        entry["versions"] = versions()
        entry["instructions"] |= {one.workload: one.instructions for one in costs if one.path == "base"}
        budgets[key()] = entry
        BUDGETS.write_text(json.dumps(budgets, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    if not entry["instructions"]:
        print(f"there is no budget for this compiler and this Python in {BUDGETS.name}: nothing was compared")
    elif entry["versions"] != versions():
        print(f"the budget was written with {entry['versions']}")
    if slower:
        print(f"over {TOLERANCE:.0%} more than budgeted: {', '.join(slower)}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
