"""Learn backgammon from nothing, by self-play with temporal differences, in numpy alone.

    python learn.py [STEPS]

A network of one hidden layer says what a position is worth to the player on roll, in points.  A side plays what leaves
its opponent the worst position; what a position was worth is then corrected towards what it has led to (Tesauro 1992).
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

import bgcore as bg
from bgcore.bridges.vector import VectorGames

GAMES, HIDDEN, RATE = 64, 40, 0.03
# One, two, three checkers on a slot, and how many more.
UNITS = np.array([[n >= 1, n >= 2, n >= 3, max(n - 3, 0) / 2] for n in range(16)], np.float32)

Packed = NDArray[np.uint64]
Floats = NDArray[np.float32]


class Network:
    """What positions are worth to the player on roll."""

    def __init__(self, seed: int) -> None:
        generator = np.random.default_rng(seed)
        self.first = generator.normal(0, 0.1, (208, HIDDEN)).astype(np.float32)
        self.second = np.zeros(HIDDEN, np.float32)

    def layers(self, packed: Packed) -> tuple[Floats, Floats, Floats]:
        """Inputs (n, 208), hidden units (n, HIDDEN) and values (n,)."""
        seen = UNITS[bg.batch.unpack(packed)[0]].reshape(len(packed), 208)
        hidden = np.tanh(seen @ self.first)
        return seen, hidden, 3 * np.tanh(hidden @ self.second)

    def __call__(self, packed: Packed) -> Floats:
        return self.layers(packed)[2]

    def learn(self, packed: Packed, targets: Floats) -> None:
        """One step of gradient descent towards the targets."""
        seen, hidden, values = self.layers(packed)
        error = RATE / len(packed) * (targets - values) * (3 - values**2 / 3)
        back = error[:, np.newaxis] * self.second * (1 - hidden**2)
        self.second += error @ hidden
        self.first += seen.T @ back


def train(network: Network, steps: int, seed: int) -> None:
    """Play so many turns of GAMES games against itself, learning from each."""
    games = VectorGames(GAMES, seed=seed, max_turns=1000)
    for _ in range(steps):
        before = games.positions
        step = games.step(games.best(-network(games.plays.results)))
        network.learn(before, np.where(step.ended, step.rewards, -network(step.results)))


def against_random(network: Network, games: int = 200, turns: int = 200) -> float:
    """Points a game that player 0 wins with the network against an opponent who plays at random."""
    table = VectorGames(games, seed=1)
    generator = np.random.default_rng(1)
    points, ended = 0.0, 0
    for _ in range(turns):
        best = table.best(-network(table.plays.results))
        step = table.step(np.where(table.players == 0, best, table.random_choices(generator)))
        points += float((step.rewards * np.where(step.players == 0, 1, -1)).sum())
        ended += int(step.ended.sum())
    return points / max(ended, 1)


def main(steps: int) -> float:
    """Train for so many steps; returns points a game against random play at the end."""
    network = Network(seed=7)
    for part in range(5):
        print(f"after {part * steps // 5:6} steps: {against_random(network):+.2f} points a game against random play")
        train(network, steps // 5, seed=part)
    last = against_random(network)
    print(f"after {steps:6} steps: {last:+.2f} points a game against random play")
    return last


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
