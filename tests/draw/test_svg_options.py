"""Pictures: names, sizes, themes, cube and captions, what is refused, and whether it can be read when it is small."""

from __future__ import annotations

import dataclasses
import re
from itertools import combinations
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from draw.boards import BAR, position_of, side
from draw.svg_reader import DOTS, corners, digits, read_picture, shapes
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.draw import THEMES, svg
from bgcore.draw.board_svg.glyphs import GLYPHS, HEIGHT, PEN, line
from bgcore.errors import FormatError, RuleError

START = bg.Position.initial()
SVG = "{http://www.w3.org/2000/svg}"
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # for XML, or to be seen
CROWDED = position_of(side({25: 3, 13: 6, 8: 1, 6: 5}), side({0: 9, 6: 6}))
HOSTILE = [
    "</text><script>alert(1)</script>",
    "a&b;&#0;&amp;",
    "]]>",
    "<!--",
    "\"'>",
    "\x00\ud800\ufffe",
    "\u202eevil",
    "\r\n\t",
    'font-family="sans-serif"',
    "",
]
NAMES = st.text(st.characters(), max_size=80) | st.sampled_from(HOSTILE)


@given(NAMES, NAMES)
def test_names_are_text_and_nothing_else(mine: str, theirs: str) -> None:
    picture = svg(START, names=(mine, theirs))
    root = ElementTree.fromstring(picture.encode("utf-8"))
    plain = ElementTree.fromstring(svg(START, names=("a", "b")))
    assert [element.tag for element in root.iter()] == [element.tag for element in plain.iter()]
    wanted = []
    for name in (mine, theirs):
        name = " ".join(name.split())
        wanted.append(UNFIT.sub("\ufffd", name if len(name) <= 60 else name[:59] + "…"))
    assert [text.text or "" for text in root.iter(f"{SVG}text")] == wanted


def test_names_go_with_their_players() -> None:
    seen = read_picture(svg(START, names=("Own", "Opp")))
    assert seen.names == {"bottom": "Own", "top": "Opp"}
    seen = read_picture(svg(START, names=("Own", "Opp"), orientation="opp"))
    assert seen.names == {"bottom": "Opp", "top": "Own"}
    seen = read_picture(svg(match_state(on_roll=1, to_act=1), names=("Zero", "One")))
    assert seen.names == {"bottom": "One", "top": "Zero"}


def match_state(**changes: Any) -> SimpleNamespace:
    """What has the attributes of a MatchState that are read; at the beginning of a match to 7."""
    options = SimpleNamespace(jacoby=True)
    values: dict[str, Any] = {
        "position": START,
        "rules": bg.BACKGAMMON,
        "dice": None,
        "on_roll": 0,
        "to_act": 0,
        "pending": None,
        "redoubles": 0,
        "cube": 1,
        "cube_owner": None,
        "cube_in_play": True,
        "score": (0, 0),
        "length": 7,
        "is_crawford": False,
        "options": options,
    }
    return SimpleNamespace(**values | changes)


def captioned(text: str, picture: str) -> bool:
    """Whether a picture says this below the board; '' is nothing."""
    if not text:
        return 'class="caption"' not in picture
    return line(text)[0] in picture.partition('class="caption"')[2]


@pytest.mark.parametrize(
    ("state", "says", "cube"),
    [
        (match_state(), "MATCH TO 7", "64"),
        (match_state(is_crawford=True, cube_in_play=False), "MATCH TO 7, CRAWFORD", ""),
        (match_state(length=0), "MONEY, JACOBY", "64"),
        (match_state(length=0, options=SimpleNamespace(jacoby=False), cube=2, cube_owner=1), "MONEY", "2"),
        (match_state(length=0, rules=bg.PLAKOTO, cube_in_play=False), "MONEY", ""),
        (match_state(pending="double", to_act=1), "MATCH TO 7", "2"),
        (match_state(pending="raccoon", redoubles=2, to_act=1, length=0), "MONEY, JACOBY", "8"),
        (match_state(pending="resignation", to_act=1, cube=4, cube_owner=0), "MATCH TO 7", "4"),
        (match_state(on_roll=None, to_act=None), "MATCH TO 7", "64"),
    ],
)
def test_what_a_state_says(state: Any, says: str, cube: str) -> None:
    picture = svg(state)
    seen = read_picture(picture)
    assert captioned(says, picture)
    assert seen.cube == cube
    assert seen.turn == {0: "bottom", 1: "top", None: ""}[state.to_act]


