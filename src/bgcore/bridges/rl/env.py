"""A Gymnasium environment: one agent against an opponent that plays by itself."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bgcore import batch
from bgcore.arrays import integers
from bgcore.bridges.rl.missing import missing
from bgcore.bridges.seen import width
from bgcore.bridges.single import RENDER_MODES, SingleGame
from bgcore.bridges.turns import PlayChooser, worst
from bgcore.errors import RuleError
from bgcore.rules import BACKGAMMON, Rules

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ModuleNotFoundError as error:
    raise missing(error) from None

__all__ = ["BackgammonEnv"]

Observation = NDArray[np.uint8]
Info = dict[str, Any]


class BackgammonEnv(gymnasium.Env[Observation, np.int64]):
    """A game for one agent; the opponent's turns are part of a step.

    Parameters
    ----------
    rules : Rules
        A rule set with plain turns.  ``rules.replace(scoring=(1, 1, 1))`` is the game for wins and losses only.
    opponent : PlayChooser, optional
        Called with positions (1, 4), dice (1, 2) and a PlayBatch, it returns the number of a play, integers (1,).
        None: every play is equally likely.
    micro : bool
        False: an action is the number of a play of `plays`.  True: it moves one checker, source × 6 + die - 1.
    illegal : {"loses", "error"}
        What an action does that is not legal now.  "loses": the game ends as the worst loss there is, and the info says
        so under "illegal_action"; agents without a mask learn from it.  "error": RuleError.
    render_mode : {"ansi", "svg"}, optional

    Attributes
    ----------
    action_space : Discrete
        `bgcore.bridges.turns.most_plays` actions, 3,060 in backgammon, or 156 with `micro`.
    observation_space : Box
        uint8, columns as in `bgcore.bridges.seen`.

    Notes
    -----
    The agent is asked only when it has a play: rolls that cannot be played pass by themselves.  ``info["action_mask"]``
    is int8, as ``action_space.sample(mask)`` takes it.  The reward is 0 until the game is over, and then the points won
    or lost: 1, 2 or 3 in backgammon.  ``reset(options={"position": position})`` begins there, the agent on roll; else
    who begins is thrown for as the rules say.  No cube.

    Raises
    ------
    RuleError
        A rule set without plain turns, an unknown option; an action that is none; a step before the first `reset` or
        after the end.
    TypeError
        An action that is no integer.

    Examples
    --------
    >>> env = BackgammonEnv()
    >>> observation, info = env.reset(seed=5)
    >>> ended = False
    >>> while not ended:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     observation, reward, ended, _, info = env.step(action)
    >>> abs(reward) in (1, 2, 3)
    True
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as declared above

    def __init__(
        self,
        rules: Rules = BACKGAMMON,
        *,
        opponent: PlayChooser | None = None,
        micro: bool = False,
        illegal: Literal["loses", "error"] = "loses",
        render_mode: Literal["ansi", "svg"] | None = None,
    ) -> None:
        if illegal not in ("loses", "error"):
            raise RuleError(f"illegal is 'loses' or 'error', not {illegal!r}")
        if render_mode not in (None, *RENDER_MODES):
            raise RuleError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.game = SingleGame(rules, micro=micro)
        self.opponent = opponent
        self.illegal = illegal
        self.render_mode = render_mode
        self.action_space = Discrete(self.game.actions)
        self.observation_space = Box(0, 15, (width(rules),), np.uint8)
        self._lost = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begin a game.

        Parameters
        ----------
        seed : int, optional
            Of the dice and of an opponent that plays at random.
        options : dict, optional
            ``position``: where to begin, seen by the agent, who is on roll.
        """
        unknown = sorted(set(options or ()) - {"position"})
        if unknown:
            raise RuleError(f"reset has no option {', '.join(map(repr, unknown))}; there is 'position'")
        super().reset(seed=seed)
        self._lost = False
        self.game.start(self.np_random, (options or {}).get("position"))
        self._answer()
        return self._seen()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Do what the agent has chosen, and then let the opponent play until the agent has something to choose."""
        number = self.game.check_action(action)
        if self._lost:
            raise RuleError("the game was lost by an illegal action; reset() begins another one")
        if not self.game.is_legal(number):
            if self.illegal == "error":
                raise RuleError(f"action {number} is not legal now; info['action_mask'] says what is")
            self._lost = True
            observation, info = self._seen()
            return observation, -float(worst(self.game.rules)), True, False, info | {"illegal_action": number}
        self.game.act(number)
        self._answer()
        points = self.game.points
        observation, info = self._seen()
        return observation, 0.0 if points is None else float(points[0]), points is not None, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as bool, under the name that sb3-contrib asks for."""
        return self._mask().astype(np.bool_)

    def render(self) -> Any:
        """The board with the agent at the bottom, str, or None without a render mode."""
        return None if self.render_mode is None else self.game.render(self.render_mode, 0)

    def _mask(self) -> NDArray[np.int8]:
        return np.zeros(self.game.actions, np.int8) if self._lost else self.game.mask()

    def _seen(self) -> tuple[Observation, Info]:
        return self.game.observe(0), {"action_mask": self._mask()}

    def _answer(self) -> None:
        """The opponent's turns."""
        while not self.game.over and self.game.player == 1:
            self.game.play(self._choice())

    def _choice(self) -> int:
        """The play that the opponent chooses."""
        game = self.game
        if self.opponent is None:
            return int(self.np_random.integers(len(game.plays)))
        before = game.position.packed[np.newaxis]
        dice = np.array([game.roll], np.uint8)
        plays = batch.legal_plays(before, dice, game.rules)
        chosen = integers(self.opponent(before, dice, plays), "the opponent's choice", ())
        if chosen.shape != (1,):
            raise ValueError(f"the opponent's choice must have shape (1,), not {chosen.shape}")
        return int(chosen[0])
