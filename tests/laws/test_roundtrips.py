"""What goes out comes back: counts, boards, words, Position ID, XGID, pickles, flips, and every spelling of a play."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgcore as bg
import strategies
from naive import backgammon
from naive import words as naive
from naive.backgammon import Board

KINDS = st.sampled_from(list(strategies.KINDS)).flatmap(strategies.boards)
ROLLS = st.sampled_from(backgammon.ROLLS)
PLAYS = 30  # of a roll, at most: a double has thousands


def position_of(board: Board, checkers: int = 15) -> bg.Position:
    return bg.Position.from_board(np.array(board, np.int8), checkers)


@st.composite
def any_counts(draw: st.DrawFn) -> tuple[list[list[int]], list[set[int]]]:
    """Counts and pins that some game could have: shared points, missing checkers, pins on any point."""
    counts, pins = [[0] * 26, [0] * 26], []
    for side in counts:
        for slot in draw(st.lists(st.integers(0, 25), max_size=15)):
            side[slot] += 1
        pins.append(draw(st.sets(st.sampled_from([0, *[p for p in range(1, 25) if side[p]]]))) - {0})
    if not any(counts[0][1:] + counts[1][1:]):
        counts[0][0], counts[0][1] = min(counts[0][0], 14), 1
    return counts, pins


def marks(pins: list[set[int]]) -> np.ndarray:
    return np.array([[point in side for point in range(26)] for side in pins])


# ---- positions ----------------------------------------------------------------------------------------------------


@given(any_counts())
def test_counts_pins_and_words(drawn: tuple[list[list[int]], list[set[int]]]) -> None:
    counts, pins = drawn
    position = bg.Position.from_counts(counts, marks(pins))
    words = naive.pack(counts, pins)
    assert tuple(position.packed.tolist()) == words
    assert position.counts.tolist() == counts
    assert np.array_equal(position.pinned, marks(pins))
    assert bg.Position.from_packed(position.packed) == position
    assert bg.Position.from_counts(position.counts, position.pinned) == position
    packed = bg.batch.pack([counts, counts], np.stack([marks(pins)] * 2))
    assert [tuple(row) for row in packed.tolist()] == [words, words]
    back, pinned = bg.batch.unpack(packed)
    assert back.tolist() == [counts, counts]
    assert np.array_equal(pinned, np.stack([marks(pins)] * 2))
    assert np.array_equal(bg.batch.pack(back, pinned), packed)


@given(any_counts())
def test_turning_the_board_twice(drawn: tuple[list[list[int]], list[set[int]]]) -> None:
    counts, pins = drawn
    position = bg.Position.from_counts(counts, marks(pins))
    flipped = position.flipped()
    assert flipped.counts.tolist() == counts[::-1]
    assert np.array_equal(flipped.pinned, marks(pins)[::-1])
    assert flipped.flipped() == position
    assert (flipped == position) == (counts[0] == counts[1] and pins[0] == pins[1])
    for name in ("pips", "off", "bar"):
        assert getattr(flipped, name) == getattr(position, name)[::-1]
    assert flipped.is_over == position.is_over
    assert flipped.is_contact == position.is_contact
    assert np.array_equal(bg.batch.flip(position.packed[None])[0], flipped.packed)


@given(any_counts(), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_pickles_copies_and_reprs(drawn: tuple[list[list[int]], list[set[int]]], protocol: int) -> None:
    counts, pins = drawn
    position = bg.Position.from_counts(counts, marks(pins))
    for other in (
        pickle.loads(pickle.dumps(position, protocol)),
        copy.copy(position),
        copy.deepcopy(position),
        eval(repr(position), {"Position": bg.Position, "np": np}),
    ):
        assert other == position
        assert hash(other) == hash(position)


@given(any_counts(), any_counts())
def test_equality_order_and_hash_are_those_of_the_words(
    one: tuple[list[list[int]], list[set[int]]], two: tuple[list[list[int]], list[set[int]]]
) -> None:
    a, b = (bg.Position.from_counts(counts, marks(pins)) for counts, pins in (one, two))
    x, y = (naive.pack(counts, pins) for counts, pins in (one, two))
    assert [a == b, a != b, a < b, a <= b, a > b, a >= b] == [x == y, x != y, x < y, x <= y, x > y, x >= y]
    assert x != y or hash(a) == hash(b)


@given(KINDS)
def test_boards(board: Board) -> None:
    position = position_of(board)
    assert position.board.tolist() == list(board) == naive.board(position.counts.tolist())
    assert position.flipped().board.tolist() == list(backgammon.flip(board))
    assert position.counts.sum(axis=1).tolist() == [15, 15]
    packed = bg.batch.from_boards([board, backgammon.flip(board)])
    assert bg.batch.to_boards(packed).tolist() == [list(board), list(backgammon.flip(board))]
    assert packed.tolist() == [position.packed.tolist(), position.flipped().packed.tolist()]


@given(KINDS, st.data())
def test_boards_of_fewer_checkers(board: Board, data: st.DataObject) -> None:
    """What is not on the board is borne off, however many the game has."""
    least = max(sum(c for c in board if c > 0), -sum(c for c in board if c < 0))
    checkers = data.draw(st.integers(least, 15))
    position = position_of(board, checkers)
    assert position.counts.sum(axis=1).tolist() == [checkers, checkers]
    assert position.board.tolist() == list(board)
    assert bg.Position.from_gnubg_id(position.gnubg_id, checkers) == position
    assert bg.batch.from_gnubg_ids([position.gnubg_id], checkers).tolist() == [position.packed.tolist()]
    assert bg.batch.from_boards([board], checkers).tolist() == [position.packed.tolist()]
    assert eval(repr(position), {"Position": bg.Position}) == position
    if least > 1:
        for read in (
            lambda: position_of(board, least - 1),
            lambda: bg.Position.from_gnubg_id(position.gnubg_id, least - 1),
            lambda: bg.batch.from_gnubg_ids([position.gnubg_id], least - 1),
        ):
            with pytest.raises(bg.InvalidPosition):
                read()


@given(KINDS)
def test_position_ids(board: Board) -> None:
    position = position_of(board)
    text = naive.gnubg_id(position.counts.tolist())
    assert position.gnubg_id == text
    assert bg.Position.from_gnubg_id(text) == position
    packed = bg.batch.from_gnubg_ids([text, position.flipped().gnubg_id])
    assert bg.batch.gnubg_ids(packed).tolist() == [text, position.flipped().gnubg_id]
    assert packed.tolist() == [position.packed.tolist(), position.flipped().packed.tolist()]


@given(KINDS, st.sampled_from(["1", "-1"]), st.sampled_from(["00", "31", "66", "D", "B"]))
def test_xgids(board: Board, turn: str, dice: str) -> None:
    """Bottom's checkers are the capitals whoever is on roll; own is the player on roll."""
    line = "".join("-" if not c else chr(ord("A") + c - 1) if c > 0 else chr(ord("a") - c - 1) for c in board)
    position = bg.Position.from_xgid(f"XGID={line}:0:0:{turn}:{dice}:0:0:0:0:10")
    assert position == (position_of(board) if turn == "1" else position_of(board).flipped())


