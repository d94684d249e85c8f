import numpy as np
import polars as pl
import pytest
from optional import optional

from entropick import ColumnWarning
from entropick.encode import TargetEncoder

pd = optional("pandas")
pa = optional("pyarrow")


def fit(y, **settings):
    encoder = TargetEncoder(**settings)
    return encoder.fit_transform(y).tolist(), encoder


@pytest.mark.parametrize(
    "make",
    [list, np.array, pd.Series, pl.Series, pa.array, lambda y: pa.chunked_array([y]), lambda y: np.array(y)[:, None]],
    ids=["list", "numpy", "pandas", "polars", "pyarrow", "chunked", "column"],
)
def test_any_series_is_a_target(make):
    for values, labels in (
        (["no", "yes", "no"], ("no", "yes")),
        ([5, 7, 5], (5, 7)),
        ([False, True, False], (False, True)),
    ):
        classes, encoder = fit(make(values))
        assert classes == [0, 1, 0]
        assert encoder.labels == labels
        assert encoder.kind == "classes"


def test_numbers_with_fractions_or_many_values_are_numeric():
    assert fit([0.5, 1.5, 0.5])[1].kind == "numeric"
    assert fit(np.arange(20))[1].kind == "classes"
    assert fit(np.arange(20.0))[1].kind == "classes"
    classes, encoder = fit(np.arange(21))
    assert encoder.kind == "numeric"
    assert encoder.labels == ("0 to 3", "4 to 7", "8 to 11", "12 to 15", "16 to 20")
    assert np.bincount(classes).tolist() == [4, 4, 4, 4, 5]


def test_the_kind_can_be_said():
    assert len(fit(np.arange(50).repeat(2), target="classes")[1].labels) == 50
    assert fit([1, 2, 3, 4], target="numeric", n_bins=2)[0] == [0, 0, 1, 1]
    assert fit([0.5, 1.5], target="classes")[1].labels == (0.5, 1.5)


def test_a_class_for_each_row_is_warned_about():
    with pytest.warns(ColumnWarning, match="a different class in each of its 50 rows"):
        fit([f"row {i}" for i in range(50)])


def test_mostly_one_value_is_two_classes():
    assert fit(np.r_[np.full(95, 0.5), np.full(5, 1.5)])[1].labels == ("0.5", "1.5")


def test_dates_are_labels():
    y = np.array(["2026-01-02", "2026-01-01"], dtype="datetime64[ns]")
    assert fit(y)[1].labels == (y[1], y[0])


def test_bins_that_no_row_falls_into_are_no_classes():
    classes, encoder = fit([0.5, 1.5, 99.5, 100.5], binning="uniform")
    assert classes == [0, 0, 1, 1]
    assert encoder.labels == ("0.5 to 1.5", "99.5 to 100.5")
    assert encoder.transform([50.0, 1000.0, -1000.0]).tolist() == [0, 1, 0]


def test_a_value_that_fills_a_bin_is_a_class_of_its_own():
    classes, encoder = fit(np.r_[np.zeros(64), np.arange(1, 37)])
    assert np.bincount(classes).tolist() == [64, 16, 20]
    assert encoder.labels == ("0", "1 to 16", "17 to 36")


@pytest.mark.parametrize(
    ("y", "settings", "message"),
    [
        ([], {}, "at least one row"),
        (["a", "a"], {}, "at least two classes; got one class, 'a', in all 2 rows"),
        ([1.5, 1.5], {}, "one class"),
        (["a", None], {}, "must not have missing values.*got 1 in 2 rows"),
        ([1.0, np.nan, np.nan], {}, "got 2 in 3 rows"),
        ([1.0, np.inf], {}, "column 'y' must hold finite"),
        (np.zeros((3, 2)), {}, "y must be one column; got 2 columns"),
        (["a", "b"], {"target": "numeric"}, "may be 'numeric' only if y holds numbers.*use target='classes'"),
        ([0, 1], {"target": "class"}, "unknown target 'class'.*Did you mean 'classes'"),
    ],
)
def test_bad_targets_end_with_a_sentence(y, settings, message):
    with pytest.raises(ValueError, match=message):
        fit(y, **settings)


def test_whole_numbers_that_may_be_codes_are_told():
    codes = np.arange(32).repeat(30)
    with pytest.warns(ColumnWarning, match="has 32 different whole numbers and is predicted as a number: if they are"):
        encoder = fit(codes)[1]
    assert [note.code for note in encoder.notes] == ["codes"]
    for y, settings in ((codes + 0.5, {}), (np.arange(900), {}), (codes % 7, {}), (codes, {"target": "numeric"})):
        assert fit(y, **settings)[1].notes == ()
