"""Transcripts: cells, columns, oddities, the rule of hits, what is written where something is wrong."""

from __future__ import annotations

import io

import numpy as np
import pytest

import bgcore as bg
from bgcore.errors import FormatError
from bgcore.formats.matches import written
from bgcore.formats.play_text import hop_by_hop, read_play, spans
from bgcore.match.transcript import Match
from naive import backgammon as naive
from naive import scribes

HEAD = " 7 point match\n\n Game 1\n Ann : 0                    Bob : 0\n"
FIRST = "  1) 31: 8/5 6/5                52: 24/22 13/8\n"


def read(text: str, *, strict: bool = False) -> Match:
    return bg.read_match(io.BytesIO(text.encode()), strict=strict)


def notes(match: Match) -> list[str]:
    return [str(note) for note in match.notes]


def board(*counts: tuple[int, int]) -> str:
    """The 26 characters of a position as XG's comment about it has them."""
    line = [0] * 26
    for point, count in counts:
        line[point] = count
    return "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in line)


def one_play(line: str, roll: str, text: str, **kwargs: bool) -> Match:
    """A game that begins with player 0 to play a roll in a position."""
    head = HEAD.replace(" Game 1", f"; Set Pos={line}/0\n Game 1")
    return read(f"{head}  1) {roll}: {text}\n", **kwargs)


# ---- spans and hits -------------------------------------------------------------------------------------------------

# Ann may go from 8 to 1 with 6-1 over 7 or over 2; the opponent's blots are on 7, on 2, or on both.
BOTH = board((8, 1), (6, 2), (24, 12), (7, -1), (2, -1), (19, -2), (20, -11))
SEVEN = board((8, 1), (6, 2), (24, 12), (7, -1), (19, -2), (20, -12))


@pytest.mark.parametrize(
    ("line", "text", "bar"),
    [
        (SEVEN, "8/1", 0),  # no mark: the way that hits nothing
        (SEVEN, "8/7*/1", 1),
        (SEVEN, "8/7* 7/1", 1),
        (SEVEN, "8/7 7/1", 1),  # hop by hop, in a dialect that has no marks: the stop binds
        (SEVEN, "7/1 8/7", 1),
        (SEVEN, "8/2 2/1", 0),
        (SEVEN, "8/2/1", 0),
    ],
)
def test_the_way_of_a_span_is_found_by_its_hits(line: str, text: str, bar: int) -> None:
    match = one_play(line, "61", text, strict=True)
    [turn] = match.games[0].turns
    assert turn.play is not None
    assert turn.play.result.bar == (bar, 0)


def test_a_span_that_hits_either_way_is_ambiguous() -> None:
    match = one_play(BOTH, "61", "8/1*")
    assert "could mean" in match.notes[0].message
    with pytest.raises(FormatError, match=r"line 6: '8/1\*' could mean 8/2\*/1 or 8/7\*/1"):
        one_play(BOTH, "61", "8/1*", strict=True)
    assert one_play(BOTH, "61", "8/2* 2/1", strict=True).games[0].turns[0].play is not None


def test_hits_that_are_marked_but_do_not_happen_are_noted() -> None:
    text = HEAD + "  1) 31: 8/5* 6/5\n"
    assert notes(read(text)) == ["line 5: '8/5* 6/5': 1 hits are marked, but it hits 0"]
    with pytest.raises(FormatError, match="1 hits are marked"):
        read(text, strict=True)


@pytest.mark.parametrize("seed", range(4))
def test_both_spellings_of_every_legal_play_are_read_back(seed: int) -> None:
    told = scribes.story(seed, plans=("play",))
    for turn in told.games[0].turns[::3]:
        if turn.action != "play":
            continue
        before = bg.Position.from_board(np.array(turn.before, np.int8))
        line = "".join("-" if n == 0 else chr(64 + n) if n > 0 else chr(96 - n) for n in turn.before)
        for play in bg.BACKGAMMON.legal_plays(before, turn.dice)[seed::5]:
            for text in (hop_by_hop(play), hop_by_hop(play, hits=False), spans(play), str(play)):
                roll = f"{turn.dice[0]}{turn.dice[1]}"
                [read_turn] = one_play(line, roll, text, strict=True).games[0].turns
                assert read_turn.play == play, text


