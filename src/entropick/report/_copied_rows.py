"""Rows that are copies of other rows, and not alike by chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from entropick.encode import Encoded, RawColumn, bits, mixed
from entropick.notes import Note

_LEAST = 0.05  # of the rows: fewer copies change little
_AT_ONCE = 64  # columns whose codes are compared before it is seen whether any rows are still alike
_VALUES = 20  # different numbers in a column, from which on it says something that two rows share one
_RAREST = 3  # of the numbers that a copy shares; further ones may follow from these
_BY_CHANCE = 0.05  # rows that would have the same numbers by chance, from which on a copy may be one of them

Rows = NDArray[np.int64]


def about_copied_rows(encoded: Encoded) -> Iterator[Note]:
    """A note if many rows are copies of others in all columns and in the target.

    In a table of a few discrete columns rows are alike by nature. So a copy counts only if its three rarest numbers are
    so rare, the commonest number of a column never being, that hardly any row would have all of them by chance.
    """
    n = encoded.table.n_rows
    if any(column.kind == "unread" for column in encoded.columns):
        return
    first = _first_alike(encoded)
    copies = np.flatnonzero(first != np.arange(n))
    if len(copies) < _LEAST * n:
        return
    n_copies = int((n * _chance(encoded, first, copies) < _BY_CHANCE).sum())
    if n_copies >= _LEAST * n:
        yield Note(
            "copied_rows",
            f"{n_copies} of {n} rows are exact copies of others: if they are not separate observations, drop them, "
            "because p-values and held-out scores count them as evidence.",
        )


def _first_alike(encoded: Encoded) -> Rows:
    """The first row with the same values as each row; that itself, if only a few rows are like another."""
    n, place = encoded.table.n_rows, 0
    rows, hashes = np.arange(n), np.zeros(n, dtype=np.uint64)
    for several in _values(encoded):
        for values in several:
            hashes += mixed(bits(values[rows]), place)
            place += 1
        _, groups, sizes = np.unique(hashes, return_inverse=True, return_counts=True)
        has_twin = sizes[groups.reshape(-1)] > 1
        rows, hashes = rows[has_twin], hashes[has_twin]
        if len(rows) < _LEAST * n:
            return np.arange(n)
    first = np.arange(n)
    _, where, groups = np.unique(hashes, return_index=True, return_inverse=True)
    first[rows] = rows[where[groups.reshape(-1)]]
    return first


def _values(encoded: Encoded) -> Iterator[Iterable[NDArray[np.number]]]:
    """What rows have in common if they are copies, a few columns at a time.

    First come the target and the codes, which are there, and usually show that no row is like another; then the values
    of the columns where several have one code.
    """
    table = encoded.table
    yield table.classes if table.numbers is None else table.numbers, *table.columns[:_AT_ONCE]
    for start in range(_AT_ONCE, table.n_columns, _AT_ONCE):
        yield table.columns[start : start + _AT_ONCE]
    left = [j for j, encoder in enumerate(encoded.columns) if encoder.kind != "levels"]
    at_once = 1  # often the first one shows that no row is like another; if not, sorting after each takes long
    while left:
        yield (values for j in left[:at_once] for values in _identities(encoded.source[j]))
        left, at_once = left[at_once:], 2 * at_once


def _chance(encoded: Encoded, first: Rows, copies: Rows) -> NDArray[np.float64]:
    """How probable it is that another row has the rarest numbers of each copy, judged by the rows that differ."""
    different, rarest = np.flatnonzero(first == np.arange(len(first))), np.ones((_RAREST, len(copies)))
    for x in _numbers(encoded):
        values, counts = np.unique(bits(x)[different], return_counts=True)
        if len(values) < _VALUES:
            continue
        shares = counts / len(different)
        shares[counts.argmax()] = 1.0
        own = shares[np.searchsorted(values, bits(x)[copies])]
        rarest = np.sort(np.vstack([rarest, own]), axis=0)[:_RAREST]
        if (len(first) * rarest.prod(axis=0) < _BY_CHANCE).all():  # and further columns make it no larger
            break
    return np.asarray(rarest.prod(axis=0))


def _numbers(encoded: Encoded) -> Iterator[NDArray[np.float64]]:
    """The numbers that may tell rows apart: those of the target, and of columns with too many to be levels."""
    if encoded.table.numbers is not None:
        yield encoded.table.numbers
    for j, encoder in enumerate(encoded.columns):
        if encoder.kind == "bins" and (numbers := encoded.source[j].numbers) is not None:
            yield numbers


def _identities(column: RawColumn) -> Sequence[NDArray[np.number]]:
    """Numbers that two rows have in common only if they have the same value."""
    if column.numbers is None:
        return (column.places,)
    if column.exact is None:
        return (column.numbers,)
    exact = np.where(column.missing, 0, column.exact).tolist()  # of any size
    return column.numbers, np.fromiter(map(hash, exact), np.int64, len(exact))
