"""Rules as values: frozen, equal by what they say, pasted back from their repr; every game the engine is laid out for.

The games and their options are the columns of the project's feature table (variants.md, section 14).
"""

from __future__ import annotations

import contextlib
import copy
import pickle
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.rules import OPTIONS

STANDARD = {24: 2, 13: 5, 8: 3, 6: 5}
HEAD = {24: 15}
PARALLEL = {"geometry": "parallel", "block_at": 1, "contact": "none"}
CAFE = {"opening": "reroll", "cube": False, "scoring": (1, 2, 2)}

COLUMNS: dict[str, dict[str, Any]] = {
    "portes": {"start": STANDARD, **CAFE},
    "plakoto": {"start": HEAD, "contact": "pin", "mother": "wait", **CAFE},
    "fevga": {"start": HEAD, **PARALLEL, "runner": "pass", "prime_rules": {"start_quarter", "unblock_duty"}, **CAFE},
    "uzun tavla": {"start": STANDARD, "hit_and_run_home": "forbid", **CAFE},
    "kirik tavla": {
        "start": STANDARD,
        "entry_cap_per_point": 1,
        "entry_forbid_own": True,
        "entry_all_first": False,
        "entry_bar_loss": 6,
        **CAFE,
    },
    "gul bara": {"start": HEAD, **PARALLEL, "doubles": "cascade", **CAFE},
    "short nardi": {"start": STANDARD},
    "long nardi": {
        "start": HEAD,
        **PARALLEL,
        "head_limit": 1,
        "head_first_turn": "doubles_346",
        "prime_rules": {"ahead"},
        **CAFE,
    },
    "jacquet": {"start": HEAD, **PARALLEL, "runner": "last_quarter", "prime_rules": {"last_two"}, **CAFE},
    "jacquet de Versailles": {"start": HEAD, **PARALLEL, "runner": "last_quarter", "doubles": "n_times", **CAFE},
}
NATIVE = {"portes", "short nardi"}  # what moves as backgammon does, as the options are here
GAMES = {name: bg.Rules(name, **fields) for name, fields in COLUMNS.items()}
EVERY = {**GAMES, "backgammon": bg.BACKGAMMON, "nackgammon": bg.NACKGAMMON, "hypergammon": bg.HYPERGAMMON}


def pasted(rules: bg.Rules) -> bg.Rules:
    return eval(repr(rules), {"Rules": bg.Rules})


# ---- one value a game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COLUMNS)
def test_a_game_keeps_what_it_is_given(name: str) -> None:
    rules, fields = GAMES[name], COLUMNS[name]
    assert rules.name == name
    assert rules.checkers == 15
    own, opp = rules.start.counts.tolist()
    assert own == opp
    assert {point: count for point, count in enumerate(own) if count} == fields["start"]
    assert set(rules.options) == set(OPTIONS)
    for option, values in OPTIONS.items():
        if option in fields:
            expected = fields[option]
        else:
            expected = frozenset() if option == "prime_rules" else values if option == "scoring" else values[0]
        assert rules.options[option] == expected == getattr(rules, option), option
    assert rules.max_moves == (6 if fields.get("doubles") == "n_times" else 4)


