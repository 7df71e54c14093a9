"""The regional games once more, slow and obviously right: written from variants.md alone, importing nothing of bgcore.

    from naive import variants as nv
    g = nv.game("fevga", prime_check="step")         # or nv.fevga(...); presets and options in games.py
    nv.legal_finals(g, own, opp, own_pinned, opp_pinned, (6, 5), context=0)     # set of Board; empty = pass
    nv.plays(g, board, (6, 5))                       # the same with the dice that each used
    nv.outcome(g, final)                             # Outcome(winner, kind, points) or None
    nv.perft(g, 2)
    nv.turn_ends(nv.gul_bara(), board, (4, 4), turn=4)  # a whole cascade; play_owed for the receiver
    nv.random_positions(g, seed, n)                  # met in random games
    nv.set_up_positions(g, seed, n)                  # what such games seldom reach

Rows have 26 entries in that side's own numbering: 0 off, 1 to 24, 25 bar.  A `Board` is four such rows of bytes, seen
by the player who moves or has just moved.  moves_*.py has the single steps of each family of games, core.py the turn
rule by brute force over them, primes.py the final positions that are forbidden.
"""

from naive.variants.board import Board, counts, flags, make
from naive.variants.cascade import Owed, TurnEnd, cascades, play_owed, stage, transferred, turn_ends
from naive.variants.games import (
    GAMES,
    Game,
    Scoring,
    fevga,
    game,
    gul_bar,
    gul_bara,
    jacquet,
    kirik_tavla,
    long_nardi,
    plakoto,
    portes,
    short_nardi,
    uzun_tavla,
)
from naive.variants.layers import blocked_bonus, game_points, julbahar_opening, opening
from naive.variants.moves_jacquet import courier_after
from naive.variants.outcome import Outcome, outcome
from naive.variants.play import ROLLS, finals, legal_finals, perft, plays, start
from naive.variants.selfplay import GameLog, Position, random_game, random_positions
from naive.variants.setups import set_up_positions

__all__ = [
    "GAMES",
    "ROLLS",
    "Board",
    "Game",
    "GameLog",
    "Outcome",
    "Owed",
    "Position",
    "Scoring",
    "TurnEnd",
    "blocked_bonus",
    "cascades",
    "counts",
    "courier_after",
    "fevga",
    "finals",
    "flags",
    "game",
    "game_points",
    "gul_bar",
    "gul_bara",
    "jacquet",
    "julbahar_opening",
    "kirik_tavla",
    "legal_finals",
    "long_nardi",
    "make",
    "opening",
    "outcome",
    "perft",
    "plakoto",
    "play_owed",
    "plays",
    "portes",
    "random_game",
    "random_positions",
    "set_up_positions",
    "short_nardi",
    "stage",
    "start",
    "transferred",
    "turn_ends",
    "uzun_tavla",
]
