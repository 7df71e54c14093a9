"""Matches played by the naive rules and written down as programs and servers write them; imports nothing of bgcore.

A story is what happened, with the boards; a scribe makes a file of it.  What a reader makes of the file is compared
with the story.  The dialects follow what real files look like: columns, spelling of plays, order of dice, how a dance
and the end of a game are written.
"""

from __future__ import annotations

import gzip
import json
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from naive import backgammon as naive
from naive.backgammon import Board, Move

START: Board = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


@dataclass
class Told:
    """One thing that a player did."""

    player: int
    action: str = "play"
    dice: tuple[int, int] = (0, 0)
    path: tuple[Move, ...] = ()
    before: Board = START  # both seen by the player
    after: Board = START
    cube: int = 0

    def hits(self) -> list[bool]:
        """Whether each move hits."""
        board, found = self.before, []
        for move in self.path:
            found.append(0 < move[1] < 25 and board[move[1]] == -1)
            board = naive.apply(board, move)
        return found


@dataclass
class ToldGame:
    """A game, and how it ended."""

    score: tuple[int, int]
    crawford: bool
    turns: list[Told] = field(default_factory=list)
    winner: int | None = None
    points: int = 0
    how: str = ""  # played, dropped, resigned


@dataclass
class Story:
    """A match."""

    length: int
    games: list[ToldGame]
    names: tuple[str, str] = ("Ann", "Bob")


# ---- playing --------------------------------------------------------------------------------------------------------


def worth(board: Board) -> float:
    """The smaller, the sooner it is home: games get short."""
    return sum(point * point * count for point, count in enumerate(board) if count > 0) + 40 * board[0]


def played(rng: random.Random, score: tuple[int, int], crawford: bool, plan: str) -> ToldGame:
    """A game; the plan says how it ends: drop, resign, play, stop."""
    game = ToldGame(score, crawford)
    board, cube, owner = START, 1, None
    while True:
        roll = rng.choice(range(1, 7)), rng.choice(range(1, 7))
        if game.turns or roll[0] != roll[1]:
            break
    player = rng.randrange(2)
    while True:
        made = len(game.turns)
        may = made > 3 and owner in (None, player) and not crawford and cube < 8
        if may and plan == "drop" and made >= 6:
            game.turns.append(Told(player, "double", before=board, cube=2 * cube))
            game.turns.append(Told(1 - player, "drop", before=naive.flip(board)))
            game.winner, game.points, game.how = player, cube, "dropped"
            return game
        if may and plan != "drop" and made >= 4 and rng.random() < 0.12:
            game.turns.append(Told(player, "double", before=board, cube=2 * cube))
            game.turns.append(Told(1 - player, "take", before=naive.flip(board)))
            cube, owner = 2 * cube, 1 - player
        ways = naive.sequences(board, roll)
        path = min(ways, key=lambda way: worth(ways[way]) + rng.random() * 60) if ways else ()
        after = ways[path] if ways else board
        game.turns.append(Told(player, "play", roll, path, board, after))
        over = naive.outcome(after)
        if over is not None:
            game.winner, game.points, game.how = player, over[1] * cube, "played"
            return game
        if plan in ("resign", "stop") and made >= 14:
            if plan == "resign":
                game.winner, game.points, game.how = player, cube * rng.choice((1, 2)), "resigned"
            return game
        board, player = naive.flip(after), 1 - player
        roll = rng.choice(range(1, 7)), rng.choice(range(1, 7))


def story(seed: int, length: int = 5, plans: tuple[str, ...] = ("drop", "play", "resign", "stop")) -> Story:
    """A match; the same seed, the same match."""
    rng = random.Random(seed)
    games: list[ToldGame] = []
    score = [0, 0]
    had = False
    for plan in plans:
        crawford = not had and length > 0 and length - 1 in score and length > 1
        had |= crawford
        game = played(rng, (score[0], score[1]), crawford, "play" if plan == "drop" and crawford else plan)
        games.append(game)
        if game.winner is not None:
            score[game.winner] += game.points
        if game.winner is None or (length and max(score) >= length):
            break
    return Story(length, games)


