"""Solving hypergammon by value iteration, in double precision.

Three tables are solved one after the other: the cubeless equity, which decides the plays; the chances of gammons when
these plays are made; the equities with a cube, each with its own best plays.  A sweep goes through the rows of a table
(positions of the player on roll) in interleaved blocks.  A block is worked out from the table as the blocks before it
have left it, never from itself, so the numbers are the same for any number of threads.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from bgcore.bearoff.hyper import Floats, Hypergammon
from bgcore.bearoff.memory import require
from bgcore.core.hypergammon import Plays, Solver
from bgcore.errors import DatabaseError
from bgcore.threads import Progress, in_threads, positive, usable

__all__ = ["hypergammon"]


ROLLS = 21
BLOCKS = 16
"""Of a sweep.  Two already halve the number of sweeps that a single one takes."""
MOST_SWEEPS = 2000
"""Far more than any table takes: three checkers' cubeless equities are at 1e-9 after some 50."""
SMALL = 1000
"""Positions of a side below which a sweep takes a hundredth of a second: threads would cost more than they bring."""
SHARES = {"cubeless": (0, 35), "gammons": (35, 55), "cubeful": (55, 100)}
"""Which part of the work each table is, in per cent, for the progress."""


def hypergammon(
    *,
    checkers: SupportsIndex,
    tolerance: float = 1e-9,
    path: str | os.PathLike[str] | None = None,
    threads: SupportsIndex = 1,
    progress: Progress | None = None,
) -> Hypergammon:
    """Solve hypergammon: the whole game with one, two or three checkers a side.

    Parameters
    ----------
    checkers : int
        Of a side: 1 to 3.  The tables have 676, 123,201 and 10,732,176 positions.
    tolerance : float
        A last sweep over all positions, from the finished table, changes no number by more than this.  1e-12 to 1e-3.
    path : path, optional
        Save the table there as well, whole or not at all.
    threads : int
        The numbers are the same for any.
    progress : callable (done, total), optional
        Called after every sweep, from the calling thread; how much is left is estimated from the last sweep's changes.

    Returns
    -------
    Hypergammon

    Raises
    ------
    ValueError
        Sizes or a tolerance out of range.
    DatabaseError
        Memory is short, said before anything is built: three checkers take 2.1 GB.  The sweeps don't come to rest.
    OSError
        As when writing any file.

    Notes
    -----
    Plays are the rules' own: hits, entering from the bar, both dice or the larger.  A gammon is lost with no checker
    borne off, a backgammon with one on the bar or in the winner's home as well.  Money play; a double is passed or
    taken, there are no beavers.  The five chances are those of the play with the best cubeless equity; of plays that
    are equal within a tenth of the tolerance, the first.

    Whatever speeds the sweeps up, an extrapolation for instance, is only a guess that later sweeps correct.

    **Threads**: safe; releases the GIL.
    """
    checkers, threads = positive(checkers, "checkers"), usable(threads)
    if checkers > 3:
        raise ValueError(f"hypergammon is played with 1 to 3 checkers, not {checkers}")
    tolerance = float(tolerance)
    if not 1e-12 <= tolerance <= 1e-3:
        raise ValueError(f"tolerance must be 1e-12 to 1e-3, not {tolerance}")
    pairs = math.comb(25 + checkers, 25) ** 2
    require(pairs * (3 * 32 + 8 + 4 * ROLLS), f"hypergammon with {checkers} checkers")
    plays = Plays(checkers)
    work = _Work(plays, threads, progress)

    # What the plays are chosen by must be clearly more exact than the differences that it is to tell from noise.
    chosen = np.zeros(pairs * ROLLS, np.uint32)
    cubeless = work.solve("cubeless", np.zeros(pairs), max(tolerance / 100, 1e-14), chosen, slack=tolerance / 10)
    gammons = work.solve("gammons", np.zeros(4 * pairs), tolerance, chosen)
    del chosen
    chances = _chances(cubeless, gammons, plays.positions)
    start = np.repeat(cubeless, 4)
    start[2::4] = 2 * chances.reshape(-1, 5)[:, 0] - 1
    del gammons
    cubeful = work.solve("cubeful", start, tolerance)
    del start
    equities = np.empty_like(chances)
    equities[..., 0] = cubeless.reshape(chances.shape[:2])
    equities[..., 1:] = cubeful.reshape(*chances.shape[:2], 4)
    del cubeless, cubeful
    plays.blank(chances)
    plays.blank(equities)
    header = {
        "kind": "hypergammon",
        "rules": "hypergammon",
        "points": 25,
        "checkers": checkers,
        "cube": "money",
        "arithmetic": "exact",
        "order": "pairs",
        "columns": ["cubeless", "owned", "centred", "centred, Jacoby", "opponent's"],
        "tolerance": tolerance,
        "sweeps": work.sweeps,
        "last_changes": work.changes,
    }
    table = Hypergammon.from_arrays(header, {"chances": chances, "equities": equities})
    if path is not None:
        table.save(path)
    return table


