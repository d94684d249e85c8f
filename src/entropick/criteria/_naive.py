"""The information that a naive Bayes model can use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from entropick.criteria._dependence import BUDGET, DependenceCriterion, DependenceTables, LevelCounts
from entropick.criteria._levels import count_levels

if TYPE_CHECKING:
    from entropick.encode import CodeTable


class Naive(DependenceCriterion):
    """H(y) minus the leave-one-out log loss of calibrated naive Bayes on U, in bits.

    s_c = π_c Π_{j∈U} (N(c, x_j) + 1/L_j) / (b_c + 1), where class c has b_c rows, the row itself is not counted (but in
    the prior π_c = b_c/n), and column j has L_j levels. Then p_c ∝ π_c (s_c/π_c)^β with the best β of a grid from 1 to
    0.02 for each subset. The empty set scores 0.
    """

    name = "naive"
    model = "a naive Bayes model"
    most_levels = 255

    def most_columns(self, table: CodeTable) -> int:
        """How many columns like those of this table have tables that fit into memory."""
        levels = count_levels(table, self.most_levels)
        return max(1, int(BUDGET / (2 * len(table.class_sizes) * np.mean(levels))))

    def tables(self, counts: LevelCounts) -> DependenceTables:
        """Compute ln P(x_j | c)."""
        alone = counts.alone()
        sizes = counts.table.class_sizes[:, None]
        others = np.log(alone + counts.shares) - np.log(sizes + 1)
        own = np.log(np.maximum(alone - 1, 0) + counts.shares) - np.log(sizes)
        return counts.made(counts.rounded(others)[None], counts.rounded(own)[None], has_parents=False)


naive = Naive()
