"""Whether converters read what a real program holds as it means it: one judge a program, for the cases of ask.py.

A position is right if its legal plays are those of the program: then points, bar, sides and dice are all as they are
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bgcore as bg
from bgcore.elsewhere import bgsage, gnubg, openspiel, pgx

Case = dict[str, Any]


def rows(packed: NDArray[np.uint64]) -> set[tuple[int, ...]]:
    """Positions as values."""
    return {tuple(row) for row in packed.reshape(-1, 4).tolist()}


def results(packed: NDArray[np.uint64], dice: Iterable[int], *, unchanged: bool = False) -> set[tuple[int, ...]]:
    """What the legal plays of a roll lead to, seen by the player who rolls next."""
    batch = bg.batch.legal_plays(packed.reshape(1, 4), np.array(list(dice)), pass_results=unchanged)
    return rows(batch.results)


def judge_gnubg(cases: list[Case]) -> int:
    """The Position ID of every board is what gnubg says it is, and its moves are plays of that position."""
    told = 0
    packed = gnubg.from_boards([case["board"] for case in cases])
    assert bg.batch.gnubg_ids(packed).tolist() == [case["id"] for case in cases]
    assert gnubg.to_boards(packed).tolist() == [case["board"] for case in cases]
    for case, words in zip(cases, packed, strict=True):
        if case["plays"] is None:
            continue
        position = bg.Position.from_packed(words)
        texts = [" ".join(f"{a}/{b}" for a, b in zip(p[::2], p[1::2], strict=True)) for p in case["plays"]]
        found = {bg.BACKGAMMON.check(position, tuple(case["dice"]), text) for text in texts}
        assert found == set(bg.BACKGAMMON.legal_plays(position, tuple(case["dice"])))
        told += len(found)
    return told


def judge_gnubg_nn(cases: list[Case]) -> int:
    """The Position ID of every board is what gnubg-nn says it is, and so are the boards after its plays."""
    told = 0
    packed = gnubg.from_boards([case["board"] for case in cases])
    assert bg.batch.gnubg_ids(packed).tolist() == [case["id"] for case in cases]
    assert gnubg.to_boards(packed).tolist() == [case["board"] for case in cases]
    for case, words in zip(cases, packed, strict=True):
        after = gnubg.from_boards(np.array(case["after"], int).reshape(-1, 2, 25))
        assert rows(bg.batch.flip(after)) == results(words, case["dice"])
        told += len(after)
    return told


def judge_bgsage(cases: list[Case]) -> int:
    """Boards after its plays; what finished games pay."""
    told = 0
    for case in cases:
        words = bgsage.from_boards(case["board"])
        assert bgsage.to_boards(words).tolist() == case["board"]
        if "points" in case:
            outcome = bg.BACKGAMMON.outcome(bg.Position.from_packed(words))
            assert outcome is not None
            assert outcome.points * (1 if outcome.winner == "own" else -1) == case["points"]
        else:
            after = bgsage.from_boards(case["after"])
            assert rows(bg.batch.flip(after)) == results(words, case["dice"], unchanged=True)
            told += len(after)
    return told


def judge_open_spiel(cases: list[Case]) -> int:
    """Both players' observations are one position, as the program says it place by place, and so are those after."""
    told = 0
    for case in cases:
        checkers = case["checkers"]
        both = openspiel.from_observations(case["observations"], [0, 1], checkers)
        again = openspiel.to_observations(both.packed, [0, 1], both.dice, both.to_act)
        assert again.tolist() == case["observations"]
        assert both.to_act.tolist() == [case["to_act"]] * 2
        assert (both.dice[0] == both.dice[1]).all()
        own = max(case["to_act"], 0)  # where nobody is to act, player 0's observation is his
        counts = np.zeros((2, 26), int)
        for player, places in enumerate(case["places"]):
            side = player ^ own
            counts[side, 1:25] = places if player else places[::-1]
            counts[side, 25] = case["bar"][player]
            counts[side, 0] = checkers - counts[side].sum()
        assert (both.packed[0] == bg.Position.from_counts(counts).packed).all()
        other = both.packed[1:] if case["to_act"] >= 0 else bg.batch.flip(both.packed[1:])
        assert (both.packed[:1] == other).all()
        if "after" in case:
            rules = bg.BACKGAMMON if checkers == 15 else bg.HYPERGAMMON
            after = openspiel.from_observations(case["after"], 1 - case["to_act"], checkers)
            assert (after.to_act == -1).all()
            plays = bg.batch.legal_plays(both.packed[:1], both.dice[0], rules, pass_results=True)
            assert rows(after.packed) == rows(plays.results)
            told += len(plays.results)
    return told


def judge_pgx(cases: list[Case]) -> int:
    """What two actions lead to; what finished games pay, but for backgammons that pgx takes for gammons."""
    told = 0
    for case in cases:
        seen = pgx.from_observations(case["observation"])
        assert pgx.to_observations(*seen).tolist() == case["observation"]
        if "points" in case:
            outcome = bg.BACKGAMMON.outcome(bg.Position.from_packed(seen.packed))
            assert outcome is not None
            assert outcome.winner == "own"
            assert outcome.points == case["points"] or (outcome.points, case["points"]) == (3, 2)
            continue
        other = pgx.from_observations(case["other"])
        assert (other.packed == seen.packed).all()
        assert int(other.left) == 0
        assert pgx.to_observations(seen.packed).tolist() == case["other"]
        if "after" in case:
            assert sorted(seen.dice.tolist()) == sorted(case["dice"])
            assert bool(seen.whole)
            over, after = np.array(case["after"])[:, 0] == 1, np.array(case["after"])[:, 1:]
            packed = pgx.from_observations(np.pad(after, ((0, 0), (0, 6)))).packed
            packed[over] = bg.batch.flip(packed[over])  # a finished game is seen by the winner
            legal = results(seen.packed, seen.dice, unchanged=True)
            assert legal <= rows(packed)  # pgx allows more where it should look ahead
            told += len(legal)
    return told


JUDGES: dict[str, Callable[[list[Case]], int]] = {
    "gnubg": judge_gnubg,
    "gnubg-nn": judge_gnubg_nn,
    "bgsage": judge_bgsage,
    "open-spiel": judge_open_spiel,
    "pgx": judge_pgx,
}
"""Each returns how many plays it has compared."""
