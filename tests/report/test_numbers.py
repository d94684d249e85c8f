"""A target that stays a number: R² in place of bits, from the selector to the page."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from helpers import labels, quick
from jsonschema import Draft202012Validator
from optional import optional

from entropick import CrossEntropySelector, RankSelector, SubsetScorer
from entropick.report import Report, Result, describe, figures, read_result, schema
from entropick.report.words import answer, in_order, information, worth

pd = optional("pandas")


def houses(n: int = 200) -> tuple[pd.DataFrame, pd.Series]:
    """A price that depends on a size, with gaps, and on a district; a colour and a date that say nothing."""
    rng = np.random.default_rng(3)
    size, district = rng.normal(100, 30, n).round(1), rng.choice(["north", "south", "west"], n)
    price = 2 * size + 60 * (district == "south") + rng.normal(0, 15, n)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n) < 0.05, np.nan, size),
            "district": np.where(rng.random(n) < 0.05, None, district),
            "colour": rng.choice(["red", "blue"], n),
            "built": rng.integers(1900, 2000, n),
        }
    )
    return frame, pd.Series(price, name="price")


@pytest.fixture(scope="module")
def selector() -> CrossEntropySelector:
    return quick("auto").fit(*houses())


@pytest.fixture(scope="module")
def result(selector: CrossEntropySelector) -> Result:
    return describe(selector)


def test_all_scores_are_shares_of_the_variance(selector: CrossEntropySelector, result: Result) -> None:
    assert [feature.name for feature in result.features] == ["size", "district"]
    assert (result.criterion, result.unit, result.class_entropy_bits) == ("linear", "r_squared", None)
    assert result.corrected_information_bits is None
    assert 0.7 < result.r_squared < 1  # type: ignore[operator]
    assert result.r_squared == result.criterion_value == pytest.approx(1 - selector.delta_information_)
    assert result.information_bits == selector.information_
    at_k = result.size_curve[result.n_features]
    nested = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]])  # size, district
    of_raw = 1 - 4.0 ** -SubsetScorer(*houses(), "linear")(nested)
    assert [feature.adds for feature in result.features] == pytest.approx(np.diff(of_raw).tolist())
    assert at_k.score == pytest.approx(of_raw[-1])
    assert all(point.information_bits is None is point.corrected_bits for point in result.size_curve)
    assert result.best_score == pytest.approx(max(value for value in result.trace.best if value is not None))
    size, district = result.features
    assert size.lost_without == pytest.approx(at_k.score - district.alone)
    assert size.information_bits is None


def test_the_target_is_still_shown_in_intervals(result: Result) -> None:
    assert (result.target.kind, result.target.n_classes) == ("numeric", 5)
    assert sum(result.target.counts) == result.n_rows
    assert not any(note.code == "binned_target" for note in result.notes)


def test_it_fits_the_schema_and_is_read_again(result: Result) -> None:
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    Draft202012Validator(schema()).validate(plain)
    assert read_result(json.dumps(plain)) == result
    for change in ({"r_squared": None}, {"class_entropy_bits": 1.0}, {"corrected_information_bits": 0.5}):
        with pytest.raises(ValueError, match="the parts of its 'r_squared' do not match"):
            read_result(json.dumps({**plain, **change}))


def test_sentences_say_how_much_is_predicted(result: Result) -> None:
    share = f"{result.r_squared:.0%}"
    assert answer(result) == (
        "2 of 4 columns are enough for 'price': no other number of them predicts more (any fewer predict clearly less "
        "with 200 rows)."
    )
    flattered = ", in rows left out one by one; that flatters columns chosen from the same rows."
    assert information(result) == (
        f"With them, a linear model predicts {share} of the variance of the target (R²){flattered}"
    )
    without = replace(result, curve=None)
    assert answer(without) == "2 of 4 columns are worth keeping for 'price': 'size' and 'district'."
    assert worth(result).startswith(f"The selection has an R² of {result.r_squared:.4f} by 'linear'.")
    assert in_order(result).endswith("in R² by the criterion 'linear'.")
    one = replace(result, n_features=1, n_columns=1, criterion_claim=None, r_squared=0.5)
    assert answer(replace(one, features=one.features[:1])) == "The only column is worth keeping for 'price': 'size'."
    assert information(one) == f"With it, R² is 0.500{flattered}"
    assert answer(replace(result, n_features=0)) == "None of the 4 columns is worth keeping for 'price'."
    assert information(replace(result, n_features=0)) == ""


def test_the_page_and_its_plots_are_about_the_variance(result: Result) -> None:
    html = Report(result).html
    for text in (
        "of the variance of the target (R²)",
        "variance predicted (R²)",
        "How many are enough?",
        "What so many columns predict of the variance of &#39;price&#39;, on rows that",
        "Where <bdi>price</bdi> lies for each value",
    ):
        assert text in html
    for text in ("target entropy", "plug-in", "None bits", "corrected for chance"):
        assert text not in html
    shown = figures.size_curve(result)
    assert labels(shown) == ["predicted", "± standard error", "best: 2", "chosen: 2"]
    assert shown.axes[0].get_ylabel() == figures.features(result).axes[0].get_xlabel() == "R²"
    unjudged = replace(result, curve=None)
    assert labels(figures.size_curve(unjudged)) == ["R², linear model", "chosen: 2"]
    assert "R² by number of columns" in Report(unjudged).html


def test_a_parsimony_is_a_price_in_r_squared() -> None:
    selector = quick("auto", parsimony=0.05).fit(*houses())
    result = describe(selector)
    assert result.n_features == 2
    assert result.score == pytest.approx(result.criterion_value - 0.1)
    assert "after the parsimony penalty)" in worth(result)


def test_a_stored_selector_knows_its_table_again(selector: CrossEntropySelector) -> None:
    X, y = houses()
    stored = pickle.loads(pickle.dumps(selector))
    assert stored.report(X, y).result == describe(selector)
    for other in (y.iloc[::-1].reset_index(drop=True), (y > 200).astype(int)):
        with pytest.raises(ValueError, match="report needs the table of fit"):
            stored.report(X, other)


@pytest.mark.parametrize("make", [quick, lambda: RankSelector("mim", n_features_to_select=2)])
def test_a_method_that_needs_classes_says_so(make: type[CrossEntropySelector]) -> None:
    with pytest.warns(UserWarning, match="'price' is numeric and was cut into 5 classes .* because the (crit|rank)"):
        selector = make().fit(*houses())
    result = describe(selector)
    assert [note.columns for note in result.notes if note.code == "binned_target"] == [("price",)]
    assert result.class_entropy_bits == pytest.approx(np.log2(5))
    assert (result.unit, result.r_squared) == ("bits", None)


def test_a_column_that_adds_little_is_named_with_its_share() -> None:
    X, y = houses()
    told = describe(quick("auto", n_features_to_select=3).fit(X, y)).notes
    assert any("can be dropped for less than 1% of the variance (R²)" in note.text for note in told), told


@pytest.mark.parametrize("n_columns", [1, 3])
def test_nothing_selected_has_a_page_without_numbers_that_are_not_there(n_columns: int) -> None:
    rng = np.random.default_rng(0)
    selector = quick("auto", parsimony=0.5, halves=False).fit(rng.integers(0, 2, (60, n_columns)), rng.normal(size=60))
    result = describe(selector)
    assert (result.n_features, result.r_squared, result.delta_information) == (0, 0.0, 1.0)
    assert "worth keeping for &#39;y&#39;." in Report(result).html
    assert read_result(json.dumps(result.to_dict())) == result