@pytest.mark.parametrize("name", EVERY)
def test_round_trips(name: str) -> None:
    rules = EVERY[name]
    others = [pasted(rules), copy.copy(rules), copy.deepcopy(rules), rules.replace()]
    others += [pickle.loads(pickle.dumps(rules, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in others:
        assert other == rules
        assert hash(other) == hash(rules)
        assert repr(other) == repr(rules)
        assert other.options == rules.options
        assert other.start == rules.start


def test_games_are_different_values() -> None:
    assert len(set(EVERY.values())) == len(EVERY)
    for name, rules in EVERY.items():
        assert [other for other in EVERY if EVERY[other] == rules] == [name]
        assert rules != rules.replace(name=name + "!")
        assert rules != name
        assert rules != rules.options


@pytest.mark.parametrize("name", COLUMNS)
def test_from_backgammon_and_back(name: str) -> None:
    """A game differs from backgammon by its options and nothing else; replacing them one by one leads there."""
    rules = bg.BACKGAMMON.replace(name=name, **COLUMNS[name])
    assert rules == GAMES[name]
    for option, value in bg.BACKGAMMON.options.items():
        rules = rules.replace(**{option: value})
        assert rules.options[option] == value
        assert pasted(rules) == rules
    assert rules.replace(name="backgammon", start=STANDARD) == bg.BACKGAMMON


OPTION_VALUES = [
    *(
        (option, value)
        for option, values in OPTIONS.items()
        for value in values
        if option not in ("prime_rules", "scoring")
    ),
    *(("prime_rules", frozenset([rule])) for rule in sorted(OPTIONS["prime_rules"])),
    ("prime_rules", frozenset()),
    ("prime_rules", frozenset(OPTIONS["prime_rules"])),
    ("scoring", (1, 1, 1)),
    ("scoring", (1, 2, 4)),
    *((option, n) for option in ("entry_cap_per_point", "entry_bar_loss") for n in (1, 2, 15)),
]


@pytest.mark.parametrize(("option", "value"), OPTION_VALUES)
def test_every_value_of_every_option(option: str, value: Any) -> None:
    rules = bg.BACKGAMMON.replace(**{option: value})
    assert rules.options[option] == value
    assert type(rules.options[option]) is type(value)
    assert pasted(rules) == rules == pickle.loads(pickle.dumps(rules))
    assert hash(pasted(rules)) == hash(rules)
    assert (rules == bg.BACKGAMMON) == (bg.BACKGAMMON.options[option] == value)
    assert {name: rules.options[name] for name in OPTIONS if name != option} == {
        name: bg.BACKGAMMON.options[name] for name in OPTIONS if name != option
    }


def test_prime_rules_may_be_any_collection_of_names() -> None:
    for given in (["ahead", "last_two"], ("last_two", "ahead"), {"ahead", "last_two"}):
        assert bg.BACKGAMMON.replace(prime_rules=given).prime_rules == {"ahead", "last_two"}
    assert bg.BACKGAMMON.replace(prime_rules="ahead").prime_rules == {"ahead"}
    assert bg.BACKGAMMON.replace(scoring=[1, 2, 2]).scoring == (1, 2, 2)


# ---- refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"geometry": "round"}, ["geometry", "'contrary'", "'parallel'", "'round'"]),
        ({"block_at": 3}, ["block_at", "2", "1", "3"]),
        ({"block_at": True}, ["block_at", "True"]),
        ({"block_at": 1.0}, ["block_at", "1.0"]),
        ({"larger_die": 1}, ["larger_die", "True", "False"]),
        ({"cube": None}, ["cube", "None"]),
        ({"doubles": "x3"}, ["doubles", "'x4'", "'cascade'", "'x3'"]),
        ({"head_limit": 0}, ["head_limit", "None", "1"]),
        ({"prime_rules": {"ahead", "aside"}}, ["prime_rules", "aside", "ahead"]),
        ({"prime_rules": "aside"}, ["prime_rules", "aside"]),
        ({"scoring": (1, 2)}, ["scoring", "(1, 2)"]),
        ({"scoring": (1, 2, 0)}, ["scoring", "0"]),
        ({"scoring": (1, 2, -3)}, ["scoring", "-3"]),
        ({"scoring": (1, 2, 3.0)}, ["scoring", "3.0"]),
        ({"entry_cap_per_point": 0}, ["entry_cap_per_point", "0"]),
        ({"entry_cap_per_point": 16}, ["entry_cap_per_point", "16"]),
        ({"entry_bar_loss": "6"}, ["entry_bar_loss", "'6'"]),
        ({"colour": "red"}, ["'colour'", "geometry"]),
        ({"checkers": 0}, ["checkers", "1 to 15", "0"]),
        ({"checkers": 16}, ["checkers", "1 to 15", "16"]),
        ({"checkers": 15.0}, ["checkers", "15.0"]),
        ({"checkers": True}, ["checkers", "True"]),
        ({"checkers": 14}, ["15 checkers", "14"]),
        ({"start": {24: 2}}, ["2 checkers", "15"]),
        ({"start": {25: 15}}, ["points 1 to 24", "25"]),
        ({"start": {0: 15}}, ["points 1 to 24"]),
        ({"start": {24: 16, 1: -1}}, ["points 1 to 24"]),
        ({"start": {24.0: 15}}, ["points 1 to 24"]),
        ({"start": {24: 15.0}}, ["points 1 to 24"]),
        ({"start": {}}, ["0 checkers", "15"]),
    ],
)
def test_refused(changes: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(bg.RuleError) as caught:
        bg.BACKGAMMON.replace(**changes)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": None},
        {"name": 5},
        {"start": None},
        {"start": 24},
        {"prime_rules": 5},
        {"scoring": 5},
        {"scoring": None},
    ],
)
def test_refused_for_its_type(changes: dict[str, Any]) -> None:
    with pytest.raises((TypeError, bg.RuleError)):
        bg.BACKGAMMON.replace(**changes)


