"""Plays as the document writes them (variants.md §1): `from/to`, `*` = hit, `^` = pin, `off`, `bar`."""

from __future__ import annotations

import re
from itertools import pairwise

from naive.variants.board import BAR, OFF, OPPONENTS_NUMBER, Board, moved
from naive.variants.core import hit, pin
from naive.variants.games import Game


def after(game: Game, board: Board, text: str) -> Board:
    """The position after a play; marks must be there exactly where checkers are hit or newly pinned.

    Says nothing about whether the play is legal.
    """
    for chain in text.split():
        points = [re.fullmatch(r"(\d+|bar|off)([*^]?)", point) for point in chain.split("/")]
        for a, b in pairwise(points):
            if a is None or b is None:
                raise ValueError(f"not a play: {text!r}")
            source, target = _number(a[1]), _number(b[1])
            if not board.own[source]:
                raise ValueError(f"nothing on {a[1]}: {text!r}")
            there = OPPONENTS_NUMBER[game.geometry][target]
            contact = target != OFF and board.opp[there] > 0 and not board.opp_pinned[there]
            expected = {"hit": "*", "pin": "^", "none": ""}[game.contact] if contact else ""
            if b[2] != expected:
                raise ValueError(f"mark {b[2]!r}, not {expected!r}, on {b[1]}: {text!r}")
            board = board._replace(own=moved(board.own, source, target))
            if game.contact == "hit" and target != OFF:
                board = hit(game, board, target)
            if game.contact == "pin":
                board = pin(game, board, source, target)
    return board


def _number(point: str) -> int:
    if point == "bar":
        return BAR
    return OFF if point == "off" else int(point)
