"""The methods, one line each: a fold, and how many columns ours kept there, to the columns that are kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, f_classif, f_regression, mutual_info_classif, mutual_info_regression
from sklearn.linear_model import LassoCV, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier

import entropick
from entropick import CrossEntropySelector, RankSelector
from quality.models import Fold, Mask


@dataclass(frozen=True)
class Method:
    """How columns are selected."""

    label: str
    select: Callable[[Fold, int], Mask]
    at_our_k: bool = False  # told how many columns to keep
    of_entropick: bool = False  # its results are old when the code has changed
    dear: bool = False  # on the first two folds only
    package: str = "sklearn"

    @property
    def depends_on_us(self) -> bool:
        """Whether its results change with entropick."""
        return self.of_entropick or self.at_our_k

    @property
    def installed(self) -> bool:
        return find_spec(self.package) is not None


def everything(fold: Fold, k: int) -> Mask:
    return np.ones(fold.X.shape[1], dtype=bool)


def fitted(make: Callable[[], Any]) -> Callable[[Fold, int], Mask]:
    """A selector of ours, one thread, the fold's seed."""

    def select(fold: Fold, k: int) -> Mask:
        selector = make()
        given = selector.get_params(deep=False)
        selector.set_params(n_jobs=1, **({"random_state": fold.seed} if "random_state" in given else {}))
        return np.asarray(selector.fit(fold.X, fold.y).get_support())

    return select


def variant(expression: str) -> Method:
    """A selector given as Python, such as SubsetSelector('forward', 'bayes')."""
    names = {name: getattr(entropick, name) for name in entropick.__all__}
    return Method(expression, fitted(lambda: eval(expression, names)), of_entropick=True)


def ranking(method: str) -> Callable[[Fold, int], Mask]:
    def select(fold: Fold, k: int) -> Mask:
        return np.asarray(RankSelector(method, k, n_jobs=1).fit(fold.X, fold.y).get_support())

    return select


def best(scores: NDArray[Any], k: int) -> Mask:
    """The k columns with the largest scores, the first of equals."""
    mask = np.zeros(len(scores), dtype=bool)
    mask[np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")[:k]] = True
    return mask


def by_f(fold: Fold, k: int) -> Mask:
    scores = f_classif if fold.kind == "classes" else f_regression
    return best(fold.fold_back(scores(fold.inputs, fold.y)[0]), k)


def by_information(fold: Fold, k: int) -> Mask:
    scores = mutual_info_classif if fold.kind == "classes" else mutual_info_regression
    return best(scores(fold.codes, fold.y, discrete_features=fold.discrete, random_state=fold.seed), k)


def l1(fold: Fold, k: int) -> Mask:
    """Logistic regression, one class against the others, or the lasso; the penalty by three folds."""
    if fold.kind == "numbers":
        weights = LassoCV(cv=3, n_jobs=1).fit(fold.inputs, fold.y).coef_
    else:
        model = OneVsRestClassifier(
            LogisticRegression(l1_ratio=1.0, solver="liblinear", tol=1e-3, random_state=fold.seed)
        )
        grid = {"estimator__C": np.logspace(-2, 1, 6)}
        search = GridSearchCV(model, grid, cv=3, scoring="neg_log_loss", n_jobs=1).fit(fold.inputs, fold.y)
        weights = np.abs([one.coef_[0] for one in search.best_estimator_.estimators_]).max(axis=0)
    return fold.fold_back(np.abs(weights)) > 0


def forest(fold: Fold, trees: int, **options: Any) -> Any:
    kind = RandomForestClassifier if fold.kind == "classes" else RandomForestRegressor
    return kind(trees, random_state=fold.seed, n_jobs=1, **options)


def importance(fold: Fold, k: int) -> Mask:
    importances = forest(fold, 100).fit(fold.codes, fold.y).feature_importances_
    return np.asarray(importances > importances.mean())


def mrmr_package(fold: Fold, k: int) -> Mask:
    """F statistics and correlations; it can stop early, when no column with any relevance is left."""
    import pandas as pd
    from mrmr import mrmr_classif, mrmr_regression

    rank = mrmr_classif if fold.kind == "classes" else mrmr_regression
    order = rank(pd.DataFrame(fold.codes), pd.Series(fold.y), K=k, n_jobs=1, show_progress=False)
    return np.isin(np.arange(fold.X.shape[1]), order[:k])


def boruta(fold: Fold, k: int) -> Mask:
    from boruta import BorutaPy

    y = np.unique(fold.y, return_inverse=True)[1] if fold.kind == "classes" else fold.y
    shallow = forest(fold, 100, max_depth=7)
    return np.asarray(BorutaPy(shallow, "auto", max_iter=50, random_state=fold.seed).fit(fold.codes, y).support_)


def rfecv(fold: Fold, k: int) -> Mask:
    """A forest of 50 trees, a tenth of the columns less at every step, three folds."""
    return np.asarray(RFECV(forest(fold, 50), step=0.1, cv=3, n_jobs=1).fit(fold.codes, fold.y).support_)


METHODS = {
    "all": Method("all columns", everything),
    "ours": Method("entropick", fitted(CrossEntropySelector), of_entropick=True),
    "search": Method(
        "entropick, search alone",
        fitted(lambda: CrossEntropySelector(null=False, halves=False)),
        of_entropick=True,
    ),
    "reliable": Method(
        "entropick, `reliable`", fitted(lambda: CrossEntropySelector("reliable", null=False)), of_entropick=True
    ),
    "bayes": Method("entropick, `bayes`", fitted(lambda: CrossEntropySelector("bayes", null=False)), of_entropick=True),
    "jmi": Method("JMI", ranking("jmi"), at_our_k=True),
    "mrmr": Method("mRMR", ranking("mrmr"), at_our_k=True),
    "cmim": Method("CMIM", ranking("cmim"), at_our_k=True),
    "disr": Method("DISR", ranking("disr"), at_our_k=True),
    "mim": Method("MIM", ranking("mim"), at_our_k=True),
    "kbest_f": Method("SelectKBest, F", by_f, at_our_k=True),
    "kbest_mi": Method("SelectKBest, MI", by_information, at_our_k=True, dear=True),
    "mrmr_package": Method("mrmr-selection", mrmr_package, at_our_k=True, dear=True, package="mrmr"),
    "l1": Method("L1", l1),
    "importance": Method("forest importance", importance),
    "boruta": Method("Boruta", boruta, dear=True, package="boruta"),
    "rfecv": Method("RFECV", rfecv, dear=True),
}


def select(method: Method, fold: Fold, k: int) -> Mask:
    """The columns that a method keeps; none where it is told to keep none."""
    if method.at_our_k and k == 0:
        return np.zeros(fold.X.shape[1], dtype=bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return method.select(fold, k)
