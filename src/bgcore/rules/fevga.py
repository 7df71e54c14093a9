"""Fevga, the third game of Tavli: both sides move the same way round, and one checker closes a point.

The preset "moultezim" is the Turkish member of the family: at most four points of the own starting quarter.
Sources: docs/variants.md.
"""

from bgcore.rules._base import Rules, register

__all__ = ["FEVGA"]

FEVGA = register(
    Rules(
        "fevga",
        start={24: 15},
        geometry="parallel",
        block_at=1,
        contact="none",
        runner="pass",
        prime_rules={"start_quarter", "unblock_duty"},
        opening="reroll",
        next_first="winner",
        scoring=(1, 2, 2),
        cube=False,
    ),
    moultezim={"prime_rules": set(), "start_quarter_cap": 4},
)
"""Fevga: both sides move the same way round."""
