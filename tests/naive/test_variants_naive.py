"""The naive enumerators of the regional games against every worked example of variants.md, and a few invariants."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from naive import variants as nv
from naive.variants import primes
from naive.variants.board import BAR, CHECKERS, OFF, OPPONENTS_NUMBER, Board
from naive.variants.core import Node, all_steps, sequences
from naive.variants.moves_fevga import points_to_unblock
from naive.variants.notation import after
from naive.variants.play import FAMILIES

pytestmark = pytest.mark.slow  # and the same on every processor: nothing native is in it

EXAMPLES = json.loads((Path(__file__).parent.parent / "golden" / "variants_examples.json").read_text())
Case = dict[str, Any]


def of_kind(kind: str) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in EXAMPLES if c["kind"] == kind])


def row(points: dict[str, int]) -> bytes:
    return nv.counts({BAR if p == "bar" else int(p): n for p, n in points.items()})


def game_of(case: Case) -> nv.Game:
    return nv.game(case["game"], case.get("preset", ""), **case.get("options", {}))


def board_of(case: Case) -> Board:
    pins = (nv.flags(case.get("own_pinned", ())), nv.flags(case.get("opp_pinned", ())))
    return Board(row(case["own"]), row(case["opp"]), *pins)


def dice_used(game: nv.Game, board: Board, roll: tuple[int, int], context: int) -> int:
    return max((len(play.used) for play in nv.plays(game, board, roll, context)), default=0)


def test_kinds() -> None:
    known = {"roll", "outcome", "table", "perft", "obstructed", "cascade", "owed", "blocked", "men_left", "opening"}
    assert {case["kind"] for case in EXAMPLES} == known
    assert len({case["id"] for case in EXAMPLES}) == len(EXAMPLES)


@of_kind("roll")
def test_roll(case: Case) -> None:
    game, board, roll, context = game_of(case), board_of(case), tuple(case["dice"]), case["context"]
    finals = nv.legal_finals(game, *board, roll, context)
    if "count" in case:
        assert len(finals) == case["count"]
    if "plays" in case:
        assert finals == {after(game, board, text) for text in case["plays"]}
    assert {after(game, board, text) for text in case.get("some", ())} <= finals
    assert not {after(game, board, text) for text in case.get("not", ())} & finals
    if "dice_used" in case:
        assert dice_used(game, board, roll, context) == case["dice_used"]
    for pattern in case.get("with", ()):
        wanted = {BAR if p == "bar" else int(p): n for p, n in pattern["own"].items()}
        assert sum(all(f.own[p] == n for p, n in wanted.items()) for f in finals) == pattern["count"], wanted
    for outcome, times in case.get("outcomes", ()):
        assert sum(nv.outcome(game, f) == tuple(outcome) for f in finals) == times
    # the order of the two dice is no matter
    assert nv.legal_finals(game, *board, roll[::-1], context) == finals


@of_kind("table")
def test_table(case: Case) -> None:
    game, board = game_of(case), board_of(case)
    assert {f"{a}{b}": len(nv.finals(game, board, (a, b))) for a, b in nv.ROLLS} == case["counts"]


@of_kind("outcome")
def test_outcome(case: Case) -> None:
    result = nv.outcome(game_of(case), board_of(case))
    assert result == (tuple(case["outcome"]) if case["outcome"] else None)
    if result is not None and "cube" in case:
        assert result.points * case["cube"] == case["points_with_cube"]


@of_kind("obstructed")
def test_obstructed(case: Case) -> None:
    game, board = game_of(case), board_of(case)
    stopped = {f"{a}{b}" for a, b in nv.ROLLS if dice_used(game, board, (a, b), 0) < len(all_steps(game, (a, b)))}
    assert stopped == set(case["rolls"])


@of_kind("cascade")
def test_cascade(case: Case) -> None:
    ends = nv.turn_ends(game_of(case), board_of(case), tuple(case["dice"]), case["turn"])
    if "ends" in case:
        assert {(e.board.own, e.owed) for e in ends} == {
            (row(e["own"]), tuple(e["owed"]) if e["owed"] else None) for e in case["ends"]
        }
        assert {e.played for e in ends} == {e["played"] for e in case["ends"]}
    else:
        assert {(e.played, e.owed) for e in ends} == {(case["played"], None)}


@of_kind("blocked")
def test_blocked(case: Case) -> None:
    assert nv.blocked_bonus(game_of(case), board_of(case), tuple(case["dice"])) == case["bonus"]


@of_kind("men_left")
def test_men_left(case: Case) -> None:
    assert nv.game_points(board_of(case)) == case["points"]


@of_kind("opening")
def test_opening(case: Case) -> None:
    result = nv.opening(game_of(case), *case["dice"])
    dice = case.get("plays_dice")
    assert result == ((case["first"], tuple(dice) if dice else None) if case["first"] else None)


@of_kind("perft")
def test_perft(case: Case) -> None:
    game = game_of(case)
    for depth, nodes in enumerate(case["nodes"], 1):
        if nodes < 10_000:
            assert nv.perft(game, depth) == nodes


@pytest.mark.long
@of_kind("perft")
def test_perft_all(case: Case) -> None:
    assert [nv.perft(game_of(case), d) for d in (1, 2)] == case["nodes"]


@of_kind("owed")
def test_owed(case: Case) -> None:
    finals = nv.play_owed(game_of(case), board_of(case), nv.Owed(*case["owed"]))
    assert {board.own for board in finals} == {row(own) for own in case["finals"]}


def test_transfer_needs_start() -> None:
    stuck = Board(nv.counts({13: 2, 1: 13}), nv.counts({21: 15}))  # he stands on my 9: no 4 at all
    for needs, owed in ((False, (4, 4)), (True, None)):
        ends = nv.turn_ends(nv.gul_bara(transfer_needs_start=needs), stuck, (4, 4), 4)
        assert {(end.board, end.owed, end.played) for end in ends} == {(stuck, owed, 0)}


# ------------------------------------------------------------------------------------------------ invariants

ALL_GAMES = [
    nv.portes(),
    nv.portes("greek"),
    nv.uzun_tavla("celebi"),
    nv.kirik_tavla("osmanli"),
    nv.kirik_tavla(entry_all_first=False, entry_forbid_own=True),
    nv.gul_bar("julbahar"),
    nv.short_nardi(),
    nv.plakoto(),
    nv.plakoto(mother="immediate", bear_off_while_pinned="allow"),
    nv.fevga(),
    nv.fevga("moultezim", runner="reach", prime_check="step"),
    nv.fevga(prime_rules=("both_start_quarters", "front_of_head")),
    nv.gul_bara(),
    nv.gul_bara("gioul"),
    nv.long_nardi(),
    nv.long_nardi(head_first_turn="always2", prime_rules=("ahead_strict",), prime_check="step"),
    nv.long_nardi(prime_rules=("never_six",)),
    nv.jacquet(),
    nv.jacquet("moulidars"),
    nv.jacquet("versailles"),
]
each_game = pytest.mark.parametrize("game", ALL_GAMES, ids=[f"{i}-{g.name}" for i, g in enumerate(ALL_GAMES)])


def pips(counts: bytes) -> int:
    return sum(p * n for p, n in enumerate(counts))


def check_position(game: nv.Game, board: Board) -> None:
    """What holds in every position of a game."""
    assert sum(board.own) == sum(board.opp) == CHECKERS
    number = OPPONENTS_NUMBER[game.geometry]
    for p in range(1, 25):
        mine, his = board.own[p], board.opp[number[p]]
        if game.contact != "pin":
            assert not (mine and his)
        elif mine and his:
            assert board.own_pinned[p] + board.opp_pinned[number[p]] == 1
            assert (mine if board.own_pinned[p] else his) == 1
        else:
            assert not board.own_pinned[p]
            assert not board.opp_pinned[number[p]]
    if game.contact != "hit":
        assert not board.own[BAR]
        assert not board.opp[BAR]


@each_game
def test_invariants(game: nv.Game) -> None:
    for position in nv.random_positions(game, 7, 200) + nv.set_up_positions(game, 7, 50):
        board, owed = position.board, position.owed
        check_position(game, board)
        rng = random.Random(repr(board))
        roll = (owed.value, owed.value) if owed else (rng.randint(1, 6), rng.randint(1, 6))
        first_turn = board.own[24] == CHECKERS
        for final in nv.finals(game, board, roll, position.context(game)):
            check_position(game, final)
            assert pips(final.own) < pips(board.own)
            assert final.own[OFF] >= board.own[OFF]
            assert pips(final.opp) >= pips(board.opp)
            if game.contact != "hit":
                assert final.opp == board.opp
            assert primes.allowed(game, final)
            if game.head_limit and not first_turn:
                assert board.own[24] - final.own[24] <= 1
            elif game.head_limit:
                assert board.own[24] - final.own[24] <= 2


@each_game
def test_a_random_game_ends(game: nv.Game) -> None:
    log = nv.random_game(game, random.Random(5))
    assert log.positions[0].board == nv.start(game)
    assert log.result.points >= (log.result.kind != "draw")


def every_sequence(game: nv.Game, node: Node, dice: tuple[int, ...]) -> Iterator[tuple[Board, tuple[int, ...]]]:
    """Each order of the dice, each step, nothing remembered: what the memo in core.py must not change."""
    family = FAMILIES[game.family]
    for i, die in enumerate(dice):
        for following in family.steps(game, node, die):
            if game.prime_check == "step" and not primes.allowed(game, following.board):
                continue
            yield following.board, (die,)
            for board, used in every_sequence(game, following, dice[:i] + dice[i + 1 :]):
                yield board, tuple(sorted((die, *used)))


@each_game
def test_the_memo_changes_nothing(game: nv.Game) -> None:
    family = FAMILIES[game.family]
    for position in nv.random_positions(game, 11, 60)[::6] + nv.set_up_positions(game, 11, 5):
        for roll in [(2, 1), (5, 3), (6, 4), (1, 1), (3, 3)]:
            dice = all_steps(game, roll)[:3]
            node = Node(position.board, family.begin(game, position.board, dice, int(position.courier[0])))
            assert sequences(family, game, node, dice) == set(every_sequence(game, node, dice))


def test_random_positions_are_reproducible() -> None:
    assert nv.random_positions(nv.long_nardi(), 3, 50) == nv.random_positions(nv.long_nardi(), 3, 50)
    assert nv.random_positions(nv.long_nardi(), 3, 50) != nv.random_positions(nv.long_nardi(), 4, 50)


def test_duty_arises_only_in_front_of_one_point() -> None:
    game, six = nv.fevga(), nv.counts({6: 3, 5: 3, 4: 3, 3: 3, 2: 2, 1: 1})
    assert points_to_unblock(game, Board(six, nv.counts({19: 15}))) == [1, 2, 3, 4, 5, 6]
    assert points_to_unblock(game, Board(six, nv.counts({19: 9}))) == [1, 2, 3, 4, 5, 6]  # six borne off
    assert points_to_unblock(game, Board(six, nv.counts({19: 14, 20: 1}))) == []
    assert points_to_unblock(game, Board(six, nv.counts({20: 15}))) == []
