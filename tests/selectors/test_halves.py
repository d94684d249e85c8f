"""How often each column is chosen from halves of the rows."""

from __future__ import annotations

import numpy as np
import pytest

from entropick import CrossEntropySelector
from entropick.encode import encode
from entropick.engine import make_engine
from entropick.selectors._halves import half_tables, replaceable


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=400)
    return X, (X[:, 0] + X[:, 3] + 0.3 * rng.normal(size=400) > 0).astype(int)


def test_halves_are_complements_with_the_same_classes():
    y = np.repeat(["a", "b", "c"], [60, 30, 11])
    encoded = encode(np.arange(101)[:, None] % 20, y)
    first, second, third, _ = half_tables(encoded, 4, 0, (5, "quantile"))
    np.testing.assert_array_equal(first.class_sizes + second.class_sizes, [60, 30, 11])
    assert abs(first.n_rows - second.n_rows) <= 1
    assert abs(first.class_sizes - second.class_sizes).max() <= 1
    assert sorted([*first.X[:, 0], *second.X[:, 0]]) == sorted(encoded.table.X[:, 0])
    assert first.X[:, 0].tolist() != third.X[:, 0].tolist()


def test_a_class_that_a_half_lacks_is_left_out_of_it():
    encoded = encode(np.arange(9)[:, None], ["a"] * 4 + ["b"] * 4 + ["rare"])
    halves = list(half_tables(encoded, 2, 0, (5, "quantile")))
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
    assert (selector.support_ == CrossEntropySelector(null=False, random_state=0).fit(*table).support_).all()


def test_columns_that_say_the_same_and_are_never_chosen_together_replace_each_other(table):
    engine = make_engine("native", encode(*table).table)
    masks = np.zeros((4, 8), dtype=bool)
    masks[:, 3] = True
    masks[:2, 0] = masks[2:, 1] = True
    masks[0, 6] = masks[1, 7] = True
    assert replaceable(masks, engine) == ((0, 1),)
    masks[0, 1] = True
    assert replaceable(masks, engine) == ()


def test_without_being_asked_nothing_is_fitted_again(table):
    selector = CrossEntropySelector(null=False, random_state=0).fit(*table)
    assert selector.selection_frequency_ is None
    assert selector.stability_ is None


@pytest.mark.parametrize("n", [1, -1, 2.5])
def test_a_number_of_halves_that_makes_no_sense_is_refused(table, n):
    with pytest.raises(ValueError, match="half_samples"):
        CrossEntropySelector(half_samples=n).fit(*table)
