"""Without Gymnasium and PettingZoo: one clear error; importing bgcore or the other bridges needs neither."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.subprocess

WITHOUT = """
import sys
for name in {blocked}: sys.modules[name] = None
import bgcore
from bgcore.bridges import micro, openspiel, seen, single, turns, vector
try:
    {statement}
except ModuleNotFoundError as error:
    print(error.name, error.__suppress_context__, error)
"""


@pytest.mark.parametrize(
    ("statement", "blocked", "says"),
    [
        ("import bgcore.bridges.rl", ["gymnasium", "pettingzoo"], "Gymnasium"),
        ("from bgcore.bridges.rl import BackgammonEnv", ["gymnasium"], "Gymnasium"),
        ("from bgcore.bridges.rl.env import BackgammonEnv", ["gymnasium"], "Gymnasium"),
        ("from bgcore.bridges.rl.vector_env import BackgammonVectorEnv", ["gymnasium"], "Gymnasium"),
        ("from bgcore.bridges.rl import aec_env", ["pettingzoo"], "PettingZoo"),
    ],
)
def test_what_is_said(statement: str, blocked: list[str], says: str) -> None:
    if blocked == ["pettingzoo"]:
        pytest.importorskip("gymnasium", reason="the extra rl is not installed")
    code = WITHOUT.format(statement=statement, blocked=blocked)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    expected = f'{says.lower()} True these environments need {says}; add it with:  pip install "bgcore[rl]"'
    assert result.stdout.strip() == expected
