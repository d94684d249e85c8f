from __future__ import annotations

import numpy as np
import pytest

from entropick.evaluation import stability


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


def test_indices_are_refused() -> None:
    with pytest.raises(ValueError, match="use masks, not indices"):
        stability([[3, 5], [3, 6]])


def test_one_selection_is_refused() -> None:
    with pytest.raises(ValueError, match="at least two"):
        stability([[1, 0]])
