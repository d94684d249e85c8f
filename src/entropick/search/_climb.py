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
_PROMISING = 4_000  # ... those of the most promising columns are, ...
_FEWEST = 10  # ... at least of so many


def climb(space: Space, mask: Mask, score: float) -> Generator[Ask | Step, Any, tuple[Mask, float]]:
    """Change a subset as long as that improves it, and return it with its score.

    Neighbours differ in one column or, where the number of columns is fixed or at its limit, by an exchange of two. The
    best neighbour is taken, then the next best changes one by one, each if it still helps: on a wide table, scoring all
    neighbours once costs as much as a thousand subsets. In the end no single change helps. (If there are very many
    exchanges, only those of columns that are missed least for columns that add most are tried; by the score of a model,
    which changes little then, few of them, once.)
    """
    leaving, entering = yield from _find_exchanged(space, mask)
    is_fresh = True
    while True:
        better = yield from _best_change(space, mask, score, leaving, entering)
        if better is None and (is_fresh or space.is_smooth):
            return mask, score
        mask, score = (mask, score) if better is None else better
        is_fresh = better is None or not _are_many(space, mask)
        if is_fresh:
            leaving, entering = yield from _find_exchanged(space, mask)
        else:
            leaving, entering = leaving[mask[leaving]], entering[~mask[entering]]


def _best_change(
    space: Space, mask: Mask, score: float, leaving: NDArray[np.int64], entering: NDArray[np.int64]
) -> Generator[Ask | Step, Any, tuple[Mask, float] | None]:
    """A better subset and its score: the best neighbour and further changes that help; None if there is none."""
    for start, columns in _neighbours(space, mask, leaving, entering):
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


def _neighbours(
    space: Space, mask: Mask, leaving: NDArray[np.int64], entering: NDArray[np.int64]
) -> Iterator[tuple[Mask, NDArray[np.int64]]]:
    """Subsets and columns: a neighbour is the subset with one of the columns flipped. Exchanges come last."""
    inside, has_room = space.free[mask[space.free]], mask.sum() < space.largest
    if space.exactly is None and (has_room or len(inside)):
        yield mask, space.free if has_room else inside
    for column in leaving if len(entering) else ():
        shorter = mask.copy()
        shorter[column] = False
        yield shorter, entering


def _find_exchanged(
    space: Space, mask: Mask
) -> Generator[Ask | Step, Any, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The columns that may leave for another, and those that may replace them: all, unless that is too many or none."""
    inside, outside = space.free[mask[space.free]], space.free[~mask[space.free]]
    if space.exactly is None and mask.sum() < space.largest:
        return inside, outside[:0]
    if not _are_many(space, mask):
        return inside, outside
    if not space.is_smooth:
        return inside, (yield from _best_of(mask, outside, max(_FEWEST, _PROMISING // len(inside))))
    return (yield from _best_of(mask, inside, _FEWEST)), (yield from _best_of(mask, outside, _FEWEST))


def _best_of(mask: Mask, columns: NDArray[np.int64], most: int) -> Generator[Ask | Step, Any, NDArray[np.int64]]:
    """The columns whose flips are best."""
    scores = yield from score_flips(mask, columns)
    return np.sort(columns[np.argsort(-scores, kind="stable")[:most]])


def _are_many(space: Space, mask: Mask) -> bool:
    n_inside = int(mask[space.free].sum())
    return n_inside * (len(space.free) - n_inside) > _EXCHANGES
