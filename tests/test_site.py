"""The pages of the documentation as a whole: all there, each name told of, numbers of pictures those of the code.

What needs the built site runs in ci/docs, which names its folder in BGCORE_SITE.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pkgutil
import re
import subprocess
import sys
import zlib
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import bgcore as bg

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
REFERENCE = {page.stem: page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md")}
ROOMS = [name for name in bg.__all__ if isinstance(getattr(bg, name), ModuleType)]


def script(path: Path) -> ModuleType:
    """A Python file that is no module of a package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- the reference


def public() -> dict[str, object]:
    """Every public name: those of the package, and of the rooms that are names of it."""
    found = {f"bgcore.{name}": getattr(bg, name) for name in bg.__all__}
    for room in ROOMS:
        found |= {f"bgcore.{room}.{name}": getattr(getattr(bg, room), name) for name in getattr(bg, room).__all__}
    return found


def documented() -> dict[int, str]:
    """Every object that a page of the reference asks Sphinx to tell of, by its identity."""
    found: dict[int, str] = {}
    for text in REFERENCE.values():
        for name, options in re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", text, re.MULTILINE):
            if name.startswith("bgcore.bridges.rl") and importlib.util.find_spec("gymnasium") is None:
                continue
            module = import_module(name)
            found[id(module)] = name
            if ":members:" in options:
                found |= {id(getattr(module, member)): f"{name}.{member}" for member in module.__all__}
        for name in re.findall(r"^\.\. (?:autofunction|py:data):: (\S+)$", text, re.MULTILINE):
            module_name, _, member = name.rpartition(".")
            found[id(getattr(import_module(module_name), member))] = name
    return found


def test_every_public_name_is_in_the_reference() -> None:
    found = documented()
    missing = [name for name, thing in public().items() if id(thing) not in found]
    assert not missing, "a page in docs/reference/ should have them, by automodule:: or the like"


def test_the_index_of_the_reference_has_every_name() -> None:
    named = re.findall(r"\{py:obj\}`~bgcore\.(\w+)`", REFERENCE["index"])
    assert sorted(named) == sorted(bg.__all__)


@pytest.fixture(scope="module")
def site() -> Path:
    """The built site."""
    folder = os.environ.get("BGCORE_SITE")
    if not folder:
        pytest.skip("BGCORE_SITE is not set: the site is built, and then looked at, by ci/docs")
    return Path(folder)


def told_of(site: Path) -> set[int]:
    """Every object of Python that the built site tells of, by its identity."""
    head, mark, body = (site / "objects.inv").read_bytes().partition(b"zlib.\n")
    assert head.startswith(b"# Sphinx inventory version 2")
    assert mark
    found = set()
    for line in zlib.decompress(body).decode().splitlines():
        name, kind, *_ = line.split(" ")
        if kind in ("py:module", "py:class", "py:exception", "py:function", "py:data"):
            found.add(id(pkgutil.resolve_name(name)))
    return found


def test_the_site_tells_of_every_public_name(site: Path) -> None:
    found = told_of(site)
    missing = [name for name, thing in public().items() if id(thing) not in found]
    assert not missing, "without a docstring Sphinx leaves them out"


def test_the_site_has_every_page(site: Path) -> None:
    pages = [page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")]
    assert pages
    assert not [page.as_posix() for page in pages if not (site / page).is_file()]


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)=\"(https?:)?//[^\"]*\"", text)
        assert not loaded, page


# ---- pictures


def test_pictures_of_the_packed_board_are_up_to_date() -> None:
    packed_board = script(DOCS / "packed_board.py")
    kept = {path.name: path.read_text(encoding="utf-8") for path in packed_board.IMAGES.glob("*.svg")}
    assert kept == packed_board.pictures(), "run docs/packed_board.py"


def test_every_picture_of_the_packed_board_is_on_the_page() -> None:
    linked = re.findall(r"\(images/board/([\w.]+)\)", (DOCS / "board.md").read_text(encoding="utf-8"))
    assert sorted(linked) == sorted(script(DOCS / "packed_board.py").pictures())


