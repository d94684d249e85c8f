"""Information against the number of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick.criteria import Criterion
from entropick.scorer import SubsetScorer


def size_curve(
    X: Any,
    y: Any = None,
    columns: ArrayLike = (),
    criterion: str | Criterion = "reliable",
    *,
    keep_order: bool = False,
    further: int = 10,
    max_evaluations: int | None = None,
    **scoring: Any,
) -> dict[str, NDArray[Any]]:
    """What the first 0, 1, 2, ... columns of a selection are worth, and what further ones would add.

    The selected columns come in the order of what each adds to those before it; beyond them, the columns follow that
    would add most.

    Parameters
    ----------
    X, y : table and target, or a CodeTable and None
        As of `SubsetScorer`.
    columns : sequence of int
        The selection.
    criterion : str or criterion
        By which the order is found.
    keep_order : bool
        Take the selection in the order given.
    further : int
        How many columns beyond it.
    max_evaluations : int, optional
        Stop going further when so many subsets have been scored for it.
    **scoring
        ``engine``, ``n_jobs``, ``n_bins``, ``binning``, ``target`` of `SubsetScorer`.

    Returns
    -------
    dict of arrays, an entry for each size from 0
        ``size``, ``column`` (the one that comes in, −1 for none), ``score`` (the criterion), ``information`` (I(U;y) as
        counted) and ``corrected`` (less what chance would show), all in bits.

    Examples
    --------
    >>> X, y = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], [0, 1, 1, 0]
    >>> curve = size_curve(X, y, [0, 1], "plugin")
    >>> curve["column"], curve["information"]
    (array([-1,  0,  1,  2]), array([0., 0., 1., 1.]))
    """
    scorer = SubsetScorer(X, y, criterion, **scoring)
    selected = np.asarray(columns, dtype=np.int64).reshape(-1)
    order = selected.tolist() if keep_order else _grow(scorer, [], selected, len(selected))
    others = np.setdiff1d(np.arange(scorer.table.n_columns), selected)
    order = _grow(scorer, order, others, min(further, len(others)), max_evaluations)
    nested = np.tri(len(order) + 1, len(order), -1, dtype=np.bool_)
    masks = np.zeros((len(order) + 1, scorer.table.n_columns), dtype=np.bool_)
    masks[:, order] = nested
    return {
        "size": np.arange(len(order) + 1),
        "column": np.array([-1, *order], dtype=np.int64),
        "score": scorer(masks),
        "information": SubsetScorer(scorer.table, None, "plugin", scorer.engine, scorer.n_jobs)(masks),
        "corrected": SubsetScorer(scorer.table, None, "reliable", scorer.engine, scorer.n_jobs)(masks),
    }


def _grow(
    scorer: SubsetScorer, order: list[int], candidates: NDArray[np.int64], steps: int, budget: int | None = None
) -> list[int]:
    """``order`` and the candidates that add most, one after the other; of equal ones the lowest number."""
    mask = np.zeros(scorer.table.n_columns, dtype=np.bool_)
    mask[order] = True
    order, left, used = list(order), sorted(candidates.tolist()), 0
    for _ in range(steps):
        if budget is not None and used + len(left) > budget:
            break
        masks = np.repeat(mask[None], len(left), axis=0)
        masks[np.arange(len(left)), left] = True
        used += len(left)
        best = left.pop(int(np.argmax(scorer(masks))))
        order.append(best)
        mask[best] = True
    return order
