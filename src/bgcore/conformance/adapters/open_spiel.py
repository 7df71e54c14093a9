"""OpenSpiel (Apache-2): can't be set to a position, so it is asked about positions of its own random games.

A turn is one action, two for a double; an action may stand for the same result as another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pyspiel

from .peer import Board, Call, Peer

POSITIONS = 300
TIMED = 200
SEED = 20_240_229
EVERY = 7  # turns between two positions that are taken
BAR = 100  # the place that `board` calls the bar
OUTCOMES = {(1, 1): 30, (2, 2): 31, (3, 3): 32, (4, 4): 33, (5, 5): 34, (6, 6): 35}
for _larger in range(2, 7):
    for _smaller in range(1, _larger):
        # 12, 21, 13, 31 ... 16, 61, 23, 32 ...: the smaller die first
        OUTCOMES[_larger, _smaller] = 2 * (
            5 * (_smaller - 1) - (_smaller - 1) * (_smaller - 2) // 2 + _larger - _smaller - 1
        )


class Position:
    """A state in which the dice are to be thrown, and its children by roll."""

    def __init__(self, state: Any) -> None:
        self.children = {roll: state.child(outcome) for roll, outcome in OUTCOMES.items()}
        for (larger, smaller), outcome in OUTCOMES.items():
            name = state.action_to_string(-1, outcome)
            assert name.endswith(f"(roll: {smaller}{larger})"), f"outcome {outcome} is not {larger}-{smaller}: {name}"
        self.player = self.children[1, 1].current_player()


def to_board(state: Any, player: int) -> Board:
    """The board as a player sees it.  Player 0 runs from place 0 to place 23, player 1 the other way."""
    board = [0] * 26
    for place in range(24):
        point = 24 - place if player == 0 else place + 1
        board[point] = state.board(player, place) - state.board(1 - player, place)
    board[25] = state.board(player, BAR)
    board[0] = -state.board(1 - player, BAR)
    return board


def own_states() -> list[Any]:
    """States of random games, one in `EVERY` turns."""
    dice = random.Random(SEED)
    game = pyspiel.load_game("backgammon")
    states: list[Any] = []
    turns = 0
    while len(states) < POSITIONS:
        state = game.new_initial_state()
        while not state.is_terminal() and len(states) < POSITIONS:
            if state.is_chance_node():
                turns += 1
                if turns % EVERY == 0 and not state.is_initial_state():
                    states.append(state.clone())
                state.apply_action(dice.choice([outcome for outcome, _ in state.chance_outcomes()]))
            else:
                state.apply_action(dice.choice(state.legal_actions()))
    return states


def first_actions(position: Position, larger: int, smaller: int) -> list[int]:
    """What can be done after a roll; half of the turn of a double."""
    return position.children[larger, smaller].legal_actions()  # type: ignore[no-any-return]


def whole_turns(position: Position, larger: int, smaller: int) -> list[Any]:
    """Every state at the end of the turn."""
    rolled = position.children[larger, smaller]
    player = position.player
    ends = [rolled.child(action) for action in rolled.legal_actions()]
    if larger != smaller:
        return ends
    finished = []
    for state in ends:
        if state.current_player() == player:
            finished += [state.child(action) for action in state.legal_actions()]
        else:
            finished.append(state)
    return finished


def boards(position: Position, answer: list[Any], larger: int, smaller: int) -> Iterator[Board]:
    """Every result as the player who moved sees it."""
    for state in answer:
        yield to_board(state, position.player)


def peer() -> Peer:
    """How it is asked."""
    positions = [Position(state) for state in own_states()]
    own = [to_board(position.children[1, 1], position.player) for position in positions]
    by_board = {tuple(board): position for board, position in zip(own, positions, strict=True)}
    return Peer(
        "open-spiel",
        version("open-spiel"),
        [
            Call(
                "`legal_actions()`, then `child()` of each",
                "State; several for one result",
                whole_turns,
                timed=TIMED,
            ),
            Call("`legal_actions()` alone", "integer; half of the turn for a double", first_actions, timed=TIMED),
        ],
        lambda board: by_board[tuple(board)],
        boards,
        compared=POSITIONS,
        own_boards=lambda: own,
        passes="unchanged",
        repeats=True,
        notes=[f"can't be set to a position: {POSITIONS} states of its own random games, boards read afterwards"],
    )
