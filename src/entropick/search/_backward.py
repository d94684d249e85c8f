"""Remove one column at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropick.search._greedy import best_flip
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Space, is_better


@dataclass
class Backward(Search):
    """Sequential backward elimination: remove the worst column as long as nothing is lost.

    With a fixed or largest number of columns it keeps removing down to that number. T. Marill, D. Green, 1963.
    """

    threshold_label = "score of the step"

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """From all columns down."""
        mask = space.whole
        score = float((yield Ask(mask[None]))[0])
        least = int(space.base.sum()) if space.exactly is None else space.exactly
        while mask.sum() > least:
            columns = np.flatnonzero(mask & ~space.base)
            shorter, shorter_score = yield from best_flip(mask, columns)
            if mask.sum() <= space.largest and not is_better(shorter_score, shorter, score, mask):
                return Stop({"no_gain": shorter_score - score})
            mask, score = shorter, shorter_score
            yield Step(threshold=score, samples=len(columns), elite=1)
        return Stop({"size": int(mask.sum())})
