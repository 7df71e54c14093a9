"""The Tavli match: the worked examples TM-1 to TM-7, what they leave open, and matches at random."""

from __future__ import annotations

import doctest
import pickle
from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.match import cascade, gul_bar, last_roll, opening, random_game, tavli
from bgcore.match.tavli import BULGARIAN, TABLA, TAPA, TAVLI, TavliMatch, best_of_three, play_random, tabla_match
from bgcore.rules import FEVGA, GUL_BARA, PLAKOTO, PORTES

A, B, DRAW = 0, 1, None


def name(match: TavliMatch) -> str | None:
    return None if match.rules is None else match.rules.name


def play(match: TavliMatch, *winners: int | None) -> TavliMatch:
    """Play single games with these winners."""
    for winner in winners:
        match = match.after(winner)  # type: ignore[arg-type]
    return match


def starters(match: TavliMatch, games: Sequence[tuple[int | None, int]]) -> list[int | None]:
    """Who begins each of the games, of which the winner and the points are given."""
    found = []
    for winner, points in games:
        found.append(match.first)
        match = match.after(winner, points)  # type: ignore[arg-type]
    return found


# ---- the worked examples


def test_the_order_of_the_games() -> None:
    assert TAVLI == (PORTES, PLAKOTO, FEVGA)
    assert BULGARIAN == (TABLA, GUL_BARA, TAPA)
    match = best_of_three()
    assert [name(match), name(play(match, A)), name(play(match, A, B))] == ["portes", "plakoto", "fevga"]


def test_tm_1_two_wins_end_it() -> None:
    match = play(best_of_three(), A, A)
    assert (match.winner, match.score, match.rules, match.first) == (A, (2, 0), None, None)


def test_tm_2_the_third_game_decides() -> None:
    match = play(best_of_three(), A, B)
    assert (match.winner, match.first) == (None, B)
    match = match.after(B)
    assert (match.winner, match.score) == (B, (1, 2))


def test_tm_3_a_draw_counts_for_nobody() -> None:
    match = play(best_of_three(), A, DRAW)
    assert (match.winner, match.score, name(match), match.first) == (None, (1, 0), "fevga", None)
    match = match.after(A)
    assert (match.winner, match.score) == (A, (2, 0))


def test_tm_4_level_after_a_draw_plakoto_is_played_again() -> None:
    match = play(best_of_three(), A, DRAW, B)
    assert (match.winner, match.score, match.rules, match.first) == (None, (1, 1), PLAKOTO, B)
    assert match.after(A).winner == A
    assert match.after(B).winner == B
    again = play(match, DRAW, DRAW)
    assert (again.winner, again.rules, again.first) == (None, PLAKOTO, None)
    assert again.after(A, 2, "mother").winner == A


def test_tm_5_to_five_points() -> None:
    games = [(A, 2), (B, 2), (A, 1), (A, 2)]
    match = tavli.points(5)
    assert starters(match, games) == [None, A, B, A]
    names = []
    for winner, points in games:
        names.append(name(match))
        assert match.winner is None
        match = match.after(winner, points)  # type: ignore[arg-type]
    assert names == ["portes", "plakoto", "fevga", "portes"]
    assert (match.winner, match.score, match.wins) == (A, (5, 2), (3, 1))


def test_tm_6_more_than_the_target_is_fine() -> None:
    match = tavli.points(3).after(A, 2).after(A, 2)
    assert (match.winner, match.score, len(match.results)) == (A, (4, 0), 2)


def test_tm_7_a_gammon_is_one_game_won() -> None:
    match = best_of_three().after(A, 2, "gammon")
    assert (match.winner, match.score, match.points) == (None, (1, 0), (2, 0))


# ---- options


def test_play_all() -> None:
    match = play(best_of_three(play_all=True), A, A)
    assert (match.winner, match.rules, match.first) == (None, FEVGA, A)
    assert play(match, B).winner == A
    assert play(match, B).score == (2, 1)
    assert play(match, A).score == (3, 0)
    level = play(best_of_three(play_all=True), A, DRAW, B)
    assert (level.winner, level.rules) == (None, PLAKOTO)


def test_tiebreak_by_points() -> None:
    match = best_of_three(tiebreak="points")
    assert match.after(A, 2, "gammon").after(None).after(B).winner == A
    assert match.after(A).after(None).after(B, 2, "gammon").winner == B
    level = match.after(A, 2).after(None).after(B, 2)
    assert (level.winner, level.rules) == (None, PLAKOTO)
    assert level.after(None).winner is None
    assert level.after(None).after(B).winner == B
    # without a draw the games decide, whatever they paid
    assert match.after(A, 3).after(B).after(B).winner == B


