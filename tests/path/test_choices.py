"""What halves of the rows choose, and which columns replace each other there."""

import numpy as np
import pytest

from entropick.encode import encode
from entropick.engine import make_engine
from entropick.path import Choices, replaceable


@pytest.fixture(scope="module")
def engine():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=400)
    return make_engine("native", encode(X, X[:, 0] + X[:, 3] > 0).table)


def test_columns_that_say_the_same_and_are_never_chosen_together_replace_each_other(engine):
    masks = np.zeros((4, 8), dtype=bool)
    masks[:, 3] = True
    masks[:2, 0] = masks[2:, 1] = True
    masks[0, 6] = masks[1, 7] = True
    assert replaceable(masks, engine) == ((0, 1),)
    masks[0, 1] = True
    assert replaceable(masks, engine) == ()


def test_columns_that_share_only_their_many_levels_do_not_replace_each_other():
    rng = np.random.default_rng(0)
    X = np.char.add("v", np.column_stack([rng.permutation(600) % 590, rng.integers(0, 4, (600, 2))]).astype(str))
    engine = make_engine("auto", encode(X.astype(object), rng.integers(0, 2, 600)).table, 1)
    assert replaceable(np.eye(3, dtype=bool), engine) == ()


def test_the_frequency_is_the_share_of_the_halves():
    masks = np.array([[True, False, True], [True, False, False], [True, True, False], [True, False, False]])
    choices = Choices(masks, (), np.arange(4), np.ones((4, 4), dtype=bool))
    np.testing.assert_array_equal(choices.frequency, [1, 0.25, 0.25])
