"""Information against the number of columns."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick._defaults import CRITERION, ENGINE, N_JOBS
from entropick._masks import in_parts, nested, with_each
from entropick.criteria import CriterionLike, plugin, reliable
from entropick.scorer import Scorers, SubsetScorer, as_table


def size_curve(
    X: Any,
    y: Any = None,
    columns: ArrayLike = (),
    criterion: CriterionLike = CRITERION,
    *,
    keep_order: bool = False,
    further: int = 10,
    max_evaluations: int | None = None,
    engine: str = ENGINE,
    n_jobs: int = N_JOBS,
    **encoding: Any,
) -> dict[str, NDArray[Any]]:
    """What the first 0, 1, 2, ... columns of a selection are worth, and what further ones would add.

    The selected columns come in the order of what each adds to those before it; beyond them, the columns follow that
    would add most.

    Parameters
    ----------
    X, y : table and target, or a CodeTable and None
        As of `SubsetScorer`.
    columns : sequence of int, or mask of shape (n_columns,)
        The selection, such as ``selector.get_support()``.
    criterion : str or criterion
        By which the order is found.
    keep_order : bool
        Take the selection in the order given.
    further : int
        How many columns beyond it.
    max_evaluations : int, optional
        About how many subsets may be scored: then the rest of the selection comes in the order of what each would have
        added last, and nothing beyond it.
    engine, n_jobs
        As of `SubsetScorer`.
    **encoding
        ``n_bins``, ``binning``, ``target`` of `SubsetScorer`.

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
    table = as_table(X, y, **encoding)
    selected = _check_columns(columns, table.n_columns)
    with Scorers(table, engine, n_jobs) as scorers:
        return curve_of(scorers, selected, criterion, keep_order, further, max_evaluations)._asdict()


class SizeCurve(NamedTuple):
    """The arrays of `size_curve`."""

    size: NDArray[np.int64]
    column: NDArray[np.int64]
    score: NDArray[np.float64]
    information: NDArray[np.float64]
    corrected: NDArray[np.float64]


def curve_of(
    scorers: Scorers,
    columns: NDArray[np.int64],
    criterion: CriterionLike,
    keep_order: bool = False,
    further: int = 10,
    max_evaluations: int | None = None,
) -> SizeCurve:
    """The size curve of a selection, its scorers being there."""
    scorer, m = scorers[criterion], scorers.table.n_columns
    budget = inf if max_evaluations is None else max_evaluations
    order: list[int] = columns.tolist()
    left: list[int] = []
    if not keep_order:
        order, left, budget = _grow(scorer, [], sorted(order), len(order), budget)
    others = np.setdiff1d(np.arange(m), columns).tolist()
    order, _, _ = _grow(scorer, order + left, others, min(further, len(others)), budget)
    masks = nested(order, m)
    return SizeCurve(
        np.arange(len(order) + 1),
        np.array([-1, *order], dtype=np.int64),
        scorer(masks),
        scorers[plugin](masks),
        scorers[reliable](masks),
    )


def _check_columns(columns: ArrayLike, m: int) -> NDArray[np.int64]:
    chosen = np.asarray(columns)
    if chosen.dtype == np.bool_ and chosen.shape == (m,):
        return np.flatnonzero(chosen)
    numbers = chosen.reshape(-1) if chosen.dtype.kind in "iu" else np.full(chosen.size, -1)
    if len(np.unique(numbers)) < len(numbers) or ((numbers < 0) | (numbers >= m)).any():
        raise ValueError(f"columns must be different numbers from 0 to {m - 1}, or a mask of {m}; got {columns!r}.")
    return numbers.astype(np.int64)


def _grow(
    scorer: SubsetScorer, order: list[int], left: list[int], steps: int, budget: float
) -> tuple[list[int], list[int], float]:
    """``order`` and those of ``left`` that add most, one after the other; what is left then; and evaluations left.

    Of equal ones the lowest number comes first. If the budget ends it, what is left is in the order of the last scores.
    """
    mask = np.zeros(scorer.table.n_columns, dtype=np.bool_)
    mask[order] = True
    order, left = list(order), list(left)
    for _ in range(steps):
        if len(left) > budget:
            break
        budget -= len(left)
        scores = np.concatenate([scorer(with_each(mask, part)) for part in in_parts(np.array(left), len(mask))])
        best, *left = [left[i] for i in np.lexsort((np.array(left), -scores))]
        order.append(best)
        mask[best] = True
    return order, left, budget
