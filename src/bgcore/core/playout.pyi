import numpy as np
from numpy.typing import NDArray

from bgcore.core.game import Game

def play_block(
    packed: NDArray[np.uint64],
    trials: int,
    game: Game,
    bit_generator: np.random.BitGenerator,
    first: int,
    last: int,
    counts: NDArray[np.int64],
    plies: NDArray[np.int64],
) -> None: ...
