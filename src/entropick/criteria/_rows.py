"""A fixed sample of the rows of a large table."""

from __future__ import annotations

import numpy as np

from entropick.criteria._tables import Ints

_LARGEST = 1 << 21  # rows × classes of a sample
_MANY = 1 << 21  # rows; of more, a sample is made from a larger one


def loss_rows(classes: Ints, n_classes: int) -> Ints:
    """The rows whose losses count while subsets are compared: all, or a sample of 1000 to 2000.

    There are more of them for few classes, and fewer where rows × classes would not fit into memory.
    """
    return sample_rows(classes, min(max(1000, min(2000, 8000 // n_classes)), max(1, _LARGEST // n_classes)))


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
    if n > _MANY:  # shuffling them all would take much memory
        some = np.sort(np.random.default_rng(0).choice(n, min(_MANY, 64 * most), replace=False))
        return np.asarray(some[sample_rows(classes[some], most)])
    shuffled = np.random.default_rng(0).permutation(n)  # rows that repeat every so often must not fall into step
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    return np.sort(by_class[(2 * np.arange(most) + 1) * n // (2 * most)])
