"""Positions as other programs hold them, and back: one file a program, named like it.

=========== ============================================ ========================================
`gnubg`     2 × 25 lists of gnubg and gnubg-nn           ``from_boards``, ``to_boards``
`bgsage`    lists of 26                                  ``from_boards``, ``to_boards``
`openspiel` observation tensors of 200                   ``from_observations``, ``to_observations``
`pgx`       observations of 34                           ``from_observations``, ``to_observations``
`wildbg`    lists of 26; p0 ... p25 of the HTTP API      ``from_boards``, ``to_boards``, ``from_json``, ``to_json``
=========== ============================================ ========================================

Nothing here imports the program: what it holds is arrays and lists.  Every call takes one position or any number of
them: an array of shape (..., what the program has) becomes uint64 (..., 4), packed as in `bgcore.batch`, and the other
way round, where a Position does as well.

>>> import bgcore as bg
>>> from bgcore.elsewhere import gnubg
>>> words = gnubg.from_boards(gnubg.to_boards(bg.Position.initial()))
>>> bg.Position.from_packed(words) == bg.Position.initial()
True
"""

from bgcore.elsewhere import bgsage, gnubg, openspiel, pgx, wildbg

__all__ = ["bgsage", "gnubg", "openspiel", "pgx", "wildbg"]
