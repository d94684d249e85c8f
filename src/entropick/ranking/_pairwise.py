"""The classic pairwise methods: they differ in one term, one fold, and how relevance enters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from entropick._decimals import ten_decimals
from entropick.ranking._problem import Floats, Pairs, Ranking, RankProblem

Score = Callable[[Floats, Floats, int, float], Floats]


@dataclass(frozen=True)
class Pairwise:
    """A greedy method that scores a column f by its pairs (f, s) with the columns s picked so far.

    ``score(relevance, folded, number of columns picked, beta)``, where ``folded`` is the sum or the minimum over s of
    ``term``. The first column is the one with the highest relevance I(f;y).
    """

    term: Callable[[Pairs], Floats]
    fold: np.ufunc
    score: Score

    def __call__(self, problem: RankProblem) -> Ranking:
        """Pick columns one after another; ties go to the lowest column number."""
        order: list[int] = []
        scores: list[float] = []
        current = problem.relevance
        folded = np.full(problem.table.n_columns, 0.0 if self.fold is np.add else np.inf)
        left = np.ones(problem.table.n_columns, dtype=np.bool_)
        while True:
            ranked = ten_decimals(current)
            pick = int(np.flatnonzero(left)[np.argmax(ranked[left])])
            left[pick] = False
            order.append(pick)
            scores.append(float(ranked[pick]))
            if len(order) == problem.n_wanted:
                return Ranking(np.array(order), np.array(scores))
            folded = self.fold(folded, self.term(problem.with_column(pick)))
            current = self.score(problem.relevance, folded, len(order), problem.beta)


def _sum(relevance: Floats, folded: Floats, n: int, beta: float) -> Floats:
    return folded


def _less_sum(relevance: Floats, folded: Floats, n: int, beta: float) -> Floats:
    return relevance - folded


mim = Pairwise(lambda p: p.problem.relevance, np.add, lambda relevance, folded, n, beta: relevance)
mifs = Pairwise(lambda p: p.redundancy, np.add, lambda rel, red, n, beta: rel - beta * red)
mrmr = Pairwise(lambda p: p.redundancy, np.add, lambda rel, red, n, beta: rel - red / n)
cmim = Pairwise(lambda p: p.relevance_given_s, np.minimum, lambda rel, low, n, beta: np.minimum(rel, low))
disr = Pairwise(lambda p: p.joint_relevance / p.h_fsy, np.add, _sum)
jmi = Pairwise(lambda p: p.joint_relevance, np.add, _sum)
icap = Pairwise(lambda p: np.maximum(0, p.redundancy - p.redundancy_given_y), np.add, _less_sum)
cife = Pairwise(lambda p: p.redundancy - p.redundancy_given_y, np.add, _less_sum)
jmim = Pairwise(lambda p: p.joint_relevance, np.minimum, _sum)
