"""``bgcore dice-audit``: whether the dice of records look honest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bgcore.dice import ROLLS, WEIGHTS
from bgcore.dice.audit import audit
from bgcore.match.record import MatchRecord

NAME = "dice-audit"
SUMMARY = "Look at the dice of records."
HELP = (
    "Look at all throws of one or more records: faces, rolls, doubles, whether throws depend on the one before, and "
    "whether a player throws higher. A p-value says how often honest dice would look at least as odd. The status is 1 "
    "if the smallest one, times the number of tests, is below --alpha."
)
EXAMPLES = ("bgcore dice-audit match.jsonl", "bgcore dice-audit season/*.jsonl --alpha 0.0001")


def run(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD...", help="The files.", show_default=False)],
    alpha: Annotated[
        float, typer.Option("--alpha", min=0.0, max=1.0, help="How rarely honest dice may be called odd.")
    ] = 0.001,
) -> None:
    """Print what the throws look like."""
    throws, players, games = [], [], []
    for number, path in enumerate(records):
        for thrown in MatchRecord.open(path).throws():
            throws.append(thrown.dice)
            players.append(-1 if thrown.player is None else thrown.player)
            games.append(number)
    found = audit(throws, players=players, games=games)
    print(f"{len(records)} record{'s' if len(records) != 1 else ''}, {found.throws} throws")
    print("\nface  " + "".join(f"{face:>8}" for face in range(1, 7)))
    print("came  " + "".join(f"{count:>8}" for count in found.faces))
    print("should" + "".join(f"{found.throws / 3:>8.1f}" for _ in found.faces))
    print(f"\ndoubles {found.doubles}, should be {found.throws / 6:.1f}")
    odd = sorted(
        zip(ROLLS, WEIGHTS, found.rolls, strict=True), key=lambda row: -abs(row[2] - found.throws * row[1] / 36)
    )
    print("farthest from what they should be: ", end="")
    print(", ".join(f"{a}{b} {count} ({found.throws * weight / 36:.1f})" for (a, b), weight, count in odd[:3]))
    print(f"\n{'':<40}{'chi-square':>12}{'df':>4}{'p':>10}")
    for test in found.tests:
        if test.freedom:
            print(f"{test.name:<40}{test.statistic:>12.2f}{test.freedom:>4}{test.p:>10.4f}")
        else:
            print(f"{test.name:<40}{'too few throws':>26}")
    print(f"\nall together: p = {found.p:.4f}")
    if found.p < alpha:
        print(f"That is below {alpha}: such dice should be looked into.")
        raise typer.Exit(1)