# ---- the pages


def test_the_table_of_rooms_is_the_one_that_is_checked() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d.]+) \| (.*?) \|", text, re.MULTILINE)
    shown = {rank: re.findall(r"`([\w.]+)`", rooms) for rank, rooms in rows}
    checked: dict[str, list[str]] = {}
    for line in script(ROOT / "ci" / "layers.py").TABLE.strip().splitlines():
        rank, *rooms = line.split()
        checked.setdefault(rank, []).extend(room for room in rooms if "_" not in (room[0], room.partition(".")[2][:1]))
    checked = {rank: rooms for rank, rooms in checked.items() if rooms}
    assert shown == checked


def test_figures_of_the_comparison_are_those_of_the_pages_it_names() -> None:
    comparison = (DOCS / "comparison.md").read_text(encoding="utf-8")
    peers, conformance = ((DOCS / name).read_text(encoding="utf-8") for name in ("peers.md", "conformance.md"))
    speed = comparison.partition("\n## Speed\n")[2].partition("\n## ")[0]
    cells = [cell.strip() for line in speed.splitlines() if line.startswith("|") for cell in line.split("|")[2:-1]]
    figures = [cell for cell in cells if re.match(r"\d", cell)]
    assert len(figures) == 20
    assert not [figure for figure in figures if f"| {figure} |" not in peers]
    answers = re.findall(r"\d+ of\s+\d+", comparison)
    assert len(answers) >= 3
    assert not [answer for answer in answers if " ".join(answer.split()) not in conformance]


@pytest.mark.subprocess
def test_plots_can_be_drawn_again(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is in the group `docs`: ci/docs runs this")
    plot = ROOT / "benchmarks" / "plot.py"
    for folder in ("one", "two"):
        subprocess.run([sys.executable, plot, "--out", tmp_path / folder], check=True, cwd=tmp_path)
    made = {path.name: path.read_bytes() for path in (tmp_path / "one").glob("*.svg")}
    assert made == {path.name: path.read_bytes() for path in (tmp_path / "two").glob("*.svg")}
    assert sorted(made) == sorted(path.name for path in (DOCS / "images" / "plots").glob("*.svg"))
    page = (DOCS / "performance.md").read_text(encoding="utf-8")
    assert sorted(made) == sorted(re.findall(r"\(images/plots/([\w.]+)\)", page))


def test_of_several_runs_the_best_of_each_benchmark_is_kept() -> None:
    plot = script(ROOT / "benchmarks" / "plot.py")

    def run(day: int, **figures: float) -> dict[str, object]:
        made = [
            {"fullname": name, "extra_info": {"best_by_cpu_time": figure, "unit": units[name]}}
            for name, figure in figures.items()
        ]
        return {"datetime": f"2026-01-0{day}T00:00:00", "machine_info": {"machine": "one"}, "benchmarks": made}

    units = {"rate": "plays/s", "time": "s", "new": "plays/s"}
    kept = plot.better(run(2, rate=5, time=3), run(1, rate=6, time=4, new=1))
    assert kept["datetime"].startswith("2026-01-02")
    assert plot.figures(kept) == {"rate": 6, "time": 3, "new": 1}
    with pytest.raises(ValueError, match="different machines"):
        plot.better(run(1), {**run(2), "machine_info": {"machine": "two"}})


def test_saved_benchmarks_say_what_they_are() -> None:
    for path in (ROOT / "benchmarks" / "saved").glob("*.json"):
        assert path.stat().st_size < 200_000, "without single rounds: benchmarks/plot.py --keep"
        saved = json.loads(path.read_text(encoding="utf-8"))
        assert path.stem == saved["datetime"][:10]
        assert saved["machine_info"]["cpu"]["brand_raw"]
        assert all(benchmark["extra_info"]["best_by_cpu_time"] > 0 for benchmark in saved["benchmarks"])