# ---- transcripts ----------------------------------------------------------------------------------------------------


def hop_text(told: Told, marks: bool, words: bool = False) -> str:
    """Every move alone."""
    return " ".join(
        f"{name(source, words)}/{name(target, words)}{'*' * (hit and marks)}"
        for (source, target), hit in zip(told.path, told.hits(), strict=True)
    )


def name(point: int, words: bool, capital: bool = False) -> str:
    """A point in numerals or words."""
    text = {25: "bar", 0: "off"}.get(point, str(point)) if words else str(point)
    return text.capitalize() if capital else text


def span_text(told: Told, capital: bool = False) -> str:
    """Moves of one checker merged, new at a hit, equal ones counted."""
    chains: list[list[Any]] = []
    for (source, target), hit in zip(told.path, told.hits(), strict=True):
        for chain in chains:
            if chain[1] == source and not chain[2]:
                chain[1], chain[2] = target, hit
                break
        else:
            chains.append([source, target, hit])
    chains.sort(key=lambda chain: (-chain[0], -chain[1], not chain[2]))
    counted: dict[tuple[int, int], list[Any]] = {}
    for source, target, hit in chains:
        entry = counted.setdefault((source, target), [0, False])
        entry[0] += 1
        entry[1] |= hit
    return " ".join(
        f"{name(s, True, capital)}/{name(t, True, capital)}{'*' * hit}{f'({n})' if n > 1 else ''}"
        for (s, t), (n, hit) in counted.items()
    )


@dataclass(frozen=True)
class Dialect:
    """How a program writes."""

    play: Callable[[Told], str]
    dance: str
    order: Callable[[tuple[int, int]], tuple[int, int]]
    score: str  # of a name and points
    left: int  # width of the left cell, with the row number before it
    cube: str  # before Doubles, Takes, Drops
    result: Callable[[int, int, bool], str]  # winner, points, final
    result_row: bool = False  # the result has a row number
    stray_row: bool = False  # a number alone after a drop
    in_row: bool = False  # the result stands in the right cell of the last row if that is empty and its player wins
    resigns: str = ""
    bom: bool = False
    crlf: bool = False
    pad: bool = True  # row numbers are padded
    head: tuple[str, ...] = ()


def larger_first(dice: tuple[int, int]) -> tuple[int, int]:
    return (max(dice), min(dice))


def smaller_first(dice: tuple[int, int]) -> tuple[int, int]:
    return (min(dice), max(dice))


def as_rolled(dice: tuple[int, int]) -> tuple[int, int]:
    return dice


def wins(left: int, right: int, plural: str, final: bool = True) -> Callable[[int, int, bool], str]:
    """A line with the result, indented for each winner."""

    def line(winner: int, points: int, last: bool) -> str:
        words = f"Wins {points} point{plural if plural != 's' or points > 1 else ''}"
        return " " * (right if winner else left) + words + (" and the match" if last and final else "")

    return line