@given(any_counts())
def test_what_a_board_cannot_say_is_refused(drawn: tuple[list[list[int]], list[set[int]]]) -> None:
    """Shared points and pins have no place in boards and IDs; everything else passes."""
    counts, pins = drawn
    position = bg.Position.from_counts(counts, marks(pins))
    shared = any(counts[0][point] and counts[1][25 - point] for point in range(1, 25))
    if shared or pins[0] or pins[1]:
        for say in (
            lambda: position.board,
            lambda: position.gnubg_id,
            lambda: bg.batch.to_boards(position.packed[None]),
            lambda: bg.batch.gnubg_ids(position.packed[None]),
        ):
            with pytest.raises(bg.InvalidPosition):
                say()
    else:
        assert position.board.tolist() == naive.board(counts)
        assert position.gnubg_id == naive.gnubg_id(counts)


# ---- plays --------------------------------------------------------------------------------------------------------

BAR = ("bar", "Bar", "BAR", "b", "ba", "25")
OFF = ("off", "Off", "OFF", "o", "of", "0", "-")


def point(number: int, rng: random.Random, top: bool = False, dash: bool = True) -> str:
    """Write a point; for the top player in the bottom player's numbers."""
    if number in (0, 25):
        words = [word for word in (BAR if number else OFF) if dash or word != "-"]
        word = rng.choice(words)
        return {"25": "0", "0": "25"}.get(word, word) if top else word
    return str(25 - number if top else number)


