"""Information against the number of columns."""

from __future__ import annotations

from collections.abc import Sequence
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
    """Score the first 0, 1, 2, ... columns of a selection, and further columns beyond it.

    Each next column is the one of the selection that adds most to those before it; once all are in, the one of the
    other columns that adds most.

    Parameters
    ----------
    X, y : table and target, or a CodeTable and None
        As in `SubsetScorer`.
    columns : sequence of int, or mask of shape (n_columns,)
        The selection, such as ``selector.get_support()``.
    criterion : str or criterion
        What decides the order.
    keep_order : bool
        Whether to keep the selection in the order given.
    further : int
        How many columns to add beyond the selection.
    max_evaluations : int, optional
        About how many subsets may be scored. Beyond that, the rest of the selection follows in the order of the last
        scores, and no further columns are added.
    engine, n_jobs
        As in `SubsetScorer`.
    **encoding
        ``n_bins``, ``binning`` and ``target``, as in `SubsetScorer`.

    Returns
    -------
    dict of arrays, one entry per size, from 0
        ``size``, ``column`` (the one added, −1 at size 0), ``score`` (by the criterion), ``information`` (plug-in
        estimate of I(U;y)) and ``corrected`` (I(U;y) corrected for chance), all in bits.

    Examples
    --------
    >>> X, y = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], [0, 1, 1, 0]
    >>> curve = size_curve(X, y, [0, 1], "plugin")
    >>> curve["column"], curve["information"]
    (array([-1,  0,  1,  2]), array([0., 0., 1., 1.]))
    """
    table = as_table(X, y, **encoding)
    selected = _check_columns(columns, table.n_columns)
    with Scorers(table, engine, n_jobs, keep=selected) as scorers:
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
    never: Sequence[int] | NDArray[np.int64] = (),
) -> SizeCurve:
    """The size curve of a selection, with existing scorers.

    Columns in ``never``, and those that the criterion's model cannot hold, are not among the further ones. The scores
    are those of a search: a model compares subsets on a sample of the rows of a large table.
    """
    scorer, m = scorers[criterion], scorers.table.n_columns
    budget = inf if max_evaluations is None else max_evaluations
    order: list[int] = columns.tolist()
    left: list[int] = []
    if not keep_order:
        order, left, budget = _grow(scorer, [], sorted(order), len(order), budget)
    others = np.setdiff1d(scorer.columns, [*columns, *never]).tolist()
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
    """Append to ``order`` the columns of ``left`` that add most, one after another.

    Returns the order, the columns left, and the evaluations left. Ties go to the lowest column number. If the budget
    runs out, the columns left are in the order of the last scores.
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
