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
    from bgcore import bearoff

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
    "Move",
    "Outcome",
    "Play",
    "Position",
    "RuleError",
    "Rules",
    "batch",
    "bearoff",
    "cpu_info",
    "dice",
    "get_include",
    "perft",
    "rules",
]

_LAZY = ("bearoff",)
"""Upper rooms, loaded when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return import_module(f"bgcore.{name}")
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
