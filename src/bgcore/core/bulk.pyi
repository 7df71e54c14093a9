import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from bgcore.core.game import Game

@disjoint_base
class PlayJob:
    bad_row: int
    bad_reasons: int
    no_memory: bool
    def __init__(
        self,
        packed: NDArray[np.uint64],
        dice: NDArray[np.uint8] | None,
        game: Game,
        context: NDArray[np.int32] | None,
        pass_results: bool,
        offsets: NDArray[np.int64],
        results: int,
        moves: int,
        capacity: int,
        threads: int,
        chunk: int,
    ) -> None: ...
    @property
    def total(self) -> int: ...
    def run(self) -> None: ...

def count_rows(
    packed: NDArray[np.uint64],
    dice: NDArray[np.uint8] | None,
    game: Game,
    context: NDArray[np.int32] | None,
    out: NDArray[np.int32],
    begin: int,
    end: int,
) -> tuple[int, int] | None: ...
def perft_row(
    packed: NDArray[np.uint64], game: Game, depth: int, out: NDArray[np.int64], next_row: NDArray[np.int64]
) -> None: ...