def chains_of(moves: tuple[bg.Move, ...], rng: random.Random) -> list[list[bg.Move]]:
    """Return the moves in any order, some that follow each other joined."""
    chains = [[move] for move in rng.sample(moves, len(moves))]
    for _ in range(rng.choice((0, 2, 8))):
        if len(chains) > 1:
            first, second = rng.sample(chains, 2)
            if first[-1].target == second[0].source:
                chains = [chain for chain in chains if chain is not second]
                first.extend(second)
    return chains


def spelled(
    moves: tuple[bg.Move, ...], rng: random.Random, *, marked: bool = True, spans: bool = True, top: bool = False
) -> str:
    """Write a play in one of very many ways.

    marked writes a star at each hit; spans leaves out some stops in between, one with a hit only if not marked.
    """
    tokens: list[str] = []
    separator = rng.choice("//-")
    everywhere = marked and rng.random() < 0.3  # a star at each of several checkers that come to the same blot
    hits = {move.target for move in moves if move.hit}
    for chain in chains_of(moves, rng):
        text = point(chain[0].source, rng, top)
        for i, move in enumerate(chain):
            hit = move.hit or (everywhere and move.target in hits)
            star = "*" if marked and hit else ""
            if i < len(chain) - 1 and not star and spans and rng.random() < 0.7:
                continue
            text += rng.choice((separator, "/")) + point(move.target, rng, top) + star
        tokens.append(text)
    if rng.random() < 0.5:  # counts for equal tokens
        counted: dict[str, list[str]] = {}
        for token in tokens:
            counted.setdefault(token.replace("*", ""), []).append(token)
        tokens = []
        for same in counted.values():
            text = max(same, key=len)
            times = f"({len(same)})" if len(same) > 1 or rng.random() < 0.1 else ""
            tokens.append(text[:-1] + times + "*" if text[-1] == "*" and rng.random() < 0.3 else text + times)
    return rng.choice(("", " ")) + rng.choice((" ", "  ", ", ", ",", "\t")).join(tokens) + rng.choice(("", "  "))


def plain(moves: tuple[bg.Move, ...], rng: random.Random) -> str:
    """Write nothing but points and blanks."""
    order = rng.sample(moves, len(moves))
    return " ".join(f"{point(m.source, rng)} {point(m.target, rng, dash=False)}" for m in order)


def assert_spellings(position: bg.Position, roll: tuple[int, int], play: bg.Play, rng: random.Random) -> None:
    rules, moves = bg.BACKGAMMON, play.moves
    where = f"{position!r} {roll} {play}"
    assert rules.check(position, roll, play) == play, where
    assert rules.check(position, roll, str(play)) == play, where
    read = bg.Play.parse(" ".join(f"{m.source}/{m.target}{'*' * m.hit}" for m in moves))
    assert read.moves == moves, where
    assert rules.check(position, roll, read) == play, where
    for _ in range(2):
        for text in (
            spelled(moves, rng),
            spelled(moves, rng, marked=False, spans=False),
            spelled(moves, rng, spans=False).upper(),
            plain(moves, rng),
        ):
            assert rules.parse_play(position, roll, text) == play, f"{where} as {text!r}"
            assert rules.parse_play(position, roll[::-1], text) == play, f"{where} as {text!r}"
        text = spelled(moves, rng)
        assert rules.parse_play(position, roll, text, numbering="absolute", side="bottom") == play, (
            f"{where} as {text!r}"
        )
        text = spelled(moves, rng, top=True)
        assert rules.parse_play(position, roll, text, numbering="absolute", side="top") == play, f"{where} as {text!r}"
        assert_unmarked(position, roll, play, spelled(moves, rng, marked=False))


