"""The Turkish games: Uzun Tavla, Kırık Tavla and Gül bara."""

from bgcore.rules._base import Rules
from bgcore.rules.backgammon import BACKGAMMON

__all__ = ["GUL_BARA", "KIRIK_TAVLA", "UZUN_TAVLA"]

UZUN_TAVLA = BACKGAMMON.replace(name="uzun_tavla", cube=False)
"""Plays exactly like backgammon; the habits of the cafés are the preset "cafe"."""

KIRIK_TAVLA = UZUN_TAVLA.replace(name="kirik_tavla", entry_cap_per_point=1)
"""Our parameterised reading of a short description: as Uzun Tavla, but one checker a turn enters on a point."""

GUL_BARA = Rules(
    "gul_bara",
    start={24: 15},
    geometry="parallel",
    block_at=1,
    contact="none",
    doubles="cascade",
    opening="reroll",
    scoring=(1, 2, 2),
    cube=False,
)
