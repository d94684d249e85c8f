"""A genetic algorithm over masks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entropick._checks import check_number
from entropick._masks import Mask
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._sampling import draw, repair, start_probabilities
from entropick.search._space import Space


@dataclass
class Genetic(Search):
    """Subsets as chromosomes: tournaments choose parents, children mix their columns and flip a few.

    The best ``keep`` subsets of a generation survive. It ends after ``patience`` generations without a better subset.
    D. E. Goldberg, Genetic algorithms in search, optimization and machine learning, 1989.

    Parameters
    ----------
    population : int
        Subsets per generation.
    keep : int
        Best subsets that survive.
    tournament : int
        Subsets that compete to be a parent.
    crossover : float
        Share of children that take each column from one of two parents at random; the others are copies of one.
    flips : float
        Expected number of columns that a child flips.
    initial_features : float
        Expected size of the first subsets.
    patience, max_steps : int
        Generations without a gain, and in total.
    """

    threshold_label = "median of the population"

    population: int = 100
    keep: int = 2
    tournament: int = 3
    crossover: float = 0.9
    flips: float = 1.0
    initial_features: float = 10
    patience: int = 30
    max_steps: int = 1000

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        for name in ("population", "tournament", "patience", "max_steps"):
            check_number(name, getattr(self, name), 1, integer=True)
        check_number("keep", self.keep, 0, self.population - 1, integer=True)
        check_number("crossover", self.crossover, 0, 1)
        check_number("flips", self.flips, 0)
        check_number("initial_features", self.initial_features, 0)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """One generation after another."""
        masks = draw(space, start_probabilities(space, self.initial_features), self.population, rng)
        scores = yield Ask(masks)
        best, idle = scores.max(), 0
        for _ in range(self.max_steps):
            children = self._breed(masks, scores, space, rng)
            child_scores = yield Ask(children)
            elite = np.argsort(-scores, kind="stable")[: self.keep]
            masks = np.concatenate([masks[elite], children])
            scores = np.concatenate([scores[elite], child_scores])
            idle = 0 if scores.max() > best else idle + 1
            best = max(best, scores.max())
            yield Step(float(np.median(scores)), len(children), self.keep, masks.mean(axis=0))
            if idle >= self.patience:
                return Stop({"no_gain": idle})
        return Stop({"max_steps": self.max_steps})

    def _breed(self, masks: Mask, scores: NDArray[np.float64], space: Space, rng: np.random.Generator) -> Mask:
        n_children = self.population - self.keep
        fathers, mothers = (masks[self._winners(scores, n_children, rng)] for _ in range(2))
        mixed = rng.random(n_children) < self.crossover
        from_mother = (rng.random(fathers.shape) < 0.5) & mixed[:, None]
        children = np.where(from_mother, mothers, fathers)
        children ^= rng.random(children.shape) < self.flips / space.n_columns
        return repair(children, space, rng)

    def _winners(self, scores: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        rivals = rng.integers(len(scores), size=(n, self.tournament))
        return np.asarray(rivals[np.arange(n), scores[rivals].argmax(axis=1)])
