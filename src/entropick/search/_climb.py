"""A polish for any search: small changes of a subset until none makes it better."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.search._greedy import score_flips
from entropick.search._run import Ask, Step
from entropick.search._space import Mask, Space, flip_each, is_better, pick_best_flip

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
        for start, columns in _neighbours(space, mask):
            scores = yield from score_flips(start, columns)
            i = pick_best_flip(start, columns, scores)
            neighbour = flip_each(start, columns[i : i + 1])[0]
            if not is_better(float(scores[i]), neighbour, score, mask):
                continue
            helping = np.flatnonzero(scores > score)
            helping = helping[np.argsort(-scores[helping], kind="stable")]
            changes = flip_each(mask ^ start, columns[helping[helping != i][:_AFTERWARDS]])
            mask, score = neighbour, float(scores[i])
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


def _neighbours(space: Space, mask: Mask) -> Iterator[tuple[Mask, NDArray[np.int64]]]:
    """Subsets and columns: a neighbour is the subset with one of the columns flipped. Exchanges come last."""
    inside, outside = space.free[mask[space.free]], space.free[~mask[space.free]]
    has_room = mask.sum() < space.largest
    flips = np.array([], dtype=np.int64)
    if space.exactly is None:
        flips = space.free if has_room else inside
    if len(flips):
        yield mask, flips
    if has_room and space.exactly is None:
        return
    for leaving in inside if len(outside) else ():
        shorter = mask.copy()
        shorter[leaving] = False
        yield shorter, outside
