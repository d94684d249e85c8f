"""Tables and problems that the tests make from their definitions."""

from __future__ import annotations

import gzip
import itertools
import os
from pathlib import Path

import numpy as np
import pytest

from entropick.encode import CodeTable


def random_table(rng, n_rows, n_columns, n_levels, n_classes):
    """Uniform codes; classes that occur are numbered without gaps."""
    dtype = np.uint8 if n_levels <= 256 else np.uint16
    columns = tuple(rng.integers(n_levels, size=n_rows).astype(dtype) for _ in range(n_columns))
    classes = np.unique(rng.integers(n_classes, size=n_rows), return_inverse=True)[1].reshape(-1)
    return CodeTable(columns, np.full(n_columns, n_levels), classes)


def matrix(table):
    return np.stack(table.columns, axis=1).astype(int)


def corral(rng):
    """(A0 ∧ A1) ∨ (B0 ∧ B1), an irrelevant bit, and one that agrees with y in three rows of four."""
    X = rng.integers(2, size=(256, 6))
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    X[:, 5] = np.where(rng.random(256) < 0.75, y, 1 - y)
    return X, y, {0, 1, 2, 3}


def three_of_seven(rng):
    """At least 3 of the first 7 bits among 10."""
    X = rng.integers(2, size=(1024, 10))
    return X, (X[:, :7].sum(axis=1) >= 3).astype(int), set(range(7))


def monk_1(rng):
    """a0 = a1 or a4 = 0, over all 432 combinations of six attributes."""
    X = np.array(list(itertools.product(range(3), range(3), range(2), range(3), range(4), range(2))))
    X = X[rng.permutation(len(X))]
    return X, ((X[:, 0] == X[:, 1]) | (X[:, 4] == 0)).astype(int), {0, 1, 4}


def parity_of_three(rng):
    """XOR of three bits among 20."""
    X = rng.integers(2, size=(500, 20))
    return X, X[:, 0] ^ X[:, 1] ^ X[:, 2], {0, 1, 2}


def led_digits(rng):
    """The seven segments of a digit, each wrong in one row of ten, and 17 noise bits."""
    segments = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011".split()
    shapes = np.array([[int(bit) for bit in digit] for digit in segments])
    digits = rng.integers(10, size=4000)
    shown = shapes[digits] ^ (rng.random((4000, 7)) < 0.1)
    return np.hstack([shown, rng.integers(2, size=(4000, 17))]), digits, set(range(7))


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
