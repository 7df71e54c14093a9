"""Makes src/bgcore/data/conformance_rules.json: rolls on which breaking one rule shows, and breaking others does not.

    PYTHONPATH=src:tests python tests/conformance/make_rules.py

Positions come from random games and from `scattered`, seed 0.  For every mistake of `bgcore.conformance.models` the
rolls are kept that fewest mistakes against other rules show on, those with the fewest plays first.  No answers are
stored: what is legal is asked of bgcore when the suite runs, and tests compare that with tests/naive.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from bgcore import BACKGAMMON, Position
from bgcore.conformance.models import MODELS, RULES, results
from bgcore.conformance.sampling import random_games, scattered
from bgcore.dice import ROLLS
from naive import backgammon as naive

TARGET = Path(__file__).resolve().parents[2] / "src" / "bgcore" / "data" / "conformance_rules.json"
PAIRS = 6000
MOST_PLAYS = 60
KEPT = 5


def main() -> None:
    generator = np.random.Generator(np.random.PCG64(0))
    games = random_games(PAIRS)
    shown: dict[str, list[tuple[int, int, str, int, int]]] = {model.switch: [] for model in MODELS}
    begin = time.monotonic()
    for i in range(PAIRS):
        position = scattered(generator) if i % 3 else Position.from_packed(games[i])
        larger, smaller = ROLLS[int(generator.integers(len(ROLLS)))]
        if BACKGAMMON.count_plays(position, (larger, smaller)) > MOST_PLAYS:
            continue
        board = tuple(position.board.tolist())
        right = naive.results_by_level(board, (larger, smaller))
        broken = [model for model in MODELS if results(board, (larger, smaller), model.switch) != right]
        assert results(board, (larger, smaller)) == right
        rules = {model.rule for model in broken}
        for model in broken:
            if model.rule == "both dice" and rules & {"larger die", "last checker"}:
                continue  # these have groups of their own
            others = len({other.rule for other in broken} - {model.rule})
            shown[model.switch].append((others, len(right), position.gnubg_id, larger, smaller))
        if i % 500 == 0:
            print(i, f"{time.monotonic() - begin:.0f} s", file=sys.stderr)
    groups: dict[str, list[tuple[str, int, int]]] = {rule: [] for rule in RULES}
    for model in MODELS:
        found = sorted(set(shown[model.switch]))[:KEPT]
        print(model.switch, len(shown[model.switch]), [others for others, *_ in found], file=sys.stderr)
        groups[model.rule] += [
            roll for *_, text, larger, smaller in found if (roll := (text, larger, smaller)) not in groups[model.rule]
        ]
    lines = [
        f"  {json.dumps(rule)}: [\n" + ",\n".join(f"   {json.dumps(roll)}" for roll in rolls) + "\n  ]"
        for rule, rolls in groups.items()
        if rolls
    ]
    TARGET.write_text('{\n "groups": {\n' + ",\n".join(lines) + "\n }\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
