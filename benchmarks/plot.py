#!/usr/bin/env python3
"""Plots of docs/performance.md, from benchmarks that were saved.

    pytest benchmarks --benchmark-only --benchmark-json=raw.json    measure
    python benchmarks/plot.py --keep raw.json                       keep what plots need, in benchmarks/saved/
    python benchmarks/plot.py --keep raw.json again.json            of each benchmark the better run
    python benchmarks/plot.py                                       draw the newest of benchmarks/saved/

A saved file is one that pytest-benchmark wrote, without the seconds of single rounds.  The plot of other programs takes
its figures from the table in docs/peers.md.  Bars are the best of five rounds by CPU time, which is what a busy machine
disturbs least.  Needs matplotlib (the group `docs` of pyproject.toml); equal figures give equal
files.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAVED = ROOT / "benchmarks" / "saved"
IMAGES = ROOT / "docs" / "images" / "plots"
PEERS = ROOT / "docs" / "peers.md"

PAPER, INK, FAINT, OURS, THEIRS = "#fcf8ee", "#2a2118", "#8a7c68", "#c8823a", "#7f97a8"

CALLS = {
    "bench_reused": "legal_plays, out= reused",
    "bench_shuffled": "the same, rows shuffled",
    "bench_reused_corpus": "the same, golden corpus",
    "bench_fresh": "legal_plays, fresh arrays",
    "bench_moves": "legal_plays, moves=True",
    "bench_base": "legal_plays, portable path",
    "bench_count": "count_plays",
    "bench_count_corpus": "the same, golden corpus",
    "bench_base_count": "count_plays, portable path",
}
"""Benchmarks of backgammon in batches, and what their bars are called."""

TABLES = {
    "bench_lookup[mean]": "one-sided 6x15, mean",
    "bench_lookup[distribution]": "one-sided 6x15, distribution",
    "bench_lookup[race]": "one-sided 6x15, both sides: race",
    "bench_lookup_small": "two-sided 6x6",
    "bench_lookup_large": "two-sided 6x10",
    "bench_lookup": "hypergammon, 2 checkers",
}
"""The same of looking up in tables."""


class Bar(NamedTuple):
    """One bar: what it is called, how much, its colour."""

    label: str
    value: float
    colour: str = OURS


# ---- what was measured


def stripped(raw: dict[str, Any]) -> dict[str, Any]:
    """What plots and readers need of a file of pytest-benchmark.

    Raises
    ------
    ValueError
        It is none, or a benchmark has no figure.
    """
    if not {"benchmarks", "machine_info", "datetime"} <= raw.keys():
        raise ValueError("this is no file that pytest-benchmark has written")
    machine = raw["machine_info"]
    kept = []
    for benchmark in raw["benchmarks"]:
        if "best_by_cpu_time" not in benchmark["extra_info"]:
            raise ValueError(f"{benchmark['name']} has no figure: it was not made by `measure`")
        stats = {name: benchmark["stats"][name] for name in ("min", "median", "max", "rounds")}
        kept.append({"fullname": benchmark["fullname"], "extra_info": benchmark["extra_info"], "stats": stats})
    return {
        "datetime": raw["datetime"],
        "machine_info": {
            "cpu": {"brand_raw": machine["cpu"].get("brand_raw", machine["processor"])},
            "machine": machine["machine"],
            "system": f"{machine['system']} {machine['release'].partition('-')[0]}",
            "python_version": machine["python_version"],
        },
        "benchmarks": kept,
    }


def better(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """Of two stripped files one with the better run of each benchmark, by CPU time; the rest is the later one's.

    Raises
    ------
    ValueError
        They are of different machines or Pythons.
    """
    if one["machine_info"] != two["machine_info"]:
        raise ValueError(f"runs of different machines: {one['machine_info']} and {two['machine_info']}")
    found = {benchmark["fullname"]: benchmark for benchmark in one["benchmarks"]}
    for benchmark in two["benchmarks"]:
        extra, before = benchmark["extra_info"], found.get(benchmark["fullname"])
        gain = 1.0 if before is None else extra["best_by_cpu_time"] / before["extra_info"]["best_by_cpu_time"]
        if before is None or (gain > 1) == extra["unit"].endswith("/s"):
            found[benchmark["fullname"]] = benchmark
    return {**max(one, two, key=lambda each: str(each["datetime"])), "benchmarks": list(found.values())}


def figures(saved: dict[str, Any]) -> dict[str, float]:
    """The figure of each benchmark, by file and name."""
    return {
        benchmark["fullname"].replace("::", " ").replace(".py", ""): benchmark["extra_info"]["best_by_cpu_time"]
        for benchmark in saved["benchmarks"]
    }


def of_rule_sets(found: dict[str, float], name: str) -> list[Bar]:
    """The bars of a benchmark that has one run for each rule set."""
    pattern = re.compile(rf"bench_variants {name}\[(.+)\]")
    bars = [Bar(match[1], value) for key, value in found.items() if (match := pattern.fullmatch(key))]
    return sorted(bars, key=lambda bar: -bar.value)


def named(found: dict[str, float], room: str, labels: dict[str, str]) -> list[Bar]:
    """The bars of some benchmarks of a file; each must be there."""
    return [Bar(label, found[f"{room} {name}"]) for name, label in labels.items()]


def peers(page: str) -> list[Bar]:
    """Rolls per second of other programs and of bgcore, from the tables of docs/peers.md."""
    number = {"million": 1e6, "": 1.0}

    def rate(cell: str) -> float:
        digits, _, word = cell.strip().partition(" ")
        return float(digits.replace(",", "")) * number[word]

    bars = []
    for line in page.partition("\n## Speed\n")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        if len(cells) == 3 and "_plays(" in cells[0]:
            call = cells[0].replace("(packed, out=)", ", out=").replace("(packed)", "").replace("(position, dice)", "")
            bars.append(Bar(f"bgcore: {call}", rate(cells[1])))
        elif len(cells) == 8 and re.match("[0-9]", cells[4]):
            call = re.sub(r"\([^()]*\)", "", cells[1])
            bars.append(Bar(f"{cells[0].partition(' ')[0]}: {call}; {cells[2]}", rate(cells[4]), THEIRS))
    return sorted(bars, key=lambda bar: -bar.value)


# ---- drawing


def draw(path: Path, title: str, unit: str, bars: Sequence[Bar], scale: str = "linear") -> None:
    """Write one chart of horizontal bars as SVG."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    if not bars:
        raise ValueError(f"{path.name}: nothing to draw")
    look = {"svg.hashsalt": "bgcore", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}
    look |= {"text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT}
    look |= {"xtick.color": FAINT, "ytick.color": INK}
    with matplotlib.rc_context(look):
        figure, axes = pyplot.subplots(figsize=(7.4, 0.9 + 0.24 * len(bars)), layout="constrained", facecolor=PAPER)
        axes.set_facecolor(PAPER)
        places = range(len(bars), 0, -1)
        axes.barh(places, [bar.value for bar in bars], color=[bar.colour for bar in bars], height=0.7)
        axes.set_yticks(places, [bar.label for bar in bars])
        axes.set_xscale(scale)
        axes.set_xlim(left=0 if scale == "linear" else 100)
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_xlabel(unit)
        axes.xaxis.set_major_formatter(lambda value, _: shown(value))
        axes.tick_params(length=0)
        axes.margins(x=0.12, y=0.01)
        figure.get_layout_engine().set(w_pad=0.12)
        for place, bar in zip(places, bars, strict=True):
            axes.annotate(shown(bar.value), (bar.value, place), (4, 0), textcoords="offset points", va="center", size=8)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})
        pyplot.close(figure)


