"""States as XGIDs and GNU Backgammon's IDs, and back: pairs seen in public, round trips, states that cannot be."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bgcore as bg
from bgcore.errors import BgcoreError, FormatError, InvalidPosition, RuleError
from bgcore.match.actions import (
    Accept,
    Beaver,
    Decline,
    Double,
    Drop,
    Forfeit,
    MakePlay,
    NextGame,
    OpeningRoll,
    Raccoon,
    Resign,
    Roll,
    Ruling,
    Take,
)
from bgcore.match.gul_bar import GulBar
from bgcore.match.tavli import best_of_three
from playing import begun, doubled, position, won

new, from_xgid, from_gnubg_id = bg.MatchState.new, bg.MatchState.from_xgid, bg.MatchState.from_gnubg_id

# XGIDs seen in public with the IDs that GNU Backgammon makes of them (but the 23rd, whose double it drops).
PAIRS = {
    "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10": "4HPwATDgc/ABMA:cAkAAAAAAAAE",
    "-bb---D-C---dD---c-d---BB-:0:0:1:00:0:0:0:0:10": "4Dl4ADbgOXgANg:cAkAAAAAAAAE",
    "-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10": "b9sBCIC5bYDQAA:QQnlAGAAGAAE",
    "---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10": "dB7GGAJsZuJgAg:cAkgAVAAAAAE",
    "-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10": "Mw5jkCQyz+AhAg:cAkgAUAAEAAE",
    "--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10": "5O4uAAhmdysAQA:cAngACAAAAAE",
    "---BADB------------bf---a-:1:1:1:00:4:0:0:7:10": "4TcAALDeAAAAAA:UQngAAAAIAAE",
    "---c--CCB---dB-B---c-BcAb-:1:1:1:00:0:1:0:7:10": "cxzwAA7gbjADEw:UQngABAAAAAE",
    "----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10": "4O3CgAXgZ8wMIA:cAlmAQAACAAE",
    "-b----E-C--AeD---bAdb---A-:0:0:1:52:0:0:3:0:10": "sGfwATDgc+RBIA:cIkKAAAAAAAA",
    "--BBBBB-AB----a--cbdbBb-a-:1:1:1:65:0:0:2:0:10": "mb0dAQC2bRoABg:UQkXAAAAAAAE",
    "-b---CC-C---eD---c-e---AA-:0:0:1:66:4:1:1:5:10": "4HPwATBw5+ABKA:8Am7ABAAIAAE",
    "---BBBBAAA---Ac-bbccbAA-A-:1:1:-1:63:4:3:0:5:8": "bFuFACWwu80BAA:EQGvADAAIAAE",
    "-DCBBB---A------bcdcc----A:1:-1:-1:54:9:9:0:11:10": "77YhAEBw924AAA:AYFyAZAASAAE",
    "aBBCBBB--A------bbdcc---A-:1:-1:1:32:9:9:0:11:10": "cPc2AEDbbSMAIA:QYlpAZAASAAE",
    "-a--B-C-C-aBdC---bbe----B-:0:0:1:31:6:9:0:11:10": "4NvgCSCYc8wBMA:cIllAZAAMAAE",
    "--aaB-C-C-ABdB---bbe---AA-:0:0:1:00:6:9:0:11:10": "4NvgARSYc5oBKA:cAlgAZAAMAAE",
    "--BACCB-A-----bb--cccbB-A-:1:1:1:41:6:5:0:11:10": "2N2xAQDW3QQAJg:UQlmAVAAMAAE",
    "----ABD-C--beC---bBbb-b---:0:0:1:61:3:2:0:11:10": "zGbwDQBoz8HBAA:cAlnASAAGAAE",
    "--BBbBB-----aE----Be-c-bb-:1:-1:-1:54:0:0:0:0:8": "NhvwwQCb8wEBBg:AYESAAAAAAAE",
    "aa--BBBB----dE---d-e----B-:0:0:1:00:0:0:0:0:10": "4PPgAVDYNvABMA:cAkAAAAAAAAE",
    "aBaB--C-A---dE--ac-e----B-:0:0:1:42:0:0:0:0:10": "4HPhAUgzTvABMA:cAkKAAAAAAAE",
    "--CBBBBaa--------bCbcbbAb-:2:-1:-1:D:0:0:2:0:10": "btsAcBCz3QygAA:AhkAAAAAAAAE",
    "----BaC-B---aD--aa-bcbbBbB:0:0:1:22:2:3:0:13:10": "s90UAgKYM3gAZg:cAmpATAAEAAE",
    "-aa--CCBCa--ca---a-c-bb-CA:0:0:1:52:0:1:0:5:10": "bE7oCChwtwMAXA:cImqABAAAAAE",
    "--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10": "3PaAAQZi25gBMA:8InlAEAAMAAE",
}


@pytest.mark.parametrize(("xgid", "gnubg_id"), PAIRS.items())
def test_pairs(xgid: str, gnubg_id: str) -> None:
    state = from_xgid(xgid)
    assert state.xgid(bottom=0) == "XGID=" + xgid
    across = from_xgid(state.xgid(bottom=1))
    assert (across.on_roll, across.score) == (1 - state.on_roll, state.score[::-1])
    assert (across.position, across.xgid(), across.xgid(bottom=1)) == (state.position, state.xgid(), "XGID=" + xgid)
    assert state.gnubg_id == gnubg_id
    other = from_gnubg_id(gnubg_id)
    assert other.gnubg_id == gnubg_id
    assert held(other) == held(state)


def test_the_one_on_roll_sits_at_the_bottom_unless_told_otherwise() -> None:
    state = from_xgid("XGID=---BBBBAAA---Ac-bbccbAA-A-:1:1:-1:63:4:3:0:5:8")
    assert state.xgid() == state.xgid(bottom=1) == "XGID=-a-aaBCCBB-Ca---aaabbbb---:1:-1:1:63:3:4:0:5:8"
    assert state.on_roll == 1


def held(state: bg.MatchState) -> dict[str, Any]:
    """What both kinds of ID say of a state."""
    return {
        "position": state.position,
        "on_roll": 0 if state.is_game_over and state.on_roll is None else state.on_roll,  # resigned before it began
        "to_act": state.to_act,
        "phase": state.phase,
        "dice": state.dice,
        "cube": state.cube,
        "owner": state.cube_owner,
        "doubled": state.phase == "offered",
        "redoubled": state.redoubles % 2,
        "resigned": state.resigned,
        "length": state.length,
        "score": state.score,
        "crawford": state.is_crawford,
        "post_crawford": state.is_post_crawford,
        "jacoby": state.jacoby,
        "result": state.result,
        "winner": state.winner,
    }


# ---- GNU Backgammon


START = "4HPwATDgc/ABMA"


def test_a_pending_double_beaver_and_raccoon() -> None:
    offer = from_gnubg_id(f"{START}:MBkAAAAAAAAA", beavers=3)
    assert (offer.pending, offer.on_roll, offer.to_act, offer.cube) == ("double", 1, 0, 1)
    beaver, raccoon = offer.apply(Beaver()), offer.apply(Beaver()).apply(Raccoon())
    third = raccoon.apply(Beaver())
    for state, text in {
        offer: "MBkAAAAAAAAA",
        beaver: "EREAAAAAAAAA",
        raccoon: "EhkAAAAAAAAA",
        third: "ExEAAAAAAAAA",
    }.items():
        assert state.gnubg_id == f"{START}:{text}"
        again = from_gnubg_id(state.gnubg_id, beavers=3)
        assert held(again) == held(state)
        assert again.gnubg_id == state.gnubg_id
    # a longer chain is read as the shortest that leaves the same decision
    assert from_gnubg_id(third.gnubg_id).redoubles == 1
    assert from_gnubg_id(third.gnubg_id).pending == "beaver"
    assert from_gnubg_id(raccoon.gnubg_id).options.beavers == 2


def test_row_six_is_written_anew_with_the_jacoby_bit() -> None:
    assert from_gnubg_id(f"{START}:QYkqASAAIAAA").gnubg_id == f"{START}:QYkqASAAIAAE"


def test_a_finished_match_whose_score_passes_the_length() -> None:
    """GNU Backgammon's own reader refuses what it has written here."""
    state = from_gnubg_id(f"{START}:cGNgAFAAAAAE")
    assert (state.score, state.length, state.winner, state.is_match_over) == ((0, 5), 3, 1, True)
    assert state.result == (1, 3, "backgammon", "resignation")
    assert state.gnubg_id == f"{START}:cGNgAFAAAAAE"
    played = begun(new(3, score=(0, 2), crawford_played=True), first=1).apply(Resign(3, 0)).apply(Accept())
    assert played.score == (0, 5)
    assert held(from_gnubg_id(played.gnubg_id)) == held(played)