@pytest.mark.parametrize(
    ("text", "moves", "marks"),
    [
        ("8/5 6/5", [(8, 5), (6, 5)], 0),
        ("24/18*/13", [(24, 18), (18, 13)], 1),
        ("bar/20* Bar/20", [(25, 20), (25, 20)], 1),
        ("7/1*(2)", [(7, 1), (7, 1)], 1),
        ("8/5*(2)*", [(8, 5), (8, 5)], 2),
        ("6/0 6/off 6/Off", [(6, 0)] * 3, 0),
        ("8-5, 6-5", [(8, 5), (6, 5)], 0),
        ("8 5 6 5", [(8, 5), (6, 5)], 0),
        ("6/8", [(6, 8)], 0),  # backwards: illegal, but told
        ("Cannot Move", [], 0),
    ],
)
def test_play_texts(text: str, moves: list[tuple[int, int]], marks: int) -> None:
    found = read_play(text)
    assert (list(found.moves), found.marks, found.unknown) == (moves, marks, False)


@pytest.mark.parametrize("text", ["??", "????", "nonsense", "8/", "26/20", "0/3", "8/25", "1/0 " * 9])
def test_texts_that_are_no_play(text: str) -> None:
    assert read_play(text).unknown


# ---- cells and columns ----------------------------------------------------------------------------------------------


def test_a_single_cell_belongs_to_the_column_that_it_starts_in() -> None:
    match = read(HEAD + "  1)                             52: 24/22 13/8\n  2) 31: 8/5 6/5\n", strict=True)
    assert [turn.player for turn in match.games[0].turns] == [1, 0]


def test_rows_may_be_numbered_wrongly_and_stray() -> None:
    match = read(HEAD + "  7) 31: 8/5 6/5                52: 24/22 13/8\n  7)\n  1) 64: 24/14\n\n  2)\n", strict=True)
    assert [turn.player for turn in match.games[0].turns] == [0, 1, 0]
    assert notes(match) == ["line 6: a row without a cell", "line 9: a row without a cell"]


def test_names_with_colons_and_numbers() -> None:
    head = HEAD.replace("Ann : 0                    Bob", "Team: 3 (USA) : 0              Bob : 2  x")
    assert read(head + FIRST, strict=True).names == ("Team: 3 (USA)", "Bob : 2  x")


def test_scores_of_other_lines_are_no_names() -> None:
    match = read(" 7 point match\n\n Game 1\n  1) 31: 8/5 6/5                52: 24/22 13/8\n")
    assert "without a line of names and score" in match.notes[0].message
    assert len(match.games[0].turns) == 2


@pytest.mark.parametrize("answer", [" Takes", " Drops"])
def test_the_answer_may_stand_in_the_same_row_or_the_next(answer: str) -> None:
    same = HEAD + FIRST + f"  2)  Doubles => 2               {answer}\n"
    late = HEAD + FIRST + "  2) 64: 24/14                    Doubles => 2\n" + f"  3) {answer}\n"
    assert read(same, strict=True).games[0].turns[-1].player == 1
    assert read(late, strict=True).games[0].turns[-1].player == 0


def test_beavers_and_raccoons() -> None:
    rows = "  2)  Doubles => 2                Beavers => 4\n  3)  Raccoons => 8\n  3) 64: 24/14\n"
    match = read(HEAD.replace(" 7 ", " 0 ") + FIRST + rows)
    actions = [(turn.action, turn.cube) for turn in match.games[0].turns[2:5]]
    assert actions == [("double", 2), ("beaver", 4), ("raccoon", 8)]
    last = list(match.games[0].steps())[-1]
    assert (last.cube, last.owner) == (1, None)
    again = read(written(match, "sgf").decode())
    assert [turn.action for turn in again.games[0].turns] == [turn.action for turn in match.games[0].turns]


def test_the_cube_behind_each_turn() -> None:
    rows = "  2)  Doubles => 2                Takes\n  3) 64: 24/14                    Doubles => 4\n  4)  Takes\n"
    steps = list(read(HEAD + FIRST + rows, strict=True).games[0].steps())
    assert [(step.cube, step.owner) for step in steps] == [
        (1, None), (1, None), (1, None), (1, None), (2, 1), (2, 1), (2, 1)
    ]  # fmt: skip


