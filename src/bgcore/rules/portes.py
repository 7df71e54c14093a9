"""Portes, the first game of Tavli.

Plays exactly like backgammon; what Greek cafés do otherwise is the preset "greek".  Sources: docs/variants.md.
"""

from bgcore.rules._base import register
from bgcore.rules.backgammon import BACKGAMMON

__all__ = ["PORTES"]

PORTES = register(
    BACKGAMMON.replace(name="portes", cube=False),
    greek={"opening": "reroll", "next_first": "winner", "scoring": (1, 2, 2), "hit_and_run_home": "forbid"},
)
"""Portes, which moves like backgammon."""
