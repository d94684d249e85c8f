"""What the evidence carries: columns chosen from one half of the rows are scored on the other."""

import warnings

import numpy as np
import pytest

from entropick import CrossEntropySelector, SubsetScorer
from entropick.selectors._carried import first_columns, growing, share_carried, strongest_first


def coin_among(rng, n_rows, n_others):
    """A coin that agrees with y in 75 % of the rows, and useless ones."""
    X, y = rng.integers(2, size=(n_rows, 1 + n_others)), rng.integers(2, size=n_rows)
    X[:, 0] = np.where(rng.random(n_rows) < 0.75, y, 1 - y)
    return X, y


def fitted(X, y, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CrossEntropySelector(null=False, random_state=0, **settings).fit(X, y)


def test_useless_columns_that_only_help_the_rows_they_were_chosen_from_are_dropped():
    X, y = coin_among(np.random.default_rng(0), 200, 300)
    selector = fitted(X, y)
    assert selector.support_[0]
    assert selector.n_features_ <= 10
    assert fitted(X, y, half_samples=0).n_features_ >= 2 * selector.n_features_
    assert any(
        note.code == "overfit" and "make the prediction of the other half worse" in note.text
        for note in selector.record_.notes
    )


def test_a_column_that_is_always_kept_stays():
    X, y = coin_among(np.random.default_rng(0), 200, 300)
    selector = fitted(X, y, always=[7, 8])
    assert selector.support_[[0, 7, 8]].all()
    assert selector.n_features_ <= 12


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_nothing_is_dropped_where_all_columns_help(target):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 8))
    y = X.sum(axis=1) + rng.normal(size=400)
    selector = fitted(X, y if target == "numbers" else (y > 0).astype(int))
    assert selector.support_.all()
    assert not [note for note in selector.record_.notes if note.code == "overfit"]


def test_columns_come_in_the_order_in_which_they_add_most():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(500, 5))
    y = 3 * X[:, 3] + 2 * X[:, 0] + X[:, 4] + rng.normal(size=500)
    scorer = SubsetScorer(X, y, "linear")
    base = np.zeros(5, dtype=bool)
    groups = strongest_first(scorer, np.array([True, False, True, True, True]), base)
    assert [group.tolist() for group in groups] == [[3], [0], [4], [2]]
    assert (np.diff(growing(scorer, base, groups)[:4]) > 0).all()
    assert np.flatnonzero(first_columns(base, groups, 0.5)).tolist() == [0, 3]
    with_base = strongest_first(scorer, np.ones(5, dtype=bool), np.arange(5) == 3)
    assert with_base[0].tolist() == [0]


def test_many_columns_are_added_in_groups():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(100, 45)), rng.integers(2, size=100)
    groups = strongest_first(SubsetScorer(X, y, "naive"), np.ones(45, dtype=bool), np.zeros(45, dtype=bool))
    assert len(groups) <= 20
    assert sorted(np.concatenate(groups).tolist()) == list(range(45))


def test_it_takes_a_clear_difference_and_enough_halves():
    falling = np.linspace(1, 0, 11)
    assert share_carried([falling] * 6, 1.0) == 0.05  # never nothing: that is for the test against chance to say
    assert share_carried([falling] * 2, 1.0) == 1.0
    assert share_carried([falling * 0.005] * 6, 1.0) == 1.0
    assert share_carried([np.zeros(1)] * 6, 1.0) == 1.0
    assert share_carried([falling] * 4 + [-falling] * 2, 1.0) == 1.0
