from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex

from typing_extensions import disjoint_base

from bgcore.core.game import Game
from bgcore.errors import InvalidReason
from bgcore.play import Move, Play
from bgcore.position import Position

__all__ = ["OPTIONS", "REGISTRY", "Outcome", "Rules", "register"]

OPTIONS: dict[str, Any]
PRIMES: dict[str, int]
RUNNERS: dict[str, int]
HEADS: dict[str, int]
GAMMONS: dict[str, int]
MOTHERS: dict[str, int]
CONTACTS: dict[str, int]
LIKE_BACKGAMMON: dict[str, int]

class Outcome(NamedTuple):
    winner: Literal["own", "opp"] | None
    points: int
    kind: str

@disjoint_base
class Rules:
    name: str
    start: Position
    checkers: int
    max_moves: int
    options: Mapping[str, Any]
    game: Game | None
    geometry: Literal["contrary", "parallel"]
    block_at: int
    contact: Literal["hit", "pin", "none"]
    doubles: Literal["x4", "cascade", "x2", "n_times"]
    cascade_from: int
    remainder: Literal["opponent", "forfeit"]
    transfer_needs_start: bool
    larger_die: bool
    opening: Literal["keep_dice", "reroll", "opponents_checkers"]
    next_first: Literal["roll", "winner", "loser", "alternate"]
    runner: Literal["none", "pass", "reach", "last_quarter"]
    head_limit: int | None
    head_first_turn: Literal["none", "obstructed", "doubles_346", "doubles_46", "always2"]
    prime_rules: frozenset[str]
    prime_check: Literal["final", "step"]
    start_quarter_cap: int | None
    start_quarter_made: int | None
    hit_and_run_home: Literal["allow", "forbid"]
    entry_cap_per_point: int | None
    entry_forbid_own: bool
    entry_all_first: bool
    entry_bar_loss: int | None
    mother: Literal["none", "wait", "immediate"]
    bear_off: Literal["core", "exact_any"]
    bear_off_while_pinned: Literal["forbid", "allow"]
    scoring: tuple[int, int, int]
    gammon_if: Literal["none_off", "loser_not_all_home", "start_quadrant"]
    ladder: tuple[tuple[str, int], ...]
    draw: Literal["none", "last_roll"]
    draw_points: int
    cube: bool
    def __init__(
        self, name: str, *, start: Mapping[int, int] | Iterable[tuple[int, int]], checkers: int = 15, **options: Any
    ) -> None: ...
    def replace(self, **changes: Any) -> Rules: ...
    def fields(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def validate(self, position: Position) -> InvalidReason: ...
    def legal_plays(
        self, position: Position, dice: Sequence[SupportsIndex], *, context: int = 0
    ) -> tuple[Play, ...]: ...
    def count_plays(self, position: Position, dice: Sequence[SupportsIndex], *, context: int = 0) -> int: ...
    def next_moves(
        self,
        position: Position,
        dice: Sequence[SupportsIndex],
        moved: Iterable[Move | tuple[int, int]] = (),
        *,
        context: int = 0,
    ) -> tuple[Move, ...]: ...
    def check(
        self, position: Position, dice: Sequence[SupportsIndex], play: Play | str, *, context: int = 0
    ) -> Play: ...
    def parse_play(
        self,
        position: Position,
        dice: Sequence[SupportsIndex],
        text: str,
        *,
        numbering: Literal["own", "absolute"] = "own",
        side: Literal["bottom", "top"] | None = None,
        context: int = 0,
    ) -> Play: ...
    def core(self) -> Game: ...
    def roll(self, position: Position, dice: Sequence[SupportsIndex]) -> tuple[int, int]: ...
    def outcome(self, position: Position) -> Outcome | None: ...
    def is_contact(self, position: Position) -> bool: ...
    def text(self, position: Position) -> str: ...

def game_of(rules: Rules) -> Game | None: ...
def check_option(name: str, value: Any) -> Any: ...
def check_start(start: Any, checkers: int) -> tuple[tuple[int, int], ...]: ...

REGISTRY: dict[str, tuple[Rules, dict[str, Mapping[str, Any]]]]

def register(rules: Rules, **presets: Mapping[str, Any]) -> Rules: ...
def in_order(value: Any) -> str: ...
def restore(fields: dict[str, Any]) -> Rules: ...
