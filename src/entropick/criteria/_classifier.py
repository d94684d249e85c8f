"""Any scikit-learn classifier as the judge of a subset: the wrapper approach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing

from entropick.criteria._tables import Floats
from entropick.encode import take_columns

if TYPE_CHECKING:
    from entropick.encode import CodeTable


@dataclass(frozen=True)
class ClassifierScore:
    """Mean score of a classifier in a cross-validation on the columns of U; the same folds for every subset.

    The classifier sees the columns as they came, so it must take them: give it a pipeline that encodes strings and
    missing values. The empty subset has the score of the class shares. Every search remembers the subsets it has
    scored; progress goes to the callback of the selector.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Cloned for every fit.
    cv : int or splitter
        Folds; an int is a stratified split, shuffled with a fixed seed.
    scoring : str or callable, optional
        The classifier's own score, accuracy, if None.
    n_jobs : int, optional
        Processes over folds and subsets.

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
    scale: ClassVar[float] = 1.0  # of an accuracy

    def bind(self, table: CodeTable) -> Callable[[NDArray[np.bool_]], Floats]:
        """The function from masks to scores on this table."""
        if not hasattr(self.classifier, "fit") or not hasattr(self.classifier, "predict"):
            raise ValueError(f"classifier must have fit and predict, as scikit-learn's have; got {self.classifier!r}.")
        X = np.stack(table.columns, axis=1) if table.X is None else table.X
        cv = StratifiedKFold(self.cv, shuffle=True, random_state=0) if isinstance(self.cv, int) else check_cv(self.cv)
        smallest = int(table.class_sizes.min())
        if isinstance(self.cv, int) and smallest < self.cv:
            raise ValueError(f"cv must be at most {smallest}, the size of the smallest class; got {self.cv}.")
        folds = list(cv.split(np.zeros(table.n_rows), table.classes))
        scorer = check_scoring(self.classifier, scoring=self.scoring)

        def score(masks: NDArray[np.bool_]) -> Floats:
            tasks = (
                delayed(_score)(self.classifier, scorer, X, table.classes, np.flatnonzero(mask), train, test)
                for mask in masks
                for train, test in folds
            )
            scores = np.array(Parallel(n_jobs=self.n_jobs)(tasks), dtype=np.float64)
            return np.asarray(scores.reshape(len(masks), len(folds)).mean(axis=1))

        return score


def _score(
    classifier: Any,
    scorer: Callable[[Any, Any, Any], float],
    X: Any,
    y: NDArray[np.int64],
    columns: NDArray[np.int64],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
) -> float:
    if not len(columns):
        nothing = np.zeros((len(y), 1))
        return float(scorer(DummyClassifier().fit(nothing[train], y[train]), nothing[test], y[test]))
    part = take_columns(X, columns)
    model = clone(classifier)
    try:
        model.fit(_safe_indexing(part, train), y[train])
        return float(scorer(model, _safe_indexing(part, test), y[test]))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the classifier {type(classifier).__name__} cannot take columns {columns.tolist()[:10]}: "
            f"{str(error).splitlines()[0]} Give it a pipeline that prepares them."
        ) from error
