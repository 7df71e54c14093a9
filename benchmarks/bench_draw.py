"""Boards as SVG and as text: positions of random games, each a little different from the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from figures import Measure
from positions import random_games

from bgcore import BACKGAMMON, Position
from bgcore.draw import svg
from bgcore.draw.board_text import board_text

BOARDS = 1_000


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    """Positions of random games."""
    return [Position.from_packed(row) for row in random_games()[:BOARDS]]


def each(draw: Callable[[Position], str], positions: list[Position]) -> Callable[[], list[str]]:
    """Draw every position."""
    return lambda: [draw(position) for position in positions]


def bench_svg(measure: Measure, positions: list[Position]) -> None:
    pictures = measure("draw.svg of a position", each(svg, positions), work=BOARDS, unit="us", goal=300)
    shown = [picture.count('r="19"') for picture in pictures]
    assert shown == [int(np.minimum(position.counts[:, 1:], 5).sum()) for position in positions]


def bench_svg_with_everything(measure: Measure, positions: list[Position]) -> None:
    def draw(position: Position) -> str:
        return svg(position, dice=(3, 1), play=first[position], **around)

    around: dict[str, Any] = {"cube": 4, "cube_owner": "opp", "score": (3, 6), "length": 7, "names": ("Alice", "Bob")}
    first: dict[Position, Any] = {}
    for position in positions:
        plays = BACKGAMMON.legal_plays(position, (3, 1))
        first[position] = plays[0] if plays else "pass"
    label = "  the same with dice, arrows, cube, score and names"
    pictures = measure(label, each(draw, positions), work=BOARDS, unit="us", goal=300)
    assert all("Alice" in picture for picture in pictures)


def bench_text(measure: Measure, positions: list[Position]) -> None:
    boards = measure("the text board", each(board_text, positions), work=BOARDS, unit="us")
    assert all(board.count("\n") == 13 for board in boards)
