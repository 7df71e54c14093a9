"""GNU Backgammon's SGF: setup, beavers, variations, escapes, and what is no SGF."""

from __future__ import annotations

import io

import pytest

import bgcore as bg
from bgcore.errors import FormatError
from bgcore.formats.matches import written
from bgcore.match.transcript import Match

ROOT = "FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"


def read(text: str, *, strict: bool = False) -> Match:
    return bg.read_match(io.BytesIO(text.encode()), strict=strict)


def game(nodes: str, root: str = ROOT, **kwargs: bool) -> Match:
    return read(f"(;{root}{nodes})", **kwargs)


def test_letters() -> None:  # both plays are from a real file
    match = game(";B[41lpab];W[31hefe]", strict=True)
    one, two = match.games[0].turns
    assert (one.player, str(one.play), one.dice) == (1, "24/23 13/9", (4, 1))
    assert (two.player, str(two.play)) == (0, "8/5 6/5")


def test_a_node_without_a_play_is_told_of() -> None:
    match = game(";B[41lpab];C[nice];W[31hefe]", strict=True)
    assert len(match.games[0].turns) == 2
    assert str(match.notes[0]).endswith("a node without a play is left out")


def test_bar_off_and_dance() -> None:
    setup = ";AE[a:y]AW[y][f]AB[x][w][v][u][t][s][s][a]PL[W]"
    [dance] = game(setup + ";W[66]", strict=True).games[0].turns
    assert dance.play is not None
    assert len(dance.play) == 0
    off = game(";AE[a:y]AW[f][c]AB[a][a]PL[W];W[63fzcz]", strict=True).games[0]
    assert str(off.turns[0].play) == "6/off 3/off"
    assert off.end == (0, 1, "single", "played", None)  # without RE: the board tells


def test_a_setup_gives_the_start_the_cube_and_the_turn() -> None:
    match = game(";AE[a:y]AW[f][f][c]AB[x][x]CV[4]CP[b]PL[B]DI[31];B[31xwwt]")
    [first] = match.games
    assert (first.cube, first.owner) == (4, 1)
    assert first.start.counts[:, 0].tolist() == [12, 13]
    assert first.start.counts[0, [3, 6]].tolist() == [1, 2]
    assert first.start.counts[1, 1] == 2
    again = read(written(match, "sgf").decode())
    assert again.games[0].start == first.start
    assert (again.games[0].cube, again.games[0].owner) == (4, 1)
    assert match.difference(again) == ""


def test_a_beaver_is_a_double_by_the_other_side() -> None:
    match = game(";B[41lpab];W[double];B[double];W[double];W[31hefe]", ROOT.replace("length:5", "length:0"))
    assert [(turn.player, turn.action, turn.cube) for turn in match.games[0].turns[1:4]] == [
        (0, "double", 2), (1, "beaver", 4), (0, "raccoon", 8)
    ]  # fmt: skip


def test_a_double_behind_a_drop_is_left_out() -> None:  # as GNU Backgammon writes it out of a file it has misread
    match = game(";W[31hefe];B[double];W[drop];B[double]", ROOT + "RE[B+1R]")
    assert [turn.action for turn in match.games[0].turns] == ["play", "double", "drop"]
    assert match.games[0].end == (1, 1, "single", "dropped", 1)
    assert "left out" in match.notes[0].message


def test_the_main_line_is_followed_and_variations_are_told_of() -> None:
    match = game(";B[41lpab](;W[31hefe](;B[62lrrt])(;B[11ab]))(;W[66]);")
    assert [str(turn.play) for turn in match.games[0].turns] == ["24/23 13/9", "8/5 6/5", "13/5"]
    assert "2 variations" in match.notes[-1].message


def test_comments_escapes_and_kept_properties() -> None:
    root = ROOT.replace("PW[Ann]", r"PW[An\]n\: \\x]")
    match = game(";B[41lpab]C[good\\]\nmove]BM[1]A[0][x\\]y];W[31hefe]", root, strict=True)
    assert match.names[0] == r"An]n: \x"
    [turn, _] = match.games[0].turns
    assert turn.comment == "good]\nmove"
    assert turn.kept == "BM[1]A[0][x\\]y]"
    assert read(written(match, "sgf").decode()).games == match.games


@pytest.mark.parametrize(
    ("rules", "name"),
    [("Nackgammon", "nackgammon"), ("Hypergammon1", "hypergammon1"), ("Hypergammon3", "hypergammon")],
)
def test_variations_of_the_game(rules: str, name: str) -> None:
    match = game("", ROOT.replace("RU[Crawford]", f"RU[{rules}]"), strict=True)
    assert match.rules.name == name
    assert read(written(match, "sgf").decode()).rules == match.rules


@pytest.mark.parametrize(
    ("result", "end"), [("W+2R", (0, 2, "gammon", "resigned", 2)), ("B+1", (1, 1, "single", "unknown", 1))]
)
def test_results(result: str, end: tuple[object, ...]) -> None:
    assert tuple(game(";B[41lpab]", f"{ROOT}RE[{result}]").games[0].end or ()) == end


@pytest.mark.parametrize(
    ("nodes", "note"),
    [
        (";B[41lpab", "the value of B has no end"),
        (";B[41lpab]", "inside a game tree"),
        (";B[41zpab])", "is no play"),
        (";B[41xy])", "is no play"),
        (";B[gosh])", "is no play"),
        (";B[41lpab]CV[3])", "power of two"),
        (";B[41lpab];AE[a:y]AW[a]AB[a];W[11ab])", "shared_point"),
        (";B[41lpab];B[31xw])", "Bob acts"),
        (";FOO;B[41lpab])", "'FOO' without a value"),
        (";B[41lptu])", "illegal play"),
    ],
)
def test_oddities(nodes: str, note: str) -> None:
    text = f"(;{ROOT}{nodes}"
    assert any(note.lower() in str(found).lower() for found in read(text).notes)
    with pytest.raises(FormatError) as caught:
        read(text, strict=True)
    assert caught.value.offset is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;FF[4]GM[1]SZ[19];B[aa])", "no match file"),
        ("(;FF[4]GM[6]MI[length:5];B[31] oops 12)", "where a node or a bracket belongs"),
        ("(;GM[6]MI[length:99999999])", "up to 32767"),
        ("(;GM[6])(;GM[1])", "another game"),
    ],
)
def test_what_is_no_sgf_of_backgammon(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(text)
