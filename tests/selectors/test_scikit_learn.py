"""The estimators as scikit-learn and the frames see them."""

import pickle

import numpy as np
import polars as pl
import pytest
from optional import optional
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from entropick import CrossEntropy, CrossEntropySelector, RankSelector, SubsetSelector

pd = optional("pandas")
pa = optional("pyarrow")

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
SELECTORS = [CrossEntropySelector, SubsetSelector]


@pytest.mark.filterwarnings("ignore:column 'x0' holds values of:entropick.ColumnWarning")
@pytest.mark.filterwarnings("ignore:no column was selected")
@pytest.mark.filterwarnings("ignore:no column is better than chance:UserWarning")
@pytest.mark.filterwarnings("ignore:no column was selected:UserWarning")
@parametrize_with_checks(
    [
        CrossEntropySelector(random_state=0),
        CrossEntropySelector("reliable", random_state=0, null=False),
        SubsetSelector(random_state=0, criterion="reliable", null=False),
        RankSelector("mrmr"),
    ]
)
def test_every_check_of_scikit_learn_passes(estimator, check):
    check(estimator)


@pytest.fixture
def columns():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], size=300)
    size = rng.normal(size=300)
    y = np.where((colour == "red") ^ (size > 0), "yes", "no")
    return {
        "noise": rng.normal(size=300),
        "colour": [None if rng.random() < 0.02 else c for c in colour.tolist()],
        "word": rng.choice(["a", "b"], size=300).tolist(),
        "size": np.where(rng.random(300) < 0.02, np.nan, size),
    }, y


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("selector", SELECTORS)
def test_a_frame_comes_out_as_the_kind_that_went_in(kind, selector, columns):
    X, y = FRAMES[kind](columns[0]), columns[1]
    fitted = selector(random_state=0).fit(X, y)
    assert fitted.get_feature_names_out().tolist() == ["colour", "size"]
    assert fitted.feature_names_in_.tolist() == ["noise", "colour", "word", "size"]
    out = fitted.transform(X)
    assert type(out) is type(X)
    names = out.column_names if kind == "pyarrow" else list(out.columns)
    assert names == ["colour", "size"]
    assert out.shape == (300, 2)


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize(("output", "expected"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output_chooses_the_kind_of_frame(kind, output, expected, columns):
    X, y = FRAMES[kind](columns[0]), columns[1]
    out = CrossEntropySelector("reliable", random_state=0, null=False).set_output(transform=output).fit_transform(X, y)
    assert isinstance(out, expected)
    assert list(out.columns) == ["colour", "size"]
    array = (
        CrossEntropySelector("reliable", random_state=0, null=False)
        .set_output(transform=output)
        .fit_transform(np.eye(30)[:, :4], [0, 1] * 15)
    )
    assert isinstance(array, expected)


def test_the_index_of_a_pandas_frame_is_kept(columns):
    X = pd.DataFrame(columns[0], index=[f"row {i}" for i in range(300)])
    out = CrossEntropySelector("reliable", random_state=0, null=False).fit_transform(X, columns[1])
    assert out.index[7] == "row 7"


def test_arrays_and_sparse_matrices_come_out_as_they_went_in():
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(200, 6))
    y = X[:, 1] ^ X[:, 4]
    for form in (np.asarray, sparse.csr_matrix, sparse.csc_array):
        fitted = CrossEntropySelector("reliable", random_state=0, null=False).fit(form(X), y)
        assert fitted.get_support(indices=True).tolist() == [1, 4]
        assert fitted.get_feature_names_out().tolist() == ["x1", "x4"]
        out = fitted.transform(form(X))
        assert sparse.issparse(out) == (form is not np.asarray)
        np.testing.assert_array_equal(out.toarray() if sparse.issparse(out) else out, X[:, [1, 4]])


def test_integer_column_names_are_columns_without_names(columns):
    X = pd.DataFrame(columns[0]).set_axis([10, 20, 30, 40], axis=1)
    fitted = CrossEntropySelector("reliable", random_state=0, always=[0], null=False).fit(X, columns[1])
    assert fitted.transform(X).columns.tolist() == [10, 20, 40]
    assert fitted.get_feature_names_out().tolist() == ["x0", "x1", "x3"]


def test_it_is_a_step_of_a_pipeline_and_its_settings_a_grid():
    X, y = load_breast_cancer(return_X_y=True)
    pipeline = Pipeline(
        [
            ("select", SubsetSelector(CrossEntropy(), "reliable", random_state=0, null=False, halves=False)),
            ("nb", GaussianNB()),
        ]
    )
    grid = {
        "select__search__smoothing": [0.5, 0.9],
        "select__search": [CrossEntropy("low", max_steps=2), CrossEntropy("low", max_steps=3)],
        "select__criterion": ["reliable", "auto"],
    }
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    flat = make_pipeline(CrossEntropySelector("reliable", random_state=0, max_steps=3, null=False), GaussianNB())
    search = GridSearchCV(flat, {"crossentropyselector__n_features_to_select": [1, 4]}, cv=3).fit(X, y)
    assert search.best_params_ == {"crossentropyselector__n_features_to_select": 4}


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_fitted_selector_survives_pickling_and_cloning(selector):
    X, y = load_breast_cancer(return_X_y=True)
    X = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    fitted = selector(random_state=0, max_features=3).fit(X, y)
    loaded = pickle.loads(pickle.dumps(fitted))
    pd.testing.assert_frame_equal(loaded.transform(X), fitted.transform(X))
    assert clone(fitted).get_params() == fitted.get_params()
    assert not hasattr(clone(fitted), "support_")


def test_a_clone_has_a_search_of_its_own():
    selector = SubsetSelector(CrossEntropy(smoothing=0.3), "reliable", null=False)
    copy = clone(selector).set_params(search__smoothing=0.9)
    assert selector.search.smoothing == 0.3
    assert copy.search.smoothing == 0.9


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_notebook_shows_its_parameters(selector):
    page = selector(max_features=7)._repr_html_()
    assert selector.__name__ in page
    assert "max_features" in page
    assert SubsetSelector(CrossEntropy(smoothing=0.3), "reliable", null=False)._repr_html_()


def test_paper_is_the_setting_of_the_paper_and_can_be_overridden():
    selector = CrossEntropySelector.paper(parsimony=0.0012, random_state=1)
    assert (selector.criterion, selector.min_samples, selector.max_samples) == ("plugin", 1.0, 20.0)
    assert (selector.patience, selector.tolerance, selector.parsimony) == (5, 0.05, 0.0012)
    assert not selector.polish


@pytest.mark.parametrize("make", [CrossEntropySelector, SubsetSelector, RankSelector])
def test_an_estimator_of_another_version_is_told_and_works(make):
    X, y = load_breast_cancer(return_X_y=True)
    fitted = make(n_bins=4).fit(X[:, :4], y)
    state = {name: value for name, value in fitted.__getstate__().items() if name not in ("binning", "engine")}
    old = make.__new__(make)
    with pytest.warns(UserWarning, match="stored by a version of entropick other than .*, without binning, engine;"):
        old.__setstate__(state)
    assert repr(old) == repr(fitted)
    np.testing.assert_array_equal(old.transform(X[:, :4]), fitted.transform(X[:, :4]))
    assert 1 <= old.fit(X[:, :4], y).n_features_ <= 4
