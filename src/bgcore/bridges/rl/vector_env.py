"""A Gymnasium vector environment: self-play of many games at once, over `bgcore.bridges.vector`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgcore.bridges import seen
from bgcore.bridges.rl.missing import missing
from bgcore.bridges.turns import check_plain, most_plays
from bgcore.bridges.vector import VectorGames
from bgcore.errors import RuleError
from bgcore.rules import BACKGAMMON, Rules

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise missing(error) from None

__all__ = ["BackgammonVectorEnv"]

Array = NDArray[Any]
Info = dict[str, Any]


class BackgammonVectorEnv(VectorEnv[NDArray[np.uint8], Array, Array]):
    """Games in which one agent plays both sides: every step is one turn of every game.

    Parameters
    ----------
    num_envs : int
        How many games.
    rules : Rules
        A rule set with plain turns.
    threads : int
        How many may look for plays.
    max_episode_steps : int, optional
        Turns of both players, passes included, after which a game is cut off.

    Attributes
    ----------
    games : VectorGames
        The games; made by the first `reset`.  ``games.plays`` has the positions that each play leads to.

    Notes
    -----
    An observation is what the player on roll is shown (`bgcore.bridges.seen`), so it changes sides with every step; a
    reward is for the player who has just moved.  An action is the number of a play, below ``info["plays"]`` of its
    game; there is no mask, which would be a thousand times as large as everything else.  A roll that cannot be played
    has one play, the pass.  An action that is not legal raises RuleError.

    A game that is over begins anew in the same step (``AutoresetMode.SAME_STEP``); ``info["final_obs"]`` is what the
    opponent of the player who moved was shown at the end.  ``info["player"]`` says who is on roll, 0 or 1.

    Examples
    --------
    >>> env = BackgammonVectorEnv(num_envs=100)
    >>> observations, info = env.reset(seed=1)
    >>> observations, rewards, terminations, truncations, info = env.step(np.zeros(100, np.int64))
    >>> observations.shape, info["plays"].min() >= 1
    ((100, 58), np.True_)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as declared above
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        rules: Rules = BACKGAMMON,
        threads: int = 1,
        max_episode_steps: int | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.rules = check_plain(rules)
        self.threads = threads
        self.max_episode_steps = max_episode_steps
        self.games: VectorGames | None = None
        self.single_action_space = Discrete(most_plays(rules))
        self.single_observation_space = Box(0, 15, (seen.width(rules),), np.uint8)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], Info]:
        """Begin all games anew; options are ignored."""
        super().reset(seed=seed)
        self.games = VectorGames(
            self.num_envs,
            self.rules,
            seed=int(self.np_random.integers(2**63)),
            threads=self.threads,
            max_turns=self.max_episode_steps,
        )
        return self.games.observations(), self._info(self.games)

    def step(self, actions: Any) -> tuple[NDArray[np.uint8], Array, Array, Array, Info]:
        """Make one turn in every game; see `VectorGames.step` for the errors."""
        if self.games is None:
            raise RuleError("call reset() first")
        done = self.games.step(actions)
        info = self._info(self.games)
        over = done.ended | done.truncated
        if over.any():
            rows = np.flatnonzero(over)
            last = seen.observe(done.results[rows], np.ones((len(rows), 2), np.uint8), self.rules)
            last[:, seen.FACES] = 0
            final = np.full(self.num_envs, None, object)
            for row, observation in zip(rows.tolist(), last, strict=True):
                final[row] = observation
            info |= {"final_obs": final, "_final_obs": over}
        return self.games.observations(), done.rewards.astype(np.float64), done.ended, done.truncated, info

    def _info(self, games: VectorGames) -> Info:
        every = np.ones(self.num_envs, np.bool_)
        return {"plays": games.counts, "_plays": every, "player": games.players.copy(), "_player": every.copy()}
