"""Columns that give the target away are named first, whatever hides them."""

from __future__ import annotations

import numpy as np
import pytest
from optional import optional
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

from entropick import CrossEntropySelector, RankSelector
from entropick.report import describe

pd = optional("pandas")

ROWS = 600


def columns(rng):
    return pd.DataFrame(rng.normal(size=(ROWS, 8)), columns=[f"c{i}" for i in range(8)])


def classes(X, rng):
    return (X.c0 + X.c1 + rng.normal(size=ROWS) > 0).astype(int)


def sign(rng):
    X = columns(rng)
    y = classes(X, rng)
    return X.assign(balance=np.where(y == 1, 1, -1) * rng.exponential(size=ROWS)), y


def total(rng):
    X = columns(rng)
    return X, (X.c3 + X.c4 > 0).astype(int)


def difference(rng):
    X = columns(rng)
    return X, (X.c3 - X.c4 > 0.5).astype(int)


def total_of_numbers(rng):
    X = columns(rng)
    return X, X.c3 + X.c4


def reason(rng):
    X = columns(rng)
    y = classes(X, rng)
    return X.assign(reason=np.where((y == 1) & (rng.random(ROWS) < 0.7), rng.choice(["a", "b"], ROWS), None)), y


def gap(rng):
    X = columns(rng)
    y = classes(X, rng)
    return X.assign(reason=np.where((y == 1) & (rng.random(ROWS) < 0.4), np.nan, rng.normal(size=ROWS))), y


def copy(rng):
    X = columns(rng)
    y = classes(X, rng)
    return X.assign(copy=np.where(rng.random(ROWS) < 0.97, y, 1 - y)), y


def text_of_three(rng):
    X = columns(rng)
    y = np.digitize(X.c0 + rng.normal(size=ROWS), [-0.7, 0.7])
    return X.assign(status=np.array(["low", "middle", "high"])[y]), y


def number_copied(rng):
    X = columns(rng)
    y = X.c0 + rng.normal(size=ROWS)
    return X.assign(copy=np.where(rng.random(ROWS) < 0.97, y, rng.normal(size=ROWS))), y


def logarithm(rng):
    X = columns(rng)
    y = X.c0 + rng.normal(size=ROWS)
    return X.assign(power=np.exp(y)), y


LEAKS = {
    sign: (("balance",), "column 'balance' alone tells 'target' in all of the rows"),
    total: (("c3", "c4"), "the sum of 'c3' and 'c4' tells 'target'"),
    difference: (("c3", "c4"), "the difference of 'c3' and 'c4' tells 'target'"),
    total_of_numbers: (("c3", "c4"), "a sum of 'c3' and 'c4', perhaps with factors, is the target"),
    reason: (("reason",), "column 'reason' has a value only where 'target' is 1"),
    gap: (("reason",), "column 'reason' is missing only where 'target' is 1"),
    copy: (("copy",), "column 'copy' alone tells 'target' in 9"),
    text_of_three: (("status",), "column 'status' alone tells 'target' in all of the rows"),
    number_copied: (("copy",), "column 'copy' alone tells the target"),
    logarithm: (("power",), "column 'power' alone tells the target"),
}


def notes_of(X, y, selector=None):
    selector = selector or CrossEntropySelector(effort="low", halves=False, random_state=0)
    return describe(selector.fit(X, pd.Series(y, name="target"))).notes


@pytest.mark.parametrize("make", LEAKS, ids=lambda make: make.__name__)
def test_a_leak_is_the_first_note(make):
    names, text = LEAKS[make]
    (first, *_) = notes_of(*make(np.random.default_rng(0)))
    assert first.code == "leak"
    assert set(first.columns) == set(names)
    assert text in first.text.replace("'c4' and 'c3'", "'c3' and 'c4'")
    assert first.text.endswith(
        "make sure that both are known before the target is, or leave one out."
        if len(names) == 2
        else "make sure that this is known before the target is, or leave it out."
    )


