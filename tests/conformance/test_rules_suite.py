"""The right engines pass, and every broken one is caught with the rule that it breaks."""

from __future__ import annotations

import hashlib
import json

import pytest
from conformance.engines import (
    MUTANTS,
    BarCanWait,
    DoublesAreTwo,
    NaiveEngine,
    NaiveVariants,
    NoHitOnTheWay,
    NotBothDice,
    OffFromAnyPoint,
)

import bgcore as bg
from bgcore.conformance import SUITES, check, named, of_positions
from bgcore.conformance.cases import ActionsCase, ApplyCase, Case, OutcomeCase, PerftCase, PlaysCase
from bgcore.conformance.models import MODELS, RULES, results
from bgcore.conformance.ours import Ours
from bgcore.conformance.sampling import random_games, scattered
from bgcore.dice import ROLLS
from bgcore.errors import RuleError
from naive import backgammon as naive

MOVEMENT = {*RULES, "who sees the result"}


@pytest.mark.parametrize("engine", [Ours(), NaiveEngine()], ids=["bgcore", "naive"])
@pytest.mark.parametrize("suite", ["smoke", "rules"])
def test_the_right_engines_pass_complete(engine: object, suite: str) -> None:
    report = check(engine, suite)
    assert report.passed, report.text(examples=3)
    assert report.complete
    assert report.not_offered == ()
    assert report.rules_broken == {}
    assert {group.status for group in report.groups} == {"passed"}


def test_every_rule_has_a_group() -> None:
    groups = {case.group for case in named("rules").cases}
    assert groups == {
        *RULES, "written plays", "gammon and backgammon", "crawford", "jacoby", "cube", "beavers", "resignation",
        "match score", "opening", "turns", "holland", "table stakes",
    }  # fmt: skip
    assert {model.rule for model in MODELS} <= set(RULES)
    assert len({model.switch for model in MODELS}) == len(MODELS)


def test_there_is_a_mutant_for_every_group_of_rules() -> None:
    assert len(MUTANTS) >= 36
    assert {mutant.rule for mutant in MUTANTS} == {case.group for case in named("rules").cases} | {
        "who sees the result"
    }


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_broken_engine_is_caught_with_the_right_rule(mutant: type[NaiveEngine]) -> None:
    report = check(mutant(), "rules")
    assert not report.passed
    assert report.complete
    assert next(iter(report.rules_broken)) == mutant.rule
    group = report.group(mutant.rule)
    assert group is None or group.status == "failed"
    # Who finds wrong plays may well take written ones for legal; nothing else is put down to another rule.
    wrong = {failure.rule for failure in report.failures if failure.needs != "check"}
    assert wrong <= {mutant.rule}
    assert (
        not wrong
        or mutant.rule in MOVEMENT
        or {f.needs for f in report.failures} <= {"apply", "actions", "score", "outcome"}
    )


@pytest.mark.slow
def test_random_rolls_catch_broken_plays_too() -> None:
    for mutant in (NotBothDice, DoublesAreTwo, BarCanWait, NoHitOnTheWay, OffFromAnyPoint):
        report = check(mutant(), named("random", size=120))
        assert next(iter(report.rules_broken)) == mutant.rule


@pytest.mark.slow
def test_a_failure_is_shrunk_to_few_checkers_and_still_fails() -> None:
    for mutant in (m for m in MUTANTS if m.rule in RULES and m.rule != "distinct plays"):
        report = check(mutant(), "rules")
        smallest = min((f.small or f for f in report.failures if f.needs == "plays"), key=lambda f: f.checkers)
        assert smallest.checkers <= 6, mutant.__name__
        for failure in report.failures:
            small = failure.small
            if small is None:
                continue
            assert small.rule == failure.rule
            assert small.checkers < failure.checkers
            assert small.position is not None
            assert small.dice is not None
            board = tuple(small.position.board.tolist())
            told = set(mutant().plays(small.position, small.dice))
            right = {bg.Position.from_board(naive.flip(b)) for b in naive.results(board, small.dice)}
            assert (told != right) or naive.is_over(board)
            assert len(small.missing) == len(right - told)
            assert len(small.extra) == len(told - right)


def test_notation_of_missing_and_extra_plays() -> None:
    class Engine:
        def plays(self, position: bg.Position, dice: tuple[int, int]) -> list[bg.Position]:
            plays = bg.BACKGAMMON.legal_plays(position, dice)
            if position != bg.Position.initial():
                return [play.result for play in plays]
            wrong = position.board
            wrong[13], wrong[7] = 4, 1
            found = [play.result for play in plays if str(play) != "8/5 6/5"]
            return [*found, bg.Position.from_board(wrong).flipped()]

    report = check(Engine(), of_positions([bg.Position.initial()], [(3, 1)]))
    (failure,) = report.failures
    assert failure.missing == ("8/5 6/5",)
    assert failure.extra == ("13/7",)
    assert failure.legal == 16
    assert "missing: 8/5 6/5" in failure.text()
    assert "O: 167 pips" in failure.text()


# ---- the other suites


def test_random_suite_is_seeded_and_has_any_size() -> None:
    first, again, other = named("random", size=50), named("random", size=50), named("random", size=50, seed=1)
    assert first.cases == again.cases != other.cases
    assert len(named("random", size=7).cases) == 7
    assert first.cases[:7] == named("random", size=7).cases


