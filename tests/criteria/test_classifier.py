import numpy as np
import polars as pl
import pytest
from optional import optional
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from entropick import ClassifierScore, SubsetScorer, SubsetSelector
from entropick.search import SEARCHES

pd = optional("pandas")


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :8], y


def test_the_score_is_that_of_a_cross_validation(cancer):
    X, y = cancer
    masks = np.array([[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0, 0, 1]], dtype=bool)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    for scoring in (None, "balanced_accuracy", "neg_log_loss"):
        scores = SubsetScorer(X, y, ClassifierScore(GaussianNB(), cv=4, scoring=scoring))(masks)
        expected = [cross_val_score(GaussianNB(), X[:, mask], y, cv=folds, scoring=scoring).mean() for mask in masks]
        np.testing.assert_allclose(scores, expected, atol=1e-9)


def test_the_empty_set_has_the_score_of_the_class_shares(cancer):
    X, y = cancer
    (score,) = SubsetScorer(X, y, ClassifierScore(GaussianNB()))(np.zeros((1, 8)))
    assert score == pytest.approx(max(np.bincount(y)) / len(y), abs=0.01)


def test_folds_in_parallel_and_splitters_give_the_same(cancer):
    X, y = cancer
    masks = np.random.default_rng(0).random((3, 8)) < 0.5
    one = SubsetScorer(X, y, ClassifierScore(GaussianNB(), cv=3))(masks)
    other = SubsetScorer(X, y, ClassifierScore(GaussianNB(), cv=3, n_jobs=2))(masks)
    np.testing.assert_array_equal(one, other)
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    np.testing.assert_array_equal(SubsetScorer(X, y, ClassifierScore(GaussianNB(), cv=splitter))(masks), one)
    assert SubsetScorer(X[:30], y[:30], ClassifierScore(GaussianNB(), cv=LeaveOneOut()))(masks).shape == (3,)


@pytest.mark.parametrize("search", [name for name in SEARCHES if name != "branch_and_bound"])
def test_every_search_can_wrap_a_classifier(search, cancer):
    X, y = cancer
    seen = []
    selector = SubsetSelector(
        search,
        ClassifierScore(GaussianNB(), cv=3),
        max_evaluations=30,
        callback=seen.append,
        random_state=0,
        null=False,
    ).fit(X, y)
    assert selector.score_ > 0.85
    assert selector.n_evaluations_ <= 30


def test_branch_and_bound_cannot(cancer):
    with pytest.raises(ValueError, match="must have a bound for an exact search"):
        SubsetSelector("branch_and_bound", ClassifierScore(GaussianNB(), cv=3), null=False).fit(*cancer)


def test_a_frame_reaches_the_classifier_as_it_is():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green"], size=100)
    frame = {"noise": rng.normal(size=100), "colour": colour, "hole": np.where(rng.random(100) < 0.1, np.nan, 1.0)}
    model = make_pipeline(
        make_column_transformer(
            (OneHotEncoder(handle_unknown="ignore"), lambda X: [c for c in X.columns if c == "colour"]),
            (SimpleImputer(), lambda X: [c for c in X.columns if c != "colour"]),
        ),
        KNeighborsClassifier(3),
    )
    for kind in (pd.DataFrame, pl.DataFrame):
        selector = SubsetSelector("exhaustive", ClassifierScore(model, cv=3), null=False).fit(
            kind(frame), colour == "red"
        )
        assert selector.get_feature_names_out().tolist() == ["colour"]
        assert selector.score_ == 1


def test_classes_reach_the_classifier_as_they_are(cancer):
    X, y = cancer
    mask = np.ones((1, 8), dtype=bool)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    expected = cross_val_score(GaussianNB(), X, y + 1, cv=folds, scoring="f1").mean()
    assert SubsetScorer(X, y + 1, ClassifierScore(GaussianNB(), cv=3, scoring="f1"))(mask)[0] == pytest.approx(expected)
    named = np.where(y == 1, "benign", "malignant")
    scoring = make_scorer(f1_score, pos_label="benign")
    expected = cross_val_score(GaussianNB(), X, named, cv=folds, scoring=scoring).mean()
    assert SubsetScorer(X, named, ClassifierScore(GaussianNB(), cv=3, scoring=scoring))(mask)[0] == pytest.approx(
        expected
    )


def test_any_table_will_do(cancer):
    X, y = cancer
    mask = np.ones((1, 8), dtype=bool)
    criterion = ClassifierScore(KNeighborsClassifier(3), cv=3)
    expected = SubsetScorer(X, y, criterion)(mask)
    for table in (X.tolist(), sparse.coo_matrix(X), sparse.csr_array(X)):
        np.testing.assert_allclose(SubsetScorer(table, y, criterion)(mask), expected)
    codes = SubsetScorer(X, y).table
    bare = type(codes)(codes.columns, codes.levels, codes.classes)
    assert SubsetScorer(bare, criterion=criterion)(mask)[0] > 0.8


