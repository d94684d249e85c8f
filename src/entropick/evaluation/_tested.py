"""What a model loses with the chosen columns, measured on a table of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from entropick.encode import TargetEncoder
from entropick.evaluation._held_out import Measure, measure_of


@dataclass(frozen=True)
class Tested:
    """What a random forest, fitted to the table of the selection, predicts of another.

    Attributes
    ----------
    table : str
        The name of the other table.
    n_rows : int
        Its rows.
    measure : 'error', 'auc' or 'r_squared'
        As in `HeldOut`.
    chosen, everything, nothing : float
        With the chosen columns, with all columns, and without any.
    """

    table: str
    n_rows: int
    measure: Measure
    chosen: float
    everything: float
    nothing: float


def try_on(X: Any, y: Any, is_test: ArrayLike, chosen: ArrayLike, name: str, target: str = "auto") -> Tested:
    """Fit a random forest to some rows of a table, with the chosen columns and with all, and test it on the others.

    Parameters
    ----------
    X, y : table and target
        The rows of both tables.
    is_test : array-like of bool, shape (n_rows,)
        The rows to test on; no selection may have seen them.
    chosen : array-like of bool, shape (n_columns,)
        The chosen columns.
    name : str
        The name of the table to test on.
    target : {'auto', 'classes', 'numeric'}
        What y is, as in a selector.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 3))
    >>> found = try_on(X, X[:, 0] > 0, np.arange(300) >= 200, [True, False, False], "new.csv")
    >>> found.measure, found.n_rows, found.chosen < 0.05 < found.nothing
    ('error', 100, True)
    """
    from entropick.evaluation._measures import measures_of
    from entropick.evaluation._models import Predictors, find_model

    encoder = TargetEncoder(target)
    classes = encoder.fit_transform(y)
    is_number = encoder.numbers is not None
    truth: NDArray[Any] = classes if encoder.numbers is None else encoder.numbers
    rows = np.asarray(is_test, dtype=np.bool_)
    train, test = np.flatnonzero(~rows), np.flatnonzero(rows)
    measure = measure_of(is_number, np.bincount(classes[train]))
    if measure == "auc" and len(np.unique(classes[test])) == 1:
        measure = "error"
    value = measures_of("numbers" if is_number else "classes")["r2" if measure == "r_squared" else measure]
    model, predictors = find_model("forest", "numbers" if is_number else "classes"), Predictors(X)
    mask = np.asarray(chosen, dtype=np.bool_)
    reached = [
        round(value.of(predictors.predict(model, truth, columns, train, test)), 6)
        for columns in (np.flatnonzero(mask), np.arange(len(mask)), np.arange(0))
    ]
    return Tested(name, len(test), measure, *reached)
