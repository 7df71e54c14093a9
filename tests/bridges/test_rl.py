"""Gymnasium: its own checkers, games against a replay, opponents, wrong actions, copies, the vector environment."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import batch
from bgcore.bridges.turns import worst
from bgcore.bridges.vector import VectorGames

pytest.importorskip("gymnasium", reason="the extra rl is not installed")

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import PassiveEnvChecker

from bgcore.bridges.rl import BackgammonEnv, BackgammonVectorEnv

CASES: list[dict[str, Any]] = [
    {},
    {"micro": True},
    {"rules": bg.PLAKOTO},
    {"rules": bg.HYPERGAMMON, "micro": True},
    {"rules": bg.LONG_NARDI},
]


@pytest.mark.parametrize("options", CASES, ids=str)
@pytest.mark.parametrize("name", ["bgcore/Backgammon-v0", "bgcore.bridges.rl:bgcore/Backgammon-v0"])
def test_gymnasiums_checker(options: dict[str, Any], name: str) -> None:
    """Warnings are errors here, so what Gymnasium only warns about counts as well."""
    for mode in (None, "ansi", "svg"):
        check_env(gymnasium.make(name, render_mode=mode, **options).unwrapped)


@pytest.mark.parametrize("options", CASES, ids=str)
def test_whole_games_under_the_passive_checker(options: dict[str, Any]) -> None:
    env = PassiveEnvChecker(BackgammonEnv(render_mode="ansi", **options))
    for seed in range(3):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, ended, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            assert not truncated
            assert ended or reward == 0
        assert not info["action_mask"].any()
        assert env.render().splitlines()[-1] == {0: " Game over: nobody wins"}.get(
            reward, f" Game over: {'X' if reward > 0 else 'O'} wins {abs(reward):.0f}"
        )


class Recorder:
    """An opponent that takes the first play and remembers what it was shown."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, Any, Any]] = []

    def __call__(self, before: np.ndarray, dice: np.ndarray, plays: batch.PlayBatch) -> np.ndarray:
        assert (before.shape, dice.shape, len(plays)) == ((1, 4), (1, 2), 1)
        self.calls.append((before[0].tolist(), tuple(dice[0].tolist()), plays.results.copy()))
        return np.zeros(1, np.int64)


@pytest.mark.parametrize("rules", [bg.BACKGAMMON, bg.PLAKOTO, bg.FEVGA, bg.HYPERGAMMON], ids=lambda rules: rules.name)
@pytest.mark.parametrize("micro", [False, True])
def test_a_game_is_one_of_legal_plays(rules: bg.Rules, micro: bool) -> None:
    """Replayed with scalar calls from the generator's throws: the dice, both sides' plays, passes and the reward."""
    opponent = Recorder()
    env = BackgammonEnv(rules, opponent=opponent, micro=micro)
    chooser = np.random.default_rng(12)
    for seed in range(4):
        opponent.calls.clear()
        observation, info = env.reset(seed=seed)
        dice = np.random.Generator(np.random.PCG64(seed))

        def throw(dice: np.random.Generator = dice) -> tuple[int, int]:
            first, second = dice.integers(1, 7, 2).tolist()
            return first, second

        first, second = throw()
        while first == second:
            first, second = throw()
        player = 0 if first > second else 1
        roll = throw() if rules.opening == "reroll" else (first, second)
        position, answers, reward, ended = rules.start, 0, 0.0, False
        while True:
            plays = rules.legal_plays(position, roll)
            if not plays:
                position = position.flipped()
            elif player == 1:
                before, shown, results = opponent.calls[answers]
                assert (before, shown) == (position.packed.tolist(), (max(roll), min(roll)))
                assert results.tolist() == [play.result.packed.tolist() for play in plays]
                position = plays[0].result
                answers += 1
            else:
                assert not ended
                assert observation[:52].tolist() == position.counts.ravel().tolist()
                ends = {play.result: number for number, play in enumerate(plays)}
                if micro:
                    position, observation, reward, ended, info = one_turn(env, rules, position, roll, info, chooser)
                    assert position in ends
                else:
                    assert np.flatnonzero(info["action_mask"]).tolist() == list(range(len(plays)))
                    action = int(chooser.integers(len(plays)))
                    observation, reward, ended, _, info = env.step(action)
                    position = plays[action].result
            player = 1 - player
            outcome = rules.outcome(position)
            if outcome is not None:
                mine = (outcome.winner == "own") == (player == 0)
                assert ended
                assert reward == (outcome.points if mine else -outcome.points)
                assert answers == len(opponent.calls)
                last = position if player == 0 else position.flipped()
                assert observation[:52].tolist() == last.counts.ravel().tolist()
                assert not observation[52:58].any()
                break
            roll = throw()


