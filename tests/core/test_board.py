"""The packed board: where every bit stands, why words are refused, the Position ID; against `naive.words`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

import bgcore as bg
from bgcore.core import board as core
from naive import words as naive

Side = Mapping[int, int]
REASON = bg.InvalidReason
HOME = dict.fromkeys(range(1, 7), 2)  # six closed points


def side(slots: Side, total: int | None = None) -> list[int]:
    """Return 26 counts; with a total, what is missing is borne off."""
    counts = [slots.get(slot, 0) for slot in range(26)]
    if total is not None:
        counts[0] += total - sum(counts)
    return counts


def rows(*words: Iterable[int]) -> np.ndarray:
    return np.array([list(row) for row in words], np.uint64).reshape(-1, 4)


def packed(counts: naive.Counts) -> np.ndarray:
    out = np.zeros((1, 4), np.uint64)
    core.pack_rows(np.array([counts], np.uint8), None, out)
    return out


def ids(*texts: str) -> np.ndarray:
    return np.array([list(text.encode("ascii")) for text in texts], np.uint8).reshape(-1, 14)


# ---- layout -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", [0, 1], ids=["own", "opp"])
@pytest.mark.parametrize("slot", range(26))
def test_a_slot_is_one_nibble(which: int, slot: int) -> None:
    """Slots 0-15 in lo, 16-25 in hi; own words first."""
    for count in (1, 2, 7, 8, 15):
        counts = [side({}), side({})]
        counts[which][slot] = count
        word, shift = 2 * which + (slot > 15), 4 * (slot % 16)
        expected = [0, 0, 0, 0]
        expected[word] = count << shift
        assert packed(counts)[0].tolist() == expected == list(naive.pack(counts))
        back = np.empty((1, 2, 26), np.uint8)
        pins = np.empty((1, 2, 26), np.uint8)
        core.unpack_rows(packed(counts), back, pins)
        assert back[0].tolist() == counts
        assert not pins.any()


@pytest.mark.parametrize("which", [0, 1], ids=["own", "opp"])
@pytest.mark.parametrize("point", range(1, 25))
def test_a_pin_is_bit_39_and_the_point(which: int, point: int) -> None:
    counts = [side({point: 1}), side({point: 1})]
    pinned = np.zeros((1, 2, 26), np.uint8)
    pinned[0, which, point] = 1
    out = np.zeros((1, 4), np.uint64)
    core.pack_rows(np.array([counts], np.uint8), pinned, out)
    assert out[0, 2 * which + 1].item() >> 40 == 1 << point - 1
    assert out[0, 3 - 2 * which].item() >> 40 == 0
    back = np.empty((1, 2, 26), np.uint8)
    pins = np.empty((1, 2, 26), np.uint8)
    core.unpack_rows(out, back, pins)
    assert np.array_equal(pins, pinned)
    assert back[0].tolist() == counts


def test_the_words_of_the_start() -> None:
    """Written out by hand once, so that the layout cannot change unseen."""
    low, high = 0x0050_0003_0500_0000, 0x0000_0002_0000_0000
    assert bg.Position.initial().packed.tolist() == [low, high, low, high]


@pytest.mark.parametrize("slot", range(26))
def test_pips_of_a_slot(slot: int) -> None:
    for count in (1, 15):
        out = np.empty((2, 2), np.intc)
        both = np.concatenate([packed([side({slot: count}), side({})]), packed([side({}), side({slot: count})])])
        core.pips_rows(both, out)
        assert out.tolist() == [[slot * count, 0], [0, slot * count]]


def test_pins_add_no_pips() -> None:
    out = np.empty((1, 2), np.intc)
    core.pips_rows(rows((0, 0xFFFFFF << 40, 0, 0xFFFFFF << 40)), out)
    assert out.tolist() == [[0, 0]]


def test_adding_a_difference_moves_a_checker() -> None:
    """What makes the generator fast: no carry passes from slot to slot while a count stays within 15."""
    before, after = side({0: 1, 16: 14}), side({15: 1, 16: 14})
    delta = [b - a for a, b in zip(naive.pack([before, before]), naive.pack([after, before]), strict=True)]
    crowd = side({0: 1, 1: 13, 15: 1})
    moved = [word + change for word, change in zip(naive.pack([crowd, crowd]), delta, strict=True)]
    counts, _ = naive.unpack(moved)
    assert counts == [side({1: 13, 15: 2}), crowd]


# ---- reasons ------------------------------------------------------------------------------------------------------

FULL = side({6: 15})


@pytest.mark.parametrize(
    ("own", "opp", "pins", "reason"),
    [
        (FULL, FULL, ((), ()), 0),
        (side({0: 15}), side({1: 1}), ((), ()), 0),
        (side({25: 15}), side({25: 15}), ((), ()), 0),
        (side({1: 1}), side({}), ((), ()), 0),
        (side({7: 1}), side({18: 1}), ((7,), ()), 0),
        (side({0: 1, 6: 15}), FULL, ((), ()), REASON.TOO_MANY_OWN),
        (FULL, side({25: 15, 24: 1}), ((), ()), REASON.TOO_MANY_OPP),
        (side(dict.fromkeys(range(26), 15)), FULL, ((), ()), REASON.TOO_MANY_OWN),
        (side({0: 15}), side({0: 15}), ((), ()), REASON.BOTH_OFF),
        (side({}), side({}), ((), ()), REASON.BOTH_OFF),
        (FULL, FULL, ((5,), ()), REASON.PIN_MASK),
        (FULL, FULL, ((), (24,)), REASON.PIN_MASK),
        (side({0: 15}), side({0: 15}), ((1,), ()), REASON.BOTH_OFF | REASON.PIN_MASK),
        (side({0: 15, 6: 1}), side({0: 15, 6: 1}), ((), ()), REASON.TOO_MANY_OWN | REASON.TOO_MANY_OPP),
    ],
)
def test_reasons_of_every_game(own: list[int], opp: list[int], pins: naive.Pins, reason: int) -> None:
    words = naive.pack([own, opp], pins)
    assert naive.reasons(words) == reason
    out = np.empty(1, np.uint32)
    core.validate_rows(rows(words), out)
    assert out[0] == reason
    if reason:
        with pytest.raises(bg.InvalidPosition) as caught:
            bg.Position.from_packed(rows(words)[0])
        assert caught.value.reason == reason
    else:
        assert bg.Position.from_packed(rows(words)[0]).packed.tolist() == list(words)


@pytest.mark.parametrize(
    ("own", "opp", "pins", "checkers", "reason"),
    [
        (side({6: 15}), side({6: 15}), ((), ()), 15, 0),
        (side({6: 14}), side({6: 15}), ((), ()), 15, REASON.WRONG_TOTAL_OWN),
        (side({6: 15}), side({6: 14}), ((), ()), 15, REASON.WRONG_TOTAL_OPP),
        (side({6: 15}), side({6: 15}), ((), ()), 3, REASON.WRONG_TOTAL_OWN | REASON.WRONG_TOTAL_OPP),
        (side({24: 3}), side({25: 2}, 3), ((), ()), 3, 0),
        (side({7: 2}, 15), side({18: 2}, 15), ((), ()), 15, REASON.SHARED_POINT),
        (side({24: 2}, 15), side({1: 2}, 15), ((), ()), 15, REASON.SHARED_POINT),
        (side({25: 2}, 15), side({25: 2}, 15), ((), ()), 15, 0),
        (side({7: 2}, 15), side({7: 2}, 15), ((7,), ()), 15, REASON.PIN_UNUSED),
        (side({7: 1}, 15), side({18: 1}, 15), ((7,), ()), 15, REASON.SHARED_POINT | REASON.PIN_UNUSED),
        (side({25: 1, **HOME}, 15), side({25: 1, **HOME}, 15), ((), ()), 15, REASON.BAR_DEADLOCK),
        (side({25: 1, **HOME}, 15), side({12: 1, **HOME}, 15), ((), ()), 15, 0),
        (side({25: 1, **HOME, 4: 1}, 15), side({25: 1, **HOME}, 15), ((), ()), 15, 0),
        (side({25: 1, **HOME}, 15), side({25: 1, **HOME, 1: 1}, 15), ((), ()), 15, 0),
        (side({0: 15}), side({0: 15}), ((), ()), 15, REASON.BOTH_OFF),
    ],
)
def test_reasons_of_backgammon(own: list[int], opp: list[int], pins: naive.Pins, checkers: int, reason: int) -> None:
    words = naive.pack([own, opp], pins)
    rules = bg.BACKGAMMON if checkers == 15 else bg.HYPERGAMMON
    assert naive.backgammon_reasons(words, checkers) == reason
    assert bg.batch.validate(rows(words), rules).tolist() == [reason]
    flipped = naive.backgammon_reasons(words[2:] + words[:2], checkers)
    assert bg.batch.validate(rows(words[2:] + words[:2]), rules).tolist() == [flipped]
    if not naive.reasons(words):
        assert rules.validate(bg.Position.from_packed(rows(words)[0])) == REASON(reason)
    calls = [
        lambda: bg.batch.legal_plays(rows(words), (3, 1), rules),
        lambda: bg.batch.count_plays(rows(words), rules=rules),
        lambda: bg.batch.playouts(rows(words), 1, rules=rules, seed=1),
    ]
    for call in calls if reason else ():
        with pytest.raises(bg.InvalidPosition, match=r"^row 0: ") as caught:
            call()
        assert (caught.value.reason, caught.value.row) == (reason, 0)


def test_any_words_have_the_reasons_of_the_twin() -> None:
    rng = random.Random(1)
    words = [[rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64) for _ in range(4)] for _ in range(300)]
    words += [[rng.getrandbits(64) for _ in range(4)] for _ in range(100)]
    words += [[0] * 4, [2**64 - 1] * 4]
    out = np.empty(len(words), np.uint32)
    core.validate_rows(rows(*words), out)
    assert out.tolist() == [naive.reasons(row) for row in words]
    for rules in (bg.BACKGAMMON, bg.HYPERGAMMON):
        expected = [naive.backgammon_reasons(row, rules.checkers) for row in words]
        assert bg.batch.validate(rows(*words), rules).tolist() == expected


# ---- Position ID --------------------------------------------------------------------------------------------------

NAMED = {  # GNU Backgammon prints these
    "4HPwATDgc/ABMA": (side({24: 2, 13: 5, 8: 3, 6: 5}), side({24: 2, 13: 5, 8: 3, 6: 5})),
    "4HPwATDQc/ABMA": (side({24: 2, 13: 5, 8: 3, 6: 4, 5: 1}), side({24: 2, 13: 5, 8: 3, 6: 5})),
    "4Dl4ADbgOXgANg": (side({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}), side({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})),
    "4P8PAADg/w8AAA": (side({6: 15}), side({6: 15})),
    "PAAAICMAAAAAAA": (side({1: 1, 3: 2, 6: 1}, 15), side({3: 4}, 15)),
}
START = "4HPwATDgc/ABMA"


def test_named_ids() -> None:
    for text, counts in NAMED.items():
        out = np.empty((1, 14), np.uint8)
        core.encode_rows(packed(counts), out)
        assert out.tobytes().decode() == text == naive.gnubg_id(counts)
        words = np.empty((1, 4), np.uint64)
        assert core.decode_rows(ids(text), 15, words) is None
        assert words[0].tolist() == list(naive.pack(counts))


def test_hypergammon_ids() -> None:
    """One, two and three checkers a side; what is borne off depends on the game."""
    starts = {"AACAAAAAAgAAAA": {24: 1}, "AABAAQAACgAAAA": {24: 1, 23: 1}, "AACgAgAAKgAAAA": {24: 1, 23: 1, 22: 1}}
    for text, slots in starts.items():
        for checkers in (len(slots), 15):
            words = np.empty((1, 4), np.uint64)
            assert core.decode_rows(ids(text), checkers, words) is None
            assert words[0].tolist() == list(naive.pack([side(slots, checkers)] * 2))


def test_ids_are_those_of_the_twin() -> None:
    rng = random.Random(2)
    every = []
    for _ in range(500):
        counts = [[0] * 26, [0] * 26]
        for each in counts:
            for _ in range(15):
                each[rng.randrange(26)] += 1
        every.append(counts)
    words = rows(*(naive.pack(counts) for counts in every))
    out = np.empty((500, 14), np.uint8)
    core.encode_rows(words, out)
    assert [row.tobytes().decode() for row in out] == [naive.gnubg_id(counts) for counts in every]
    back = np.empty((500, 4), np.uint64)
    assert core.decode_rows(out, 15, back) is None
    assert np.array_equal(back, words)


@pytest.mark.parametrize("place", range(14))
@pytest.mark.parametrize("code", [0, 9, 32, 33, 42, 44, 45, 46, 58, 61, 64, 91, 95, 96, 123, 127, 128, 255])
def test_characters_that_are_not_in_the_alphabet(place: int, code: int) -> None:
    """Each is refused at its place; '-' and '_' of the web-safe alphabet have a status of their own."""
    row, web_safe, outside = 0, 2, 1
    text = ids(START)
    text[0, place] = code
    assert core.decode_rows(text, 15, np.empty((1, 4), np.uint64)) == (
        row,
        web_safe if chr(code) in "-_" else outside,
        place,
    )


def test_statuses_of_the_decoder() -> None:
    run_past_bar, low_bits, too_many_own, too_many_opp = 3, 4, 5, 6
    ones = "/" * 13  # 78 bits
    for text, checkers, status in [
        (ones + "w", 15, run_past_bar),
        (START[:-1] + "B", 15, low_bits),
        (START[:-1] + "I", 15, low_bits),
        ("AAAAAAAAAAAAAQ", 15, low_bits),  # a bit after the fiftieth zero
        (naive.gnubg_id([side({6: 15}), side({6: 14})]), 14, too_many_own),
        (naive.gnubg_id([side({6: 14}), side({6: 15})]), 14, too_many_opp),
        (naive.gnubg_id([side({1: 16}), side({1: 1})]), 15, too_many_own),
        (naive.gnubg_id([side({1: 1}), side({25: 16})]), 15, too_many_opp),
        (naive.gnubg_id([side({}), side({25: 30})]), 15, too_many_opp),
    ]:
        found = core.decode_rows(ids(START, text, START), checkers, np.empty((3, 4), np.uint64))
        if checkers == 14:  # the start has fifteen itself
            found = core.decode_rows(ids(text), checkers, np.empty((1, 4), np.uint64))
            assert found is not None
            assert found[:2] == (0, status), text
        else:
            assert found is not None
            assert found[:2] == (1, status), text


@pytest.mark.parametrize("place", range(14))
def test_every_character_of_the_alphabet_at_every_place(place: int) -> None:
    """Decoded is encoded to the same text; everything else is refused."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    read = 0
    for character in alphabet:
        text = START[:place] + character + START[place + 1 :]
        words = np.empty((1, 4), np.uint64)
        if core.decode_rows(ids(text), 15, words) is None:
            out = np.empty((1, 14), np.uint8)
            core.encode_rows(words, out)
            assert out.tobytes().decode() == text
            read += 1
    assert read > 0


def test_nothing_in_nothing_out() -> None:
    none = np.empty((0, 4), np.uint64)
    core.pack_rows(np.empty((0, 2, 26), np.uint8), None, none)
    core.unpack_rows(none, np.empty((0, 2, 26), np.uint8), np.empty((0, 2, 26), np.uint8))
    core.validate_rows(none, np.empty(0, np.uint32))
    core.pips_rows(none, np.empty((0, 2), np.intc))
    core.encode_rows(none, np.empty((0, 14), np.uint8))
    assert core.decode_rows(np.empty((0, 14), np.uint8), 15, none) is None
