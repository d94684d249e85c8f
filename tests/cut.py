"""Tables for tests, cut into shards."""

import datetime as dt

import numpy as np
import polars as pl

from entropick.encode import CodeTable
from entropick.selectors import InformationSelector
from entropick.shards import LocalShards, ShardedTable


def pieces(table: CodeTable, cuts: list[int]) -> list[CodeTable]:
    """The rows of a table between cuts, as tables whose classes keep their numbers."""
    found = []
    for start, end in zip([0, *cuts], [*cuts, table.n_rows], strict=True):
        own = slice(start, end)
        values = [table.numbers_of(j) for j in range(table.n_columns)]
        found.append(
            CodeTable(
                tuple(column[own] for column in table.columns),
                table.levels,
                table.classes[own],
                table.ordered,
                values=tuple(None if x is None else x[own] for x in values),
                numbers=None if table.numbers is None else table.numbers[own],
            )
        )
    return found


def sharded(table: CodeTable, cuts: list[int]) -> ShardedTable:
    """The same table in shards."""
    parts = pieces(table, cuts)
    return ShardedTable.of(
        LocalShards([lambda part=part: part for part in parts]),
        np.array([part.n_rows for part in parts]),
        table.levels,
        table.classes,
        ordered=table.ordered,
        labels=table.labels,
        is_numeric=table.numbers is not None,
    )


def mixed_frame(n_rows: int, target: str) -> tuple[pl.DataFrame, pl.Series]:
    """Columns of many kinds, and a target that some of them tell something of."""
    rng = np.random.default_rng(n_rows)
    x = rng.normal(size=n_rows)
    noisy = x + rng.normal(size=n_rows)
    first = dt.date(2024, 1, 1)
    frame = pl.DataFrame(
        {
            "x": x,
            "gaps": pl.Series(np.where(rng.random(n_rows) < 0.2, np.nan, noisy)).fill_nan(None),
            "coin": rng.integers(0, 2, n_rows),
            "letter": rng.choice(list("abc"), n_rows),
            "many": rng.integers(0, 300, n_rows).astype(str),
            "constant": np.ones(n_rows, dtype=int),
            "steps": noisy.round(1),
            "zeros": np.where(rng.random(n_rows) < 0.5, 0.0, x),
            "id": [f"i{i}" for i in range(n_rows)],
            "row": np.arange(n_rows),
            "large": rng.integers(2**60, 2**61, n_rows),
            "day": [first + dt.timedelta(days=int(day)) for day in rng.integers(0, 9, n_rows)],
            "flag": rng.random(n_rows) < 0.3,
            "whole": rng.integers(0, 50, n_rows),
            "nothing": pl.Series([None] * n_rows, dtype=pl.Float64),
        }
    )
    signal = x + frame["coin"].to_numpy() + 0.5 * rng.normal(size=n_rows)
    values = {
        "classes": np.digitize(signal, [-1, 0, 1]).astype(str),
        "numbers": signal,
        "whole numbers": np.digitize(signal, [0, 1]) * 7,
        "many whole numbers": (10 * signal).round().astype(int),
        "booleans": signal > 0,
    }
    return frame, pl.Series("target", values[target])


def assert_same_path(found: InformationSelector, expected: InformationSelector) -> None:
    """What halves and copies say is the same: how often, how many, how sure."""
    np.testing.assert_array_equal(found.selection_frequency_, expected.selection_frequency_)
    np.testing.assert_array_equal(found.verdict_, expected.verdict_)
    np.testing.assert_array_equal(found.expected_false_, expected.expected_false_)
    assert expected.verdict_ is not None
    assert (found.curve_ is None) == (expected.curve_ is None)
    for name, values in (expected.curve_ or {}).items():
        np.testing.assert_allclose(found.curve_[name], values, atol=1e-9)
