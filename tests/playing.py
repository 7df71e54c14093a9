"""Short ways through a match for the tests of its state: games that end as wanted."""

from __future__ import annotations

from collections.abc import Mapping

import bgcore as bg
from bgcore.match.actions import Double, NextGame, OpeningRoll, Roll, Ruling, Take

Side = Mapping[int, int]
LAST: Side = {1: 1}
LOSERS: dict[str, Side] = {"single": {6: 14}, "gammon": {6: 15}, "backgammon": {23: 1, 6: 14}}


def position(own: Side, opp: Side) -> bg.Position:
    rows = []
    for side in (own, opp):
        row = [side.get(point, 0) for point in range(26)]
        row[0] = 15 - sum(row[1:])
        rows.append(row)
    return bg.Position.from_counts(rows)


def begun(state: bg.MatchState, first: int = 0) -> bg.MatchState:
    """The game with its opening roll played, so that the other player is to roll or double."""
    if state.is_game_over:
        state = state.apply(NextGame())
    state = state.apply(OpeningRoll(3, 1) if first == 0 else OpeningRoll(1, 3))
    if state.dice is None:
        state = state.apply(Roll(3, 1))
    return state.apply(state.legal_plays()[0])


def won(state: bg.MatchState, winner: int, kind: str = "single") -> bg.MatchState:
    """The game won by the last roll of a race that a director has set up."""
    if state.is_game_over:
        state = state.apply(NextGame())
    state = state.apply(Ruling("set up for a test", position(LAST, LOSERS[kind]), winner))
    state = state.apply(Roll(2, 1))
    return state.apply(state.legal_plays()[0])


def doubled(state: bg.MatchState, by: int) -> bg.MatchState:
    """The cube offered by a player before his roll, and taken."""
    if state.is_game_over:
        state = state.apply(NextGame())
    if state.on_roll is None:
        state = begun(state, 1 - by)
    while state.on_roll != by:
        state = state.apply(Roll(2, 1))
        state = state.apply(state.legal_plays()[0])
    return state.apply(Double()).apply(Take())
