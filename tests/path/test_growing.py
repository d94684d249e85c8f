"""A table that has more columns than a model holds is judged by models of the columns that are asked for."""

import numpy as np
import pytest

from entropick import CrossEntropySelector
from entropick.criteria import CRITERIA
from entropick.criteria import _linear as linear_room
from entropick.encode import encode
from entropick.path import Growing
from entropick.path._grow import Grower
from entropick.scorer import Scorers


def wide(seed=0, n=120, m=40):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    return X, X[:, 3] - X[:, 20] + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_losses_are_those_of_the_model_of_all_columns(target):
    X, y = wide()
    table = encode(X, y > 0 if target == "classes" else y).table
    criterion = CRITERIA["naive" if target == "classes" else "linear"]
    growing, whole = Growing(table, criterion, 1), Scorers(table, n_jobs=1)[criterion].model
    assert growing.rows.tolist() == whole.rows.tolist()
    rng = np.random.default_rng(1)
    masks = rng.random((20, 40)) < 0.1
    masks[0] = False
    for some in (masks[:1], masks[1:4], masks[4:], masks):
        np.testing.assert_allclose(growing.losses(some), whole.losses(some), atol=1e-9)


def test_a_model_forgets_what_it_cannot_hold(monkeypatch):
    X, y = wide()
    table = encode(X, y).table
    whole = Scorers(table, n_jobs=1)["linear"].model
    masks = np.eye(40, dtype=bool)
    expected = whole.losses(masks)
    monkeypatch.setattr(linear_room, "MOST_FEATURES", 30)  # five columns
    growing = Growing(table, CRITERIA["linear"], 1)
    for start in range(0, 40, 5):
        some = slice(start, start + 5)
        np.testing.assert_allclose(growing.losses(masks[some]), expected[some], atol=1e-9)
        assert len(growing.columns) <= 5


def test_all_columns_are_no_point_of_the_curve_where_no_model_holds_them(monkeypatch):
    X, y = wide(n=300)
    assert CrossEntropySelector(random_state=0, decoys=0).fit(X, y).curve_["sizes"].max() == 40
    monkeypatch.setattr(linear_room, "MOST_FEATURES", 150)
    with pytest.warns(UserWarning, match="25 of 40 columns were searched"):
        selector = CrossEntropySelector(random_state=0, decoys=0).fit(X, y)
    assert selector.curve_["sizes"].max() < 25
    assert {3, 20} <= set(np.flatnonzero(selector.support_))


def test_what_was_sorted_out_by_all_rows_still_counts_in_halves(monkeypatch):
    """Else the rows that judge would have had a say in what may be chosen."""
    monkeypatch.setattr(linear_room, "MOST_FEATURES", 150)
    tried = set()
    keep = Grower._keep

    def watched(grower, m):
        tried.update(grower.columns.tolist())
        keep(grower, m)

    monkeypatch.setattr(Grower, "_keep", watched)
    X, y = wide(n=300)
    with pytest.warns(UserWarning, match="25 of 40 columns were searched"):
        CrossEntropySelector(random_state=0, decoys=0).fit(X, y)
    assert len(tried) > 25
