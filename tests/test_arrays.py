"""Which arrays are accepted: every dtype, stride, byte order and shape is converted or refused, never misread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore import arrays, batch
from naive import words as naive

N = 5
RNG = np.random.default_rng(11)


def some_counts(n: int) -> np.ndarray:
    """Counts of n different positions of fifteen checkers, no point shared."""
    counts = np.zeros((n, 2, 26), np.uint8)
    for row in counts:
        free = RNG.permutation(np.arange(1, 25))
        for own in RNG.choice(free[:12], 15):
            row[0, own] += 1
        for opp in RNG.choice(free[12:], 15):
            row[1, 25 - opp] += 1
    return counts


COUNTS = some_counts(N)
PACKED = np.array([naive.pack(row.tolist()) for row in COUNTS], np.uint64)
BOARDS = np.array([naive.board(row.tolist()) for row in COUNTS], np.int8)
DICE = np.array([[3, 1], [1, 3], [6, 6], [2, 5], [4, 4]], np.uint8)
IDS = [naive.gnubg_id(row.tolist()) for row in COUNTS]

Calls = dict[str, Callable[[Any], Any]]

TAKES_PACKED: Calls = {
    "unpack": lambda packed: batch.unpack(packed)[0],
    "to_boards": batch.to_boards,
    "flip": batch.flip,
    "pips": batch.pips,
    "gnubg_ids": batch.gnubg_ids,
    "validate": batch.validate,
    "count_plays": batch.count_plays,
    "legal_plays": lambda packed: batch.legal_plays(packed).results,
    "offsets": lambda packed: batch.legal_plays(packed, (3, 1)).offsets,
    "iter_legal_plays": lambda packed: np.concatenate(
        [
            np.zeros((0, 4), np.uint64),
            *(plays.results.copy() for _, plays in batch.iter_legal_plays(packed, (3, 1), chunk=2)),
        ]
    ),
    "playouts": lambda packed: batch.playouts(packed, 3, seed=1).counts,
    "packed_rows": arrays.packed_rows,
}
TAKES_COUNTS: Calls = {"pack": batch.pack, "small_counts": arrays.small_counts}
TAKES_BOARDS: Calls = {"from_boards": batch.from_boards, "boards_to_counts": arrays.boards_to_counts}
TAKES_DICE: Calls = {
    "count_plays": lambda dice: batch.count_plays(PACKED, dice),
    "legal_plays": lambda dice: batch.legal_plays(PACKED, dice).results,
    "iter_legal_plays": lambda dice: np.concatenate(
        [plays.results.copy() for _, plays in batch.iter_legal_plays(PACKED, dice, chunk=2)]
    ),
    "dice_rows": lambda dice: arrays.dice_rows(dice, N),
}


def shaped(array: np.ndarray, how: str) -> Any:
    """Return the same values laid out in another way."""
    if how == "list":
        return list(array)
    if how == "fortran":
        return np.asfortranarray(array)
    if how == "negative strides":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    if how == "rows backwards":
        return np.ascontiguousarray(array[::-1])[::-1]
    if how == "every other row":
        wide = np.repeat(array, 2, axis=0)
        wide[1::2] = 0
        return wide[::2]
    if how == "every other column":
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    if how == "slice":
        wide = np.zeros((array.shape[0] + 2, *array.shape[1:]), array.dtype)
        wide[1:-1] = array
        return wide[1:-1]
    if how == "transposed":
        return np.ascontiguousarray(array.T).T
    if how == "read-only":
        frozen = array.copy()
        frozen.setflags(write=False)
        return frozen
    if how == "misaligned":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        odd = raw[1:].view(array.dtype).reshape(array.shape)
        odd[...] = array
        return odd
    if how == "other byte order":
        return array.astype(array.dtype.newbyteorder())
    if how == "other byte order, strided":
        return np.repeat(array.astype(array.dtype.newbyteorder()), 3, axis=0)[::3]
    if how == "memory map":
        return memoryview(np.ascontiguousarray(array))
    if how == "subclass":
        return array.view(Subclass)
    if how == "broadcast":
        return np.broadcast_to(array[0], array.shape)
    raise AssertionError(how)


class Subclass(np.ndarray):
    pass


LAYOUTS = [
    "fortran",
    "negative strides",
    "rows backwards",
    "every other row",
    "every other column",
    "slice",
    "transposed",
    "read-only",
    "misaligned",
    "other byte order",
    "other byte order, strided",
    "memory map",
    "subclass",
    "list",
]


@pytest.mark.parametrize("how", LAYOUTS)
@pytest.mark.parametrize("call", TAKES_PACKED)
def test_layouts_of_packed(call: str, how: str) -> None:
    expected = TAKES_PACKED[call](PACKED.copy())
    given = shaped(PACKED, how)
    found = TAKES_PACKED[call](given)
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)
    assert np.array_equal(np.asarray(given), PACKED)


@pytest.mark.parametrize("how", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int32, np.int64, np.uint64])
def test_layouts_of_counts_boards_and_dice(dtype: type, how: str) -> None:
    for calls, values in ((TAKES_COUNTS, COUNTS), (TAKES_BOARDS, BOARDS), (TAKES_DICE, DICE)):
        if values is BOARDS and np.dtype(dtype).kind == "u":
            continue
        given = shaped(values.astype(dtype), how)
        for name, call in calls.items():
            assert np.array_equal(call(given), call(values)), name


def test_broadcast_rows() -> None:
    for calls, values in ((TAKES_PACKED, PACKED), (TAKES_COUNTS, COUNTS), (TAKES_BOARDS, BOARDS), (TAKES_DICE, DICE)):
        for name, call in calls.items():
            assert np.array_equal(call(shaped(values, "broadcast")), call(np.repeat(values[:1], N, axis=0))), name


def test_a_packed_array_is_not_copied_without_need() -> None:
    assert np.shares_memory(arrays.packed_rows(PACKED), PACKED)
    assert arrays.packed_rows(PACKED.astype(">u8")).dtype == np.dtype(np.uint64)
    assert arrays.packed_rows(PACKED[::2]).flags.c_contiguous
    assert arrays.packed_rows(shaped(PACKED, "misaligned")).flags.aligned


@pytest.mark.parametrize("n", [0, 1])
def test_none_and_one(n: int) -> None:
    """The shape and dtype of an answer don't depend on whether there is anything in it."""
    for calls, values in ((TAKES_PACKED, PACKED), (TAKES_COUNTS, COUNTS), (TAKES_BOARDS, BOARDS)):
        for name, call in calls.items():
            many, few = call(values), call(values[:n])
            assert few.dtype == many.dtype, name
            assert few.shape[1:] == many.shape[1:], name
            if name == "offsets":
                assert len(few) == n + 1
            elif name == "iter_legal_plays":
                assert len(few) == (0 if n == 0 else batch.count_plays(values[:1], (3, 1))[0])
            elif name == "legal_plays":
                assert len(few) == batch.count_plays(values[:n]).sum()
            else:
                assert len(few) == n, name
    assert arrays.id_rows(IDS[:n]).shape == (n, 14)
    assert batch.from_gnubg_ids(IDS[:n]).shape == (n, 4)
    assert batch.count_plays(PACKED[:n], DICE[:n]).shape == (n,)


