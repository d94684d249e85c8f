"""Models that measure how well some columns predict, whatever is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import all_estimators

from entropick._words import did_you_mean
from entropick.encode import read_source

_MOST_LEVELS = 50  # indicators of one column; rarer levels share the last one

MODELS: dict[str, Callable[[], Any]] = {
    "naive_bayes": lambda: GaussianNB(var_smoothing=1e-3),
    "3nn": lambda: KNeighborsClassifier(3),
}


def find_model(name: str) -> Any:
    """A classifier by its short name, or by the name of its class in scikit-learn.

    Parameters
    ----------
    name : str
        'naive_bayes' (Gaussian), '3nn', or a class such as 'LogisticRegression'; case does not matter.

    Examples
    --------
    >>> find_model("3nn")
    KNeighborsClassifier(n_neighbors=3)
    >>> find_model("logisticregression")
    LogisticRegression(random_state=0)
    """
    if name.lower() in MODELS:
        return MODELS[name.lower()]()
    classes = dict(all_estimators(type_filter="classifier"))
    found = {known.lower(): known for known in classes}.get(name.lower())
    if found is None:
        known = [*MODELS, *classes]
        raise ValueError(
            f"unknown classifier {name!r}. Known: {', '.join(map(repr, MODELS))} and the classifiers of scikit-learn."
            f"{did_you_mean(name, known)}"
        )
    try:
        model = classes[found]()
    except TypeError as error:
        raise ValueError(
            f"classifier {found!r} cannot be made from its name alone: choose one that needs no other model."
        ) from error
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


class Predictors:
    """Columns of any kind, prepared for the models.

    Numbers are standardised, their missing values replaced by the median and marked by a column of their own; other
    columns become indicators of their levels. Medians, scales and levels come from the rows that a model is fitted on.

    Parameters
    ----------
    X : data frame, array or sparse matrix
        The table.
    """

    def __init__(self, X: Any) -> None:
        source = read_source(X)
        self.values = np.empty((source.n_rows, len(source.names)))
        self.is_number = np.empty(len(source.names), dtype=np.bool_)
        for j, column in enumerate(source):
            self.is_number[j] = column.numbers is not None
            self.values[:, j] = column.ranks if column.numbers is None else column.numbers

    def error(
        self,
        model: Any,
        classes: NDArray[np.int64],
        columns: NDArray[np.int64],
        train: NDArray[np.int64],
        test: NDArray[np.int64],
    ) -> float:
        """MCE: the share of the test rows that the model, fitted on the training rows, gets wrong."""
        if not len(columns):
            model, values = DummyClassifier(strategy="prior"), np.zeros((len(self.values), 1))
        else:
            values, is_number = self.values[:, columns], self.is_number[columns]
            model = make_pipeline(_preparation(is_number), clone(model))
        train = np.random.default_rng(0).permutation(train)  # among equally near neighbours the first ones win
        try:
            predicted = model.fit(values[train], classes[train]).predict(values[test])
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"classifier {type(model[-1]).__name__} cannot be used on standardised columns: "
                f"{str(error).splitlines()[0]} Choose another."
            ) from error
        return float((predicted != classes[test]).mean())


def _preparation(is_number: NDArray[np.bool_]) -> ColumnTransformer:
    numbers = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True), StandardScaler()
    )
    levels = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_LEVELS, sparse_output=False, dtype=np.float64
    )
    return ColumnTransformer(
        [("numbers", numbers, np.flatnonzero(is_number)), ("levels", levels, np.flatnonzero(~is_number))]
    )
