"""What has to be known of a column before its values get codes, added up over chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from entropick.encode import MAX_LEVELS, RawColumn
from entropick.notes import Note
from entropick.shards._chunks import Chunk

MOST_NUMBERS = 100  # different ones that are kept
_FIRST = 1000  # rows that usually show whether there are more


@dataclass(frozen=True)
class Summary:
    """A column in some rows.

    Attributes
    ----------
    n_rows, n_missing : int
        The number of rows, and of those without a value.
    are_numbers : bool
        Whether its values are numbers; also if there are none.
    are_text : bool
        Whether they are strings that were not declared as categories.
    are_whole, are_large : bool
        Whether all numbers are whole, and whether some are whole and too large for floats, so that those of all rows
        must be looked at together.
    low, high : float
        The least and the largest number.
    rows : dict or None
        The different values, and how many rows have each; None if there are too many.
    are_different : bool
        Whether no two rows are known to have the same value.
    notes : tuple of Note
        About how it was read.
    place : str
        Where it was first seen with a value.
    """

    name: str
    n_rows: int
    n_missing: int
    are_numbers: bool
    are_text: bool
    are_whole: bool
    are_large: bool
    low: float
    high: float
    rows: dict[Any, int] | None
    are_different: bool
    notes: tuple[Note, ...]
    place: str

    @property
    def are_exact(self) -> bool:
        """Whether its numbers are whole ones that floats cannot tell apart; beside fractions they are floats."""
        return self.are_large and self.are_whole

    @property
    def n_present(self) -> int:
        """How many rows have a value."""
        return self.n_rows - self.n_missing

    @classmethod
    def of(cls, column: RawColumn, place: str) -> Summary:
        """That of a column in the rows of one chunk."""
        n_missing = int(column.missing.sum())
        low, high, are_whole = np.inf, -np.inf, True
        rows: dict[Any, int] | None
        if column.numbers is None:
            rows = column.rows_of_values
            n_different = len(rows)
            rows = rows if n_different <= MAX_LEVELS else None
        else:
            x = column.numbers[~column.missing]
            low, high = float(x.min(initial=np.inf)), float(x.max(initial=-np.inf))
            are_whole = bool((x == np.floor(x)).all())
            rows, n_different = None, len(x)
            if column.exact is None and len(np.unique(x[:_FIRST])) <= MOST_NUMBERS:
                values, times = np.unique(x, return_counts=True)
                n_different = len(values)
                if n_different <= MOST_NUMBERS:
                    rows = dict(zip(values.tolist(), times.tolist(), strict=True))
        are_different = n_different == len(column) - n_missing
        return cls(
            column.name,
            len(column),
            n_missing,
            column.numbers is not None,
            column.is_text,
            are_whole,
            column.exact is not None,
            low,
            high,
            rows,
            are_different,
            column.notes,
            place,
        )

    def __add__(self, other: Summary) -> Summary:
        """That of both chunks."""
        if not other.n_present or not self.n_present:
            known, empty = (self, other) if self.n_present else (other, self)
            return replace(known, n_rows=known.n_rows + empty.n_rows, n_missing=known.n_missing + empty.n_rows)
        if self.are_numbers != other.are_numbers:
            kinds = {True: "numbers", False: "other values"}
            raise ValueError(
                f"a column must hold the same in all rows; {self.name!r} holds {kinds[self.are_numbers]} in "
                f"{self.place} and {kinds[other.are_numbers]} in {other.place}: convert it to one of them."
            )
        rows = _together(self.rows, other.rows, MOST_NUMBERS if self.are_numbers else MAX_LEVELS)
        overlap = rows is not None and self.rows is not None and other.rows is not None
        overlap = overlap and len(rows or ()) < len(self.rows or ()) + len(other.rows or ())
        return replace(
            self,
            n_rows=self.n_rows + other.n_rows,
            n_missing=self.n_missing + other.n_missing,
            are_text=self.are_text and other.are_text,
            are_whole=self.are_whole and other.are_whole,
            are_large=self.are_large or other.are_large,
            low=min(self.low, other.low),
            high=max(self.high, other.high),
            rows=rows,
            are_different=self.are_different and other.are_different and not overlap,
            notes=self.notes or other.notes,
        )


def _together(first: dict[Any, int] | None, second: dict[Any, int] | None, most: int) -> dict[Any, int] | None:
    if first is None or second is None:
        return None
    rows = {**first, **{value: first.get(value, 0) + times for value, times in second.items()}}
    return rows if len(rows) <= most else None


def summarise(chunk: Chunk, names: Sequence[str]) -> list[Summary]:
    """Some columns of a chunk."""
    return [Summary.of(column, chunk.place) for column in chunk.source(names)]
