"""Transcripts, written: GNU Backgammon's dialect (``.mat``), which every importer takes, and XG's text (``.txt``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bgcore.errors import BgcoreError, FormatError
from bgcore.formats.meaning import as_moved
from bgcore.formats.play_text import hop_by_hop, read_play, spans
from bgcore.formats.seats import Seat, SeatedPosition
from bgcore.formats.snowie import line_of_position
from bgcore.formats.tags import plain, write_tags
from bgcore.match.opening import Player, other
from bgcore.match.transcript import Game, Match, Turn
from bgcore.play import Play
from bgcore.position import Position

__all__ = ["GNUBG", "XG_TEXT", "Dialect", "write_mat"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program writes transcripts."""

    spell: Callable[[Play], str]
    dance: str
    """What stands for a roll that cannot be played."""
    width: int
    """Of the left cell."""
    line_end: str
    mark: str
    """What the file begins with."""
    plural: str


GNUBG = Dialect(hop_by_hop, "", 27, "\n", "", "s")
XG_TEXT = Dialect(spans, "Cannot Move", 33, "\r\n", "\ufeff", "")


def write_mat(match: Match, dialect: Dialect = GNUBG) -> str:
    """Write a transcript.

    Parameters
    ----------
    match : Match
    dialect : Dialect
        `GNUBG` or `XG_TEXT`.

    Returns
    -------
    str
        With the dialect's line ends.

    Raises
    ------
    FormatError
        A game starts from a position that no transcript can hold.
    """
    lines = [*write_tags(match), *(f"; {plain(line)}" for line in match.comment.split("\n") if plain(line))]
    lines += ["", f" {match.length} point match"]
    for number, game in enumerate(match.games):
        lines += ["", *start_lines(match, game), f" Game {game.number}", names_line(match, game, dialect)]
        lines += game_lines(match, game, dialect, is_last=number == len(match.games) - 1)
    return dialect.mark + dialect.line_end.join([*lines, ""])


def start_lines(match: Match, game: Game) -> Iterator[str]:
    """XG's comment about a game that does not begin at the start."""
    if game.start == match.rules.start and game.cube == 1:
        return
    try:
        line = SeatedPosition.from_position(game.start, Seat.A).to_line()
    except BgcoreError as error:
        raise FormatError(f"game {game.number}: a transcript cannot hold its first position: {error}") from None
    letters = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in line)
    log = game.cube.bit_length() - 1
    yield f"; Set Pos={letters}/{0 if game.owner is None else log if game.owner == 0 else -log}"


def names_line(match: Match, game: Game, dialect: Dialect) -> str:
    """Names and score."""
    left, right = (f"{plain(name)} : {points}" for name, points in zip(match.names, game.score, strict=True))
    return f" {left:<{dialect.width + 3}} {right}" if len(left) < dialect.width + 3 else f" {left}     {right}"


def game_lines(match: Match, game: Game, dialect: Dialect, is_last: bool) -> Iterator[str]:
    """The rows of a game and its result."""
    rows: list[list[str | None]] = []
    befores = [step.position for step in game.steps()] if any(turn.is_illegal for turn in game.turns) else None
    for number, turn in enumerate(game.turns):
        if not rows or turn.player == 0 or rows[-1][1] is not None:
            rows.append([None, None])
        rows[-1][turn.player] = cell(turn, dialect)
        if befores is not None and turn.is_illegal and not is_told(turn, befores[number]):
            rows[-1][turn.player] = illegal_cell(match, turn)
    result = result_text(match, game, dialect, is_last)
    winner: Player | None = None if game.end is None else game.end.winner
    if winner == 1 and rows and rows[-1][1] is None:
        # GNU Backgammon takes a line of its own behind a drop of the left player for another double.
        rows[-1][1] = " " + result
        winner = None
    for number, (left, right) in enumerate(rows, 1):
        text = f"{number:3d}) {left or '':<{dialect.width}} {right or ''}"
        yield text.rstrip() if right is None and not (left or "").endswith(":") else text
    if winner is not None:
        yield " " * (6 if winner == 0 else dialect.width + 7) + result


def is_told(turn: Turn, before: Position | None) -> bool:
    """Whether the text of an illegal play tells the position that it left."""
    written = read_play(turn.text)
    if before is None or written.unknown:
        return False
    return turn.result == (as_moved(before, written.moves) if written.moves else before.flipped())


def illegal_cell(match: Match, turn: Turn) -> str:
    """A roll and the position behind an illegal play that its text doesn't tell."""
    assert turn.result is not None
    assert turn.dice is not None
    opponent = other(turn.player)
    line = line_of_position(turn.result, match.names[opponent], match.names[turn.player], opponent)
    return f"{turn.dice[0]}{turn.dice[1]}: Illegal play ({line})"


def cell(turn: Turn, dialect: Dialect) -> str:
    """What a player did."""
    if turn.action != "play":
        words = {"take": " Takes", "drop": " Drops"}
        return words.get(turn.action) or f" {turn.action.capitalize()}s => {turn.cube or ''}".rstrip()
    roll = "" if turn.dice is None else f"{turn.dice[0]}{turn.dice[1]}:"
    text = plain("".join(c if c.isprintable() or c.isspace() else "?" for c in turn.text))
    if turn.play is not None:
        text = dialect.spell(turn.play) if len(turn.play) else dialect.dance
    return f"{roll} {text}" if text else roll


def result_text(match: Match, game: Game, dialect: Dialect, is_last: bool) -> str:
    """Wins n points."""
    if game.end is None:
        return ""
    points = game.end.points
    final = is_last and match.length and game.score[game.end.winner] + points >= match.length
    plural = "s" if dialect.plural and points != 1 else ""
    return f"Wins {points} point{plural}{' and the match' if final else ''}"
