"""Games played out by the table itself average to its values."""

from __future__ import annotations

import numpy as np
import pytest

import bgcore as bg

TRIALS = 4000


@pytest.mark.slow
@pytest.mark.parametrize(("points", "checkers"), [(6, 6), (3, 15)])
def test_games_average_to_the_equities(points: int, checkers: int) -> None:
    """100 random pairs, 4 standard errors each; seeds fixed, so it fails for a reason or never."""
    table = bg.bearoff.two_sided(
        points=points, checkers=checkers, cubeless=True, cubeful=False, dtype="float64", probabilities=True
    )
    ids = np.random.default_rng(points).integers(1, table.positions, (2, 100), np.uint64)
    counts = np.zeros((100, 2, 26), np.uint8)
    for side in range(2):
        counts[:, side, 1 : points + 1] = bg.bearoff.unrank(ids[side], points=points)
        counts[:, side, 0] = 15 - counts[:, side].sum(1)
    rows = bg.batch.pack(counts)
    played = bg.batch.playouts(rows, TRIALS, policy=table, seed=20, threads=2)
    equity = table.lookup(rows)[:, 0]
    win, gammon_won, gammon_lost = table.probabilities(rows).T.astype(float)
    mean = played.counts @ np.array([1, 2, 3, -1, -2, -3, 0]) / TRIALS
    spread = 1 + 3 * (gammon_won + gammon_lost) - equity**2  # the table's own: a sample without a win has none
    assert (np.abs(mean - equity) <= 4 * np.sqrt(spread / TRIALS) + 1e-6).all()
    for chance, columns in ((win, (0, 1, 2)), (gammon_won, (1,)), (gammon_lost, (4,))):
        seen = played.counts[:, columns].sum(1) / TRIALS
        assert (np.abs(seen - chance) <= 4 * np.sqrt(chance * (1 - chance) / TRIALS) + 1e-6).all()
    assert (played.counts[:, 1] > 0).any() == (checkers == 15)


def test_a_policy_is_checked() -> None:
    table = bg.bearoff.two_sided(checkers=2)
    start = bg.Position.initial().packed[np.newaxis]
    with pytest.raises(bg.errors.DatabaseError, match="row 0"):
        bg.batch.playouts(start, 1, policy=table, seed=1)
    with pytest.raises(bg.errors.RuleError, match="backgammon"):
        bg.batch.playouts(start, 1, policy=table, rules=bg.FEVGA, seed=1)
    with pytest.raises(bg.errors.DatabaseError, match="cubeless"):
        bg.batch.playouts(start, 1, policy=bg.bearoff.two_sided(checkers=2, cubeless=False), seed=1)
