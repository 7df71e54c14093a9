"""GNU Backgammon's bear-off databases (``.bd``), read through memory maps and written byte for byte.

=====================  ============================================  ==================================================
kind                   40-byte header                                then
=====================  ============================================  ==================================================
one-sided              ``gnubg-OS-PP-CC-G-Z-D``, x, newline          D = 0: distributions (G: of gammons, too), in an
                                                                     index and a payload if Z; D = 1: means and
                                                                     standard deviations
two-sided              ``gnubg-TS-PP-CC-F``, x, newline              four numbers a pair of positions, or one if F = 0
hypergammon            ``gnubg-Hn``, x, newline                      28 bytes a pair of positions
=====================  ============================================  ==================================================

PP points, CC checkers, everything little-endian, positions in the order of their ids.  `read` gives the numbers as they
are in the file; methods of the classes give what they mean.  Nothing here knows how they are made.
"""

from bgcore.formats.bd.layout import ROLLS
from bgcore.formats.bd.reading import is_bd, read
from bgcore.formats.bd.tables import Bd, BdHypergammon, BdNormal, BdOneSided, BdTwoSided
from bgcore.formats.bd.writing import (
    quantise_distributions,
    quantise_equities,
    write_hypergammon,
    write_normal,
    write_one_sided,
    write_two_sided,
)

__all__ = [
    "ROLLS",
    "Bd",
    "BdHypergammon",
    "BdNormal",
    "BdOneSided",
    "BdTwoSided",
    "is_bd",
    "quantise_distributions",
    "quantise_equities",
    "read",
    "write_hypergammon",
    "write_normal",
    "write_one_sided",
    "write_two_sided",
]
