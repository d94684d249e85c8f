"""Integers that floats cannot tell apart, and nanoseconds."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from optional import optional

from entropick import ColumnWarning, RankSelector, SubsetScorer, mutual_information
from entropick.encode import BINNINGS, TableEncoder, TargetEncoder, read_source

pd = optional("pandas")
pa = optional("pyarrow")

LARGE = 10**18
BIT = np.random.default_rng(0).integers(2, size=200)
TICKS = 1_700_000_000_000_000_000 + np.arange(1000)  # a nanosecond apart
ORDER = np.random.default_rng(1).permutation(1000)


def codes(X, **settings):
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    return TableEncoder(**settings).fit_transform(X, np.zeros(n_rows, dtype=np.int64)).columns[0].tolist()


def objects(values):
    column = np.empty((len(values), 1), dtype=object)
    column[:, 0] = values
    return column


COLUMNS_OF_INTEGERS = {
    "int64": lambda v: np.array(v)[:, None],
    "uint64": lambda v: np.array(v, dtype=np.uint64)[:, None],
    "beyond int64": lambda v: np.array([i + 2**63 for i in v], dtype=np.uint64)[:, None],
    "list": lambda v: [[i] for i in v],
    "list with NaN": lambda v: [*([i] for i in v), [float("nan")]],
    "masked": lambda v: np.ma.masked_array(np.array(v)[:, None], np.zeros((len(v), 1))),
    "Python": objects,
    "NumPy objects": lambda v: objects([np.int64(i) for i in v]),
    "Decimal": lambda v: objects([Decimal(i) for i in v]),
    "huge": lambda v: objects([i + 10**400 for i in v]),
    "negative": lambda v: objects([i - 10**30 for i in v]),
    "pandas": lambda v: pd.DataFrame({"a": v}),
    "pandas Int64": lambda v: pd.DataFrame({"a": pd.array([*v, None], dtype="Int64")}),
    "polars": lambda v: pl.DataFrame({"a": [*v, None]}),
    "polars Decimal": lambda v: pl.DataFrame({"a": pl.Series(v).cast(pl.Decimal(38, 0))}),
    "arrow": lambda v: pa.table({"a": v}),
    "arrow decimal": lambda v: pa.table({"a": pa.array([Decimal(i + 10**30) for i in v], pa.decimal128(38))}),
}
if hasattr(pl, "Int128"):
    COLUMNS_OF_INTEGERS["polars Int128"] = lambda v: pl.DataFrame(
        {"a": pl.Series([i + 2**100 for i in v], dtype=pl.Int128)}
    )


@pytest.mark.parametrize("make", COLUMNS_OF_INTEGERS.values(), ids=COLUMNS_OF_INTEGERS)
def test_large_integers_are_numbers_and_exact(make):
    few = codes(make((LARGE + BIT).tolist()))
    assert few[:200] == BIT.tolist()
    many = codes(make(TICKS[ORDER].tolist()))
    assert many[:1000] == (ORDER // 200).tolist()


@pytest.mark.parametrize("binning", BINNINGS)
def test_large_integers_are_cut_as_smaller_ones_are(binning):
    classes = (ORDER > 417).astype(int)
    near = SubsetScorer(5000 + ORDER[:, None], classes, binning=binning)
    far = SubsetScorer(TICKS[ORDER][:, None], classes, binning=binning)
    np.testing.assert_array_equal(near.table.columns[0], far.table.columns[0])


def test_a_single_pair_that_floats_cannot_tell_apart_changes_nothing():
    rng = np.random.default_rng(0)
    ticks = 1_700_000_000_000_000_000 + np.sort(rng.integers(0, 10**9, 2000)) * 1000
    y = ticks > np.median(ticks)
    before = SubsetScorer(ticks[:, None], y)([[True]])
    ticks[1] = ticks[0] + 1
    assert SubsetScorer(ticks[:, None], y)([[True]]) == before > 0.7


def test_new_rows_are_compared_exactly_whatever_their_type():
    encoder = TableEncoder()
    encoder.fit_transform(TICKS[:, None], np.zeros(1000, dtype=np.int64))

    def again(X):
        return encoder.transform(X, np.zeros(len(X), dtype=np.int64)).columns[0].tolist()

    assert again(TICKS[[0, 199, 200, 999]][:, None]) == [0, 0, 1, 4]
    assert again(objects([int(TICKS[199]), int(TICKS[200]), None, 10**40])) == [0, 1, 5, 4]
    assert again(np.array([[0.5], [1e300], [np.nan]])) == [0, 4, 5]
    assert again(np.array([[3], [4]], dtype=np.int8)) == [0, 0]
    levels = TableEncoder()
    levels.fit_transform(LARGE + BIT[:, None], np.zeros(200, dtype=np.int64))
    new = objects([LARGE + 1, LARGE + 2, 7, None])
    assert levels.transform(new, np.zeros(4, dtype=np.int64)).columns[0].tolist() == [1, 3, 3, 2]
    small = TableEncoder()
    small.fit_transform(np.array([[1], [2]]), np.zeros(2, dtype=np.int64))
    assert small.transform(objects([2, LARGE]), np.zeros(2, dtype=np.int64)).columns[0].tolist() == [1, 3]


def test_fractions_beside_large_integers_make_the_column_real():
    assert codes(objects([0.5, 2**60, 10**400, -(10**400)] * 2), n_bins=4) == [1, 2, 3, 0] * 2


def test_a_target_of_large_integers_is_a_number():
    for target in ("auto", "numeric"):
        encoder = TargetEncoder(target)
        assert encoder.fit_transform(TICKS[ORDER]).tolist() == (ORDER // 200).tolist()
        assert encoder.kind == "numeric"
        assert encoder.labels[0] == "1700000000000000000 to 1700000000000000199"
        assert encoder.transform(TICKS[[0, 200, 999]]).tolist() == [0, 1, 4]
    encoder = TargetEncoder()
    assert encoder.fit_transform([np.int64(2**60 + int(bit)) for bit in BIT]).tolist() == BIT.tolist()
    assert encoder.labels == (2**60, 2**60 + 1)
    assert encoder.transform([2**60 + 1, 2**60 + 2]).tolist() == [1, -1]


def test_bins_of_large_integers_are_labelled_with_all_digits():
    X = TICKS[:, None]
    encoder = TableEncoder()
    table = encoder.fit_transform(X, np.zeros(1000, dtype=np.int64))
    labels = encoder.columns[0].labels(read_source(X)[0], table.columns[0])
    assert labels[4] == "1700000000000000800 to 1700000000000000999"


def test_pearson_sees_nanoseconds():
    X = np.column_stack([TICKS, 5000 + ORDER])
    assert RankSelector("pearson").fit(X, (TICKS[500] < TICKS).astype(int)).scores_[0] == pytest.approx(0.866, abs=1e-3)


NANOSECONDS = {
    "polars datetime": lambda v: pl.DataFrame({"a": pl.Series(v).cast(pl.Datetime("ns"))}),
    "polars zone": lambda v: pl.DataFrame({"a": pl.Series(v).cast(pl.Datetime("ns", "Europe/Berlin"))}),
    "polars duration": lambda v: pl.DataFrame({"a": pl.Series(v).cast(pl.Duration("ns"))}),
    "polars time": lambda v: pl.DataFrame({"a": pl.Series([i % 10**9 for i in v]).cast(pl.Time)}),
    "arrow timestamp": lambda v: pa.table({"a": pa.array(v, pa.timestamp("ns"))}),
    "arrow duration": lambda v: pa.table({"a": pa.array(v, pa.duration("ns"))}),
    "arrow time": lambda v: pa.table({"a": pa.array([i % 10**9 for i in v], pa.time64("ns"))}),
    "pandas datetime": lambda v: pd.DataFrame({"a": pd.to_datetime(v)}),
    "pandas duration": lambda v: pd.DataFrame({"a": pd.to_timedelta(v)}),
    "pandas arrow time": lambda v: pd.DataFrame(
        {"a": pd.Series([i % 10**9 for i in v]).astype(pd.ArrowDtype(pa.time64("ns")))}
    ),
    "numpy datetime": lambda v: np.array(v, dtype="datetime64[ns]")[:, None],
    "numpy duration": lambda v: np.array(v, dtype="timedelta64[ns]")[:, None],
}


@pytest.mark.parametrize("make", NANOSECONDS.values(), ids=NANOSECONDS)
def test_nanoseconds_are_kept(make):
    X = make((TICKS[0] + BIT).tolist())
    assert codes(X) == BIT.tolist()
    assert mutual_information(X, BIT) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("make", NANOSECONDS.values(), ids=NANOSECONDS)
def test_moments_that_are_all_different_are_an_id_in_every_kind_of_table(make):
    with pytest.warns(ColumnWarning, match="a different value in each of its 1000 rows"):
        assert set(codes(make(TICKS.tolist()))) == {0}


def test_times_of_the_day_are_read_in_every_unit():
    for unit, factor in (("s", 10**9), ("ms", 10**6), ("us", 1000), ("ns", 1)):
        kind = (pa.time32 if unit in ("s", "ms") else pa.time64)(unit)
        ticks = [5 * 10**9 // factor, 3661 * 10**9 // factor, None]
        labels = TargetEncoder()
        labels.fit_transform(pa.array(ticks[:2], kind))
        assert labels.labels == ("00:00:05", "01:01:01")
        assert codes(pa.table({"a": pa.array(ticks, kind)})) == [0, 1, 2]
