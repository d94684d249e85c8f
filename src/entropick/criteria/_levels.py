"""Fewer levels for models that count them in pairs or give each a feature of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from entropick.criteria._tables import Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable

MOST_ORDERED = 8  # groups of neighbouring numbers


def level_map(counts: Ints, most: int, n_ordered: int = 0) -> NDArray[np.uint8]:
    """What becomes of each code of a column: where there are many, some are put together.

    Numbers become at most eight groups of neighbours with about the same number of rows each; of other levels, the
    commonest stay and the rest is one.

    Parameters
    ----------
    counts : ndarray of int
        How many rows have each code.
    most : int
        The largest number of levels; at most 256.
    n_ordered : int
        How many of the first codes are in the order of numbers; those after them are left as they are.

    Examples
    --------
    >>> level_map(np.array([1, 3, 1, 2]), 3)
    array([2, 0, 2, 1], dtype=uint8)
    >>> level_map(np.array([1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]), 32, 10)[[0, 4, 9, 10]]
    array([1, 4, 6, 8], dtype=uint8)
    """
    if n_ordered > MOST_ORDERED:
        return _neighbours(counts, n_ordered).astype(np.uint8)
    new = _commonest(counts, most) if len(counts) > most else np.arange(len(counts))
    return new.astype(np.uint8)


def level_maps(table: CodeTable, most: int) -> tuple[NDArray[np.uint8], ...]:
    """What becomes of the codes of all columns."""
    ordered = np.zeros(table.n_columns, dtype=np.int64) if table.ordered is None else table.ordered
    return tuple(level_map(counts, most, int(n)) for counts, n in zip(table.counts, ordered, strict=True))


def mapped(codes: NDArray[np.integer], new: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The codes after that."""
    is_same = len(new) <= 256 and np.array_equal(new, np.arange(len(new)))
    return codes.astype(np.uint8, copy=False) if is_same else new[codes]


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
