"""Games that move exactly as backgammon does, on every roll of the corpus."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import bgcore as bg

CORPUS = Path(__file__).parent.parent / "golden" / "corpus_2000.json"


@pytest.mark.parametrize("rules", [bg.PORTES, bg.UZUN_TAVLA, bg.SHORT_NARDI], ids=lambda rules: rules.name)
def test_same_plays_in_the_same_order(rules: bg.Rules) -> None:
    packed = bg.batch.from_gnubg_ids([entry["id"] for entry in json.loads(CORPUS.read_text())["positions"]])
    wanted, found = bg.batch.legal_plays(packed, moves=True), bg.batch.legal_plays(packed, rules=rules, moves=True)
    assert len(wanted.results) == 710_746
    assert np.array_equal(found.offsets, wanted.offsets)
    assert np.array_equal(found.results, wanted.results)
    assert np.array_equal(found.moves, wanted.moves)
