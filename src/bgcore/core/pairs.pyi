from typing import Any

import numpy as np
from numpy.typing import NDArray

class PairTable:
    @property
    def points(self) -> int: ...
    @property
    def checkers(self) -> int: ...
    @property
    def tables(self) -> int: ...
    def __init__(
        self,
        values: NDArray[np.uint8],
        points: int,
        checkers: int,
        kind: str,
        one: int,
        cubeless: bool,
        cubeful: bool,
        gammons: bool,
        jacoby: bool,
        tiles: bool,
    ) -> None: ...
    def lookup(self, packed: NDArray[np.uint64], decided: bool, out: NDArray[Any]) -> None: ...
    def pairs(self, own: int, opponents: NDArray[np.int64], out: NDArray[np.float64]) -> None: ...
    def places(self, packed: NDArray[np.uint64], out: NDArray[np.int64]) -> None: ...
