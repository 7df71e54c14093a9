"""Clocks: the arithmetic of variants.md §13 (TC-1 to TC-4), who presses, pauses, flags."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.match.clock import UK, UNIFIED_2001, US, US_DOUBLES, Clock, ClockKind, ClockRules

SECOND = 1000
MINUTE = 60 * SECOND


def one_move(kind: ClockKind, delay: int, reserve: int, took: int) -> int | None:
    """Seconds left to player 0 after a move of so many seconds; None: his flag has fallen."""
    rules = ClockRules(kind, delay_ms=delay * SECOND)
    clock = Clock(rules, (reserve * SECOND, 999 * SECOND)).start(0, at=5000).press(0, at=5000 + took * SECOND)
    if clock.fallen is not None:
        assert (clock.fallen, clock.running, clock.left) == (0, None, (0, 999 * SECOND))
        return None
    assert (clock.running, clock.left[1]) == (1, 999 * SECOND)
    assert clock.left[0] % SECOND == 0
    return clock.left[0] // SECOND


@pytest.mark.parametrize(
    ("kind", "delay", "reserve", "took", "left"),
    [
        ("delay", 12, 60, 10, 60), ("delay", 12, 60, 20, 52), ("delay", 12, 60, 73, None),   # TC-1
        ("delay", 12, 60, 72, 0),
        ("bronstein", 12, 5, 8, None), ("delay", 12, 5, 8, 5),  # TC-2
        ("bronstein", 12, 8, 8, 8), ("bronstein", 12, 60, 20, 52),
        ("bronstein", 12, 60, 60, 12), ("bronstein", 12, 60, 61, None),
        ("fischer", 12, 60, 8, 64),  # TC-3
        ("fischer", 12, 60, 60, 12), ("fischer", 12, 60, 61, None),
        ("plain", 0, 60, 8, 52), ("plain", 0, 60, 60, 0), ("plain", 0, 60, 61, None),
    ],
)  # fmt: skip
def test_one_move(kind: ClockKind, delay: int, reserve: int, took: int, left: int | None) -> None:
    assert one_move(kind, delay, reserve, took) == left


@pytest.mark.parametrize(
    ("rules", "length", "score", "minutes"),
    [
        (US, 11, (0, 0), 22), (US, 11, (3, 4), 15), (UK, 11, (0, 0), 22),  # TC-4
        (US, 7, (0, 0), 14), (US, 1, (0, 0), 2), (US, 0, (9, 9), 0),
        (UNIFIED_2001, 9, (0, 0), 54), (UNIFIED_2001, 9, (5, 3), 30), (UNIFIED_2001, 7, (3, 1), 30),
        (US_DOUBLES, 4, (0, 0), 10), (ClockRules(extra_ms=2 * MINUTE), 5, (1, 0), 11),
        (ClockRules(extra_ms=30 * MINUTE), 0, (50, 2), 30), (ClockRules(less_per_point_ms=9 * MINUTE), 5, (4, 4), 0),
    ],
)  # fmt: skip
def test_reserves(rules: ClockRules, length: int, score: tuple[int, int], minutes: int) -> None:
    assert rules.reserve(length, score) == minutes * MINUTE
    assert rules.start(length, score) == Clock(rules, (minutes * MINUTE, minutes * MINUTE))


def test_the_presets() -> None:
    assert (US.kind, US.delay_ms, US_DOUBLES.delay_ms, UNIFIED_2001.kind) == ("delay", 12_000, 18_000, "plain")


def test_who_presses() -> None:
    """The loser of the opening roll starts the winner's clock; then each ends his own segment."""
    clock = US.start(7)
    with pytest.raises(bg.RuleError, match="nobody's time"):
        clock.press(1, at=0)
    clock = clock.start(1, at=0)
    with pytest.raises(bg.RuleError, match="it is player 1's time"):
        clock.press(0, at=10)
    with pytest.raises(bg.RuleError, match="runs already"):
        clock.start(0, at=10)
    clock = clock.press(1, at=20_000)
    assert (clock.running, clock.left) == (0, (14 * MINUTE, 14 * MINUTE - 8000))
    clock = clock.press(0, at=21_000).press(1, at=40_000)
    assert clock.left == (14 * MINUTE, 14 * MINUTE - 15_000)


@pytest.mark.parametrize("kind", ["plain", "delay", "bronstein", "fischer"])
def test_a_pause_divides_no_segment(kind: ClockKind) -> None:
    """With a pause in it, a segment of 20 s costs what it costs without: the delay comes once."""
    rules = ClockRules(kind, delay_ms=0 if kind == "plain" else 12_000)
    clock = Clock(rules, (60_000, 60_000)).start(0, at=0)
    paused = clock.stop(at=9000)
    assert paused.running is None
    assert paused.flag(at=10**9) is None
    with pytest.raises(bg.RuleError, match="stands already"):
        paused.stop(at=9000)
    with pytest.raises(bg.RuleError, match="player 0's time"):
        paused.start(1, at=10_000)
    again = paused.start(0, at=1_000_000)
    assert again.press(0, at=1_011_000).left == clock.press(0, at=20_000).left
    limit = 60_000 + (12_000 if kind == "delay" else 0)
    assert again.flag(at=1_000_000 + limit - 9000) is None
    assert again.flag(at=1_000_001 + limit - 9000) == 0


