"""Do fewer columns cost accuracy? Errors in a 10-fold cross-validation, with the selection made inside each fold.

The tables come with scikit-learn, so anyone can run this: python benchmarks/accuracy.py
"""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from entropick import CrossEntropySelector
from entropick.evaluation import find_model

TABLES = {"breast cancer": load_breast_cancer, "wine": load_wine, "digits": load_digits}
MODELS = {
    "naive Bayes": make_pipeline(StandardScaler(), find_model("naive_bayes")),
    "3-NN": make_pipeline(StandardScaler(), find_model("3nn")),
}


def mutual_info(X: object, y: object) -> object:
    return mutual_info_classif(X, y, random_state=0)


def main() -> None:
    print("| table | selection | columns kept | " + " | ".join(f"error, {name}" for name in MODELS) + " |")
    print("|---|---|---|" + "---|" * len(MODELS))
    for table, load in TABLES.items():
        X, y = load(return_X_y=True)
        folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
        kept: dict[str, list[int]] = {}
        errors: dict[str, list[list[float]]] = {}
        for train, test in folds:
            usable = CrossEntropySelector("usable", null=False, random_state=0).fit(X[train], y[train])
            rows = {
                "all": None,
                "`reliable`": CrossEntropySelector("reliable", null=False, random_state=0).fit(X[train], y[train]),
                "`usable`": usable,
                "scikit-learn, best single columns": SelectKBest(mutual_info, k=usable.n_features_).fit(
                    X[train], y[train]
                ),
            }
            for name, selector in rows.items():
                mask = np.ones(X.shape[1], dtype=bool) if selector is None else selector.get_support()
                kept.setdefault(name, []).append(int(mask.sum()))
                errors.setdefault(name, []).append(
                    [
                        1 - clone(m).fit(X[train][:, mask], y[train]).score(X[test][:, mask], y[test])
                        for m in MODELS.values()
                    ]
                )
        for name in kept:
            means = np.mean(errors[name], axis=0)
            print(f"| {table} | {name} | {np.mean(kept[name]):.1f} | " + " | ".join(f"{e:.3f}" for e in means) + " |")


if __name__ == "__main__":
    main()
