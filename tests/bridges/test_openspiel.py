"""OpenSpiel's backgammon: the same games beside OpenSpiel itself; without it, against the rules and against itself."""

from __future__ import annotations

import copy
import pickle
import random
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.bridges.openspiel import CHANCE, TERMINAL, CheckerMove, Game, PlayerAction, State, load_game
from bgcore.bridges.vector import VectorGames
from bgcore.dice import ROLLS

needs_openspiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="open-spiel is not installed")

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"scoring_type": "full_scoring"},
    {"scoring_type": "enable_gammons", "max_player_turns": 40},
    {"hyper_backgammon": True},
]


# ---- beside OpenSpiel ---------------------------------------------------------------------------------------------


def refused(call: Any, *arguments: Any) -> bool:
    """Whether OpenSpiel refuses a call."""
    import pyspiel

    try:
        call(*arguments)
    except pyspiel.SpielError:
        return True
    return False


def assert_same(theirs: Any, ours: State, rng: random.Random) -> None:
    """Compare everything that a state can be asked."""
    player = theirs.current_player()
    assert ours.current_player() == player
    assert str(ours) == str(theirs)
    legal = theirs.legal_actions()
    assert ours.legal_actions() == legal, str(theirs)
    assert ours.legal_actions_mask() == theirs.legal_actions_mask()
    for call in ("is_terminal", "is_chance_node", "is_player_node", "is_initial_state", "move_number", "history",
                 "history_str", "serialize", "is_simultaneous_node", "num_players", "num_distinct_actions",
                 "is_mean_field_node"):  # fmt: skip
        assert getattr(ours, call)() == getattr(theirs, call)(), call
    for who in (0, 1):
        assert ours.observation_tensor(who) == theirs.observation_tensor(who)
        assert ours.observation_string(who) == theirs.observation_string(who)
        assert ours.legal_actions(who) == theirs.legal_actions(who)
        assert ours.legal_actions_mask(who) == theirs.legal_actions_mask(who)
        assert [ours.board(who, place) for place in (*range(24), 100)] == [
            theirs.board(who, place) for place in (*range(24), 100)
        ]
    for action in legal:
        assert ours.action_to_string(player, action) == theirs.action_to_string(player, action)
    if player == CHANCE:
        assert ours.chance_outcomes() == theirs.chance_outcomes()
    if player >= 0:
        assert ours.observation_tensor() == theirs.observation_tensor()
        for action in (rng.choice(legal), rng.randrange(1352)):  # a legal one, and any
            moves = [tuple(move) for move in ours.spiel_move_to_checker_moves(player, action)]
            their_moves = theirs.spiel_move_to_checker_moves(player, action)
            assert moves == [(move.pos, move.num, move.hit) for move in their_moves]
        action = rng.choice(legal)
        their_moves = theirs.spiel_move_to_checker_moves(player, action)
        our_moves = ours.spiel_move_to_checker_moves(player, action)
        assert [tuple(move) for move in ours.augment_with_hit_info(player, our_moves)] == [
            (move.pos, move.num, move.hit) for move in theirs.augment_with_hit_info(player, their_moves)
        ]
        assert ours.checker_moves_to_spiel_move(our_moves) == theirs.checker_moves_to_spiel_move(their_moves)
        first, second, high = rng.choice([*range(24), 100]), rng.choice([*range(24), 100, -1]), rng.random() < 0.5
        assert ours.translate_action(first, second, high) == theirs.translate_action(first, second, high)
        name = ours.action_to_string(action)
        assert name == theirs.action_to_string(action)
        assert ours.string_to_action(name) == theirs.string_to_action(name) == action


def assert_same_worth(theirs: Any, ours: State, hyper: bool) -> None:
    if hyper and ours.is_terminal():
        # The one difference: OpenSpiel looks for fifteen checkers borne off, so nobody ever wins with three.
        assert theirs.returns() == [0.0, 0.0]
        assert sorted(ours.returns()) == [-1.0, 1.0]
        return
    for call in ("returns", "rewards"):
        assert getattr(ours, call)() == getattr(theirs, call)()
    for who in (0, 1):
        assert ours.player_return(who) == theirs.player_return(who)
        assert ours.player_reward(who) == theirs.player_reward(who)


def walk(parameters: dict[str, Any], games: int, seed: int) -> int:
    """Play random games in both; returns how many states were compared."""
    import pyspiel

    rng = random.Random(seed)
    their_game, our_game = pyspiel.load_game("backgammon", parameters), load_game("backgammon", parameters)
    states = 0
    for _ in range(games):
        theirs, ours = their_game.new_initial_state(), our_game.new_initial_state()
        while True:
            assert_same(theirs, ours, rng)
            assert_same_worth(theirs, ours, our_game.hyper_backgammon)
            states += 1
            if ours.is_terminal():
                break
            action = rng.choice(ours.legal_actions())
            if rng.random() < 0.1:
                child, their_child = ours.child(action), theirs.child(action)
                assert str(child) == str(their_child)
                ours.apply_action(action)
                ours.undo_action(ours.full_history()[-1].player, action)
            theirs.apply_action(action)
            ours.apply_action(action)
        made = [(one.player, one.action) for one in theirs.full_history()]
        assert [tuple(one) for one in ours.full_history()] == made
        again = our_game.deserialize_state(theirs.serialize())
        assert str(again) == str(ours)
    return states


