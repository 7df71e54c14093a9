"""What is said where a library of the extra ``rl`` is missing."""

from __future__ import annotations

__all__ = ["missing"]

LIBRARIES = {"gymnasium": "Gymnasium", "pettingzoo": "PettingZoo"}


def missing(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error to raise in place of one from an import of these libraries; any other is left as it is."""
    root = (error.name or "").partition(".")[0]
    if root not in LIBRARIES:
        return error
    message = f'these environments need {LIBRARIES[root]}; add it with:  pip install "bgcore[rl]"'
    return ModuleNotFoundError(message, name=root)
