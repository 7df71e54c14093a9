from typing import Literal

from bgcore.position import Position

__all__ = ["scanned"]

def scanned(
    text: str, checkers: int
) -> (
    tuple[
        Position,
        Literal[0, 1],
        int,
        Literal[0, 1] | None,
        tuple[int, int] | None,
        Literal["D", "B", "R"] | None,
        tuple[int, int],
        int,
        int,
        int | None,
    ]
    | None
): ...
