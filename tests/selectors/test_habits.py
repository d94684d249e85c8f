"""What people who use scikit-learn look for on a selector."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from optional import optional
from sklearn.naive_bayes import GaussianNB

from entropick import ClassifierScore, CrossEntropySelector, RankSelector, SubsetSelector

pd = optional("pandas")


def table(n=300):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 3, (n, 6)), columns=list("abcdef"))
    y = (X.a > 0) & (X.b > 0)
    return X, np.where(rng.random(n) < 0.1, ~y, y)


SELECTORS = {
    "search": CrossEntropySelector("reliable", null=False, halves=True, random_state=0),
    "default": CrossEntropySelector(null=False, random_state=0),
    "forward": SubsetSelector("forward", "reliable", null=False),
    "ranking": RankSelector("mim", n_features_to_select=2),
}


@pytest.mark.parametrize("name", SELECTORS)
def test_importances_and_ranks(name):
    X, y = table()
    selector = SELECTORS[name].fit(X, y)
    chosen = selector.get_support()
    assert chosen[[0, 1]].all()
    importances, ranking = selector.feature_importances_, selector.ranking_
    assert (importances[~chosen] == 0).all()
    assert (importances[[0, 1]] > 0.05).all()
    assert (ranking[chosen] == 1).all()
    assert sorted(ranking[~chosen]) == list(range(2, 2 + (~chosen).sum()))
    again = pickle.loads(pickle.dumps(selector))
    np.testing.assert_array_equal(again.feature_importances_, importances)


def test_what_is_lost_without_a_column_is_its_importance():
    X, y = table()
    selector = SELECTORS["search"].fit(X, y)
    for feature in selector.report().result.features:
        assert selector.feature_importances_[feature.index] == pytest.approx(max(0, feature.lost_without), abs=1e-9)


@pytest.mark.parametrize("name", ["search", "default"])
def test_places_in_halves_come_before_strength_in_the_ranking(name):
    X, y = table()
    selector = SELECTORS[name].fit(X, y)
    others = np.flatnonzero(~selector.support_)
    places = selector.record_.outcome.places[others[np.argsort(selector.ranking_[others])]]
    assert len(set(places)) > 1
    assert (np.diff(places) >= 0).all()


def test_a_model_of_your_own_has_equal_importances():
    X, y = table()
    selector = SubsetSelector("forward", ClassifierScore(GaussianNB()), max_features=2).fit(X, y)
    assert set(selector.feature_importances_) == {0.0, 1 / selector.n_features_}


@pytest.mark.parametrize("name", SELECTORS)
def test_a_frame_has_a_row_for_every_column(name):
    X, y = table()
    frame = SELECTORS[name].fit(X, y).to_frame()
    said = ["verdict", "expected_false", "place"]
    assert list(frame.columns) == ["column", "selected", *said, "importance", "frequency", "rank"]
    assert frame["column"].tolist() == list(X)
    assert frame["selected"].tolist() == SELECTORS[name].get_support().tolist()
    assert frame["frequency"].isna().all() == (getattr(SELECTORS[name], "selection_frequency_", None) is None)
    assert SELECTORS[name].fit(X.to_numpy(), y).to_frame()["column"].tolist() == [f"x{j}" for j in range(6)]


def test_a_plot_shows_the_curve_or_what_each_column_adds():
    pytest.importorskip("matplotlib")
    X, y = table()
    assert SELECTORS["default"].fit(X, y).plot().axes[0].get_xlabel() == "number of columns"
    axes = SELECTORS["forward"].fit(X, y).plot().axes[0]
    assert {label.get_text() for label in axes.get_yticklabels()} == set(X)
    assert axes.get_xlabel().startswith("lost without it, or would add (bits)")
