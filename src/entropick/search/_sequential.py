"""Greedy searches that add or remove one column at a time."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._arguments import check_number
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Mask, Space, flip_each, is_better, pick_best

Move = Generator[Ask | Step, Any, tuple[Mask, float]]


def best_flip(mask: Mask, columns: NDArray[np.int64]) -> Move:
    """The best of the subsets that differ from a mask in one of the given columns, and its score."""
    masks = flip_each(mask, columns)
    scores = yield Ask(masks)
    i = pick_best(masks, scores)
    return masks[i], float(scores[i])


def add_greedily(space: Space) -> Generator[Ask | Step, Any, tuple[Mask, float, dict[str, Any]]]:
    """The subset that the best additions lead to, its score, and why they ended."""
    mask = space.base
    score = float((yield Ask(mask[None]))[0])
    while mask.sum() < space.largest:
        columns = np.flatnonzero(~mask)
        longer, longer_score = yield from best_flip(mask, columns)
        if space.exactly is None and longer_score <= score:
            return mask, score, {"no_gain": longer_score - score}
        mask, score = longer, longer_score
        yield Step(threshold=score, samples=len(columns), elite=1)
    return mask, score, {"size": int(mask.sum())}


@dataclass
class Forward(Search):
    """Sequential forward selection: add the best column for as long as that helps.

    With a fixed number of columns it adds on until there are so many. A. W. Whitney, 1971.
    """

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """From the smallest subset upwards."""
        _, _, reasons = yield from add_greedily(space)
        return Stop(reasons)


@dataclass
class Backward(Search):
    """Sequential backward elimination: remove the worst column for as long as nothing is lost.

    With a fixed or a largest number of columns it removes on until there are so many. T. Marill, D. Green, 1963.
    """

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """From all columns downwards."""
        mask = np.ones(space.n_columns, dtype=np.bool_)
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


@dataclass
class Floating(Search):
    """Sequential forward floating selection (SFFS): after each addition, remove columns for as long as that beats the
    best subset of that size so far.

    It ends at the largest number of columns, or when ``patience`` additions in a row found no better subset.
    P. Pudil, J. Novovičová, J. Kittler, Floating search methods in feature selection, 1994.

    Parameters
    ----------
    patience : int
        Additions without a better subset before it ends; with a fixed number of columns it goes on to that number.
    """

    patience: int = 5

    def check(self) -> None:
        """Raise a ValueError for settings that make no sense."""
        check_number("patience", self.patience, 1, integer=True)

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """One addition, then as many removals as pay."""
        mask = space.base
        score = float((yield Ask(mask[None]))[0])
        best_of_size = {int(mask.sum()): score}
        best, idle = score, 0
        while mask.sum() < space.largest:
            columns = np.flatnonzero(~mask)
            longer, score = yield from best_flip(mask, columns)
            added = int(np.flatnonzero(longer & ~mask)[0])
            mask = longer
            reached = score
            best_of_size[int(mask.sum())] = max(score, best_of_size.get(int(mask.sum()), -np.inf))
            while True:
                removable = np.flatnonzero(mask & ~space.base)
                removable = removable[removable != added]  # the new column has just been found worth it
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
