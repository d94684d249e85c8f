"""The tables of the benchmarks: the paper's six from ENTROPICK_DATA, or random ones with the same shapes."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.encode import CodeTable, encode

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import uci

Masks = NDArray[np.bool_]
SETS: dict[str, tuple[tuple[int, int, int, int], int, Callable[[], uci.Table]]] = {
    # rows, columns, levels, classes; the paper's k; loader
    "breast cancer": ((569, 30, 5, 2), 20, lambda: load_breast_cancer(return_X_y=True)),
    "Forest Fires": ((517, 12, 5, 3), 5, uci.forest_fires),
    "Gesture Phase": ((1_444, 32, 5, 5), 29, uci.gesture_phase),
    "Connect-4": ((67_557, 42, 3, 3), 32, uci.connect_4),
    "Blog Feedback": ((52_397, 280, 3, 2), 93, uci.blog_feedback),
    "Advertisements": ((3_279, 1_558, 2, 2), 39, uci.advertisements),
}
REAL = bool(os.environ.get("ENTROPICK_DATA"))


def random_table(n_rows: int, n_columns: int, n_levels: int, n_classes: int, seed: int = 0) -> CodeTable:
    """Independent columns with equally frequent levels."""
    rng = np.random.default_rng(seed)
    columns = tuple(rng.integers(n_levels, size=n_rows, dtype=np.uint8) for _ in range(n_columns))
    return CodeTable(columns, np.full(n_columns, n_levels), rng.permutation(np.arange(n_rows) % n_classes))


def load(name: str) -> CodeTable:
    shape, _, read = SETS[name]
    if not REAL and name != "breast cancer":
        return random_table(*shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return replace(encode(*read()).table, X=None, y=None)


def half(table: CodeTable, n: int, rng: np.random.Generator) -> Masks:
    """Masks with every column in with probability .5."""
    return rng.random((n, table.n_columns)) < 0.5


def exactly(k: int) -> Callable[[CodeTable, int, np.random.Generator], Masks]:
    """Masks of k columns, or of all if there are fewer."""
    return lambda table, n, rng: np.argsort(rng.random((n, table.n_columns)), axis=1) < k


def late(table: CodeTable, n: int, rng: np.random.Generator) -> Masks:
    """The samples of the first step of a real search at which 95% of the probabilities are near 0 or 1.

    Near means within .02; those are rounded to 0 or 1.
    """
    X = np.stack(table.columns, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        steps = (
            CrossEntropySelector("reliable", null=False, effort=None, polish=False, random_state=0)
            .fit(X, table.classes)
            .trace_["probabilities"]
        )
    open_share = [((p > 0.02) & (p < 0.98)).mean() for p in steps]
    step = next((t for t, share in enumerate(open_share) if share <= 0.05), len(steps) - 1)
    p = np.where(steps[step] < 0.02, 0.0, np.where(steps[step] > 0.98, 1.0, steps[step]))
    return np.asarray(rng.random((n, table.n_columns)) < p)
