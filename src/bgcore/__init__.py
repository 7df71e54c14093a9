"""A speed core for backgammon: legal plays, positions, rules.

>>> import bgcore as bg
>>> position = bg.Position.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
>>> str(bg.BACKGAMMON.check(position, (3, 1), "6/5 8/5"))
'8/5 6/5'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bgcore import batch, dice, rules
from bgcore.batch import perft
from bgcore.errors import (
    BgcoreError,
    DatabaseError,
    EvaluatorError,
    FormatError,
    IllegalPlay,
    IllegalReason,
    InvalidPosition,
    InvalidReason,
    RuleError,
)
from bgcore.play import Move, Play
from bgcore.position import Position
from bgcore.rules import (
    BACKGAMMON,
    FEVGA,
    GUL_BARA,
    HYPERGAMMON,
    JACQUET,
    KIRIK_TAVLA,
    LONG_NARDI,
    NACKGAMMON,
    PLAKOTO,
    PORTES,
    SHORT_NARDI,
    UZUN_TAVLA,
    Outcome,
    Rules,
)

if TYPE_CHECKING:
    from bgcore import bearoff, conformance, dataset, draw, elsewhere
    from bgcore.formats.matches import read_match, write_match
    from bgcore.formats.pasted import parse
    from bgcore.match.record import MatchRecord
    from bgcore.match.state import MatchState
    from bgcore.match.transcript import Match

__all__ = [
    "BACKGAMMON",
    "FEVGA",
    "GUL_BARA",
    "HYPERGAMMON",
    "JACQUET",
    "KIRIK_TAVLA",
    "LONG_NARDI",
    "NACKGAMMON",
    "PLAKOTO",
    "PORTES",
    "SHORT_NARDI",
    "UZUN_TAVLA",
    "BgcoreError",
    "DatabaseError",
    "EvaluatorError",
    "FormatError",
    "IllegalPlay",
    "IllegalReason",
    "InvalidPosition",
    "InvalidReason",
    "Match",
    "MatchRecord",
    "MatchState",
    "Move",
    "Outcome",
    "Play",
    "Position",
    "RuleError",
    "Rules",
    "batch",
    "bearoff",
    "conformance",
    "cpu_info",
    "dataset",
    "dice",
    "draw",
    "elsewhere",
    "get_include",
    "parse",
    "perft",
    "read_match",
    "rules",
    "write_match",
]

# Upper rooms, and names in them, loaded when they are first asked for.
_LAZY_ROOMS = ("bearoff", "conformance", "dataset", "draw", "elsewhere")
_LAZY_NAMES = {
    "Match": "bgcore.match.transcript",
    "MatchRecord": "bgcore.match.record",
    "MatchState": "bgcore.match.state",
    "parse": "bgcore.formats.pasted",
    "read_match": "bgcore.formats.matches",
    "write_match": "bgcore.formats.matches",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY_ROOMS:
        return import_module(f"bgcore.{name}")
    if name in _LAZY_NAMES:
        return globals().setdefault(name, getattr(import_module(_LAZY_NAMES[name]), name))
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("bgcore")
        except PackageNotFoundError:
            raise AttributeError("bgcore is not installed, so it has no __version__") from None
    raise AttributeError(f"module 'bgcore' has no attribute {name!r}")


def cpu_info() -> dict[str, str | bool]:
    """Which instruction set the core uses ("path"), and whether this machine has AVX2 with BMI2.

    The environment variable BGCORE_CPU, "base" or "avx2", forces a path at import.
    """
    from bgcore.core import game

    return game.cpu_info()


def get_include() -> str:
    """The folder of bgcore.h, for building native code against bgcore."""
    from importlib.resources import files

    return str(files("bgcore") / "include")
