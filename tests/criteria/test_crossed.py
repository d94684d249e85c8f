"""Counts of pairs of levels, and sums by level, against products of indicators."""

import numpy as np
import pytest

from entropick import _kernels
from entropick.criteria import _crossed
from entropick.criteria._crossed import count_pairs, starts_of, sum_by_level


def random_columns(rng, n_rows, n_levels):
    return [rng.integers(n, size=n_rows).astype(np.uint8) for n in n_levels]


def indicators(columns, n_levels):
    parts = [column[:, None] == np.arange(n) for column, n in zip(columns, n_levels, strict=True)]
    return np.concatenate(parts, axis=1).astype(np.float64)


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n_levels", [[1], [2, 3], [5, 1, 64, 2, 256], [4] * 40], ids=len)
@pytest.mark.parametrize("n_rows", [0, 1, 63, 64, 1000, 20_000])
def test_counts_are_products_of_indicators(n_rows, n_levels, n_threads, monkeypatch):
    monkeypatch.setattr(_crossed, "_BITS", 1 << 16)  # many parts
    columns = random_columns(np.random.default_rng(0), n_rows, n_levels)
    X = indicators(columns, n_levels)
    for first in (0, len(n_levels) // 2, len(n_levels)):
        start = starts_of(n_levels)[first]
        np.testing.assert_array_equal(count_pairs(columns, n_levels, first, n_threads), X[:, start:].T @ X)


@pytest.mark.parametrize("n_values", [0, 1, 7])
def test_sums_are_products_of_indicators_and_numbers(n_values):
    rng = np.random.default_rng(1)
    n_levels = [3, 1, 20]
    columns = random_columns(rng, 500, n_levels)
    values = rng.integers(-1000, 1000, (500, n_values)) / 64
    expected = indicators(columns, n_levels).T @ values
    for n_threads in (1, 2):
        np.testing.assert_array_equal(sum_by_level(columns, n_levels, values, n_threads), expected)


def test_nothing_has_no_counts():
    assert count_pairs([], []).shape == (0, 0)
    assert sum_by_level([], [], np.zeros((5, 2))).shape == (0, 2)


def test_codes_beyond_the_levels_are_refused():
    """They would be written to memory that is not theirs."""
    codes = np.array([[0, 2]], dtype=np.uint8)
    with pytest.raises(ValueError, match="below the number of levels"):
        _kernels.count_pairs(codes, [0, 2], 0, np.zeros((2, 2)), 1)
    with pytest.raises(ValueError, match="below the number of levels"):
        _kernels.sum_by_level(codes, [0, 2], np.zeros((2, 1)), np.zeros((2, 1)), 1)
    with pytest.raises(ValueError, match="one count for every two levels"):
        _kernels.count_pairs(codes, [0, 3], 0, np.zeros((2, 2)), 1)
    with pytest.raises(IndexError, match="no such column"):
        _kernels.count_pairs(codes, [0, 3], 2, np.zeros((2, 2)), 1)


@pytest.mark.parametrize("n_rows", [1, 63, 64, 20_000])
def test_counts_with_further_levels_are_products_of_indicators(n_rows):
    n_levels = [5, 1, 64, 2, 256]
    columns = random_columns(np.random.default_rng(2), n_rows, [*n_levels, 3])
    kept = _kernels.LevelRows(np.stack(columns[:-1]), starts_of(n_levels))
    counts = np.full((3, sum(n_levels)), np.nan)
    kept.count_with(columns[-1][None], 3, counts)
    np.testing.assert_array_equal(counts, indicators(columns[-1:], [3]).T @ indicators(columns[:-1], n_levels))


def test_further_levels_that_do_not_fit_are_refused():
    kept = _kernels.LevelRows(np.array([[0, 1]], dtype=np.uint8), [0, 2])
    with pytest.raises(ValueError, match="one code for every row"):
        kept.count_with(np.array([[0, 1, 1]], dtype=np.uint8), 2, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="below the number of levels"):
        kept.count_with(np.array([[0, 2]], dtype=np.uint8), 2, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="one count for every two levels"):
        kept.count_with(np.array([[0, 1]], dtype=np.uint8), 2, np.zeros((2, 3)))
    with pytest.raises(ValueError, match="below the number of levels"):
        _kernels.LevelRows(np.array([[0, 2]], dtype=np.uint8), [0, 2])
