"""A polish for any search: small changes to a subset until none improves it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, flip_each
from entropick.search._greedy import score_flips
from entropick.search._run import Ask, Step
from entropick.search._space import Space, is_better, pick_best_flip

_AFTERWARDS = 100  # further changes tried after scoring all neighbours once
_EXCHANGES = 20_000  # up to this many are all tried; of more ...
_PROMISING = 4_000  # ... those with the most promising columns are


def climb(space: Space, mask: Mask, score: float) -> Generator[Ask | Step, Any, tuple[Mask, float]]:
    """Change a subset as long as that improves it, and return it with its score.

    Neighbours differ in one column or, where the number of columns is fixed or at its limit, by an exchange of two. The
    best neighbour is taken, then the next best changes one by one, each if it still helps: on a wide table, scoring all
    neighbours once costs as much as a thousand subsets. In the end no single change helps. (If there are very many
    exchanges, only those with the columns that would add most to the subset are tried.)
    """
    entering = yield from _find_entering(space, mask)
    is_fresh = True
    while True:
        better = yield from _best_change(space, mask, score, entering)
        if better is None and is_fresh:
            return mask, score
        mask, score = (mask, score) if better is None else better
        is_fresh = better is None or not _are_many(space, mask)
        entering = (yield from _find_entering(space, mask)) if is_fresh else entering[~mask[entering]]


def _best_change(
    space: Space, mask: Mask, score: float, entering: NDArray[np.int64]
) -> Generator[Ask | Step, Any, tuple[Mask, float] | None]:
    """A better subset and its score: the best neighbour and further changes that help; None if there is none."""
    for start, columns in _neighbours(space, mask, entering):
        scores = yield from score_flips(start, columns)
        i = pick_best_flip(start, columns, scores)
        neighbour = flip_each(start, columns[i : i + 1])[0]
        if not is_better(float(scores[i]), neighbour, score, mask):
            continue
        helping = np.flatnonzero(scores > score)
        helping = helping[np.argsort(-scores[helping], kind="stable")]
        changes = flip_each(mask ^ start, columns[helping[helping != i][:_AFTERWARDS]])
        mask, score = neighbour, float(scores[i])
        for change in changes:
            changed = (mask ^ change)[None]
            if not space.allows(changed)[0]:
                continue
            (changed_score,) = yield Ask(changed)
            if is_better(float(changed_score), changed[0], score, mask):
                mask, score = changed[0], float(changed_score)
        return mask, score
    return None


def _neighbours(space: Space, mask: Mask, entering: NDArray[np.int64]) -> Iterator[tuple[Mask, NDArray[np.int64]]]:
    """Subsets and columns: a neighbour is the subset with one of the columns flipped. Exchanges come last."""
    inside, has_room = space.free[mask[space.free]], mask.sum() < space.largest
    if space.exactly is None and (has_room or len(inside)):
        yield mask, space.free if has_room else inside
    for leaving in inside if len(entering) else ():
        shorter = mask.copy()
        shorter[leaving] = False
        yield shorter, entering


def _find_entering(space: Space, mask: Mask) -> Generator[Ask | Step, Any, NDArray[np.int64]]:
    """The columns that may replace another: all outside the subset, unless exchanges are too many or none."""
    outside = space.free[~mask[space.free]]
    if space.exactly is None and mask.sum() < space.largest:
        return outside[:0]
    if not _are_many(space, mask):
        return outside
    scores = yield from score_flips(mask, outside)
    n_inside = len(space.free) - len(outside)
    return np.sort(outside[np.argsort(-scores, kind="stable")[: max(10, _PROMISING // n_inside)]])


def _are_many(space: Space, mask: Mask) -> bool:
    n_inside = int(mask[space.free].sum())
    return n_inside * (len(space.free) - n_inside) > _EXCHANGES
