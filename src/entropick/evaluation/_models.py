"""Models that measure how well some columns predict, whatever is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import all_estimators

from entropick._errors import ParameterError
from entropick._words import nearest
from entropick.encode import read_source
from entropick.evaluation._measures import Kind, Predicted

_MOST_LEVELS = 50  # indicators of one column; rarer levels share the last one

MODELS: dict[Kind, dict[str, Callable[[], Any]]] = {
    "classes": {
        "naive_bayes": lambda: GaussianNB(var_smoothing=1e-3),
        "3nn": lambda: KNeighborsClassifier(3),
        "forest": lambda: RandomForestClassifier(random_state=0),
    },
    "numbers": {
        "ridge": lambda: RidgeCV(np.logspace(-3, 4, 15)),
        "3nn": lambda: KNeighborsRegressor(3),
        "forest": lambda: RandomForestRegressor(random_state=0),
    },
}
_KINDS = {"classes": "classifier", "numbers": "regressor"}


def find_model(name: str, kind: Kind = "classes") -> Any:
    """A model by its short name, or by the name of its class in scikit-learn.

    Parameters
    ----------
    name : str
        'naive_bayes' (Gaussian), '3nn' or 'forest' for classes, 'ridge', '3nn' or 'forest' for numbers, or a class such
        as 'LogisticRegression'; case does not matter.
    kind : {'classes', 'numbers'}
        What it is to predict.

    Examples
    --------
    >>> find_model("3nn")
    KNeighborsClassifier(n_neighbors=3)
    >>> find_model("3nn", "numbers")
    KNeighborsRegressor(n_neighbors=3)
    >>> find_model("logisticregression")
    LogisticRegression(random_state=0)
    """
    short, what = MODELS[kind], _KINDS[kind]
    if name.lower() in short:
        return short[name.lower()]()
    classes = dict(all_estimators(type_filter=what))
    found = {known.lower(): known for known in classes}.get(name.lower())
    if found is None:
        near = nearest(name, [*short, *classes])
        expected = f"must be {', '.join(map(repr, short))} or {what}s of scikit-learn by class name"
        raise ParameterError("models", expected, name, "" if near is None else f"the nearest is {near!r}")
    try:
        model = classes[found]()
    except TypeError as error:
        text = "must be models that can be made from their names alone"
        raise ParameterError("models", text, found, "choose one that needs no other model") from error
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

    def predict(
        self,
        model: Any,
        y: NDArray[Any],
        columns: NDArray[np.int64],
        train: NDArray[np.int64],
        test: NDArray[np.int64],
    ) -> Predicted:
        """What a model fitted on the training rows says about the test rows; without columns, the commonest or mean."""
        if not len(columns):
            model = DummyClassifier(strategy="prior") if is_classifier(model) else DummyRegressor()
            values = np.zeros((len(self.values), 1))
        else:
            values, is_number = self.values[:, columns], self.is_number[columns]
            model = make_pipeline(_preparation(is_number), clone(model))
        train = np.random.default_rng(0).permutation(train)  # among equally near neighbours the first ones win
        try:
            model = model.fit(values[train], y[train])
            predicted = model.predict(values[test])
            has_probabilities = is_classifier(model) and hasattr(model, "predict_proba")
            probabilities = model.predict_proba(values[test]) if has_probabilities else None
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"model {type(model[-1]).__name__} cannot be used on standardised columns: "
                f"{str(error).splitlines()[0]} Choose another."
            ) from error
        classes = model.classes_ if has_probabilities else None
        return Predicted(y[test], predicted, classes, probabilities)


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
