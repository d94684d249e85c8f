"""How often each column is chosen from halves of the rows."""

from __future__ import annotations

import numpy as np
import pytest

from entropick import CrossEntropySelector, SubsetScorer
from entropick.association import associations
from entropick.encode import encode
from entropick.engine import make_engine
from entropick.evaluation import held_out
from entropick.selectors import _halves, _searching, halved
from entropick.selectors._halves import half_tables, replaceable, telling, with_agreed
from entropick.selectors._problem import Problem


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=400)
    return X, (X[:, 0] + X[:, 3] + 0.3 * rng.normal(size=400) > 0).astype(int)


def telling_of(X, y):
    encoded = encode(X, y)
    return telling(encoded.table, associations(make_engine("native", encoded.table)))


def test_halves_are_complements_with_the_same_classes():
    y = np.repeat(["a", "b", "c"], [60, 30, 11])
    encoded = encode(np.arange(101)[:, None] % 20, y)
    first, second, third, _ = half_tables(encoded, 4, (5, "quantile"))
    np.testing.assert_array_equal(first.class_sizes + second.class_sizes, [60, 30, 11])
    assert abs(first.n_rows - second.n_rows) <= 1
    assert abs(first.class_sizes - second.class_sizes).max() <= 1
    assert sorted([*first.X[:, 0], *second.X[:, 0]]) == sorted(encoded.table.X[:, 0])
    assert first.X[:, 0].tolist() != third.X[:, 0].tolist()


def test_halves_without_their_rows_have_the_same_codes_and_numbers(table):
    X, y = table
    words = np.where(X[:, 5] > 0, "up", "down")
    encoded = encode(np.column_stack([X.astype(object), words]), y)
    for whole, part in zip(*(half_tables(encoded, 2, (5, "quantile"), some) for some in (True, False)), strict=True):
        assert (part.X, part.y) == (None, None)
        assert len(part.values) == part.n_columns == 9
        assert part.numbers_of(8) is None
        for j in range(8):
            np.testing.assert_array_equal(part.columns[j], whole.columns[j])
            np.testing.assert_array_equal(part.numbers_of(j), whole.numbers_of(j))


def test_large_tables_are_halved_by_a_sample_of_their_rows(table, monkeypatch):
    X, y = table
    encoded = encode(X, y)
    monkeypatch.setattr(_halves, "_MOST_CELLS", 0)
    monkeypatch.setattr(_halves, "_FEWEST", 100)
    for whole in (True, False):
        sample = halved(encoded.table, whole)
        first, second = half_tables(encoded, 2, (5, "quantile"), whole)
        assert (sample.n_rows, first.n_rows, second.n_rows) == (100, 50, 50)
        rows = [int(np.flatnonzero(X[:, 0] == x)[0]) for x in sample.numbers_of(0)]
        assert rows == sorted(set(rows))
        np.testing.assert_array_equal(sample.classes, encoded.table.classes[rows])
        half = [*first.numbers_of(3), *second.numbers_of(3)]
        np.testing.assert_array_equal(np.sort(half), np.sort(X[rows, 3]))
    selector = CrossEntropySelector(random_state=0).fit(X, y)
    assert selector.record_.outcome.halves.masks.shape == (6, 8)
    assert held_out(encoded.table, selector.record_.outcome.halves.masks).n_runs == 6


def test_columns_that_share_only_their_many_levels_do_not_replace_each_other():
    rng = np.random.default_rng(0)
    X = np.char.add("v", np.column_stack([rng.permutation(600) % 590, rng.integers(0, 4, (600, 2))]).astype(str))
    engine = make_engine("auto", encode(X.astype(object), rng.integers(0, 2, 600)).table, 1)
    masks = np.eye(3, dtype=bool)
    assert replaceable(masks, engine) == ()


def test_a_copy_is_not_chosen_beside_its_original(table):
    X, y = table
    X = np.column_stack([X, X[:, 0], X[:, 3]])
    for target in (y, X[:, 0] + X[:, 3] + 0.1 * np.random.default_rng(1).normal(size=400)):
        chosen = CrossEntropySelector(null=False, random_state=0).fit(X, target).get_support(indices=True).tolist()
        assert {0, 3} <= set(chosen)
        assert not {8, 9} & set(chosen)
        asked = CrossEntropySelector(null=False, random_state=0, always=[8]).fit(X, target).get_support(indices=True)
        assert 8 in asked
        assert 0 not in asked


def test_a_class_that_a_half_lacks_is_left_out_of_it():
    encoded = encode(np.arange(9)[:, None], ["a"] * 4 + ["b"] * 4 + ["rare"])
    halves = list(half_tables(encoded, 2, (5, "quantile")))
    assert sorted(len(half.class_sizes) for half in halves) == [2, 3]
    assert all(half.class_sizes.min() >= 1 for half in halves)


def test_frequencies_stability_and_what_replaces_what(table):
    selector = CrossEntropySelector(half_samples=6, null=False, random_state=0).fit(*table)
    halves = selector.record_.outcome.halves
    np.testing.assert_allclose(selector.selection_frequency_, halves.masks.mean(axis=0))
    assert selector.selection_frequency_[3] == 1
    value, low, high = selector.stability_
    assert low <= value <= high <= 1
    again = CrossEntropySelector(half_samples=6, null=False, random_state=0).fit(*table)
    assert (again.selection_frequency_ == selector.selection_frequency_).all()
    assert (CrossEntropySelector(null=False, random_state=0).fit(*table).support_ == selector.support_).all()


