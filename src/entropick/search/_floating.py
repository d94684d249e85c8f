"""Add one column, then remove columns as long as that pays off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropick._checks import check_number
from entropick.search._greedy import best_flip
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Space


@dataclass
class Floating(Search):
    """Sequential forward floating selection (SFFS): after each addition, remove columns as long as that beats the best
    subset of that size so far.

    It ends at the largest number of columns, or when ``patience`` additions in a row found no better subset.
    P. Pudil, J. Novovičová, J. Kittler, Floating search methods in feature selection, 1994.

    Parameters
    ----------
    patience : int
        Additions without a better subset before it ends; with a fixed number of columns it continues to that number.
    """

    threshold_label = "score of the step"

    patience: int = 5

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        check_number("patience", self.patience, 1, integer=True)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """One addition, then as many removals as pay off."""
        mask = space.base
        score = float((yield Ask(mask[None]))[0])
        best_of_size = {int(mask.sum()): score}
        best, idle = score, 0
        while mask.sum() < space.largest:
            columns = space.free[~mask[space.free]]
            longer, score = yield from best_flip(mask, columns)
            added = int(np.flatnonzero(longer & ~mask)[0])
            mask = longer
            reached = score
            best_of_size[int(mask.sum())] = max(score, best_of_size.get(int(mask.sum()), -np.inf))
            while True:
                removable = np.flatnonzero(mask & ~space.base)
                removable = removable[removable != added]  # the new column was just found to be worth it
                if not len(removable):
                    break
                shorter, shorter_score = yield from best_flip(mask, removable)
                if shorter_score <= best_of_size.get(int(shorter.sum()), -np.inf):
                    break
                mask, score, added = shorter, shorter_score, -1
                best_of_size[int(mask.sum())] = score
                reached = max(reached, score)
            idle = 0 if reached > best else idle + 1
            best = max(best, reached)
            yield Step(threshold=score, samples=len(columns), elite=1)
            if space.exactly is None and idle >= self.patience:
                return Stop({"no_gain": idle})
        return Stop({"size": int(mask.sum())})
