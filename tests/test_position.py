"""Position: how it is made and asked, that it never changes, and what its errors say."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import bgcore as bg
from bgcore import InvalidReason, Position
from naive import words as naive

START = "4HPwATDgc/ABMA"
SLOTS = {24: 2, 13: 5, 8: 3, 6: 5}


def side(slots: dict[int, int], total: int | None = 15) -> list[int]:
    counts = [slots.get(slot, 0) for slot in range(26)]
    if total is not None:
        counts[0] += total - sum(counts)
    return counts


def position(own: dict[int, int], opp: dict[int, int], total: int | None = 15) -> Position:
    return Position.from_counts([side(own, total), side(opp, total)])


# XGID, Position ID and pips of own and opponent, all printed by GNU Backgammon; top is on roll in some of them.
KNOWN = [
    ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA", (167, 167)),
    ("-bb---D-C---dD---c-d---BB-:0:0:1:00:0:0:0:0:10", "4Dl4ADbgOXgANg", (194, 194)),
    ("-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10", "b9sBCIC5bYDQAA", (111, 52)),
    ("--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10", "5O4uAAhmdysAQA", (101, 112)),
    ("---BADB------------bf---a-:1:1:1:00:4:0:0:7:10", "4TcAALDeAAAAAA", (42, 43)),
    ("---BBBBAAA---Ac-bbccbAA-A-:1:1:-1:63:4:3:0:5:8", "bFuFACWwu80BAA", (116, 140)),
    ("-DCBBB---A------bcdcc----A:1:-1:-1:54:9:9:0:11:10", "77YhAEBw924AAA", (103, 68)),
    ("--BBbBB-----aE----Be-c-bb-:1:-1:-1:54:0:0:0:0:8", "NhvwwQCb8wEBBg", (103, 133)),
    ("--CBBBBaa--------bCbcbbAb-:2:-1:-1:D:0:0:2:0:10", "btsAcBCz3QygAA", (94, 119)),
    ("----BaC-B---aD--aa-bcbbBbB:0:0:1:22:2:3:0:13:10", "s90UAgKYM3gAZg", (190, 93)),
    ("-aa--CCBCa--ca---a-c-bb-CA:0:0:1:52:0:1:0:5:10", "bE7oCChwtwMAXA", (168, 154)),
]


@pytest.mark.parametrize(("xgid", "gnubg_id", "pips"), KNOWN)
def test_known_positions(xgid: str, gnubg_id: str, pips: tuple[int, int]) -> None:
    found = Position.from_xgid("XGID=" + xgid)
    assert found.gnubg_id == gnubg_id
    assert found.pips == pips
    assert Position.from_gnubg_id(gnubg_id) == found
    assert naive.gnubg_id(found.counts.tolist()) == gnubg_id


def test_the_opening_position() -> None:
    start = Position.initial()
    assert start.counts.tolist() == [side(SLOTS), side(SLOTS)]
    assert start.board.tolist() == [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    assert start.gnubg_id == START
    assert start.pips == (167, 167)
    assert start.off == start.bar == (0, 0)
    assert not start.is_over
    assert start.is_contact
    assert start.flipped() == start
    assert not start.pinned.any()


def test_what_a_position_is_asked() -> None:
    it = position({25: 2, 24: 1, 3: 4}, {25: 1, 7: 2})
    assert it.off == (8, 12)
    assert it.bar == (2, 1)
    assert it.pips == (2 * 25 + 24 + 12, 25 + 14)
    assert [type(n) for n in (*it.off, *it.bar, *it.pips)] == [int] * 6
    assert [it.is_over, it.is_contact] == [False, True]
    assert [type(it.is_over), type(it.is_contact)] == [bool, bool]


@pytest.mark.parametrize(
    ("own", "opp", "over"),
    [({}, {1: 1}, True), ({1: 1}, {}, True), ({}, {25: 1}, True), ({25: 1}, {25: 1}, False), ({1: 1}, {1: 1}, False)],
)
def test_is_over(own: dict[int, int], opp: dict[int, int], over: bool) -> None:
    assert position(own, opp).is_over == over
    assert position(own, opp, None).is_over == over


@pytest.mark.parametrize(
    ("own", "opp", "contact"),
    [
        (SLOTS, SLOTS, True),
        ({12: 2}, {12: 2}, False),
        ({13: 2}, {12: 2}, False),  # my 13 and the opponent's 12 are one point; both can't be there in backgammon
        ({14: 1}, {12: 2}, True),
        ({25: 1}, {1: 1}, True),
        ({6: 15}, {6: 15}, False),
        ({24: 1}, {2: 1}, True),
        ({23: 1}, {1: 3}, False),
        ({}, {24: 1}, False),
    ],
)
def test_is_contact(own: dict[int, int], opp: dict[int, int], contact: bool) -> None:
    assert position(own, opp).is_contact == contact
    assert position(opp, own).is_contact == contact


# ---- making one ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i1", "i2", "<i4", ">i4", "i8", ">i8"])
def test_board_dtypes(dtype: str) -> None:
    board = Position.initial().board.astype(dtype)
    assert Position.from_board(board) == Position.initial()
    assert Position.from_board(board.tolist()) == Position.initial()
    wide = np.zeros((26, 3), dtype)
    wide[:, 1] = board
    assert Position.from_board(wide[:, 1]) == Position.initial()
    assert Position.from_board(board[::-1][::-1]) == Position.initial()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "<u4", ">u4", "i8", ">u8"])
def test_counts_dtypes(dtype: str) -> None:
    counts = Position.initial().counts.astype(dtype)
    for given in (counts, counts.tolist(), np.asfortranarray(counts), counts[:, ::-1][:, ::-1]):
        assert Position.from_counts(given) == Position.initial()


@pytest.mark.parametrize("order", ["<u8", ">u8"])
def test_packed_byte_orders(order: str) -> None:
    it = position({25: 2, 24: 1, 3: 4}, {25: 1, 7: 2})
    assert Position.from_packed(it.packed.astype(order)) == it
    spread = np.zeros(12, order)
    spread[::3] = it.packed
    assert Position.from_packed(spread[::3]) == it
    assert Position.from_packed(it.packed[::-1].copy()[::-1]) == it
    frozen = it.packed
    frozen.setflags(write=False)
    assert Position.from_packed(frozen) == it


WRONG = [
    (Position.from_board, np.zeros(26), TypeError),
    (Position.from_board, np.zeros(26, bool), TypeError),
    (Position.from_board, np.zeros(26, object), TypeError),
    (Position.from_board, ["1"] * 26, TypeError),
    (Position.from_board, None, (TypeError, ValueError)),
    (Position.from_board, np.zeros(25, int), ValueError),
    (Position.from_board, np.zeros((1, 26), int), ValueError),
    (Position.from_board, 5, ValueError),
    (Position.from_board, [], (TypeError, ValueError)),
    (Position.from_counts, np.zeros((2, 26)), TypeError),
    (Position.from_counts, np.zeros((2, 26), bool), TypeError),
    (Position.from_counts, np.zeros((26, 2), int), ValueError),
    (Position.from_counts, np.zeros(52, int), ValueError),
    (Position.from_counts, np.zeros((1, 2, 26), int), ValueError),
    (Position.from_counts, None, (TypeError, ValueError)),
    (Position.from_packed, np.zeros(4, np.int64), TypeError),
    (Position.from_packed, np.zeros(4), TypeError),
    (Position.from_packed, [1, 2, 3, 4], TypeError),
    (Position.from_packed, np.zeros(4, np.uint32), TypeError),
    (Position.from_packed, np.zeros(5, np.uint64), ValueError),
    (Position.from_packed, np.zeros((1, 4), np.uint64), ValueError),
    (Position.from_packed, np.uint64(0), ValueError),
    (Position.from_gnubg_id, None, TypeError),
    (Position.from_gnubg_id, START.encode(), TypeError),
    (Position.from_gnubg_id, 5, TypeError),
    (Position.from_xgid, None, TypeError),
    (Position.from_xgid, 5, TypeError),
]


@pytest.mark.parametrize(("make", "value", "error"), WRONG)
def test_wrong_types_and_shapes(make: Any, value: Any, error: Any) -> None:
    with pytest.raises(error) as caught:
        make(value)
    assert not isinstance(caught.value, bg.BgcoreError)
    assert str(caught.value)


@pytest.mark.parametrize(
    ("change", "words", "reason"),
    [
        ({6: 16}, ["16", "index 6", "15"], InvalidReason.TOO_MANY_OWN),
        ({1: -16}, ["-16", "index 1", "15"], InvalidReason.TOO_MANY_OPP),
        ({6: 300}, ["300", "index 6"], InvalidReason.TOO_MANY_OWN),  # 44 in eight bits
        ({6: 261}, ["261", "index 6"], InvalidReason.TOO_MANY_OWN),  # 5 in eight bits
        ({6: -(2**62)}, ["index 6"], InvalidReason.TOO_MANY_OPP),
        ({5: 1}, ["the player on roll", "16 checkers"], InvalidReason.TOO_MANY_OWN),
        ({2: -1}, ["the opponent", "16 checkers"], InvalidReason.TOO_MANY_OPP),
        ({0: 1}, ["index 0", "opponent's bar"], InvalidReason(0)),
        ({25: -1}, ["index 25", "own bar"], InvalidReason(0)),
        (dict.fromkeys(range(26), 0), ["neither side"], InvalidReason.BOTH_OFF),
    ],
)
def test_wrong_boards(change: dict[int, int], words: list[str], reason: InvalidReason) -> None:
    board = Position.initial().board.astype(np.int64)
    for index, count in change.items():
        board[index] = count
    with pytest.raises(bg.InvalidPosition) as caught:
        Position.from_board(board)
    assert caught.value.reason == reason
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("value", [-1, 16, 255, 256, 257, 2**40, -(2**63)])
def test_counts_out_of_range(value: int) -> None:
    counts = Position.initial().counts.astype(np.int64)
    counts[1, 3] = value
    with pytest.raises(bg.InvalidPosition, match="slot 3 of opp") as caught:
        Position.from_counts(counts)
    assert str(value) in str(caught.value)
    assert "0 to 15" in str(caught.value)
    assert caught.value.reason == InvalidReason.TOO_MANY_OPP


def test_pins() -> None:
    pinned = np.zeros((2, 26), bool)
    pinned[0, 7] = True
    it = Position.from_counts([side({7: 1}), side({18: 3})], pinned)
    assert np.array_equal(it.pinned, pinned)
    assert it != Position.from_counts([side({7: 1}), side({18: 3})])
    assert np.array_equal(it.flipped().pinned, pinned[::-1])
    for wrong, error in (
        (pinned.astype(int), TypeError),
        (pinned.astype(object), TypeError),
        (pinned[:, :25], ValueError),
        (pinned[None], ValueError),
    ):
        with pytest.raises(error):
            Position.from_counts([side({7: 1}), side({18: 3})], wrong)
    for point in (0, 8, 25):
        other = np.zeros((2, 26), bool)
        other[0, point] = True
        with pytest.raises(bg.InvalidPosition) as caught:
            Position.from_counts([side({7: 1, 25: 1}), side({18: 3})], other)
        assert caught.value.reason == InvalidReason.PIN_MASK


@pytest.mark.parametrize("checkers", [0, 16, -1, 2**70])
def test_checkers_out_of_range(checkers: int) -> None:
    for make, value in ((Position.from_board, [0] * 25 + [1]), (Position.from_gnubg_id, START)):
        with pytest.raises(bg.InvalidPosition, match="1 to 15"):
            make(value, checkers)


@pytest.mark.parametrize("checkers", [None, 15.0, "15", True])
def test_checkers_of_a_wrong_type(checkers: Any) -> None:
    for make, value in ((Position.from_board, [0] * 25 + [1]), (Position.from_gnubg_id, START)):
        with pytest.raises(TypeError):
            make(value, checkers)


@pytest.mark.parametrize(
    ("text", "words", "offset"),
    [
        ("", ["14 characters", "not 0"], None),
        (START[:-1], ["14 characters", "not 13"], None),
        (START + "A", ["14 characters", "not 15"], None),
        (START + "==", ["14 characters", "not 16"], None),
        ("X" * 10_000, ["14 characters", "not 10000"], None),
        ("4HPwATDgc-ABMA", ["'-' at place 9", "'/'"], 9),
        ("4HPwATDgc_ABMA", ["'_' at place 9", "'/'"], 9),
        ("4HPwAT gc/ABMA", ["' ' at place 6"], 6),
        ("4HPwATDgc/ABM=", ["'=' at place 13"], 13),
        ("\x00" * 14, ["place 0"], 0),
        ("4HPwATDgc/ABM\u0391", ["place 13"], 13),  # a Greek capital alpha
        ("\ud8004HPwATDgc/ABM", ["place 0"], 0),
        ("4HPwATDgc/ABMB", ["bits behind the last slot"], None),
        ("/////////////w", ["past the last slot"], None),
    ],
)
def test_position_ids_that_are_none(text: str, words: list[str], offset: int | None) -> None:
    with pytest.raises(bg.FormatError) as caught:
        Position.from_gnubg_id(text)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.offset == offset
    assert len(str(caught.value)) < 300
    str(caught.value).encode("utf-8")
    assert "row" not in str(caught.value)


@pytest.mark.parametrize(
    ("own", "opp", "checkers", "words", "reason"),
    [
        ({6: 16}, {1: 1}, 15, ["player on roll", "more than 15"], InvalidReason.TOO_MANY_OWN),
        ({1: 1}, {6: 16}, 15, ["the opponent", "more than 15"], InvalidReason.TOO_MANY_OPP),
        (SLOTS, SLOTS, 14, ["the opponent", "more than 14"], InvalidReason.TOO_MANY_OPP),
        ({7: 1}, {18: 1}, 15, ["both sides hold point 7"], InvalidReason.SHARED_POINT),
        ({}, {}, 15, ["neither side"], InvalidReason.BOTH_OFF),
    ],
)
def test_position_ids_of_impossible_positions(
    own: dict[int, int], opp: dict[int, int], checkers: int, words: list[str], reason: InvalidReason
) -> None:
    text = naive.gnubg_id([side(own, None), side(opp, None)])
    with pytest.raises(bg.InvalidPosition) as caught:
        Position.from_gnubg_id(text, checkers)
    assert caught.value.reason == reason
    for word in words:
        assert word in str(caught.value)


def test_packed_words_that_are_none() -> None:
    with pytest.raises(bg.InvalidPosition, match="more than 15") as caught:
        Position.from_packed(np.full(4, 2**64 - 1, np.uint64))
    assert caught.value.reason == InvalidReason.TOO_MANY_OWN | InvalidReason.TOO_MANY_OPP
    assert caught.value.row is None
    with pytest.raises(bg.InvalidPosition, match="neither side"):
        Position.from_packed(np.zeros(4, np.uint64))


def test_a_scalar_call_speaks_of_no_row() -> None:
    """Rows are for batches; one position has none."""
    board = Position.initial().board
    board[0] = 1
    counts = Position.initial().counts
    counts[0, 3] = 16
    pinned = np.zeros((2, 26), bool)
    pinned[0, 0] = True
    shared = Position.from_counts([side({7: 1}), side({18: 1})])
    for call in (
        lambda: Position.from_board(board),
        lambda: Position.from_counts(counts),
        lambda: Position.from_counts(Position.initial().counts, pinned),
        lambda: shared.board,
        lambda: shared.gnubg_id,
    ):
        with pytest.raises(bg.InvalidPosition) as caught:
            call()
        assert caught.value.row is None
        assert "row" not in str(caught.value)


def test_there_is_no_constructor() -> None:
    with pytest.raises(TypeError, match=r"initial\(\)"):
        Position()
    with pytest.raises(TypeError, match=r"from_board"):
        Position(Position.initial().board)


# ---- a value ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["board", "counts", "pinned", "packed", "gnubg_id", "pips", "off", "bar", "is_over", "p", "anything"]
)
def test_nothing_can_be_set(name: str) -> None:
    it = Position.initial()
    with pytest.raises(AttributeError):
        setattr(it, name, None)
    with pytest.raises(AttributeError):
        delattr(it, name)
    assert it == Position.initial()


@pytest.mark.parametrize("name", ["board", "counts", "pinned", "packed"])
def test_arrays_are_fresh(name: str) -> None:
    it = Position.initial()
    array = getattr(it, name)
    assert array.flags.writeable
    assert array.flags.c_contiguous
    array[...] = 1
    assert not np.array_equal(getattr(it, name), array)
    assert not np.shares_memory(getattr(it, name), getattr(it, name))
    assert it == Position.initial()


def test_array_dtypes() -> None:
    it = Position.initial()
    assert (it.board.dtype, it.board.shape) == (np.int8, (26,))
    assert (it.counts.dtype, it.counts.shape) == (np.uint8, (2, 26))
    assert (it.pinned.dtype, it.pinned.shape) == (np.bool_, (2, 26))
    assert (it.packed.dtype, it.packed.shape) == (np.uint64, (4,))


def test_what_it_was_made_from_can_change() -> None:
    counts = Position.initial().counts
    it = Position.from_counts(counts)
    counts[:] = 0
    assert it == Position.initial()


def test_order_is_by_words() -> None:
    every = [position({p: 2}, {q: 3}) for p in (1, 6, 15, 16, 24, 25) for q in (2, 24)]
    expected = sorted(every, key=lambda it: it.packed.tolist())
    assert sorted(every) == expected
    every.reverse()
    assert sorted(every) == expected
    assert not every[0] < every[0]
    assert every[0] <= every[0]


@pytest.mark.parametrize("other", [None, 1, START, Position.initial().packed.tolist()])
def test_compared_with_something_else(other: Any) -> None:
    assert Position.initial() != other
    assert not Position.initial() == other  # noqa: SIM201
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(Position.initial(), compare)(other) is NotImplemented
    with pytest.raises(TypeError):
        _ = Position.initial() < other


def test_as_a_key() -> None:
    table = {Position.initial(): 1, Position.initial().flipped(): 2, position({1: 1}, {1: 2}): 3}
    assert table == {Position.from_gnubg_id(START): 2, position({1: 1}, {1: 2}): 3}


def test_hashes_are_spread() -> None:
    hashes = {hash(position({p: n}, {q: 1})) for p in range(1, 26) for q in range(1, 26) for n in range(1, 15)}
    assert len(hashes) == 25 * 25 * 14
    assert len({h & 0xFFF for h in hashes}) > 3500


@pytest.mark.subprocess
def test_the_hash_is_the_same_in_every_process() -> None:
    every = [Position.initial(), position({25: 2, 24: 1, 3: 4}, {25: 1, 7: 2}), bg.HYPERGAMMON.start]
    code = (
        "import pickle, sys; print([hash(it) for it in pickle.loads(bytes.fromhex(sys.argv[1]))]); "
        "print(repr(sorted(pickle.loads(bytes.fromhex(sys.argv[1])))))"
    )
    for seed in ("0", "1", "random"):
        done = subprocess.run(
            [sys.executable, "-c", code, pickle.dumps(every).hex()],
            env=dict(os.environ, PYTHONHASHSEED=seed),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == [str([hash(it) for it in every]), repr(sorted(every))]


def test_pickled_form() -> None:
    """Promised: a version byte and four little-endian words."""
    it = position({25: 2, 24: 1, 3: 4}, {25: 1, 7: 2})
    restore, (data,) = it.__reduce__()
    assert data == struct.pack("<B4Q", 1, *it.packed.tolist())
    assert restore(data) == it


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", bg.FormatError),
        (b"\x01" + b"\0" * 31, bg.FormatError),
        (b"\x01" + b"\0" * 33, bg.FormatError),
        (b"\x02" + Position.initial().__reduce__()[1][0][1:], bg.FormatError),
        (b"\x01" + b"\0" * 32, bg.InvalidPosition),
        (b"\x01" + b"\xff" * 32, bg.InvalidPosition),
        (None, TypeError),
        ("text", TypeError),
    ],
)
def test_a_bent_pickle_is_refused(data: Any, error: type[Exception]) -> None:
    restore = Position.initial().__reduce__()[0]
    with pytest.raises(error):
        restore(data)


def test_reprs_paste_back() -> None:
    pinned = np.zeros((2, 26), bool)
    pinned[0, 7] = True
    for it, text in (
        (Position.initial(), "Position.from_gnubg_id('4HPwATDgc/ABMA')"),
        (bg.HYPERGAMMON.start, "Position.from_gnubg_id('AACgAgAAKgAAAA', checkers=3)"),
        (position({6: 2}, {6: 3}, None), None),
        (Position.from_counts([side({7: 1}), side({18: 3})]), None),
        (Position.from_counts([side({7: 1}), side({18: 3})], pinned), None),
        (position({}, {6: 3}), None),
    ):
        assert text is None or repr(it) == text
        assert eval(repr(it), {"Position": Position, "np": np}) == it


def test_str_is_a_board() -> None:
    text = str(Position.initial())
    assert len(text.splitlines()) > 10
    assert "167" in text


def test_subclasses_are_refused_or_positions() -> None:
    class Mine(Position):
        pass

    with pytest.raises(TypeError):
        Mine()
    assert Mine.initial() == Position.initial()
