import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from bgcore.core.game import Game

@disjoint_base
class Policy: ...

def play_block(
    packed: NDArray[np.uint64],
    trials: int,
    game: Game,
    policy: Policy | None,
    bit_generator: np.random.BitGenerator,
    first: int,
    last: int,
    counts: NDArray[np.int64],
    plies: NDArray[np.int64],
) -> None: ...
