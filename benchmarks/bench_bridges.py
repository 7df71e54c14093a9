"""Bridges: turns of many games side by side, environments step by step, states as OpenSpiel has them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from figures import Beside, Measure

import bgcore as bg
from bgcore.bridges.openspiel import load_game
from bgcore.bridges.vector import VectorGames

GAMES, STEPS = 4096, 50
SINGLE = 1000
RULES = [bg.BACKGAMMON, bg.HYPERGAMMON, bg.PLAKOTO, bg.LONG_NARDI]


def mixed(rules: bg.Rules = bg.BACKGAMMON, games: int = GAMES) -> tuple[VectorGames, np.random.Generator]:
    """Games in every stage."""
    table, generator = VectorGames(games, rules, seed=7), np.random.default_rng(8)
    for _ in range(120):
        table.step(table.random_choices(generator))
    return table, generator


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def bench_random_turns(measure: Measure, rules: bg.Rules) -> None:
    table, generator = mixed(rules)

    def play() -> int:
        return sum(int(table.step(table.random_choices(generator)).ended.sum()) for _ in range(STEPS))

    label = f"VectorGames, {GAMES} games of {rules.name}, random choices"
    ended = measure(label, play, work=GAMES * STEPS, unit="turns/s", goal=500e3 if rules is bg.BACKGAMMON else None)
    assert ended > 0


@pytest.mark.parametrize("games", [16, 256, 65_536])
def bench_other_numbers_of_games(measure: Measure, games: int) -> None:
    table, generator = mixed(games=games)
    steps = max(1, GAMES * STEPS // games // 4)

    def play() -> None:
        for _ in range(steps):
            table.step(table.random_choices(generator))

    measure(f"VectorGames, {games} games of backgammon, random choices", play, work=games * steps, unit="turns/s")


def bench_observed_turns(measure: Measure) -> None:
    table, generator = mixed()

    def play() -> None:
        for _ in range(STEPS):
            table.observations()
            table.step(table.random_choices(generator))

    measure("the same, backgammon, every position observed", play, work=GAMES * STEPS, unit="turns/s")


def bench_best_turns(measure: Measure) -> None:
    table, _ = mixed()

    def play() -> None:
        for _ in range(STEPS):
            table.step(table.best(bg.batch.pips(table.plays.results)[:, 0]))

    measure("the same, the play that leaves the opponent most pips", play, work=GAMES * STEPS, unit="turns/s")


def bench_vector_environment(measure: Measure) -> None:
    rl = pytest.importorskip("bgcore.bridges.rl", reason="the extra rl is not installed")
    env, generator = rl.BackgammonVectorEnv(GAMES), np.random.default_rng(8)
    env.reset(seed=7)

    def play() -> None:
        for _ in range(STEPS):
            env.step(env.games.random_choices(generator))

    measure(f"BackgammonVectorEnv, {GAMES} games", play, work=GAMES * STEPS, unit="turns/s")


@pytest.mark.parametrize("micro", [False, True])
def bench_environment(measure: Measure, micro: bool) -> None:
    rl = pytest.importorskip("bgcore.bridges.rl", reason="the extra rl is not installed")
    env, generator = rl.BackgammonEnv(micro=micro), np.random.default_rng(8)
    _, first = env.reset(seed=7)

    def play() -> None:
        info = first if not env.game.over else env.reset()[1]
        for _ in range(SINGLE):
            _, _, ended, _, info = env.step(int(generator.choice(np.flatnonzero(env.action_masks()))))
            if ended:
                info = env.reset()[1]
        assert info["action_mask"].any()

    label = f"BackgammonEnv{', micro' if micro else ''}, opponent's turns and choice included"
    measure(label, play, work=SINGLE, unit="steps/s")


def bench_agents(measure: Measure) -> None:
    rl = pytest.importorskip("bgcore.bridges.rl", reason="the extra rl is not installed")
    env, generator = rl.BackgammonAECEnv(), np.random.default_rng(8)
    env.reset(seed=7)

    def play() -> None:
        for _ in range(SINGLE):
            mask = env.last()[0]["action_mask"]
            env.step(int(generator.choice(np.flatnonzero(mask))))
            if env.game.over:
                env.reset()

    measure("BackgammonAECEnv, last() and choice included", play, work=SINGLE, unit="steps/s")


def bench_openspiel(measure: Measure) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed")

    def actions(game: Any) -> int:
        chooser, made = random.Random(1), 0
        for _ in range(10):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chooser.choice(state.legal_actions()))
                made += 1
        return made

    ours, theirs = load_game(), pyspiel.load_game("backgammon")
    work = actions(ours)
    assert work == actions(theirs)
    beside = [Beside("openspiel.State / OpenSpiel's own, random games", lambda: actions(theirs), work)]
    measure("openspiel.State, random games", lambda: actions(ours), work=work, unit="actions/s", beside=beside)
