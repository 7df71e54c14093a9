"""Converters against deliberately naive ones, there and back, for any shape and dtype; and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import bgcore as bg
from bgcore.elsewhere import bgsage, gnubg, openspiel, pgx, wildbg
from bgcore.errors import FormatError, InvalidPosition, InvalidReason, RuleError
from strategies import KINDS, boards

CORPUS = json.loads((Path(__file__).resolve().parents[1] / "golden" / "corpus_2000.json").read_text())["positions"]
BOARDS = np.array([position["board"] for position in CORPUS])
PACKED = bg.batch.from_boards(BOARDS)
RNG = np.random.default_rng(20)
DICE = RNG.integers(1, 7, (len(BOARDS), 2))
PLAYERS = RNG.integers(0, 2, len(BOARDS))
Board = tuple[int, ...]


# ---- the same written down naively, from a signed board of the player on roll


def naive_gnubg(board: Board) -> list[list[int]]:
    return [[max(-board[25 - slot], 0) for slot in range(1, 26)], [max(board[slot], 0) for slot in range(1, 26)]]


def naive_bgsage(board: Board) -> list[int]:
    return [abs(board[0]), *board[1:]]


def naive_pgx(board: Board, dice: tuple[int, int]) -> list[int]:
    points = [board[24 - i] for i in range(24)]
    off = [15 - sum(n for n in board if n > 0), -15 - sum(n for n in board if n < 0)]
    moves = list(dice) * (2 if dice[0] == dice[1] else 1)
    return [*points, board[25], board[0], *off, *(moves.count(number) for number in range(1, 7))]


def naive_openspiel(board: Board, player: int, dice: tuple[int, int], to_act: int) -> list[float]:
    mover = player if to_act < 0 else to_act  # whose board it is
    places: list[list[int]] = [[0] * 24, [0] * 24]
    for point in range(1, 25):
        place = 24 - point if mover == 0 else point - 1
        places[mover if board[point] > 0 else 1 - mover][place] = abs(board[point])
    bar = {mover: board[25], 1 - mover: -board[0]}
    found: list[float] = []
    for who in (player, 1 - player):
        for count in places[who]:
            found += [float(count == 1), float(count == 2), float(count == 3), max(count - 3.0, 0.0)]
    for who in (player, 1 - player):
        found += [bar[who], 15 - sum(places[who]) - bar[who], float(to_act == who)]
    return [*found, *dice]


def naive_wildbg(board: Board, dice: tuple[int, int]) -> dict[str, int]:
    return {f"p{point}": n for point, n in enumerate(board) if n} | {"die1": dice[0], "die2": dice[1]}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_every_converter_is_what_it_says(kind: str, data: st.DataObject) -> None:
    board = data.draw(boards(kind))
    dice = data.draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    player, other = data.draw(st.sampled_from([(0, 1), (1, 0)]))
    position = bg.Position.from_board(board)
    words = position.packed

    assert gnubg.to_boards(position).tolist() == naive_gnubg(board)
    assert (gnubg.from_boards(naive_gnubg(board)) == words).all()
    assert bgsage.to_boards(position).tolist() == naive_bgsage(board)
    assert (bgsage.from_boards(naive_bgsage(board)) == words).all()
    assert wildbg.to_boards(position).tolist() == list(board)
    assert (wildbg.from_boards(board) == words).all()
    assert wildbg.to_json(position, dice) == naive_wildbg(board, dice)
    packed, told = wildbg.from_json(naive_wildbg(board, dice))
    assert (packed == words).all()
    assert tuple(told.tolist()) == dice

    assert pgx.to_observations(position, dice).tolist() == naive_pgx(board, dice)
    seen = pgx.from_observations(naive_pgx(board, dice))
    assert (seen.packed == words).all()
    assert seen.dice.tolist() == sorted(dice, reverse=True)
    assert int(seen.left) == (4 if dice[0] == dice[1] else 2)
    assert bool(seen.whole)

    for to_act, thrown in ((player, dice), (other, dice), (-1, (0, 0))):
        naive = naive_openspiel(board, player, thrown, to_act)
        assert openspiel.to_observations(position, player, thrown, to_act).tolist() == naive
        observed = openspiel.from_observations(naive, player)
        assert (observed.packed == words).all()
        assert tuple(observed.dice.tolist()) == thrown
        assert int(observed.to_act) == to_act


# ---- arrays


class Way(NamedTuple):
    """A converter there and back, and the shape of one position there."""

    there: Callable[[Any], NDArray[Any]]
    back: Callable[[Any], NDArray[np.uint64]]
    tail: tuple[int, ...]


def some(values: NDArray[Any], like: Any) -> NDArray[Any]:
    """As many of the values as there are rows, in their shape."""
    lead = np.shape(like)[:-1]
    return values[: int(np.prod(lead))].reshape((*lead, *values.shape[1:]))


WAYS = {
    "gnubg": Way(gnubg.to_boards, gnubg.from_boards, (2, 25)),
    "bgsage": Way(bgsage.to_boards, bgsage.from_boards, (26,)),
    "wildbg": Way(wildbg.to_boards, wildbg.from_boards, (26,)),
    "pgx": Way(lambda p: pgx.to_observations(p, some(DICE, p)), lambda o: pgx.from_observations(o).packed, (34,)),
    "openspiel": Way(
        lambda p: openspiel.to_observations(p, some(PLAYERS, p), some(DICE, p)),
        lambda o: openspiel.from_observations(o, some(PLAYERS, o)).packed,
        (200,),
    ),
}
INTEGERS = ["int8", "int16", "int32", "int64", ">i4", "uint8"]


@pytest.mark.parametrize("name", WAYS)
def test_the_corpus_comes_back(name: str) -> None:
    way = WAYS[name]
    there = way.there(PACKED)
    assert there.shape == (2000, *way.tail)
    assert (way.back(there) == PACKED).all()
    again = bg.batch.from_gnubg_ids([position["id"] for position in CORPUS])
    assert (way.back(there) == again).all()


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("lead", [(), (0,), (1,), (6,), (2, 3), (2, 0, 3), (2, 1, 3)], ids=str)
def test_any_leading_shape(name: str, lead: tuple[int, ...]) -> None:
    way = WAYS[name]
    packed = PACKED[: int(np.prod(lead))].reshape(*lead, 4)
    there = way.there(packed)
    assert there.shape == (*lead, *way.tail)
    assert way.back(there).shape == (*lead, 4)
    assert (way.back(there) == packed).all()
    if lead:
        assert (way.back(there.tolist() if there.size else there) == packed).all()


@pytest.mark.parametrize("name", WAYS)
def test_strides_and_dtypes(name: str) -> None:
    way = WAYS[name]
    packed = PACKED[:50]
    there = way.there(packed)
    for dtype in INTEGERS:
        if there.min() < 0 and np.dtype(dtype).kind == "u":
            continue
        assert (way.back(there.astype(dtype)) == packed).all(), dtype
    frozen = there.copy()
    frozen.setflags(write=False)
    wide = np.repeat(there, 2, axis=0)
    for strided in (np.asfortranarray(there), wide[::2], np.ascontiguousarray(there[::-1])[::-1], frozen):
        before = strided.copy()
        assert (way.back(strided) == packed).all()
        assert (strided == before).all()
    assert (way.there(packed.astype(">u8")) == there).all()
    assert (way.there(np.repeat(packed, 2, axis=0)[::2]) == there).all()


def test_floats_of_openspiel() -> None:
    way = WAYS["openspiel"]
    there = way.there(PACKED[:50])
    assert there.dtype == np.float32
    for dtype in ("float16", "float32", "float64", ">f8", "longdouble"):
        assert (way.back(there.astype(dtype)) == PACKED[:50]).all()


@pytest.mark.parametrize("name", WAYS)
def test_refused_types_and_shapes(name: str) -> None:
    way = WAYS[name]
    there = way.there(PACKED[:3])
    wrong: list[Any] = [
        there.astype(bool),
        there.astype(complex),
        there.astype(str),
        there.astype(object),
        None,
        "text",
    ]
    if name != "openspiel":
        wrong += [there.astype(float), there.astype("float32")]
    for value in wrong:
        with pytest.raises(TypeError):
            way.back(value)
    for value in (there[..., :-1], np.concatenate([there, there], axis=-1), np.zeros((), there.dtype), [], [[1, 2]]):
        with pytest.raises((ValueError, TypeError)):
            way.back(value)
    with pytest.raises(TypeError, match="uint64"):
        way.there(PACKED[:3].astype(np.int64))
    for shape in ((4, 3), (12,)):
        with pytest.raises(ValueError, match="shape"):
            way.there(PACKED[:3].reshape(shape))


# ---- values that cannot be


def raised(call: Callable[[Any], Any], values: NDArray[Any], *, row: int | None = 1) -> InvalidPosition:
    """What is said of an array that has one wrong row, and of that row alone."""
    with pytest.raises(InvalidPosition) as error:
        call(values)
    assert error.value.row == row
    assert str(error.value).startswith(f"row {row}: ")
    with pytest.raises(InvalidPosition) as alone:
        call(values[row])
    assert alone.value.row is None
    assert f"row {row}: {alone.value}" == str(error.value)
    assert alone.value.reason == error.value.reason
    return error.value


START = np.repeat(bg.Position.initial().packed[None], 3, axis=0)


def changed(values: NDArray[Any], *changes: tuple[tuple[int, ...] | int, Any]) -> NDArray[Any]:
    """The same with something else in row 1."""
    values = values.copy()
    for place, value in changes:
        values[(1, *place) if isinstance(place, tuple) else (1, place)] = value
    return values


def test_gnubg_says_what_is_wrong() -> None:
    good = gnubg.to_boards(START).astype(int)
    assert "-1 at [0][4]" in str(raised(gnubg.from_boards, changed(good, ((0, 4), -1))))
    assert "300 at [1][0]" in str(raised(gnubg.from_boards, changed(good, ((1, 0), 300))))
    error = raised(gnubg.from_boards, changed(good, ((1, 0), 1)))
    assert "the player on roll has 16 checkers" in str(error)
    assert error.reason == InvalidReason.TOO_MANY_OWN
    assert raised(gnubg.from_boards, changed(good, ((0, 24), 2))).reason == InvalidReason.TOO_MANY_OPP
    error = raised(gnubg.from_boards, changed(good, ((1, 0), 1), ((1, 5), 4)))
    assert "[1][0] and [0][23]" in str(error)
    assert error.reason == InvalidReason.SHARED_POINT
    assert raised(gnubg.from_boards, np.stack([good[0], good[1] * 0, good[2]])).reason == InvalidReason.BOTH_OFF
    with pytest.raises(InvalidPosition, match="plays with 3"):
        gnubg.from_boards(good, checkers=3)
    hyper = gnubg.to_boards(bg.HYPERGAMMON.start)
    assert (gnubg.from_boards(hyper, checkers=3) == bg.HYPERGAMMON.start.packed).all()


def test_bgsage_says_what_is_wrong() -> None:
    good = bgsage.to_boards(START).astype(int)
    error = raised(bgsage.from_boards, changed(good, (0, -1), (1, -1)))
    assert "batch.from_boards" in str(error)
    assert "16 at [6]" in str(raised(bgsage.from_boards, changed(good, (6, 16))))
    assert raised(bgsage.from_boards, changed(good, (6, 6))).reason == InvalidReason.TOO_MANY_OWN
    assert raised(bgsage.from_boards, changed(good, (0, 1))).reason == InvalidReason.TOO_MANY_OPP
    raised(bgsage.from_boards, changed(good, (25, -1)))
    raised(bgsage.from_boards, good * [[1], [0], [1]])


def test_wildbg_says_what_is_wrong() -> None:
    good = wildbg.to_boards(START).astype(int)
    raised(wildbg.from_boards, changed(good, (0, 1)))
    assert raised(wildbg.from_boards, changed(good, (6, 6))).reason == InvalidReason.TOO_MANY_OWN
    objects = wildbg.to_json(START, (3, 1))
    assert wildbg.from_json(objects).packed.shape == (3, 4)
    assert wildbg.from_json([]).packed.shape == (0, 4)
    for change, error, text, field in (
        ({"p26": 1}, FormatError, "row 1: 'p26' is no name", "p26"),
        ({"x": 1}, FormatError, "no name", "x"),
        ({7: 1}, FormatError, "no name", "7"),
        ({"p1": 1.0}, FormatError, "row 1: p1 is a whole number, not 1.0", "p1"),
        ({"p1": "1"}, FormatError, "whole number", "p1"),
        ({"p1": True}, FormatError, "whole number", "p1"),
        ({"p1": None}, FormatError, "whole number", "p1"),
        ({"p1": float("nan")}, FormatError, "whole number", "p1"),
        ({"p1": 10**30}, InvalidPosition, "at p1", None),
        ({"p1": 1, "p2": 15}, InvalidPosition, "row 1: the player on roll has", None),
        ({"p25": -1}, InvalidPosition, "row 1: -1 at index 25", None),
        ({"die1": 7}, RuleError, "row 1: die1 is 1 to 6, not 7", None),
        ({"die2": 0}, RuleError, "die2 is 1 to 6", None),
    ):
        with pytest.raises(error, match=text) as caught:
            wildbg.from_json([objects[0], objects[1] | change])  # type: ignore[list-item]
        assert getattr(caught.value, "field", None) == field
    with pytest.raises(FormatError, match="die1 is missing"):
        wildbg.from_json({"die2": 1, "p1": 1})
    for value in ([1], ["p1"], [None]):
        with pytest.raises(TypeError, match="row 0: a position of wildbg is an object"):
            wildbg.from_json(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shape"):
        wildbg.to_json(START[None])
    with pytest.raises(RuleError, match="row 0"):
        wildbg.to_json(START, (3, 0))


def test_pgx_says_what_is_wrong() -> None:
    good = pgx.to_observations(START, (3, 1))
    raised(pgx.from_observations, changed(good, (24, -1)))
    assert "opponent's bar" in str(raised(pgx.from_observations, changed(good, (25, 1))))
    error = raised(pgx.from_observations, changed(good, (26, 1)))
    assert "1 at [26], but the player has 15" in str(error)
    assert error.reason == InvalidReason.WRONG_TOTAL_OWN
    assert raised(pgx.from_observations, changed(good, (27, 1))).reason == InvalidReason.WRONG_TOTAL_OPP
    raised(pgx.from_observations, changed(good, (0, 3)))
    raised(pgx.from_observations, changed(good, (0, 300)))
    raised(pgx.from_observations, good * [[1], [0], [1]])
    for left in ([1, 1, 1, 0, 0, 0], [5, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0], [-1, 0, 1, 0, 0, 0], [0, 0, 0, 0, 2, 2]):
        error = raised(pgx.from_observations, changed(good, (slice(28, 34), left)))
        assert str(left) in str(error)


def test_moves_left_of_pgx() -> None:
    start = bg.Position.initial()
    rolls = {(a, b): 4 if a == b else 2 for a in range(1, 7) for b in range(1, a + 1)}
    seen = set()
    for (a, b), full in rolls.items():
        for left in range(2, full + 1):
            observation = pgx.to_observations(start, (b, a), left)
            told = pgx.from_observations(observation)
            assert (told.dice.tolist(), int(told.left), bool(told.whole)) == ([a, b], left, left == full)
            seen.add(tuple(observation[28:].tolist()))
        told = pgx.from_observations(pgx.to_observations(start, (0, a)))
        assert (told.dice.tolist(), int(told.left), bool(told.whole)) == ([a, 0], 1, False)
    assert len(seen) == 15 + 6 * 3
    nobody = pgx.from_observations(pgx.to_observations(start))
    assert (nobody.dice.tolist(), int(nobody.left), bool(nobody.whole)) == ([0, 0], 0, False)
    for dice, left in (
        ((3, 1), 3),
        ((3, 1), 4),
        ((3, 3), 5),
        ((3, 3), 0),
        ((3, 0), 2),
        ((0, 0), 1),
        ((3, 1), -1),
        ((3, 1), 260),
    ):
        with pytest.raises(RuleError, match=f"{left} moves cannot be left"):
            pgx.to_observations(start, dice, left)
    with pytest.raises(RuleError, match="row 1"):
        pgx.to_observations(START, (3, 1), [2, 3, 2])
    with pytest.raises(TypeError, match="dice as well"):
        pgx.to_observations(start, left=2)
    for dice in ((7, 1), (-1, 1), (256, 1)):
        with pytest.raises(RuleError, match="a die shows 1 to 6"):
            pgx.to_observations(start, dice)


def test_openspiel_says_what_is_wrong() -> None:
    good = openspiel.to_observations(START, 0, (3, 1))

    def read(values: NDArray[Any]) -> Any:
        return openspiel.from_observations(values, 0)

    for place, value in (
        (0, np.nan), (0, np.inf), (0, 0.5), (0, -1), (0, 2), (3, 13), (3, -1), (96, 1e30), (100, 256), (101, -255),
        (192, -1), (192, 16), (193, 0.1), (194, 2), (198, 7), (199, np.nan), (198, 2.5),
    ):  # fmt: skip
        assert f" at index {place}, " in str(raised(read, changed(good, (place, value)))), (place, value)
    assert "[1.0, 1.0, 0.0, 0.0]" in str(raised(read, changed(good, (0, 1))))  # 1 and 2 checkers at once
    error = raised(read, changed(good, (1, 0), (0, 1)))
    assert "the observer has 14 checkers, bar and borne off counted, not 15" in str(error)
    assert error.reason == InvalidReason.WRONG_TOTAL_OWN
    assert raised(read, changed(good, (195, 1))).reason == InvalidReason.WRONG_TOTAL_OPP
    shared = changed(good, (96 + 5 * 4 + 3, 1), (96, 1))  # one of place 5 moved to place 0
    error = raised(read, shared)
    assert "both sides hold place 0" in str(error)
    assert error.reason == InvalidReason.SHARED_POINT
    empty = good * 0
    empty[:, [193, 196]] = 15
    assert raised(read, np.stack([good[0], empty[1], good[2]])).reason == InvalidReason.BOTH_OFF
    for changes in ([(194, 0)], [(197, 1)], [(199, 0)], [(198, 0)], [(198, 0), (199, 0)]):
        assert "194 and 197" in str(raised(read, changed(good, *changes)))
    with pytest.raises(InvalidPosition, match="not 3"):
        openspiel.from_observations(good, 0, checkers=3)


def test_players_of_openspiel() -> None:
    good = openspiel.to_observations(START, [0, 1, 0], (3, 1))
    assert (openspiel.from_observations(good, [0, 1, 0]).packed == START).all()
    for player in (2, -1, [0, 1, 2], 256):
        with pytest.raises(RuleError, match="player is 0 or 1"):
            openspiel.from_observations(good, player)
    for player in (True, 0.0, None, [0, 1.5, 1]):
        with pytest.raises(TypeError):
            openspiel.from_observations(good, player)
    with pytest.raises(ValueError, match="broadcast"):
        openspiel.from_observations(good, [0, 1])
    for dice, to_act in (((3, 1), -1), ((3, 0), 0), ((0, 0), 0), (None, 1)):
        with pytest.raises(RuleError, match="row 0: dice"):
            openspiel.to_observations(START, 0, dice, to_act)
    with pytest.raises(RuleError, match="to_act is 0, 1 or -1, not 2"):
        openspiel.to_observations(START, 0, (3, 1), 2)


@pytest.mark.parametrize("name", WAYS)
def test_positions_that_they_cannot_hold(name: str) -> None:
    plakoto = np.stack([PACKED[0], bg.PLAKOTO.start.packed, PACKED[1]])
    pinned = np.zeros((2, 26), int)
    pinned[0, 10], pinned[0, 0], pinned[1, 15], pinned[1, 0] = 1, 14, 2, 13
    mask = np.zeros((2, 26), bool)
    mask[0, 10] = True
    words = bg.Position.from_counts(pinned, mask).packed
    with pytest.raises(InvalidPosition, match="row 1: "):
        WAYS[name].there(np.stack([PACKED[0], words, PACKED[1]]))
    bad = PACKED[:3].copy()
    bad[1, 0] |= np.uint64(15)
    with pytest.raises(InvalidPosition, match="row 1: "):
        WAYS[name].there(bad)
    assert (WAYS[name].back(WAYS[name].there(plakoto)) == plakoto).all()  # no point is shared there
    few = np.stack([PACKED[0], bg.HYPERGAMMON.start.packed])
    if name in ("gnubg", "openspiel"):
        assert WAYS[name].there(few).shape[0] == 2
    else:
        with pytest.raises(InvalidPosition, match="row 1: "):
            WAYS[name].there(few)


@given(st.data())
def test_noise_never_passes_for_a_position(data: st.DataObject) -> None:
    """What is read comes out again as it was; all else is refused."""
    name = data.draw(st.sampled_from(sorted(WAYS)))
    way = WAYS[name]
    start = way.there(PACKED[:1]).copy()
    size = int(np.prod(way.tail))
    flat = start.reshape(-1).astype(int)
    for _ in range(data.draw(st.integers(1, 4))):
        flat[data.draw(st.integers(0, size - 1))] = data.draw(st.integers(-16, 16))
    values = flat.reshape(start.shape)
    try:
        packed = way.back(values)
    except InvalidPosition:
        return
    assert not (bg.batch.validate(packed) & np.uint32(InvalidReason.SHARED_POINT | InvalidReason.WRONG_TOTAL_OWN)).any()
    if name == "openspiel":
        seen = openspiel.from_observations(values, PLAYERS[:1])
        assert (openspiel.to_observations(seen.packed, PLAYERS[:1], seen.dice, seen.to_act) == values).all()
    elif name == "pgx":
        assert (pgx.to_observations(*pgx.from_observations(values)) == values).all()
    else:
        assert (way.there(packed) == values).all()


def test_the_bridge_to_openspiel_says_the_same() -> None:
    from bgcore.bridges.openspiel import load_game

    rng = np.random.default_rng(3)
    for hyper in (False, True):
        game = load_game("backgammon", {"hyper_backgammon": hyper})
        state = game.new_initial_state()
        tensors, acting = [], []
        while not state.is_terminal() and len(tensors) < 400:
            tensors.append([state.observation_tensor(player) for player in (0, 1)])
            acting.append(max(state.current_player(), -1))
            outcomes = state.chance_outcomes() if state.is_chance_node() else None
            options = state.legal_actions() if outcomes is None else [outcome for outcome, _ in outcomes]
            state.apply_action(int(rng.choice(options)))
        seen = openspiel.from_observations(tensors, [[0, 1]] * len(tensors), 3 if hyper else 15)
        assert seen.to_act.tolist() == [[player, player] for player in acting]
        on_roll = np.array(acting) >= 0
        assert (seen.packed[on_roll, 0] == seen.packed[on_roll, 1]).all()
        assert (seen.packed[~on_roll, 0] == bg.batch.flip(seen.packed[~on_roll, 1])).all()
        again = openspiel.to_observations(seen.packed, [[0, 1]] * len(tensors), seen.dice, seen.to_act)
        assert again.tolist() == tensors


def test_adapters_of_conformance_say_the_same() -> None:
    from bgcore.conformance.adapters import _sides

    for board in BOARDS[:200].tolist():
        sides = gnubg.to_boards(bg.Position.from_board(board)).tolist()
        assert [list(side) for side in _sides.to_sides(board)] == sides
        assert _sides.to_board(sides) == board
