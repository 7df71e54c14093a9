"""Games side by side: against a replay with scalar calls, against playouts, whatever the threads, with bad input."""

from __future__ import annotations

import copy
import os
import pickle
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import batch
from bgcore.bridges.turns import check_plain, most_plays
from bgcore.bridges.vector import VectorGames
from bgcore.dice import SeededDice

EVERY = [bg.rules.get(name) for name in bg.rules.names()]
EVERY += [bg.rules.get(name, preset) for name in bg.rules.names() for preset in bg.rules.presets(name)]
REFUSED = {
    "gul_bara": "a double goes on",
    "gul_bara:gioul": "a double goes on",
    "uzun_tavla:celebi": "a double goes on",
    "jacquet:moulidars": "the courier",
    "jacquet:versailles": "the courier",
    "julbahar": "the opponent's checkers",
}
PLAIN = [rules for rules in EVERY if rules.name not in REFUSED]


def name_of(rules: bg.Rules) -> str:
    return rules.name


# ---- which rules --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EVERY, ids=name_of)
def test_what_needs_more_than_a_position_is_refused(rules: bg.Rules) -> None:
    if rules.name in REFUSED:
        with pytest.raises(bg.RuleError, match=f"{rules.name} cannot be played here: .*{REFUSED[rules.name]}"):
            check_plain(rules)
    else:
        assert check_plain(rules) is rules


def test_what_is_said_instead_is_so() -> None:
    for rules in [*(rules for rules in EVERY if rules.name in REFUSED), bg.LONG_NARDI.replace(draw="last_roll")]:
        with pytest.raises(bg.RuleError, match="cannot be played here") as refusal:
            check_plain(rules)
        instead = re.search(r"; (?:take replace\((\w+)='(\w+)'\)|bgcore.MatchState plays it)$", str(refusal.value))
        assert instead is not None
        if instead[1]:
            check_plain(rules.replace(**{instead[1]: instead[2]}))
        else:
            assert bg.MatchState.new(7, rules=rules).actions()


def test_refused_too() -> None:
    with pytest.raises(bg.RuleError, match="the last roll is due"):
        VectorGames(1, bg.LONG_NARDI.replace(draw="last_roll"), seed=1)
    with pytest.raises(bg.RuleError):
        VectorGames(1, bg.BACKGAMMON.replace(block_at=1), seed=1)  # the core does not play it
    with pytest.raises(TypeError, match="rules must be a Rules"):
        VectorGames(1, "backgammon", seed=1)  # type: ignore[arg-type]


def test_no_roll_has_more_plays() -> None:
    assert most_plays(bg.BACKGAMMON) == most_plays(bg.LONG_NARDI) == 3060
    assert most_plays(bg.HYPERGAMMON) == 15
    assert most_plays(bg.BACKGAMMON.replace(name="one", start={24: 1}, checkers=1)) == 2  # two ways round
    games = VectorGames(2000, bg.HYPERGAMMON, seed=9)
    rng = np.random.default_rng(1)
    seen = 0
    for _ in range(50):
        seen = max(seen, int(games.counts.max()))
        games.step(games.random_choices(rng))
    assert 12 <= seen <= 15


# ---- against scalar calls -----------------------------------------------------------------------------------------


class Replay:
    """The same games with scalar calls, one after the other, from the dice that a seed is documented to give."""

    def __init__(self, n: int, rules: bg.Rules, seed: int, max_turns: int | None) -> None:
        self.rules, self.max_turns, self.dice = rules, max_turns, SeededDice(seed)
        self.positions = [rules.start] * n
        self.players = [0] * n
        self.turns = [0] * n
        self.rolls: list[tuple[int, int]] = []
        self.throw(range(n))

    def throw(self, new: Any) -> None:
        self.rolls = [(a, b) for a, b in self.dice.rolls(len(self.positions)).tolist()]
        tied = [game for game in new if self.rolls[game][0] == self.rolls[game][1]]
        while tied:
            for game, (a, b) in zip(tied, self.dice.rolls(len(tied)).tolist(), strict=True):
                self.rolls[game] = a, b
            tied = [game for game in tied if self.rolls[game][0] == self.rolls[game][1]]
        for game in new:
            self.players[game] = int(self.rolls[game][1] > self.rolls[game][0])
        if self.rules.opening == "reroll" and len(new):
            for game, (a, b) in zip(new, self.dice.rolls(len(new)).tolist(), strict=True):
                self.rolls[game] = a, b

    def results(self, game: int) -> list[bg.Position]:
        position = self.positions[game]
        plays = self.rules.legal_plays(position, self.rolls[game])
        return [play.result for play in plays] or [position.flipped()]

    def step(self, choices: list[int]) -> list[tuple[bg.Position, float, bool, bool]]:
        done = []
        new = []
        for game, choice in enumerate(choices):
            result = self.results(game)[choice]
            self.turns[game] += 1
            self.players[game] = 1 - self.players[game]
            outcome = self.rules.outcome(result)
            reward = 0.0
            if outcome is not None and outcome.winner is not None:
                reward = float(outcome.points if outcome.winner == "opp" else -outcome.points)
            cut = outcome is None and self.max_turns is not None and self.turns[game] == self.max_turns
            done.append((result, reward, outcome is not None, cut))
            self.positions[game] = result
            if outcome is not None or cut:
                new.append(game)
                self.positions[game] = self.rules.start
                self.turns[game] = 0
        self.throw(new)
        return done


