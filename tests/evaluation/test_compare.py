"""Methods side by side: same rows, honest errors, the same answer twice."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import polars as pl
import pytest
from optional import optional
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick import CrossEntropySelector, SubsetScorer
from entropick._errors import ParameterError
from entropick.criteria import ModelCriterion
from entropick.evaluation import Comparison, compare
from entropick.evaluation._models import Predictors, find_model
from entropick.evaluation._splits import Splits

pd = optional("pandas")


def without_seconds(comparison: Comparison) -> list[Any]:
    return [replace(method, seconds=None) for method in comparison.methods]  # type: ignore[arg-type]


def test_errors_are_those_of_a_pipeline_in_the_same_folds() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    settings: dict[str, Any] = {"criterion": "reliable", "effort": "low"}
    ours = compare(X, y, ["cross_entropy"], models=["naive_bayes"], folds=4, resamples=0, **settings).methods[0]
    selector = CrossEntropySelector(null=False, target="classes", random_state=0, **settings)
    model = make_pipeline(selector, StandardScaler(), GaussianNB(var_smoothing=1e-3))
    folds = StratifiedKFold(4, shuffle=True, random_state=0).split(X, y)
    errors = [1 - model.fit(X[train], y[train]).score(X[test], y[test]) for train, test in folds]
    assert ours.mce["naive_bayes"].mean == pytest.approx(np.mean(errors))
    assert ours.mce["naive_bayes"].error == pytest.approx(np.std(errors, ddof=1) / 2)


def test_a_second_comparison_says_the_same_whatever_the_threads() -> None:
    X, y = load_wine(return_X_y=True)
    settings: dict[str, Any] = {"methods": ["cross_entropy", "mrmr", "genetic"], "folds": 3, "resamples": 3}
    settings["criterion"] = "reliable"
    first = compare(X, y, **settings)
    assert without_seconds(compare(X, y, **settings, n_jobs=1)) == without_seconds(first)


def test_rankings_keep_as_many_columns_as_the_first_search_found() -> None:
    X, y = load_wine(return_X_y=True)
    search, ranking, *_ = compare(X, y, ["cross_entropy", "cmim"], folds=3, resamples=0).methods
    assert ranking.n_features == search.n_features
    ranking, *_ = compare(X, y, ["cmim"], folds=3, resamples=0).methods
    assert ranking.n_features.mean == 10
    search, ranking, everything, none = compare(X, y, ["forward", "cmim"], n_features=2, folds=3, resamples=0).methods
    assert [method.n_features.mean for method in (search, ranking, everything, none)] == [2, 2, 13, 0]


def test_methods_come_in_the_order_asked_for_and_all_columns_last() -> None:
    X, y = load_wine(return_X_y=True)
    names = [method.method for method in compare(X, y, ["mim", "forward", "mim"], folds=2, resamples=0).methods]
    assert names == ["mim", "forward", "all", "none"]


def test_mixed_columns_with_missing_values_are_fine_for_every_model() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    frame = pd.DataFrame(
        {
            "word": np.where(rng.random(120) < 0.1, None, np.array(["a", "b"])[y]),
            "real": np.where(rng.random(120) < 0.2, np.nan, y + rng.normal(0, 0.5, 120)),
            "empty": [np.nan] * 120,
            "flag": y > 0,
            "rare": [f"level {i % 70}" for i in range(120)],
        }
    )
    for table in (frame, pl.from_pandas(frame)):
        result = compare(table, y, ["forward", "mrmr"], folds=3, resamples=2, models=["3nn", "RidgeClassifier"])
        assert all(estimate.mean is not None for method in result.methods for estimate in method.mce.values())
        assert result.methods[0].mce["3nn"].mean == pytest.approx(0.0)


def test_nothing_selected_is_predicted_by_the_larger_class() -> None:
    X = np.array([[0], [1]] * 30)
    y = np.array([0, 0, 0, 0, 1, 1] * 10)
    search = compare(X, y, ["forward"], folds=2, resamples=0, null=True).methods[0]
    assert search.n_features.mean == 0
    assert search.delta_information.mean is None
    assert search.stability.mean is None
    assert search.mce["naive_bayes"].mean == pytest.approx(1 / 3)


def test_a_column_that_is_always_chosen_is_stable() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.column_stack([rng.integers(0, 2, (200, 5)), y])
    search = compare(X, y, ["forward"], folds=2, resamples=4, criterion="reliable").methods[0]
    assert search.stability.mean == 1.0
    assert search.chosen == {"x5": 1.0}


def test_a_number_is_predicted_as_a_number() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    result = compare(X, X[:, 1] + 0.3 * rng.normal(size=150), ["forward", "mim"], folds=3, resamples=0)
    assert (result.kind, result.metric, result.classes) == ("numbers", "r2", ())
    search, ranking, everything, none = result.methods
    assert list(search.measures) == ["ridge", "3nn"]
    assert search.mce == {}
    for method in (search, ranking, everything):
        assert method.measures["ridge"]["r2"].mean > 0.8  # type: ignore[operator]
        assert method.measures["ridge"]["mae"].mean < 0.4  # type: ignore[operator]
    assert none.measures["ridge"]["r2"].mean == pytest.approx(0, abs=0.1)
    assert search.chosen == {"x1": 1.0}
    forests = compare(X, X[:, 1], ["mim"], models=["forest", "Lasso"], metric="mae", folds=2, resamples=0)
    assert list(forests.methods[0].measures) == ["forest", "Lasso"]


def test_every_measure_of_classes_is_that_of_scikit_learn() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    result = compare(X, y, ["mim"], models=["LogisticRegression"], folds=3, resamples=0, n_features=4)
    ours, everything, none = (method.measures["LogisticRegression"] for method in result.methods)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    for name, scoring, sign in (
        ("error", "accuracy", 0),
        ("auc", "roc_auc", 1),
        ("balanced_accuracy", "balanced_accuracy", 1),
        ("log_loss", "neg_log_loss", -1 / np.log(2)),
    ):
        theirs = cross_val_score(model, X, y, cv=folds, scoring=scoring).mean()
        assert everything[name].mean == pytest.approx(1 - theirs if name == "error" else sign * theirs, abs=1e-3)
    assert none["auc"].mean == none["balanced_accuracy"].mean == 0.5
    assert none["error"].mean == pytest.approx(0.373, abs=0.01)
    assert none["log_loss"].mean == pytest.approx(0.953, abs=0.01)
    assert ours["error"].mean < 0.12  # type: ignore[operator]


def test_the_auc_of_three_classes_is_the_mean_over_them() -> None:
    X, y = load_wine(return_X_y=True)
    result = compare(X, y, ["mim"], models=["LogisticRegression", "LinearSVC"], folds=2, resamples=0)
    logistic, margin = (result.methods[0].measures[model] for model in ("LogisticRegression", "LinearSVC"))
    assert 0.9 < logistic["auc"].mean <= 1  # type: ignore[operator]
    assert margin["auc"].mean is margin["log_loss"].mean is None  # it has no probabilities
    assert margin["error"].mean < 0.2  # type: ignore[operator]


def test_rows_of_a_group_stay_together() -> None:
    """What is known of a group tells its rows, but nothing about rows of others."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 10)
    X = np.column_stack([groups + 0.01 * rng.normal(size=300), rng.normal(size=300)])
    y = rng.integers(0, 2, 30)[groups]
    settings: dict[str, Any] = {"models": ["3nn"], "folds": 5, "resamples": 2, "n_features": 1}
    apart = compare(X, y, ["mim"], groups=groups, **settings).methods[0].mce["3nn"].mean
    mixed = compare(X, y, ["mim"], **settings).methods[0].mce["3nn"].mean
    assert mixed < 0.1  # type: ignore[operator]
    assert apart > 0.3  # type: ignore[operator]
    number = compare(X, y + rng.normal(size=300), ["mim"], groups=groups, folds=3, resamples=1, n_features=1)
    assert number.kind == "numbers"


