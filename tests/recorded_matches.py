"""Compares a match with a story of the naive scribes."""

from __future__ import annotations

import numpy as np

import bgcore as bg
from bgcore.match.transcript import Game, Match
from naive import backgammon as naive
from naive.scribes import Story, Told, ToldGame


def seen_by_opponent(told: Told) -> bg.Position:
    """The position after a told play."""
    return bg.Position.from_board(np.array(naive.flip(told.after), np.int8))


def check(match: Match, told: Story) -> None:
    """Every turn, board, cube, score and end is as the story has it."""
    assert match.length == told.length
    assert match.names == told.names
    assert len(match.games) == len(told.games)
    for game, of in zip(match.games, told.games, strict=True):
        check_game(game, of)


def check_game(game: Game, told: ToldGame) -> None:
    assert game.score == told.score
    assert game.crawford == told.crawford
    last = game.turns[-1]
    turns = list(game.turns)
    if last.is_unknown and told.how == "resigned" and len(turns) > len(told.turns):
        turns.pop()
    assert len(turns) == len(told.turns)
    for turn, of in zip(turns, told.turns, strict=True):
        assert (turn.player, turn.action) == (of.player, of.action)
        if of.action == "double":
            assert turn.cube == of.cube
        if of.action != "play":
            continue
        assert turn.dice is not None
        assert sorted(turn.dice) == sorted(of.dice)
        assert turn.play is not None, f"{of.path} with {of.dice} was read as illegal: {turn.text}"
        assert turn.result == seen_by_opponent(of)
    for step, of in zip(game.steps(), told.turns, strict=False):
        assert step.position == bg.Position.from_board(np.array(of.before, np.int8))
    if told.winner is None:
        assert game.end is None
    else:
        assert game.end is not None
        assert (game.end.winner, game.end.points, game.end.how) == (told.winner, told.points, told.how)
