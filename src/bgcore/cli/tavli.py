"""``bgcore tavli``: a Tavli match between two who play anything."""

from __future__ import annotations

from typing import Annotated

import typer

from bgcore.errors import RuleError
from bgcore.match.random_game import RandomGame
from bgcore.match.tavli import TAVLI, TavliMatch, best_of_three, play_random, points, tabla_match
from bgcore.rules import get

NAME = "tavli"
SUMMARY = "Play a Tavli match at random."
HELP = (
    "Play a Tavli match to its end with random plays, and print how each game went: Portes, Plakoto and Fevga, best of "
    "three. The dice decide who begins; after that the winner of the last game begins. X is the first player."
)
EXAMPLES = ("bgcore tavli --seed 1", "bgcore tavli --seed 1 --points 5", "bgcore tavli --bulgarian --plays")

NAMES = "XO"


def run(
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same match.")] = 0,
    target: Annotated[
        int | None, typer.Option("--points", min=1, max=99, help="Go round the games until one has so many points.")
    ] = None,
    play_all: Annotated[
        bool, typer.Option("--play-all", help="Play the third game even if the match is decided.")
    ] = False,
    greek: Annotated[
        bool, typer.Option("--greek", help="Portes as in Greek cafes: 1 or 2 points, no hit and run at home.")
    ] = False,
    bulgarian: Annotated[
        bool, typer.Option("--bulgarian", help="Tabla, Gul bara and Tapa instead, to 5 points or as --points says.")
    ] = False,
    plays: Annotated[bool, typer.Option("--plays", help="Print every roll and what was played.")] = False,
) -> None:
    """Print the match."""
    state = chosen(target, play_all, greek, bulgarian)
    match, games = play_random(seed, state)
    print(f"{title(match)}, random plays, seed {seed}")
    if not plays:
        print(f"\n{'':<4}{'game':<14}{'thrown':<14}{'begins':<8}{'rolls':>5}   {'result':<24}{'score':>6}")
    for number, game in enumerate(games, 1):
        state = state.after(game.winner, game.points, game.kind, first=game.opening.first)
        score = f"{state.score[0]}-{state.score[1]}"
        if plays:
            print_plays(number, game)
            print(f"{result(game)} after {game.rolls} rolls; score {score}")
        else:
            begins = NAMES[game.opening.first]
            print(
                f"{number:<4}{game.rules.name:<14}{throws(game):<14}{begins:<8}{game.rolls:>5}   "
                f"{result(game):<24}{score:>6}"
            )
    assert match.winner is not None
    print(f"\n{NAMES[match.winner]} wins the match {max(match.score)}-{min(match.score)}")


def chosen(target: int | None, play_all: bool, greek: bool, bulgarian: bool) -> TavliMatch:
    """The match that the options ask for, before its first game."""
    if play_all and (bulgarian or target is not None):
        raise RuleError("--play-all goes with the best of three; a match to points ends when somebody has them")
    if greek and bulgarian:
        raise RuleError("--greek and --bulgarian are different games")
    if bulgarian:
        return tabla_match() if target is None else tabla_match(target)
    games = (get("portes", preset="greek"), *TAVLI[1:]) if greek else TAVLI
    return best_of_three(games=games, play_all=play_all) if target is None else points(target, games=games)


def title(match: TavliMatch) -> str:
    """What is played."""
    names = ", ".join(rules.name for rules in match.games)
    return f"{names}: {'best of three' if match.target is None else f'first to {match.target}'}"


def throws(game: RandomGame) -> str:
    """The throws of one die each, X's first; a dash if it was settled who begins."""
    return " ".join(f"{zero}-{one}" for zero, one in game.opening.throws[-3:]) or "-"


def result(game: RandomGame) -> str:
    """Who won, how, and for how much."""
    if game.winner is None:
        return "drawn"
    return f"{NAMES[game.winner]} {game.kind}, {game.points} point{'s' if game.points > 1 else ''}"


def print_plays(number: int, game: RandomGame) -> None:
    """Print every roll of a game."""
    print(f"\nGame {number}, {game.rules.name}: ", end="")
    if game.opening.throws:
        print(f"one die each {throws(game)}, ", end="")
    print(f"{NAMES[game.opening.first]} begins")
    for turn in game.turns:
        larger, smaller = turn.dice
        dice = f"{larger}{smaller}" if not turn.context else f"{larger} x{turn.context}"
        left = " (left over)" if turn.part == "owed" else ""
        print(f"  {NAMES[turn.player]} {dice}: {'passes' if turn.play is None else turn.play}{left}")
