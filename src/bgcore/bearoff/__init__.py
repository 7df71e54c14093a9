"""Bear-off databases: built on this machine, looked up by the million.

=============  ========================================================================
`ranking`      one side's checkers to an id and back
`store`        our files: written, opened, checked, built piece by piece; `layout` is their format
`opening`      opening a file of ours or of GNU Backgammon's
`cached`       the small databases, built once per user
`onesided`     rolls that one side needs: distributions, EPC, races
`twosided`     equities of both sides' checkers, cubeless and cubeful
`hyper`        hypergammon: the whole game with one, two or three checkers
=============  ========================================================================

Names are loaded when they are first asked for.  No module here has the name of a public function: an import would
put the module in the function's place.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bgcore.bearoff.cached import Default, cache_folder, default
    from bgcore.bearoff.hyper import Hypergammon, HypergammonValues
    from bgcore.bearoff.hyper_build import hypergammon
    from bgcore.bearoff.onesided import OneSided, OneSidedRow, one_sided
    from bgcore.bearoff.opening import describe, open, verify
    from bgcore.bearoff.ranking import rank, unrank
    from bgcore.bearoff.twosided import TwoSided
    from bgcore.bearoff.twosided_build import two_sided

__all__ = [
    "Default",
    "Hypergammon",
    "HypergammonValues",
    "OneSided",
    "OneSidedRow",
    "TwoSided",
    "cache_folder",
    "default",
    "describe",
    "hypergammon",
    "one_sided",
    "open",
    "rank",
    "two_sided",
    "unrank",
    "verify",
]

_HOMES = {
    "Default": "cached",
    "Hypergammon": "hyper",
    "HypergammonValues": "hyper",
    "OneSided": "onesided",
    "OneSidedRow": "onesided",
    "TwoSided": "twosided",
    "cache_folder": "cached",
    "default": "cached",
    "describe": "opening",
    "hypergammon": "hyper_build",
    "one_sided": "onesided",
    "open": "opening",
    "rank": "ranking",
    "two_sided": "twosided_build",
    "unrank": "ranking",
    "verify": "opening",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bgcore.bearoff' has no attribute {name!r}")
    value = getattr(import_module(f"bgcore.bearoff.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
