import datetime as dt
import warnings
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from optional import optional
from scipy import sparse

from entropick import ColumnWarning
from entropick.encode import BINNINGS, TableEncoder

pd = optional("pandas")
pa = optional("pyarrow")

DATES = [dt.date(2026, 1, day) for day in (1, 2, 1, 3, 2, 1)]
COLUMNS = {
    "text": ["a", "b", "a", "c", None, "b"],
    "flag": [True, False, True, True, False, False],
    "date": DATES,
    "small": [3, 1, 3, 2, 1, 3],
    "real": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5],
    "holes": [1.0, None, 2.0, None, 1.0, 2.0],
}
CODES = {
    "text": [0, 1, 0, 2, 3, 1],
    "flag": [1, 0, 1, 1, 0, 0],
    "date": [0, 1, 0, 2, 1, 0],
    "small": [2, 0, 2, 1, 0, 2],
    "real": [0, 0, 1, 1, 2, 2],
    "holes": [0, 2, 1, 2, 0, 1],
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def codes(X, classes=None, **settings):
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    classes = np.zeros(n_rows, dtype=np.int64) if classes is None else classes
    table = TableEncoder(**settings).fit_transform(X, classes)
    assert all(column.max() < levels for column, levels in zip(table.columns, table.levels, strict=True))
    return [column.tolist() for column in table.columns]


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_gives_the_same_codes(kind):
    assert codes(FRAMES[kind](COLUMNS), n_bins=3) == list(CODES.values())


def test_an_object_array_gives_the_same_codes_as_a_frame():
    X = np.array(list(COLUMNS.values()), dtype=object).T
    assert codes(X, n_bins=3) == list(CODES.values())


def test_pandas_types_of_all_ages_are_read():
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(["b", "a", None, "b"], categories=["b", "a", "unused"]),
            "Int64": pd.array([1, None, 2, 1], dtype="Int64"),
            "boolean": pd.array([True, None, False, True], dtype="boolean"),
            "string": pd.array(["x", None, "y", "x"], dtype="string"),
            "object": pd.Series(["x", np.nan, "y", "x"], dtype=object),
            "datetime": pd.to_datetime(["2026-01-02", None, "2026-01-01", "2026-01-02"]),
            "timedelta": pd.to_timedelta([2, None, 1, 2], unit="D"),
            "float32": np.array([1, np.nan, 0, 1], dtype=np.float32),
        }
    )
    expected = [[1, 0, 2, 1], [0, 2, 1, 0], [1, 2, 0, 1], [0, 2, 1, 0], [0, 2, 1, 0], [1, 2, 0, 1], [1, 2, 0, 1]]
    assert codes(frame) == [*expected, [1, 2, 0, 1]]


def test_polars_types_of_all_kinds_are_read():
    frame = pl.DataFrame(
        {
            "categorical": pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
            "enum": pl.Series(["b", "a", None, "b"], dtype=pl.Enum(["a", "b"])),
            "decimal": pl.Series(["1.5", "0.5", None, "1.5"]).cast(pl.Decimal(5, 2)),
            "nan and null": [1.0, float("nan"), None, 1.0],
            "time": [dt.time(12), dt.time(11), None, dt.time(12)],
            "uint8": pl.Series([200, 100, None, 200], dtype=pl.UInt8),
        }
    )
    assert codes(frame, n_bins=2) == [[1, 0, 2, 1]] * 3 + [[0, 1, 1, 0], [1, 0, 2, 1], [1, 0, 2, 1]]


@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_matrix"])
def test_sparse_matrices_are_read_as_if_dense(form):
    dense = (np.random.default_rng(0).random((50, 6)) < 0.2) * np.arange(1, 7)
    assert codes(getattr(sparse, form)(dense)) == codes(dense)


def test_a_list_keeps_its_numbers_beside_strings():
    assert codes([["a", 10.5], ["b", 9.5], ["a", 100.5]], n_bins=2) == [[0, 1, 0], [1, 0, 1]]


def test_quantile_edges_are_those_of_numpy():
    x = np.random.default_rng(0).exponential(size=101)
    edges = np.unique(np.quantile(x, [0.2, 0.4, 0.6, 0.8]))
    assert codes(x[:, None])[0] == np.searchsorted(edges, x, side="right").tolist()


def test_integers_are_levels_up_to_20_of_them_whatever_their_type():
    few, many = np.arange(40) % 20, np.arange(42) % 21
    for dtype in (int, float, np.int8):
        assert codes(few[:, None].astype(dtype))[0] == few.tolist()
        assert max(codes(many[:, None].astype(dtype))[0]) == 4


