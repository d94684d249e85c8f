"""Reading one column of any kind: a series of a frame, a column of an array or a list of objects."""

from __future__ import annotations

from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Integral, Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from entropick.encode._raw import EXACT, RawColumn, nearest_float, whole_numbers
from entropick.notes import Note

_SCALARS = (str, bytes, date, time, timedelta)  # a datetime is a date
_WIDE = (nw.Int128, nw.UInt128, nw.Decimal)  # not in NumPy
_SECOND = 10**9  # in nanoseconds


def read_series(series: nw.Series[Any], name: str) -> RawColumn:
    """A column of a frame."""
    dtype = series.dtype
    if dtype.is_numeric():
        return _read_numbers(series, name)
    if dtype == nw.Object or dtype == nw.Unknown:
        return read_objects(series.to_list(), name)
    if dtype.is_nested():
        return _as_text(_with_none(series), name, "nested values")
    if dtype == nw.Boolean:
        numbers, _ = _series_to_floats(series.cast(nw.Int8))
        present = [value for value in (False, True) if (numbers == value).any()]
        places = np.nan_to_num(numbers - (present == [True]), nan=-1.0)
        return RawColumn(name, distinct=present, places=places.astype(np.int64))
    if dtype == nw.Time:
        return RawColumn.of_values(name, _clock_times(series))
    is_text = dtype == nw.String
    native = series.to_native()
    if series.implementation.is_pandas():
        places, distinct = nw.dependencies.get_pandas().factorize(native)
        return RawColumn(name, distinct=distinct.tolist(), places=places, is_text=is_text)
    if isinstance(dtype, nw.Datetime | nw.Duration) and dtype.time_unit == "ns":  # Python's stop at microseconds
        return read_array(series.to_numpy(), name)
    if series.implementation.is_polars() and dtype in (nw.String, nw.Categorical, nw.Enum):
        polars = nw.dependencies.get_polars()
        text = native.cast(polars.String)
        distinct = text.drop_nulls().unique()
        # The codes of an enumeration are the places of its values.
        places = text.cast(polars.Enum(distinct)).to_physical().cast(polars.Int64).fill_null(-1).to_numpy()
        return RawColumn(name, distinct=distinct.to_list(), places=places, is_text=is_text)
    return RawColumn.of_values(name, _with_none(series), is_text)


def _with_none(series: nw.Series[Any]) -> list[Any]:
    """The values, with None for missing ones."""
    missing = series.is_null().to_numpy()
    values = series.to_list()
    if not missing.any():
        return values
    return [None if gone else value for gone, value in zip(missing, values, strict=True)]


def _clock_times(series: nw.Series[Any]) -> list[str | None]:
    """Times of day as text, because Python's have no nanoseconds."""
    native = series.to_native()
    if series.implementation.is_polars():
        ticks = native.to_physical().to_list()
    else:
        arrow = nw.dependencies.get_pyarrow()
        ticks = arrow.array(native).cast(arrow.time64("ns")).cast(arrow.int64()).to_pylist()
    return [None if tick is None else _clock_time(tick) for tick in ticks]


def _clock_time(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, _SECOND)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{clock}.{rest:09}".rstrip("0") if rest else clock


def _read_numbers(series: nw.Series[Any], name: str) -> RawColumn:
    numbers, values = _series_to_floats(series)
    if series.dtype in _WIDE and _is_large(numbers[~np.isnan(numbers)]):
        return read_objects(_with_none(series), name)
    return _from_numbers(numbers, values, name)


def _series_to_floats(series: nw.Series[Any]) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """The column with NaN for missing, and the values present as they came."""
    missing = series.is_null().to_numpy()
    present = series.drop_nulls() if missing.any() else series
    if series.dtype in _WIDE:
        present = present.cast(nw.Float64)
    values = np.asarray(present.to_numpy())
    if not missing.any():
        return values.astype(np.float64), values
    numbers = np.full(len(series), np.nan)
    numbers[~missing] = values
    return numbers, values


def _from_numbers(numbers: NDArray[np.float64], values: NDArray[Any], name: str) -> RawColumn:
    """A column of numbers; ``values`` are those present, as they came."""
    if values.dtype.kind == "f":
        return RawColumn(name, numbers=_finite(numbers, name))
    if values.dtype.itemsize < 8 or not _is_large(values):
        return RawColumn(name, numbers=numbers)
    fits = values.dtype.kind == "i" or int(values.max()) < 2**63
    exact = np.zeros(len(numbers), dtype=np.int64 if fits else object)
    exact[~np.isnan(numbers)] = values
    return RawColumn(name, numbers=numbers, exact=exact)


