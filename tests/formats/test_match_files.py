"""Every kind of match file, written by the naive scribes: what is read is what was played, whatever the dialect."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from recorded_matches import check

import bgcore as bg
from bgcore.errors import FormatError
from bgcore.formats.matches import WRITERS, lost_in, written
from bgcore.match.transcript import Game, GameEnd, Match, Turn
from naive import scribes

DATA = Path(__file__).resolve().parent.parent / "data" / "matches"
TOLD = scribes.story(53, length=9)
FORMATS = {"sgf": "sgf", "bgf": "bgf", "xg": "xg"}


def read(data: bytes, *, strict: bool = False) -> Match:
    return bg.read_match(io.BytesIO(data), strict=strict)


def file_of(kind: str) -> Path:
    return DATA / f"{kind}{scribes.SUFFIXES.get(kind, '.mat')}"


@pytest.mark.parametrize("kind", scribes.FILES)
def test_the_files_are_what_their_maker_makes(kind: str) -> None:
    if kind not in ("bgf", "xg"):  # whose bytes depend on the version of zlib
        assert file_of(kind).read_bytes() == scribes.FILES[kind](TOLD)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("kind", scribes.FILES)
def test_a_file_of_each_kind(kind: str, strict: bool) -> None:
    match = bg.read_match(file_of(kind), strict=strict)
    check(match, TOLD)
    assert match.format == FORMATS.get(kind, "mat")
    assert not any(turn.is_illegal or turn.is_unknown for game in match.games for turn in game.turns)


def test_all_kinds_tell_of_the_same_match() -> None:
    matches = [bg.read_match(file_of(kind)) for kind in scribes.FILES]
    for match in matches:
        assert matches[0].difference(match) == ""
        assert match.same_play(matches[0])


@pytest.mark.parametrize("seed", range(3))
def test_random_matches_in_every_kind(seed: int) -> None:
    told = scribes.story(seed, length=(7, 0, 3)[seed])
    for scribe in scribes.FILES.values():
        check(read(scribe(told), strict=told.length > 0), told)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 220))
def test_many_random_matches_in_every_kind(seed: int) -> None:
    plans = ("play", "drop", "resign", "play", "play", "play", "stop")
    told = scribes.story(seed, length=seed % 8 * 2, plans=plans)
    first = None
    for kind, scribe in scribes.FILES.items():
        match = read(scribe(told))
        check(match, told)
        first = first or match
        assert first.difference(match) == ""
        if kind in ("gnubg", "xg"):
            for name in WRITERS:
                check(read(written(match, name)), told)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kind", scribes.FILES)
def test_what_is_written_is_read_back(kind: str, name: str) -> None:
    match = bg.read_match(file_of(kind))
    again = read(written(match, name), strict=True)
    assert match.difference(again) == ""
    check(again, TOLD)
    for one, two in zip(match.games, again.games, strict=True):
        assert (one.score, one.crawford, one.number, one.start) == (two.score, two.crawford, two.number, two.start)
        assert [turn.dice for turn in one.turns if turn.play] == [turn.dice for turn in two.turns if turn.play]
    assert again.date == match.date
    assert again.site == match.site
    assert again.ratings == match.ratings
    assert written(again, name) == written(read(written(again, name)), name)


def test_the_dialects_that_are_written_are_those_of_the_programs() -> None:
    ours = written(bg.read_match(file_of("gnubg")), "mat").decode()
    theirs = file_of("gnubg").read_text()
    hops = re.compile(r"[0-9]+/[0-9]+\*?")  # in which order a play is written is everybody's own business
    rows = [hops.sub("-", line).rstrip() for line in ours.splitlines() if line and line[0] != ";"]
    assert rows == [hops.sub("-", line).rstrip() for line in theirs.splitlines() if line]
    text = written(bg.read_match(file_of("xg")), "txt").decode()
    assert text.startswith("\ufeff;")
    assert text.count("\r\n") == text.count("\n")
    assert "Cannot Move" in text


def test_the_suffix_picks_and_format_overrides(tmp_path: Path) -> None:
    match = bg.read_match(file_of("gnubg"))
    for suffix, name in ((".mat", "mat"), (".TXT", "txt"), (".sgf", "sgf")):
        bg.write_match(match, tmp_path / f"x{suffix}")
        assert (tmp_path / f"x{suffix}").read_bytes() == written(match, name)
    bg.write_match(match, tmp_path / "y.mat", format="sgf")
    assert bg.read_match(tmp_path / "y.mat").format == "sgf"
    with pytest.raises(FormatError, match=r"\.mat \(mat\), \.txt \(txt\), \.sgf \(sgf\) or \.jsonl \(record\)"):
        bg.write_match(match, tmp_path / "z.xg")
    with pytest.raises(FormatError, match="'xg' is not written"):
        bg.write_match(match, tmp_path / "z.mat", format="xg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.TXT", "x.mat", "x.sgf", "y.mat"]


def test_what_a_format_loses_is_said(tmp_path: Path) -> None:
    match = bg.read_match(file_of("sgf"))
    assert lost_in(match, "sgf") == ()
    assert bg.write_match(match, tmp_path / "x.mat") == ("analysis",)
    match = bg.read_match(file_of("xg_mat"))
    assert lost_in(match, "sgf") == ("the tag CubeLimit",)
    match = read(scribes.xg(TOLD, ("nice",)))
    assert lost_in(match, "mat") == ("1 comments",)


def test_automatic_doubles_are_kept_by_sgf_only() -> None:
    game = Game((Turn(0, "double"),), cube=4)
    match = Match(("Ann", "Bob"), 0, (game,))
    assert lost_in(match, "mat") == ("automatic doubles",)
    again = read(written(match, "sgf"))
    assert (again.games[0].cube, again.games[0].owner) == (4, None)
    assert match.difference(again) == ""
    assert [turn.action for turn in read(written(match, "mat"), strict=True).games[0].turns] == ["double"]


def test_sgf_keeps_what_it_does_not_understand() -> None:
    match = bg.read_match(file_of("sgf"))
    assert match.games[0].kept == "GS[M:0 1]"
    assert match.games[0].turns[0].kept.startswith("A[0][")
    assert match.games[0].turns[0].kept.endswith("]LU[-inf]")
    again = read(written(match, "sgf"))
    assert again.games == match.games


def test_xg_comments_and_container() -> None:
    rtf = r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0\fs20 Well played,\parAnn \'e9\u8211?!}".replace(
        "\\parAnn", "\\par\x01\x02Ann"
    )
    match = read(scribes.xg(TOLD, (rtf,)), strict=True)
    assert match.games[0].turns[0].comment == "Well played,\nAnn \u00e9\u2013!"
    assert match.date == "2026-01-08"
    assert (match.event, match.site) == ("Club", "Caf\u00e9")
    assert match.ratings == (1650.5, 1600.0)
    assert match.info == (("CubeLimit", "1024"),)
    bare = scribes.xg(TOLD, trailer=False)
    match = read(bare)
    check(match, TOLD)
    assert "no registry" in match.notes[0].message
    with pytest.raises(FormatError, match="no registry"):
        read(bare, strict=True)


@pytest.mark.parametrize("smile", [True, False])
@pytest.mark.parametrize("compress", [True, False])
def test_bgf_in_all_its_wrappings(compress: bool, smile: bool) -> None:
    match = read(scribes.bgf(TOLD, compress, smile), strict=True)
    check(match, TOLD)
    assert match.site.startswith("Caf\u00e9 with a name")


# ---- real files -----------------------------------------------------------------------------------------------------

GROUPS = {
    "3WNK": ["mat/opengammon_7pt_3WNK.mat", "xg/3WNK_7pt.xg", "bgf/3WNK_7pt.bgf"],
    "5nqf": ["mat/gammonview_7pt_illegal_5nqf.mat", "xg/5nqf_7pt_illegal.xg"],
    "charlot": ["mat/gnubg_7pt.mat", "sgf/gnubg_7pt_analysed.sgf"],
    "xg": ["mat/xg_export_7pt.mat", "mat/xg_text_7pt.txt"],
}
"""Real files of one and the same match."""
TURNS = {"3WNK": 265, "5nqf": 241, "charlot": 197, "xg": 348}
ODD = {
    "mat/gammonview_7pt_illegal_5nqf.mat": [25],
    "mat/hedgehog_9pt_illegal_hQ8s.mat": [71, 98, 104],
}
"""Lines with illegal plays."""
SCORES = {
    "mat/bgstudio_3pt_unknown_play.txt": (3, 0),
    "mat/galaxy_3pt_losses_926877.txt": (3, 0),
    "mat/hedgehog_9pt_illegal_hQ8s.mat": (9, 0),
    "mat/gnubg_7pt.mat": (9, 2),
    "mat/opengammon_7pt_3WNK.mat": (6, 8),
    "mat/xg_text_7pt.txt": (7, 4),
    "xg/B4_S_money.xg": (7, 1),
}


def ends(match: Match) -> list[GameEnd | None]:
    return [game.end for game in match.games]


@pytest.mark.parametrize("group", GROUPS)
def test_real_files_of_one_match_agree(samples: Path, group: str) -> None:
    first, *others = [bg.read_match(samples / name) for name in GROUPS[group]]
    assert sum(len(game.turns) for game in first.games) == TURNS[group]
    for other in others:
        assert first.difference(other) == ""


@pytest.mark.parametrize("name", [*SCORES, *ODD, *(name for group in GROUPS.values() for name in group)])
def test_real_files_are_read_and_written(samples: Path, name: str) -> None:
    match = bg.read_match(samples / name)
    assert [note.line for note in match.notes if "illegal" in note.message] == ODD.get(name, []) or "xg/5nqf" in name
    assert match.score == SCORES.get(name, match.score)
    for kind in WRITERS:
        again = read(written(match, kind))
        assert match.difference(again) == ""
        assert [game.end and game.end[:4] for game in again.games] == [
            game.end and game.end[:4] for game in match.games
        ]
        assert again.names == match.names
    if name.endswith(".sgf"):
        assert read(written(match, "sgf")).games == match.games


@pytest.mark.parametrize("name", ODD)
def test_strict_stops_at_the_first_illegal_play(samples: Path, name: str) -> None:
    with pytest.raises(FormatError, match=f"{Path(name).name}: line {ODD[name][0]}: illegal play") as caught:
        bg.read_match(samples / name, strict=True)
    assert caught.value.line == ODD[name][0]


def test_real_ogxm(samples: Path) -> None:
    pytest.importorskip("ogxm", reason="the extra formats is not installed")
    match = bg.read_match(samples / "ogxm" / "3WNK_7pt_v1.gvab")
    assert "replay" in match.notes[0].message
    assert match.difference(bg.read_match(samples / GROUPS["3WNK"][0])) == ""
    match = bg.read_match(samples / "ogxm" / "match_v2.ogxm")
    assert (match.names, match.length, match.score) == (("Alice", "Bob"), 9, (1, 5))
    assert not any(turn.is_illegal or turn.is_unknown for game in match.games for turn in game.turns)


def test_ogxm_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ogxm", None)
    with pytest.raises(FormatError, match=r"pip install \"bgcore\[formats\]\""):
        read(b"OGXM\x02")
