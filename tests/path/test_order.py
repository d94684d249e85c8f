"""Columns are put in order by their places in halves; near copies do not take each other's places."""

import numpy as np
import pytest

from entropick.encode import encode
from entropick.engine import make_engine
from entropick.path import mean_places
from entropick.path._order import near_copies

INF = np.inf


def test_a_column_without_a_place_is_last():
    places = np.array([[1.0, INF, 2.0], [3.0, INF, INF]])
    np.testing.assert_allclose(mean_places(places, 4), [2, 4, 3])


def test_ten_copies_of_the_strongest_column_do_not_come_after_a_weaker_one():
    places = np.full((20, 11), INF)
    places[np.arange(20), np.arange(20) % 10] = 1  # each half takes another of the copies first, then the weaker one
    places[:, 10] = 2
    alone = mean_places(places, 3)
    assert alone.argmin() == 10
    group = np.arange(10)
    means = mean_places(places, 3, (group,))
    assert means.argmin() == 0
    assert means[0] == 1  # the best of all of them, in every half
    np.testing.assert_array_equal(means[1:], alone[1:])  # the others keep their own


def test_the_strongest_of_near_copies_speaks_for_them():
    places = np.array([[4.0, 1.0, 2.0], [3.0, 2.0, INF], [2.0, INF, INF]])
    means = mean_places(places, 5, (np.array([0, 1, 2]),))
    np.testing.assert_allclose(means, [9 / 3, (1 + 2 + 2) / 3, 12 / 3])
    assert mean_places(places, 5).argmin() == 1


def test_groups_do_not_touch_each_other():
    rng = np.random.default_rng(0)
    places = rng.integers(1, 6, (8, 6)).astype(float)
    one, other = np.array([0, 3]), np.array([1, 4, 5])
    both = mean_places(places, 6, (one, other))
    np.testing.assert_array_equal(both[one], mean_places(places, 6, (one,))[one])
    np.testing.assert_array_equal(both[other], mean_places(places, 6, (other,))[other])
    assert both[2] == places[:, 2].mean()


@pytest.fixture(scope="module")
def engine():
    rng = np.random.default_rng(0)
    x = rng.normal(size=600)
    near = x + 0.02 * rng.normal(size=600)
    apart = x + 1.0 * rng.normal(size=600)
    X = np.column_stack([x, rng.normal(size=600), near, apart, -x, np.ones(600)])
    return make_engine("auto", encode(X, x > 0).table, 1)


def test_near_copies_are_columns_that_say_nearly_the_same(engine):
    assert [group.tolist() for group in near_copies(np.arange(6), engine)] == [[0, 2, 4]]
    assert [group.tolist() for group in near_copies(np.array([1, 2, 4]), engine)] == [[2, 4]]
    assert near_copies(np.array([1, 3, 5]), engine) == ()
    assert near_copies(np.array([2]), engine) == ()


def test_columns_that_share_only_their_many_levels_are_no_near_copies():
    rng = np.random.default_rng(0)
    X = np.char.add("v", np.column_stack([rng.permutation(600) % 590, rng.permutation(600) % 580]).astype(str))
    table = encode(X.astype(object), rng.integers(0, 2, 600)).table
    assert near_copies(np.arange(2), make_engine("auto", table, 1)) == ()
