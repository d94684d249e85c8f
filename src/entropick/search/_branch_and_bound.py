"""The best subset with a proof, without looking at all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropick.search._climb import climb
from entropick.search._greedy import add_greedily
from entropick.search._run import Ask, Search, Step, Steps, Stop
from entropick.search._space import Mask, Space, flip_each, is_better, pick_best


class _Node(NamedTuple):
    """A subset, the columns that may still join it, and a bound of every subset that they can make."""

    mask: Mask
    columns: NDArray[np.int64]
    bound: float


@dataclass
class BranchAndBound(Search):
    """Exact search: a branch is cut when its bound shows that nothing in it beats the best subset so far.

    A greedy start gives the first best subset. A node's children add one of its open columns each; a column whose child
    is cut leaves the sisters too, since every subset with it has been ruled out. Stopped early, the run has the best
    subset so far and a proven gap: no subset is better by more than ``stop["gap"]``. The threshold of a step is the
    score that no subset exceeds.

    It needs a criterion with a bound: 'plugin' or 'reliable'.

    References
    ----------
    P. M. Narendra, K. Fukunaga, A branch and bound algorithm for feature subset selection, 1977.
    G. I. Webb, OPUS: an efficient admissible algorithm for unordered search, 1995.
    """

    def steps(self, space: Space, rng: np.random.Generator) -> Steps:
        """The greedy start, then the tree, depth first."""
        everything = np.ones((1, space.n_columns), dtype=np.bool_)
        (bound,) = yield Ask(space.base[None], everything)
        yield Ask(space.base[None], ceiling=float(bound))
        best, best_score, _ = yield from add_greedily(space)
        best, best_score = yield from climb(space, best, best_score)
        todo = [_Node(space.base, space.free, float(bound))]
        n_nodes = 0
        while todo:
            node = todo.pop()
            size = int(node.mask.sum()) + 1  # of its children
            if _hopeless(np.array([node.bound]), size, best_score, best)[0]:
                continue
            n_nodes += 1
            ceiling = max(best_score, node.bound, *(other.bound for other in todo))
            children = flip_each(node.mask, node.columns)
            allowed = children[space.allows(children)]
            if len(allowed):
                scores = yield Ask(allowed, ceiling=ceiling)
                i = pick_best(allowed, scores)
                if is_better(float(scores[i]), allowed[i], best_score, best):
                    best, best_score = allowed[i], float(scores[i])
            if size < space.largest:
                reach = np.repeat(_reach(node.mask, node.columns)[None], len(children), axis=0)
                bounds = yield Ask(children, reach, ceiling)
                keep = ~_hopeless(bounds, size + 1, best_score, best)
                # The least promising child has all the others below it, where they are likely to be cut with it.
                order = np.flatnonzero(keep)[np.argsort(bounds[keep], kind="stable")]
                columns = node.columns[order]
                # Children that can still grow, and far enough.
                nodes = [
                    (children[i], columns[k + 1 :])
                    for k, i in enumerate(order)
                    if k + 1 < len(columns) and size + len(columns) - k - 1 >= (space.exactly or 0)
                ]
                if nodes:
                    masks = np.array([mask for mask, _ in nodes])
                    bounds = yield Ask(masks, np.array([_reach(mask, rest) for mask, rest in nodes]), ceiling)
                    todo += [_Node(mask, rest, float(b)) for (mask, rest), b in zip(nodes, bounds, strict=True)]
            yield Step(threshold=ceiling, samples=len(allowed))
        return Stop({"exhausted": n_nodes, "gap": 0.0})


def _reach(mask: Mask, columns: NDArray[np.int64]) -> Mask:
    """The mask with all of the columns."""
    reach = mask.copy()
    reach[columns] = True
    return reach


def _hopeless(bounds: NDArray[np.float64], size: int, best_score: float, best: Mask) -> Mask:
    """Where no subset of at least ``size`` columns can be better than the best one."""
    tie_is_enough = size <= best.sum()
    return bounds < best_score if tie_is_enough else bounds <= best_score
