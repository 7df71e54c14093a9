"""Random games: every turn is what the rules say, whatever the game."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import bgcore as bg
from bgcore.dice import OPENING_ROLLS, SeededDice
from bgcore.match.random_game import RandomGame, random_game
from bgcore.match.tavli import TAPA
from bgcore.rules import FEVGA, GUL_BARA, LONG_NARDI

GAMES = tuple(
    bg.rules.get(name, preset)
    for name in bg.rules.names()
    for preset in (None, *bg.rules.presets(name))
    if name not in ("backgammon", "nackgammon")
)
SEEDS = range(6)
every_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def game(rules: bg.Rules, seed: int, first: int | None = None) -> RandomGame:
    return random_game(rules, SeededDice(seed), np.random.default_rng(seed), first)  # type: ignore[arg-type]


@every_game
def test_every_turn_is_legal_and_leads_to_the_next(rules: bg.Rules) -> None:
    for seed in SEEDS:
        played = game(rules, seed)
        assert played.turns[0].position == rules.start
        assert (played.turns[0].player == played.opening.first) != played.opening.opponents
        assert played.turns[0].dice == played.opening.roll
        for turn in played.turns:
            assert not rules.validate(turn.position)
            assert turn.position.counts.sum(axis=1).tolist() == [rules.checkers, rules.checkers]
            assert rules.outcome(turn.position) is None
            plays = rules.legal_plays(turn.position, turn.dice, context=turn.context)
            assert (turn.play is None) == (not plays)
            assert turn.play is None or turn.play in plays
        for turn, following in pairwise(played.turns):
            same = turn.player == following.player
            assert following.position == (turn.after if same else turn.after.flipped())


@every_game
def test_the_end(rules: bg.Rules) -> None:
    for seed in SEEDS:
        played = game(rules, seed)
        last = played.turns[-1]
        outcome = rules.outcome(last.after)
        if outcome is None:  # stuck
            for side in (last.after, last.after.flipped()):
                assert not any(rules.legal_plays(side, roll) for roll in bg.dice.ROLLS)
            outcome = bg.Outcome(None, rules.draw_points, "draw")
        assert (played.points, played.kind) == outcome[1:]
        if outcome.winner is None:
            assert played.winner is None
        else:
            assert (played.winner == last.player) == (outcome.winner == "own")
        if played.kind in ("single", "gammon", "backgammon") and rules.entry_bar_loss is None:
            assert last.after.off[0] == rules.checkers
            if rules.gammon_if == "none_off":
                assert (last.after.off[1] == 0) == (played.kind != "single")


@every_game
def test_the_opening_is_that_of_the_rules(rules: bg.Rules) -> None:
    rolls = set()
    for seed in range(60):
        played = random_game_opening(rules, seed)
        if not played.opponents:
            assert played.throws[-1][0] != played.throws[-1][1]
            assert played.first == (played.throws[-1][0] < played.throws[-1][1])
        else:
            assert played.roll == played.throws[played.first - 2]
        if rules.opening == "keep_dice":
            assert sorted(played.roll) == sorted(played.throws[-1])
        rolls.add(played.roll)
    assert (rolls <= set(OPENING_ROLLS)) == (rules.opening == "keep_dice")


def random_game_opening(rules: bg.Rules, seed: int):  # type: ignore[no-untyped-def]
    from bgcore.match.opening import begin, thrown

    return begin(rules, thrown(SeededDice(seed)))


@pytest.mark.parametrize("first", [0, 1])
def test_a_known_starter(first: int) -> None:
    played = game(FEVGA, 3, first)
    assert played.opening.first == first
    assert played.opening.throws == ()
    assert played.turns[0].player == first


@pytest.mark.parametrize("rules", [r for r in GAMES if r.doubles != "cascade"], ids=lambda rules: rules.name)
def test_players_take_turns_where_nothing_cascades(rules: bg.Rules) -> None:
    for seed in SEEDS:
        played = game(rules, seed)
        turns = played.turns[
            played.opening.opponents :
        ]  # in Julbahar the opponent's checkers are moved before he rolls
        assert all(a.player != b.player for a, b in pairwise(turns))
        assert all(turn.part == "roll" for turn in turns)
        assert played.rolls == len(played.turns)


@pytest.mark.parametrize("rules", [r for r in GAMES if r.doubles == "cascade"], ids=lambda rules: rules.name)
def test_cascades_are_played_stage_by_stage(rules: bg.Rules) -> None:
    parts: Counter[str] = Counter()
    for seed in range(60):
        played = game(rules, seed)
        rolls: Counter[int] = Counter()
        for before, turn in pairwise((None, *played.turns)):
            assert turn is not None
            parts[turn.part] += 1
            steps = 0 if before is None or before.play is None else len(before.play)
            if turn.part == "roll":
                rolls[turn.player] += 1
                cascades = turn.dice[0] == turn.dice[1] and rolls[turn.player] >= rules.cascade_from
                assert turn.context == (4 if cascades else 0)
                if before is not None:
                    # what the opponent had left is played first, and by the player who rolls then
                    assert (turn.player == before.player) == (before.part == "owed")
                    if before.context and before.dice[0] < 6:
                        assert steps < before.context  # else there would be another stage
                    if before.context and before.part != "owed":
                        assert steps == before.context  # else something would be left over
            elif turn.part == "stage":
                assert before is not None
                assert before.part != "owed"
                assert (turn.player, turn.dice[0], turn.context) == (before.player, before.dice[0] + 1, 4)
                assert steps == before.context == 4
            else:
                assert before is not None
                if before.part == "owed":  # goes on
                    assert (turn.player, turn.dice[0], turn.context) == (before.player, before.dice[0] + 1, 4)
                    assert steps == before.context
                else:
                    assert turn.player != before.player
                    assert before.context == 4
                    assert (turn.dice, turn.context) == (before.dice, 4 - steps)
                    assert turn.context > 0
        assert played.rolls == sum(rolls.values())
    assert parts["stage"] > 20
    assert parts["owed"] > 20


def test_fevga_never_keeps_its_starting_quarter_full() -> None:
    for seed in SEEDS:
        for turn in game(FEVGA, seed).turns:
            if turn.play is not None:
                assert not all(turn.after.counts[0, 19:25])


def test_long_nardi_takes_one_from_the_head_but_for_the_first_turn() -> None:
    for seed in SEEDS:
        for turn in game(LONG_NARDI, seed).turns:
            leaving = 0 if turn.play is None else sum(move.source == 24 for move in turn.play.moves)
            assert leaving <= (2 if turn.position.counts[0, 24] == 15 else 1)


def test_the_courier_is_a_flag_where_checkers_are_hit() -> None:
    hit_after_arrival = 0
    for preset in ("moulidars", "versailles"):
        rules = bg.rules.get("jacquet", preset)
        for seed in range(20):
            arrived = [False, False]
            for turn in game(rules, seed).turns:
                assert turn.context == arrived[turn.player]
                home = any(turn.after.counts[0, :7])
                hit_after_arrival += arrived[turn.player] and not home
                arrived[turn.player] |= home
    assert hit_after_arrival


def test_plakoto_without_a_mother_is_drawn_where_nobody_can_ever_win() -> None:
    """Each side's last checker lies pinned on its 24: the pinners could only leave by bearing off."""
    draws = 0
    for seed in range(40):
        played = game(TAPA, seed)
        if played.kind == "draw":
            draws += 1
            assert (played.winner, played.points) == (None, 0)
            assert played.turns[-1].after.pinned[:, 24].all()
    assert draws