def test_later_rows_are_predicted_from_earlier_ones() -> None:
    splits = list(Splits(np.arange(20) % 2, 20, 0, time=np.arange(20)[::-1]).folds(4))
    assert len(splits) == 4
    for train, test in splits:
        assert train.min() > test.max()  # the last rows are the earliest
    with pytest.raises(ValueError, match="groups cannot be combined with an order in time"):
        Splits(None, 4, 0, groups=[0, 0, 1, 1], time=[0, 1, 2, 3])


WRONG_SPLITS = {
    "groups must have a value for every row; got 3 values for 178 rows.": {"groups": [1, 2, 3]},
    "groups must have a value for every row; it is missing in 1 of 178": {"groups": [None, *range(177)]},
    "folds must be at most 2, the number of groups; got 3.": {"groups": [0, 1] * 89},
    "folds must be at most 177, the number of rows less one": {"time": range(178), "folds": 178},
    "unknown metric 'acu'": {"metric": "acu"},
    "the metric 'r2' is not for a target of classes: use one of error, auc": {"metric": "r2"},
    "models must be 'naive_bayes', '3nn', 'forest' or classifiers of scikit-learn": {"models": ["ridge"]},
}


@pytest.mark.parametrize("sentence", WRONG_SPLITS)
def test_what_makes_no_sense_is_said(sentence: str) -> None:
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        compare(X, y, ["mim"], **{"folds": 3, "resamples": 0, **WRONG_SPLITS[sentence]})  # type: ignore[arg-type]


