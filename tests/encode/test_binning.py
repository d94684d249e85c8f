import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropick import SubsetScorer, entropy
from entropick.encode import BINNINGS
from entropick.encode._binning import _MANY, _quantiles, fit_bins, quantile

FINITE = st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = st.one_of(
    st.lists(FINITE, min_size=1, max_size=60),
    st.lists(st.integers(0, 12).map(float), min_size=1, max_size=60),
    st.lists(st.one_of(st.just(0.0), FINITE), min_size=1, max_size=60),
    # neighbours among the floats, between which there is nothing
    st.lists(st.integers(0, 9).map(lambda i: float(np.nextafter(1.0, 2.0) ** i)), min_size=1, max_size=60),
)


def bins(x, n_bins=5, binning="quantile"):
    x = np.asarray(x)
    return fit_bins(x, binning, n_bins, np.zeros(len(x), dtype=np.int64))(x).astype(int)


def fills_a_bin(x, n_bins):
    distinct, counts = np.unique(x, return_counts=True)
    return distinct[counts * n_bins >= len(x)]


@pytest.mark.parametrize("kind", ["normal", "ties", "integers", "tiny", "huge", "constant", "sorted"])
def test_quantiles_of_many_values_are_those_of_numpy_to_the_last_bit(kind):
    rng = np.random.default_rng(0)
    x = {
        "normal": rng.normal(size=60_001),
        "ties": np.round(rng.normal(size=60_000), 1),
        "integers": rng.integers(-3000, 9000, size=70_000).astype(float),
        "tiny": rng.normal(size=50_000) * 1e-310,
        "huge": rng.normal(size=50_000) * 1e307,
        "constant": np.full(50_000, -0.0),
        "sorted": np.arange(55_555) / 7,
    }[kind]
    shares = np.array([0.0, 0.1, 0.2, 1 / 3, 0.5, 0.9, 1.0])
    np.testing.assert_array_equal(_quantiles(x, shares), np.quantile(x, shares))
    np.testing.assert_array_equal(_quantiles(x[:301], shares), np.quantile(x[:301], shares))


@settings(max_examples=200)
@given(NUMBERS, st.integers(2, 8))
def test_bins_rise_with_the_values_and_a_value_that_fills_a_bin_is_alone_in_it(values, n_bins):
    x = np.array(values)
    found = bins(x, n_bins)
    order = np.argsort(x)
    assert (np.diff(found[order]) >= 0).all()
    heavy = fills_a_bin(x, n_bins)
    for value in heavy:
        assert not np.isin(found[x != value], found[x == value]).any()
    assert len(np.unique(found)) <= n_bins + len(heavy)


@settings(max_examples=200)
@given(NUMBERS, st.integers(2, 8))
def test_without_such_a_value_the_edges_are_the_quantiles_of_numpy(values, n_bins):
    x = np.array(values)
    if len(fills_a_bin(x, n_bins)) or len(np.unique(x)) <= n_bins or np.isinf(float(x.max()) - float(x.min())):
        return
    edges = np.unique(np.quantile(x, np.arange(1, n_bins) / n_bins))
    np.testing.assert_array_equal(quantile(x, n_bins, np.zeros(len(x), dtype=np.int64)).edges, edges)


@pytest.mark.parametrize("n_rows", [2000, _MANY + 1])
@pytest.mark.parametrize("share", [0.2, 0.25, 0.6, 0.7, 0.79, 0.81, 0.85, 0.97])
def test_columns_of_many_zeros_lose_nothing_of_what_is_above_and_below(n_rows, share):
    rng = np.random.default_rng(0)
    is_zero = rng.permutation(n_rows) < np.ceil(share * n_rows)
    for x in (np.where(is_zero, 0.0, rng.normal(size=n_rows)), np.where(is_zero, 0.0, rng.exponential(size=n_rows))):
        for y in (x > 0, x < 0, x == 0):
            if y.any():
                assert SubsetScorer(x[:, None], y)([[True]])[0] == entropy(y)


def test_several_values_may_fill_bins():
    x = np.r_[np.zeros(30), np.full(30, 2.5), np.linspace(-1, 4, 40)]
    found = bins(x)
    assert set(found[x == 0]) & set(found[x != 0]) == set()
    assert set(found[x == 2.5]) & set(found[x != 2.5]) == set()


@pytest.mark.parametrize("binning", BINNINGS)
def test_the_largest_numbers_are_binned_without_a_warning(binning):
    x = np.linspace(-1, 1, 50) * 1.79e308 + 0.5
    found = bins(x, binning=binning)
    assert (np.diff(found) >= 0).all()
    if binning in ("quantile", "uniform"):
        assert np.bincount(found).tolist() == [10] * 5


@settings(max_examples=100)
@given(
    st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=60), st.sampled_from(["quantile", "uniform", "mdlp"])
)
def test_exact_integers_are_binned_as_the_same_numbers_nearer_to_zero(values, binning):
    near = np.array(values)
    classes = (near > 0).astype(np.int64)
    expected = fit_bins(near.astype(float), binning, 5, classes)(near.astype(float))
    for far in (near + 2**62, np.array([value + 10**400 for value in values], dtype=object)):
        found = fit_bins(far, binning, 5, classes)(far)
        np.testing.assert_array_equal(found, np.unique(expected, return_inverse=True)[1])
