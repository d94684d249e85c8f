"""Why a column was chosen, why another was not, and what would be lost: in plain words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from optional import optional

from entropick import CrossEntropySelector, RankSelector
from entropick.evaluation import HeldOut
from entropick.report import Column, Feature, Halves, Neighbour, Note, Partner, Report, Result, describe
from entropick.report.reasons import why, why_not
from entropick.report.words import answer, loss, sure

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
    selector = CrossEntropySelector("reliable", null=False, half_samples=6, parsimony=0.01, random_state=0)
    with pytest.warns(UserWarning, match="looks like an id"):
        return describe(selector.fit(*table()))


def test_columns_that_work_together_name_each_other(found: Result) -> None:
    reasons = {feature.name: why(found, feature) for feature in found.features}
    assert set(reasons) == {"left", "right", "strong"}
    assert reasons["left"].startswith("alone it says little; together with 'right' it carries 0.")
    assert reasons["right"].startswith("alone it says little; together with 'left' it carries 0.")
    assert reasons["strong"].startswith("alone it carries 0.")
    assert reasons["strong"].endswith("bits would be lost")


def test_every_other_column_says_why_not(found: Result) -> None:
    reasons = {column.name: why_not(found, column) for column in found.columns}
    assert [column.name for column in found.columns] == list(table()[0])
    assert reasons["left"] == reasons["right"] == reasons["strong"] == ""
    assert reasons["twin"] == "'strong', which is kept, says much the same"
    assert reasons["noise"] == "it would add 0.01 bits, less than its price"
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
    assert html.index("What would I lose?") < html.index("How sure is that?") < html.index("Why these?")


FEATURE = Feature("a", 0, 0.1, 0.3, 0.2, 0.3, None, None)
WHYS = {
    "alone it carries 0.30 bits; without it 0.20 bits would be lost": FEATURE,
    "alone it says little; without it 0.20 bits would be lost": replace(FEATURE, alone=0.0),
    "it adds a little to the others": replace(FEATURE, alone=0.0, lost_without=0.001),
    "beside the others it makes no difference": replace(FEATURE, alone=0.0, lost_without=-0.001),
    "alone it carries 0.30 bits; the others make up for most of it": replace(FEATURE, lost_without=0.001),
    "alone it carries 0.30 bits; the others make up for all of it": replace(FEATURE, lost_without=0.0),
    "alone it carries 0.30 bits; 'b' says much the same": replace(
        FEATURE, lost_without=0.0, redundant_with=Neighbour("b", 1, 0.9)
    ),
    "alone it says little; together with 'b' it carries 0.60 bits": replace(
        FEATURE, alone=0.01, partner=Partner("b", 0.6, 0.5)
    ),
    "alone it carries 0.30 bits; together with 'b', 0.60 bits, more than one by one": replace(
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
    assert why(told, feature) == "beside the others it makes no difference; 2 of 6 halves of the rows chose it"
    for always in (["a"], [0]):
        assert why(replace(told, settings={"always": always}), feature) == "it is kept because you asked for it"


def test_where_nothing_is_there_that_is_why(result: Result) -> None:
    none = replace(
        result, n_features=0, features=(), notes=(Note("nothing_there", "no column is better than chance."),)
    )
    assert why_not(none, COLUMN) == "no column is kept, because all of them together are no better than chance"


COLUMN = Column("a", 0, False, 0.3, 0.05, None, None, "free")
WHY_NOTS = {
    "it would add 0.05 bits, which the search did not take for enough": COLUMN,
    "it would add 0.05 bits, no more than a shuffled column may": replace(COLUMN, name="lucky"),
    "alone it carries 0.30 bits, but beside the others predictions get no better": replace(COLUMN, gain=-0.1),
    "with it, predictions get no better": replace(COLUMN, gain=-0.1, alone=0.0),
    "other columns do better together": replace(COLUMN, gain=None),
    "there was no time to read it": replace(COLUMN, state="unread"),
    "others say more about the target, alone and in pairs, and the model cannot hold all": replace(
        COLUMN, state="screened"
    ),
}


@pytest.mark.parametrize("words", WHY_NOTS)
def test_why_not(words: str, result: Result) -> None:
    column = WHY_NOTS[words]
    assert why_not(replace(result, luck=0.1 if column.name == "lucky" else 0.01), column) == words


def test_limits_that_were_asked_for_are_the_reason(result: Result) -> None:
    for settings, words in (
        ({"n_features_to_select": 2}, "no more columns were asked for"),
        ({"parsimony": 0.1}, "less than its price"),
    ):
        assert why_not(replace(result, settings=settings), COLUMN).endswith(words)


LOST = HeldOut("error", 0.1, 0.1, 0.4, 0.01, 3.0, 6)
LOSSES = {
    "You would lose nothing: a random forest gets 10.0% of new rows wrong with": LOST,
    "You would lose nothing that chance does not explain: a random forest gets 11.0% of new rows wrong with": replace(
        LOST, chosen=0.11
    ),
    "A model does no better with columns than without: a random forest gets 40.0% of new rows wrong with": replace(
        LOST, chosen=0.4, everything=0.41
    ),
    "A model does no better with columns than without: a random forest predicts less than 0% of the variance of new "
    "rows with": replace(LOST, measure="r_squared", chosen=-0.1, everything=-0.2, nothing=0.0),
    "You would lose some accuracy: a random forest gets 20.0% of new rows wrong with": replace(LOST, chosen=0.2),
    "You would gain accuracy: a random forest gets 5.0% of new rows wrong with": replace(LOST, chosen=0.05),
    "You would gain accuracy: the AUC of a random forest on new rows is 0.90 with": replace(
        LOST, measure="auc", chosen=0.9, everything=0.8, nothing=0.5
    ),
    "You would lose some accuracy: a random forest predicts 50.0% of the variance of new rows with": replace(
        LOST, measure="r_squared", chosen=0.5, everything=0.8
    ),
}


@pytest.mark.parametrize("words", LOSSES)
def test_what_is_lost(words: str, result: Result) -> None:
    told = loss(replace(result, held_out=LOSSES[words]))
    assert told.startswith(f"{words} chosen columns, ")
    assert told.endswith("(Chosen from one half of the rows, 3 columns on average, and tested on the other, 6 times.)")
    assert loss(result) == ""


def test_where_all_columns_are_kept_nothing_is_lost(result: Result) -> None:
    every = replace(result, n_columns=result.n_features, held_out=LOST)
    assert loss(every).startswith(
        "All columns are kept, so you would lose nothing: a random forest gets 10.0% of new rows wrong, and 40.0% with "
    )
    assert loss(every) in Report(every).html


def test_a_quick_description_leaves_out_what_takes_time() -> None:
    X, y = table(200)
    selector = CrossEntropySelector("reliable", null=False, random_state=0).fit(X.drop(columns="id"), y)
    quick = describe(selector, quick=True)
    assert quick.held_out is None
    assert quick.luck is None
    assert [column.gain is None for column in quick.columns] == [not column.is_chosen for column in quick.columns]
    assert quick.features == describe(selector).features


def test_a_ranking_can_be_sure_too() -> None:
    X, y = table()
    X = X.drop(columns="id")
    selector = RankSelector("mim", n_features_to_select=1, half_samples=6).fit(X, y)
    assert selector.selection_frequency_[list(X).index("strong")] == 1
    assert selector.stability_[0] == 1
    result = describe(selector)
    assert result.held_out.n_runs == 6
    assert sure(result) == "Chosen again from 6 random halves of the rows, it was chosen every time."
    assert RankSelector("mim").fit(X, y).selection_frequency_ is None
    with pytest.raises(ValueError, match="half_samples must be an integer of at least 2; got 1"):
        RankSelector("mim", half_samples=1).fit(X, y)