@needs_openspiel
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_the_same_games(parameters: dict[str, Any]) -> None:
    assert walk(parameters, 3, 1) > 100


@needs_openspiel
@pytest.mark.long
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_many_more_games(parameters: dict[str, Any]) -> None:
    assert walk(parameters, 100, 2) > 4000


@needs_openspiel
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_the_same_game(parameters: dict[str, Any]) -> None:
    import pyspiel

    theirs, ours = pyspiel.load_game("backgammon", parameters), load_game("backgammon", parameters)
    assert str(ours) == str(theirs)
    assert str(load_game(str(theirs))) == str(theirs)
    for call in ("get_parameters", "num_distinct_actions", "num_players", "max_chance_outcomes", "max_game_length",
                 "max_chance_nodes_in_history", "max_utility", "min_utility", "utility_sum", "observation_tensor_shape",
                 "observation_tensor_size", "policy_tensor_shape"):  # fmt: skip
        assert getattr(ours, call)() == getattr(theirs, call)(), call


@needs_openspiel
def test_what_both_refuse() -> None:
    import pyspiel

    theirs, ours = pyspiel.load_game("backgammon").new_initial_state(), load_game().new_initial_state()
    theirs.apply_action(0)
    ours.apply_action(0)
    for name, arguments in (
        ("chance_outcomes", ()),
        ("string_to_action", ("24/23",)),
        ("observation_tensor", (2,)),
        ("undo_action", (0, 5)),
        ("apply_action_with_legality_check", (1351,)),
        ("action_to_string", (0, 1352)),
        ("board", (0, 24)),
    ):
        assert refused(getattr(theirs, name), *arguments), name
        with pytest.raises(bg.RuleError):
            getattr(ours, name)(*arguments)
    assert refused(pyspiel.load_game, "backgammon(scoring_type=foo)")


@needs_openspiel
def test_every_method_of_a_state_that_backgammon_has() -> None:
    """What is left out is not implemented for backgammon there, is about other kinds of games, or about structs."""
    import pyspiel

    state = pyspiel.load_game("backgammon").new_initial_state()
    theirs = {name for name in dir(state) if not name.startswith("_")}
    absent = {name for name in theirs if not hasattr(State, name)}
    assert absent == {
        "action_to_struct", "actions_to_struct", "apply_action_struct", "apply_actions",
        "apply_actions_with_legality_checks", "distribution_support", "get_action_struct_sampler", "get_type",
        "information_state_string", "information_state_tensor", "is_initial_non_chance_state", "mean_field_population",
        "resample_from_infostate", "starting_state", "starting_state_str", "struct_to_actions", "to_dict", "to_json",
        "to_observation_struct", "to_struct", "update_distribution", "validate_action_struct",
    }  # fmt: skip


# ---- by itself ----------------------------------------------------------------------------------------------------


def turns_of(state: State) -> set[bg.Position]:
    """Where the turn of the player who has rolled can end, seen by his opponent."""
    player = state.current_player()
    ends = set()
    for action in state.legal_actions():
        after = state.child(action)
        halves = (
            [after.child(other) for other in after.legal_actions()] if after.current_player() == player else [after]
        )
        ends |= {half.position for half in halves}
    return ends


def test_turns_are_those_of_the_rules() -> None:
    """Halves of doubles included: no first half costs a move."""
    game = load_game()
    games = VectorGames(30, seed=6)
    rng = np.random.default_rng(2)
    compared = 0
    for step in range(120):
        games.step(games.random_choices(rng))
        if step % 6:
            continue
        for packed in games.positions[:8]:
            position = bg.Position.from_packed(packed)
            for roll in (ROLLS[int(rng.integers(21))], (int(rng.integers(1, 7)),) * 2):
                player = int(rng.integers(2))
                state = game.state_of(position, player, roll)
                assert state.position == position
                assert state.current_player() == player
                plays = bg.BACKGAMMON.legal_plays(position, roll)
                assert turns_of(state) == ({play.result for play in plays} or {position.flipped()})
                compared += 1
    assert compared == 320