def one_turn(
    env: BackgammonEnv,
    rules: bg.Rules,
    position: bg.Position,
    roll: tuple[int, int],
    info: dict[str, Any],
    chooser: np.random.Generator,
) -> tuple[bg.Position, np.ndarray, float, bool, dict[str, Any]]:
    """A turn of single moves, until no more of them is due: where it leads, and what the last step has returned."""
    moved: list[tuple[int, int]] = []
    while True:
        action = int(chooser.choice(np.flatnonzero(info["action_mask"])))
        moved.append((action // 6, max(0, action // 6 - action % 6 - 1)))
        observation, reward, ended, _, info = env.step(action)
        if not rules.next_moves(position, roll, moved):
            text = " ".join(f"{source}/{target}" for source, target in moved)
            return rules.check(position, roll, text).result, observation, reward, ended, info


def test_dice_left_are_seen_in_the_middle_of_a_turn() -> None:
    env = BackgammonEnv(micro=True)
    _, info = env.reset(seed=2, options={"position": bg.BACKGAMMON.start})
    high, low = env.game.roll
    faces = np.bincount([high, low] if high != low else [high] * 4, minlength=7)[1:]
    action = int(np.flatnonzero(info["action_mask"])[0])
    observation, *_ = env.step(action)
    faces[action % 6] -= 1
    assert observation[52:58].tolist() == faces.tolist()
    source = action // 6
    assert observation[source] == env.game.position.counts[0, source] - 1


@pytest.mark.parametrize("micro", [False, True])
def test_an_illegal_action_loses(micro: bool) -> None:
    env = BackgammonEnv(micro=micro)
    _, info = env.reset(seed=1)
    action = int(np.flatnonzero(info["action_mask"] == 0)[-1])
    _, reward, ended, truncated, info = env.step(action)
    assert (reward, ended, truncated) == (-3.0, True, False)
    assert info["illegal_action"] == action
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(bg.RuleError, match="lost by an illegal action; reset"):
        env.step(0)
    env.reset()
    strict = BackgammonEnv(micro=micro, illegal="error")
    strict.reset(seed=1)
    before = strict.game.board(0)
    with pytest.raises(bg.RuleError, match=f"action {action} is not legal now"):
        strict.step(action)
    assert strict.game.board(0) == before


def test_the_worst_loss() -> None:
    assert worst(bg.BACKGAMMON) == 3
    assert worst(bg.PLAKOTO) == 2
    assert worst(bg.BACKGAMMON.replace(scoring=(1, 1, 1))) == 1
    assert worst(bg.BACKGAMMON.replace(ladder={"koks": 5})) == 5


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (-1, bg.RuleError),
        (3060, bg.RuleError),
        (2**70, bg.RuleError),
        (0.0, TypeError),
        (float("nan"), TypeError),
        (True, TypeError),
        (None, TypeError),
        ("0", TypeError),
        (np.zeros(1, np.int64), TypeError),
        (np.array(0.0), TypeError),
        (np.array(True), TypeError),
    ],
)
def test_what_is_no_action(action: Any, error: type[Exception]) -> None:
    env = BackgammonEnv()
    with pytest.raises(bg.RuleError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(error, match="an action is"):
        env.step(action)
    for good in (np.int8(0), np.array(0)):
        env.step(good)


def test_after_the_end() -> None:
    env = BackgammonEnv()
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        *_, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    with pytest.raises(bg.RuleError, match="the game is over; reset"):
        env.step(0)


def test_options_of_reset() -> None:
    env = BackgammonEnv()
    position = bg.Position.from_counts([[13, 0, 2, *[0] * 23], [0] * 24 + [15, 0]])
    observation, _ = env.reset(seed=1, options={"position": position})
    assert observation[:52].tolist() == position.counts.ravel().tolist()
    reward, ended = 0.0, False
    while not ended:
        _, reward, ended, _, _ = env.step(0)
    assert reward == 3
    with pytest.raises(bg.RuleError, match="reset has no option 'positoin'; there is 'position'"):
        env.reset(options={"positoin": position})
    with pytest.raises(bg.RuleError, match="the game is over in that position"):
        env.reset(options={"position": bg.Position.from_counts([[15] + [0] * 25, [0] * 24 + [15, 0]])})
    with pytest.raises(bg.InvalidPosition):
        env.reset(options={"position": bg.HYPERGAMMON.start})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"illegal": "no"}, "illegal is 'loses' or 'error'"),
        ({"render_mode": "human"}, "render_mode is one of ansi, svg"),
        ({"rules": bg.GUL_BARA}, "gul_bara cannot be played here"),
    ],
)
def test_wrong_settings(options: dict[str, Any], message: str) -> None:
    with pytest.raises(bg.RuleError, match=message):
        BackgammonEnv(**options)


