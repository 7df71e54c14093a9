import numpy as np
from numpy.typing import NDArray

def play_block(
    packed: NDArray[np.uint64],
    trials: int,
    checkers: int,
    bit_generator: np.random.BitGenerator,
    first: int,
    last: int,
    counts: NDArray[np.int64],
    plies: NDArray[np.int64],
) -> None: ...
