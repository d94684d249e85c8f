"""Several methods side by side, on the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import _safe_indexing

from entropick._checks import check_number
from entropick._defaults import BINNING, N_BINS, N_JOBS, TARGET
from entropick._errors import ParameterError
from entropick.criteria import plugin
from entropick.encode import TargetEncoder, as_array, is_frame, read_source
from entropick.evaluation._comparison import Comparison, Estimate, MethodResult
from entropick.evaluation._measures import Kind, find_metric, measures_of
from entropick.evaluation._models import MODELS, Predictors, find_model
from entropick.evaluation._splits import Splits
from entropick.information import relative_loss
from entropick.notes import Note, listening
from entropick.ranking import RANKINGS
from entropick.scorer import Scorers
from entropick.selectors import FitRecord, make_selector
from entropick.stability import stability

_SAME_ANYWHERE = ("binned_target",)  # notes of which one is enough, though their numbers differ from part to part
Rows = NDArray[np.int64]
ALL, NONE = "all", "none"  # all columns and none of them, shown after the methods


def compare(
    X: Any,
    y: Any,
    methods: Sequence[str] = ("cross_entropy", "cmim", "mrmr", "disr", "particle_swarm"),
    *,
    models: Sequence[str] | None = None,
    metric: str | None = None,
    n_features: int | None = None,
    folds: int = 10,
    groups: Any = None,
    time: Any = None,
    resamples: int = 10,
    target: str = TARGET,
    n_bins: int = N_BINS,
    binning: str = BINNING,
    n_jobs: int = N_JOBS,
    random_state: int = 0,
    max_seconds: float | None = None,
    callback: Callable[[int, int, str], object] | None = None,
    **searching: Any,
) -> Comparison:
    """Select with several methods inside each fold of a cross-validation, on the same rows, and measure how each did.

    Parameters
    ----------
    X, y : table and target
        As in a selector. A numeric y is predicted as a number, by regressors.
    methods : sequence of str
        Searches and rankings. A ranking keeps ``n_features`` columns, or as many as the first search of the list found
        on the same rows (at least one); 10 if there is no search.
    models : sequence of str, optional
        'naive_bayes' (Gaussian, with 1e-3 of the largest variance added to all), '3nn' and 'forest' for classes,
        'ridge', '3nn' and 'forest' for numbers, or classes of scikit-learn by name; the first two by default. Each is
        fitted on the training rows of a fold and predicts the others; for it, numbers are standardised,
        missing ones marked by a column of their own, and other columns turned into indicators.
    metric : str, optional
        The measure that is shown; all are in the result. For classes 'error' (MCE, the default), 'auc',
        'balanced_accuracy' or 'log_loss' (in bits), for numbers 'r2' (the default) or 'mae'.
    n_features : int, optional
        How many columns each method keeps.
    folds : int
        Number of cross-validation folds.
    groups : array-like, optional
        A value for every row; rows with the same value are never on both sides of a split.
    time : array-like, optional
        A value for every row; models are fitted on earlier rows and tested on later ones.
    resamples : int
        Number of random halves of the rows on which the selection is repeated, to measure its stability; 0 for none.
    target, n_bins, binning, n_jobs
        As in a selector.
    random_state : int
        Seed of the folds, halves and searches.
    max_seconds : float, optional
        Time for the whole comparison. Every search gets the same share of it, and after it no further fold or half is
        begun; a note says how many there were.
    callback : callable, optional
        Called before each selection with the number done, the total and the name of the method.
    **searching
        Settings of the searches, such as ``criterion`` or ``parsimony``. What is compared is the selection, so that
        no search tests whether there is anything at all, unless ``null=True`` says so.

    Returns
    -------
    Comparison
        For every method, for all columns and for none (the commonest class, or the mean): k, I(U;y) and ΔI_r on the
        training rows, every measure of every model on the held-out rows, and seconds of a selection from the encoded
        table, each with its standard error over the folds; and `stability`. Folds share training rows, so the true
        errors of the means are somewhat larger. All searches use the same seed, so stability is measured over rows, not
        over seeds.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> result = compare(X, y, ["cross_entropy", "mrmr"], folds=3, resamples=0, criterion="reliable")
    >>> [method.method for method in result.methods]
    ['cross_entropy', 'mrmr', 'all', 'none']
    """
    check_number("folds", folds, 2, integer=True)
    check_number("resamples", resamples, 0, integer=True)
    check_number("random_state", random_state, 0, integer=True)
    check_number("max_seconds", max_seconds, 0, above=True, optional=True)
    if isinstance(methods, str) or not methods:
        raise ParameterError("methods", "must be names of at least one search or ranking", methods)
    if isinstance(models, str):
        raise ParameterError("models", "must be a sequence of names", models, f"use [{models!r}]")
    encoder = TargetEncoder(target, n_bins, binning)
    classes = encoder.fit_transform(y)
    kind: Kind = "classes" if encoder.numbers is None else "numbers"
    metric = find_metric(metric, kind)
    names = list(MODELS[kind])[:2] if models is None else models
    predicting = {name: find_model(name, kind) for name in names}
    X = X.tocsr() if sparse.issparse(X) else X if is_frame(X) else as_array(X)
    source = read_source(X)
    source.check_rows(len(classes))
    truth: NDArray[Any] = classes if encoder.numbers is None else encoder.numbers
    shared: dict[str, object] = {"target": "classes" if kind == "classes" else "numeric"}
    shared |= {"n_bins": n_bins, "binning": binning, "n_jobs": n_jobs}
    deadline = inf if max_seconds is None else monotonic() + max_seconds
    if max_seconds is not None:
        searching |= {"max_seconds": max_seconds / (folds + resamples) / len(dict.fromkeys(methods))}
    team = _Team(methods, n_features, shared, {"null": False, "decoys": 0, **searching, "random_state": random_state})
    predictors = Predictors(X)
    splits = Splits(None if kind == "numbers" else classes, len(classes), random_state, groups, time)
    progress = _Progress(callback, (folds + resamples) * len(team.names))
    runs: list[_Run] = []
    n_folds = n_halves = 0
    for train, test in splits.folds(folds):
        if n_folds and monotonic() > deadline:
            break
        n_folds += 1
        _check_fold(truth[train], kind)
        every, none = np.arange(len(source.names)), np.arange(0)
        fixed = {  # first, because a model may fail
            name: _measured(predictors, predicting, kind, truth, columns, train, test)
            for name, columns in ((ALL, every), (NONE, none))
        }
        for run in team.select(X, truth, train, progress):
            columns = np.flatnonzero(run.mask)
            found = fixed.get(run.method) or _measured(predictors, predicting, kind, truth, columns, train, test)
            runs.append(replace(run, measures=found))
    halves: list[_Run] = []
    while n_halves < resamples and monotonic() < deadline:
        n_halves += 1
        halves += team.select(X, truth, splits.half(), progress)
    undone = []
    if (n_folds, n_halves) != (folds, resamples):
        text = f"there was time for {n_folds} of {folds} folds and {n_halves} of {resamples} halves of the rows only."
        undone = [Note("undone", text)]
    return Comparison(
        tuple(
            _result(
                name,
                [run for run in runs if run.method == name],
                [run.mask for run in halves if run.method == name],
                source.names,
            )
            for name in (*team.names, ALL, NONE)
        ),
        len(classes),
        len(source.names),
        n_folds,
        n_halves,
        tuple(map(str, encoder.labels)) if kind == "classes" else (),
        random_state,
        kind,
        metric,
        tuple(dict.fromkeys([*undone, *encoder.notes, *(_named(note, encoder.name) for note in team.notes or ())])),
    )


def _named(note: Note, target: str) -> Note:
    """A note about a part of the target, which has no name, with the name of the target."""
    return replace(note, text=note.text.replace("the target 'y' ", f"the target {target!r} "))


def _check_fold(y: NDArray[Any], kind: Kind) -> None:
    if len(np.unique(y)) < 2:
        what = "class" if kind == "classes" else "value"
        raise ValueError(f"the training rows of a fold have only one {what} of the target: use fewer folds.")


@dataclass(frozen=True)
class _Run:
    """What a method selected from some rows, and the errors of the models on others."""

    method: str
    mask: NDArray[np.bool_]
    information: float
    delta: float
    seconds: float
    measures: dict[str, dict[str, float]] = field(default_factory=dict)


class _Progress:
    def __init__(self, callback: Callable[[int, int, str], object] | None, total: int) -> None:
        self.callback, self.total, self.done = callback, total, 0

    def __call__(self, name: str) -> None:
        if self.callback is not None:
            self.callback(self.done, self.total, name)
        self.done += 1


class _Team:
    """The methods, which select from the same rows, and the notes from their selections."""

    def __init__(
        self, methods: Sequence[str], n_features: int | None, shared: dict[str, object], searching: dict[str, object]
    ) -> None:
        self.names = tuple(dict.fromkeys(methods))
        self.notes: list[Note] | None = None
        self.n_features = n_features
        exactly = {} if n_features is None else {"n_features_to_select": n_features}
        self.selectors = {
            name: make_selector(name, **shared, **exactly, **({} if name in RANKINGS else searching))
            for name in self.names
        }

    def _remember(self, record: FitRecord) -> None:
        first = self.notes is None  # about columns, the notes of the first part stand for all parts
        new = record.notes if first else record.outcome.notes
        known = {note.code for note in self.notes or () if note.code in _SAME_ANYWHERE}
        self.notes = list(dict.fromkeys([*(self.notes or ()), *(note for note in new if note.code not in known)]))

    def select(self, X: Any, target: NDArray[Any], rows: Rows, progress: _Progress) -> Iterator[_Run]:
        """What each method selects, then all and none; searches first, because rankings keep as many columns."""
        part, y = _safe_indexing(X, rows), target[rows]
        size = self.n_features
        for name in sorted(self.names, key=lambda name: name in RANKINGS):
            progress(name)
            selector = self.selectors[name]
            if name in RANKINGS:
                selector.set_params(n_features_to_select=max(1, size) if size is not None else None)
            with listening(lambda note: None):  # the notes are in its record
                selector.fit(part, y)
            record = selector.record_
            self._remember(record)
            size = selector.n_features_ if size is None and name not in RANKINGS else size
            information, delta = selector.information_, selector.delta_information_
            yield _Run(name, selector.support_, information, delta, record.selection_seconds)
        yield _of_all_columns(record, selector.n_jobs)
        nothing = np.zeros(len(selector.support_), dtype=np.bool_)
        yield _Run(NONE, nothing, 0.0, float("nan"), 0.0)


def _of_all_columns(record: FitRecord, n_jobs: int) -> _Run:
    """All columns of a table, as if a method had selected them."""
    if record.encoded is None:
        raise ValueError("the table of fit is not stored with the selector.")
    table = record.encoded.table
    every = np.ones(table.n_columns, dtype=np.bool_)
    with Scorers(table, n_jobs=n_jobs) as scorers:
        information = float(scorers[plugin](every[None])[0])
    return _Run(ALL, every, information, relative_loss(information, table.class_entropy), 0.0)


def _measured(
    predictors: Predictors,
    models: dict[str, Any],
    kind: Kind,
    y: NDArray[Any],
    columns: Rows,
    train: Rows,
    test: Rows,
) -> dict[str, dict[str, float]]:
    """Every measure of every model."""
    found = {name: predictors.predict(model, y, columns, train, test) for name, model in models.items()}
    return {
        name: {what: measure.of(predicted) for what, measure in measures_of(kind).items()}
        for name, predicted in found.items()
    }


def _result(name: str, runs: list[_Run], halves: list[NDArray[np.bool_]], names: Sequence[str]) -> MethodResult:
    shares = np.mean([run.mask for run in runs], axis=0)
    agreement = np.array(stability(halves) if len(halves) > 1 and name not in (ALL, NONE) else (np.nan, np.nan))
    measures = {
        model: {what: Estimate.of([run.measures[model][what] for run in runs]) for what in of_model}
        for model, of_model in runs[0].measures.items()
    }
    value, error = (None if np.isnan(number) else float(number) for number in agreement)
    return MethodResult(
        name,
        Estimate.of([int(run.mask.sum()) for run in runs]),
        Estimate.of([run.information for run in runs]),
        Estimate.of([run.delta for run in runs]),
        {model: found["error"] for model, found in measures.items() if "error" in found},
        measures,
        Estimate.of([run.seconds for run in runs]),
        Estimate(value, error),
        {
            names[j]: float(shares[j])
            for j in np.argsort(-shares, kind="stable")
            if shares[j] > 0 and name not in (ALL, NONE)
        },
    )