def _is_large(values: NDArray[Any]) -> bool:
    """Whether any numbers are so large that floats skip integers."""
    return len(values) > 0 and (int(values.max()) >= EXACT or int(values.min()) <= -EXACT)


def read_array(column: NDArray[Any], name: str) -> RawColumn:
    """A column of an array."""
    kind = column.dtype.kind
    if kind in "iuf":
        return _from_numbers(column.astype(np.float64), column, name)
    if kind in "mM":
        distinct, places = np.unique(column, return_inverse=True)
        places = np.where(np.isnat(column), -1, places.reshape(-1))
        return RawColumn(name, distinct=list(distinct[~np.isnat(distinct)]), places=places)
    return read_objects(column.tolist(), name)


def read_objects(values: list[Any], name: str) -> RawColumn:
    """A column of Python objects: numbers, booleans, strings or dates if all are of one kind, else text."""
    values = [None if _is_missing(value) else value for value in values]
    kinds = {type(value) for value in values if value is not None}
    if kinds and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        return RawColumn.of_values(name, values)
    if all(issubclass(kind, Real | Decimal | np.bool_) for kind in kinds):
        return _read_real_objects(values, name)
    if len(kinds) == 1 and issubclass(kinds.copy().pop(), _SCALARS):
        return RawColumn.of_values(name, values, is_text=isinstance(next(v for v in values if v is not None), str))
    named = sorted(kind.__name__ for kind in kinds)
    more = f" and {len(named) - 3} more types" if len(named) > 3 else ""
    return _as_text(values, name, "values of " + " and ".join(named[:3]) + more)


def _read_real_objects(values: list[Any], name: str) -> RawColumn:
    """A column of Python and NumPy numbers, of any size if all are whole."""
    numbers = np.array([np.nan if value is None else nearest_float(value) for value in values], dtype=np.float64)
    numbers = _finite(numbers, name)
    if not _is_large(numbers[~np.isnan(numbers)]):
        return RawColumn(name, numbers=numbers)
    whole = [0 if value is None else _as_integer(value) for value in values]
    integers = [value for value in whole if value is not None]
    if len(integers) < len(whole):  # next to fractions, integers are only as exact as floats
        return RawColumn(name, numbers=numbers)
    return RawColumn(name, numbers=numbers, exact=whole_numbers(integers))


def _as_integer(value: Any) -> int | None:
    """A whole number as an exact integer; None if it is a fraction."""
    if isinstance(value, Integral | np.bool_):
        return int(value)
    if isinstance(value, Decimal | Fraction):
        return int(value) if value == round(value) else None
    return int(value) if float(value).is_integer() else None


def _as_text(values: list[Any], name: str, what: str) -> RawColumn:
    text = f"column {name!r} holds {what}; they are read as strings: convert it to one type to decide yourself."
    values = [None if value is None else _text(value) for value in values]
    return RawColumn.of_values(name, values, notes=(Note("mixed", text, (name,)),))


def _text(value: Any) -> str:
    return _nested_text(value) if isinstance(value, dict | set | frozenset | list | tuple) else str(value)


def _nested_text(value: Any) -> str:
    """The text of a nested value: the same for equal values, whatever the order of a set or dict."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(sorted(f"{_nested_text(key)}: {_nested_text(item)}" for key, item in value.items())) + "}"
        )
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_nested_text, value))) + "}" if value else "set()"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(_nested_text, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    whole = _as_integer(value) if isinstance(value, Real | Decimal) and _is_finite(value) else None
    return repr(value if whole is None else whole)  # 1, 1.0 and True are equal


def _is_finite(value: Any) -> bool:
    return not _is_missing(value) and isfinite(nearest_float(value))


def _is_missing(value: object) -> bool:
    """None, NaN, NaT and pandas' NA: values that are not equal to themselves, or have no truth value."""
    if value is None:
        return True
    if isinstance(value, str):
        return False
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value; an array has many
        return type(value).__name__ == "NAType"
    except ArithmeticError:  # a signalling NaN
        return True


def _finite(numbers: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    infinite = np.isinf(numbers)
    if infinite.any():
        raise ValueError(
            f"column {name!r} must hold finite numbers or missing values; got infinity in {int(infinite.sum())} of "
            f"{len(numbers)} rows: replace it or drop those rows."
        )
    return numbers
