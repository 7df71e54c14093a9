"""The games that can be played, by name.

A new game whose hooks exist is one file here, which registers it.
"""

from collections.abc import Mapping
from typing import Any

from bgcore.errors import RuleError
from bgcore.rules._base import OPTIONS, REGISTRY, Outcome, Rules
from bgcore.rules.backgammon import BACKGAMMON, HYPERGAMMON, NACKGAMMON
from bgcore.rules.fevga import FEVGA
from bgcore.rules.jacquet import JACQUET
from bgcore.rules.nardi import LONG_NARDI, SHORT_NARDI
from bgcore.rules.plakoto import PLAKOTO
from bgcore.rules.portes import PORTES
from bgcore.rules.tavla import GUL_BARA, KIRIK_TAVLA, UZUN_TAVLA

__all__ = [
    "BACKGAMMON",
    "FEVGA",
    "GUL_BARA",
    "HYPERGAMMON",
    "JACQUET",
    "KIRIK_TAVLA",
    "LONG_NARDI",
    "NACKGAMMON",
    "OPTIONS",
    "PLAKOTO",
    "PORTES",
    "SHORT_NARDI",
    "UZUN_TAVLA",
    "Outcome",
    "Rules",
    "get",
    "names",
    "presets",
]


def names() -> tuple[str, ...]:
    """The names that `get` knows."""
    return tuple(REGISTRY)


def presets(name: str) -> tuple[str, ...]:
    """The presets of a game."""
    return tuple(_entry(name)[1])


def get(name: str, preset: str | None = None) -> Rules:
    """The rule set of that name, with a preset's changes if one is named.

    Raises
    ------
    RuleError
        No such game, or the game has no such preset; the message lists those there are.
    """
    rules, known = _entry(name)
    if preset is None:
        return rules
    if preset not in known:
        raise RuleError(f"{rules.name} has no preset {preset!r}; there are {', '.join(known) or 'none'}")
    return rules.replace(name=f"{rules.name}:{preset}", **known[preset])


def _entry(name: str) -> tuple[Rules, dict[str, Mapping[str, Any]]]:
    if not isinstance(name, str):
        raise TypeError(f"a game is named by a str, not {type(name).__name__}")
    try:
        return REGISTRY[name.lower()]
    except KeyError:
        raise RuleError(f"no game {name[:40]!r}; there are {', '.join(REGISTRY)}") from None
