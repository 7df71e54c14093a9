"""International backgammon and two games that differ from it only in how they begin.

Sources: the rules of backgammon as the national federations print them; GNU Backgammon's manual for the starting
positions of Nackgammon and Hypergammon.
"""

from bgcore.rules._base import Rules, register

__all__ = ["BACKGAMMON", "HYPERGAMMON", "NACKGAMMON"]

BACKGAMMON = register(Rules("backgammon", start={24: 2, 13: 5, 8: 3, 6: 5}))
"""International backgammon."""

NACKGAMMON = register(BACKGAMMON.replace(name="nackgammon", start={24: 2, 23: 2, 13: 4, 8: 3, 6: 4}))
"""Nack Ballard's starting position, four checkers back."""

HYPERGAMMON = register(BACKGAMMON.replace(name="hypergammon", start={24: 1, 23: 1, 22: 1}, checkers=3))
"""Three checkers a side."""