def test_wrong_suites() -> None:
    with pytest.raises(RuleError, match="there are smoke, rules"):
        named("everything")
    with pytest.raises(RuleError, match="size"):
        named("random", size=0)


def test_perft_suite() -> None:
    cases = [case for case in named("perft").cases if isinstance(case, PerftCase)]
    assert len(cases) == len(named("perft").cases)
    for case in cases:
        if case.expected < 20_000:
            assert naive.perft(tuple(case.position.board.tolist()), case.depth) == case.expected
    assert {case.depth: case.expected for case in cases if case.position == bg.Position.initial()} == {
        1: 447, 2: 202_782, 3: 116_154_993,
    }  # fmt: skip
    report = check(Ours(), "perft")
    assert report.passed
    assert report.complete


def test_the_tree_says_where_the_count_goes_wrong() -> None:
    class Engine(Ours):
        def plays(self, position, dice, game="backgammon", context=0):  # type: ignore[no-untyped-def]
            found = super().plays(position, dice)
            return found[1:] if dice == (5, 5) and position.pips[0] > position.pips[1] + 5 else found

        def perft(self, position: bg.Position, depth: int) -> int:
            return 447

    report = check(Engine(), "perft")
    tree = [failure for failure in report.failures if failure.group == "tree"]
    assert len(tree) == 1
    assert tree[0].position is not None
    assert len(tree[0].missing) == 1
    assert {failure.got for failure in report.failures if failure.group == "perft"} == {"447"}


@pytest.mark.slow
def test_variants_against_the_naive_enumerators() -> None:
    ours = named("variants", size=40)
    report = check(NaiveVariants(), ours)
    assert report.passed, report.text()
    offered = {group.name for group in report.groups if group.status == "passed"}
    assert offered == set(NaiveVariants.games)
    assert {"nackgammon", "hypergammon"} <= set(report.not_offered)
    assert check(Ours(), ours).complete


def test_a_broken_variant_is_named() -> None:
    class Engine(Ours):
        def plays(self, position, dice, game="backgammon", context=0):  # type: ignore[no-untyped-def]
            rules = bg.rules.get(*game.split(":"))
            if game == "plakoto":  # as if blots could not be pinned but were hit: no such thing; as if they blocked
                return [p.result for p in rules.legal_plays(position, dice) if not any(m.pin for m in p.moves)]
            return super().plays(position, dice, game, context)

    report = check(Engine(), named("variants", size=60))
    assert set(report.rules_broken) == {"plakoto: plays are missing"}
    assert [group.name for group in report.groups if group.failed] == ["plakoto"]


# ---- what suites are made of


def digest(cases: tuple[Case, ...]) -> str:
    """What the cases ask and expect, in a few letters."""
    texts = []
    for case in cases:
        fields = {name: value for name, value in vars(case).items() if name != "rules"}
        if "position" in fields:
            fields["position"] = fields["position"].packed.tolist()
        if isinstance(case, PlaysCase):
            fields["rules"] = case.rules.name
        texts.append(json.dumps([type(case).__name__, fields], sort_keys=True, default=list))
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


CONTENTS = {
    "smoke": (132, "9f3865067eea5020"),
    "rules": (319, "b347cb99bf2bc15b"),
    "random": (5000, "076c57644a70b45d"),
    "perft": (9, "62a9e72c5934b82a"),
    "variants": (5600, "909976b6fef8fe0a"),
}
"""Cases and digest of each suite: a change here is a change of what "passed" means, and belongs into the changelog."""


@pytest.mark.parametrize("name", CONTENTS)
def test_contents_are_stable(name: str) -> None:
    cases = named(name).cases
    assert (len(cases), digest(cases)) == CONTENTS[name]


def test_all_is_everything() -> None:
    parts = [case for name in SUITES if name not in ("all", "smoke") for case in named(name, size=20).cases]
    assert named("all", size=20).cases == tuple(parts)


def test_literal_answers_are_not_trivial() -> None:
    cases = named("rules").cases
    assert any(isinstance(c, OutcomeCase) and c.expected is None for c in cases)
    assert sum(isinstance(c, ApplyCase) and c.expected is None for c in cases) >= 10
    assert all(set(c.expected) <= set(c.about) for c in cases if isinstance(c, ActionsCase))


# ---- the models


@pytest.mark.parametrize("seed", range(3))
def test_the_models_without_a_mistake_are_the_rules(seed: int) -> None:
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    rows = random_games(60, seed=seed)
    for i, row in enumerate(rows):
        position = scattered(generator) if i % 2 else bg.Position.from_packed(row)
        board, dice = tuple(position.board.tolist()), ROLLS[int(generator.integers(21))]
        assert results(board, dice) == naive.results_by_level(board, dice)


def test_every_model_is_wrong_somewhere_in_its_group() -> None:
    for model in MODELS:
        cases = [case for case in named("rules").cases if isinstance(case, PlaysCase) and case.group == model.rule]
        different = 0
        for case in cases:
            board = tuple(case.position.board.tolist())
            different += results(board, case.dice, model.switch) != results(board, case.dice)
        assert different >= 2, model
