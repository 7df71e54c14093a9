"""Higher wins that some players of Long Nardi count: home mars and koks."""

from __future__ import annotations

import random

import pytest

import bgcore as bg
from naive import variants as nv

LADDERS: list[dict[str, int]] = [{}, {"home_mars": 3}, {"koks": 3}, {"home_mars": 2, "koks": 4}]
OFF = {0: 15}


def position(own: dict[int, int], opp: dict[int, int]) -> bg.Position:
    return bg.Position.from_counts([[side.get(slot, 0) for slot in range(26)] for side in (own, opp)])


@pytest.mark.parametrize(
    ("loser", "plain", "laddered"),
    [
        ({6: 10, 1: 5}, (2, "gammon"), (3, "home_mars")),  # all home, none off
        ({18: 1, 1: 14}, (2, "gammon"), (2, "gammon")),  # mars
        ({19: 1, 1: 14}, (2, "gammon"), (4, "koks")),  # one has not left its first quarter
        ({24: 15}, (2, "gammon"), (4, "koks")),
        ({0: 1, 24: 1, 1: 13}, (1, "single"), (1, "single")),  # one off: oyn, wherever the others stand
        ({0: 1, 1: 14}, (1, "single"), (1, "single")),
    ],
)
def test_worked_examples(loser: dict[int, int], plain: tuple[int, str], laddered: tuple[int, str]) -> None:
    rules = bg.LONG_NARDI.replace(ladder={"home_mars": 3, "koks": 4})
    won = position(OFF, loser)
    assert bg.LONG_NARDI.outcome(won) == ("own", *plain)
    assert rules.outcome(won) == ("own", *laddered)
    assert rules.outcome(won.flipped()) == ("opp", *laddered)


def test_without_a_rung_the_win_below_it_counts() -> None:
    home, first_quarter = position(OFF, {6: 15}), position(OFF, {24: 15})
    assert bg.LONG_NARDI.replace(ladder={"koks": 3}).outcome(home) == ("own", 2, "gammon")
    assert bg.LONG_NARDI.replace(ladder={"home_mars": 3}).outcome(first_quarter) == ("own", 2, "gammon")
    # The apps in which mars means "not all home": the home mars pays less.
    apps = bg.LONG_NARDI.replace(scoring=(1, 3, 3), ladder={"home_mars": 2})
    assert (apps.outcome(home), apps.outcome(first_quarter)) == (("own", 2, "home_mars"), ("own", 3, "gammon"))


@pytest.mark.parametrize("ladder", LADDERS)
@pytest.mark.parametrize("name", ["long_nardi", "short_nardi"])
def test_against_the_naive_outcome(name: str, ladder: dict[str, int]) -> None:
    rules = bg.rules.get(name).replace(ladder=ladder)
    game = nv.game(name, ladder=sorted(ladder.items()))
    rng = random.Random(3)
    for _ in range(300):
        low, high = sorted(rng.sample(range(1, 26 if name == "short_nardi" else 25), 2))
        points = [rng.choice([0, 0, low, high] if rng.random() < 0.2 else [low, high]) for _ in range(15)]
        if not any(points):
            continue
        loser = {point: points.count(point) for point in points}
        end = nv.outcome(game, nv.Board(nv.counts({}), nv.counts({p: n for p, n in loser.items() if p})))
        assert end is not None
        assert rules.outcome(position(OFF, loser)) == (end.winner, end.points, end.kind)


def test_values() -> None:
    rules = bg.LONG_NARDI.replace(ladder={"koks": 4, "home_mars": 3})
    assert rules.ladder == (("home_mars", 3), ("koks", 4))
    assert rules == bg.LONG_NARDI.replace(ladder=[("home_mars", 3), ("koks", 4)])
    assert hash(rules) == hash(bg.LONG_NARDI.replace(ladder=(("koks", 4), ("home_mars", 3))))
    for wrong in ({"koks": 0}, {"koks": True}, {"mars": 2}, {1: 2}):
        with pytest.raises(bg.RuleError, match="ladder"):
            bg.LONG_NARDI.replace(ladder=wrong)


def test_playouts_count_them_as_gammons() -> None:
    counts = bg.batch.playouts(
        bg.LONG_NARDI.start.packed[None], 300, rules=bg.LONG_NARDI.replace(ladder={"koks": 3}), seed=1
    ).counts
    assert (
        counts == bg.batch.playouts(bg.LONG_NARDI.start.packed[None], 300, rules=bg.LONG_NARDI, seed=1).counts
    ).all()
