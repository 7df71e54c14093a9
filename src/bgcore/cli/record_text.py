"""A record in words, for the terminal: its entries, one a line, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bgcore.match.header import Header
from bgcore.match.state import MatchState

__all__ = ["entry_text", "print_summary", "side"]

RESIGNED = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
ENDED = {"play": "", "drop": " by a drop", "resignation": " by resignation", "forfeit": " by forfeit", "stuck": ""}


def side(player: int | None) -> str:
    """Player 0 is X, player 1 is O."""
    return "-" if player is None else "XO"[player]


def entry_text(entry: Mapping[str, Any]) -> str:
    """What a line of a record says, in words."""
    return f"{entry['n']:>5}  {_words(entry)}"


def _words(entry: Mapping[str, Any]) -> str:
    who = side(entry.get("player"))
    match entry["kind"]:
        case "match":
            return f"match {entry['id']}"
        case "open_roll":
            return f"one die each: X {entry['dice'][0]}, O {entry['dice'][1]}"
        case "reroll":
            return f"{who} throws {_dice(entry)} again: {entry['reason']}"
        case "roll":
            return f"{who} rolls {_dice(entry)}"
        case "play":
            return f"{who}   {entry['play']}"
        case "pass":
            return f"{who}   cannot move"
        case "next_game":
            return "- next game"
        case "auto_double":
            return f"- the cube shows {entry['cube']}"
        case "offer":
            return f"{who} doubles from {entry['from']} to {entry['to']}"
        case "take" | "beaver" | "raccoon" as answer:
            return f"{who} {answer}s; the cube shows {entry['cube']}"
        case "drop":
            return f"{who} drops"
        case "resign_offer":
            return f"{who} offers to resign {RESIGNED[entry['level']]}"
        case "resign_accept" | "resign_decline" as answer:
            return f"{who} {answer.removeprefix('resign_')}s"
        case "clock":
            return f"{who} clock {_clock(entry)}"
        case "ruling":
            return f"- ruling: {entry['reason']}"
        case "forfeit":
            return f"{who} forfeits {_scope(entry)}: {entry['reason']}"
        case "commit":
            return f"{_who(entry)} commits to {entry['commitment'][:16]}..."
        case "reveal":
            return f"{_who(entry)} reveals {entry['data'] or 'nothing'}"
        case "game_end":
            return f"- {_ending(entry)}; score {entry['score'][0]}-{entry['score'][1]}"
        case "match_end":
            why = f": {entry['reason']}" if "reason" in entry else f", {side(entry['winner'])} has won it"
            return f"- the match ends {entry['score'][0]}-{entry['score'][1]}{why}"
        case kind:
            raise AssertionError(f"no words for {kind!r}")


def _clock(entry: Mapping[str, Any]) -> str:
    left, fallen = entry["left"], entry["fallen"]
    flag = "" if fallen is None else f"; {side(fallen)}'s flag has fallen"
    return f"{entry['event']}, X {_ms(left[0])}, O {_ms(left[1])}{flag}"


def _dice(entry: Mapping[str, Any]) -> str:
    return f"{entry['dice'][0]}-{entry['dice'][1]}"


def _ms(ms: int) -> str:
    """Milliseconds as minutes and seconds."""
    return f"{ms // 60_000}:{ms % 60_000 / 1000:04.1f}"


def _who(entry: Mapping[str, Any]) -> str:
    return "operator" if entry["who"] == "operator" else side(entry["who"])


def _scope(entry: Mapping[str, Any]) -> str:
    points = entry["points"]
    counted = "" if points is None else f" ({points} point{'s' if points > 1 else ''})"
    return {"points": "points", "game": "the game", "match": "the match"}[entry["scope"]] + counted


def _ending(entry: Mapping[str, Any]) -> str:
    """How a game has ended."""
    if entry["winner"] is None:
        return f"game {entry['game']} is drawn"
    what = {"single": "a single game", "mother": "by the mother"}.get(entry["result"], f"a {entry['result']}")
    points = f"{entry['points']} point{'s' if entry['points'] != 1 else ''}"
    return f"game {entry['game']}: {side(entry['winner'])} wins {what}{ENDED[entry['by']]}, {points}"


def print_summary(header: Header, entries: Iterable[Mapping[str, Any]], state: MatchState) -> None:
    """What is played by whom, how each game has ended, and where the match stands."""
    zero, one = header.players
    print(f"Match        {header.match_id}")
    print(f"Game         {state.rules.name}, {_length(header.start)}")
    print(f"Players      X {zero or '(no name)'}, O {one or '(no name)'}")
    for key, value in header.info.items():
        print(f"{key.capitalize():<12.12} {value}")
    print()
    for entry in entries:
        if entry["kind"] in ("game_end", "match_end", "forfeit"):
            print(entry_text(entry))
    print(f"{'':5}  - score {state.score[0]}-{state.score[1]}, {_stage(state)}")


def _length(start: MatchState) -> str:
    if start.series is not None:
        return "a series of games"
    return f"{start.length} point{'s' if start.length > 1 else ''}" if start.length else "money"


def _stage(state: MatchState) -> str:
    """Where the match stands."""
    if state.is_match_over:
        return f"{side(state.winner)} has won"
    if state.is_game_over:
        return f"after game {state.game}"
    crawford = ", the Crawford game" if state.is_crawford else ""
    pending = f", {side(state.to_act)} has to answer a {state.pending}" if state.pending else ""
    return f"game {state.game} goes on{crawford}{pending}"
