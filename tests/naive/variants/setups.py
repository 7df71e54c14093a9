"""Set-up positions that random games seldom reach: blocks about to close, duties, pins, stuck entries, races.

Only what a board can hold: fifteen a side, no point shared but by a pin, nobody borne off without hits while another
checker is outside the home.  Otherwise they need not be reachable; the rules are defined on them all the same.
"""

from __future__ import annotations

import random

from naive.variants.board import BAR, CHECKERS, HOME, OFF, OPPONENTS_NUMBER, Board
from naive.variants.games import Game
from naive.variants.selfplay import Position


def set_up(game: Game, rng: random.Random) -> Position:
    """One position."""
    number = OPPONENTS_NUMBER[game.geometry]
    mine = {q: p for p, q in enumerate(number) if 1 <= p <= 24}  # my number of the opponent's point
    # whose points: mine first along the opponent's path (a block, maybe one short), then some at random
    own_points: set[int] = set()
    opp_points: set[int] = set()
    if rng.random() < 0.6:
        low = rng.randint(1, 19)
        block = list(range(low, low + 6))
        gap = rng.choice(block) if rng.random() < 0.6 else 0
        own_points = {mine[q] for q in block if q != gap}
        behind = list(range(low + 6, 25))
        if behind and rng.random() < 0.5:
            opp_points = {behind[0] if rng.random() < 0.7 else rng.choice(behind)}
    low_zone = rng.choice([HOME, HOME, 12, 24, 24])
    if low_zone == HOME and rng.random() < 0.5:
        own_points = {p for p in own_points if p <= HOME}
    free = [p for p in range(1, low_zone + 1) if p not in own_points and number[p] not in opp_points]
    own_points.update(rng.sample(free, min(len(free), rng.randint(1, 6))))
    if not opp_points or rng.random() < 0.4:
        free = [q for q in range(1, 25) if mine[q] not in own_points]
        opp_points.update(rng.sample(free, min(len(free), rng.randint(1, 6))))
    own = _stacks(own_points, rng, _off(game, own_points, rng))
    opp = _stacks(opp_points, rng, _off(game, opp_points, rng))
    own_pins, opp_pins = bytearray(26), bytearray(26)
    if game.contact == "pin":
        for p in range(1, 25):
            if rng.random() < 0.5 and opp[number[p]] == 1 and not own[p]:
                _put_on_top(own, p, own_pins, rng)
                opp_pins[number[p]] = own[p] > 0
            elif rng.random() < 0.5 and own[p] == 1 and not opp[number[p]]:
                _put_on_top(opp, number[p], opp_pins, rng)
                own_pins[p] = opp[number[p]] > 0
    if game.contact == "hit":
        for row, most in ((own, rng.choice([0, 0, 1, 2, 4])), (opp, rng.choice([0, 0, 1, 6]))):
            for _ in range(most):
                sources = [p for p in range(1, 25) if row[p]]
                if len(sources) > 1:
                    row[rng.choice(sources)] -= 1
                    row[BAR] += 1
    board = Board(bytes(own), bytes(opp), bytes(own_pins), bytes(opp_pins))
    courier = (rng.random() < 0.5, rng.random() < 0.5) if game.courier_flag else (False, False)
    return Position(board, rng.random() < 0.5, (5, 5), courier)


def _off(game: Game, points: set[int], rng: random.Random) -> int:
    """How many are borne off: only from home, unless hits may have brought others back."""
    if (game.contact == "hit" or max(points) <= HOME) and rng.random() < 0.5:
        return rng.randint(0, CHECKERS - len(points))
    return 0


def _stacks(points: set[int], rng: random.Random, off: int) -> bytearray:
    """Fifteen checkers, at least one on each of the points."""
    row = bytearray(26)
    row[OFF] = off
    for p in points:
        row[p] = 1
    places = sorted(points)
    weights = [rng.random() ** 3 for _ in places]  # some stacks, many blots
    for p in rng.choices(places, weights, k=CHECKERS - sum(row)):
        row[p] += 1
    return row


def _put_on_top(row: bytearray, target: int, pins: bytearray, rng: random.Random) -> None:
    """Bring one to three checkers from stacks onto the lone checker, leaving every point occupied."""
    for _ in range(rng.randint(1, 3)):
        sources = [p for p in range(1, 25) if row[p] > 1 and p != target and not pins[p]]
        if sources:
            row[rng.choice(sources)] -= 1
            row[target] += 1


def set_up_positions(game: Game, seed: int, n: int) -> list[Position]:
    """`n` of them; the same for the same seed."""
    rng = random.Random(f"{game.name} set-ups {seed}")
    return [set_up(game, rng) for _ in range(n)]
