"""Reading a table of any kind column by column: frames (through narwhals), arrays, sparse matrices and lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import _safe_indexing

from entropick.encode._binning import as_floats
from entropick.encode._raw import EXACT, RawColumn
from entropick.encode._read import read_array, read_series

_SMALL = 1_000_000  # cells of a table whose columns are kept once they have been read


@dataclass(frozen=True)
class Source:
    """A table whose columns can be read one at a time."""

    names: tuple[str, ...]
    n_rows: int
    data: Any
    native: Any  # the frame as it came, or the array
    what: str = "X"  # its name in errors
    kept: dict[int, RawColumn] = field(default_factory=dict, repr=False, compare=False)  # see _is_fixed

    def __getitem__(self, j: int) -> RawColumn:
        """Column j."""
        if j in self.kept:
            return self.kept[j]
        column = self._read(j)
        if self._is_fixed and self.n_rows * len(self.names) <= _SMALL:
            self.kept[j] = column
        return column

    @property
    def _is_fixed(self) -> bool:
        """Whether nobody can change the values: those of pandas and NumPy may be others tomorrow."""
        if not isinstance(self.data, nw.DataFrame):
            return False
        return self.data.implementation.is_polars() or self.data.implementation.is_pyarrow()

    def _read(self, j: int) -> RawColumn:
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
        """The columns in order, each read on request."""
        return map(self.__getitem__, range(len(self.names)))


def as_frame(X: Any) -> Any:
    """A pyarrow record batch or array as the table or series that narwhals reads; anything else unchanged."""
    arrow = nw.dependencies.get_pyarrow()
    if arrow is not None and isinstance(X, arrow.RecordBatch):
        return arrow.Table.from_batches([X])
    if arrow is not None and isinstance(X, arrow.Array):
        return arrow.chunked_array([X])
    return X


def is_frame(X: object) -> bool:
    """Whether X is a data frame: pandas, polars, pyarrow or another that narwhals reads."""
    try:
        return isinstance(nw.from_native(as_frame(X), pass_through=True), nw.DataFrame | nw.LazyFrame)
    except nw.exceptions.DuplicateError:
        return True


def read_source(X: Any, name: str = "X") -> Source:
    """The columns of X, whatever it is; one- or two-dimensional.

    Parameters
    ----------
    X : data frame, series, array, sparse matrix or nested list
        A one-dimensional X is one column.
    name : str
        What to call X in errors.
    """
    try:
        frame = nw.from_native(_frame_with_text_names(as_frame(X), name), pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"column names must be unique; those of {name} are not: rename or drop columns.") from error
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"{name} must be a table in memory; got a lazy frame: call .collect() on it first.")
    if isinstance(frame, nw.Series):
        frame = frame.alias(str(frame.name or name)).to_frame()
        X = frame.to_native()
    if isinstance(frame, nw.DataFrame):
        return Source(tuple(frame.columns), frame.shape[0], frame, X, name)
    X = X if sparse.issparse(X) else as_array(X, name)
    if X.ndim not in (1, 2) or (X.ndim == 1 and sparse.issparse(X)):
        raise ValueError(
            f"{name} must be a table of rows and columns, or one column; got {type(X).__name__} of {X.ndim} dimensions."
        )
    if X.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must hold real numbers, strings or dates.")
    X = X.tocsc() if sparse.issparse(X) else X[:, None] if X.ndim == 1 else X
    return Source(tuple(f"x{j}" for j in range(X.shape[1])), X.shape[0], X, X, name)


def as_array(X: Any, name: str = "X") -> NDArray[Any]:
    """X as an array; a list of numbers and strings keeps its numbers, masked entries are missing."""
    if isinstance(X, str | bytes | dict | set | frozenset) or X is None:
        raise ValueError(
            f"{name} must be a table or a column of values; got {type(X).__name__}: pass the values themselves."
        )
    if isinstance(X, np.ma.MaskedArray):
        numeric = X.dtype.kind in "iuf" and not (X.dtype.kind in "iu" and _has_gaps(X.data))
        array = X.data.astype(np.float64 if numeric else object)
        array[np.ma.getmaskarray(X)] = np.nan if numeric else None
        return np.asarray(array)
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(
            f"{name} must have the same number of values in every row; got rows of different lengths."
        ) from error
    if not isinstance(X, np.ndarray) and (array.dtype.kind in "US" or (array.dtype.kind == "f" and _has_gaps(array))):
        return np.asarray(X, dtype=object)  # numbers next to strings, and large integers next to NaN, stay as they are
    return array


def _has_gaps(array: NDArray[Any]) -> bool:
    """Whether any numbers are so large that floats skip integers."""
    return bool((array >= EXACT).any() or (array <= -EXACT).any())


def _frame_with_text_names(X: Any, name: str) -> Any:
    """X, with the column names of a pandas frame converted to text and checked for duplicates."""
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


def numbers_of(X: Any, codes: Sequence[NDArray[np.integer]]) -> Iterator[NDArray[np.float64]]:
    """The columns of X as numbers, with NaN for missing; a column that is not numeric is replaced by its codes.

    Integers too large for floats are counted from the smallest, so that they stay distinct.
    """
    for column, code in zip(read_source(X), codes, strict=True):
        if column.numbers is None:
            yield code.astype(np.float64)
        elif column.exact is None:
            yield column.numbers
        else:
            numbers = column.numbers.copy()
            numbers[~column.missing] = as_floats(column.present.astype(object) - min(column.present))
            yield numbers


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of a table or a target, as the same kind of thing."""
    return _safe_indexing(X if hasattr(X, "__getitem__") else np.asarray(X), rows)


def take_columns(X: Any, chosen: NDArray[np.int64]) -> Any:
    """Some columns of a table, as the same kind of table."""
    if hasattr(X, "iloc"):
        return X.iloc[:, chosen]
    if as_frame(X) is not X:
        return X.select(chosen.tolist())
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[:, chosen.tolist()].to_native()
    return X[:, chosen]
