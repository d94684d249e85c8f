"""One run: a data set, a seed, every method, and how well each did on the held-out rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropick.datasets import Dataset, load
from entropick.encode import TargetEncoder
from entropick.evaluation import size_curve
from entropick.information import relative_loss
from entropick.notes import listening
from entropick.scorer import SubsetScorer
from entropick.selectors import CrossEntropySelector, RankSelector, SubsetSelector
from entropick_paper.models import as_numbers, error, nb_diagonal, nb_pooled, prepare, three_nn
from entropick_paper.published import published

Rows = NDArray[np.int64]
RIVALS = ("disr", "cmim", "mrmr")  # they keep as many columns as `paper`
METHODS = ("literal", "paper", "reliable", "entropick", *RIVALS, "pso", "all")


@dataclass(frozen=True)
class Plan:
    """What does not change from run to run.

    Parameters
    ----------
    parsimony : float
        Penalty λ per column in `paper` and `pso`, as a share of H(y).
    n_bins, binning : int, str
        How real columns and targets are cut, based on the training rows.
    curve_points, curve_seeds : int
        How many numbers of columns the figures have, and how many seeds they are made from.
    most_rows : int, optional
        At most this many training and test rows for the predictors.
    n_jobs : int
        Threads; no result depends on it.
    """

    parsimony: float = 0.0012
    n_bins: int = 5
    binning: str = "quantile"
    curve_points: int = 9
    curve_seeds: int = 3
    most_rows: int | None = None
    n_jobs: int = -1

    def identity(self) -> dict[str, Any]:
        """All that results depend on."""
        return {name: value for name, value in asdict(self).items() if name != "n_jobs"}


class Trial:
    """A data set with its training and test rows."""

    def __init__(self, name: str) -> None:
        self.data: Dataset = load(name)

    @cached_property
    def frame(self) -> Any:
        """All rows, with the source's own test rows last."""
        import polars as pl

        data = self.data
        return data.frame if data.test is None else pl.concat([data.frame, data.test], how="vertical_relaxed")

    @cached_property
    def X(self) -> Any:  # noqa: N802
        """The columns."""
        return self.frame.drop(self.data.target)

    @cached_property
    def y(self) -> Any:
        """The target."""
        return self.frame[self.data.target]

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The columns for the predictors."""
        return as_numbers(self.X)

    def split(self, seed: int) -> tuple[Rows, Rows]:
        """Nine tenths for training and the rest for testing, or the source's own split."""
        n = self.data.frame.height
        if self.data.test is not None:
            return np.arange(n), np.arange(n, self.frame.height)
        shuffled = np.random.default_rng(seed).permutation(n)
        return np.sort(shuffled[n // 10 :]), np.sort(shuffled[: n // 10])


def run(
    table: Trial,
    seed: int,
    plan: Plan,
    tell: Callable[[str], object] = lambda step: None,
    default_alone: bool = False,
) -> dict[str, Any]:
    """Select with every method on the training rows, and test the selections on the others.

    Parameters
    ----------
    table : Trial
        The data set.
    seed : int
        Seed of the split and of the searches.
    plan : Plan
        The settings.
    tell : callable
        Called with the name of the next step.
    default_alone : bool
        Whether to run no method but entropick's default.
    """
    train, test = table.split(seed)
    target = TargetEncoder("auto", plan.n_bins, plan.binning)
    y_train = target.fit_transform(table.y[train])
    y_test = target.transform(table.y[test])
    judge = _Judge(table, train, test, y_train, y_test, plan, seed)
    shared = {"n_bins": plan.n_bins, "binning": plan.binning, "target": "classes", "n_jobs": plan.n_jobs}
    X, names = table.X[train], table.X.columns
    methods: dict[str, dict[str, Any]] = {}

    def fit(name: str, selector: Any) -> Any:
        tell(name)
        _fitted(selector.set_params(**shared), X, y_train)
        methods[name] = {
            "columns": [names[j] for j in np.flatnonzero(selector.support_)],
            "k": selector.n_features_,
            "information_bits": selector.information_,
            "delta_information": _finite(selector.delta_information_),
            "seconds": selector.record_.selection_seconds,  # from the encoded table, the same for all methods
        }
        if name != "literal":
            methods[name].update(judge.errors(np.flatnonzero(selector.support_), on_training_rows=name == "paper"))
        return selector

    default = CrossEntropySelector(null=False, random_state=seed)
    if default_alone:
        fit("entropick", default)
        return {"methods": methods}
    literal = fit("literal", CrossEntropySelector.paper(random_state=seed))
    ours = fit("paper", CrossEntropySelector.paper(parsimony=plan.parsimony, random_state=seed))
    # What is compared is the selection, so that no method tests whether there is anything at all.
    reliable = fit("reliable", CrossEntropySelector("reliable", null=False, effort=None, random_state=seed))
    fit("entropick", default)
    for rival in RIVALS:
        fit(rival, RankSelector(rival, n_features_to_select=max(1, ours.n_features_)))
    fit("pso", SubsetSelector("particle_swarm", "plugin", null=False, parsimony=plan.parsimony, random_state=seed))
    tell("all")
    encoded = ours.record_.encoded.table
    everything = float(SubsetScorer(encoded, n_jobs=plan.n_jobs)(np.ones((1, len(names)), dtype=np.bool_))[0])
    methods["all"] = {
        "k": len(names),
        "information_bits": everything,
        "delta_information": _finite(relative_loss(everything, ours.class_entropy_)),
        **judge.errors(np.arange(len(names))),
    }
    curves = {}
    if seed < plan.curve_seeds:
        sizes = _sizes(table.data.name, len(names), plan.curve_points)
        curves = _curves(X, y_train, judge, ours, reliable, seed, shared, sizes, tell)
    return {
        "dataset": table.data.name,
        "seed": seed,
        "n_train": len(train),
        "n_test": len(test),
        "classes": [str(label) for label in target.labels],
        "class_entropy_bits": ours.class_entropy_,
        "commonest_class": judge.commonest_class(),
        "methods": methods,
        "convergence": {
            name: {
                "objective": (selector.trace_["threshold"] / ours.class_entropy_).tolist(),
                "steps": selector.n_steps_,
                "size": selector.trace_["size"].tolist(),
            }
            for name, selector in (("literal", literal), ("paper", ours))
        },
        "curves": curves,
    }


class _Judge:
    """The errors of the three predictors on some columns."""

    def __init__(
        self, table: Trial, train: Rows, test: Rows, y_train: Rows, y_test: Rows, plan: Plan, seed: int
    ) -> None:
        # Shuffled: among equally near neighbours the first ones win, and some files are sorted by class.
        keep = np.random.default_rng(seed).permutation(len(train))[: plan.most_rows]
        ask = _some(len(test), plan.most_rows, seed)
        self.train, self.y_train = table.numbers[train[keep]], y_train[keep]
        self.test, self.y_test = table.numbers[test[ask]], y_test[ask]
        self.again = _some(len(self.train), min(len(self.train), len(self.test)), seed)

    def errors(self, columns: Rows, *, on_training_rows: bool = False) -> dict[str, float | None]:
        """Errors of naive Bayes with either covariance and of 3-NN on the test rows, and of 3-NN on training rows."""
        if not len(columns):
            return dict.fromkeys(("nb_diagonal", "nb_pooled", "knn"), self.commonest_class())
        train, test = prepare(self.train[:, columns], self.test[:, columns])
        found = {
            "nb_diagonal": error(nb_diagonal(train, self.y_train, test), self.y_test),
            "nb_pooled": error(nb_pooled(train, self.y_train, test), self.y_test),
            "knn": error(three_nn(train, self.y_train, test), self.y_test),
        }
        if on_training_rows:
            again = three_nn(train, self.y_train, train[self.again])
            found["knn_on_training_rows"] = error(again, self.y_train[self.again])
        return found

    def commonest_class(self) -> float | None:
        """Error of the majority-class baseline, which always predicts the commonest class of the training rows."""
        return error(np.full(len(self.y_test), np.bincount(self.y_train).argmax()), self.y_test)

    def nb(self, columns: Rows) -> float | None:
        """Error of naive Bayes with a diagonal covariance."""
        train, test = prepare(self.train[:, columns], self.test[:, columns])
        return error(nb_diagonal(train, self.y_train, test), self.y_test)


def _curves(
    X: Any, y: Rows, judge: _Judge, ours: Any, reliable: Any, seed: int, shared: dict[str, Any], sizes: list[int],
    tell: Callable[[str], object],
) -> dict[str, list[dict[str, Any]]]:  # fmt: skip
    """MCE_NB and ΔI_r against the number of retained columns.

    For `paper` a search for exactly that many; for `reliable` its selection in the order of what each column adds,
    then the columns that would add most; for rankings the first ones.
    """
    h_y, last = ours.class_entropy_, sizes[-1]

    def points(chosen: dict[int, Rows], information: dict[int, float]) -> list[dict[str, Any]]:
        return [
            {
                "size": size,
                "delta_information": _finite(relative_loss(information[size], h_y)),
                "nb_diagonal": judge.nb(chosen[size]),
            }
            for size in sizes
        ]

    exact: dict[int, Any] = {}
    for size in sizes:
        tell(f"paper with {size} columns")
        search = CrossEntropySelector.paper(n_features_to_select=size, random_state=seed)
        exact[size] = _fitted(search.set_params(**shared), X, y)
    tell("the order of reliable")
    table, further = reliable.record_.encoded.table, max(0, last - reliable.n_features_)
    path = size_curve(table, None, reliable.support_, "reliable", further=further, n_jobs=shared["n_jobs"])
    order, information = path["column"][1:], path["information"]
    curves = {
        "paper": points(
            {size: np.flatnonzero(search.support_) for size, search in exact.items()},
            {size: search.information_ for size, search in exact.items()},
        ),
        "reliable": points({size: order[:size] for size in sizes}, {size: float(information[size]) for size in sizes}),
    }
    for name in RIVALS:
        tell(f"{name} with up to {last} columns")
        ranking = _fitted(RankSelector(name, n_features_to_select=last).set_params(**shared), X, y)
        curves[name] = points(
            {size: ranking.order_[:size] for size in sizes},
            {size: float(ranking.information_path_[size - 1]) for size in sizes},
        )
    return curves


def _fitted(selector: Any, X: Any, y: Rows) -> Any:
    with listening(lambda note: None):  # notes are about columns, the same every time
        selector.fit(X, y)
    return selector


def _sizes(name: str, m: int, points: int) -> list[int]:
    """Numbers of columns for the figures, the same for all seeds: from 1 to twice the paper's, which is among them."""
    k = published(name, "paper").k or 10
    last = min(m, max(2 * k, 20))
    return sorted({*np.geomspace(1, last, points).round().astype(int).tolist(), min(k, m)})


def _some(n: int, most: int | None, seed: int) -> Rows:
    """All of n rows, or a random choice of ``most``."""
    if most is None or most >= n:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).permutation(n)[:most])


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
