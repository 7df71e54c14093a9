"""Nardi, short and long."""

from bgcore.rules._base import Rules
from bgcore.rules.backgammon import BACKGAMMON

__all__ = ["LONG_NARDI", "SHORT_NARDI"]

SHORT_NARDI = BACKGAMMON.replace(name="short_nardi")

LONG_NARDI = Rules(
    "long_nardi",
    start={24: 15},
    geometry="parallel",
    block_at=1,
    contact="none",
    head_limit=1,
    head_first_turn="obstructed",
    prime_rules={"ahead"},
    opening="reroll",
    scoring=(1, 2, 2),
    cube=False,
)
