"""Boards as PNG: what is drawn, read back from pixels, and what is said where resvg-py is missing."""

from __future__ import annotations

import struct
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import bgcore as bg
from bgcore.draw import THEMES, png
from bgcore.errors import RuleError

needs_resvg = pytest.mark.skipif(find_spec("resvg_py") is None, reason="resvg-py has no wheel for Python 3.13t")
Pixels = list[list[tuple[int, ...]]]


def pixels(data: bytes) -> Pixels:
    """The rows of a PNG of 8 bits a channel, RGBA, not interlaced."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        [size] = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size]) == (zlib.crc32(kind + body),)
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 6, 0, 0, 0]
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    raw = zlib.decompress(packed)
    line = 4 * width
    before = bytes(line)
    rows = []
    for start in range(0, len(raw), line + 1):
        method, row = raw[start], bytearray(raw[start + 1 : start + 1 + line])
        for i in range(line):
            left, up, corner = row[i - 4] if i > 3 else 0, before[i], before[i - 4] if i > 3 else 0
            row[i] = row[i] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[method] & 255
        before = bytes(row)
        rows.append([tuple(row[i : i + 4]) for i in range(0, line, 4)])
    assert len(rows) == height
    return rows


def paeth(left: int, up: int, corner: int) -> int:
    """The neighbour nearest to what the three would predict."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


@needs_resvg
@pytest.mark.parametrize("theme", THEMES)
def test_checkers_are_where_they_should_be(theme: str) -> None:
    rows = pixels(png(bg.Position.initial(), theme=theme, size=328, pips=False, numbers=None))
    assert len(rows[0]) == 328
    assert len(rows) == 245
    top = 10  # the frame above the field
    for (x, y), colour in {
        (84, 20): THEMES[theme].light,  # the first checker of the midpoint, upper left
        (84, 20 + 4 * 39): THEMES[theme].light,
        (84, 450): THEMES[theme].dark,
        (572, 20): THEMES[theme].light,  # the back checkers
        (372, 450): THEMES[theme].light,  # the six point
        (372, 20): THEMES[theme].dark,
        (572, 235): THEMES[theme].field,
        (328 - 10, 235): THEMES[theme].frame,
    }.items():
        assert rows[(y + top) // 2][x // 2][:3] == rgb(colour), (x, y)


@needs_resvg
def test_names_are_drawn() -> None:
    plain, named = (pixels(png(bg.Position.initial(), names=names, size=200)) for names in (None, ("Alice", "Bob")))
    changed = sum(a != b for one, other in zip(plain, named, strict=True) for a, b in zip(one, other, strict=True))
    if not any(Path("/usr/share/fonts").rglob("DejaVuSans.ttf")):
        pytest.skip("no font that is known to be found; machines with DejaVu run this")
    assert changed > 50


@needs_resvg
@pytest.mark.parametrize("size", [1, 200, 999])
def test_size(size: int) -> None:
    data = png(bg.FEVGA.start, rules=bg.FEVGA, size=size)
    assert struct.unpack(">I", data[16:20]) == (size,)


@pytest.mark.parametrize("size", [0, 10_001, 4.5, True, None])
def test_a_size_that_does_not_exist(size: Any) -> None:
    with pytest.raises(RuleError, match="size is from 1 to 10000 pixels"):
        png(bg.Position.initial(), size=size)


def test_without_resvg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ModuleNotFoundError, match=r'PNG pictures need resvg-py; .* pip install "bgcore\[png\]"'):
        png(bg.Position.initial())
