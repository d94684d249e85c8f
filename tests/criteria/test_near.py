"""Subsets that differ little from one are scored in its terms: quicker, and the same to rounding errors."""

import numpy as np
import pytest
from helpers import random_table

from entropick import CrossEntropySelector, SubsetScorer
from entropick.criteria import Ridge
from entropick.engine import make_engine
from entropick.search import CrossEntropy, Run, Space, drive


def random_ridge(rng, n_rows, n_features, n_targets):
    X, Y = rng.normal(size=(n_rows, n_features)), rng.normal(size=(n_rows, n_targets))
    X[:, ::3] = X[:, ::3] > 0.5
    X[:, -1] = X[:, 0]  # a copy
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    wide = n_features > n_rows
    rows = (np.ascontiguousarray(X.T), Y) if wide else (np.empty((0, n_rows)), np.empty((0, n_targets)))
    return Ridge(X.T @ X, X.T @ Y, *rows, float((Y**2).sum()), n_rows)


@pytest.fixture
def native():
    return make_engine("native", random_table(np.random.default_rng(0), 10, 2, 2, 2), 2)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("shape", [(60, 20, 1), (300, 90, 4), (25, 60, 2), (400, 1, 1)], ids=str)
def test_ridges_near_a_subset_are_those_of_the_definition(native, shape, share):
    rng = np.random.default_rng(1)
    ridge = random_ridge(rng, *shape)
    center = rng.random(shape[1]) < share
    members = center ^ (rng.random((50, shape[1])) < rng.random((50, 1)) * 6 / shape[1])
    ratios, places = native.ridge(ridge, members, center)
    expected, expected_places = ridge.solve(members)
    np.testing.assert_allclose(ratios, expected, rtol=1e-9)
    np.testing.assert_array_equal(places, expected_places)


def test_a_ridge_near_a_subset_does_not_depend_on_the_call(native):
    rng = np.random.default_rng(2)
    ridge = random_ridge(rng, 100, 40, 2)
    center = rng.random(40) < 0.5
    members = center ^ (rng.random((30, 40)) < 0.1)
    together = native.ridge(ridge, members, center)[0]
    other = native.ridge(ridge, ~members, ~center)[0]
    one_by_one = [native.ridge(ridge, member[None], center)[0][0] for member in members]
    np.testing.assert_array_equal(one_by_one, together)
    np.testing.assert_array_equal(native.ridge(ridge, ~members, ~center)[0], other)


@pytest.mark.parametrize("criterion", ["linear", "blend", "one_dependence", "naive", "reliable"])
@pytest.mark.parametrize("n_rows", [30, 400])
def test_scores_near_a_subset_are_those_of_the_criterion(criterion, n_rows):
    rng = np.random.default_rng(3)
    scorer = SubsetScorer(random_table(rng, n_rows, 25, 4, 3), criterion=criterion)
    center = rng.random(25) < 0.4
    masks = center ^ (rng.random((40, 25)) < 0.06)
    np.testing.assert_allclose(scorer.near(masks, center), scorer(masks), rtol=0, atol=2e-10)


def test_scores_near_a_subset_of_a_table_too_wide_for_the_model(monkeypatch):
    monkeypatch.setattr("entropick.criteria._linear.MOST_FEATURES", 40)
    rng = np.random.default_rng(4)
    scorer = SubsetScorer(random_table(rng, 200, 30, 4, 2), criterion="linear")
    assert len(scorer.columns) < 30
    center = np.isin(np.arange(30), scorer.columns[:5])
    masks = center ^ np.eye(30, dtype=bool)
    near, plain = scorer.near(masks, center), scorer(masks)
    np.testing.assert_array_equal(np.isinf(near), np.isinf(plain))
    assert np.isinf(plain).any()
    np.testing.assert_allclose(near[np.isfinite(near)], plain[np.isfinite(plain)], rtol=0, atol=2e-10)


def test_a_search_asks_about_neighbours_by_what_they_are_near_to():
    """Not about a few, for which that does not pay; and a driver without that function scores them like all others."""
    asked = []

    def score(masks):
        return masks @ np.linspace(-1, 1, 30)

    def near(masks, center):
        asked.append((masks ^ center).sum(axis=1))
        return score(masks)

    run, plain = (Run(CrossEntropy(), Space(30), 0) for _ in range(2))
    drive(run, score, near=near)
    drive(plain, score)
    assert len(asked) > 10
    assert np.median(np.concatenate(asked)) <= 6  # of 30
    np.testing.assert_array_equal(run.mask, plain.mask)


def test_selections_are_those_of_the_numpy_engine():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(120, 12))
    y = X[:, 0] + X[:, 3] * X[:, 4] + rng.normal(size=120)
    ours, twin = (
        CrossEntropySelector(random_state=0, engine=engine, effort="low", null=False).fit(X, y)
        for engine in ("native", "numpy")
    )
    np.testing.assert_array_equal(ours.support_, twin.support_)
    assert ours.score_ == pytest.approx(twin.score_, abs=1e-9)
