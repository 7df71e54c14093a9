"""``bgcore bench``: what this machine does."""

from __future__ import annotations

import os
import platform
import subprocess
import time
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from bgcore import batch
from bgcore.cli.arguments import ThreadsOption, version
from bgcore.conformance.sampling import random_games
from bgcore.core import game
from bgcore.dice import ROLLS
from bgcore.rules import BACKGAMMON

NAME = "bench"
SUMMARY = "Measure the library on this machine."
HELP = (
    "Measure the library on this machine, in under 20 seconds: the best of five runs each. "
    "Arrays hold 10,000 consecutive positions of random games x 21 rolls."
)
EXAMPLES = ("bgcore bench", "bgcore bench --threads 2")

POSITIONS = 10_000
SEED = 20_240_229
RUNS = 5
LIMIT = 3.0  # seconds for one figure; a slow machine gets fewer than five runs
GAMES = 20_480
CALLS = 20_000

Line = tuple[str, str, str]


def run(threads: ThreadsOption = 1) -> None:
    """Print one figure after the other."""
    for name, value in machine(threads):
        print(f"{name:<10}{value}")
    print(flush=True)
    for label, figure, unit in figures(threads):
        print(f"{label:<44}{figure:>8} {unit}", flush=True)


def machine(threads: int) -> Iterator[tuple[str, str]]:
    """What the figures were measured on and with."""
    path = game.cpu_info()["path"]
    yield "bgcore", f"{version()}, path {path}, {threads} thread{'s' if threads > 1 else ''}"
    yield "CPU", f"{processor()}, {os.cpu_count()} visible"
    yield "Python", f"{platform.python_version()} {platform.python_implementation()}, numpy {np.__version__}"
    yield "System", f"{platform.system()} {platform.release()}, {platform.machine()}"


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        if platform.system() == "Linux":
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
        if platform.system() == "Darwin":
            command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        pass
    return platform.processor() or platform.machine() or "unknown"


def figures(threads: int) -> Iterator[Line]:
    """Measure one thing after the other."""
    rows = random_games(POSITIONS, seed=SEED)
    reused = batch.PlayBatch()
    plays = int(batch.legal_plays(rows, threads=threads, out=reused).offsets[-1])

    seconds = best(lambda: batch.legal_plays(rows, threads=threads, out=reused))
    yield "batch.legal_plays, arrays reused (out=)", f"{plays / seconds / 1e6:.1f}", "million plays/s"
    seconds = best(lambda: batch.legal_plays(rows, threads=threads))
    yield "batch.legal_plays, fresh arrays", f"{plays / seconds / 1e6:.1f}", "million plays/s"
    seconds = best(lambda: np.empty((plays, 4), np.uint64).fill(1))
    yield "  beside it: filling an equal np.empty", f"{plays / seconds / 1e6:.1f}", "million rows/s"
    seconds = best(lambda: batch.count_plays(rows, threads=threads))
    yield "batch.count_plays", f"{plays / seconds / 1e6:.1f}", "million plays/s"
    yield "", f"{len(rows) * len(ROLLS) / seconds / 1e6:.1f}", "million rolls/s"

    start = BACKGAMMON.start
    seconds = best(lambda: batch.perft(start, 3, threads=threads))
    yield "perft 3 from the opening", f"{seconds:.3f}", "s"
    seconds = best(lambda: batch.playouts(start.packed[np.newaxis], GAMES, seed=SEED, threads=threads))
    yield "batch.playouts from the opening", f"{GAMES / seconds:,.0f}", "games/s"

    yield (
        "Rules.legal_plays, opening 3-1, 16 plays",
        f"{best_of_many(lambda: BACKGAMMON.legal_plays(start, (3, 1))):.2f}",
        "us",
    )
    yield "Rules.count_plays, opening 3-1", f"{best_of_many(lambda: BACKGAMMON.count_plays(start, (3, 1))):.2f}", "us"


def best(call: Callable[[], object]) -> float:
    """Seconds of the fastest of up to five calls."""
    fastest = float("inf")
    begin = time.perf_counter()
    for _ in range(RUNS):
        started = time.perf_counter()
        call()
        ended = time.perf_counter()
        fastest = min(fastest, ended - started)
        if ended - begin > LIMIT:
            break
    return fastest


def best_of_many(call: Callable[[], object]) -> float:
    """Microseconds of one of many calls in a row, in the fastest of five rounds."""
    return min(timeit.repeat(call, number=CALLS, repeat=RUNS)) / CALLS * 1e6
