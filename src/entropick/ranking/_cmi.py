"""Greedy joint information."""

from __future__ import annotations

import numpy as np

from entropick.ranking._problem import Ranking, RankProblem


def cmi(problem: RankProblem) -> Ranking:
    """Pick the column with the highest I(f;y|S), S being all columns picked so far, until nothing is gained.

    It is the chain rule of I(U;y), followed greedily; G. Brown et al., Conditional likelihood maximisation, 2012.
    """
    m = problem.table.n_columns
    most = m if problem.n_features is None else problem.n_features
    chosen = np.zeros(m, dtype=np.bool_)
    order: list[int] = []
    gains: list[float] = []
    known = 0.0
    while len(order) < most:
        rest = np.flatnonzero(~chosen)
        masks = np.repeat(chosen[None], len(rest), axis=0)
        masks[np.arange(len(rest)), rest] = True
        gain = np.round(problem.information(masks) - known, 10)
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            break
        chosen[rest[best]] = True
        order.append(int(rest[best]))
        gains.append(float(gain[best]))
        known = float(problem.information(chosen[None])[0])
    return Ranking(np.array(order, dtype=np.int64), np.array(gains))