def test_a_stuck_game_is_a_draw() -> None:
    """Here the rules call nothing a draw, so the game goes on until no roll lets either side move."""
    rules = TAPA.replace(name="stuck", bear_off_while_pinned="allow", draw_points=1)
    draws = 0
    for seed in range(40):
        played = game(rules, seed)
        if played.kind == "draw":
            draws += 1
            assert (played.winner, played.points) == (None, 1)
            for side in (played.turns[-1].after, played.turns[-1].after.flipped()):
                assert not any(rules.legal_plays(side, roll) for roll in bg.dice.ROLLS)
    assert draws


def test_the_same_for_a_seed() -> None:
    assert game(GUL_BARA, 5) == game(GUL_BARA, 5)
    assert game(GUL_BARA, 5) != game(GUL_BARA, 6)


@pytest.mark.slow
def test_spread_as_in_playouts() -> None:
    """As many singles as the playouts of the core have, within three standard deviations; who begins rolls any roll."""
    n = 400
    singles = sum(game(FEVGA, seed, 0).kind == "single" for seed in range(n)) / n
    counts = bg.batch.playouts(FEVGA.start.packed[None], 20_000, rules=FEVGA, seed=1).counts[0] / 20_000
    expected = counts[0] + counts[3]
    assert abs(singles - expected) < 3 * (expected * (1 - expected) / n) ** 0.5
