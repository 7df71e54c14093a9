"""``bgcore show``: a position as a board and in numbers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bgcore.cli.arguments import Given, PositionArgument, RulesOption, has_ids, read_position, words
from bgcore.draw import png, svg
from bgcore.draw.board_text import board_text
from bgcore.files import replacing
from bgcore.formats.seats import Seat
from bgcore.formats.xgid import Xgid
from bgcore.rules import Outcome

NAME = "show"
SUMMARY = "Draw a position."
HELP = (
    "Draw a position, and print its Position ID, packed words and pips. The player on roll is X, at the bottom. Games "
    "that pin or move parallel have no Position ID; there a small letter is a pinned checker."
)
EXAMPLES = (
    'bgcore show "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"',
    "bgcore show 4HPwATDgc/ABMA",
    "bgcore show nackgammon",
    "bgcore show start --rules fevga",
    "bgcore show plakoto --svg plakoto.svg",
)

PENDING = {"D": "has doubled", "B": "has beavered", "R": "has raccooned"}


def run(
    position: PositionArgument,
    rules: RulesOption = None,
    svg_file: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Also draw it into this file.")] = None,
    png_file: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="The same as PNG; needs the extra png.")
    ] = None,
) -> None:
    """Print the board and what is known about it."""
    given = read_position(position, rules)
    print_board(given)
    write_pictures(given, svg_file, png_file)


def print_board(given: Given) -> None:
    """Print the board of a position, then a line for each thing known about it."""
    position, rules = given.position, given.rules
    own, opp = position.pips
    outcome = rules.outcome(position)
    over = "" if outcome is None or position.is_over else ending(outcome)
    board = board_text(
        position,
        dice=given.dice,
        geometry=rules.geometry,
        bar=rules.contact == "hit",
        over=over,
        colour=wants_colour(),
    )
    typer.echo(board)  # which makes colours of the codes on Windows, too
    print()
    print(f"Game         {rules.name}")
    if has_ids(rules):
        print(f"Position ID  {position.gnubg_id}")
    print(f"Packed       {words(position)}")
    print(f"Pips         X {own}, O {opp}")
    print(f"Stage        {stage(given)}")
    if given.xgid is not None:
        print(f"Score        {score(given.xgid)}")


def wants_colour() -> bool:
    """Whether the board goes to somebody who sees colours and has not asked for none (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_pictures(given: Given, svg_file: Path | None, png_file: Path | None) -> None:
    """Draw the board into the files that were named."""
    options: dict[str, Any] = {"rules": given.rules, "dice": given.dice, **around(given.xgid)}
    if svg_file is not None:
        with replacing(svg_file) as file:
            file.write(svg(given.position, **options).encode() + b"\n")
    if png_file is not None:
        try:
            picture = png(given.position, size=960, **options)
        except ModuleNotFoundError as missing:
            typer.echo(f"bgcore: {missing}", err=True)
            raise typer.Exit(1) from None
        with replacing(png_file) as file:
            file.write(picture)


def around(xgid: Xgid | None) -> dict[str, Any]:
    """What an XGID says beside the position and the dice, as options of `bgcore.draw.svg`."""
    if xgid is None:
        return {}
    mine, theirs = xgid.scores if xgid.turn is Seat.A else xgid.scores[::-1]
    options = {"score": (mine, theirs), "length": xgid.length, "crawford": xgid.crawford}
    if xgid.max_cube != 0 and not xgid.crawford:
        options["cube"] = 2**xgid.cube
        if xgid.pending:
            doubles = "DBR".index(xgid.pending) + 1
            options |= {"cube": 2 ** (xgid.cube + doubles), "offered": "own" if xgid.pending == "B" else "opp"}
        elif xgid.owner is not None:
            options["cube_owner"] = "own" if xgid.owner is xgid.turn else "opp"
    return options


def stage(given: Given) -> str:
    """Contact, a race, or how the game has ended."""
    outcome = given.rules.outcome(given.position)
    if outcome is None:
        return "contact" if given.rules.is_contact(given.position) else "race"
    return f"over: {ending(outcome)}"


def ending(outcome: Outcome) -> str:
    """How a game has ended."""
    if outcome.winner is None:
        return "drawn"
    winner = "X" if outcome.winner == "own" else "O"
    if outcome.kind == "mother":
        return f"{winner} has pinned the mother"
    return f"{winner} has won a {'single game' if outcome.kind == 'single' else outcome.kind}"


def score(xgid: Xgid) -> str:
    """What the other fields of an XGID say, with X for the player of its turn field."""
    mine, theirs = xgid.scores if xgid.turn is Seat.A else xgid.scores[::-1]
    if xgid.length:
        game = f"match to {xgid.length}, X {mine}, O {theirs}" + (", Crawford game" if xgid.crawford else "")
    else:
        options = [name for name, on in (("Jacoby", xgid.jacoby), ("beavers", xgid.beavers)) if on]
        game = " with ".join(["money play", *([" and ".join(options)] if options else [])])
    owner = "centred" if xgid.owner is None else f"owned by {'X' if xgid.owner is xgid.turn else 'O'}"
    due = f"; X {PENDING[xgid.pending]}" if xgid.pending else ""
    seat = "bottom" if xgid.turn is Seat.A else "top"
    return f"{game}; cube {2**xgid.cube}, {owner}{due}; X is its {seat} player"
