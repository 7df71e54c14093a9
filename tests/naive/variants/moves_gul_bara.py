"""Gul bara (variants.md §7.4): single rolls and sub-rolls; the cascade over them is in cascade.py."""

from __future__ import annotations

from naive.variants.moves_fevga import Fevga


class GulBara(Fevga):
    """No contact, and nothing else by default; `runner` and `prime_rules` as in Fevga if asked for."""
