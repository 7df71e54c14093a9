#!/usr/bin/env python3
"""Who may import whom: checks every import and cimport under src/bgcore against the table below.

    python ci/layers.py [SRC]        prints file:line of every violation and exits with 1 if there is one

A file may import lower rooms and its own; within a rank, only what stands before it.  ``formats`` and ``draw`` have a
lower tier that stands after rank 2; files before it import it inside function bodies only.  Imports under
TYPE_CHECKING and in .pyi files don't count.  Nobody imports ``cli`` or ``bgcore/__init__``, and ``__init__`` imports
the rooms above rank 4 inside functions only.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

TABLE = """
0   errors
1   core _cyutility
2   threads arrays files notation position dice play
2.5 formats.seats formats._xgid formats.xgid formats.ids formats.ogid formats.fibs formats.snowie
2.5 formats.bd formats.metxml
2.5 draw.board_text draw.board_svg draw.plays_html
3   rules
4   batch elsewhere
5   bearoff met
6   match equity formats draw dataset
7   evaluate
8   rollout analysis
9   bridges conformance
10  cli
99  __init__ __main__
"""
ROWS = [(float(rank), *rooms) for rank, *rooms in (line.split() for line in TABLE.strip().splitlines())]
RANK = {room: rank for rank, *rooms in ROWS for room in rooms}
ORDER = {room: place for place, room in enumerate(RANK)}
LOWER_TIER = 2.5
CYTHON_IMPORT = re.compile(
    r"(?P<indent>\s*)(?:from\s+(?P<base>[.\w]+)\s+c?import\s+\(?(?P<names>.*)|c?import\s+(?P<mods>.+))"
)
Import = tuple[int, bool, str]  # line, inside a function, dotted name


def room_of(name: str) -> str:
    """Return the row of the table that a dotted name inside bgcore belongs to, or '' when there is none."""
    parts = name.split(".")
    two = ".".join(parts[:2])
    return two if two in RANK else parts[0] if parts[0] in RANK else ""


def targets(base: str, names: list[str], package: str) -> list[str]:
    """Return what ``from base import names`` names inside bgcore; '__init__' for names of the package itself."""
    dots = len(base) - len(base.lstrip("."))
    if dots:
        above = package.split(".")[: len(package.split(".")) - dots + 1]
        base = ".".join([*above, base.lstrip(".")]).rstrip(".")
    if base.split(".")[0] != "bgcore":
        return []
    inner = base.split(".")[1:]
    if not inner:
        return [name if room_of(name) else "__init__" for name in names] or ["__init__"]
    return [".".join([*inner, name]) for name in names] or [".".join(inner)]


def python_imports(text: str, package: str) -> list[Import]:
    """Return the imports of a .py file."""
    found: list[Import] = []

    def visit(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            children: list[ast.AST] = list(node.orelse)
        else:
            children = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            found.extend((node.lineno, inside, t) for a in node.names for t in targets(a.name, [], package))
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            found.extend((node.lineno, inside, t) for t in targets(base, [a.name for a in node.names], package))
        for child in children:
            visit(child, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    visit(ast.parse(text), False)
    return found


def cython_imports(text: str, package: str) -> list[Import]:
    """Return the imports and cimports of a .pyx or .pxd file: line by line, by indentation."""
    found: list[Import] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = CYTHON_IMPORT.match(line.split("#")[0])
        if match is None:
            continue
        words = (match["names"] if match["base"] else match["mods"]).replace(",", " , ").replace(")", "").split(",")
        names = [word.split()[0] for word in words if word.split()]
        if match["base"]:
            every = targets(match["base"], names or ["*"], package)
        else:
            every = [t for name in names for t in targets(name, [], package)]
        found.extend((number, bool(match["indent"]), t) for t in every)
    return found


def complaint(place: str, inside: bool, target: str) -> str:
    """Return why ``place`` (dotted, inside bgcore) may not import ``target``, or ''."""
    here, there = room_of(place), room_of(target)
    if not there:
        return f"{target} is in no row of the table"
    if place in ("formats.__init__", "draw.__init__"):
        return "" if inside else "this __init__ imports nothing at module level"
    if there == "__init__" or (there == "cli" and here not in ("cli", "__main__")):
        return f"nobody imports {there}"
    if here == "__init__":
        return "" if inside or RANK[there] <= 4 else f"{there} is loaded lazily: inside a function"
    if here == there or (RANK[here] == RANK[there] == LOWER_TIER):
        return ""
    if RANK[there] == LOWER_TIER and RANK[here] < LOWER_TIER:
        return "" if inside else f"{here} may import {there} inside a function only"
    return "" if ORDER[there] < ORDER[here] else f"{here} may not import {there}, which stands above it"


def main(src: Path) -> int:
    """Print every violation under ``src``; return how many."""
    count = 0
    for path in sorted(p for p in (src / "bgcore").rglob("*") if p.suffix in (".py", ".pyx", ".pxd")):
        name = path.relative_to(src / "bgcore").with_suffix("").as_posix().replace("/", ".")
        package = ".".join(path.relative_to(src).parent.parts)
        read = python_imports if path.suffix == ".py" else cython_imports
        if not room_of(name):
            problems = [(1, f"{name} is in no row of the table")]
        else:
            found = read(path.read_text(encoding="utf-8"), package)
            problems = [(line, complaint(name, inside, target)) for line, inside, target in found]
        for line, text in dict.fromkeys(problems):
            if text:
                print(f"{path}:{line}: {text}")
                count += 1
    return count


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1] if len(sys.argv) > 1 else "src")) else 0)
