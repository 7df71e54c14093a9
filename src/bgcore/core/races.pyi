import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

@disjoint_base
class Table:
    def __init__(
        self,
        first: NDArray[np.uint8],
        count: NDArray[np.uint8],
        start: NDArray[np.uint32],
        values: NDArray[np.float32] | NDArray[np.uint16],
    ) -> None: ...

def distribution_rows(table: Table, ids: NDArray[np.uint64], out: NDArray[np.float32]) -> None: ...
def raw_rows(table: Table, first_id: int, out: NDArray[np.uint16]) -> None: ...
def moment_rows(
    table: Table, ids: NDArray[np.uint64], mean: NDArray[np.float64], variance: NDArray[np.float64]
) -> None: ...
def race_rows(
    table: Table,
    gammons: Table | None,
    packed: NDArray[np.uint64],
    points: int,
    checkers: int,
    out: NDArray[np.float32],
) -> None: ...
def best_chances(
    ids: NDArray[np.uint64], points: int, needed: NDArray[np.float64], out: NDArray[np.float64]
) -> None: ...
