"""Reading a table of any kind column by column: frames through narwhals, arrays, sparse matrices, lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from entropick._arguments import warn

_SCALARS = (str, bytes, date, time, timedelta)  # a datetime is a date


class ColumnWarning(UserWarning):
    """A column could be read only after a decision that its owner should know of."""


@dataclass(frozen=True)
class RawColumn:
    """One column as it came: numbers with NaN for missing, or the place of each value among the distinct ones.

    The distinct values are hashable and in no order; a missing value has the place −1.
    """

    name: str
    numbers: NDArray[np.float64] | None = None
    distinct: Sequence[Any] = ()
    places: NDArray[np.integer] = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @classmethod
    def of_values(cls, name: str, values: list[Any]) -> RawColumn:
        """A column of hashable values, None for missing."""
        distinct = [value for value in dict.fromkeys(values) if value is not None]
        place_of: dict[Any, int] = {value: place for place, value in enumerate(distinct)}
        place_of[None] = -1
        places = np.fromiter(map(place_of.__getitem__, values), np.int64, len(values))
        return cls(name, distinct=distinct, places=places)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        return self.places < 0 if self.numbers is None else np.isnan(self.numbers)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The place of each value among the distinct ones in order, −1 where it is missing; not for numbers."""
        rank_of = {value: rank for rank, value in enumerate(in_order(self.distinct))}
        return np.take([*(rank_of[value] for value in self.distinct), -1], self.places)

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.places) if self.numbers is None else len(self.numbers)


@dataclass(frozen=True)
class Source:
    """A table whose columns can be read one at a time."""

    names: tuple[str, ...]
    n_rows: int
    data: Any
    what: str = "X"  # its name in errors

    def __getitem__(self, j: int) -> RawColumn:
        """Column j."""
        name = self.names[j]
        if isinstance(self.data, nw.DataFrame):
            return read_series(self.data[name], name)
        values = self.data[:, [j]].toarray().ravel() if sparse.issparse(self.data) else self.data[:, j]
        return read_array(values, name)

    def check_rows(self, n_classes: int) -> None:
        """Raise a ValueError unless there are columns, rows, and as many rows as classes."""
        if not self.names:
            raise ValueError(f"{self.what} must have at least one column; got a table with 0 feature(s).")
        if self.n_rows == 0:
            raise ValueError(f"{self.what} must have at least one row; got a table with 0 sample(s).")
        if self.n_rows != n_classes:
            raise ValueError(
                f"{self.what} and y must have the same number of rows; {self.what} has {self.n_rows} and y has "
                f"{n_classes}."
            )

    def __iter__(self) -> Iterator[RawColumn]:
        """The columns in their order, each read when it is asked for."""
        return map(self.__getitem__, range(len(self.names)))


def is_frame(X: object) -> bool:
    """Whether X is a data frame that narwhals reads: pandas, polars, pyarrow and others."""
    try:
        return isinstance(nw.from_native(X, pass_through=True), nw.DataFrame | nw.LazyFrame)
    except nw.exceptions.DuplicateError:
        return True


def read_source(X: Any, name: str = "X") -> Source:
    """The columns of X, one or two-dimensional, whatever it is.

    Parameters
    ----------
    X : data frame, series, array, sparse matrix or nested list
        A one-dimensional X is one column.
    name : str
        What to call X in errors.
    """
    try:
        frame = nw.from_native(_frame_with_text_names(X, name), pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"column names must be unique; those of {name} are not: rename or drop columns.") from error
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"{name} must be a table in memory; got a lazy frame: call .collect() on it first.")
    if isinstance(frame, nw.Series):
        frame = frame.alias(str(frame.name or name)).to_frame()
    if isinstance(frame, nw.DataFrame):
        return Source(tuple(frame.columns), frame.shape[0], frame, name)
    X = X if sparse.issparse(X) else as_array(X, name)
    if X.ndim not in (1, 2) or (X.ndim == 1 and sparse.issparse(X)):
        raise ValueError(
            f"{name} must be a table of rows and columns, or one column; got {type(X).__name__} of {X.ndim} dimensions."
        )
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must hold real numbers, strings or dates.")
    X = X.tocsc() if sparse.issparse(X) else X[:, None] if X.ndim == 1 else X
    return Source(tuple(f"x{j}" for j in range(X.shape[1])), X.shape[0], X, name)


def as_array(X: Any, name: str = "X") -> NDArray[Any]:
    """X as an array; a list of numbers and strings keeps its numbers, masked entries are missing."""
    if isinstance(X, str | bytes | dict | set | frozenset) or X is None:
        raise ValueError(
            f"{name} must be a table or a column of values; got {type(X).__name__}: pass the values themselves."
        )
    if isinstance(X, np.ma.MaskedArray):
        numeric = X.dtype.kind in "iuf"
        array = X.data.astype(np.float64 if numeric else object)
        array[np.ma.getmaskarray(X)] = np.nan if numeric else None
        return np.asarray(array)
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(
            f"{name} must have the same number of values in every row; got rows of different lengths."
        ) from error
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
    if dtype in (nw.Int128, nw.UInt128) and series.n_unique() > series.cast(nw.Float64).n_unique():
        return RawColumn.of_values(name, _with_none(series))  # integers that floats cannot tell apart
    if dtype.is_numeric():
        return _from_numbers(*_series_to_floats(series), name)
    if dtype == nw.Object or dtype == nw.Unknown:
        return read_objects(series.to_list(), name)
    if dtype.is_nested():
        return _as_text(_with_none(series), name, "nested values")
    if dtype == nw.Boolean:
        numbers, _ = _series_to_floats(series.cast(nw.Int8))
        present = [value for value in (False, True) if (numbers == value).any()]
        places = np.nan_to_num(numbers - (present == [True]), nan=-1.0)
        return RawColumn(name, distinct=present, places=places.astype(np.int64))
    native = series.to_native()
    if series.implementation.is_pandas():
        places, distinct = nw.dependencies.get_pandas().factorize(native)
        return RawColumn(name, distinct=distinct.tolist(), places=places)
    if series.implementation.is_polars() and dtype in (nw.String, nw.Categorical, nw.Enum):
        polars = nw.dependencies.get_polars()
        text = native.cast(polars.String)
        distinct = text.drop_nulls().unique()
        # The codes of an enumeration are the places of its values.
        places = text.cast(polars.Enum(distinct)).to_physical().cast(polars.Int64).fill_null(-1).to_numpy()
        return RawColumn(name, distinct=distinct.to_list(), places=places)
    return RawColumn.of_values(name, _with_none(series))


