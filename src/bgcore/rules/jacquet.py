"""Jacquet, as modern French pages and Lepeintre (1818) have it."""

from bgcore.rules._base import Rules

__all__ = ["JACQUET"]

JACQUET = Rules(
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
)
