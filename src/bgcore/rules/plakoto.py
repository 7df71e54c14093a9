"""Plakoto, the second game of Tavli: a lone checker is not hit but pinned.

The preset "tapa" is the Bulgarian game, without the mother.  Sources: docs/variants.md.
"""

from bgcore.rules._base import Rules, register

__all__ = ["PLAKOTO"]

PLAKOTO = register(
    Rules(
        "plakoto",
        start={24: 15},
        contact="pin",
        mother="wait",
        opening="reroll",
        next_first="winner",
        scoring=(1, 2, 2),
        cube=False,
    ),
    tapa={"mother": "none"},
)
"""Plakoto: lone checkers are pinned."""
