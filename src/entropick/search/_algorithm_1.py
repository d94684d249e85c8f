"""Algorithm 1 of the paper: from some probabilities to where its threshold no longer changes."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import ceil, inf
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask
from entropick.search._run import Ask, Step
from entropick.search._sampling import draw
from entropick.search._space import Space, is_better, pick_best


@dataclass(frozen=True)
class Algorithm1:
    """One start of a cross-entropy search; its settings are explained in `CrossEntropy`."""

    min_samples: int | float
    max_samples: int | float
    elite: float
    min_elite: int
    smoothing: float
    tolerance: float
    patience: int
    max_steps: int

    def converge(
        self, space: Space, rng: np.random.Generator, p: NDArray[np.float64]
    ) -> Generator[Ask | Step, Any, tuple[Mask, float, NDArray[np.float64], dict[str, Any]]]:
        """From p until the threshold no longer changes: the best subset, its score, the last p, and why it ended."""
        batch, most = self._sample_sizes(space.n_columns)
        n_elite = min(batch, max(self.min_elite, ceil(self.elite * batch)))
        best, best_score = space.base, -inf
        thresholds: list[float] = []
        for _ in range(self.max_steps):
            masks: list[NDArray[np.uint8]] = []  # those of the step, eight columns per byte
            scores = np.empty(0)
            gamma, before = -inf, thresholds[-1] if thresholds else -inf
            while len(scores) < most and not gamma > before:
                for n_samples in _parts(min(batch, most - len(scores)), space.n_columns):
                    new = draw(space, p, n_samples, rng)
                    new_scores = yield Ask(new, near=p >= 0.5)
                    i = pick_best(new, new_scores)
                    if not (thresholds or masks) or is_better(float(new_scores[i]), new[i], best_score, best):
                        best, best_score = new[i].copy(), float(new_scores[i])
                    masks.append(np.packbits(new, axis=1))
                    scores = np.concatenate([scores, new_scores])
                gamma = float(np.partition(scores, -n_elite)[-n_elite])
            elite = np.concatenate(masks)[scores >= gamma]
            p = self.smoothing * _shares(elite, space.n_columns) + (1 - self.smoothing) * p
            thresholds.append(gamma)
            yield Step(gamma, len(scores), len(elite), p.copy())
            if len(thresholds) > self.patience:
                change = abs(gamma - thresholds[-1 - self.patience])
                if change <= self.tolerance * space.scale:
                    return best, best_score, p, {"tolerance": change}
        return best, best_score, p, {"max_steps": self.max_steps}

    def _sample_sizes(self, m: int) -> tuple[int, int]:
        batch, most = (
            int(size) if isinstance(size, Integral) else max(1, ceil(size * m))
            for size in (self.min_samples, self.max_samples)
        )
        return batch, max(batch, most)


def _parts(n_samples: int, n_columns: int) -> Iterator[int]:
    """How many subsets to draw at once: few for a wide table, to save memory and to meet the deadline."""
    most = 4 * max(1, (1 << 20) // n_columns)
    return (min(most, n_samples - start) for start in range(0, n_samples, most))


def _shares(packed: NDArray[np.uint8], n_columns: int) -> NDArray[np.float64]:
    """The share of the masks that contain each column."""
    counts = np.zeros(n_columns)
    for start in range(0, len(packed), 64):
        counts += np.unpackbits(packed[start : start + 64], axis=1, count=n_columns).sum(axis=0)
    return counts / len(packed)