BAD_DTYPES = ["?", "f2", "f4", "f8", "c8", "O", "U4", "S4", "M8[s]", "m8[s]", "V8"]


@pytest.mark.parametrize("dtype", [*BAD_DTYPES, "i8", "u4", "i1", "u1"])
@pytest.mark.parametrize("call", TAKES_PACKED)
def test_packed_of_another_dtype(call: str, dtype: str) -> None:
    with pytest.raises(TypeError):
        TAKES_PACKED[call](np.zeros((N, 4), dtype))


@pytest.mark.parametrize("dtype", BAD_DTYPES)
def test_counts_boards_and_dice_of_another_dtype(dtype: str) -> None:
    for calls, values in ((TAKES_COUNTS, COUNTS), (TAKES_BOARDS, BOARDS), (TAKES_DICE, DICE)):
        wrong = values.astype(dtype) if dtype not in ("V8", "M8[s]", "m8[s]") else np.zeros(values.shape, dtype)
        for call in calls.values():
            with pytest.raises(TypeError):
                call(wrong)


@pytest.mark.parametrize("shape", [(4,), (N, 5), (N, 3), (N, 2, 2), (1, N, 4), (), (0,), (4, N), (0, 5)])
@pytest.mark.parametrize("call", TAKES_PACKED)
def test_packed_of_another_shape(call: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\(n, 4\)") as caught:
        TAKES_PACKED[call](np.zeros(shape, np.uint64))
    assert not isinstance(caught.value, bg.BgcoreError)
    assert str(shape) in str(caught.value)


@pytest.mark.parametrize(
    ("calls", "shapes"),
    [
        (TAKES_COUNTS, [(2, 26), (N, 26, 2), (N, 52), (N, 2, 25), (1, N, 2, 26), (0,), ()]),
        (TAKES_BOARDS, [(26,), (N, 25), (26, N), (N, 1, 26), (0,), ()]),
        (TAKES_DICE, [(1,), (3,), (N, 1), (N, 3), (2, N), (N - 1, 2), (N + 1, 2), (1, 2), (0, 2), (N, 1, 2), ()]),
    ],
)
def test_other_shapes(calls: Calls, shapes: list[tuple[int, ...]]) -> None:
    for call in calls.values():
        for shape in shapes:
            with pytest.raises(ValueError, match="must have shape") as caught:
                call(np.ones(shape, np.int64))
            assert not isinstance(caught.value, bg.BgcoreError)
            assert str(shape) in str(caught.value)


@pytest.mark.parametrize("value", [None, "text", b"bytes", 5, 1.5, {}, object(), [[1, 2], [3]], [["a"]]])
def test_things_that_are_no_arrays(value: Any) -> None:
    for calls in (TAKES_PACKED, TAKES_COUNTS, TAKES_BOARDS):
        for call in calls.values():
            with pytest.raises((TypeError, ValueError)) as caught:
                call(value)
            assert not isinstance(caught.value, bg.BgcoreError)
    for call in TAKES_DICE.values():
        if value is not None:
            with pytest.raises((TypeError, ValueError)):
                call(value)


# ---- wrong values are named ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i8", "u8", "i2"])
@pytest.mark.parametrize("value", [16, 17, 255, 256, 257, 271, 32767, -1, 2**32, 2**62 + 1])
def test_counts_out_of_range(dtype: str, value: int) -> None:
    """Never taken modulo something."""
    counts = COUNTS.astype(dtype)
    if not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        return
    counts[3, 1, 7] = value
    for call in TAKES_COUNTS.values():
        with pytest.raises(bg.InvalidPosition, match=r"^row 3: ") as caught:
            call(counts)
        assert caught.value.row == 3
        assert caught.value.reason == bg.InvalidReason.TOO_MANY_OPP
        for word in (str(value), "slot 7", "opp", "0 to 15"):
            assert word in str(caught.value)


@pytest.mark.parametrize("value", [16, 255, 256, 257, -16, -255, 2**40, -(2**63)])
def test_boards_out_of_range(value: int) -> None:
    boards = BOARDS.astype(np.int64)
    boards[2, 9] = value
    with pytest.raises(bg.InvalidPosition, match=r"^row 2: ") as caught:
        batch.from_boards(boards)
    assert caught.value.row == 2
    assert str(value) in str(caught.value)
    assert "index 9" in str(caught.value)


def test_unsigned_boards_hold_no_opponent() -> None:
    """An array of uint8 that was meant to be int8 is refused for its values, 255 for -1."""
    with pytest.raises(bg.InvalidPosition):
        batch.from_boards(BOARDS.view(np.uint8))
    alone = np.zeros((1, 26), np.uint8)
    alone[0, 6] = 15
    assert batch.to_boards(batch.from_boards(alone)).tolist() == alone.tolist()


@pytest.mark.parametrize("value", [0, 7, -1, 255, 256, 257, 258, 2**32 + 1, -(2**63)])
def test_dice_out_of_range(value: int) -> None:
    dice = DICE.astype(np.int64)
    dice[4, 1] = value
    for call in TAKES_DICE.values():
        with pytest.raises(bg.RuleError, match="1 to 6") as caught:
            call(dice)
        assert str(value) in str(caught.value)
        assert "row 4" in str(caught.value)
        with pytest.raises(bg.RuleError, match="1 to 6"):
            call((3, value))


def test_pins() -> None:
    pinned = np.zeros((N, 2, 26), bool)
    pinned[1, 0, np.flatnonzero(COUNTS[1, 0, 1:25])[0] + 1] = True
    packed = batch.pack(COUNTS, pinned)
    for how in ("fortran", "negative strides", "slice", "read-only", "list", "every other column"):
        assert np.array_equal(batch.pack(COUNTS, shaped(pinned, how)), packed), how
    assert np.array_equal(batch.unpack(packed)[1], pinned)
    for wrong in (pinned.astype(np.uint8), pinned.astype(object), pinned.astype(float)):
        with pytest.raises(TypeError, match="bool"):
            batch.pack(COUNTS, wrong)
    for shape in ((N, 26), (N + 1, 2, 26), (1, 2, 26), (N, 26, 2)):
        with pytest.raises(ValueError, match="must have shape"):
            batch.pack(COUNTS, np.zeros(shape, bool))
    for slot in (0, 25):
        wrong = np.zeros((N, 2, 26), bool)
        wrong[2, 1, slot] = True
        with pytest.raises(bg.InvalidPosition, match=r"^row 2: ") as caught:
            batch.pack(COUNTS, wrong)
        assert caught.value.reason == bg.InvalidReason.PIN_MASK
    wrong = np.zeros((N, 2, 26), bool)
    wrong[2, 1, np.flatnonzero(COUNTS[2, 1, 1:25] == 0)[0] + 1] = True
    with pytest.raises(bg.InvalidPosition, match=r"^row 2: ") as caught:
        batch.pack(COUNTS, wrong)
    assert (caught.value.row, caught.value.reason) == (2, bg.InvalidReason.PIN_MASK)
    with pytest.raises(bg.InvalidPosition):
        batch.to_boards(packed)


# ---- Position IDs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ids",
    [
        IDS,
        tuple(IDS),
        np.array(IDS),
        np.array(IDS, "U20"),
        np.array([text.encode() for text in IDS]),
        np.array([text.encode() for text in IDS], "S30"),
        np.array(IDS, ">U14"),
        np.repeat(np.array(IDS), 2)[::2],
        np.array(IDS[::-1])[::-1],
    ],
    ids=["list", "tuple", "U14", "U20", "S14", "S30", "big-endian", "strided", "backwards"],
)
def test_ids_in_any_array(ids: Any) -> None:
    assert np.array_equal(batch.from_gnubg_ids(ids), PACKED)