def _with_none(series: nw.Series[Any]) -> list[Any]:
    """The values, None for those that are missing."""
    missing = series.is_null().to_numpy()
    values = series.to_list()
    if not missing.any():
        return values
    return [None if gone else value for gone, value in zip(missing, values, strict=True)]


def _series_to_floats(series: nw.Series[Any]) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """The column with NaN for missing, and its values that are present as they came."""
    missing = series.is_null().to_numpy()
    present = series.drop_nulls() if missing.any() else series
    if series.dtype in (nw.Int128, nw.UInt128, nw.Decimal):
        present = present.cast(nw.Float64)
    values = np.asarray(present.to_numpy())
    if not missing.any():
        return values.astype(np.float64), values
    numbers = np.full(len(series), np.nan)
    numbers[~missing] = values
    return numbers, values


def _from_numbers(numbers: NDArray[np.float64], values: NDArray[Any], name: str) -> RawColumn:
    """A column of numbers; integers that floats cannot tell apart are kept as they are."""
    large = values.dtype.kind in "iu" and np.abs(values.astype(np.float64)).max(initial=0) > 2**53
    if large and len(np.unique(values)) > len(np.unique(values.astype(np.float64))):
        given = iter(values.tolist())
        return RawColumn.of_values(name, [None if np.isnan(number) else next(given) for number in numbers])
    return RawColumn(name, numbers=_finite(numbers, name))


def read_array(column: NDArray[Any], name: str) -> RawColumn:
    """A column of an array."""
    kind = column.dtype.kind
    if kind in "iuf":
        return _from_numbers(column.astype(np.float64), column, name)
    if kind in "mM":
        return RawColumn.of_values(name, [None if np.isnat(value) else value for value in column])
    return read_objects(column.tolist(), name)


def read_objects(values: list[Any], name: str) -> RawColumn:
    """A column of Python objects: numbers, booleans, strings or dates if all are of that kind, else text."""
    values = [None if _is_missing(value) else value for value in values]
    kinds = {type(value) for value in values if value is not None}
    if kinds and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return RawColumn.of_values(name, values)
    if all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds):
        try:
            numbers = np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
        except OverflowError:
            return RawColumn.of_values(name, values)
        integers = {value for value in values if isinstance(value, int)}
        if max(map(abs, integers), default=0) > 2**53 and len({float(value) for value in integers}) < len(integers):
            return RawColumn.of_values(name, values)
        return RawColumn(name, numbers=_finite(numbers, name))
    if len(kinds) == 1 and issubclass(kinds.copy().pop(), _SCALARS):
        return RawColumn.of_values(name, values)
    named = sorted(kind.__name__ for kind in kinds)
    more = f" and {len(named) - 3} more types" if len(named) > 3 else ""
    return _as_text(values, name, "values of " + " and ".join(named[:3]) + more)


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """Distinct values sorted, those of one type together."""
    values = list(values)
    try:
        return tuple(sorted(values, key=lambda value: (type(value).__name__, value)))
    except TypeError:  # such as times with and without a zone
        return tuple(sorted(values, key=lambda value: (type(value).__name__, str(value))))


def _as_text(values: list[Any], name: str, what: str) -> RawColumn:
    warn(
        f"column {name!r} holds {what}; they are taken as strings: convert the column to one type to choose yourself.",
        ColumnWarning,
    )
    return RawColumn.of_values(name, [None if value is None else str(value) for value in values])


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
    except ArithmeticError:  # a signalling NaN
        return True


def _finite(numbers: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    infinite = int(np.isinf(numbers).sum())
    if infinite:
        raise ValueError(
            f"column {name!r} must hold finite numbers or missing values; got infinity in {infinite} of "
            f"{len(numbers)} rows: replace it or drop those rows."
        )
    return numbers


def numbers_of(X: Any, codes: Sequence[NDArray[np.integer]]) -> Iterator[NDArray[np.float64]]:
    """The columns of X as numbers with NaN for missing; a column of anything else is its codes."""
    for column, code in zip(read_source(X), codes, strict=True):
        yield code.astype(np.float64) if column.numbers is None else column.numbers


def take_columns(X: Any, chosen: NDArray[np.int64]) -> Any:
    """Some columns of a table, as a table of the same kind."""
    if hasattr(X, "iloc"):
        return X.iloc[:, chosen]
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[:, chosen.tolist()].to_native()
    return X[:, chosen]
