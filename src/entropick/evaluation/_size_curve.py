"""Information against the number of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick.criteria import Criterion
from entropick.scorer import SubsetScorer

_MASKS = 1 << 24  # bytes of masks held at once


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
    m = scorer.table.n_columns
    selected = _check_columns(columns, m)
    budget = _Budget(max_evaluations)
    order = selected.tolist()
    if not keep_order:
        order, left = _grow(scorer, [], sorted(order), len(order), budget)
        order += left
    others = np.setdiff1d(np.arange(m), selected).tolist()
    order, _ = _grow(scorer, order, others, min(further, len(others)), budget)
    nested = np.tri(len(order) + 1, len(order), -1, dtype=np.bool_)
    masks = np.zeros((len(order) + 1, m), dtype=np.bool_)
    masks[:, order] = nested
    return {
        "size": np.arange(len(order) + 1),
        "column": np.array([-1, *order], dtype=np.int64),
        "score": scorer(masks),
        "information": SubsetScorer(scorer.table, None, "plugin", scorer.engine, scorer.n_jobs)(masks),
        "corrected": SubsetScorer(scorer.table, None, "reliable", scorer.engine, scorer.n_jobs)(masks),
    }


def _check_columns(columns: ArrayLike, m: int) -> NDArray[np.int64]:
    chosen = np.asarray(columns)
    if chosen.dtype == np.bool_ and chosen.shape == (m,):
        return np.flatnonzero(chosen)
    numbers = chosen.reshape(-1) if chosen.dtype.kind in "iu" else np.full(chosen.size, -1)
    if len(np.unique(numbers)) < len(numbers) or ((numbers < 0) | (numbers >= m)).any():
        raise ValueError(f"columns must be different numbers from 0 to {m - 1}, or a mask of {m}; got {columns!r}.")
    return numbers.astype(np.int64)


class _Budget:
    def __init__(self, left: int | None) -> None:
        self.left = float("inf") if left is None else left

    def spend(self, n: int) -> bool:
        """Whether there is enough for n more, which are then gone."""
        if n > self.left:
            return False
        self.left -= n
        return True


def _grow(
    scorer: SubsetScorer, order: list[int], left: list[int], steps: int, budget: _Budget
) -> tuple[list[int], list[int]]:
    """``order`` and those of ``left`` that add most, one after the other, and those that are left then.

    Of equal ones the lowest number comes first. If the budget ends it, what is left is in the order of the last scores.
    """
    mask = np.zeros(scorer.table.n_columns, dtype=np.bool_)
    mask[order] = True
    order, left = list(order), list(left)
    for _ in range(steps):
        if not budget.spend(len(left)):
            break
        scores = np.concatenate([_with_each(scorer, mask, some) for some in _parts(left, len(mask))])
        best, *left = [left[i] for i in np.lexsort((np.array(left), -scores))]
        order.append(best)
        mask[best] = True
    return order, left


def _parts(columns: list[int], m: int) -> list[NDArray[np.int64]]:
    """The columns in parts whose masks are small enough to be held at once."""
    return np.array_split(np.array(columns, dtype=np.int64), 1 + len(columns) * m // _MASKS)


def _with_each(scorer: SubsetScorer, mask: NDArray[np.bool_], columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores of a subset together with each of some columns."""
    masks = np.repeat(mask[None], len(columns), axis=0)
    masks[np.arange(len(columns)), columns] = True
    return scorer(masks)
