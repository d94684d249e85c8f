"""The price of luck: what the luckiest of as many shuffled columns would seem to add."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from entropick import CrossEntropySelector, SubsetScorer
from entropick.criteria import find_criterion
from entropick.encode import encode
from entropick.selectors import _luck, _searching
from entropick.selectors._luck import price_of_luck


def prices(X, y, chosen, criterion="linear", seed=0):
    table = encode(X, y).table
    mask = np.isin(np.arange(table.n_columns), chosen)
    return price_of_luck(table, find_criterion(criterion), mask, "native", 1, seed)


def price(X, y, chosen, criterion="linear", seed=0):
    return prices(X, y, chosen, criterion, seed).max()


@pytest.mark.parametrize("criterion", ["linear", "one_dependence", "naive", "blend"])
def test_it_is_what_about_one_of_so_many_useless_columns_gains(criterion):
    beyond = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(300, 60))
        y = (X[:, 0] + 0.5 * rng.normal(size=300) > 0).astype(int)
        found = price(X, y, [0], criterion)
        scorer = SubsetScorer(X, y, criterion)
        alone = np.arange(60) == 0
        gains = scorer([alone | (np.arange(60) == j) for j in range(1, 60)]) - scorer([alone])
        assert found >= 0
        assert (gains > found - 0.02).any()
        beyond.append((gains > found).sum())
    assert np.mean(beyond) <= 3


def test_more_columns_make_luck_dearer_and_more_rows_cheaper():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 400))
    y = (X[:, 0] + rng.normal(size=2000) > 0).astype(int)
    few_rows = slice(200)
    wide, narrow = price(X[few_rows], y[few_rows], [0]), price(X[few_rows, :20], y[few_rows], [0])
    assert wide > narrow
    assert price(X, y, [0]) < wide / 3


def test_useless_columns_stay_out_of_a_wide_table():
    X, y = make_classification(
        300, 100, n_informative=5, n_redundant=5, n_clusters_per_class=2, shuffle=False, random_state=0
    )
    useless = [
        int(CrossEntropySelector(luck=luck, null=False, random_state=0).fit(X, y).support_[10:].sum())
        for luck in (0, 0.5)
    ]
    assert useless[1] <= 10  # of 90
    assert useless[1] <= useless[0] / 2


def test_it_is_no_part_of_the_scores_and_the_same_for_every_seed():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 40))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=200) > 0).astype(int)
    first, second = (CrossEntropySelector(half_samples=0, null=False, random_state=seed).fit(X, y) for seed in (0, 1))
    scorer = SubsetScorer(X, y, "blend")
    for selector in (first, second):
        assert selector.best_score_ == scorer(selector.support_[None])[0]
        assert selector.score_ == scorer.final(selector.support_[None])[0]
    assert first.support_.tolist() == second.support_.tolist()


def test_it_says_nothing_where_it_makes_no_sense():
    assert price(np.zeros((20, 3)), [0, 1] * 10, []) == 0
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    assert CrossEntropySelector(n_features_to_select=3, random_state=0).fit(X, y).n_features_ == 3
    with pytest.raises(ValueError, match="luck"):
        CrossEntropySelector(luck=-1).fit(X, y)


def test_a_quick_answer_of_very_many_columns_is_cut_short(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (300, 60))
    y = rng.integers(0, 2, 300)
    X[:, 0] = np.where(rng.random(300) < 0.8, y, X[:, 0])
    sizes = []

    def noted(table, criterion, mask, *rest):
        sizes.append(int(mask.sum()))
        return price_of_luck(table, criterion, mask, *rest)

    monkeypatch.setattr(_searching, "price_of_luck", noted)
    selector = CrossEntropySelector(null=False, half_samples=0, random_state=0)
    whole = selector.fit(X, y).get_support(indices=True)
    monkeypatch.setattr(_luck, "_QUICK_COLUMNS", 3)
    assert 0 in selector.fit(X, y).get_support(indices=True)
    assert 0 in whole
    assert sizes[0] > 3 >= sizes[1] > 0


def test_columns_with_few_levels_have_a_price_of_their_own():
    """A useless coin costs a model less than a useless number, so more of them gain by luck."""
    rng = np.random.default_rng(4)
    X = np.c_[rng.normal(size=(200, 30)), rng.integers(0, 2, (200, 30)), np.zeros(200)]
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    found = prices(X, y, [0])
    assert len(set(found[:30])) == len(set(found[30:60])) == 1
    assert found[30] > found[0] > 0
    assert found[60] == 0  # a constant


def test_it_is_measured_in_parts_if_the_model_cannot_hold_all_shuffled_columns(monkeypatch):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 12))
    y = X[:, 0] + rng.normal(size=200)
    whole = price(X, y, [0])
    monkeypatch.setattr("entropick.criteria._linear.MOST_FEATURES", 6 * 12)
    assert price(X, y, [0]) == pytest.approx(whole, abs=1e-9)
    assert price(X, y, range(12)) == 0  # there is no room for another column


def test_useless_coins_beside_a_signal_stay_out():
    kept = np.zeros(12)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = np.c_[rng.normal(size=(1500, 6)), rng.integers(0, 2, (1500, 6))]
        y = (X[:, 0] + X[:, 1] + 0.5 * X[:, 2] * X[:, 3] + rng.normal(size=1500) > 0).astype(int)
        kept += CrossEntropySelector(random_state=0).fit(X, y).support_
    assert (kept[:4] == 4).all()
    assert kept[6:].sum() <= 4  # of 24


def test_without_time_to_measure_luck_a_note_says_so(monkeypatch):
    """Unless the run may be resumed: then it has to maximise the same."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 20))
    y = (X[:, 0] > 0).astype(int)
    monkeypatch.setattr(_searching, "_SETTING_UP", 0.0)
    with pytest.warns(UserWarning, match="no time to measure what useless columns add by luck"):
        hurried = CrossEntropySelector(half_samples=0, null=False, max_seconds=60, random_state=0).fit(X, y)
    assert [note.code for note in hurried.record_.notes] == ["luck"]
    free = CrossEntropySelector(half_samples=0, null=False, luck=0, random_state=0).fit(X, y)
    np.testing.assert_array_equal(hurried.support_, free.support_)


def test_a_run_that_may_be_resumed_measures_luck_whatever_its_time(monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 20))
    monkeypatch.setattr(_searching, "_SETTING_UP", 0.0)
    kept = {"checkpoint": tmp_path / "run.npz", "max_seconds": 60, "half_samples": 0, "null": False}
    selector = CrossEntropySelector(random_state=0, **kept).fit(X, (X[:, 0] > 0).astype(int))
    assert not selector.record_.notes
