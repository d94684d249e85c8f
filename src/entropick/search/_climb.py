"""A polish for any search: small changes of a subset until none makes it better."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.search._run import Ask, Step
from entropick.search._space import Mask, Space, is_better, pick_best

_TOGETHER = 100  # changes that are tried together at most


def climb(space: Space, mask: Mask, score: float) -> Generator[Ask | Step, Any, tuple[Mask, float]]:
    """Change a subset for as long as that makes it better, and return it with its score.

    Neighbours differ in one column; where the number of columns is fixed or at its limit, also by an exchange of two.
    The changes that help are tried together too, the best one, the best two, the best three, ..., since on a wide table
    one look at all neighbours costs as much as a thousand subsets. At the end no single change helps.
    """
    found = True
    while found:
        found = False
        for masks in _neighbours(space, mask):
            scores = yield Ask(masks)
            together = _together(space, mask, score, masks, scores)
            if len(together) > 1:
                masks, scores = (
                    np.concatenate([masks, together]),
                    np.concatenate([scores, (yield Ask(together))]),
                )
            i = pick_best(masks, scores)
            if is_better(float(scores[i]), masks[i], score, mask):
                mask, score = masks[i].copy(), float(scores[i])
                found = True
                break
    return mask, score


def _together(space: Space, mask: Mask, score: float, masks: Mask, scores: NDArray[np.float64]) -> Mask:
    """The subset with the best change, with the best two, and so on, as far as they help by themselves."""
    helping = np.flatnonzero(scores > score)
    best_first = helping[np.argsort(-scores[helping], kind="stable")][:_TOGETHER]
    changes = np.logical_xor.accumulate(masks[best_first] ^ mask, axis=0)
    together = mask ^ changes
    return together[space.allows(together)]


def _neighbours(space: Space, mask: Mask) -> Iterator[Mask]:
    """All flips at once, then the exchanges in batches, one for each column that would leave."""
    free = space.free
    flips = np.repeat(mask[None], len(free), axis=0)
    flips[np.arange(len(free)), free] ^= True
    flips = flips[space.allows(flips)]
    if len(flips):
        yield flips
    if mask.sum() < space.largest and space.exactly is None:
        return
    outside = free[~mask[free]]
    for leaving in free[mask[free]] if len(outside) else ():
        swaps = np.repeat(mask[None], len(outside), axis=0)
        swaps[:, leaving] = False
        swaps[np.arange(len(outside)), outside] = True
        yield swaps
