"""Tables for the tests."""

from __future__ import annotations

import numpy as np
import polars as pl
from sklearn.datasets import load_breast_cancer

from entropick import CrossEntropySelector
from entropick.encode import CodeTable
from entropick.engine import ENGINES

LOCAL_ENGINES = [name for name in ENGINES if name != "dask"]  # that needs a cluster: tests/shards


def random_table(rng, n_rows, n_columns, n_levels, n_classes):
    """Uniform codes; classes that occur are numbered without gaps."""
    dtype = np.uint8 if n_levels <= 256 else np.uint16
    columns = tuple(rng.integers(n_levels, size=n_rows).astype(dtype) for _ in range(n_columns))
    classes = np.unique(rng.integers(n_classes, size=n_rows), return_inverse=True)[1].reshape(-1)
    return CodeTable(columns, np.full(n_columns, n_levels), classes)


def matrix(table):
    return np.stack(table.columns, axis=1).astype(int)


def breast_cancer_width5():
    X, y = load_breast_cancer(return_X_y=True)
    low, high = X.min(axis=0), X.max(axis=0)
    return np.minimum(np.floor((X - low) / (high - low) * 5), 4).astype(int), 1 - y


def breast_cancer_frame():
    """The data set with its names."""
    data = load_breast_cancer()
    return pl.DataFrame(data.data, schema=data.feature_names.tolist()), pl.Series("target", data.target)


def quick(criterion="reliable", **settings):
    """A selector for tests that need some selection, quickly, and are about something else."""
    return CrossEntropySelector(criterion, null=False, random_state=0, **settings)


def labels(figure):
    """The legend of a figure."""
    return [text.get_text() for text in figure.legends[0].get_texts()]
