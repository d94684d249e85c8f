"""Backward elimination by approximate Markov blankets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick._decimals import ten_decimals
from entropick._masks import in_parts
from entropick.ranking._problem import Floats, Ranking, RankProblem

_SPARE = 32  # neighbours remembered for each column besides its blanket


def koller_sahami(problem: RankProblem) -> Ranking:
    """Remove the column that its blanket makes most redundant, one after another.

    The blanket M of a column x is the K remaining columns with the highest I(x;x'). Removing x loses the
    expected divergence of P(y|M,x) from P(y|M), which is I(x;y|M). The column removed last ranks first, and the score
    of a column is what was lost with it. D. Koller, M. Sahami, Toward optimal feature selection, 1996.
    """
    m = problem.table.n_columns
    left = np.ones(m, dtype=np.bool_)
    loss = np.full(m, np.nan)
    blankets = np.full((m, min(problem.blanket, m)), -1)
    neighbours = _Neighbours(problem)
    stale = np.arange(m)
    removed: list[int] = []
    lost: list[float] = []
    while left.any():
        for part in in_parts(stale, 8 * m):
            blankets[part] = neighbours.nearest(part, left, blankets.shape[1])
            loss[part] = _losses(problem, part, blankets[part])
        remaining = np.flatnonzero(left)
        # Among equal losses the column with the highest number is removed, so that the lowest stays.
        worst = int(remaining[::-1][np.argmin(loss[remaining[::-1]])])
        left[worst] = False
        removed.append(worst)
        lost.append(float(loss[worst]))
        stale = np.flatnonzero((blankets == worst).any(axis=1) & left)
    return Ranking(np.array(removed[::-1])[: problem.n_wanted], np.array(lost[::-1])[: problem.n_wanted])


class _Neighbours:
    """The columns that share most information with each column: a few, so that memory does not grow with m²."""

    def __init__(self, problem: RankProblem) -> None:
        self.problem = problem
        m = problem.table.n_columns
        self.known = np.full((m, min(problem.blanket + _SPARE, m - 1)), -1)
        for part in in_parts(np.arange(m), 8 * m):
            self._look(part, np.ones(m, dtype=np.bool_))

    def nearest(self, columns: NDArray[np.int64], left: NDArray[np.bool_], n: int) -> NDArray[np.int64]:
        """The n nearest columns that are left, −1 where there are fewer."""
        wanted = min(n, int(left.sum()) - 1)
        here = self._are_left(columns, left)
        few = columns[here.sum(axis=1) < wanted]
        for part in in_parts(few, 8 * len(left)):
            self._look(part, left)
        here = self._are_left(columns, left) if len(few) else here
        first = np.argsort(~here, axis=1, kind="stable")[:, :wanted]
        found = np.full((len(columns), n), -1)
        found[:, :wanted] = np.take_along_axis(self.known[columns], first, axis=1)
        return found

    def _are_left(self, columns: NDArray[np.int64], left: NDArray[np.bool_]) -> NDArray[np.bool_]:
        known = self.known[columns]
        return np.asarray((known >= 0) & left[known])

    def _look(self, columns: NDArray[np.int64], left: NDArray[np.bool_]) -> None:
        redundancy = self.problem.redundancies(columns)
        redundancy[:, ~left] = -np.inf
        redundancy[np.arange(len(columns)), columns] = -np.inf
        nearest = np.argsort(-redundancy, axis=1, kind="stable")[:, : self.known.shape[1]]
        gone = np.take_along_axis(redundancy, nearest, axis=1) == -np.inf
        self.known[columns] = np.where(gone, -1, nearest)


def _losses(problem: RankProblem, columns: NDArray[np.int64], blankets: NDArray[np.int64]) -> Floats:
    """I(x;y|M) of every column and its blanket."""
    masks = np.zeros((len(columns), problem.table.n_columns + 1), dtype=np.bool_)  # one extra, for −1 in short blankets
    masks[np.arange(len(columns))[:, None], blankets] = True
    masks = masks[:, :-1]
    alone = problem.information(masks)
    masks[np.arange(len(columns)), columns] = True
    return ten_decimals(problem.information(masks) - alone)
