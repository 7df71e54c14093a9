"""What a notebook shows of batches, matches and pasted texts: small, whole HTML without scripts, and what it says."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from draw.boards import random_positions
from draw.svg_reader import read_picture

import bgcore as bg
from bgcore.draw import THEMES
from bgcore.match.transcript import Game, GameEnd, Match, Note, Turn

VOID = {"br"}
LIMIT = 200_000
START = bg.Position.initial()
PICTURE = re.compile(r"<svg.*?</svg>", re.DOTALL)


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects the text outside of pictures and the cells of tables."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.rows: list[list[str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "svg" in self.open:
            return
        self.text += data
        if self.rows and self.open[-1] in ("td", "th", "i", "b"):
            self.rows[-1][-1] += data


def shown(thing: object) -> Page:
    """The page of something, small and harmless."""
    html = thing._repr_html_()  # type: ignore[attr-defined]
    assert len(html.encode()) < LIMIT
    page = Page(html)
    assert not page.tags & {"script", "style", "link", "iframe", "img", "a", "foreignobject", "image", "use"}
    names = {name for name, _ in page.attributes}
    assert not {name for name in names if name.startswith("on")} | (names & {"href", "src", "id"})
    assert "url(" not in html
    return page


def pictures(thing: object) -> list[str]:
    return PICTURE.findall(thing._repr_html_())  # type: ignore[attr-defined]


def seen_by_mover(play: bg.Play, rules: bg.Rules) -> dict[object, dict[str, int]]:
    """The checkers after a play, at their places as the player sees them who made it."""
    return read_picture(bg.draw.svg(play.result.flipped(), rules=rules)).stacks


# ---- batches


@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("rules", [bg.BACKGAMMON, bg.PLAKOTO, bg.FEVGA, bg.LONG_NARDI], ids=lambda rules: rules.name)
def test_a_batch_shows_its_first_plays(rules: bg.Rules, moves: bool) -> None:
    positions = random_positions(rules, 3, seed=5)[10:40:5]
    dice = np.array([[3, 1], [6, 5], [2, 2], [4, 1], [6, 6], [2, 1]])[: len(positions)]
    batch = bg.batch.legal_plays(np.stack([p.packed for p in positions]), dice, rules, moves=moves)
    page = shown(batch)
    assert page.text.startswith(repr(batch))
    pictures_ = iter(pictures(batch))
    counts = np.diff(batch.offsets).tolist()
    for segment, (position, roll) in enumerate(zip(positions[:4], dice.tolist(), strict=False)):
        plays = rules.legal_plays(position, tuple(roll))[:4]
        head, *cells = page.rows[segment]
        told = "no play" if not plays else f"{counts[segment]:,} play" + "s" * (counts[segment] != 1)
        assert head == f"segment {segment}" + (f"4 of {told}" if counts[segment] > 4 else told)
        for play in plays:
            picture = read_picture(next(pictures_))
            assert picture.stacks == seen_by_mover(play, rules)
            assert picture.turn == "top"
            assert bool(picture.arrows) == moves
        assert cells == [str(play) if moves else "" for play in plays]
    assert next(pictures_, None) is None
    assert len(page.rows) == 4
    assert "and 2 more segments" in page.text


def test_who_has_moved_is_light_and_sits_below() -> None:
    position = bg.BACKGAMMON.check(START, (3, 1), "8/5 6/5").result
    batch = bg.batch.legal_plays(position.packed[None], (6, 5))
    first = read_picture(pictures(batch)[0])
    result = bg.BACKGAMMON.legal_plays(position, (6, 5))[0].result
    assert (first.pips["bottom"], first.pips["top"]) == (result.pips[1], result.pips[0])
    assert first.stacks[(7, "top")] == {THEMES["wood"].dark: 2}  # the five point that the other has made
    assert set(first.stacks[(0, "top")]) == {THEMES["wood"].light}  # the mid-point
    assert first.numbers == read_picture(bg.draw.svg(position)).numbers


def test_large_and_small_batches() -> None:
    many = bg.batch.legal_plays(np.repeat(START.packed[None], 3000, axis=0), moves=True)
    page = shown(many)
    assert "and 62,996 more segments" in page.text
    assert len(pictures(many)) == 4 * 4
    assert "no play" not in page.text
    empty = bg.batch.PlayBatch()
    assert shown(empty).rows == []
    assert pictures(empty) == []
    over = bg.batch.legal_plays(bg.Position.from_board([0] * 24 + [-1, 0]).packed[None], (3, 1))
    assert "no play" in shown(over).rows[0][0]


def test_a_pass_and_a_crowded_board() -> None:
    shut = [0] * 26
    shut[25], shut[6] = 1, 14
    shut[13] = -3
    for point in range(19, 25):
        shut[point] = -2
    packed = bg.Position.from_board(shut).packed[None]
    assert "no play" in shown(bg.batch.legal_plays(packed, (6, 6))).text
    passed = bg.batch.legal_plays(packed, (6, 6), pass_results=True, moves=True)
    assert shown(passed).rows[0][1] == "pass"
    assert read_picture(pictures(passed)[0]).stacks == read_picture(bg.draw.svg(bg.Position.from_board(shut))).stacks


def test_a_batch_that_is_used_again_shows_its_new_game() -> None:
    batch = bg.batch.legal_plays(START.packed[None], (3, 1))
    bg.batch.legal_plays(bg.FEVGA.start.packed[None], (3, 1), bg.FEVGA, out=batch)
    (picture,) = pictures(batch)
    (play,) = bg.FEVGA.legal_plays(bg.FEVGA.start, (3, 1))
    assert read_picture(picture).stacks == seen_by_mover(play, bg.FEVGA)


# ---- matches

EVIL = "<script>alert(1)</script>&\"'"


def match() -> Match:
    text = """ 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 52: 24/22 13/8
  2)  Doubles => 2               Takes
  3) 64: 24/18 18/14             42: 8/4 6/4
  4)  Doubles => 4               Drops
      Wins 2 point

 Game 2
 Ann : 2                        Bob : 0
  1)                             31: 8/4 6/5
