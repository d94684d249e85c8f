"""The paper's three predictors: Gaussian naive Bayes, diagonal and with a pooled covariance, and 3-NN."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick.encode import read_source
from entropick.evaluation import find_model

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]


def as_numbers(X: Any) -> Floats:
    """The columns as numbers: levels become their rank in sorted order, missing values NaN."""
    source = read_source(X)
    values = np.empty((source.n_rows, len(source.names)))
    for j, column in enumerate(source):
        values[:, j] = column.ranks if column.numbers is None else column.numbers
        values[column.missing, j] = np.nan
    return values


def prepare(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    """Replace missing values by the median, then standardise; both by the training rows."""
    steps = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    return steps.fit_transform(train), steps.transform(test)


def nb_diagonal(train: Floats, y: Rows, test: Floats) -> Rows:
    """Normal densities with a variance per class and column; a thousandth of the largest is added to all."""
    return np.asarray(find_model("naive_bayes").fit(train, y).predict(test))


def nb_pooled(train: Floats, y: Rows, test: Floats) -> Rows | None:
    """Normal densities that share one covariance; None if it has no inverse.

    scikit-learn's `LinearDiscriminantAnalysis` divides that covariance by n, not by n minus the number of classes, and
    continues without an inverse.

    Examples
    --------
    >>> x = np.array([[0.0, 0.0], [1.0, 2.0], [5.0, 1.0], [6.0, 3.0]])
    >>> nb_pooled(x, np.array([0, 0, 1, 1]), x) is None  # both classes spread along one line
    True
    """
    classes, place = np.unique(y, return_inverse=True)
    means = np.array([train[place == c].mean(axis=0) for c in range(len(classes))])
    around = train - means[place]
    covariance = around.T @ around / max(1, len(y) - len(classes))
    values, vectors = np.linalg.eigh(covariance)
    if values[0] <= 1e-10 * values[-1]:
        return None
    whiten = vectors / np.sqrt(values)
    distances = ((test @ whiten)[:, None, :] - (means @ whiten)[None]) ** 2
    logits = np.log(np.bincount(place)) - distances.sum(axis=2) / 2
    return np.asarray(classes[logits.argmax(axis=1)])


def three_nn(train: Floats, y: Rows, test: Floats) -> Rows:
    """The majority of the three nearest training rows."""
    return np.asarray(find_model("3nn").set_params(algorithm="brute").fit(train, y).predict(test))


def error(predicted: Rows | None, truth: Rows) -> float | None:
    """MCE: the share of wrong predictions."""
    return None if predicted is None else float((predicted != truth).mean())
