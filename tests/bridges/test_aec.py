"""PettingZoo: its own tests, whole games against a replay, wrong actions, copies, pictures."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import bgcore as bg

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from pettingzoo.test import api_test, render_test, seed_test

from bgcore.bridges.rl import BackgammonAECEnv, aec_env

# What api_test says of every observation that is a dict with a mask, PettingZoo's own games being excused by name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]

CASES: list[dict[str, Any]] = [{}, {"micro": True}, {"rules": bg.PLAKOTO}, {"rules": bg.HYPERGAMMON, "max_turns": 9}]


@pytest.mark.parametrize("options", CASES, ids=str)
@pytest.mark.parametrize("make", [BackgammonAECEnv, aec_env])
def test_pettingzoos_own_tests(make: Any, options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=300)
    seed_test(lambda: make(**options), num_cycles=100)


def test_pettingzoos_render_test() -> None:
    def make(render_mode: str) -> Any:
        return aec_env(render_mode=None if render_mode == "human" else render_mode)

    render_test(make, {"svg": lambda picture: picture.startswith("<svg")})


@pytest.mark.parametrize("rules", [bg.BACKGAMMON, bg.PLAKOTO, bg.FEVGA, bg.HYPERGAMMON], ids=lambda rules: rules.name)
@pytest.mark.parametrize("micro", [False, True])
def test_a_game_is_one_of_legal_plays(rules: bg.Rules, micro: bool) -> None:
    env = BackgammonAECEnv(rules, micro=micro)
    chooser = np.random.default_rng(3)
    dice = np.random.default_rng(8)
    env.reset(seed=8)
    for _ in range(4):  # later games go on with the dice of the seed
        first, second = dice.integers(1, 7, 2).tolist()
        while first == second:
            first, second = dice.integers(1, 7, 2).tolist()
        player = int(second > first)
        if rules.opening == "reroll":
            first, second = dice.integers(1, 7, 2).tolist()
        position = rules.start
        while rules.outcome(position) is None:
            plays = rules.legal_plays(position, (first, second))
            if plays:
                agent = f"player_{player}"
                assert env.agent_selection == agent
                own = env.observe(agent)
                other = env.observe(f"player_{1 - player}")
                assert own["observation"][:52].tolist() == position.counts.ravel().tolist()
                assert other["observation"][:52].tolist() == position.flipped().counts.ravel().tolist()
                assert not other["action_mask"].any()
                assert not other["observation"][52:58].any()
                position = play_a_turn(env, plays, position, (first, second), chooser)
            else:
                position = position.flipped()
            player = 1 - player
            first, second = dice.integers(1, 7, 2).tolist() if rules.outcome(position) is None else (0, 0)
        outcome = rules.outcome(position)
        assert outcome is not None
        won = outcome.points if outcome.winner == "own" else -outcome.points
        assert env.rewards == {f"player_{player}": won, f"player_{1 - player}": -won}
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        env.reset()


def play_a_turn(
    env: Any,
    plays: tuple[bg.Play, ...],
    position: bg.Position,
    roll: tuple[int, int],
    chooser: np.random.Generator,
) -> bg.Position:
    """Make a turn at random; returns where it has led."""
    agent, turns = env.agent_selection, env.game.turns
    mask = env.observe(agent)["action_mask"]
    if not env.game.micro:
        assert np.flatnonzero(mask).tolist() == list(range(len(plays)))
        action = int(chooser.integers(len(plays)))
        env.step(action)
        return plays[action].result
    moved: list[tuple[int, int]] = []
    while env.game.turns == turns:
        action = int(chooser.choice(np.flatnonzero(env.observe(agent)["action_mask"])))
        moved.append((action // 6, max(0, action // 6 - action % 6 - 1)))
        env.step(action)
    assert not env.game.rules.next_moves(position, roll, moved)
    text = " ".join(f"{source}/{target}" for source, target in moved)
    return env.game.rules.check(position, roll, text).result


def test_cut_off() -> None:
    env = BackgammonAECEnv(max_turns=5)
    env.reset(seed=1)
    while env.agents and not any(env.truncations.values()):
        env.step(0)
    assert env.game.turns == 5
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert env.render() is None


def test_nobody_can_ever_move() -> None:
    tawula = bg.rules.get("kirik_tavla", "tawula")
    closed = bg.Position.from_counts([[0, 2, 2, 2, *[0] * 15, 2, 2, 2, 0, 0, 0, 3]] * 2)
    env = BackgammonAECEnv(tawula, render_mode="ansi")
    env.reset(seed=1)
    env.game.start(np.random.default_rng(1), closed)
    assert env.game.points == (0, 0)
    assert env.game.turns == 64
    assert not env.game.truncated
    assert env.render().splitlines()[-1] == " Game over: nobody wins"


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (-1, bg.RuleError),
        (3059, bg.RuleError),
        (3060, bg.RuleError),
        (0.5, TypeError),
        (float("nan"), TypeError),
        (None, TypeError),
        (True, TypeError),
    ],
)
def test_wrong_actions(action: Any, error: type[Exception]) -> None:
    env = BackgammonAECEnv()
    with pytest.raises(bg.RuleError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    before = env.game.position
    with pytest.raises(error):
        env.step(action)
    assert env.game.position == before


def test_after_the_end() -> None:
    env = BackgammonAECEnv(max_turns=1)
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(0)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(bg.RuleError, match="the game is over; reset"):
        env.step(0)


def test_in_the_usual_wrappers_an_illegal_action_loses(caplog: pytest.LogCaptureFixture) -> None:
    env = aec_env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(3059)
    assert "Illegal move made" in caplog.text
    assert env.rewards[agent] == -3.0
    assert all(env.terminations.values())


def test_wrong_settings() -> None:
    with pytest.raises(bg.RuleError, match="render_mode is one of ansi, svg"):
        BackgammonAECEnv(render_mode="human")  # type: ignore[arg-type]
    with pytest.raises(bg.RuleError, match="gul_bara cannot be played here"):
        aec_env(rules=bg.GUL_BARA)
    with pytest.raises(ValueError, match="max_turns must be at least 1"):
        aec_env(max_turns=0)


@pytest.mark.parametrize("micro", [False, True])
def test_a_copy_goes_on_as_the_original_does(micro: bool) -> None:
    env = BackgammonAECEnv(micro=micro)
    env.reset(seed=3)
    for _ in range(5):
        env.step(env.game.legal_actions()[0])
    ends = []
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        trail = []
        while not other.game.over:
            other.step(other.game.legal_actions()[-1])
            trail.append((other.agent_selection, other.game.position))
        ends.append((trail, other.rewards))
    assert ends[0] == ends[1] == ends[2]
