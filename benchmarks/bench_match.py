"""A match from Python: one action at a time, whole random games, states by the hundred thousand."""

from __future__ import annotations

import pickle
import random
import timeit
from collections.abc import Callable
from functools import partial

import pytest
from figures import Measure

import bgcore as bg
from bgcore.match.actions import Double, MakePlay, OpeningRoll, Pass, Resign, Roll, Take

CALLS = 20_000
GAMES = 100
OPENED = bg.MatchState.new(length=7).apply(OpeningRoll(3, 1))
PLAY = OPENED.legal_plays()[5]
TO_ROLL = OPENED.apply(PLAY)
OFFERED = TO_ROLL.apply(Double())
ACES = TO_ROLL.apply(Roll(1, 1))  # 42 plays
ACES_PLAY = ACES.legal_plays()[-1]


def many(call: Callable[[], object]) -> Callable[[], float]:
    """The call, `CALLS` times in a row."""
    return partial(timeit.Timer(call).timeit, CALLS)


STEPS: dict[str, tuple[Callable[[], object], float]] = {
    "apply a roll": (lambda: TO_ROLL.apply(Roll(4, 2)), 3.0),
    "apply a double": (lambda: TO_ROLL.apply(Double()), 3.0),
    "apply a take": (lambda: OFFERED.apply(Take()), 3.0),
    "apply an offer to resign": (lambda: TO_ROLL.apply(Resign(1, 0)), 3.0),
    "apply a play, one of 16": (lambda: OPENED.apply(PLAY), 6.0),
    "apply a play, one of 42": (lambda: ACES.apply(ACES_PLAY), 6.0),
    "actions": (TO_ROLL.actions, 1.0),
}


@pytest.mark.parametrize("name", STEPS)
def bench_step(measure: Measure, name: str) -> None:
    call, goal = STEPS[name]
    measure(f"MatchState, {name}", many(call), work=CALLS, unit="us", goal=goal)
    assert OFFERED.apply(Take()).cube == 2
    assert OPENED.apply(PLAY).position == PLAY.result
    assert ACES.apply(ACES_PLAY).position == ACES_PLAY.result
    assert TO_ROLL.apply(Roll(4, 2)).dice == (4, 2)


def bench_play_as_text(measure: Measure) -> None:
    text = MakePlay(str(PLAY))
    measure("MatchState, apply a play written as text", many(lambda: OPENED.apply(text)), work=CALLS, unit="us")
    assert OPENED.apply(text) == TO_ROLL


def random_game(seed: int) -> tuple[bg.MatchState, int]:
    """A money game without the cube: every play with its dice chosen at random among all that are legal."""
    rng = random.Random(seed)
    die, choice = partial(rng.randint, 1, 6), rng.choice
    state = bg.MatchState.new(length=0)
    while state.dice is None:
        state = state.apply(OpeningRoll(die(), die()))
    plies = 1
    while True:
        plays = state.legal_plays()
        state = state.apply(choice(plays)) if plays else state.apply(Pass())
        if state.is_game_over:
            return state, plies
        state = state.apply(Roll(die(), die()))
        plies += 1


def bench_random_games(measure: Measure) -> None:
    games = measure(
        "MatchState, random money games, legal_plays() at each ply",
        lambda: [random_game(seed) for seed in range(GAMES)],
        work=GAMES,
        unit="games/s",
        goal=500.0,
    )
    assert 85 < sum(plies for _, plies in games) / GAMES < 110
    assert all(state.result is not None for state, _ in games)


def bench_pickle(measure: Measure) -> None:
    dice = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    states = [OPENED.apply(play).apply(Roll(*roll)) for play in OPENED.legal_plays() for roll in dice]

    def there_and_back() -> list[bg.MatchState]:
        return [*pickle.loads(pickle.dumps(states, protocol=5))]

    again = measure("MatchState, pickled and read", there_and_back, work=len(states), unit="states/s")
    assert again == states
