"""Portes, the first game of Tavli."""

from bgcore.rules.backgammon import BACKGAMMON

__all__ = ["PORTES"]

PORTES = BACKGAMMON.replace(name="portes", cube=False)
"""Plays exactly like backgammon; the national habits are options (``preset`` of `bgcore.rules.get`)."""

PRESETS = {
    "greek": {
        "opening": "reroll",
        "next_first": "winner",
        "scoring": (1, 2, 2),
        "hit_and_run_home": "forbid",
    },
}
