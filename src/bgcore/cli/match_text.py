"""A match that was written down, in words for the terminal."""

from __future__ import annotations

import sys
from typing import Any

from bgcore.formats.mat_writing import XG_TEXT, write_mat
from bgcore.match.transcript import Match, Turn
from bgcore.position import Position

__all__ = ["after_turn", "match_values", "print_match", "print_transcript", "turn_text"]

HOW = {
    "played": "",
    "dropped": " by a drop",
    "resigned": " by resignation",
    "settled": " by settlement",
    "time": " on time",
    "forfeited": " by forfeit",
    "unknown": "",
}


def name_of(match: Match, player: int) -> str:
    """A player's name, or which one he is."""
    return match.names[player] or f"player {player}"


def turn_text(match: Match, turn: Turn) -> str:
    """A turn in one line."""
    who = name_of(match, turn.player)
    if turn.action != "play":
        value = f" to {turn.cube}" if turn.cube is not None else ""
        return f"{who} {turn.action}s{value}"
    roll = "an unknown roll" if turn.dice is None else f"{turn.dice[0]}-{turn.dice[1]}"
    if turn.play is not None:
        return f"{who} plays {roll}: {turn.play}" if turn.play.moves else f"{who} cannot move {roll}"
    return f"{who} plays {roll}: {turn.text or '?'}" + (" (illegal)" if turn.is_illegal else " (unknown)")


def after_turn(match: Match, number: int | None) -> Position | None:
    """The position after a turn, counted from 0 over the whole match, seen by the next player; None: unknown.

    Without a number at the end of the match.
    """
    if not match.games:
        return match.rules.start
    steps = [step for game in match.games for step in game.steps()]
    if not steps:
        return match.games[-1].start
    if number is None:
        if not match.games[-1].turns:
            return match.games[-1].start
        number = len(steps) - 1
    step = steps[number]
    return step.turn.result if step.turn.action == "play" else step.position


def print_match(match: Match) -> None:
    """Who has won what, and what was odd."""
    print(f"Players      {name_of(match, 0)}, {name_of(match, 1)}")
    print(f"Game         {match.rules.name}, {f'{match.length} points' if match.length else 'money'}")
    for title, value in (("Date", match.date), ("Event", match.event), ("Site", match.site), ("Round", match.round)):
        if value:
            print(f"{title:<12} {value}")
    print(f"Format       {match.format}")
    print()
    for game in match.games:
        score = f"{game.score[0]}-{game.score[1]}"
        crawford = ", Crawford" if game.crawford else ""
        print(f"Game {game.number:<3} at {score:<7} {len(game.turns):>4} turns  {_end(match, game.end)}{crawford}")
    winner = f", {name_of(match, match.winner)} has won" if match.winner is not None else ""
    print(f"Score        {match.score[0]}-{match.score[1]}{winner}")
    for note in match.notes:
        print(f"Note         {note}")


def _end(match: Match, end: Any) -> str:
    if end is None:
        return "goes on"
    kind = "a single game" if end.kind == "single" else f"a {end.kind}"
    points = f"{end.points} point{'s' if end.points != 1 else ''}"
    return f"{name_of(match, end.winner)} wins {kind}{HOW[end.how]}, {points}"


def print_transcript(match: Match) -> None:
    """Every turn, as transcripts have them."""
    sys.stdout.write(write_mat(match, XG_TEXT).lstrip("\ufeff").replace("\r\n", "\n"))
    for note in match.notes:
        print(f"Note         {note}")


def match_values(match: Match, turns: bool) -> dict[str, Any]:
    """What `print_match` tells, as values for JSON; with every turn if wanted."""
    return {
        "kind": match.format,
        "names": list(match.names),
        "rules": match.rules.name,
        "length": match.length,
        "date": match.date,
        "event": match.event,
        "site": match.site,
        "round": match.round,
        "score": list(match.score),
        "winner": match.winner,
        "games": [
            {
                "number": game.number,
                "score": list(game.score),
                "crawford": game.crawford,
                "turns": [_turn_values(turn) for turn in game.turns] if turns else len(game.turns),
                "end": None if game.end is None else game.end._asdict(),
            }
            for game in match.games
        ],
        "notes": [str(note) for note in match.notes],
    }


def _turn_values(turn: Turn) -> dict[str, Any]:
    told: dict[str, Any] = {"player": turn.player, "action": turn.action}
    if turn.action == "play":
        told["dice"] = None if turn.dice is None else list(turn.dice)
        told["play"] = turn.text if turn.play is None else str(turn.play)
        told["legality"] = "legal" if turn.play is not None else "illegal" if turn.is_illegal else "unknown"
    elif turn.cube is not None:
        told["cube"] = turn.cube
    return told
