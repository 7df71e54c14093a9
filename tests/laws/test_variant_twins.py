"""The generator against the naive enumerators of the regional games: every game, preset and option.

The enumerators (tests/naive/variants) were written from the rule texts by someone who had not seen the generator, and
share nothing with it.  Positions come from their own random games and from set-ups that random games seldom reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ledger import Ledger

import bgcore as bg
from bgcore.core import explore
from naive import variants as nv

SAME_NAME = (
    "geometry",
    "block_at",
    "contact",
    "doubles",
    "runner",
    "head_limit",
    "head_first_turn",
    "prime_check",
    "larger_die",
    "hit_and_run_home",
    "entry_cap_per_point",
    "entry_forbid_own",
    "entry_all_first",
    "entry_bar_loss",
    "bear_off",
    "bear_off_while_pinned",
)

GAMES: dict[str, nv.Game] = {
    "portes": nv.game("portes"),
    "portes greek": nv.game("portes", "greek"),
    "portes either die": nv.game("portes", larger_die=False),
    "portes n times": nv.game("portes", doubles="n_times", hit_and_run_home="forbid"),
    "kirik": nv.game("kirik_tavla"),
    "kirik osmanli": nv.game("kirik_tavla", "osmanli"),
    "kirik tawula": nv.game("kirik_tavla", "tawula"),
    "kirik any order": nv.game("kirik_tavla", entry_all_first=False),
    "kirik any order, not on own": nv.game("kirik_tavla", "tawula", entry_all_first=False),
    "kirik cafe": nv.game("kirik_tavla", hit_and_run_home="forbid"),
    "julbahar": nv.game("gul_bar", "julbahar"),
    "plakoto": nv.game("plakoto"),
    "plakoto tapa": nv.game("plakoto", "tapa"),
    "plakoto off while pinned": nv.game("plakoto", bear_off_while_pinned="allow", mother="immediate"),
    "fevga": nv.game("fevga"),
    "fevga reach": nv.game("fevga", runner="reach"),
    "fevga step": nv.game("fevga", prime_check="step", larger_die=False),
    "fevga moultezim": nv.game("fevga", "moultezim"),
    "fevga more primes": nv.game("fevga", prime_rules=("both_start_quarters", "front_of_head", "unblock_duty")),
    "long nardi": nv.game("long_nardi"),
    "long nardi 346": nv.game("long_nardi", head_first_turn="doubles_346"),
    "long nardi always2": nv.game("long_nardi", head_first_turn="always2"),
    "long nardi shesh besh": nv.game("long_nardi", "shesh_besh"),
    "long nardi strict": nv.game("long_nardi", prime_rules=("ahead_strict",), larger_die=False),
    "long nardi step": nv.game("long_nardi", prime_check="step"),
    "long nardi never six": nv.game("long_nardi", prime_rules=("never_six",)),
    "long nardi x2": nv.game("long_nardi", doubles="x2"),
    "jacquet": nv.game("jacquet"),
    "jacquet step": nv.game("jacquet", prime_check="step"),
    "jacquet n times": nv.game("jacquet", doubles="n_times"),
    "jacquet moulidars": nv.game("jacquet", "moulidars"),
    "jacquet versailles": nv.game("jacquet", "versailles"),
    "gul bara": nv.game("gul_bara"),
    "gul bara gioul": nv.game("gul_bara", "gioul"),
}


def rules_of(game: nv.Game) -> bg.Rules:
    """Our rule set with the options of theirs."""
    options: dict[str, Any] = {name: getattr(game, name) for name in SAME_NAME}
    options["mother"] = "wait" if game.mother == "default" else game.mother
    options["prime_rules"] = set(game.prime_rules) - {"free"}
    options["scoring"] = tuple(game.scoring)
    options["start_quarter_cap"] = game.start_points_cap
    options["start_quarter_made"] = game.start_cases_cap
    return bg.Rules(game.name, start=dict(game.start), **options)


def ours(board: nv.Board) -> bg.Position:
    counts = np.array([list(board.own), list(board.opp)])
    return bg.Position.from_counts(counts, np.array([list(board.own_pinned), list(board.opp_pinned)], bool))


def theirs(position: bg.Position) -> nv.Board:
    counts, pinned = position.counts.tolist(), position.pinned.tolist()
    return nv.Board(bytes(counts[0]), bytes(counts[1]), bytes(pinned[0]), bytes(pinned[1]))


def compare(game: nv.Game, at: nv.Position, rolls: list[tuple[int, int]]) -> None:
    """Both enumerators, and our slow one, on some rolls of a position; also outcome and the played-out moves."""
    rules = rules_of(game)
    position = ours(at.board)
    context = at.context(game)
    if nv.outcome(game, at.board) is not None:
        return
    assert rules.outcome(position) is None
    for roll in rolls:
        expected = nv.legal_finals(game, *at.board, roll, context)
        plays = rules.legal_plays(position, roll, context=context)
        results = [theirs(play.result.flipped()) for play in plays]
        assert len(set(results)) == len(results), (game.name, position, roll)
        assert set(results) == expected, (game.name, at, roll)
        assert rules.count_plays(position, roll, context=context) == len(plays)
        slow = explore.slow_plays(tuple(position.packed.tolist()), *roll, rules.core(), context)
        assert {words for words, _ in slow} == {tuple(play.result.packed.tolist()) for play in plays}
        for play, final in zip(plays, results, strict=True):
            end = nv.outcome(game, final)
            mine = rules.outcome(play.result)
            assert (end is None) == (mine is None), (game.name, at, roll, play)
            if end is not None and mine is not None:
                assert mine.winner == {"own": "opp", "opp": "own", "none": None}[end.winner]
                assert mine.points == end.points
            moved = sorted((move.source for move in play.moves), reverse=True)
            if game.runner == "none" and game.prime_check == "final" and game.entry_all_first:
                assert [move.source for move in play.moves] == moved
    if rolls and plays:
        for play in plays[:: max(1, len(plays) // 3)]:
            assert rules.next_moves(position, rolls[-1], play.moves, context=context) == ()
        text = str(plays[-1])
        assert rules.check(position, rolls[-1], text, context=context) == plays[-1]
        assert rules.next_moves(position, rolls[-1], plays[-1].moves, context=context) == ()
        assert rules.next_moves(position, rolls[-1], plays[-1].moves[:-1], context=context)


def rolls_of(at: nv.Position, some: slice) -> list[tuple[int, int]]:
    if at.owed is not None:
        return [(at.owed.value, at.owed.value)]
    return list(bg.dice.ROLLS)[some]


@pytest.mark.parametrize("name", GAMES)
def test_positions_of_random_games(name: str) -> None:
    for i, at in enumerate(nv.random_positions(GAMES[name], 7, 60)):
        compare(GAMES[name], at, rolls_of(at, slice(i % 3, None, 3)))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_set_up_positions(name: str) -> None:
    for i, at in enumerate(nv.set_up_positions(GAMES[name], 11, 60)):
        compare(GAMES[name], at, rolls_of(at, slice(i % 3, None, 3)))


@pytest.mark.long
@pytest.mark.parametrize("shard", range(10))
@pytest.mark.parametrize("name", GAMES)
def test_many_positions(name: str, shard: int, ledger: Ledger) -> None:
    """10,000 positions a game, half of them set up, on every roll."""
    if f"{name} {shard}" in ledger:
        pytest.skip("has passed with this code in an earlier run (BGCORE_LEDGER)")
    for at in nv.random_positions(GAMES[name], 1000 + shard, 500):
        compare(GAMES[name], at, rolls_of(at, slice(None)))
    for at in nv.set_up_positions(GAMES[name], 2000 + shard, 500):
        compare(GAMES[name], at, rolls_of(at, slice(None)))
    ledger.add(f"{name} {shard}")


@pytest.mark.parametrize("name", GAMES)
def test_perft(name: str) -> None:
    game = GAMES[name]
    rules = rules_of(game)
    assert bg.perft(rules.start, 1, rules) == nv.perft(game, 1)
    if nv.perft(game, 1) < 100:
        assert bg.perft(rules.start, 2, rules) == nv.perft(game, 2)
