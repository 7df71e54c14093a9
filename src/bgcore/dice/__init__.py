"""Rolls, how often they come, and where they come from.

==============  ==================================================================================
`rolls`         the 21 rolls, their weights, reading one
`sources`       `SeededDice`, `StratifiedDice` for rollouts, `ManualDice` for dice thrown elsewhere
`provable`      `ProvableDice`: dice that nobody could choose, and that everybody can check
`audit`         whether many rolls look like those of honest dice
==============  ==================================================================================

A *throw* is two dice in the order they fell; a *roll* is the same with the larger die first.  Every source has
``throw()``, ``roll()`` and ``opening()``.
"""

from bgcore.dice.provable import ProvableDice
from bgcore.dice.rolls import OPENING_ROLLS, ROLLS, WEIGHTS, Roll, check_roll, parse_roll
from bgcore.dice.sources import Dice, ManualDice, SeededDice, StratifiedDice

__all__ = [
    "OPENING_ROLLS",
    "ROLLS",
    "WEIGHTS",
    "Dice",
    "ManualDice",
    "ProvableDice",
    "Roll",
    "SeededDice",
    "StratifiedDice",
    "check_roll",
    "parse_roll",
]
