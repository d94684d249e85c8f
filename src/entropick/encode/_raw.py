"""One column as it came, before deciding how to encode it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from sys import float_info
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.notes import Note

EXACT = 2**53  # from here on, not every whole number is a float


class ColumnWarning(UserWarning):
    """A column was read or encoded in a way that its owner should know about."""


@dataclass(frozen=True)
class RawColumn:
    """Numbers with NaN for missing, or the place of each value among the distinct ones.

    The distinct values are hashable and in no particular order; a missing value has the place −1. Whole numbers too
    large for floats are also in ``exact``, as int64 or Python integers, with anything where one is missing.
    """

    name: str
    numbers: NDArray[np.float64] | None = None
    exact: NDArray[Any] | None = None
    distinct: Sequence[Any] = ()
    places: NDArray[np.integer] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    is_text: bool = False  # strings that were not declared as categories
    notes: tuple[Note, ...] = ()  # about how it was read

    @classmethod
    def of_values(cls, name: str, values: list[Any], is_text: bool = False, notes: tuple[Note, ...] = ()) -> RawColumn:
        """A column of hashable values, None for missing."""
        distinct = [value for value in dict.fromkeys(values) if value is not None]
        place_of: dict[Any, int] = {value: place for place, value in enumerate(distinct)}
        place_of[None] = -1
        places = np.fromiter(map(place_of.__getitem__, values), np.int64, len(values))
        return cls(name, distinct=distinct, places=places, is_text=is_text, notes=notes)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        return self.places < 0 if self.numbers is None else np.isnan(self.numbers)

    @cached_property
    def has_missing(self) -> bool:
        """Whether any row has no value."""
        return bool(self.missing.any())

    @cached_property
    def present(self) -> NDArray[Any]:
        """The numbers present, exact where floats would not be."""
        x = self.numbers if self.exact is None else self.exact
        if x is None:
            raise TypeError(f"column {self.name!r} does not hold numbers.")
        return x[~self.missing] if self.has_missing else x

    def as_numbers(self) -> NDArray[np.float64]:
        """The numbers; missing ones if it has no values, so that nobody knows that it is of numbers."""
        if self.numbers is None and not self.missing.all():
            raise TypeError(f"column {self.name!r} does not hold numbers.")
        return np.full(len(self), np.nan) if self.numbers is None else self.numbers

    def exactly(self, are_exact: bool) -> RawColumn:
        """The column with or without exact whole numbers, as further rows of it have them."""
        if are_exact is (self.exact is not None):
            return self
        if not are_exact:  # next to fractions, integers are only as exact as floats
            return replace(self, exact=None)
        numbers = self.as_numbers()
        return replace(self, numbers=numbers, exact=np.where(self.missing, 0.0, numbers).astype(np.int64))

    @property
    def rows_of_values(self) -> dict[Any, int]:
        """How many rows have each of the distinct values; not for numbers."""
        rows = np.bincount(self.places[self.places >= 0], minlength=len(self.distinct))
        return dict(zip(self.distinct, rows.tolist(), strict=True))

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The place of each value among the sorted distinct ones, −1 where it is missing; not for numbers."""
        rank_of = {value: rank for rank, value in enumerate(in_order(self.distinct))}
        return np.take([*(rank_of[value] for value in self.distinct), -1], self.places)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.places) if self.numbers is None else len(self.numbers)


def whole_numbers(values: Sequence[int]) -> NDArray[Any]:
    """Integers of any size in an array that holds each of them exactly.

    Examples
    --------
    >>> whole_numbers([1, 2]).dtype, whole_numbers([1, 2**63]).dtype
    (dtype('int64'), dtype('O'))
    """
    fits = not values or (min(values) >= -(2**63) and max(values) < 2**63)
    return np.array(values, dtype=np.int64 if fits else object)


def nearest_float(value: Any) -> float:
    """A number as a float; an integer too large becomes the largest float.

    Examples
    --------
    >>> nearest_float(10**400)
    1.7976931348623157e+308
    """
    try:
        return float(value)
    except OverflowError:
        return float_info.max if value > 0 else -float_info.max


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """Distinct values, sorted within each type."""
    values = list(values)
    try:
        return tuple(sorted(values, key=lambda value: (type(value).__name__, value)))
    except TypeError:  # such as times with and without a zone
        return tuple(sorted(values, key=lambda value: (type(value).__name__, str(value))))