def test_what_a_position_says() -> None:
    assert captioned("", svg(START))
    assert captioned("", svg(START, score=(1, 2)))
    assert captioned("CRAWFORD", svg(START, crawford=True))
    assert captioned("MATCH TO 11", svg(START, length=11))
    assert captioned("MONEY", svg(START, length=0))


@pytest.mark.parametrize("exponent", range(31))
def test_every_cube_is_legible(exponent: int) -> None:
    picture = svg(START, cube=1 << exponent)
    seen = read_picture(picture)
    shown = f"2{exponent}" if exponent > 13 else str(1 << exponent or 64)
    assert seen.cube == (shown if exponent else "64")
    every = list(shapes(ElementTree.fromstring(picture)))
    [face] = [shape for shape in every if shape.group == "cube"]
    texts = [box(shape) for shape in every if shape.group == "value" and shape.tag == "path"]
    x, y = face.number("x"), face.number("y")
    for x1, y1, x2, y2 in texts:
        assert x + 3 < x1 < x2 < x + face.number("width") - 3
        assert y + 3 < y1 < y2 < y + face.number("height") - 3
        assert y2 - y1 >= (16 if exponent <= 13 else 12)
    assert not any(overlap(a, b) for a, b in combinations(texts, 2))


Box = tuple[float, float, float, float]


def box(shape: Any) -> Box:
    """Around a line of glyphs, half of a pen's width included."""
    (x1, y1), (x2, y2) = (
        [shape.move[i] + shape.scale[i] * corner[i] for i in (0, 1)] for corner in corners(shape.attributes["d"])
    )
    px, py = (scale * PEN / 2 for scale in shape.scale)
    return x1 - px, y1 - py, x2 + px, y2 + py


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("home", ["left", "right"])
@pytest.mark.parametrize("rules", [bg.BACKGAMMON, bg.FEVGA], ids=["contrary", "parallel"])
def test_it_can_be_read_at_200_pixels(home: Any, rules: Any) -> None:
    picture = svg(
        CROWDED, rules=rules, cube=128, score=(10, 9), length=25, crawford=True, dice=(6, 5), home=home, size=200
    )
    every = list(shapes(ElementTree.fromstring(picture)))
    pixels = 200 / float(every[0].attributes["viewBox"].split()[2])
    texts = [(shape.group, box(shape)) for shape in every if shape.tag == "path" and "transform" in shape.attributes]
    assert len(texts) > 30
    for group, (_, top, _, bottom) in texts:
        high = pixels * (bottom - top)
        assert high > (6 if group == "numbers" else 4.8), (group, high)
    assert not any(overlap(a, b) for (_, a), (_, b) in combinations(texts, 2))
    spots = [shape.number("r") for shape in every if shape.group == "spots" and shape.tag == "circle"]
    assert min(spots) * 2 * pixels > 2.5


def test_nothing_lies_on_anything_else() -> None:
    picture = svg(CROWDED, dice=(6, 5), cube=4, cube_owner="own")
    every = list(shapes(ElementTree.fromstring(picture)))
    discs = [(*shape.middle, 19.0) for shape in every if shape.tag == "circle" and shape.number("r") == 19]
    assert len(discs) == 19, "of a stack of six, five are drawn"
    for (x1, y1, r1), (x2, y2, r2) in combinations(discs, 2):
        assert (x1 - x2) ** 2 + (y1 - y2) ** 2 >= (r1 + r2) ** 2
    for shape in every:
        if shape.tag == "rect" and shape.group in ("dice", "cube"):
            x, y = shape.middle
            half = shape.number("width") / 2
            assert all(abs(x - cx) > half + r or abs(y - cy) > half + r for cx, cy, r in discs)


def test_nothing_outside_or_inside_is_referred_to() -> None:
    for theme in THEMES:
        picture = svg(CROWDED, names=("a", "b"), cube=2, dice=(1, 2), theme=theme, length=3, play="8/7 6/4")
        assert not re.search(r"\bid=|href|url\(|style|<image|<use|<!|<\?|@", picture)
        assert re.findall(r"https?:[^\"]*", picture) == ["http://www.w3.org/2000/svg"]