def test_draw_points() -> None:
    match = tavli.points(3, draw_points=1)
    assert match.after(A).after(None).score == (2, 1)
    assert match.after(A, 2).after(None).winner == A  # 3-1
    both = match.after(A, 1).after(None).after(B, 1).after(A, 1)
    assert (both.winner, both.score) == (A, (3, 2))
    assert [rules.replace(draw_points=0) for rules in match.games] == list(TAVLI)
    # both come to the target with one draw, and the match goes on until one is ahead
    even = tavli.points(3, games=(PLAKOTO,), draw_points=1).after(A, 2).after(B, 2).after(None)
    assert (even.score, even.winner, even.first) == ((3, 3), None, None)
    assert even.after(None).winner is None
    assert even.after(None).after(B).winner == B
    # what the rules pay counts, and in a best of three it counts for nobody
    pays = PLAKOTO.replace(draw_points=1)
    assert tavli.points(3, games=(pays,)).after(None, 1, "draw").score == (1, 1)
    assert tavli.points(3, games=(pays,), draw_points=0).after(None).score == (0, 0)
    assert best_of_three(games=(PORTES, pays, FEVGA)).after(A).after(None).score == (1, 0)


def test_a_draw_scores_nothing_by_default_and_the_cycle_moves_on() -> None:
    match = tavli.points(5).after(A, 1).after(None)
    assert (match.score, name(match), match.first) == ((1, 0), "fevga", None)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("winner", [None, A, B, None]),
        ("loser", [None, B, A, None]),
        ("roll", [None, None, None, None]),
        ("alternate", [None, A, B, A]),
    ],
)
def test_next_first(rule: Any, expected: list[int | None]) -> None:
    match = tavli.points(7, games=(PLAKOTO,), next_first=rule)
    found = []
    for winner, told in ((A, B), (B, None), (DRAW, None)):
        found.append(match.first)
        first = told if match.first is None else None
        match = match.after(winner, first=first)  # type: ignore[arg-type]
    assert [*found, match.first] == expected


def test_alternate_has_to_know_who_began() -> None:
    with pytest.raises(bg.RuleError, match="first="):
        best_of_three(next_first="alternate").after(A)


def test_the_bulgarian_three() -> None:
    match = tabla_match()
    assert (match.target, name(match), name(play(match, A)), name(play(match, A, A))) == (
        5,
        "tabla",
        "gul_bara",
        "plakoto:tapa",
    )
    assert name(play(match, A, A, A)) == "tabla"
    assert TABLA.cube is False
    assert TABLA.replace(name="backgammon", cube=True) == bg.BACKGAMMON
    assert bg.rules.get("plakoto", "tapa") == TAPA
    assert TAPA.mother == "none"


def test_greek_portes_goes_in_front() -> None:
    greek = bg.rules.get("portes", preset="greek")
    match = tavli.points(3, games=(greek, *TAVLI[1:]))
    assert match.rules == greek
    assert greek.scoring == (1, 2, 2)


# ---- what is refused


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: tavli.points(0), "target"),
        (lambda: tavli.points(True), "target"),
        (lambda: tavli.points(5, draw_points=2), "draw_points"),
        (lambda: tavli.points(5, games=()), "a game"),
        (lambda: best_of_three(games=(PORTES, PLAKOTO)), "three games, not 2"),
        (lambda: best_of_three(tiebreak="dice"), "tiebreak"),
        (lambda: best_of_three(next_first="dice"), "next_first"),
        (lambda: TavliMatch(target=5, play_all=True), "play_all"),
        (lambda: TavliMatch(target=5, tiebreak="points"), "tiebreak"),
        (lambda: best_of_three().after(2), "a player is 0 or 1"),
        (lambda: best_of_three().after(A, 0), "1 point or more"),
        (lambda: best_of_three().after(A, True), "1 point or more"),
        (lambda: best_of_three().after(A, 1, "draw"), "no winner"),
        (lambda: best_of_three().after(A).after(None, 1), "0 points"),
        (lambda: best_of_three().after(A).after(None, 0, "single"), "'draw'"),
        (lambda: best_of_three().after(A).after(A, first=1), "player 0 begins"),
        (lambda: best_of_three().after(A).after(A, first=3), "a player is 0 or 1"),
        (lambda: best_of_three().after(A).after(A).after(A), "player 0 has won it 2-0"),
    ],
)
def test_refused(make: Any, says: str) -> None:
    with pytest.raises(bg.RuleError, match=says):
        make()


