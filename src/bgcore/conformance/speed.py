"""How fast an engine finds legal plays, beside bgcore in the same run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bgcore.batch import PlayBatch, legal_plays
from bgcore.conformance.doors import Door, EngineFault
from bgcore.conformance.inprocess import InProcess
from bgcore.conformance.program import Program
from bgcore.conformance.report import Rate, Speed
from bgcore.conformance.sampling import random_games
from bgcore.dice import ROLLS
from bgcore.position import Position
from bgcore.rules import BACKGAMMON

__all__ = ["measure"]

SEED = 20_240_229
ROLLS_ASKED = 210
LONG_ENOUGH = 0.25
MOST_ROUNDS = 2000

Pair = tuple[Position, tuple[int, int]]


def measure(door: Door, *, seconds: float = LONG_ENOUGH) -> Speed | None:
    """Ask an engine for the plays of the same rolls again and again; None if it offers no plays.

    Parameters
    ----------
    door : Door
    seconds : float
        Time after which no new round begins.

    Raises
    ------
    EngineFault
        It stops answering.
    """
    if "plays" not in door.info.can:
        return None
    pairs = list(rolls_of(door))
    packed = np.array([position.packed for position, _ in pairs])
    dice = np.array([roll for _, roll in pairs])
    plays = int(legal_plays(packed, dice).offsets[-1])

    def rate(way: str, taken: float) -> Rate:
        return Rate(way, len(pairs) / taken, plays / taken)

    if isinstance(door, InProcess):
        way = "a call a roll"
        taken = _per_round(lambda: door.call(lambda: _call_all(door.engine_plays, pairs), 60 * door.timeout), seconds)
    else:
        way = "line protocol"
        taken = _per_round(lambda: _ask_all(door, pairs), seconds)
    rates = [rate(f"this engine, {way}", taken)]
    if not isinstance(door, InProcess):
        try:
            ours = Program([sys.executable, "-m", "bgcore.conformance.serve", "bgcore.conformance.ours:engine"])
        except EngineFault:  # no Python to start, as in a frozen program
            pass
        else:
            try:
                rates.append(rate(f"bgcore, {way}", _per_round(lambda: _ask_all(ours, pairs), seconds)))
            finally:
                ours.close()
    rates.append(rate("bgcore, a call a roll", _per_round(lambda: _call_all(BACKGAMMON.legal_plays, pairs), seconds)))
    reused = PlayBatch()
    rates.append(rate("bgcore, a call for all", _per_round(lambda: legal_plays(packed, dice, out=reused), seconds)))
    return Speed(way, len(pairs), taken, tuple(rates))


def rolls_of(door: Door) -> list[Pair]:
    """The rolls that are asked: of random games, or of the engine's own positions."""
    if door.info.positions is not None:
        own = door.info.positions
        return [(own[i % len(own)], ROLLS[i % 21]) for i in range(ROLLS_ASKED)]
    rows = random_games(ROLLS_ASKED, seed=SEED)
    return [(Position.from_packed(row), ROLLS[i % 21]) for i, row in enumerate(rows)]


def _call_all(call: Callable[[Position, tuple[int, int]], Any], pairs: list[Pair]) -> None:
    for position, dice in pairs:
        for _ in call(position, dice):
            pass


def _ask_all(door: Door, pairs: list[Pair]) -> None:
    for position, dice in pairs:
        door.ask("plays", {"position": position, "dice": list(dice), "rules": BACKGAMMON, "context": 0})


def _per_round(work: Callable[[], object], seconds: float) -> float:
    """Seconds of the fastest round."""
    best, begin = float("inf"), time.perf_counter()
    for _ in range(MOST_ROUNDS):
        started = time.perf_counter()
        work()
        ended = time.perf_counter()
        best = min(best, ended - started)
        if ended - begin > seconds:
            break
    return best