def assert_unmarked(position: bg.Position, roll: tuple[int, int], play: bg.Play, text: str) -> None:
    """A span without a star may hide a route: it is the one meant, or one that hits nothing, or both are named."""
    where = f"{position!r} {roll} {play} as {text!r}"
    try:
        read = bg.BACKGAMMON.parse_play(position, roll, text)
    except bg.FormatError as error:
        message = str(error)
    else:
        if read != play:
            assert any(move.hit for move in play.moves), where
            assert not any(move.hit for move in read.moves), where
            assert read in bg.BACKGAMMON.legal_plays(position, roll), where
        return
    assert "could mean" in message, where
    assert str(play) in message, where
    assert sum(str(other) in message for other in bg.BACKGAMMON.legal_plays(position, roll)) >= 2, where


def assert_notation(board: Board, roll: tuple[int, int], rng: random.Random) -> None:
    """Every play of a roll has a text of its own, and all of its spellings lead back to it."""
    position = position_of(board)
    plays = bg.BACKGAMMON.legal_plays(position, roll)
    texts = [str(play) for play in plays]
    assert len(set(texts)) == len(texts), f"{board} {roll}: two plays are written alike"
    for play in plays if len(plays) <= PLAYS else rng.sample(plays, PLAYS):
        assert_spellings(position, roll, play, rng)
    if not plays:
        for text in ("", "  ", "pass", "Cannot Move", "DANCE", "no move"):
            assert bg.BACKGAMMON.parse_play(position, roll, text).result == position.flipped()
            assert len(bg.BACKGAMMON.parse_play(position, roll, text)) == 0


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(KINDS, ROLLS, st.randoms(use_true_random=False))
def test_every_spelling_of_every_play(board: Board, roll: tuple[int, int], rng: random.Random) -> None:
    assert_notation(board, roll, rng)


@pytest.mark.parametrize("kind", strategies.KINDS)
def test_spellings_on_many_boards(kind: str) -> None:
    rng = random.Random(kind)
    for board in strategies.seeded(kind, 21, 12):
        assert_notation(board, rng.choice(backgammon.ROLLS), rng)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_spellings_on_more_boards(seed: int) -> None:
    rng = random.Random(seed)
    kind = list(strategies.KINDS)[seed % len(strategies.KINDS)]
    for board in strategies.seeded(kind, 300 + seed, 120):
        assert_notation(board, rng.choice(backgammon.ROLLS), rng)


@pytest.mark.slow
def test_every_spelling_of_every_play_of_the_opening() -> None:
    rng = random.Random(0)
    for roll in backgammon.ROLLS:
        assert_notation(strategies.START, roll, rng)


@given(KINDS, ROLLS, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plays_pickle(board: Board, roll: tuple[int, int], protocol: int) -> None:
    for play in bg.BACKGAMMON.legal_plays(position_of(board), roll)[:10]:
        parsed = bg.Play.parse(str(play))
        for one in (play, parsed):
            for other in (pickle.loads(pickle.dumps(one, protocol)), copy.copy(one), copy.deepcopy(one)):
                assert other == one
                assert hash(other) == hash(one)
                assert other.moves == one.moves
        assert pickle.loads(pickle.dumps(play, protocol)).result == play.result
        assert parsed != play


@given(KINDS, ROLLS)
def test_a_parsed_play_can_be_pasted_back(board: Board, roll: tuple[int, int]) -> None:
    for play in bg.BACKGAMMON.legal_plays(position_of(board), roll)[:10]:
        hops = " ".join(f"{m.source}/{m.target}{'*' * m.hit}" for m in play.moves)
        for text in (str(play), hops):
            parsed = bg.Play.parse(text)
            assert eval(repr(parsed), {"Play": bg.Play}) == parsed, text