def test_equal_quantiles_fall_together():
    x = np.r_[np.zeros(70), np.arange(1, 31) / 7]
    assert np.bincount(codes(x[:, None])[0]).tolist() == [70, 10, 20]  # edges above 0 and at the 80 % quantile


def test_a_value_that_nearly_all_rows_have_is_told_from_the_rest():
    rng = np.random.default_rng(0)
    mostly_zero = np.where(rng.random(500) < 0.08, rng.random(500) + 0.1, 0.0)
    two_values = np.where(rng.random(500) < 0.08, 1.5, 0.5)
    for x in (mostly_zero, -mostly_zero, two_values):
        found = np.array(codes(x[:, None])[0])
        assert len(np.unique(found)) > 1
        assert len({tuple(pair) for pair in zip(found, x == np.median(x), strict=True)}) == len(np.unique(found))


def test_few_integers_that_floats_cannot_tell_apart_are_levels():
    large = 2**60 + np.arange(6) % 3
    assert codes(large[:, None])[0] == [0, 1, 2, 0, 1, 2]
    assert codes(pl.DataFrame({"a": [*large.tolist(), None]}))[0] == [0, 1, 2, 0, 1, 2, 3]
    assert codes(np.array([[10**400], [1], [10**400 + 1]], dtype=object))[0] == [1, 0, 2]
    ticks = 1_700_000_000_000_000_000 + np.arange(1000) * 10**9
    assert np.bincount(codes(ticks[:, None])[0]).tolist() == [200] * 5


def test_masked_entries_are_missing():
    masked = np.ma.masked_array([[1.0], [2.0], [1.0]], [[0], [1], [0]])
    assert codes(masked)[0] == [0, 1, 0]
    assert codes(np.ma.masked_array([["a"], ["b"]], [[0], [1]], dtype=object))[0] == [0, 1]


def test_odd_objects_are_read():
    zone = dt.UTC
    times = [dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 1, tzinfo=zone)]  # cannot be compared with each other
    assert sorted(codes(np.array([[t] for t in times], dtype=object))[0]) == [0, 1]
    assert codes(np.array([[Decimal("sNaN")], [Decimal(1)]], dtype=object))[0] == [1, 0]
    if hasattr(pl, "Int128"):
        assert codes(pl.DataFrame({"a": pl.Series([1, 2, 1], dtype=pl.Int128)}))[0] == [0, 1, 0]


def test_floor_takes_the_integer_part():
    x = np.array([-0.5, 0.2, 0.9, 7.3, 7.1, 0.0])
    assert codes(x[:, None], binning="floor")[0] == [0, 1, 1, 2, 2, 1]


def test_mdlp_cuts_where_the_classes_change_and_nowhere_else():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 3, size=600)
    classes = ((x > 1) & (x < 2)).astype(int)
    found = np.array(codes(x[:, None], classes, binning="mdlp")[0])
    np.testing.assert_array_equal(found, np.floor(x))
    noise = rng.integers(2, size=600)
    assert set(codes(x[:, None], noise, binning="mdlp")[0]) == {0}


def test_mdlp_with_many_classes_does_not_overflow():
    x = np.arange(2000) + 0.5
    classes = np.arange(2000) // 2
    np.testing.assert_array_equal(codes(x[:, None], classes, binning="mdlp")[0], classes)  # every cut pays for itself


@pytest.mark.parametrize("binning", BINNINGS)
def test_rows_that_were_not_fitted_get_codes_too(binning):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"real": rng.normal(size=60), "text": ["a", "b", None] * 20, "small": [1, 2, 3] * 20})
    classes = (X["real"] > 0).to_numpy(dtype=np.int64)
    encoder = TableEncoder(binning=binning)
    fitted = encoder.fit_transform(X, classes)
    again = encoder.transform(X.iloc[:10], classes[:10])
    for one, other in zip(fitted.columns, again.columns, strict=True):
        np.testing.assert_array_equal(one[:10], other)
    new = pd.DataFrame({"real": [-1e9, 1e9, np.nan], "text": ["z", None, "a"], "small": [9, 2, np.nan]})
    real, text, small = (column.tolist() for column in encoder.transform(new, np.zeros(3, dtype=np.int64)).columns)
    assert real[0] == 0
    assert real[2] == real[1] + 1 == fitted.columns[0].max() + 1  # a missing value is a level even if fit had none
    assert text == [3, 2, 0]  # unseen, missing, known
    assert small == [4, 1, 3]
    with pytest.raises(ValueError, match="X must have the 3 columns of fit; got 1"):
        encoder.transform(new[["real"]], np.zeros(3, dtype=np.int64))


