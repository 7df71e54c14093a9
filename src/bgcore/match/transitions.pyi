from typing import Any

from typing_extensions import disjoint_base

from bgcore.match.cascade import Stage
from bgcore.match.cube import MatchOptions
from bgcore.match.gul_bar import GulBar
from bgcore.match.tavli import TavliMatch
from bgcore.rules import Rules

__all__ = ["MatchCore", "Terms"]

KINDS: dict[int, str]
REFUSALS: dict[int, tuple[str, str]]

@disjoint_base
class Terms:
    @property
    def length(self) -> int: ...
    @property
    def options(self) -> MatchOptions: ...

@disjoint_base
class MatchCore:
    rules: Rules
    series: TavliMatch | GulBar | None
    stage: Stage | None
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