"""
    return bg.read_match(io.BytesIO(text.encode()))


def test_a_match_shows_its_games() -> None:
    read = match()
    page = shown(read)
    assert page.rows[0] == ["", "score", "rolls", "cube", "won by", "points", "how"]
    ends = [(game.end.winner, game.end.points) if game.end else None for game in read.games]
    assert len(page.rows) == 1 + len(read.games)
    assert page.rows[1][:2] == ["games[0]", "0–0"]
    assert ends[0] is not None
    assert page.rows[1][4:6] == [read.names[ends[0][0]], str(ends[0][1])]
    assert page.rows[-1][-1] == "unfinished"
    assert "Ann – Bob, match to 5" in page.text
    assert str(read.notes[0]) in page.text
    assert "Score: " in page.text


def test_a_game_shows_its_turns_and_its_end() -> None:
    read = match()
    first, second = read.games
    page = shown(first)
    assert page.rows[:2] == [["", "player 0", "player 1"], ["1", "31: 8/5 6/5", "52: 24/22 13/8"]]
    assert any("double" in cell for row in page.rows for cell in row)
    assert "player 0 wins" in page.text
    (picture,) = pictures(first)
    assert first.result is not None
    assert read_picture(picture).stacks == read_picture(bg.draw.svg(first.result)).stacks
    odd = shown(second)
    assert odd.rows[1] == ["1", "", "31: 8/4 6/5 (illegal)"]
    assert "unfinished" in odd.text


def test_the_columns_are_the_players() -> None:
    order = [1, 0, 1, 1, 0, 0, 1]
    turns = tuple(Turn(player, "double", cube=2 + place) for place, player in enumerate(order))  # type: ignore[arg-type]
    rows = shown(Game(turns)).rows[1:]
    told = [
        (column - 1, int(cell.split()[-1]) - 2) for row in rows for column, cell in enumerate(row) if column and cell
    ]
    assert told == [(player, place) for place, player in enumerate(order)]
    assert [row[0] for row in rows] == [str(n + 1) for n in range(len(rows))]


def test_whatever_a_file_says_is_escaped_and_cut() -> None:
    turn = Turn(0, "play", (3, 1), None, None, EVIL)
    games = (Game((turn,) * 1000, GameEnd(0, 1, "single", "played")),) * 500
    evil = Match(
        (EVIL, EVIL * 10_000), 5, games, event=EVIL, site=EVIL, round=EVIL, date=EVIL, notes=(Note(EVIL * 999),) * 20
    )
    page = shown(evil)
    assert EVIL in page.text
    assert "and 400 more games" in page.text
    assert "and 15 more notes" in page.text
    page = shown(games[0])
    assert EVIL in page.text
    assert "and 600 more turns" in page.text
    assert pictures(games[0]) == []  # nobody knows the position
    assert "unfinished" not in page.text


def test_an_empty_match() -> None:
    assert shown(Match()).rows == [["", "score", "rolls", "cube", "won by", "points", "how"]]
    assert "player 0 – player 1, money" in shown(Match()).text
    assert len(pictures(Game())) == 1
    assert "nackgammon" in shown(Match(rules=bg.NACKGAMMON)).text


# ---- what was pasted


def test_a_pasted_text_shows_its_position() -> None:
    parsed = bg.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:0:0:0:0:10")
    assert parsed._repr_svg_() == bg.draw.svg(parsed.state)
    parsed = bg.parse("4HPwATDgc/ABMA")
    assert parsed.state is None
    assert parsed._repr_svg_() == bg.draw.svg(START)


def test_the_reader_of_pages_sees_what_is_wrong() -> None:
    for html in ("<div><p></div>", "<div>", "<table></tr></table>"):
        with pytest.raises(AssertionError):
            Page(html)
