"""The regional games once more, slow and obviously right: written from variants.md alone, importing nothing of bgcore.

    from naive.variants import legal_finals, outcome, perft, random_positions, game

`game("fevga", prime_check="step")` gives the options of a game; see games.py for presets.  One file a family has the
single steps; core.py has the turn rule by brute force over them.
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
from naive.variants.gul_bar import blocked_bonus, game_points, opening
from naive.variants.jacquet import courier_after
from naive.variants.outcome import Outcome, outcome
from naive.variants.play import ROLLS, finals, legal_finals, perft, plays, start
from naive.variants.selfplay import GameLog, Position, random_game, random_positions
