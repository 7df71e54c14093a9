"""OpenSpiel's backgammon as a game: its parameters, its sizes, its states."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from typing import Any

from bgcore.bridges.openspiel.state import ACTIONS, State
from bgcore.errors import FormatError, RuleError
from bgcore.position import Position
from bgcore.rules import BACKGAMMON, HYPERGAMMON, Rules

__all__ = ["Game", "load_game"]

SCORING = {"winloss_scoring": (1, 1, 1), "enable_gammons": (1, 2, 2), "full_scoring": (1, 2, 3)}


class Game:
    """The game, with OpenSpiel's parameters.

    Parameters
    ----------
    hyper_backgammon : bool
        Three checkers a side; gammons don't count.
    scoring_type : {"winloss_scoring", "enable_gammons", "full_scoring"}
    max_player_turns : int
        Turns of both that a game can have; the one after them (of a double its first half) ends it as a draw.
    """

    def __init__(
        self,
        *,
        hyper_backgammon: bool = False,
        scoring_type: str = "winloss_scoring",
        max_player_turns: int = 500,
    ) -> None:
        if scoring_type not in SCORING:
            raise RuleError(f"scoring_type is one of {', '.join(SCORING)}, not {scoring_type!r}")
        if not isinstance(hyper_backgammon, bool):
            raise TypeError(f"hyper_backgammon is a bool, not {type(hyper_backgammon).__name__}")
        self.hyper_backgammon = hyper_backgammon
        self.scoring_type = scoring_type
        self.max_player_turns = operator.index(max_player_turns)
        start = HYPERGAMMON if hyper_backgammon else BACKGAMMON
        self.rules: Rules = start.replace(scoring=(1, 1, 1) if hyper_backgammon else SCORING[scoring_type])
        """The same as a rule set of bgcore."""

    def __repr__(self) -> str:
        default = {"hyper_backgammon": False, "max_player_turns": 500, "scoring_type": "winloss_scoring"}
        changed = {name: value for name, value in self.get_parameters().items() if value != default[name]}
        return f"backgammon({','.join(f'{name}={value}' for name, value in changed.items())})"

    def get_parameters(self) -> dict[str, Any]:
        """What the game was made with."""
        return {
            "hyper_backgammon": self.hyper_backgammon,
            "max_player_turns": self.max_player_turns,
            "scoring_type": self.scoring_type,
        }

    def new_initial_state(self) -> State:
        """The state before the opening roll."""
        return State(self)

    def state_of(self, position: Position, player: int, dice: tuple[int, int] | None = None) -> State:
        """A state to go on from, which OpenSpiel does not offer.

        Parameters
        ----------
        position : Position
            Seen by the player whose turn it is.
        player : 0 or 1
            Who that is.
        dice : two int, optional
            What he has rolled; None: he is about to roll.

        Raises
        ------
        RuleError, InvalidPosition
            No such player or dice; no position of this game.
        """
        return State.at(self, position, player, dice)

    def deserialize_state(self, text: str) -> State:
        """A state from what `State.serialize` has written, here or in OpenSpiel.

        Raises
        ------
        FormatError
            It holds something else than numbers.
        RuleError
            An action that is not legal.
        """
        state = self.new_initial_state()
        for line, word in enumerate(text.split(), 1):
            if not (word.isascii() and word.isdigit() and len(word) < 5):
                raise FormatError(f"line {line}: an action is a number, not {word[:20]!r}", line=line)
            state.apply_action(int(word))
        return state

    def num_distinct_actions(self) -> int:
        """1,352."""
        return ACTIONS

    def num_players(self) -> int:
        """2."""
        return 2

    def max_chance_outcomes(self) -> int:
        """36."""
        return 36

    def max_game_length(self) -> int:
        """Three for each turn: a roll and two halves."""
        return 3 * self.max_player_turns

    def max_chance_nodes_in_history(self) -> int:
        """One more than the longest game."""
        return self.max_game_length() + 1

    def max_utility(self) -> float:
        """The most that can be won."""
        return float(max(self.rules.scoring))

    def min_utility(self) -> float:
        """The most that can be lost, as a negative number."""
        return -self.max_utility()

    def utility_sum(self) -> float:
        """0."""
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        """[200]."""
        return [200]

    def observation_tensor_size(self) -> int:
        """200."""
        return 200

    def policy_tensor_shape(self) -> list[int]:
        """[1352]."""
        return [ACTIONS]


def load_game(name: str = "backgammon", parameters: Mapping[str, Any] | None = None) -> Game:
    """The game by OpenSpiel's name for it, such as ``backgammon(scoring_type=full_scoring)``.

    Raises
    ------
    RuleError
        Another game, an unknown parameter or value.

    Examples
    --------
    >>> game = load_game("backgammon(scoring_type=full_scoring)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(2)
    >>> state.action_to_string(state.legal_actions()[0])
    '0 - 24/23 24/21'
    """
    match = re.fullmatch(r"backgammon(?:\((.*)\))?", name.strip())
    if match is None:
        raise RuleError(f"the game is 'backgammon' or 'backgammon(parameter=value,…)', not {name[:60]!r}")
    options: dict[str, Any] = {}
    for part in filter(None, (match[1] or "").split(",")):
        key, _, text = (word.strip() for word in part.partition("="))
        value: Any = {"true": True, "false": False}.get(text.lower(), text)
        options[key] = int(text) if text.isascii() and text.isdigit() else value
    options |= parameters or {}
    unknown = sorted(set(options) - {"hyper_backgammon", "scoring_type", "max_player_turns"})
    if unknown:
        raise RuleError(f"no parameter {unknown[0]!r}; there are hyper_backgammon, scoring_type, max_player_turns")
    return Game(**options)
