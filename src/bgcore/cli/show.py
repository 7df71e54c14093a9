"""``bgcore show``: a position as a board and in numbers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bgcore.cli.arguments import (
    POSITION_HELP,
    WITH_MATCH_ID,
    Given,
    RulesOption,
    has_ids,
    read_position,
    read_rules,
    words,
)
from bgcore.cli.record_text import entry_text, print_summary
from bgcore.draw.board_text import board_text
from bgcore.errors import RuleError
from bgcore.files import replacing
from bgcore.formats.seats import Seat
from bgcore.formats.xgid import Xgid
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, Outcome, Rules

NAME = "show"
SUMMARY = "Draw a position, or show a record."
SHOWN_HELP = POSITION_HELP + " Or the file of a record, or GNU Backgammon's Position ID:Match ID."
HELP = (
    "Draw a position, and print its Position ID, packed words and pips. The player on roll is X, at the bottom. Games "
    "that pin or move parallel have no Position ID; there a small letter is a pinned checker. Of a record, show who "
    "has won what, and the board at its end."
)
EXAMPLES = (
    'bgcore show "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"',
    "bgcore show 4HPwATDgc/ABMA",
    "bgcore show nackgammon",
    "bgcore show start --rules fevga",
    "bgcore show plakoto --svg plakoto.svg",
    "bgcore show 4HPwATDgc/ABMA:cAnzAAAAAAAE",
    "bgcore show match.jsonl --entries",
)

PENDING = {"D": "has doubled", "B": "has beavered", "R": "has raccooned"}


def run(
    position: Annotated[str, typer.Argument(metavar="POSITION|RECORD", help=SHOWN_HELP, show_default=False)],
    rules: RulesOption = None,
    entries: Annotated[bool, typer.Option("--entries", help="Of a record, every entry in words.")] = False,
    entry: Annotated[
        int | None, typer.Option("--entry", min=0, help="Of a record, the board after this entry.")
    ] = None,
    svg_file: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Also draw it into this file.")] = None,
    png_file: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="The same as PNG; needs the extra png.")
    ] = None,
) -> None:
    """Print the board and what is known about it."""
    path = Path(position)
    if is_record(path):
        if rules is not None:
            raise RuleError("a record says itself what is played; leave --rules out")
        write_pictures(print_record(path, entries, entry), svg_file, png_file)
    elif entries or entry is not None:
        raise RuleError("--entries and --entry go with a record")
    elif WITH_MATCH_ID.fullmatch(position.strip()):
        game = BACKGAMMON if rules is None else read_rules(rules)
        state = MatchState.from_gnubg_id(position.strip(), game)
        print_state(state)
        write_pictures(state, svg_file, png_file)
    else:
        given = read_position(position, rules)
        print_board(given)
        write_pictures(given, svg_file, png_file)


def is_record(path: Path) -> bool:
    """Whether there is such a file."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero in it
        return False


def print_record(path: Path, entries: bool, number: int | None) -> MatchState:
    """Print the summary of a record, and the board at its end or after an entry; return that state."""
    record = MatchRecord.open(path)
    if record.dropped is not None:
        print(f"Left out: {record.dropped}")
    if number is not None:
        if number >= len(record):
            raise RuleError(f"the record has entries 0 to {len(record) - 1}, not {number}")
        line = next(line for line in record.entries() if line["n"] == number)
        print(entry_text(line))
        state = next(state for n, state in enumerate(record.states()) if n == number)
        print_state(state)
        return state
    if entries:
        for line in record.entries():
            print(entry_text(line))
        print()
    print_summary(record.header, record.entries(), record.state)
    print()
    print_state(record.state)
    return record.state


def print_state(state: MatchState) -> None:
    """Print the board of a match as the player on roll sees it, and where the match stands."""
    rules = state.rules
    outcome = rules.outcome(state.position)
    over = "" if outcome is None or state.position.is_over else ending(outcome)
    print_text(state.position, state.dice, rules, over)
    print()
    print(f"State        {str(state).splitlines()[0]}")
    print(f"X is         player {0 if state.on_roll is None else state.on_roll}")
    if has_ids(rules) and state.series is None and not state.is_game_over:
        print(f"GNUBGID      {state.gnubg_id}")


def print_board(given: Given) -> None:
    """Print the board of a position, then a line for each thing known about it."""
    position, rules = given.position, given.rules
    own, opp = position.pips
    outcome = rules.outcome(position)
    over = "" if outcome is None or position.is_over else ending(outcome)
    print_text(position, given.dice, rules, over)
    print()
    print(f"Game         {rules.name}")
    if has_ids(rules):
        print(f"Position ID  {position.gnubg_id}")
    print(f"Packed       {words(position)}")
    print(f"Pips         X {own}, O {opp}")
    print(f"Stage        {stage(given)}")
    if given.xgid is not None:
        print(f"Score        {score(given.xgid)}")


def print_text(position: Position, dice: tuple[int, int] | None, rules: Rules, over: str) -> None:
    """Print the board itself, in colours where they are wanted."""
    board = board_text(
        position, dice=dice, geometry=rules.geometry, bar=rules.contact == "hit", over=over, colour=wants_colour()
    )
    typer.echo(board)  # which makes colours of the codes on Windows, too


def wants_colour() -> bool:
    """Whether the board goes to somebody who sees colours and has not asked for none (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_pictures(shown: Given | MatchState, svg_file: Path | None, png_file: Path | None) -> None:
    """Draw the board into the files that were named."""
    if svg_file is None and png_file is None:
        return
    from bgcore.draw import png, svg  # which a board in text has no need to wait for

    options: dict[str, Any] = {}
    what: Position | MatchState
    if isinstance(shown, MatchState):
        what = shown
    else:
        what = shown.position
        options = {"rules": shown.rules, "dice": shown.dice, **around(shown.xgid)}
    if svg_file is not None:
        with replacing(svg_file) as file:
            file.write(svg(what, **options).encode() + b"\n")
    if png_file is not None:
        try:
            picture = png(what, size=960, **options)
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
    return f"{winner} has won a {'single game' if outcome.kind == 'single' else outcome.kind.replace('_', ' ')}"


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