@pytest.mark.parametrize("games", [[PORTES, PLAKOTO, FEVGA], ("portes", "plakoto", "fevga")])
def test_games_are_a_tuple_of_rules(games: Any) -> None:
    with pytest.raises(TypeError, match="tuple of Rules"):
        best_of_three(games=games)


def test_a_match_is_a_frozen_value() -> None:
    match = play(best_of_three(), A, B)
    assert match == play(best_of_three(), A, B)
    assert hash(match) == hash(play(best_of_three(), A, B))
    assert match != play(best_of_three(), B, A)
    assert pickle.loads(pickle.dumps(match)) == match
    assert best_of_three().results == ()
    with pytest.raises(FrozenInstanceError):
        match.target = 3  # type: ignore[misc]


# ---- any results


results = st.lists(st.tuples(st.sampled_from([A, B, DRAW]), st.integers(1, 3)), max_size=40)
matches = st.sampled_from(
    [
        best_of_three(),
        best_of_three(play_all=True),
        best_of_three(tiebreak="points"),
        *(tavli.points(target, draw_points=draws) for target in (3, 5, 7) for draws in (0, 1)),
        tabla_match(),
    ]
)


@given(matches, results)
def test_a_match_goes_on_until_somebody_has_won_it(match: TavliMatch, games: list[tuple[int | None, int]]) -> None:
    for winner, points in games:
        if match.rules is None:
            break
        assert match.winner is None
        drawn = winner is None and match.rules.contact == "pin"
        if not drawn and winner is None:
            winner = A
        pays = match.rules.draw_points if drawn else points
        before = match
        match = match.after(winner, pays)  # type: ignore[arg-type]
        assert match.results[:-1] == before.results
        assert match.results[-1].rules == before.rules
        gained = [after - was for after, was in zip(match.points, before.points, strict=True)]
        assert gained == [pays * (winner in (i, DRAW)) for i in (A, B)]
    assert (match.winner is None) == (match.rules is not None)
    if match.winner is not None:
        own, other = match.score[match.winner], match.score[1 - match.winner]
        if match.target is not None:
            assert own >= match.target
            assert own > other
            assert max(before.score) < match.target or before.score[0] == before.score[1]
        elif match.tiebreak == "replay":
            assert own >= 2
            assert own > other
        assert match.results[-1].winner is not None or match.points != (0, 0)
    if match.target is None:
        # Portes, Plakoto, Fevga once each, and then nothing but what was drawn.
        played = [result.rules for result in match.results]
        assert played[:3] == list(TAVLI[: len(played)])
        assert all(rules == PLAKOTO for rules in played[3:])


# ---- matches at random


MATCHES = {
    "best of three": best_of_three(),
    "all three": best_of_three(play_all=True),
    "by points": best_of_three(tiebreak="points"),
    "to five": tavli.points(5),
    "to five, draws pay": tavli.points(5, draw_points=1, next_first="alternate"),
    "tabla": tabla_match(),
}


@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES)
def test_random_matches_come_to_an_end(match: TavliMatch) -> None:
    seen = set()
    for seed in range(8):
        played = play_random(seed, match)
        assert played.match.winner is not None
        state = match
        for game in played.games:
            assert game.rules == state.rules
            assert state.first in (None, game.opening.first)
            assert bool(game.opening.throws) == (state.first is None)
            assert game.points in ((game.rules.draw_points,) if game.winner is None else game.rules.scoring)
            state = state.after(game.winner, game.points, game.kind, first=game.opening.first)
            seen.add(game.winner)
        assert state == played.match
    assert {A, B} <= seen


def test_the_same_for_a_seed() -> None:
    played = play_random(7)
    assert play_random(7) == played
    assert play_random(np.random.SeedSequence(7)) == played
    assert play_random(8) != played
    assert played.match.games == TAVLI


def test_a_match_that_is_over_is_left_alone() -> None:
    match = play(best_of_three(), A, A)
    assert play_random(1, match) == (match, ())


@pytest.mark.parametrize(
    "module", [opening, cascade, last_roll, random_game, tavli, gul_bar], ids=lambda module: module.__name__
)
def test_examples_in_docstrings(module: Any) -> None:
    failed, tried = doctest.testmod(module)
    assert not failed
    assert tried or module is random_game
