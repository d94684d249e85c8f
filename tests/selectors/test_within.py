"""No more columns than the evidence carries."""

from __future__ import annotations

import numpy as np
import pytest

from entropick import CrossEntropySelector
from entropick._masks import flip_each
from entropick.criteria import RowModel
from entropick.selectors._within import fewest_within


class Losses(RowModel):
    """Row losses that are the sum of what the columns left out would have saved."""

    def __init__(self, saved):
        self.saved, self.rows = saved, np.arange(saved.shape[1])

    def __call__(self, masks):
        return -self.losses(masks).mean(axis=1)

    def losses(self, masks):
        return (~masks).astype(float) @ self.saved

    def final(self, masks):
        return self(masks)


def test_columns_are_dropped_while_the_loss_stays_within_a_standard_error_of_the_best():
    rng = np.random.default_rng(0)
    saved = rng.normal(size=(4, 400)) + np.array([0.5, 0.3, 0.02, -0.01])[:, None]
    saved -= (saved.mean(axis=1) - [0.5, 0.3, 0.02, -0.01])[:, None]
    best, nothing = np.ones(4, dtype=bool), np.zeros(4, dtype=bool)
    model = Losses(saved)
    assert fewest_within(model, best, nothing, 1).tolist() == [True, True, False, False]
    assert fewest_within(model, best, nothing, 0.01).tolist() == [True, True, True, False]
    assert fewest_within(model, best, nothing, 100).tolist() == [True, False, False, False]
    assert fewest_within(model, best, np.array([False, False, False, True]), 1).tolist() == [True, True, False, True]


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 12))
    weights = [1, 1, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1, 0, 0, 0, 0]
    return X, (X @ weights + 0.3 * rng.normal(size=400) > 0).astype(int)


@pytest.mark.parametrize("criterion", ["one_dependence", "naive", "linear", "blend"])
def test_the_rule_holds_for_the_answer_and_would_not_for_a_smaller_one(table, criterion):
    everything = CrossEntropySelector(criterion, luck=0, within=0, half_samples=0, null=False, random_state=0).fit(
        *table
    )
    fewer = CrossEntropySelector(criterion, luck=0, within=1, half_samples=0, null=False, random_state=0).fit(*table)
    assert fewer.n_features_ <= everything.n_features_ - (criterion != "naive")
    assert not (fewer.support_ & ~everything.support_).any()
    assert fewer.best_score_ == everything.best_score_
    from entropick import SubsetScorer

    model = SubsetScorer(*table, criterion).model
    best = model.losses(everything.support_[None])[0]

    def excess(mask):
        cost = model.losses(mask[None])[0] - best
        return cost.mean() / (cost.std() / np.sqrt(len(cost))) if cost.any() else 0.0

    assert excess(fewer.support_) <= 1
    assert min(excess(mask) for mask in flip_each(fewer.support_, fewer.get_support(indices=True))) > 1


def test_scores_are_those_of_what_is_returned(table):
    selector = CrossEntropySelector("one_dependence", luck=0, within=1, half_samples=0, null=False, random_state=0).fit(
        *table
    )
    from entropick import SubsetScorer

    scorer = SubsetScorer(*table, "one_dependence")
    assert selector.score_ == scorer.final(selector.support_[None])[0]
    assert selector.score_ <= selector.best_score_


def test_it_is_off_for_an_exact_number_and_keeps_what_must_stay(table):
    exact = CrossEntropySelector(n_features_to_select=6, random_state=0).fit(*table)
    assert exact.n_features_ == 6
    kept = CrossEntropySelector(always=[11], within=3, null=False, random_state=0).fit(*table)
    assert kept.support_[11]


def test_it_says_nothing_about_criteria_without_losses(table):
    plain, wide = (CrossEntropySelector("reliable", within=w, null=False, random_state=0).fit(*table) for w in (0, 9))
    assert plain.support_.tolist() == wide.support_.tolist()