def test_a_comparison_is_a_frame_a_table_and_a_plot() -> None:
    X, y = load_wine(return_X_y=True)
    result = compare(X, y, ["mim", "<b>"][:1], models=["3nn", "naive_bayes"], folds=2, resamples=2)
    frame = result.to_frame()
    assert list(frame.columns) == [
        "method", "model", "n_features", "error", "auc", "balanced_accuracy", "log_loss", "seconds", "stability",
    ]  # fmt: skip
    assert frame["method"].tolist() == ["mim", "mim", "all", "all", "none", "none"]
    html = result._repr_html_()
    assert html.startswith("<table>")
    assert "MCE, 3nn" in html
    pytest.importorskip("matplotlib")
    figure = result.plot()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["3nn", "naive_bayes"]
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["mim", "all", "none"]
    first = figure.axes[0].lines[0]
    assert list(first.get_xdata()) == [method.measures["3nn"]["error"].mean for method in result.methods]


def test_no_search_asks_whether_there_is_anything_unless_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (80, 5)), rng.integers(0, 2, 80)
    settings: dict[str, Any] = {"folds": 2, "resamples": 0, "models": ["3nn"]}
    asked = compare(X, y, ["forward"], null=True, **settings).methods[0]
    assert asked.n_features.mean == 0
    assert compare(X, y, ["forward"], **settings).methods[0].n_features.mean != 0


DAYS = [datetime(2020, 1, 1) + timedelta(days=37 * i, hours=i) for i in range(40)]
TIMES = {
    "dates": DAYS,
    "days": [day.date() for day in DAYS],
    "NumPy's": np.array(DAYS, dtype="datetime64[ns]"),
    "ISO days": [day.strftime("%Y-%m-%d") for day in DAYS],
    "ISO months": [f"{2000 + i // 12}-{i % 12 + 1:02}" for i in range(40)],
    "ISO with a zone": [day.replace(tzinfo=timezone(timedelta(hours=5 - i % 9))) for i, day in enumerate(DAYS)],
    "ISO text with a zone": [
        day.replace(tzinfo=UTC).astimezone(timezone(timedelta(hours=5 - i % 9))).isoformat(" ")
        for i, day in enumerate(DAYS)
    ],
    "times of day": [f"{i % 24:02}:{i:02}" for i in range(0, 24)] + [f"23:{i:02}:30.5" for i in range(24, 40)],
    "numbers": [2.5 * i - 3 for i in range(40)],
    "durations": [timedelta(hours=i) for i in range(40)],
}


