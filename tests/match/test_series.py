"""Series through `MatchState`: Tavli matches, Gül Bar sessions and the turns of every game, as the layers play them."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.dice import SeededDice
from bgcore.errors import RuleError
from bgcore.match.actions import (
    Accept,
    Action,
    Double,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Pass,
    Resign,
    Roll,
    Ruling,
    Take,
)
from bgcore.match.cascade import Stage
from bgcore.match.gul_bar import Bonus, GulBar
from bgcore.match.random_game import RandomGame, random_game
from bgcore.match.tavli import TAVLI, TavliMatch, best_of_three, play_random, points, tabla_match
from playing import begun, position, won

new = bg.MatchState.new
BAR = {25: 3, 13: 5, 8: 3, 6: 4}
CLOSED = {8: 2, 6: 3, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}


def opened(state: bg.MatchState, game: RandomGame) -> bg.MatchState:
    """The game begun as it was: the throws, and the first roll where it is one of its own."""
    assert state.phase == ("opening" if game.opening.throws else "to_roll")
    for throw in game.opening.throws:
        state = state.apply(OpeningRoll(*throw))
    assert state.on_roll == game.opening.first
    if state.dice is None:
        state = state.apply(Roll(*game.opening.roll))
    return state


def follow(state: bg.MatchState, game: RandomGame) -> bg.MatchState:
    """The state after a game that `random_game` has played, compared with it turn by turn."""
    state = opened(state, game)
    for number, turn in enumerate(game.turns):
        if state.dice is None and number:
            assert turn.part == "roll"
            state = state.apply(Roll(*turn.dice))
        assert state.position == turn.position
        assert (state.on_roll, state.dice, state.context) == (turn.player, turn.dice, turn.context)
        owed = state.stage is not None and state.stage.owed
        assert owed == (turn.part == "owed")
        if number % 10 == 0:
            assert pickle.loads(pickle.dumps(state)) == state
        if turn.play is None:
            assert state.actions()[0] == Pass()
            state = state.apply(Pass())
        else:
            assert state.actions()[0] == MakePlay()
            state = state.apply(turn.play)
        if state.is_match_over:  # Gül Bar: at once
            break
    assert state.is_game_over
    assert state.rolls[0] + state.rolls[1] <= game.rolls
    return state


@pytest.mark.parametrize(
    "rules",
    [
        *[bg.rules.get(name) for name in bg.rules.names()],
        bg.rules.get("jacquet", preset="versailles"),
        bg.rules.get("gul_bara", preset="gioul"),
        bg.rules.get("uzun_tavla", preset="celebi"),
    ],
    ids=lambda rules: rules.name,
)
def test_every_game_as_random_games_play_it(rules: bg.Rules) -> None:
    dice, choices = SeededDice(5), np.random.default_rng(5)
    for _ in range(2):
        game = random_game(rules, dice, choices)
        state = follow(new(0, rules, jacoby=False), game)
        assert state.rolls[0] + state.rolls[1] == game.rolls
        assert state.result is not None
        assert state.result[:3] == (game.winner, game.points, game.kind)
        pays = [game.points if game.winner in (player, None) else 0 for player in (0, 1)]
        assert state.score == tuple(pays)


def test_a_game_in_which_nobody_can_move_is_drawn() -> None:
    rules = bg.rules.get("kirik_tavla", preset="tawula").replace(draw_points=1)
    dice, choices = SeededDice(3), np.random.default_rng(3)
    while (game := random_game(rules, dice, choices)).kind != "draw":
        pass
    state = follow(new(0, rules), game)
    assert state.result == (None, 1, "draw", "stuck")
    assert state.score == (1, 1)


# ---- Tavli


MATCHES = [
    best_of_three(),
    best_of_three(play_all=True, tiebreak="points"),
    points(5),
    points(3, draw_points=1, next_first="loser"),
    points(5, next_first="alternate"),
    tabla_match(),
    tabla_match(3, next_first="roll"),
]


@pytest.mark.parametrize("match", MATCHES, ids=range(len(MATCHES)))
@pytest.mark.parametrize("seed", [1])
def test_a_tavli_match_as_it_is_played_at_random(match: TavliMatch, seed: int) -> None:
    played = play_random(seed, match)
    state = new(series=match)
    assert state.length == (2 if match.target is None else match.target)
    expected = match
    for number, game in enumerate(played.games, 1):
        assert (state.rules, state.game) == (game.rules, number)
        state = follow(state, game)
        expected = expected.after(game.winner, game.points, game.kind, first=game.opening.first)
        assert state.series == expected
        assert state.score == expected.score
        assert state.result is not None
        assert state.result[:3] == (game.winner, game.points, game.kind)
        if not state.is_match_over:
            state = state.apply(NextGame())
    assert (state.winner, state.actions()) == (played.match.winner, ())
    assert state.series == played.match


def test_a_tavli_match_with_a_cube() -> None:
    games = tuple(rules.replace(cube=True) for rules in TAVLI)
    state = begun(new(series=points(5, games=games)))
    assert (state.cube_in_play, state.jacoby, state.is_money) == (True, False, False)
    state = state.apply(Double()).apply(Take())
    state = won(state, 0, "gammon")
    assert (state.score, state.result) == ((4, 0), (0, 4, "gammon", "play"))
    state = state.apply(NextGame())
    assert (state.rules, state.cube, state.on_roll) == (games[1], 1, 0)


def test_resigning_and_forfeiting_in_a_tavli_match() -> None:
    state = begun(new(series=points(5)))
    state = state.apply(Resign(2, 1)).apply(Accept())
    assert (state.score, state.result) == ((2, 0), (0, 2, "gammon", "resignation"))
    state = state.apply(NextGame()).apply(Roll(6, 5))
    forfeited = state.apply(Forfeit(0, "game", reason="flag"))
    assert (forfeited.score, forfeited.result) == ((2, 1), (1, 1, "single", "forfeit"))
    assert isinstance(forfeited.series, TavliMatch)
    assert len(forfeited.series.results) == 2
    match = state.apply(Forfeit(0, "match", reason="flag"))
    assert (match.winner, match.score) == (1, (2, 0))
    again = forfeited.apply(Ruling("no flag after all", state.position, 0, (6, 5)))
    assert (again.series, again.score, again.dice) == (state.series, (2, 0), (6, 5))
    first = new(series=points(5))
    refuse(first, Resign(1, 0), "no_resignation")
    refuse(first, Forfeit(0, "game", reason="flag"), "series")
    refuse(state, Forfeit(0, "points", 1, "late"), "series")
    refuse(state, Ruling("?", score=(1, 1)), "ruling")
    assert not any(isinstance(action, Resign) for action in first.actions())


def refuse(state: bg.MatchState, action: Action, rule: str) -> None:
    with pytest.raises(RuleError) as caught:
        state.apply(action)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"series": best_of_three(), "length": 5}, "its own length"),
        ({"series": best_of_three(), "rules": bg.PORTES}, "its own length"),
        ({"series": best_of_three(), "score": (1, 0)}, "its own length"),
        ({"series": best_of_three(), "beavers": 1}, "money play"),
        ({"series": best_of_three(), "dead_cube": "forbid"}, "matches only"),
        ({"series": best_of_three().after(0).after(0)}, "player 0 has won it"),
        ({"series": GulBar(base=bg.BACKGAMMON)}, "without a cube"),
        ({"series": GulBar(playing=True)}, "between games"),
    ],
)
def test_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        new(**arguments)


def test_a_series_is_one_of_two_kinds() -> None:
    with pytest.raises(TypeError, match="TavliMatch or a GulBar"):
        new(series="tavli")  # type: ignore[arg-type]


# ---- Gül Bar


SESSIONS = [
    GulBar(target=33),
    GulBar(target=25, match_end="game_end", blocked_test="any_roll", next_first="alternate"),
    GulBar(target=33, bonuses=(Bonus("six_prime", 3), Bonus("home_closed", 2, once_per_game=False))),
    GulBar(base=bg.rules.get("julbahar"), target=33),
    GulBar(base=bg.rules.get("uzun_tavla", preset="celebi").replace(cascade_from=1), target=33),
]


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_gul_bar_session_counted_by_hand(session: GulBar) -> None:
    """What the layer is told of: every roll with the positions before and after its last stage, and every end."""
    dice, choices = SeededDice(7), np.random.default_rng(7)
    state, expected = new(series=session), session
    while not state.is_match_over:
        game = random_game(session.base, dice, choices, expected.first)
        state = follow(state, game)
        expected = counted(expected, game)
        assert state.series == expected
        assert state.score == expected.scores
        assert state.winner == expected.winner
        if not state.is_match_over:
            state = state.apply(NextGame())
    assert state.game > 1


def counted(session: GulBar, game: RandomGame) -> GulBar:
    turns = list(game.turns)
    for at, turn in enumerate(turns):
        if turn.part != "roll":
            continue
        stages = [turn]
        while at + len(stages) < len(turns) and turns[at + len(stages)].part == "stage":
            stages.append(turns[at + len(stages)])
        after = stages[-1].after
        result = None if all(stage.play is None for stage in stages) else after.flipped()
        session = session.after_turn(turn.player, turn.position, turn.dice, result)
        if session.winner is not None:
            return session
    if game.kind == "draw":
        return session.after_award(None, 0, first=game.opening.first)
    last = turns[-1]
    seen = last.after if game.winner == last.player else last.after.flipped()
    return session.after_game(game.winner, seen, first=game.opening.first)


def test_a_blockade_ends_the_session_at_once() -> None:
    state = begun(new(series=replace(GulBar(), scores=(27, 20))), first=0)
    state = state.apply(Ruling("set up for a test", position(BAR, CLOSED), 1, (6, 5)))
    state = state.apply(Pass())
    assert (state.score, state.winner, state.is_match_over, state.actions()) == ((32, 20), 0, True, ())
    assert state.result is not None
    assert state.result.points == 5


def test_gul_bar_has_no_cube_and_is_not_resigned() -> None:
    state = begun(new(series=GulBar()))
    assert [action.kind for action in state.actions()] == ["roll"]
    refuse(state, Resign(1, 0), "no_resignation")
    refuse(state, Double(), "no_cube")
    refuse(state, Forfeit(0, "game", reason="flag"), "series")
    assert state.apply(Forfeit(0, "game", 9, "flag")).score == (0, 9)
    assert won(state, 1, "gammon").score == (0, 15)


# ---- Gul bara's turn


def test_gu_4_what_is_left_is_owed_to_the_opponent_who_then_rolls() -> None:
    rules = bg.GUL_BARA.replace(cascade_from=1)
    state = new(5, rules).apply(OpeningRoll(6, 5))
    mine, his = {13: 2, 1: 13}, {17: 1, 24: 13, 20: 1}  # his 17 is my 5
    state = state.apply(Ruling("GU-4", position(mine, his), 0)).apply(Roll(4, 4))
    assert (state.stage, state.dice, state.context) == (Stage(4, 4), (4, 4), 4)
    (play,) = state.legal_plays()
    assert str(play) == "13/9(2)"
    state = state.apply(play)
    assert (state.on_roll, state.stage, state.context) == (1, Stage(4, 2, owed=True), 2)
    assert state.rolls == (1, 0)
    while state.stage is not None:
        assert state.on_roll == 1
        state = state.apply(state.legal_plays()[0] if state.actions()[0] == MakePlay() else Pass())
    assert (state.on_roll, state.phase, state.rolls) == (1, "to_roll", (1, 0))


def test_gu_5_or_it_is_lost() -> None:
    rules = bg.GUL_BARA.replace(cascade_from=1, remainder="forfeit")
    state = new(5, rules).apply(OpeningRoll(6, 5))
    place = position({13: 2, 1: 13}, {17: 1, 24: 13, 20: 1})
    state = state.apply(Ruling("GU-5", place, 0)).apply(Roll(4, 4))
    state = state.apply(state.legal_plays()[0])
    assert (state.on_roll, state.stage, state.phase) == (1, None, "to_roll")


def test_gu_7_doubles_cascade_from_a_players_fourth_turn() -> None:
    state = new(5, bg.GUL_BARA).apply(OpeningRoll(6, 5))
    stages = []
    for turn in range(8):
        state = state.apply(Roll(1, 1) if turn in (4, 5, 6) else Roll(2, 1))
        stages.append(state.stage)
        assert state.rolls == (turn // 2 + 1, (turn + 1) // 2)
        state = state.apply(state.legal_plays()[0] if state.actions()[0] == MakePlay() else Pass())
        while state.stage is not None:
            state = state.apply(state.legal_plays()[0] if state.actions()[0] == MakePlay() else Pass())
    assert stages == [None] * 6 + [Stage(1, 4), None]