@pytest.mark.parametrize("rules", PLAIN, ids=name_of)
@pytest.mark.parametrize("max_turns", [None, 11])
def test_as_with_scalar_calls(rules: bg.Rules, max_turns: int | None) -> None:
    n, steps = (12, 100) if max_turns is None else (12, 25)
    games = VectorGames(n, rules, seed=77, max_turns=max_turns, moves=True)
    replay = Replay(n, rules, 77, max_turns)
    rng = np.random.default_rng(3)
    ends = cuts = passes = 0
    for _ in range(steps):
        assert games.positions.tolist() == [position.packed.tolist() for position in replay.positions]
        assert games.players.tolist() == replay.players
        assert games.dice.tolist() == [list(roll) for roll in replay.rolls]
        assert games.turns.tolist() == replay.turns
        offsets = games.plays.offsets
        for game in range(n):
            rows = games.plays.results[offsets[game] : offsets[game + 1]]
            assert rows.tolist() == [result.packed.tolist() for result in replay.results(game)]
            must_pass = not rules.legal_plays(replay.positions[game], replay.rolls[game])
            assert games.passing[game] == must_pass
            passes += must_pass
        players = games.players.copy()
        choices = games.random_choices(rng)
        assert (choices < games.counts).all()
        step = games.step(choices)
        expected = replay.step(choices.tolist())
        assert step.players.tolist() == players.tolist()
        assert step.results.tolist() == [result.packed.tolist() for result, *_ in expected]
        assert step.rewards.tolist() == [reward for _, reward, *_ in expected]
        assert step.ended.tolist() == [ended for *_, ended, _ in expected]
        assert step.truncated.tolist() == [cut for *_, cut in expected]
        ends += step.ended.sum()
        cuts += step.truncated.sum()
    assert games.plays.moves is not None
    assert games.plays.moves.shape == (len(games.plays.results), rules.max_moves, 3)
    if max_turns is None:
        assert ends > 0 or rules.geometry == "parallel" or rules.contact == "pin"
    else:
        assert cuts > 0


@pytest.mark.parametrize("rules", [bg.BACKGAMMON, bg.HYPERGAMMON, bg.PLAKOTO], ids=name_of)
def test_games_end_as_playouts_do(rules: bg.Rules) -> None:
    """The first game of each slot, so that short ones aren't favoured; points of who is on roll at the start."""
    n = 300 if rules is bg.PLAKOTO else 1000  # whose games are long
    games = VectorGames(n, rules, seed=5)
    first_player = games.players.copy()
    rng = np.random.default_rng(6)
    points, lengths = np.zeros(n), np.zeros(n, np.int64)
    waiting = np.ones(n, np.bool_)
    for turn in range(1, 3000):
        step = games.step(games.random_choices(rng))
        over = step.ended & waiting
        sign = np.where(step.players == first_player, 1, -1)
        points[over] = (step.rewards * sign)[over]
        lengths[over] = turn
        waiting &= ~step.ended
        if not waiting.any():
            break
    assert not waiting.any()
    reference = batch.playouts(rules.start.packed[None], 40_000, rules=rules, seed=8)
    single, gammon, backgammon = rules.scoring
    values = np.array([single, gammon, backgammon, -single, -gammon, -backgammon, 0])
    shares = reference.counts[0] / reference.trials
    mean = (values * shares).sum()
    deviation = np.sqrt((values**2 * shares).sum() - mean**2)
    # An opening roll of backgammon is never a double here, and may be one in playouts: 0.05 for that.
    assert abs(points.mean() - mean) < 4.5 * deviation / np.sqrt(n) + 0.05
    assert abs(lengths.mean() - reference.plies[0] / reference.trials) < 5 * lengths.std() / np.sqrt(n)
    for value in {1, 2, 3} & set(np.abs(values).tolist()):
        share = shares[np.abs(values) == value].sum()
        assert abs((np.abs(points) == value).mean() - share) < 5 * np.sqrt(share * (1 - share) / n) + 0.01


