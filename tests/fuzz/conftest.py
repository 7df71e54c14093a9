"""Fuzz tests say how much of what they throw is accepted: in the summary at the end, and as a property of the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PREFIX = "accepted "


@pytest.fixture
def report_share(record_property: Callable[[str, object], None]) -> Callable[[str, int, int], None]:
    """Record how many of the things thrown were accepted, and see that it is more than one in twenty.

    Less, and the test would mostly look at the first check that refuses.
    """

    def report(what: str, thrown: int, accepted: int) -> None:
        record_property(PREFIX + what, f"{accepted} of {thrown}")
        assert thrown > 0, what
        assert accepted > 0.05 * thrown, f"{what}: only {accepted} of {thrown} were accepted"
        assert accepted < thrown, f"{what}: nothing was refused"

    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line a decoder, summed over the shards."""
    sums: dict[str, list[int]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                for name, value in report.user_properties:
                    if name.startswith(PREFIX):
                        accepted, thrown = map(int, value.split(" of "))
                        total = sums.setdefault(name, [0, 0])
                        total[0] += accepted
                        total[1] += thrown
    if sums:
        terminalreporter.section("fuzz")
    for name, (accepted, thrown) in sorted(sums.items()):
        terminalreporter.line(f"{name}: {accepted:,} of {thrown:,} ({accepted / thrown:.1%})")
