"""What a model loses with the chosen columns, measured on rows that neither it nor the selection has seen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from entropick._stages import stage
from entropick.encode import CodeTable
from entropick.path import Choices

_TREES = 50
_ROWS = 4000  # of a table that are looked at ...
_CELLS = 20_000_000  # ... and cells
_RARE = 0.2  # a class of two with a smaller share of the rows is judged by AUC
_THREADED = 50_000  # cells, from which on threads are worth their while
_LEAST, _RUNS = 2, 6  # runs, however long they take, and at most

Measure = Literal["error", "auc", "r_squared"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HeldOut:
    """What a random forest predicts of rows that were held out, on average.

    Attributes
    ----------
    measure : 'error', 'auc' or 'r_squared'
        The share of rows that it gets wrong; the area under the ROC curve, if the rarer of two classes has less than a
        fifth of the rows; or R², if the target is a number.
    chosen, everything, nothing : float
        With the columns chosen from the other half of the rows, with all columns, and without any.
    difference_error : float or None
        The standard error of the difference between the first two.
    n_columns : float
        Columns chosen from a half of the rows.
    n_runs : int
        Halves of the rows from which columns were chosen, and with which the forest was fitted.
    """

    measure: Measure
    chosen: float
    everything: float
    nothing: float
    difference_error: float | None
    n_columns: float
    n_runs: int


def held_out(table: CodeTable, choices: Choices, n_jobs: int | None = None, seconds: float = np.inf) -> HeldOut | None:
    """Fit a quick random forest to each half of the rows, with the columns chosen from it, and test it on the other.

    Parameters
    ----------
    table : CodeTable
        The table.
    choices : Choices
        The columns chosen from each of its halves.
    n_jobs : int, optional
        Threads of the forest.
    seconds : float
        After this time no further half is tried; two always are.

    Returns
    -------
    HeldOut or None
        None if there are too few rows for it.
    """
    measure = measure_of(table.numbers is not None, table.class_sizes)
    places = _some_rows(len(choices.rows), table.n_columns)
    halves, (table, rows) = choices.in_half[:, places], table.locate(choices.rows[places])
    X, y = _matrix(table, rows), table.classes[rows] if table.numbers is None else table.numbers[rows]
    began, found = time.monotonic(), []
    for i, (mask, is_train) in enumerate(zip(choices.masks[:_RUNS], halves, strict=False)):
        if i >= _LEAST and time.monotonic() - began > seconds:
            break
        stage("testing a model", i, min(_RUNS, len(choices.masks)))
        if not _can_tell(measure, y[is_train], y[~is_train]):
            continue
        train, test = (X[is_train], y[is_train]), (X[~is_train], y[~is_train])
        both = [_value(measure, train, test, columns, n_jobs) for columns in (mask, np.ones_like(mask), mask[:0])]
        found.append(both)
    if len(found) < _LEAST:
        return None
    values = np.array(found)
    chosen, everything, nothing = (round(float(mean), 6) for mean in values.mean(axis=0))
    error = float((values[:, 0] - values[:, 1]).std(ddof=1) / np.sqrt(len(found)))
    n_columns = float(choices.masks[: len(found)].sum(axis=1).mean())
    return HeldOut(measure, chosen, everything, nothing, round(error, 6), round(n_columns, 4), len(found))


def _some_rows(n_rows: int, n_columns: int) -> NDArray[np.int64]:
    """The places of all rows, or of a fixed sample if they are many."""
    most = min(_ROWS, max(_ROWS // 10, _CELLS // n_columns))
    return np.arange(n_rows) if n_rows <= most else np.random.default_rng(0).permutation(n_rows)[:most]


def _matrix(table: CodeTable, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """The numbers of the columns, or the codes of those that have none; missing numbers are below all others."""
    X = np.empty((len(rows), table.n_columns), dtype=np.float32)
    for j in range(table.n_columns):
        numbers = table.numbers_of(j)
        if numbers is None:
            X[:, j] = table.columns[j][rows]
            continue
        x = np.clip(numbers[rows], -1e30, 1e30)
        known = x[~np.isnan(x)]
        X[:, j] = np.where(np.isnan(x), known.min() - 1 - abs(known.min()) if len(known) else 0.0, x)
    return X


def measure_of(is_number: bool, sizes: NDArray[np.int64]) -> Measure:
    """What is measured of a number, or of classes with so many rows each."""
    if is_number:
        return "r_squared"
    return "auc" if len(sizes) == 2 and sizes.min() < _RARE * sizes.sum() else "error"


def _can_tell(measure: Measure, train: NDArray[Any], test: NDArray[Any]) -> bool:
    """Whether there is anything to learn and to test."""
    return len(np.unique(train)) > 1 and len(test) > 1 and (measure == "error" or len(np.unique(test)) > 1)


def _value(
    measure: Measure,
    train: tuple[NDArray[Any], NDArray[Any]],
    test: tuple[NDArray[Any], NDArray[Any]],
    columns: NDArray[np.bool_],
    n_jobs: int | None,
) -> float:
    """What a forest reaches with some columns; without any, what the commonest class or the mean does."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.metrics import r2_score, roc_auc_score

    (X, y), (fresh, truth) = train, test
    is_large = X.size > _THREADED
    settings: dict[str, Any] = {"n_estimators": _TREES, "min_samples_leaf": 2, "random_state": 0}
    settings["n_jobs"] = n_jobs if is_large else 1
    if measure == "r_squared":
        if not columns.any():
            return float(r2_score(truth, np.full(len(truth), y.mean())))
        number = RandomForestRegressor(max_features=1 / 3, **settings).fit(X[:, columns], y).set_params(n_jobs=1)
        return float(r2_score(truth, number.predict(fresh[:, columns])))
    if not columns.any():
        return 0.5 if measure == "auc" else float((truth != np.bincount(y).argmax()).mean())
    model = RandomForestClassifier(**settings).fit(X[:, columns], y).set_params(n_jobs=1)  # sums in the same order
    if measure == "auc":
        return float(roc_auc_score(truth == model.classes_[1], model.predict_proba(fresh[:, columns])[:, 1]))
    return float((model.predict(fresh[:, columns]) != truth).mean())