@pytest.mark.parametrize("kind", TIMES)
def test_rows_are_put_in_the_order_of_time(kind: str) -> None:
    shuffled = np.random.default_rng(0).permutation(40)
    values = np.array(TIMES[kind])[shuffled] if kind == "NumPy's" else [TIMES[kind][i] for i in shuffled]
    np.testing.assert_array_equal(shuffled[Splits(None, 40, 0, time=values).order], np.arange(40))


WRONG_TIMES = {
    "German": (["01.02.2020", "02.01.2020"], r"got '01\.02\.2020': write dates as year-month-day"),
    "American": (["2020-01-01", "02/01/2020"], "got '02/01/2020': write dates as year-month-day"),
    "a word": (["2020-01-01", "unknown"], "got 'unknown'"),
    "no day": (["2020-01-01", "2020-02-30"], "got '2020-02-30'"),
    "booleans": ([True, False], "got (True|False)"),
    "zones in some": (["2020-01-01T10:00Z", "2020-01-01T11:00"], "all with a time zone or all without one"),
    "a gap": (["2020-01-01", None], "time must have a value for every row; it is missing in 1 of 2 rows"),
}


@pytest.mark.parametrize("case", WRONG_TIMES)
def test_what_does_not_say_when_is_refused(case: str) -> None:
    values, message = WRONG_TIMES[case]
    with pytest.raises(ParameterError, match=message):
        Splits(None, 2, 0, time=values)


def test_too_few_groups_or_rows_are_refused_whatever_the_folds() -> None:
    with pytest.raises(ParameterError, match="groups must have at least two groups; all rows are in one"):
        list(Splits(None, 4, 0, groups=["a"] * 4).folds(2))
    with pytest.raises(ValueError, match="too few rows to fit a model on some and test it on others: the size of the"):
        list(Splits(np.arange(4), 4, 0).folds(2))


def test_a_time_limit_holds_for_the_whole_comparison() -> None:
    X, y = load_wine(return_X_y=True)
    result = compare(X, y, ["forward", "mim"], models=["3nn"], folds=4, resamples=3, max_seconds=1e-6)
    assert (result.folds, result.resamples) == (1, 0)
    assert result.notes[0].text == "there was time for 1 of 4 folds and 0 of 3 halves of the rows only."
    assert result.methods[0].measures["3nn"]["error"].error is None
    whole = compare(X, y, ["forward", "mim"], models=["3nn"], folds=2, resamples=2, max_seconds=1e4)
    assert (whole.folds, whole.resamples) == (2, 2)
    assert whole.notes == ()
    with pytest.raises(ValueError, match="max_seconds must be a number greater than 0"):
        compare(X, y, ["mim"], max_seconds=-1)


def test_progress_counts_every_selection() -> None:
    X, y = load_wine(return_X_y=True)
    seen: list[tuple[int, int, str]] = []
    compare(X, y, ["mim", "forward"], folds=2, resamples=1, callback=lambda *line: seen.append(line))
    assert [done for done, _, _ in seen] == list(range(6))
    assert {total for _, total, _ in seen} == {6}


def test_the_scale_is_that_of_the_training_rows() -> None:
    """Scaled by all rows, whose second column is far apart, the second column would count for nothing."""
    values = np.array([[0.0, 0.0], [0.2, 1.0], [0.1, 0.0], [0.3, 1.0], [0.04, 0.9], [0.0, 1e6]])
    classes = np.array([0, 1, 0, 1, 1, 1])
    train, test = np.arange(4), np.array([4])
    found = Predictors(values).predict(KNeighborsClassifier(1), classes, np.array([0, 1]), train, test)
    scaled = StandardScaler().fit(values[train])
    nearest = np.argmin(((scaled.transform(values[train]) - scaled.transform(values[test])) ** 2).sum(axis=1))
    assert found.values == classes[nearest]
    wrong = StandardScaler().fit(values)
    misled = np.argmin(((wrong.transform(values[train]) - wrong.transform(values[test])) ** 2).sum(axis=1))
    assert classes[misled] != classes[nearest]


