"""What real programs hold, read as they mean it: from answers that are kept, and from the programs where they are."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from elsewhere.judging import JUDGES

import bgcore as bg
from bgcore.elsewhere import wildbg

GOLDEN = json.loads((Path(__file__).resolve().parents[1] / "golden" / "elsewhere.json").read_text())
NUMBER = {"pgx": 40, "open-spiel": 60}


@pytest.mark.parametrize("name", JUDGES)
def test_what_programs_have_said(name: str) -> None:
    assert JUDGES[name](GOLDEN[name]["cases"]) >= 40


@pytest.mark.long
@pytest.mark.subprocess
@pytest.mark.parametrize("name", JUDGES)
def test_what_programs_say(name: str, repo: Path) -> None:
    peers = Path(os.environ.get("BGCORE_PEERS") or repo / ".cache-ci" / "peers")
    folder = peers / name / ("Scripts" if os.name == "nt" else "bin")
    python = next(folder.glob("python*"), None)
    if python is None:
        pytest.skip(f"{name} is not installed in {peers}: benchmarks/peers/run makes it, BGCORE_PEERS names another")
    number = NUMBER.get(name, 400)
    command = [python, repo / "tests" / "elsewhere" / "ask.py", name, "2", str(number)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert answer.returncode == 0, answer.stderr[-2000:]
    cases: list[dict[str, Any]] = json.loads(answer.stdout)["cases"]
    assert len(cases) == number
    assert JUDGES[name](cases) >= 100


# wildbg has no package.  These are the request in its README, and what its tests say of the answers (commit 0491186).


def test_wildbg_request_of_its_readme() -> None:
    request = "die1=3&die2=1&p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
    numbers = {name: int(value) for name, value in (pair.split("=") for pair in request.split("&"))}
    packed, dice = wildbg.from_json(numbers)
    assert bg.Position.from_packed(packed) == bg.Position.initial()
    assert dice.tolist() == [3, 1]
    assert wildbg.to_json(packed, dice) == numbers


@pytest.mark.parametrize(
    ("request_", "moves"),
    [
        ({"die1": 3, "die2": 1, "p5": 1, "p24": -1}, ["5/4 4/1"]),
        (
            {"die1": 1, "die2": 1, "p5": 2, "p24": -1},
            ["5/4 4/3 3/2 2/1", "5/4 5/4 4/3 3/2", "5/4 5/4 4/3 4/3"],
        ),
    ],
)
def test_wildbg_moves_of_its_tests(request_: dict[str, int], moves: list[str]) -> None:
    packed, dice = wildbg.from_json(request_)
    position, roll = bg.Position.from_packed(packed), (int(dice[0]), int(dice[1]))
    told = {bg.BACKGAMMON.check(position, roll, text) for text in moves}
    assert told == set(bg.BACKGAMMON.legal_plays(position, roll))
