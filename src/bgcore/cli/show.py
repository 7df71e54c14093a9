"""``bgcore show``: a position as a board and in numbers."""

from __future__ import annotations

from bgcore.cli.arguments import Given, PositionArgument, RulesOption, read_position
from bgcore.draw.board_text import board_text
from bgcore.formats.seats import Seat
from bgcore.formats.xgid import Xgid

NAME = "show"
SUMMARY = "Draw a position."
HELP = "Draw a position, and print its Position ID, packed words and pips. The player on roll is X, at the bottom."
EXAMPLES = (
    'bgcore show "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"',
    "bgcore show 4HPwATDgc/ABMA",
    "bgcore show nackgammon",
)

PENDING = {"D": "has doubled", "B": "has beavered", "R": "has raccooned"}


def run(position: PositionArgument, rules: RulesOption = None) -> None:
    """Print the board and what is known about it."""
    given = read_position(position, rules)
    own, opp = given.position.pips
    print(board_text(given.position, dice=given.dice))
    print()
    print(f"Game         {given.rules.name}")
    print(f"Position ID  {given.position.gnubg_id}")
    print(f"Packed       {' '.join(f'{word:#x}' for word in given.position.packed.tolist())}")
    print(f"Pips         X {own}, O {opp}")
    print(f"Stage        {stage(given)}")
    if given.xgid is not None:
        print(f"Score        {score(given.xgid)}")


def stage(given: Given) -> str:
    """Contact, a race, or how the game has ended."""
    outcome = given.rules.outcome(given.position)
    if outcome is None:
        return "contact" if given.rules.is_contact(given.position) else "race"
    kind = "single game" if outcome.kind == "single" else outcome.kind
    return f"over: {'X' if outcome.winner == 'own' else 'O'} has won a {kind}"


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
