"""How much selections from different samples of one population agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

_WIDTH = 1.96  # standard errors: 95 % of a normal variable is no farther from its mean
_NO_ERROR = 1e-9  # an error as small as that of rounding


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


def stability_interval(masks: ArrayLike) -> tuple[float, float, float]:
    """Agreement of selections, and the ends of its 95 % interval: 1.96 standard errors to either side.

    No value is above 1, and none of n selections below −1/(n − 1), so neither are the ends. They are NaN if the error
    is not known, because there are only two selections or too few that are not empty; and if it is estimated as 0,
    which only says that leaving out any one of so few selections makes no difference.

    Parameters
    ----------
    masks : array-like of bool, shape (n_selections, n_columns)
        One selection per row, at least two.

    Returns
    -------
    value, low, high

    Examples
    --------
    >>> stability_interval([[1, 1, 0, 0], [1, 1, 0, 0]])
    (1.0, nan, nan)
    """
    value, error = stability(masks)
    if not error > _NO_ERROR:
        return value, float("nan"), float("nan")
    lowest = -1 / (len(np.asarray(masks)) - 1)
    return value, max(lowest, value - _WIDTH * error), min(1.0, value + _WIDTH * error)


def _phi(chosen: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    share = chosen.mean()  # k̄/m
    if share in (0.0, 1.0):
        return float("nan")
    return float(1 - chosen.var(axis=0, ddof=1).mean() / (share * (1 - share))) + 0.0
