import numpy as np
from numpy.typing import NDArray

UNKNOWN: int

class BitPlanes:
    def __init__(self, n_columns: int, class_starts: list[int]) -> None: ...
    def add_column(self, column: int, codes: NDArray[np.uint8] | NDArray[np.uint16]) -> None: ...
    def seal(self) -> None: ...
    def score(
        self,
        masks: NDArray[np.uint8],
        t1: NDArray[np.int64],
        t2: NDArray[np.int64],
        sums: NDArray[np.int64],
        duplicate_of: NDArray[np.int64],
        n_threads: int,
    ) -> NDArray[np.int64]: ...
    def partition(self, masks: NDArray[np.uint8], blocks: NDArray[np.uint32], n_threads: int) -> None: ...

class LevelSets:
    MAX_SET_LEVELS: int
    def __init__(self, levels: list[int], class_starts: list[int]) -> None: ...
    def set_column(self, column: int, codes: NDArray[np.uint8]) -> None: ...
    def score(
        self,
        columns: list[int],
        t1: NDArray[np.int64],
        t2: NDArray[np.int64],
        blocks: NDArray[np.int64],
        cells: NDArray[np.int64],
        n_threads: int,
    ) -> None: ...

class Dependence:
    def __init__(
        self,
        others: NDArray[np.float64],
        own: NDArray[np.float64],
        log_prior: NDArray[np.float64],
        exponents: list[float],
        has_parents: bool,
    ) -> None: ...
    def score(
        self,
        places: NDArray[np.int32],
        classes: NDArray[np.int32],
        masks: NDArray[np.uint8],
        means: NDArray[np.float64],
        losses: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...
    def sums(
        self,
        places: NDArray[np.int32],
        classes: NDArray[np.int32],
        masks: NDArray[np.uint8],
        sums: NDArray[np.float64],
        n_threads: int,
    ) -> None: ...

class Ridge:
    def __init__(
        self,
        gram: NDArray[np.float64],
        cross: NDArray[np.float64],
        X: NDArray[np.float64],
        Y: NDArray[np.float64],
        total: float,
        n_rows: int,
        penalties: list[float],
        price: float,
    ) -> None: ...
    def solve(
        self,
        members: NDArray[np.uint8],
        n_threads: int,
        ratios: NDArray[np.float64],
        places: NDArray[np.int64],
    ) -> None: ...

class RidgeCenter:
    def __init__(
        self,
        ridge: Ridge,
        member: NDArray[np.uint8],
        values: NDArray[np.float64],
        columns: NDArray[np.float64],
        targets: NDArray[np.float64],
    ) -> None: ...
    def solve(
        self,
        members: NDArray[np.uint8],
        n_threads: int,
        ratios: NDArray[np.float64],
        places: NDArray[np.int64],
    ) -> None: ...

class LevelRows:
    def __init__(self, codes: NDArray[np.uint8], starts: list[int]) -> None: ...
    def count_with(self, codes: NDArray[np.uint8], n_levels: int, counts: NDArray[np.float64]) -> None: ...

def count_pairs(
    codes: NDArray[np.uint8], starts: list[int], first: int, counts: NDArray[np.float64], n_threads: int
) -> None: ...
def sum_by_level(
    codes: NDArray[np.uint8],
    starts: list[int],
    values: NDArray[np.float64],
    sums: NDArray[np.float64],
    n_threads: int,
) -> None: ...
def expected_shares(
    sizes: NDArray[np.int64],
    class_sizes: list[int],
    times: list[int],
    shares: NDArray[np.float64],
) -> None: ...
def order_statistics(x: NDArray[np.float64], ranks: list[int], values: NDArray[np.float64]) -> None: ...
