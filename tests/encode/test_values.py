"""Columns of text, dates and objects: what their values are, and when only their presence counts."""

import datetime as dt
import os
import subprocess
import sys
import warnings

import numpy as np
import polars as pl
import pytest
from optional import optional

from entropick import ColumnWarning, CrossEntropySelector
from entropick.encode import TableEncoder, read_source

pd = optional("pandas")
pa = optional("pyarrow")

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
DAY = dt.date(2026, 1, 1)


def fit(X):
    encoder = TableEncoder()
    table = encoder.fit_transform(X, np.zeros(read_source(X).n_rows, dtype=np.int64))
    return encoder, table


def notes(X):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(X)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("value", [lambda i: f"comment {i}", lambda i: DAY + dt.timedelta(i)], ids=["text", "dates"])
def test_values_that_are_all_different_where_present_are_present_or_missing(frame, value):
    is_missing = np.arange(100) % 3 == 0
    X = frame({"a": [None if gone else value(i) for i, gone in enumerate(is_missing)]})
    said = "column 'a' has a different value in each of the 66 rows where it is present: only whether it is missing is"
    with pytest.warns(ColumnWarning, match=said):
        encoder, table = fit(X)
    np.testing.assert_array_equal(table.columns[0], is_missing)
    assert table.levels.tolist() == [2]
    assert encoder.columns[0].kind == "presence"
    assert encoder.columns[0].labels(read_source(X)[0], table.columns[0]) == ["present", "missing"]
    new = frame({"a": [value(1000), None, value(1)]})
    assert encoder.transform(new, np.zeros(3, dtype=np.int64)).columns[0].tolist() == [0, 1, 0]


def test_a_column_present_for_one_class_only_is_chosen_and_told_truthfully():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    X = pd.DataFrame({"noise": rng.normal(size=300), "text": [f"c{i}" if y[i] else None for i in range(300)]})
    with pytest.warns(ColumnWarning, match="only whether it is missing is used"):
        selector = CrossEntropySelector(random_state=0).fit(X, y)
    assert selector.get_support().tolist() == [False, True]
    assert selector.information_ == selector.class_entropy_
    result = selector.report().result
    assert result.target_by_column[0].values == ("present", "missing")
    assert [(note.code, note.columns) for note in result.notes if "text" in note.columns] == [
        ("leak", ("text",)),
        ("presence", ("text",)),
    ]


def test_more_text_than_a_column_may_have_is_left_out_with_a_note():
    values = [f"v{i}" for i in range(65_536)]
    X = pl.DataFrame({"key": values + values, "x": [0, 1] * 65_536})
    with pytest.warns(ColumnWarning, match="column 'key' has 65536 different values, more than the 65535 allowed"):
        encoder, table = fit(X)
    assert table.levels.tolist() == [1, 2]
    assert encoder.columns[0].labels(read_source(X)[0], table.columns[0]) == ["any"]
    with pytest.warns(ColumnWarning, match="only whether it is missing is used"):
        table = fit(pl.DataFrame({"key": [*values, *values, None, None]}))[1]
    assert table.columns[0].tolist() == [0] * 131_072 + [1, 1]


@pytest.mark.parametrize(
    "column",
    [
        lambda v: pd.DataFrame({"x": v}),
        lambda v: pd.DataFrame({"x": pd.Series(v, dtype=object)}),
        lambda v: pl.DataFrame({"x": v}),
        lambda v: pa.table({"x": v}),
        lambda v: np.array(v)[:, None],
    ],
    ids=["pandas", "object", "polars", "pyarrow", "numpy"],
)
def test_numbers_written_as_text_are_told_with_their_count(column):
    values = [f"{i % 57 / 8}" for i in range(285)] + ["-"] * 15
    (note,) = notes(column(values))
    assert note.startswith("285 of 300 values of column 'x")
    assert "are numbers written as text; '-' is not: it is treated as text; to have it binned, convert it" in note


def test_text_that_only_looks_like_numbers_is_not_told():
    rng = np.random.default_rng(0)
    codes = [f"{i:05}" for i in rng.integers(100_000, size=60)] * 2
    halves = [str(i) for i in range(30)] * 2 + [f"word {i}" for i in range(30)] * 2
    few = [str(i) for i in range(20)] * 3
    odd = [f"{i}_0" for i in range(30)] * 2 + ["nan", "inf"]
    categories = pd.Categorical([str(i) for i in range(50)] * 2)
    for values in (codes, halves, few, odd, categories):
        assert notes(pd.DataFrame({"x": values})) == []
    assert len(notes(pd.DataFrame({"x": [str(i) for i in range(50)] * 2}))) == 1


def test_equal_sets_and_dicts_are_one_level_in_whatever_order_they_are():
    cells = [
        [{"b", "a"}, {"b": 1, "a": [2]}],
        [frozenset(["a", "b"]), {"a": [2], "b": 1}],
        [{"a"}, {"a": [2], "b": 2}],
        [{"a", "b"}, {"a": [2.0], "b": True}],
        [set(), {}],
    ]
    X = np.empty((5, 2), dtype=object)
    for i, row in enumerate(cells):
        X[i] = row
    with pytest.warns(ColumnWarning, match="are read as strings"):
        table = fit(X)[1]
    for column in table.columns:
        first, second, third, fourth, fifth = column.tolist()
        assert first == second == fourth
        assert len({first, third, fifth}) == 3


def test_the_levels_of_sets_do_not_depend_on_the_hash_seed():
    code = (
        "import warnings, numpy as np; warnings.simplefilter('ignore')\n"
        "from entropick.encode import TableEncoder\n"
        "X = np.empty((6, 1), dtype=object)\n"
        "X[:, 0] = [{'left', 'up'}, {'right', 'down'}, {'up', 'down'}, {'a', 'z', 'm'}, {'left'}, {'up', 'left'}]\n"
        "encoder = TableEncoder(); encoder.fit_transform(X, np.zeros(6, dtype=np.int64))\n"
        "print(encoder.columns[0].levels)"
    )
    seeds = ("1", "2")
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in seeds
    }
    assert len(outputs) == 1
