"""``bgcore bearoff``: bear-off databases built, looked at, checked and converted."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from bgcore import bearoff
from bgcore.cli.arguments import ThreadsOption, read_position, written
from bgcore.cli.progress import with_progress
from bgcore.errors import BgcoreError, DatabaseError, RuleError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON

NAME = "bearoff"
SUMMARY = "Build bear-off databases, look them up, check and convert them."
HELP = (
    "Bear-off databases: one-sided (how many rolls a side needs), two-sided (exact equities) and hypergammon. Sizes "
    "are points x checkers. A FILE is one of bgcore's own or a .bd of GNU Backgammon; its contents say which."
)


class Kind(StrEnum):
    """What can be built."""

    ONE_SIDED = "one-sided"
    TWO_SIDED = "two-sided"
    HYPERGAMMON = "hypergammon"
    DEFAULT = "default"


class Arithmetic(StrEnum):
    """How it can be computed."""

    EXACT = "exact"
    GNUBG = "gnubg"


class Dtype(StrEnum):
    """How a two-sided database can be stored."""

    INT16 = "int16"
    FLOAT64 = "float64"


class Command(NamedTuple):
    """A command under ``bgcore bearoff``."""

    name: str
    run: Callable[..., None]
    summary: str
    help: str
    examples: tuple[str, ...]


FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The database.", show_default=False)]
SourceArgument = Annotated[Path, typer.Argument(metavar="SOURCE", help="The database to read.", show_default=False)]
TargetArgument = Annotated[Path, typer.Argument(metavar="TARGET", help="The file to write.", show_default=False)]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]

ONLY: dict[str, tuple[Kind, ...]] = {
    "points": (Kind.ONE_SIDED, Kind.TWO_SIDED),
    "checkers": (Kind.ONE_SIDED, Kind.TWO_SIDED, Kind.HYPERGAMMON),
    "arithmetic": (Kind.ONE_SIDED, Kind.TWO_SIDED),
    "cubeful": (Kind.TWO_SIDED,),
    "cubeless": (Kind.TWO_SIDED,),
    "gammons": (Kind.ONE_SIDED, Kind.TWO_SIDED),
    "jacoby": (Kind.TWO_SIDED,),
    "dtype": (Kind.TWO_SIDED,),
    "probabilities": (Kind.TWO_SIDED,),
    "tolerance": (Kind.HYPERGAMMON,),
}
"""Which kinds have an option."""


def build(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help=f"{', '.join(Kind)}.", show_default=False)],
    path: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The file to write; none for default.", show_default=False)
    ] = None,
    points: Annotated[int | None, typer.Option("--points", min=1, max=24, help="6 if not given.")] = None,
    checkers: Annotated[
        int | None, typer.Option("--checkers", min=1, max=15, help="One-sided 15, two-sided 6 if not given.")
    ] = None,
    arithmetic: Annotated[
        Arithmetic | None,
        typer.Option("--arithmetic", help="exact, or gnubg: GNU Backgammon's numbers to the bit.", show_default=False),
    ] = None,
    cubeful: Annotated[bool | None, typer.Option("--cubeful/--no-cubeful", help="Equities with a cube.")] = None,
    cubeless: Annotated[bool | None, typer.Option("--cubeless/--no-cubeless", help="Equities without.")] = None,
    gammons: Annotated[
        bool | None, typer.Option("--gammons/--no-gammons", help="Gammons, too; 15 checkers only.")
    ] = None,
    jacoby: Annotated[bool | None, typer.Option("--jacoby", help="Gammons count only once doubled.")] = None,
    dtype: Annotated[Dtype | None, typer.Option("--dtype", help="int16 or float64.", show_default=False)] = None,
    probabilities: Annotated[
        bool | None, typer.Option("--probabilities", help="Chances of wins and gammons, too.")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option("--tolerance", help="Largest change of the last sweep.", show_default=False)
    ] = None,
    threads: ThreadsOption = 1,
    force: ForceOption = False,
) -> None:
    """Build a database and write it."""
    values = {name: value for name, value in locals().items() if name in ONLY and value is not None}
    options = {name: str(value) if isinstance(value, StrEnum) else value for name, value in values.items()}
    for name in options:
        if kind not in ONLY[name]:
            raise RuleError(f"--{name} is for {' and '.join(ONLY[name])}; {kind} has no such option")
    started = time.perf_counter()
    if kind is Kind.DEFAULT:
        if path is not None:
            raise RuleError("default takes no FILE: the environment variable BGCORE_CACHE names its folder")
        with_progress("building", lambda report: bearoff.default(progress=report))
        print(f"one-sided 6x15 and two-sided 6x6 are in {bearoff.cache_folder()}")
        return
    target = writable(path, force)
    if target.suffix == ".bd":
        raise RuleError("build writes bgcore's own files; export-bd makes a .bd of one")
    if kind is Kind.HYPERGAMMON and checkers is None:
        raise RuleError("hypergammon needs --checkers 1, 2 or 3")
    with plain_errors():
        database = with_progress(f"building {kind}", lambda report: built(kind, options, target, threads, report))
        if kind is Kind.ONE_SIDED:
            database.save(target)
    print(f"{target}: {kind}, {target.stat().st_size:,} bytes, built in {time.perf_counter() - started:.1f} s")


def built(kind: Kind, options: dict[str, Any], target: Path, threads: int, report: Callable[[int, int], None]) -> Any:
    """A database of a kind; the large kinds are written while they are built."""
    if kind is Kind.ONE_SIDED:
        return bearoff.one_sided(**options, threads=threads, progress=report)
    if kind is Kind.TWO_SIDED:
        return bearoff.two_sided(**options, threads=threads, progress=report, path=target)
    return bearoff.hypergammon(**options, threads=threads, progress=report, path=target)


def show(
    path: FileArgument,
    position: Annotated[
        str | None,
        typer.Argument(metavar="[POSITION]", help="Look this one up: an XGID or a Position ID.", show_default=False),
    ] = None,
) -> None:
    """Print what a database is, or what it says of a position."""
    with plain_errors():
        if position is not None:
            given = read_position(position)
            row = looked_up(path, given.position)
            print(written(given.position, BACKGAMMON))
            print_row(row)
            return
        for name, value in bearoff.describe(path).items():
            if isinstance(value, dict):
                for part, text in value.items():
                    print(f"{name:<14}{part:<22}{text}")
            else:
                print(f"{name:<14}{value:,}" if name == "size" else f"{name:<14}{value}")


def looked_up(path: Path, position: Position) -> Any:
    """The row of a position."""
    try:
        row = bearoff.open(path)[position]
    except KeyError:
        row = None
    if row is None or all(value is None or np.isnan(value).all() for _, value in named(row)):
        raise DatabaseError(f"the position is out of the range of {path}")
    return row


def print_row(row: Any) -> None:
    """Print the named values of a row; long distributions as pairs of number and chance."""
    for name, value in named(row):
        if value is None:
            continue
        array = np.asarray(value)
        if array.ndim == 0:
            print(f"{name:<22}{array[()]:.6f}" if array.dtype.kind == "f" else f"{name:<22}{value}")
        else:
            print(f"{name:<22}{'  '.join(f'{at}: {share:.6f}' for at, share in enumerate(array.tolist()) if share)}")


def named(row: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of a named tuple or a dataclass."""
    names = row._fields if hasattr(row, "_fields") else [field.name for field in dataclasses.fields(row)]
    return ((name, getattr(row, name)) for name in names)


