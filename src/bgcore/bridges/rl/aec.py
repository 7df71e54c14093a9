"""A PettingZoo environment: two agents in turn."""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from bgcore.bridges.rl.missing import missing
from bgcore.bridges.seen import width
from bgcore.bridges.single import RENDER_MODES, SingleGame
from bgcore.bridges.turns import worst
from bgcore.errors import RuleError
from bgcore.match.opening import Player
from bgcore.rules import BACKGAMMON, Rules

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise missing(error) from None

__all__ = ["BackgammonAECEnv", "aec_env"]

Observation = dict[str, NDArray[Any]]
AGENTS = ["player_0", "player_1"]


class BackgammonAECEnv(AECEnv[str, Observation, Any]):
    """A game of two agents, "player_0" and "player_1".

    Parameters
    ----------
    rules : Rules
        A rule set with plain turns.  ``rules.replace(scoring=(1, 1, 1))`` is the game for wins and losses only.
    micro : bool
        False: an action is the number of a play.  True: it moves one checker, source × 6 + die - 1.
    max_turns : int, optional
        Turns of both, passes included, after which the game is cut off: truncated, reward 0.
    render_mode : {"ansi", "svg"}, optional

    Attributes
    ----------
    game : SingleGame
        The game behind it: position, roll, plays.

    Notes
    -----
    An observation is a dict: "observation", uint8, columns as in `bgcore.bridges.seen`, by the agent who looks; and
    "action_mask", int8, which is all 0 for an agent who is not on roll.  A roll that cannot be played passes by itself,
    so one agent may be selected twice running.  Rewards are 0 until the game is over, and then the points won and lost.
    Who begins is thrown for as the rules say.  Options of `reset` are ignored.  No cube.

    An action that is not legal raises RuleError; `aec_env` makes an environment in which it loses the game.

    Examples
    --------
    >>> env = BackgammonAECEnv()
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     over = termination or truncation
    ...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    >>> sum(env.game.points)
    0
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared above
        "name": "bgcore_backgammon_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules = BACKGAMMON,
        *,
        micro: bool = False,
        max_turns: int | None = None,
        render_mode: Literal["ansi", "svg"] | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise RuleError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.game = SingleGame(rules, micro=micro, max_turns=max_turns)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: Discrete(self.game.actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: Dict(
                observation=Box(0, 15, (width(rules),), np.uint8),
                action_mask=Box(0, 1, (self.game.actions,), np.int8),
            )
            for agent in AGENTS
        }
        self._generator = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """What an agent is shown: Dict(observation, action_mask)."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent can choose from: Discrete."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed its dice, and those of later games, are always the same."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self.game.start(self._generator)
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._tell()

    def observe(self, agent: str) -> Observation:
        """What an agent is shown now."""
        player = cast(Player, AGENTS.index(agent))
        on_roll = player == self.game.player and not self.game.over
        mask = self.game.mask() if on_roll else np.zeros(self.game.actions, np.int8)
        return {"observation": self.game.observe(player), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Do what the selected agent has chosen; None once the game is over for it.

        Raises
        ------
        RuleError
            Not legal, or no number of an action; a step before the first `reset`, or when both agents have left.
        TypeError
            No integer.
        """
        if not self.agents:
            raise RuleError(
                "the game is over; reset() begins another one" if self.game.started else "call reset() first"
            )
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.act(self.game.check_action(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._tell()
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board, str, or None without a render mode.  Player 0 is at the bottom of a picture."""
        return None if self.render_mode is None else self.game.render(self.render_mode, 0)

    def close(self) -> None:
        """Nothing is held that must be given back."""

    def _tell(self) -> None:
        """Whose turn it is, or who has won."""
        self.agent_selection = AGENTS[self.game.player]
        if self.game.points is not None:
            self.rewards = {agent: float(won) for agent, won in zip(AGENTS, self.game.points, strict=True)}
            ended = self.truncations if self.game.truncated else self.terminations
            ended.update(dict.fromkeys(AGENTS, True))


def aec_env(**options: Any) -> Any:
    """A `BackgammonAECEnv` in the wrappers that PettingZoo's own games wear.

    An action that is not legal ends the game, and the agent is given the worst loss there is; calls in the wrong order
    raise PettingZoo's errors.

    Parameters
    ----------
    **options
        As `BackgammonAECEnv` takes them.
    """
    env = BackgammonAECEnv(**options)
    losing: Any = wrappers.TerminateIllegalWrapper(env, illegal_reward=-worst(env.game.rules))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(losing))
