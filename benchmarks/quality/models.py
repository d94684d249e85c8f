"""What a selection is worth: a forest, boosting, a linear model and three neighbours, on rows that it has not seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from quality.generated import Answer, Generated, frame
from quality.tables import Table

Mask = NDArray[np.bool_]
Matrix = NDArray[np.float64]
MODELS = {"forest": "random forest", "boosting": "boosting", "linear": "linear model", "neighbours": "3-NN"}
RARE = 0.2  # a binary target whose smaller class has a smaller share is judged by AUC
LEVELS = 20  # of a column of strings that get an indicator; the others share none


@dataclass(frozen=True)
class Fold:
    """Rows to select on and rows to judge by, as they are and as numbers."""

    kind: str
    measure: str  # "error", "1 − AUC" or "1 − R²"
    X: pd.DataFrame
    y: NDArray[Any]
    fresh_y: NDArray[Any]
    codes: Matrix  # one number a column: missing numbers are medians, strings are their rank by frequency
    discrete: Mask
    inputs: Matrix  # of models: standardised numbers, indicators of strings
    fresh_inputs: Matrix
    owner: NDArray[np.int64]  # the column of X that each input comes from
    seed: int
    answer: Answer | None = None

    def fold_back(self, values: NDArray[Any]) -> NDArray[Any]:
        """For every column, the largest of the values that its inputs have."""
        best = np.full(self.X.shape[1], -np.inf)
        np.maximum.at(best, self.owner, np.nan_to_num(values, nan=-np.inf))
        return best


def folds(table: Table | Generated, repeats: int, most_rows: int) -> Iterator[Fold]:
    """Halves of a real table, each in both roles, again and again; ten seeds, or as many halves, of a generated one."""
    if isinstance(table, Generated):
        for seed in range(2 * repeats):
            answer, X = table.draw(seed)
            yield make_fold(table.kind, "", X, answer.fit[1], frame(answer.fresh[0]), answer.fresh[1], seed, answer)
        return
    X, y, _ = table.load(most_rows)
    splitter = RepeatedStratifiedKFold if table.kind == "classes" else RepeatedKFold
    halves = splitter(n_splits=2, n_repeats=repeats, random_state=0).split(X, y)
    measure = measure_of(table.kind, y)
    for seed, (rows, fresh) in enumerate(halves):
        yield make_fold(table.kind, measure, X.iloc[rows], y[rows], X.iloc[fresh], y[fresh], seed)


def measure_of(kind: str, y: NDArray[Any]) -> str:
    if kind == "numbers":
        return "1 − R²"
    sizes = np.unique(y, return_counts=True)[1]
    return "1 − AUC" if len(sizes) == 2 and sizes.min() < RARE * sizes.sum() else "error"


def make_fold(
    kind: str,
    measure: str,
    X: pd.DataFrame,
    y: NDArray[Any],
    fresh: pd.DataFrame,
    fresh_y: NDArray[Any],
    seed: int,
    answer: Answer | None = None,
) -> Fold:
    codes, inputs, fresh_inputs, owner = [], [], [], []
    discrete = np.array([not pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes])
    for j, name in enumerate(X):
        if discrete[j]:
            here, there = (
                table[name].astype(object).where(table[name].notna(), "?").astype(str) for table in (X, fresh)
            )
            levels = here.value_counts().index
            rank = {level: i for i, level in enumerate(levels)}
            codes.append(here.map(rank).to_numpy(dtype=float))
            shown = levels[:LEVELS]
            inputs += [(here == level).to_numpy(dtype=float) for level in shown]
            fresh_inputs += [(there == level).to_numpy(dtype=float) for level in shown]
            owner += [j] * len(shown)
        else:
            here, there = (table[name].to_numpy(dtype=float) for table in (X, fresh))
            seen = here[~np.isnan(here)]
            middle = float(np.median(seen)) if seen.size else 0.0
            here, there = (np.where(np.isnan(values), middle, values) for values in (here, there))
            codes.append(here)
            spread = here.std() or 1.0
            inputs.append((here - here.mean()) / spread)
            fresh_inputs.append((there - here.mean()) / spread)
            owner.append(j)
    return Fold(
        kind,
        measure or measure_of(kind, y),
        X.reset_index(drop=True),
        y,
        fresh_y,
        np.column_stack(codes),
        discrete,
        np.column_stack(inputs),
        np.column_stack(fresh_inputs),
        np.array(owner),
        seed,
        answer,
    )


def make_model(name: str, fold: Fold, trees: int) -> Any:
    classes = fold.kind == "classes"
    if name == "forest":
        forest = RandomForestClassifier if classes else RandomForestRegressor
        return forest(trees, random_state=fold.seed, n_jobs=1)
    if name == "boosting":
        boosting = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
        small = len(fold.y) < 200  # the default leaf of 20 rows would not split them
        return boosting(
            max_iter=trees,
            max_leaf_nodes=15,
            max_bins=63,
            min_samples_leaf=5 if small else 20,
            early_stopping=False,
            random_state=fold.seed,
        )
    if name == "linear":
        return LogisticRegression(max_iter=300) if classes else RidgeCV(np.logspace(-2, 4, 13))
    return KNeighborsClassifier(3) if classes else KNeighborsRegressor(3)


def losses(fold: Fold, mask: Mask, trees: int, models: tuple[str, ...]) -> dict[str, float]:
    """The measure of every model with these columns; without any, of the commonest class or the mean."""
    inputs = mask[fold.owner]
    found = {}
    for name in models:
        if not inputs.any():
            found[name] = loss_of_nothing(fold)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make_model(name, fold, trees).fit(fold.inputs[:, inputs], fold.y)
            fresh = fold.fresh_inputs[:, inputs]
            if fold.measure == "1 − AUC":
                rare = fold.fresh_y == model.classes_[1]
                found[name] = 1 - float(roc_auc_score(rare, model.predict_proba(fresh)[:, 1]))
            elif fold.measure == "error":
                found[name] = float((model.predict(fresh) != fold.fresh_y).mean())
            else:
                found[name] = 1 - float(r2_score(fold.fresh_y, model.predict(fresh)))
    return found


def loss_of_nothing(fold: Fold) -> float:
    if fold.measure == "1 − AUC":
        return 0.5
    if fold.measure == "error":
        values, sizes = np.unique(fold.y, return_counts=True)
        return float((fold.fresh_y != values[sizes.argmax()]).mean())
    return 1 - float(r2_score(fold.fresh_y, np.full(len(fold.fresh_y), fold.y.mean())))
