"""A polish for any search: small changes of a subset until none makes it better."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from entropick.search._run import Ask, Step
from entropick.search._space import Mask, Space, flip_each, is_better, pick_best

_AFTERWARDS = 100  # further changes that are tried after one look at all neighbours


def climb(space: Space, mask: Mask, score: float) -> Generator[Ask | Step, Any, tuple[Mask, float]]:
    """Change a subset for as long as that makes it better, and return it with its score.

    Neighbours differ in one column; where the number of columns is fixed or at its limit, also by an exchange of two.
    The best neighbour is taken, and then the next best changes, one after the other, each if it still helps: on a wide
    table one look at all neighbours costs as much as a thousand subsets. At the end no single change helps.
    """
    found = True
    while found:
        found = False
        for masks in _neighbours(space, mask):
            scores = yield Ask(masks)
            i = pick_best(masks, scores)
            if is_better(float(scores[i]), masks[i], score, mask):
                helping = np.flatnonzero(scores > score)
                helping = helping[np.argsort(-scores[helping], kind="stable")]
                changes = (masks ^ mask)[helping[helping != i][:_AFTERWARDS]]
                mask, score = masks[i].copy(), float(scores[i])
                found = True
                for change in changes:
                    changed = (mask ^ change)[None]
                    if not space.allows(changed)[0]:
                        continue
                    (changed_score,) = yield Ask(changed)
                    if is_better(float(changed_score), changed[0], score, mask):
                        mask, score = changed[0], float(changed_score)
                break
    return mask, score


def _neighbours(space: Space, mask: Mask) -> Iterator[Mask]:
    """All flips at once, then the exchanges in batches, one for each column that would leave."""
    free = space.free
    flips = flip_each(mask, free)
    flips = flips[space.allows(flips)]
    if len(flips):
        yield flips
    if mask.sum() < space.largest and space.exactly is None:
        return
    outside = free[~mask[free]]
    for leaving in free[mask[free]] if len(outside) else ():
        swaps = flip_each(mask, outside)
        swaps[:, leaving] = False
        yield swaps
