"""One column: which value gets which code."""

from __future__ import annotations

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
        return _fit_values(column, as_is)
    x = column.present
    levels = _integer_levels(x, None if as_is else MAX_INTEGER_LEVELS)
    if levels is not None:
        _check_level_count(column.name, len(levels) + int(column.has_missing), "group its values")
        return ColumnEncoder(column.name, "levels", levels=tuple(levels.tolist()), n_codes=len(levels))
    if not as_is and not column.has_missing and _numbers_rows(x):
        text = (
            f"column {column.name!r} numbers the rows, from {int(x.min())} to {int(x.max())}: that says nothing about "
            "other rows, so it cannot be selected."
        )
        return ColumnEncoder(column.name, "id", notes=(Note("row_number", text, (column.name,)),))
    binner = fit_bins(x, binning, n_bins, classes[~column.missing])
    n_codes = int(binner(x.max(keepdims=True))[0]) + 1  # bin numbers rise with x
    _check_level_count(column.name, n_codes + int(column.has_missing), "use fewer bins, or another binning")
    return ColumnEncoder(column.name, "bins", binner=binner, n_codes=n_codes)


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
    """Whether the values are row numbers, perhaps of a part of the rows: small whole numbers that are all different."""
    if len(x) <= _FEW_ROWS or x.min() < 0 or x.max() >= _ROW_NUMBERS * len(x):
        return False
    places = x.astype(np.int64)
    return bool((places == x).all() and np.bincount(places).max() == 1)


def _distinct_integers(x: NDArray[Any]) -> NDArray[Any]:
    if x.dtype == np.float64:
        low = float(x.min())
        if float(x.max()) - low < MAX_LEVELS:  # counting is faster than sorting
            return np.asarray(np.flatnonzero(np.bincount((x - low).astype(np.int64))) + low)
    return np.unique(x)


def _fit_values(column: RawColumn, as_is: bool) -> ColumnEncoder:
    n_distinct = len(column.distinct)
    notes: tuple[Note, ...] = ()
    if not as_is:
        if column.is_text and n_distinct > MAX_INTEGER_LEVELS:
            notes = _note_numbers(column)
        if MAX_INTEGER_LEVELS < n_distinct == len(column) - int(column.missing.sum()):
            return _without_values(column, "id", notes)
        if n_distinct + int(column.has_missing) > MAX_LEVELS:
            return _without_values(column, "crowded", notes)
    _check_level_count(column.name, n_distinct + int(column.has_missing), "drop it or group its values")
    levels = in_order(column.distinct)
    return ColumnEncoder(column.name, "levels", levels=levels, n_codes=n_distinct, notes=notes)


def _without_values(column: RawColumn, kind: str, notes: tuple[Note, ...]) -> ColumnEncoder:
    """A column with too many values to carry information: only whether there is a value is used."""
    n = len(column.distinct)
    has = f"column {column.name!r} has "
    if kind == "crowded":
        has += f"{n} different values, more than the {MAX_LEVELS} allowed (missing counts as one): "
        note = "it cannot be selected; drop it or group its values."
    else:
        has += f"a different value in each of {'the' if column.has_missing else 'its'} {n} rows"
        has += " where it is present: " if column.has_missing else ": "
        note = (
            "it looks like an id, says nothing about other rows and cannot be selected; drop it, or convert it to "
            "numbers if it holds numbers."
        )
    if column.has_missing:
        kind, note = (
            "presence",
            "only whether it is missing is used; to use more, group its values or convert it to numbers.",
        )
    return ColumnEncoder(column.name, kind, notes=(*notes, Note(kind, has + note, (column.name,))))


def _note_numbers(column: RawColumn) -> tuple[Note, ...]:
    """A note that a column of text is mostly numbers, unless they begin with zeros, as codes do."""
    texts = [str(value).strip() for value in column.distinct]
    are_numbers = np.fromiter(map(_is_number, texts), np.bool_, len(texts))
    if 2 * are_numbers.sum() <= len(texts):
        return ()
    if any(text.lstrip("+-")[:1] == "0" and text.lstrip("+-")[1:2].isdigit() for text in texts):
        return ()
    rows = np.bincount(column.places[column.places >= 0], minlength=len(texts))
    other = next((repr(value) for value, is_one in zip(column.distinct, are_numbers, strict=True) if not is_one), None)
    text = (
        f"{int(rows[are_numbers].sum())} of {int(rows.sum())} values of column {column.name!r} are numbers written as "
        f"text{f'; {other} is not' if other else ''}: it is treated as text; to have it binned, convert it to numbers, "
        "with missing values for the rest."
    )
    return (Note("numbers_as_text", text, (column.name,)),)


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