def test_missing_numbers_are_marked_for_the_models() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    x = np.where(y == 1, np.nan, rng.normal(size=200))
    result = compare(x[:, None], y, ["mim"], models=["LogisticRegression"], folds=3, resamples=0)
    assert result.methods[0].mce["LogisticRegression"].mean == 0.0


def test_levels_and_classes_that_only_test_rows_have_are_no_harm() -> None:
    frame = pd.DataFrame({"x": [f"only {i}" if i % 10 == 0 else "ab"[i % 2] for i in range(60)]})
    y = ["rare" if i == 7 else "no" if i % 2 else "yes" for i in range(60)]
    result = compare(frame, y, ["mim"], folds=5, resamples=2)
    assert result.methods[0].mce["3nn"].mean is not None


def test_an_interrupted_search_interrupts_the_comparison() -> None:
    class Pressed(ModelCriterion):
        def bind(self, table: Any) -> Any:
            score, calls = SubsetScorer(table), iter(range(3))

            def pressed(masks: Any) -> Any:
                if next(calls, None) is None:
                    raise KeyboardInterrupt
                return score(masks)

            return pressed

    X, y = load_wine(return_X_y=True)
    with pytest.raises(KeyboardInterrupt):
        compare(X, y, ["forward"], folds=3, resamples=0, criterion=Pressed())


def test_table_and_target_must_be_as_long_as_each_other() -> None:
    X, y = load_wine(return_X_y=True)
    for rows in (100, 178 + 5):
        with pytest.raises(ValueError, match="same number of rows"):
            compare(X, np.resize(y, rows), ["mim"], folds=2, resamples=0)


def test_sparse_tables_of_any_kind_are_compared() -> None:
    X, y = load_wine(return_X_y=True)
    dense = without_seconds(compare(X, y, ["mim"], folds=2, resamples=0))
    for kind in ("coo", "csc", "csr"):
        assert without_seconds(compare(sparse.csr_matrix(X).asformat(kind), y, ["mim"], folds=2, resamples=0)) == dense


def test_columns_that_fit_warns_of_are_told_once() -> None:
    frame = pd.DataFrame({"id": [f"P{i}" for i in range(60)], "x": [0, 1] * 30})
    result = compare(frame, [0, 1] * 30, ["mim", "forward"], folds=2, resamples=0)
    assert [(note.code, note.columns) for note in result.notes] == [("id", ("id",))]
    assert "looks like an id" in result.notes[0].text


@pytest.mark.parametrize("name", ["VotingClassifier", "StackingClassifier"])
def test_a_model_that_needs_others_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="must be models that can be made from their names alone"):
        find_model(name)


def test_a_model_that_cannot_be_fitted_is_named() -> None:
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError, match="model MultinomialNB cannot be used"):
        compare(X, y, ["mim"], models=["MultinomialNB"], folds=2, resamples=0)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"methods": "mim"}, "methods must be names of at least one search or ranking; got 'mim'"),
        ({"models": "3nn"}, r"models must be a sequence of names; got '3nn': use \['3nn'\]"),
    ],
    ids=["methods", "models"],
)
def test_one_name_is_not_taken_for_a_list_of_letters(arguments: dict[str, Any], sentence: str) -> None:
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError, match=sentence):
        compare(X, y, **arguments)


def test_notes_of_searches_in_any_fold_are_told_once() -> None:
    X, y = load_wine(return_X_y=True)
    result = compare(X, y, ["forward"], folds=2, resamples=0, n_features=3, max_evaluations=1)
    assert [note.code for note in result.notes] == ["filled"]
