"""Discrete function learning: the columns that determine the target."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick._checks import check_number
from entropick._masks import Mask
from entropick.search._exhaustive import batches
from entropick.search._greedy import best_flip, score_flips
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Space


@dataclass
class Dfl(Search):
    """Look for a subset with I(U;y) = H(y): then y is a function of it, and the search is over.

    First it follows the greedy path, then it tries the subsets of 1, 2, ... ``depth`` columns, those with the best
    columns first. A subset that is found loses every column it can do without. If none is found, the answer is the best
    subset seen. Meant for the criterion 'plugin' without parsimony, whose penalty keeps every score below H(y). A wide
    table has many subsets: set a budget.

    Y. Zheng, C. K. Kwoh, A feature subset selection method based on high-dimensional mutual information, 2011.

    Parameters
    ----------
    epsilon : float
        Noise that is tolerated: I(U;y) ≥ (1 − ε)·H(y) is enough.
    depth : int
        Largest number of columns; a fixed number takes precedence.
    """

    threshold_label = "best of the step"

    epsilon: float = 0.0
    depth: int = 4

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        check_number("epsilon", self.epsilon, 0, 1)
        check_number("depth", self.depth, 1, integer=True)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """The greedy path, then all small subsets."""
        enough = (1 - self.epsilon) * space.scale - 1e-9
        found = yield from self._greedy(space, enough)
        if found is None:
            found = yield from self._by_size(space, enough)
        if found is None:
            return Stop({"not_found": self.depth})
        mask, score = yield from self._shrink(space, found, enough)
        return Stop({"found": score / space.scale}, mask, score)

    def _greedy(self, space: Space, enough: float) -> Generator[Ask | Step, Any, Mask | None]:
        mask = space.base
        score = float((yield Ask(mask[None]))[0])
        while not (score >= enough and space.allows(mask[None])[0]):
            if mask.sum() == self._limit(space):
                yield Step(threshold=score, samples=int(mask.sum()))
                return None
            mask, score = yield from best_flip(mask, space.free[~mask[space.free]])
        return mask

    def _by_size(self, space: Space, enough: float) -> Generator[Ask | Step, Any, Mask | None]:
        """Smallest size first, and within a size the columns that score best on their own."""
        alone = yield from score_flips(space.base, space.free)
        ranked = space.free[np.argsort(-alone, kind="stable")]
        fixed = int(space.base.sum())
        sizes = range(1, self._limit(space) - fixed + 1) if space.exactly is None else [space.exactly - fixed]
        for size in sizes:
            best = -np.inf
            n_subsets = 0
            for masks in batches(space.base, ranked, size):
                scores = yield Ask(masks)
                best, n_subsets = max(best, float(scores.max())), n_subsets + len(masks)
                if best >= enough:
                    return np.asarray(masks[int(np.argmax(scores >= enough))])
            yield Step(threshold=best, samples=n_subsets)
        return None

    def _limit(self, space: Space) -> int:
        return space.exactly if space.exactly is not None else min(space.largest, self.depth + int(space.base.sum()))

    def _shrink(self, space: Space, mask: Mask, enough: float) -> Generator[Ask | Step, Any, tuple[Mask, float]]:
        score = float((yield Ask(mask[None]))[0])
        while space.exactly is None and (mask & ~space.base).any():
            shorter, shorter_score = yield from best_flip(mask, np.flatnonzero(mask & ~space.base))
            if shorter_score < enough:
                break
            mask, score = shorter, shorter_score
        return mask, score
