"""Jacquet, as Lepeintre (1818) and modern French pages have it.

The presets "moulidars" and "versailles" are the two games of 1840, which hit.  Sources: docs/variants.md.
"""

from bgcore.rules._base import Rules, register

__all__ = ["JACQUET"]

MOULIDARS = {"contact": "hit", "block_at": 2, "prime_rules": set()}

JACQUET = register(
    Rules(
        "jacquet",
        start={24: 15},
        geometry="parallel",
        block_at=1,
        contact="none",
        runner="last_quarter",
        prime_rules={"last_two"},
        opening="reroll",
        scoring=(1, 2, 2),
        cube=False,
    ),
    free={"prime_rules": set()},
    moulidars=MOULIDARS | {"scoring": (1, 1, 1)},
    versailles=MOULIDARS | {"doubles": "n_times", "start_quarter_made": 2},
)
"""Jacquet: a courier goes ahead."""