def test_a_column_may_change_its_type_after_fit():
    encoder = TableEncoder()
    none = np.zeros(2, dtype=np.int64)
    encoder.fit_transform(pd.DataFrame({"text": ["a", "b"], "real": [0.5, 1.5]}), none)
    table = encoder.transform(pd.DataFrame({"text": [np.nan, 1.0], "real": ["a", None]}), none)
    assert [column.tolist() for column in table.columns] == [[2, 3], [3, 2]]


def test_all_missing_and_constant_columns_are_one_level():
    frame = pd.DataFrame({"nan": [np.nan] * 3, "none": [None] * 3, "one": [7] * 3, "word": ["a"] * 3})
    table = TableEncoder().fit_transform(frame, np.zeros(3, dtype=np.int64))
    assert table.levels.tolist() == [1, 1, 1, 1]


def test_mixed_types_are_read_as_strings_with_a_warning_that_names_the_column():
    frame = pd.DataFrame({"mix": pd.Series([1, "1", 2.5, None], dtype=object)})
    with pytest.warns(ColumnWarning, match="column 'mix' holds values of float and int and str; they are read as str"):
        assert codes(frame) == [[0, 0, 1, 2]]
    with pytest.warns(ColumnWarning, match="column 'x0' holds values of dict"):
        assert codes(np.array([[{"a": 1}], [{"a": 2}]], dtype=object)) == [[0, 1]]
    with pytest.warns(ColumnWarning, match="column 'list' holds nested values"):
        assert codes(pl.DataFrame({"list": [[1], [2], [1]]})) == [[0, 1, 0]]


def test_an_id_is_warned_about_and_left_out():
    frame = pl.DataFrame({"key": [f"row {i}" for i in range(50)], "x": [0, 1] * 25})
    with pytest.warns(ColumnWarning, match="column 'key' has a different value in each of its 50 rows"):
        assert codes(frame)[0] == [0] * 50


def test_few_rows_make_no_id():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert codes(pl.DataFrame({"key": ["a", "b", "c"]})) == [[0, 1, 2]]


def test_65535_levels_are_taken():
    values = [f"v{i}" for i in range(65_535)]
    table = TableEncoder().fit_transform(pl.DataFrame({"key": values + values}), np.zeros(131_070, dtype=np.int64))
    assert table.levels[0] == 65_535
    assert table.columns[0].dtype == np.uint16


def test_extreme_numbers_are_binned():
    x = np.array([-1e308, 1e308, 0.5, 1e-300, -0.5, 1e300])
    assert codes(x[:, None], binning="uniform")[0] == [0, 4, 2, 2, 2, 2]
    assert sorted(codes(x[:, None], n_bins=6)[0]) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 3)), "at least one row"),
        (np.empty((3, 0)), "at least one column"),
        (pl.DataFrame({"a": []}), "at least one row"),
        (np.zeros((3, 2, 2)), "3 dimensions"),
        (np.array([[1j], [2j]]), "Complex data not supported"),
        (np.array([[1.0], [np.inf]]), r"column 'x0' must hold finite.*infinity in 1 of 2 rows"),
        (pl.DataFrame({"a": [1.0, float("-inf")]}), "column 'a' must hold finite"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "more than one column named 'a'"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=[1, "1"]), "more than one column named '1'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_tables_end_with_a_sentence(X, message):
    with pytest.raises(ValueError, match=message):
        TableEncoder().fit_transform(X, np.zeros(X.shape[0], dtype=np.int64))


def test_a_lazy_frame_is_refused():
    with pytest.raises(TypeError, match=r"lazy frame: call \.collect\(\)"):
        TableEncoder().fit_transform(pl.LazyFrame({"a": [1, 2]}), np.zeros(2, dtype=np.int64))


@pytest.mark.parametrize("n_bins", [1, 0, 2.5, True, "5"])
def test_bad_bins_end_with_a_sentence(n_bins):
    with pytest.raises(ValueError, match="n_bins must be an integer of at least 2"):
        TableEncoder(n_bins=n_bins)


def test_an_unknown_binning_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="unknown binning 'quantiles'.*Did you mean 'quantile'"):
        TableEncoder(binning="quantiles")