def test_a_copy_with_errors_of_a_rare_class_is_a_leak():
    rng = np.random.default_rng(0)
    y = rng.random(4000) < 0.03
    X = pd.DataFrame(rng.normal(size=(4000, 3)), columns=list("abc"))
    X["flag"] = np.where(y ^ (rng.random(4000) < 0.03), "yes", "no")
    X["score"] = (y ^ (rng.random(4000) < 0.03)) + 0.1 * rng.random(4000)
    X["hint"] = rng.normal(size=4000) + 2 * y  # a good column, but no copy
    (first, *others) = notes_of(X, np.where(y, "rare", "common"))
    assert (first.code, set(first.columns)) == ("leak", {"flag", "score"})
    assert "of the rows of either class, on average" in first.text
    assert not any(note.code == "leak" for note in others)


def test_the_difference_of_two_numbers_is_called_one():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 4)), columns=list("abcd"))
    (first, *_) = notes_of(X, 3 * X["c"] - X["d"])
    assert first.text.startswith("a difference of 'c' and 'd', perhaps with factors, is the target: ")


def test_a_leak_is_named_even_if_it_was_not_selected():
    X, y = copy(np.random.default_rng(1))
    notes = notes_of(X, y, RankSelector("mim", n_features_to_select=1))
    assert [note.columns for note in notes if note.code == "leak"] == [("copy",)]


def test_two_leaks_share_a_note():
    X, y = copy(np.random.default_rng(2))
    (first, *_) = notes_of(X.assign(again=y * 2), y)
    assert set(first.columns) == {"copy", "again"}
    assert first.text.startswith("each of '")


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_diabetes], ids=lambda load: load.__name__)
def test_good_columns_are_no_leaks(load):
    assert "leak" not in [note.code for note in notes_of(*load(return_X_y=True, as_frame=True))]


def test_a_rare_value_that_happens_to_be_of_one_class_is_no_leak():
    rng = np.random.default_rng(3)
    X = columns(rng)
    y = classes(X, rng)
    some = np.flatnonzero(y == 1)[:8]
    X["seldom"] = np.where(np.isin(np.arange(ROWS), some), 1.0, np.nan)
    assert "leak" not in [note.code for note in notes_of(X, y)]


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("share", [1.0, 0.5], ids=["all rows", "some rows"])
def test_a_row_number_cannot_be_selected(start, share):
    rng = np.random.default_rng(4)
    X = columns(rng)
    y = np.sort(classes(X, rng))  # the file is sorted
    rows = np.sort(rng.choice(ROWS, int(share * ROWS), replace=False))
    X = X.assign(row=range(start, ROWS + start)).iloc[rows]
    with pytest.warns(UserWarning, match="column 'row' numbers the rows, from "):
        selector = CrossEntropySelector(halves=False, null=False, random_state=0).fit(X, y[rows])
    assert "row" not in selector.get_feature_names_out()


def test_whole_numbers_that_repeat_or_are_large_are_no_row_numbers():
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"weight": rng.integers(0, 600, ROWS), "price": rng.choice(10**6, ROWS, replace=False)})
    CrossEntropySelector(halves=False, null=False, random_state=0).fit(X, X.weight + X.price > 4e5)


def test_few_rows_and_many_columns_are_said_first():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(57, 300)), rng.integers(0, 2, 57)
    X[:, 0] += 4 * y
    notes = describe(CrossEntropySelector(effort="low", halves=False, random_state=0).fit(X, y)).notes
    assert "there are 300 columns and only 57 rows" in " ".join(note.text for note in notes[:2])


def test_values_with_a_handful_of_rows_are_pointed_out():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 300)
    town = np.where(
        rng.random(300) < 0.5,
        np.where(y == 1, "north", "south"),
        np.char.add("town ", rng.integers(0, 100, 300).astype(str)),
    )
    selector = CrossEntropySelector("naive", always=["town"], null=False, halves=False, random_state=0)
    notes = describe(selector.fit(pd.DataFrame({"town": town, "x": rng.normal(size=300)}), y)).notes
    (note,) = [note for note in notes if note.code == "rare_levels"]
    assert note.columns == ("town",)
    assert "have fewer than 5 rows each" in note.text
