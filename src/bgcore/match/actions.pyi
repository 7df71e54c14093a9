from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, SupportsIndex, final

from typing_extensions import disjoint_base

from bgcore.match.opening import Player
from bgcore.play import Play
from bgcore.position import Position

__all__ = [
    "ACTIONS",
    "Accept",
    "Action",
    "Beaver",
    "Decline",
    "Double",
    "Drop",
    "Forfeit",
    "MakePlay",
    "NextGame",
    "OpeningRoll",
    "Pass",
    "Raccoon",
    "Resign",
    "Roll",
    "Ruling",
    "Take",
    "from_json",
]

SCOPES: tuple[str, ...]
KINDS: dict[str, type[Action]]
ACTIONS: tuple[type[Action], ...]

@disjoint_base
class Action:
    KIND: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]] = ()
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def kind(self) -> str: ...
    def to_json(self) -> dict[str, Any]: ...
    def arguments(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class OpeningRoll(Action):
    __match_args__ = ("die0", "die1")
    def __new__(cls, die0: SupportsIndex | None = None, die1: SupportsIndex | None = None) -> Self: ...
    @property
    def die0(self) -> int | None: ...
    @property
    def die1(self) -> int | None: ...
    @property
    def dice(self) -> tuple[int, int] | None: ...

@final
class Roll(Action):
    __match_args__ = ("d1", "d2")
    def __new__(cls, d1: SupportsIndex | None = None, d2: SupportsIndex | None = None) -> Self: ...
    @property
    def d1(self) -> int | None: ...
    @property
    def d2(self) -> int | None: ...
    @property
    def dice(self) -> tuple[int, int] | None: ...

@final
class MakePlay(Action):
    __match_args__ = ("play",)
    def __new__(cls, play: Play | str | None = None) -> Self: ...
    @property
    def play(self) -> Play | str | None: ...

@final
class Pass(Action):
    def __new__(cls) -> Self: ...

@final
class Double(Action):
    def __new__(cls) -> Self: ...

@final
class Take(Action):
    def __new__(cls) -> Self: ...

@final
class Drop(Action):
    def __new__(cls) -> Self: ...

@final
class Beaver(Action):
    def __new__(cls) -> Self: ...

@final
class Raccoon(Action):
    def __new__(cls) -> Self: ...

@final
class Resign(Action):
    __match_args__ = ("level", "player")
    def __new__(cls, level: Literal[1, 2, 3], player: Player) -> Self: ...
    @property
    def level(self) -> Literal[1, 2, 3]: ...
    @property
    def player(self) -> Player: ...

@final
class Accept(Action):
    def __new__(cls) -> Self: ...

@final
class Decline(Action):
    def __new__(cls) -> Self: ...

@final
class NextGame(Action):
    def __new__(cls) -> Self: ...

@final
class Ruling(Action):
    __match_args__ = ("reason", "position", "on_roll", "dice", "score", "cube")
    def __new__(
        cls,
        reason: str,
        position: Position | None = None,
        on_roll: Player | None = None,
        dice: tuple[int, int] | None = None,
        score: tuple[int, int] | None = None,
        cube: tuple[int, Player | None] | None = None,
    ) -> Self: ...
    @property
    def reason(self) -> str: ...
    @property
    def position(self) -> Position | None: ...
    @property
    def on_roll(self) -> Player | None: ...
    @property
    def dice(self) -> tuple[int, int] | None: ...
    @property
    def score(self) -> tuple[int, int] | None: ...
    @property
    def cube(self) -> tuple[int, Player | None] | None: ...

@final
class Forfeit(Action):
    __match_args__ = ("player", "scope", "points", "reason")
    def __new__(
        cls, player: Player, scope: Literal["points", "game", "match"], points: int | None = None, reason: str = ""
    ) -> Self: ...
    @property
    def player(self) -> Player: ...
    @property
    def scope(self) -> Literal["points", "game", "match"]: ...
    @property
    def points(self) -> int | None: ...
    @property
    def reason(self) -> str: ...

def from_json(data: Mapping[str, Any]) -> Action: ...
def field(data: Mapping[str, Any], name: str, what: str) -> Any: ...
def pair(value: Any, name: str) -> tuple[Any, Any] | None: ...
def position_of(words: Any) -> Position | None: ...
