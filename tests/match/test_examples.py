"""The worked examples of the regional games that are about openings, cascades, scores and ends, by their labels.

The data are tests/golden/variants_examples.json; random positions are judged by tests/naive as well.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore.match import gul_bar, opening, tavli
from bgcore.match.cascade import Stage, first_stage, left_over, next_stage
from bgcore.rules import FEVGA, GUL_BARA, PLAKOTO, PORTES, UZUN_TAVLA, Rules
from naive import variants as nv
from naive.variants import layers
from naive.variants.board import Board
from naive.variants.selfplay import random_positions

EXAMPLES = json.loads((Path(__file__).parent.parent / "golden" / "variants_examples.json").read_text(encoding="utf-8"))
PLAYERS = {"own": 0, "opp": 1, None: None}
Case = dict[str, Any]


def of_kind(kind: str) -> pytest.MarkDecorator:
    cases = [pytest.param(case, id=case["id"]) for case in EXAMPLES if case["kind"] == kind]
    assert cases
    return pytest.mark.parametrize("case", cases)


def rules_of(case: Case) -> Rules:
    """The rule set of a case; of Gül Bar, that of its base."""
    if case.get("preset") == "strict_seed":  # what the default became, with the cube allowed
        return PORTES.replace(cube=True)
    name = "uzun_tavla" if case["game"] == "gul_bar" else case["game"]
    return bg.rules.get(name, case.get("preset")).replace(**case.get("options", {}))


def counts(points: Mapping[str, int]) -> list[int]:
    row = [0] * 26
    for point, n in points.items():
        row[25 if point == "bar" else int(point)] = n
    return [15 - sum(row), *row[1:]]


def position_of(case: Case) -> bg.Position:
    pinned = np.zeros((2, 26), bool)
    for side, name in enumerate(("own_pinned", "opp_pinned")):
        pinned[side, case.get(name, [])] = True
    return bg.Position.from_counts([counts(case["own"]), counts(case["opp"])], pinned if pinned.any() else None)


# ---- openings: PO-7, SN-4


@of_kind("opening")
def test_opening(case: Case) -> None:
    rules, throw = rules_of(case), tuple(case["dice"])
    assert opening.first_of(throw) == PLAYERS[case["first"]]
    if case["first"] is None:
        assert opening.begin(rules, [throw, (6, 1), (2, 2)]).ties == 1
    else:
        began = opening.begin(rules, [throw, (2, 2)])
        assert began.first == PLAYERS[case["first"]]
        assert began.roll == tuple(case["plays_dice"] or (2, 2))


# ---- outcomes: PO-6, PL-8, UT-7, KT-7, SN-5, SN-6, LN-10, JQ-8


@of_kind("outcome")
def test_outcome(case: Case) -> None:
    outcome = rules_of(case).outcome(position_of(case))
    if case["outcome"] is None:
        assert outcome is None
        return
    assert outcome is not None
    winner, kind, points = case["outcome"]
    assert outcome.winner == (None if winner == "none" else winner)
    assert outcome.points == points
    assert outcome.kind == kind or kind == "bar_loss"
    if "cube" in case:
        assert outcome.points * case["cube"] == case["points_with_cube"]


def test_the_presets_differ_only_in_their_habits() -> None:
    habits = {"opening": "reroll", "scoring": (1, 2, 2), "hit_and_run_home": "forbid"}
    for name, preset, more in (("portes", "greek", {"next_first": "winner"}), ("uzun_tavla", "cafe", {})):
        rules = bg.rules.get(name, preset=preset)
        for option, value in (habits | more).items():
            assert getattr(rules, option) == value
        plain = {option: bg.rules.get(name).options[option] for option in (habits | more)}
        assert rules.replace(name=name, **plain) == bg.rules.get(name)


def test_pl_8_in_a_match() -> None:
    """The draw of PL-8 is worth nothing to anybody, or a point to each, as the rules say."""
    drawn = position_of(next(case for case in EXAMPLES if case["id"] == "PL-8"))
    for draw_points, score in ((0, (0, 0)), (1, (1, 1))):
        match = tavli.points(5, games=(PLAKOTO,), draw_points=draw_points)
        outcome = match.games[0].outcome(drawn)
        assert outcome is not None
        assert match.after(None, outcome.points, outcome.kind).score == score


# ---- cascades: GU-3 to GU-7

Way = tuple[bg.Position, Stage | None, int]  # the end seen by the one who played, what is left over, steps


def ways(rules: Rules, position: bg.Position, stage: Stage) -> set[Way]:
    """Every way through the stages as far as one player comes."""
    running, ended = {(position, stage)}, set()
    while running:
        following = set()
        for start, stage in running:
            for play in rules.legal_plays(start, stage.dice, context=stage.steps) or (None,):
                n = 0 if play is None else len(play)
                end = start if play is None else play.result.flipped()
                over = rules.outcome(end) is not None
                onward = None if over else next_stage(stage, n)
                if onward is None:
                    ended.add((end, None if over else left_over(rules, stage, n), stage.before + n))
                else:
                    following.add((end, onward))
        running = following
    return ended


@of_kind("cascade")
def test_cascade(case: Case) -> None:
    rules, position, dice = rules_of(case), position_of(case), tuple(case["dice"])
    stage = first_stage(rules, dice, case["turn"])
    assert (stage is None) == (case["turn"] < 4)
    if stage is None:
        found = [(play.result.flipped(), None, len(play)) for play in rules.legal_plays(position, dice)]
    else:
        found = list(ways(rules, position, stage))
    if "played" in case:
        assert {(left, played) for _, left, played in found} == {(None, case["played"])}
        return
    expected = {(tuple(counts(end["own"])), end["owed"] and tuple(end["owed"]), end["played"]) for end in case["ends"]}
    assert {
        (tuple(end.counts[0].tolist()), left and (left.value, left.steps), played) for end, left, played in found
    } == expected
    assert all(left is None or left.owed for _, left, _ in found)


@of_kind("owed")
def test_what_the_receiver_can_make_of_it(case: Case) -> None:
    found = list(ways(rules_of(case), position_of(case), Stage(*case["owed"], owed=True)))
    assert {tuple(end.counts[0].tolist()) for end, _, _ in found} == {tuple(counts(end)) for end in case["finals"]}
    assert all(left is None for _, left, _ in found)  # transferred once only


def test_a_step_may_be_needed_for_a_transfer() -> None:
    asks = GUL_BARA.replace(transfer_needs_start=True)
    assert left_over(GUL_BARA, Stage(4, 4), 0) == Stage(4, 4, owed=True)
    assert left_over(asks, Stage(4, 4), 0) is None
    assert left_over(asks, Stage(5, 4, before=4), 0) == Stage(5, 4, owed=True)
    assert left_over(asks, Stage(4, 4), 1) == Stage(4, 3, owed=True)


def test_who_cascades_from_which_turn() -> None:
    assert first_stage(bg.rules.get("gul_bara", "gioul"), (2, 2), 1) == Stage(2, 4)
    assert first_stage(bg.rules.get("uzun_tavla", "celebi"), (2, 2), 4) == Stage(2, 4)
    assert first_stage(GUL_BARA, (2, 1), 9) is None
    assert first_stage(FEVGA, (2, 2), 9) is None


def test_one_one_has_at_most_24_steps() -> None:
    stage: Stage | None = first_stage(GUL_BARA, (1, 1), 4)
    values = []
    while stage is not None:
        values += [stage.value] * stage.steps
        last, stage = stage, next_stage(stage, stage.steps)
    assert values == [value for value in range(1, 7) for _ in range(4)]
    assert left_over(GUL_BARA, last, 4) is None


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: next_stage(Stage(3, 2), 3), "of which 3"),
        (lambda: left_over(GUL_BARA, Stage(3, 2), -1), "of which -1"),
        (lambda: first_stage(GUL_BARA, (3, 3), 0), "counted from 1"),
        (lambda: first_stage(GUL_BARA, (0, 3), 1), "a die shows"),
    ],
)
def test_refused(call: Any, says: str) -> None:
    with pytest.raises(bg.RuleError, match=says):
        call()


def naive_board(position: bg.Position) -> Board:
    """As tests/naive sees it."""
    return Board(*(bytes(row) for row in (*position.counts.tolist(), *position.pinned.tolist())))


def test_cascades_as_the_naive_enumerator_plays_them() -> None:
    game = nv.game("gul_bara")
    rng = random.Random(5)
    transferred = 0
    for at in random_positions(game, 11, 150):
        value = rng.choice((5, 6))
        position = bg.Position.from_counts([list(at.board.own), list(at.board.opp)])
        stage = first_stage(GUL_BARA, (value, value), 4)
        assert stage is not None
        found = {
            (naive_board(end), left and (left.value, left.steps), played)
            for end, left, played in ways(GUL_BARA, position, stage)
        }
        expected = nv.turn_ends(game, at.board, (value, value), 4)
        assert found == {(end.board, end.owed and tuple(end.owed), end.played) for end in expected}
        transferred += any(left for _, left, _ in found)
    assert transferred > 5


# ---- Gül Bar: GB-S1 to GB-S4, S6, S7


@of_kind("blocked")
@pytest.mark.parametrize("player", [0, 1])
def test_blockade(case: Case, player: int) -> None:
    if case["id"] == "GB-S4":
        # The position of the file is none: nobody could ever move.  Here only the 6 and the 5 are closed to both.
        side = {"bar": 1, "6": 4, "5": 4, "4": 6}
        case = case | {"own": side, "opp": side}
    match = gul_bar.GulBar().after_turn(player, position_of(case), tuple(case["dice"]))  # type: ignore[arg-type]
    assert match.scores[1 - player] == case["bonus"]
    assert match.scores[player] == 0


@of_kind("men_left")
@pytest.mark.parametrize("winner", [0, 1])
def test_men_left(case: Case, winner: int) -> None:
    position = position_of(case)
    assert gul_bar.men_left(UZUN_TAVLA, position) == case["points"]
    scores = gul_bar.GulBar().after_game(winner, position).scores  # type: ignore[arg-type]
    assert (scores[winner], scores[1 - winner]) == (case["points"], 0)


@pytest.mark.parametrize("test", ["same_dice", "any_roll"])
@pytest.mark.parametrize("name", ["uzun_tavla", "plakoto", "fevga", "kirik_tavla"])
def test_blockades_as_the_naive_layer_counts_them(name: str, test: Any) -> None:
    game = nv.game(name)
    rules = bg.rules.get(name)
    match = gul_bar.GulBar(base=rules, blocked_test=test)
    paid = 0
    for i, at in enumerate(random_positions(game, 3, 200)):
        dice = bg.dice.ROLLS[i % 21]
        pinned = np.array([list(at.board.own_pinned), list(at.board.opp_pinned)], bool)
        position = bg.Position.from_counts([list(at.board.own), list(at.board.opp)], pinned if pinned.any() else None)
        plays = rules.legal_plays(position, dice)
        scores = match.after_turn(0, position, dice, plays[0].result if plays else None).scores
        assert scores == (0, layers.blocked_bonus(game, at.board, dice, test))
        paid += scores[1] > 0
    assert paid or name == "plakoto"
