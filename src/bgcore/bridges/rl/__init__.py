"""Gymnasium and PettingZoo environments: the extra ``rl``.

======================  ==================================================================================
`BackgammonEnv`         Gymnasium: one agent against an opponent that is given; ``bgcore/Backgammon-v0``
`BackgammonVectorEnv`   Gymnasium: self-play of many games at once; ``bgcore/BackgammonSelfPlay-v0``
`BackgammonAECEnv`      PettingZoo: two agents; `aec_env` makes one in PettingZoo's usual wrappers
======================  ==================================================================================

Loading this module loads Gymnasium and registers the two ids, so that
``gymnasium.make("bgcore.bridges.rl:bgcore/Backgammon-v0")`` works without an import.  PettingZoo is asked for when one
of its names is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bgcore.bridges.rl.missing import missing

try:
    from gymnasium.envs.registration import register, registry
except ModuleNotFoundError as error:
    raise missing(error) from None

if TYPE_CHECKING:
    from bgcore.bridges.rl.aec import BackgammonAECEnv, aec_env
    from bgcore.bridges.rl.env import BackgammonEnv
    from bgcore.bridges.rl.vector_env import BackgammonVectorEnv

__all__ = ["BackgammonAECEnv", "BackgammonEnv", "BackgammonVectorEnv", "aec_env"]

_HOMES = {
    "BackgammonAECEnv": "aec",
    "BackgammonEnv": "env",
    "BackgammonVectorEnv": "vector_env",
    "aec_env": "aec",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"bgcore.bridges.rl.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'bgcore.bridges.rl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if "bgcore/Backgammon-v0" not in registry:
    register("bgcore/Backgammon-v0", "bgcore.bridges.rl.env:BackgammonEnv")
    register("bgcore/BackgammonSelfPlay-v0", vector_entry_point="bgcore.bridges.rl.vector_env:BackgammonVectorEnv")
