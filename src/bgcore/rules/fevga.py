"""Fevga, the third game of Tavli: both sides move the same way round, and one checker closes a point."""

from bgcore.rules._base import Rules

__all__ = ["FEVGA"]

FEVGA = Rules(
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
)