def test_a_pending_resignation() -> None:
    for state in (
        begun(new(7)).apply(Resign(2, 0)),
        begun(new(0)).apply(Resign(3, 1)),
        new(5).apply(OpeningRoll(6, 5)).apply(Resign(1, 1)),
        new(5).apply(Resign(1, 1)),
    ):
        again = from_gnubg_id(state.gnubg_id)
        assert held(again) == held(state)
        assert held(again.apply(Decline())) == held(state.apply(Decline()))
        assert again.apply(Accept()).score == state.apply(Accept()).score


def test_every_way_to_end_a_game() -> None:
    ends = [
        begun(new(7)).apply(Double()).apply(Drop()),
        begun(new(0, beavers=2)).apply(Double()).apply(Beaver()).apply(Drop()),
        won(new(7), 1, "gammon"),
        won(doubled(new(0), by=0), 0, "backgammon"),
        won(new(0), 0, "backgammon"),
        begun(new(0)).apply(Resign(2, 0)).apply(Accept()),
        won(new(5, score=(4, 2)), 1),
        won(new(5, score=(3, 2)), 0),
        won(won(new(5, score=(4, 2)), 1), 1),
        won(new(1), 0),
    ]
    for state in ends:
        again = from_gnubg_id(state.gnubg_id)
        assert held(again) == held(state), state
        assert again.gnubg_id == state.gnubg_id
        if not state.is_match_over:
            following, expected = again.apply(NextGame()), state.apply(NextGame())
            assert (following.is_crawford, following.is_post_crawford) == (
                expected.is_crawford,
                expected.is_post_crawford,
            )


