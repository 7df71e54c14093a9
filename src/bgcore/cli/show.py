"""``bgcore show``: a position, a state, a match or a record, as a board and in numbers."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgcore.cli.arguments import POSITION_HELP, Given, RulesOption, has_ids, read_position, words
from bgcore.cli.record_text import entry_text, print_summary
from bgcore.draw.board_text import board_text
from bgcore.errors import BgcoreError, FormatError, RuleError
from bgcore.files import replacing
from bgcore.match.record import MatchRecord
from bgcore.match.state import MatchState
from bgcore.position import Position
from bgcore.rules import Outcome, Rules, names

if TYPE_CHECKING:
    from bgcore.match.transcript import Match

NAME = "show"
SUMMARY = "Draw a position, or show a match or a record."
SHOWN_HELP = POSITION_HELP + " Or a file: a match of any kind, a record, a text with a position; - for standard input."
HELP = (
    "Draw a position, and print its Position ID, packed words and pips, and of a state every string that holds it. "
    "The player on roll is X, at the bottom. Games that pin or move parallel have no Position ID; there a small letter "
    "is a pinned checker. Of a match or a record, show who has won what, and the board at its end."
)
EXAMPLES = (
    'bgcore show "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"',
    "bgcore show 4HPwATDgc/ABMA",
    "bgcore show nackgammon",
    "bgcore show start --rules fevga",
    "bgcore show plakoto --svg plakoto.svg",
    "bgcore show 4HPwATDgc/ABMA:cAnzAAAAAAAE --json",
    "bgcore show match.jsonl --entries",
    "bgcore show match.xg --entry 30",
    "bgcore show - < post.txt",
)

FILE_NAME = re.compile(r"[^\s:;]+\.[A-Za-z]{2,5}")
"""What can only have been meant as one."""


def run(
    position: Annotated[str, typer.Argument(metavar="POSITION|FILE", help=SHOWN_HELP, show_default=False)],
    rules: RulesOption = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Put an XGID right that contradicts itself, and say so.")
    ] = False,
    entries: Annotated[
        bool, typer.Option("--entries", help="Of a record, every entry in words; of a match, its transcript.")
    ] = False,
    entry: Annotated[
        int | None,
        typer.Option("--entry", min=0, help="The board after this entry of a record, or this turn of a match, from 0."),
    ] = None,
    svg_file: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Also draw it into this file.")] = None,
    png_file: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="The same as PNG; needs the extra png.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Print the board and what is known about it."""
    shown = find(position, rules, strict=not lenient)
    if isinstance(shown, Given):
        if entries or entry is not None:
            raise RuleError("--entries and --entry go with a record or a match")
        if as_json:
            print(json.dumps(given_values(shown)))
        else:
            print_given(shown)
        picture: MatchState | Given | None = shown if shown.state is None else shown.state
    else:
        if rules is not None:
            raise RuleError("the file says itself what is played; leave --rules out")
        if isinstance(shown, MatchRecord):
            picture = show_record(shown, entries, entry, as_json)
        else:
            picture = show_match(shown, entries, entry, as_json)
    write_pictures(picture, svg_file, png_file)


