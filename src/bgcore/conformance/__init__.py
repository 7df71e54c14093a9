"""Checks and times somebody else's rules, in any language, against bgcore's.

`check` takes a Python callable or the command of a program that speaks the line protocol of docs/conformance.md, asks it
the questions of a suite, and says in a `Report` which rules it breaks, with the smallest positions that show it.
"""

from __future__ import annotations

from bgcore.conformance.checking import check, open_door
from bgcore.conformance.doors import Door, EngineFault
from bgcore.conformance.failures import Failure
from bgcore.conformance.inprocess import InProcess
from bgcore.conformance.program import Program
from bgcore.conformance.report import GroupResult, Report, Speed
from bgcore.conformance.suites import NAMES, Suite, named, of_positions

__all__ = [
    "NAMES",
    "Door",
    "EngineFault",
    "Failure",
    "GroupResult",
    "InProcess",
    "Program",
    "Report",
    "Speed",
    "Suite",
    "check",
    "named",
    "of_positions",
    "open_door",
]
