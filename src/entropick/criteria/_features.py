"""Columns as features of a linear model, rounded so that sums of their products are exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from entropick.criteria._levels import level_maps, mapped
from entropick.criteria._tables import Floats, Ints

if TYPE_CHECKING:
    from entropick.encode import CodeTable

MOST_LEVELS = 32  # of a column; more are the commonest and the rest
_MOST_BITS = 20  # after the point of a value; with those before it they fit into a float of 24
_FARTHEST = 8.0  # standard deviations from the mean; values beyond count as this far
_BLOCK = 1 << 22  # doubles held at once
TARGET = -1  # the place of a numeric y among the columns

Map = NDArray[np.uint8]  # the level of each code


@dataclass(frozen=True)
class Standard:
    """How numbers become values with mean 0 and standard deviation 1, on the grid; 0 where one is missing.

    Attributes
    ----------
    low, high : float
        Half of the least and of the largest number.
    mean, deviation : float
        Of the numbers between them, as shares of the way from one to the other, rounded to the grid: so they do not
        depend on the order of rows.
    n_rows : int
        Of the table.
    farthest : float
        Values beyond count as this far from the mean.
    """

    low: float
    high: float
    mean: float
    deviation: float
    n_rows: int
    farthest: float = np.inf

    def __call__(self, x: Floats) -> Floats:
        """The values of numbers."""
        share = (unit(x, self.low, self.high) - self.mean) / self.deviation
        share = np.clip(share, -self.farthest, self.farthest)
        return round_to_grid(np.where(np.isnan(x), 0.0, share), self.n_rows)


def unit(x: Floats, low: float, high: float) -> Floats:
    """Numbers as shares of the way from the least to the largest; halves, so that no difference is infinite."""
    return np.asarray((np.clip(x, 2 * low, 2 * high) / 2 - low) / (high - low))


@dataclass(frozen=True)
class Block:
    """The features of one column, or of two together: an indicator of each level, and a value.

    Attributes
    ----------
    columns : tuple of int
        The two columns that must be in a subset for its features to be; the same twice for one column.
    maps : tuple of arrays
        The level of each code of these columns.
    joint : ndarray or None
        Of two columns, what becomes of the level of the first × the levels of the second + the level of the second.
    n_levels : int
        Number of indicators; 0 without them.
    value : Standard, ndarray or None
        The value: of the numbers of the column, or by its level.
    """

    columns: tuple[int, int]
    maps: tuple[Map, ...]
    joint: Map | None
    n_levels: int
    value: Standard | Floats | None = None

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.n_levels + (self.value is not None)

    def on(self, table: CodeTable) -> BlockRows:
        """The features of the rows of a table."""
        codes = None
        if self.n_levels or not isinstance(self.value, Standard):
            first, *second = (mapped(table.columns[j], new) for j, new in zip(self.columns, self.maps, strict=False))
            codes = first
            if self.joint is not None:
                codes = self.joint[first.astype(np.int64) * (int(self.maps[1].max()) + 1) + second[0]]
        values = None
        if isinstance(self.value, Standard):
            numbers = numbers_at(table, self.columns[0])
            values = np.zeros(table.n_rows, np.float32) if numbers is None else self.value(numbers).astype(np.float32)
        elif self.value is not None:
            values = self.value[codes].astype(np.float32)
        return BlockRows(codes if self.n_levels else None, values)


@dataclass(frozen=True)
class BlockRows:
    """The level and the value of each row, as far as there are any."""

    codes: Map | None
    values: NDArray[np.float32] | None

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

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = [block for block in blocks if block.n_features]
        self.starts = np.cumsum([0, *(block.n_features for block in self.blocks)])

    @classmethod
    def of(cls, table: CodeTable) -> Features:
        """The features of the columns of a table."""
        if "features" not in table.of_columns:
            maps = column_maps(table)
            standards = fit_standards(table, range(table.n_columns), _FARTHEST)
            ranges = _ranges(table, maps, standards)
            blocks = [_block(j, maps[j], table, standards[j], ranges.get(j)) for j in range(table.n_columns)]
            table.of_columns.setdefault("features", cls(blocks))  # one for all threads
        features: Features = table.of_columns["features"]
        return features

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.starts[-1])

    @property
    def n_levels(self) -> list[int]:
        """How many indicators each block that has any has."""
        return [block.n_levels for block in self.blocks if block.n_levels]

    @cached_property
    def are_levels(self) -> NDArray[np.bool_]:
        """Which features are indicators; all others are values, shape (n_features,)."""
        kinds = [np.arange(block.n_features) < block.n_levels for block in self.blocks]
        return np.concatenate([np.empty(0, dtype=np.bool_), *kinds])

    @cached_property
    def owners(self) -> Ints:
        """The two columns of every feature, shape (2, n_features)."""
        columns = np.array([block.columns for block in self.blocks], dtype=np.int64).reshape(-1, 2)
        return np.repeat(columns.T, np.diff(self.starts), axis=1)

    def members(self, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The features of subsets of columns, shape (n_masks, n_features)."""
        first, second = self.owners
        return np.asarray(masks[:, first] & masks[:, second])

    def on(self, table: CodeTable) -> FeatureRows:
        """The features of the rows of a table; those of its single columns are computed once."""
        of_table: Features | None = table.of_columns.get("features")
        known: list[BlockRows] = []
        if of_table is not None:
            known = table.of_columns.get("feature rows") or [block.on(table) for block in of_table.blocks]
            table.of_columns["feature rows"] = known
        of_blocks = {id(block): rows for block, rows in zip(of_table.blocks if of_table else (), known, strict=True)}
        rows = [of_blocks[id(block)] if id(block) in of_blocks else block.on(table) for block in self.blocks]
        return FeatureRows(self.starts, rows, table.n_rows)


