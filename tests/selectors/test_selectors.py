"""What the estimators say and refuse."""

import re
import time

import numpy as np
import polars as pl
import pytest
from helpers import LOCAL_ENGINES
from optional import optional
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError

from entropick import ColumnWarning, CrossEntropy, CrossEntropySelector, SubsetSelector, entropy, mutual_information
from entropick._errors import ParameterError
from entropick.criteria import CRITERIA, _one_dependence, plugin

pd = optional("pandas")
pa = optional("pyarrow")


@pytest.fixture
def bits():
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(200, 8))
    return pd.DataFrame(X, columns=list("abcdefgh")), X[:, 1] ^ X[:, 4]


def fit(X, y, **settings):
    return CrossEntropySelector(**{"criterion": "reliable", "null": False, "random_state": 0, **settings}).fit(X, y)


def test_what_a_fitted_selector_says(bits):
    selector = fit(*bits, effort=None)
    X, y = bits
    assert selector.get_feature_names_out().tolist() == ["b", "e"]
    assert selector.n_features_ == selector.support_.sum() == 2
    assert selector.class_entropy_ == pytest.approx(entropy(y))
    assert selector.information_ == pytest.approx(mutual_information(X[["b", "e"]], y))
    assert selector.delta_information_ == pytest.approx(0, abs=1e-9)
    assert selector.score_ == pytest.approx(mutual_information(X[["b", "e"]], y, estimator="reliable"))
    assert list(selector.stop_) == ["tolerance"]
    assert selector.seed_ == 0
    assert selector.target_ == {"kind": "classes", "labels": (0, 1)}
    assert selector.n_evaluations_ > 0
    lengths = {name: len(values) for name, values in selector.trace_.items()}
    assert set(lengths) == {"threshold", "best", "size", "samples", "elite", "seconds", "probabilities"}
    assert set(lengths.values()) == {selector.n_steps_}
    assert selector.trace_["probabilities"].shape == (selector.n_steps_, 8)
    assert (np.diff(selector.trace_["best"]) >= 0).all()
    assert (np.diff(selector.trace_["seconds"]) >= 0).all()
    np.testing.assert_array_equal(selector.probabilities_, selector.trace_["probabilities"][-1])


@pytest.mark.parametrize("criterion", CRITERIA)
def test_threads_and_engines_give_the_same_answer(criterion):
    X, y = load_breast_cancer(return_X_y=True)
    answers = []
    for engine, n_jobs in (*((name, 1) for name in LOCAL_ENGINES), ("native", 2), ("native", 5)):
        budget = {"max_evaluations": 300}
        selector = fit(X[:120, :7], y[:120], criterion=criterion, engine=engine, n_jobs=n_jobs, **budget)
        answers.append((selector.support_.tolist(), selector.score_, selector.n_evaluations_, selector.stop_))
    assert answers.count(answers[0]) == len(answers)


def test_a_number_of_features_can_be_asked_for_or_bounded(bits):
    for k in (1, 3, 8):
        assert fit(*bits, n_features_to_select=k).n_features_ == k
    assert fit(*bits, max_features=1).n_features_ <= 1
    assert fit(*bits, always=["h", 0]).get_feature_names_out().tolist() == ["a", "b", "e", "h"]
    assert fit(*bits, always="h").get_feature_names_out().tolist() == ["b", "e", "h"]
    assert fit(*bits, always=-1, n_features_to_select=3).get_feature_names_out().tolist() == ["b", "e", "h"]


def test_parsimony_is_a_price_per_column(bits):
    X, y = bits
    full = fit(X, y, criterion="plugin")
    priced = fit(X, y, criterion="plugin", parsimony=0.1)
    assert priced.get_feature_names_out().tolist() == ["b", "e"]
    assert priced.score_ == pytest.approx(priced.information_ - 2 * 0.1 * priced.class_entropy_)
    assert full.information_ == pytest.approx(priced.information_)
    assert not fit(X, y, parsimony=0.6).support_.any()


