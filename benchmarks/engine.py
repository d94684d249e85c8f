"""The native engine against its NumPy twin: subsets scored per second on tables of known shapes, ratios in one run."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from entropick import SubsetScorer
from entropick.encode import CodeTable

SHAPES = {  # rows, columns, levels, classes
    "breast cancer": (569, 30, 5, 2),
    "Connect-4": (67_557, 42, 3, 3),
    "Advertisements": (3_279, 1_558, 2, 2),
}


def random_table(n_rows: int, n_columns: int, n_levels: int, n_classes: int) -> CodeTable:
    """Columns with the uneven levels of real tables: level l has weight 2^-l."""
    rng = np.random.default_rng(0)
    weights = 0.5 ** np.arange(n_levels)
    columns = rng.choice(n_levels, size=(n_columns, n_rows), p=weights / weights.sum()).astype(np.uint8)
    classes = rng.integers(n_classes, size=n_rows)
    return CodeTable(tuple(columns), np.full(n_columns, n_levels), classes)


def seconds_per_mask(scorer: SubsetScorer, masks: NDArray[np.bool_], repeats: int) -> float:
    scorer(masks)  # the tables of the criterion are filled by the first call
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        scorer(masks)
        times.append(time.perf_counter() - began)
    return float(np.median(times)) / len(masks)


def main() -> None:
    print(f"{'table':<16}{'twin':>12}{'native, 1 thread':>20}{'native, all':>14}{'ratio':>8}")
    for name, shape in SHAPES.items():
        table = random_table(*shape)
        masks = np.random.default_rng(1).random((200, table.n_columns)) < 0.5
        twin = seconds_per_mask(SubsetScorer(table, engine="numpy"), masks[:3], 3)
        one = seconds_per_mask(SubsetScorer(table, n_jobs=1), masks, 5)
        every = seconds_per_mask(SubsetScorer(table, n_jobs=-1), masks, 5)
        print(f"{name:<16}{twin * 1e3:>9.3f} ms{one * 1e3:>17.3f} ms{every * 1e3:>11.3f} ms{twin / every:>7.0f}×")


if __name__ == "__main__":
    main()
