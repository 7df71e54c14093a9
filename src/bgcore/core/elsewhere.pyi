import numpy as np
from numpy.typing import NDArray

READ_VALUE: int
READ_TOTAL: int
READ_SHARED: int
READ_OVER: int
READ_TURN: int

def pack_sides(sides: NDArray[np.int8], checkers: int, out: NDArray[np.uint64]) -> tuple[int, int, int] | None: ...
def unpack_sides(packed: NDArray[np.uint64], out: NDArray[np.uint8]) -> None: ...
def pack_units(
    values: NDArray[np.int8],
    player: NDArray[np.uint8],
    checkers: int,
    out: NDArray[np.uint64],
    dice: NDArray[np.uint8],
    to_act: NDArray[np.int8],
) -> tuple[int, int, int] | None: ...
def unpack_units(
    packed: NDArray[np.uint64],
    player: NDArray[np.uint8],
    dice: NDArray[np.uint8],
    to_act: NDArray[np.int8],
    out: NDArray[np.float32],
) -> None: ...