def test_a_score_never_runs_into_its_neighbours() -> None:
    most = 2**31 - 1
    picture = svg(position_of(side({25: 15}), side({25: 15})), score=(most, most), length=most)
    every = list(shapes(ElementTree.fromstring(picture)))
    texts = [box(shape) for shape in every if shape.tag == "path" and "transform" in shape.attributes]
    assert not any(overlap(a, b) for a, b in combinations(texts, 2))
    assert all(x1 > 360 for x1, y1, _, y2 in texts if y1 < -40 or 510 < y1 < 530)  # where names end


# ---- digits and letters


def test_every_digit_looks_like_one() -> None:
    for text in ("0123456789", "3/7", "11", "101", "2048", "99/100"):
        assert digits(line(text)[0]) == text
    assert set(DOTS) <= set(GLYPHS)


def test_glyphs_stay_in_their_boxes() -> None:
    for character, (width, _) in GLYPHS.items():
        path, wide = line(character)
        (left, top), (right, bottom) = corners(path)
        assert wide == width
        assert left >= -0.35
        assert right <= width + 0.15
        if character.isalnum():
            assert top == pytest.approx(0, abs=0.4)
            assert bottom == pytest.approx(HEIGHT, abs=0.4)


# ---- size, colours, options


@pytest.mark.parametrize("size", [1, 200, 480, 333.5, 100_000])
def test_size(size: float) -> None:
    root = ElementTree.fromstring(svg(START, size=size))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert float(root.attrib["width"]) == size
    assert float(root.attrib["height"]) == pytest.approx(size * height / width, rel=1e-5)


def test_no_size() -> None:
    root = ElementTree.fromstring(svg(START, size=None))
    assert "width" not in root.attrib
    assert "height" not in root.attrib


@pytest.mark.parametrize("size", [0, -1, float("nan"), float("inf"), 100_001])
def test_a_size_that_does_not_exist(size: float) -> None:
    with pytest.raises(RuleError, match="size is from 1 to 100000 pixels"):
        svg(START, size=size)


@pytest.mark.parametrize("theme", THEMES)
def test_themes_differ_in_colours_only(theme: str) -> None:
    picture = svg(CROWDED, theme=theme, dice=(1, 2), cube=2, play="8/7 6/4")
    colours = {colour: field for field, colour in reversed(dataclasses.asdict(THEMES[theme]).items())}
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', picture)) <= {*colours, "none", "#fff"}
    blank = re.sub(r'"#[0-9a-f]{3,8}"', "", picture)
    assert blank == re.sub(r'"#[0-9a-f]{3,8}"', "", svg(CROWDED, dice=(1, 2), cube=2, play="8/7 6/4"))
    mine = dataclasses.replace(THEMES[theme], light="gold")
    assert svg(CROWDED, theme=mine).count('"gold"') == 2


def test_light_and_dark_differ_in_every_theme() -> None:
    for theme in THEMES.values():
        grey = {name: brightness(colour) for name, colour in dataclasses.asdict(theme).items()}
        assert grey["light"] - grey["dark"] > 0.5
        assert abs(grey["light"] - grey["light_text"]) > 0.5
        assert abs(grey["dark"] - grey["dark_text"]) > 0.5
        assert abs(grey["frame"] - grey["text"]) > 0.5
        assert abs(grey["odd"] - grey["even"]) > 0.15


