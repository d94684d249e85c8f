"""How much selections from different samples of one population agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def stability(masks: ArrayLike) -> tuple[float, float]:
    """Agreement of selections: 1 if all are the same, about 0 if they agree no more than random ones.

    Φ = 1 − (Σ_j s_j² / m) / (k̄/m · (1 − k̄/m)), where s_j² is the unbiased variance of whether column j is selected, m
    the number of columns and k̄ the mean number selected (S. Nogueira, K. Sechidis, G. Brown, On the stability of
    feature selection algorithms, JMLR 2018).

    Parameters
    ----------
    masks : array-like of bool, shape (n_selections, n_columns)
        One selection per row, at least two.

    Returns
    -------
    value, standard error
        The error is a jackknife estimate over the selections, NaN for fewer than three. Both are NaN if all selections
        are empty or all have every column, because then there is nothing to agree on.

    Examples
    --------
    >>> stability([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]])
    (1.0, 0.0)
    """
    chosen = np.asarray(masks, dtype=np.float64)
    if chosen.ndim != 2 or len(chosen) < 2:
        raise ValueError(f"stability needs at least two selections, one mask per row; got shape {chosen.shape}.")
    if not np.isin(chosen, (0, 1)).all():
        raise ValueError("masks must hold True and False, or 1 and 0; got other values: use masks, not indices.")
    n = len(chosen)
    value = _phi(chosen)
    if n < 3:
        return value, float("nan")
    without = np.array([_phi(np.delete(chosen, i, axis=0)) for i in range(n)])
    return value, float(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum()))


def _phi(chosen: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    share = chosen.mean()  # k̄/m
    if share in (0.0, 1.0):
        return float("nan")
    return float(1 - chosen.var(axis=0, ddof=1).mean() / (share * (1 - share))) + 0.0
