"""``bgcore show``: a position as a board and in numbers."""

from __future__ import annotations

from bgcore.cli.arguments import Given, PositionArgument, RulesOption, has_ids, read_position, words
from bgcore.draw.board_text import board_text
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
)

PENDING = {"D": "has doubled", "B": "has beavered", "R": "has raccooned"}


def run(position: PositionArgument, rules: RulesOption = None) -> None:
    """Print the board and what is known about it."""
    print_board(read_position(position, rules))


def print_board(given: Given) -> None:
    """Print the board of a position, then a line for each thing known about it."""
    position, rules = given.position, given.rules
    own, opp = position.pips
    outcome = rules.outcome(position)
    over = "" if outcome is None or position.is_over else ending(outcome)
    print(board_text(position, dice=given.dice, geometry=rules.geometry, bar=rules.contact == "hit", over=over))
    print()
    print(f"Game         {rules.name}")
    if has_ids(rules):
        print(f"Position ID  {position.gnubg_id}")
    print(f"Packed       {words(position)}")
    print(f"Pips         X {own}, O {opp}")
    print(f"Stage        {stage(given)}")
    if given.xgid is not None:
        print(f"Score        {score(given.xgid)}")


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
