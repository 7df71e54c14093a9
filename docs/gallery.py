#!/usr/bin/env python3
"""The pictures of boards.md: ``python docs/gallery.py`` writes docs/images/*.svg again and removes what is no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import bgcore as bg
from bgcore.draw import THEMES, svg
from bgcore.rules import get, names

IMAGES = Path(__file__).resolve().parent / "images"

START = bg.Position.initial()
MATCH = bg.Position.from_xgid("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
CONTACT = bg.Position.from_xgid("XGID=----ABD-C--beC---bBbb-b---:0:0:1:61:3:2:0:11:10")
LAST = bg.Position.from_xgid("XGID=-a--DCD------------bb--ee-:0:0:1:66:0:0:0:0:10")


def position(own: Mapping[int, int], opp: Mapping[int, int], *pins: tuple[str, int]) -> bg.Position:
    """A position from the checkers of each side, in its own numbering; pins are ("own" or "opp", point)."""
    counts, pinned = np.zeros((2, 26), np.uint8), np.zeros((2, 26), np.bool_)
    for row, points in enumerate((own, opp)):
        for point, count in points.items():
            counts[row, point] = count
    for side, point in pins:
        pinned[("own", "opp").index(side), point] = True
    return bg.Position.from_counts(counts, pinned)


BEAROFF = position({25: 2, 6: 2, 5: 1, 4: 2, 3: 1, 1: 1, 0: 6}, {25: 1, 18: 1, 6: 2, 4: 1, 3: 1, 0: 9})
PINS = position({24: 5, 21: 2, 17: 1, 12: 6, 6: 1}, {24: 6, 13: 1, 8: 3, 7: 2, 3: 3}, ("own", 17), ("opp", 13))
NARDI = position(
    {24: 6, 20: 1, 19: 2, 18: 1, 15: 1, 13: 1, 9: 1, 5: 2}, {24: 5, 22: 2, 20: 1, 16: 2, 14: 1, 11: 1, 9: 1, 5: 2}
)


def pictures() -> Iterator[tuple[str, str]]:
    """Every picture with its name."""
    yield "opening", svg(START, dice=(3, 1), play="8/5 6/5")
    around = {"cube": 2, "cube_owner": "opp", "score": (3, 6), "length": 7, "names": ("Alice", "Bob")}
    yield "match", svg(MATCH, dice=(2, 1), **around)
    yield "match_200", svg(MATCH, dice=(2, 1), **around, size=200)
    yield "doubled", svg(CONTACT, cube=2, offered="opp", score=(0, 0), length=0)
    yield "opponent_below", svg(MATCH, dice=(2, 1), orientation="opp", size=300)
    yield "home_left", svg(MATCH, dice=(2, 1), home="left", size=300)
    yield "absolute", svg(MATCH, dice=(2, 1), orientation="opp", numbers="absolute", size=300)
    yield "bare", svg(MATCH, numbers=None, pips=False, size=300)
    yield "result", svg(bg.BACKGAMMON.check(START, (6, 5), "24/13"), size=300)
    yield "entering", svg(BEAROFF, dice=(2, 1), play=bg.BACKGAMMON.legal_plays(BEAROFF, (2, 1))[0], size=300)
    yield "bearing_off", svg(LAST, dice=(6, 6), play="6/off(4)", size=300)
    yield "plakoto_pins", svg(PINS, rules=bg.PLAKOTO, dice=(4, 3), names=("Eleni", "Nikos"))
    yield "long_nardi", svg(NARDI, rules=bg.LONG_NARDI, dice=(5, 2))
    for value in (1, 64, 128, 1024, 1 << 20):
        yield f"cube_{value}", svg(position({6: 15}, {6: 15}), cube=value, numbers=None, pips=False, size=160)
    for theme in THEMES:
        yield f"theme_{theme}", svg(CONTACT, dice=(6, 1), play="13/7 6/5", cube=1, theme=theme, size=380)
    drawn = set()
    for rules in map(get, names()):
        if (rules.start, rules.geometry) not in drawn:
            drawn.add((rules.start, rules.geometry))
            yield f"start_{rules.name}", svg(rules.start, rules=rules, size=220)


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    made = {f"{name}.svg": picture + "\n" for name, picture in pictures()}
    for old in IMAGES.glob("*.svg"):
        if old.name not in made:
            old.unlink()
    for name, picture in made.items():
        (IMAGES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
