"""A fixed sample of the rows of a large table."""

from __future__ import annotations

import numpy as np

from entropick.criteria._tables import Ints


def sample_rows(classes: Ints, most: int) -> Ints:
    """All rows if they are at most so many, else so many of them in order, every class by its share.

    The same table always gives the same rows.

    Examples
    --------
    >>> classes = np.repeat([0, 1], [30, 10])
    >>> rows = sample_rows(classes, 8)
    >>> np.bincount(classes[rows])
    array([6, 2])
    """
    n = len(classes)
    if n <= most:
        return np.arange(n)
    shuffled = np.random.default_rng(0).permutation(n)  # rows that repeat every so often must not fall into step
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    return np.sort(by_class[(2 * np.arange(most) + 1) * n // (2 * most)])
