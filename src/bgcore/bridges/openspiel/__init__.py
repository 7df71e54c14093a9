"""OpenSpiel's backgammon without OpenSpiel: states with its methods, its action numbers and its tensors.

An agent written for ``pyspiel.load_game("backgammon")`` runs on `load_game` of this module.  States can also be set to
a position, which OpenSpiel's cannot.

An action moves two checkers, so a double takes two actions.  Each half is judged by itself, which comes to the same
turns as the rules: with equal dice, a move that can be made stays possible until it is made, so no first half can cost
a move.  One result may have several actions.  Which actions are legal, their numbers, their names, chance outcomes,
tensors and texts are those of OpenSpiel 2.0; one thing is not: a game of ``hyper_backgammon`` pays the winner 1, where
OpenSpiel 2.0 pays nobody anything.

Facts: OpenSpiel's documentation of the game, and the answers of the installed package.
"""

from __future__ import annotations

from bgcore.bridges.openspiel.game import Game, load_game
from bgcore.bridges.openspiel.state import CHANCE, TERMINAL, PlayerAction, State
from bgcore.bridges.openspiel.words import CheckerMove

__all__ = ["CHANCE", "TERMINAL", "CheckerMove", "Game", "PlayerAction", "State", "load_game"]