def test_the_end_of_a_game_settles_the_segment() -> None:
    clock = Clock(US, (60_000, 60_000)).start(0, at=0)
    ended = clock.end(at=30_000)
    assert (ended.left, ended.running, ended.owner) == ((42_000, 60_000), None, None)
    assert ended.start(1, at=99_000).press(1, at=112_000).left == (42_000, 59_000)
    assert clock.stop(at=30_000).end(at=50_000).left == (42_000, 60_000)
    assert ended.end(at=60_000).left == ended.left
    assert clock.end(at=72_001).fallen == 0


def test_what_the_clock_shows() -> None:
    clock = Clock(US, (60_000, 50_000)).start(1, at=100)
    assert clock.shown(100) == clock.shown(12_100) == (60_000, 50_000)
    assert clock.shown(13_100) == (60_000, 49_000)
    assert clock.shown(10**7) == (60_000, 0)
    assert clock.stop(at=13_100).shown(10**7) == (60_000, 49_000)
    plain = Clock(ClockRules("bronstein"), (60_000, 50_000)).start(1, at=0)
    assert plain.shown(1000) == (60_000, 49_000)  # what is given back comes at the press
    assert Clock(US, (1, 2)).shown(7) == (1, 2)


def test_a_fallen_flag_ends_everything() -> None:
    clock = Clock(US, (60_000, 50_000)).start(1, at=0)
    assert clock.flag(at=62_000) is None
    assert clock.flag(at=62_001) == 1
    for fallen in (clock.press(1, at=62_001), clock.stop(at=99_999), clock.end(at=62_001)):
        assert (fallen.fallen, fallen.running, fallen.left) == (1, None, (60_000, 0))
        assert fallen.flag(at=0) == 1
        assert fallen.shown(at=0) == (60_000, 0)
        for call in (
            lambda c=fallen: c.press(1, at=10**6),
            lambda c=fallen: c.start(0, at=10**6),
            lambda c=fallen: c.stop(at=10**6),
            lambda c=fallen: c.end(at=10**6),
        ):
            with pytest.raises(bg.RuleError, match="flag has fallen"):
                call()


def test_time_does_not_run_backwards() -> None:
    clock = Clock(US, (60_000, 50_000)).start(1, at=1000)
    for call in (clock.stop, clock.end, clock.flag, clock.shown, lambda at: clock.press(1, at)):
        with pytest.raises(bg.RuleError, match="backwards"):
            call(999)
        with pytest.raises(bg.RuleError, match="integer of milliseconds"):
            call(1000.5)  # type: ignore[arg-type]
    with pytest.raises(bg.RuleError, match="backwards"):
        clock.stop(at=2000).start(1, at=1999)


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "hourglass"}, {"kind": None}, {"delay_ms": -1}, {"delay_ms": 1.5}, {"delay_ms": True},
        {"per_point_ms": None}, {"less_per_point_ms": -5}, {"extra_ms": "2"}, {"kind": "plain"},
    ],
)  # fmt: skip
def test_rules_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(bg.RuleError):
        ClockRules(**options)


def test_rules_as_json() -> None:
    for rules in (US, UNIFIED_2001, ClockRules("fischer", 1, 2, 3, 4)):
        assert ClockRules(**rules.to_json()) == rules


def naive(kind: str, k: int, r: int, t: int) -> int | None:
    """The table of the module, second by second for the kinds that hold time back."""
    if kind == "delay":
        for second in range(t):
            if second >= k:
                if r == 0:
                    return None
                r -= 1
        return r
    if t > r:
        return None
    return {"plain": r - t, "bronstein": r - t + min(t, k), "fischer": r - t + k}[kind]


@given(
    kind=st.sampled_from(["plain", "delay", "bronstein", "fischer"]),
    k=st.integers(0, 20),
    reserves=st.tuples(st.integers(0, 80), st.integers(0, 80)),
    segments=st.lists(st.tuples(st.integers(0, 40), st.lists(st.integers(0, 5), max_size=2)), max_size=15),
)
def test_against_the_naive_clock(
    kind: ClockKind, k: int, reserves: tuple[int, int], segments: list[tuple[int, list[int]]]
) -> None:
    k = 0 if kind == "plain" else k
    clock, left = Clock(ClockRules(kind, k), reserves).start(1, at=0), list(reserves)
    player, now = 1, 0
    for t, pauses in segments:
        expected = naive(kind, k, left[player], t)
        part = t // (len(pauses) + 1)
        for pause in pauses:
            now += part
            clock = clock.stop(now)
            if clock.fallen is not None:
                break
            now += pause
            clock = clock.start(1 if player else 0, now)
        if clock.fallen is None:
            now += t - part * len(pauses)
            clock = clock.press(1 if player else 0, now)
        if expected is None:
            assert clock.fallen == player
            return
        left[player] = expected
        player = 1 - player
        assert (clock.left, clock.running, clock.fallen) == (tuple(left), player, None)