def find(text: str, rules: str | None, *, strict: bool) -> Given | MatchRecord | Match:
    """What the argument means: standard input, a file, or the position itself."""
    from bgcore.formats.matches import MOST_BYTES, is_match, read_match
    from bgcore.formats.record_files import is_record

    if text == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
        if is_match(data):
            file = io.BytesIO(data)
            file.name = "standard input"
            return read_match(file)
        return read_position(decode(data, "standard input"), rules, strict=strict)
    if text.strip().lower().partition(":")[0] in ("start", *names()) or not is_file(text):
        if FILE_NAME.fullmatch(text):
            raise FormatError(f"there is no file {text}")
        return read_position(text, rules, strict=strict)
    with open(text, "rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if is_record(data):
        return MatchRecord.open(text)
    if is_match(data):
        return read_match(text)
    try:
        return read_position(decode(data, text), rules, strict=strict)
    except BgcoreError as fault:
        raise FormatError(f"{text}: {fault}") from None


def is_file(name: str) -> bool:
    """Whether there is such a file."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero in it
        return False


def decode(data: bytes, name: str) -> str:
    """The text of a file."""
    from bgcore.formats.building import Notes
    from bgcore.formats.encoding import decoded

    try:
        return decoded(data, Notes())
    except FormatError as fault:
        raise FormatError(f"{name}: {fault}") from None


# ---- positions and states


def print_given(given: Given) -> None:
    """Print the board of a position, then a line for each thing known about it."""
    position, rules = given.position, given.rules
    own, opp = position.pips
    print_text(position, given.dice, rules)
    print()
    print(f"Game         {rules.name}")
    if has_ids(rules):
        print(f"Position ID  {position.gnubg_id}")
    print(f"Packed       {words(position)}")
    print(f"Pips         X {own}, O {opp}")
    print(f"Stage        {stage(position, rules)}")
    if given.names is not None:
        print(f"Names        {given.names[0]}, {given.names[1]}")
    if given.state is not None:
        print_strings(given.state)
    for note in given.notes:
        print(f"Note         {note}")


def print_state(state: MatchState) -> None:
    """Print the board of a match as the player on roll sees it, and where the match stands."""
    print_text(state.position, state.dice, state.rules)
    print()
    print_strings(state)


def print_strings(state: MatchState) -> None:
    """Where a match stands, and every string that says so."""
    print(f"State        {str(state).splitlines()[0]}")
    print(f"X is         player {0 if state.on_roll is None else state.on_roll}")
    for kind, text in strings(state).items():
        if kind in ("xgid", "gnubgid", "ogid"):
            print(f"{kind.upper():<12} {text}")


def strings(state: MatchState) -> dict[str, str]:
    """The state in every kind of string that can hold it."""
    from typing import get_args

    from bgcore.formats.state_strings import StateKind, write_state

    found = {}
    for kind in get_args(StateKind):
        try:
            found[kind] = write_state(state, kind)
        except BgcoreError:  # this one has no place for it
            continue
    return found


def given_values(given: Given) -> dict[str, Any]:
    """What `print_given` tells, as values for JSON."""
    return {
        "kind": given.kind,
        **position_values(given.position, given.rules),
        "names": given.names,
        "state": None if given.state is None else state_values(given.state),
        "notes": list(given.notes),
    }


def position_values(position: Position, rules: Rules) -> dict[str, Any]:
    """A position as values for JSON, seen by the player on roll."""
    return {
        "rules": rules.name,
        "position_id": position.gnubg_id if has_ids(rules) else None,
        "packed": words(position).split(),
        "counts": position.counts.tolist(),
        "pips": list(position.pips),
        "stage": stage(position, rules),
    }


def state_values(state: MatchState) -> dict[str, Any]:
    """A state as values for JSON."""
    return {
        "length": state.length,
        "score": list(state.score),
        "phase": state.phase,
        "on_roll": state.on_roll,
        "to_act": state.to_act,
        "dice": None if state.thrown is None else list(state.thrown),
        "cube": state.cube,
        "cube_owner": state.cube_owner,
        "pending": state.pending,
        "crawford": state.is_crawford,
        "jacoby": state.options.jacoby,
        "beavers": state.options.beavers,
        "strings": strings(state),
    }


# ---- matches and records


def show_record(record: MatchRecord, entries: bool, number: int | None, as_json: bool) -> MatchState:
    """Tell of a record; return the state at its end or after an entry."""
    state = record.state
    if number is not None:
        if number >= len(record):
            raise RuleError(f"the record has entries 0 to {len(record) - 1}, not {number}")
        state = next(state for n, state in enumerate(record.states()) if n == number)
    if as_json:
        told: dict[str, Any] = {
            "kind": "record",
            "id": record.header.match_id,
            "names": list(record.header.players),
            "rules": state.rules.name,
            "entries": list(record.entries()) if entries else len(record),
            "head": record.head,
            "dropped": None if record.dropped is None else str(record.dropped),
            "position": position_values(state.position, state.rules),
            "state": state_values(state),
        }
        print(json.dumps(told))
        return state
    if record.dropped is not None:
        print(f"Left out: {record.dropped}")
    if number is not None:
        print(entry_text(next(line for line in record.entries() if line["n"] == number)))
    else:
        if entries:
            for line in record.entries():
                print(entry_text(line))
            print()
        print_summary(record.header, record.entries(), record.state)
        print()
    print_state(state)
    return state


def show_match(match: Match, entries: bool, number: int | None, as_json: bool) -> Given | None:
    """Tell of a match that was written down; return the position at its end or after a turn, if it is known."""
    from bgcore.cli.match_text import after_turn, match_values, print_match, print_transcript, turn_text

    turns = [(game, turn) for game in match.games for turn in game.turns]
    if number is not None and number >= len(turns):
        raise RuleError(f"the match has turns 0 to {len(turns) - 1}, not {number}")
    position = after_turn(match, number)
    given = None if position is None else Given(position, match.rules, match.format)
    if as_json:
        last = None if given is None else position_values(given.position, given.rules)
        print(json.dumps(match_values(match, entries) | {"position": last}))
        return given
    if number is not None:
        game, turn = turns[number]
        print(f"Game {game.number}: {turn_text(match, turn)}")
    elif entries:
        print_transcript(match)
    else:
        print_match(match)
    print()
    if given is None:
        print("The position is not known.")
    else:
        print_given(given)
    return given


# ---- boards


def print_text(position: Position, dice: tuple[int, int] | None, rules: Rules) -> None:
    """Print the board itself, in colours where they are wanted."""
    outcome = rules.outcome(position)
    over = "" if outcome is None or position.is_over else ending(outcome)
    board = board_text(
        position, dice=dice, geometry=rules.geometry, bar=rules.contact == "hit", over=over, colour=wants_colour()
    )
    typer.echo(board)  # which makes colours of the codes on Windows, too


def wants_colour() -> bool:
    """Whether the board goes to somebody who sees colours and has not asked for none (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write_pictures(shown: Given | MatchState | None, svg_file: Path | None, png_file: Path | None) -> None:
    """Draw the board into the files that were named."""
    if svg_file is None and png_file is None:
        return
    if shown is None:
        raise RuleError("there is nothing to draw: the position is not known")
    from bgcore.draw import png, svg  # which a board in text has no need to wait for

    options: dict[str, Any] = {}
    what: Position | MatchState
    if isinstance(shown, MatchState):
        what = shown
    else:
        what = shown.position
        options = {"rules": shown.rules}
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


def stage(position: Position, rules: Rules) -> str:
    """Contact, a race, or how the game has ended."""
    outcome = rules.outcome(position)
    if outcome is None:
        return "contact" if rules.is_contact(position) else "race"
    return f"over: {ending(outcome)}"


def ending(outcome: Outcome) -> str:
    """How a game has ended."""
    if outcome.winner is None:
        return "drawn"
    winner = "X" if outcome.winner == "own" else "O"
    if outcome.kind == "mother":
        return f"{winner} has pinned the mother"
    return f"{winner} has won a {'single game' if outcome.kind == 'single' else outcome.kind.replace('_', ' ')}"