class _Work:
    """Solves tables one after the other, and reports."""

    def __init__(self, plays: Plays, threads: int, progress: Progress | None) -> None:
        self.plays = plays
        self.threads = threads if plays.positions > SMALL else 1
        self.progress = progress
        self.sweeps: dict[str, int] = {}
        self.changes: dict[str, float] = {}

    def solve(
        self,
        kind: str,
        start: Floats,
        tolerance: float,
        chosen: NDArray[np.uint32] | None = None,
        slack: float | None = None,
    ) -> Floats:
        """Sweep until nothing changes by the tolerance; then, with a slack, choose the best plays."""
        values, table = _aligned(len(start)), _aligned(len(start) // self.plays.positions * (self.plays.positions + 1))
        values[:] = start
        solver = Solver(self.plays, kind, values, table, chosen)
        self._do(solver, solver.turn)
        guess = _Guess(values)
        changes: list[float] = []
        while True:
            guess.keep()
            for block in range(BLOCKS):
                self._do(solver, solver.sweep, block, BLOCKS)
                self._do(solver, solver.turn, block, BLOCKS)
            changes.append(solver.change)
            self._report(kind, changes, tolerance)
            if changes[-1] < tolerance:
                self._do(solver, solver.sweep)
                changes.append(solver.change)
                if changes[-1] < tolerance:
                    break
                self._do(solver, solver.turn)
            elif guess.jump(changes):
                self._do(solver, solver.turn)
            if len(changes) > MOST_SWEEPS:
                raise DatabaseError(f"sweeps still change {kind} values by {changes[-1]:g}, not below {tolerance:g}")
        self.sweeps[kind], self.changes[kind] = len(changes), changes[-1]
        if slack is not None:
            self._do(solver, solver.turn)
            self._do(solver, lambda: solver.choose(slack))
        return values

    def _do(self, solver: Solver, work: Callable[[], None], first: int = 0, step: int = 1) -> None:
        """Let the threads share every step-th row from the first on."""
        solver.share(first, step)
        in_threads(work, self.threads)

    def _report(self, kind: str, changes: list[float], tolerance: float) -> None:
        if self.progress is not None:
            begin, end = SHARES[kind]
            orders = math.log(changes[0] / tolerance) if changes[0] > tolerance else 1.0
            left = math.log(changes[-1] / tolerance) if changes[-1] > tolerance else 0.0
            self.progress(round(10 * (end - (end - begin) * min(1.0, left / orders))), 1000)


class _Guess:
    """Where the sweeps are going: a jump to the end of the geometric series that their changes have become.

    It is made when the largest change has shrunk by the same factor twice.  What a jump gets wrong later sweeps put
    right; if the next one changes more than the one before the jump, there is no other.
    """

    REST = 6  # sweeps at least between two jumps: what a jump has enlarged besides dies down
    SAME = 0.03
    SLOW, STUCK = 0.4, 0.97  # factors between which a jump is worth its work, and safe

    def __init__(self, values: Floats) -> None:
        self._values = values
        self._before = np.empty_like(values)
        self._rest = self.REST
        self._jumped_at: float | None = None
        self._trusted = True

    def keep(self) -> None:
        """Remember the values before a sweep."""
        if self._trusted and self._rest <= 0:
            self._before[:] = self._values

    def jump(self, changes: list[float]) -> bool:
        """Whether the values have been moved on, the largest changes of the sweeps so far being these."""
        if self._jumped_at is not None and changes[-1] > self._jumped_at:
            self._trusted = False
        self._jumped_at = None
        self._rest -= 1
        if not self._trusted or self._rest >= 0:
            return False
        last, previous = changes[-1] / changes[-2], changes[-2] / changes[-3]
        if abs(last - previous) > self.SAME * last or not self.SLOW < last < self.STUCK:
            return False
        self._before -= self._values
        self._before *= -last / (1 - last)
        self._values += self._before
        self._rest = self.REST
        self._jumped_at = changes[-1]
        return True


def _aligned(length: int) -> Floats:
    """Zeros, aligned to a cache line."""
    block = np.zeros(length + 8)
    start = -block.ctypes.data % 64 // 8
    return block[start : start + length]


def _chances(cubeless: Floats, gammons: Floats, positions: int) -> Floats:
    """The five chances: the cubeless equity and those of gammons give the chance to win."""
    out = np.empty((positions, positions, 5))
    for own in range(positions):
        equity = cubeless[own * positions : (own + 1) * positions]
        row = gammons[4 * own * positions : 4 * (own + 1) * positions].reshape(positions, 4)
        win = (1 + equity - row[:, 0] - row[:, 1] + row[:, 2] + row[:, 3]) / 2
        # What is over or under by less than the tolerance is put right.
        out[own, :, 0] = np.clip(win, 0, 1)
        out[own, :, 1] = np.clip(row[:, 0], 0, out[own, :, 0])
        out[own, :, 2] = np.clip(row[:, 1], 0, out[own, :, 1])
        out[own, :, 3] = np.clip(row[:, 2], 0, 1 - out[own, :, 0])
        out[own, :, 4] = np.clip(row[:, 3], 0, out[own, :, 3])
    return out