def test_other_games() -> None:
    for rules in (bg.NACKGAMMON, bg.HYPERGAMMON, bg.PORTES, bg.UZUN_TAVLA):
        state = begun(new(5, rules))
        assert held(from_gnubg_id(state.gnubg_id, rules)) == held(state)
        assert held(from_xgid(state.xgid(bottom=0), rules)) == held(state)
    for rules in (bg.FEVGA, bg.LONG_NARDI, bg.GUL_BARA, bg.JACQUET):
        state = new(5, rules)
        for make in (lambda s=state: s.gnubg_id, state.xgid, lambda r=rules: from_gnubg_id(f"{START}:cAkAAAAAAAAE", r)):
            with pytest.raises(RuleError, match="contrary boards"):
                make()


def test_states_that_an_id_cannot_hold() -> None:
    forfeited = begun(new(7)).apply(Forfeit(0, "game", reason="flag"))
    with pytest.raises(RuleError, match="forfeit"):
        _ = forfeited.gnubg_id
    big = doubled(new(0, automatic_doubles=16), by=0)
    for turn in range(1, 16):
        big = doubled(big, by=turn % 2)
    assert big.cube == 2**16
    biggest = big
    for turn in range(16, 30):
        biggest = doubled(biggest, by=turn % 2)
    assert from_xgid(biggest.xgid(bottom=0)).cube == biggest.cube == 2**30
    with pytest.raises(RuleError, match="4 bits for the cube"):
        _ = big.gnubg_id
    assert from_xgid(big.xgid(bottom=0)).cube == 2**16
    for series in (best_of_three(), GulBar()):
        state = new(series=series)
        for make in (lambda s=state: s.gnubg_id, state.xgid):
            with pytest.raises(RuleError, match="no place for a series"):
                make()
    for state, says in {
        new(7): "opening roll has not been thrown",
        won(new(7), 0): "game is over",
        begun(new(7)).apply(Resign(1, 0)): "no place for a resignation",
    }.items():
        with pytest.raises(RuleError, match=says):
            state.xgid()
    pins = np.zeros((2, 26), bool)
    pins[1, 18] = True
    place = bg.Position.from_counts(position({24: 14, 7: 1}, {24: 13, 20: 1, 18: 1}).counts, pins)
    pinned = begun(new(5, bg.PLAKOTO)).apply(Ruling("set up for a test", place, 0))
    for make in (lambda: pinned.gnubg_id, pinned.xgid):
        with pytest.raises(InvalidPosition):
            make()


