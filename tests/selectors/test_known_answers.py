"""Problems whose answer is known: by the criterion 'reliable', and by the setting of the paper."""

import itertools

import numpy as np
import pytest
from problems import corral, led_digits, monk_1, parity_of_three, three_of_seven
from sklearn.datasets import load_breast_cancer
from uci import advertisements, connect_4

from entropick import CrossEntropySelector, SubsetScorer

SEEDS = range(10)


@pytest.mark.parametrize("problem", [corral, three_of_seven, monk_1, parity_of_three, led_digits])
def test_the_relevant_columns_are_returned(problem):
    found = 0
    for seed in SEEDS:
        X, y, relevant = problem(np.random.default_rng(seed))
        selector = CrossEntropySelector("reliable", random_state=seed, null=False).fit(X, y)
        found += set(selector.get_support(indices=True)) == relevant
    assert found >= 9


@pytest.mark.slow
def test_on_breast_cancer_the_best_of_all_small_subsets_is_found():
    X, y = load_breast_cancer(return_X_y=True)
    scorer = SubsetScorer(X, y, "reliable")
    best, best_score = frozenset(), 0.0
    for size in range(1, 5):
        subsets = list(itertools.combinations(range(30), size))
        masks = np.zeros((len(subsets), 30), dtype=bool)
        masks[np.arange(len(subsets))[:, None], subsets] = True
        scores = scorer(masks)
        if scores.max() > best_score:
            best, best_score = frozenset(subsets[int(scores.argmax())]), scores.max()
    found = [
        frozenset(
            CrossEntropySelector("reliable", random_state=seed, null=False).fit(X, y).get_support(indices=True).tolist()
        )
        for seed in SEEDS
    ]
    assert found.count(best) >= 9


@pytest.mark.slow
def test_the_literal_setting_stops_early_on_connect_4():
    X, y = connect_4()
    for seed in SEEDS:
        selector = CrossEntropySelector.paper(random_state=seed).fit(X, y)
        assert selector.n_steps_ <= 12
        assert 26 <= selector.n_features_ <= 40
        assert selector.delta_information_ < 0.15


@pytest.mark.slow
def test_the_literal_setting_is_not_minimal_on_advertisements():
    X, y = advertisements()
    selector = CrossEntropySelector.paper(random_state=0).fit(X, y)
    assert selector.n_features_ > 700


@pytest.mark.slow
def test_cross_entropy_beats_greedy_on_connect_4():
    X, y = connect_4()
    selector = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, y)
    assert selector.score_ / selector.class_entropy_ == pytest.approx(0.3537, abs=1e-4)
    assert selector.n_features_ == 21
