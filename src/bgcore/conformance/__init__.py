"""Checks and times somebody else's rules, in any language, against bgcore's.

`check` takes a Python callable or the command of a program that speaks the line protocol of docs/conformance.md, asks
it the questions of a suite, and says in a `Report` which rules it breaks, with the smallest positions that show it.

Nothing is loaded before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bgcore.conformance.checking import check, open_door
    from bgcore.conformance.doors import Door, EngineFault
    from bgcore.conformance.failures import Failure
    from bgcore.conformance.inprocess import InProcess
    from bgcore.conformance.program import Program
    from bgcore.conformance.report import GroupResult, Rate, Report, Speed
    from bgcore.conformance.suites import SUITES, Suite, named, of_positions

__all__ = [
    "SUITES",
    "Door",
    "EngineFault",
    "Failure",
    "GroupResult",
    "InProcess",
    "Program",
    "Rate",
    "Report",
    "Speed",
    "Suite",
    "check",
    "named",
    "of_positions",
    "open_door",
]

_HOME = {
    "SUITES": "suites",
    "Door": "doors",
    "EngineFault": "doors",
    "Failure": "failures",
    "GroupResult": "report",
    "InProcess": "inprocess",
    "Program": "program",
    "Rate": "report",
    "Report": "report",
    "Speed": "report",
    "Suite": "suites",
    "check": "checking",
    "named": "suites",
    "of_positions": "suites",
    "open_door": "checking",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return globals().setdefault(name, getattr(import_module(f"bgcore.conformance.{_HOME[name]}"), name))
    raise AttributeError(f"module 'bgcore.conformance' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
