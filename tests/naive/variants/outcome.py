"""Who has won, and how much (variants.md §3 to §10, clarifications 1, 5 and 11)."""

from __future__ import annotations

from typing import NamedTuple

from naive.variants.board import BAR, CHECKERS, HOME, OFF, OPPONENTS_NUMBER, Board
from naive.variants.games import Game
from naive.variants.moves_plakoto import mother


class Outcome(NamedTuple):
    """The end of a game."""

    winner: str  # own, opp, none
    kind: str  # single, gammon, backgammon, mother, bar_loss, draw
    points: int  # before any cube; of a draw, for each side


def outcome(game: Game, board: Board, mover_is_first: bool = False) -> Outcome | None:
    """The result in a position after a complete play, seen by the one who played; None while the game goes on.

    `mover_is_first` matters to `draw=last_roll` alone (§9).
    """
    if game.entry_bar_loss is not None:  # clarification 11
        for winner, loser in (("own", board.opp), ("opp", board.own)):
            if loser[BAR] >= game.entry_bar_loss:
                return Outcome(winner, "bar_loss", 2)
    by_mother = mother(game, board)
    if by_mother == "draw":
        return Outcome("none", "draw", game.draw_points)
    if by_mother is not None:
        return Outcome(by_mother, "mother", 2)
    own_off, opp_off = board.own[OFF] == CHECKERS, board.opp[OFF] == CHECKERS
    if game.draw == "last_roll":
        if own_off and opp_off:
            return Outcome("none", "draw", game.draw_points)
        if own_off and mover_is_first:
            return None  # the second player has one more turn
    if own_off:
        return _win(game, "own", board)
    if opp_off:
        return _win(game, "opp", board.swapped())
    return None


def _win(game: Game, winner: str, board: Board) -> Outcome:
    """The kind of a win by bearing off, seen by the winner."""
    number = OPPONENTS_NUMBER[game.geometry]
    loser = board.opp
    if loser[OFF] == 0:
        for kind, points in game.ladder:
            where = {p for p in range(1, BAR + 1) if loser[p]}
            if kind == "koks" and max(where) >= 19:  # one has not left the first quarter of its path
                return Outcome(winner, kind, points)
            if kind == "home_mars" and max(where) <= HOME:
                return Outcome(winner, kind, points)
    gammon = {
        "none_off": loser[OFF] == 0,  # mars, diplo
        "start_quadrant": any(loser[19:25]),
        "loser_not_all_home": any(loser[HOME + 1 :]),
        "off": False,
    }[game.gammon_if]
    in_winners_home = any(loser[number[p]] for p in range(1, HOME + 1))
    if not gammon:
        kind = "single"
    elif game.scoring.backgammon > game.scoring.gammon and loser[OFF] == 0 and (loser[BAR] or in_winners_home):
        kind = "backgammon"  # koks
    else:
        kind = "gammon"
    return Outcome(winner, kind, getattr(game.scoring, kind))
