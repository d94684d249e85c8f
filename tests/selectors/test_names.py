"""Columns have names of any kind."""

import numpy as np
import pytest
from optional import optional

from entropick import CrossEntropySelector

pd = optional("pandas")
pa = optional("pyarrow")

RNG = np.random.default_rng(0)
CODES = RNG.integers(3, size=(200, 4))
Y = (CODES[:, 2] > 0).astype(int)
NAMES = {
    "integers": [0, 1, 2, 3],
    "other integers": [40, 30, 20, 10],
    "tuples": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 2)]),
    "strings": list("abcd"),
    "dates": pd.date_range("2026-01-01", periods=4),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_columns_may_be_in_another_order_but_not_of_other_names(names):
    X = pd.DataFrame(CODES, columns=names)
    selector = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, Y)
    assert selector.transform(X).columns.tolist() == [X.columns[2]]
    pd.testing.assert_frame_equal(selector.transform(X.iloc[:, ::-1]), selector.transform(X))
    other = (
        X.set_axis([*X.columns[:3], "other"], axis=1) if X.columns.nlevels == 1 else X.set_axis(list("abcd"), axis=1)
    )
    with pytest.raises(ValueError, match=r"Feature names unseen at fit time:\n- (other|a)\n"):
        selector.transform(other)
    assert selector.report(X.iloc[:, ::-1], Y).result == selector.report(X, Y).result


def test_tables_without_names_are_taken_by_position():
    X = pd.DataFrame(CODES)
    of_frame = CrossEntropySelector("reliable", random_state=0, null=False).fit(X, Y)
    np.testing.assert_array_equal(of_frame.transform(CODES)[:, 0], CODES[:, 2])
    of_array = of_frame.fit(CODES, Y)  # the names of the fit before are forgotten
    assert of_array.transform(X.set_axis([9, 8, 7, 6], axis=1)).columns.tolist() == [7]


def test_a_number_in_always_is_a_position_whatever_the_names():
    X = pd.DataFrame(CODES, columns=[3, 2, 1, 0])
    selector = CrossEntropySelector("reliable", random_state=0, always=[0], null=False).fit(X, Y)
    assert selector.transform(X).columns.tolist() == [3, 1]


def test_a_record_batch_is_a_table_with_names():
    batch = pa.RecordBatch.from_pydict(dict(zip("abcd", CODES.T.tolist(), strict=True)))
    selector = CrossEntropySelector("reliable", random_state=0, always=["a"], null=False).fit(batch, Y)
    assert selector.get_feature_names_out().tolist() == ["a", "c"]
    assert selector.feature_names_in_.tolist() == list("abcd")
    out = selector.transform(batch)
    assert isinstance(out, pa.RecordBatch)
    assert out.schema.names == ["a", "c"]
    assert selector.report(batch, Y).result.features[0].name == "c"
    assert selector.transform(pa.Table.from_batches([batch])).column_names == ["a", "c"]
    assert selector.transform(batch.select(["c", "b", "a", "d"])).equals(out)
    assert list(selector.set_output(transform="pandas").transform(batch).columns) == ["a", "c"]