@pytest.mark.parametrize(
    ("match_id", "options", "says"),
    [
        ("AhkAAAAAAAAE", {"beavers": 0}, ""),  # a redouble by the owner
        ("QQnlAGAAGAAE", {"jacoby": True}, ""),  # in a match it means nothing
        ("cAkAAAAAAAAE", {"jacoby": True}, "opposite"),
        ("EREAAAAAAAAA", {"beavers": 0}, "0 are agreed"),
        ("EhkAAAAAAAAA", {"beavers": 1}, "1 are agreed"),
    ],
)
def test_options_beside_the_id(match_id: str, options: dict[str, Any], says: str) -> None:
    if says:
        with pytest.raises(RuleError, match=says):
            from_gnubg_id(f"{START}:{match_id}", **options)
    else:
        from_gnubg_id(f"{START}:{match_id}", **options)


def match_id(**fields: Any) -> str:
    from bgcore.formats.ids import MatchId, format_match_id

    plain: dict[str, Any] = {
        "cube": 0, "owner": None, "on_roll": 0, "crawford": False, "state": "playing", "turn": 0, "doubled": False,
        "resigned": 0, "dice": None, "length": 0, "scores": (0, 0), "jacoby": True,
    }  # fmt: skip
    return format_match_id(MatchId(**(plain | fields)))


FINISHED = position({}, {6: 15}).gnubg_id