def test_a_known_game() -> None:
    """Numbers that OpenSpiel 2.0.2 gives: 6-5, 24/13; 3-3 in two halves."""
    state = load_game().new_initial_state()
    assert state.current_player() == CHANCE
    assert state.action_to_string(28) == "chance outcome 28 X starts, (roll: 56)"
    assert state.action_to_string(29) == "chance outcome 29 O starts, (roll: 65)"
    state.apply_action(28)
    assert state.string_to_action("156 - 24/18/13") == 156
    assert len(state.legal_actions()) == len(set(state.legal_actions()))
    state.apply_action(156)
    assert state.chance_outcomes()[32] == (32, 1 / 36)
    assert state.action_to_string(32) == "chance outcome 32 (roll: 33)"
    state.apply_action(32)
    assert (state.current_player(), str(state).count("Extra turn: 0")) == (1, 1)
    state.apply_action(state.legal_actions()[0])
    assert (state.current_player(), str(state).count("Extra turn: 1")) == (1, 1)
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == CHANCE
    assert state.full_history()[:2] == [PlayerAction(-1, 28), PlayerAction(0, 156)]


def test_the_end_of_a_game() -> None:
    position = bg.Position.from_counts([[14, 1, *[0] * 24], [0] * 20 + [15, *[0] * 5]])
    for scoring, points in (("winloss_scoring", 1.0), ("enable_gammons", 2.0), ("full_scoring", 3.0)):
        game = Game(scoring_type=scoring)
        for player in (0, 1):
            state = game.state_of(position, player, (2, 1))
            assert state.returns() == [0.0, 0.0]
            state.apply_action(state.legal_actions()[0])
            assert state.current_player() == TERMINAL
            assert state.is_terminal()
            assert state.legal_actions() == []
            assert state.returns() == ([points, -points] if player == 0 else [-points, points])
            with pytest.raises(bg.RuleError, match="the game is over"):
                state.apply_action(0)
            with pytest.raises(bg.RuleError, match="a player is 0 or 1, not -4"):
                state.observation_tensor()


def test_states_can_be_set() -> None:
    game = load_game("backgammon(hyper_backgammon=True)")
    position = bg.HYPERGAMMON.start
    state = game.state_of(position, 1)
    assert state.is_chance_node()
    assert state.position == position
    assert [action for action, _ in state.chance_outcomes()] == list(range(36))
    state.apply_action(3)
    assert state.current_player() == 1
    with pytest.raises(bg.InvalidPosition):
        game.state_of(bg.BACKGAMMON.start, 1)
    with pytest.raises(bg.RuleError, match="a player is 0 or 1, not 2"):
        game.state_of(position, 2)
    with pytest.raises(bg.RuleError, match="a die shows 1 to 6"):
        game.state_of(position, 0, (0, 7))


def test_copies() -> None:
    rng = random.Random(4)
    state = load_game().new_initial_state()
    trail = []
    while not state.is_terminal() and state.move_number() < 900:
        trail.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert str(other) == str(state)
        assert other.history() == state.history()
    while trail:  # all the way back
        before = trail.pop()
        player, action = state.full_history()[-1]
        state.undo_action(player, action)
        assert str(state) == str(before)
        assert state.legal_actions() == before.legal_actions()
        assert state.history() == before.history()
    with pytest.raises(bg.RuleError, match="action 3 of player -1 is not the last one"):
        state.undo_action(-1, 3)


@pytest.mark.parametrize("wrong", [-1, 30, 1352, 10**30])
def test_wrong_actions(wrong: int) -> None:
    state = load_game().new_initial_state()
    with pytest.raises(bg.RuleError, match=f"no roll has the number {wrong}"):
        state.apply_action(wrong)
    with pytest.raises(bg.RuleError, match="nothing is rolled"):
        state.spiel_move_to_checker_moves(0, 0)
    state.apply_action(0)
    before = str(state)
    with pytest.raises(bg.RuleError, match=f"action {wrong} is not legal"):
        state.apply_action(wrong)
    for nothing in (0.0, float("nan"), None, "0"):
        with pytest.raises(TypeError):
            state.apply_action(nothing)  # type: ignore[arg-type]
    assert str(state) == before
    with pytest.raises(bg.RuleError, match="at most two moves, not 3"):
        state.checker_moves_to_spiel_move([CheckerMove(0, 1, False)] * 3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chess", "the game is 'backgammon'"),
        ("backgammon(", "the game is 'backgammon'"),
        ("backgammon(cube=true)", "no parameter 'cube'; there are hyper_backgammon"),
        ("backgammon(scoring_type=foo)", "scoring_type is one of winloss_scoring"),
    ],
)
def test_wrong_games(name: str, message: str) -> None:
    with pytest.raises(bg.RuleError, match=message):
        load_game(name)


def test_wrong_parameters() -> None:
    with pytest.raises(TypeError, match="hyper_backgammon is a bool"):
        load_game("backgammon(hyper_backgammon=maybe)")
    with pytest.raises(TypeError):
        load_game("backgammon(max_player_turns=many)")
    with pytest.raises(bg.FormatError, match="line 2: an action is a number, not 'x'"):
        load_game().deserialize_state("0\nx\n")
    with pytest.raises(bg.RuleError, match="no roll has the number 99"):
        load_game().deserialize_state("99\n")
