"""One column: which values become which codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick._arguments import warn
from entropick.encode._binning import BINNINGS, Binner, Edges, interval
from entropick.encode._source import ColumnWarning, RawColumn, in_order
from entropick.encode._table import MAX_LEVELS, Codes, narrow

MAX_INTEGER_LEVELS = 20  # an integer column with more distinct values is binned like a real one


@dataclass(frozen=True)
class ColumnEncoder:
    """Codes 0 to n−1 for what ``fit`` saw, n for missing, n + 1 for what it did not see."""

    name: str
    kind: str  # 'levels', 'bins' or 'id'
    levels: tuple[Any, ...] | None = None
    binner: Binner | None = None
    n_codes: int = 1
    note: str = ""  # what its owner was told in `fit`

    def encode(self, column: RawColumn) -> tuple[Codes, int]:
        """Codes of a column and their number: one more than the largest code that may occur in it."""
        if self.kind == "id":
            return np.zeros(len(column), dtype=np.uint8), 1
        codes = self._encode_places(column) if column.numbers is None else self._encode_numbers(column)
        n_codes = max(int(codes.max(initial=0)) + 1, self.n_codes)
        return narrow(codes, n_codes), n_codes

    def labels(self, column: RawColumn, codes: Codes) -> list[str]:
        """What every code stands for, as text, given the column and codes of `fit`; bins are the values in them."""
        found_codes, n_codes = self.encode(column)
        if not np.array_equal(found_codes, codes):
            raise ValueError(f"column {column.name!r} was changed after fit: fit again, or keep a copy of the table.")
        labels = ["any"] * n_codes if self.kind == "id" else ["missing"] * n_codes
        for code, level in enumerate(self.levels or ()):
            labels[code] = f"{level:.12g}" if isinstance(level, float) else str(level)
        if self.binner is not None and column.numbers is not None:
            for code in range(self.n_codes):
                found = column.numbers[codes == code]
                labels[code] = interval(found) if len(found) else "none"
        return labels

    def _encode_numbers(self, column: RawColumn) -> NDArray[np.integer]:
        numbers = np.asarray(column.numbers)
        missing = column.missing
        present = numbers[~missing] if missing.any() else numbers
        if self.binner is not None:
            found = self.binner(present)
        elif not self.levels or not isinstance(self.levels[0], float):
            found = np.full(len(present), self.n_codes + 1)
        else:
            known = np.array(self.levels)
            found = Edges(known[1:])(present)
            known_all = known[found] == present
            found = found if known_all.all() else np.where(known_all, found, self.n_codes + 1)
        if len(present) == len(numbers):
            return found
        codes = np.full(len(numbers), self.n_codes, dtype=np.int64)
        codes[~missing] = found
        return codes

    def _encode_places(self, column: RawColumn) -> NDArray[np.int64]:
        code_of: dict[Any, int] = {level: code for code, level in enumerate(self.levels or ())}
        codes = [code_of.get(value, self.n_codes + 1) for value in column.distinct]
        return np.take([*codes, self.n_codes], column.places)  # the last one is place −1


def fit_column(
    column: RawColumn, classes: NDArray[np.int64], n_bins: int, binning: str, literal: bool
) -> ColumnEncoder:
    """Decide how a column is encoded, from the rows given."""
    if column.numbers is None:
        return _fit_values(column, literal)
    present = ~column.missing
    x = column.numbers if present.all() else column.numbers[present]
    levels = _integer_levels(x, None if literal else MAX_INTEGER_LEVELS)
    if levels is not None:
        _check_level_count(column.name, len(levels) + int(not present.all()), "group its values")
        return ColumnEncoder(column.name, "levels", levels=tuple(levels.tolist()), n_codes=len(levels))
    binner = BINNINGS[binning](x, n_bins, classes[present])
    n_codes = int(binner(x.max(keepdims=True))[0]) + 1  # bins rise with x
    _check_level_count(column.name, n_codes + int(not present.all()), "use fewer bins, or another binning")
    return ColumnEncoder(column.name, "bins", binner=binner, n_codes=n_codes)


def _integer_levels(x: NDArray[np.float64], most: int | None) -> NDArray[np.float64] | None:
    """The distinct values, if all are integers and they are few."""
    for part in (x[:1000], x):  # most real columns show it in their first rows
        if (part != np.floor(part)).any():
            return None
        distinct = _distinct_integers(part)
        if most is not None and len(distinct) > most:
            return None
    return distinct


def _distinct_integers(x: NDArray[np.float64]) -> NDArray[np.float64]:
    low = x.min(initial=0)
    if x.max(initial=0) - low < MAX_LEVELS:  # counting is faster than sorting
        return np.asarray(np.flatnonzero(np.bincount((x - low).astype(np.int64))) + low)
    return np.unique(x)


def _fit_values(column: RawColumn, literal: bool) -> ColumnEncoder:
    distinct = column.distinct
    n_present = len(column) - int(column.missing.sum())
    if len(distinct) == n_present > MAX_INTEGER_LEVELS and not literal:
        note = (
            f"column {column.name!r} has a different value in each of its {n_present} rows: it looks like an id, "
            "tells nothing about other rows and cannot be selected; drop it, or turn it into numbers if it is one."
        )
        warn(note, ColumnWarning)
        return ColumnEncoder(column.name, "id", note=note)
    _check_level_count(column.name, len(distinct) + int(n_present < len(column)), "drop it or group its values")
    return ColumnEncoder(column.name, "levels", levels=in_order(distinct), n_codes=len(distinct))


def _check_level_count(name: str, n_levels: int, way_out: str) -> None:
    if n_levels > MAX_LEVELS:
        raise ValueError(
            f"column {name!r} must have at most {MAX_LEVELS} different values, missing counted as one; got {n_levels}: "
            f"{way_out}."
        )
