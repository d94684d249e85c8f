"""The correlation of single columns with the target."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick._decimals import ten_decimals
from entropick.encode import CodeTable, numbers_of
from entropick.ranking._problem import Floats, Ranking, RankProblem

_HUGE = 1e300  # differences of such numbers may be infinite


def pearson(problem: RankProblem) -> Ranking:
    """Rank columns by |R(j)| = |cov(x_j, y)| / √(var(x_j) var(y)), over the rows where x_j is present.

    Numbers are used as they are, levels and classes by their rank in sorted order; a constant column has R = 0. Only
    linear dependence is seen. I. Guyon, A. Elisseeff, An introduction to variable and feature selection, 2003.
    """
    table = problem.table
    y = _target(table) if table.y is None else next(numbers_of(table.y, [table.classes]))
    every = range(table.n_columns)
    columns = (_column(table, j) for j in every) if table.X is None else numbers_of(table.X, table.columns)
    scores = ten_decimals([_correlation(x, y) for x in columns])
    order = np.argsort(-scores, kind="stable")[: problem.n_wanted]
    return Ranking(order, scores[order])


def _target(table: CodeTable) -> Floats:
    """A numeric y, classes that are numbers, or the numbers of classes."""
    if table.numbers is not None:
        return np.asarray(table.numbers[:])
    labels = table.labels or ()
    are_numbers = bool(labels) and all(isinstance(label, int | float) for label in labels)
    return np.asarray(np.array(labels, dtype=np.float64)[table.classes] if are_numbers else table.classes * 1.0)


def _column(table: CodeTable, j: int) -> Floats:
    """The numbers of a column, or its codes."""
    numbers = table.numbers_of(j)
    return table.columns[j][:].astype(np.float64) if numbers is None else numbers


def _correlation(x: Floats, y: Floats) -> float:
    present = ~np.isnan(x)
    x, y = _standardised(x[present]), _standardised(y[present])
    return abs(float(x @ y))


def _standardised(x: NDArray[np.float64]) -> Floats:
    """Centred, and of length 1 (or 0 if constant)."""
    if not len(x) or x.min() == x.max():
        return np.zeros(len(x))
    if np.abs(x).max() > _HUGE:
        x = x / 2
    x = x - x[0]  # exact for a large offset, before anything is divided
    x = x / np.abs(x).max()
    x = x - x.mean()
    return np.asarray(x / np.sqrt(x @ x))
