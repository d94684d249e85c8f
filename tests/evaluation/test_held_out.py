"""What a model loses with the chosen columns, on rows that it has not seen."""

from __future__ import annotations

import numpy as np
import pytest

from entropick.encode import encode
from entropick.evaluation import held_out
from entropick.selectors import half_rows

pytestmark = pytest.mark.all_trees


def pair(n=800, seed=0):
    """A target that a pair of columns determines, apart from errors, and ten columns of noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 12))
    return X, (X[:, 0] ^ X[:, 1]) ^ (rng.random(n) < 0.1)


def chosen(*columns, m=12, n=6):
    masks = np.zeros((n, m), dtype=bool)
    masks[:, list(columns)] = True
    return masks


def test_the_right_columns_lose_nothing_and_the_wrong_ones_everything():
    table = encode(*pair()).table
    right, wrong = held_out(table, chosen(0, 1)), held_out(table, chosen(2, 3))
    assert right.measure == wrong.measure == "error"
    assert right.chosen == pytest.approx(0.1, abs=0.03)
    assert right.chosen <= right.everything < right.nothing
    assert wrong.chosen == pytest.approx(0.5, abs=0.06)
    assert (right.everything, right.nothing) == (wrong.everything, wrong.nothing)
    assert (right.n_columns, right.n_runs) == (2, 6)
    assert 0 < right.difference_error < 0.05


def test_noise_predicts_nothing():
    rng = np.random.default_rng(1)
    found = held_out(encode(rng.normal(size=(300, 5)), rng.integers(0, 2, 300)).table, chosen(0, 1, m=5))
    assert found.chosen == pytest.approx(0.5, abs=0.08)


def test_rare_classes_are_judged_by_auc_and_numbers_by_r_squared():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(600, 3))
    rare = held_out(encode(X, X[:, 0] + rng.normal(size=600) > 2).table, chosen(0, m=3))
    assert rare.measure == "auc"
    assert rare.nothing == 0.5
    assert rare.chosen > 0.75
    number = held_out(encode(X, X[:, 0] + 0.5 * rng.normal(size=600)).table, chosen(0, m=3))
    assert number.measure == "r_squared"
    assert number.chosen > 0.6
    assert number.nothing == pytest.approx(0, abs=0.05)


def test_without_columns_it_is_the_commonest_class():
    found = held_out(encode(*pair()).table, chosen())
    assert found.chosen == found.nothing


def test_strings_and_gaps_are_no_obstacle():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    X = [[("a", "b")[c], None if i % 5 else 1.5, 1e300 if i % 7 else 0.0] for i, c in enumerate(y)]
    found = held_out(encode(np.array(X, dtype=object), y).table, chosen(0, m=3))
    assert found.chosen == 0


def test_the_threads_make_no_difference():
    table = encode(*pair(300)).table
    assert held_out(table, chosen(0, 1), n_jobs=1) == held_out(table, chosen(0, 1), n_jobs=2)


def test_time_cuts_it_short_and_two_rows_are_too_few():
    table = encode(*pair(200)).table
    assert held_out(table, chosen(0, 1), seconds=0).n_runs == 2
    assert held_out(encode([[0], [1]], [0, 1]).table, chosen(0, m=1)) is None


def test_of_many_rows_a_sample_is_looked_at(monkeypatch):
    monkeypatch.setattr("entropick.evaluation._held_out._ROWS", 200)
    found = held_out(encode(*pair(3000)).table, chosen(0, 1))
    assert found.chosen == pytest.approx(0.1, abs=0.06)


def test_halves_come_two_by_two_and_share_out_every_class():
    classes = np.repeat([0, 1], [30, 10])
    first, second, third, _ = half_rows(classes, 4)
    assert (first == ~second).all()
    assert not (first == third).all()
    assert np.bincount(classes[first]).tolist() == [15, 5]
