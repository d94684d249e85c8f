"""The paper's predictors do what they say."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from entropick_paper.models import as_numbers, error, nb_diagonal, nb_pooled, prepare, three_nn


def test_the_pooled_covariance_is_that_of_discriminant_analysis() -> None:
    X, y = load_wine(return_X_y=True)
    train, test = prepare(X[::2], X[1::2])
    predicted = nb_pooled(train, y[::2], test)
    assert predicted is not None
    np.testing.assert_array_equal(predicted, LinearDiscriminantAnalysis().fit(train, y[::2]).predict(test))


def test_a_covariance_without_an_inverse_is_none() -> None:
    X, y = load_wine(return_X_y=True)
    assert nb_pooled(np.column_stack([X, X[:, 0] + X[:, 1]]), y, np.column_stack([X, X[:, 0]])) is None
    assert nb_pooled(np.column_stack([X, np.ones(len(X))]), y, np.column_stack([X, X[:, 0]])) is None
    assert error(None, y) is None


def test_numbers_stay_and_levels_have_their_place() -> None:
    frame = pl.DataFrame({"a": [1.5, None, 3.0], "b": ["x", "b", None], "c": [True, False, True]})
    np.testing.assert_array_equal(as_numbers(frame), [[1.5, 1.0, 1.0], [np.nan, 0.0, 0.0], [3.0, np.nan, 1.0]])


def test_medians_and_scales_are_those_of_the_training_rows() -> None:
    train, test = prepare(np.array([[0.0, 1.0], [2.0, 1.0], [np.nan, 1.0]]), np.array([[np.nan, 5.0], [100.0, 1.0]]))
    np.testing.assert_allclose(train[:, 0], np.array([-1.0, 1.0, 0.0]) / np.sqrt(2 / 3))
    np.testing.assert_allclose(test, [[0.0, 4.0], [99.0 / np.sqrt(2 / 3), 0.0]])


@pytest.mark.parametrize("predict", [nb_diagonal, nb_pooled, three_nn])
def test_classes_that_are_far_apart_are_told_apart(predict) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    x = rng.normal(size=(90, 2)) + 20 * y[:, None]
    assert error(predict(x[:60], y[:60], x[60:]), y[60:]) == 0.0
