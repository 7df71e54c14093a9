from typing import Any

from typing_extensions import disjoint_base

from bgcore.match.cube import MatchOptions

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
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
