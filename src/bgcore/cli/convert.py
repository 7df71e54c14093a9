"""``bgcore convert``: match files from one format to another, one or a folder of them.

The readers are loaded when they are needed, so that other sub-commands start without them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgcore.cli.progress import with_progress
from bgcore.errors import FormatError, RuleError

if TYPE_CHECKING:
    from bgcore.formats.folders import Converted

NAME = "convert"
SUMMARY = "Convert match files."
HELP = (
    "Convert a match file, or every match file of a folder. Read are transcripts (.mat, .txt) of any program, GNU "
    "Backgammon's SGF, XG's .xg, BGBlitz's .bgf, OGXM with the extra formats, and records; which it is "
    "shows in its content. Written are mat (GNU Backgammon's transcript), txt (XG's text), sgf, and record (bgcore's "
    "own, of matches in which all was legal). What is odd in a file is told, and what the new format does not hold. "
    "The status is 1 if a file of a folder could not be converted."
)
EXAMPLES = (
    "bgcore convert match.xg match.mat",
    "bgcore convert downloads/ matches/ --to sgf --jobs 4",
    "bgcore convert - - --to txt < match.mat",
)

StrictOption = Annotated[bool, typer.Option("--strict", help="Refuse a file at the first oddity in it.")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, max=1024, help="Processes to use for a folder.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one line of JSON a file.")]


def run(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A file, a folder, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A file, a folder, or - for standard output.")],
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="mat, txt, sgf or record; else what TARGET ends in.")
    ] = None,
    strict: StrictOption = False,
    jobs: JobsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Convert, and tell what was odd."""
    from bgcore.formats.folders import Converted
    from bgcore.formats.matches import FORMATS, lost_in, read_match, write_match, written

    if to is not None and to not in FORMATS:
        raise FormatError(f"--to {to}: match files are written as {', '.join(FORMATS)}")
    if source != "-" and Path(source).is_dir():
        if target == "-":
            raise RuleError("a folder is converted into a folder, not to standard output")
        folder(source, target, to or "mat", strict, jobs, as_json)
        return
    if target == "-" and (to is None or as_json):
        raise RuleError("with TARGET - say the format with --to, and leave --json out")
    match = read_match(sys.stdin.buffer if source == "-" else source, strict=strict)
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(written(match, str(to)))
        lost = lost_in(match, str(to))
    else:
        lost = write_match(match, target, format=to)
    turns = sum(len(game.turns) for game in match.games)
    notes = tuple(str(note) for note in match.notes)
    report(Converted(source, target, "", notes, lost, len(match.games), turns), as_json, err=target == "-")


def folder(source: str, target: str, to: str, strict: bool, jobs: int, as_json: bool) -> None:
    """Convert a folder."""
    from bgcore.formats.folders import convert_files

    done = with_progress(
        "converting",
        lambda progress: list(convert_files(source, target, format=to, strict=strict, workers=jobs, progress=progress)),
    )
    for one in done:
        report(one, as_json)
    failed = sum(bool(one.error) for one in done)
    if not as_json:
        odd = sum(bool(one.notes) for one in done)
        print(f"{len(done) - failed} of {len(done)} files converted, {odd} with notes")
    if failed:
        raise typer.Exit(1)


def report(one: Converted, as_json: bool, *, err: bool = False) -> None:
    """What became of one file."""
    if as_json:
        print(json.dumps(one._asdict()))
        return
    if one.error:
        typer.echo(f"not converted: {one.error}", err=True)
    for note in one.notes:
        typer.echo(f"{one.source}: {note}", err=err)
    if one.lost:
        typer.echo(f"{one.source}: not in the new file: {', '.join(one.lost)}", err=err)
