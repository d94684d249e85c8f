from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from entropick import RankSelector
from entropick.evaluation import stability
from entropick.report import read_result
from entropick.report.words import agreement
from entropick.stability import stability_interval


def test_random_selections_agree_about_as_much_as_chance() -> None:
    rng = np.random.default_rng(0)
    value, error = stability(rng.random((200, 100)) < 0.2)
    assert abs(value) < 0.02
    assert 0 < error < 0.02


def test_of_fixed_size_it_is_one_less_the_disagreement_of_pairs() -> None:
    """For equal sizes it is Kuncheva's index: the mean over pairs of (r·m − k²) / (k·(m − k)), r columns in common."""
    rng = np.random.default_rng(1)
    m, k = 12, 4
    masks = np.array([rng.permutation(m) < k for _ in range(6)])
    pairs = [(masks[i] & masks[j]).sum() for i in range(6) for j in range(i)]
    kuncheva = np.mean([(r * m - k * k) / (k * (m - k)) for r in pairs])
    assert stability(masks)[0] == pytest.approx(kuncheva)


def test_nothing_to_agree_on_has_no_value() -> None:
    assert np.isnan(stability(np.zeros((3, 4)))).all()
    assert np.isnan(stability(np.ones((3, 4)))).all()


def test_two_selections_have_no_error() -> None:
    value, error = stability([[1, 0], [1, 0]])
    assert value == 1.0
    assert np.isnan(error)


def test_its_error_is_that_of_the_jackknife() -> None:
    masks = np.random.default_rng(2).random((5, 8)) < 0.4
    without = [stability(np.delete(masks, i, axis=0))[0] for i in range(5)]
    assert stability(masks)[1] == pytest.approx(np.sqrt(4 / 5 * np.sum((without - np.mean(without)) ** 2)))


def test_an_interval_has_two_ends_or_none() -> None:
    two, alike, nearly_empty = [[1, 0, 1], [1, 1, 0]], [[1, 0, 1]] * 6, [[1, 0, 1], [0, 0, 0], [0, 0, 0]]
    for masks in (two, alike, nearly_empty, np.zeros((3, 4))):
        value, *ends = stability_interval(masks)
        assert value == pytest.approx(stability(masks)[0], nan_ok=True)
        assert np.isnan(ends).all()


@pytest.mark.parametrize("n", [3, 4, 6])
def test_an_interval_is_not_wider_than_what_is_possible(n: int) -> None:
    rng = np.random.default_rng(n)
    narrowed = 0
    for _ in range(200):
        masks = rng.random((n, 6)) < 0.4
        value, error = stability(masks)
        _, low, high = stability_interval(masks)
        if np.isnan(low):
            continue
        assert -1 / (n - 1) <= low <= value + 1e-12
        assert value - 1e-12 <= high <= 1
        assert low < high
        narrowed += (low, high) != (value - 1.96 * error, value + 1.96 * error)
    assert narrowed > 0


def test_no_selections_agree_less_than_the_lowest_possible_end() -> None:
    """Each column is chosen as often, so that p(1 − p) of all of them is largest."""
    assert stability(np.eye(4))[0] == pytest.approx(-1 / 3)
    assert stability(np.eye(2))[0] == pytest.approx(-1)


def test_what_selectors_and_pages_say_of_halves() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    selector = RankSelector("mim", n_features_to_select=5, halves=True).fit(X, y)
    assert selector.record_.outcome.choices is not None
    assert selector.stability_ == stability_interval(selector.record_.outcome.choices.masks)
    value, low, high = selector.stability_
    assert 0 < low < value < high <= 1
    result = selector.report().result
    assert result.halves is not None
    assert result.halves.interval == (low, high)
    assert f" {value:.2f} ({low:.2f} to {high:.2f}); 1 " in agreement(result)
    assert read_result(json.dumps(result.to_dict(), allow_nan=False)) == result


def test_two_selections_have_no_interval() -> None:
    value, *ends = stability_interval(np.array([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]], dtype=bool))
    assert 0 < value < 1
    assert np.isnan(ends).all()


def test_indices_are_refused() -> None:
    with pytest.raises(ValueError, match="use masks, not indices"):
        stability([[3, 5], [3, 6]])


def test_one_selection_is_refused() -> None:
    with pytest.raises(ValueError, match="at least two"):
        stability([[1, 0]])
