#!/usr/bin/env python3
"""Writes the files beside it: one short match, played by the naive rules of tests/naive, in every dialect.

cd tests && python data/matches/make_matches.py
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from naive import scribes  # noqa: E402

SEED = 53


def main() -> None:
    """Write the files."""
    told = scribes.story(SEED, length=9)
    for name, scribe in scribes.FILES.items():
        (HERE / f"{name}{scribes.SUFFIXES.get(name, '.mat')}").write_bytes(scribe(told))


if __name__ == "__main__":
    main()
