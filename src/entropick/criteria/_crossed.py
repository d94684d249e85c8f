"""Sums over rows of products of indicators of levels, and of these with numbers: counted, not multiplied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from entropick import _kernels
from entropick.criteria._tables import Floats

_BITS = 1 << 28  # of levels × rows that are held at once
_CELLS = 1 << 22  # of numbers × rows


def row_parts(n_rows: int, n_levels: int, n_values: int = 0) -> Iterator[slice]:
    """All rows in parts whose levels and numbers fit into bounded memory."""
    step = max(64, min(_BITS // max(1, n_levels), _CELLS // max(1, n_values)) // 64 * 64)
    return (slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step))


def count_pairs(
    columns: Sequence[NDArray[np.uint8]], n_levels: Sequence[int], first: int = 0, n_threads: int = 1
) -> Floats:
    """How many rows have any two levels, as the products of their indicators.

    Parameters
    ----------
    columns : sequence of arrays
        The codes of some columns.
    n_levels : sequence of int
        How many levels each has; codes are below.
    first : int
        Only levels of the columns from this on are taken, together with those of all.
    n_threads : int
        How many threads.

    Returns
    -------
    ndarray of shape (levels of the columns from ``first`` on, levels)

    Examples
    --------
    >>> count_pairs([np.array([0, 0, 1], dtype=np.uint8), np.array([0, 1, 1], dtype=np.uint8)], [2, 2])
    array([[2., 0., 1., 1.],
           [0., 1., 0., 1.],
           [1., 0., 1., 0.],
           [1., 1., 0., 2.]])
    """
    starts = starts_of(n_levels)
    counts = np.zeros((starts[-1] - starts[first], starts[-1]))
    for rows in row_parts(len(columns[0]) if columns else 0, starts[-1]):
        _kernels.count_pairs(np.stack([column[rows] for column in columns]), starts, first, counts, n_threads)
    return counts


def sum_by_level(
    columns: Sequence[NDArray[np.uint8]], n_levels: Sequence[int], values: Floats, n_threads: int = 1
) -> Floats:
    """The sums of numbers, shape (n_rows, n_values), over the rows of each level, shape (levels, n_values).

    Examples
    --------
    >>> sum_by_level([np.array([0, 1, 1], dtype=np.uint8)], [2], np.array([[1.0], [2.0], [3.0]]))
    array([[1.],
           [5.]])
    """
    starts = starts_of(n_levels)
    sums = np.zeros((starts[-1], values.shape[1]))
    if columns:
        _kernels.sum_by_level(np.stack(columns), starts, np.ascontiguousarray(values), sums, n_threads)
    return sums


def starts_of(n_levels: Sequence[int]) -> list[int]:
    """The place of the first level of each column among all levels, and their number."""
    return [0, *np.cumsum(n_levels).tolist()]
