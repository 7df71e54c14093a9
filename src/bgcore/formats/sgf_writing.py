"""GNU Backgammon's SGF, written: one tree a game; what a node held beside when it was read is written back."""

from __future__ import annotations

from collections.abc import Iterator

from bgcore.formats.meaning import as_moved
from bgcore.formats.play_text import read_play
from bgcore.formats.sgf import UNKNOWN, VARIATIONS
from bgcore.formats.tags import VARIANTS
from bgcore.match.opening import Player
from bgcore.match.transcript import Game, Match, Step, Turn
from bgcore.position import Position
from bgcore.rules import BACKGAMMON

__all__ = ["write_sgf"]

SEATS = "WB"
VARIATION = {VARIANTS[name]: word for word, name in VARIATIONS.items()}
MOST_MOVES = 4


def write_sgf(match: Match) -> str:
    """Write all games of a match.

    Parameters
    ----------
    match : Match

    Returns
    -------
    str
    """
    return "".join(f"({''.join(game_nodes(match, game))})\n" for game in match.games or (Game(),))


def game_nodes(match: Match, game: Game) -> Iterator[str]:
    """The nodes of one game."""
    yield root(match, game)
    usual = match.rules.start if match.rules in VARIATION else BACKGAMMON.start
    if game.start != usual or game.cube != 1 or game.owner is not None:
        first: Player = game.turns[0].player if game.turns else 0
        yield "\n;" + board(game.start) + f"PL[{SEATS[first]}]CV[{game.cube}]CP[{cube_place(game.owner)}]"
    for step in game.steps():
        yield "\n;" + node(step)


def root(match: Match, game: Game) -> str:
    """The first node: the head of a game."""
    zero, one = game.score
    words = [
        "FF[4]GM[6]CA[UTF-8]AP[bgcore]",
        f"MI[length:{match.length}][game:{game.number - 1}][ws:{zero}][bs:{one}]",
    ]
    info = dict(match.info)
    for name, value in (
        ("PW", match.names[0]),
        ("PB", match.names[1]),
        ("WR", info.get("WR", "") or rating(match, 0)),
        ("BR", info.get("BR", "") or rating(match, 1)),
        ("DT", match.date),
        ("EV", match.event),
        ("RO", match.round),
        ("PC", match.site),
        ("AN", info.get("AN", "")),
        ("GC", info.get("GC", "")),
    ):
        if value:
            words.append(f"{name}[{escaped(value)}]")
    rules = [
        word
        for word, holds in (
            ("NoCube", not match.use_cube),
            ("Crawford", match.crawford and match.length > 0),
            ("CrawfordGame", game.crawford),
            ("Jacoby", match.jacoby and not match.length),
            (VARIATION.get(match.rules, ""), match.rules in VARIATION),
        )
        if holds
    ]
    if rules:
        words.append(f"RU[{':'.join(rules)}]")
    if game.end is not None:
        by = "" if game.end.how in ("played", "dropped") else "R"
        words.append(f"RE[{SEATS[game.end.winner]}+{game.end.points}{by}]")
    if game.comment:
        words.append(f"C[{escaped(game.comment)}]")
    return ";" + "".join(words) + game.kept


def rating(match: Match, player: Player) -> str:
    """A rating, if there is one."""
    value = match.ratings[player]
    return "" if value is None else f"{value:.2f}"


def node(step: Step) -> str:
    """A turn."""
    turn = step.turn
    seat = SEATS[turn.player]
    behind = ""
    if turn.action == "play":
        moves = moves_of(turn)
        value = roll(turn) + letters(moves, turn.player)
        behind = setup_behind(step)
        if turn.is_unknown and not moves:
            value += f"]{UNKNOWN}[{escaped(turn.text)}"
    else:
        value = {"beaver": "double", "raccoon": "double"}.get(turn.action, turn.action)
    comment = f"C[{escaped(turn.comment)}]" if turn.comment else ""
    return f"{seat}[{value}]{turn.kept}{comment}{behind}"


def roll(turn: Turn) -> str:
    """The dice."""
    return "" if turn.dice is None else f"{turn.dice[0]}{turn.dice[1]}"


def moves_of(turn: Turn) -> list[tuple[int, int]]:
    """Source and target of each move, as far as they are known and the format has room."""
    if turn.play is not None:
        return [(source, target) for source, target, _, _ in turn.play.moves]
    moves = read_play(turn.text).moves
    return list(moves) if len(moves) <= MOST_MOVES else []


def setup_behind(step: Step) -> str:
    """After an illegal play that its moves don't tell: the position it left, in a node of its own."""
    turn = step.turn
    if not turn.is_illegal or turn.result is None:
        return ""
    moves = moves_of(turn)
    if step.position is not None:
        told = as_moved(step.position, moves) if moves else step.position.flipped()
        if told == turn.result:
            return ""
    position = turn.result if turn.player == 1 else turn.result.flipped()
    return f"\n;{board(position)}PL[{SEATS[1 - turn.player]}]"


def letters(moves: list[tuple[int, int]], player: Player) -> str:
    """Moves as pairs of letters."""
    return "".join(letter(source, player, "y") + letter(target, player, "z") for source, target in moves)


def letter(point: int, player: Player, beyond: str) -> str:
    """A point of a player's own numbering as a letter; the bar or off as given."""
    if point in (0, 25):
        return beyond
    return chr(ord("a") + (point if player == 0 else 25 - point) - 1)


def board(position: Position) -> str:
    """Setup properties for a position that player 0 sees."""
    words = ["AE[a:y]"]
    for player, counts in enumerate(position.counts.tolist()):
        seat: Player = 1 if player else 0
        points = [
            f"[{letter(slot, seat, 'z' if slot == 0 else 'y')}]" * count for slot, count in enumerate(counts) if count
        ]
        words.append(f"A{SEATS[player]}" + "".join(points))
    return "".join(words)


def cube_place(owner: Player | None) -> str:
    """Whose the cube is."""
    return "c" if owner is None else SEATS[owner].lower()


def escaped(text: str) -> str:
    """A text as a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