@pytest.mark.parametrize(
    ("place", "fields", "says"),
    [
        (START, {"cube": 1, "owner": 1, "doubled": True, "turn": 1, "length": 7}, "cannot have doubled"),
        (START, {"cube": 1, "owner": 1, "doubled": True, "turn": 0, "length": 7}, "money play"),  # a beaver in a match
        (START, {"cube": 0, "owner": 1, "doubled": True, "turn": 0}, "cannot show 1"),
        (START, {"cube": 1, "owner": 0, "doubled": True, "turn": 0}, "after 1 redoubles player 0 owns"),
        (START, {"doubled": True, "turn": 0}, "after 1 redoubles player 0 owns"),
        (START, {"cube": 0, "owner": 1}, "cannot show 1"),
        (START, {"cube": 1, "length": 7}, "has never been turned"),
        (START, {"cube": 1, "owner": 0, "crawford": True, "length": 5, "scores": (4, 2)}, "Crawford game"),
        (START, {"doubled": True, "turn": 1, "crawford": True, "length": 5, "scores": (4, 2)}, "Crawford game"),
        (START, {"crawford": True, "length": 5, "scores": (3, 2)}, "no Crawford game at 2-3"),
        (START, {"crawford": True, "length": 5, "scores": (4, 4)}, "no Crawford game at 4-4"),
        (START, {"crawford": True, "length": 1}, "one point has no Crawford|to one point|no Crawford game"),
        (START, {"cube": 1, "owner": 0, "length": 1}, "one point has no cube"),
        (START, {"doubled": True, "turn": 1, "length": 1}, "one point has no cube"),
        (START, {"turn": 1}, "nothing is pending"),
        (START, {"state": "over"}, "position is not"),
        (START, {"state": "resigned", "resigned": 2, "turn": 1, "cube": 1, "owner": 0}, "must contain them"),
        (START, {"state": "dropped", "turn": 1}, "must contain them"),
        (START, {"state": "dropped", "turn": 1, "doubled": True, "scores": (1, 0)}, "is pending"),
        (START, {"state": "dropped", "turn": 1, "dice": (2, 1), "scores": (1, 0)}, "on the table"),
        (FINISHED, {}, "game is over"),
        (FINISHED, {"dice": (2, 1)}, "game is over"),
        (FINISHED, {"state": "none"}, "game is over|starting position"),
        ("4PPgAVDYNvABMA", {"state": "none"}, "starting position"),
    ],
)
def test_gnubg_ids_that_cannot_be(place: str, fields: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        from_gnubg_id(f"{place}:{match_id(**fields)}")


# ---- XGID


def test_beaver_and_raccoon_in_an_xgid() -> None:
    """The cube and its owner are those before the double, as with ``D``; no real file with these was at hand."""
    double = from_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:D:0:0:2:0:10")
    beaver = from_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:2:0:10")
    raccoon = from_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:R:0:0:2:0:10")
    assert beaver == double.apply(Beaver())
    assert raccoon == beaver.apply(Raccoon())
    assert (beaver.cube, beaver.cube_owner, beaver.cube_owner_before, beaver.to_act) == (4, 1, 0, 0)
    for state, letter in ((double, "D"), (beaver, "B"), (raccoon, "R")):
        assert state.xgid(bottom=0) == f"XGID=-b----E-C---eE---c-e----B-:1:1:1:{letter}:0:0:2:0:10"
    kept = from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:R:0:0:3:0:10", raccoon_owner="doubler")
    assert (kept.cube, kept.cube_owner) == (4, 0)


@pytest.mark.parametrize("dice", ["31", "13", "55", "00"])
@pytest.mark.parametrize("largest", ["0", "1", "8", "10", "30"])
@pytest.mark.parametrize("rules", ["0:0", "3:0", "0:5"])
@pytest.mark.parametrize("turn", ["1", "-1"])
def test_a_canonical_xgid_comes_back_byte_for_byte(dice: str, largest: str, rules: str, turn: str) -> None:
    """The order of the dice and the largest cube are carried, and are no part of the value."""
    text = f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:{dice}:0:0:{rules}:{{}}"
    state = from_xgid(text.format(largest))
    for same in (state, copy.copy(state), pickle.loads(pickle.dumps(state))):
        assert same.xgid(bottom=0) == text.format(largest)
    other = from_xgid(text.replace(f":{dice}:", f":{dice[::-1]}:").format("12" if largest != "0" else "0"))
    assert other == state
    assert hash(other) == hash(state)
    assert other.actions() == state.actions()


def test_what_is_carried_goes_on_with_the_match() -> None:
    state = from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:13:0:0:0:7:8")
    assert (state.dice, state.thrown, state.max_cube) == ((3, 1), (1, 3), 8)
    later = state.apply(MakePlay("8/5 6/5")).apply(Roll(2, 6))
    assert later.xgid(bottom=0) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:13:0:0:0:7:8".replace(
        "-b----E-C---eE---c-e----B-:0:0:1:13", "-b---BD-B---eE---c-e----B-:0:0:-1:26"
    )
    assert state.apply(MakePlay("8/5 6/5")).thrown is None
    assert new(7).apply(OpeningRoll(3, 1)).max_cube is None


def test_a_cube_beyond_the_carried_limit() -> None:
    state = from_xgid("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:9:1")
    offered = state.apply(Double())
    assert offered.xgid(bottom=0) == "XGID=-b----E-C---eE---c-e----B-:1:1:1:D:0:0:0:9:30"
    assert from_xgid(offered.xgid(bottom=0)) == offered


