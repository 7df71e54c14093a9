"""Ready adapters for programs that PyPI has: one file a peer, named like its module, imported only when asked for.

`peer()` of each says how its peer is asked.  Nothing here imports bgcore, so that a peer can be asked in an environment
of its own: `command` gives what starts it there, as a program that speaks the line protocol.

    python -m venv nn && nn/bin/pip install gnubg-nn

    >>> from bgcore.conformance.adapters import NAMES, command
    >>> NAMES
    ('bgsage', 'gnubg', 'gnubg-nn', 'gym-backgammon', 'open-spiel', 'pgx')
    >>> command("gnubg-nn", "nn/bin/python")[0]
    'nn/bin/python'
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["NAMES", "command"]

NAMES = ("bgsage", "gnubg", "gnubg-nn", "gym-backgammon", "open-spiel", "pgx")
"""The peers, by what they are called on PyPI."""


def command(name: str, python: str = sys.executable) -> list[str]:
    """What starts a peer as a program for `bgcore.conformance.check`.

    Parameters
    ----------
    name : str
        One of NAMES.
    python : str
        The Python of an environment where the peer is installed; this one if not given.

    Raises
    ------
    ValueError
        No such adapter.
    """
    if name not in NAMES:
        raise ValueError(f"no adapter for {name!r:.60}; there are {', '.join(NAMES)}")
    return [str(python), "-u", str(Path(__file__).with_name("serve.py")), name]
