"""The Turkish games: Uzun Tavla, Kırık Tavla and Gul bara.

Uzun Tavla plays exactly like backgammon; what cafés do otherwise is the preset "cafe".  Kırık Tavla is our
parameterised reading of a short description.  Sources: docs/variants.md.
"""

from bgcore.rules._base import Rules, register
from bgcore.rules.backgammon import BACKGAMMON

__all__ = ["GUL_BARA", "JULBAHAR", "KIRIK_TAVLA", "UZUN_TAVLA"]

CAFE = {"opening": "reroll", "scoring": (1, 2, 2), "hit_and_run_home": "forbid"}

UZUN_TAVLA = register(
    BACKGAMMON.replace(name="uzun_tavla", cube=False),
    cafe=CAFE,
    modern={"cube": True},
    celebi={"doubles": "cascade", "cascade_from": 4},
)
"""Uzun Tavla, which moves like backgammon."""

KIRIK_TAVLA = register(
    UZUN_TAVLA.replace(name="kirik_tavla", entry_cap_per_point=1),
    cafe=CAFE,
    osmanli={"entry_bar_loss": 6},
    tawula={"entry_cap_per_point": None, "entry_forbid_own": True},
)
"""Kırık Tavla: one checker a turn enters on a point."""

GUL_BARA = register(
    Rules(
        "gul_bara",
        start={24: 15},
        geometry="parallel",
        block_at=1,
        contact="none",
        doubles="cascade",
        cascade_from=4,
        opening="reroll",
        scoring=(1, 2, 2),
        cube=False,
    ),
    gioul={"geometry": "contrary", "cascade_from": 1},
)
"""Gul bara: like Fevga, and doubles cascade."""

JULBAHAR = register(
    Rules(
        "julbahar",
        start={24: 15},
        block_at=1,
        contact="none",
        bear_off="exact_any",
        opening="opponents_checkers",
        scoring=(1, 2, 2),
        cube=False,
    )
)
"""The Levantine game whose scoring Gül Bar follows, as a base for it."""