@pytest.mark.parametrize("ids", [np.zeros(3), np.zeros(3, int), [None], np.array(IDS, object), [5]])
def test_ids_of_another_type(ids: Any) -> None:
    with pytest.raises(TypeError):
        batch.from_gnubg_ids(ids)


@pytest.mark.parametrize("ids", [IDS[0], np.array(IDS[0]), [IDS], np.array([IDS, IDS])])
def test_ids_of_another_shape(ids: Any) -> None:
    with pytest.raises(ValueError, match=r"\(n,\)"):
        batch.from_gnubg_ids(ids)


@pytest.mark.parametrize(
    ("text", "words", "error"),
    [
        ("", ["14 characters, not 0"], bg.FormatError),
        (IDS[0][:-1], ["14 characters, not 13"], bg.FormatError),
        (IDS[0] + "A", ["14 characters, not 15"], bg.FormatError),
        ("_" + IDS[0][1:], ["'_' at place 0", "'/'"], bg.FormatError),
        (IDS[0][:5] + "." + IDS[0][6:], ["'.' at place 5"], bg.FormatError),
        (IDS[0][:5] + "\u00e9" + IDS[0][6:], ["at place 5"], bg.FormatError),
        (IDS[0][:13] + "\u4e00", ["at place 13"], bg.FormatError),
        (naive.gnubg_id([[0] * 6 + [16] + [0] * 19, [0, 1] + [0] * 24]), ["more than 15"], bg.InvalidPosition),
        ("A" * 14, ["neither side"], bg.InvalidPosition),
    ],
)
def test_a_bad_id_is_named_with_its_row(text: str, words: list[str], error: type[bg.BgcoreError]) -> None:
    with pytest.raises(error, match=rf"^row {N}: ") as caught:
        batch.from_gnubg_ids([*IDS, text, *IDS, text])
    for word in words:
        assert word in str(caught.value)
    assert getattr(caught.value, "row", N) == N


