#!/usr/bin/env python3
"""How many instructions and stores a legal play costs, counted by valgrind: the same on a busy machine and a quiet one.

    python benchmarks/budget.py [--positions N] [--json FILE]

The first N positions of the random games x 21 rolls, for `batch.legal_plays` with out= and for `batch.count_plays`, on
each path of the core.  Only the core's loop counts, not Python and not numpy.  It needs valgrind (Debian: apt-get
install valgrind; it knows AVX2, not AVX-512).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from positions import random_games

from bgcore import batch, cpu_info

LOOPS = {"legal_plays": "*PlayJob_work*", "count_plays": "*pw_*count_rows*"}
"""The function of the core that is counted, as valgrind's pattern."""


@dataclass(frozen=True)
class Cost:
    """What the loop did for one play, on average.

    Attributes
    ----------
    instructions : float
    stores : float
        Instructions that write to memory.
    bytes_written : float
        Of the arrays that the call returns.
    """

    call: str
    path: str
    positions: int
    plays: int
    instructions: float
    stores: float
    bytes_written: float


def inside(call: str, positions: int, times: int) -> None:
    """What runs under valgrind; prints path, plays, bytes."""
    rows = random_games(positions)
    out = batch.PlayBatch()
    for _ in range(times):
        if call == "legal_plays":
            batch.legal_plays(rows, out=out)
            plays, written = len(out.results), out.results.nbytes + out.offsets.nbytes
        else:
            counts = batch.count_plays(rows)
            plays, written = int(counts.sum()), counts.nbytes
    print(json.dumps([cpu_info()["path"], plays, written]))


def count(valgrind: str, call: str, path: str, positions: int, times: int) -> tuple[Counter[str], int, int]:
    """Events of so many calls, and the plays and bytes of one."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "callgrind.out"
        command = [valgrind, "--tool=callgrind", "--cache-sim=yes", f"--callgrind-out-file={file}"]
        command += [f"--toggle-collect={LOOPS[call]}", sys.executable, __file__]
        command += ["--inside", call, "--positions", str(positions), "--times", str(times)]
        environment = os.environ | {"PYTHONHASHSEED": "0", "BGCORE_CPU": path}
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"valgrind failed with status {result.returncode}:\n{result.stderr[-2000:]}")
        used, plays, written = json.loads(result.stdout.splitlines()[-1])
        assert used == path
        lines = dict(line.partition(": ")[::2] for line in file.read_text().splitlines())
    events = Counter(dict(zip(lines["events"].split(), map(int, lines["totals"].split()), strict=False)))
    if not events["Ir"]:
        sys.exit(f"no function of the core matches {LOOPS[call]}: renamed, or its symbol stripped?")
    return events, plays, written


def cost(valgrind: str, call: str, path: str, positions: int) -> Cost:
    """The second call of two: the first one also finds out how much memory it needs."""
    first, _, _ = count(valgrind, call, path, positions, 1)
    both, plays, written = count(valgrind, call, path, positions, 2)
    second = both - first
    return Cost(call, path, positions, plays, second["Ir"] / plays, second["Dw"] / plays, written / plays)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--times", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--inside", choices=LOOPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        inside(options.inside, options.positions, options.times)
        return 0
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        print("budget: valgrind is not installed (Debian: apt-get install valgrind)", file=sys.stderr)
        return 2
    paths = ["base", "avx2"] if cpu_info()["avx2"] else ["base"]
    costs = [cost(valgrind, call, path, options.positions) for call in LOOPS for path in paths]
    print(f"{options.positions} positions of random games x 21 rolls, {costs[0].plays:,} plays; a play takes\n")
    print(f"{'call':<12} {'path':<5} {'instructions':>12} {'stores':>8} {'bytes of results':>17}")
    for one in costs:
        print(f"{one.call:<12} {one.path:<5} {one.instructions:12.2f} {one.stores:8.2f} {one.bytes_written:17.2f}")
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in costs], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
