"""Backward elimination by approximate Markov blankets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropick.ranking._problem import Ranking, RankProblem


def koller_sahami(problem: RankProblem) -> Ranking:
    """Remove the column that its blanket makes most redundant, again and again.

    The blanket M of a column x is the K remaining columns with the highest I(x;x'). What would be lost without x is the
    expected divergence of P(y|M,x) from P(y|M), which is I(x;y|M). The order is that of removal, backwards, and the
    score of a column is what was lost with it. D. Koller, M. Sahami, Toward optimal feature selection, 1996.
    """
    m = problem.table.n_columns
    redundancy = problem.redundancies
    np.fill_diagonal(redundancy, -np.inf)
    left = np.ones(m, dtype=np.bool_)
    loss = np.full(m, np.nan)
    blankets = np.zeros((m, m), dtype=np.bool_)
    stale = left.copy()
    removed: list[int] = []
    lost: list[float] = []
    while left.any():
        for x in np.flatnonzero(stale & left):
            blankets[x] = _blanket(redundancy[x], left, int(x), problem.blanket)
        todo = np.flatnonzero(stale & left)
        with_x = blankets[todo].copy()
        with_x[np.arange(len(todo)), todo] = True
        loss[todo] = np.round(problem.information(with_x) - problem.information(blankets[todo]), 10)
        remaining = np.flatnonzero(left)
        # Of equal losses the highest number goes, so that the lowest stays.
        worst = int(remaining[::-1][np.argmin(loss[remaining[::-1]])])
        left[worst] = False
        removed.append(worst)
        lost.append(float(loss[worst]))
        stale = blankets[:, worst] & left
    return Ranking(np.array(removed[::-1])[: problem.n_wanted], np.array(lost[::-1])[: problem.n_wanted])


def _blanket(redundancy: NDArray[np.float64], left: NDArray[np.bool_], x: int, size: int) -> NDArray[np.bool_]:
    others = np.flatnonzero(left)
    others = others[others != x]
    blanket = np.zeros(len(left), dtype=np.bool_)
    blanket[others[np.argsort(-redundancy[others], kind="stable")[:size]]] = True
    return blanket
