"""An order of rows, columns and classes that comes from their content, and not from how a table lists or names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from entropick.encode._table import CodeTable

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]

_CELLS = 5_000_000  # of a table whose numbers are looked at; of a larger one, codes tell rows apart
_ROWS = 1 << 24  # of more, the order is the given one: a place for each row takes memory


@dataclass(frozen=True)
class Content:
    """Places by content: whatever is drawn by these places does not depend on the order of anything.

    Attributes
    ----------
    rows, columns : ndarray of int
        The rows and the columns in this order. Rows that are alike in all columns and in y, and columns that are alike
        in all rows, are in the given order, which makes no difference.
    classes : ndarray of int
        The classes, the smallest first, whatever they are called.
    """

    rows: Ints
    columns: Ints
    classes: Ints

    def of_columns(self, columns: Ints) -> Content:
        """That of a table with some of the columns: in the order that they have here."""
        places = np.empty(len(self.columns), dtype=np.int64)
        places[self.columns] = np.arange(len(places))
        return replace(self, columns=np.argsort(places[columns], kind="stable"))

    def of_rows(self, rows: Ints, classes: Ints) -> Content:
        """That of a table with some of the rows and classes, likewise."""
        places = np.empty(len(self.rows), dtype=np.int64)
        places[self.rows] = np.arange(len(places))
        places_of_classes = np.argsort(self.classes)
        return Content(
            np.argsort(places[rows], kind="stable"), self.columns, np.argsort(places_of_classes[classes], kind="stable")
        )


def content_of(table: CodeTable) -> Content:
    """The order of a table by its content.

    Columns and rows are hashed in turns: a column by its values and the rows they are in, a row by its values and the
    columns they are in. Sums of hashes do not depend on an order.
    """
    n, m = table.n_rows, table.n_columns
    has_numbers = n * m <= _CELLS
    of_classes = mixed(table.class_sizes.astype(np.uint64), 0)
    if n > _ROWS:
        return Content(np.arange(n), np.arange(m), np.argsort(table.class_sizes, kind="stable"))
    of_y = of_classes[table.classes] if table.numbers is None else mixed(bits(np.asarray(table.numbers[:])), 0)
    of_columns = np.zeros(m, dtype=np.uint64)
    of_rows = of_y
    for _ in range(2):
        of_columns = _sum(table, partial(_of_columns, has_numbers=has_numbers), of_rows)
        of_rows = of_y + _concatenated(table, partial(_of_rows, of_columns=of_columns, has_numbers=has_numbers))
        if table.numbers is None:  # classes of one size differ in their rows
            of_classes = np.zeros(len(of_classes), dtype=np.uint64)
            np.add.at(of_classes, table.classes, mixed(of_rows, 0))
            of_y = mixed(of_classes, 0)[table.classes]
    rows, columns, classes = (np.argsort(of, kind="stable") for of in (of_rows, of_columns, of_classes))
    return Content(rows, columns, classes[np.argsort(table.class_sizes[classes], kind="stable")])


def _sum(table: CodeTable, statistic: Callable[..., Hashes], of_rows: Hashes) -> Hashes:
    """The sum over rows of what a function makes of them and of their hashes."""
    found = list(table.each(statistic, table.shared_out(of_rows)))
    return np.asarray(np.sum(found, axis=0, dtype=np.uint64))


def _concatenated(table: CodeTable, statistic: Callable[..., Hashes]) -> Hashes:
    return np.concatenate(list(table.each(statistic)))


def _of_columns(table: CodeTable, of_rows: Hashes, has_numbers: bool) -> Hashes:
    return np.array([mixed(x + of_rows, 1).sum(dtype=np.uint64) for x in _values(table, has_numbers)], dtype=np.uint64)


def _of_rows(table: CodeTable, of_columns: Hashes, has_numbers: bool) -> Hashes:
    total = np.zeros(table.n_rows, dtype=np.uint64)
    for x, of_column in zip(_values(table, has_numbers), of_columns, strict=True):
        total += mixed(x + of_column, 2)
    return total


def _values(table: CodeTable, has_numbers: bool) -> Iterator[Hashes]:
    for j, codes in enumerate(table.columns):
        numbers = table.numbers_of(j) if has_numbers else None
        yield mixed(codes.astype(np.uint64) if numbers is None else bits(numbers), 3)


def stratified(classes: Ints, most: int, rng: np.random.Generator) -> Ints:
    """So many places of all, in order, every class by its share.

    Examples
    --------
    >>> np.bincount(np.repeat([0, 1], [30, 10])[stratified(np.repeat([0, 1], [30, 10]), 8, np.random.default_rng(0))])
    array([6, 2])
    """
    n = len(classes)
    shuffled = rng.permutation(n)  # rows that repeat every so often must not fall into step
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    return np.sort(by_class[(2 * np.arange(most) + 1) * n // (2 * most)])


def bits(values: NDArray[Any]) -> Hashes:
    """Integers or floats as integers, the same for equal values only."""
    if values.dtype.kind == "f":
        return np.where(np.isnan(values), np.nan, values + 0.0).view(np.uint64)  # −0 is 0, and all NaN are one
    return values.astype(np.int64).view(np.uint64)


def mixed(values: Hashes, place: int) -> Hashes:
    """A hash of values and a place, whose sums hardly ever agree by chance (splitmix64, S. Vigna)."""
    found = values + np.uint64((place + 1) * 0x9E3779B97F4A7C15 % 2**64)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(found ^ (found >> np.uint64(31)))
