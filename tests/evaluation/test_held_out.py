"""What a model loses with the chosen columns, on rows that it has not seen."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.encode import encode
from entropick.evaluation import held_out
from entropick.path import Choices, halve

pytestmark = pytest.mark.all_trees


def pair(n=800, seed=0):
    """A target that a pair of columns determines, apart from errors, and ten columns of noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 12))
    return X, (X[:, 0] ^ X[:, 1]) ^ (rng.random(n) < 0.1)


def chosen(table, *columns):
    """The same columns, chosen from each of the halves of a table."""
    halved = halve(table, np.random.default_rng(0))
    masks = np.zeros((len(halved.tables), table.n_columns), dtype=bool)
    masks[:, list(columns)] = True
    return Choices(masks, (), halved.rows, halved.in_half)


def test_the_right_columns_lose_nothing_and_the_wrong_ones_everything():
    table = encode(*pair()).table
    right, wrong = (held_out(table, chosen(table, *columns)) for columns in ((0, 1), (2, 3)))
    assert right.measure == wrong.measure == "error"
    assert right.chosen == pytest.approx(0.1, abs=0.03)
    assert right.chosen <= right.everything < right.nothing
    assert wrong.chosen == pytest.approx(0.5, abs=0.06)
    assert (right.everything, right.nothing) == (wrong.everything, wrong.nothing)
    assert (right.n_columns, right.n_runs) == (2, 6)
    assert 0 < right.difference_error < 0.05


def test_noise_predicts_nothing():
    rng = np.random.default_rng(1)
    table = encode(rng.normal(size=(300, 5)), rng.integers(0, 2, 300)).table
    found = held_out(table, chosen(table, 0, 1))
    assert found.chosen == pytest.approx(0.5, abs=0.08)


def test_rare_classes_are_judged_by_auc_and_numbers_by_r_squared():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(600, 3))
    table = encode(X, X[:, 0] + rng.normal(size=600) > 2).table
    rare = held_out(table, chosen(table, 0))
    assert rare.measure == "auc"
    assert rare.nothing == 0.5
    assert rare.chosen > 0.75
    table = encode(X, X[:, 0] + 0.5 * rng.normal(size=600)).table
    number = held_out(table, chosen(table, 0))
    assert number.measure == "r_squared"
    assert number.chosen > 0.6
    assert number.nothing == pytest.approx(0, abs=0.05)


def test_without_columns_it_is_the_commonest_class():
    table = encode(*pair()).table
    found = held_out(table, chosen(table))
    assert found.chosen == found.nothing


def test_strings_and_gaps_are_no_obstacle():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    X = [[("a", "b")[c], None if i % 5 else 1.5, 1e300 if i % 7 else 0.0] for i, c in enumerate(y)]
    table = encode(np.array(X, dtype=object), y).table
    found = held_out(table, chosen(table, 0))
    assert found.chosen == 0


def test_the_threads_make_no_difference():
    table = encode(*pair(300)).table
    choices = chosen(table, 0, 1)
    assert held_out(table, choices, n_jobs=1) == held_out(table, choices, n_jobs=2)


def test_time_cuts_it_short_and_two_rows_are_too_few():
    table = encode(*pair(200)).table
    assert held_out(table, chosen(table, 0, 1), seconds=0).n_runs == 2
    one, other = np.array([[True, False], [False, True]])
    of_two = Choices(np.ones((2, 1), dtype=bool), (), np.arange(2), np.array([one, other]))
    assert held_out(encode([[0], [1]], [0, 1]).table, of_two) is None


def test_of_many_rows_a_sample_is_looked_at(monkeypatch):
    monkeypatch.setattr("entropick.evaluation._held_out._ROWS", 200)
    table = encode(*pair(3000)).table
    found = held_out(table, chosen(table, 0, 1))
    assert found.chosen == pytest.approx(0.1, abs=0.06)


def test_columns_are_tested_on_the_rows_that_they_were_not_chosen_from(monkeypatch):
    seen = []

    def noted(measure, train, test, columns, n_jobs):
        seen.append((len(train[1]), len(test[1]), np.flatnonzero(columns).tolist()))
        return 0.0

    monkeypatch.setattr("entropick.evaluation._held_out._value", noted)
    table = encode(*pair(240)).table
    choices = chosen(table, 0, 1)
    choices.masks[0, 5] = True
    held_out(table, choices)
    assert len(seen) == 3 * 6
    assert {line[:2] for line in seen} == {(120, 120)}
    assert seen[0][2] == [0, 1, 5]
    assert seen[3][2] == [0, 1]
