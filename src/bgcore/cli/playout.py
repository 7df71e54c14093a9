"""``bgcore playout``: random games to the end."""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer

from bgcore import batch
from bgcore.cli.arguments import RulesOption, StartArgument, ThreadsOption, read_position, written
from bgcore.cli.progress import with_progress

NAME = "playout"
SUMMARY = "Play random games to the end."
HELP = (
    "Play random games to the end, each legal play of a roll as likely as the others, and print how they ended. "
    "X is the player on roll at the start."
)
EXAMPLES = ("bgcore playout", "bgcore playout hypergammon --trials 100000 --seed 7", "bgcore playout --threads 8")


def run(
    position: StartArgument = "start",
    trials: Annotated[int, typer.Option("--trials", min=1, max=2**40, help="Games to play.")] = 20_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same games.")] = 0,
    rules: RulesOption = None,
    threads: ThreadsOption = 1,
) -> None:
    """Print how the games ended."""
    given = read_position(position, rules)
    packed = given.position.packed[np.newaxis]
    started = time.perf_counter()
    played = with_progress(
        "playout",
        lambda report: batch.playouts(packed, trials, rules=given.rules, seed=seed, threads=threads, progress=report),
    )
    seconds = time.perf_counter() - started
    counts = played.counts[0].tolist()
    print(f"{trials:,} games from {written(given.position, given.rules)} ({given.rules.name}), seed {seed}")
    print()
    print(f"{'':<7}{'single':>17}{'gammon':>17}{'backgammon':>17}{'total':>17}")
    for label, cells in (("X wins", counts[:3]), ("O wins", counts[3:6])):
        print(f"{label:<7}" + "".join(f"{cell:>9} {cell / trials:>7.2%}" for cell in [*cells, sum(cells)]))
    if counts[6]:
        print(f"{'drawn':<7}{counts[6]:>9} {counts[6] / trials:>7.2%}")
    print()
    print(f"{played.plies[0] / trials:.2f} rolls a game")
    print(f"{seconds:.3f} s, {trials / seconds:,.0f} games/s, {threads} thread{'s' if threads > 1 else ''}")
