"""Matches and games as HTML, for notebooks: the games of a match, the turns of a game and where it ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bgcore.draw.board_svg import svg
from bgcore.match.transcript import Game, Match, Turn

__all__ = ["game_html", "match_html"]

GAMES = 100
TURNS = 400
NOTES = 5
TEXT = 200
"""Characters of one name, note or odd text that are shown."""

CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0"


def match_html(match: Match) -> str:
    """A table with a line for each game, the head of the file, and what was odd in it.

    Returns
    -------
    str
        No script, nothing from outside; whatever the file said is escaped, and cut where it is long.
    """
    names = _names(match)
    head = [f"<b>{escape(names[0])}</b> – <b>{escape(names[1])}</b>", _played_for(match)]
    head += [escape(_cut(text)) for text in (match.event, match.round, match.site, match.date) if text]
    rows = []
    for place, game in enumerate(match.games[:GAMES]):
        zero, one = game.score
        rows.append(
            [
                f"games[{place}]",
                f"{zero}–{one}" + (", Crawford" if game.crawford else ""),
                str(sum(turn.action == "play" for turn in game.turns)),
                str(max([game.cube, *(step.cube for step in game.steps())])),
                *_end(game, names),
            ]
        )
    parts = [f"<p>{', '.join(head)}</p>"]
    parts.append(_table(["", "score", "rolls", "cube", "won by", "points", "how"], rows))
    parts.append(_more(len(match.games) - GAMES, "game"))
    zero, one = match.score
    parts.append(f"<p>Score: {zero}–{one}</p>" if match.games else "")
    if match.notes:
        notes = "".join(f"<li>{escape(_cut(str(note)))}</li>" for note in match.notes[:NOTES])
        parts.append(f"<p>What was odd:</p><ul>{notes}</ul>{_more(len(match.notes) - NOTES, 'note')}")
    return f"<div>{''.join(parts)}</div>"


def game_html(game: Game) -> str:
    """The last position, and the turns in two columns as in a transcript.

    Returns
    -------
    str
        As `match_html`.
    """
    rows: list[list[str]] = []
    for turn in game.turns[:TURNS]:
        if turn.player == 0 or not rows or rows[-1][2]:
            rows.append([str(len(rows) + 1), "", ""])
        rows[-1][1 + turn.player] = _turn(turn)
    winner, points, how = _end(game, ("player 0", "player 1"))
    end = f"{winner} wins {points} point{'' if points == '1' else 's'}: {how}" if winner else how
    result = game.result
    picture = "" if result is None else svg(result, size=320)
    parts = [
        f"<p>Game {game.number}, score {game.score[0]}–{game.score[1]}{', Crawford' if game.crawford else ''}</p>",
        picture,
        f"<p>{end}</p>",
        _table(["", "player 0", "player 1"], rows),
        _more(len(game.turns) - TURNS, "turn"),
    ]
    return f"<div>{''.join(parts)}</div>"


def _names(match: Match) -> tuple[str, str]:
    zero, one = match.names
    return _cut(zero) or "player 0", _cut(one) or "player 1"


def _played_for(match: Match) -> str:
    game = "" if match.rules.name == "backgammon" else f" ({match.rules.name})"
    return (f"match to {match.length}" if match.length else "money") + game


def _end(game: Game, names: Sequence[str]) -> list[str]:
    """Who won, how many points, and how."""
    if game.end is None:
        return ["", "", "unfinished"]
    end = game.end
    kind = "" if end.kind == "single" else f"{end.kind}, "
    return [escape(names[end.winner]), str(end.points), kind + end.how]


def _turn(turn: Turn) -> str:
    """A turn as a transcript has it."""
    if turn.action != "play":
        return turn.action + (f" to {turn.cube}" if turn.cube is not None else "")
    dice = "" if turn.dice is None else f"{turn.dice[0]}{turn.dice[1]}: "
    if turn.play is not None:
        return dice + (escape(str(turn.play)) or "no play")
    return f"{dice}{escape(_cut(turn.text))} <i>({'illegal' if turn.is_illegal else 'unknown'})</i>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Cells are HTML."""
    head = "".join(f"<th style='{CELL}'>{text}</th>" for text in heads)
    lines = "".join("<tr>" + "".join(f"<td style='{CELL}'>{text}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _more(number: int, what: str) -> str:
    return f"<p>and {number:,} more {what}{'' if number == 1 else 's'}</p>" if number > 0 else ""


def _cut(text: str) -> str:
    return text if len(text) <= TEXT else text[:TEXT] + " …"
