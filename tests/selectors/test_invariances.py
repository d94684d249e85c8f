"""The order of rows and columns, the names of classes, threads and engines change nothing of the default's answer."""

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick import CrossEntropySelector

LETTERS = np.array(["ant", "bee", "cat"])
NAMES = {"0": "zebra", "1": "mule", "2": "ox"}


def table_of(seed, kind):
    """Columns of many kinds, some of which tell something; two columns are identical, and so are some rows."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 140))
    x, coin = rng.normal(size=n), rng.integers(0, 2, n)
    columns = {
        "x": x,
        "near": x + 0.1 * rng.normal(size=n),
        "gaps": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
        "coin": coin,
        "coin again": coin,
        "letter": LETTERS[rng.integers(0, 3, n)],
        "constant": np.ones(n),
        "whole": rng.integers(0, 50, n),
    }
    signal = x * rng.choice([0.0, 1.0], p=[0.2, 0.8]) + coin * rng.choice([0, 1]) + 0.02 * columns["whole"]
    signal = signal + 0.5 * rng.normal(size=n)
    y = signal.round(3) if kind == "numbers" else np.digitize(signal, [0.2, 1.2]).astype(str)
    twice = rng.integers(0, n, 8)
    return {name: np.concatenate([values, values[twice]]) for name, values in columns.items()}, np.append(y, y[twice])


def fitted(columns, y, names=None, **settings):
    """A fit of the default; the columns in the order of ``names``."""
    frame = pl.DataFrame({name: pl.Series(columns[name].tolist()) for name in names or columns})
    frame = frame.with_columns(pl.col(pl.Float64).fill_nan(None))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that nothing is better than chance, in some
        return CrossEntropySelector(**{"random_state": 0, **settings}).fit(frame, y)


def assert_same(found, expected):
    """All that is said of each column and of the whole is the same; of identical columns, one is as good as another."""
    assert found.p_value_ == expected.p_value_
    assert found.score_ == pytest.approx(expected.score_, abs=1e-9)
    assert found.n_features_ == expected.n_features_
    if expected.curve_ is None:
        assert found.curve_ is None
    else:
        assert found.curve_["sizes"].tolist() == expected.curve_["sizes"].tolist()
        for name in ("predicted", "error"):
            np.testing.assert_allclose(found.curve_[name], expected.curve_[name], atol=1e-9)
    of_column = (of_each(found), of_each(expected))
    for name in ("coin", "coin again"):
        assert of_column[0].pop(name) in (of_column[1]["coin"], of_column[1]["coin again"])
    del of_column[1]["coin"], of_column[1]["coin again"]
    assert of_column[0] == of_column[1]
    stability = [selector.stability_ for selector in (found, expected)]
    assert (stability[0] is None) == (stability[1] is None)
    np.testing.assert_allclose(*([np.nan] if some is None else some for some in stability), atol=1e-12)


def of_each(selector):
    said = (selector.support_, selector.verdict_, selector.expected_false_, selector.selection_frequency_)
    said = [[None] * len(selector.support_) if some is None else some.tolist() for some in said]
    importances = selector.feature_importances_.round(8).tolist()
    return dict(zip(selector.feature_names_in_, zip(*said, importances, strict=True), strict=True))


KINDS = st.sampled_from(["classes", "numbers"])


@settings(max_examples=8)
@given(st.integers(0, 10_000), KINDS, st.sampled_from(["auto", "auto", "reliable"]))
def test_rows_columns_and_classes_have_no_order_and_no_names(seed, kind, criterion):
    if kind == "numbers":
        criterion = "auto"
    rng = np.random.default_rng(seed)
    columns, y = table_of(seed, kind)
    expected = fitted(columns, y, criterion=criterion)
    order = rng.permutation(len(y))
    assert_same(
        fitted({name: values[order] for name, values in columns.items()}, y[order], criterion=criterion), expected
    )
    if criterion == "auto":  # one that counts draws subsets of the columns as the table lists them
        assert_same(fitted(columns, y, rng.permutation(list(columns)).tolist(), criterion=criterion), expected)
    if kind == "classes":
        renamed = np.array([NAMES[label] for label in y])
        assert_same(fitted(columns, renamed, criterion=criterion), expected)


@settings(max_examples=2)
@given(st.integers(0, 10_000), KINDS)
def test_threads_and_engines_change_nothing(seed, kind):
    columns, y = table_of(seed, kind)
    expected = fitted(columns, y, n_jobs=1)
    for how in ({"n_jobs": 2}, {"engine": "numpy", "n_jobs": 1}):
        found = fitted(columns, y, **how)
        assert_same(found, expected)
        np.testing.assert_array_equal(found.support_, expected.support_)
        np.testing.assert_array_equal(found.ranking_, expected.ranking_)


def test_another_seed_draws_other_halves():
    columns, y = table_of(2, "classes")
    one, other = fitted(columns, y), fitted(columns, y, random_state=1)
    assert abs(one.curve_["predicted"] - other.curve_["predicted"]).max() > 1e-6


def test_classes_of_one_size_may_change_their_names():
    rng = np.random.default_rng(0)
    columns = {name: rng.normal(size=120) for name in "abcdef"}
    y = np.repeat(["0", "1", "2"], 40)
    columns["c"] += np.repeat([0, 1, 2], 40)
    columns["coin"] = columns["coin again"] = rng.integers(0, 2, 120)
    expected = fitted(columns, y)
    for turn in (1, 2):
        assert_same(fitted(columns, np.roll(["0", "1", "2"], turn).repeat(40)), expected)


def test_rows_that_are_alike_in_all_but_their_class_have_no_order():
    rng = np.random.default_rng(0)
    y = np.repeat(["0", "1"], 60)
    columns = {name: rng.integers(0, 2, 120) for name in "abcd"}
    columns["a"] = np.where(rng.random(120) < 0.2, columns["a"], (y == "1").astype(int))
    columns["coin"] = columns["coin again"] = columns["b"] ^ (rng.random(120) < 0.2)
    expected = fitted(columns, y)
    for _ in range(2):
        order = rng.permutation(120)
        assert_same(fitted({name: values[order] for name, values in columns.items()}, y[order]), expected)
    assert_same(fitted(columns, np.repeat(["1", "0"], 60)), expected)