# ---- seeds, threads, copies ---------------------------------------------------------------------------------------


def trajectory(games: VectorGames, steps: int, seed: int = 2) -> list[Any]:
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        step = games.step(games.random_choices(rng))
        seen.append([array.tolist() for array in (*step, games.positions, games.dice, games.players, games.turns)])
    return seen


def test_the_same_for_a_seed_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    n = 6000  # enough for threads to be used
    expected = trajectory(VectorGames(n, seed=4), 3)
    for threads in (2, 3):
        assert trajectory(VectorGames(n, seed=4, threads=threads), 3) == expected
    assert trajectory(VectorGames(n, seed=np.random.SeedSequence(4)), 3) == expected
    games = VectorGames(n, seed=9)
    assert trajectory(games, 3) != expected
    games.reset(4)
    assert trajectory(games, 3) == expected


def test_a_copy_goes_on_as_the_original_does() -> None:
    games = VectorGames(40, bg.PLAKOTO, seed=4, max_turns=30)
    trajectory(games, 20)
    for other in (pickle.loads(pickle.dumps(games)), copy.deepcopy(games)):
        original = pickle.loads(pickle.dumps(games))
        assert trajectory(other, 40) == trajectory(original, 40)
    assert repr(games) == "<VectorGames: 40 games of plakoto>"


def test_what_was_handed_out_is_left_alone() -> None:
    games = VectorGames(300, seed=4, max_turns=6)
    rng = np.random.default_rng(1)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(15):
        step = games.step(games.random_choices(rng))
        arrays = [*step, games.positions, games.dice, games.players, games.turns, games.counts, games.observations()]
        kept += [(array, array.copy()) for array in arrays]
    assert all(np.array_equal(array, held) for array, held in kept)


def test_openings() -> None:
    games = VectorGames(20_000, seed=1)
    assert (games.dice[:, 0] != games.dice[:, 1]).all()
    assert (games.players == (games.dice[:, 1] > games.dice[:, 0])).all()
    assert abs(games.players.mean() - 0.5) < 0.02
    games = VectorGames(20_000, bg.FEVGA, seed=1)
    assert abs((games.dice[:, 0] == games.dice[:, 1]).mean() - 1 / 6) < 0.015


# ---- nobody can move ----------------------------------------------------------------------------------------------

TAWULA = bg.rules.get("kirik_tavla", "tawula")
CLOSED = bg.Position.from_counts([[0, 2, 2, 2, *[0] * 15, 2, 2, 2, 0, 0, 0, 3]] * 2)
"""Three on each bar; of six points to enter by, three are closed and three are one's own, which this game forbids."""


def put(games: VectorGames, position: bg.Position) -> None:
    games.positions = np.repeat(position.packed[None], games.n, axis=0)
    games._find_plays()


def test_a_game_that_can_never_go_on_is_drawn() -> None:
    assert not TAWULA.validate(CLOSED)
    games = VectorGames(2, TAWULA, seed=1)
    put(games, CLOSED)
    for _ in range(63):
        assert games.passing.all()
        assert not games.step(np.zeros(2, np.int64)).ended.any()
    step = games.step(np.zeros(2, np.int64))
    assert step.ended.tolist() == [True, True]
    assert step.rewards.tolist() == [0.0, 0.0]
    assert games.positions.tolist() == [TAWULA.start.packed.tolist()] * 2


def test_a_long_wait_is_no_end() -> None:
    closed_out = bg.Position.from_counts([[0] * 25 + [15], [0, *[2] * 6, 3, *[0] * 18]])
    games = VectorGames(2, seed=3)
    put(games, closed_out)
    games._passes[:] = 63
    assert games.passing.all()
    assert not games.step([0, 0]).ended.any()
    assert not games.passing.any()
    games.step([0, 0])
    assert games._passes.tolist() == [0, 0]


