from collections.abc import Sequence

from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules._base import Rules

__all__ = ["find_plays"]

def find_plays(
    rules: Rules, position: Position, dice: Sequence[int], moves: Sequence[tuple[int, int]]
) -> list[Play]: ...