def test_a_name_and_a_start_are_needed() -> None:
    with pytest.raises(TypeError):
        bg.Rules()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        bg.Rules("backgammon")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        bg.Rules("backgammon", STANDARD)  # type: ignore[misc]


# ---- frozen -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["name", "options", "checkers", "max_moves", "start", "cube", "anything"])
def test_nothing_can_be_set(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(bg.BACKGAMMON, name, None)
    with pytest.raises((AttributeError, TypeError)):
        delattr(bg.BACKGAMMON, name)


def test_options_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        bg.BACKGAMMON.options["cube"] = False  # type: ignore[index]
    mine = {"ahead"}
    rules = bg.BACKGAMMON.replace(prime_rules=mine)
    mine.add("last_two")
    assert rules.prime_rules == {"ahead"}
    start = dict(STANDARD)
    rules = bg.BACKGAMMON.replace(start=start)
    start[24] = 15
    assert rules == bg.BACKGAMMON
    rules.start.counts[0, 24] = 0
    rules.start.packed[0] = 0
    assert rules == bg.BACKGAMMON


def test_a_value_cannot_be_made_again() -> None:
    rules = bg.BACKGAMMON.replace(name="mine")
    with contextlib.suppress(TypeError, AttributeError, bg.BgcoreError):
        rules.__init__("other", start={1: 1}, checkers=1)  # type: ignore[misc]
    assert rules == bg.BACKGAMMON.replace(name="mine")


def test_unknown_attributes() -> None:
    with pytest.raises(AttributeError, match="colour"):
        _ = bg.BACKGAMMON.colour
    assert not hasattr(bg.BACKGAMMON, "colour")


# ---- games by name ------------------------------------------------------------------------------------------------


def test_games_by_name() -> None:
    names = bg.rules.names()
    assert names[:3] == ("backgammon", "nackgammon", "hypergammon")
    for name in names:
        assert bg.rules.get(name).name == name
        assert bg.rules.get(name.upper()) is bg.rules.get(name)
    assert bg.rules.get("backgammon") is bg.BACKGAMMON
    with pytest.raises(bg.RuleError) as caught:
        bg.rules.get("chess")
    assert all(name in str(caught.value) for name in ("chess", *names))


def test_games_that_only_begin_differently() -> None:
    for rules in (bg.NACKGAMMON, bg.HYPERGAMMON):
        assert rules.options == bg.BACKGAMMON.options
    assert bg.HYPERGAMMON.checkers == 3
    assert bg.BACKGAMMON.start == bg.Position.initial()


# ---- what is played -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_games_that_move_as_backgammon_does(name: str) -> None:
    """What concerns the cube, the opening or the points says nothing about moves."""
    rules = GAMES[name]
    for roll in bg.dice.ROLLS:
        assert rules.legal_plays(rules.start, roll) == bg.BACKGAMMON.legal_plays(bg.Position.initial(), roll)
    assert bg.perft(rules.start, 2, rules) == 202_782
    backgammon = bg.Position.from_counts([[15] + [0] * 25, [0] * 25 + [15]])
    kind = "backgammon" if rules.scoring[2] > rules.scoring[1] else "gammon"  # where it pays no more, it has no name
    assert rules.outcome(backgammon) == ("own", rules.scoring[2], kind)
    assert rules.outcome(backgammon.flipped()) == ("opp", rules.scoring[2], kind)


def is_complete(rules: bg.Rules, position: bg.Position, roll: tuple[int, int], moved: tuple[bg.Move, ...]) -> bool:
    """Tell whether moves made in this order are a whole play."""
    try:
        return rules.next_moves(position, roll, moved) == ()
    except bg.IllegalPlay:  # where a runner must come far enough first, not every order will do
        return False


@pytest.mark.parametrize("name", COLUMNS)
def test_every_game_plays_its_opening(name: str) -> None:
    """Some play for each roll, its results positions of the game, and all calls agree how many there are."""
    rules = GAMES[name]
    start, packed = rules.start, rules.start.packed[None]
    plays = bg.batch.legal_plays(packed, rules=rules)
    counts = bg.batch.count_plays(packed, rules=rules)[0].tolist()
    assert np.diff(plays.offsets).tolist() == counts
    assert not bg.batch.validate(plays.results, rules).any()
    for roll, count in zip(bg.dice.ROLLS, counts, strict=True):
        found = rules.legal_plays(start, roll)
        assert len(found) == len({play.result for play in found}) == count == rules.count_plays(start, roll)
        for play in found:
            assert rules.check(start, roll, str(play)) == rules.check(start, roll, play) == play
            assert any(is_complete(rules, start, roll, order) for order in permutations(play.moves)), (roll, play)
    assert bg.perft(start, 1, rules) == sum(max(count, 1) for count in counts)
    assert rules.outcome(start) is None


@pytest.mark.parametrize(
    "options",
    [{"block_at": 1}, {"contact": "pin", "block_at": 1}, {"contact": "pin", "geometry": "parallel"}],
)
def test_a_combination_that_is_not_played_is_refused(options: dict[str, Any]) -> None:
    """Better no plays than those of another game."""
    rules = bg.BACKGAMMON.replace(name="a game of my own", **options)
    start, packed = rules.start, rules.start.packed[None]
    for call in (
        lambda: rules.legal_plays(start, (3, 1)),
        lambda: rules.count_plays(start, (3, 1)),
        lambda: rules.next_moves(start, (3, 1)),
        lambda: rules.check(start, (3, 1), "8/5 6/5"),
        lambda: rules.parse_play(start, (3, 1), "8/5 6/5"),
        lambda: rules.outcome(start),
        lambda: rules.validate(start),
        lambda: rules.is_contact(start),
        lambda: rules.text(start),
        lambda: bg.batch.legal_plays(packed, (3, 1), rules),
        lambda: bg.batch.count_plays(packed, (3, 1), rules),
        lambda: bg.batch.validate(packed, rules),
        lambda: bg.batch.playouts(packed, 1, rules=rules, seed=1),
        lambda: list(bg.batch.iter_legal_plays(packed, (3, 1), rules)),
        lambda: bg.perft(start, 1, rules),
    ):
        with pytest.raises(bg.RuleError, match="a game of my own") as caught:
            call()
        for option, value in options.items():
            assert f"{option}={value!r}" in str(caught.value)


# ---- the gate -----------------------------------------------------------------------------------------------------

CALLS = {
    "legal_plays": lambda position, dice, **more: bg.BACKGAMMON.legal_plays(position, dice, **more),
    "count_plays": lambda position, dice, **more: bg.BACKGAMMON.count_plays(position, dice, **more),
    "next_moves": lambda position, dice, **more: bg.BACKGAMMON.next_moves(position, dice, **more),
    "check": lambda position, dice, **more: bg.BACKGAMMON.check(position, dice, "8/5 6/5", **more),
    "parse_play": lambda position, dice, **more: bg.BACKGAMMON.parse_play(position, dice, "8/5 6/5", **more),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (1, 7), (-1, 3), (1, 257), (2**31, 1), (1, 2**63), (-(2**70), 1)])
