"""Reads a picture of a board back: XML in, what stands where out, by shapes and their coordinates alone.

It knows what a board looks like (two tables of twelve triangles, discs, dice with spots, digits), and nothing of how
pictures are made.  Digits are recognised by their shapes.  A *place* is (column 0-11 from the left, "top" or
"bottom"), ("bar", half) or ("tray", end, half).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree

Point = tuple[float, float]
Place = tuple[object, ...]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
INHERITED = ("fill", "stroke")

# What digits look like, on 5 x 7 dots.
DOTS = {
    "0": ".###. #...# #...# #...# #...# #...# .###.",
    "1": "..#.. .##.. #.#.. ..#.. ..#.. ..#.. ..#..",
    "2": ".###. #...# ....# ...#. ..#.. .#... #####",
    "3": ".###. #...# ....# ..##. ....# #...# .###.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "####. #.... #.... ####. ....# #...# .###.",
    "6": "..##. .#... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ...#. ..#.. ..#.. .#...",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ...#. .##..",
    "/": "....# ....# ...#. ..#.. .#... #.... #....",
}


class Shape(NamedTuple):
    """One element, with what it inherits, and how its coordinates are scaled and moved."""

    tag: str
    attributes: dict[str, str]
    group: str
    fill: str
    stroke: str
    scale: Point
    move: Point
    text: str

    def number(self, name: str) -> float:
        return float(self.attributes[name])

    @property
    def middle(self) -> Point:
        """Of a circle or a rect."""
        if self.tag == "circle":
            return self.number("cx"), self.number("cy")
        return self.number("x") + self.number("width") / 2, self.number("y") + self.number("height") / 2


@dataclass
class Seen:
    """What a picture shows.  Sides are the fills of their checkers."""

    width: float
    height: float
    stacks: dict[Place, dict[str, int]] = field(default_factory=dict)
    lowest: dict[Place, str] = field(default_factory=dict)
    """Whose checker is nearest to the edge, where both sides have some."""
    numbers: dict[Place, int] = field(default_factory=dict)
    dice: tuple[int, ...] = ()
    dice_side: str = ""
    dice_at: Point = (0, 0)
    cube: str = ""
    cube_at: Place = ()
    turn: str = ""
    pips: dict[str, int] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """The four above by half: "top" or "bottom"."""
    sides: dict[str, str] = field(default_factory=dict)
    arrows: list[tuple[Place, Place]] = field(default_factory=list)


def shapes(element: ElementTree.Element, group: str = "", paint: tuple[str, str] = ("", "")) -> Iterator[Shape]:
    """Every element that is drawn."""
    tag = element.tag.rpartition("}")[2]
    assert element.tag == "{http://www.w3.org/2000/svg}" + tag
    attributes = dict(element.attrib)
    fill, stroke = (attributes.get(name, old) for name, old in zip(INHERITED, paint, strict=True))
    group = attributes.get("class", group)
    scale, move = (1.0, 1.0), (0.0, 0.0)
    if found := re.search(r"translate\(([^)]*)\)", attributes.get("transform", "")):
        x, y = map(float, found[1].split())
        move = (x, y)
    if found := re.search(r"scale\(([^)]*)\)", attributes.get("transform", "")):
        factors = [float(factor) for factor in found[1].split()]
        scale = (factors[0], factors[-1])
    yield Shape(tag, attributes, group, fill, stroke, scale, move, element.text or "")
    for child in element:
        yield from shapes(child, group, (fill, stroke))


@cache
def polylines(path: str) -> tuple[tuple[Point, ...], ...]:
    """The strokes of a path as points along them."""
    lines: list[list[Point]] = []
    x = y = 0.0
    tokens = re.findall(r"[a-zA-Z]|[^a-zA-Z]+", path)
    for command, rest in zip(tokens, [*tokens[1:], ""], strict=True):
        if not command.isalpha():
            continue
        kind, relative = command.upper(), command.islower()
        values = [] if rest.isalpha() else flags_apart(kind, rest)
        if kind == "Z":
            lines[-1].append(lines[-1][0])
            x, y = lines[-1][0]
            continue
        size = ARITY[kind]
        assert values, path
        assert len(values) % size == 0, path
        for at in range(0, len(values), size):
            part = values[at : at + size]
            ox, oy = (x, y) if relative else (0.0, 0.0)
            if kind == "H":
                lines[-1].append((ox + part[0], y))
            elif kind == "V":
                lines[-1].append((x, oy + part[0]))
            elif kind == "M" and at == 0:
                lines.append([(ox + part[0], oy + part[1])])
            elif kind in "ML":
                lines[-1].append((ox + part[0], oy + part[1]))
            elif kind in "CQ":
                knots = [(x, y), *((ox + part[i], oy + part[i + 1]) for i in range(0, size, 2))]
                lines[-1] += [bezier(knots, step / 12) for step in range(1, 13)]
            else:
                lines[-1] += arc((x, y), part[0], part[1], bool(part[3]), bool(part[4]), (ox + part[5], oy + part[6]))
            x, y = lines[-1][-1]
    return tuple(tuple(line) for line in lines)


def flags_apart(kind: str, text: str) -> list[float]:
    """The numbers behind a command; the two flags of an arc may stand together."""
    if kind != "A":
        return [float(number) for number in NUMBER.findall(text)]
    values: list[float] = []
    while text.strip(" ,"):
        text = text.lstrip(" ,")
        found = re.match("[01]", text) if len(values) % 7 in (3, 4) else NUMBER.match(text)
        assert found, text
        values.append(float(found[0]))
        text = text[found.end() :]
    return values


def bezier(knots: list[Point], t: float) -> Point:
    """A point of a curve, by de Casteljau."""
    while len(knots) > 1:
        pairs = pairwise(knots)
        knots = [(a + t * (c - a), b + t * (d - b)) for (a, b), (c, d) in pairs]
    return knots[0]


def arc(begin: Point, rx: float, ry: float, large: bool, sweep: bool, end: Point) -> list[Point]:
    """Points along an elliptic arc whose axes are not turned: SVG 1.1, appendix F.6."""
    px, py = (begin[0] - end[0]) / 2, (begin[1] - end[1]) / 2
    stretch = max(1.0, math.hypot(px / rx, py / ry))
    rx, ry = rx * stretch, ry * stretch
    square = rx**2 * py**2 + ry**2 * px**2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 - square) / square) * (-1 if large == sweep else 1)
    qx, qy = root * rx * py / ry, -root * ry * px / rx
    cx, cy = qx + (begin[0] + end[0]) / 2, qy + (begin[1] + end[1]) / 2
    first = math.atan2((py - qy) / ry, (px - qx) / rx)
    turn = math.atan2((-py - qy) / ry, (-px - qx) / rx) - first
    if sweep and turn < 0:
        turn += math.tau
    if not sweep and turn > 0:
        turn -= math.tau
    angles = [first + turn * step / 16 for step in range(1, 17)]
    return [(cx + rx * math.cos(angle), cy + ry * math.sin(angle)) for angle in angles]


def dense(line: tuple[Point, ...]) -> Iterator[Point]:
    """Points close together along a line."""
    yield line[0]
    for (a, b), (c, d) in pairwise(line):
        steps = max(1, int(math.hypot(c - a, d - b) / 0.7))
        yield from ((a + (c - a) * step / steps, b + (d - b) * step / steps) for step in range(1, steps + 1))


@cache
def corners(path: str) -> tuple[Point, Point]:
    """The smallest and the largest coordinates of a path."""
    points = [at for line in polylines(path) for at in line]
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    return (left, top), (right, bottom)


@cache
def digits(path: str) -> str:
    """The digits that a path draws."""
    glyphs: list[list[Point]] = []
    for line in sorted(polylines(path), key=lambda line: min(line)[0]):
        points = list(dense(line))
        if glyphs and min(points)[0] <= max(glyphs[-1])[0]:
            glyphs[-1] += points
        else:
            glyphs.append(points)
    return "".join(digit(tuple(glyph)) for glyph in glyphs)


@cache
def digit(points: tuple[Point, ...]) -> str:
    """The digit whose dots are nearest to the points of a glyph, both ways."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    scale = 6 / (bottom - top)
    across = min(scale, 4 / max(right - left, 1e-9))  # a digit is never wider than its dots
    shape = [((x - (left + right) / 2) * across, (y - top) * scale) for x, y in points]

    def distance(name: str) -> float:
        rows = DOTS[name].split()
        dots = [(x, y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"]
        middle = (min(dots)[0] + max(dots)[0]) / 2
        dots = [(x - middle, y) for x, y in dots]
        there = [min(math.dist(a, b) for b in dots) for a in shape]
        back = [min(math.dist(a, b) for b in shape) for a in dots]
        return max(there) + max(back) + sum(there) / len(there) + sum(back) / len(back)

    return min(DOTS, key=distance)


def read_picture(svg: str) -> Seen:
    """What a picture shows."""
    every = list(shapes(ElementTree.fromstring(svg)))
    assert [shape.tag for shape in every].count("svg") >= 1
    root = every[0].attributes
    left, top, width, height = map(float, root["viewBox"].split())
    seen = Seen(width, height)

    triangles = [line for shape in every if shape.group == "points" for line in polylines(shape.attributes["d"])]
    assert len(triangles) == 24
    centres = sorted({round(sum(x for x, _ in line[:2]) / 2, 1) for line in triangles})
    assert len(centres) == 12
    edges = {line[0][1] for line in triangles}
    ceiling, floor = min(edges), max(edges)
    point = centres[1] - centres[0]
    middle = (ceiling + floor) / 2

    def place(at: Point) -> Place:
        x, y = at
        half = "top" if y < middle else "bottom"
        if x < centres[0] - point / 2 or x > centres[-1] + point / 2:
            return ("tray", "left" if x < centres[0] else "right", half)
        if centres[5] + point / 2 < x < centres[6] - point / 2:
            return ("bar", half)
        first = 0 if x < centres[6] - point / 2 else 6
        return (first + min(5, int((x - centres[first]) / point + 0.5)), half)

    discs: dict[Place, list[tuple[float, str, Point]]] = {}
    faces, spots, slabs = [], [], []
    for shape in every:
        if shape.tag == "circle":
            r, (x, y) = shape.number("r"), shape.middle
            assert left <= x - r < x + r <= left + width
            assert top <= y - r < y + r <= top + height
            if not ceiling <= y <= floor:
                seen.sides["top" if y < middle else "bottom"] = shape.fill
            elif r > point / 3:
                discs.setdefault(place((x, y)), []).append((min(y - ceiling, floor - y), shape.fill, (x, y)))
            else:
                spots.append((x, y))
        elif shape.tag == "rect" and shape.group == "dice":
            faces.append(shape)
        elif shape.tag == "rect" and shape.group == "cube":
            seen.cube_at = cube_place(shape.middle, place, middle)
        elif shape.tag == "rect" and shape.number("height") < point / 3:
            slabs.append(shape)
    for where, column in discs.items():
        column.sort()
        seen.stacks[where] = {fill: sum(disc[1] == fill for disc in column) for _, fill, _ in column}
        seen.lowest[where] = column[0][1]
    for slab in slabs:
        stack = seen.stacks.setdefault(place(slab.middle), {})
        stack[slab.fill] = stack.get(slab.fill, 0) + 1

    faces.sort(key=lambda face: face.middle)
    seen.dice = tuple(sum(math.dist(face.middle, spot) < point / 2 for spot in spots) for face in faces)
    assert sum(seen.dice) == len(spots)
    if faces:
        seen.dice_side, seen.dice_at = faces[0].fill, (sum(face.middle[0] for face in faces) / 2, faces[0].middle[1])

    facts: dict[str, list[tuple[float, str]]] = {"top": [], "bottom": []}
    for shape in every:
        if shape.tag == "path" and "transform" in shape.attributes:
            path = shape.attributes["d"]
            (x1, y1), (x2, y2) = (
                [shape.move[i] + shape.scale[i] * corner[i] for i in (0, 1)] for corner in corners(path)
            )
            assert left < x1 <= x2 < left + width
            assert top < y1 < y2 < top + height
            at = ((x1 + x2) / 2, (y1 + y2) / 2)
            if shape.group == "numbers":
                assert place(at) not in seen.numbers
                assert not ceiling < at[1] < floor
                seen.numbers[place(at)] = int(digits(path))
            elif shape.group == "counts" and place(at)[0] == "tray":
                assert list(seen.stacks[place(at)].values()) == [int(digits(path))]
            elif shape.group == "counts":
                away, fill = min((math.dist(at, disc[2]), disc[1]) for disc in discs[place(at)])
                assert away < 1, "a count beside its checker"
                seen.stacks[place(at)][fill] = int(digits(path))
            elif shape.group == "value":
                seen.cube += digits(path)
            elif shape.group == "facts":
                facts["top" if at[1] < middle else "bottom"].append((at[0], path))
        elif shape.tag == "path" and shape.group == "turn":
            y = polylines(shape.attributes["d"])[0][0][1]
            assert not seen.turn
            seen.turn = "top" if y < middle else "bottom"
        elif shape.tag == "text":
            assert shape.attributes["font-family"] == "sans-serif"
    for half, found in facts.items():
        words = [path for _, path in sorted(found)]
        if len(words) > 1:
            seen.pips[half] = int(digits(words[-2]))  # the last is the word "pips"
        if len(words) % 2:
            seen.scores[half] = digits(words[0])
    boxes = [shape for shape in every[1:] if shape.tag == "svg"]
    for box, text in zip(boxes, [shape for shape in every if shape.tag == "text"], strict=True):
        seen.names["top" if box.number("y") < middle else "bottom"] = text.text

    shafts = [s for s in every if s.group == "arrows" and s.tag == "path" and s.attributes.get("fill") == "none"]
    heads = [s for s in every if s.group == "arrows" and s.tag == "path" and s.attributes.get("fill") != "none"]
    if shafts:
        begins = [line[0] for line in polylines(shafts[-1].attributes["d"])]
        ends = [line[0] for line in polylines(heads[-1].attributes["d"])]
        seen.arrows = [(place(begin), place(end)) for begin, end in zip(begins, ends, strict=True)]
    return seen


def cube_place(at: Point, place, middle: float) -> Place:
    """Where the cube lies: ("tray", end, half or "centre"), or ("table", end)."""
    where = place(at)
    if where[0] == "tray":
        return (*where[:2], "centre" if abs(at[1] - middle) < 1 else where[2])
    assert abs(at[1] - middle) < 1
    return ("table", "left" if where[0] < 6 else "right")