# ---- choosing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.uint8])
def test_best(dtype: type) -> None:
    games = VectorGames(200, seed=4)
    rng = np.random.default_rng(7)
    for _ in range(10):
        values = rng.integers(0, 4, len(games.plays.results)).astype(dtype)  # many equals
        offsets = games.plays.offsets.tolist()
        expected = [int(np.argmax(values[a:b])) for a, b in pairwise(offsets)]
        assert games.best(values).tolist() == expected
        games.step(games.best(values))


def test_best_refuses_what_is_no_number() -> None:
    games = VectorGames(3, seed=4)
    values = np.zeros(len(games.plays.results))
    assert games.best(values - np.inf).tolist() == [0, 0, 0]
    values[5] = np.nan
    with pytest.raises(bg.EvaluatorError, match="the value of play 5 is not a number"):
        games.best(values)
    with pytest.raises(ValueError, match=r"values must have shape \(\d+,\), not \(1,\)"):
        games.best([1.0])
    for wrong in (values.astype(complex), values.astype(str), values.astype(bool)):
        with pytest.raises(TypeError, match="values must be numbers"):
            games.best(wrong)


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ([0, 0], ValueError, r"choices must have shape \(3,\), not \(2,\)"),
        ([[0, 0, 0]], ValueError, r"shape \(3,\), not \(1, 3\)"),
        (0, ValueError, r"shape \(3,\), not \(\)"),
        ([0.0, 0.0, 0.0], TypeError, "choices must be integers, not float64"),
        ([0, np.nan, 0], TypeError, "choices must be integers"),
        ([True, False, True], TypeError, "choices must be integers, not bool"),
        (["0", "0", "0"], TypeError, "choices must be integers"),
        (None, TypeError, "choices must be integers"),
        ([0, -1, 0], bg.RuleError, "game 1: no play -1; its roll has \\d+, counted from 0"),
        ([0, 0, 3060], bg.RuleError, "game 2: no play 3060"),
        (np.array([0, 0, 2**64 - 1], np.uint64), bg.RuleError, "game 2: no play 18446744073709551615"),
        ([0, 0, -(2**63)], bg.RuleError, "game 2: no play -9223372036854775808"),
    ],
)
def test_bad_choices(choices: Any, error: type[Exception], message: str) -> None:
    games = VectorGames(3, seed=4)
    before = [array.copy() for array in (games.positions, games.dice, games.turns)]
    with pytest.raises(error, match=message):
        games.step(choices)
    assert all(np.array_equal(a, b) for a, b in zip(before, (games.positions, games.dice, games.turns), strict=True))
    games.step(np.array(games.counts - 1, np.int16))  # still in order, and any integers will do


@pytest.mark.parametrize("wrong", [0, -1])
def test_numbers_that_are_none(wrong: int) -> None:
    with pytest.raises(ValueError, match="n must be at least 1"):
        VectorGames(wrong, seed=1)
    with pytest.raises(ValueError, match="threads must be at least 1"):
        VectorGames(1, seed=1, threads=wrong)
    with pytest.raises(ValueError, match="max_turns must be at least 1"):
        VectorGames(1, seed=1, max_turns=wrong)
    with pytest.raises(TypeError):
        VectorGames(1.5, seed=1)  # type: ignore[arg-type]


# ---- what is seen -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*PLAIN, bg.BACKGAMMON.replace(doubles="x2")], ids=name_of)
def test_observations(rules: bg.Rules) -> None:
    games = VectorGames(60, rules, seed=4)
    trajectory(games, 25)
    seen = games.observations()
    assert seen.dtype == np.uint8
    assert seen.shape == (60, 110 if rules.contact == "pin" else 58)
    for row, packed, dice in zip(seen, games.positions, games.dice.tolist(), strict=True):
        position = bg.Position.from_packed(packed)
        assert row[:26].tolist() == position.counts[0].tolist()
        assert row[26:52].tolist() == position.counts[1].tolist()
        moves = dice if dice[0] != dice[1] else [dice[0]] * (2 if rules.doubles == "x2" else 4)
        assert row[52:58].tolist() == [moves.count(die) for die in range(1, 7)]
        if rules.contact == "pin":
            assert row[58:84].tolist() == position.pinned[0].tolist()
            assert row[84:].tolist() == position.pinned[1].tolist()
