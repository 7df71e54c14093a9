"""Asks a real program for positions in its own form and for what it makes of them; prints JSON.

    PYTHON_OF_THE_PROGRAM tests/elsewhere/ask.py NAME SEED NUMBER

Standard library and the program only: it runs where the program is installed.  tests/golden/elsewhere.json was made by
it, as the README there says; tests/elsewhere/test_real_programs.py asks anew.
"""

from __future__ import annotations

import json
import os
import random
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).resolve().parents[1] / "golden" / "corpus_2000.json"
EVERY = 5  # turns between two positions that are taken
Case = dict[str, Any]


def corpus_ids(rng: random.Random, number: int) -> list[str]:
    """Position IDs."""
    return [position["id"] for position in rng.sample(json.loads(CORPUS.read_text())["positions"], number)]


def roll(rng: random.Random) -> list[int]:
    """Two dice."""
    return [rng.randint(1, 6), rng.randint(1, 6)]


def gnubg(rng: random.Random, number: int) -> list[Case]:
    """Boards by Position ID; the moves of every play, where no checker is borne off."""
    import gnubg as program

    cube, context = program.cubeinfo(), program.evalcontext(0, 0, 1, 0, 0.0)
    cases = []
    for text in corpus_ids(rng, number):
        board, dice = program.position_from_id(text), roll(rng)
        assert program.position_id(board) == text
        plays = [list(play["move"]) for play in program.find_best_moves(board, cube, context, tuple(dice))]
        # A tuple ends at the first checker that is borne off.
        whole = all(len(play) % 2 == 0 and 0 not in play for play in plays)
        cases.append({"id": text, "board": board, "dice": dice, "plays": plays if whole else None})
    return cases


def gnubg_nn(rng: random.Random, number: int) -> list[Case]:
    """Boards by Position ID; the boards after every play, seen by who moved."""
    import gnubg_nn as program

    cases = []
    for text in corpus_ids(rng, number):
        board, dice = program.board_from_position_id(text), roll(rng)
        assert program.position_id(board) == text
        after = [program.board_from_position_key(key) for key in program.moves(board, *dice)]
        cases.append({"id": text, "board": board, "dice": dice, "after": after})
    return cases


def bgsage(rng: random.Random, number: int) -> list[Case]:
    """Boards of its own random games; those after every play, seen by who moved; what finished games pay."""
    import bgsage as program

    cases: list[Case] = []
    board, turn = program.STARTING_BOARD, 0
    while len(cases) < number:
        dice = roll(rng)
        after = program.possible_moves(board, *dice)
        turn += 1
        if turn % EVERY == 0 or board[0] or board[25]:
            cases.append({"board": board, "dice": dice, "after": after})
        board = rng.choice(after)
        if points := program.check_game_over(board):
            cases.append({"board": board, "points": points})
            board = program.STARTING_BOARD
        else:
            board = program.flip_board(board)
    return cases


def open_spiel(rng: random.Random, number: int) -> list[Case]:
    """Observations of both players in its own random games; those after every action; before a roll; at the end."""
    import pyspiel

    cases: list[Case] = []
    turn = 0
    while len(cases) < number:
        hyper = rng.random() < 0.2
        state = pyspiel.load_game(f"backgammon(hyper_backgammon={hyper})").new_initial_state()
        while not state.is_terminal() and len(cases) < number:
            if state.is_chance_node():
                if turn % (4 * EVERY) == 0:
                    cases.append(seen(state, hyper))
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
                continue
            turn += 1
            player = state.current_player()
            if turn % EVERY == 0:
                case = seen(state, hyper) | {"to_act": player}
                first, second = case["observations"][player][198:]
                if first != second:  # an action is half of a double
                    ends = [state.child(action) for action in state.legal_actions()]
                    after = {tuple(map(int, end.observation_tensor(1 - player))) for end in ends}
                    case["after"] = sorted(map(list, after))
                cases.append(case)
            state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            cases.append(seen(state, hyper))
    return cases


def seen(state: Any, hyper: bool) -> Case:
    """What both players observe, and the same by the program's own call: checkers of each player on each place."""
    places = [[state.board(player, place) for place in range(24)] for player in (0, 1)]
    bar = [state.board(player, 100) for player in (0, 1)]
    observations = [list(map(int, state.observation_tensor(player))) for player in (0, 1)]
    return {"checkers": 3 if hyper else 15, "places": places, "bar": bar, "observations": observations, "to_act": -1}


def pgx(rng: random.Random, number: int) -> list[Case]:
    """Observations of its own random games; those after all that two actions can do at the beginning of a turn."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import numpy as np
    import pgx as program

    environment = program.make("backgammon")
    begin, step, observe = jax.jit(environment.init), jax.jit(environment.step), jax.jit(environment.observe)

    def key() -> Any:
        return jax.random.PRNGKey(rng.getrandbits(31))

    def actions(state: Any) -> list[int]:
        return [int(action) for action in np.flatnonzero(np.asarray(state.legal_action_mask))]

    def numbers(state: Any, player: int) -> list[int]:
        return np.asarray(observe(state, player)).tolist()  # type: ignore[no-any-return]

    cases: list[Case] = []
    state, turn = begin(key()), 0
    while len(cases) < number:
        player = int(state.current_player)
        if bool(state.terminated):
            cases.append({"observation": numbers(state, player), "points": int(state.rewards[player])})
            state = begin(key())
            continue
        turn += 1
        if turn % EVERY == 0:
            case = {"observation": numbers(state, player), "other": numbers(state, 1 - player)}
            left = case["observation"][28:]
            if sum(left) == 2 and max(left) == 1:
                case["dice"] = [die + 1 for die in range(6) if left[die]]
                after, open_states = set(), [step(state, action, key()) for action in actions(state)]
                for first in open_states:
                    ends = [first] if int(first.current_player) != player or bool(first.terminated) else [
                        step(first, action, key()) for action in actions(first)
                    ]  # fmt: skip
                    # The dice that the next player has thrown are left out.
                    after |= {(bool(end.terminated), *numbers(end, int(end.current_player))[:28]) for end in ends}
                case["after"] = sorted([int(over), *board] for over, *board in after)
            cases.append(case)
        state = step(state, rng.choice(actions(state)), key())
    return cases


PROGRAMS = {"gnubg": gnubg, "gnubg-nn": gnubg_nn, "bgsage": bgsage, "open-spiel": open_spiel, "pgx": pgx}


def main(name: str, seed: str, number: str) -> None:
    """Ask, and print."""
    sys.path[:] = [path for path in sys.path if path != str(Path(__file__).resolve().parent)]
    with open(os.dup(1), "w") as channel:
        os.dup2(2, 1)  # what the program itself prints must not mix with our answers
        cases = PROGRAMS[name](random.Random(f"{name} {seed}"), int(number))
        json.dump({"version": version(name), "cases": cases}, channel, separators=(",", ":"))


if __name__ == "__main__":
    main(*sys.argv[1:])
