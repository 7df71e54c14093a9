"""The games that can be played, by name."""

from bgcore.errors import RuleError
from bgcore.rules._base import OPTIONS, Outcome, Rules
from bgcore.rules.backgammon import BACKGAMMON, HYPERGAMMON, NACKGAMMON

__all__ = ["BACKGAMMON", "HYPERGAMMON", "NACKGAMMON", "OPTIONS", "Outcome", "Rules", "get", "names"]

_BY_NAME = {rules.name: rules for rules in (BACKGAMMON, NACKGAMMON, HYPERGAMMON)}


def names() -> tuple[str, ...]:
    """The names that `get` knows."""
    return tuple(_BY_NAME)


def get(name: str) -> Rules:
    """The rule set of that name.

    Raises
    ------
    RuleError
        No such game; the message lists those there are.
    """
    try:
        return _BY_NAME[name.lower()]
    except KeyError:
        raise RuleError(f"no game {name!r}; there are {', '.join(_BY_NAME)}") from None
