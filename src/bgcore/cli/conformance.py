"""``bgcore conformance``: somebody else's rules checked and timed against ours."""

from __future__ import annotations

import json
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from bgcore.cli.arguments import read_position
from bgcore.cli.progress import with_progress
from bgcore.conformance.adapters import NAMES as ADAPTERS
from bgcore.conformance.adapters import command
from bgcore.errors import BgcoreError, FormatError, RuleError
from bgcore.files import replacing

if TYPE_CHECKING:
    from bgcore.conformance import Report, Suite

NAME = "conformance"
SUMMARY = "Check and time another program's rules."
HELP = (
    "Compare the rules of another program with bgcore's: which it breaks, in which positions, and how fast it is. "
    f"ENGINE is the command of a program that speaks the line protocol (in quotes), a Python engine as MODULE:NAME, or "
    f"a peer that PyPI has: {', '.join(ADAPTERS)}. Status 0: passed; 1: not passed, or a group of --require has not."
)
EXAMPLES = (
    "bgcore conformance bgcore.conformance.ours:engine --suite smoke",
    'bgcore conformance "./my-engine --json" --suite rules --html report.html',
    "bgcore conformance gnubg-nn --python nn/bin/python --suite random --size 1000",
)

PYTHON_ENGINE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", re.ASCII)
START_TIMEOUT = 120.0
COLOURS = {"passed": "green", "failed": "red", "not run": "red", "not offered": "yellow", "in part": "yellow"}


class SuiteName(StrEnum):
    """The suites."""

    SMOKE = "smoke"
    RULES = "rules"
    RANDOM = "random"
    PERFT = "perft"
    VARIANTS = "variants"
    ALL = "all"


def run(
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="What to check.", show_default=False)],
    suite: Annotated[SuiteName, typer.Option("--suite", help=", ".join(SuiteName) + ".")] = SuiteName.RULES,
    require: Annotated[
        list[str] | None, typer.Option("--require", metavar="GROUP", help="A group that must pass; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the random suites.")] = 0,
    size: Annotated[int | None, typer.Option("--size", min=1, help="Rolls of the random suites.")] = None,
    positions: Annotated[
        Path | None,
        typer.Option("--positions", help="A file with a position a line: all their rolls in place of a suite."),
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", min=0.001, help="Seconds for one answer.")] = 10.0,
    python: Annotated[str | None, typer.Option("--python", help="The Python that has the peer.")] = None,
    speed: Annotated[bool, typer.Option("--speed/--no-speed", help="Measure speed as well.")] = True,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the report as JSON.")] = None,
    junit_file: Annotated[Path | None, typer.Option("--junit", help="Write the report as JUnit XML.")] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Write the report as one HTML page.")] = None,
) -> None:
    """Print the report; the status says whether the engine passed."""
    from bgcore.conformance import EngineFault, Program, check, named
    from bgcore.conformance.junit import junit
    from bgcore.conformance.page import page

    chosen = named(suite.value, seed=seed, size=size) if positions is None else read_suite(positions)
    required = tuple(require or ())
    there = {case.group for case in chosen.cases}
    for group in required:
        if group not in there:
            raise RuleError(f"suite {chosen.name} has no group {group!r:.60}; there are {', '.join(sorted(there))}")
    for path in (json_file, junit_file, html_file):
        if path is not None and not path.absolute().parent.is_dir():
            raise FormatError(f"{path} cannot be written: there is no folder {path.absolute().parent}")
    try:
        door = Program(engine_of(engine, python), timeout=timeout, start_timeout=max(START_TIMEOUT, timeout))
    except EngineFault as fault:
        tail = f"; standard error: {fault.stderr[-300:]}" if fault.stderr else ""
        raise BgcoreError(f"{engine}: {fault}{tail}") from None
    with door:  # also ended by Ctrl-C
        report = with_progress("asking", lambda progress: check(door, chosen, speed=speed, progress=progress))
    for path, form in ((json_file, as_json), (junit_file, junit), (html_file, page)):
        if path is not None:
            with replacing(path) as file:
                file.write(form(report).encode("utf-8"))
    show(report)
    if not report.passed or not report.meets(required):
        raise typer.Exit(1)


def as_json(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(report.to_json(), indent=1) + "\n"


def engine_of(text: str, python: str | None) -> str | list[str]:
    """The command of an ENGINE; Python ones run in a process of their own, so that they can be ended."""
    if text in ADAPTERS:
        return command(text, python) if python else command(text)
    if python is not None:
        raise RuleError(f"--python is for the peers {', '.join(ADAPTERS)}")
    if PYTHON_ENGINE.fullmatch(text):
        return [sys.executable, "-m", "bgcore.conformance.serve", text]
    return text


def read_suite(path: Path) -> Suite:
    """The positions of a file as a suite; empty lines and those beginning with # are left out."""
    from bgcore.conformance import of_positions

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} cannot be read: {error}") from None
    texts = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not texts:
        raise FormatError(f"{path} holds no positions; it has one a line: a Position ID or an XGID")
    return of_positions([read_position(text).position for text in texts], name=path.stem)


def show(report: Report) -> None:
    """The report on the terminal."""
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for column in ("group", "status", "asked", "wrong", "not offered"):
        table.add_column(column, justify="right" if column in ("asked", "wrong") else "left")
    for group in report.groups:
        lacks = f"{group.not_offered} ({', '.join(sorted(group.lacks))})" if group.not_offered else ""
        status = f"[{COLOURS[group.status]}]{group.status}[/]"
        table.add_row(group.name, status, str(group.asked), str(group.failed or ""), lacks)
    console.print(f"{report.engine} {report.version}".strip() + f", suite {report.suite}", markup=False)
    console.print(table)
    for line in report.lines_below():
        console.print(line, markup=False)
    word = "passed" if report.passed else "failed"
    console.print(f"[{COLOURS[word]}]{word}[/]{'' if report.complete else ', not complete'}")