def test_nothing_informative_gives_the_empty_set():
    rng = np.random.default_rng(0)
    X, y = np.ones((50, 4)), rng.integers(2, size=50)
    X[:, 3] = np.nan
    for criterion in CRITERIA:
        selector = fit(X, y, criterion=criterion)
        assert selector.n_features_ == 0
        assert selector.information_ == 0
        assert selector.delta_information_ == float("inf")
        assert selector.get_feature_names_out().tolist() == []
        with pytest.warns(UserWarning, match="no column was selected"):
            assert selector.transform(X).shape == (50, 0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    with pytest.warns(UserWarning, match="no column was selected"):
        assert fit(frame, y).transform(frame).shape == (50, 0)


def test_duplicate_columns_are_selected_once():
    rng = np.random.default_rng(0)
    x = rng.integers(2, size=300)
    X = np.stack([x, x, 1 - x, rng.integers(2, size=300)], axis=1)
    assert fit(X, x).get_support(indices=True).tolist() == [0]


@pytest.mark.filterwarnings("ignore:the target .* is numeric and was cut:UserWarning")
def test_a_numeric_target_is_binned_and_says_how():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    selector = fit(X, X[:, 2] + 0.1 * rng.normal(size=400), binning="uniform")
    assert selector.get_support(indices=True).tolist() == [2]
    assert selector.target_["kind"] == "numeric"
    assert selector.target_["binning"] == "uniform"
    assert len(selector.target_["labels"]) == 5
    assert fit(X, X[:, 2], binning="mdlp").target_["binning"] == "quantile"


def test_hostile_column_names_are_only_names():
    rng = np.random.default_rng(0)
    x = rng.integers(2, size=100)
    names = ["<script>alert(1)</script>", 'quo"te', "🦆", "x" * 300]
    X = pl.DataFrame({name: rng.integers(2, size=100) for name in names}).with_columns(pl.Series(names[0], x))
    assert fit(X, x).get_feature_names_out().tolist() == names[:1]


@pytest.mark.parametrize(
    "state",
    [None, 5, np.int64(5), np.random.RandomState(5), np.random.default_rng(5)],
    ids=["None", "int", "int64", "RandomState", "Generator"],
)
def test_the_seed_that_was_used_repeats_the_run(state, bits):
    first = fit(*bits, random_state=state, max_evaluations=150)
    again = fit(*bits, random_state=first.seed_, max_evaluations=150)
    np.testing.assert_array_equal(first.probabilities_, again.probabilities_)
    assert first.score_ == again.score_


def test_budgets_and_callbacks_reach_the_search(bits):
    assert fit(*bits, max_evaluations=50).stop_ == {"max_evaluations": 50}
    with pytest.warns(ColumnWarning, match="time ran out before 7 of 8 columns were read"):
        assert fit(*bits, max_seconds=1e-9).stop_ == {"max_seconds": 1e-9}
    steps = []
    selector = fit(*bits, callback=lambda line: steps.append(line) or line["step"] == 3)
    assert selector.stop_ == {"callback": 3}
    assert len(steps) == selector.n_steps_ == 3


def test_a_checkpoint_goes_on_and_refuses_what_is_not_its_own(bits, tmp_path):
    X, y = bits
    path = tmp_path / "run.npz"
    whole = fit(X, y, random_state=3)
    fit(X, y, random_state=3, checkpoint=path, max_evaluations=100)
    second = fit(X, y, random_state=3, checkpoint=path, n_jobs=1, engine="numpy")
    np.testing.assert_array_equal(second.probabilities_, whole.probabilities_)
    assert (second.score_, second.n_evaluations_, second.stop_) == (whole.score_, whole.n_evaluations_, whole.stop_)
    assert fit(X, y, random_state=None, checkpoint=path).seed_ == 3
    for changed, what in (
        ({"criterion": "plugin"}, "criterion"),
        ({"criterion": plugin}, "criterion"),
        ({"smoothing": 0.9}, "CrossEntropy.smoothing: 0.9 here, None there"),
        ({"max_features": 3}, "max_features"),
        ({"parsimony": 0.1}, "parsimony"),
        ({"random_state": 4}, "seed"),
    ):
        with pytest.raises(ValueError, match=f"does not match this run's {what}"):
            fit(X, y, **{"random_state": 3, "checkpoint": path, **changed})
    with pytest.raises(ValueError, match="this run's data; delete"):
        fit(X.iloc[::-1], y, random_state=3, checkpoint=path)


def test_versions_are_part_of_a_checkpoint(bits, tmp_path, monkeypatch):
    fit(*bits, checkpoint=tmp_path / "run.npz")
    monkeypatch.setattr("entropick.selectors._fit.__version__", "99")
    with pytest.raises(ValueError, match="this run's entropick: '99' here"):
        fit(*bits, checkpoint=tmp_path / "run.npz")


def test_equal_settings_of_both_estimators_give_equal_answers(bits):
    one = fit(*bits, smoothing=0.8, effort=None)
    other = SubsetSelector(CrossEntropy(smoothing=0.8, effort=None), "reliable", random_state=0, null=False).fit(*bits)
    np.testing.assert_array_equal(one.probabilities_, other.probabilities_)


ROWS = np.random.default_rng(1).integers(2, size=(30, 3))


@pytest.mark.parametrize(
    ("X", "y", "settings", "message"),
    [
        (np.empty((0, 3)), [], {}, "0 sample"),
        (np.empty((30, 0)), ROWS[:, 0], {}, "0 feature"),
        (pd.DataFrame(index=range(30)), ROWS[:, 0], {}, "0 feature"),
        (pl.DataFrame({"a": []}), [], {}, "at least one row"),
        (ROWS, np.ones(30), {}, "y must have at least two classes; got one class, 1, in all 30 rows"),
        (ROWS, ROWS[:-1, 0], {}, "X has 30 and y has 29"),
        (ROWS, [np.nan, *ROWS[1:, 0]], {}, "y must not have missing values"),
        (ROWS, None, {}, "requires y to be passed, but the target y is None"),
        (ROWS, ROWS[:, :2], {}, r"y must be one column; got an array of shape \(30, 2\)"),
        (np.where(ROWS == 0, np.inf, ROWS), ROWS[:, 0], {}, "column 'x0' must hold finite numbers"),
        (pd.DataFrame(ROWS, columns=list("aab")), ROWS[:, 0], {}, "more than one column named 'a'"),
        (ROWS, ROWS[:, 0], {"criterion": "relliable"}, "unknown criterion 'relliable'.*Did you mean 'reliable'"),
        (ROWS, ROWS[:, 0], {"criterion": 3}, "unknown criterion 3"),
        (ROWS, ROWS[:, 0], {"n_features_to_select": 4}, "between 1 and 3, the number of columns; got 4"),
        (ROWS, ROWS[:, 0], {"n_features_to_select": "2"}, "between 1 and 3, the number of columns; got '2'"),
        (ROWS, ROWS[:, 0], {"max_features": 0}, "between 1 and 3"),
        (ROWS, ROWS[:, 0], {"max_features": "2"}, "between 1 and 3, the number of columns; got '2'"),
        (
            ROWS,
            ROWS[:, 0],
            {"initial_probability": 1.2},
            "initial_probability must be a number between 0 and 1, or None; got 1.2",
        ),
        (ROWS, ROWS[:, 0], {"always": ["x7"]}, "always must name columns of X; got 'x7', which is not one of its 3"),
        (pd.DataFrame(ROWS, columns=["age", "sex", "bmi"]), ROWS[:, 0], {"always": ["agee"]}, "Did you mean 'age'"),
        (ROWS, ROWS[:, 0], {"always": [3]}, "always must hold column numbers from 0 to 2; got 3"),
        (ROWS, ROWS[:, 0], {"always": [1.5]}, "always must hold column names or numbers"),
        (ROWS, ROWS[:, 0], {"always": None}, "always must be a sequence of column names or numbers; got None"),
        (ROWS, ROWS[:, 0], {"callback": 5}, "callback must be a function of a dict, or None; got 5"),
        (ROWS, ROWS[:, 0], {"criterion": len}, "a criterion must be a function from class sizes to Tables"),
        (ROWS, ROWS[:, 0], {"parsimony": "x"}, "parsimony must be a number between 0 and 1000000000; got 'x'"),
        (ROWS, ROWS[:, 0], {"checkpoint": "."}, "checkpoint must be a file in an existing folder"),
        (ROWS, ROWS[:, 0], {"criterion": "auto", "engine": "foo"}, "unknown engine 'foo'"),
        (ROWS, "x", {}, "y must be a table or a column of values; got str"),
        (ROWS, 5, {}, "y must be one column, with a value for every row; got 5"),
        ([[1, 2], [3]], [0, 1], {}, "X must have the same number of values in every row"),
        (pa.table([[1] * 30, [2] * 30], names=["a", "a"]), ROWS[:, 0], {}, "column names must be unique"),
        (ROWS, ROWS[:, 0], {"parsimony": -1}, "parsimony must be a number between 0 and 1000000000; got -1"),
        (ROWS, ROWS[:, 0], {"random_state": "seed"}, "random_state must be None, an integer"),
        (ROWS, ROWS[:, 0], {"random_state": -1}, "random_state must be None, an integer"),
        (ROWS, ROWS[:, 0], {"binning": "equal"}, "unknown binning 'equal'"),
        (ROWS, ROWS[:, 0], {"engine": "gpu"}, "unknown engine 'gpu'"),
        (ROWS, ROWS[:, 0], {"max_seconds": 0}, "max_seconds must be a number greater than 0, or None; got 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_ends_with_a_sentence(X, y, settings, message):
    with pytest.raises(ValueError, match=message):
        fit(X, y, **settings)


def test_an_unknown_search_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="unknown search 'cross-entropy'.*Did you mean 'cross_entropy'"):
        SubsetSelector("cross-entropy", "reliable", null=False).fit(ROWS, ROWS[:, 0])


def test_a_class_is_no_search():
    with pytest.raises(ValueError, match=r"got the class: use CrossEntropy\(\)"):
        SubsetSelector(CrossEntropy, "reliable", null=False).fit(ROWS, ROWS[:, 0])


def test_a_fit_that_fails_by_its_parameters_leaves_the_estimator_as_it_was(bits):
    selector = fit(*bits)
    with pytest.raises(ValueError, match="parsimony"):
        selector.set_params(parsimony=-1).fit(ROWS, ROWS[:, 0])
    assert selector.transform(bits[0]).columns.tolist() == ["b", "e"]


def test_a_callback_cannot_change_the_trace(bits):
    with pytest.raises(ValueError, match="read-only"):
        fit(*bits, effort=None, callback=lambda line: line["probabilities"].fill(0))


def test_many_equal_scores_are_no_burden():
    """All subsets are worth the same here, and every one is as good as the best."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 600)), rng.integers(2, size=50)
    began = time.monotonic()
    fit(X, y, n_features_to_select=50, max_seconds=2, max_steps=4)
    assert time.monotonic() - began < 3 * (2 * 1.1 + 1)  # 10 % and a second, on a busy machine


def test_more_columns_than_a_model_can_hold_are_refused_with_a_way_out(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 40)), rng.integers(0, 2, 60)
    monkeypatch.setattr(_one_dependence, "BUDGET", 1 << 13)
    with pytest.raises(
        ValueError, match=r"n_features_to_select must be at most \d+, as many columns as the model of"
    ) as told:
        CrossEntropySelector("one_dependence", n_features_to_select=39).fit(X, y)
    assert str(told.value).endswith("got 39: criteria that count, such as 'reliable', take any number.")
    most = int(re.search(r"at most (\d+)", str(told.value))[1])
    with pytest.warns(UserWarning, match=f"{most} of 40 columns were searched"):
        assert CrossEntropySelector("one_dependence", n_features_to_select=most).fit(X, y).n_features_ == most


def test_more_columns_to_keep_than_a_model_can_hold_are_refused_with_a_way_out(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 40)), rng.integers(0, 2, 60)
    monkeypatch.setattr(_one_dependence, "BUDGET", 1 << 13)
    for n in (30, 40):
        with pytest.raises(
            ParameterError, match=r"^always must name at most \d+ columns, as many as the model"
        ) as told:
            CrossEntropySelector("one_dependence", always=range(n), max_seconds=5).fit(X, y)
        assert str(told.value).endswith(f"got {n}: criteria that count, such as 'reliable', take any number.")
        assert told.value.parameter == "always"  # the command says --always
    most = int(re.search(r"at most (\d+)", str(told.value))[1])
    assert 1 < most < 30
    with pytest.warns(UserWarning, match=f"{most} of 40 columns were searched"):
        selector = CrossEntropySelector("one_dependence", always=range(most), null=False).fit(X, y)
    assert selector.get_support(indices=True).tolist() == list(range(most))


def test_frames_that_differ_at_transform_are_refused(bits):
    X, y = bits
    selector = fit(X, y)
    for make in (pd.DataFrame, lambda frame: pl.DataFrame(frame.to_dict("list"))):
        with pytest.raises(ValueError, match="Feature names seen at fit time, yet now missing"):
            selector.transform(make(X.drop(columns="b")))
        with pytest.raises(ValueError, match="Feature names unseen at fit time"):
            selector.transform(make(X.rename(columns={"b": "z"})))
        other = make(X[list("hgfedcba")])
        assert list(selector.transform(other).columns) == list(selector.transform(make(X)).columns)
    with pytest.raises(ValueError, match="X has 3 features, but CrossEntropySelector is expecting 8"):
        fit(X.to_numpy(), y).transform(ROWS)
    with pytest.raises(NotFittedError):
        CrossEntropySelector("reliable", null=False).transform(X)


def test_new_levels_at_transform_pass_through(bits):
    X, y = bits
    new = X.astype(object).replace({0: "never seen"})
    out = fit(X, y).transform(new)
    assert out.columns.tolist() == ["b", "e"]
    assert "never seen" in set(out["b"])


def test_mixed_types_and_ids_are_warned_about_by_name(bits):
    X, y = bits
    mixed = X.assign(mix=pd.Series(["a", 1] * 100, dtype=object))
    with pytest.warns(ColumnWarning, match="column 'mix' holds values of int and str"):
        assert fit(mixed, y).n_features_ == 2
    with pytest.warns(ColumnWarning, match="column 'key' has a different value in each of its 200 rows"):
        assert fit(X.assign(key=[f"k{i}" for i in range(200)]), y).n_features_ == 2
