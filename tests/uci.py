"""The UCI tables of the tests and benchmarks as arrays, from the folder that ENTROPICK_DATA names."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from entropick.datasets import Dataset, load

Table: TypeAlias = tuple[NDArray[Any], NDArray[Any]]


def needs_data() -> None:
    """Skip the test that calls this where the data sets are not at hand: tests download nothing."""
    if not os.environ.get("ENTROPICK_DATA"):
        pytest.skip("ENTROPICK_DATA is not set: the UCI data sets are not at hand")


def _load(name: str) -> Dataset:
    needs_data()
    return load(name)


def _codes(column: pl.Series) -> NDArray[np.int64]:
    """The place of each value among the distinct ones in order."""
    return np.unique(column.to_numpy(), return_inverse=True)[1]


def connect_4() -> Table:
    """The squares as x=0, o=1, b=2 and the classes as draw=0, loss=1, win=2."""
    data = _load("connect_4")
    squares = data.X.with_columns(pl.all().replace_strict({"x": 0, "o": 1, "b": 2}))
    return squares.to_numpy(order="c"), _codes(data.y)


def advertisements() -> Table:
    """All 1558 columns, numbers with NaN for what is missing."""
    data = _load("advertisements")
    return data.X.cast(pl.Float64).to_numpy(order="c"), (data.y == "ad").to_numpy().astype(int)


def advertisements_binary() -> Table:
    """The 1554 binary columns."""
    X, y = advertisements()
    return X[:, 4:].astype(int), y


def forest_fires() -> Table:
    """Month and day as codes; the target is the burnt area, a number."""
    data = _load("forest_fires")
    codes = [pl.Series(name, _codes(data.X[name])) for name in ("month", "day")]
    return data.X.with_columns(codes).cast(pl.Float64).to_numpy(order="c"), data.y.to_numpy(writable=True)


def gesture_phase() -> Table:
    """The 32 velocities and accelerations of c3_va3, and the five phases."""
    data = _load("gesture_phase")
    return data.X.to_numpy(order="c"), _codes(data.y)


def blog_feedback() -> Table:
    """The training file; the target is the number of comments."""
    data = _load("blog_feedback")
    return data.X.to_numpy(order="c"), data.y.to_numpy().astype(float)