def brightness(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return (0.3 * red + 0.59 * green + 0.11 * blue) / 255


@pytest.mark.parametrize("colour", ["", "#12", "#ggg", "red;", 'red" onload="x', "url(#a)", "rgb(1,2,3)", 7, None])
def test_a_colour_that_is_none(colour: Any) -> None:
    with pytest.raises(FormatError, match=r"theme colour frame: .* is no colour") as caught:
        dataclasses.replace(THEMES["wood"], frame=colour)
    assert caught.value.field == "frame"


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"dice": (0, 1)}, RuleError, "1 to 6"),
    ({"cube": 3}, RuleError, "cube is None or a power of 2 up to 2\\*\\*30, not 3"),
    ({"cube": 1 << 31}, RuleError, "cube is None or a power"),
    ({"cube": True}, TypeError, "cube is a whole number, not bool"),
    ({"cube": 2.0}, TypeError, "float"),
    ({"cube": 0}, RuleError, "cube is None or a power"),
    ({"cube": 2, "cube_owner": 1}, RuleError, "cube_owner is 'own', 'opp' or None, not 1"),
    ({"offered": "own"}, RuleError, "offered needs a cube"),
    ({"score": (1, -1)}, RuleError, "score is from 0 to 2147483647 points, not -1"),
    ({"length": 1 << 31}, RuleError, "length is from 0 to 2147483647 points, not 2147483648"),
    ({"length": 7.0}, TypeError, "float"),
    ({"rules": "fevga"}, TypeError, "rules is a Rules, such as bgcore.FEVGA, not str"),
    ({"orientation": "top"}, RuleError, "orientation is 'own' or 'opp', or player 0 or 1 of a state, not 'top'"),
    ({"orientation": 0}, RuleError, "only a state has players"),
    ({"light": True}, RuleError, "light is 'own' or 'opp'"),
    ({"home": "up"}, RuleError, "home is 'left' or 'right', not 'up'"),
    ({"numbers": True}, RuleError, "numbers is 'own', 'absolute' or None, not True"),
    ({"theme": "pink"}, RuleError, "there is no theme 'pink'; there are wood, green, slate, print"),
    ({"theme": None}, TypeError, "theme is a name or a Theme, not NoneType"),
    ({"size": "480"}, TypeError, "size is a number of pixels or None, not str"),
    ({"size": True}, TypeError, "size is a number of pixels or None, not bool"),
    ({"names": ("a", None)}, TypeError, "names are two str"),
    ({"play": "7/3"}, RuleError, "there is no checker on point 7"),
    ({"play": "bar/22"}, RuleError, "there is no checker on the bar"),
    ({"play": "nonsense"}, FormatError, "nonsense"),
    ({"play": 7}, TypeError, "play is a Play or a str, not int"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_what_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        svg(START, **options)


@pytest.mark.parametrize(
    "options", [{"cube": 2}, {"score": (0, 0)}, {"length": 3}, {"crawford": True}, {"rules": bg.FEVGA}]
)
def test_a_state_has_its_own_cube_and_score(options: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="a state has its own rules, cube, score and length"):
        svg(match_state(), **options)


@pytest.mark.parametrize("thing", [None, "start", 7, START.packed])
def test_what_cannot_be_drawn(thing: Any) -> None:
    with pytest.raises(TypeError, match="a Position, a MatchState or a Play can be drawn"):
        svg(thing)


# ---- plays


def test_the_arrows_of_a_play_as_text() -> None:
    for text in ("8/5 6/5", "6/5 8/5", "8/4", "24/21/20", "13/12 13/10"):
        parsed = bg.Play.parse(text)
        seen = read_picture(svg(START, play=text))
        assert len(seen.arrows) == len(parsed)
        assert svg(START, play=parsed) == svg(START, play=text)
    hops = read_picture(svg(START, play="21/20 24/21"))  # in an order in which it cannot be made
    assert sorted(hops.arrows) == sorted(read_picture(svg(START, play="24/21/20")).arrows)


def test_a_play_shows_itself() -> None:
    position = position_of(side({BAR: 1, 24: 1, 13: 5, 8: 3, 6: 5}), side({24: 2, 13: 5, 8: 3, 6: 5}))
    play = bg.BACKGAMMON.check(position, (4, 3), "bar/21 24/21")
    picture = play._repr_svg_()
    assert picture is not None
    seen = read_picture(picture)
    assert seen.stacks[(8, "top")] == {THEMES["wood"].light: 2}
    assert set(seen.arrows) == {(("bar", "bottom"), (8, "top")), ((11, "top"), (8, "top"))}
    assert seen.turn == "top"
    assert bg.Play.parse("8/5")._repr_svg_() is None
    with pytest.raises(RuleError, match="only parsed"):
        svg(bg.Play.parse("8/5"))
    with pytest.raises(RuleError, match="a Play is drawn by itself"):
        svg(play, play=play)


def test_a_position_shows_itself() -> None:
    assert START._repr_svg_() == svg(START)


def test_a_play_that_passes() -> None:
    assert svg(START, play="pass") == svg(START)


def test_a_play_that_did_not_lead_here() -> None:
    from bgcore.draw.board_svg.arrows import counts_before

    with pytest.raises(RuleError, match="no checker has arrived at point 5"):
        counts_before([0] * 26, bg.Play.parse("8/5").moves)
    assert counts_before([2, *[0] * 25], bg.Play.parse("6/off(2)").moves)[6] == 2