@dataclass(frozen=True)
class FeatureRows:
    """The features of the rows of a table, filled in when they are used."""

    starts: Ints
    blocks: list[BlockRows]
    n_rows: int

    def __call__(self, rows: Ints) -> Floats:
        """The features of some rows, shape (n_rows, n_features)."""
        X = np.zeros((len(rows), int(self.starts[-1])))
        for block, start, end in zip(self.blocks, self.starts, self.starts[1:], strict=False):
            block.fill(X[:, start:end], rows)
        return X

    @property
    def codes(self) -> list[Map]:
        """The levels of the columns, and pairs, that have indicators."""
        return [block.codes for block in self.blocks if block.codes is not None]

    def values(self, rows: slice) -> Floats:
        """The values of some rows, shape (n_rows, n_values)."""
        values = [block.values for block in self.blocks if block.values is not None]
        found = np.empty((len(range(self.n_rows)[rows]), len(values)))
        for k, of_block in enumerate(values):
            found[:, k] = of_block[rows]
        return found

    def parts(self) -> Iterator[tuple[Ints, Floats]]:
        """All rows, in parts whose features fit into bounded memory, and these."""
        rows, step = np.arange(self.n_rows), max(1, _BLOCK // max(1, int(self.starts[-1])))
        for part in (rows[start : start + step] for start in range(0, len(rows), step)):
            yield part, self(part)


def column_maps(table: CodeTable) -> list[Map]:
    """The level of each code of every column: those that occur, without gaps, and at most 32."""
    maps = []
    for counts, new in zip(table.counts, level_maps(table, MOST_LEVELS), strict=True):
        common = common_levels(np.bincount(new, weights=counts).astype(np.int64), MOST_LEVELS)
        maps.append(common[new])
    return maps


def common_levels(counts: Ints, most: int) -> Map:
    """The levels that occur, numbered without gaps; of more than ``most``, the rarer are one.

    Of levels that are equally common, those with smaller codes are kept. What becomes of levels that do not occur is
    of no matter.

    Examples
    --------
    >>> common_levels(np.array([0, 1, 1, 0, 0, 3, 0, 2]), 3)[[1, 2, 5, 7]]
    array([2, 2, 0, 1], dtype=uint8)
    """
    found = np.flatnonzero(counts)
    common = found if len(found) <= most else np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    new = np.full(len(counts), min(most, len(found)) - 1, dtype=np.uint8)
    new[common] = np.arange(len(common))
    return new


def round_to_grid(x: Floats, n_rows: int) -> Floats:
    """Numbers rounded to multiples of 2^−b, with b such that sums of products over all rows are exact.

    A sum of products of two features, or of any of its parts, is at most the product of their lengths, and the length
    of a feature is at most 2√n: so that n·4^(b + 1) ≤ 2^52.
    """
    bits = min(_MOST_BITS, (50 - int(np.ceil(np.log2(n_rows)))) // 2)
    return np.asarray(np.ldexp(np.rint(np.ldexp(x, bits)), -bits))


def numbers_at(table: CodeTable, j: int) -> Floats | None:
    """The numbers of a column, or of y."""
    return table.numbers if j == TARGET else table.numbers_of(j)


def fit_standards(table: CodeTable, columns: Sequence[int], farthest: float = np.inf) -> list[Standard | None]:
    """How the numbers of some columns are standardised; None of those without numbers, or whose numbers are all equal.

    Examples
    --------
    >>> from entropick.encode import encode
    >>> table = encode([[1.5, 3.0], [2.5, 3.0]], [0, 1]).table
    >>> first, second = fit_standards(table, range(2))
    >>> first(np.array([1.5, 2.5, np.nan])), second
    (array([-1.,  1.,  0.]), None)
    """
    ends = np.array(list(table.each(partial(_ends, columns=columns)))).reshape(-1, len(columns), 2)
    ends = np.stack([ends[:, :, 0].min(axis=0), ends[:, :, 1].max(axis=0)], axis=1) / 2
    varied = [k for k in range(len(columns)) if ends[k, 1] > ends[k, 0]]
    sums = table.total(partial(_moments, columns=[columns[k] for k in varied], ends=ends[varied], n_rows=table.n_rows))[
        0
    ]
    standards: list[Standard | None] = [None] * len(columns)
    for k, (n_present, total, squares) in zip(varied, sums, strict=True):
        mean = total / n_present
        deviation = np.sqrt(squares / n_present - mean * mean)
        standards[k] = Standard(ends[k, 0], ends[k, 1], mean, deviation, table.n_rows, farthest)
    return standards


def _ends(table: CodeTable, columns: Sequence[int]) -> Floats:
    """The least and the largest number of each column; infinite, the wrong way round, if there is none."""
    ends = np.full((len(columns), 2), [np.inf, -np.inf])
    for k, j in enumerate(columns):
        numbers = numbers_at(table, j)
        if numbers is not None:
            finite = numbers[np.isfinite(numbers)]
            ends[k] = finite.min(initial=np.inf), finite.max(initial=-np.inf)
    return ends


def _moments(table: CodeTable, columns: Sequence[int], ends: Floats, n_rows: int) -> list[Floats]:
    """The number, the sum and the sum of squares of the numbers of each column, as shares on the grid."""
    sums = np.zeros((len(columns), 3))
    for k, j in enumerate(columns):
        numbers = numbers_at(table, j)
        if numbers is not None:
            present = ~np.isnan(numbers)
            rough = round_to_grid(np.where(present, unit(numbers, *ends[k]), 0.0), n_rows)
            sums[k] = present.sum(), rough.sum(), rough @ rough
    return [sums]


def _ranges(table: CodeTable, maps: list[Map], standards: list[Standard | None]) -> dict[int, Floats]:
    """Of columns of two levels, the least and the largest value of each."""
    columns = [j for j, new in enumerate(maps) if standards[j] is not None and new.max() == 1]
    if not columns:
        return {}
    found = np.array(list(table.each(partial(_value_ranges, columns=columns, maps=maps, standards=standards))))
    least, most = found[..., 0].min(axis=0), found[..., 1].max(axis=0)
    return {j: np.stack([least[k], most[k]], axis=1) for k, j in enumerate(columns)}


def _value_ranges(
    table: CodeTable, columns: Sequence[int], maps: list[Map], standards: list[Standard | None]
) -> Floats:
    ranges = np.full((len(columns), 2, 2), [np.inf, -np.inf])
    for k, j in enumerate(columns):
        numbers, standard, codes = table.numbers_of(j), standards[j], mapped(table.columns[j], maps[j])
        if numbers is not None and standard is not None:
            values = standard(numbers)
            for level in (0, 1):
                own = values[codes == level]
                ranges[k, level] = own.min(initial=np.inf), own.max(initial=-np.inf)
    return ranges


def _block(j: int, new: Map, table: CodeTable, standard: Standard | None, ranges: Floats | None) -> Block:
    n_levels = int(new.max()) + 1
    if n_levels == 1:
        return Block((j, j), (new,), None, 0, standard)
    if n_levels == 2:
        step = 0.0 if ranges is None else _step(ranges)
        if step is not None:
            # Indicators a and −a and the value s·a are penalised as the one feature √(2 + s²)·a is, which costs less.
            rarer = np.argmin(np.bincount(new, weights=table.counts[j]))
            one = round_to_grid(np.where(np.arange(2) == rarer, np.sqrt(2 + step * step), 0.0), table.n_rows)
            return Block((j, j), (new,), None, 0, one)
    return Block((j, j), (new,), None, n_levels, standard)


def _step(ranges: Floats) -> float | None:
    """The distance between the values of two levels, or None if a level has more than one value."""
    zero, one = ranges
    return None if zero[0] < zero[1] or one[0] < one[1] else float(abs(one[0] - zero[0]))


@dataclass(frozen=True)
class Targets:
    """What a linear model predicts: the standardised numbers of y, or an indicator of each class.

    Attributes
    ----------
    n_targets : int
        How many.
    are_classes : bool
        Whether they are indicators.
    standard : Standard or None
        Of numbers; None if all are equal.
    farthest : float
        Numbers beyond count as this far from the mean.
    """

    n_targets: int
    are_classes: bool
    standard: Standard | None = None
    farthest: float = np.inf

    @classmethod
    def of(cls, table: CodeTable) -> Targets:
        """Those of a table."""
        if table.numbers is None:
            return cls(len(table.class_sizes), True)
        return cls(1, False, fit_standards(table, [TARGET])[0])

    def __call__(self, table: CodeTable, rows: Ints | slice = slice(None)) -> Floats:
        """The targets of some rows of a table, shape (n_rows, n_targets)."""
        if self.are_classes:
            return np.asarray(table.classes[rows, None] == np.arange(self.n_targets), dtype=np.float64)
        if self.standard is None or table.numbers is None:
            return np.zeros((len(table.classes[rows]), 1))
        return np.clip(self.standard(table.numbers[rows]), -self.farthest, self.farthest)[:, None]