DIALECTS = {
    "gnubg": Dialect(lambda t: hop_text(t, True), "", larger_first, "{} : {}", 27, " ", wins(6, 34, "s"), in_row=True),
    "xg_mat": Dialect(
        lambda t: hop_text(t, False),
        "",
        larger_first,
        "{} : {}",
        27,
        " ",
        wins(6, 34, ""),
        in_row=True,
        bom=True,
        crlf=True,
        head=(
            '; [Site "Caf\u00e9"]',
            '; [Player 1 "Bob"]',
            '; [Player 2 "Ann"]',
            '; [Player 1 Elo "1650.00/0"]',
            '; [Player 2 Elo "1720.00/0"]',
            '; [EventDate "2023.11.26"]',
            '; [Crawford "On"]',
            '; [CubeLimit "1024"]',
        ),
    ),
    "xg_text": Dialect(
        lambda t: span_text(t, True),
        "Cannot Move",
        larger_first,
        "{} : {}",
        33,
        " ",
        wins(6, 40, ""),
        in_row=True,
        bom=True,
        crlf=True,
        head=('; [EventDate "2023.11.26"]', '; [Crawford "On"]'),
    ),
    "galaxy": Dialect(
        lambda t: hop_text(t, False),
        "",
        larger_first,
        "{} : {}",
        28,
        " ",
        wins(6, 34, ""),
        resigns="Losses {} point",
        head=('; [Site "BackgammonGalaxy"]', '; [Player 1 Elo "3,00/0"]', '; [Variation "Backgammon"]'),
    ),
    "bgstudio": Dialect(
        span_text,
        "Cannot Move",
        larger_first,
        "{} : {}",
        34,
        " ",
        wins(0, 0, "", False),
        result_row=True,
        pad=False,
        head=('; [Site "Backgammon Studio"]', '; [ClockType "Standard 360/10"]'),
    ),
    "opengammon": Dialect(
        lambda t: hop_text(t, False),
        "",
        as_rolled,
        "{}: {}",
        40,
        "",
        wins(3, 44, "s"),
        stray_row=True,
        pad=False,
        head=('; [Site "SampleServer"]', '; [Crawford "On"]', '; [Jacoby "Off"]', '; [Beaver "Off"]'),
    ),
    "hedgehog": Dialect(
        lambda t: hop_text(t, True),
        "",
        smaller_first,
        "{}: {}",
        35,
        "",
        wins(3, 38, "s"),
        resigns="Resigns",
        pad=False,
        head=('; [Site "HedgeHog"]', '; [Crawford "On"]'),
    ),
    "gammonview": Dialect(
        span_text,
        "",
        smaller_first,
        "{}: {}",
        43,
        "",
        wins(0, 0, "s", False),
        result_row=True,
        resigns="Resigns",
        head=('; [Site "GammonView"]', '; [Crawford "On"]'),
    ),
}


def transcript(told: Story, dialect: str) -> bytes:
    """The file."""
    style = DIALECTS[dialect]
    lines = [*style.head, "", f" {told.length} point match"]
    score = [0, 0]
    for number, game in enumerate(told.games, 1):
        left, right = (style.score.format(n, p) for n, p in zip(told.names, game.score, strict=True))
        lines += ["", f" Game {number}", f" {left:<{style.left + 3}} {right}"]
        if game.winner is not None:
            score[game.winner] += game.points
        last = bool(told.length) and max(score) >= told.length
        lines += list(rows(game, style, last))
    text = "\n".join([*lines, ""])
    return (("\ufeff" if style.bom else "") + (text.replace("\n", "\r\n") if style.crlf else text)).encode()


def rows(game: ToldGame, style: Dialect, last: bool) -> Iterator[str]:
    """The rows of a game."""
    cells: list[list[str]] = []

    def put(player: int, text: str) -> None:
        if not cells or player == 0 or cells[-1][1]:
            cells.append(["", ""])
        cells[-1][player] = text

    for turn in game.turns:
        put(turn.player, cell(turn, style))
    if game.winner is not None and game.how == "resigned" and style.resigns:
        put(1 - game.winner, style.resigns.format(game.points))
    result = "" if game.winner is None else style.result(game.winner, game.points, last)
    if result and style.in_row and game.winner == 1 and not cells[-1][1]:
        put(1, style.cube + result.strip())
        result = ""
    if result and style.result_row:
        put(game.winner or 0, style.cube + result)
        result = ""
    if style.stray_row and game.how == "dropped":
        cells.append(["", ""])
    for number, (left, right) in enumerate(cells, 1):
        label = f"{number:3d}) " if style.pad else f"  {number}) "
        yield f"{label}{left:<{style.left}} {right}" if right or left.endswith(":") else f"{label}{left}"
    if result:
        yield result