def shown(value: float) -> str:
    """A rate in three digits."""
    for size, word in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{word}" if value < 1000 * size else f"{value / size:,.0f}{word}"
    return f"{value:.3g}"


def plots(saved: dict[str, Any], page: str, folder: Path) -> None:
    """Write every plot."""
    found = figures(saved)
    calls = named(found, "bench_movegen", CALLS)
    draw(folder / "calls.svg", "backgammon in batches, one thread", "plays a second", calls)
    draw(
        folder / "legal_plays.svg", "batch.legal_plays, out= reused, one thread", "plays a second",
        of_rule_sets(found, "bench_legal_plays"),
    )  # fmt: skip
    draw(
        folder / "playouts.svg", "batch.playouts: random games to the end, one thread", "games a second",
        of_rule_sets(found, "bench_playouts"),
    )  # fmt: skip
    lookups = [
        Bar(label, value)
        for name, label in TABLES.items()
        for key, value in found.items()
        if key.partition(" ")[2] == name
    ]
    draw(folder / "lookups.svg", "bear-off tables, one thread", "positions looked up a second", lookups)
    draw(folder / "peers.svg", "legal plays, one core, logarithmic", "rolls a second", peers(page), "log")


def main() -> int:
    """Keep a file, or draw one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("saved", nargs="?", type=Path, help="what to draw (default: the newest of benchmarks/saved/)")
    parser.add_argument("--out", type=Path, default=IMAGES, help="where plots go (default: docs/images/plots/)")
    parser.add_argument("--keep", type=Path, nargs="+", metavar="RAW", help="files of pytest-benchmark, to be kept")
    options = parser.parse_args()
    if options.keep is not None:
        kept = reduce(better, (stripped(json.loads(path.read_text(encoding="utf-8"))) for path in options.keep))
        SAVED.mkdir(exist_ok=True)
        path = SAVED / f"{kept['datetime'][:10]}.json"
        path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        print(path)
        return 0
    source = options.saved or max(SAVED.glob("*.json"), default=None)
    if source is None:
        print("plot: nothing is saved in benchmarks/saved/", file=sys.stderr)
        return 2
    plots(json.loads(source.read_text(encoding="utf-8")), PEERS.read_text(encoding="utf-8"), options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
