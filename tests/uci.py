"""The UCI tables of the tests and benchmarks, from the folder that ENTROPICK_DATA names."""

from __future__ import annotations

import gzip
import os
import zipfile
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

Table: TypeAlias = tuple[NDArray[Any], NDArray[Any]]


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


def forest_fires() -> Table:
    """Month and day as codes; the target is the burnt area, a number."""
    text = (data_folder() / "forest_fires" / "forestfires.csv").read_text()
    rows = [line.split(",") for line in text.split()[1:]]
    columns = [
        np.unique(column, return_inverse=True)[1] if j in (2, 3) else np.array(column, dtype=np.float64)
        for j, column in enumerate(zip(*rows, strict=True))
    ]
    return np.column_stack(columns[:-1]), columns[-1]


def gesture_phase() -> Table:
    """The 32 velocities and accelerations of c3_va3, and the five phases."""
    fields = _fields(data_folder() / "gesture_phase" / "c3_va3.csv.gz")[1:]
    return fields[:, :-1].astype(float), np.unique(fields[:, -1], return_inverse=True)[1]


def blog_feedback() -> Table:
    """The training file; the target is the number of comments."""
    with zipfile.ZipFile(data_folder() / "blog_feedback" / "BlogFeedback.zip") as archive:
        values = np.loadtxt(archive.open("blogData_train.csv"), delimiter=",")
    return values[:, :-1], values[:, -1]
