"""Tables for the tests: random ones, and the real ones where they are at hand."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from entropick.encode import CodeTable


def random_table(rng, n_rows, n_columns, n_levels, n_classes):
    """Uniform codes; classes that occur are numbered without gaps."""
    dtype = np.uint8 if n_levels <= 256 else np.uint16
    columns = tuple(rng.integers(n_levels, size=n_rows).astype(dtype) for _ in range(n_columns))
    classes = np.unique(rng.integers(n_classes, size=n_rows), return_inverse=True)[1].reshape(-1)
    return CodeTable(columns, np.full(n_columns, n_levels), classes)


def matrix(table):
    return np.stack(table.columns, axis=1).astype(int)


def data_folder():
    folder = os.environ.get("ENTROPICK_DATA")
    if not folder:
        pytest.skip("ENTROPICK_DATA is not set: the UCI data sets are not at hand")
    return Path(folder)


def _fields(path):
    with gzip.open(path, "rt") as file:
        return np.array([[field.strip() for field in line.split(",")] for line in file])


def connect_4():
    """The squares as x=0, o=1, b=2 and the classes as draw=0, loss=1, win=2."""
    fields = _fields(data_folder() / "connect_4" / "connect-4.data.gz")
    X = np.select([fields[:, :-1] == "x", fields[:, :-1] == "o"], [0, 1], 2)
    return X, np.searchsorted(["draw", "loss", "win"], fields[:, -1])


def advertisements():
    """All 1558 columns, numbers with NaN for '?'."""
    fields = _fields(data_folder() / "advertisements" / "ad.data.gz")
    values = np.where(fields[:, :-1] == "?", "nan", fields[:, :-1]).astype(float)
    return values, (fields[:, -1] == "ad.").astype(int)


def breast_cancer_width5():
    X, y = load_breast_cancer(return_X_y=True)
    low, high = X.min(axis=0), X.max(axis=0)
    return np.minimum(np.floor((X - low) / (high - low) * 5), 4).astype(int), 1 - y


def advertisements_binary():
    X, y = advertisements()
    return X[:, 4:].astype(int), y
