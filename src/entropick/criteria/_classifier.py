"""Score subsets with any scikit-learn classifier: the wrapper approach."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing, get_tags

from entropick._checks import check_number
from entropick._errors import ParameterError
from entropick._settings import Settings
from entropick.criteria._criterion import ModelCriterion
from entropick.criteria._tables import Floats
from entropick.encode import take_columns

if TYPE_CHECKING:
    from entropick.encode import CodeTable


@dataclass
class ClassifierScore(Settings, ModelCriterion):
    """Mean cross-validation score of a classifier on the columns of U, with the same folds for every subset.

    The classifier gets columns and classes as you pass them; if it cannot handle strings or missing values, use a
    pipeline that encodes them. (A numeric target is binned, and the bins are the classes.) The empty subset has the
    score of a model that knows only the class shares. Searches score no subset twice; the selector's callback reports
    progress.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Cloned for every fit.
    cv : int or splitter
        Folds; an int means that many stratified folds, shuffled with a fixed seed.
    scoring : str or callable, optional
        None for the classifier's own score, accuracy.
    n_jobs : int, optional
        Number of processes; they share out folds and subsets.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from entropick import ClassifierScore, SubsetSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> selector = SubsetSelector("forward", ClassifierScore(GaussianNB(), cv=5), max_features=2).fit(X, y)
    >>> round(selector.score_, 3)
    0.951
    """

    classifier: Any
    cv: Any = 5
    scoring: Any = None
    n_jobs: int | None = None

    name = "ClassifierScore"
    unit = "score"

    def scale(self, table: CodeTable) -> float:
        """The largest accuracy."""
        return 1.0

    def bind(self, table: CodeTable) -> Callable[[NDArray[np.bool_]], Floats]:
        """The function from masks to scores on this table."""
        _check_classifier(self.classifier)
        from sklearn.metrics import check_scoring  # at the top it would be a third of our import time

        X, y = _data(table)
        folds = self._folds(table)
        scorer = check_scoring(self.classifier, scoring=self.scoring)

        def score(masks: NDArray[np.bool_]) -> Floats:
            tasks = (
                delayed(_score)(self.classifier, scorer, X, y, np.flatnonzero(mask), train, test)
                for mask in masks
                for train, test in folds
            )
            scores = np.array(Parallel(n_jobs=self.n_jobs)(tasks), dtype=np.float64)
            return np.asarray(scores.reshape(len(masks), len(folds)).mean(axis=1))

        return score

    def identity(self, table: CodeTable) -> str:
        """A hash of data, folds, classifier and scoring."""
        X, y = _data(table)
        X = np.ascontiguousarray(X) if isinstance(X, np.ndarray) else X  # the order in memory is part of the hash
        try:
            return f"{self.name} {joblib.hash((X, y, self._folds(table), self.classifier, self.scoring))}"
        except pickle.PicklingError as error:
            raise ValueError(
                "a checkpoint needs a classifier and a scoring that can be pickled; got one with a lambda: use a "
                "named function."
            ) from error

    def _folds(self, table: CodeTable) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        from sklearn.model_selection import StratifiedKFold, check_cv

        if isinstance(self.cv, Integral) or self.cv is None:
            check_number("cv", self.cv, 2, integer=True)
            n_folds, smallest = int(self.cv), int(table.class_sizes.min())  # type: ignore[arg-type]
            if smallest < n_folds:
                raise ParameterError("cv", f"must be at most {smallest}, the size of the smallest class", self.cv)
            cv = StratifiedKFold(n_folds, shuffle=True, random_state=0)
        else:
            cv = check_cv(self.cv, table.classes, classifier=True)
        return list(cv.split(np.zeros(table.n_rows), table.classes))


def _check_classifier(classifier: Any) -> None:
    if isinstance(classifier, type) or not hasattr(classifier, "fit") or not hasattr(classifier, "predict"):
        raise ParameterError("classifier", "must have fit and predict, like those of scikit-learn", classifier)
    kind = get_tags(classifier).estimator_type if hasattr(classifier, "__sklearn_tags__") else None
    if kind not in (None, "classifier"):  # one that does not say what it is may be a classifier
        raise ParameterError("classifier", f"must be a classifier, not a {kind}", classifier)


def _data(table: CodeTable) -> tuple[Any, NDArray[Any]]:
    """Columns and classes as they were passed, or codes if those are not known."""
    X = np.stack(table.columns, axis=1) if table.X is None else table.X
    if table.labels is None:
        return X, table.classes
    labels = np.array(table.labels)
    if labels.dtype.kind == "S" or any(isinstance(label, bytes) for label in table.labels):
        raise ParameterError("y", "must not hold bytes when a classifier scores", hint="decode them to strings")
    if labels.dtype.kind == "O" or (labels.dtype.kind == "u" and labels.max() > np.iinfo(np.int64).max):
        way_out = "turn them into strings, or into smaller numbers"
        raise ParameterError("y", "must hold strings or integers below 2**63 when a classifier scores", hint=way_out)
    return X, labels[table.classes]


def _score(
    classifier: Any,
    scorer: Callable[[Any, Any, Any], float],
    X: Any,
    y: NDArray[Any],
    columns: NDArray[np.int64],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
) -> float:
    if not len(columns):
        from sklearn.dummy import DummyClassifier

        nothing = np.zeros((len(y), 1))
        return float(scorer(DummyClassifier().fit(nothing[train], y[train]), nothing[test], y[test]))
    part = take_columns(X, columns)
    model = clone(classifier)
    try:
        model.fit(_safe_indexing(part, train), y[train])
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the classifier {type(classifier).__name__} could not be fitted on columns {columns.tolist()[:10]}: "
            f"{str(error).splitlines()[0]} If it cannot handle them, use a pipeline that prepares them."
        ) from error
    return float(scorer(model, _safe_indexing(part, test), y[test]))