def verify(path: FileArgument) -> None:
    """Check every byte of a database."""
    with plain_errors():
        with_progress("verifying", lambda report: bearoff.verify(path, progress=report))
    print(f"{path}: sound, {path.stat().st_size:,} bytes")


def convert(source: SourceArgument, target: TargetArgument, force: ForceOption = False) -> None:
    """Write a database in bgcore's format."""
    target = writable(target, force)
    with plain_errors():
        bearoff.open(source, verify=True).save(target)
    print(f"{target}: {target.stat().st_size:,} bytes")


def export_bd(
    source: SourceArgument,
    target: TargetArgument,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Round numbers that were not computed as GNU Backgammon does.")
    ] = False,
    force: ForceOption = False,
) -> None:
    """Write a database in GNU Backgammon's format."""
    target = writable(target, force)
    with plain_errors():
        bearoff.open(source, verify=True).export_bd(target, lossy=lossy)
    print(f"{target}: {target.stat().st_size:,} bytes")


def writable(path: Path | None, force: bool) -> Path:
    """The file to write, which must not exist yet."""
    if path is None:
        raise RuleError("give the FILE to write")
    if path.exists() and not force:
        raise DatabaseError(f"{path} exists; --force replaces it")
    return path


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """What the system or a builder refuses (a full disk, options at odds) as one of our errors, told in one line."""
    try:
        yield
    except BgcoreError:
        raise
    except ValueError as error:
        raise RuleError(str(error)) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise DatabaseError(f"{where}{error.strerror or error}") from None


COMMANDS = (
    Command(
        "build",
        build,
        "Build a database.",
        "Build a database and write it. KIND is one-sided, two-sided, hypergammon, or default: the small ones that "
        "bgcore.bearoff.default() keeps. A large two-sided build that was killed goes on when it is called "
        "again.",
        (
            "bgcore bearoff build one-sided os6.bearoff",
            "bgcore bearoff build two-sided ts.bearoff --checkers 8 --threads 2",
            "bgcore bearoff build default",
        ),
    ),
    Command(
        "show",
        show,
        "Print what a database is, or look a position up.",
        "Print what a database is, or what it says of the position whose player is on roll.",
        ("bgcore bearoff show os6.bearoff", "bgcore bearoff show ts.bearoff 4AcAAPADAAAAAA"),
    ),
    Command("verify", verify, "Check every byte.", "Check every byte of a database.", ("bgcore bearoff verify FILE",)),
    Command(
        "convert",
        convert,
        "Write a database in bgcore's format.",
        "Write a database in bgcore's format.",
        ("bgcore bearoff convert gnubg_os0.bd os6.bearoff",),
    ),
    Command(
        "export-bd",
        export_bd,
        "Write a database in GNU Backgammon's format.",
        "Write a database in GNU Backgammon's format, byte for byte as its own tool would if it was built with "
        "--arithmetic gnubg; otherwise rounded, which --lossy must allow.",
        ("bgcore bearoff export-bd os6.bearoff gnubg_os0.bd",),
    ),
)