def test_the_form_for_gnubg() -> None:
    money, match = "XGID=-b----E-C---eE---c-e----B-:{}:0:0:{}:0:10", "XGID=-b----E-C---eE---c-e----B-:{}:0:0:0:{}:10"
    for text in (
        money.format("0:0:1:00", 3),
        money.format("12:1:1:00", 0).replace(":10", ":30"),
        match.format("6:1:1:21", 64),
    ):
        assert from_xgid(text).xgid(bottom=0, form="gnubg") == text
    for text, says in (
        (money.format("0:0:1:D", 3), "does not keep a double that waits"),
        (money.format("1:1:1:B", 2), "does not keep a beaver that waits"),
        (money.format("1:1:1:R", 2), "does not keep a raccoon that waits"),
        (match.format("0:0:1:00", 65), "64 points at most, not to 65"),
        (match.format("7:1:1:00", 64), "cube goes to 64 in a match, not to 128"),
        (money.format("13:1:1:00", 0).replace(":10", ":30"), "cube goes to 4096 in money play, not to 8192"),
    ):
        assert from_xgid(text).xgid(bottom=0) == text
        with pytest.raises(RuleError, match=says):
            from_xgid(text).xgid(bottom=0, form="gnubg")
    with pytest.raises(RuleError, match="form is 'xg' or 'gnubg'"):
        from_xgid(money.format("0:0:1:00", 0)).xgid(form="jellyfish")


def test_options_beside_the_xgid() -> None:
    money = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:{}:0:{}"
    assert from_xgid(money.format(2, 10)).options.beavers == 2
    assert from_xgid(money.format(2, 10), beavers=1).options.beavers == 1
    assert from_xgid(money.format(3, 8)).options.jacoby
    assert not from_xgid(money.format(2, 8)).options.jacoby
    assert not from_xgid(money.format(1, 0)).rules.cube
    assert from_xgid(money.format(1, 0)).xgid(bottom=0) == money.format(1, 0)
    assert from_xgid(money.format(3, 8), cube_limit=4).options.cube_limit == 4
    for text, options, says in (
        (money.format(0, 10), {"beavers": 1}, "no beavers"),
        (money.format(2, 10), {"beavers": 0}, "there are beavers"),
        (money.format(0, 10), {"jacoby": True}, "opposite"),
    ):
        with pytest.raises(RuleError, match=says):
            from_xgid(text, **options)
    centred = from_xgid("XGID=-b----E-C---eE---c-e----B-:1:0:1:00:0:0:0:0:10")
    assert (centred.cube, centred.automatic_doubles, centred.options.automatic_doubles) == (2, 1, 1)
    with pytest.raises(RuleError, match="0 are agreed"):
        from_xgid("XGID=-b----E-C---eE---c-e----B-:1:0:1:00:0:0:0:0:10", automatic_doubles=0)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ("1:-1:1:D:0:0:0:7:10", "not_owner"),  # doubled without the cube
        ("1:-1:1:D:0:0:3:0:10", "not_owner"),
        ("1:-1:1:B:0:0:3:0:10", "not_owner"),
        ("1:-1:1:R:0:0:3:0:10", "not_owner"),
        ("0:1:1:00:0:0:0:7:10", "not_owner"),  # an owner of a cube that was never turned
        ("1:0:1:00:0:0:0:7:10", "automatic_doubles"),  # no automatic doubles in a match
        ("0:0:1:D:4:2:1:5:10", "crawford"),
        ("1:1:1:00:4:2:1:5:10", "crawford"),
        ("1:0:1:00:4:2:1:5:10", "crawford"),
        ("0:0:1:00:4:4:1:5:10", "crawford"),
        ("0:0:1:B:0:0:0:7:10", "money_only"),
        ("0:0:1:R:0:0:0:7:10", "money_only"),
        ("0:0:1:B:0:0:0:0:10", "beavers"),
        ("0:0:1:D:0:0:0:1:10", "one_point_match"),
        ("1:1:1:00:0:0:0:1:10", "one_point_match"),
        ("3:1:1:D:0:0:0:0:3", "cube_limit"),
        ("2:1:1:B:0:0:2:0:3", "cube_limit"),
        ("0:0:1:D:0:0:0:7:0", "no_cube"),
    ],
)
def test_xgids_that_cannot_be(fields: str, rule: str) -> None:
    with pytest.raises(RuleError) as caught:
        from_xgid(f"XGID=-b----E-C---eE---c-e----B-:{fields}")
    assert caught.value.rule == rule


