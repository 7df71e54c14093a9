"""Strings of positions and states; match files: reading with every play checked, writing, converting, columns.

The match is made here: three games of random plays, some 300 turns, about as many as a match to 7 points has.  XG's
files need a real one, out of the folder that ``BGCORE_SAMPLES`` names.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from figures import Measure

import bgcore as bg
from bgcore import dataset
from bgcore.dice import SeededDice
from bgcore.formats.matches import written
from bgcore.match.random_game import random_game
from bgcore.match.transcript import Game, GameEnd, Match, Turn

CALLS = 20
SEED = 7


def random_match() -> Match:
    """Three games of random plays; a roll that cannot be played has a play without moves, as readers have it."""
    streams = np.random.SeedSequence(SEED).spawn(2)
    dice, choices = SeededDice(streams[0]), np.random.Generator(np.random.PCG64(streams[1]))
    games: list[Game] = []
    score = [0, 0]
    for number in (1, 2, 3):
        played = random_game(bg.BACKGAMMON, dice, choices)
        turns = tuple(
            Turn(
                turn.player, "play", turn.dice,
                turn.play or bg.BACKGAMMON.check(turn.position, turn.dice, ""), turn.after.flipped(),
            )
            for turn in played.turns
        )  # fmt: skip
        assert played.winner is not None
        kind = ("single", "gammon", "backgammon")[played.points - 1]
        end = GameEnd(played.winner, played.points, kind, "played")  # type: ignore[arg-type]
        games.append(Game(turns, end, (score[0], score[1]), number=number))
        score[played.winner] += played.points
    return Match(("Ann", "Bob"), 11, tuple(games))


MATCH = random_match()
TURNS = sum(len(game.turns) for game in MATCH.games)


def many(call: Callable[[], object]) -> Callable[[], None]:
    """The call, `CALLS` times in a row."""

    def run() -> None:
        for _ in range(CALLS):
            call()

    return run


XGID = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
STATE = bg.MatchState.from_xgid(XGID)
STRINGS: dict[str, tuple[Callable[[], object], float | None]] = {
    "Position.from_xgid": (lambda: bg.Position.from_xgid(XGID), 200_000.0),
    "Position.from_gnubg_id": (lambda: bg.Position.from_gnubg_id("4HPwATDgc/ABMA"), 200_000.0),
    "Position.gnubg_id": (lambda: STATE.position.gnubg_id, 200_000.0),
    "MatchState.from_xgid": (lambda: bg.MatchState.from_xgid(XGID), 50_000.0),
    "MatchState.xgid": (STATE.xgid, None),
    "MatchState.from_gnubg_id": (lambda: bg.MatchState.from_gnubg_id("b9sBCIC5bYDQAA:QQnlAGAAGAAE"), None),
    "parse": (lambda: bg.parse(XGID), None),
}


@pytest.mark.parametrize("name", STRINGS)
def bench_string(measure: Measure, name: str) -> None:
    call, goal = STRINGS[name]
    measure(name, many(call), work=CALLS, unit="strings/s", goal=goal)


@pytest.mark.parametrize("name", ["mat", "txt", "sgf"])
def bench_read(measure: Measure, name: str) -> None:
    data = written(MATCH, name)
    label = f"read_match, .{name} of {TURNS} turns, all plays checked"
    goal = 5000.0 if name == "mat" else None
    measure(label, many(lambda: bg.read_match(io.BytesIO(data))), work=CALLS, unit="us", goal=goal)
    assert bg.read_match(io.BytesIO(data)).same_play(MATCH)


@pytest.mark.parametrize("name", ["mat", "txt", "sgf"])
def bench_write(measure: Measure, name: str) -> None:
    measure(f"  written as .{name}", many(lambda: written(MATCH, name)), work=CALLS, unit="us")
    assert bg.read_match(io.BytesIO(written(MATCH, name))).same_play(MATCH)


def bench_convert(measure: Measure) -> None:
    data = written(MATCH, "mat")
    call = many(lambda: written(bg.read_match(io.BytesIO(data)), "mat"))
    measure("convert .mat to .mat", call, work=CALLS, unit="matches/s", goal=150.0)
    assert written(bg.read_match(io.BytesIO(data)), "mat") == data


def bench_columns(measure: Measure) -> None:
    measure("dataset.columns", many(lambda: dataset.columns(MATCH)), work=CALLS * TURNS, unit="rows/s")
    assert len(dataset.columns(MATCH)["turn"]) == TURNS


@pytest.fixture
def xg_file() -> bytes:
    """A match to 7 points, analysed."""
    folder = os.environ.get("BGCORE_SAMPLES")
    if not folder:
        pytest.skip("BGCORE_SAMPLES is not set: no file of XG")
    return (Path(folder) / "xg" / "3WNK_7pt.xg").read_bytes()


def bench_convert_xg(measure: Measure, xg_file: bytes) -> None:
    call = many(lambda: written(bg.read_match(io.BytesIO(xg_file)), "mat"))
    measure("convert .xg to .mat", call, work=CALLS, unit="matches/s", goal=50.0)
    assert len(bg.read_match(io.BytesIO(xg_file)).games) == 7
