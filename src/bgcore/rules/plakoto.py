"""Plakoto, the second game of Tavli: a lone checker is not hit but pinned."""

from bgcore.rules._base import Rules

__all__ = ["PLAKOTO"]

PLAKOTO = Rules(
    "plakoto",
    start={24: 15},
    contact="pin",
    mother="wait",
    opening="reroll",
    next_first="winner",
    scoring=(1, 2, 2),
    cube=False,
)
