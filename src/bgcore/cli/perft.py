"""``bgcore perft``: count the lines of play of a depth."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from bgcore import batch
from bgcore.cli.arguments import RulesOption, StartArgument, ThreadsOption, read_position, written
from bgcore.cli.progress import with_progress

NAME = "perft"
SUMMARY = "Count the lines of play of a depth."
HELP = (
    "Count the lines of play of a depth over the 21 different rolls at each ply. A roll without a legal play is one "
    "pass, and a won game ends its line. Two programs that know the rules alike count alike."
)
EXAMPLES = ("bgcore perft 3", "bgcore perft 2 nackgammon", "bgcore perft 4 --threads 8")

MOST = 99


def run(
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=MOST, help="Plies to count.", show_default=False)],
    position: StartArgument = "start",
    rules: RulesOption = None,
    threads: ThreadsOption = 1,
) -> None:
    """Print the count and how long it took."""
    given = read_position(position, rules)
    started = time.perf_counter()
    lines = with_progress(
        f"perft {depth}",
        lambda report: batch.perft(given.position, depth, given.rules, threads=threads, progress=report),
    )
    seconds = time.perf_counter() - started
    print(f"{lines} lines of {depth} plies from {written(given.position, given.rules)} ({given.rules.name})")
    print(f"{seconds:.3f} s, {lines / seconds:,.0f} lines/s, {threads} thread{'s' if threads > 1 else ''}")
