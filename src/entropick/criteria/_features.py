"""Columns as features of a linear model, rounded so that sums of their products are exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from entropick.criteria._levels import table_levels
from entropick.criteria._tables import Floats, Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable

MOST_LEVELS = 32  # of a column; more are the commonest and the rest
_MOST_BITS = 20  # after the point of a value; with those before it they fit into a float of 24
_FARTHEST = 8.0  # standard deviations from the mean; values beyond count as this far
_BLOCK = 1 << 22  # doubles held at once


@dataclass(frozen=True)
class Block:
    """The features of one column, or of two together: an indicator of each level, and a value.

    Attributes
    ----------
    columns : tuple of int
        The two columns that must be in a subset for its features to be; the same twice for one column.
    codes : ndarray of shape (n_rows,) or None
        The level of every row; None without indicators.
    n_levels : int
        Number of indicators.
    values : ndarray of shape (n_rows,) or None
        The value of every row.
    """

    columns: tuple[int, int]
    codes: NDArray[np.uint8] | None
    n_levels: int
    values: NDArray[np.float32] | None

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.n_levels + (self.values is not None)

    def fill(self, X: Floats, rows: Ints) -> None:
        """Write the features of some rows into X, which is 0."""
        if self.codes is not None:
            X[np.arange(len(X)), self.codes[rows]] = 1.0
        if self.values is not None:
            X[:, -1] = self.values[rows]


class Features:
    """The features of a table: those of its columns, and of some pairs of columns.

    The features of a column are the indicators of its codes (of more than 32 levels, the 31 commonest and the rest)
    and, if it was read as numbers, the standardised value: 0 where it is missing, and at most 8 standard deviations
    from the mean. The features of a pair are the indicators of its joint codes.

    All values are multiples of 2^−b such that sums of products over the rows are exact in double precision. So sums
    are the same for any order of rows, any BLAS and any number of threads.
    """

    def __init__(self, n_rows: int, blocks: list[Block]) -> None:
        self.n_rows = n_rows
        self.blocks = [block for block in blocks if block.n_features]
        self.starts = np.cumsum([0, *(block.n_features for block in self.blocks)])

    @classmethod
    def of(cls, table: CodeTable) -> Features:
        """The features of the columns of a table."""
        if "features" not in table.of_columns:
            columns = table_levels(table, MOST_LEVELS)[0]
            blocks = [_block(j, codes, table.numbers_of(j)) for j, codes in enumerate(columns)]
            table.of_columns["features"] = cls(table.n_rows, blocks)
        features: Features = table.of_columns["features"]
        return features

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.starts[-1])

    @cached_property
    def owners(self) -> Ints:
        """The two columns of every feature, shape (2, n_features)."""
        columns = np.array([block.columns for block in self.blocks], dtype=np.int64).reshape(-1, 2)
        return np.repeat(columns.T, np.diff(self.starts), axis=1)

    def members(self, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The features of subsets of columns, shape (n_masks, n_features)."""
        first, second = self.owners
        return np.asarray(masks[:, first] & masks[:, second])

    def rows(self, rows: Ints) -> Floats:
        """The features of some rows, shape (n_rows, n_features)."""
        X = np.zeros((len(rows), self.n_features))
        for block, start, end in zip(self.blocks, self.starts, self.starts[1:], strict=False):
            block.fill(X[:, start:end], rows)
        return X

    def parts(self, rows: Ints | None = None) -> Iterator[Ints]:
        """All rows, or some, in parts whose features fit into bounded memory."""
        rows = np.arange(self.n_rows) if rows is None else rows
        step = max(1, _BLOCK // max(1, self.n_features))
        return (rows[start : start + step] for start in range(0, len(rows), step))


def round_to_grid(x: Floats) -> Floats:
    """Numbers rounded to multiples of 2^−b, with b such that sums of products are exact.

    A sum of products of two features, or of any of its parts, is at most the product of their lengths, and the length
    of a feature is at most 2√n: so that n·4^(b + 1) ≤ 2^52.
    """
    bits = min(_MOST_BITS, (50 - int(np.ceil(np.log2(len(x))))) // 2)
    return np.asarray(np.ldexp(np.rint(np.ldexp(x, bits)), -bits))


def standardised(x: Floats, farthest: float = np.inf) -> Floats | None:
    """Numbers with mean 0 and standard deviation 1, on the grid; 0 where missing, None if all are equal.

    Mean and deviation are those of numbers rounded to the grid, so that they do not depend on the order of rows.
    """
    present = ~np.isnan(x)
    finite = x[np.isfinite(x)] / 2  # so that no difference is infinite
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    if high - low == 0:
        return None
    unit = (np.clip(x, 2 * low, 2 * high) / 2 - low) / (high - low)
    rough = round_to_grid(np.where(present, unit, 0.0))
    n_present = present.sum()
    mean = rough.sum() / n_present
    deviation = np.sqrt((rough @ rough) / n_present - mean * mean)
    return round_to_grid(np.where(present, np.clip((unit - mean) / deviation, -farthest, farthest), 0.0))


def _block(j: int, column: NDArray[np.integer], x: Floats | None) -> Block:
    codes, n_levels = common_levels(column, MOST_LEVELS)
    values = None if x is None else standardised(x, _FARTHEST)
    if n_levels == 1:
        return Block((j, j), None, 0, None if values is None else values.astype(np.float32))
    if n_levels == 2:
        step = 0.0 if values is None else _step(codes, values)
        if step is not None:
            # Indicators a and −a and the value s·a are penalised as the one feature √(2 + s²)·a is, which costs less.
            rarer = codes == np.argmin(np.bincount(codes))
            one = round_to_grid(np.where(rarer, np.sqrt(2 + step * step), 0.0))
            return Block((j, j), None, 0, one.astype(np.float32))
    return Block((j, j), codes, n_levels, None if values is None else values.astype(np.float32))


def common_levels(codes: NDArray[np.integer], most: int) -> tuple[NDArray[np.uint8], int]:
    """The codes that occur, numbered without gaps, and their number; of more than ``most``, the rarer are one.

    Of levels that are equally common, those with smaller codes are kept.

    Examples
    --------
    >>> common_levels(np.array([7, 7, 5, 5, 5, 1, 2]), 3)
    (array([1, 1, 0, 0, 0, 2, 2], dtype=uint8), 3)
    """
    counts = np.bincount(codes)
    found = np.flatnonzero(counts)
    if len(found) == len(counts) <= most:
        return codes.astype(np.uint8, copy=False), len(found)
    common = found if len(found) <= most else np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    new = np.full(len(counts), most - 1, dtype=np.uint8)
    new[common] = np.arange(len(common))
    return new[codes], min(most, len(found))


def _step(codes: NDArray[np.uint8], values: Floats) -> float | None:
    """The distance between the values of two levels, or None if a level has more than one value."""
    zero, one = values[codes == 0], values[codes == 1]
    return None if np.ptp(zero) or np.ptp(one) else float(abs(one[0] - zero[0]))
