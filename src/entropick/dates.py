"""Dates as numbers: what a model can use of a date that no other row has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

from entropick._words import did_you_mean
from entropick.encode import read_source

_Series: TypeAlias = "nw.Series[Any]"
_ORIGIN = date(1970, 1, 1).toordinal()


def _days(dates: _Series) -> _Series:
    """Days since the first of January 1970, negative before it."""
    past = dates.dt.year() - 1
    return 365 * past + past // 4 - past // 100 + past // 400 + dates.dt.ordinal_day() - _ORIGIN


_PARTS: dict[str, Callable[[_Series], _Series]] = {
    "year": lambda dates: dates.dt.year(),
    "month": lambda dates: dates.dt.month(),
    "weekday": lambda dates: dates.dt.weekday(),
    "hour": lambda dates: dates.dt.hour(),
    "days since 1970": _days,
}
PARTS = tuple(_PARTS)


def date_parts(X: Any, columns: Sequence[str] | None = None) -> Any:
    """Replace dates by their parts, which are numbers.

    A column 'when' makes room for 'when: year', 'when: month' (1 to 12), 'when: weekday' (1 is Monday, 7 is Sunday),
    'when: hour' (0 to 23, only if the column has times of day) and 'when: days since 1970' (whole days, negative
    before). They depend on the date alone, so the same date gives the same numbers in every table. With a time zone,
    they are those of the clock on the wall there. Where a date is missing, so are its parts.

    Parameters
    ----------
    X : data frame
        Of pandas, polars, pyarrow or another library that narwhals reads.
    columns : sequence of str, optional
        Which columns to replace; every date and datetime column by default.

    Returns
    -------
    data frame
        Of the same library, with the other columns as they were.

    Examples
    --------
    >>> import polars as pl
    >>> from datetime import datetime
    >>> X = pl.DataFrame({"when": [datetime(2024, 2, 29, 13, 45), None], "what": ["a", "b"]})
    >>> parts = date_parts(X)
    >>> parts.columns
    ['when: year', 'when: month', 'when: weekday', 'when: hour', 'when: days since 1970', 'what']
    >>> parts.rows()
    [(2024, 2, 4, 13, 19782, 'a'), (None, None, None, None, None, 'b')]
    """
    frame = read_source(X).data
    if not isinstance(frame, nw.DataFrame):
        raise TypeError(f"X must be a data frame, whose columns have types; got {type(X).__name__}.")
    dates = [name for name in frame.columns if _are_dates(frame[name])]
    if columns is not None:
        _check_columns(columns, dates, frame)
        dates = [name for name in dates if name in columns]
    found: list[_Series] = []
    for name in frame.columns:
        found += _parts(frame[name], frame.columns) if name in dates else [frame[name]]
    return frame.select(*found).to_native()


def part_of(name: str) -> tuple[str, str] | None:
    """The date column and the part that a name stands for; None if it is not that of a part.

    Examples
    --------
    >>> part_of("when: hour"), part_of("hour")
    (('when', 'hour'), None)
    """
    column, _, part = name.rpartition(": ")
    return (column, part) if column and part in PARTS else None


def _are_dates(series: _Series) -> bool:
    if series.dtype != nw.Unknown or not series.implementation.is_pandas_like():
        return series.dtype in (nw.Date, nw.Datetime)
    return bool(series.to_native().dtype.kind == "M")  # narwhals does not know zones such as America/New_York


def _parts(dates: _Series, taken: Sequence[str]) -> list[_Series]:
    found = []
    for part in PARTS:
        if part == "hour" and dates.dtype == nw.Date:
            continue
        name = f"{dates.name}: {part}"
        if name in taken:
            raise ValueError(
                f"the table must not have a column {name!r}, because a part of {dates.name!r} gets that name: rename "
                f"it, or leave {dates.name!r} whole."
            )
        found.append(_PARTS[part](dates).alias(name))
    return found


def _check_columns(columns: Sequence[str], dates: Sequence[str], frame: nw.DataFrame[Any]) -> None:
    if isinstance(columns, str):
        raise ValueError(f"columns must be a list of names; got the text {columns!r}: use [{columns!r}].")
    for name in columns:
        if name not in frame.columns:
            near = did_you_mean(name, frame.columns)
            raise ValueError(f"columns must name columns of X; got {name!r}, which is not one.{near}")
        if name not in dates:
            raise ValueError(
                f"columns must name columns of dates; {name!r} is of type {frame[name].dtype}: convert it first."
            )
