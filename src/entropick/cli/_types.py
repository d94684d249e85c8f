"""From columns of text to numbers and booleans; all rows of a column decide, whatever their order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from entropick.cli._numbers import find_numbers

if TYPE_CHECKING:
    import polars as pl

_LARGEST = 1.7e38  # of Int128; larger integers differ only as text


def typed_columns(
    read: Callable[[Sequence[int]], Iterator[pl.DataFrame]], names: Mapping[int, str], delimiter: str
) -> Iterator[tuple[pl.Series, str | None]]:
    """The columns at the given positions, each with a note about it or None.

    Parameters
    ----------
    read : callable
        Yields the text of the columns at some positions, in parts. It is called again for columns where a later part
        does not fit the earlier ones.
    names : mapping of int to str
        Column names by position, in ascending order.
    delimiter : str
        The delimiter of the file; if it is a comma, a decimal comma is less likely.
    """
    import polars as pl

    columns = {str(place): _Column() for place in names}
    for part in read(list(names)):
        casts = {name: column.dtype for name, column in columns.items() if column.dtype.is_numeric()}
        values = part.select(pl.col(name).cast(dtype, strict=False) for name, dtype in casts.items())
        for name, column in columns.items():
            column.add(part[name], values[name] if name in casts else None)
    late = [place for place in names if columns[str(place)].is_late]
    for part in read(late) if late else ():
        for place in late:
            columns[str(place)].parts.append(part[str(place)])
    for place, name in names.items():
        column = columns.pop(str(place))
        whole = pl.concat(column.parts, rechunk=False).alias(name)
        if whole.dtype == pl.String:
            yield find_numbers(whole, delimiter)
        else:
            yield whole.cast(pl.String) if whole.dtype == pl.Null else whole, None


class _Column:
    """The parts of a column so far, all of one type: the first on the ladder that holds every value."""

    def __init__(self) -> None:
        import polars as pl

        self.dtype: pl.DataType | type[pl.DataType] = pl.Null
        self.parts: list[pl.Series] = []
        self.is_late = False  # the text of earlier parts is gone and must be read again

    def add(self, text: pl.Series, values: pl.Series | None) -> None:
        """Add a part; ``values`` are its numbers if the type so far is numeric, null where they do not fit."""
        import polars as pl

        if self.is_late:
            return
        if values is None or not _all_fit(text, values):
            values = text if self.dtype == pl.String else _narrowest(text, self.dtype)
        if values.dtype != self.dtype:
            self._change(values.dtype)
        if not self.is_late:
            self.parts.append(values)

    def _change(self, dtype: pl.DataType) -> None:
        import polars as pl

        self.is_late = dtype == pl.String and self.dtype != pl.Null
        self.parts = [] if self.is_late else [part.cast(dtype) for part in self.parts]
        self.dtype = dtype


def _narrowest(text: pl.Series, before: pl.DataType | type[pl.DataType]) -> pl.Series:
    """The values as the first type on the ladder that holds them and the earlier ones."""
    import polars as pl

    if text.null_count() == len(text):
        return pl.Series(text.name, [None] * len(text), dtype=before)
    ladder: list[pl.DataType | type[pl.DataType]] = [pl.Int64, pl.Int128, pl.Float64]
    first = ladder.index(before) + 1 if before in ladder else 0 if before == pl.Null else len(ladder)
    for dtype in ladder[first:]:
        values = text.cast(dtype, strict=False)
        if _all_fit(text, values):
            return values
    is_truth = before in (pl.Null, pl.Boolean) and text.str.contains(r"^(?i:true|false)$").all()
    return text.str.to_lowercase() == "true" if is_truth else text


def _all_fit(text: pl.Series, values: pl.Series) -> bool:
    """Whether every text has a value, and no number says less than its text."""
    if values.null_count() != text.null_count():
        return False
    if not values.dtype.is_float() or values.null_count() == len(values):
        return True
    if math.isnan(values.sum()):
        return not values.is_nan().any()
    return max(-float(values.min()), float(values.max())) < _LARGEST  # type: ignore[arg-type]
