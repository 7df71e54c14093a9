"""GNU Backgammon's SGF (``GM[6]``): one tree a game, read into a match and written from it.

Analysis, statistics and whatever else a node holds are kept as they stood and written back; only dice, plays, cube
actions, setup, comments and the head of a game are understood.  White is player 0.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bgcore.errors import BgcoreError
from bgcore.formats.building import GameBuilder, MatchBuilder, Notes, quoted
from bgcore.formats.play_text import PlayText
from bgcore.formats.tags import VARIANTS
from bgcore.match.opening import Player
from bgcore.match.transcript import Ending, Match, TurnAction
from bgcore.position import Position

__all__ = ["UNKNOWN", "VARIATIONS", "is_sgf", "read_sgf"]

DEEPEST = 10_000
"""Trees inside trees; GNU Backgammon writes none."""
MOST_VALUES = 4_000_000
"""Nodes, properties and values of a file; an analysed match to 7 points has some 5,000."""
IDENT = re.compile(r"[A-Za-z]+")
VALUE = re.compile(r"\s*\[([^\\\]]*(?:\\.[^\\\]]*)*)\]", re.DOTALL)
BLANK = re.compile(r"\s*")
PLAY = re.compile(r"([1-6])([1-6])((?:[a-z][a-z]){0,8})")
RESULT = re.compile(r"([WB])\+([0-9]{1,9})(R?)")
ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
NUMBER = re.compile(r"-?[0-9]{1,9}")
RATING = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")

UNKNOWN = "UNKNOWNPLAY"
"""A property of our own, with the text that stood for a play that nobody knows; other programs pass over it."""
PLAYERS: dict[str, Player] = {"W": 0, "B": 1}
ACTIONS: dict[str, TurnAction] = {"double": "double", "take": "take", "drop": "drop", "pass": "drop"}
VARIATIONS = {
    "Nackgammon": "nackgammon",
    "Hypergammon1": "hypergammon (1)",
    "Hypergammon2": "hypergammon (2)",
    "Hypergammon3": "hypergammon (3)",
}
ROOT = {"MI", "PW", "PB", "WR", "BR", "DT", "EV", "RO", "PC", "AN", "GC", "RU", "RE", "FF", "GM", "CA", "AP", "CV"}
SETUP = {"AE", "AW", "AB", "PL", "DI", "CV", "CP", "CO"}


class Property(NamedTuple):
    """A property of a node."""

    name: str
    values: list[str]
    """With their escapes."""
    raw: str
    """As it stood."""


class Node(NamedTuple):
    """A node of the main line."""

    properties: list[Property]
    offset: int


def is_sgf(text: str) -> bool:
    """Whether a text looks like an SGF of backgammon."""
    head = text[:4096].lstrip()
    return head.startswith("(") and re.match(r"\(\s*;", head) is not None and "GM[6]" in head


def read_sgf(text: str, notes: Notes) -> Match:
    """Read the games of a file.

    Parameters
    ----------
    text : str
    notes : Notes
        Told what is odd; with ``strict`` it raises at the first.

    Returns
    -------
    Match

    Raises
    ------
    FormatError
        No SGF, or of another game; `.offset` counts characters.
    """
    match = MatchBuilder(notes, "sgf")
    at = 0
    count = 0
    budget = [MOST_VALUES]
    while True:
        start = text.find("(", at)
        if start < 0:
            break
        nodes, at = read_tree(text, start, notes, budget)
        if nodes:
            read_game(match, nodes, is_first=count == 0)
            count += 1
    if not count:
        notes.refuse("no SGF of backgammon: there is no game tree with GM[6]", offset=0)
    return match.done()


def read_tree(text: str, start: int, notes: Notes, budget: list[int]) -> tuple[list[Node], int]:
    """The main line of the tree that begins at a bracket, and the place behind the tree; what it uses of the budget."""
    nodes: list[Node] = []
    at, depth, main = start, 0, 0  # main: how deep the line is followed
    closed = False  # a tree of the main line has closed: those beside it are variations
    end = len(text)
    variations = 0
    while True:
        at = BLANK.match(text, at).end()  # type: ignore[union-attr]
        if at >= end:
            notes.odd("the file ends inside a game tree", offset=end)
            break
        c = text[at]
        if c == "(":
            depth += 1
            if depth > DEEPEST:
                notes.refuse(f"trees inside trees, more than {DEEPEST} deep", offset=at)
            if closed:
                variations += 1
            else:
                main = depth
            at += 1
        elif c == ")":
            if depth == main:
                closed = True
            depth -= 1
            at += 1
            if depth == 0:
                break
            main = min(main, depth) if closed else main
        elif c == ";":
            properties, after = read_node(text, at + 1, notes, budget)
            if not closed:
                nodes.append(Node(properties, at))
            at = after
        else:
            notes.refuse(f"{quoted(text[at : at + 20])} where a node or a bracket belongs", offset=at)
    if variations:
        notes.remark(f"{variations} variations beside the main line are left out", offset=start)
    return nodes, at


def read_node(text: str, at: int, notes: Notes, budget: list[int]) -> tuple[list[Property], int]:
    """The properties of a node, and the place behind them."""
    properties: list[Property] = []
    while True:
        budget[0] -= 1
        if budget[0] < 0:
            notes.refuse(f"more than {MOST_VALUES} nodes, properties and values", offset=at)
        at = BLANK.match(text, at).end()  # type: ignore[union-attr]
        ident = IDENT.match(text, at)
        if ident is None:
            return properties, at
        values: list[str] = []
        after = ident.end()
        while value := VALUE.match(text, after):
            values.append(value[1])
            after = value.end()
            budget[0] -= 1
        if not values:
            if text[after : after + 1] == "[":
                notes.odd(f"the value of {ident[0][:20]} has no end", offset=after)
                return properties, len(text)
            notes.odd(f"{quoted(ident[0])} without a value", offset=at)
        else:
            properties.append(Property("".join(c for c in ident[0] if c.isupper()), values, text[at:after]))
        at = after


def plain(value: str) -> str:
    """A value without its escapes."""
    return ESCAPE.sub(lambda match: "" if match[1] in "\r\n\n\r" else match[1], value)


# ---- a game -------------------------------------------------------------------------------------------------------


def read_game(match: MatchBuilder, nodes: list[Node], is_first: bool) -> None:
    """One tree."""
    notes = match.notes
    root, offset = nodes[0]
    head = {item.name: item.values for item in root}
    if head.get("GM", ["6"])[0].strip() != "6":
        notes.refuse(f"GM[{head['GM'][0][:10]}] is another game; backgammon is GM[6]", offset=offset)
    info = {}
    for value in head.get("MI", []):
        name, _, number = value.partition(":")
        if NUMBER.fullmatch(number.strip()):
            info[name.strip()] = int(number)
        else:
            notes.odd(f"MI[{value[:40]}]: {name[:20]} is no number", offset=offset)
    rules = head.get("RU", [""])[0].split(":")
    if is_first:
        read_head(match, head, info, rules, offset)
    elif info.get("length", match.length) != match.length:
        notes.odd(f"a game of a match to {info['length']} after one to {match.length}", offset=offset)
    cube = number_of(head, "CV", 1)
    if cube < 1 or cube & (cube - 1) or cube > 2**30:
        notes.odd(f"CV[{cube}]: a cube is a power of two", offset=offset)
        cube = 1
    game = match.game(
        (info.get("ws", 0), info.get("bs", 0)),
        number=info.get("game", len(match.games)) + 1,
        crawford="CrawfordGame" in rules,
        cube=cube,
        kept="".join(item.raw.strip() for item in root if item.name not in ROOT | {"C"} | SETUP),
        comment="\n".join(plain(item.values[0]) for item in root if item.name == "C"),
        offset=offset,
    )
    if any(item.name in SETUP - {"CV"} for item in root):
        set_up(game, root, offset)
    for node in nodes[1:]:
        read_turn(game, node)
    if "RE" in head:
        result = RESULT.match(head["RE"][0].strip())
        if result is not None:
            how: Ending = "resigned" if result[3] else "unknown"
            game.wins(PLAYERS[result[1]], int(result[2]), how, offset=offset)
        elif head["RE"][0].strip() not in ("", "?", "Void"):
            notes.odd(f"RE[{head['RE'][0][:20]}] is no result", offset=offset)
    match.end_game()


def read_head(
    match: MatchBuilder, head: dict[str, list[str]], info: dict[str, int], rules: list[str], offset: int
) -> None:
    """What the first game says of the match."""

    def text(name: str) -> str:
        return " ".join(plain(head[name][0]).split()) if name in head else ""

    match.set_length(info.get("length", 0), offset=offset)
    match.names = text("PW"), text("PB")
    match.crawford = "Crawford" in rules or "CrawfordGame" in rules
    match.jacoby = ("Jacoby" in rules) if not match.length else None
    fields = {"date": text("DT"), "event": text("EV"), "site": text("PC"), "round": text("RO")}
    match.fields |= fields
    match.fields["use_cube"] = "NoCube" not in rules
    ratings = [float(text(name)) if RATING.fullmatch(text(name)) else None for name in ("WR", "BR")]
    match.fields["ratings"] = ratings[0], ratings[1]
    others = ["AN", "GC", "AP", *(name for name, rating in zip(("WR", "BR"), ratings, strict=True) if rating is None)]
    match.fields["info"] = tuple((name, text(name)) for name in others if text(name))
    for rule in rules:
        if rule in VARIATIONS:
            match.rules = VARIANTS[VARIATIONS[rule]]
        elif rule not in ("", "NoCube", "Crawford", "CrawfordGame", "Jacoby"):
            match.notes.odd(f"RU[{rule[:20]}] is not known", offset=offset)


def number_of(head: dict[str, list[str]], name: str, default: int) -> int:
    """A property that is a number."""
    value = head.get(name, [""])[0].strip()
    return int(value) if NUMBER.fullmatch(value) else default


def read_turn(game: GameBuilder, node: Node) -> None:
    """A node behind the root."""
    properties, offset = node
    if any(item.name in SETUP for item in properties):
        set_up(game, properties, offset)
    comment = "\n".join(plain(item.values[0]) for item in properties if item.name == "C")
    move = next((item for item in properties if item.name in PLAYERS), None)
    if move is None:
        if any(item.name not in SETUP for item in properties):
            game.notes.remark("a node without a play is left out", offset=offset, game=game.place)
        return
    passed_over = SETUP | {"C", UNKNOWN}
    kept = "".join(item.raw.strip() for item in properties if item is not move and item.name not in passed_over)
    player = PLAYERS[move.name]
    value = plain(move.values[0]).strip()
    if value in ACTIONS:
        action = ACTIONS[value]
        if action == "double" and game.offered is not None and player != game.doubler:
            action = "beaver" if game.turns[-1].action == "double" else "raccoon"
        elif action == "double" and game.offered is not None and game.turns[-1].action == "beaver":
            action = "raccoon"
        game.about_cube(player, action, comment=comment, kept=kept, offset=offset)
        return
    play = PLAY.fullmatch(value)
    moves = () if play is None else moves_of(play[3], player)
    if play is None or moves is None:
        game.notes.odd(f"{move.name}[{value[:40]}] is no play", offset=offset, game=game.place)
        return
    written = PlayText(" ".join(f"{source}/{target}" for source, target in moves), moves)
    unknown = next((item for item in properties if item.name == UNKNOWN), None)
    if unknown is not None:
        written = PlayText(plain(unknown.values[0]), unknown=True)
    game.roll(player, (int(play[1]), int(play[2])), written, comment=comment, kept=kept, offset=offset)


def moves_of(letters: str, player: Player) -> tuple[tuple[int, int], ...] | None:
    """Sources and targets, in the mover's numbering; None if a letter means nothing there."""
    points = [point_of(letter, player) for letter in letters]
    sources, targets = points[::2], points[1::2]
    if 0 in sources or 25 in targets or -1 in points:
        return None
    return tuple(zip(sources, targets, strict=True))


