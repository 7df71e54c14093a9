"""What benchmarks measure, and the table that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from pytest_benchmark.fixture import BenchmarkFixture

T = TypeVar("T")
ROUNDS = 5

RATIOS: tuple[tuple[str, str, str, str, float | None], ...] = (
    # what, numerator, denominator, clock, at least
    ("rows shuffled / in order", "shuffled", "reused", "cpu", None),
    ("fresh arrays / reused", "fresh", "reused", "cpu", 0.5),
    ("fresh arrays / filling an equal np.empty", "fresh", "fill", "cpu", None),
    ("count_plays / legal_plays", "count", "reused", "cpu", 1.0),
    ("corpus / random games", "reused_corpus", "reused", "cpu", None),
    ("with moves / without", "moves", "reused", "cpu", None),
    ("two threads / one (wall clock)", "threads", "reused", "best", 1.8),
    ("AVX2 / base, legal_plays", "reused", "base", "cpu", None),
    ("AVX2 / base, count_plays", "count", "base_count", "cpu", None),
)


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


class Measure:
    """Runs something five times under pytest-benchmark and keeps the figure for the table."""

    def __init__(self, benchmark: BenchmarkFixture, figures: dict[str, Figure]) -> None:
        self._benchmark = benchmark
        self._figures = figures

    def __call__(
        self,
        key: str,
        label: str,
        call: Callable[[], T],
        *,
        work: int,
        unit: str,
        goal: float | None = None,
        clock: Callable[[], float] = time.process_time,
    ) -> T:
        """Measure `call`, which does `work` units; return what it gave last.

        `clock` tells the CPU seconds spent so far, of another process where that is what works.
        """
        seconds: list[float] = []

        def timed() -> T:
            begin = clock()
            answer = call()
            seconds.append(clock() - begin)
            return answer

        answer: T = self._benchmark.pedantic(timed, rounds=ROUNDS, iterations=1, warmup_rounds=1)
        if self._benchmark.stats is not None:  # it is with --benchmark-disable
            stats = self._benchmark.stats.stats
            figure = Figure(label, unit, work, stats.min, stats.median, min(seconds[1:]), goal)
            self._figures[key] = figure
            self._benchmark.extra_info.update(
                unit=unit,
                work=work,
                best=figure.value(figure.best),
                median=figure.value(figure.median),
                best_by_cpu_time=figure.value(figure.cpu),
            )
        return answer


def table(figures: dict[str, Figure]) -> Iterator[str]:
    """Lines: the figures, then the ratios between them."""
    rows = [("", "best", "median", "best by CPU time", "unit", "goal")]
    for figure in figures.values():
        goal = "" if figure.goal is None else f"{'>=' if figure.is_rate else '<='} {shown(figure.goal)}"
        best, median, cpu = (shown(figure.value(seconds)) for seconds in (figure.best, figure.median, figure.cpu))
        rows.append((figure.label, best, median, cpu, figure.unit, goal))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.rjust(w) if 1 <= i <= 3 else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
    yield ""
    for label, above, below, clock, goal_ratio in RATIOS:
        if above in figures and below in figures:
            a, b = figures[above], figures[below]
            ratio = a.value(getattr(a, clock)) / b.value(getattr(b, clock))
            wanted = "" if goal_ratio is None else f"  goal >= {goal_ratio:.3g}"
            yield f"{label:<{widths[0]}}  {ratio:.2f}{wanted}"


def shown(x: float) -> str:
    """Three digits and a word for the size."""
    for size, word in ((1e6, " million"), (1e3, " thousand")):
        if x >= size:
            return f"{x / size:.3g}{word}" if x < 1000 * size else f"{x / size:,.0f}{word}"
    return f"{x:.3g}"
