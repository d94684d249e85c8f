"""Rows that are copies of others are told, unless they are alike by nature."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from helpers import quick
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from entropick import RankSelector
from entropick.encode import encode
from entropick.report import describe
from entropick.report._copied_rows import about_copied_rows

ROWS = np.random.default_rng(0)


def told(X: Any, y: Any) -> list[str]:
    """How many rows are copies, and of how many, as the note begins."""
    return [note.text.split(" are exact")[0] for note in about_copied_rows(encode(X, y))]


def twice(X: np.ndarray, n: int) -> np.ndarray:
    """A table with its first rows once more, in another order."""
    return np.concatenate([X, X[:n]])[np.random.default_rng(1).permutation(len(X) + n)]


NOISE, COIN = np.random.default_rng(0).normal(size=(300, 5)), np.random.default_rng(1).integers(0, 2, 300)
WITH_GAPS = np.where(np.random.default_rng(2).random(NOISE.shape) < 0.1, np.nan, NOISE)


@pytest.mark.parametrize("n", [16, 100, 300])
@pytest.mark.parametrize("X", [NOISE, WITH_GAPS, NOISE.round(2)], ids=["numbers", "gaps", "rounded"])
def test_copies_are_counted(X: np.ndarray, n: int) -> None:
    assert told(twice(X, n), twice(COIN, n)) == [f"{n} of {300 + n} rows"]
    assert told(twice(X, n), twice(NOISE[:, 0], n)) == [f"{n} of {300 + n} rows"]  # a target that is a number


def test_copies_are_known_after_each_has_been_repeated_often() -> None:
    assert told(np.repeat(NOISE[:60], 10, axis=0), np.repeat(COIN[:60], 10)) == ["540 of 600 rows"]


def test_few_copies_are_not_told() -> None:
    assert told(twice(NOISE, 15), twice(COIN, 15)) == []


@pytest.mark.filterwarnings("ignore::entropick.ColumnWarning")  # of ids
def test_rows_that_differ_in_anything_are_no_copies() -> None:
    X, y = twice(NOISE, 300), twice(COIN, 300)
    same = pl.DataFrame(X).with_columns(word=pl.Series([f"w{v:.1f}" for v in X[:, 0]]))
    assert told(same, y) == ["300 of 600 rows"]
    _, first = np.unique(X[:, 0], return_index=True)
    is_copy = ~np.isin(np.arange(600), first)
    ids = pl.Series([f"p{i}" for i in range(600)])
    for other in (
        same.with_columns(id=ids),
        same.with_columns(row=pl.int_range(1, 601)),
        same.with_columns(gap=pl.Series(is_copy.tolist()).replace_strict({True: None, False: 1})),
        same.with_columns(late=pl.Series(np.where(is_copy, 1e-9, 0) + X[:, 1])),
        same.with_columns(large=pl.Series((2**60 + np.arange(600) % 7 * 2 + is_copy).tolist())),
    ):
        assert told(other, y) == []
    assert told(same, is_copy) == []
    assert told(same, np.where(is_copy, 1e-9, 0) + X[:, 1]) == []


def age(n: int) -> np.ndarray:
    return np.random.default_rng(3).integers(18, 88, n)


ALIKE_BY_NATURE = {
    "a truth table": (np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 50), np.array([0, 1, 1, 0] * 50)),
    "votes that go together": ((ROWS.random((435, 1)) + ROWS.normal(0, 0.2, (435, 16)) > 0.5) * 1, np.arange(435) % 2),
    "one age": (age(300)[:, None], age(300) > 50),
    "an age, and what follows from it": (np.stack([age(900), 2 * age(900)], axis=1), age(900) > 50),
    "counts that are mostly 0": (np.where(ROWS.random((900, 90)) < 0.99, 0, ROWS.normal(size=(900, 90))), [0, 1] * 450),
    "grades": (ROWS.choice([1, 1, 1, 2, 3, 10], size=(700, 5)), [0, 1] * 350),
    "coarse measurements": (ROWS.normal(size=(4000, 2)).round(1), [0, 1] * 2000),
    "iris in whole centimetres": (load_iris().data.round(), load_iris().target),
}


@pytest.mark.parametrize("case", ALIKE_BY_NATURE)
def test_rows_that_are_alike_by_nature_are_not_told(case: str) -> None:
    X, y = ALIKE_BY_NATURE[case]
    rows = np.column_stack([X, y])
    assert len(np.unique(rows, axis=0)) < 0.95 * len(rows)
    assert told(X, y) == []


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_iris, load_wine])
def test_known_tables_have_none(load: Any) -> None:
    assert told(*load(return_X_y=True)) == []


@pytest.mark.parametrize("is_lazy", [False, True])
def test_the_note_is_in_the_result_and_comes_first(is_lazy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame(twice(NOISE, 100), schema=list("abcde")).with_columns(y=pl.Series(twice(COIN, 100)))
    X, y = (frame.lazy(), "y") if is_lazy else (frame.drop("y"), frame["y"])
    selector = RankSelector("mim", n_features_to_select=2).fit(X, y)
    assert describe(selector).notes[0].code == "copied_rows"
    monkeypatch.setattr("entropick.report._describe._MOST_SHOWN", 150)
    codes = [note.code for note in describe(selector).notes]
    assert ("copied_rows" in codes) is not is_lazy  # a sample of the rows lacks most of the twins


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_nothing_is_said_of_columns_that_were_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropick.selectors._searching._READING", 0.0)
    selector = quick(max_seconds=5).fit(twice(NOISE, 300), twice(COIN, 300))
    assert any(column.kind == "unread" for column in selector.record_.encoded.columns)
    assert "copied_rows" not in [note.code for note in describe(selector).notes]