@pytest.mark.parametrize(
    ("answer", "error"),
    [(5000, ValueError), ([0, 0], ValueError), ([0.5], TypeError), ([-1], bg.RuleError), ([3060], bg.RuleError)],
)
def test_an_opponent_that_chooses_nonsense(answer: Any, error: type[Exception]) -> None:
    env = BackgammonEnv(opponent=lambda before, dice, plays: answer)
    env.reset(options={"position": bg.BACKGAMMON.start})
    with pytest.raises(error, match=r"opponent's choice must|no play"):
        env.step(0)


@pytest.mark.parametrize("micro", [False, True])
def test_a_copy_goes_on_as_the_original_does(micro: bool) -> None:
    env = BackgammonEnv(micro=micro)
    _, info = env.reset(seed=3)
    for _ in range(7):
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    kept = info
    ends = []
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        info, ended, trail = kept, False, []
        while not ended:
            _, reward, ended, _, info = other.step(int(np.flatnonzero(info["action_mask"])[-1]))
            trail.append((reward, info["action_mask"].tolist()))
        ends.append(trail)
    assert ends[0] == ends[1] == ends[2]


def test_masks_by_the_name_that_sb3_asks_for() -> None:
    env = BackgammonEnv()
    _, info = env.reset(seed=3)
    assert env.action_masks().dtype == np.bool_
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()


def test_pictures() -> None:
    env = BackgammonEnv(render_mode="svg")
    with pytest.raises(bg.RuleError, match="call reset"):
        env.render()
    env.reset(seed=3)
    assert env.render().startswith("<svg")
    assert BackgammonEnv().render() is None
    env = BackgammonEnv(render_mode="ansi")
    env.reset(seed=3)
    assert env.render().splitlines()[-1] == " X to play {}{}".format(*env.game.roll)


def test_a_pass_is_no_decision() -> None:
    """The agent waits on the bar against a closed board until it has a play: the opponent plays several turns."""
    shut = bg.Position.from_counts([[0] * 25 + [15], [0, *[2] * 6, 3, *[0] * 18]])
    calls = Recorder()
    env = BackgammonEnv(opponent=calls)
    _, info = env.reset(seed=1, options={"position": shut})
    assert info["action_mask"].any()
    assert len(calls.calls) >= 1
    assert env.game.turns == 2 * len(calls.calls)


# ---- side by side -------------------------------------------------------------------------------------------------


def test_the_vector_environment_is_the_games() -> None:
    env = gymnasium.make_vec("bgcore/BackgammonSelfPlay-v0", num_envs=50, max_episode_steps=60)
    observations, info = env.reset(seed=3)
    seed = int(np.random.Generator(np.random.PCG64(3)).integers(2**63))
    games = VectorGames(50, seed=seed, max_turns=60)
    rng = np.random.default_rng(1)
    ends = cuts = 0
    for _ in range(150):
        assert observations in env.observation_space
        assert np.array_equal(observations, games.observations())
        assert np.array_equal(info["plays"], games.counts)
        assert np.array_equal(info["player"], games.players)
        actions = games.random_choices(rng)
        assert actions in env.action_space
        step = games.step(actions)
        observations, rewards, terminations, truncations, info = env.step(actions)
        assert rewards.tolist() == step.rewards.tolist()
        assert np.array_equal(terminations, step.ended)
        assert np.array_equal(truncations, step.truncated)
        over = np.flatnonzero(terminations | truncations).tolist()
        assert np.flatnonzero(info.get("_final_obs", [])).tolist() == over
        for game in over:
            final = info["final_obs"][game]
            assert final[:52].tolist() == bg.Position.from_packed(step.results[game]).counts.ravel().tolist()
            assert not final[52:58].any()
        ends, cuts = ends + int(terminations.sum()), cuts + int(truncations.sum())
    assert ends > 0
    assert cuts > 0


def test_the_vector_environment_in_gymnasiums_wrappers() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(BackgammonVectorEnv(20))
    _, info = env.reset(seed=1)
    for _ in range(200):
        *_, info = env.step(info["plays"] - 1)
        if "episode" in info:
            break
    assert info["episode"]["l"].max() > 20


def test_wrong_use_of_the_vector_environment() -> None:
    env = BackgammonVectorEnv(2)
    with pytest.raises(bg.RuleError, match="call reset"):
        env.step([0, 0])
    env.reset(seed=1)
    with pytest.raises(bg.RuleError, match="game 1: no play 3059"):
        env.step([0, 3059])
    with pytest.raises(TypeError, match="choices must be integers"):
        env.step([0.0, np.nan])
    with pytest.raises(bg.RuleError, match="gul_bara cannot"):
        BackgammonVectorEnv(2, rules=bg.GUL_BARA)


def test_single_environments_side_by_side() -> None:
    env = gymnasium.make_vec("bgcore/Backgammon-v0", num_envs=3)
    _, info = env.reset(seed=1)
    for _ in range(60):
        actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in info["action_mask"]])
        _, _, _, _, info = env.step(actions)
    assert info["action_mask"].shape == (3, 3060)
