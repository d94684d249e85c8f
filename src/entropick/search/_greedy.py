"""The moves that greedy searches are made of."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, flip_each, in_parts
from entropick.search._run import Ask, Scores, Step
from entropick.search._space import Space, pick_best_flip

_MANY = 10  # subsets near to one: fewer are scored one by one


def score_flips(
    mask: Mask, columns: NDArray[np.int64], ceiling: float | None = None
) -> Generator[Ask | Step, Any, Scores]:
    """Scores of the subsets that differ from a mask in one of the given columns, asked for in parts."""
    scores = [np.empty(0)]
    near = mask if len(columns) >= _MANY else None
    for part in in_parts(columns, len(mask)):
        scores.append((yield Ask(flip_each(mask, part), ceiling=ceiling, near=near)))
    return np.concatenate(scores)


def best_flip(mask: Mask, columns: NDArray[np.int64]) -> Generator[Ask | Step, Any, tuple[Mask, float]]:
    """The best of the subsets that differ from a mask in one of the given columns, and its score."""
    scores = yield from score_flips(mask, columns)
    i = pick_best_flip(mask, columns, scores)
    return flip_each(mask, columns[i : i + 1])[0], float(scores[i])


def add_greedily(
    space: Space, start: Mask | None = None, promising: int | None = None
) -> Generator[Ask | Step, Any, tuple[Mask, float, dict[str, Any]]]:
    """The subset reached by adding the best column each time, its score, and why that ended.

    It begins with ``start``, or else the smallest subset. From the third addition on only the ``promising`` columns
    that were best at the second are tried, if that is not None; when they are used up, those that are best then.
    """
    mask = space.base if start is None else start
    score = float((yield Ask(mask[None]))[0])
    columns, n_of_all = space.free, int(mask.sum()) + 2
    while mask.sum() < space.largest:
        columns = columns[~mask[columns]]
        if not len(columns):
            columns, n_of_all = space.free[~mask[space.free]], int(mask.sum()) + 1
        scores = yield from score_flips(mask, columns)
        i = pick_best_flip(mask, columns, scores)
        if space.exactly is None and scores[i] <= score:
            return mask, score, {"no_gain": float(scores[i]) - score}
        mask, score = flip_each(mask, columns[i : i + 1])[0], float(scores[i])
        yield Step(threshold=score, samples=len(columns), elite=1)
        if promising is not None and mask.sum() == n_of_all:
            columns = np.sort(columns[np.argsort(-scores, kind="stable")[:promising]])
    return mask, score, {"size": int(mask.sum())}
