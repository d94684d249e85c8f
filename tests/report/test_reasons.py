"""Why a column was chosen, why another was not, and what would be lost: in plain words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from optional import optional

from entropick import CrossEntropySelector, RankSelector
from entropick.evaluation import HeldOut, _tested
from entropick.report import Column, Curve, Feature, Halves, Neighbour, Note, Partner, Report, Result, describe
from entropick.report import words as in_words
from entropick.report.reasons import why, why_not
from entropick.report.words import answer, chosen_from, how_tested, loss, sure

pd = optional("pandas")


def table(n=600):
    """A pair that only works together, a strong column, its noisy twin, noise, an id and a constant."""
    rng = np.random.default_rng(0)
    a, b, strong = rng.integers(0, 2, (3, n))
    y = (a ^ b) + 2 * strong
    y = np.where(rng.random(n) < 0.1, rng.integers(0, 4, n), y)
    X = pd.DataFrame({
        "left": a, "right": b, "strong": strong,
        "twin": np.where(rng.random(n) < 0.95, strong, 1 - strong),
        "noise": rng.integers(0, 2, n), "id": [f"P{i}" for i in range(n)], "same": 1,
    })  # fmt: skip
    return X, pd.Series(y, name="y")


@pytest.fixture(scope="module")
def found() -> Result:
    selector = CrossEntropySelector("reliable", null=False, halves=True, decoys=2, parsimony=0.01, random_state=0)
    with pytest.warns(UserWarning, match="looks like an id"):
        return describe(selector.fit(*table()))


def test_columns_that_work_together_name_each_other(found: Result) -> None:
    reasons = {feature.name: why(found, feature) for feature in found.features}
    assert set(reasons) == {"left", "right", "strong"}
    assert re.fullmatch(r"says little alone, but 0\.\d\d bits together with 'right'", reasons["left"])
    assert re.fullmatch(r"says little alone, but 0\.\d\d bits together with 'left'", reasons["right"])
    assert re.fullmatch(r"0\.\d\d bits alone; 0\.\d\d lost without it", reasons["strong"])


def test_every_other_column_says_why_not(found: Result) -> None:
    reasons = {column.name: why_not(found, column) for column in found.columns}
    assert [column.name for column in found.columns] == list(table()[0])
    assert reasons["left"] == reasons["right"] == reasons["strong"] == ""
    assert reasons["twin"] == "'strong', which is kept, says much the same"
    assert reasons["noise"] == "would add 0.01 bits, less than its price"
    assert reasons["id"] == "it names or numbers the rows"
    assert reasons["same"] == "it has the same value in every row"


def test_all_of_it_is_on_the_page(found: Result) -> None:
    html = Report(found).html.replace("&#39;", "'")
    for column in found.columns:
        assert f"<bdi>{column.name}</bdi>" in html
        assert why_not(found, column) in html
    assert all(why(found, feature) in html for feature in found.features)
    assert answer(found) in html
    assert loss(found) in html
    assert sure(found) in html
    questions = ["Which are sure?", "What would I lose?", "Is there anything at all?", "Why these?", "All columns"]
    places = [html.index(question) for question in questions]
    assert places == sorted(places)


FEATURE = Feature("a", 0, 0.1, 0.3, 0.2, 0.3, None, None)
WHYS = {
    "0.30 bits alone; 0.20 lost without it": FEATURE,
    "says little alone; 0.20 bits lost without it": replace(FEATURE, alone=0.0),
    "adds a little to the others": replace(FEATURE, alone=0.0, lost_without=0.001),
    "makes no difference beside the others": replace(FEATURE, alone=0.0, lost_without=-0.001),
    "0.30 bits alone, little beyond the other columns": replace(FEATURE, lost_without=0.001),
    "0.30 bits alone, nothing beyond the other columns": replace(FEATURE, lost_without=0.0),
    "0.30 bits alone; 'b' says much the same": replace(
        FEATURE, lost_without=0.0, redundant_with=Neighbour("b", 1, 0.9)
    ),
    "says little alone, but 0.60 bits together with 'b'": replace(FEATURE, alone=0.01, partner=Partner("b", 0.6, 0.5)),
    "0.30 bits alone; 0.60 bits together with 'b', more than the sum of both": replace(
        FEATURE, partner=Partner("b", 0.6, 0.2)
    ),
}


@pytest.mark.parametrize("words", WHYS)
def test_why(words: str, result: Result) -> None:
    told = replace(result, features=(FEATURE, replace(FEATURE, name="b", index=1)))
    assert why(told, WHYS[words]) == words


def test_halves_and_wishes_are_reasons(result: Result) -> None:
    feature = replace(FEATURE, alone=0.0, lost_without=-0.001, selection_frequency=0.3333)
    told = replace(result, halves=Halves(6, ("a",), (0.3333,), 0.5, (), ()))
    assert why(told, feature) == "makes no difference beside the others; chosen from 2 of 6 halves of the rows"
    assert why(replace(told, settings={"always": ["a"]}), feature) == "kept because you asked for it"
    assert why(replace(told, settings={"always": ["b"]}), feature) != "kept because you asked for it"


def test_where_nothing_is_there_that_is_why(result: Result) -> None:
    none = replace(
        result, n_features=0, features=(), notes=(Note("nothing_there", "no column is better than chance."),)
    )
    assert why_not(none, COLUMN) == "no column is better than chance"


COLUMN = Column("a", 0, False, 0.3, 0.05, None, None, "free")
WHY_NOTS = {
    "would add 0.05 bits, less than it takes to be kept": COLUMN,
    "0.30 bits alone, but nothing beyond the columns that are kept": replace(COLUMN, gain=-0.1),
    "with it, predictions get no better": replace(COLUMN, gain=-0.1, alone=0.0),
    "other columns do better together": replace(COLUMN, gain=None),
    "there was no time to read it": replace(COLUMN, state="unread"),
    "others say more about the target, alone and in pairs, and the model cannot hold all": replace(
        COLUMN, state="screened"
    ),
}


@pytest.mark.parametrize("words", WHY_NOTS)
def test_why_not(words: str, result: Result) -> None:
    assert why_not(result, WHY_NOTS[words]) == words


CURVE = Curve((1, 2, 3), (0.5, 0.79, 0.8), (0.1, 0.02, 0.0), 2, 2)
LIMITS: dict[str, dict[str, Any]] = {
    "no more columns were asked for": {"settings": {"n_features_to_select": 2}},
    "but no more columns were asked for": {"settings": {"max_features": 2}},
    "less than its price": {"settings": {"parsimony": 0.1}},
    "but 2 columns are enough": {"curve": CURVE},
    "0.05 bits, but 2 columns are enough": {"curve": CURVE, "settings": {"max_features": 2, "parsimony": 0.1}},
    "0.05 bits, but no more columns were asked for": {
        "curve": replace(CURVE, enough=3), "settings": {"max_features": 2},
    },
}  # fmt: skip


@pytest.mark.parametrize("words", LIMITS)
def test_what_decides_on_the_number_is_the_reason(words: str, result: Result) -> None:
    assert why_not(replace(result, **LIMITS[words]), COLUMN).endswith(words)


LOST = HeldOut("error", 0.1, 0.11, 0.4, 0.01, 2.0, 6)
LOSSES: dict[str, dict[str, Any]] = {
    "Error of a random forest on new rows: 10.0% with 2 columns, 11.0% with all 30, 40.0% for the commonest class.": {},
    "Error of a random forest on new rows: 10.0% with 1 column, 11.0% with all 30, 40.0% for the commonest class.": {
        "n_columns": 1.0
    },
    "Error of a random forest on new rows: 10.0% with 1.5 columns, 11.0% with all 30, 40.0% for the commonest class.": {
        "n_columns": 1.5
    },
    "AUC of a random forest on new rows: 0.90 with 2 columns, 0.80 with all 30, 0.50 for the commonest class.": {
        "measure": "auc", "chosen": 0.9, "everything": 0.8, "nothing": 0.5,
    },
    "R² of a random forest on new rows: 50.0% with 2 columns, less than 0% with all 30, 0.0% for the mean.": {
        "measure": "r_squared", "chosen": 0.5, "everything": -0.1, "nothing": -0.001,
    },
}  # fmt: skip


@pytest.mark.parametrize("words", LOSSES)
def test_what_is_lost(words: str, result: Result) -> None:
    told = replace(result, held_out=replace(LOST, **LOSSES[words]))
    assert loss(told) == words
    assert how_tested(told).startswith(
        "Columns were chosen from one half of the rows, and the forest was tested on the other, 6 times; the "
        "difference between the first two has a standard error of "
    )
    assert how_tested(told) in Report(told).html
    assert loss(result) == how_tested(result) == ""


def test_where_all_columns_are_kept_nothing_is_lost(result: Result) -> None:
    every = replace(result, n_columns=result.n_features, held_out=LOST)
    assert loss(every) == "Error of a random forest on new rows: 11.0% with all 2, 40.0% for the commonest class."
    assert how_tested(every).endswith("tested on the other, 6 times.")
    assert loss(every) in Report(every).html


def test_what_is_lost_on_another_table_is_of_the_very_columns(result: Result) -> None:
    told = replace(result, tested=_tested.Tested("later.csv", 1200, "error", 0.1, 0.2, 0.4))
    assert in_words.tested(told) == (
        "Error of a random forest on 'later.csv' (1,200 rows): 10.0% with the 2, 20.0% with all 30, 40.0% for the "
        "commonest class."
    )
    assert in_words.tested(result) == ""


def test_a_quick_description_leaves_out_what_takes_time() -> None:
    X, y = table(200)
    selector = CrossEntropySelector("reliable", null=False, halves=True, random_state=0).fit(X.drop(columns="id"), y)
    quick = describe(selector, quick=True)
    assert quick.held_out is None
    assert [column.gain is None for column in quick.columns] == [not column.is_chosen for column in quick.columns]
    whole = describe(selector)
    assert whole.held_out is not None
    assert quick.features == whole.features


def test_a_ranking_has_halves_too() -> None:
    X, y = table()
    X = X.drop(columns="id")
    selector = RankSelector("mim", n_features_to_select=1, halves=True).fit(X, y)
    assert selector.selection_frequency_[list(X).index("strong")] == 1
    assert selector.stability_[0] == 1
    result = describe(selector)
    assert result.held_out.n_runs == 6
    assert (result.curve, result.decoys, sure(result)) == (None, None, "")
    assert [chosen_from(result, feature.selection_frequency) for feature in result.features] == ["22 of 22"]
    assert RankSelector("mim").fit(X, y).selection_frequency_ is None
