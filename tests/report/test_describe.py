"""The dict of a result: every number in it can be found again another way."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from helpers import breast_cancer_frame, quick
from jsonschema import Draft202012Validator
from numpy.typing import NDArray
from optional import optional

from entropick import ClassifierScore, CrossEntropySelector, RankSelector, SubsetSelector, mutual_information
from entropick.criteria import CRITERIA
from entropick.ranking import RANKINGS
from entropick.report import Neighbour, Result, describe, read_result, schema
from entropick.report.reasons import why
from entropick.search import SEARCHES
from entropick.selectors import make_selector

pd = optional("pandas")


def parity(n: int = 256) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two columns whose exclusive or is y, two that tell nothing, and one that is constant."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(n, 4))
    return np.column_stack([X, np.zeros(n, dtype=np.int64)]), X[:, 0] ^ X[:, 2]


def fits_schema(result: Result) -> None:
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(result.to_dict())
    assert read_result(json.dumps(result.to_dict(), allow_nan=False)) == result


@pytest.mark.parametrize("method", [*SEARCHES, *RANKINGS])
def test_every_method_has_a_result_that_fits_the_schema(method: str) -> None:
    X, y = parity()
    settings = {} if method in RANKINGS else {"criterion": "reliable", "null": False, "random_state": 0}
    result = describe(make_selector(method, **settings).fit(X, y))
    fits_schema(result)
    assert result.method == method
    assert result.n_features == len(result.features)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_criterion_has_a_result_that_fits_the_schema(criterion: str) -> None:
    X, y = parity()
    fits_schema(describe(CrossEntropySelector(criterion, null=False, random_state=0, max_steps=5).fit(X, y)))


def test_a_criterion_of_your_own_has_one_too() -> None:
    from sklearn.naive_bayes import GaussianNB

    X, y = parity()
    result = describe(SubsetSelector("forward", ClassifierScore(GaussianNB(), cv=2), max_features=2).fit(X[:, :4], y))
    fits_schema(result)
    assert result.criterion == "ClassifierScore"
    assert result.unit == "score"


@pytest.mark.filterwarnings("ignore:the target 'y' is numeric")
def test_a_numeric_target_in_classes_fits_the_schema_and_says_so() -> None:
    X, _ = parity()
    result = describe(quick().fit(X, np.linspace(0, 1, len(X)) + X[:, 0]))
    fits_schema(result)
    assert result.target.kind == "numeric"
    assert any("was cut into 5 classes" in note.text for note in result.notes)


@pytest.mark.parametrize("parsimony", [0.0, 0.05])
def test_what_columns_add_is_in_the_table_and_the_score_is_less_their_price(parsimony: float) -> None:
    X, y = breast_cancer_frame()
    result = describe(quick(parsimony=parsimony).fit(X, y))
    names = [feature.name for feature in result.features]
    sizes = range(1, len(names) + 1)
    of_raw = [0.0, *(mutual_information(X[names[:k]], y, estimator="reliable") for k in sizes)]
    assert [feature.adds for feature in result.features] == pytest.approx(np.diff(of_raw).tolist())
    assert result.criterion_value == pytest.approx(of_raw[-1])
    price = parsimony * result.class_entropy_bits * result.n_features
    assert result.score == pytest.approx(result.criterion_value - price)


def test_what_is_lost_and_what_is_alone_is_what_it_says(cancer: CrossEntropySelector, result: Result) -> None:
    X, y = breast_cancer_frame()
    names = [feature.name for feature in result.features]
    for feature in result.features:
        rest = [name for name in names if name != feature.name]
        assert feature.alone == pytest.approx(mutual_information(X[feature.name], y, estimator="reliable"))
        assert feature.information_bits == pytest.approx(mutual_information(X[feature.name], y))
        lost = mutual_information(X[names], y, estimator="reliable") - mutual_information(
            X[rest], y, estimator="reliable"
        )
        assert feature.lost_without == pytest.approx(lost)


def test_a_pair_that_is_only_together_informative_shows_as_such() -> None:
    X, y = parity()
    first, second = describe(quick().fit(X, y)).features
    assert {first.index, second.index} == {0, 2}
    assert abs(first.adds) < 0.02
    assert second.adds > 0.9
    assert first.lost_without > 0.9
    assert second.lost_without > 0.9


def test_a_copy_is_what_a_column_is_most_redundant_with() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 4, 300)
    frame = pd.DataFrame({"a": x, "noise": rng.integers(0, 4, 300), "copy": 3 - x})
    (feature,) = describe(quick().fit(frame, x > 1)).features
    others = {"a": Neighbour("copy", 2, 1.0), "copy": Neighbour("a", 0, 1.0)}
    assert feature.redundant_with == others[feature.name]


def test_redundancy_is_the_adjusted_mutual_information_of_scikit_learn() -> None:
    from sklearn.metrics import adjusted_mutual_info_score

    rng = np.random.default_rng(5)
    x = rng.integers(0, 6, 200)
    X = np.column_stack([x, (x + rng.integers(0, 2, 200)) % 6, x // 3, rng.integers(0, 90, 200) % 19])
    redundancy = describe(RankSelector("mim", n_features_to_select=4).fit(X, x % 2)).redundancy
    places = [int(name[1:]) for name in redundancy.names]
    expected = [[max(0.0, adjusted_mutual_info_score(X[:, i], X[:, j])) for j in places] for i in places]
    assert redundancy.shares == pytest.approx(np.round(expected, 4), abs=1e-4)


def test_columns_that_could_be_spared_are_named(result: Result) -> None:
    assert result.notes == ()
    X, y = parity(60)
    frame = pd.DataFrame(X, columns=list("abcde"))
    told = describe(quick(n_features_to_select=3).fit(frame, y)).notes
    assert any("can be dropped for less than 1% of H(y)" in note.text for note in told), told
    asked = describe(quick(always=["b"]).fit(frame, y))
    assert not any("less than 1% of H(y)" in note.text for note in asked.notes)
    (b,) = [feature for feature in asked.features if feature.name == "b"]
    assert why(asked, b) == "kept because you asked for it"


@pytest.mark.parametrize("always", ["b", ["b"], 1, [1], -4, [-4], np.int64(1), np.array([-4])])
def test_a_column_that_was_asked_for_is_known_however_it_was_named(always: object) -> None:
    X, y = parity(60)
    frame = pd.DataFrame(X, columns=list("abcde"))
    result = describe(quick(always=always).fit(frame, y))
    assert result.settings["always"] == ["b"]
    for feature in result.features:
        assert (why(result, feature) == "kept because you asked for it") == (feature.name == "b")
    assert not any("b" in note.columns for note in result.notes if note.code == "little")
    fits_schema(result)


def test_a_name_that_is_a_number_is_no_place() -> None:
    X, y = parity(60)
    frame = pd.DataFrame(X, columns=[2, 1, 0, 4, 3])
    result = describe(quick(always=["1"]).fit(frame, y))
    assert result.settings["always"] == ["1"]
    assert [feature.name for feature in result.features if "you asked" in why(result, feature)] == ["1"]


def test_the_curve_goes_through_the_chosen_number(result: Result) -> None:
    curve = result.size_curve
    assert [point.size for point in curve] == list(range(len(curve)))
    at_k = curve[result.n_features]
    assert at_k.information_bits == pytest.approx(result.information_bits)
    assert at_k.score == pytest.approx(result.score)
    assert max(point.score for point in curve) == at_k.score


def test_counts_within_a_column_are_those_of_the_table(result: Result) -> None:
    for column in result.target_by_column:
        assert np.sum(column.counts, axis=0).tolist() == list(result.target.counts)
        assert len(column.values) == len(set(column.values))


def test_values_are_called_by_their_names() -> None:
    frame = pd.DataFrame({"smoker": ["yes", "no", None, "yes"] * 20, "size": [1.5, 2.5, 3.5, 4.5] * 20})
    y = ["a", "b", "b", "a"] * 20
    result = describe(quick(always=["smoker", "size"], n_bins=2).fit(frame, y))
    values = {column.name: column.values for column in result.target_by_column}
    assert values == {"smoker": ("no", "yes", "missing"), "size": ("1.5 to 2.5", "3.5 to 4.5")}


def test_many_levels_and_many_classes_are_taken_together() -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 100, 3000)
    words = np.array([f"w{i}" for i in range(100)])
    result = describe(quick().fit(pd.DataFrame({"x": words[x]}), words[x // 2]))
    assert result.target.n_classes == 50
    assert result.target.labels[-1] == "11 others"
    (column,) = result.target_by_column
    assert column.values[-1] == "88 other values"
    assert np.sum(column.counts) == 3000
    fits_schema(result)


def test_nothing_selected_is_told_and_has_no_loss() -> None:
    result = describe(quick().fit([[0], [1], [0], [1]] * 9, [0, 0, 1, 1] * 9))
    assert result.n_features == 0
    assert result.delta_information is None
    assert any("no column was selected" in note.text for note in result.notes)
    fits_schema(result)


WARNED = {
    "an id of words": ({"x": [f"P{i}" for i in range(80)]}, "a different value in each of its 80 rows"),
    "an id of numbers": ({"x": list(range(1000, 1080))}, "a different whole number in every row"),
    "a constant": ({"x": [7] * 80}, "the same value in every row"),
    "two constants": ({"x": [7] * 80, "z": [None] * 80}, "columns 'x', 'z' have the same value in every row"),
    "a leak": ({"x": ["no", "yes"] * 40}, "alone tells 'y' in all of the rows"),
    "two leaks": ({"x": ["no", "yes"] * 40, "z": [3, 5] * 40}, "each of 'x', 'z' alone tells"),
    "two ids": (
        {"x": [f"P{i}" for i in range(80)], "z": [f"Q{i}" for i in range(80)]},
        "columns 'x', 'z' have a different",
    ),
}


@pytest.mark.parametrize("case", WARNED)
@pytest.mark.filterwarnings("ignore::entropick.ColumnWarning")
def test_a_column_to_beware_of_is_named(case: str) -> None:
    columns, sentence = WARNED[case]
    frame = pd.DataFrame({"fine": np.random.default_rng(0).integers(0, 3, 80), **columns})
    notes = describe(quick().fit(frame, [0, 1] * 40)).notes
    assert [note.columns for note in notes if sentence in note.text] == [tuple(columns)], notes
    assert not any("fine" in note.columns for note in notes), notes


def test_a_column_of_measurements_is_no_id() -> None:
    x, error = np.random.default_rng(0).normal(size=(2, 80))
    assert describe(quick().fit(x[:, None], x + error > 0.2)).notes == ()


def test_memorising_is_told() -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(0, 5, size=(100, 6))
    result = describe(RankSelector("mim", n_features_to_select=6).fit(X, rng.integers(0, 2, 100)))
    assert any("chance alone would give" in note.text for note in result.notes)


def test_a_search_that_was_cut_short_is_told() -> None:
    X, y = parity()
    result = describe(quick(max_evaluations=10).fit(X, y))
    assert any("limit on evaluations" in note.text for note in result.notes)


def test_a_stored_selector_asks_for_the_table_and_then_says_the_same(cancer: CrossEntropySelector) -> None:
    X, y = breast_cancer_frame()
    stored = pickle.loads(pickle.dumps(cancer))
    assert len(pickle.dumps(cancer)) < 100_000
    with pytest.raises(ValueError, match=r"call report\(X, y\) with the same table"):
        stored.report()
    assert stored.report(X, y).result == cancer.report().result


def test_another_table_is_refused(cancer: CrossEntropySelector) -> None:
    X, y = breast_cancer_frame()
    with pytest.raises(ValueError, match="report needs the table of fit; got a different one"):
        cancer.report(X[:100], y[:100])


def test_a_table_that_was_changed_after_fit_is_refused() -> None:
    X, y = parity()
    X = X + 0.5
    selector = quick().fit(X, y)
    X[:, 0] = -X[:, 0]
    with pytest.raises(ValueError, match="'x0' was changed after fit"):
        selector.report()


def test_large_numbers_keep_their_digits() -> None:
    days = np.array([20240101, 20240102, 20240103] * 20)
    result = describe(quick().fit(days[:, None], days == 20240102))
    assert result.target_by_column[0].values == ("20240101", "20240102", "20240103")


def test_searches_and_criteria_of_your_own_have_their_names() -> None:
    from entropick import CrossEntropy
    from entropick.criteria import plugin

    X, y = parity()
    result = describe(SubsetSelector(CrossEntropy(patience=2), plugin, max_features=2, random_state=0).fit(X, y))
    assert (result.method, result.criterion) == ("cross_entropy", "plugin")
