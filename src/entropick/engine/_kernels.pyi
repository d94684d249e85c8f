import numpy as np
from numpy.typing import NDArray

UNKNOWN: int

class PackedTable:
    def __init__(self, bits: list[int], class_starts: list[int]) -> None: ...
    def set_column(self, column: int, codes: NDArray[np.uint8] | NDArray[np.uint16]) -> None: ...
    def score(
        self,
        masks: NDArray[np.uint8],
        t1: NDArray[np.int64],
        t2: NDArray[np.int64],
        sums: NDArray[np.int64],
        unknown: NDArray[np.uint8],
        n_threads: int,
    ) -> None: ...
