"""The curve of what so many columns predict, and how many of them are enough."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropick.path import Curve
from entropick.path._curve import curve_of, grid
from entropick.path._settings import FACTOR, SIZES_ONE_BY_ONE


@given(st.integers(1, 5000), st.integers(1, 40))
def test_sizes_rise_one_by_one_then_by_a_fifth_up_to_the_largest(largest, first):
    sizes = grid(largest, FACTOR, SIZES_ONE_BY_ONE, first)
    if first > largest:
        assert sizes == []
        return
    assert (sizes[0], sizes[-1]) == (first, largest)
    for before, after in pairwise(sizes):
        if after < max(first, SIZES_ONE_BY_ONE):
            assert after == before + 1
        assert before < after <= np.ceil(before * FACTOR)
        assert after in (largest, before + 1, int(np.ceil(before * FACTOR)))
    assert len(sizes) < 60


def curve(predicted, error=None):
    n = len(predicted)
    return Curve(np.arange(1, n + 1), np.array(predicted), np.zeros(n) if error is None else np.array(error))


@pytest.mark.parametrize(
    ("keep", "expected"),
    [(1, 5), (0.99, 4), (0.98, 3), (0.9, 2), (0.5, 1), (1e-9, 1), ("one_se", 2)],
)
def test_enough_are_the_fewest_that_keep_so_large_a_share(keep, expected):
    found = curve([0.5, 0.93, 0.985, 0.99, 1.0, 0.995], [0.1, 0.08, 0.05, 0.01, 0.0, 0.01])
    assert found.enough(keep) == expected
    assert (found.best, found.fewest_alike) == (5, 2)


def test_the_fewest_that_are_enough_need_not_be_followed_by_others_that_are():
    assert curve([0.2, 0.99, 0.5, 1.0]).enough(0.98) == 2


@pytest.mark.parametrize("keep", [0.5, 0.98, 1])
def test_where_nothing_is_predicted_the_best_number_is_enough(keep):
    assert curve([-0.3, -0.1, -0.2]).enough(keep) == 2
    assert curve([-0.3, 0.0, 0.0]).enough(keep) == 2


def test_equal_numbers_need_the_fewer_columns():
    found = curve([0.3, 0.7, 0.7, 0.7])
    assert [found.best, found.enough(1), found.enough("one_se")] == [2, 2, 2]


def test_errors_are_of_differences_from_the_best_number_over_rows():
    rng = np.random.default_rng(0)
    nothing = 1 + rng.random(50)
    losses = np.array([nothing - gain + 0.1 * rng.normal(size=50) for gain in (0.2, 0.6, 0.5)])
    found = curve_of([1, 2, 5], losses, nothing, 0.5)
    assert found.sizes.tolist() == [1, 2, 5]
    for i in range(3):
        assert found.predicted[i] == pytest.approx(0.5 * np.mean(nothing - losses[i]))
        differences = losses[i] - losses[1]
        expected = 0.5 * np.sqrt(np.sum((differences - differences.mean()) ** 2) / 49 / 50)
        assert found.error[i] == pytest.approx(expected)
    assert found.best == 2
    assert found.error[1] == 0
    assert found.error[0] > 0


def test_a_single_row_has_no_error_and_no_scale_nothing_to_predict():
    assert curve_of([1], np.array([[0.5]]), np.array([1.0]), 1.0).error.tolist() == [0]
    assert curve_of([1], np.array([[0.5, 0.1]]), np.array([1.0, 1.0]), 0.0).predicted.tolist() == [0]
