"""All subsets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from entropick._errors import Mention, ParameterError
from entropick._masks import MASK_BYTES, Mask
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Space

MAX_SUBSETS = 1 << 25


@dataclass
class Exhaustive(Search):
    """Score every allowed subset, small ones first; the answer is the best there is.

    More than 2²⁵ subsets are refused.
    """

    threshold_label = "best of this size"

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """All sizes, one after another."""
        free, total = len(space.free), count_subsets(space, MAX_SUBSETS)
        if total > MAX_SUBSETS:
            way_out = "use 'branch_and_bound' for a proof, 'cross_entropy' for a good answer, or a smaller "
            raise ParameterError(
                "search",
                f"'exhaustive' scores at most {MAX_SUBSETS:,} subsets; {free} free columns have more",
                hint=(way_out, Mention("max_features")),
            )
        for size in free_sizes(space):
            best = -np.inf
            for masks in batches(space.base, space.free, size):
                best = max(best, float((yield Ask(masks)).max()))
            yield Step(threshold=best, samples=comb(free, size))
        return Stop({"exhausted": total})


def free_sizes(space: Space) -> range:
    """How many columns a subset may have besides those that are always in it."""
    fixed = int(space.base.sum())
    return range(0 if space.exactly is None else space.exactly - fixed, space.largest - fixed + 1)


def count_subsets(space: Space, limit: int) -> int:
    """How many subsets the space allows, or some number above the limit if they are more."""
    total = 0
    for size in free_sizes(space):
        total += comb(len(space.free), size)
        if total > limit:
            break
    return total


def batches(base: Mask, columns: NDArray[np.int64], size: int) -> Iterator[Mask]:
    """The base plus every choice of ``size`` of the columns, in order, a few thousand masks at a time."""
    choices, most = combinations(columns.tolist(), size), min(4096, max(1, MASK_BYTES // len(base)))
    while batch := list(islice(choices, most)):
        masks = np.repeat(base[None], len(batch), axis=0)
        masks[np.arange(len(batch))[:, None], np.array(batch, dtype=np.int64).reshape(len(batch), size)] = True
        yield masks
