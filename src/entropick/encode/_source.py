"""Reading a table of any kind column by column: frames through narwhals, arrays, sparse matrices, lists."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

_SCALARS = (str, bytes, date, time, timedelta)  # a datetime is a date


class ColumnWarning(UserWarning):
    """A column could be read only after a decision that its owner should know of."""


@dataclass(frozen=True)
class RawColumn:
    """One column as it came: numbers with NaN for missing, or hashable values with None for missing."""

    name: str
    numbers: NDArray[np.float64] | None = None
    values: list[Any] | None = None

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.values or ()) if self.numbers is None else len(self.numbers)


@dataclass(frozen=True)
class Source:
    """A table whose columns can be read one at a time."""

    names: tuple[str, ...]
    n_rows: int
    data: Any

    def __iter__(self) -> Iterator[RawColumn]:
        """The columns in their order, each read when it is asked for."""
        for j, name in enumerate(self.names):
            if isinstance(self.data, nw.DataFrame):
                yield read_series(self.data[name], name)
            elif sparse.issparse(self.data):
                yield read_array(self.data[:, [j]].toarray().ravel(), name)
            else:
                yield read_array(self.data[:, j], name)


def is_frame(X: object) -> bool:
    """Whether X is a data frame that narwhals reads: pandas, polars, pyarrow and others."""
    if nw.dependencies.is_pandas_like_dataframe(X):
        return True  # also one with names that narwhals refuses
    return isinstance(nw.from_native(X, pass_through=True), nw.DataFrame | nw.LazyFrame)


def read_source(X: Any, name: str = "X") -> Source:
    """The columns of X, one or two-dimensional, whatever it is.

    Parameters
    ----------
    X : data frame, series, array, sparse matrix or nested list
        A one-dimensional X is one column.
    name : str
        What to call X in errors.
    """
    frame = nw.from_native(_frame_with_text_names(X, name), pass_through=True, allow_series=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"{name} must be a table in memory; got a lazy frame: call .collect() on it first.")
    if isinstance(frame, nw.Series):
        frame = frame.alias(str(frame.name or name)).to_frame()
    if isinstance(frame, nw.DataFrame):
        return Source(tuple(frame.columns), frame.shape[0], frame)
    if sparse.issparse(X):
        X = X.tocsc()
    else:
        X = as_array(X)
        X = X[:, None] if X.ndim == 1 else X
        if X.ndim != 2:
            raise ValueError(f"{name} must be a table of rows and columns; got an array of {X.ndim} dimensions.")
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must hold real numbers, strings or dates.")
    return Source(tuple(f"x{j}" for j in range(X.shape[1])), X.shape[0], X)


def as_array(X: Any) -> NDArray[Any]:
    """X as an array; a list of numbers and strings keeps its numbers."""
    array = np.asarray(X)
    if array.dtype.kind in "US" and not isinstance(X, np.ndarray):
        return np.asarray(X, dtype=object)
    return array


def _frame_with_text_names(X: Any, name: str) -> Any:
    """X, with the column names of a pandas frame made text, after a look at duplicates."""
    if not nw.dependencies.is_pandas_like_dataframe(X):
        return X
    repeated = [column for column, times in Counter(map(str, X.columns)).items() if times > 1]
    if repeated:
        raise ValueError(
            f"column names must be unique; {name} has more than one column named {repeated[0]!r}: rename or drop them."
        )
    if all(isinstance(column, str) for column in X.columns):
        return X
    X = X.copy(deep=False)
    X.columns = [str(column) for column in X.columns]
    return X


def read_series(series: nw.Series[Any], name: str) -> RawColumn:
    """A column of a frame."""
    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        return RawColumn(name, numbers=_finite(_series_to_floats(series), name))
    if dtype == nw.Object or dtype == nw.Unknown:
        return read_objects(series.to_list(), name)
    missing = series.is_null().to_numpy()
    values = series.to_list()
    if missing.any():
        values = [None if gone else value for gone, value in zip(missing, values, strict=True)]
    if dtype.is_nested():
        return _as_text(values, name, "nested values")
    return RawColumn(name, values=values)


def _series_to_floats(series: nw.Series[Any]) -> NDArray[np.float64]:
    missing = series.is_null().to_numpy()
    if not missing.any():
        return np.asarray(series.to_numpy(), dtype=np.float64)
    numbers = np.full(len(series), np.nan)
    numbers[~missing] = np.asarray(series.drop_nulls().to_numpy(), dtype=np.float64)
    return numbers


def read_array(column: NDArray[Any], name: str) -> RawColumn:
    """A column of an array."""
    kind = column.dtype.kind
    if kind in "biuf":
        return RawColumn(name, numbers=_finite(column.astype(np.float64), name))
    if kind in "mM":
        ticks = column.astype(np.int64).tolist()
        return RawColumn(name, values=[None if gone else t for gone, t in zip(np.isnat(column), ticks, strict=True)])
    return read_objects(column.tolist(), name)


def read_objects(values: list[Any], name: str) -> RawColumn:
    """A column of Python objects: numbers, strings or dates if all are of that kind, else text."""
    values = [None if _is_missing(value) else value for value in values]
    kinds = {type(value) for value in values if value is not None}
    if all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds):
        numbers = np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
        return RawColumn(name, numbers=_finite(numbers, name))
    if len(kinds) == 1 and issubclass(kinds.copy().pop(), _SCALARS):
        return RawColumn(name, values=values)
    return _as_text(values, name, "values of " + " and ".join(sorted(kind.__name__ for kind in kinds)))


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """Distinct values sorted, those of one type together."""
    return tuple(sorted(values, key=lambda value: (type(value).__name__, value)))


def _as_text(values: list[Any], name: str, what: str) -> RawColumn:
    warnings.warn(
        f"column {name!r} holds {what}; they are taken as strings: convert the column to one type to choose yourself.",
        ColumnWarning,
        stacklevel=2,
    )
    return RawColumn(name, values=[None if value is None else str(value) for value in values])


def _is_missing(value: object) -> bool:
    """None, NaN, NaT and pandas' NA: the values that are not equal to themselves, or say neither yes nor no."""
    if value is None:
        return True
    if isinstance(value, str):
        return False
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value; an array has too many
        return type(value).__name__ == "NAType"


def _finite(numbers: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    infinite = int(np.isinf(numbers).sum())
    if infinite:
        raise ValueError(
            f"column {name!r} must hold finite numbers or missing values; got infinity in {infinite} of "
            f"{len(numbers)} rows: replace it by a number or by NaN."
        )
    return numbers
