#!/usr/bin/env python3
"""The pictures of board.md: ``python docs/packed_board.py`` writes docs/images/board/*.svg again.

Every number in them is taken from a `Position`, so a test that the files are what this makes is a test that the page
is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

import bgcore as bg

IMAGES = Path(__file__).resolve().parent / "images" / "board"

START = bg.Position.initial()
PLAY = bg.BACKGAMMON.check(START, (3, 1), "8/5 6/5")
WORDS = ("own_lo", "own_hi", "opp_lo", "opp_hi")

CELL, TALL, LEFT, WIDTH = 40, 34, 84, 740
PAPER, INK, FAINT, EMPTY, FULL, MASK = "#fcf8ee", "#2a2118", "#8a7c68", "#f1e8d4", "#d9a05b", "#b9cbd9"


def pinned_position() -> bg.Position:
    """A Plakoto position in which a checker of the player on roll lies pinned on his 17 point."""
    counts, pinned = np.zeros((2, 26), np.uint8), np.zeros((2, 26), np.bool_)
    counts[0, [24, 21, 17, 12, 6]] = 5, 2, 1, 6, 1
    counts[1, [24, 15, 8, 7]] = 7, 2, 3, 3  # 8 is his name for the other's 17
    pinned[0, 17] = True
    return bg.Position.from_counts(counts, pinned)


class Cell(NamedTuple):
    """One nibble of a word."""

    label: str
    """What is written above it."""
    text: str
    fill: str


def picture(height: int, *parts: str) -> str:
    """A picture of these parts."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="ui-monospace, Menlo, Consolas, monospace" text-anchor="middle">',
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="{PAPER}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, size: int = 15, fill: str = INK, anchor: str = "middle") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'


def row(y: int, name: str, cells: Sequence[Cell]) -> Iterator[str]:
    """Sixteen nibbles, the highest at the left, as the digits of the word stand."""
    yield text(LEFT - 10, y + TALL - 11, name, 14, anchor="end")
    for place, cell in enumerate(cells):
        x = LEFT + CELL * place
        yield f'<rect x="{x}" y="{y}" width="{CELL}" height="{TALL}" fill="{cell.fill}" stroke="{FAINT}"/>'
        yield text(x + CELL / 2, y + TALL - 11, cell.text, 17)
        if cell.label:
            yield text(x + CELL / 2, y - 5, cell.label, 11, FAINT)


def slot_name(slot: int) -> str:
    """How a slot is called."""
    return {0: "off", 25: "bar"}.get(slot, str(slot))


def lo_cells(word: int, labels: bool = True) -> list[Cell]:
    """The nibbles of a lo word: slots 15 to 0."""
    digits = f"{word:016x}"
    return [
        Cell(slot_name(slot) if labels else "", digit, FULL if digit != "0" else EMPTY)
        for slot, digit in zip(range(15, -1, -1), digits, strict=True)
    ]


def hi_cells(word: int) -> list[Cell]:
    """The nibbles of a hi word: six of the mask, then slots 25 to 16."""
    digits = f"{word:016x}"
    mask = [Cell(f"{24 - 4 * k}-{21 - 4 * k}", digit, MASK) for k, digit in enumerate(digits[:6])]
    slots = [
        Cell(slot_name(slot), digit, FULL if digit != "0" else EMPTY)
        for slot, digit in zip(range(25, 15, -1), digits[6:], strict=True)
    ]
    return mask + slots


def words(position: bg.Position) -> list[int]:
    """The four words as Python integers."""
    return [int(word) for word in position.packed]


def picture_of_words() -> str:
    """Both words of a side in the opening position."""
    lo, hi = words(START)[:2]
    middle = LEFT + 8 * CELL
    return picture(
        196,
        *row(36, "own_lo", lo_cells(lo)),
        *row(116, "own_hi", hi_cells(hi)),
        text(LEFT + 3 * CELL, 168, "pinned mask, bits 63 to 40: none here", 12, FAINT),
        text(LEFT + 11 * CELL, 168, "checkers on slots 25 (bar) to 16", 12, FAINT),
        text(middle, 88, f"own_lo = 0x{lo:016x}", 13),
        text(middle, 188, f"own_hi = 0x{hi:016x}", 13),
    )


