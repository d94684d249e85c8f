"""The best subset with a proof, without scoring all of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropick._masks import Mask, flip_each, in_parts
from entropick.search._climb import climb
from entropick.search._greedy import add_greedily, score_flips
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Space, is_better, pick_best_flip


class _Node(NamedTuple):
    """A subset, the columns that may still be added, and a bound on every subset they can form."""

    chosen: tuple[int, ...]  # besides those in every subset
    columns: NDArray[np.int64]
    bound: float


@dataclass
class BranchAndBound(Search):
    """Exact search: a branch is cut when its bound shows that nothing in it beats the best subset so far.

    A greedy start gives the first best subset. Each child of a node adds one of its open columns; a column whose child
    is cut is dropped from the siblings too, since every subset with it has been ruled out. A run that is stopped early
    has the best subset so far and a proven gap: no subset is better by more than ``stop["gap"]``. The threshold of a
    step is a score that no subset exceeds.

    It needs a criterion with a bound: 'plugin' or 'reliable'.

    References
    ----------
    P. M. Narendra, K. Fukunaga, A branch and bound algorithm for feature subset selection, 1977.
    G. I. Webb, OPUS: an efficient admissible algorithm for unordered search, 1995.
    """

    threshold_label = "proven upper bound"

    proves: ClassVar[bool] = True

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """The greedy start, then the tree, depth first."""
        (bound,) = yield Ask(space.base[None], space.whole[None])
        yield Ask(space.base[None], ceiling=float(bound))
        best, best_score, _ = yield from add_greedily(space)
        best, best_score = yield from climb(space, best, best_score)
        todo = [_Node((), space.free, float(bound))] if len(space.free) else []
        n_nodes = 0
        while todo:
            node = todo.pop()
            size = int(space.base.sum()) + len(node.chosen) + 1  # of its children
            if _hopeless(np.array([node.bound]), size, best_score, best)[0]:
                continue
            n_nodes += 1
            ceiling = max(best_score, node.bound, *(other.bound for other in todo))
            mask = _with_all(space.base, node.chosen)
            n_scored = 0
            if size == space.exactly or (space.exactly is None and size <= space.largest):
                scores = yield from score_flips(mask, node.columns, ceiling)
                i, n_scored = pick_best_flip(mask, node.columns, scores), len(scores)
                child = flip_each(mask, node.columns[i : i + 1])[0]
                if is_better(float(scores[i]), child, best_score, best):
                    best, best_score = child, float(scores[i])
            if size < space.largest:
                reach = _with_all(mask, node.columns)
                bounds = yield from _bounds(mask, node.columns, [reach] * len(node.columns), ceiling)
                keep = ~_hopeless(bounds, size + 1, best_score, best)
                # The least promising child gets all the others below it, where they are likely to be cut with it.
                columns = node.columns[np.flatnonzero(keep)[np.argsort(bounds[keep], kind="stable")]]
                # Children that can still grow, and grow large enough.
                n_growing = max(0, len(columns) - max(1, (space.exactly or 0) - size))
                reaches = (_with_all(mask, columns[k:]) for k in range(n_growing))
                bounds = yield from _bounds(mask, columns[:n_growing], reaches, ceiling)
                todo += [
                    _Node((*node.chosen, int(columns[k])), columns[k + 1 :], float(bounds[k])) for k in range(n_growing)
                ]
            yield Step(threshold=ceiling, samples=n_scored)
        return Stop({"exhausted": n_nodes, "gap": 0.0})


def _bounds(
    mask: Mask, columns: NDArray[np.int64], reaches: Iterable[Mask], ceiling: float
) -> Generator[Ask | Step, Any, NDArray[np.float64]]:
    """Bounds for the mask plus each column, up to what that can reach, asked for in parts."""
    bounds, reach = [np.empty(0)], iter(reaches)
    for part in in_parts(columns, len(mask)):
        bounds.append((yield Ask(flip_each(mask, part), np.array(list(islice(reach, len(part)))), ceiling)))
    return np.concatenate(bounds)


def _with_all(mask: Mask, columns: Sequence[int] | NDArray[np.int64]) -> Mask:
    """The mask plus all of the columns."""
    reach = mask.copy()
    reach[np.asarray(columns, dtype=np.int64)] = True
    return reach


def _hopeless(bounds: NDArray[np.float64], size: int, best_score: float, best: Mask) -> Mask:
    """Where no subset of at least ``size`` columns can beat the best one."""
    tie_is_enough = size <= best.sum()
    return bounds < best_score if tie_is_enough else bounds <= best_score
