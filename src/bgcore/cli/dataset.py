"""``bgcore dataset``: match files as a table of turns."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bgcore.cli.convert import JobsOption, JsonOption, StrictOption
from bgcore.cli.progress import with_progress

NAME = "dataset"
SUMMARY = "Make a table of turns out of match files."
HELP = (
    "Make a Parquet or Arrow file with one row a turn out of a match file, or of every match file of a folder. Needs "
    "the extra formats. The columns are those of bgcore.dataset.COLUMNS. The status is 1 if a file could not be read."
)
EXAMPLES = ("bgcore dataset matches/ turns.parquet", "bgcore dataset match.sgf turns.arrow --json")


def run(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A file or a folder.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Ends in .parquet, .arrow or .feather.")],
    strict: StrictOption = False,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Write the table, and tell what was odd."""
    from bgcore.dataset import write

    made = with_progress(
        "reading", lambda progress: write(source, target, strict=strict, workers=jobs, progress=progress)
    )
    if as_json:
        print(json.dumps(made._asdict()))
    else:
        for note in made.notes:
            print(note)
        for error in made.failed:
            typer.echo(f"left out: {error}", err=True)
        print(f"{made.rows} rows of {made.files} files in {target}")
    if made.failed:
        raise typer.Exit(1)