# ---- how games end --------------------------------------------------------------------------------------------------


def end_of(rows: str, head: str = HEAD) -> tuple[object, ...] | None:
    end = read(head + FIRST + rows).games[0].end
    return None if end is None else tuple(end)


@pytest.mark.parametrize(
    ("rows", "end"),
    [
        ("  2)  Doubles => 2                Drops\n", (0, 1, "single", "dropped", None)),
        ("  2)  Doubles => 2                Drops  Wins 1 point\n", (0, 1, "single", "dropped", 1)),
        ("  2) 64: 24/14                    Resigns\n      Wins 2 points\n", (0, 2, "gammon", "resigned", 2)),
        ("  2) 64: 24/14                   Losses 3 point\n      Wins 3 point\n", (0, 3, "backgammon", "resigned", 3)),
        ("  2) Losses 1 point\n", (1, 1, "single", "resigned", 1)),
        ("      Wins 2 points\n", (0, 2, "gammon", "resigned", 2)),
        ("                                  Wins 1 points\n", (1, 1, "single", "resigned", 1)),
        ("  2) 64: ????                     Wins 2 points\n", (1, 2, "gammon", "resigned", 2)),
        ("", None),
    ],
)
def test_ends(rows: str, end: tuple[object, ...] | None) -> None:
    assert end_of(rows) == end


def test_jacoby_takes_the_gammon_away_while_the_cube_is_centred() -> None:
    told = next(s for s in (scribes.story(i, 0, ("play",)) for i in range(200)) if s.games[0].points % 2 == 0)
    plain = scribes.transcript(told, "gnubg").decode()
    doubled = any(turn.action == "take" for turn in told.games[0].turns)
    match = read('; [Jacoby "On"]\n' + plain)
    assert match.games[0].end is not None
    assert match.games[0].end.points == (told.games[0].points if doubled else 1)


def test_a_wrong_result_is_diagnosed_from_the_board() -> None:
    rows = "  2)  Doubles => 2                Drops\n                                  Wins 1 point\n"
    match = read(HEAD + FIRST + rows)
    assert match.games[0].end is not None
    assert match.games[0].end.winner == 0
    assert notes(match) == ["line 7: Bob is said to win, but by what was played it is Ann"]
    rows = "  2)  Doubles => 2                Drops\n      Wins 4 points\n"
    assert notes(read(HEAD + FIRST + rows)) == ["line 7: 4 points are said to be won, but by what was played it is 1"]


def test_points_may_be_capped_to_what_the_match_needs() -> None:
    rows = "  2)  Doubles => 2                Takes\n  3)  Losses 3 point\n"
    head = HEAD.replace("Bob : 0", "Bob : 4")
    match = read(head + FIRST + rows, strict=True)
    assert tuple(match.games[0].end or ()) == (1, 4, "gammon", "resigned", 3)


def test_a_score_that_goes_on_otherwise_tells_who_resigned() -> None:
    games = HEAD + FIRST + "      Wins 2 points\n\n Game 2\n Ann : 0                    Bob : 1\n" + FIRST
    match = read(games)
    assert "by the score Bob has won 1 in the last game, not Ann 2" in match.notes[0].message
    assert tuple(match.games[0].end or ())[:3] == (1, 1, "single")


def test_the_score_of_the_next_game_is_checked() -> None:
    rows = "  2)  Doubles => 2                Drops\n"
    games = HEAD + FIRST + rows + "\n Game 2\n Ann : 3                    Bob : 0\n" + FIRST
    assert notes(read(games)) == ["line 9: the score is 3-0, but after the last game it was 1-0"]