def cell(turn: Told, style: Dialect) -> str:
    """What a player did."""
    if turn.action != "play":
        return style.cube + {"double": f"Doubles => {turn.cube}", "take": "Takes", "drop": "Drops"}[turn.action]
    one, two = style.order(turn.dice)
    text = style.play(turn) if turn.path else style.dance
    return f"{one}{two}: {text}".rstrip() if not text else f"{one}{two}: {text}"


# ---- SGF ------------------------------------------------------------------------------------------------------------


def sgf(told: Story) -> bytes:
    """As GNU Backgammon writes it: the left player is White."""
    trees = []
    for number, game in enumerate(told.games):
        words = f"MI[length:{told.length}][game:{number}][ws:{game.score[0]}][bs:{game.score[1]}]"
        words += f"PW[{told.names[0]}]PB[{told.names[1]}]RU[Crawford{':CrawfordGame' * game.crawford}]"
        if game.winner is not None:
            words += f"RE[{'WB'[game.winner]}+{game.points}{'R' * (game.how == 'resigned')}]"
        nodes = [f";FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.08.003]{words}GS[M:0 1]"]
        for turn in game.turns:
            seat = "WB"[turn.player]
            if turn.action != "play":
                nodes.append(f";{seat}[{turn.action}]")
                continue
            letters = "".join(letter(p, turn.player, i) for move in turn.path for i, p in enumerate(move))
            nodes.append(f";{seat}[{turn.dice[0]}{turn.dice[1]}{letters}]A[0][{letters} E ver 3 0.5]LU[-inf]")
        trees.append("(" + "\n".join(nodes) + ")")
    return "\n".join(trees).encode()


def letter(point: int, player: int, is_target: int) -> str:
    """A point of the player's own numbering; White's own point 1 is a, and Black's is x."""
    if point in (0, 25):
        return "z" if is_target else "y"
    return "abcdefghijklmnopqrstuvwx"[point - 1 if player == 0 else 24 - point]


# ---- BGBlitz --------------------------------------------------------------------------------------------------------


def bgf(told: Story, compress: bool = True, use_smile: bool = True) -> bytes:
    """The left player is Green, who is -1."""
    games = []
    for game in told.games:
        moves = []
        for turn in game.turns:
            entry = {"type": "amove", "player": -1 if turn.player == 0 else 1, "from": [-1] * 4, "to": [-1] * 4}
            if turn.action != "play":
                code = {"double": 1, "take": 2, "drop": 3}[turn.action]
                entry |= {"red": code, "green": 7}
            elif turn.path:
                entry |= {"red": turn.dice[1], "green": turn.dice[0]}
                for i, (source, target) in enumerate(turn.path):
                    entry["from"][i], entry["to"][i] = source, target  # type: ignore[index]
            else:
                entry |= {"red": 5, "green": 7, "from": [turn.dice[0], -1, -1, -1], "to": [turn.dice[1], -1, -1, -1]}
            moves.append(entry | {"equity": 0.25, "comment": ""})
        if game.winner is not None:
            if game.how == "resigned":
                loser = 1 if game.winner == 0 else -1
                moves.append({"type": "amove", "player": loser, "red": 9, "green": 7, "from": [-1] * 4, "to": [-1] * 4})
            end = {"type": "amove", "player": -1 if game.winner == 0 else 1, "red": 4, "green": 7}
            moves.append(end | {"from": [-1] * 4, "to": [-1] * 4})
        points = [0] * 28
        for index in range(1, 25):  # Green positive, in Red's numbering
            points[index - 1] = START[25 - index]
        games.append({
            "isCrawford": game.crawford, "scoreGreen": game.score[0], "scoreRed": game.score[1],
            "wonPoints": game.points, "wasResignation": game.how == "resigned", "lostOnTime": False,
            "wasForfeit": False, "initial": {"cube": 1, "cubeOwner": 0, "points": points}, "moves": moves,
        })  # fmt: skip
    content = {
        "matchlen": told.length, "useCrawford": True, "useJacoby": False, "useBeaver": False, "useCube": True,
        "cubeLimit": 64, "nameGreen": told.names[0], "nameRed": told.names[1], "date": "2026.01.08", "event": "",
        "site": "Caf\u00e9 with a name that is longer than sixty-four characters, to be sure of it", "games": games,
    }  # fmt: skip
    body = b":)\n\x01" + smile(content, []) if use_smile else json.dumps(content).encode()
    head = {"format": "BGF", "version": "1.0", "compress": compress, "useSmile": use_smile}
    return json.dumps(head).encode() + b"\n" + (gzip.compress(body, mtime=0) if compress else body)


