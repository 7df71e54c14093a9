"""What benchmarks measure, and the table that shows it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pytest_benchmark.fixture import BenchmarkFixture

T = TypeVar("T")
Clock = Callable[[], float]
ROUNDS = 5


@dataclass(frozen=True)
class Figure:
    """What one benchmark measured.

    Attributes
    ----------
    unit : str
        "plays/s" and the like: more is better; "s", "us": less is better.
    work : int
        Units of one round, or calls of one round where the unit is a time.
    best, median : float
        Seconds of a round on the wall clock.
    cpu : float
        CPU seconds of the round that took the fewest: what a busy machine disturbs least.
    goal : float or None
        What the figure should reach.
    """

    label: str
    unit: str
    work: int
    best: float
    median: float
    cpu: float
    goal: float | None

    @property
    def is_rate(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")

    def value(self, seconds: float) -> float:
        """Seconds of a round in the figure's unit."""
        if self.is_rate:
            return self.work / seconds
        return seconds / self.work * (1e6 if self.unit == "us" else 1.0)


@dataclass(frozen=True)
class Beside:
    """Something that runs once before each round, so that the ratio of speeds is of two neighbours in time.

    Attributes
    ----------
    label : str
        Names the ratio: what is measured / this.
    call : callable
    work : int
        Units of one call.
    clock : callable
        CPU time, or time.perf_counter for what has more than one thread.
    goal : float or None
        What the ratio should reach.
    """

    label: str
    call: Callable[[], object]
    work: int
    clock: Clock = time.process_time
    goal: float | None = None


@dataclass(frozen=True)
class Ratio:
    """How many times faster something is than something beside it, round by round."""

    label: str
    rounds: list[float]
    goal: float | None


@dataclass
class Results:
    """What a session has measured so far."""

    figures: list[Figure] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)


class Measure:
    """Runs something five times under pytest-benchmark and keeps the figure for the table."""

    def __init__(self, benchmark: BenchmarkFixture, results: Results) -> None:
        self._benchmark: Any = benchmark  # which has no types
        self._results = results

    def __call__(
        self,
        label: str,
        call: Callable[[], T],
        *,
        work: int,
        unit: str,
        goal: float | None = None,
        clock: Clock = time.process_time,
        beside: Sequence[Beside] = (),
    ) -> T:
        """Measure `call`, which does `work` units; return what it gave last.

        `clock` tells the CPU seconds spent so far, of another process where that is what works.
        """
        cpu: list[float] = []
        wall: list[float] = []
        others: list[list[float]] = [[] for _ in beside]

        def before() -> None:
            for other, seconds in zip(beside, others, strict=True):
                begin = other.clock()
                other.call()
                seconds.append(other.clock() - begin)

        def timed() -> T:
            begin, began = clock(), time.perf_counter()
            answer = call()
            cpu.append(clock() - begin)
            wall.append(time.perf_counter() - began)
            return answer

        answer: T = self._benchmark.pedantic(timed, setup=before, rounds=ROUNDS, iterations=1, warmup_rounds=1)
        if self._benchmark.stats is None:  # --benchmark-disable
            return answer
        stats = self._benchmark.stats.stats
        figure = Figure(label, unit, work, stats.min, stats.median, min(cpu[1:]), goal)
        self._results.figures.append(figure)
        extra = self._benchmark.extra_info
        extra.update(unit=unit, work=work, best=figure.value(figure.best), median=figure.value(figure.median))
        extra.update(best_by_cpu_time=figure.value(figure.cpu), ratios={})
        for other, theirs in zip(beside, others, strict=True):
            ours = wall if other.clock is time.perf_counter else cpu
            rounds = [(work / own) / (other.work / its) for own, its in zip(ours[1:], theirs[1:], strict=True)]
            self._results.ratios.append(Ratio(other.label, rounds, other.goal))
            extra["ratios"][other.label] = statistics.median(rounds)
        return answer


def table(results: Results) -> Iterator[str]:
    """Lines: the figures, then the ratios between them."""
    rows: list[tuple[str, ...]] = [("", "best", "median", "best by CPU time", "unit", "goal")]
    for figure in results.figures:
        goal = "" if figure.goal is None else f"{'>=' if figure.is_rate else '<='} {shown(figure.goal)}"
        best, median, cpu = (shown(figure.value(seconds)) for seconds in (figure.best, figure.median, figure.cpu))
        rows.append((figure.label, best, median, cpu, figure.unit, goal))
    yield from aligned(rows)
    if results.ratios:
        yield ""
        lines: list[tuple[str, ...]] = [("ratio of speeds", "median", "from", "to", "", "goal")]
        for ratio in results.ratios:
            goal = "" if ratio.goal is None else f">= {ratio.goal:.3g}"
            values = (f"{f(ratio.rounds):.2f}" for f in (statistics.median, min, max))
            lines.append((ratio.label, *values, "", goal))
        yield from aligned(lines)


def aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Lines with figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:4], widths[1:4], strict=True)]
        cells += [cell.ljust(width) for cell, width in zip(row[4:], widths[4:], strict=True)]
        yield "  ".join(cells).rstrip()


def shown(x: float) -> str:
    """Three digits and a word for the size."""
    for size, word in ((1e6, " million"), (1e3, " thousand")):
        if x >= size:
            return f"{x / size:.3g}{word}" if x < 1000 * size else f"{x / size:,.0f}{word}"
    return f"{x:.3g}"
