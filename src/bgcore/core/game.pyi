import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

FIELDS: tuple[str, ...]

@disjoint_base
class Game:
    def __init__(self, **numbers: int) -> None: ...

def validate_rows(packed: NDArray[np.uint64], game: Game, out: NDArray[np.uint32]) -> None: ...
def cpu_info() -> dict[str, str | bool]: ...
