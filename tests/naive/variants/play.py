"""What the tests call: legal finals of a roll, and perft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from naive.variants.board import Board, counts, make
from naive.variants.core import Family, Node, Play, all_steps, legal_plays
from naive.variants.games import Game
from naive.variants.moves_fevga import Fevga
from naive.variants.moves_gul_bara import GulBara
from naive.variants.moves_hitting import Hitting
from naive.variants.moves_jacquet import Jacquet, courier_after
from naive.variants.moves_long_nardi import LongNardi
from naive.variants.moves_plakoto import Plakoto
from naive.variants.outcome import outcome

FAMILIES: dict[str, Family] = {
    "hitting": Hitting(),
    "plakoto": Plakoto(),
    "fevga": Fevga(),
    "gul_bara": GulBara(),
    "long_nardi": LongNardi(),
    "jacquet": Jacquet(),
}
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def plays(game: Game, board: Board, roll: tuple[int, int], context: int = 0) -> set[Play]:
    """The legal plays as (final position, dice used); empty when the turn passes."""
    family = FAMILIES[game.family]
    dice = all_steps(game, roll, context)
    start = Node(board, family.begin(game, board, dice, context))
    return legal_plays(family, game, start, dice)


def finals(game: Game, board: Board, roll: tuple[int, int], context: int = 0) -> set[Board]:
    """The distinct final positions, still seen by the mover; empty when the turn passes."""
    return {play.board for play in plays(game, board, roll, context)}


def legal_finals(
    game: Game,
    own: Sequence[int],
    opp: Sequence[int],
    own_pinned: Sequence[int] | None,
    opp_pinned: Sequence[int] | None,
    dice: tuple[int, int],
    context: int = 0,
) -> set[Board]:
    """The distinct final positions from rows of 26 numbers; seen by the mover; empty when the turn passes.

    `context` is the number of steps of a sub-roll where doubles cascade (0 = all; equal dice only), and the mover's
    courier flag in the Jacquets of 1840; 0 for every other game (clarifications 4 and 12).
    """
    return finals(game, make(own, opp, own_pinned, opp_pinned), dice, context)


def start(game: Game) -> Board:
    """Both sides as the game sets them up."""
    row = counts(dict(game.start))
    return Board(row, row)


def perft(game: Game, depth: int, board: Board | None = None, flags: tuple[bool, bool] = (False, False)) -> int:
    """Clarification 13: the sum over 21 rolls, a pass counts 1; never cascades.

    An ended game has no successors and counts 1.  `flags` are the courier flags of the player on move and the other.
    Level by level, each distinct position once with how often it is reached.
    """
    level: Counter[tuple[Board, bool, bool]] = Counter({(board or start(game), *flags): 1})
    ended = 0
    for d in range(depth):
        following: Counter[tuple[Board, bool, bool]] = Counter()
        total = 0
        for (now, mine, his), times in level.items():
            if d and outcome(game, now.swapped()) is not None:
                ended += times
                continue
            context = int(mine) if game.courier_flag else 0
            for roll in ROLLS:
                results = finals(game, now, roll, context) or {now}
                total += times * len(results)
                if d < depth - 1:
                    for final in results:
                        flag = game.courier_flag and courier_after(game, final, mine)
                        following[final.swapped(), his, flag] += times
        level = following
    return total + ended if depth else 1
