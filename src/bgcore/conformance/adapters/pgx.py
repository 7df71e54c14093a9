"""pgx (Apache-2): environments in JAX, here on the CPU.

An action moves one checker, so the plays of a turn are found by taking every action of every state, many states at a
time, until the turn ends.  Equal states are put together after each step.  Compiling is outside the clock.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from pgx import backgammon

from .peer import Board, Call, Peer, Roll

CHUNKS = (128, 4096)  # states that a compiled call works on, for few and for many
NO_OP = 6  # actions below it do nothing
Rows = NDArray[np.int32]


def prepare(board: Board) -> list[int]:
    """24 points from the player's rearmost on, both bars, both off; opposing counts negative."""
    points = [board[24 - place] for place in range(24)]
    off = 15 - sum(n for n in board if n > 0)
    opponent_off = 15 + sum(n for n in board if n < 0)
    return [*points, board[25], board[0], off, -opponent_off]


def to_board(row: Any) -> Board:
    """A board from what the peer keeps."""
    return [int(row[25]), *(int(row[24 - point]) for point in range(1, 25)), int(row[24])]


def after(board: Any, playable: Any, played: Any, dice: Any, action: Any) -> Any:
    """The board and the dice after an action."""
    return backgammon._move(board, action), backgammon._update_playable_dice(playable, played, dice, action)


masks: Any = jax.jit(jax.vmap(backgammon._legal_action_mask))
moved: Any = jax.jit(jax.vmap(after))


def in_chunks(call: Any, *arrays: Rows) -> Any:
    """Call a compiled function on rows padded to one of two numbers, so that it is compiled twice."""
    n = len(arrays[0])
    chunk = next((size for size in CHUNKS if n <= size), CHUNKS[-1])
    padded = -(-n // chunk) * chunk
    filled = [np.concatenate([a, np.zeros((padded - n, *a.shape[1:]), a.dtype)]) for a in arrays]
    parts = [call(*(jnp.asarray(a[i : i + chunk]) for a in filled)) for i in range(0, padded, chunk)]
    return jax.tree.map(lambda *p: np.concatenate([np.asarray(x) for x in p])[:n], *parts)


def ask_all(positions: list[list[int]], rolls: list[Roll]) -> list[list[Rows]]:
    """The boards at the end of the turn, for each roll of each position."""
    answers: list[list[Rows]] = [[] for _ in range(len(positions) * len(rolls))]
    pair = np.arange(len(answers), dtype=np.int32)
    board = np.repeat(np.array(positions, np.int32), len(rolls), axis=0)
    dice = np.tile(np.array(rolls, np.int32) - 1, (len(positions), 1))
    double = dice[:, :1] == dice[:, 1:]
    playable = np.where(double, dice[:, [0, 0, 0, 0]], np.concatenate([dice, np.full_like(dice, -1)], axis=1))
    played = np.zeros(len(pair), np.int32)
    while len(pair):
        legal: NDArray[np.bool_] = in_chunks(masks, board, playable)
        over = (playable.sum(axis=1) == -4) | legal[:, :NO_OP].any(axis=1) | (board[:, 26] == 15)
        for row in np.flatnonzero(over):
            answers[pair[row]].append(board[row])
        legal[over] = False
        parent, action = np.nonzero(legal)
        if len(parent) == 0:
            break
        pair, dice, played = pair[parent], dice[parent], played[parent]
        board, playable = in_chunks(moved, board[parent], playable[parent], played, dice, action.astype(np.int32))
        states = np.concatenate([pair[:, None], board, playable], axis=1)
        _, kept = np.unique(np.ascontiguousarray(states).view(f"V{states.strides[0]}").ravel(), return_index=True)
        pair, dice, played, board, playable = pair[kept], dice[kept], played[kept] + 1, board[kept], playable[kept]
    # A turn may end in one place with different dice left over; that is one result.
    return [list({row.tobytes(): row for row in answer}.values()) for answer in answers]


def boards(position: list[int], answer: list[Rows], larger: int, smaller: int) -> Iterator[Board]:
    """Every result as the player who moved sees it."""
    return map(to_board, answer)


def peer() -> Peer:
    """How it is asked."""
    # Compiled here, outside the clock.
    ask_all([prepare([0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0])], [(3, 1)])
    return Peer(
        "pgx",
        version("pgx"),
        [
            Call(
                "action mask and move of single checkers, many states a compiled call",
                "row of 28 integers",
                ask_all=ask_all,
                timed=100,
            )
        ],
        prepare,
        boards,
        score=lambda position: int(backgammon._calc_win_score(jnp.array(position))),
        compared=2000,
        passes="unchanged",
        notes=[f"on the CPU, jax {version('jax')}; compile time left out; no call gives the plays of a turn"],
    )