def smile(value: Any, names: list[str]) -> bytes:
    """Smile with shared names, from its specification."""
    if value is None:
        return b"\x21"
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, int):
        zigzag = value * 2 if value >= 0 else -value * 2 - 1
        if zigzag < 32:
            return bytes([0xC0 + zigzag])
        groups = [0x80 | zigzag & 0x3F]
        zigzag >>= 6
        while zigzag:
            groups.append(zigzag & 0x7F)
            zigzag >>= 7
        return b"\x24" + bytes(reversed(groups))
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return b"\x29" + bytes(bits >> 7 * i & 0x7F for i in reversed(range(10)))
    if isinstance(value, str):
        raw = value.encode()
        if not raw:
            return b"\x20"
        if len(raw) == len(value):
            if len(raw) <= 64:
                return bytes([(0x40 if len(raw) <= 32 else 0x60) + (len(raw) - 1) % 32]) + raw
            return b"\xe0" + raw + b"\xfc"
        if len(raw) <= 65:
            return bytes([(0x80 if len(raw) <= 33 else 0xA0) + (len(raw) - 2) % 32]) + raw
        return b"\xe4" + raw + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(smile(item, names) for item in value) + b"\xf9"
    out = b"\xfa"
    for key, item in value.items():
        out += smile_key(key, names) + smile(item, names)
    return out + b"\xfb"


def smile_key(key: str, names: list[str]) -> bytes:
    """A key, or a reference to one that was there before."""
    if key in names:
        number = names.index(key)
        return bytes([0x40 + number]) if number < 64 else bytes([0x30 + (number >> 8), number & 0xFF])
    names.append(key)
    return bytes([0x80 + len(key) - 1]) + key.encode()


# ---- eXtreme Gammon -------------------------------------------------------------------------------------------------


def xg(told: Story, comments: tuple[str, ...] = (), trailer: bool = True) -> bytes:
    """The left player is player 1.  The first comment goes to the first play."""
    records = [record(0, match_head(told))]
    for number, game in enumerate(told.games, 1):
        head = {12: struct.pack("<ii", *game.score), 20: bytes([game.crawford]), 48: struct.pack("<i", number)}
        records.append(record(1, head | {21: struct.pack("<26b", *START)}))
        cube = 0
        for place, turn in enumerate(game.turns):
            actor = 1 if turn.player == 0 else -1
            if turn.action == "double":
                taken = game.turns[place + 1].action == "take"
                fields = struct.pack("<iiiiii", actor, 1, 1 if taken else 0, -1, -1, cube)
                records.append(record(2, {12: fields, 208: b"\x0277", 292: struct.pack("<i", -1)}))
                if taken:
                    cube = (abs(cube) + 1) * -actor
            elif turn.action == "play":
                if place == 0 or game.turns[place - 1].action == "play":
                    fields = struct.pack("<iiiiii", actor, -2 if place == 0 else 0, -1, -1, -1, cube)
                    records.append(record(2, {12: fields, 292: struct.pack("<i", -1)}))
                comment = 0 if comments and number == 1 and place == 0 else -1
                records.append(record(3, play_fields(turn, actor, comment)))
        if game.winner is not None:
            how = {"dropped": 0, "resigned": 101}.get(game.how, 1)
            after = [game.score[0], game.score[1]]
            after[game.winner] += game.points
            actor = 1 if game.winner == 0 else -1
            records.append(record(4, {12: struct.pack("<iiiiii", *after, 0, actor, game.points, how)}))
    text = "\r\n".join(comments).encode("cp1252")
    return container({"temp.xg": b"".join(records), "temp.xgc": text}, trailer)


