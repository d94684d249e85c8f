"""How a fit ends: in time, by Ctrl-C, with an error, from a checkpoint."""

import itertools
import signal
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from entropick import ClassifierScore, CrossEntropySelector, SubsetSelector
from entropick.criteria import Tables, bayes, plugin
from entropick.search import SEARCHES, Forward

X = np.random.default_rng(0).integers(2, size=(200, 8))
Y = X[:, 1] ^ X[:, 4]


def fit(X, y, **settings):
    return CrossEntropySelector(**{"criterion": "reliable", "null": False, "random_state": 0, **settings}).fit(X, y)


@pytest.mark.parametrize("how", [{"callback": lambda line: 1 / 0}, {"always": ["z"]}, {"criterion": lambda sizes: 1}])
def test_a_fit_that_fails_anywhere_leaves_the_estimator_as_it_was(how):
    selector = fit(X, Y)
    before = dict(selector.__dict__)
    with pytest.raises((ValueError, ZeroDivisionError)):
        selector.set_params(**how).fit(X[:50, :5], X[:50, 0])
    selector.set_params(callback=None, always=(), criterion="reliable")
    assert selector.__dict__.keys() == before.keys()
    assert all(selector.__dict__[name] is value for name, value in before.items())
    np.testing.assert_array_equal(selector.transform(X), X[:, [1, 4]])


@pytest.mark.parametrize("search", SEARCHES)
def test_out_of_time_an_answer_keeps_every_promise(search):
    """No constant column, as many columns as asked for, those of always, and a score that is true."""
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(300), rng.integers(4, size=(300, 12)), np.zeros(300)])
    y = (X[:, 3] + X[:, 5] > 3).astype(int)
    spaces = ({}, {"n_features_to_select": 3}, {"always": [2]}, {"max_features": 2})
    for space, seconds in itertools.product(spaces, (1e-9, 0.02)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            selector = SubsetSelector(search, "plugin", max_seconds=seconds, random_state=0, **space, null=False).fit(
                X, y
            )
        chosen = selector.get_support(indices=True)
        assert len(chosen) >= 1
        assert len(chosen) == space.get("n_features_to_select", len(chosen)) <= space.get("max_features", 14)
        assert set(space.get("always", [])) <= set(chosen.tolist())
        kinds = [column.kind for column in selector.record_.encoded.columns]
        if kinds[2] == "unread":  # column 1, the only one read that is not constant, is in an answer of three
            assert len(chosen) < 3 or 1 in chosen
        elif "unread" not in kinds:
            assert not {0, 13} & set(chosen.tolist())
            assert selector.score_ == pytest.approx(selector.information_)


def test_constant_columns_are_selected_only_where_there_are_no_others():
    X = np.column_stack([np.ones(40), np.arange(40) % 2, np.zeros(40)])
    y = X[:, 1]
    for search in ("cross_entropy", "random", "genetic", "backward"):
        assert SubsetSelector(search, "reliable", random_state=0, null=False).fit(X, y).get_support(
            indices=True
        ).tolist() == [1]
    assert fit(X, y, n_features_to_select=3).n_features_ == 3
    assert fit(X, y, always=[0]).get_support(indices=True).tolist() == [0, 1]


def test_a_model_may_see_what_one_bin_hides():
    """XOR of two reals: MDLP finds no cut in either, a nearest neighbour needs both."""
    reals = np.random.default_rng(0).uniform(-1, 1, size=(300, 3))
    y = (reals[:, 0] > 0) ^ (reals[:, 1] > 0)
    model = ClassifierScore(KNeighborsClassifier(3), cv=3)
    selector = SubsetSelector("exhaustive", model, binning="mdlp", null=False).fit(reals, y)
    assert selector.get_support(indices=True).tolist() == [0, 1]
    assert SubsetSelector("exhaustive", "plugin", binning="mdlp", null=False).fit(reals, y).n_features_ == 0


@pytest.mark.signals
def test_ctrl_c_ends_a_cross_validation():
    """A fold with half a search must not be scored as if it were whole."""
    steps = []

    def callback(line):
        steps.append(line)
        signal.raise_signal(signal.SIGINT)

    pipeline = make_pipeline(
        CrossEntropySelector("reliable", random_state=0, callback=callback, null=False), GaussianNB()
    )
    with pytest.raises(KeyboardInterrupt):
        cross_val_score(pipeline, X, Y, cv=5)
    assert len(steps) == 1
    with pytest.raises(KeyboardInterrupt):
        GridSearchCV(pipeline, {"crossentropyselector__n_bins": [3, 5]}, cv=3).fit(X, Y)
    assert len(steps) == 2


@pytest.mark.signals
def test_ctrl_c_may_end_a_fit_with_the_best_so_far():
    with pytest.warns(UserWarning, match="interrupted after"):
        selector = fit(X, Y, on_interrupt="best", callback=lambda line: signal.raise_signal(signal.SIGINT))
    assert "interrupted" in selector.stop_
    with pytest.raises(ValueError, match="unknown on_interrupt 'never'"):
        fit(X, Y, on_interrupt="never")


CRITERIA_OF_MY_OWN = {
    "a lambda": lambda alpha: lambda sizes: bayes(sizes, alpha=alpha),
    "an object": lambda alpha: _Mine(alpha),
    "a model": lambda alpha: _Model(alpha),
}


class _Mine:
    def __init__(self, alpha):
        self.alpha = alpha

    def __call__(self, class_sizes):
        return bayes(class_sizes, alpha=self.alpha)


class _Model:
    """A criterion that says nothing of itself."""

    def __init__(self, alpha):
        self.alpha = alpha

    def bind(self, table):
        return lambda masks: np.cos(masks @ np.arange(table.n_columns) * self.alpha)


@pytest.mark.parametrize("kind", CRITERIA_OF_MY_OWN)
def test_a_checkpoint_of_another_criterion_of_my_own_is_refused(kind, tmp_path):
    make, path = CRITERIA_OF_MY_OWN[kind], tmp_path / "run"
    first = fit(X, Y, criterion=make(1e-6), checkpoint=path)
    same = fit(X, Y, criterion=make(1e-6), checkpoint=path)
    assert (same.score_, same.n_evaluations_) == (first.score_, first.n_evaluations_)
    with pytest.raises(ValueError, match="this run's criterion tables; delete|from another criterion, or the"):
        fit(X, Y, criterion=make(1000.0), checkpoint=path)


def test_a_criterion_that_differs_in_large_blocks_only_is_refused(tmp_path):
    def make(size):
        def mine(class_sizes):
            once = plugin(class_sizes)
            return Tables(lambda a: once.block(a) - (a > size), once.cell, once.constant)

        return mine

    wide = np.random.default_rng(0).integers(2, size=(4000, 6))
    fit(wide, wide[:, 0], criterion=make(1200), checkpoint=tmp_path / "run")
    with pytest.raises(ValueError, match="from another criterion"):
        fit(wide, wide[:, 0], criterion=make(4001), checkpoint=tmp_path / "run")


def test_a_checkpoint_of_a_search_that_was_edited_is_refused(tmp_path):
    def search(backwards):
        class Mine(Forward):
            def steps(self, space, rng):
                return SEARCHES["backward"]().steps(space, rng) if backwards else super().steps(space, rng)

        return Mine()

    SubsetSelector(search(False), "reliable", checkpoint=tmp_path / "run", random_state=0, null=False).fit(X, Y)
    with pytest.raises(ValueError, match="asked about different subsets from number 2 on"):
        SubsetSelector(search(True), "reliable", checkpoint=tmp_path / "run", random_state=0, null=False).fit(X, Y)
