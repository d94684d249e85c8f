"""Dates as numbers, whatever the library of the table."""

import datetime as dt

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optional import optional

from entropick import date_parts
from entropick.dates import part_of

pa = optional("pyarrow")
pd = optional("pandas")

TIMES = [dt.datetime(2024, 2, 29, 13, 45), None, dt.datetime(1969, 12, 31, 23, 59, 59), dt.datetime(1900, 3, 1)]
DAYS = [None if time is None else time.date() for time in TIMES]
NAMES = ["t: year", "t: month", "t: weekday", "t: hour", "t: days since 1970"]
NUMBERS = [[2024, None, 1969, 1900], [2, None, 12, 3], [4, None, 3, 4], [13, None, 23, 0], [19782, None, -1, -25508]]

FRAMES = {
    "polars": pl.DataFrame,
    "polars, nanoseconds": lambda columns: pl.DataFrame(columns).with_columns(pl.col("t").cast(pl.Datetime("ns"))),
    "pandas": lambda columns: pd.DataFrame({**columns, "t": pd.to_datetime(pd.Series(columns["t"]))}),
    "pyarrow": lambda columns: pa.table(columns),
}


def values(frame, name):
    """As whole numbers, None for missing."""
    return [None if value is None or value != value else int(value) for value in nw.from_native(frame)[name].to_list()]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_parts_take_the_place_of_a_date_in_a_table_of_the_same_library(make):
    X = make({"a": [1, 2, 3, 4], "t": TIMES, "b": list("wxyz")})
    parts = date_parts(X)
    assert type(parts) is type(X)
    assert list(nw.from_native(parts).columns) == ["a", *NAMES, "b"]
    assert [values(parts, name) for name in NAMES] == NUMBERS


def test_a_date_has_no_hour():
    assert date_parts(pl.DataFrame({"t": DAYS})).columns == [name for name in NAMES if name != "t: hour"]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_a_column_without_any_date_has_missing_parts(make):
    X = make({"t": TIMES})
    X = nw.from_native(X)[[1]].to_native()
    assert [values(date_parts(X), name) for name in NAMES] == [[None]] * 5


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_parts_are_those_of_the_clock_on_the_wall(library, zone):
    utc = pl.DataFrame({"t": TIMES}).with_columns(pl.col("t").dt.replace_time_zone("UTC"))
    local = utc.with_columns(pl.col("t").dt.convert_time_zone(zone))
    wall = local.with_columns(pl.col("t").dt.replace_time_zone(None))
    if library == "pandas":
        local = pd.DataFrame({"t": pd.to_datetime(pd.Series(TIMES)).dt.tz_localize("UTC").dt.tz_convert(zone)})
    parts = date_parts(local)
    assert [values(parts, name) for name in NAMES] == [values(date_parts(wall), name) for name in NAMES]


@given(st.lists(st.dates(), min_size=1))
def test_days_and_weekdays_are_those_of_the_calendar(days):
    parts = date_parts(pl.DataFrame({"t": days}))
    origin = dt.date(1970, 1, 1)
    assert parts["t: days since 1970"].to_list() == [(day - origin).days for day in days]
    assert parts["t: weekday"].to_list() == [day.isoweekday() for day in days]


def test_the_same_date_has_the_same_parts_in_every_table():
    whole = date_parts(pl.DataFrame({"t": TIMES}))
    for row in range(len(TIMES)):
        assert date_parts(pl.DataFrame({"t": TIMES[row : row + 1]}, schema={"t": pl.Datetime})).rows() == [
            whole.row(row)
        ]


def test_only_the_columns_asked_for_are_replaced():
    X = pl.DataFrame({"t": TIMES, "u": DAYS})
    assert date_parts(X, ["u"]).columns == ["t", "u: year", "u: month", "u: weekday", "u: days since 1970"]
    assert date_parts(X, []).equals(X)
    assert date_parts(X.select(a=1)).equals(X.select(a=1))


def test_a_pandas_table_keeps_its_index():
    X = pd.DataFrame({"t": pd.to_datetime(pd.Series(TIMES)), "a": 1}, index=[7, 5, 3, 1])
    assert date_parts(X).index.tolist() == [7, 5, 3, 1]


WRONG = {
    "a name that is not there": (["whem"], "columns must name columns of X; got 'whem', which is not one. Did you"),
    "a column of text": (["a"], "columns must name columns of dates; 'a' is of type String: convert it first."),
    "a text": ("when", r"columns must be a list of names; got the text 'when': use \['when'\]."),
}


@pytest.mark.parametrize(("columns", "sentence"), WRONG.values(), ids=WRONG)
def test_columns_that_are_not_dates_are_refused(columns, sentence):
    with pytest.raises(ValueError, match=sentence):
        date_parts(pl.DataFrame({"when": DAYS, "a": list("wxyz")}), columns)


def test_the_name_of_a_part_must_be_free():
    X = pl.DataFrame({"when": DAYS, "when: hour": [1, 2, 3, 4]})
    assert "when: hour" in date_parts(X).columns  # no part of a date
    with pytest.raises(ValueError, match="the table must not have a column 'when: year', because a part of 'when'"):
        date_parts(X.rename({"when: hour": "when: year"}))


def test_a_table_without_types_is_refused():
    with pytest.raises(TypeError, match="X must be a data frame, whose columns have types; got ndarray."):
        date_parts(np.zeros((2, 2)))


@pytest.mark.parametrize("name", ["hour", ": hour", "when: hours", "when:hour"])
def test_other_names_are_not_those_of_parts(name):
    assert part_of(name) is None
    assert part_of(f"{name}: year") == (name, "year")