def test_the_crawford_game_follows_from_the_scores() -> None:
    scores = [(0, 0), (4, 0), (4, 1), (4, 3)]
    text = " 5 point match\n"
    for number, (zero, one) in enumerate(scores, 1):
        text += f"\n Game {number}\n Ann : {zero}                    Bob : {one}\n" + FIRST
        text += ("      Wins 4 points\n", *["                                  Wins 1 point\n"] * 3)[number - 1]
    assert [game.crawford for game in read(text).games] == [False, True, False, False]
    assert not any(game.crawford for game in read('; [Crawford "Off"]\n' + text).games)
    second = " Game 2\n Ann : 4                    Bob : 0\n" + FIRST
    doubled = text.replace(second, second + "  2)  Doubles => 2     Takes\n")
    assert any("Crawford game" in note for note in notes(read(doubled)))


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        ("  2)  Takes\n", "a take with no double before it"),
        ("  2)  Doubles => 3                Takes\n", "the cube goes to 3; 2 was to be expected"),
        ("  2)  Doubles => 2\n  3) 64: 24/14\n", "the double is not answered"),
        ("  2)                              64: 24/14\n", "Bob acts, but it is the turn of Ann"),
        ("  2)  Doubles => 2                Takes\n  3)  Doubles => 4\n", "the other side owns the cube"),
        ("  2) 64: ????                     31: 6/5 8/5\n", "the play is not known"),
        ("  2) 64:                          31: 6/5 8/5\n", "no move, though"),
        ("  2)  Doubles => 2                Drops\n  3) 64: 24/14\n", "after the double was dropped; left out"),
        ("  2)  Resigns\n  3) 64: 24/14\n", "goes on after its end"),
        ("      Wins 1 point\n      Wins 1 point\n", "told twice"),
        ("what is this\n", "unknown line 'what is this'"),
        ("  2) x 64: 24/14\n", "'x' before the first cell"),
        ("  2)  Takes what\n", "'what' behind 'Takes'"),
        (" Game 2\n Ann : 9                    Bob : 0\n", "no end"),
    ],
)
def test_oddities_are_noted_and_strict_raises_them(rows: str, note: str) -> None:
    assert any(note in text for text in notes(read(HEAD + FIRST + rows)))
    with pytest.raises(FormatError) as caught:
        read(HEAD + FIRST + rows, strict=True)
    assert caught.value.line is not None


# ---- illegal and unknown plays --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["13/9 24/23", "8/5 6/5 6/5", "24/20 6/8", "8/2 6/5"])
def test_an_illegal_play_is_made_all_the_same(text: str) -> None:
    match = read(HEAD + f"  1) 31: {text}                   52: 24/22 13/8\n")
    [turn, reply] = match.games[0].turns
    assert turn.is_illegal
    assert (turn.play, turn.text) == (None, text)
    assert "illegal play" in match.notes[0].message
    after = list(naive_start())
    for move in text.split():
        source, target = map(int, move.split("/"))
        after[source] -= 1
        after[target] += 1
    expected = bg.Position.from_board(np.array(naive.flip(tuple(after)), np.int8))
    assert turn.result == expected
    assert list(match.games[0].steps())[1].position == expected
    assert reply.play is not None
    for name in ("mat", "txt", "sgf"):
        again = bg.read_match(io.BytesIO(written(match, name)))
        assert match.difference(again) == ""
        if name != "sgf":
            assert again.games[0].turns[0].text == text


def naive_start() -> naive.Board:
    return scribes.START


@pytest.mark.parametrize("text", ["7/4 6/5", "24/12", "24/23 23/19 13/12"])
def test_an_impossible_play_leaves_an_unknown_position(text: str) -> None:
    match = read(HEAD + f"  1) 31: {text}                     52: 24/22 13/8\n      Wins 1 point\n")
    [turn, reply] = match.games[0].turns
    if text == "7/4 6/5":
        assert turn.is_unknown
        assert reply.is_unknown
        assert reply.text == "24/22 13/8"
        assert match.games[0].result is None
    for name in ("mat", "txt"):
        assert match.difference(bg.read_match(io.BytesIO(written(match, name)))) == ""


SNOWIE = "7;0;0;0;1;Bob;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;-1;0;-3;0;-5;0;0;0;0;2;0;0;0;"


def test_an_illegal_play_given_by_the_position_behind_it() -> None:
    match = read(HEAD + f"  1) 31: Illegal play ({SNOWIE})      52: 24/22 13/8\n")
    [turn, reply] = match.games[0].turns
    assert turn.is_illegal
    assert turn.result is not None
    assert turn.result.board.tolist()[11:16] == [0, -4, 5, 0, -1]
    assert reply.play is not None
    for name in ("mat", "sgf"):
        assert match.difference(bg.read_match(io.BytesIO(written(match, name)))) == ""
    worse = read(HEAD + f"  1) 31: Illegal play ({SNOWIE[:30]})      52: 24/22 13/8\n")
    assert worse.games[0].turns[0].is_unknown


