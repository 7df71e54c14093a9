import numpy as np
from numpy.typing import NDArray

Words = tuple[int, int, int, int]

class PlayJob:
    bad_row: int
    bad_reasons: int
    no_memory: bool
    def __init__(
        self,
        packed: NDArray[np.uint64],
        dice: NDArray[np.uint8] | None,
        checkers: int,
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

def cpu_info() -> dict[str, str | bool]: ...
def validate_rows(packed: NDArray[np.uint64], checkers: int, out: NDArray[np.uint32]) -> None: ...
def single_moves(words: Words, die: int) -> list[tuple[int, int, bool, Words]]: ...
def count_rows(
    packed: NDArray[np.uint64],
    dice: NDArray[np.uint8] | None,
    checkers: int,
    out: NDArray[np.int32],
    begin: int,
    end: int,
) -> tuple[int, int] | None: ...
def perft_row(packed: NDArray[np.uint64], depth: int, out: NDArray[np.int64], next_row: NDArray[np.int64]) -> None: ...
