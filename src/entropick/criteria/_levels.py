"""Fewer levels for models that count them in pairs or give each a feature of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from entropick.criteria._tables import Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable

MOST_ORDERED = 8  # groups of neighbouring numbers


def fewer_levels(
    codes: NDArray[np.integer], n_levels: int, most: int, n_ordered: int = 0
) -> tuple[NDArray[np.uint8], int]:
    """The codes of a column, put together where there are many, and their number.

    Numbers become at most eight groups of neighbours with about the same number of rows each; of other levels, the
    commonest stay and the rest is one.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        The codes, below ``n_levels``.
    most : int
        The largest number of levels; at most 256.
    n_ordered : int
        How many of the first codes are in the order of numbers; those after them are left as they are.

    Examples
    --------
    >>> fewer_levels(np.array([3, 3, 1, 1, 1, 0, 2]), 4, 3)
    (array([1, 1, 0, 0, 0, 2, 2], dtype=uint8), 3)
    >>> fewer_levels(np.array([0, 9, 4, 10]), 11, 32, 10)[0]
    array([1, 6, 4, 8], dtype=uint8)
    """
    counts = np.bincount(codes, minlength=n_levels)
    if n_ordered > MOST_ORDERED:
        new = _neighbours(counts, n_ordered)
    elif n_levels > most:
        new = _commonest(counts, most)
    else:
        return codes.astype(np.uint8, copy=False), n_levels
    return new[codes].astype(np.uint8), int(new.max()) + 1


def table_levels(table: CodeTable, most: int) -> tuple[tuple[NDArray[np.uint8], ...], Ints]:
    """The codes of all columns, put together where there are many, and the numbers of their levels."""
    ordered = np.zeros(table.n_columns, dtype=np.int64) if table.ordered is None else table.ordered
    found = [
        fewer_levels(codes, int(n_levels), most, int(n_ordered))
        for codes, n_levels, n_ordered in zip(table.columns, table.levels, ordered, strict=True)
    ]
    return tuple(codes for codes, _ in found), np.array([n for _, n in found], dtype=np.int64)


def count_levels(table: CodeTable, most: int) -> Ints:
    """How many levels the columns have at most after that."""
    ordered = np.zeros(table.n_columns, dtype=np.int64) if table.ordered is None else table.ordered
    grouped = MOST_ORDERED + table.levels - ordered
    return np.where(ordered > MOST_ORDERED, grouped, np.minimum(table.levels, most))


def _neighbours(counts: Ints, n_ordered: int) -> Ints:
    """The group of each of the ordered codes, by the rows below its middle, and further groups for the other codes."""
    rows = counts[:n_ordered]
    middle = (np.cumsum(rows) - rows / 2) / max(1, rows.sum())
    groups = np.minimum((middle * MOST_ORDERED).astype(np.int64), MOST_ORDERED - 1)
    return np.concatenate([groups, MOST_ORDERED + np.arange(len(counts) - n_ordered)])


def _commonest(counts: Ints, most: int) -> Ints:
    """The rank of each code among the commonest, or that of the rest."""
    ranks = np.argsort(np.argsort(-counts, kind="stable"))
    return np.minimum(ranks, most - 1)