def test_what_two_halves_agree_on_or_one_that_has_chosen_what_tells_something_alone_is_kept_too(table):
    alone = CrossEntropySelector(half_samples=0, null=False, random_state=0).fit(*table)
    selector = CrossEntropySelector(null=False, random_state=0).fit(*table)
    tells = telling_of(*table)
    assert 0 < tells.sum() < len(tells)
    agreed = selector.selection_frequency_ >= np.where(tells, 1, 2) / 6
    np.testing.assert_array_equal(selector.support_, alone.support_ | agreed)
    assert selector.best_score_ == alone.best_score_
    scorer = SubsetScorer(*table, "auto")
    assert selector.score_ == scorer.final(selector.support_[None])[0]


def test_a_numeric_target_asks_two_halves_about_any_column():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    assert not telling_of(X, X[:, 0] + rng.normal(size=200)).any()
    np.testing.assert_array_equal(telling_of(X, X[:, 0] > 0), [True, False, False, False, False])


def test_columns_that_halves_agree_on_are_counted():
    mask, base = np.array([1, 1, 0, 0, 0, 0], dtype=bool), np.array([0, 0, 0, 0, 0, 1], dtype=bool)
    masks, tells = np.zeros((6, 6), dtype=bool), np.zeros(6, dtype=bool)
    masks[0, :4] = masks[1, 2] = True

    def kept(masks, tells, most=None):
        return np.flatnonzero(with_agreed(mask, masks, tells, base, most)).tolist()

    assert kept(masks, tells) == [0, 1, 2, 5]
    assert kept(masks, tells, 3) == [0, 2, 5]
    assert kept(np.tile(masks, (2, 1)), tells) == [0, 1, 2, 5]
    few = np.vstack([masks, np.zeros_like(masks)])  # two of twelve are not enough
    assert kept(few, tells) == [0, 1, 5]
    tells[[3, 4]] = True
    assert kept(masks, tells) == [0, 1, 2, 3, 5]
    assert kept(few, tells) == [0, 1, 5]


def test_no_more_columns_come_in_than_the_criterion_can_score():
    mask, base = np.arange(7) < 2, np.arange(7) == 6
    masks = np.zeros((6, 7), dtype=bool)
    masks[:2, 2] = masks[:4, 3] = masks[:3, 4] = True

    def kept(most):
        return np.flatnonzero(with_agreed(mask, masks, mask, base, None, lambda some: some.sum() <= most)).tolist()

    assert [kept(most) for most in (6, 5, 4, 3)] == [[0, 1, 2, 3, 4, 6], [0, 1, 3, 4, 6], [0, 1, 3, 6], [0, 1, 6]]
    assert kept(2) == [0, 1, 6]  # what was chosen stays


def test_what_halves_add_leaves_a_score(monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=100)
    X = y[:, None] + rng.normal(size=(100, 20))  # one is as good as another
    free = CrossEntropySelector(null=False, random_state=0).fit(X, y)
    chosen = CrossEntropySelector(null=False, half_samples=0, random_state=0).fit(X, y)
    most = chosen.n_features_ + 1
    assert free.n_features_ > most
    found = Problem.found
    monkeypatch.setattr(Problem, "found", lambda self, mask: found(self, mask) if mask.sum() <= most else -np.inf)
    bound = CrossEntropySelector(null=False, random_state=0).fit(X, y)
    assert bound.n_features_ == most
    assert bound.support_[chosen.support_].all()


def test_max_features_and_always_hold_for_what_halves_agree_on():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 12))
    y = (X @ np.ones(12) + 2 * rng.normal(size=150) > 0).astype(int)
    free = CrossEntropySelector(null=False, random_state=0).fit(X, y)
    assert free.n_features_ > 4
    bound = CrossEntropySelector(max_features=4, always=[11], null=False, random_state=0).fit(X, y)
    assert bound.n_features_ <= 4
    assert bound.support_[11]


def test_wide_halves_are_screened_and_keep_what_must_be_kept(monkeypatch, table):
    monkeypatch.setattr(_searching, "_HALF_COLUMNS", 3)
    selector = CrossEntropySelector(always=[7], null=False, random_state=0).fit(*table)
    masks = selector.record_.outcome.halves.masks
    assert masks.shape == (6, 8)
    assert masks[:, 7].all()
    assert masks.sum(axis=1).max() <= 3
    assert selector.selection_frequency_[[0, 1]].max() > 0.5


def test_columns_that_say_the_same_and_are_never_chosen_together_replace_each_other(table):
    engine = make_engine("native", encode(*table).table)
    masks = np.zeros((4, 8), dtype=bool)
    masks[:, 3] = True
    masks[:2, 0] = masks[2:, 1] = True
    masks[0, 6] = masks[1, 7] = True
    assert replaceable(masks, engine) == ((0, 1),)
    masks[0, 1] = True
    assert replaceable(masks, engine) == ()


@pytest.mark.parametrize("settings", [{"criterion": "reliable"}, {"half_samples": 0}, {"n_features_to_select": 2}])
def test_without_being_asked_nothing_is_fitted_again(table, settings):
    selector = CrossEntropySelector(null=False, random_state=0, **settings).fit(*table)
    assert selector.selection_frequency_ is None
    assert selector.stability_ is None


def test_other_criteria_keep_their_answer(table):
    one, other = (
        CrossEntropySelector("reliable", half_samples=n, null=False, random_state=0).fit(*table) for n in (0, 6)
    )
    assert (one.support_ == other.support_).all()
    assert other.selection_frequency_ is not None


@pytest.mark.parametrize("n", [1, -1, 2.5])
def test_a_number_of_halves_that_makes_no_sense_is_refused(table, n):
    with pytest.raises(ValueError, match="half_samples"):
        CrossEntropySelector(half_samples=n).fit(*table)