def record(kind: int, fields: dict[int, bytes]) -> bytes:
    """A record of 2560 bytes."""
    out = bytearray(2560)
    out[8] = kind
    for at, data in fields.items():
        out[at : at + len(data)] = data
    return bytes(out)


def match_head(told: Story) -> dict[int, bytes]:
    """The fields of the first record."""
    one, two = (text.encode("cp1252") for text in told.names)
    return {
        9: bytes([len(one)]) + one, 50: bytes([len(two)]) + two,
        880: told.names[0].encode("utf-16-le"), 1138: told.names[1].encode("utf-16-le"),
        92: struct.pack("<ii", told.length or 99999, 0), 100: b"\x01\0\0\0",
        104: struct.pack("<dd", 1650.5, 1600.0), 128: struct.pack("<d", 46030.4522),
        552: struct.pack("<i", 30) + b"DMLI", 612: struct.pack("<i", 10),
        622: "Club".encode("utf-16-le"), 1396: "Caf\u00e9".encode("utf-16-le"),
    }  # fmt: skip


def play_fields(turn: Told, actor: int, comment: int) -> dict[int, bytes]:
    """The fields of a play: the position before it in player 1's frame, after it in the mover's."""
    moves = [point - 1 for move in turn.path for point in move]
    moves += [-1] * (8 - len(moves))
    before = turn.before if actor == 1 else naive.flip(turn.before)
    return {
        9: struct.pack("<26b", *before), 35: struct.pack("<26b", *turn.after), 64: struct.pack("<i", actor),
        68: struct.pack("<8i", *moves), 100: struct.pack("<ii", *turn.dice), 120: struct.pack("<i", 3),
        2480: struct.pack("<i", 0), 2524: struct.pack("<i", comment),
    }  # fmt: skip


def container(files: dict[str, bytes], trailer: bool = True) -> bytes:
    """Header, picture, archive, registry, trailer."""
    picture = b"\xff\xd8 no picture \xff\xd9"
    head = b"RGMH" + struct.pack("<IIqI", 1, 8232, 0, len(picture))
    archive, registry = b"", b""
    for title, data in files.items():
        stored = zlib.compress(data)
        entry = bytes([len(title)]) + title.encode().ljust(255, b"\0") + bytes(256)
        entry += struct.pack("<iiiIBB", len(data), len(stored), len(archive), zlib.crc32(data), 0, 2)
        registry += entry.ljust(532, b"\0")
        archive += stored
    packed = zlib.compress(registry)
    tail = struct.pack("<IiiiiB15x", zlib.crc32(archive + packed), len(files), 1, len(packed), len(archive), 1)
    return head.ljust(8232, b"\0") + picture + archive + (packed + tail if trailer else b"")


FILES: dict[str, Callable[[Story], bytes]] = {
    **{name: (lambda told, name=name: transcript(told, name)) for name in DIALECTS},  # type: ignore[misc]
    "sgf": sgf,
    "bgf": bgf,
    "xg": xg,
}
"""Every kind of file, by name."""
SUFFIXES = {"sgf": ".sgf", "bgf": ".bgf", "xg": ".xg", "xg_text": ".txt", "galaxy": ".txt", "bgstudio": ".txt"}