def test_dice_out_of_range(call: str, dice: tuple[int, int]) -> None:
    wrong = next(die for die in dice if not 1 <= die <= 6)
    with pytest.raises(bg.RuleError, match="1 to 6") as caught:
        CALLS[call](bg.Position.initial(), dice)
    assert str(wrong) in str(caught.value)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "dice",
    [None, 31, "31", ("3", "1"), (3,), (3, 1, 1), (), (3.5, 1), (3.0, 1), (None, 1), [[3, 1]], np.array([3.0, 1.0])],
)
def test_dice_of_a_wrong_type(call: str, dice: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        CALLS[call](bg.Position.initial(), dice)


@pytest.mark.parametrize(
    "dice", [[3, 1], (1, 3), np.array([3, 1]), np.array([1, 3], np.uint8), (np.int64(3), np.int8(1))]
)
def test_dice_may_come_in_any_sequence(dice: Any) -> None:
    assert bg.BACKGAMMON.count_plays(bg.Position.initial(), dice) == 16


@pytest.mark.parametrize("call", CALLS)
def test_context_must_be_nought(call: str) -> None:
    CALLS[call](bg.Position.initial(), (3, 1), context=0)
    for context in (1, -1, 2**70):
        with pytest.raises(bg.RuleError, match="no context"):
            CALLS[call](bg.Position.initial(), (3, 1), context=context)


@pytest.mark.parametrize("call", CALLS)
def test_positions_of_another_game_are_refused(call: str) -> None:
    shared = bg.Position.from_counts([[0] * 7 + [15] + [0] * 18, [0] * 18 + [15] + [0] * 7])
    for position, reason in (
        (bg.HYPERGAMMON.start, bg.InvalidReason.WRONG_TOTAL_OWN | bg.InvalidReason.WRONG_TOTAL_OPP),
        (shared, bg.InvalidReason.SHARED_POINT),
    ):
        with pytest.raises(bg.InvalidPosition) as caught:
            CALLS[call](position, (3, 1))
        assert caught.value.reason == reason == bg.BACKGAMMON.validate(position)
        assert caught.value.row is None


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("position", [None, "4HPwATDgc/ABMA", bg.Position.initial().packed, bg.BACKGAMMON])
def test_only_positions(call: str, position: Any) -> None:
    with pytest.raises(TypeError):
        CALLS[call](position, (3, 1))


def test_validate_gives_flags_and_never_raises() -> None:
    assert bg.BACKGAMMON.validate(bg.BACKGAMMON.start) == bg.InvalidReason(0)
    assert isinstance(bg.BACKGAMMON.validate(bg.BACKGAMMON.start), bg.InvalidReason)
    assert not bg.BACKGAMMON.validate(bg.NACKGAMMON.start)
    reason = bg.BACKGAMMON.validate(bg.HYPERGAMMON.start)
    assert reason == bg.InvalidReason.WRONG_TOTAL_OWN | bg.InvalidReason.WRONG_TOTAL_OPP


def test_outcomes_are_named() -> None:
    over = bg.Position.from_counts([[15] + [0] * 25, [1] + [0] * 5 + [14] + [0] * 19])
    assert bg.BACKGAMMON.outcome(over) == bg.Outcome("own", 1, "single")
    assert bg.BACKGAMMON.outcome(over.flipped()) == bg.Outcome("opp", 1, "single")
    assert bg.BACKGAMMON.outcome(bg.Position.initial()) is None
    assert eval(repr(bg.BACKGAMMON.outcome(over)), {"Outcome": bg.Outcome}) == bg.BACKGAMMON.outcome(over)


def test_is_contact_and_text() -> None:
    start = bg.Position.initial()
    race = bg.Position.from_counts([[0] * 6 + [15] + [0] * 19] * 2)
    assert bg.BACKGAMMON.is_contact(start)
    assert not bg.BACKGAMMON.is_contact(race)
    assert bg.BACKGAMMON.text(start) == str(start)
    with pytest.raises(bg.InvalidPosition):
        bg.BACKGAMMON.is_contact(bg.HYPERGAMMON.start)
    with pytest.raises(bg.InvalidPosition):
        bg.BACKGAMMON.text(bg.HYPERGAMMON.start)