def test_a_last_roll_without_a_play_before_a_resignation() -> None:
    for cell in ("64:", "64: ????", "64: ???"):
        match = read(HEAD + FIRST + f"  2) {cell}\n                                  Wins 1 point\n", strict=True)
        assert match.games[0].turns[-1].is_unknown
        without = read(HEAD + FIRST + "                                  Wins 1 point\n", strict=True)
        assert match.same_play(without)


def test_a_game_that_breaks_off_behind_a_roll() -> None:
    match = read(HEAD + FIRST + "  2) 64:\n", strict=True)
    assert match.games[0].turns[-1].is_unknown
    assert "breaks off" in match.notes[0].message


# ---- heads ----------------------------------------------------------------------------------------------------------


def test_tags() -> None:
    tags = {
        "Site": "Here", "Event": "Open", "Round": "3", "EventDate": "2026.01.13", "EventTime": "14:30",
        "Player 1": "Bob", "Player 2": "Ann", "Player 1 Elo": "1600,50/0", "Player 2 Elo": "1700.25/12",
        "Variation": "Backgammon", "Crawford": "Off", "Jacoby": "On", "Beaver": "Off", "CubeLimit": "1",
    }  # fmt: skip
    match = read("".join(f'; [{name} "{value}"]\n' for name, value in tags.items()) + "; words\n" + HEAD + FIRST)
    assert (match.site, match.event, match.round, match.date) == ("Here", "Open", "3", "2026-01-13")
    assert match.ratings == (1700.25, 1600.5)  # the head numbers the players otherwise than the columns
    assert (match.crawford, match.jacoby, match.beavers, match.use_cube) == (False, True, False, False)
    assert match.info == (("EventTime", "14:30"), ("CubeLimit", "1"))
    assert match.comment == "words"
    again = read(written(match, "mat").decode())
    same = "names", "site", "event", "round", "date", "ratings", "crawford", "jacoby", "beavers", "info", "comment"
    for name in same:
        assert getattr(again, name) == getattr(match, name), name


@pytest.mark.parametrize(
    ("variation", "name", "roll"),
    [
        ("NackGammon", "nackgammon", "31: 6/5 8/5"),
        ("HyperGammon (3)", "hypergammon", "31: 24/21 23/22"),
        ("HyperGammon (1)", "hypergammon1", "31: 24/20"),
        ("LongGammon", "longgammon", "31: 24/21 24/23"),
    ],
)
def test_variations(variation: str, name: str, roll: str) -> None:
    match = read(f'; [Variation "{variation}"]\n{HEAD}  1) {roll}\n', strict=True)
    assert match.rules.name == name
    assert match.games[0].start == match.rules.start
    assert match.games[0].turns[0].play is not None
    for kind in ("mat", "txt", "sgf"):
        again = read(written(match, kind).decode(), strict=True)
        assert again.rules == match.rules or (kind, name) == ("sgf", "longgammon")  # which it has no word for
        assert again.same_play(match)


def test_a_game_that_does_not_begin_at_the_start() -> None:
    line = board((6, 2), (4, 1), (19, -3), (20, -1))
    match = read(HEAD.replace(" Game 1", f"; Set Pos={line}/-2\n Game 1") + "  1) 64: 6/0 4/0\n", strict=True)
    [game] = match.games
    assert (game.cube, game.owner) == (4, 1)
    assert game.start.counts[0, [0, 4, 6]].tolist() == [12, 1, 2]
    for kind in ("mat", "txt", "sgf"):
        [again] = read(written(match, kind).decode(), strict=True).games
        assert (again.start, again.cube, again.owner) == (game.start, 4, 1)
        assert again.turns[0].play == game.turns[0].play


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("hello\n", "no match file that is known"),
        (" Game 1\n Ann : 0     Bob : 0\n", "line 1: a game before the line that gives the length"),
        (" 99999999999 point match\n", "no match file that is known"),
        (HEAD.replace("Ann : 0", "Ann : 99999"), "score of 99999-0"),
    ],
)
def test_what_is_no_transcript(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(text)
