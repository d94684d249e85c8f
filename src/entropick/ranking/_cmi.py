"""Greedy joint information."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from entropick._decimals import ten_decimals
from entropick.ranking._problem import Ranking, RankProblem
from entropick.search import Forward, StepLine, drive


def cmi(problem: RankProblem) -> Ranking:
    """Pick the column with the highest I(f;y|S), S being all columns picked so far, until nothing is gained.

    By the chain rule this is forward selection by I(U;y). G. Brown et al., Conditional likelihood maximisation, 2012.
    """
    run = Forward().start(problem.table.n_columns, max_features=problem.n_features)
    path, known = [run.space.base], [0.0]

    def keep(line: StepLine) -> None:
        path.append(run.best_mask)
        known.append(run.best_score)

    drive(run, lambda masks: ten_decimals(problem.information(masks)), callback=keep)
    order = np.array([np.flatnonzero(now & ~before)[0] for before, now in pairwise(path)], dtype=np.int64)
    return Ranking(order, ten_decimals(np.diff(known)))