def point_of(letter: str, player: Player) -> int:
    """A letter as a point of the player's own numbering: y is the bar, z off."""
    if letter > "x":
        return 25 if letter == "y" else 0
    number = ord(letter) - ord("a") + 1
    return number if player == 0 else 25 - number


def set_up(game: GameBuilder, properties: list[Property], offset: int) -> None:
    """Checkers, cube and turn, as a setup node puts them."""
    game.where = {"line": None, "offset": offset}
    counts = [[0] * 26, [0] * 26]
    cleared = any(item.name == "AE" for item in properties)
    if not cleared and game.board is not None:
        own, opp = game.board.counts.tolist()
        counts = [own, opp] if game.sees == 0 else [opp, own]
    turn: Player | None = None
    cube: int | None = None
    owner: Player | None = game.owner
    for name, values, raw in properties:
        value = values[0].strip()
        if name in ("AW", "AB"):
            player = PLAYERS[name[1]]
            for letter in letters_of(values):
                counts[player][point_of(letter, player)] += 1
        elif name == "PL" and value[:1].upper() in PLAYERS:
            turn = PLAYERS[value[0].upper()]
        elif name == "CV" and NUMBER.fullmatch(value):
            cube = int(value)
        elif name in ("CP", "CO"):
            owner = PLAYERS.get(value[:1].upper())
        elif name not in ("AE", "DI") and name in SETUP:
            game.notes.odd(f"{quoted(raw)} means nothing in a setup", offset=offset, game=game.place)
    board = None
    if cleared or any(item.name in ("AW", "AB") for item in properties):
        board = board_of(game, counts, offset)
    if cube is not None and (cube < 1 or cube & (cube - 1) or cube > 2**30):
        game.notes.odd(f"CV[{cube}]: a cube is a power of two", offset=offset, game=game.place)
        cube = None
    if owner != game.owner and cube is None:
        cube = game.cube
    game.set_up(board, 0, cube=cube, owner=owner, turn=turn)


def letters_of(values: list[str]) -> str:
    """The letters of point values: one each, or a rectangle a:x of which the ends count."""
    return "".join(c for value in values for c in value if "a" <= c <= "z")


def board_of(game: GameBuilder, counts: list[list[int]], offset: int) -> Position | None:
    """The position of a setup, as player 0 sees it; None if it is none."""
    checkers = game.rules.checkers
    try:
        for side in counts:
            side[0] = max(side[0], checkers - sum(side[1:]))
        position = Position.from_counts(counts)
    except BgcoreError as error:
        game.notes.odd(f"the setup is no position: {error}", offset=offset, game=game.place)
        return None
    reasons = game.rules.validate(position)
    if reasons:
        game.notes.odd(f"the setup is no position of {game.rules.name}: {reasons!r}", offset=offset, game=game.place)
        return None
    return position
