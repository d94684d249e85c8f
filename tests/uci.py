"""The UCI tables of the tests and benchmarks, from the folder that ENTROPICK_DATA names."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

Table: TypeAlias = tuple[NDArray[Any], NDArray[np.int64]]


def data_folder() -> Path:
    """The folder, or a skip of the test that asks for it."""
    folder = os.environ.get("ENTROPICK_DATA")
    if not folder:
        pytest.skip("ENTROPICK_DATA is not set: the UCI data sets are not at hand")
    return Path(folder)


def _fields(path: Path) -> NDArray[np.str_]:
    with gzip.open(path, "rt") as file:
        return np.array([[field.strip() for field in line.split(",")] for line in file])


def connect_4() -> Table:
    """The squares as x=0, o=1, b=2 and the classes as draw=0, loss=1, win=2."""
    fields = _fields(data_folder() / "connect_4" / "connect-4.data.gz")
    X = np.select([fields[:, :-1] == "x", fields[:, :-1] == "o"], [0, 1], 2)
    return X, np.searchsorted(["draw", "loss", "win"], fields[:, -1])


def advertisements() -> Table:
    """All 1558 columns, numbers with NaN for '?'."""
    fields = _fields(data_folder() / "advertisements" / "ad.data.gz")
    values = np.where(fields[:, :-1] == "?", "nan", fields[:, :-1]).astype(float)
    return values, (fields[:, -1] == "ad.").astype(int)


def advertisements_binary() -> Table:
    """The 1554 binary columns."""
    X, y = advertisements()
    return X[:, 4:].astype(int), y