def picture_of_a_move() -> str:
    """8/5 in the opening position: a delta is added to own_lo."""
    before = words(START)[0]
    delta = (1 << 4 * 5) - (1 << 4 * 8)
    after = before + delta
    signs = {8: "−1", 5: "+1"}
    changes = [Cell("", signs.get(slot, ""), FULL if slot in signs else EMPTY) for slot in range(15, -1, -1)]
    return picture(
        212,
        *row(34, "own_lo", lo_cells(before)),
        *row(94, "+ 8/5", changes),
        *row(154, "=", lo_cells(after, labels=False)),
        text(
            LEFT + 8 * CELL,
            206,
            f"0x{before:016x} + 0x{delta % (1 << 64):016x} = 0x{after:016x}",
            12,
            FAINT,
        ),
    )


def picture_of_passing() -> str:
    """The words of a position before and after the turn passes."""
    after = PLAY.result  # what the opponent sees
    mine = words(after.flipped())
    width, gap, left = 150, 16, 46
    x = [left + k * (width + gap) for k in range(4)]
    parts = []
    for y, names, values in ((44, WORDS, mine), (154, WORDS, words(after))):
        for k, (name, value) in enumerate(zip(names, values, strict=True)):
            side = k // 2 if y == 44 else 1 - k // 2
            fill = FULL if side == 0 else MASK
            parts.append(f'<rect x="{x[k]}" y="{y}" width="{width}" height="{TALL}" fill="{fill}" stroke="{FAINT}"/>')
            parts.append(text(x[k] + width / 2, y + TALL - 12, f"{value:016x}", 13))
            parts.append(text(x[k] + width / 2, y - 5 if y == 44 else y + TALL + 14, name, 12, FAINT))
    for k in range(4):
        begin, end = x[k] + width / 2, x[(k + 2) % 4] + width / 2
        parts.append(f'<path d="M{begin:g} 80L{end:g} 150" stroke="{INK}" stroke-width="1.3" fill="none"/>')
        parts.append(f'<circle cx="{end:g}" cy="150" r="3" fill="{INK}"/>')
    return picture(
        216,
        *parts,
        text(WIDTH / 2, 20, "8/5 6/5 has been played; X's words are brown, O's are blue", 12, FAINT),
    )


def picture_of_a_pin() -> str:
    """The hi word of a side that has a checker pinned on 17."""
    position = pinned_position()
    hi = words(position)[1]
    bit = 39 + 17
    assert hi >> 40 == 1 << (bit - 40)
    x, y = LEFT, 106
    parts = list(row(36, "own_hi", hi_cells(hi)))
    side = 6 * CELL / 24
    for k in range(24):
        point = 24 - k
        on = hi >> (39 + point) & 1
        parts.append(
            f'<rect x="{x + k * side:g}" y="{y}" width="{side:g}" height="{TALL}" '
            f'fill="{FULL if on else MASK}" stroke="{FAINT}"/>'
        )
        if on:
            parts.append(text(x + (k + 0.5) * side, y + TALL - 12, "1", 13))
            parts.append(text(x + (k + 0.5) * side, y + TALL + 16, f"bit {bit}: point {point}", 12))
    parts += [
        f'<path d="M{x + cut * CELL} {36 + TALL}V{y}" stroke="{FAINT}" stroke-dasharray="2 3" fill="none"/>'
        for cut in range(7)
    ]
    return picture(
        172,
        *parts,
        text(LEFT + 6 * CELL + 14, y + 22, "the six nibbles as 24 bits, point 24 to point 1", 12, FAINT, "start"),
    )


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    return {
        "words.svg": picture_of_words(),
        "move.svg": picture_of_a_move(),
        "passing.svg": picture_of_passing(),
        "pin.svg": picture_of_a_pin(),
    }


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, made in pictures().items():
        (IMAGES / name).write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
