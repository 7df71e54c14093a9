"""The golden corpus (42,000 positions with a roll) and the 32 movement cases; see golden/README.md."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from naive import backgammon as naive

GOLDEN = Path(__file__).parents[1] / "golden"
TOTAL = 710_746
CASES: list[dict[str, Any]] = json.loads((GOLDEN / "movement_cases.json").read_text(encoding="utf-8"))


@cache
def corpus() -> dict[str, Any]:
    return json.loads((GOLDEN / "corpus_2000.json").read_text(encoding="utf-8"))


def boards() -> np.ndarray:
    return np.array([entry["board"] for entry in corpus()["positions"]], dtype=np.int8)


def of_each(field: str) -> np.ndarray:
    return np.array([entry[field] for entry in corpus()["positions"]])


def test_order_of_rolls() -> None:
    assert [(low, high) for high, low in corpus()["rolls"]] == [(min(roll), max(roll)) for roll in bg.dice.ROLLS]


def test_counts() -> None:
    counts = bg.batch.count_plays(bg.batch.from_boards(boards()))
    assert counts.shape == (2000, 21)
    assert np.argwhere(counts != of_each("counts")).tolist() == []
    assert counts.sum() == TOTAL == corpus()["total_results"]


def test_plays_are_distinct_and_use_the_dice_they_must() -> None:
    plays = bg.batch.legal_plays(bg.batch.from_boards(boards()), moves=True)
    counts = np.diff(plays.offsets)
    assert np.argwhere(counts != of_each("counts").ravel()).tolist() == []
    assert len(plays.results) == len(plays.moves) == TOTAL
    segments = np.repeat(np.arange(42_000, dtype=np.uint64), counts)
    assert len(np.unique(np.column_stack([segments, plays.results]), axis=0)) == TOTAL
    used = (plays.moves[:, :, 0] >= 0).sum(axis=1)
    wrong = segments[used != of_each("used").ravel()[segments.astype(int)]]
    assert wrong.tolist() == []


@pytest.mark.parametrize("dice", [(roll[0], roll[1]) for roll in naive.ROLLS], ids=str)
def test_one_roll_at_a_time(dice: tuple[int, int]) -> None:
    """With dice given, in either order, for all positions at once or a pair for each: the same plays."""
    packed = bg.batch.from_boards(boards())
    every = bg.batch.legal_plays(packed)
    k = naive.ROLLS.index(dice)
    expected = np.concatenate([every.results[every.offsets[i] : every.offsets[i + 1]] for i in range(k, 42_000, 21)])
    for given in (dice, np.tile(np.array(dice[::-1]), (2000, 1))):
        plays = bg.batch.legal_plays(packed, given)
        assert np.diff(plays.offsets).tolist() == of_each("counts")[:, k].tolist()
        assert np.array_equal(plays.results, expected)
        assert bg.batch.count_plays(packed, given).tolist() == of_each("counts")[:, k].tolist()


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 8))])
def test_results_are_those_of_the_rules(part: int) -> None:
    """Set for set, not only the numbers."""
    some = boards()[part::8]
    plays = bg.batch.legal_plays(bg.batch.from_boards(some))
    results = -bg.batch.to_boards(plays.results)[:, ::-1]
    for i, board in enumerate(some.tolist()):
        for k, roll in enumerate(naive.ROLLS):
            segment = results[plays.offsets[21 * i + k] : plays.offsets[21 * i + k + 1]]
            assert set(map(tuple, segment.tolist())) == naive.results_by_level(tuple(board), roll), (board, roll)


def legal(board: list[int], dice: list[int]) -> tuple[bg.Play, ...]:
    return bg.BACKGAMMON.legal_plays(bg.Position.from_board(np.array(board, dtype=np.int8)), tuple(dice))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['kind']}")
def test_movement_case(case: dict[str, Any]) -> None:
    board, dice, expected = case["input"]["board"], case["input"]["dice"], case["expected"]
    position = bg.Position.from_board(np.array(board, dtype=np.int8))
    assert list(position.off) == case["input"]["off"]
    plays = legal(board, dice)
    if not expected["dice_used"]:
        assert plays == ()
        return
    results = sorted(list(naive.flip(tuple(play.result.board.tolist()))) for play in plays)
    assert {len(play.moves) for play in plays} == {expected["dice_used"]}
    assert len(plays) == expected["count"] == bg.BACKGAMMON.count_plays(position, tuple(dice))
    assert results == expected.get("results", results)
    assert all(board in results for board in expected.get("includes", []))
    if "sha256_of_sorted_results_compact_json" in expected:
        text = json.dumps(results, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == expected["sha256_of_sorted_results_compact_json"]
    for text in expected.get("accept_notation", []):
        assert bg.BACKGAMMON.check(position, tuple(dice), text) in plays
    if "winner" in expected:  # seen by the loser, who would roll next
        assert all(bg.BACKGAMMON.outcome(play.result).winner == "opp" for play in plays)


def test_two_passes_in_a_row() -> None:
    """O032: neither side can enter, and two passes leave the board as it was."""
    case = next(case for case in CASES if case["id"] == "O032")
    board = case["input"]["board"]
    other = list(naive.flip(tuple(board)))
    assert legal(board, [6, 5]) == legal(other, [5, 4]) == ()
    packed = bg.batch.from_boards(np.array([board], dtype=np.int8))
    once = bg.batch.legal_plays(packed, (6, 5), pass_results=True)
    assert bg.batch.to_boards(once.results).tolist() == [other]
    twice = bg.batch.legal_plays(once.results, (5, 4), pass_results=True)
    assert np.array_equal(twice.results, packed)