# ---- by hypothesis ------------------------------------------------------------------------------------------------


@given(st.data())
def test_any_view_is_read_as_numpy_reads_it(data: st.DataObject) -> None:
    """Slices of slices of a packed array, in either byte order: what numpy says is there is what is read."""
    source = np.concatenate([PACKED] * 6).reshape(6, N, 4)[data.draw(st.integers(0, 5))]
    source = np.concatenate([source] * 4).astype(data.draw(st.sampled_from(["<u8", ">u8"])))
    view = source
    for _ in range(data.draw(st.integers(0, 3))):
        start, stop = (data.draw(st.none() | st.integers(-25, 25)) for _ in range(2))
        step = data.draw(st.sampled_from([None, 1, 2, 3, -1, -2, -5]))
        view = view[start:stop:step]
    if data.draw(st.booleans()):
        view = np.asfortranarray(view)
    rows = view.tolist()
    assert arrays.packed_rows(view).tolist() == rows
    assert batch.flip(view).tolist() == [row[2:] + row[:2] for row in rows]
    assert batch.unpack(view)[0].tolist() == [naive.unpack(row)[0] for row in rows]
    counts = {tuple(row): count for row, count in zip(PACKED.tolist(), batch.count_plays(PACKED).tolist(), strict=True)}
    assert batch.count_plays(view).tolist() == [counts[tuple(row)] for row in rows]
