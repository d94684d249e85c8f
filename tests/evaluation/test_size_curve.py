from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from entropick import SubsetScorer, SubsetSelector
from entropick.criteria import one_dependence
from entropick.evaluation import size_curve


def test_from_nothing_it_is_the_path_of_forward_search() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    curve = size_curve(X, y, (), "reliable", further=4)
    forward = SubsetSelector("forward", "reliable", null=False).fit(X, y)
    k = forward.n_features_
    assert sorted(curve["column"][1 : k + 1]) == np.flatnonzero(forward.support_).tolist()
    assert curve["score"][k] == pytest.approx(forward.score_)


def test_every_point_is_the_score_of_its_columns() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    curve = size_curve(X, y, [3, 22, 7], "plugin", keep_order=True, further=2)
    assert curve["column"][:4].tolist() == [-1, 3, 22, 7]
    for size in curve["size"]:
        mask = np.isin(np.arange(30), curve["column"][1 : size + 1])[None]
        assert curve["information"][size] == SubsetScorer(X, y)(mask)[0]
        assert curve["corrected"][size] == SubsetScorer(X, y, "reliable")(mask)[0]


def test_counted_information_never_falls() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    assert (np.diff(size_curve(X, y, [1, 2, 3], further=10)["information"]) >= 0).all()


def test_a_budget_ends_the_way_beyond_the_selection() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    assert len(size_curve(X, y, [1, 2], max_evaluations=3 + 28)["size"]) == 4
    assert len(size_curve(X, y, [1, 2], max_evaluations=3 + 27)["size"]) == 3


def test_a_selection_is_whole_even_if_its_order_cannot_be_paid_for() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    for budget in (0, 3, 5, 6):
        curve = size_curve(X, y, [5, 22, 7], max_evaluations=budget)
        assert sorted(curve["column"][1:]) == [5, 7, 22]


def test_columns_that_a_model_cannot_hold_come_only_if_they_are_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(one_dependence), "most_columns", lambda self, table: 4)
    X, y = load_breast_cancer(return_X_y=True)
    curve = size_curve(X, y, [9, 14], one_dependence)  # which say little
    assert sorted(curve["column"][1:3]) == [9, 14]
    assert len(curve["size"]) == 5
    assert np.isfinite(curve["score"]).all()


def test_a_selection_that_the_model_cannot_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(one_dependence), "most_columns", lambda self, table: 4)
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(
        ValueError, match="columns must name at most 4 columns, as many as the model .* got 5: criteria"
    ):
        size_curve(X, y, range(5), one_dependence)


def test_a_number_is_scored_as_one() -> None:
    X, y = load_diabetes(return_X_y=True)
    curve = size_curve(X, y, [2, 8], further=1)
    assert curve["score"][2] == SubsetScorer(X, y, "linear")(np.isin(np.arange(10), [2, 8])[None])[0]


def test_a_mask_is_a_selection_too() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    mask = np.isin(np.arange(30), [5, 22, 7])
    np.testing.assert_equal(size_curve(X, y, mask), size_curve(X, y, [5, 7, 22]))


@pytest.mark.parametrize("columns", [[3, 3], [-1], [30], [0.5], ["a"], [True, False]])
def test_what_is_no_selection_is_refused(columns: object) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(ValueError, match="columns must be different numbers from 0 to 29"):
        size_curve(X, y, columns)  # type: ignore[arg-type]
