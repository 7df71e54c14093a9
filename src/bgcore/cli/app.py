"""The sub-commands put together, and what they have in common: --version, errors in one line, interrupts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, ParamSpec

import typer

from bgcore.cli import (
    bearoff,
    bench,
    conformance,
    convert,
    dataset,
    dice_audit,
    moves,
    perft,
    play,
    playout,
    show,
    tavli,
    verify,
)
from bgcore.cli.arguments import version
from bgcore.errors import BgcoreError

__all__ = ["app"]

P = ParamSpec("P")

LONGEST_MESSAGE = 600

app = typer.Typer(
    name="bgcore",
    help="Backgammon from the command line: boards, legal plays, counts, random games, and how fast they come.",
    epilog='A POSITION is an XGID (in quotes), a GNU Backgammon Position ID, "start", or the name of a game.',
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def one_line(message: str) -> str:
    """A message as one printable line, also when it quotes what somebody typed."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(message.split()))
    if len(text) > LONGEST_MESSAGE:
        half = LONGEST_MESSAGE // 2
        text = f"{text[:half]} ... {text[-half:]}"
    return text


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """The command, with a wrong value as one line and status 2, an interrupt as status 130."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except BgcoreError as error:
            typer.echo(f"bgcore: {one_line(str(error))}", err=True)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            typer.echo("bgcore: interrupted", err=True)
            raise typer.Exit(130) from None

    return run


def print_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"bgcore {version()}")
        raise typer.Exit


@app.callback()
def common(
    show_version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """What holds for every sub-command; the text for users is in `app`."""


def epilog(examples: tuple[str, ...]) -> str:
    """The examples of a command, a paragraph each."""
    return "\n\n".join(f"Example: {line}" for line in examples)


for module in (show, moves, play, verify, dice_audit, convert, dataset, perft, playout, tavli, bench, conformance):
    app.command(module.NAME, help=module.HELP, short_help=module.SUMMARY, epilog=epilog(module.EXAMPLES))(
        guarded(module.run)
    )

group = typer.Typer(name=bearoff.NAME, help=bearoff.HELP, short_help=bearoff.SUMMARY, no_args_is_help=True)
for command in bearoff.COMMANDS:
    group.command(command.name, help=command.help, short_help=command.summary, epilog=epilog(command.examples))(
        guarded(command.run)
    )
app.add_typer(group)
