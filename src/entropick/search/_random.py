"""The baseline that every search must beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropick._checks import check_number
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._sampling import draw, start_probabilities
from entropick.search._space import Space


@dataclass
class Random(Search):
    """Random subsets in batches of 500, each batch with an expected size drawn at random.

    Parameters
    ----------
    n_samples : int
        Subsets in total.
    initial_features : float
        The expected sizes are between 1 and twice this, and at most half the columns.
    """

    threshold_label = "best of the step"

    n_samples: int = 10_000
    initial_features: float = 10

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        check_number("n_samples", self.n_samples, 1, integer=True)
        check_number("initial_features", self.initial_features, 0)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """One batch after another."""
        batch, best, drawn = 500, -np.inf, 0
        while drawn < self.n_samples:
            size = rng.uniform(1, max(2 * self.initial_features, 1))
            n = min(batch, self.n_samples - drawn)
            scores = yield Ask(draw(space, start_probabilities(space, size), n, rng))
            drawn += n
            best = max(best, float(scores.max()))
            yield Step(threshold=best, samples=n)
        return Stop({"n_samples": drawn})