def test_a_checkpoint_knows_the_data_behind_the_codes(cancer, tmp_path):
    X, y = cancer

    def fit(X, **changes):
        criterion = ClassifierScore(**{"classifier": GaussianNB(), "cv": 3, **changes})
        return SubsetSelector("forward", criterion, max_features=2, checkpoint=tmp_path / "run.npz", null=False).fit(
            X, y
        )

    first = fit(X)
    assert fit(X.copy()).score_ == first.score_
    with pytest.raises(ValueError, match="this run's criterion"):
        fit(np.exp(X / 1000))  # the same bins
    with pytest.raises(ValueError, match="this run's criterion"):
        fit(X, classifier=GaussianNB(var_smoothing=0.1))
    with pytest.raises(ValueError, match="use a named function"):
        fit(X, scoring=lambda model, X, y: 0.0)


def test_the_settings_of_the_wrapper_are_a_grid(cancer):
    selector = SubsetSelector("forward", ClassifierScore(GaussianNB(), cv=3), max_features=1, null=False)
    grid = {"criterion__cv": [2, 3], "criterion__classifier__var_smoothing": [1e-9, 1e-3]}
    search = GridSearchCV(
        make_pipeline(selector, GaussianNB()), {f"subsetselector__{k}": v for k, v in grid.items()}, cv=2
    )
    assert search.fit(*cancer).best_score_ > 0.8
    copy = clone(selector).set_params(criterion__cv=4)
    assert (selector.criterion.cv, copy.criterion.cv) == (3, 4)


def test_parsimony_is_a_share_of_the_accuracy(cancer):
    X, y = cancer
    plain = SubsetSelector("exhaustive", ClassifierScore(GaussianNB(), cv=3), max_features=2, null=False).fit(X, y)
    dear = SubsetSelector(
        "exhaustive", ClassifierScore(GaussianNB(), cv=3), max_features=2, parsimony=0.5, null=False
    ).fit(X, y)
    assert plain.n_features_ == 2
    assert dear.n_features_ == 0


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (ClassifierScore("nb"), "classifier must have fit and predict"),
        (ClassifierScore(GaussianNB(), cv=400), "cv must be at most 212, the size of the smallest class; got 400"),
        (ClassifierScore(GaussianNB(), cv=np.int64(400)), "cv must be at most 212"),
        (ClassifierScore(GaussianNB(), cv=None), "cv must be an integer of at least 2; got None"),
        (ClassifierScore(GaussianNB(), cv=1), "cv must be an integer of at least 2; got 1"),
        (ClassifierScore, r"got the class: use ClassifierScore\(\.\.\.\)"),
        (
            ClassifierScore(LinearRegression()),
            r"classifier must be a classifier, not a regressor; got LinearRegression",
        ),
        (ClassifierScore(KMeans()), "classifier must be a classifier, not a clusterer"),
        (ClassifierScore(GaussianNB), "classifier must have fit and predict, like those of scikit-learn; got <class"),
    ],
    ids=[
        "no classifier",
        "too many folds",
        "too many, NumPy",
        "no folds",
        "one fold",
        "a class",
        "a regressor",
        "a clusterer",
        "a class of classifiers",
    ],
)
def test_bad_settings_end_with_a_sentence(criterion, message, cancer):
    with pytest.raises(ValueError, match=message):
        SubsetScorer(*cancer, criterion)


def test_columns_that_a_classifier_cannot_take_are_named():
    X = pd.DataFrame({"word": ["a", "b"] * 10, "x": np.arange(20.0)})
    with pytest.raises(
        ValueError, match=r"the classifier GaussianNB could not be fitted on columns \[0\].*use a pipeline"
    ):
        SubsetSelector("forward", ClassifierScore(GaussianNB(), cv=3), null=False).fit(X, [0, 1] * 10)


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ([b"a", b"b"], "y must not hold bytes when a classifier scores: decode them to strings."),
        ([2**64, 2**65], r"y must hold strings or integers below 2\*\*63 when a classifier scores: turn them"),
        ([2**63, 2**63 + 2**40], r"integers below 2\*\*63"),
    ],
    ids=["bytes", "beyond all integers", "unsigned"],
)
def test_classes_that_scikit_learn_does_not_take_have_a_way_out(labels, sentence):
    y = np.array(labels * 10, dtype=object)
    with pytest.raises(ValueError, match=sentence):
        SubsetScorer(np.arange(20.0)[:, None], y, ClassifierScore(GaussianNB(), cv=3))


class Silent(BaseEstimator):
    """Fits and predicts, and does not say what it is."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_classifier_need_not_say_that_it_is_one(cancer):
    X, y = cancer
    assert SubsetScorer(X, y, ClassifierScore(Silent(), cv=3, scoring="accuracy"))(np.eye(8, dtype=bool)[:1])[0] > 0
