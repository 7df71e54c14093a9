"""Nardi, short and long.  Short Nardi plays exactly like backgammon.  Sources: docs/variants.md."""

from bgcore.rules._base import Rules, register
from bgcore.rules.backgammon import BACKGAMMON

__all__ = ["LONG_NARDI", "SHORT_NARDI"]

SHORT_NARDI = register(
    BACKGAMMON.replace(name="short_nardi"),
    takhte={"opening": "reroll", "scoring": (1, 2, 2), "cube": False, "hit_and_run_home": "forbid"},
)
"""Short Nardi, which moves like backgammon."""

LONG_NARDI = register(
    Rules(
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
    ),
    free={"prime_rules": set()},
    shesh_besh={"head_first_turn": "doubles_46"},
)
"""Long Nardi: one checker a turn leaves the head."""
