"""The mean of two models, and which model the default is."""

import numpy as np
import pytest
from helpers import LOCAL_ENGINES, random_table

from entropick import SubsetScorer
from entropick.criteria import CRITERIA, _auto
from entropick.criteria._linear import Linear
from entropick.engine import make_engine

BOTH = [CRITERIA["one_dependence"], Linear(pair_features=0)]


@pytest.fixture
def table():
    return random_table(np.random.default_rng(3), 2300, 6, 4, 3)


@pytest.fixture
def masks():
    return np.random.default_rng(4).random((9, 6)) < 0.5


@pytest.mark.parametrize("engine", LOCAL_ENGINES)
def test_scores_are_the_means_of_both(engine, table, masks):
    model = CRITERIA["blend"].bind(table, make_engine(engine, table, 2))
    parts = [part.bind(table) for part in BOTH]
    np.testing.assert_allclose(model(masks), np.mean([part(masks) for part in parts], axis=0), atol=1e-9)
    np.testing.assert_allclose(model.final(masks), np.mean([part.final(masks) for part in parts], axis=0), atol=1e-9)
    assert (model(np.zeros((1, 6), dtype=bool)) == 0).all()


def test_losses_are_in_bits_and_belong_to_the_same_rows(table, masks):
    model = CRITERIA["blend"].bind(table)
    np.testing.assert_array_equal(model.one.rows, model.other.rows)
    nothing = np.zeros((1, 6), dtype=bool)
    assert model.losses(nothing).mean() == pytest.approx(table.class_entropy, abs=1e-3)
    one, other = model.one.losses(masks) / np.log(2), model.other.losses(masks)
    share = other / model.other.losses(nothing).mean()
    np.testing.assert_allclose(model.losses(masks), (one + share * table.class_entropy) / 2)


def test_one_class_scores_nothing():
    model = CRITERIA["blend"].bind(random_table(np.random.default_rng(0), 20, 3, 3, 1))
    np.testing.assert_allclose(model(np.eye(3, dtype=bool)), 0, atol=1e-12)
    assert np.isfinite(model.losses(np.eye(3, dtype=bool))).all()


def test_it_holds_what_both_hold(table, monkeypatch):
    assert CRITERIA["blend"].most_columns(table) == min(part.most_columns(table) for part in BOTH)
    monkeypatch.setattr(type(CRITERIA["linear"]), "most_columns", lambda self, table: 5)
    with pytest.raises(ValueError, match="'blend' holds at most 5 columns like these in memory; got 6"):
        CRITERIA["blend"].bind(table)


def test_what_it_claims():
    words = CRITERIA["blend"].claim(0.4, 0.8)
    assert words == "a one-dependence and a linear model predict 50% of it on average, the latter of its variance"


def test_the_default_is_a_blend_for_classes_and_a_linear_model_for_numbers(table, monkeypatch):
    auto = CRITERIA["auto"]
    assert auto.on(table).name == "blend"
    numbers = SubsetScorer(np.eye(9), np.random.default_rng(0).normal(size=9), "auto")
    assert numbers.criterion.name == "linear"
    monkeypatch.setattr(_auto, "_FEWEST_COLUMNS", 1_000_000)
    assert auto.on(table).name == "linear"
    monkeypatch.setattr(_auto, "_MOST_CLASSES", 2)
    assert auto.on(table).name == "naive"
    monkeypatch.setattr(_auto, "_FEWEST_COLUMNS", 1)
    assert auto.on(table).name == "one_dependence"


@pytest.mark.parametrize("name", ["blend", "one_dependence", "naive"])
def test_a_score_does_not_depend_on_the_width_of_the_table(name):
    """Whatever a pair of columns tells, it tells beside 4 columns and beside 70."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (900, 70))
    y = (X[:, 0] + X[:, 1]) % 3 == 0
    scores = []
    for m in (2, 4, 30, 70):
        scorer = SubsetScorer(X[:, :m], y, name)
        masks = np.zeros((3, m), dtype=bool)
        masks[[0, 1, 2, 2], [0, 1, 0, 1]] = True
        scores.append([*scorer(masks), *scorer.final(masks), *scorer.near(masks, masks[2])])
    np.testing.assert_allclose(scores, np.tile(scores[0], (4, 1)), atol=1e-9)