def test_a_dead_cube_in_an_xgid() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:4:4:0:5:10"
    assert from_xgid(text).pending == "double"
    with pytest.raises(RuleError, match="dead cube"):
        from_xgid(text, dead_cube="forbid")


def test_a_finished_position_is_no_state_of_an_xgid() -> None:
    with pytest.raises(RuleError, match="game is over"):
        from_xgid("XGID=-------------------e------:0:0:1:00:0:0:0:7:10")


def test_no_roll_that_can_be_played() -> None:
    state = from_xgid("XGID=----BaC-B---aD--aa-bcbbBbB:0:0:1:22:2:3:0:13:10")
    assert state.actions()[0].kind == "play"
    closed = from_xgid("XGID=-------------------bbbbbbA:0:0:1:65:0:0:0:13:10")
    assert closed.actions()[0].kind == "pass"


@pytest.mark.parametrize("text", ["", "XGID=", "4HPwATDgc/ABMA", "-b----E-C---eE---c-e----B-", "a" * 500])
def test_texts_that_are_none(text: str) -> None:
    for read in (from_xgid, from_gnubg_id):
        with pytest.raises(FormatError):
            read(text)


# ---- random states


def random_state(seed: int, length: int, **options: Any) -> bg.MatchState:
    """Somewhere in a random match."""
    rng = random.Random(seed)
    score = (rng.randrange(length), rng.randrange(length)) if length else (rng.randrange(9), rng.randrange(9))
    state = new(length, score=score, **options)
    for _ in range(rng.choice([3, 10, 40, 300])):
        listed = [a for a in state.actions() if not isinstance(a, Resign) or rng.random() < 0.02]
        if not listed:
            break
        action = rng.choice(listed)
        if isinstance(action, Drop | Accept) and rng.random() < 0.7:
            action = Take() if isinstance(action, Drop) else Decline()
        if isinstance(action, OpeningRoll | Roll):
            action = type(action)(rng.randint(1, 6), rng.randint(1, 6))
        state = state.apply(rng.choice(state.legal_plays()) if isinstance(action, MakePlay) else action)
    return state


@given(st.integers(0, 10**6), st.sampled_from([0, 0, 1, 2, 3, 5, 7]))
def test_round_trips_of_random_states(seed: int, length: int) -> None:
    options = {} if length else {"beavers": 3, "automatic_doubles": 2, "jacoby": bool(seed % 2)}
    state = random_state(seed, length, **options)
    if max(state.score) > 32767:
        with pytest.raises(RuleError, match=r"a Match ID has (15 bits for the score|4 bits for the cube)"):
            _ = state.gnubg_id
        return
    if state.cube > 2**15:
        with pytest.raises(RuleError, match="a Match ID has 4 bits for the cube"):
            _ = state.gnubg_id
    else:
        again = from_gnubg_id(state.gnubg_id, **options)
        assert held(again) == held(state)
        assert again.gnubg_id == state.gnubg_id
    if state.on_roll is not None and not state.is_game_over and state.resigned is None:
        for bottom in (0, 1):
            text = state.xgid(bottom=bottom)
            again = from_xgid(text, **options)
            assert again.xgid(bottom=0) == text
            if bottom == 0:
                assert held(again) == held(state)
                assert again.redoubles == min(state.redoubles, 2 - state.redoubles % 2)


@given(st.text(max_size=60) | st.from_regex(r"XGID=[-A-Pa-p]{26}(:-?[0-9DBR]{1,2}){9}", fullmatch=True))
def test_any_text_makes_a_state_or_an_error(text: str) -> None:
    for read in (from_xgid, from_gnubg_id):
        try:
            state = read(text)
        except BgcoreError:
            continue
        assert state.actions()
