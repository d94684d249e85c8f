"""One column: which value gets which code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.encode._binning import Binner, Edges, fit_bins, interval, number_text
from entropick.encode._raw import RawColumn, in_order, whole_numbers
from entropick.encode._table import MAX_LEVELS, Codes, narrow
from entropick.notes import Note

MAX_INTEGER_LEVELS = 20  # an integer column with more distinct values is binned like a real one
_FIRST = 1000  # rows that usually show whether there are few values
_FEW_ROWS = 50  # up to here, whole numbers can all be different by chance
_ROW_NUMBERS = 3  # times the number of rows: larger numbers are ids or measurements, not row numbers
UNUSABLE = {"id": "any", "crowded": "any", "unread": "not read"}  # kinds with a single code, and what it stands for


@dataclass(frozen=True)
class ColumnEncoder:
    """Codes 0 to n−1 for values seen in fit, n for missing, n + 1 for unseen values."""

    name: str
    kind: str  # 'levels', 'bins', 'presence' (whether there is a value), or one of UNUSABLE
    levels: tuple[Any, ...] | None = None
    binner: Binner | None = None
    n_codes: int = 1
    notes: tuple[Note, ...] = ()  # what its owner should know

    @property
    def n_ordered(self) -> int:
        """How many of the codes are in the order of numbers."""
        is_number = self.levels is not None and all(type(level) in (int, float) for level in self.levels)
        return self.n_codes if self.binner is not None or is_number else 0

    def encode(self, column: RawColumn) -> tuple[Codes, int]:
        """Codes of a column and their number: one more than the largest code that can occur."""
        if self.kind in UNUSABLE:
            return np.zeros(len(column), dtype=np.uint8), 1
        if self.kind == "presence":
            return column.missing.astype(np.uint8), 2
        codes = self._encode_places(column) if column.numbers is None else self._encode_numbers(column)
        n_codes = max(int(codes.max(initial=0)) + 1, self.n_codes)
        return narrow(codes, n_codes), n_codes

    def labels(self, column: RawColumn, codes: Codes) -> list[str]:
        """What every code stands for, as text, given the column and codes of the fit; a bin is shown as its range."""
        found_codes, n_codes = self.encode(column)
        if not np.array_equal(found_codes, codes):
            raise ValueError(f"column {column.name!r} was changed after fit: fit again, or keep a copy of the table.")
        if self.kind in UNUSABLE:
            return [UNUSABLE[self.kind]]
        labels = ["present" if self.kind == "presence" else "missing", *["missing"] * (n_codes - 1)]
        for code, level in enumerate(self.levels or ()):
            labels[code] = number_text(level)
        if self.binner is not None and column.numbers is not None:
            of_present = codes[~column.missing]
            for code in range(self.n_codes):
                found = column.present[of_present == code]
                labels[code] = interval(found) if len(found) else "none"
        return labels

    def _encode_numbers(self, column: RawColumn) -> NDArray[np.integer]:
        present = column.present
        if self.binner is not None:
            found = self.binner(present)
        elif not self.levels or type(self.levels[0]) not in (int, float):
            found = np.full(len(present), self.n_codes + 1)
        else:
            known = np.array(self.levels) if isinstance(self.levels[0], float) else whole_numbers(self.levels)
            found = Edges(known[1:])(present)
            if known.dtype != present.dtype:
                known, present = known.astype(object), present.astype(object)
            known_all = known[found] == present
            found = found if known_all.all() else np.where(known_all, found, self.n_codes + 1)
        if not column.has_missing:
            return found
        codes = np.full(len(column), self.n_codes, dtype=np.int64)
        codes[~column.missing] = found
        return codes

    def _encode_places(self, column: RawColumn) -> NDArray[np.int64]:
        code_of: dict[Any, int] = {level: code for code, level in enumerate(self.levels or ())}
        codes = [code_of.get(value, self.n_codes + 1) for value in column.distinct]
        return np.take([*codes, self.n_codes], column.places)  # the last one is for place −1, missing


def fit_column(column: RawColumn, classes: NDArray[np.int64], n_bins: int, binning: str, as_is: bool) -> ColumnEncoder:
    """Decide how to encode a column, from the given rows."""
    if column.numbers is None:
        rows = np.bincount(column.places[column.places >= 0], minlength=len(column.distinct))
        return fit_values(
            column.name, dict(zip(column.distinct, rows, strict=True)), len(column), column.is_text, as_is
        )
    x = column.present
    levels = _integer_levels(x, None if as_is else MAX_INTEGER_LEVELS)
    if levels is not None:
        _check_level_count(column.name, len(levels) + int(column.has_missing), "group its values")
        return ColumnEncoder(column.name, "levels", levels=tuple(levels.tolist()), n_codes=len(levels))
    if not as_is and not column.has_missing and _numbers_rows(x):
        return row_numbers(column.name, x.min(), x.max())
    binner = fit_bins(x, binning, n_bins, classes[~column.missing])
    return binned(column.name, binner, x.max(keepdims=True), column.has_missing)


def _integer_levels(x: NDArray[Any], most: int | None) -> NDArray[Any] | None:
    """The distinct values, if all are integers and there are few."""
    is_float = x.dtype == np.float64
    first = set(x[:_FIRST].tolist())  # most columns with many values show it in their first rows
    if (most is not None and len(first) > most) or (is_float and not all(map(float.is_integer, first))):
        return None
    if len(x) <= _FIRST:
        return np.array(sorted(first), dtype=x.dtype)
    if is_float and (x != np.floor(x)).any():
        return None
    distinct = _distinct_integers(x)
    return distinct if most is None or len(distinct) <= most else None


def _numbers_rows(x: NDArray[Any]) -> bool:
    """Whether the values are row numbers: small whole numbers that are all different."""
    if not len(x) or not may_number_rows(len(x), x.min(), x.max()):
        return False
    places = x.astype(np.int64)
    return bool((places == x).all() and np.bincount(places).max() == 1)


def _distinct_integers(x: NDArray[Any]) -> NDArray[Any]:
    if x.dtype == np.float64:
        low = float(x.min())
        if float(x.max()) - low < MAX_LEVELS:  # counting is faster than sorting
            return np.asarray(np.flatnonzero(np.bincount((x - low).astype(np.int64))) + low)
    return np.unique(x)


def fit_values(
    name: str, rows: Mapping[Any, int], n_rows: int, is_text: bool = False, as_is: bool = False
) -> ColumnEncoder:
    """Decide how to encode a column that has no numbers.

    Parameters
    ----------
    name : str
        Of the column.
    rows : mapping of values to int
        How many rows have each value.
    n_rows : int
        The number of rows, those included where it is missing.
    is_text : bool
        Whether they are strings that were not declared as categories.
    as_is : bool
        Make every value a level.
    """
    n_distinct, n_present = len(rows), int(sum(rows.values()))
    has_missing = n_present < n_rows
    notes: tuple[Note, ...] = ()
    if not as_is:
        if is_text and n_distinct > MAX_INTEGER_LEVELS:
            notes = _note_numbers(name, rows)
        if MAX_INTEGER_LEVELS < n_distinct == n_present:
            return without_values(name, "id", n_distinct, has_missing, notes)
        if n_distinct + has_missing > MAX_LEVELS:
            return without_values(name, "crowded", n_distinct, has_missing, notes)
    _check_level_count(name, n_distinct + has_missing, "drop it or group its values")
    return ColumnEncoder(name, "levels", levels=in_order(rows), n_codes=n_distinct, notes=notes)


def without_values(
    name: str, kind: str, n: int, has_missing: bool, notes: tuple[Note, ...] = (), at_least: bool = False
) -> ColumnEncoder:
    """A column with too many values to carry information: only whether there is a value is used.

    ``n`` is how many different ones there are, or that there are at least so many.
    """
    has = f"column {name!r} has "
    if kind == "crowded":
        has += f"{'at least ' if at_least else ''}{n} different values, more than the {MAX_LEVELS} allowed (missing "
        has += "counts as one): "
        note = "it cannot be selected; drop it or group its values."
    else:
        has += f"a different value in each of {'the' if has_missing else 'its'} {n} rows"
        has += " where it is present: " if has_missing else ": "
        note = (
            "it looks like an id, says nothing about other rows and cannot be selected; drop it, or convert it to "
            "numbers if it holds numbers."
        )
    if has_missing:
        kind, note = (
            "presence",
            "only whether it is missing is used; to use more, group its values or convert it to numbers.",
        )
    return ColumnEncoder(name, kind, notes=(*notes, Note(kind, has + note, (name,))))


def row_numbers(name: str, low: float, high: float) -> ColumnEncoder:
    """A column that numbers the rows."""
    text = (
        f"column {name!r} numbers the rows, from {int(low)} to {int(high)}: that says nothing about other rows, so it "
        "cannot be selected."
    )
    return ColumnEncoder(name, "id", notes=(Note("row_number", text, (name,)),))


def binned(name: str, binner: Binner, largest: NDArray[Any], has_missing: bool) -> ColumnEncoder:
    """A column in bins; ``largest`` has its largest number."""
    n_codes = int(binner(largest)[0]) + 1  # bin numbers rise with x
    _check_level_count(name, n_codes + has_missing, "use fewer bins, or another binning")
    return ColumnEncoder(name, "bins", binner=binner, n_codes=n_codes)


def may_number_rows(n: int, low: float, high: float) -> bool:
    """Whether so many whole numbers may be row numbers, perhaps of a part of the rows, if they are all different."""
    return n > _FEW_ROWS and low >= 0 and high < _ROW_NUMBERS * n


def _note_numbers(name: str, rows: Mapping[Any, int]) -> tuple[Note, ...]:
    """A note that a column of text is mostly numbers, unless they begin with zeros, as codes do."""
    texts = {value: str(value).strip() for value in rows}
    numbers = [value for value, text in texts.items() if _is_number(text)]
    if 2 * len(numbers) <= len(texts):
        return ()
    if any(text.lstrip("+-")[:1] == "0" and text.lstrip("+-")[1:2].isdigit() for text in texts.values()):
        return ()
    are_numbers = set(numbers)
    other = next((repr(value) for value in rows if value not in are_numbers), None)
    text = (
        f"{int(sum(rows[value] for value in numbers))} of {int(sum(rows.values()))} values of column {name!r} are "
        f"numbers written as text{f'; {other} is not' if other else ''}: it is treated as text; to have it binned, "
        "convert it to numbers, with missing values for the rest."
    )
    return (Note("numbers_as_text", text, (name,)),)


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and isfinite(float(text))
    except ValueError:
        return False


def _check_level_count(name: str, n_levels: int, way_out: str) -> None:
    if n_levels > MAX_LEVELS:
        raise ValueError(
            f"column {name!r} must have at most {MAX_LEVELS} different values (missing counts as one); got {n_levels}: "
            f"{way_out}."
        )
