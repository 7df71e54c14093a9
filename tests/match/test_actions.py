"""Actions: values, their JSON, and what is refused before anybody asks whether it is legal."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import bgcore as bg
from bgcore.errors import FormatError, RuleError
from bgcore.match import actions
from bgcore.match.actions import (
    ACTIONS,
    Accept,
    Action,
    Beaver,
    Decline,
    Double,
    Drop,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Pass,
    Raccoon,
    Resign,
    Roll,
    Ruling,
    Take,
    from_json,
)

START = bg.Position.initial()
PLAY = bg.BACKGAMMON.check(START, (3, 1), "8/5 6/5")
WORDS = "00500003050000000000000200000000" * 2

EXAMPLES: dict[Action, dict[str, Any]] = {
    OpeningRoll(): {"kind": "open_roll", "dice": None},
    OpeningRoll(3, 1): {"kind": "open_roll", "dice": [3, 1]},
    Roll(): {"kind": "roll", "dice": None},
    Roll(1, 6): {"kind": "roll", "dice": [1, 6]},
    MakePlay(): {"kind": "play", "play": None},
    MakePlay("8/5 6/5"): {"kind": "play", "play": "8/5 6/5"},
    Pass(): {"kind": "pass"},
    Double(): {"kind": "offer"},
    Take(): {"kind": "take"},
    Drop(): {"kind": "drop"},
    Beaver(): {"kind": "beaver"},
    Raccoon(): {"kind": "raccoon"},
    Resign(2, 1): {"kind": "resign_offer", "level": 2, "player": 1},
    Accept(): {"kind": "resign_accept"},
    Decline(): {"kind": "resign_decline"},
    NextGame(): {"kind": "next_game"},
    Ruling("why", START, 1, (3, 1)): {
        "kind": "ruling", "reason": "why", "position": WORDS, "on_roll": 1, "dice": [3, 1], "score": None, "cube": None,
    },
    Ruling("why", score=(2, 5), cube=(2, None)): {
        "kind": "ruling", "reason": "why", "position": None, "on_roll": None, "dice": None, "score": [2, 5],
        "cube": [2, None],
    },
    Forfeit(0, "match", reason="flag"): {
        "kind": "forfeit", "player": 0, "scope": "match", "points": None, "reason": "flag"
    },
    Forfeit(1, "points", 2, "late"): {
        "kind": "forfeit", "player": 1, "scope": "points", "points": 2, "reason": "late"
    },
}  # fmt: skip


@pytest.mark.parametrize(("action", "data"), EXAMPLES.items(), ids=str)
def test_json(action: Action, data: dict[str, Any]) -> None:
    assert action.to_json() == data
    assert list(action.to_json()) == list(data)
    assert from_json(data) == action
    assert from_json(data | {"seq": 5, "hash": "…"}) == action
    assert action.kind == data["kind"]


def test_a_play_becomes_its_text() -> None:
    assert from_json(MakePlay(PLAY).to_json()) == MakePlay("8/5 6/5") != MakePlay(PLAY)


def test_they_are_values() -> None:
    every = [*EXAMPLES, MakePlay(PLAY), Roll(6, 1), OpeningRoll(1, 6), Resign(2, 0), Forfeit(1, "points", 3, "late")]
    assert len(set(every)) == len(every)
    for action in every:
        again = pickle.loads(pickle.dumps(action))
        assert again == action
        assert hash(again) == hash(action)
        assert type(again) is type(action)
        assert action != "action"
        with pytest.raises(AttributeError):
            action.level = 1  # type: ignore[attr-defined]
    assert {type(action) for action in every} == set(ACTIONS)
    assert len({action.kind for action in every}) == len(ACTIONS)


def test_repr_can_be_pasted_back() -> None:
    names = vars(actions) | {"Position": bg.Position}
    for action in EXAMPLES:
        assert eval(repr(action), names) == action
    assert repr(Ruling("why", score=(2, 5))) == "Ruling('why', score=(2, 5))"


def test_they_match_by_position() -> None:
    match Roll(4, 2):
        case Roll(d1, d2):
            assert (d1, d2) == (4, 2)
        case _:
            pytest.fail("no match")


def test_fields() -> None:
    assert (OpeningRoll(3, 1).die0, OpeningRoll(3, 1).die1, OpeningRoll(3, 1).dice) == (3, 1, (3, 1))
    assert (OpeningRoll().die0, OpeningRoll().die1, OpeningRoll().dice) == (None, None, None)
    assert (Roll(1, 6).d1, Roll(1, 6).d2, Roll(1, 6).dice, Roll().d1, Roll().dice) == (1, 6, (1, 6), None, None)
    assert MakePlay(PLAY).play is PLAY
    ruling = Ruling("why", START, 1, (3, 1), (1, 2), (4, 0))
    assert (ruling.reason, ruling.position, ruling.on_roll, ruling.dice) == ("why", START, 1, (3, 1))
    assert (ruling.score, ruling.cube) == ((1, 2), (4, 0))
    forfeit = Forfeit(1, "game", 4, "flag")
    assert (forfeit.player, forfeit.scope, forfeit.points, forfeit.reason) == (1, "game", 4, "flag")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Roll(7, 1), "shows 1 to 6, not 7"),
        (lambda: Roll(0, 1), "shows 1 to 6, not 0"),
        (lambda: OpeningRoll(1, -1), "shows 1 to 6, not -1"),
        (lambda: Resign(0, 0), "1 \\(single\\)"),
        (lambda: Resign(4, 0), "1 \\(single\\)"),
        (lambda: Resign(True, 0), "1 \\(single\\)"),
        (lambda: Resign(1, 2), "a player is 0 or 1"),
        (lambda: Resign(1, True), "a player is 0 or 1"),
        (lambda: Ruling("", score=(1, 1)), "needs a reason"),
        (lambda: Ruling("  ", score=(1, 1)), "needs a reason"),
        (lambda: Ruling("why"), "give one of them"),
        (lambda: Ruling("why", START), "go together"),
        (lambda: Ruling("why", on_roll=1, score=(1, 1)), "go together"),
        (lambda: Ruling("why", dice=(3, 1), score=(1, 1)), "goes with position"),
        (lambda: Ruling("why", START, 2), "a player is 0 or 1"),
        (lambda: Ruling("why", START, 1, (3, 7)), "shows 1 to 6"),
        (lambda: Ruling("why", score=(-1, 0)), "0 or more"),
        (lambda: Ruling("why", cube=(3, None)), "power of 2"),
        (lambda: Ruling("why", cube=(0, None)), "power of 2"),
        (lambda: Ruling("why", cube=(2, 2)), "a player is 0 or 1"),
        (lambda: Forfeit(2, "game", reason="flag"), "a player is 0 or 1"),
        (lambda: Forfeit(0, "set", reason="flag"), "points, game, match"),
        (lambda: Forfeit(0, "points", reason="late"), "says how many"),
        (lambda: Forfeit(0, "game", 0, "flag"), "1 point or more"),
        (lambda: Forfeit(0, "game"), "needs a reason"),
    ],
)
def test_refused(make: Any, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Action(),
        lambda: Roll(3),
        lambda: Roll(3, None),
        lambda: Roll("3", 1),
        lambda: Roll(3.0, 1),
        lambda: Roll(True, 1),
        lambda: Roll(1, 2, 3),
        lambda: Take(1),
        lambda: MakePlay(5),
        lambda: Ruling(None, score=(1, 1)),
        lambda: Ruling("why", "start", 0),
        lambda: Ruling("why", score=(1.5, 1)),
        lambda: Ruling("why", score=(True, 1)),
        lambda: Forfeit(0, "game", 1.5, "flag"),
    ],
)
def test_wrong_types(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "kind"),
        ({"kind": "jump"}, "kind"),
        ({"kind": ["roll"]}, "kind"),
        ([], "kind"),
        (None, "kind"),
        ({"kind": "roll"}, "dice"),
        ({"kind": "roll", "dice": [3]}, "dice"),
        ({"kind": "roll", "dice": "31"}, "dice"),
        ({"kind": "roll", "dice": [3, 9]}, "roll"),
        ({"kind": "roll", "dice": [3, "1"]}, "roll"),
        ({"kind": "resign_offer", "level": 2}, "player"),
        ({"kind": "resign_offer", "level": 9, "player": 0}, "resign_offer"),
        ({"kind": "play", "play": 5}, "play"),
        ({"kind": "forfeit", "player": 0, "scope": [], "points": None, "reason": "flag"}, "forfeit"),
        (EXAMPLES[Ruling("why", START, 1, (3, 1))] | {"position": WORDS[1:]}, "position"),
        (EXAMPLES[Ruling("why", START, 1, (3, 1))] | {"position": "g" * 64}, "position"),
        (EXAMPLES[Ruling("why", START, 1, (3, 1))] | {"score": 5}, "score"),
    ],
)
def test_json_that_is_none(data: Any, field: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_json(data)
    assert caught.value.field == field
