"""``bgcore moves``: the legal plays of a roll, or whether one play is legal."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from bgcore.cli.arguments import Given, PositionArgument, RulesOption, read_position, written
from bgcore.dice import parse_roll
from bgcore.errors import FormatError, IllegalPlay
from bgcore.play import Play

NAME = "moves"
SUMMARY = "List the legal plays of a roll, or judge one."
HELP = (
    "List every legal play of a roll, each with the Position ID that it leads to, seen by the player who rolls next; "
    "games that pin or move parallel have none, and print the packed words. "
    "With --check, say whether a play is legal, and if not why not (exit status 1)."
)
EXAMPLES = (
    "bgcore moves start --dice 31",
    'bgcore moves "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"',
    'bgcore moves start --dice 31 --check "8/5 6/5"',
    "bgcore moves start --rules plakoto --dice 21",
)


def run(
    position: PositionArgument,
    dice: Annotated[
        str | None, typer.Option("--dice", metavar="ROLL", help="Such as 31, 3-1 or 66; not needed if POSITION has it.")
    ] = None,
    check: Annotated[
        str | None, typer.Option("--check", metavar="PLAY", help='A play to judge, such as "8/5 6/5" or "bar/22*".')
    ] = None,
    rules: RulesOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Print the legal plays, or the verdict on one."""
    given = read_position(position, rules)
    roll = given.dice if dice is None else parse_roll(dice)
    if roll is None:
        due = given.state is not None and given.state.phase == "offered"
        said = "an answer to the cube is due in this position" if due else "no roll is given"
        raise FormatError(f"{said}; say which one with --dice, for example --dice 31")
    if check is None:
        list_plays(given, roll, as_json)
    elif not judge(given, roll, check, as_json):
        raise typer.Exit(1)


def list_plays(given: Given, roll: tuple[int, int], as_json: bool) -> None:
    """Print every play and where it leads."""
    plays = given.rules.legal_plays(given.position, roll)
    if as_json:
        answers = [answer(given, play) for play in plays]
        print(json.dumps(question(given, roll) | {"count": len(plays), "plays": answers}))
        return
    larger, smaller = roll
    if not plays:
        print(f"no legal play with {larger}{smaller}: {why_none(given, roll)}")
        return
    print(f"X to play {larger}{smaller}: {len(plays)} legal play{'s' if len(plays) > 1 else ''}")
    width = max(len(str(play)) for play in plays)
    for play in plays:
        print(f"  {play!s:<{width}}  {written(play.result, given.rules)}")


def why_none(given: Given, roll: tuple[int, int]) -> str:
    """Why a roll has no play."""
    if given.rules.outcome(given.position) is not None:
        return "the game is over"
    waiting = given.position.bar[0]
    dice = list(dict.fromkeys(roll))
    either = " or ".join(map(str, dice))
    if not waiting:
        return f"no checker of X can move {either}, so the turn passes"
    bar = f"X has {'a checker' if waiting == 1 else f'{waiting} checkers'} on the bar"
    opponent = given.position.counts[1].tolist()
    # In a contrary game own point 25 - die is the opponent's point die.
    if given.rules.geometry == "contrary" and all(opponent[die] > 1 for die in dice):
        return f"{bar}, and O holds {' and '.join(f'point {25 - die}' for die in dice)}, so the turn passes"
    return f"{bar}, and none can enter with {either}, so the turn passes"


def judge(given: Given, roll: tuple[int, int], text: str, as_json: bool) -> bool:
    """Print whether a play is legal; so is the answer."""
    asked = question(given, roll) | {"asked": text}
    try:
        play = given.rules.check(given.position, roll, text)
    except IllegalPlay as error:
        if as_json:
            print(json.dumps(asked | {"legal": False, "reason": error.reason.name, "message": str(error)}))
        else:
            print(f"illegal: {' '.join(str(error).split())}")
        return False
    if as_json:
        print(json.dumps(asked | {"legal": True} | answer(given, play)))
    else:
        print(f"legal: {str(play) or 'no play, the turn passes'}, leads to {written(play.result, given.rules)}")
    return True


def question(given: Given, roll: tuple[int, int]) -> dict[str, Any]:
    """What was asked, for JSON."""
    return {"position": written(given.position, given.rules), "rules": given.rules.name, "dice": list(roll)}


def answer(given: Given, play: Play) -> dict[str, Any]:
    """A play, for JSON."""
    return {
        "play": str(play),
        "moves": [
            {"source": move.source, "target": move.target, "hit": move.hit, "pin": move.pin} for move in play.moves
        ],
        "result": written(play.result, given.rules),
    }
